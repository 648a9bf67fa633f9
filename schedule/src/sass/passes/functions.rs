//! The functions of a module as plain data, with the operation of each instruction.

use orison_ir::{Context, Diagnostic, Location, Operation, walk};
use orison_sass::dialect::{FallThrough, Func, Notes, convert};
use orison_sass::program::Function;

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
    let found = walk::collect(context, root);
    let found = found
        .into_iter()
        .filter(|op| op.name_text(context) == Func::DEFINITION.name);
    found.map(|op| source(context, op, target)).collect()
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
    let blocks = op.regions(context).flat_map(|body| body.blocks(context));
    let inside: Vec<Operation> = blocks
        .flat_map(|block| block.operations(context))
        .filter(|inner| {
            let name = inner.name_text(context);
            name != Notes::DEFINITION.name && name != FallThrough::DEFINITION.name
        })
        .collect();
    Ok(Source {
        frequencies: frequencies(context, op, &function)?,
        op,
        function,
        model,
        instructions: inside,
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
