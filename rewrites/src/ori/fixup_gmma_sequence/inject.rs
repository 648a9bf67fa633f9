//! Injection of arrives, waits and commits into stages that stay pipelined.

use orison_ir::analyses::{ControlFlowGraph, PostDominatorTree};
use orison_ir::declare::Trait;
use orison_ir::{Builder, Context, InsertionPoint, Operation, Value};
use orison_ori::analyses::MatrixGroups;
use orison_ori::operations as ori;
use orison_ori::operations::moves::{Concat, Extract};
use orison_ori::{MachineOperation, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use super::flight::MissingWait;
use super::unit::Plan;
use crate::ori::functions::Function;

/// Statistics of an injection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Injected {
    /// Arrives.
    pub arrives: u64,
    /// Waits.
    pub waits: u64,
    /// Commits.
    pub commits: u64,
    /// Fences that were moved.
    pub moved: u64,
}

/// Carries out a plan.
pub(super) fn inject(
    context: &mut Context,
    function: Function,
    plan: &Plan,
    groups: &MatrixGroups,
) -> Injected {
    let flow = ControlFlowGraph::of(context, function.body);
    let post_dominators = PostDominatorTree::of(&flow);
    let mut injected = Injected::default();
    // Copies of a loop have the same operations.
    for product in unique(plan.closes.iter().copied()) {
        commit_after(context, product);
        injected.commits += 1;
    }
    for (fence, before) in unique(plan.moves.iter()) {
        if fence.next(context) != Some(*before) {
            fence.move_before(context, *before);
            injected.moved += 1;
        }
    }
    let arrives = plan.arrives.iter().map(|arrive| arrive.before);
    for before in unique(arrives.chain(plan.landed.iter().copied())) {
        arrive_before(context, before);
        injected.arrives += 1;
    }
    let order = (&flow, &post_dominators);
    for wait in merged(&plan.waits) {
        injected.waits += u64::from(inject_wait(context, plan, groups, order, &wait));
    }
    injected
}

/// The first of equal items, in order.
fn unique<T: Copy + Eq + std::hash::Hash>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen: FxHashSet<T> = FxHashSet::default();
    all.filter(|one| seen.insert(*one)).collect()
}

/// The waits, with those before the same operation as one.
fn merged(waits: &[MissingWait]) -> Vec<MissingWait> {
    let mut places: FxHashMap<Operation, usize> = FxHashMap::default();
    let mut all: Vec<MissingWait> = Vec::new();
    for wait in waits {
        let place = wait.before.map(|op| *places.entry(op).or_insert(all.len()));
        match place.filter(|place| *place < all.len()) {
            Some(place) => {
                let known = &mut all[place];
                known.completes.extend(&wait.completes);
                known.completes.sort_unstable();
                known.completes.dedup();
                known.commit = known.commit.or(wait.commit);
            }
            None => all.push(wait.clone()),
        }
    }
    all
}

/// Inserts an arrive before a product or commit.
pub(super) fn arrive_before(context: &mut Context, op: Operation) {
    let location = op.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(op));
    MachineOperation::new(ori::WarpgroupArrive::NAME).build(&mut builder, location);
}

/// Closes the group of a product.
pub(super) fn commit_after(context: &mut Context, op: Operation) -> Operation {
    let location = op.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(op));
    builder.set_insertion_point_after(op);
    MachineOperation::new(ori::WarpgroupCommit::NAME).build(&mut builder, location)
}

/// Where a wait goes: before an operation, or before the end of a section.
fn place(context: &Context, plan: &Plan, wait: &MissingWait) -> Option<InsertionPoint> {
    if let Some(op) = wait.before {
        return Some(InsertionPoint::Before(before_parts(context, op)));
    }
    let section = &plan.sections[wait.section];
    if let Some(branch) = section.branch {
        return Some(InsertionPoint::Before(branch));
    }
    let last = *section.operations.last()?;
    if last.has_trait(context, Trait::Terminator) {
        return Some(InsertionPoint::Before(last));
    }
    match last.next(context) {
        Some(next) => Some(InsertionPoint::Before(next)),
        None => last.block(context).map(InsertionPoint::End),
    }
}

/// The first of the extracts and concatenations right before an operation: they are no instructions,
/// and take what the operation reads.
fn before_parts(context: &Context, op: Operation) -> Operation {
    let mut first = op;
    while let Some(before) = first.previous(context) {
        if !Extract::matches(context, before) && !Concat::matches(context, before) {
            break;
        }
        first = before;
    }
    first
}

/// A place that is executed whenever the section is: before the branch to the arm that a place is in.
fn above_arms(
    context: &Context,
    plan: &Plan,
    (flow, post_dominators): (&ControlFlowGraph, &PostDominatorTree),
    wait: &MissingWait,
    point: InsertionPoint,
) -> InsertionPoint {
    let InsertionPoint::Before(anchor) = point else {
        return point;
    };
    let number = |op: Operation| op.block(context).and_then(|block| flow.number(block));
    let first = plan.sections[wait.section].operations.first().copied();
    let (Some(first), Some(mut block)) = (first.and_then(number), number(anchor)) else {
        return point;
    };
    let mut found = point;
    while block != first && !post_dominators.post_dominates(block, first) {
        let Some(above) = flow.dominators().parent(block) else {
            break;
        };
        block = above;
        match flow.block(block).terminator(context) {
            Some(branch) => found = InsertionPoint::Before(branch),
            None => break,
        }
    }
    found
}

/// Inserts a wait for everything, which passes on the accumulators that are used after it; whether
/// it has a place.
fn inject_wait(
    context: &mut Context,
    plan: &Plan,
    groups: &MatrixGroups,
    order: (&ControlFlowGraph, &PostDominatorTree),
    wait: &MissingWait,
) -> bool {
    let point = place(context, plan, wait);
    let Some(point) = point.map(|point| above_arms(context, plan, order, wait, point)) else {
        return false;
    };
    let InsertionPoint::Before(anchor) = point else {
        return false;
    };
    if let Some((product, commit)) = wait.commit {
        commit.move_after(context, product);
    }
    let about = wait.about.unwrap_or(anchor);
    let passed = used_after(context, groups, wait, anchor);
    let mut op = MachineOperation::new(ori::WarpgroupWait::NAME).number(context, "count", 0);
    for value in &passed {
        op = op.operand("accumulators", *value);
        op = op.results_like(context, &[*value]);
    }
    let location = about.location(context);
    let mut builder = Builder::at(context, point);
    let new = op.build(&mut builder, location);
    for (number, value) in passed.into_iter().enumerate() {
        let complete = new.result(context, number);
        for (user, operand) in uses_after(context, value, new) {
            user.set_operand(context, operand, complete);
        }
    }
    true
}

/// The accumulators of the products that a wait completes, as far as they are used where it
/// dominates.
fn used_after(
    context: &Context,
    groups: &MatrixGroups,
    wait: &MissingWait,
    anchor: Operation,
) -> Vec<Value> {
    let completes: FxHashSet<Operation> = wait.completes.iter().copied().collect();
    let mut values = groups.origins.values();
    values.retain(|value| {
        let is_live = value.is_live(context)
            && matches!(
                Register::of(context, value.ty(context)),
                Some(Register::Accumulator(_))
            );
        let origins = groups.origins.of_value(*value).iter();
        is_live
            && origins.into_iter().any(|o| completes.contains(&o.product))
            && is_defined_before(context, *value, anchor)
            && !uses_after(context, *value, anchor).is_empty()
    });
    values
}

/// Whether a value is defined in the block of an operation, before it, or in a block that dominates
/// it by being its only way in.
fn is_defined_before(context: &Context, value: Value, op: Operation) -> bool {
    match value.defining_op(context) {
        Some(defined) if defined.block(context) == op.block(context) => {
            defined != op && defined.is_before_in_block(context, op)
        }
        _ => {
            let home = value.parent_block(context);
            home.is_some_and(|home| alone_before(context, op).contains(&home))
        }
    }
}

/// The block of an operation and those that lead to it alone, backwards.
fn alone_before(context: &Context, op: Operation) -> Vec<orison_ir::Block> {
    let mut chain = Vec::new();
    let mut at = op.block(context);
    while let Some(block) = at.filter(|block| !chain.contains(block)) {
        chain.push(block);
        let mut before = block.predecessors(context);
        at = before.next().filter(|_| before.next().is_none());
    }
    chain
}

/// The uses of a value after an operation: in its block, and in blocks that are reached only
/// through it.
fn uses_after(context: &Context, value: Value, op: Operation) -> Vec<(Operation, usize)> {
    let here = op.block(context);
    let mut found: Vec<(Operation, usize)> = value
        .uses(context)
        .map(|usage| (usage.owner, usage.operand))
        .filter(|(user, _)| {
            *user != op
                && if user.block(context) == here {
                    op.is_before_in_block(context, *user)
                } else {
                    let chain = alone_before(context, *user);
                    here.is_some_and(|here| chain.contains(&here))
                }
        })
        .collect();
    found.sort_unstable();
    found
}
