//! The driver for several agents: a region becomes an `agent_switch`.
//!
//! The form is that of TileAS reference 1.12: descriptors, rings, pipelines and iterators before
//! the switch, whose first region is the load agent.

use orison_ir::declare::Trait;
use orison_ir::walk::collect;
use orison_ir::{Attribute, Builder, Context, InsertionPoint, Operation, Value};

use orison_host::scf;
use orison_tileas::nv_tileaa::KernelSpec;
use orison_tileas::nv_tileas;

use super::super::solve::memory_order::{
    is_pure, is_weak, must_follow, nested_token_sources, token_sources,
};
use super::super::solve::{Agent, AgentSet, PlannedItem, RegionPlan};
use super::agents::AgentWriter;
use super::channels::{Channel, Descriptors, next_descriptor};
use super::dual;
use super::emission::Emission;
use super::emit::Emitter;
use super::storage::Storage;
use super::warps::{PackedAgent, WARP_GROUP, divide, pack_roles};

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
    /// Operations before the region that only agents which compute need, and these agents: they
    /// move into them.
    sunk: Vec<(Operation, AgentSet)>,
}

/// Whether two compute agents are requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dual {
    /// Whether the heuristic may choose them.
    pub allowed: bool,
    /// Bytes of shared memory, for the rings of both.
    pub shared_memory: u64,
}

impl Dual {
    /// One compute agent.
    pub const NEVER: Dual = Dual {
        allowed: false,
        shared_memory: 0,
    };
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
        let roles = &plan.partition.roles;
        let (two, undivided) = match two_compute_agents(context, &plan, &storage, dual) {
            Ok(two) => (two, None),
            Err(reason) => (None, Some(reason)),
        };
        let (shared, agents) = match two {
            Some((looped, agents)) => (Some(looped), Some(agents)),
            None if roles.is_listed() => (None, pack_roles(context, at, roles)),
            None => (None, divide(context, at, 1)),
        };
        let Some(agents) = agents else {
            let reason = match roles.is_listed() {
                true => {
                    "the kernel has too few warps or registers for its agents, or their numbers \
                         of warps differ"
                }
                false => "a load agent and a compute agent require 8 warps",
            };
            return Err(Refusal {
                at,
                reason: reason.to_owned(),
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

    /// Whether two compute agents take turns with the iterations of a loop.
    pub const fn takes_turns(&self) -> bool {
        self.shared.is_some()
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
        let compute_agents = if self.takes_turns() { 2 } else { 1 };
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
        let sunk = self.sunk.iter().map(|(op, _)| *op);
        let originals = sunk.chain(items.iter().copied()).collect();
        Emission::new(context, before, first, originals, Vec::new())
    }

    /// Writes the agent of a region. If compute agents take iterations in turn, those after the
    /// first are further copies of it.
    fn agent(
        &self,
        region: usize,
        emitter: &mut Emitter<'_>,
        channels: &[Channel],
        descriptors: &Descriptors,
    ) {
        let copy = match self.shared {
            Some(_) => region.saturating_sub(Agent::COMPUTE.index()),
            None => 0,
        };
        let Some(agent) = Agent::new(region - copy) else {
            return;
        };
        let serves = |channel: &&Channel| {
            let item = match channel.key.item {
                PlannedItem::Pipe(number) => {
                    let pipe = &self.plan.frames[channel.key.frame].pipes[number];
                    pipe.route.is_some_and(|route| route.touches(agent))
                }
                PlannedItem::Mutex(number) => {
                    self.plan.frames[channel.key.frame].mutexes[number].touches(agent)
                }
            };
            item && (agent == Agent::LOAD || channel.key.group == copy)
        };
        let own: Vec<Channel> = channels.iter().filter(serves).copied().collect();
        let mut writer = AgentWriter::new(emitter, &self.plan, agent, &own, descriptors);
        writer.group = copy;
        writer.shared = self.shared;
        writer.sink(&self.sunk);
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
    /// Moves operations that the agent needs from before the region into it.
    fn sink(&mut self, ops: &[(Operation, AgentSet)]) {
        for (op, agents) in ops {
            if agents.contains(self.agent) {
                self.emitter.copy(*op, &mut self.mapping);
            }
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
    if !storage.bindings.is_empty() || !is_dual(context, plan, storage.ring_bytes(plan), dual) {
        return Ok(None);
    }
    let looped = dual::shared_loop(context, plan)?;
    let agents = divide(context, first_item(plan), 2);
    Ok(agents.map(|agents| (looped, agents)))
}

/// Whether the heuristic selects two compute agents for a region whose rings take `ring_bytes`, and
/// warps and shared memory suffice.
fn is_dual(context: &Context, plan: &RegionPlan, ring_bytes: u64, dual: Dual) -> bool {
    let spec = KernelSpec::around(context, first_item(plan));
    let warps = spec.and_then(|spec| spec.num_warps).unwrap_or(0);
    let bytes = ring_bytes.checked_mul(2);
    dual.allowed
        && !plan.partition.roles.is_listed()
        && warps >= 3 * WARP_GROUP
        && bytes.is_some_and(|bytes| bytes <= dual.shared_memory)
        && dual::is_worthwhile(context, plan)
}

/// The compute agents that the iterations of a region would be divided between: two, if they can take
/// turns with the rings as they are planned.
pub(super) fn compute_agents(context: &Context, plan: &RegionPlan, dual: Dual) -> i32 {
    let two =
        is_dual(context, plan, plan.ring_bytes(), dual) && dual::shared_loop(context, plan).is_ok();
    if two { 2 } else { 1 }
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

/// Operations before the region that produce tiles which only agents that compute read, with these
/// agents. Tiles are in the registers of an agent, so the agents that read them compute them; a
/// load has only one.
fn sunk(context: &Context, plan: &RegionPlan) -> Vec<(Operation, AgentSet)> {
    let mut sunk: Vec<(Operation, AgentSet)> = Vec::new();
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
        let pure = is_pure(context, op);
        if !pure && passed.iter().any(|later| waits_for(context, *later, op)) {
            passed.push(op);
            continue;
        }
        let agents = reading_agents(context, plan, &sunk, op);
        let moves = |agents: &AgentSet| {
            pure || (agents.len() == 1 && !is_awaited_elsewhere(context, plan, op, *agents))
        };
        match agents.filter(moves) {
            Some(agents) => sunk.push((op, agents)),
            None => passed.push(op),
        }
    }
    sunk.reverse();
    sunk
}

/// Whether an agent other than the given ones executes an operation that must come after a load
/// from before the region. Load agents execute only loads.
fn is_awaited_elsewhere(
    context: &Context,
    plan: &RegionPlan,
    load: Operation,
    agents: AgentSet,
) -> bool {
    let partition = &plan.partition;
    let roles = &partition.roles;
    let others = roles
        .agents()
        .filter(|agent| !agents.contains(*agent) && !roles.is_loader(*agent));
    let items = others.flat_map(|agent| &partition.work(agent).items);
    let mut items = items.filter(|op| !partition.is_projected(context, **op));
    items.any(|op| must_follow(context, load, *op, &nested_token_sources(context, *op)))
}

/// Whether an operation, or a nested one, must come after a load.
fn waits_for(context: &Context, op: Operation, load: Operation) -> bool {
    collect(context, op)
        .into_iter()
        .any(|op| must_follow(context, load, op, &token_sources(context, op)))
}

/// The agents that read the results of an operation before the region; `None` if a load agent or
/// an operation outside of the agents does.
fn reading_agents(
    context: &Context,
    plan: &RegionPlan,
    sunk: &[(Operation, AgentSet)],
    op: Operation,
) -> Option<AgentSet> {
    let partition = &plan.partition;
    let roles = &partition.roles;
    let mut found = AgentSet::default();
    for usage in op.results(context).flat_map(|value| value.uses(context)) {
        let Some((_, item)) = partition.item_around(context, usage.owner) else {
            let (_, agents) = sunk.iter().find(|(op, _)| *op == usage.owner)?;
            agents.iter().for_each(|agent| {
                found.insert(agent);
            });
            continue;
        };
        // The initial value of a projected loop belongs to the agents that keep the argument, and
        // what a loop or branch yields to those that keep the result.
        let starts = item == usage.owner && scf::For::matches(context, item);
        let initial = usage.operand.checked_sub(3).filter(|_| starts);
        let initial = initial.filter(|_| partition.is_projected(context, item));
        let owner = item.parent_op(context);
        let yielded = owner.filter(|_| item.has_trait(context, Trait::Terminator));
        let carried = match yielded {
            Some(owner) => Some((owner, usage.operand)),
            None => initial.map(|number| (item, number)),
        };
        for agent in roles.agents() {
            let work = partition.work(agent);
            let reads = match carried {
                Some((owner, number)) => {
                    let kept = work.kept.get(&owner);
                    kept.is_some_and(|kept| kept.contains(&number))
                }
                None => work.items.contains(&item),
            };
            if reads && roles.is_loader(agent) {
                return None;
            }
            if reads {
                found.insert(agent);
            }
        }
    }
    Some(found)
}

/// Pure operations, and loads ordered only by tokens.
fn may_sink(context: &Context, op: Operation) -> bool {
    if op.region_count(context) > 0 || op.has_trait(context, Trait::Terminator) {
        return false;
    }
    let load = nv_tileas::TiledLoad::matches(context, op) || nv_tileas::Load::matches(context, op);
    is_pure(context, op) || (load && is_weak(context, op))
}
