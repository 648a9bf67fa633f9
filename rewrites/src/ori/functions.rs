//! What passes on functions of `ori` share: which functions, which knobs, branches that change.

use orison_ir::pass::{IRStatus, PassContext, PassFailure, Remark, RemarkKind};
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, Operation, OperationName,
    OperationState, Region, Value, walk,
};
use orison_ori::knobs::Knobs;
use orison_ori::operations::structure::Func;
use orison_ori::{MachineOperation, Register};

/// A function with a body.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The operation.
    pub op: Operation,
    /// Its blocks.
    pub body: Region,
}

/// The functions with bodies in an operation, itself included, in the order of the text.
pub fn functions(context: &Context, root: Operation) -> Vec<Function> {
    let all = walk::collect(context, root).into_iter();
    let functions = all.filter(|op| Func::of(context, *op).is_some());
    let bodies = functions.filter_map(|op| {
        let body = op.regions(context).next()?;
        (!body.is_empty(context)).then_some(Function { op, body })
    });
    bodies.collect()
}

/// Runs something on each function with the knobs that are set for it.
///
/// # Errors
/// When a knob does not exist or does not take its value, before anything is changed; or the error
/// of `run`.
pub fn on_each(
    pass: &mut PassContext<'_>,
    settings: &[String],
    mut run: impl FnMut(&mut PassContext<'_>, Function, &Knobs) -> Result<IRStatus, PassFailure>,
) -> Result<IRStatus, PassFailure> {
    let root = pass.op();
    let told = |message: String| PassFailure::from(root.op_error(pass.context, message));
    let knobs = Knobs::of(settings).map_err(told)?;
    let mut work = Vec::new();
    for function in functions(pass.context, root) {
        let own = knobs.for_function(pass.context, function.op);
        let own = own.map_err(|message| function.op.op_error(pass.context, message))?;
        work.push((function, own));
    }
    let mut status = IRStatus::Unchanged;
    for (function, knobs) in work {
        status |= run(pass, function, &knobs)?;
    }
    Ok(status)
}

/// Says that a rule was applied.
pub fn applied(pass: &mut PassContext<'_>, op: Operation, rule: &str, what: &str) {
    if pass.wants_remarks() {
        pass.remark(op, &Remark::new(RemarkKind::Passed, rule, what));
    }
}

/// What a branch hands to a successor; empty when nobody knows.
pub fn passed(context: &Context, branch: Operation, successor: usize) -> Vec<Value> {
    let range = branch.passed_operands(context, successor);
    let numbers = range.into_iter().flatten();
    numbers
        .map(|number| branch.operand(context, number))
        .collect()
}

/// Puts a branch to one block in the place of a terminator.
pub fn branch_instead(
    context: &mut Context,
    terminator: Operation,
    target: Block,
    values: &[Value],
) -> Operation {
    let location = terminator.location(context);
    let name = OperationName::new(context, "ori.bra");
    let mut state = OperationState::new(name, location);
    state.operands.extend(values.iter().copied());
    state.successors.push(target);
    if terminator.attribute(context, "uniform").is_some() {
        state.set_property(context, "uniform", Attribute::UNIT);
    }
    let point = InsertionPoint::Before(terminator);
    let branch = Builder::at(context, point).create(&state);
    terminator.erase(context);
    branch
}

/// Creates a machine operation before another one.
pub fn create_before(
    context: &mut Context,
    anchor: Operation,
    location: Location,
    op: MachineOperation,
) -> Operation {
    let mut builder = Builder::at(context, InsertionPoint::Before(anchor));
    op.build(&mut builder, location)
}

/// Creates an immediate before an operation.
pub fn immediate_before(
    context: &mut Context,
    anchor: Operation,
    register: Register,
    number: i64,
) -> Value {
    let location = anchor.location(context);
    let ty = register.ty(context);
    let name = OperationName::new(context, "ori.imm");
    let mut state = OperationState::new(name, location);
    let number = Attribute::i64(context, number);
    state.set_property(context, "value", number);
    state.result_types.push(ty);
    let op = Builder::at(context, InsertionPoint::Before(anchor)).create(&state);
    op.result(context, 0)
}

/// Creates a value that may be anything before an operation.
pub fn undefined_before(context: &mut Context, anchor: Operation, like: Value) -> Value {
    let location = anchor.location(context);
    let name = OperationName::new(context, "ori.undef");
    let mut state = OperationState::new(name, location);
    state.result_types.push(like.ty(context));
    let op = Builder::at(context, InsertionPoint::Before(anchor)).create(&state);
    op.result(context, 0)
}

/// Moves the operations of a block with one predecessor to the end of that, in the place of the
/// branch between them.
pub fn merge_into_predecessor(context: &mut Context, branch: Operation, block: Block) {
    let values = passed(context, branch, 0);
    let arguments: Vec<Value> = block.arguments(context).collect();
    for (argument, value) in arguments.into_iter().zip(values) {
        argument.replace_all_uses_with(context, value);
    }
    for op in block.operations(context).collect::<Vec<_>>() {
        op.move_before(context, branch);
    }
    branch.erase(context);
    block.erase(context);
}
