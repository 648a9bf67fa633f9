//! Kernels: a function, its arguments, a grid; comparison of the memory that two of them produce.

use std::collections::{BTreeSet, HashSet};
use std::hash::{Hash, Hasher};

use orison_ir::{Context, Operation, Type, Value};
use orison_schedule::machine::MachineModel;
use orison_tileas::nv_tileaa;
use orison_tileas::nv_tileaa::pointee;
use orison_tileas::views::ShapedView;
use rustc_hash::FxHasher;

use super::element::{Element, ElementKind};
use super::explore::{self, explore};
use super::handles::Handle;
use super::memory::{Buffer, Memory, View};
use super::operations::address;
use super::random::Random;
use super::state::TileState;
use super::tasks::{Failure, Run};
use super::timed;
use super::values::{Tile, TileData, scalar, static_shape};
use crate::{Datum, Interpreter, World};

/// An argument of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A number.
    Number(i64),
    /// Random memory of these extents.
    Random(Vec<usize>),
    /// Memory with these values.
    Numbers {
        /// Extents.
        shape: Vec<usize>,
        /// The elements, row-major; repeated when there are fewer.
        values: Vec<f64>,
    },
}

/// Launch parameters of a kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Arguments by position; absent ones are chosen: memory is random, of `tiles` tiles along each
    /// axis, and numbers are `tiles`.
    pub arguments: Vec<Option<Argument>>,
    /// Blocks along each axis of the grid.
    pub grid: [i64; 3],
    /// Seed of random memory.
    pub seed: u64,
    /// See `arguments`.
    pub tiles: usize,
    /// The maximum number of operations of a block.
    pub fuel: u64,
}

impl Default for Launch {
    fn default() -> Self {
        Launch {
            arguments: Vec::new(),
            grid: [1; 3],
            seed: 0,
            tiles: 4,
            fuel: 1_000_000,
        }
    }
}

impl Launch {
    /// The parameters with the memory extents that are chosen for a function, for a run of another one
    /// that divides the memory into other tiles.
    #[must_use]
    pub fn with_memory_of(&self, interpreter: &Interpreter<'_>, function: &str) -> Launch {
        let context = interpreter.context();
        let symbol = interpreter.module().lookup_symbol(context, function);
        let block = symbol.and_then(|symbol| symbol.body_block(context, 0));
        let mut launch = self.clone();
        for (number, value) in block
            .iter()
            .flat_map(|block| block.arguments(context))
            .enumerate()
        {
            if launch.arguments.len() <= number {
                launch.arguments.push(None);
            }
            let view = ShapedView::of(context, value.ty(context));
            if let (None, Some(view)) = (&launch.arguments[number], view) {
                let extents = chosen_extents(context, value, view, self.tiles);
                launch.arguments[number] = Some(Argument::Random(extents));
            }
        }
        launch
    }
}

/// The maximum number of elements of an argument's memory.
const MAX_ELEMENTS: usize = 1 << 26;

/// Elements of a pointer's memory if not specified.
const DEFAULT_ELEMENTS: usize = 1 << 12;

/// The inputs of a kernel: memory, and the values of the arguments.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The buffers of the arguments.
    pub memory: Memory,
    kinds: Vec<ElementKind>,
    values: Vec<Datum>,
}

/// An argument as specified.
#[derive(Clone, Copy)]
struct Given<'a> {
    number: usize,
    argument: Option<&'a Argument>,
    launch: &'a Launch,
}

impl Given<'_> {
    fn extents(&self) -> Option<&[usize]> {
        match self.argument? {
            Argument::Random(shape) | Argument::Numbers { shape, .. } => Some(shape),
            Argument::Number(_) => None,
        }
    }

    /// Random numbers that depend on the seed and on the index of the argument.
    fn random(&self) -> Random {
        Random::new(self.launch.seed ^ (self.number as u64 + 1) << 32)
    }
}

fn failure(place: Option<Operation>, message: &str) -> Failure {
    Failure {
        place,
        message: message.to_owned(),
        notes: Vec::new(),
    }
}

impl Inputs {
    /// The inputs of a function.
    ///
    /// # Errors
    /// If there is no such function, or an argument does not fit its type.
    pub fn new(
        interpreter: &Interpreter<'_>,
        function: &str,
        launch: &Launch,
    ) -> Result<Inputs, Failure> {
        let context = interpreter.context();
        let symbol = interpreter.module().lookup_symbol(context, function);
        let block = symbol.and_then(|symbol| symbol.body_block(context, 0));
        let Some((symbol, block)) = symbol.zip(block) else {
            return Err(failure(
                None,
                &format!("no function '{function}' with a body"),
            ));
        };
        let mut inputs = Inputs {
            memory: Memory::default(),
            kinds: Vec::new(),
            values: Vec::new(),
        };
        if launch.arguments.len() > block.argument_count(context) {
            let message = format!(
                "expected {1} arguments, found {0}",
                launch.arguments.len(),
                block.argument_count(context)
            );
            return Err(failure(Some(symbol), &message));
        }
        for (number, value) in block.arguments(context).enumerate() {
            let given = Given {
                number,
                argument: launch.arguments.get(number).and_then(Option::as_ref),
                launch,
            };
            let added = inputs.add(context, value, given);
            added.map_err(|message| {
                failure(Some(symbol), &format!("argument {number}: {message}"))
            })?;
        }
        Ok(inputs)
    }

    fn add(&mut self, context: &Context, value: Value, given: Given<'_>) -> Result<(), String> {
        let ty = value.ty(context);
        if let Some(view) = ShapedView::of(context, ty) {
            return self.add_view(context, value, view, given);
        }
        if let Some(element) = pointee(context, ty) {
            let kind = element_kind(context, element)?;
            let shape = given
                .extents()
                .map_or_else(|| vec![DEFAULT_ELEMENTS], <[usize]>::to_vec);
            let buffer = self.buffer(&shape, kind, given)?;
            let pointer = Element::Integer(address(buffer, 0));
            let kind = ElementKind::Pointer(kind.bits() as u32);
            self.values
                .push(Datum::payload(Tile::splat(&[], kind, pointer)));
            return Ok(());
        }
        let kind = element_kind(context, ty)?;
        if ty.is_shaped(context) {
            let shape = static_shape(context, ty).ok_or("is a tile without a static shape")?;
            let tile = random_tile(&shape, kind, given);
            self.values.push(Datum::payload(tile));
            return Ok(());
        }
        let element = match (kind, given.argument) {
            (ElementKind::Float(_), Some(Argument::Number(value))) => Element::Float(*value as f64),
            (ElementKind::Float(_), None) => random_element(kind, &mut given.random()),
            (_, Some(Argument::Number(value))) => Element::Integer(*value),
            (_, None) => Element::Integer(given.launch.tiles as i64),
            _ => return Err("expected a number".to_owned()),
        };
        self.values.push(scalar(kind, element));
        Ok(())
    }

    fn add_view(
        &mut self,
        context: &Context,
        value: Value,
        view: &ShapedView,
        given: Given<'_>,
    ) -> Result<(), String> {
        let kind = element_kind(context, view.element)?;
        let shape = match given.argument {
            Some(Argument::Number(_)) => return Err("expected the extents of memory".to_owned()),
            _ => given.extents().map_or_else(
                || chosen_extents(context, value, view, given.launch.tiles),
                <[usize]>::to_vec,
            ),
        };
        let fits = shape.len() == view.shape.len()
            && shape.iter().zip(&view.shape).all(|(extent, declared)| {
                usize::try_from(*declared).is_ok_and(|declared| declared == *extent)
                    || *declared == orison_ir::types::DYNAMIC
            });
        if !fits {
            return Err(format!(
                "memory of extents {shape:?} does not match the type"
            ));
        }
        let buffer = self.buffer(&shape, kind, given)?;
        self.values
            .push(Handle::Memory(View::whole(buffer, &shape, kind)).datum());
        Ok(())
    }

    fn buffer(
        &mut self,
        shape: &[usize],
        kind: ElementKind,
        given: Given<'_>,
    ) -> Result<usize, String> {
        let mut random = given.random();
        let total = shape
            .iter()
            .try_fold(1usize, |total, extent| total.checked_mul(*extent));
        let Some(total) = total.filter(|total| *total <= MAX_ELEMENTS) else {
            return Err(format!("memory of extents {shape:?} is too large"));
        };
        let mut data = TileData::zeros(kind, total);
        for place in 0..total {
            let element = match given.argument {
                Some(Argument::Numbers { values, .. }) if !values.is_empty() => {
                    number_element(kind, values[place % values.len()])
                }
                _ => random_element(kind, &mut random),
            };
            data.set(place, element);
        }
        self.kinds.push(kind);
        let name = format!("the memory of argument {}", given.number);
        let tile = Tile::new(shape, kind, data);
        Ok(self.memory.add(Buffer::of_tile(&name, &tile)))
    }

    /// A digest of the memory of each memory argument, with its name.
    pub fn digests<'m>(&self, memory: &'m Memory) -> Vec<(&'m str, u64)> {
        let mut digests = Vec::new();
        for buffer in memory.buffers.iter().take(self.kinds.len()) {
            let mut hasher = FxHasher::default();
            buffer.bytes().hash(&mut hasher);
            digests.push((buffer.name.as_str(), hasher.finish()));
        }
        digests
    }

    /// The first difference in the memory of the arguments; `None` if equal.
    pub fn difference(&self, expected: &Memory, found: &Memory) -> Option<String> {
        for (number, kind) in self.kinds.iter().enumerate() {
            let (a, b) = (&expected.buffers[number], &found.buffers[number]);
            if a.bytes() == b.bytes() {
                continue;
            }
            let width = kind.bits();
            let mut elements = (0..a.bits() / width.max(1)).map(|element| element * width);
            let bit = elements.find(|bit| a.load(*bit, width) != b.load(*bit, width))?;
            let show = |buffer: &Buffer| match buffer.load(bit, width).map(|bits| kind.decode(bits))
            {
                Some(Element::Float(value)) => value.to_string(),
                Some(Element::Integer(value)) => value.to_string(),
                None => "nothing".to_owned(),
            };
            let element = bit / width.max(1);
            return Some(format!(
                "element {element} of {} is {}, expected {}",
                a.name,
                show(b),
                show(a)
            ));
        }
        None
    }
}

fn random_tile(shape: &[usize], kind: ElementKind, given: Given<'_>) -> Tile {
    let mut random = given.random();
    let total = shape.iter().product();
    let mut data = TileData::zeros(kind, total);
    for place in 0..total {
        data.set(place, random_element(kind, &mut random));
    }
    Tile::new(shape, kind, data)
}

fn element_kind(context: &Context, ty: Type) -> Result<ElementKind, String> {
    ElementKind::of(context, ty).ok_or_else(|| "has an unsupported type".to_owned())
}

fn number_element(kind: ElementKind, value: f64) -> Element {
    match kind {
        ElementKind::Float(format) => Element::Float(format.round_double(value)),
        _ => Element::Integer(value as i64),
    }
}

/// A number between -1 and 1; a small natural number where elements are integers.
fn random_element(kind: ElementKind, random: &mut Random) -> Element {
    match kind {
        ElementKind::Float(format) => {
            let value = (random.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
            Element::Float(format.round_double(value))
        }
        _ => kind.decode(kind.encode(Element::Integer(random.below(8) as i64))),
    }
}

/// Extents for memory: those of its type, with dynamic ones replaced by `tiles` times the extents
/// of the largest tile into which it is divided.
fn chosen_extents(context: &Context, value: Value, view: &ShapedView, tiles: usize) -> Vec<usize> {
    let cut: Vec<&Vec<i64>> = value
        .users(context)
        .filter(|user| nv_tileaa::BlockTile::matches(context, *user))
        .filter_map(|user| ShapedView::of(context, user.result(context, 0).ty(context)))
        .map(|view| &view.shape)
        .collect();
    let extents = view.shape.iter().enumerate().map(|(axis, declared)| {
        let tile = cut
            .iter()
            .filter_map(|shape| usize::try_from(*shape.get(axis)?).ok())
            .max();
        usize::try_from(*declared).unwrap_or_else(|_| tile.unwrap_or(16).saturating_mul(tiles))
    });
    extents.collect()
}

/// A function of a module, ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'k, 'c> {
    /// The interpreter of the module.
    pub interpreter: &'k Interpreter<'c>,
    /// Name of the function.
    pub function: &'k str,
}

impl Kernel<'_, '_> {
    fn start(
        &self,
        inputs: &Inputs,
        memory: Memory,
        (program, grid): ([i64; 3], [i64; 3]),
        queue: &BTreeSet<[i64; 3]>,
    ) -> Result<Run, Failure> {
        let machine = self
            .interpreter
            .start(self.function, inputs.values.clone())?;
        let mut world = World::default();
        *world.state::<TileState>() = TileState {
            memory,
            program,
            grid,
            queue: queue.clone(),
            ..TileState::default()
        };
        Ok(Run::new(machine, world))
    }

    /// Runs all blocks of a grid, one after the other; returns the final memory, and a number that
    /// identifies the order of operations.
    ///
    /// # Errors
    /// The failure of a block.
    pub fn run(
        &self,
        inputs: &Inputs,
        launch: &Launch,
        seed: u64,
    ) -> Result<(Memory, u64), Failure> {
        let mut queue = blocks(launch.grid);
        let mut memory = inputs.memory.clone();
        let mut trail = 0u64;
        while let Some(program) = queue.pop_first() {
            let mut run = self.start(inputs, memory, (program, launch.grid), &queue)?;
            let order = run.finish(self.interpreter, seed, launch.fuel)?;
            trail = Random::new(trail ^ order).bits();
            let state = run.world.state::<TileState>();
            queue.clone_from(&state.queue);
            memory = std::mem::take(&mut state.memory);
            // Allocations of a block end with it.
            memory.buffers.truncate(inputs.memory.buffers.len());
        }
        Ok((memory, trail))
    }

    /// Runs the first block of a grid under a machine model.
    ///
    /// # Errors
    /// The failure of the block.
    pub fn timed(
        &self,
        inputs: &Inputs,
        launch: &Launch,
        machine: &MachineModel,
    ) -> Result<timed::Record, Failure> {
        let mut queue = blocks(launch.grid);
        let first = queue.pop_first().unwrap_or_default();
        let run = self.start(inputs, inputs.memory.clone(), (first, launch.grid), &queue)?;
        timed::simulate(self.interpreter, run, machine, launch.fuel)
    }

    /// Explores all orders of the first block of a grid.
    ///
    /// # Errors
    /// A failure in one of them, or a difference between the final memory and the expected one.
    pub fn explore(
        &self,
        inputs: &Inputs,
        launch: &Launch,
        expected: Option<&Memory>,
        bound: usize,
    ) -> Result<explore::Report, Failure> {
        let mut queue = blocks(launch.grid);
        let first = queue.pop_first().unwrap_or_default();
        let run = self.start(inputs, inputs.memory.clone(), (first, launch.grid), &queue)?;
        explore(self.interpreter, run, bound, |run| {
            let state = run.world.existing_state::<TileState>();
            let difference = expected
                .zip(state)
                .and_then(|(expected, state)| inputs.difference(expected, &state.memory));
            difference.map_or(Ok(()), |difference| Err(failure(None, &difference)))
        })
    }
}

fn blocks(grid: [i64; 3]) -> BTreeSet<[i64; 3]> {
    let [x, y, z] = grid;
    let all = (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])));
    // The set sorts them by the last coordinate first; any order is correct.
    all.collect()
}

/// The result of many runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Interleavings {
    /// The number of runs.
    pub runs: u64,
    /// The number of distinct orders among them.
    pub different: usize,
}

/// Runs a kernel in many orders, and compares the final memory with the expected one.
///
/// # Errors
/// The first failure or difference, with the seed of its order.
pub fn compare(
    kernel: &Kernel<'_, '_>,
    inputs: &Inputs,
    launch: &Launch,
    expected: &Memory,
    runs: u64,
) -> Result<Interleavings, (u64, Failure)> {
    let mut orders = HashSet::new();
    for seed in 0..runs {
        let (memory, trail) = kernel
            .run(inputs, launch, seed)
            .map_err(|failure| (seed, failure))?;
        orders.insert(trail);
        if let Some(difference) = inputs.difference(expected, &memory) {
            return Err((seed, failure(None, &difference)));
        }
    }
    Ok(Interleavings {
        runs,
        different: orders.len(),
    })
}

/// The elements of an argument's memory, row-major.
pub fn elements(
    memory: &Memory,
    argument: usize,
    shape: &[usize],
    kind: ElementKind,
) -> Option<Tile> {
    memory
        .load(&View::whole(argument, shape, kind), |_| true, None)
        .ok()
}
