//! The pass `ori-verify-allocation`: an independent check of allocated registers.
//!
//! It shares nothing with the allocator but the types of values. It follows which value is in which
//! register over all paths, and names the first operand whose registers hold something else.

mod calls;
mod recorded;
mod regions;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult, source_position,
};
use orison_ir::{Block, Context, Diagnostic, Operation, Value, ValueOwner};
use orison_ori::analyses::RegisterClass;
use orison_ori::analyses::pressure::needed;
use orison_ori::operations::SlotAddress;
use orison_ori::operations::moves::{Concat, Extract, Undef};
use orison_ori::{Physical, Register};
use rustc_hash::FxHashMap;

use super::calling_convention::is_call;
use super::functions::{Function, functions};
use calls::Calls;
pub use recorded::RecordedOperands;
use regions::Regions;

/// The pass `ori-verify-allocation`.
#[derive(Clone, Debug)]
pub struct VerifyAllocation;

impl Pass for VerifyAllocation {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<VerifyAllocation>(
        "ori-verify-allocation",
        "Checks that registers hold what operations read, over all paths.\n\
         \n\
         Follows values through the physical registers of their types. An error names the first operand that is not \
         in its registers on some path, a value without registers, and registers that two results share.\n\n\
         Source: docs/ori-registers.md.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        VerifyAllocation
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut errors: Vec<Diagnostic> = Vec::new();
        for function in functions(pass.context, pass.op()) {
            errors.extend(findings(pass.context, function));
        }
        match errors.is_empty() {
            true => Ok(IRStatus::Unchanged),
            false => Err(PassFailure::new(errors)),
        }
    }
}

/// A register: class and index.
type Place = (RegisterClass, u32);

/// One word, predicate or barrier of a value.
type Word = (Value, u32);

/// What registers hold; what is absent may be anything.
type State = FxHashMap<Place, Word>;

/// What is wrong with the registers of a function: nothing, if all operands are where they are read.
/// Linear in the function and in the registers that live across blocks.
pub fn findings(context: &Context, function: Function) -> Vec<Diagnostic> {
    let flow = ControlFlowGraph::of(context, function.body);
    let checker = Checker {
        context,
        flow: &flow,
        calls: Calls::of(context, function.op),
        regions: Regions::of(context, function, &flow),
    };
    let starts = checker.solve();
    let mut errors = Vec::new();
    for (block, start) in flow.blocks().iter().zip(starts) {
        // A block that is never reached has no start.
        if let Some(mut state) = start {
            checker.block(*block, &mut state, &mut Some(&mut errors));
        }
    }
    errors
}

struct Checker<'a> {
    context: &'a Context,
    flow: &'a ControlFlowGraph,
    calls: Calls,
    regions: Regions,
}

impl Checker<'_> {
    /// What registers hold at the starts of blocks: what all ways to a block agree on.
    fn solve(&self) -> Vec<Option<State>> {
        let mut starts: Vec<Option<State>> = vec![None; self.flow.block_count()];
        let order = self.flow.reverse_post_order();
        if let Some(entry) = order.first() {
            starts[*entry as usize] = Some(State::default());
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in order.iter().copied() {
                let Some(mut state) = starts[block as usize].clone() else {
                    continue;
                };
                self.block(self.flow.block(block), &mut state, &mut None);
                for next in self.flow.successors(block) {
                    let keeps = self
                        .regions
                        .keeps(self.context, &self.calls, (block, *next));
                    let mut arriving = state.clone();
                    arriving.retain(|place, _| keeps(*place));
                    changed |= meet(&mut starts[*next as usize], &arriving);
                }
            }
        }
        starts
    }

    fn block(&self, block: Block, state: &mut State, errors: &mut Option<&mut Vec<Diagnostic>>) {
        for argument in block.arguments(self.context) {
            self.write(argument, state);
        }
        for op in block.operations(self.context) {
            if let Some(errors) = errors {
                errors.extend(self.reads(op, state));
                errors.extend(self.results(op));
            }
            if is_call(self.context, op) {
                let changes = self.calls.changes(self.context, op);
                state.retain(|place, _| !changes(*place));
            }
            if !is_name(self.context, op) {
                for result in op.results(self.context) {
                    self.write(result, state);
                }
            }
        }
    }

    fn write(&self, value: Value, state: &mut State) {
        for (place, word) in places(self.context, value).into_iter().flatten().zip(0..) {
            state.insert(place, (value, word));
        }
    }

    /// Whether a value is the address of a slot of the frame: the stack pointer and a constant.
    fn is_slot(&self, value: Value) -> bool {
        let op = value.defining_op(self.context);
        op.is_some_and(|op| SlotAddress::of(self.context, op).is_some())
    }

    /// The errors of what an operation reads.
    fn reads(&self, op: Operation, state: &State) -> Vec<Diagnostic> {
        let mut errors = Vec::new();
        for (number, operand) in op.operands(self.context).enumerate() {
            let Some(places) = places(self.context, operand) else {
                if needed(self.context, operand).is_some() && !self.is_slot(operand) {
                    errors.push(
                        *op.op_error(self.context, format!("operand #{number} has no register")),
                    );
                }
                continue;
            };
            for (place, word) in places.zip(0..) {
                let Some(origin) = origin(self.context, operand, word) else {
                    continue;
                };
                if state.get(&place) != Some(&origin) {
                    errors.push(self.wrong(op, number, place, state));
                    break;
                }
            }
        }
        errors
    }

    fn wrong(
        &self,
        op: Operation,
        number: usize,
        (class, index): Place,
        state: &State,
    ) -> Diagnostic {
        let place = format!("{}{index}", class.prefix());
        let held = state
            .get(&(class, index))
            .map(|(value, _)| value.owner(self.context));
        let message = format!("operand #{number} is not in {place}");
        let location = match held {
            Some(ValueOwner::Result(other, _)) => other.location(self.context),
            Some(ValueOwner::Argument(block, position)) => {
                block.argument_location(self.context, position)
            }
            None => {
                let note = format!("what is in {place} depends on the path");
                return op
                    .op_error(self.context, message)
                    .with_note(op.location(self.context), note);
            }
        };
        op.op_error(self.context, message)
            .with_note(location, format!("{place} has this value"))
    }

    /// The errors of the registers of results.
    fn results(&self, op: Operation) -> Vec<Diagnostic> {
        let mut taken: Vec<Place> = Vec::new();
        for result in op.results(self.context) {
            for place in places(self.context, result).into_iter().flatten() {
                if taken.contains(&place) {
                    let (class, index) = place;
                    let message = format!("two results are in {}{index}", class.prefix());
                    return vec![*op.op_error(self.context, message)];
                }
                taken.push(place);
            }
        }
        Vec::new()
    }
}

/// Whether an operation only names parts or wholes of other values.
fn is_name(context: &Context, op: Operation) -> bool {
    Concat::of(context, op).is_some()
        || Extract::of(context, op).is_some()
        || Undef::of(context, op).is_some()
}

/// The registers of a value.
fn places(context: &Context, value: Value) -> Option<impl Iterator<Item = Place> + use<>> {
    let Physical { register, index } = Physical::of(context, value.ty(context))?;
    let (class, count) = RegisterClass::of(register);
    let first = u32::from(index);
    Some((first..first + count).map(move |index| (class, index)))
}

/// The value and word that a word of a value is, behind names of parts and wholes; `None` if it is
/// undefined.
fn origin(context: &Context, mut value: Value, mut word: u32) -> Option<Word> {
    while let ValueOwner::Result(op, _) = value.owner(context) {
        if let Some(extract) = Extract::of(context, op) {
            word += u32::try_from(extract.word(context)?).ok()?;
            value = extract.whole(context);
        } else if Concat::of(context, op).is_some() {
            let mut parts = op.operands(context);
            (value, word) = parts.find_map(|part| {
                let register = Register::of(context, part.ty(context))?;
                let (_, count) = RegisterClass::of(register);
                if word < count {
                    return Some((part, word));
                }
                word -= count;
                None
            })?;
        } else if Undef::of(context, op).is_some() {
            return None;
        } else {
            break;
        }
    }
    Some((value, word))
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
            known.retain(|place, word| other.get(place) == Some(word));
            known.len() != before
        }
    }
}
