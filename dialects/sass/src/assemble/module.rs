//! Cubins of modules.

use std::collections::BTreeMap;

use orison_ir::{Attribute, Context, Diagnostic, Operation};

use super::{Facts, Parameter, Problem, Program, Tool};
use crate::cubin::{Cubin, Kind};
use crate::dialect::{Func, Read, Resources, Section, section_lines};
use crate::function::Function;
use crate::listing;
use crate::scheduled::Origin;

/// The cubin of a module.
///
/// # Errors
/// If the module has no code, or an operation of it is no instruction that the machine can hold.
pub fn module(context: &Context, op: Operation, kind: Kind, tool: Tool) -> Read<Cubin> {
    let mut program = Program {
        machine: Box::default(),
        kind,
        functions: Vec::new(),
        data: Vec::new(),
        facts: BTreeMap::new(),
        tool,
    };
    let body = op.body_block(context, 0);
    for inner in body.iter().flat_map(|body| body.operations(context)) {
        if let Some(function) = Func::of(context, inner) {
            let read = Function::of_operation(context, inner)?;
            if !program.machine.is_empty() && program.machine != read.target {
                let message = format!(
                    "is for '{}', expected '{}' as before it",
                    read.target, program.machine
                );
                return Err(inner.op_error(context, message));
            }
            program.machine = read.target.clone();
            let facts = Facts::of(context, function);
            program.facts.insert(read.name.clone(), facts);
            program.functions.push(read);
        } else if let Some(section) = Section::of(context, inner) {
            program.data.push(listing::Section {
                name: section.title(context).unwrap_or_default().into(),
                lines: section_lines(context, inner)?,
            });
        }
    }
    if program.functions.is_empty() {
        return Err(op.op_error(context, "has no machine code"));
    }
    let cubin = program.assemble();
    cubin.map_err(|problem| diagnostic(context, op, &problem))
}

fn diagnostic(context: &Context, module: Operation, problem: &Problem) -> Box<Diagnostic> {
    let op = match problem.origin {
        Origin::Operation(op) => op,
        Origin::New | Origin::Line(_) => module,
    };
    op.error(context, problem.to_string())
}

impl Facts {
    /// What the attributes of a function say of it.
    pub fn of(context: &Context, function: Func) -> Facts {
        let resources = function.resources(context);
        let resources = resources.map(|stated| Resources::of(context, stated));
        let parameters = function.parameters(context);
        let parameters = parameters.and_then(|parameters| parameters.as_array(context));
        let parameters = parameters.unwrap_or_default().iter();
        Facts {
            resources: resources.unwrap_or_default(),
            parameters: parameters
                .map(|parameter| Parameter::of(context, *parameter))
                .collect(),
        }
    }
}

impl Parameter {
    fn of(context: &Context, stated: Attribute) -> Parameter {
        let number = |key: &str| {
            let value = stated.get(context, key);
            let value = value.and_then(|value| value.as_i64(context));
            value.and_then(|value| u32::try_from(value).ok())
        };
        Parameter {
            offset: number("offset").unwrap_or(0),
            size: number("size").unwrap_or(0),
        }
    }
}
