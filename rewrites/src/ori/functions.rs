//! Shared by passes on `ori` functions: selecting functions, knobs, and changing branches.

use orison_ir::analyses::{ControlFlowGraph, DefUse, LoopForest, PostDominatorTree};
use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::pass::{IRStatus, PassContext, PassFailure, Remark, RemarkKind};
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, Operation, OperationName,
    OperationState, Region, Type, Value, walk,
};
use orison_ori::analyses::Divergence;
use orison_ori::analyses::divergence::FlowAnalyses;
use orison_ori::knobs::Knobs;
use orison_ori::operations as ori;
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

/// The functions with bodies in an operation, including itself, in textual order.
pub fn functions(context: &Context, root: Operation) -> Vec<Function> {
    let all = walk::collect(context, root).into_iter();
    let functions = all.filter(|op| Func::of(context, *op).is_some());
    let bodies = functions.filter_map(|op| {
        let body = op.regions(context).next()?;
        (!body.is_empty(context)).then_some(Function { op, body })
    });
    bodies.collect()
}

/// Runs a closure on each function with its knobs.
///
/// # Errors
/// Fails if a knob does not exist or its value is invalid, before anything is changed, or with the
/// error of `run`.
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

/// The machine that a function is for, as the number in `sm_90a`.
pub fn machine_of(context: &Context, function: Operation) -> Option<u16> {
    orison_machine::sm_number(Func::of(context, function)?.target(context)?)
}

/// The divergent values and branches of a function as it is now.
pub fn divergence(context: &Context, function: Function, flow: &ControlFlowGraph) -> Divergence {
    let analyses = FlowAnalyses {
        flow,
        post_dominators: &PostDominatorTree::of(flow),
        loops: &LoopForest::of(flow),
        chains: &DefUse::of(context, flow),
    };
    Divergence::of(context, function.op, &analyses)
}

/// Reports that a rule was applied.
pub fn applied(pass: &mut PassContext<'_>, op: Operation, rule: &str, what: &str) {
    if pass.wants_remarks() {
        pass.remark(op, &Remark::new(RemarkKind::Passed, rule, what));
    }
}

/// The values a branch passes to a successor; empty if unknown.
pub fn passed(context: &Context, branch: Operation, successor: usize) -> Vec<Value> {
    let range = branch.passed_operands(context, successor);
    let numbers = range.into_iter().flatten();
    numbers
        .map(|number| branch.operand(context, number))
        .collect()
}

/// The values a branch passes to a successor while the block has other arguments already.
pub fn passed_before(context: &Context, branch: Operation, successor: usize) -> Vec<Value> {
    let range = branch.passed_group(context, successor).unwrap_or_default();
    range
        .map(|number| branch.operand(context, number))
        .collect()
}

/// Replaces a terminator with an unconditional branch.
pub fn branch_instead(
    context: &mut Context,
    terminator: Operation,
    target: Block,
    values: &[Value],
) -> Operation {
    let location = terminator.location(context);
    let name = OperationName::new(context, ori::Bra::NAME);
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

/// Creates an operation of three words with a word as its result before another one.
pub fn word_before(
    context: &mut Context,
    anchor: Operation,
    location: Location,
    name: &'static str,
    [a, b, c]: [Value; 3],
) -> Value {
    let op = MachineOperation::new(name)
        .operand("a", a)
        .operand("b", b)
        .operand("c", c)
        .result(Register::R);
    create_before(context, anchor, location, op).result(context, 0)
}

/// Creates an immediate before an operation.
pub fn immediate_before(
    context: &mut Context,
    anchor: Operation,
    register: Register,
    number: i64,
) -> Value {
    let location = anchor.location(context);
    let state = immediate_state(context, location, register, number);
    let op = Builder::at(context, InsertionPoint::Before(anchor)).create(&state);
    op.result(context, 0)
}

/// Creates an undefined value before an operation.
pub fn undefined_before(context: &mut Context, anchor: Operation, like: Value) -> Value {
    let (location, ty) = (anchor.location(context), like.ty(context));
    undefined(context, InsertionPoint::Before(anchor), location, ty)
}

/// Creates an undefined value at the end of a block.
pub fn undefined_at_end(
    context: &mut Context,
    block: Block,
    location: Location,
    ty: Type,
) -> Value {
    undefined(context, InsertionPoint::End(block), location, ty)
}

/// Creates an undefined value at the start of a block.
pub fn undefined_at_start(
    context: &mut Context,
    block: Block,
    location: Location,
    ty: Type,
) -> Value {
    let first = block.first_op(context);
    let point = first.map_or(InsertionPoint::End(block), InsertionPoint::Before);
    undefined(context, point, location, ty)
}

fn undefined(context: &mut Context, point: InsertionPoint, location: Location, ty: Type) -> Value {
    let name = OperationName::new(context, ori::Undef::NAME);
    let mut state = OperationState::new(name, location);
    state.result_types.push(ty);
    let op = Builder::at(context, point).create(&state);
    op.result(context, 0)
}

/// Moves the operations of a block with a single predecessor to the end of that predecessor,
/// replacing the branch between them.
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

/// The target of a branch and the values it passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The block.
    pub target: Block,
    /// The values for its arguments.
    pub values: Vec<Value>,
}

impl Edge {
    /// A successor edge of a branch; `None` if the passed values are unknown.
    pub fn of(context: &Context, branch: Operation, way: usize) -> Option<Edge> {
        let range = branch.passed_operands(context, way)?;
        let target = branch.successor(context, way)?;
        Some(Edge::handing(context, branch, target, range))
    }

    /// All successor edges of a branch, in linear time; `None` if the values passed on one of them
    /// are unknown.
    pub fn all(context: &Context, branch: Operation) -> Option<Vec<Edge>> {
        let edges = branch.edges(context);
        edges
            .map(|(target, range)| Some(Edge::handing(context, branch, target, range?)))
            .collect()
    }

    fn handing(
        context: &Context,
        branch: Operation,
        target: Block,
        operands: std::ops::Range<usize>,
    ) -> Edge {
        let values = operands.map(|number| branch.operand(context, number));
        Edge {
            target,
            values: values.collect(),
        }
    }
}

/// Appends a conditional branch to a block; the first edge is taken if the condition is true.
pub fn append_conditional(
    context: &mut Context,
    block: Block,
    location: Location,
    condition: Value,
    ways: [&Edge; 2],
    uniform: bool,
) -> Operation {
    let name = OperationName::new(context, ori::CondBra::NAME);
    let mut state = OperationState::new(name, location);
    state.operands.push(condition);
    let mut sizes = vec![1];
    for way in ways {
        state.operands.extend(way.values.iter().copied());
        state.successors.push(way.target);
        sizes.push(i32::try_from(way.values.len()).unwrap_or(i32::MAX));
    }
    let sizes = Attribute::i32_array(context, &sizes);
    state.set_property(context, OPERAND_SEGMENTS, sizes);
    append(context, block, state, uniform)
}

/// Appends an indexed branch to a block.
pub fn append_indexed(
    context: &mut Context,
    block: Block,
    location: Location,
    index: Value,
    ways: &[&Edge],
    uniform: bool,
) -> Operation {
    let name = OperationName::new(context, ori::Brx::NAME);
    let mut state = OperationState::new(name, location);
    state.operands.push(index);
    let mut counts = Vec::with_capacity(ways.len());
    for way in ways {
        state.operands.extend(way.values.iter().copied());
        state.successors.push(way.target);
        counts.push(i32::try_from(way.values.len()).unwrap_or(i32::MAX));
    }
    let counts = Attribute::i32_array(context, &counts);
    state.set_property(context, "argument_counts", counts);
    append(context, block, state, uniform)
}

/// Appends an unconditional branch to a block.
pub fn append_branch(
    context: &mut Context,
    block: Block,
    location: Location,
    way: &Edge,
    uniform: bool,
) -> Operation {
    let name = OperationName::new(context, ori::Bra::NAME);
    let mut state = OperationState::new(name, location);
    state.operands.extend(way.values.iter().copied());
    state.successors.push(way.target);
    append(context, block, state, uniform)
}

fn append(
    context: &mut Context,
    block: Block,
    mut state: OperationState,
    uniform: bool,
) -> Operation {
    if uniform {
        state.set_property(context, "uniform", Attribute::UNIT);
    }
    let branch = Operation::create(context, &state);
    block.append(context, branch);
    branch
}

/// Appends a machine operation to a block.
pub fn append_operation(
    context: &mut Context,
    block: Block,
    location: Location,
    op: MachineOperation,
) -> Operation {
    let mut builder = Builder::at(context, InsertionPoint::End(block));
    op.build(&mut builder, location)
}

/// Appends an immediate to a block.
pub fn constant_at_end(
    context: &mut Context,
    block: Block,
    location: Location,
    register: Register,
    number: i64,
) -> Value {
    let state = immediate_state(context, location, register, number);
    let op = Operation::create(context, &state);
    block.append(context, op);
    op.result(context, 0)
}

fn immediate_state(
    context: &mut Context,
    location: Location,
    register: Register,
    number: i64,
) -> OperationState {
    let ty = register.ty(context);
    let name = OperationName::new(context, ori::Imm::NAME);
    let mut state = OperationState::new(name, location);
    let number = Attribute::i64(context, number);
    state.set_property(context, "value", number);
    state.result_types.push(ty);
    state
}
