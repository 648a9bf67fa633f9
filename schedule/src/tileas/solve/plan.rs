//! The pipelines of each frame, decided before anything is emitted.
//!
//! Source: TileAS reference 6.2, 6.3, 4.8 (depth), C87 (plan, assign, emit).

use std::collections::{BTreeMap, BTreeSet};

use orison_host::scf;
use orison_ir::{Context, Diagnostic, Operation, Type, Value};
use orison_tileas::MemorySpace;
use orison_tileas::views::memory_space;

use super::super::tokens::async_tokens;
use super::WrittenSchedule;
use super::common_order::common_order;
use super::exclusion::{MutexPlan, OrderEdge, OrderedAgents, mutexes};
use super::header::{Flavour, Header, Payloaded};
use super::loads::value_bytes;
use super::memory_order::{common_storage, must_follow, nested_token_sources, token_sources};
use super::partition::{Frame, Partition};
use super::phases::{FillClass, Problem, RawValue, Route, SolveFlags, SolvedPipe, solve_all};
use super::roles::{Agent, AgentSet};
use crate::buffers::MBARRIER_BYTES;
use crate::modulo::DependenceGraph;

/// A pipeline of a frame's plan, by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PlannedItem {
    /// The n-th pipe.
    Pipe(usize),
    /// The n-th mutex.
    Mutex(usize),
}

/// A pipe between agents. Nodes are positions in [`FramePlan::items`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipePlan {
    /// The facts written to the IR: users, stages, orders, flavour, payload.
    pub header: Header<Payloaded>,
    /// The operations that define the values, in the common order; empty if the values are carried
    /// arguments of the loop, or are not defined in the loop.
    pub producers: Vec<usize>,
    /// The operations that read the values, in program order. Empty if only the next iteration or
    /// operations after the frame read them.
    pub consumers: Vec<usize>,
    /// Items of the reading agents that do not read the values but must come after the loads.
    pub followers: Vec<usize>,
    /// Items of the reading agents that wait for asynchronous readers, which use the slot until
    /// then.
    pub completions: Vec<usize>,
    /// The values of one stage.
    pub values: Vec<Value>,
    /// How the values are passed; `None` for the pipe of a consumer without producers.
    pub route: Option<Route>,
    /// Bytes of one slot.
    pub slot_bytes: u64,
    /// Slots that the schedule needs to avoid stalls, and at least two, as the ends are in
    /// different agents. One if the pipe is filled once.
    pub depth: u32,
    /// Whether the pipe is filled once: no loop is around it.
    pub once: bool,
    /// Cycle, in the first iteration, in which the first producer starts to write.
    pub first_write: i64,
    /// Cycle at which the last consumer of that iteration's values completes.
    pub last_read_end: i64,
    /// Cycles from one iteration to the next.
    pub interval: u32,
}

impl PipePlan {
    /// Whether loads fill the slots.
    pub fn is_load(&self) -> bool {
        self.route.is_some_and(Route::is_load)
    }

    /// Whether an agent fills the slots with values that it computes.
    pub fn is_computed_by(&self, agent: Agent) -> bool {
        self.route
            .is_some_and(|route| !route.is_load() && route.from == agent)
    }

    /// Whether an agent reads the slots.
    pub fn is_read_by(&self, agent: Agent) -> bool {
        self.route.is_some_and(|route| route.to.contains(agent))
    }

    /// Bytes of a ring with this many slots, and of two mbarriers for each.
    pub fn ring_bytes(&self, slots: u32) -> u64 {
        let slot = self.slot_bytes.saturating_add(2 * MBARRIER_BYTES);
        slot.saturating_mul(u64::from(slots))
    }

    /// Types of the values of one stage.
    pub fn payload(&self) -> &[Type] {
        self.header.payload()
    }

    /// The payload kind of the pipe.
    pub fn flavour(&self) -> Flavour {
        self.header.flavour()
    }
}

/// The plan of one frame: for a scheduled loop, the loop plan.
#[derive(Clone, Debug)]
pub struct FramePlan {
    /// The operations of the frame in program order.
    pub items: Vec<Operation>,
    /// The common order of all agents, as positions in `items`.
    pub order: Vec<usize>,
    /// The schedule; for an unscheduled frame, operations one after another.
    pub schedule: WrittenSchedule,
    /// Pipes, by (stage, order) of their first producer.
    pub pipes: Vec<PipePlan>,
    /// Mutexes; their positions are positions in `order`.
    pub mutexes: Vec<MutexPlan>,
    /// The outcome of the solve.
    pub flags: SolveFlags,
    /// How iterations overlap inside agents; `None` if they do not.
    pub rotation: Option<Rotation>,
    /// The predicted cycles of an iteration if iterations do not overlap inside agents; `None` if they
    /// are not predicted.
    pub sequential: Option<u32>,
}

/// The times of a loop whose iterations overlap inside its agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// Cycles from an iteration to the next.
    pub interval: i64,
    /// The start cycle of each item, in its iteration.
    pub starts: Vec<i64>,
    /// Cycles from the start of each item until its results are available.
    pub latencies: Vec<i64>,
    /// Cycles of a wait for a slot or a completion.
    pub handshake: i64,
    /// Iterations that overlap in the agent where most do.
    pub stages: usize,
    /// The predicted cycles of an iteration.
    pub cycles: u32,
}

impl FramePlan {
    /// The predicted cycles of an iteration of the agents, without the start and the end of the loop.
    pub fn cycles(&self) -> Option<u32> {
        let overlapped = self.rotation.as_ref().map(|rotation| rotation.cycles);
        overlapped.or(self.sequential)
    }

    /// Stage and order of a mutex: of the first operation around which it is held.
    pub fn mutex_schedule(&self, mutex: &MutexPlan) -> Option<(u32, u32)> {
        let node = *self.order.get(mutex.held_first.0)?;
        Some((self.schedule.stages[node], self.schedule.orders[node]))
    }
}

/// The facts about a frame before it is solved.
pub(super) struct FrameInput<'i> {
    pub(super) number: usize,
    /// The schedule and the dependences, for a scheduled loop.
    pub(super) scheduled: Option<(&'i WrittenSchedule, &'i DependenceGraph)>,
    /// Pairs of items of different agents of which the second must not overtake the first.
    pub(super) exclusions: &'i Exclusions,
}

/// Pairs of nodes of a frame that must be kept in order, by the agents that execute them.
pub(super) type Exclusions = BTreeMap<OrderedAgents, BTreeSet<(usize, usize)>>;

type Planned<T> = Result<T, Box<Diagnostic>>;

/// Plans one frame.
///
/// # Errors
/// At the operation whose value cannot be passed.
pub(super) fn plan_frame(
    context: &Context,
    partition: &Partition,
    input: &FrameInput<'_>,
) -> Planned<FramePlan> {
    let frame = &partition.frames[input.number];
    let items = frame.items.clone();
    let schedule = match input.scheduled {
        Some((schedule, _)) => schedule.clone(),
        None => sequential(items.len()),
    };
    let values = raw_values(context, partition, input.number);
    check_types(context, &values)?;
    let (solved, flags, order) = solve_in_order(context, frame, input, &schedule, &values)?;
    let mut position_of = vec![0; items.len()];
    for (position, node) in order.iter().enumerate() {
        position_of[*node] = position;
    }
    let builder = PipeBuilder {
        context,
        values: &values,
        schedule: &schedule,
        graph: input.scheduled.map(|(_, graph)| graph),
        position_of: &position_of,
        once: !is_in_loop(context, frame.block),
    };
    let mut pipes: Vec<PipePlan> = solved.into_iter().map(|pipe| builder.pipe(pipe)).collect();
    // Values carried into the loop are passed at the start of an iteration.
    let carried = values.iter().filter(|value| value.at_start);
    pipes.extend(carried.map(|value| builder.carried(value)));
    let waiting = waiting(context, partition, input.number);
    for pipe in &mut pipes {
        pipe.completions = completions(context, &items, &pipe.consumers);
        pipe.followers = followers(context, &items, &position_of, &waiting, &pipe.producers);
    }
    let exclusions = input
        .exclusions
        .iter()
        .map(|(agents, pairs)| {
            let edges = pairs.iter().map(|(before, after)| OrderEdge {
                before: position_of[*before],
                after: position_of[*after],
            });
            (*agents, edges.collect())
        })
        .collect();
    Ok(FramePlan {
        mutexes: mutexes(&exclusions, frame.is_loop),
        items,
        order,
        schedule,
        pipes,
        flags,
        rotation: None,
        sequential: None,
    })
}

/// The pipes of a frame and the common order. Loads that cannot be adjacent in it get separate
/// pipes.
fn solve_in_order(
    context: &Context,
    frame: &Frame,
    input: &FrameInput<'_>,
    schedule: &WrittenSchedule,
    values: &[Passed],
) -> Planned<(Vec<SolvedPipe>, SolveFlags, Vec<usize>)> {
    let count = frame.items.len();
    let edges: Vec<(usize, usize)> = match input.scheduled {
        Some((_, graph)) => graph
            .edges()
            .iter()
            .filter(|edge| edge.distance == 0)
            .map(|edge| (edge.from, edge.to))
            .collect(),
        None => (1..count).map(|node| (node - 1, node)).collect(),
    };
    let leaders: Vec<Option<u32>> = (0..count)
        .map(|node| input.scheduled?.1.depth_group(node))
        .collect();
    let solved = values.iter().filter(|value| !value.at_start);
    let raws: Vec<RawValue> = solved.map(|value| value.raw.clone()).collect();
    let keys: Vec<(i64, usize)> = (0..count)
        .map(|node| (schedule.starts[node], node))
        .collect();
    let mut split = BTreeSet::new();
    loop {
        let (solved, flags) = solve_all(Problem {
            schedule,
            leaders: &leaders,
            values: &raws,
            split: &split,
        });
        let groups: Vec<Vec<usize>> = solved
            .iter()
            .filter(|pipe| pipe.route.is_some_and(Route::is_load))
            .map(|pipe| pipe.header.producers().to_vec())
            .collect();
        match common_order(&keys, &edges, &groups) {
            Ok(order) => {
                let late = filled_late(&solved, &order);
                if late.is_subset(&split) {
                    return Ok((solved, flags, order));
                }
                split.extend(late);
            }
            Err(stuck) if stuck.is_subset(&split) => {
                let owner = frame.owner.unwrap_or(frame.items[0]);
                let message = "has cyclic dependences within one iteration";
                return Err(owner.op_error(context, message));
            }
            Err(stuck) => split.extend(stuck),
        }
    }
}

/// Producers of computed values that share a pipe, although one of the values is read before
/// another is computed: the slot would be filled only after the read.
fn filled_late(pipes: &[SolvedPipe], order: &[usize]) -> BTreeSet<usize> {
    let mut position_of = vec![0; order.len()];
    for (position, node) in order.iter().enumerate() {
        position_of[*node] = position;
    }
    let position =
        |nodes: &[usize]| -> Vec<usize> { nodes.iter().map(|node| position_of[*node]).collect() };
    let computed = pipes
        .iter()
        .filter(|pipe| pipe.route.is_some_and(|route| !route.is_load()));
    let late = computed.filter(|pipe| {
        let filled = position(pipe.header.producers()).into_iter().max();
        let read = position(pipe.header.consumers()).into_iter().min();
        pipe.header.producers().len() > 1 && read.is_some() && read <= filled
    });
    late.flat_map(|pipe| pipe.header.producers().to_vec())
        .collect()
}

/// Whether a loop is around a block.
fn is_in_loop(context: &Context, block: orison_ir::Block) -> bool {
    let mut around = block.parent_op(context);
    while let Some(op) = around {
        if scf::For::matches(context, op) || scf::While::matches(context, op) {
            return true;
        }
        around = op.parent_op(context);
    }
    false
}

/// Operations one after another, one cycle each.
fn sequential(count: usize) -> WrittenSchedule {
    let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    WrittenSchedule {
        interval: word(count.max(1)),
        stage_count: 1,
        starts: (0..count).map(|node| i64::from(word(node))).collect(),
        stages: vec![0; count],
        orders: (0..count).map(word).collect(),
    }
}

/// A value of a frame that one agent passes to the other.
struct Passed {
    value: Value,
    raw: RawValue,
    /// A carried argument: defined before the first operation.
    at_start: bool,
}

fn raw_values(context: &Context, partition: &Partition, number: usize) -> Vec<Passed> {
    let frame = &partition.frames[number];
    let node_of: BTreeMap<Operation, usize> = frame.items.iter().copied().zip(0..).collect();
    let mut values = Vec::new();
    for (&value, &to) in &partition.passed {
        if value.parent_block(context) != Some(frame.block) {
            continue;
        }
        let definition = value.defining_op(context);
        let producer = definition.and_then(|op| node_of.get(&op).copied());
        if definition.is_some() && producer.is_none() {
            continue;
        }
        let load = definition.and_then(|op| Some((op, *partition.loads.get(&op)?)));
        let (fill, from) = match load {
            Some((op, kind)) => (FillClass::Load(kind), partition.home(op)),
            None => (FillClass::Computed, partition.maker(context, value)),
        };
        let route = Route { fill, from, to };
        let consumers = readers(context, partition, &node_of, number, value, to);
        let raw = RawValue {
            producer,
            consumers,
            route,
        };
        values.push(Passed {
            value,
            raw,
            at_start: producer.is_none(),
        });
    }
    values.extend(unproduced(context, partition, number, &node_of));
    values.sort_by_key(|passed| {
        let position = passed.value.position(context);
        (passed.at_start, passed.raw.producer, position)
    });
    values
}

/// The items of agents that read a value.
fn readers(
    context: &Context,
    partition: &Partition,
    node_of: &BTreeMap<Operation, usize>,
    number: usize,
    value: Value,
    agents: AgentSet,
) -> Vec<usize> {
    let block = partition.frames[number].block;
    let items = value
        .users(context)
        .filter_map(|user| user.ancestor_in_block(context, block));
    let reads = |op: &Operation| {
        let mut agents = agents.iter();
        agents.any(|agent| partition.work(agent).items.contains(op))
    };
    let nodes = items.filter(reads);
    let nodes: BTreeSet<usize> = nodes.filter_map(|op| node_of.get(&op).copied()).collect();
    nodes.into_iter().collect()
}

/// Tiles that an agent which computes reads in every iteration of a scheduled loop, that the loop
/// carries, and that are not defined in it: consumers without a producer.
fn unproduced(
    context: &Context,
    partition: &Partition,
    number: usize,
    node_of: &BTreeMap<Operation, usize>,
) -> Vec<Passed> {
    let frame = &partition.frames[number];
    let Some(owner) = frame.owner.filter(|_| frame.is_scheduled) else {
        return Vec::new();
    };
    let Some(terminator) = frame.block.terminator(context) else {
        return Vec::new();
    };
    let roles = &partition.roles;
    let mut agents: BTreeMap<usize, AgentSet> = BTreeMap::new();
    for agent in roles.agents().filter(|agent| !roles.is_loader(*agent)) {
        for &position in partition.work(agent).kept.get(&owner).into_iter().flatten() {
            agents.entry(position).or_default().insert(agent);
        }
    }
    let mut found = Vec::new();
    for (position, to) in agents {
        let argument = frame.block.argument(context, position + 1);
        if !argument.ty(context).is_shaped(context)
            || terminator.operand(context, position) != argument
        {
            continue;
        }
        let consumers = readers(context, partition, node_of, number, argument, to);
        if consumers.is_empty() {
            continue;
        }
        found.push(Passed {
            value: argument,
            raw: RawValue {
                producer: None,
                consumers,
                route: Route {
                    fill: FillClass::Load(super::loads::LoadKind::Plain),
                    from: roles.loader().unwrap_or(Agent::LOAD),
                    to,
                },
            },
            at_start: false,
        });
    }
    found
}

fn check_types(context: &Context, values: &[Passed]) -> Planned<()> {
    for passed in values {
        let ty = passed.value.ty(context);
        if value_bytes(context, ty).is_some() {
            continue;
        }
        let reason = match memory_space(context, ty) {
            Some(MemorySpace::Tensor) => "copy it into registers in the agent that computes it",
            _ => "its size is unknown",
        };
        let message = format!(
            "cannot pass a value of type '{}' to another agent: {reason}",
            orison_ir::printer::type_to_string(context, ty)
        );
        let op = passed.value.defining_op(context);
        let op = op.or_else(|| passed.value.parent_block(context)?.parent_op(context));
        if let Some(op) = op {
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}

struct PipeBuilder<'b> {
    context: &'b Context,
    values: &'b [Passed],
    schedule: &'b WrittenSchedule,
    graph: Option<&'b DependenceGraph>,
    position_of: &'b [usize],
    once: bool,
}

impl PipeBuilder<'_> {
    fn pipe(&self, solved: SolvedPipe) -> PipePlan {
        let mut producers = solved.header.producers().to_vec();
        producers.sort_by_key(|node| self.position_of[*node]);
        let consumers = solved.header.consumers().to_vec();
        let made = |passed: &&Passed| match passed.raw.producer {
            Some(node) => producers.contains(&node) && Some(passed.raw.route) == solved.route,
            None => {
                producers.is_empty()
                    && !passed.at_start
                    && passed.raw.consumers.iter().all(|c| consumers.contains(c))
            }
        };
        let mut values: Vec<&Passed> = self.values.iter().filter(made).collect();
        values.sort_by_key(|passed| passed.raw.producer.map(|node| self.position_of[node]));
        let values: Vec<Value> = values.into_iter().map(|passed| passed.value).collect();
        let payload = self.types(&values);
        let flavour = if producers.is_empty() {
            // A pipe that is never filled is of the scalar flavour, whatever is read.
            Flavour::Scalar
        } else {
            self.flavour(&payload)
        };
        let header = solved.header.construct(flavour);
        self.finish(
            header.emit_payload(payload, self.schedule),
            producers,
            consumers,
            values,
            solved.route,
        )
    }

    /// The pipe of a carried argument.
    fn carried(&self, passed: &Passed) -> PipePlan {
        let mut skeleton = Header::new().exist();
        skeleton.join(&[], &passed.raw.consumers);
        let values = vec![passed.value];
        let payload = self.types(&values);
        let header = skeleton
            .construct(self.flavour(&payload))
            .emit_payload(payload, self.schedule);
        let consumers = passed.raw.consumers.clone();
        self.finish(
            header,
            Vec::new(),
            consumers,
            values,
            Some(passed.raw.route),
        )
    }

    fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|value| value.ty(self.context)).collect()
    }

    fn flavour(&self, payload: &[Type]) -> Flavour {
        if payload.iter().any(|ty| ty.is_shaped(self.context)) {
            Flavour::Tile
        } else {
            Flavour::Scalar
        }
    }

    fn finish(
        &self,
        header: Header<Payloaded>,
        producers: Vec<usize>,
        consumers: Vec<usize>,
        values: Vec<Value>,
        route: Option<Route>,
    ) -> PipePlan {
        let bytes = header.payload().iter();
        let slot_bytes = bytes
            .filter_map(|ty| value_bytes(self.context, *ty))
            .fold(0, u64::saturating_add);
        let starts = producers.iter().map(|node| self.schedule.starts[*node]);
        let first_write = starts.min().unwrap_or(0);
        let ends = producers.iter().filter_map(|node| self.read_end(*node));
        let last_read_end = ends.max().unwrap_or(first_write).max(first_write + 1);
        let interval = self.schedule.interval.max(1);
        let span = last_read_end - first_write;
        let slots = (span + i64::from(interval) - 1) / i64::from(interval);
        let depth = match self.once {
            true => 1,
            false => u32::try_from(slots).unwrap_or(u32::MAX).max(2),
        };
        PipePlan {
            header,
            followers: Vec::new(),
            completions: Vec::new(),
            producers,
            consumers,
            values,
            route,
            slot_bytes,
            depth,
            once: self.once,
            first_write,
            last_read_end,
            interval,
        }
    }

    /// Cycle at which the last reader of an operation's values of the first iteration completes.
    fn read_end(&self, node: usize) -> Option<i64> {
        let graph = self.graph?;
        let interval = i64::from(self.schedule.interval);
        let ends = graph
            .successors(node)
            .filter(|edge| edge.kind.carries_value())
            .map(|edge| {
                let shift = interval.saturating_mul(i64::from(edge.distance));
                self.schedule.starts[edge.to] + shift + i64::from(graph.node(edge.to).latency)
            });
        ends.max()
    }
}

/// The operations with effects in a frame that are not loads executed ahead, at any depth: the item
/// of each, and what its tokens wait for.
fn waiting(
    context: &Context,
    partition: &Partition,
    number: usize,
) -> Vec<(usize, Operation, BTreeSet<Operation>)> {
    let items = partition.frames[number].items.iter().enumerate();
    let items = items.filter(|(_, op)| {
        let roles = &partition.roles;
        let mut agents = roles.agents().filter(|agent| !roles.is_loader(*agent));
        agents.any(|agent| partition.work(agent).items.contains(op))
            && !partition.loads.contains_key(op)
    });
    let nested = items.flat_map(|(node, op)| {
        let all = orison_ir::walk::collect(context, *op).into_iter();
        all.map(move |op| (node, op))
    });
    nested
        .filter(|(_, op)| !super::memory_order::is_pure(context, *op))
        .map(|(node, op)| (node, op, token_sources(context, op)))
        .collect()
}

/// The items that wait for asynchronous readers.
fn completions(context: &Context, items: &[Operation], readers: &[usize]) -> Vec<usize> {
    let node_of: BTreeMap<Operation, usize> = items.iter().copied().zip(0..).collect();
    let mut found = BTreeSet::new();
    for &reader in readers {
        let Some(block) = items[reader].block(context) else {
            continue;
        };
        let tokens = async_tokens(context, items[reader]);
        let users = tokens.into_iter().flat_map(|token| token.users(context));
        let items = users.filter_map(|user| user.ancestor_in_block(context, block));
        found.extend(items.filter_map(|op| node_of.get(&op).copied()));
    }
    found.into_iter().collect()
}

/// The items that must wait for one of the loads, and come after it.
fn followers(
    context: &Context,
    items: &[Operation],
    position_of: &[usize],
    waiting: &[(usize, Operation, BTreeSet<Operation>)],
    loads: &[usize],
) -> Vec<usize> {
    let follows = |node: usize, op: Operation, sources: &BTreeSet<Operation>| {
        loads.iter().any(|load| {
            position_of[*load] < position_of[node]
                && must_follow(context, items[*load], op, sources)
        })
    };
    let found = waiting
        .iter()
        .filter(|(node, op, sources)| follows(*node, *op, sources));
    let nodes: BTreeSet<usize> = found.map(|(node, _, _)| *node).collect();
    nodes.into_iter().collect()
}

/// For every operation with effects, the operations of other agents that it must not overtake, as
/// pairs of items of the innermost frame around both, and of the loops around that frame. Loads
/// that are executed ahead are not overtaken by agents that receive their tile.
pub(super) fn exclusions(context: &Context, partition: &Partition) -> BTreeMap<usize, Exclusions> {
    let mut pairs: BTreeMap<usize, Exclusions> = BTreeMap::new();
    let mut effects: Vec<(Agent, Operation)> = Vec::new();
    for agent in partition.roles.agents() {
        let items = partition.work(agent).items.iter().copied();
        let leaves = items.filter(|op| {
            !partition.is_projected(context, *op) && !super::memory_order::is_pure(context, *op)
        });
        effects.extend(leaves.map(|op| (agent, op)));
    }
    let place = Places::new(partition);
    for &(after, waits) in &effects {
        let sources = nested_token_sources(context, waits);
        for &(before, op) in &effects {
            let ahead = partition.loads.contains_key(&op);
            if before == after || ahead || !must_follow(context, op, waits, &sources) {
                continue;
            }
            let Some((frame, (a, b))) = place.common(op, waits) else {
                continue;
            };
            let common = common_storage(context, op, waits);
            let mut storage: Vec<Option<Value>> = common.into_iter().map(Some).collect();
            if storage.is_empty() {
                storage.push(None);
            }
            let mut add = |frame: usize, pair: (usize, usize)| {
                let frame = pairs.entry(frame).or_default();
                for &storage in &storage {
                    let agents = OrderedAgents {
                        before,
                        after,
                        storage,
                    };
                    frame.entry(agents).or_default().insert(pair);
                }
            };
            // In a frame that is not a loop, an operation after the waiting one precedes it only
            // through a loop around both.
            if partition.frames[frame].is_loop || a < b {
                add(frame, (a, b));
            } else if let Some((frame, node)) = place.loop_around(frame) {
                add(frame, (node, node));
            }
        }
    }
    pairs
}

/// The positions of items.
struct Places<'p> {
    partition: &'p Partition,
    node_of: BTreeMap<Operation, (usize, usize)>,
}

impl<'p> Places<'p> {
    fn new(partition: &'p Partition) -> Self {
        let frames = partition.frames.iter().enumerate();
        let node_of = frames
            .flat_map(|(frame, data)| {
                let nodes = data.items.iter().enumerate();
                nodes.map(move |(node, op)| (*op, (frame, node)))
            })
            .collect();
        Places { partition, node_of }
    }

    /// The frames around an item with its node in each, innermost first.
    fn path(&self, op: Operation) -> Vec<(usize, usize)> {
        let mut path = Vec::new();
        let mut current = Some(op);
        while let Some(place) = current.and_then(|op| self.node_of.get(&op)) {
            path.push(*place);
            current = self.partition.frames[place.0].owner;
        }
        path
    }

    /// The innermost frame around two items, and their nodes in it.
    fn common(&self, a: Operation, b: Operation) -> Option<(usize, (usize, usize))> {
        let other: BTreeMap<usize, usize> = self.path(b).into_iter().collect();
        let mut path = self.path(a).into_iter();
        path.find_map(|(frame, node)| Some((frame, (node, *other.get(&frame)?))))
    }

    /// The innermost loop around a frame, and the item of it that contains the frame.
    fn loop_around(&self, frame: usize) -> Option<(usize, usize)> {
        let owner = self.partition.frames[frame].owner?;
        let path = self.path(owner).into_iter();
        path.into_iter()
            .find(|(frame, _)| self.partition.frames[*frame].is_loop)
    }
}
