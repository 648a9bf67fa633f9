//! Loops and conditionals. Parallel loops run one iteration after the other.

use orison_host::scf::{
    Condition, ExecuteRegion, For, Forall, If, InParallel, IndexSwitch, Parallel, Reduce,
    ReduceReturn, While, Yield,
};
use orison_ir::declare::Effects;
use orison_ir::numbers::ApInt;
use orison_ir::{Context, Operation, Region};

use super::cf::decided;
use crate::{Action, Datum, Ended, Semantics, Step, Trap};

mod parallel;

/// The semantics of `scf`.
#[derive(Debug)]
pub(super) struct Structured;

impl Semantics for Structured {
    fn execute(&self, step: &mut Step<'_, '_>, operation: Operation) -> Result<Action, Trap> {
        let context = step.context();
        if Yield::of(context, operation).is_some()
            || ReduceReturn::of(context, operation).is_some()
            || Condition::of(context, operation).is_some()
        {
            return Ok(Action::Leave(step.operands(operation)?));
        }
        if let Some(conditional) = If::of(context, operation) {
            return execute_if(step, conditional);
        }
        if let Some(counted) = For::of(context, operation) {
            return begin_for(step, counted);
        }
        if let Some(repeat) = While::of(context, operation) {
            let arguments = step.operands(operation)?;
            return Ok(enter(repeat.before(context), arguments));
        }
        if let Some(switch) = IndexSwitch::of(context, operation) {
            return execute_switch(step, switch);
        }
        if let Some(once) = ExecuteRegion::of(context, operation) {
            return Ok(enter(once.region(context), Vec::new()));
        }
        if let Some(nest) = Parallel::of(context, operation) {
            return parallel::begin_parallel(step, nest);
        }
        if let Some(reduce) = Reduce::of(context, operation) {
            return parallel::execute_reduce(step, reduce);
        }
        if let Some(nest) = Forall::of(context, operation) {
            return parallel::begin_forall(step, nest);
        }
        if let Some(last) = InParallel::of(context, operation) {
            return Ok(enter(last.region(context), Vec::new()));
        }
        Err(Trap::unsupported(
            operation,
            "an operation of dialect 'scf'",
        ))
    }

    fn resume(
        &self,
        step: &mut Step<'_, '_>,
        operation: Operation,
        ended: Ended,
    ) -> Result<Action, Trap> {
        let context = step.context();
        if let Some(counted) = For::of(context, operation) {
            return next_iteration(step, counted, ended);
        }
        if let Some(repeat) = While::of(context, operation) {
            return resume_while(context, repeat, ended);
        }
        if let Some(nest) = Parallel::of(context, operation) {
            return parallel::resume_parallel(step, nest, ended);
        }
        if let Some(reduce) = Reduce::of(context, operation) {
            return parallel::resume_reduce(step, reduce, ended);
        }
        if let Some(nest) = Forall::of(context, operation) {
            return parallel::resume_forall(step, nest, &ended);
        }
        if InParallel::of(context, operation).is_some() {
            return Ok(Action::Leave(Vec::new()));
        }
        Ok(Action::Results(ended.values))
    }
}

/// Enters a region without saved values.
fn enter(region: Region, arguments: Vec<Datum>) -> Action {
    Action::Enter {
        region,
        arguments,
        saved: Vec::new(),
    }
}

fn execute_if(step: &Step<'_, '_>, conditional: If) -> Result<Action, Trap> {
    let context = step.context();
    let condition = step.value(conditional.condition(context))?;
    if condition.is_poison() && is_free_of_effects(context, conditional.operation()) {
        let results = conditional.operation().result_count(context);
        return Ok(Action::Results(vec![Datum::Poison; results]));
    }
    let region = if decided(conditional.operation(), &condition)?.is_one() {
        conditional.then_region(context)
    } else {
        conditional.else_region(context)
    };
    if region.first_block(context).is_none() {
        return Ok(Action::Results(Vec::new()));
    }
    Ok(enter(region, Vec::new()))
}

/// Whether a choice between regions may be speculated: its regions have no effects, as MLIR defines
/// it. A poison condition then yields poison.
fn is_free_of_effects(context: &Context, operation: Operation) -> bool {
    let mut open = vec![operation];
    while let Some(next) = open.pop() {
        let effects = next
            .definition(context)
            .map(|definition| definition.effects);
        match effects {
            Some(Effects::None) => {}
            Some(Effects::Recursive) => {
                for region in next.regions(context) {
                    for block in region.blocks(context) {
                        open.extend(block.operations(context));
                    }
                }
            }
            _ => return false,
        }
    }
    true
}

fn execute_switch(step: &Step<'_, '_>, switch: IndexSwitch) -> Result<Action, Trap> {
    let context = step.context();
    let argument = step.value(switch.arg(context))?;
    if argument.is_poison() && is_free_of_effects(context, switch.operation()) {
        let results = switch.operation().result_count(context);
        return Ok(Action::Results(vec![Datum::Poison; results]));
    }
    let argument = decided(switch.operation(), &argument)?.as_i64();
    let cases = switch.cases(context).unwrap_or_default();
    let position = cases.iter().position(|case| Some(*case) == argument);
    let region = match position {
        Some(position) => switch.case_regions(context).get(position).copied(),
        None => Some(switch.default_region(context)),
    };
    match region {
        Some(region) => Ok(enter(region, Vec::new())),
        None => Err(Trap::malformed(
            switch.operation(),
            "a case without a region",
        )),
    }
}

/// An integer operand.
fn integer(operation: Operation, datum: &Datum) -> Result<ApInt, Trap> {
    decided(operation, datum).cloned()
}

fn begin_for(step: &Step<'_, '_>, counted: For) -> Result<Action, Trap> {
    let context = step.context();
    let lower = integer(
        counted.operation(),
        &step.value(counted.lower_bound(context))?,
    )?;
    let carried = step.values(&counted.init_args(context))?;
    iterate(step, counted, lower, carried)
}

/// Runs the body for a value of the induction variable, or ends the loop.
fn iterate(
    step: &Step<'_, '_>,
    counted: For,
    counter: ApInt,
    carried: Vec<Datum>,
) -> Result<Action, Trap> {
    let context = step.context();
    let operation = counted.operation();
    let upper = integer(operation, &step.value(counted.upper_bound(context))?)?;
    let stride = integer(operation, &step.value(counted.step(context))?)?;
    let unsigned = counted.unsigned_cmp(context).is_some();
    if stride.is_zero() || !unsigned && stride.is_negative() {
        return Err(Trap::undefined(
            operation,
            "the step of a loop is not positive",
        ));
    }
    let order = if unsigned {
        counter.compare_unsigned(&upper)
    } else {
        counter.compare_signed(&upper)
    };
    if order != Some(std::cmp::Ordering::Less) {
        return Ok(Action::Results(carried));
    }
    let counter = Datum::Integer(counter);
    let mut arguments = vec![counter.clone()];
    arguments.extend(carried);
    Ok(Action::Enter {
        region: counted.region(context),
        arguments,
        saved: vec![counter],
    })
}

fn next_iteration(step: &Step<'_, '_>, counted: For, ended: Ended) -> Result<Action, Trap> {
    let context = step.context();
    let operation = counted.operation();
    let stride = integer(operation, &step.value(counted.step(context))?)?;
    let Some(Datum::Integer(counter)) = ended.saved.first() else {
        return Err(Trap::malformed(
            operation,
            "a loop without an induction variable",
        ));
    };
    let next = if counted.unsigned_cmp(context).is_some() {
        counter.unsigned_add(&stride)
    } else {
        counter.signed_add(&stride)
    };
    // The counter would wrap around: this was the last iteration.
    if next.overflow {
        return Ok(Action::Results(ended.values));
    }
    iterate(step, counted, next.value, ended.values)
}

fn resume_while(context: &Context, repeat: While, ended: Ended) -> Result<Action, Trap> {
    let operation = repeat.operation();
    if ended.region == repeat.after(context) {
        return Ok(enter(repeat.before(context), ended.values));
    }
    let mut values = ended.values.into_iter();
    let condition = values
        .next()
        .ok_or_else(|| Trap::malformed(operation, "a loop without a condition"))?;
    let rest = values.collect();
    if decided(operation, &condition)?.is_one() {
        Ok(enter(repeat.after(context), rest))
    } else {
        Ok(Action::Results(rest))
    }
}
