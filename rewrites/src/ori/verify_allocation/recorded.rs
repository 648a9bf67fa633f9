//! The check of an allocation against the function before it.
//!
//! It follows the values of that function through registers, local memory, copies and operations that are
//! executed again, over all paths, and names the first operand that is something else.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Attribute, Block, Context, Diagnostic, Operation, OperationName, Value};
use orison_ori::analyses::{RegisterClass, properties};
use orison_ori::operations::moves::{Cbank, Imm, Mov, Umov};
use orison_ori::operations::{Ldl, Lop3, Plop3, SlotAddress, Stl, Ulop3, Uplop3};
use rustc_hash::FxHashMap;

use super::calls::Calls;
use super::regions::Regions;
use super::{Place, Word, is_name, origin, places};
use crate::ori::calling_convention::is_call;
use crate::ori::functions::Function;
use crate::ori::operand_registers;

/// What a register should hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Content {
    /// A word of a value of the function before allocation.
    Word(Word),
    /// A constant.
    Number(i64),
    /// A word of a constant bank: bank and offset in bytes.
    Bank(i32, i32),
}

/// What a register, or a word of local memory, holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Held {
    One(Content),
    /// The exclusive or of two.
    Both(Content, Content),
}

/// Registers, and words of spilled units by their offsets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Cell {
    Register(Place),
    Memory(i32),
}

type State = FxHashMap<Cell, Held>;

/// What operations read and edges pass in a function, before its registers are allocated.
#[derive(Debug, Default)]
pub struct RecordedOperands {
    /// The words of each operand of operations that is not passed to a block; `None` for what is undefined.
    operands: FxHashMap<Operation, Vec<Vec<Option<Content>>>>,
    /// The words of what branches pass, by way.
    passed: FxHashMap<(Operation, usize), Vec<Vec<Option<Content>>>>,
    /// The arguments of blocks.
    arguments: FxHashMap<Block, Vec<Value>>,
    /// Values that operations without operands in registers compute, by these operations.
    computed: FxHashMap<Computation, Value>,
}

/// An operation: its name, its properties, and the constants that it reads.
type Computation = (OperationName, Attribute, Vec<Option<Content>>);

impl RecordedOperands {
    /// Records a function.
    pub fn of(context: &Context, function: Operation) -> Self {
        let mut recorded = RecordedOperands::default();
        let bodies = function.regions(context);
        for block in bodies.flat_map(|body| body.blocks(context)) {
            recorded
                .arguments
                .insert(block, block.arguments(context).collect());
            for op in block
                .operations(context)
                .filter(|op| !is_name(context, *op))
            {
                let operands = own_operands(context, op).into_iter();
                let operands =
                    operands.map(|operand| contents(context, op.operand(context, operand)));
                recorded.operands.insert(op, operands.collect());
                for (way, (_, range)) in op.edges(context).enumerate() {
                    let passed = range.into_iter().flatten();
                    let passed =
                        passed.map(|operand| contents(context, op.operand(context, operand)));
                    recorded.passed.insert((op, way), passed.collect());
                }
                if let (Some(key), 1) = (computation(context, op), op.result_count(context)) {
                    recorded
                        .computed
                        .entry(key)
                        .or_insert(op.result(context, 0));
                }
            }
        }
        recorded
    }

    /// Whether an operation was in the function: it is no copy that allocation added.
    pub fn contains(&self, op: Operation) -> bool {
        self.operands.contains_key(&op)
    }

    /// What the registers of the function hold that they should not.
    pub fn check(&self, context: &Context, function: Operation) -> Vec<Diagnostic> {
        let Some(body) = function.regions(context).next() else {
            return Vec::new();
        };
        let flow = ControlFlowGraph::of(context, body);
        let regions = Regions::of(context, Function { op: function, body }, &flow);
        let checker = Checker {
            context,
            recorded: self,
            calls: Calls::of(context, function),
        };
        let mut starts: Vec<Option<State>> = vec![None; flow.block_count()];
        let order = flow.reverse_post_order();
        if let Some(entry) = order.first() {
            let mut state = State::default();
            for argument in self
                .arguments
                .get(&flow.block(*entry))
                .into_iter()
                .flatten()
            {
                checker.write(*argument, &mut state);
            }
            starts[*entry as usize] = Some(state);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in order.iter().copied() {
                let Some(mut state) = starts[block as usize].clone() else {
                    continue;
                };
                checker.block(flow.block(block), &mut state, &mut None);
                let Some(branch) = flow.block(block).terminator(context) else {
                    continue;
                };
                for (way, (target, _)) in branch.edges(context).enumerate() {
                    let Some(next) = flow.number(target) else {
                        continue;
                    };
                    let mut leaving = state.clone();
                    let keeps = regions.keeps(context, &checker.calls, (block, next));
                    leaving.retain(|cell, _| match cell {
                        Cell::Register(place) => keeps(*place),
                        Cell::Memory(_) => true,
                    });
                    let arriving = checker.arriving((branch, way), target, &leaving);
                    changed |= meet(&mut starts[next as usize], &arriving);
                }
            }
        }
        let mut errors = Vec::new();
        for (block, start) in flow.blocks().iter().zip(starts) {
            if let Some(mut state) = start {
                checker.block(*block, &mut state, &mut Some(&mut errors));
            }
        }
        errors
    }
}

/// The operands of an operation that it does not pass to a block.
fn own_operands(context: &Context, op: Operation) -> Vec<usize> {
    let passed: Vec<_> = op.edges(context).filter_map(|(_, range)| range).collect();
    let is_own = |operand: &usize| !passed.iter().any(|range| range.contains(operand));
    (0..op.operand_count(context)).filter(is_own).collect()
}

/// The words of a value: constants where it has them.
fn contents(context: &Context, value: Value) -> Vec<Option<Content>> {
    let register = orison_ori::Register::of(context, value.ty(context));
    let count = register.map_or(0, |register| RegisterClass::of(register).1);
    (0..count)
        .map(|word| {
            let (value, word) = origin(context, value, word)?;
            Some(constant(context, value, word).unwrap_or(Content::Word((value, word))))
        })
        .collect()
}

/// The word of a constant.
fn constant(context: &Context, value: Value, word: u32) -> Option<Content> {
    let op = value.defining_op(context)?;
    if let Some(found) = Imm::of(context, op) {
        let bits = found.value(context)? >> (32 * word).min(63);
        return Some(Content::Number(bits & 0xffff_ffff));
    }
    let found = Cbank::of(context, op)?;
    let offset = found.offset(context)? + 4 * i32::try_from(word).ok()?;
    Some(Content::Bank(found.bank(context)?, offset))
}

/// An operation that computes the same whenever it is executed: it reads no register and no memory. What is
/// undefined is zero for all.
fn computation(context: &Context, op: Operation) -> Option<Computation> {
    if !properties::is_speculatable(context, op) {
        return None;
    }
    let operands: Vec<Option<Content>> = op
        .operands(context)
        .flat_map(|operand| contents(context, operand))
        .collect();
    let is_constant = operands
        .iter()
        .all(|content| !matches!(content, Some(Content::Word(_))));
    let name = op.name(context);
    is_constant.then(|| (name, op.properties(context), operands))
}

struct Checker<'a> {
    context: &'a Context,
    recorded: &'a RecordedOperands,
    calls: Calls,
}

impl Checker<'_> {
    fn block(&self, block: Block, state: &mut State, errors: &mut Option<&mut Vec<Diagnostic>>) {
        for op in block.operations(self.context) {
            if is_name(self.context, op) {
                continue;
            }
            match self.recorded.operands.get(&op) {
                Some(operands) => {
                    if let Some(errors) = errors {
                        errors.extend(self.reads(op, operands, state));
                    }
                    if is_call(self.context, op) {
                        let changes = self.calls.changes(self.context, op);
                        state.retain(|cell, _| match cell {
                            Cell::Register(place) => !changes(*place),
                            Cell::Memory(_) => true,
                        });
                    }
                    for result in op.results(self.context) {
                        self.write(result, state);
                    }
                }
                None => self.copy(op, state),
            }
        }
    }

    fn write(&self, value: Value, state: &mut State) {
        for (place, word) in places(self.context, value).into_iter().flatten().zip(0..) {
            let held = Held::One(self.canonical((value, word)));
            state.insert(Cell::Register(place), held);
        }
    }

    /// What a word is the same as: of values that equal operations compute, the first; of what a wait
    /// completes, what it was before; of a moved constant, the constant.
    fn canonical(&self, (mut value, mut word): Word) -> Content {
        while let Some(op) = value.defining_op(self.context) {
            let position = u32::try_from(value.position(self.context)).unwrap_or(0);
            let mut pairs = operand_registers::renamed(self.context, op).into_iter();
            let operand = pairs.find(|(_, result)| *result == position);
            let recorded = |operand: usize| {
                let operands = self.recorded.operands.get(&op)?;
                operands.get(operand)?.get(word as usize).copied().flatten()
            };
            let moved = || {
                Mov::of(self.context, op)?;
                recorded(0).filter(|content| !matches!(content, Content::Word(_)))
            };
            let before = match operand {
                Some((operand, _)) => recorded(operand as usize),
                None => moved(),
            };
            match before {
                Some(Content::Word(before)) => (value, word) = before,
                Some(constant) => return constant,
                None => {
                    let key = computation(self.context, op);
                    let first = key.and_then(|key| self.recorded.computed.get(&key).copied());
                    return Content::Word((first.unwrap_or(value), word));
                }
            }
        }
        Content::Word((value, word))
    }

    /// The errors of what an operation reads.
    fn reads(
        &self,
        op: Operation,
        operands: &[Vec<Option<Content>>],
        state: &State,
    ) -> Vec<Diagnostic> {
        let own = own_operands(self.context, op).into_iter().zip(operands);
        own.filter_map(|(number, wanted)| {
            let value = op.operand(self.context, number);
            let (class, index) = self.different(value, wanted, state)?;
            let prefix = class.prefix();
            let message =
                format!("reads operand #{number} from {prefix}{index}, which has another value");
            Some(*op.op_error(self.context, message))
        })
        .collect()
    }

    /// What registers hold behind an edge: the arguments of its target, as far as what is passed is where
    /// they are. Arguments that allocation added hold on all ways what they stand for.
    fn arriving(&self, (branch, way): (Operation, usize), target: Block, state: &State) -> State {
        let mut arriving = state.clone();
        // Of a block that allocation put on an edge, the branch in front has the edge.
        let edge = match self.recorded.operands.contains_key(&branch) {
            true => Some((branch, way)),
            false => branch
                .block(self.context)
                .and_then(|block| block.predecessor_edges(self.context).next()),
        };
        let passed = edge.and_then(|edge| self.recorded.passed.get(&edge));
        let arguments = self.recorded.arguments.get(&target).into_iter().flatten();
        for (argument, wanted) in arguments.zip(passed.into_iter().flatten()) {
            let places = places(self.context, *argument).into_iter().flatten();
            for ((place, wanted), word) in places.zip(wanted).zip(0..) {
                let cell = Cell::Register(place);
                let wanted = wanted.map(|wanted| Held::One(self.same_as(wanted)));
                if wanted.is_none() || state.get(&cell) == wanted.as_ref() {
                    arriving.insert(cell, Held::One(Content::Word((*argument, word))));
                } else {
                    arriving.remove(&cell);
                }
            }
        }
        arriving
    }

    /// [`Self::canonical`] of words; constants are as they are.
    fn same_as(&self, content: Content) -> Content {
        match content {
            Content::Word(word) => self.canonical(word),
            constant => constant,
        }
    }

    /// The first register of a value that does not hold what it should.
    fn different(&self, value: Value, wanted: &[Option<Content>], state: &State) -> Option<Place> {
        let mut words = places(self.context, value)?.zip(wanted);
        let different = words.find(|(place, wanted)| {
            let Some(wanted) = wanted.map(|wanted| Held::One(self.same_as(wanted))) else {
                return false;
            };
            state.get(&Cell::Register(*place)) != Some(&wanted)
        });
        different.map(|(place, _)| place)
    }

    /// An operation that allocation added.
    fn copy(&self, op: Operation, state: &mut State) {
        let context = self.context;
        let cell = |value: Value| places(context, value)?.next().map(Cell::Register);
        let read = |value: Value, state: &State| match cell(value) {
            Some(cell) => state.get(&cell).copied(),
            None => {
                let content = contents(context, value).first().copied().flatten();
                content.map(Held::One)
            }
        };
        let set = |state: &mut State, result: usize, content: Option<Held>| {
            if let Some(cell) = cell(op.result(context, result)) {
                match content {
                    Some(content) => state.insert(cell, content),
                    None => state.remove(&cell),
                };
            }
        };
        let lut = |key: &str| {
            op.attribute(context, key)
                .and_then(|lut| lut.as_i64(context))
        };
        let is = |names: [&str; 2]| names.iter().any(|name| op.is(context, name));
        if is([Mov::NAME, Umov::NAME]) {
            let content = read(op.operand(context, 0), state);
            set(state, 0, content);
        } else if is([Plop3::NAME, Uplop3::NAME]) {
            let sources = [0, 1].map(|operand| read(op.operand(context, operand), state));
            let chosen = |key: &str| match lut(key) {
                Some(0xf0) => sources[0],
                Some(0xcc) => sources[1],
                _ => None,
            };
            let contents = [chosen("lut"), chosen("second_lut")];
            for (result, content) in contents
                .into_iter()
                .enumerate()
                .take(op.result_count(context))
            {
                set(state, result, content);
            }
        } else if is([Lop3::NAME, Ulop3::NAME]) && lut("lut") == Some(0x3c) {
            let sources = [0, 1].map(|operand| read(op.operand(context, operand), state));
            let content = exclusive_or(sources);
            set(state, 0, content);
        } else if let Some(memory) = self.memory(op) {
            if op.is(context, Stl::NAME) {
                let value = op.operands(context).last();
                let content = value.and_then(|value| read(value, state));
                match content {
                    Some(content) => state.insert(memory, content),
                    None => state.remove(&memory),
                };
            } else {
                let content = state.get(&memory).copied();
                set(state, 0, content);
            }
        } else {
            let key = computation(context, op);
            let known = key.and_then(|key| self.recorded.computed.get(&key).copied());
            let content = known.map(|value| Held::One(Content::Word((value, 0))));
            for result in 0..op.result_count(context) {
                set(state, result, content);
            }
        }
    }

    /// The place in local memory that a spill or a reload accesses.
    fn memory(&self, op: Operation) -> Option<Cell> {
        let context = self.context;
        let is_access = op.is(context, Stl::NAME) || op.is(context, Ldl::NAME);
        let base = op.operands(context).next().filter(|_| is_access)?;
        SlotAddress::of(context, base.defining_op(context)?)?;
        let offset = op
            .attribute(context, "offset")
            .and_then(|offset| offset.as_i64(context));
        i32::try_from(offset.unwrap_or(0)).ok().map(Cell::Memory)
    }
}

/// The exclusive or, where it is of two contents or gives one back.
fn exclusive_or([one, two]: [Option<Held>; 2]) -> Option<Held> {
    match (one?, two?) {
        (Held::One(one), Held::One(two)) => Some(Held::Both(one, two)),
        (Held::Both(one, two), Held::One(known)) | (Held::One(known), Held::Both(one, two)) => {
            match (one == known, two == known) {
                (true, _) => Some(Held::One(two)),
                (_, true) => Some(Held::One(one)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Keeps what both ways agree on; whether anything changed.
fn meet(start: &mut Option<State>, other: &State) -> bool {
    match start {
        None => {
            *start = Some(other.clone());
            true
        }
        Some(known) => {
            let before = known.len();
            known.retain(|cell, content| other.get(cell) == Some(content));
            known.len() != before
        }
    }
}
