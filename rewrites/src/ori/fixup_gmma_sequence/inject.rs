//! Injection of arrives, waits and commits into stages that stay pipelined.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Builder, Context, InsertionPoint, Operation, Value};
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use super::flight::MissingWait;
use super::places::Places;
use super::plan::Plan;
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
    let places = Places::of(plan, &flow);
    for wait in merged(&plan.waits) {
        injected.waits += u64::from(inject_wait(context, groups, &places, &wait));
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
                known.completes.add(&wait.completes);
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

/// Inserts a wait for everything, which passes on the accumulators that are used after it; whether
/// it has a place.
fn inject_wait(
    context: &mut Context,
    groups: &MatrixGroups,
    places: &Places<'_>,
    wait: &MissingWait,
) -> bool {
    let Some(anchor) = places.anchor(context, wait) else {
        return false;
    };
    if let Some((product, commit)) = wait.commit {
        commit.move_after(context, product);
    }
    let about = wait.about.unwrap_or(anchor);
    let passed = used_after(context, groups, places, wait, anchor);
    let mut op = MachineOperation::new(ori::WarpgroupWait::NAME).number(context, "count", 0);
    for value in &passed {
        op = op.operand("accumulators", *value);
        op = op.results_like(context, &[*value]);
    }
    let location = about.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(anchor));
    let new = op.build(&mut builder, location);
    for (number, value) in passed.into_iter().enumerate() {
        let complete = new.result(context, number);
        for (user, operand) in places.uses_after(context, value, new) {
            user.set_operand(context, operand, complete);
        }
    }
    true
}

/// The accumulators of the products that a wait completes, as far as they are used where it
/// dominates: they are defined before it, in its block or in those that lead to it alone. What is
/// above a wait for everything, and the commit before that, was complete before.
fn used_after(
    context: &Context,
    groups: &MatrixGroups,
    places: &Places<'_>,
    wait: &MissingWait,
    anchor: Operation,
) -> Vec<Value> {
    let is_passed = |value: &Value| {
        let register = Register::of(context, value.ty(context));
        matches!(register, Some(Register::Accumulator(_)))
            && groups.origins.of_value(*value).meets(&wait.completes)
            && !places.uses_after(context, *value, anchor).is_empty()
    };
    let mut values = Vec::new();
    let mut at = anchor.previous(context);
    let mut block = anchor.block(context);
    let mut is_behind_wait = true;
    while let Some(home) = block {
        while let Some(op) = at {
            let group = role(context, op);
            if group == Some(Role::Commit) && !is_behind_wait {
                values.sort_unstable();
                return values;
            }
            is_behind_wait &= group != Some(Role::Wait(0));
            values.extend(op.results(context).filter(is_passed));
            at = op.previous(context);
        }
        values.extend(home.arguments(context).filter(is_passed));
        block = places.only_before(home);
        at = block.and_then(|block| block.terminator(context));
    }
    values.sort_unstable();
    values
}
