//! Parallel loops: one iteration after the other, the last induction variable fastest.

use orison_host::scf::{Forall, Parallel, Reduce};
use orison_ir::{Operation, Region, Value};

use super::integer;
use crate::{Action, Datum, Ended, Step, Trap};

/// The bounds of a nest of loops.
struct Nest {
    lower: Vec<i64>,
    upper: Vec<i64>,
    step: Vec<i64>,
}

impl Nest {
    /// The first values of the induction variables; `None` if there is no iteration.
    fn first(&self) -> Option<Vec<i64>> {
        let mut bounds = self.lower.iter().zip(&self.upper);
        bounds
            .all(|(lower, upper)| lower < upper)
            .then(|| self.lower.clone())
    }

    /// The next values after these.
    fn next(&self, mut at: Vec<i64>) -> Option<Vec<i64>> {
        for loop_number in (0..at.len()).rev() {
            match at[loop_number].checked_add(self.step[loop_number]) {
                Some(next) if next < self.upper[loop_number] => {
                    at[loop_number] = next;
                    return Some(at);
                }
                _ => at[loop_number] = self.lower[loop_number],
            }
        }
        None
    }

    fn check(self, operation: Operation) -> Result<Nest, Trap> {
        if self.step.iter().any(|step| *step <= 0) {
            return Err(Trap::undefined(
                operation,
                "the step of a loop is not positive",
            ));
        }
        Ok(self)
    }
}

fn index(step: &Step<'_, '_>, operation: Operation, value: Value) -> Result<i64, Trap> {
    integer(operation, &step.value(value)?)?
        .as_i64()
        .ok_or_else(|| Trap::malformed(operation, "an index of more than 64 bits"))
}

fn indices(step: &Step<'_, '_>, operation: Operation, values: &[Value]) -> Result<Vec<i64>, Trap> {
    values
        .iter()
        .map(|value| index(step, operation, *value))
        .collect()
}

/// Enters the body for these values of the induction variables. Saved: the variables, then the
/// loop-carried values.
fn enter(region: Region, at: &[i64], further: &[Datum], carried: Vec<Datum>) -> Action {
    let mut arguments: Vec<_> = at.iter().map(|value| Datum::index(*value)).collect();
    let mut saved = arguments.clone();
    arguments.extend_from_slice(further);
    saved.extend(carried);
    Action::Enter {
        region,
        arguments,
        saved,
    }
}

/// Splits the saved values into induction variables and loop-carried values.
fn restore(
    operation: Operation,
    saved: &[Datum],
    loops: usize,
) -> Result<(Vec<i64>, Vec<Datum>), Trap> {
    let at: Option<Vec<i64>> = saved
        .iter()
        .take(loops)
        .map(|datum| datum.as_integer()?.as_i64())
        .collect();
    let at = at.filter(|at| at.len() == loops);
    let at =
        at.ok_or_else(|| Trap::malformed(operation, "a loop nest without induction variables"))?;
    Ok((at, saved[loops..].to_vec()))
}

fn bounds_of_parallel(step: &Step<'_, '_>, nest: Parallel) -> Result<Nest, Trap> {
    let context = step.context();
    let operation = nest.operation();
    Nest {
        lower: indices(step, operation, &nest.lower_bound(context))?,
        upper: indices(step, operation, &nest.upper_bound(context))?,
        step: indices(step, operation, &nest.step(context))?,
    }
    .check(operation)
}

pub(super) fn begin_parallel(step: &Step<'_, '_>, nest: Parallel) -> Result<Action, Trap> {
    let context = step.context();
    let initial = step.values(&nest.init_vals(context))?;
    Ok(match bounds_of_parallel(step, nest)?.first() {
        Some(at) => enter(nest.region(context), &at, &[], initial),
        None => Action::Results(initial),
    })
}

/// The body ends with the loop-carried values, which `scf.reduce` combined.
pub(super) fn resume_parallel(
    step: &Step<'_, '_>,
    nest: Parallel,
    ended: Ended,
) -> Result<Action, Trap> {
    let context = step.context();
    let bounds = bounds_of_parallel(step, nest)?;
    let (at, _) = restore(nest.operation(), &ended.saved, bounds.lower.len())?;
    Ok(match bounds.next(at) {
        Some(at) => enter(nest.region(context), &at, &[], ended.values),
        None => Action::Results(ended.values),
    })
}

/// The loop-carried values of the loop around an `scf.reduce`: saved in the current frame.
fn carried(step: &Step<'_, '_>, reduce: Reduce) -> Vec<Datum> {
    let context = step.context();
    let loops = reduce
        .operation()
        .block(context)
        .map_or(0, |block| block.argument_count(context));
    let frame = step.machine.frames().last();
    frame.map_or_else(Vec::new, |frame| {
        frame.saved().iter().skip(loops).cloned().collect()
    })
}

/// Combines the values of an iteration, one region after the other. Saved: the values combined so
/// far.
pub(super) fn execute_reduce(step: &Step<'_, '_>, reduce: Reduce) -> Result<Action, Trap> {
    combine(step, reduce, Vec::new())
}

pub(super) fn resume_reduce(
    step: &Step<'_, '_>,
    reduce: Reduce,
    ended: Ended,
) -> Result<Action, Trap> {
    let mut combined = ended.saved;
    combined.extend(ended.values);
    combine(step, reduce, combined)
}

fn combine(step: &Step<'_, '_>, reduce: Reduce, combined: Vec<Datum>) -> Result<Action, Trap> {
    let context = step.context();
    let number = combined.len();
    let Some(region) = reduce.reductions(context).get(number).copied() else {
        return Ok(Action::Leave(combined));
    };
    let operands = step.operands(reduce.operation())?;
    let pair = carried(step, reduce)
        .get(number)
        .cloned()
        .zip(operands.get(number).cloned());
    let Some((carried, own)) = pair else {
        let message = "a reduction without an initial value";
        return Err(Trap::malformed(reduce.operation(), message));
    };
    Ok(Action::Enter {
        region,
        arguments: vec![carried, own],
        saved: combined,
    })
}

/// Values of an attribute; the minimum value stands for the next operand.
fn mixed(
    step: &Step<'_, '_>,
    operation: Operation,
    fixed: &[i64],
    operands: &[Value],
) -> Result<Vec<i64>, Trap> {
    let mut operands = operands.iter();
    let bound = |number: &i64| match (*number, operands.len()) {
        (orison_ir::types::DYNAMIC, 1..) => operands
            .next()
            .map_or(Ok(*number), |value| index(step, operation, *value)),
        _ => Ok(*number),
    };
    fixed.iter().map(bound).collect()
}

fn bounds_of_forall(step: &Step<'_, '_>, nest: Forall) -> Result<Nest, Trap> {
    let context = step.context();
    let operation = nest.operation();
    let lower = nest.static_lower_bound(context).unwrap_or_default();
    let upper = nest.static_upper_bound(context).unwrap_or_default();
    let stride = nest.static_step(context).unwrap_or_default();
    Nest {
        lower: mixed(step, operation, &lower, &nest.dynamic_lower_bound(context))?,
        upper: mixed(step, operation, &upper, &nest.dynamic_upper_bound(context))?,
        step: mixed(step, operation, &stride, &nest.dynamic_step(context))?,
    }
    .check(operation)
}

pub(super) fn begin_forall(step: &Step<'_, '_>, nest: Forall) -> Result<Action, Trap> {
    let context = step.context();
    let outputs = step.values(&nest.outputs(context))?;
    Ok(match bounds_of_forall(step, nest)?.first() {
        Some(at) => enter(nest.region(context), &at, &outputs.clone(), outputs),
        None => Action::Results(outputs),
    })
}

/// The iterations yield no values: operations that write to the shared tensors belong to other
/// dialects.
pub(super) fn resume_forall(
    step: &Step<'_, '_>,
    nest: Forall,
    ended: &Ended,
) -> Result<Action, Trap> {
    let context = step.context();
    let bounds = bounds_of_forall(step, nest)?;
    let (at, outputs) = restore(nest.operation(), &ended.saved, bounds.lower.len())?;
    Ok(match bounds.next(at) {
        Some(at) => enter(nest.region(context), &at, &outputs.clone(), outputs),
        None => Action::Results(outputs),
    })
}
