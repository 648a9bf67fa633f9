//! Calls: `.param` variables and registers as the operands and results of `ori.call`.

use orison_ir::{Attribute, OperationName, OperationState, Value};
use orison_ori::Register;
use orison_ori::operations::control;

use super::body::{Step, Table, Tables};
use super::emitter::Emitter;
use super::registers::Interface;
use crate::ptx::ast::{Expression, Instruction};

/// The parts of a call.
pub(super) struct Call<'a> {
    /// The function, or the register with its address.
    pub callee: &'a str,
    pub results: &'a [Expression<'a>],
    pub arguments: &'a [Expression<'a>],
    /// The label of its prototype or its possible targets.
    table: Option<&'a str>,
}

impl<'a> Call<'a> {
    /// The parts of `call (results), callee, (arguments), table`; `None` for other instructions.
    pub fn of(instruction: &'a Instruction<'a>) -> Option<Self> {
        if instruction.name != "call" {
            return None;
        }
        let mut rest = instruction.operands.as_slice();
        let list = |rest: &mut &'a [Expression<'a>]| match *rest {
            [Expression::Parentheses(list), behind @ ..] => {
                *rest = behind;
                list.as_slice()
            }
            _ => &[],
        };
        let results = list(&mut rest);
        let [Expression::Name(callee), behind @ ..] = rest else {
            return None;
        };
        rest = behind;
        let arguments = list(&mut rest);
        let table = match rest {
            [] => None,
            [Expression::Name(label)] => Some(*label),
            _ => return None,
        };
        Some(Call {
            callee,
            results,
            arguments,
            table,
        })
    }
}

/// A call as `ori.call` or `ori.call_indirect`; `None` if it is not a call, or its callee is
/// unknown.
pub(super) fn call<'a>(
    emitter: &mut Emitter<'_, 'a>,
    step: &Step<'a>,
    tables: &Tables<'a>,
) -> Option<()> {
    let call = Call::of(step.instruction)?;
    if !matches!(step.instruction.modifiers.as_slice(), [] | [".uni"]) {
        return None;
    }
    let address = match emitter.registers.known(step.scope, call.callee) {
        Some(number) => Some(emitter.values[number]?),
        None => None,
    };
    let interface = if address.is_some() {
        indirect_interface(emitter, step.scope, &call, tables)?
    } else {
        emitter.symbols.interface(call.callee)?.clone()
    };
    let (arguments, results) = (&interface.arguments, &interface.results);
    if call.arguments.len() != arguments.len() || call.results.len() != results.len() {
        return None;
    }
    let mut operands: Vec<Value> = address.into_iter().collect();
    for (operand, shape) in call.arguments.iter().zip(arguments) {
        operands.extend(argument(emitter, operand, shape)?);
    }
    let name = match address {
        Some(_) => control::CallIndirect::NAME,
        None => control::Call::NAME,
    };
    let location = emitter.location;
    let callee = emitter.symbols.aliased(call.callee);
    let context = emitter.context();
    let name = OperationName::new(context, name);
    let mut state = OperationState::new(name, location);
    if address.is_none() {
        let callee = Attribute::symbol(context, callee);
        state.set_property(context, "callee", callee);
    }
    state.operands.extend(operands);
    for register in results.iter().flatten() {
        let ty = register.ty(context);
        state.result_types.push(ty);
    }
    let op = emitter.builder.create(&state);
    let mut values = op.results(emitter.builder.ir()).collect::<Vec<_>>();
    for (operand, shape) in call.results.iter().zip(results) {
        let behind = values.split_off(shape.len().min(values.len()));
        result(emitter, operand, &values)?;
        values = behind;
    }
    Some(())
}

/// The interface of an indirect call: its prototype, or the first of its targets.
fn indirect_interface<'a>(
    emitter: &Emitter<'_, 'a>,
    scope: usize,
    call: &Call<'a>,
    tables: &Tables<'a>,
) -> Option<Interface> {
    match tables.find(scope, call.table?)? {
        Table::Prototype(prototype) => Interface::of(&prototype.parameters, &prototype.results),
        Table::Targets(names) => emitter.symbols.interface(names.first()?).cloned(),
    }
}

/// The values of an argument, in registers of the parameter's types.
fn argument<'a>(
    emitter: &mut Emitter<'_, 'a>,
    operand: &Expression<'a>,
    shape: &[Register],
) -> Option<Vec<Value>> {
    let Some(numbers) = cells(emitter, operand) else {
        let [register] = shape else {
            return None;
        };
        return Some(vec![emitter.read(operand, *register)?]);
    };
    let held = numbers.iter().map(|number| emitter.values[*number]);
    let held = held.collect::<Option<Vec<_>>>()?;
    regroup(emitter, &held, shape)
}

/// Writes a result of a call.
fn result<'a>(
    emitter: &mut Emitter<'_, 'a>,
    operand: &Expression<'a>,
    values: &[Value],
) -> Option<()> {
    let Some(numbers) = cells(emitter, operand) else {
        let [value] = values else {
            return None;
        };
        return emitter.write(operand, *value);
    };
    let kinds = numbers
        .iter()
        .map(|number| emitter.registers.kind_of(*number));
    let shape: Vec<_> = kinds.collect();
    let values = regroup(emitter, values, &shape)?;
    for (number, value) in numbers.into_iter().zip(values) {
        emitter.set(number, value)?;
    }
    Some(())
}

/// The cells of a `.param` variable, by index.
fn cells<'a>(emitter: &Emitter<'_, 'a>, operand: &Expression<'a>) -> Option<Vec<usize>> {
    let Expression::Name(name) = operand else {
        return None;
    };
    let cells = emitter.registers.variable(emitter.scope, name)?;
    Some(cells.iter().map(|cell| cell.number).collect())
}

/// The same 32-bit values in registers of other types.
fn regroup(
    emitter: &mut Emitter<'_, '_>,
    values: &[Value],
    shape: &[Register],
) -> Option<Vec<Value>> {
    let context = emitter.builder.ir();
    let kinds = values
        .iter()
        .map(|value| Register::of(context, value.ty(context)));
    let kinds = kinds.collect::<Option<Vec<_>>>()?;
    if kinds == shape {
        return Some(values.to_vec());
    }
    let mut words = Vec::new();
    for (value, kind) in values.iter().zip(kinds) {
        for word in 0..kind.words()? {
            words.push(emitter.word(*value, word));
        }
    }
    let mut regrouped = Vec::new();
    for register in shape {
        let count = usize::try_from(register.words()?).ok()?;
        if words.len() < count {
            return None;
        }
        let behind = words.split_off(count);
        regrouped.push(emitter.concat(&words));
        words = behind;
    }
    words.is_empty().then_some(regrouped)
}
