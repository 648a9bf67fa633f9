//! Prepared kernels, and the parameters of a launch.

use orison_ir::{Attribute, Context, Operation};
use orison_machine::sm_number;
use orison_ori::operations::structure::{Func, Memory};

use super::Fault;
use super::memory::{self, Bytes};
use super::parameters::{Launch, Parameter};
use super::program::Function;
use super::sass::{Module, reserved_shared};
use super::stack::Stack;
use super::symbols::{Symbols, zero_padded};

/// Statistics of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Instructions, counted once per path.
    pub instructions: u64,
    /// Lanes that executed them.
    pub lane_instructions: u64,
    /// Of the instructions, those that become machine instructions: not constants, names of parts of
    /// values, and branches to the block behind.
    pub issued: u64,
    /// Divergent branches.
    pub divergent_branches: u64,
}

/// Offsets of launch values in constant bank 0; `None` if the target has no such value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    parameters: usize,
    extents: [usize; 2],
    dynamic_shared: usize,
    /// The end of local memory, from which machine code takes its frames.
    stack: usize,
    /// Bases of the generic windows of shared, local, constant memory and parameters.
    windows: [Option<usize>; 4],
    /// Whether the parameter window begins at the bank rather than at the first parameter.
    window_of_bank: bool,
    pub(super) clusters: Option<ClusterPlaces>,
}

/// Offsets of the values of a cluster launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterPlaces {
    /// One if there are no clusters.
    implicit: usize,
    /// CTAs of a cluster by dimension, clusters of the grid, CTAs of a cluster.
    extents: usize,
    clusters: usize,
    size: usize,
    /// The reciprocals of the CTAs of a cluster by dimension, as floats, for a division by them.
    reciprocals: usize,
}

/// The offsets for a target (observed in the output of ptxas 13.0); those of sm_80 before it. From
/// sm_100 on those of clusters move with `SR_CgaSize`, which reads as zero here.
fn places(sm: u16) -> Places {
    match sm {
        100.. => Places {
            parameters: 0x380,
            extents: [0x360, 0x370],
            dynamic_shared: 0x2ac,
            stack: 0x37c,
            windows: [None, Some(0x2f8), Some(0x120), Some(0x348)],
            window_of_bank: false,
            clusters: Some(ClusterPlaces {
                implicit: 0x36c,
                extents: 0x2a0,
                clusters: 0x2c0,
                size: 0x2cc,
                reciprocals: 0x2b0,
            }),
        },
        90..=99 => Places {
            parameters: 0x210,
            extents: [0, 0xc],
            dynamic_shared: 0x2c,
            stack: 0x28,
            windows: [None, Some(0x20), Some(0xd0), Some(0x198)],
            window_of_bank: false,
            clusters: Some(ClusterPlaces {
                implicit: 0x140,
                extents: 0x144,
                clusters: 0x15c,
                size: 0x188,
                reciprocals: 0x150,
            }),
        },
        _ => Places {
            parameters: 0x160,
            extents: [0, 0xc],
            dynamic_shared: 0x2c,
            stack: 0x28,
            windows: [Some(0x18), Some(0x20), Some(0x50), Some(0x40)],
            window_of_bank: true,
            clusters: None,
        },
    }
}

/// A kernel of a module, prepared for any number of runs.
#[derive(Debug)]
pub struct Kernel<'c> {
    pub(super) context: &'c Context,
    pub(super) functions: Vec<Function>,
    operations: Vec<Operation>,
    pub(super) symbols: Symbols,
    pub(super) entry: Entry,
    /// The machine code, if that is what the module has.
    pub(super) code: Option<Module>,
}

/// The function of a module that a launch runs.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its index.
    pub(super) function: usize,
    pub(super) op: Operation,
    /// The cluster extents that it requires.
    pub(super) cluster: Option<[u32; 3]>,
    pub(super) places: Places,
    parameters: Vec<Parameter>,
    /// Whether the parameters are known.
    has_parameters: bool,
    /// The first instruction.
    pub(super) start: usize,
    /// Bytes of shared memory with a size, and how many of them the system reserves.
    shared: [usize; 2],
    name: String,
}

impl Entry {
    fn of(
        context: &Context,
        symbols: &Symbols,
        functions: &[Operation],
        name: &str,
    ) -> Result<Self, Fault> {
        let Some(&function) = symbols.functions.get(name) else {
            return Err(Fault::plain(&format!("undefined kernel '{name}'")));
        };
        let op = functions[function];
        let kernel = Func(op);
        if kernel.kernel(context).is_none() {
            return Err(Fault::at(context, op, "is not a kernel"));
        }
        let cluster = kernel.cluster(context).map(|extents| {
            let mut cluster = [1; 3];
            for (to, extent) in cluster.iter_mut().zip(extents) {
                *to = u32::try_from(extent).unwrap_or(1).max(1);
            }
            cluster
        });
        let sm = sm_number(kernel.target(context).unwrap_or_default());
        Ok(Entry {
            function,
            op,
            cluster,
            places: places(sm.unwrap_or(0)),
            parameters: parameters(context, op),
            has_parameters: true,
            start: 0,
            shared: [symbols.shared, 0],
            name: name.to_owned(),
        })
    }

    /// A kernel of machine code.
    fn of_code(context: &Context, code: &Module, name: &str) -> Result<Self, Fault> {
        let Some(facts) = code.kernel(name) else {
            return Err(Fault::plain(&format!("undefined kernel '{name}'")));
        };
        // Without the records of a cubin, what the function states.
        let states = facts.op.attribute(context, "parameters").is_some();
        let known = facts
            .parameters
            .or_else(|| states.then(|| parameters(context, facts.op)));
        Ok(Entry {
            function: 0,
            op: facts.op,
            cluster: facts.cluster,
            places: places(facts.sm),
            has_parameters: known.is_some(),
            parameters: known.unwrap_or_default(),
            start: facts.start,
            shared: [facts.shared, reserved_shared(facts.sm)],
            name: name.to_owned(),
        })
    }
}

/// The parameters described by an attribute of a kernel.
fn parameters(context: &Context, op: Operation) -> Vec<Parameter> {
    let all = op.attribute(context, "parameters");
    let all = all
        .and_then(|all| all.as_array(context))
        .unwrap_or_default();
    let number = |dictionary: &Attribute, key: &str| {
        let number = dictionary.get(context, key)?.as_i64(context)?;
        usize::try_from(number).ok()
    };
    let read = all.iter().filter_map(|one| {
        let name = one.get(context, "name")?;
        Some(Parameter {
            name: name.as_str(context)?.to_owned(),
            offset: number(one, "offset")?,
            size: number(one, "size")?,
        })
    });
    read.collect()
}

impl<'c> Kernel<'c> {
    /// Prepares a kernel of a module, with all functions of the module.
    ///
    /// # Errors
    /// No such kernel; unresolved names; unsupported launch parameters.
    pub fn new(context: &'c Context, module: Operation, name: &str) -> Result<Self, Fault> {
        if let Some((code, function, symbols)) = Module::new(context, module)? {
            return Ok(Kernel {
                context,
                entry: Entry::of_code(context, &code, name)?,
                functions: vec![function],
                operations: Vec::new(),
                symbols,
                code: Some(code),
            });
        }
        let mut operations = Vec::new();
        let mut symbols = Symbols::default();
        let body = module.body_block(context, 0);
        let all = body.into_iter().flat_map(|body| body.operations(context));
        for op in all {
            if let Some(memory) = Memory::of(context, op) {
                symbols.add(context, memory);
            } else if let Some(function) = Func::of(context, op)
                && op.body_block(context, 0).is_some()
            {
                let name = function.sym_name(context).unwrap_or_default().to_owned();
                symbols.functions.insert(name, operations.len());
                operations.push(op);
            }
        }
        symbols.place_dynamic();
        symbols.write_addresses(context)?;
        let entry = Entry::of(context, &symbols, &operations, name)?;
        let functions = operations
            .iter()
            .map(|op| Function::new(context, *op, &symbols))
            .collect::<Result<_, _>>()?;
        Ok(Kernel {
            context,
            functions,
            operations,
            symbols,
            entry,
            code: None,
        })
    }

    /// Selects another kernel of the module, without preparing its functions again.
    ///
    /// # Errors
    /// No such kernel; the one before remains selected.
    pub fn select(&mut self, name: &str) -> Result<(), Fault> {
        self.entry = match &self.code {
            Some(code) => Entry::of_code(self.context, code, name)?,
            None => Entry::of(self.context, &self.symbols, &self.operations, name)?,
        };
        Ok(())
    }

    /// The parameters, in declaration order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.entry.parameters
    }

    /// Whether the parameters are known: machine code need not describe them.
    pub fn has_parameters(&self) -> bool {
        self.entry.has_parameters
    }

    /// The shared memory of a CTA at its start; what the system reserves is zero.
    pub(super) fn shared_memory(&self, launch: &Launch) -> Bytes {
        let [size, reserved] = self.entry.shared;
        let mut shared = Bytes::undefined(size + launch.dynamic_shared);
        shared.initialize(&vec![0; reserved]);
        shared
    }

    /// The place of the instruction at an address of machine code.
    pub(super) fn place_of(&self, address: u64) -> Option<usize> {
        self.code.as_ref()?.place_of(address)
    }

    /// The constant banks of a launch: parameters and extents in bank 0, symbols in bank 3.
    pub(super) fn banks(&self, launch: &Launch, cluster: [u32; 3]) -> Vec<Bytes> {
        let first = self.first_bank(launch, cluster);
        if let Some(code) = &self.code {
            let mut banks = vec![first];
            banks.extend(code.banks(&self.entry.name, launch));
            return banks;
        }
        let mut symbols = Bytes::undefined(1 << 16);
        for (name, symbol) in &self.symbols.constants {
            let given = launch.constants.iter().find(|(known, _)| known == name);
            let initial = match given {
                Some((_, bytes)) => bytes.clone(),
                None if symbol.unknown => continue,
                None => zero_padded(symbol),
            };
            for (number, byte) in initial.iter().take(symbol.size).enumerate() {
                let at = symbol.address as usize + number;
                let _ = symbols.write(at, 1, Some((*byte).into()));
            }
        }
        vec![first, Bytes::default(), Bytes::default(), symbols]
    }
}

impl Kernel<'_> {
    fn first_bank(&self, launch: &Launch, cluster: [u32; 3]) -> Bytes {
        let places = &self.entry.places;
        let mut bank = Bytes::undefined(1 << 16);
        let mut words = |place: usize, words: &[u32]| {
            for (number, word) in words.iter().enumerate() {
                let _ = bank.write(place + 4 * number, 4, Some(*word));
            }
        };
        words(places.extents[0], &launch.block);
        words(places.extents[1], &launch.grid);
        let dynamic = u32::try_from(launch.dynamic_shared).unwrap_or(u32::MAX);
        words(places.dynamic_shared, &[dynamic]);
        words(places.stack, &[Stack::TOP as u32]);
        let mut windows = [
            memory::SHARED_WINDOW,
            memory::LOCAL_WINDOW,
            memory::CONSTANT_WINDOW,
            memory::PARAMETER_WINDOW,
        ];
        if !places.window_of_bank {
            windows[3] += places.parameters as u64;
        }
        for (place, window) in places.windows.iter().zip(windows) {
            if let Some(place) = place {
                words(*place, &[window as u32, (window >> 32) as u32]);
            }
        }
        if let Some(clusters) = &places.clusters {
            let counts = [0, 1, 2].map(|axis| launch.grid[axis] / cluster[axis]);
            let size: u32 = cluster.iter().product();
            words(
                clusters.implicit,
                &[u32::from(self.entry.cluster.or(launch.cluster).is_none())],
            );
            words(clusters.extents, &cluster);
            words(clusters.clusters, &counts);
            words(clusters.size, &[size]);
            let reciprocals = cluster.map(|extent| (1.0 / extent as f32).to_bits());
            words(clusters.reciprocals, &reciprocals);
        }
        for (number, byte) in launch.parameters.iter().enumerate() {
            let _ = bank.write(places.parameters + number, 1, Some((*byte).into()));
        }
        bank
    }
}
