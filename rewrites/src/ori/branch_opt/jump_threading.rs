//! Jump threading: a branch that passes constants to a block that branches on them is redirected to
//! that block's successor (reference 9.3: branches on a known value, switches included).

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ir::pass::{IRStatus, PassContext};
use orison_ir::{Block, Context, EdgeUpdates, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::properties;
use orison_ori::operations::control::{Brx, CondBra};
use orison_ori::semantics::{Bits, evaluate};
use rustc_hash::FxHashMap;

use crate::ori::functions::{Function, applied, divergence, immediate_before, passed};
use crate::ori::known_bits::{immediate_bits, known_bits};

/// Redirects branches past blocks whose successor they determine, for blocks of at most `most`
/// operations. Linear in the function except for the dominators and, where operations act on the
/// threads that execute them together, for the divergence.
///
/// Threads of a warp that parted and meet in a block have to meet there if they execute such
/// operations behind it.
pub(super) fn thread(pass: &mut PassContext<'_>, function: Function, most: usize) -> IRStatus {
    let flow = ControlFlowGraph::of(pass.context, function.body);
    let forest = LoopForest::of(&flow);
    let mut headers = vec![false; flow.block_count()];
    for natural in forest.loops() {
        headers[natural.header as usize] = true;
    }
    let mut updates = EdgeUpdates::default();
    let mut status = IRStatus::Unchanged;
    let decisions: Vec<u32> = flow
        .reverse_post_order()
        .iter()
        .copied()
        // Redirecting past the header would give the loop two entries.
        .filter(|number| *number != 0 && !headers[*number as usize])
        .filter(|number| is_decision(pass.context, flow.block(*number), most))
        .collect();
    let mut blocks = flow.blocks().iter();
    let acts_together = !decisions.is_empty()
        && blocks.any(|block| {
            let mut operations = block.operations(pass.context);
            operations.any(|op| properties::is_convergent(pass.context, op))
        });
    let divergence = acts_together.then(|| divergence(pass.context, function, &flow));
    for number in decisions {
        let block = flow.block(number);
        if divergence
            .as_ref()
            .is_some_and(|known| known.is_join(number))
        {
            continue;
        }
        // The forwarded values are read from its operands.
        if let Some(branch) = block.terminator(pass.context) {
            updates.flush(pass.context, branch);
        }
        let mut edges: Vec<_> = block.predecessor_edges(pass.context).collect();
        edges.sort_unstable();
        for (branch, way) in edges {
            status |= lead_past(pass, &mut updates, (branch, way), block);
        }
    }
    updates.finish(pass.context);
    status
}

/// Whether a block only computes its own branch.
fn is_decision(context: &Context, block: Block, most: usize) -> bool {
    let Some(branch) = block.terminator(context) else {
        return false;
    };
    let local = |value: Value| {
        let mut users = value.users(context);
        users.all(|user| user.block(context) == Some(block))
    };
    let decided = |op: Operation| {
        op == branch || (properties::is_pure(context, op) && op.results(context).all(local))
    };
    branch.successor_count(context) > 1
        && !branch.successors(context).any(|target| target == block)
        && block.argument_count(context) > 0
        && block.operations(context).take(most + 2).count() <= most + 1
        && block.arguments(context).all(local)
        && block.operations(context).all(decided)
}

/// The outcome of a block for a given branch: the successor and the values passed to it.
struct Path {
    target: Block,
    values: Vec<Handed>,
}

/// A forwarded value.
enum Handed {
    Known(Value),
    /// A constant in a register class.
    Constant(Register, i64),
}

/// Redirects one successor of a branch past a block.
fn lead_past(
    pass: &mut PassContext<'_>,
    updates: &mut EdgeUpdates,
    (branch, way): (Operation, usize),
    block: Block,
) -> IRStatus {
    let values = updates.passed(pass.context, branch, way);
    let path = values.and_then(|values| follow(pass.context, block, values));
    let Some(path) = path else {
        return IRStatus::Unchanged;
    };
    let context = &mut *pass.context;
    let mut handed = Vec::with_capacity(path.values.len());
    for value in path.values {
        handed.push(match value {
            Handed::Known(value) => value,
            Handed::Constant(register, number) => {
                immediate_before(context, branch, register, number)
            }
        });
    }
    updates.redirect(context, branch, way, path.target, handed);
    pass.count("jumps", 1);
    let what = "the passed values decide the next branch";
    applied(pass, branch, "jump-threading", what);
    IRStatus::Changed
}

/// The successor of a block if it is passed these values.
fn follow(context: &Context, block: Block, values: &[Value]) -> Option<Path> {
    if values.len() != block.argument_count(context) {
        return None;
    }
    let mut known: FxHashMap<Value, Bits> = FxHashMap::default();
    let mut handed: FxHashMap<Value, Value> = FxHashMap::default();
    for (argument, value) in block.arguments(context).zip(values) {
        handed.insert(argument, *value);
        known.extend(known_bits(context, *value).map(|bits| (argument, bits)));
    }
    if known.is_empty() {
        return None;
    }
    let bits = |known: &FxHashMap<Value, Bits>, value: Value| {
        let own = known.get(&value).copied();
        own.or_else(|| known_bits(context, value))
    };
    let branch = block.terminator(context)?;
    for op in block.operations(context).filter(|op| *op != branch) {
        let operands = op.operands(context).map(|value| bits(&known, value));
        let Some(operands) = operands.collect::<Option<Vec<_>>>() else {
            continue;
        };
        if let Some(results) = evaluate(context, op, &operands) {
            known.extend(op.results(context).zip(results));
        }
    }
    let choice = bits(&known, branch.operands(context).next()?)?;
    let way = decided_way(context, branch, choice)?;
    let target = branch.successor(context, way)?;
    let on = passed(context, branch, way).into_iter().map(|value| {
        if value.parent_block(context) != Some(block) {
            return Some(Handed::Known(value));
        }
        if let Some(value) = handed.get(&value) {
            return Some(Handed::Known(*value));
        }
        let register = Register::of(context, value.ty(context))?;
        let number = immediate_bits(register, bits(&known, value)?)?;
        Some(Handed::Constant(register, number))
    });
    let values = on.collect::<Option<Vec<_>>>()?;
    Some(Path { target, values })
}

/// The successor index that a branch takes for a condition value.
fn decided_way(context: &Context, branch: Operation, choice: Bits) -> Option<usize> {
    if let Some(conditional) = CondBra::of(context, branch) {
        let inverted = conditional.inverted(context).is_some();
        return Some(usize::from((choice != 0) == inverted));
    }
    Brx::of(context, branch)?;
    let way = usize::try_from(choice).ok()?;
    (way < branch.successor_count(context)).then_some(way)
}
