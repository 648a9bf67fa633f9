//! Functions and calls.

use orison_host::func::{Call, CallIndirect, Constant, Func, Return};
use orison_ir::Operation;

use crate::{Action, Datum, Event, Semantics, Step, Trap};

/// The semantics of `func`.
#[derive(Debug)]
pub(super) struct Functions;

impl Semantics for Functions {
    fn execute(&self, step: &mut Step<'_, '_>, operation: Operation) -> Result<Action, Trap> {
        let context = step.context();
        if Return::of(context, operation).is_some() {
            return Ok(Action::Leave(step.operands(operation)?));
        }
        if let Some(call) = Call::of(context, operation) {
            let callee = resolve(step, operation, "callee")?;
            let arguments = step.values(&call.arguments(context))?;
            return execute_call(step, operation, callee, arguments);
        }
        if Constant::of(context, operation).is_some() {
            let function = resolve(step, operation, "value")?;
            return Ok(Action::Results(vec![Datum::Function(function)]));
        }
        if let Some(call) = CallIndirect::of(context, operation) {
            let arguments = step.values(&call.arguments(context))?;
            return match step.value(call.callee(context))? {
                Datum::Function(callee) => execute_call(step, operation, callee, arguments),
                _ => Err(Trap::undefined(operation, "the callee is not a function")),
            };
        }
        Err(Trap::unsupported(
            operation,
            "an operation of dialect 'func'",
        ))
    }
}

/// The function that a symbol attribute refers to.
fn resolve(step: &Step<'_, '_>, operation: Operation, key: &str) -> Result<Operation, Trap> {
    let symbol = operation
        .attribute(step.context(), key)
        .and_then(|reference| step.program.symbol(operation, reference));
    symbol.ok_or_else(|| Trap::malformed(operation, "the callee is not defined"))
}

fn execute_call(
    step: &mut Step<'_, '_>,
    operation: Operation,
    callee: Operation,
    arguments: Vec<Datum>,
) -> Result<Action, Trap> {
    let context = step.context();
    let Some(function) = Func::of(context, callee) else {
        return Err(Trap::unsupported(
            operation,
            "the callee is not a 'func.func'",
        ));
    };
    let body = function.body(context);
    if body.first_block(context).is_some() {
        return Ok(Action::Call { body, arguments });
    }
    let name = function.sym_name(context).unwrap_or_default().to_owned();
    let events = step.world.events.len();
    let external = step.world.external;
    let results = external.and_then(|external| external(&name, events, &arguments));
    let Some(results) = results else {
        let message = format!("function '{name}' has no body");
        return Err(Trap::unsupported(operation, &message));
    };
    step.world.events.push(Event::Call {
        function: name,
        arguments,
        results: results.clone(),
    });
    Ok(Action::Results(results))
}
