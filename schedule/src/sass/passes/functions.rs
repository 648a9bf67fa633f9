//! The functions of a module as plain data, with the operation of each instruction.

use orison_ir::pass::IRStatus;
use orison_ir::{Context, Diagnostic, Location, Operation, walk};
use orison_sass::dialect::{Func, convert, edit};
use orison_sass::program::{Function, Origin};

use crate::sass::latency::LatencyModel;
use crate::sass::simulate::{Frequencies, InstructionIndex};

use super::target::TargetChoice;

/// Execution frequencies of a function's blocks, one per block: an attribute of `sass.func`.
pub(super) const FREQUENCIES: &str = "sass.frequencies";

/// A function with its operations.
pub(super) struct Source {
    /// The `sass.func`.
    pub(super) op: Operation,
    /// The function as plain data.
    pub(super) function: Function,
    /// Its latency model.
    pub(super) model: &'static LatencyModel,
    /// The execution frequencies of its blocks.
    pub(super) frequencies: Frequencies,
    /// The operations of its instructions, in order.
    instructions: Vec<Operation>,
}

/// The functions in an operation, including itself.
///
/// # Errors
/// If one is not a plain function, has a target without a model, or has malformed frequencies.
pub(super) fn functions(
    context: &Context,
    root: Operation,
    target: &TargetChoice,
) -> Result<Vec<Source>, Box<Diagnostic>> {
    let found = function_ops(context, root).into_iter();
    found.map(|op| source(context, op, target)).collect()
}

/// The `sass.func` operations in an operation, including itself.
pub(super) fn function_ops(context: &Context, root: Operation) -> Vec<Operation> {
    let mut found = walk::collect(context, root);
    found.retain(|op| op.is(context, Func::DEFINITION.name));
    found
}

fn source(
    context: &Context,
    op: Operation,
    target: &TargetChoice,
) -> Result<Source, Box<Diagnostic>> {
    let function = convert::function(context, op)?;
    let model = target
        .model(&function.target)
        .map_err(|message| op.op_error(context, message))?;
    let code = function
        .blocks
        .iter()
        .flat_map(orison_sass::program::Block::code);
    let instructions = code.filter_map(|(_, origin)| match origin {
        Origin::Operation(inner) => Some(inner),
        Origin::New | Origin::Line(_) => None,
    });
    Ok(Source {
        frequencies: frequencies(context, op, &function)?,
        op,
        model,
        instructions: instructions.collect(),
        function,
    })
}

fn frequencies(
    context: &Context,
    op: Operation,
    function: &Function,
) -> Result<Frequencies, Box<Diagnostic>> {
    let Some(attribute) = op.attribute(context, FREQUENCIES) else {
        return Ok(Frequencies::of_loops(function));
    };
    let given = attribute
        .as_integer_array(context)
        .map(|(_, values)| values);
    let given = given.and_then(|values| {
        values
            .into_iter()
            .map(|value| u64::try_from(value).ok())
            .collect()
    });
    match given {
        Some(values) if Vec::len(&values) == function.blocks.len() => {
            Ok(Frequencies::given(values))
        }
        _ => {
            let blocks = function.blocks.len();
            let message = format!(
                "'{FREQUENCIES}' must be an array of {blocks} non-negative integers, one per block"
            );
            Err(op.op_error(context, message))
        }
    }
}

impl Source {
    /// Changes a copy of the function, and writes the difference to its operations. Returns what
    /// `change` returns, and whether there is a difference.
    pub(super) fn edit<T>(
        &self,
        context: &mut Context,
        change: impl FnOnce(&mut Function) -> T,
    ) -> (T, IRStatus) {
        let mut edited = self.function.clone();
        let result = change(&mut edited);
        let changed = edit::write_changes(context, self.op, &self.function, &edited);
        (result, IRStatus::changed_if(changed))
    }

    /// The location of an instruction.
    pub(super) fn location(&self, context: &Context, instruction: InstructionIndex) -> Location {
        let op = self.instructions.get(instruction as usize);
        op.unwrap_or(&self.op).location(context)
    }

    /// The operation of an instruction.
    pub(super) fn instruction(&self, instruction: InstructionIndex) -> Operation {
        let op = self.instructions.get(instruction as usize);
        op.copied().unwrap_or(self.op)
    }
}
