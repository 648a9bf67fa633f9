//! How the operations run: an interface of `orison-interpret` that this crate attaches to them.

use orison_interpret::{Action, Datum, Execution, Payload, Step, Trap};
use orison_ir::numbers::ApInt;
use orison_ir::{Context, Operation, Value};

use crate::{Add, Constant, Eval};

/// Attaches it.
pub fn attach(context: &mut Context) {
    context.attach(Constant::DEFINITION, Execution::new(constant));
    context.attach(Add::DEFINITION, Execution::new(add));
    context.attach(Eval::DEFINITION, Execution::new(eval));
}

/// A value of type `!poly.polynomial`: the coefficients, from the constant term on.
#[derive(Clone, PartialEq, Debug)]
struct Polynomial(Vec<i64>);

impl Payload for Polynomial {
    fn refines(&self, before: &dyn Payload) -> bool {
        let before: &dyn std::any::Any = before;
        before.downcast_ref() == Some(self)
    }
}

fn result(datum: Datum) -> Action {
    Action::Results(vec![datum])
}

/// The polynomial that a value holds.
fn polynomial(step: &Step<'_, '_>, op: Operation, value: Value) -> Result<Polynomial, Trap> {
    let datum = step.value(value)?;
    let polynomial = datum.as_payload::<Polynomial>().cloned();
    polynomial.ok_or_else(|| Trap::malformed(op, "the operand is no polynomial"))
}

fn constant(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let coefficients = Constant(op).value(step.context()).unwrap_or_default();
    Ok(result(Datum::payload(Polynomial(coefficients))))
}

fn add(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let Polynomial(mut sum) = polynomial(step, op, Add(op).lhs(context))?;
    let Polynomial(other) = polynomial(step, op, Add(op).rhs(context))?;
    sum.resize(sum.len().max(other.len()), 0);
    for (coefficient, added) in sum.iter_mut().zip(other) {
        *coefficient = coefficient.wrapping_add(added);
    }
    Ok(result(Datum::payload(Polynomial(sum))))
}

fn eval(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let Polynomial(coefficients) = polynomial(step, op, Eval(op).polynomial(context))?;
    let Datum::Integer(point) = step.value(Eval(op).point(context))? else {
        return Ok(result(Datum::Poison));
    };
    let value = coefficients
        .into_iter()
        .rev()
        .map(|coefficient| ApInt::from_i64(64, coefficient))
        .reduce(|value, coefficient| value.wrapping_mul(&point).wrapping_add(&coefficient));
    Ok(result(Datum::Integer(value.unwrap_or(ApInt::zero(64)))))
}
