//! Loops that a counter ends: their shape, counter and bound, and why another loop is none.

mod carried;
mod counter;
mod float_counter;
mod rejection;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::induction::{CountedExit, Loop, LoopInductions};
use orison_ori::analyses::linear::Root;
use orison_ori::analyses::properties;
use orison_ori::keywords::Compare;
use orison_ori::modifiers::{self, ModifierSet};
use orison_ori::operations::control::CondBra;
use orison_ori::operations::float::{Dsetp, Fsetp};
use orison_ori::operations::integer::{Iadd3, Isetp, Plop3};
use orison_ori::operations::moves::{Cbank, Concat, Extract, Imm};

pub(super) use self::carried::entering_value;
use self::carried::next_value;
pub(super) use self::counter::{Counter, Limit};
pub(super) use self::rejection::Rejection;
use super::loops::Loops;
use super::surgery::LoopBody;

/// A loop that a counter ends.
#[derive(Clone, Debug)]
pub(super) struct CountedLoop {
    /// The block whose branch decides about the next iteration, by index.
    pub exit: u32,
    /// That branch.
    pub branch: Operation,
    /// Its successor outside of the loop.
    pub leaves: usize,
    /// The counter; `None` if it is a float, of which only the number of iterations is known.
    pub counter: Option<IntegerCounter>,
    /// Whether the branch is the back edge.
    pub is_latch: bool,
    /// Whether the branch inverts its condition.
    pub is_inverted: bool,
    /// Whether another condition may end the loop in the same branch.
    pub is_combined: bool,
    /// The number of iterations, if it is constant.
    pub trips: Option<u64>,
}

/// An integer that is compared with a bound.
#[derive(Clone, Debug)]
pub(super) struct IntegerCounter {
    /// The comparison.
    pub counted: CountedExit,
    /// The argument of the header.
    pub argument: Value,
    /// Whether the value for the next iteration is compared.
    pub compares_next: bool,
    /// The operand of the comparison that is the bound.
    pub bound_side: usize,
}

impl CountedLoop {
    /// Examines a loop.
    pub(super) fn of(around: &Loop<'_>, inductions: &LoopInductions) -> Result<Self, Rejection> {
        let (context, natural) = (around.context, around.natural);
        let [latch] = natural.latches[..] else {
            return Err(Rejection::Irregular("it has several back edges"));
        };
        let (exit, branch, leaves) = [latch, natural.header]
            .into_iter()
            .find_map(|block| deciding(around, block))
            .ok_or(Rejection::NoConditionalBranch)?;
        let conditional = CondBra::of(context, branch).ok_or(Rejection::NoConditionalBranch)?;
        if exit == latch && is_entered_twice(around) {
            return Err(Rejection::Irregular("several branches enter it"));
        }
        let mut candidate = CountedLoop {
            exit,
            branch,
            leaves,
            counter: None,
            is_latch: exit == latch,
            is_inverted: conditional.inverted(context).is_some(),
            is_combined: false,
            trips: None,
        };
        let mut exits = inductions.exits.iter();
        let counted = exits.find(|one| one.block == exit && one.way == leaves);
        match counted.and_then(|one| one.counted.clone()) {
            Some(counted) => candidate.count_by(around, inductions, counted)?,
            None => {
                let condition = conditional.condition(context);
                candidate.count_otherwise(around, inductions, condition)?;
            }
        }
        Ok(candidate)
    }

    /// The blocks of the loop, which has this number now, for copies of iterations.
    pub(super) fn body(&self, context: &Context, loops: &Loops, number: usize) -> Option<LoopBody> {
        let exit = loops.flow.number(self.branch.block(context)?)?;
        let natural = &loops.forest.loops()[number];
        LoopBody::of(&loops.flow, natural, exit, self.leaves)
    }

    /// Counts iterations by the comparison of an integer.
    fn count_by(
        &mut self,
        around: &Loop<'_>,
        inductions: &LoopInductions,
        counted: CountedExit,
    ) -> Result<(), Rejection> {
        let context = around.context;
        if counted.compare.block(context) != Some(around.flow.block(self.exit)) {
            return Err(Rejection::NoCounter("the comparison is in another block"));
        }
        let (argument, compares_next, bound_side) = compared(around, inductions, &counted)?;
        let trips = counted.iteration.and_then(|last| last.checked_add(1));
        let counter = IntegerCounter {
            counted,
            argument,
            compares_next,
            bound_side,
        };
        let words = counter.bound(context);
        if !words.is_some_and(|words| words.iter().all(|word| is_available(around, *word))) {
            return Err(Rejection::NoBound("the bound is computed in the loop"));
        }
        counter.check_step(around, self)?;
        self.trips = trips.filter(|_| starts_before(around, argument));
        counter.check_direction(self.trips.is_some())?;
        self.counter = Some(counter);
        Ok(())
    }

    /// Counts iterations by a float, or by one of two conditions that keep the loop running together.
    fn count_otherwise(
        &mut self,
        around: &Loop<'_>,
        inductions: &LoopInductions,
        condition: Value,
    ) -> Result<(), Rejection> {
        let context = around.context;
        let (block, goes_on) = (around.flow.block(self.exit), self.leaves == 1);
        let parts = conjuncts(context, condition).filter(|_| goes_on);
        let mut counts = parts.into_iter().flatten();
        if let Some(counted) = counts.find_map(|part| inductions.counted(around, part, false)) {
            self.count_by(around, inductions, counted)?;
            self.is_combined = true;
            let reason = "the comparison is combined with another one, and the number of \
                          iterations is not constant";
            return match self.trips {
                Some(_) => Ok(()),
                None => Err(Rejection::NoCounter(reason)),
            };
        }
        let floats = float_counter::iterations(around, block, condition, goes_on);
        let (argument, trips) = floats.ok_or_else(|| uncounted(around, condition))?;
        self.trips = Some(trips).filter(|_| starts_before(around, argument));
        match self.trips {
            Some(_) => Ok(()),
            None => Err(Rejection::NotInteger),
        }
    }
}

/// The two predicates of which another one is the conjunction.
fn conjuncts(context: &Context, predicate: Value) -> Option<[Value; 2]> {
    let op = predicate.defining_op(context)?;
    let table = Plop3::of(context, op)?.lut(context)?;
    let parts = match table {
        0xC0 => [0, 1],
        0xA0 => [0, 2],
        0x88 => [1, 2],
        _ => return None,
    };
    let is_plain = properties::guard(context, op).is_none()
        && predicate == op.result(context, 0)
        && parts
            .iter()
            .all(|part| modifiers::of_operand(context, op, *part) == ModifierSet::NONE);
    is_plain.then(|| parts.map(|part| op.operand(context, part)))
}

impl IntegerCounter {
    /// The counter must be increased by one operation, in the block of the branch.
    fn check_step(&self, around: &Loop<'_>, candidate: &CountedLoop) -> Result<(), Rejection> {
        let context = around.context;
        let next = next_value(around, self.argument);
        let low = next.map(|next| first_word(context, next));
        let sum = low.and_then(|low| low.defining_op(context));
        let Some(sum) = sum.filter(|sum| Iadd3::of(context, *sum).is_some()) else {
            return Err(Rejection::NoCounter(
                "the counter is not increased by a sum",
            ));
        };
        let mut operands = sum.operands(context);
        if !operands.any(|value| whole(context, value) == self.argument) {
            return Err(Rejection::Irregular(
                "the counter is changed more than once",
            ));
        }
        let here = sum.block(context) == Some(around.flow.block(candidate.exit));
        if !here && candidate.is_latch {
            return Err(Rejection::Irregular(
                "the counter is changed in another block",
            ));
        }
        Ok(())
    }

    fn check_direction(&self, is_constant: bool) -> Result<(), Rejection> {
        let compare = self.counted.stays.compare;
        if compare == Compare::Eq {
            return Err(Rejection::NoCounter(
                "it goes on while the counter is one value",
            ));
        }
        let up = self.counted.step() > 0;
        if is_constant {
            return match self.compares_next || up {
                true => Ok(()),
                false => Err(Rejection::NoCounter(
                    "the value before the step is compared",
                )),
            };
        }
        let mut start = self.counted.counter.start.clone();
        if self.compares_next {
            start.add_constant(self.counted.step().wrapping_neg());
        }
        if start == self.counted.bound {
            return Err(Rejection::NoIteration);
        }
        if !self.compares_next {
            return Err(Rejection::NoCounter(
                "the value before the step is compared",
            ));
        }
        let toward = match compare {
            Compare::Lt | Compare::Le => up,
            Compare::Gt | Compare::Ge => !up,
            _ => true,
        };
        let wide_down = self.counted.stays.bits == 64 && !self.counted.stays.is_signed && !up;
        match toward && !wide_down {
            true => Ok(()),
            false => Err(Rejection::Direction),
        }
    }

    /// The words of the bound, the low one first.
    pub(super) fn bound(&self, context: &Context) -> Option<Vec<Value>> {
        let compare = self.counted.compare;
        let last = compare.operand(context, self.bound_side);
        let mut words = Vec::new();
        for low in compare.operands_named(context, "low") {
            words.push(low.defining_op(context)?.operand(context, self.bound_side));
        }
        words.push(last);
        Some(words)
    }
}

/// Whether the start is set in the block from which the loop is entered, or in one that leads
/// only there. Measured: otherwise the number of iterations counts as unknown. A number with several uses was made
/// one of several, and says nothing of where each was set.
fn starts_before(around: &Loop<'_>, argument: Value) -> bool {
    let context = around.context;
    let flow = around.flow;
    let Some((from, start)) = entering_value(around, argument) else {
        return false;
    };
    let source = start.defining_op(context);
    let is_number = source.is_some_and(|op| Imm::of(context, op).is_some());
    if is_number && start.uses(context).nth(1).is_some() {
        return true;
    }
    let home = source.and_then(|op| op.block(context));
    let mut block = Some(from);
    while let Some(number) = block {
        if home == Some(flow.block(number)) {
            return true;
        }
        block = only_predecessor(flow, number);
    }
    false
}

/// The only predecessor, if the block is its only successor, or holds only a branch.
fn only_predecessor(flow: &ControlFlowGraph, block: u32) -> Option<u32> {
    let [before] = flow.predecessors(block) else {
        return None;
    };
    (flow.successors(*before).len() == 1).then_some(*before)
}

/// The branch of a block of a loop if one of two ways leaves.
fn deciding(around: &Loop<'_>, block: u32) -> Option<(u32, Operation, usize)> {
    let context = around.context;
    let branch = around.flow.block(block).terminator(context)?;
    CondBra::of(context, branch)?;
    let outside = |target: Block| {
        let number = around.flow.number(target);
        !number.is_some_and(|number| around.natural.contains(number))
    };
    let ways: Vec<bool> = branch.successors(context).map(outside).collect();
    match ways[..] {
        [true, false] => Some((block, branch, 0)),
        [false, true] => Some((block, branch, 1)),
        _ => None,
    }
}

/// Whether several branches lead into the loop.
fn is_entered_twice(around: &Loop<'_>) -> bool {
    let header = around.flow.block(around.natural.header);
    let context = around.context;
    let outside = header.predecessor_edges(context).filter(|(branch, _)| {
        let from = branch.block(context);
        let from = from.and_then(|block| around.flow.number(block));
        !from.is_some_and(|from| around.natural.contains(from))
    });
    outside.count() > 1
}

/// Why an exit is not counted.
fn uncounted(around: &Loop<'_>, condition: Value) -> Rejection {
    let context = around.context;
    let Some(op) = condition.defining_op(context) else {
        return Rejection::NoCounter("the condition is no comparison");
    };
    if Fsetp::of(context, op).is_some() || Dsetp::of(context, op).is_some() {
        return Rejection::NotInteger;
    }
    if Isetp::of(context, op).is_none() {
        return Rejection::NoCounter("the condition is no comparison");
    }
    let sides = [0, 1].map(|side| op.operand(context, side));
    match sides.iter().any(|side| around.is_invariant(*side)) {
        true => Rejection::NoCounter("no counter is compared"),
        false => Rejection::NoBound("both sides of the comparison change"),
    }
}

/// The counter that a comparison compares, whether it is the value for the next iteration, and the
/// operand that is the bound.
fn compared(
    around: &Loop<'_>,
    inductions: &LoopInductions,
    counted: &CountedExit,
) -> Result<(Value, bool, usize), Rejection> {
    let context = around.context;
    let sides = [0, 1].map(|side| counted.compare.operand(context, side));
    for variable in &inductions.variables {
        let Root::Value(argument) = variable.variable else {
            continue;
        };
        let wide = variable.step.is_wide();
        if wide != (counted.stays.bits == 64) {
            continue;
        }
        let side = |value| {
            let mut sides = sides.iter();
            sides.position(|side| is_or_is_word_of(context, *side, value))
        };
        if let Some(side) = side(argument) {
            return Ok((argument, false, 1 - side));
        }
        if let Some(side) = variable.next.and_then(|next| side(next[0])) {
            return Ok((argument, true, 1 - side));
        }
    }
    Err(Rejection::NoCounter(
        "what is compared is computed from the counter",
    ))
}

/// Whether a value is there in front of a loop, or is a constant, a value of a constant bank or a
/// word of one of these.
fn is_available(around: &Loop<'_>, value: Value) -> bool {
    let context = around.context;
    let op = whole(context, value).defining_op(context);
    around.is_invariant(whole(context, value))
        || op.is_some_and(|op| Cbank::of(context, op).is_some())
}

/// The value of which another one is a word, or the value itself.
pub(super) fn whole(context: &Context, value: Value) -> Value {
    let extract = value.defining_op(context);
    let extract = extract.and_then(|op| Extract::of(context, op));
    extract.map_or(value, |extract| extract.whole(context))
}

/// Whether a value is another one, or a word of it.
fn is_or_is_word_of(context: &Context, value: Value, other: Value) -> bool {
    let concat = other.defining_op(context);
    let concat = concat.and_then(|op| Concat::of(context, op));
    let is_part = concat.is_some_and(|concat| concat.parts(context).contains(&value));
    whole(context, value) == other || is_part
}

/// The first word of a pair, or the value itself.
fn first_word(context: &Context, value: Value) -> Value {
    let concat = value.defining_op(context);
    let concat = concat.and_then(|op| Concat::of(context, op));
    let first = concat.and_then(|concat| concat.parts(context).first().copied());
    first.unwrap_or(value)
}
