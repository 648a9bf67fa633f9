//! Branches and assertions.

use orison_host::cf::{self, Assert, Branch, CondBranch, Switch};
use orison_ir::numbers::ApInt;
use orison_ir::{Context, Operation};

use super::datum_of_attribute;
use crate::{Action, Datum, Semantics, Step, Trap};

/// The semantics of `cf`.
#[derive(Debug)]
pub(super) struct ControlFlow;

impl Semantics for ControlFlow {
    fn execute(&self, step: &mut Step<'_, '_>, operation: Operation) -> Result<Action, Trap> {
        let context = step.context();
        if let Some(assert) = Assert::of(context, operation) {
            return execute_assert(step, assert);
        }
        let edge = if Branch::of(context, operation).is_some() {
            0
        } else if let Some(branch) = CondBranch::of(context, operation) {
            let condition = step.value(branch.condition(context))?;
            usize::from(!decided(operation, &condition)?.is_one())
        } else if let Some(switch) = Switch::of(context, operation) {
            let flag = step.value(switch.flag(context))?;
            chosen_case(context, switch, decided(operation, &flag)?)?
        } else {
            return Err(Trap::unsupported(operation, "an operation of dialect 'cf'"));
        };
        let edges = cf::edges(context, operation).unwrap_or_default();
        let Some((block, values)) = edges.into_iter().nth(edge) else {
            return Err(Trap::malformed(operation, "a branch without a successor"));
        };
        let arguments = step.values(&values)?;
        Ok(Action::Branch { block, arguments })
    }
}

/// The condition of a branch. Branching on poison is undefined behaviour.
pub(super) fn decided(operation: Operation, datum: &Datum) -> Result<&ApInt, Trap> {
    match datum {
        Datum::Integer(value) => Ok(value),
        Datum::Poison => Err(Trap::undefined(operation, "a branch depends on poison")),
        _ => Err(Trap::malformed(
            operation,
            "the condition of a branch is not an integer",
        )),
    }
}

fn execute_assert(step: &Step<'_, '_>, assert: Assert) -> Result<Action, Trap> {
    let context = step.context();
    let operation = assert.operation();
    let condition = step.value(assert.arg(context))?;
    if decided(operation, &condition)?.is_one() {
        return Ok(Action::Results(Vec::new()));
    }
    let message = assert.msg(context).unwrap_or_default().to_owned();
    Err(Trap::Aborted { operation, message })
}

/// The index of the successor for a value.
fn chosen_case(context: &Context, switch: Switch, flag: &ApInt) -> Result<usize, Trap> {
    let Some(values) = switch.case_values(context) else {
        return Ok(0);
    };
    let Some(Datum::Elements(cases)) = datum_of_attribute(context, values) else {
        return Err(Trap::malformed(
            switch.operation(),
            "the case values are not integers",
        ));
    };
    let position = cases
        .data
        .iter()
        .position(|case| case.as_integer() == Some(flag));
    Ok(position.map_or(0, |position| position + 1))
}
