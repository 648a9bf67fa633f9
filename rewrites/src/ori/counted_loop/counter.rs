//! Tests of a loop's counter: whether so many iterations are left.
//!
//! With a counter `i`, a step `c` and a bound `n`, `k` iterations run without a test between them if the
//! tests of `k - 1` iterations hold: if `i < n - (k - 1) c`, and the difference does not wrap. This
//! is exact in wrapping arithmetic, whatever the operands are.

use orison_ir::{Block, Builder, Context, InsertionPoint, Location, Mapping, Operation, Value};
use orison_ori::analyses::induction::Relation;
use orison_ori::keywords::{Combine, Compare, Signedness};
use orison_ori::operations::integer::{Iadd3, Isetp};
use orison_ori::operations::moves::Extract;
use orison_ori::{MachineOperation, Register};

use super::IntegerCounter;
use crate::ori::functions::{append_operation, constant_at_end};

/// The counter and the bound of a loop.
pub(in crate::ori) struct Counter {
    /// The place of the counter among the arguments of the header.
    pub place: usize,
    step: i64,
    /// What holds while the loop goes on.
    stays: Relation,
    /// What holds while it is before the bound.
    relation: Relation,
    bound: Vec<Value>,
    location: Location,
}

/// What the counter is before if enough iterations are left.
pub(in crate::ori) struct Limit {
    /// The words of the limit.
    words: Vec<Value>,
    /// Whether the limit did not wrap; `None` if it never does.
    valid: Option<Value>,
}

impl Counter {
    /// The counter of a loop whose bound is not there yet: [`Self::bring_bound`].
    pub fn of(
        context: &Context,
        known: &IntegerCounter,
        header: Block,
        branch: Operation,
    ) -> Option<Self> {
        let mut arguments = header.arguments(context);
        let place = arguments.position(|one| one == known.argument)?;
        let stays = known.counted.stays;
        let step = known.counted.step();
        Some(Counter {
            place,
            step,
            stays,
            relation: match (stays.compare, step > 0) {
                (Compare::Ne, up) => Relation {
                    compare: if up { Compare::Lt } else { Compare::Gt },
                    is_signed: true,
                    ..stays
                },
                _ => stays,
            },
            bound: Vec::new(),
            location: branch.location(context),
        })
    }

    /// The place of the branch of the loop.
    pub fn location(&self) -> Location {
        self.location
    }

    /// Makes the bound available at the end of a block in front of the loop, which has the given blocks.
    pub fn bring_bound(
        &mut self,
        context: &mut Context,
        block: Block,
        inside: &[Block],
        known: &IntegerCounter,
    ) {
        let words = known.bound(context).unwrap_or_default();
        let words = words.into_iter();
        self.bound = words
            .map(|word| available(context, block, inside, word))
            .collect();
    }

    /// Computes at the end of a block what the counter is before if `count` iterations are left, at
    /// least one.
    pub fn limit(
        &self,
        context: &mut Context,
        block: Block,
        count: u64,
        checks_wrap: bool,
    ) -> Limit {
        let untested = i64::try_from(count).unwrap_or(i64::MAX) - 1;
        let distance = untested.wrapping_mul(self.step).wrapping_neg();
        let words = self.moved_bound(context, block, distance);
        let strict = Relation {
            compare: if self.step > 0 {
                Compare::Lt
            } else {
                Compare::Gt
            },
            ..self.relation
        };
        let valid =
            checks_wrap.then(|| self.compare(context, block, strict, [&words, &self.bound], None));
        Limit { words, valid }
    }

    /// Whether the loop goes on with a value of the counter, at the end of a block.
    pub fn goes_on(&self, context: &mut Context, block: Block, counter: Value) -> Value {
        let own = self.words(context, block, counter);
        self.compare(context, block, self.stays, [&own, &self.bound], None)
    }

    /// Whether a value of the counter is before a limit; where `checks` is set, also that the limit did
    /// not wrap.
    pub fn is_before(
        &self,
        context: &mut Context,
        block: Block,
        counter: Value,
        limit: &Limit,
        checks: bool,
    ) -> Value {
        let own = self.words(context, block, counter);
        let valid = limit.valid.filter(|_| checks);
        let valid = valid.map(|valid| (Combine::And, valid));
        self.compare(context, block, self.relation, [&own, &limit.words], valid)
    }

    /// The words of a value of the counter.
    fn words(&self, context: &mut Context, block: Block, value: Value) -> Vec<Value> {
        if self.relation.bits == 32 {
            return vec![value];
        }
        let mut words = Vec::new();
        for word in [0, 1] {
            let ty = Register::R.ty(context);
            let mut builder = Builder::at(context, InsertionPoint::End(block));
            let extract = Extract::build(&mut builder, self.location, value, word, ty).0;
            words.push(extract.result(context, 0));
        }
        words
    }

    /// The bound plus a constant, at the end of a block.
    fn moved_bound(&self, context: &mut Context, block: Block, distance: i64) -> Vec<Value> {
        if distance == 0 {
            return self.bound.clone();
        }
        let location = self.location;
        let halves = [distance, distance >> 32];
        let zero = constant_at_end(context, block, location, Register::R, 0);
        let mut carry = None;
        let mut moved = Vec::new();
        for (word, half) in self.bound.iter().zip(halves) {
            let half = i64::from(half as i32);
            let half = constant_at_end(context, block, location, Register::R, half);
            let mut sum = MachineOperation::new(Iadd3::NAME)
                .operand("a", *word)
                .operand("b", half)
                .operand("c", zero)
                .result(Register::R);
            if let Some(carry) = carry {
                sum = sum.flag("extended").operand("carry", carry);
            } else if self.bound.len() == 2 {
                sum = sum.result(Register::P);
            }
            let sum = append_operation(context, block, location, sum);
            moved.push(sum.result(context, 0));
            carry = sum.results(context).nth(1);
        }
        moved
    }

    /// Compares words at the end of a block.
    fn compare(
        &self,
        context: &mut Context,
        block: Block,
        relation: Relation,
        [left, right]: [&[Value]; 2],
        with: Option<(Combine, Value)>,
    ) -> Value {
        let signedness = |last: bool| match relation.is_signed && last {
            true => Signedness::Signed,
            false => Signedness::Unsigned,
        };
        let mut low = None;
        let count = left.len();
        for (number, (left, right)) in left.iter().zip(right).enumerate() {
            let last = number + 1 == count;
            let mut op = MachineOperation::new(Isetp::NAME)
                .operand("a", *left)
                .operand("b", *right)
                .keyword(context, "compare", relation.compare)
                .keyword(context, "signedness", signedness(last))
                .result(Register::P);
            if let Some(low) = low {
                op = op.operand("low", low).flag("extended");
            }
            if let Some((combine, other)) = with.filter(|_| last) {
                op = op
                    .operand("with", other)
                    .keyword(context, "combine", combine);
            }
            let op = append_operation(context, block, self.location, op);
            low = Some(op.result(context, 0));
        }
        low.unwrap_or(left[0])
    }
}

/// A bound in front of its loop: the value, or a copy of the operation in the loop that it is the
/// result of, which reads a constant or a word of a value from outside.
fn available(context: &mut Context, block: Block, inside: &[Block], value: Value) -> Value {
    let maker = value.defining_op(context).filter(|op| {
        let home = op.block(context);
        home.is_some_and(|home| inside.contains(&home))
    });
    let Some(op) = maker else {
        return value;
    };
    let mut mapping = Mapping::default();
    for operand in op.operands(context).collect::<Vec<_>>() {
        let copy = available(context, block, inside, operand);
        mapping.map(operand, copy);
    }
    let copy = op.clone_into(context, &mut mapping);
    block.append(context, copy);
    mapping.lookup(value)
}
