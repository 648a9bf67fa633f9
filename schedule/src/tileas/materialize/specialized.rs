//! The driver of several agents: a region becomes an `agent_switch`.
//!
//! The form is that of TileAS reference 1.12: descriptors, rings, pipelines and iterators before
//! the switch, whose first region is the load agent.

use orison_ir::declare::Trait;
use orison_ir::{Attribute, Builder, Context, InsertionPoint, Operation, Value};

use super::super::solve::memory::{is_pure, is_weak};
use super::super::solve::{RegionPlan, Role};
use super::agents::AgentWriter;
use super::channels::{Channel, next_descriptor};
use super::emit::Emitter;
use super::storage::Storage;
use super::warps::{PackedAgent, divide};

/// A region for which everything is decided, and nothing changed yet.
#[derive(Clone, Debug)]
pub struct Specialized {
    plan: RegionPlan,
    storage: Storage,
    agents: Vec<PackedAgent>,
    /// Operations before the region that only the compute agent needs: it takes them over.
    sunk: Vec<Operation>,
}

/// Why a region has no agents: it may still be pipelined within one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The operation in the way.
    pub at: Operation,
    /// The reason.
    pub reason: String,
    /// What would help.
    pub help: &'static str,
}

impl Specialized {
    /// Decides how a planned region becomes agents.
    ///
    /// # Errors
    /// The reason why it cannot; it may still be pipelined within one agent.
    pub fn prepare(context: &Context, plan: RegionPlan, storage: Storage) -> Result<Self, Refusal> {
        let at = first_item(&plan);
        if let Some(end) = leaves(context, &plan) {
            return Err(Refusal {
                at: end,
                reason: "a result leaves the region of the agents, and agents return nothing"
                    .to_owned(),
                help: "store the result to memory",
            });
        }
        let Some(agents) = divide(context, at, 1) else {
            return Err(Refusal {
                at,
                reason: "a load agent and a compute agent need 8 warps".to_owned(),
                help: "raise numWarps in nv_tileaa.kernel_spec",
            });
        };
        let sunk = sunk(context, &plan);
        Ok(Specialized {
            plan,
            storage,
            agents,
            sunk,
        })
    }

    /// The plan.
    pub fn plan(&self) -> &RegionPlan {
        &self.plan
    }

    /// Replaces the region by agents.
    pub fn emit(&self, context: &mut Context) {
        let first = first_item(&self.plan);
        let location = first.location(context);
        let mut next = next_descriptor(context, first);
        let mut builder = Builder::new(context);
        builder.set_insertion_point(InsertionPoint::Before(first));
        let mut emitter = Emitter { builder, location };
        let descriptors = emitter.descriptors(&self.plan, &mut next);
        let channels = emitter.channels(&self.plan, &self.storage, |role| role as i64);
        let switch = self.switch(&mut emitter, &channels);
        for (region, packed) in self.agents.iter().enumerate() {
            let (_, outside) = emitter.enter(switch, region);
            if let Some(agent) = packed.agent {
                let role = if agent == 0 {
                    Role::Load
                } else {
                    Role::Compute
                };
                let mut writer =
                    AgentWriter::new(&mut emitter, &self.plan, role, &channels, &descriptors);
                if role == Role::Compute {
                    writer.sink(&self.sunk);
                }
                writer.frame(0);
            }
            emitter.pipeline_yield(&[]);
            emitter.leave(outside);
        }
        for op in self.plan.partition.frames[0].items.iter().rev() {
            op.erase(context);
        }
        for op in self.sunk.iter().rev() {
            op.erase(context);
        }
    }

    /// The switch with an empty region for each agent.
    fn switch(&self, emitter: &mut Emitter<'_>, channels: &[Channel]) -> Operation {
        let captures: Vec<Value> = channels
            .iter()
            .flat_map(|channel| [channel.pipeline, channel.filling, channel.draining])
            .collect();
        let list = |emitter: &mut Emitter<'_>, of: fn(&PackedAgent) -> i32| {
            let values: Vec<i32> = self.agents.iter().map(of).collect();
            Attribute::i32_array(emitter.builder.context(), &values)
        };
        let mut properties = vec![
            ("num_agents_per_group", emitter.i32(1)),
            ("max_regs", list(emitter, |agent| agent.registers)),
            ("num_warps", list(emitter, |agent| agent.warps)),
            ("warp_id", list(emitter, |agent| agent.start)),
            ("agent_strides", list(emitter, |agent| agent.stride)),
            ("isolated", Attribute::FALSE),
        ];
        if self.agents.iter().any(|agent| agent.agent.is_none()) {
            let holes: Vec<i64> = self
                .agents
                .iter()
                .map(|agent| i64::from(agent.agent.is_none()))
                .collect();
            let context = emitter.builder.context();
            let holes = Attribute::dense_array(context, orison_ir::Type::I1, &holes);
            properties.push(("holes", holes));
        }
        let regions = self.agents.len();
        emitter.pipeline_op("agent_switch", &captures, &[], &properties, regions)
    }
}

impl AgentWriter<'_, '_> {
    /// Takes over operations that stood before the region.
    fn sink(&mut self, ops: &[Operation]) {
        for &op in ops {
            self.emitter.copy(op, &mut self.mapping);
        }
    }
}

fn first_item(plan: &RegionPlan) -> Operation {
    plan.partition.frames[0].items[0]
}

/// An operation that needs a result of the region and is not in it.
fn leaves(context: &Context, plan: &RegionPlan) -> Option<Operation> {
    let root = &plan.partition.frames[0];
    let users = root
        .items
        .iter()
        .flat_map(|op| op.results(context))
        .flat_map(|value| value.users(context));
    let mut outside = users.filter(|user| {
        let item = user.ancestor_in_block(context, root.block);
        item.is_none_or(|item| !root.items.contains(&item))
    });
    outside.next()
}

/// Operations before the region that bring tiles only the compute agent reads. Tiles live in the
/// registers of an agent, so the one that reads them computes them.
fn sunk(context: &Context, plan: &RegionPlan) -> Vec<Operation> {
    let mut sunk: Vec<Operation> = Vec::new();
    let mut current = first_item(plan).previous(context);
    while let Some(op) = current {
        current = op.previous(context);
        let brings_tile = op
            .results(context)
            .any(|value| value.ty(context).is_shaped(context));
        if !brings_tile || !may_sink(context, op) || op.is_unused(context) {
            continue;
        }
        let mut uses = op.results(context).flat_map(|value| value.uses(context));
        if uses.all(|usage| is_for_compute(context, plan, &sunk, usage.owner, usage.operand)) {
            sunk.push(op);
        }
    }
    sunk.reverse();
    sunk
}

/// Whether only the compute agent reads an operand.
fn is_for_compute(
    context: &Context,
    plan: &RegionPlan,
    sunk: &[Operation],
    owner: Operation,
    operand: usize,
) -> bool {
    let partition = &plan.partition;
    let Some((_, item)) = partition.item_around(context, owner) else {
        return sunk.contains(&owner);
    };
    let load = partition.work(Role::Load);
    if !load.items.contains(&item) {
        return true;
    }
    // A projected loop of both agents: what it starts with belongs to who keeps the argument.
    let kept = load.kept.get(&item);
    let starts = item == owner && owner.is(context, "scf.for");
    starts && operand >= 3 && kept.is_none_or(|kept| !kept.contains(&(operand - 3)))
}

/// Pure operations, and loads that only tokens order.
fn may_sink(context: &Context, op: Operation) -> bool {
    if op.region_count(context) > 0 || op.has_trait(context, Trait::Terminator) {
        return false;
    }
    let load = op.is(context, "nv_tileas.tiled_load") || op.is(context, "nv_tileas.load");
    is_pure(context, op) || (load && is_weak(context, op))
}
