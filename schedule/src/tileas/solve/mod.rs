//! `Schedule::solve`: from schedules to the plan of pipes and mutexes between agents.
//!
//! Planning decides and changes nothing; buffer assignment binds the plan to memory and barriers;
//! materialization emits it. No step searches.
//!
//! | step | file |
//! |---|---|
//! | the agents, and the operations assigned to them | `roles.rs` |
//! | the work of each agent, and the values passed | `partition.rs`, `split.rs`, `loads.rs`, `memory_order.rs` |
//! | which values share a pipe: the six phases | `phases.rs`, `disjoint_sets.rs`, `header.rs` |
//! | the common order of all agents | `common_order.rs` |
//! | mutual exclusion | `exclusion.rs` |
//! | the plan | `plan.rs` |
//!
//! Source: page "Schedule Solve and Cost Evaluators", TileAS reference section 6.

mod common_order;
mod disjoint_sets;
mod exclusion;
mod header;
pub(super) mod loads;
pub(super) mod memory_order;
pub(super) mod partition;
mod phases;
mod plan;
pub(super) mod roles;
mod split;

use std::collections::BTreeMap;

use orison_ir::{Context, Diagnostic, Operation};

use super::attributes::{self, WrittenSchedule};
use super::loop_body::LoopBody;
use crate::modulo::DependenceGraph;
pub use common_order::common_order;
pub use disjoint_sets::DisjointSets;
pub use exclusion::{MutexPlan, OrderEdge, OrderedAgents};
pub use header::{Constructed, Flavour, Header, MAX_RING_DEPTH, Payloaded, Skeleton, Zeroed};
pub use loads::LoadKind;
pub use partition::{Frame, Partition, Scope, Work};
pub use phases::{
    FillClass, Problem, RawValue, Route, SolveFlags, SolvePhase, SolvedPipe, solve_all,
};
pub use plan::{FramePlan, PipePlan, PlannedItem, Rotation};
pub use roles::{Agent, AgentSet, Role, Roles};

/// A loop with its schedule and dependences.
#[derive(Clone, Debug)]
pub struct ScheduledLoop {
    /// The loop.
    pub body: LoopBody,
    /// Its dependences.
    pub graph: DependenceGraph,
    /// Its schedule.
    pub schedule: WrittenSchedule,
}

/// The plan of a region that is split between agents: one [`FramePlan`] for each frame.
#[derive(Clone, Debug)]
pub struct RegionPlan {
    /// The split of the work.
    pub partition: Partition,
    /// The plans of the frames, in their order.
    pub frames: Vec<FramePlan>,
}

impl RegionPlan {
    /// Bytes of all rings and their mbarriers at the depth that the schedule needs.
    pub fn ring_bytes(&self) -> u64 {
        let pipes = self.frames.iter().flat_map(|frame| &frame.pipes);
        let bytes = pipes.map(|pipe| pipe.ring_bytes(pipe.depth));
        bytes.fold(0, u64::saturating_add)
    }

    /// The plan of a scheduled loop; `None` if the loop is not in the region.
    pub fn loop_plan(&self, context: &Context, looped: Operation) -> Option<&FramePlan> {
        let block = looped.body_block(context, 0)?;
        let frame = self.partition.frame_of(block)?;
        self.partition.frames[frame]
            .is_scheduled
            .then(|| &self.frames[frame])
    }
}

/// Plans the agents around scheduled loops under one block of a function. `None` if no loop has a
/// load that a separate agent could execute.
///
/// Loads that are not by TMA are also given to the load agent, unless the rings then need more than
/// `shared_memory` bytes: the compute agent can load into its registers.
///
/// # Errors
/// A located error at a value that cannot be passed between agents.
pub fn plan_region(
    context: &Context,
    loops: &[ScheduledLoop],
    shared_memory: u64,
) -> Result<Option<RegionPlan>, Box<Diagnostic>> {
    plan_scope(context, loops, shared_memory, Scope::Region)
}

/// Plans one loop alone, for a single agent that issues loads ahead.
///
/// # Errors
/// As [`plan_region`].
pub fn plan_loop(
    context: &Context,
    scheduled: &ScheduledLoop,
    shared_memory: u64,
) -> Result<Option<RegionPlan>, Box<Diagnostic>> {
    let loops = std::slice::from_ref(scheduled);
    plan_scope(context, loops, shared_memory, Scope::Loop)
}

fn plan_scope(
    context: &Context,
    loops: &[ScheduledLoop],
    shared_memory: u64,
    scope: Scope,
) -> Result<Option<RegionPlan>, Box<Diagnostic>> {
    let all = plan_loads(context, loops, true, scope)?;
    if all
        .as_ref()
        .is_some_and(|plan| plan.ring_bytes() > shared_memory)
    {
        return plan_loads(context, loops, false, scope);
    }
    Ok(all)
}

fn plan_loads(
    context: &Context,
    loops: &[ScheduledLoop],
    stage_plain: bool,
    scope: Scope,
) -> Result<Option<RegionPlan>, Box<Diagnostic>> {
    let ops: Vec<Operation> = loops.iter().map(|scheduled| scheduled.body.op).collect();
    let Some(partition) = split::split_region(context, &ops, stage_plain, scope)? else {
        return Ok(None);
    };
    let mut exclusions = plan::exclusions(context, &partition);
    let by_block: BTreeMap<_, _> = loops
        .iter()
        .map(|scheduled| (scheduled.body.block, scheduled))
        .collect();
    let mut frames = Vec::new();
    for (number, frame) in partition.frames.iter().enumerate() {
        let scheduled = by_block.get(&frame.block);
        let input = plan::FrameInput {
            number,
            scheduled: scheduled.map(|scheduled| (&scheduled.schedule, &scheduled.graph)),
            exclusions: &exclusions.remove(&number).unwrap_or_default(),
        };
        frames.push(plan::plan_frame(context, &partition, &input)?);
    }
    Ok(Some(RegionPlan { partition, frames }))
}

/// The regions of an operation that are split, each with its scheduled loops: loops under one block
/// of a function with only loops and branches in between.
pub fn regions(context: &Context, loops: Vec<ScheduledLoop>) -> Vec<Vec<ScheduledLoop>> {
    let mut regions: Vec<(Option<orison_ir::Block>, Vec<ScheduledLoop>)> = Vec::new();
    for scheduled in loops {
        let block = partition::root_block(context, scheduled.body.op);
        match regions.iter_mut().find(|(known, _)| *known == block) {
            Some((_, loops)) => loops.push(scheduled),
            None => regions.push((block, vec![scheduled])),
        }
    }
    regions.into_iter().map(|(_, loops)| loops).collect()
}

/// Whether a loop has a schedule in its attributes.
pub fn has_schedule(context: &Context, op: Operation) -> bool {
    op.attribute(context, attributes::SUMMARY).is_some()
}
