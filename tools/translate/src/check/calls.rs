//! Calls: the callee or its prototype, arguments and results.

use super::names::{Entity, Formal, Label, Names, Variable};
use super::types::{Class, Type};
use crate::ptx::ast::{Declaration, Expression, Instruction};

/// The parameter and result types of a function.
type Interface<'a> = (&'a [Declaration<'a>], &'a [Declaration<'a>]);

/// The error in a call, if any.
pub(super) fn check<'a>(names: &Names<'a>, instruction: &'a Instruction<'a>) -> Option<String> {
    let mut rest = instruction.operands.as_slice();
    let mut list = || match rest {
        [Expression::Parentheses(list), behind @ ..] => {
            rest = behind;
            list.as_slice()
        }
        _ => &[],
    };
    let results = list();
    let Some((callee, behind)) = rest.split_first() else {
        return Some("'call' requires a function".to_owned());
    };
    let mut rest = behind;
    let mut arguments: &[Expression<'_>] = &[];
    if let [Expression::Parentheses(list), behind @ ..] = rest {
        (arguments, rest) = (list, behind);
    }
    let Expression::Name(callee) = callee else {
        return Some("'call' requires a function".to_owned());
    };
    let (parameters, returned) = match interface(names, callee, rest) {
        Ok(interface) => interface,
        Err(message) => return Some(message),
    };
    for (what, found, formals) in [
        ("argument", arguments, parameters),
        ("result", results, returned),
    ] {
        if found.len() != formals.len() {
            let (found, expected) = (found.len(), formals.len());
            let plural = if expected == 1 { "" } else { "s" };
            return Some(format!(
                "'{callee}' has {expected} {what}{plural}, but the call has {found}"
            ));
        }
        for (number, (operand, formal)) in found.iter().zip(formals).enumerate() {
            if let Some(message) = mismatch(names, operand, formal, what == "result") {
                return Some(format!(
                    "{what} #{number} of the call of '{callee}' {message}"
                ));
            }
        }
    }
    None
}

/// The parameters and results of the callee.
fn interface<'a>(
    names: &Names<'a>,
    callee: &str,
    rest: &[Expression<'_>],
) -> Result<Interface<'a>, String> {
    let table = match rest {
        [] => None,
        [Expression::Name(name)] => Some(*name),
        _ => return Err("'call' has too many operands".to_owned()),
    };
    match names.find(callee) {
        Some(Entity::Function(function)) if function.is_kernel => {
            Err(format!("'{callee}' is a kernel and cannot be called"))
        }
        Some(Entity::Function(function)) => Ok((
            function.parameters.as_deref().unwrap_or_default(),
            &function.results,
        )),
        Some(Entity::Register(ty, 1)) if matches!(ty.class, Class::Bits | Class::Integer) => {
            let Some(table) = table else {
                return Err(format!(
                    "the call of '{callee}' requires a prototype or a list of targets"
                ));
            };
            indirect(names, table)
        }
        Some(_) => Err(format!("'{callee}' is not a function")),
        None => Err(format!("function '{callee}' is not declared")),
    }
}

fn indirect<'a>(names: &Names<'a>, table: &str) -> Result<Interface<'a>, String> {
    match names.find(table) {
        Some(Entity::Label(Label::Prototype(prototype))) => {
            Ok((&prototype.parameters, &prototype.results))
        }
        Some(Entity::Label(Label::Calls(targets))) => {
            let first = targets.first().and_then(|name| names.find(name));
            let Some(Entity::Function(function)) = first else {
                return Err(format!("'{table}' lists an entry that is not a function"));
            };
            let parameters = function.parameters.as_deref().unwrap_or_default();
            Ok((parameters, &function.results))
        }
        Some(_) => Err(format!("'{table}' is not a prototype or list of targets")),
        None => Err(format!("'{table}' is not declared")),
    }
}

/// Why an operand does not match a parameter: sizes must agree, and arrays match only arrays.
fn mismatch(
    names: &Names<'_>,
    operand: &Expression<'_>,
    formal: &Declaration<'_>,
    is_result: bool,
) -> Option<String> {
    let wanted = super::declarations::variable(formal, &formal.names[0], Formal::Input)?;
    let is_array = !formal.names[0].extents.is_empty();
    let register = |ty: Type| {
        (!is_array && Some(u64::from(ty.bits / 8)) == wanted.size)
            || (ty.class == Class::Predicate && wanted.ty.class == Class::Predicate)
    };
    let name = match operand {
        Expression::Name("_") | Expression::Member(..) | Expression::Vector(_) => return None,
        Expression::Name(name) => *name,
        _ if is_result => return Some("must be a register or a parameter".to_owned()),
        _ => return None,
    };
    let fits = match names.find(name) {
        Some(Entity::Register(ty, elements)) => elements > 1 || register(ty),
        Some(Entity::Variable(found)) => found.space == ".param" && same_shape(&found, &wanted),
        Some(_) => false,
        None => return Some(format!("is '{name}', which is not declared")),
    };
    (!fits).then(|| format!("is '{name}', whose type does not match the parameter"))
}

fn same_shape(found: &Variable<'_>, wanted: &Variable<'_>) -> bool {
    match (found.size, wanted.size) {
        (Some(found), Some(wanted)) => found == wanted,
        _ => true,
    }
}
