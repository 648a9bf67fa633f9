//! Counters that are floats: their number of iterations is what arithmetic says, rounding included.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::induction::Loop;
use orison_ori::operations::float::{Dadd, Dsetp, Fadd, Fsetp};
use orison_ori::semantics::{Bits, evaluate};

use super::carried::{entering_value, next_value};
use crate::ori::known_bits::known_bits;

/// The iterations that are counted, at most. ptxas 13.0.88 counts at least 3,000.
const MOST_ITERATIONS: u64 = 1 << 14;

/// A float that starts with a constant, and to which each iteration adds a constant.
struct Counter {
    argument: Value,
    start: Bits,
    /// The sum, in the block of the branch.
    next: Operation,
}

/// The number of iterations of a loop that goes on while a comparison of the next value of a float
/// with a constant is `goes_on`, in a block; and the argument that is the float. `None` if it is not
/// known, or large.
pub(super) fn iterations(
    around: &Loop<'_>,
    exit: Block,
    condition: Value,
    goes_on: bool,
) -> Option<(Value, u64)> {
    let context = around.context;
    let compare = condition.defining_op(context)?;
    let is_compared = Fsetp::matches(context, compare) || Dsetp::matches(context, compare);
    if !is_compared || compare.block(context) != Some(exit) {
        return None;
    }
    let result = compare
        .results(context)
        .position(|value| value == condition)?;
    let sides = compare.operands(context);
    let sum = sides.filter_map(|value| value.defining_op(context));
    let counter = { sum }.find_map(|sum| Counter::of(around, exit, sum))?;
    let mut value = counter.start;
    for count in 1..=MOST_ITERATIONS {
        value = counter.after(context, value)?;
        let sum = counter.next.result(context, 0);
        let held = compute(context, compare, (sum, value))?;
        if (held.get(result)? & 1 == 1) != goes_on {
            return Some((counter.argument, count));
        }
    }
    None
}

impl Counter {
    fn of(around: &Loop<'_>, exit: Block, sum: Operation) -> Option<Self> {
        let context = around.context;
        let adds = Fadd::matches(context, sum) || Dadd::matches(context, sum);
        if !adds || sum.block(context) != Some(exit) {
            return None;
        }
        let header = around.flow.block(around.natural.header);
        let mut operands = sum.operands(context);
        let argument = operands.find(|value| {
            value.parent_block(context) == Some(header) && value.defining_op(context).is_none()
        })?;
        let (_, start) = entering_value(around, argument)?;
        let repeats = next_value(around, argument) == Some(sum.result(context, 0));
        repeats.then_some(Counter {
            argument,
            start: known_bits(context, start)?,
            next: sum,
        })
    }

    /// The value in the next iteration.
    fn after(&self, context: &Context, value: Bits) -> Option<Bits> {
        compute(context, self.next, (self.argument, value))?
            .first()
            .copied()
    }
}

/// The results of an operation one of whose operands has a value; the others are constants.
fn compute(context: &Context, op: Operation, (known, bits): (Value, Bits)) -> Option<Vec<Bits>> {
    let operands = op.operands(context).map(|value| match value == known {
        true => Some(bits),
        false => known_bits(context, value),
    });
    let operands: Option<Vec<Bits>> = operands.collect();
    evaluate(context, op, &operands?)
}
