//! Exits of loops and their counts.

use orison_ir::{Context, Operation, Value};

use super::{Affine, Loop, LoopInductions, Relation};
use crate::analyses::linear::LinearForm;
use crate::keywords::{Compare, Signedness};
use crate::modifiers::{self, ModifierSet};
use crate::operations::control::CondBra;
use crate::operations::integer::Isetp;

/// An edge that leaves a loop.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The block inside, by index.
    pub block: u32,
    /// The branch.
    pub branch: Operation,
    /// The index of the successor outside.
    pub way: usize,
    /// The comparison that decides, if each iteration makes it and it compares a counter with a
    /// loop-invariant value.
    pub counted: Option<CountedExit>,
}

/// The comparison of a counter with a bound that keeps a loop running while it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedExit {
    /// The comparison, with the counter on the left.
    pub stays: Relation,
    /// The operation that compares; of two words, the one for the high words.
    pub compare: Operation,
    /// The counter at the comparison, in each iteration. Its step is a constant other than 0.
    pub counter: Affine,
    /// The bound.
    pub bound: LinearForm,
    /// The number of the iteration, from 0, in which the exit is taken if no other is before;
    /// `None` if it is not constant.
    pub iteration: Option<u64>,
}

impl CountedExit {
    /// The constant that is added to the counter in each iteration.
    pub fn step(&self) -> i64 {
        self.counter.step.as_constant().unwrap_or(0)
    }

    /// Whether a word does not wrap because the comparison ends the loop before it does: it steps by
    /// 1 towards the bound, and is compared in its own iteration, or in the one before and does not
    /// wrap in the first step.
    pub(super) fn keeps(&self, word: &Affine, is_signed: bool) -> bool {
        let step = self.step();
        let toward = match self.stays.compare {
            Compare::Lt => step == 1,
            Compare::Gt => step == -1,
            _ => false,
        };
        let alike = self.stays.bits == 32 && self.stays.is_signed == is_signed;
        let mut next = word.clone();
        next.start.add(&word.step, 1);
        let begins = word.start.as_constant();
        let first_fits = || {
            begins.is_some_and(|start| self.stays.fits(self.stays.read(start) + i128::from(step)))
        };
        toward && alike && (self.counter == *word || (self.counter == next && first_fits()))
    }
}

/// How often the header of a loop runs each time the loop is entered: one more than back edges are
/// taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TripCount {
    /// Always the same number.
    Constant(u64),
    /// At most this number: another exit may be taken before.
    AtMost(u64),
    /// A function of values from outside of the loop: the only exit is counted.
    Symbolic,
    /// Nothing is known.
    Unknown,
}

impl TripCount {
    /// The largest number, if one is known.
    pub fn most(self) -> Option<u64> {
        match self {
            TripCount::Constant(count) | TripCount::AtMost(count) => Some(count),
            TripCount::Symbolic | TripCount::Unknown => None,
        }
    }
}

/// The trip count of a loop with these exits.
pub(super) fn trip_count(exits: &[Exit], may_end: bool) -> TripCount {
    let iteration = |exit: &Exit| exit.counted.as_ref()?.iteration;
    let first = exits.iter().filter_map(iteration).min();
    let complete = !may_end && exits.iter().all(|exit| iteration(exit).is_some());
    let is_symbolic = |exit: &CountedExit| {
        let numbers = [&exit.counter.start, &exit.bound].map(LinearForm::as_constant);
        numbers.contains(&None)
    };
    let counted = match exits {
        [exit] => exit.counted.as_ref().is_some_and(is_symbolic),
        _ => false,
    };
    match first.and_then(|first| first.checked_add(1)) {
        Some(count) if complete => TripCount::Constant(count),
        Some(count) => TripCount::AtMost(count),
        None if counted && !may_end => TripCount::Symbolic,
        None => TripCount::Unknown,
    }
}

/// The exits of a loop.
pub(super) fn of(
    around: &Loop<'_>,
    inductions: &LoopInductions,
    every_iteration: impl Fn(u32) -> bool,
) -> Vec<Exit> {
    let context = around.context;
    let mut blocks: Vec<u32> = around.natural.exits.iter().map(|(from, _)| *from).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let mut exits = Vec::new();
    for block in blocks {
        let Some(branch) = around.flow.block(block).terminator(context) else {
            continue;
        };
        for (way, target) in branch.successors(context).enumerate() {
            let inside = around.flow.number(target);
            if inside.is_some_and(|target| around.natural.contains(target)) {
                continue;
            }
            let counted = every_iteration(block)
                .then(|| counted(around, inductions, branch, way))
                .flatten();
            exits.push(Exit {
                block,
                branch,
                way,
                counted,
            });
        }
    }
    exits
}

fn counted(
    around: &Loop<'_>,
    inductions: &LoopInductions,
    branch: Operation,
    way: usize,
) -> Option<CountedExit> {
    let context = around.context;
    let conditional = CondBra::of(context, branch)?;
    // The first successor is taken if the condition holds.
    let leaves = (way == 0) != conditional.inverted(context).is_some();
    inductions.counted(around, conditional.condition(context), leaves)
}

impl LoopInductions {
    /// The comparison of a counter with a bound that a predicate of the loop is: if it holds, the loop
    /// ends (`leaves`), or goes on.
    pub fn counted(
        &self,
        around: &Loop<'_>,
        predicate: Value,
        leaves: bool,
    ) -> Option<CountedExit> {
        let context = around.context;
        let mut comparison = Comparison::of(context, predicate)?;
        if leaves {
            comparison.relation = comparison.relation.inverted();
        }
        let [left, right] = comparison.sides(context);
        let [left, right] = [left, right].map(|side| self.affine(around, &side));
        let (left, right) = (left?, right?);
        let steps = [&left, &right].map(|side| side.step.as_constant());
        let (stays, counter, bound) = match steps {
            [Some(step), Some(0)] if step != 0 => (comparison.relation, left, right.start),
            [Some(0), Some(step)] if step != 0 => {
                (comparison.relation.exchanged(), right, left.start)
            }
            _ => return None,
        };
        let numbers = [counter.start.as_constant(), bound.as_constant()];
        let iteration = match (numbers, counter.step.as_constant()) {
            ([Some(start), Some(bound)], Some(step)) => stays.first_failure(start, step, bound),
            _ => None,
        };
        Some(CountedExit {
            stays,
            compare: comparison.op,
            counter,
            bound,
            iteration,
        })
    }
}

/// A comparison of integers that is not combined with another predicate.
pub(super) struct Comparison {
    op: Operation,
    /// The comparison of the low words, for two words.
    low: Option<Operation>,
    pub(super) relation: Relation,
}

impl Comparison {
    /// The comparison that a predicate is the result of.
    pub(super) fn of(context: &Context, predicate: Value) -> Option<Self> {
        let op = predicate.defining_op(context)?;
        let words = Isetp::of(context, op)?;
        let is_signed = words.signedness(context)? == Signedness::Signed;
        let low = match words.extended(context) {
            Some(_) => Some(words.low(context)?.defining_op(context)?),
            None => None,
        };
        let mut relation = Relation {
            compare: words.compare(context)?,
            is_signed,
            bits: if low.is_some() { 64 } else { 32 },
        };
        let plain = |op: Operation| {
            let mut numbers = 0..op.operand_count(context);
            let set = |number| modifiers::of_operand(context, op, number);
            Isetp(op).with(context).is_none()
                && Isetp(op).guard(context).is_none()
                && numbers.all(|number| set(number) == ModifierSet::NONE)
        };
        if let Some(low) = low {
            let words = Isetp::of(context, low)?;
            // The order of the low words decides where the high words are equal.
            let same = words.compare(context) == Some(relation.compare)
                && words.extended(context).is_none()
                && words.signedness(context) == Some(Signedness::Unsigned)
                && op.operands_named(context, "low") == [low.result(context, 0)]
                && plain(low);
            same.then_some(())?;
        }
        if predicate != op.result(context, 0) {
            relation = relation.inverted();
        }
        plain(op).then_some(Comparison { op, low, relation })
    }

    pub(super) fn sides(&self, context: &Context) -> [LinearForm; 2] {
        [0, 1].map(|side| match self.low {
            Some(low) => LinearForm::of_pair(
                context,
                low.operand(context, side),
                self.op.operand(context, side),
            ),
            None => LinearForm::of(context, self.op.operand(context, side)),
        })
    }
}
