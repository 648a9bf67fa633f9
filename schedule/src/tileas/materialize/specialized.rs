//! The driver for several agents: a region becomes an `agent_switch`.
//!
//! The form is that of TileAS reference 1.12: descriptors, rings, pipelines and iterators before
//! the switch, whose first region is the load agent.

use orison_ir::declare::Trait;
use orison_ir::walk::collect;
use orison_ir::{Attribute, Builder, Context, InsertionPoint, Operation, Value};

use orison_tileas::nv_tileaa::KernelSpec;

use super::super::solve::memory::{is_pure, is_weak, must_follow, token_sources};
use super::super::solve::{RegionPlan, Role};
use super::agents::AgentWriter;
use super::channels::{Channel, Descriptors, next_descriptor};
use super::dual;
use super::emission::Emission;
use super::emit::Emitter;
use super::storage::Storage;
use super::warps::{PackedAgent, WARP_GROUP, divide};

/// A region for which everything is decided, before any change.
#[derive(Clone, Debug)]
pub struct Specialized {
    plan: RegionPlan,
    storage: Storage,
    agents: Vec<PackedAgent>,
    /// The loop whose iterations two compute agents take in turn.
    shared: Option<Operation>,
    /// The reason why there is none, if two compute agents were selected.
    undivided: Option<&'static str>,
    /// Operations before the region that only the compute agent needs: they move into it.
    sunk: Vec<Operation>,
}

/// Whether two compute agents are requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dual {
    /// Whether the heuristic may choose them.
    pub allowed: bool,
    /// Bytes of shared memory, for the rings of both.
    pub shared_memory: u64,
}

/// The reason a region has no agents: it may still be pipelined within one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The conflicting operation.
    pub at: Operation,
    /// The reason.
    pub reason: String,
    /// A suggestion for the user.
    pub help: &'static str,
}

impl Specialized {
    /// Decides how a planned region is split into agents.
    ///
    /// # Errors
    /// The reason why it cannot; it may still be pipelined within one agent.
    pub fn prepare(
        context: &Context,
        plan: RegionPlan,
        storage: Storage,
        dual: Dual,
    ) -> Result<Self, Refusal> {
        let at = first_item(&plan);
        if let Some(end) = leaves(context, &plan) {
            return Err(Refusal {
                at: end,
                reason: "a result is used outside of the agents, which have no results".to_owned(),
                help: "store the result to memory",
            });
        }
        let (two, undivided) = match two_compute_agents(context, &plan, &storage, dual) {
            Ok(two) => (two, None),
            Err(reason) => (None, Some(reason)),
        };
        let (shared, agents) = match two {
            Some((looped, agents)) => (Some(looped), Some(agents)),
            None => (None, divide(context, at, 1)),
        };
        let Some(agents) = agents else {
            return Err(Refusal {
                at,
                reason: "a load agent and a compute agent require 8 warps".to_owned(),
                help: "raise numWarps in nv_tileaa.kernel_spec",
            });
        };
        let sunk = sunk(context, &plan);
        Ok(Specialized {
            plan,
            storage,
            agents,
            shared,
            undivided,
            sunk,
        })
    }

    /// A loop of the region, and the reason why it has one compute agent where two were selected.
    pub fn undivided(&self, context: &Context) -> Option<(Operation, &'static str)> {
        let reason = self.undivided?;
        let mut items = self.plan.partition.frames[0].items.iter();
        let looped = items.find(|op| op.region_count(context) > 0);
        Some((looped.copied().unwrap_or(first_item(&self.plan)), reason))
    }

    /// The plan.
    pub fn plan(&self) -> &RegionPlan {
        &self.plan
    }

    /// Writes the agents before the region.
    pub fn emit(&self, context: &mut Context) -> Emission {
        let first = first_item(&self.plan);
        let before = first.previous(context);
        let location = first.location(context);
        let mut next = next_descriptor(context, first);
        let mut builder = Builder::new(context);
        builder.set_insertion_point(InsertionPoint::Before(first));
        let mut emitter = Emitter { builder, location };
        let descriptors = emitter.descriptors(&self.plan, &mut next);
        let compute_agents = if self.shared.is_some() { 2 } else { 1 };
        let channels = emitter.channels(&self.plan, &self.storage, compute_agents);
        let switch = self.switch(&mut emitter, &channels);
        for (region, packed) in self.agents.iter().enumerate() {
            let (_, outside) = emitter.enter(switch, region);
            if let Some(agent) = packed.agent {
                self.agent(agent, &mut emitter, &channels, &descriptors);
            }
            emitter.pipeline_yield(&[]);
            emitter.leave(outside);
        }
        let items = &self.plan.partition.frames[0].items;
        let originals = self.sunk.iter().chain(items).copied().collect();
        Emission::new(context, before, first, originals, Vec::new())
    }

    /// Writes an agent: agent 0 loads, the others compute.
    fn agent(
        &self,
        agent: usize,
        emitter: &mut Emitter<'_>,
        channels: &[Channel],
        descriptors: &Descriptors,
    ) {
        let group = agent.saturating_sub(1);
        let role = if agent == 0 {
            Role::Load
        } else {
            Role::Compute
        };
        let serves = |channel: &&Channel| role == Role::Load || channel.key.group == group;
        let own: Vec<Channel> = channels.iter().filter(serves).copied().collect();
        let mut writer = AgentWriter::new(emitter, &self.plan, role, &own, descriptors);
        writer.group = group;
        writer.shared = self.shared;
        if role == Role::Compute {
            writer.sink(&self.sunk);
        }
        writer.frame(0);
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
    /// Moves operations from before the region into the agent.
    fn sink(&mut self, ops: &[Operation]) {
        for &op in ops {
            self.emitter.copy(op, &mut self.mapping);
        }
    }
}

/// The loop and the warps of two compute agents, if the heuristic selects them, and warps and shared
/// memory suffice. Previously assigned storage is for one compute agent.
///
/// # Errors
/// The reason why the loop does not permit it.
fn two_compute_agents(
    context: &Context,
    plan: &RegionPlan,
    storage: &Storage,
    dual: Dual,
) -> Result<Option<(Operation, Vec<PackedAgent>)>, &'static str> {
    let spec = KernelSpec::around(context, first_item(plan));
    let warps = spec.and_then(|spec| spec.num_warps).unwrap_or(0);
    let bytes = storage.ring_bytes(plan).checked_mul(2);
    let fits = bytes.is_some_and(|bytes| bytes <= dual.shared_memory);
    let selected = dual.allowed
        && storage.bindings.is_empty()
        && warps >= 3 * WARP_GROUP
        && fits
        && dual::is_worthwhile(context, plan);
    if !selected {
        return Ok(None);
    }
    let looped = dual::shared_loop(context, plan)?;
    let agents = divide(context, first_item(plan), 2);
    Ok(agents.map(|agents| (looped, agents)))
}

fn first_item(plan: &RegionPlan) -> Operation {
    plan.partition.frames[0].items[0]
}

/// An operation outside the region that needs a result of the region.
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

/// Operations before the region that produce tiles only the compute agent reads. Tiles are in the
/// registers of an agent, so the agent that reads them computes them.
fn sunk(context: &Context, plan: &RegionPlan) -> Vec<Operation> {
    let mut sunk: Vec<Operation> = Vec::new();
    // Later operations that are not moved.
    let mut passed: Vec<Operation> = Vec::new();
    let mut current = first_item(plan).previous(context);
    while let Some(op) = current {
        current = op.previous(context);
        let brings_tile = op
            .results(context)
            .any(|value| value.ty(context).is_shaped(context));
        if !brings_tile || !may_sink(context, op) || op.is_unused(context) {
            passed.push(op);
            continue;
        }
        if !is_pure(context, op) && passed.iter().any(|later| waits_for(context, *later, op)) {
            passed.push(op);
            continue;
        }
        let mut uses = op.results(context).flat_map(|value| value.uses(context));
        if uses.all(|usage| is_for_compute(context, plan, &sunk, usage.owner, usage.operand)) {
            sunk.push(op);
        } else {
            passed.push(op);
        }
    }
    sunk.reverse();
    sunk
}

/// Whether an operation, or a nested one, must come after a load.
fn waits_for(context: &Context, op: Operation, load: Operation) -> bool {
    collect(context, op)
        .into_iter()
        .any(|op| must_follow(context, load, op, &token_sources(context, op)))
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
    // A projected loop of both agents: its initial value belongs to the agent that keeps the
    // argument.
    let kept = load.kept.get(&item);
    let starts = item == owner && owner.is(context, "scf.for");
    starts && operand >= 3 && kept.is_none_or(|kept| !kept.contains(&(operand - 3)))
}

/// Pure operations, and loads ordered only by tokens.
fn may_sink(context: &Context, op: Operation) -> bool {
    if op.region_count(context) > 0 || op.has_trait(context, Trait::Terminator) {
        return false;
    }
    let load = op.is(context, "nv_tileas.tiled_load") || op.is(context, "nv_tileas.load");
    is_pure(context, op) || (load && is_weak(context, op))
}
