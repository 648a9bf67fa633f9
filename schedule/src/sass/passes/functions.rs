//! The functions of a module, and their operations.

use orison_ir::pass::{IRStatus, PassContext};
use orison_ir::{Context, Diagnostic, Location, Operation, walk};
use orison_sass::dialect::{Edits, Func};
use orison_sass::function::Function;
use orison_sass::scheduled::{Origin, Scheduled};

use crate::sass::latency::LatencyModel;
use crate::sass::simulate::{Frequencies, InstructionIndex};

use super::target::TargetChoice;

/// Execution frequencies of a function's blocks, one per block: an attribute of `sass.func`.
pub(super) const FREQUENCIES: &str = "sass.frequencies";

/// A function with what analyses of it need.
pub(crate) struct Source<'c> {
    /// The function.
    pub(crate) function: Function<'c>,
    /// Its latency model.
    pub(crate) model: &'static LatencyModel,
    /// The execution frequencies of its blocks.
    pub(crate) frequencies: Frequencies,
}

/// Where findings about a function are reported.
pub(super) struct Places {
    /// The `sass.func`.
    pub(super) op: Operation,
    /// The operations of its instructions, in order.
    instructions: Vec<Operation>,
}

/// What is found in functions; a failure is an error at the operation.
type Found<T> = Result<T, Box<Diagnostic>>;

/// What `analyze` finds in each function in the operation of a pass, including itself.
///
/// # Errors
/// If one has an operation of another dialect, a target without a model, or malformed frequencies.
pub(super) fn analyze<T>(
    pass: &PassContext<'_>,
    target: &TargetChoice,
    mut analyze: impl FnMut(&Source<'_>) -> T,
) -> Found<Vec<(Places, T)>> {
    let found = function_ops(pass.context, pass.op()).into_iter();
    let of = |op| {
        let source = source(pass.context, op, |name| target.model(name))?;
        Ok((places(op, &source.function), analyze(&source)))
    };
    found.map(of).collect()
}

/// Changes each function in the operation of a pass, including itself. Returns what `change`
/// returns for each, and whether there is a difference. A function with an opaque instruction keeps its
/// control words, with a warning.
///
/// # Errors
/// Those of [`analyze`].
pub(crate) fn edit<T>(
    pass: &mut PassContext<'_>,
    target: &TargetChoice,
    mut change: impl FnMut(&mut Source<'_>) -> T,
) -> Found<(Vec<(Operation, T)>, IRStatus)> {
    let mut edits = Edits::default();
    let mut kept = Kept::default();
    let mut results = Vec::new();
    for op in function_ops(pass.context, pass.op()) {
        let mut source = source(pass.context, op, |name| target.code_model(name))?;
        if kept.has(pass.context, source.function.opaque()) {
            continue;
        }
        results.push((op, change(&mut source)));
        edits.add(pass.context, &source.function);
    }
    kept.warn(pass.context);
    Ok((results, IRStatus::changed_if(edits.apply(pass.context))))
}

/// The functions that keep their control words: what an opaque instruction depends on is unknown.
#[derive(Default)]
pub(super) struct Kept(Vec<Location>);

impl Kept {
    /// Whether there is an opaque instruction.
    pub(super) fn has(&mut self, context: &Context, opaque: Option<&Scheduled<'_>>) -> bool {
        let Some(Origin::Operation(op)) = opaque.map(|found| found.origin) else {
            return false;
        };
        self.0.push(op.location(context));
        true
    }

    /// Emits a warning for each function.
    pub(super) fn warn(self, context: &mut Context) {
        let message =
            "the effects of this instruction are unknown: the control words of its function stay";
        for location in self.0 {
            context.warning(location, message);
        }
    }
}

/// The `sass.func` operations in an operation, including itself.
pub(super) fn function_ops(context: &Context, root: Operation) -> Vec<Operation> {
    let mut found = walk::collect(context, root);
    found.retain(|op| Func::matches(context, *op));
    found
}

fn source<'c>(
    context: &'c Context,
    op: Operation,
    model: impl Fn(&str) -> Result<&'static LatencyModel, String>,
) -> Found<Source<'c>> {
    let function = Function::of_operation(context, op)?;
    let model = model(&function.target).map_err(|message| op.op_error(context, message))?;
    Ok(Source {
        frequencies: frequencies(context, op, &function)?,
        model,
        function,
    })
}

fn places(op: Operation, function: &Function<'_>) -> Places {
    let instructions = function.instructions().map(|found| match found.origin {
        Origin::Operation(inner) => inner,
        Origin::New | Origin::Line(_) => op,
    });
    Places {
        op,
        instructions: instructions.collect(),
    }
}

fn frequencies(context: &Context, op: Operation, function: &Function<'_>) -> Found<Frequencies> {
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

impl Places {
    /// The location of an instruction.
    pub(super) fn location(&self, context: &Context, instruction: InstructionIndex) -> Location {
        self.instruction(instruction).location(context)
    }

    /// The operation of an instruction.
    pub(super) fn instruction(&self, instruction: InstructionIndex) -> Operation {
        let op = self.instructions.get(instruction as usize);
        op.copied().unwrap_or(self.op)
    }
}
