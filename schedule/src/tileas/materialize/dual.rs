//! Two compute agents that take the iterations of a loop in turn.
//!
//! Agent 0 executes the first iteration, agent 1 the second, and so on, each with separate rings.
//! The load agent serves them in iteration order. Results are bit-identical: an iteration is
//! executed unchanged by one agent, but may finish after the next one begins. So the iterations
//! must not depend on each other except for load addresses.
//!
//! Source: TileAS reference 6.6 (dual SIMT). The pages do not state how the work is divided.

use orison_host::arith;
use orison_host::scf;
use orison_ir::declare::Effects;
use orison_ir::walk::collect;
use orison_ir::{Context, Operation, Value};

use super::super::dependence::memory_access;
use super::super::solve::memory_order::is_pure;
use super::super::solve::{Agent, Partition, RegionPlan};
use super::agents::AgentWriter;
use super::channel_key::ChannelKey;

/// The share of total work per iteration that the number of stages is compared with.
const WORK_SHARE: f64 = 0.6;

/// The loop whose iterations two compute agents could take in turn.
///
/// # Errors
/// The reason that there is none.
pub(super) fn shared_loop(context: &Context, plan: &RegionPlan) -> Result<Operation, &'static str> {
    let partition = &plan.partition;
    let mut loops = partition.frames[0]
        .items
        .iter()
        .copied()
        .filter(|op| partition.is_projected(context, *op) || !is_pure(context, *op));
    let (Some(looped), None) = (loops.next(), loops.next()) else {
        return Err("an operation outside of the loop has effects");
    };
    if !scf::For::matches(context, looped) {
        return Err("the scheduled loop is in a branch");
    }
    let kept = partition.work(Agent::COMPUTE).kept.get(&looped);
    if kept.is_some_and(|kept| !kept.is_empty()) {
        return Err("an iteration uses values computed by the previous one");
    }
    let pipes = plan.frames.iter().flat_map(|frame| &frame.pipes);
    let ordered = plan.frames.iter().any(|frame| !frame.mutexes.is_empty());
    if ordered
        || pipes
            .into_iter()
            .any(|pipe| pipe.route.is_some_and(|route| !route.is_load()))
    {
        return Err("an iteration depends on the stores or results of the previous one");
    }
    if !is_unordered(context, partition) {
        return Err("its iterations have effects that are ordered, but not by tokens");
    }
    Ok(looped)
}

/// Whether the compute agent's work is pure, or ordered by tokens alone that iterations do not
/// carry, as they keep nothing.
fn is_unordered(context: &Context, partition: &Partition) -> bool {
    let items = partition.work(Agent::COMPUTE).items.iter();
    let leaves = items.filter(|op| !partition.is_projected(context, **op));
    let all = leaves.flat_map(|op| collect(context, *op));
    all.filter(|op| op.region_count(context) == 0).all(|op| {
        let access = memory_access(context, op);
        let known = op
            .definition(context)
            .is_some_and(|definition| definition.effects != Effects::Unknown);
        known
            && !access.acquires
            && !access.releases
            && access.tensor.as_ref().is_none_or(Vec::is_empty)
            && (access.by_token || !access.writes)
            && !super::super::attributes::has_resources(context, op)
    })
}

/// The heuristic of the reference: two compute agents if there are more stages than 0.6 of the work
/// of an iteration, in operations. `iterations` cancels out except for the integer division.
pub fn use_dual(stage_count: u32, total_work: u64, iterations: u64) -> bool {
    let work = total_work / iterations.max(1);
    // Bodies have far fewer than 2^52 operations.
    #[allow(clippy::cast_precision_loss)]
    let threshold = work as f64 * WORK_SHARE;
    f64::from(stage_count) > threshold
}

/// Whether the heuristic selects two compute agents.
pub(super) fn is_worthwhile(context: &Context, plan: &RegionPlan) -> bool {
    let frames = plan.partition.frames.iter().zip(&plan.frames);
    let scheduled = frames.filter(|(frame, _)| frame.is_scheduled);
    let compute = plan.partition.work(Agent::COMPUTE);
    let (mut stages, mut work) = (0, 0);
    for (frame, data) in scheduled {
        stages = stages.max(data.schedule.stage_count);
        let items = frame.items.iter().filter(|op| compute.items.contains(op));
        work += items
            .filter(|op| !arith::Constant::matches(context, **op))
            .count() as u64;
    }
    use_dual(stages, work, 1)
}

impl AgentWriter<'_, '_> {
    /// The bounds of every second iteration, starting at that of this compute agent; the load agent
    /// starts at the first.
    pub(super) fn alternating_bounds(&mut self, [lower, upper, step]: [Value; 3]) -> [Value; 3] {
        let two = self.emitter.arith("addi", step, step);
        let lower = if self.agent == Agent::COMPUTE && self.group == 1 {
            self.emitter.arith("addi", lower, step)
        } else {
            lower
        };
        [lower, upper, two]
    }

    /// The load agent's body: an iteration for agent 0, and the next for agent 1, if it exists.
    pub(super) fn both_turns(
        &mut self,
        op: Operation,
        index: Value,
        kept: &[usize],
        keys: &[ChannelKey],
    ) {
        let Some(block) = op.body_block(self.ir(), 0) else {
            return;
        };
        let frame = self.plan.partition.frame_of(block).unwrap_or_default();
        self.frame(frame);
        let carried = self.next_carried(block, kept);
        let [upper, step] =
            [1, 2].map(|number| self.mapping.lookup(op.operand(self.emitter.ir(), number)));
        let next = self.emitter.arith("addi", index, step);
        let more = self.emitter.less(next, upper);
        let mut before = carried.clone();
        before.extend(keys.iter().map(|key| self.iterators[key]));
        let types = self.emitter.types_of(&before);
        let branch = self.emitter.create(scf::If::NAME, &[more], &types, &[], 2);
        let (_, outside) = self.emitter.enter(branch, 0);
        let arguments: Vec<Value> = block.arguments(self.ir()).collect();
        self.mapping.map(arguments[0], next);
        for (position, value) in kept.iter().zip(&carried) {
            self.mapping.map(arguments[position + 1], *value);
        }
        self.group = 1;
        self.frame(frame);
        let mut after = self.next_carried(block, kept);
        self.group = 0;
        after.extend(keys.iter().map(|key| self.iterators[key]));
        self.emitter.scf_yield(&after);
        self.emitter.leave(outside);
        let (_, outside) = self.emitter.enter(branch, 1);
        self.emitter.scf_yield(&before);
        self.emitter.leave(outside);
        let results: Vec<Value> = branch.results(self.ir()).collect();
        for (key, value) in keys.iter().zip(&results[kept.len()..]) {
            self.iterators.insert(*key, *value);
        }
        self.emitter.scf_yield(&results);
    }
}

#[cfg(test)]
mod tests {
    use super::use_dual;

    #[test]
    fn the_division_comes_first_and_is_of_integers() {
        // 7 / 4 is 1, and 1 > 0.6; with the exact quotient 1.75 it would not be.
        assert!(use_dual(1, 7, 4));
        assert!(!use_dual(1, 8, 4));
        assert!(use_dual(2, 3, 1));
        assert!(!use_dual(2, 4, 1));
        assert!(use_dual(1, 1, 0));
    }
}
