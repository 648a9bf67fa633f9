//! The orders that are tried if agents cannot execute that of the schedule as fast as it promises: those
//! that are searched for, and operations as early as they can be.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::solve::Agent;
use super::super::steps::is_asynchronous_product;
use super::PlannedLoop;
use super::prediction::is_awaited;
use super::registers::register_bytes;
use super::search::{self, Body, Dependence, Operation};
use super::timeline::TimelineBuilder;
use crate::modulo::{DependenceGraph, Edge};

/// Intervals and start cycles, the smallest interval first. `registers` are the bytes of each agent.
pub(super) fn others(this: &PlannedLoop<'_>, registers: &[u64]) -> Vec<(i64, Vec<i64>)> {
    let interval = i64::from(this.scheduled.schedule.interval.max(1));
    let early = earliest(this);
    let ends = early.iter().enumerate();
    let ends = ends.map(|(node, start)| start + latency(&this.scheduled.graph, node));
    let length = ends.max().unwrap_or(0);
    let mut all = searched(this, registers);
    let mut longer = interval;
    while longer < length {
        all.push((longer, early.clone()));
        longer += (longer / 16).max(1);
    }
    all.sort_by_key(|(interval, _)| *interval);
    all
}

fn latency(graph: &DependenceGraph, node: usize) -> i64 {
    i64::from(graph.node(node).latency)
}

/// The earliest start of each operation, if operations take their slots in the order of the
/// schedule and iterations do not overlap.
fn earliest(this: &PlannedLoop<'_>) -> Vec<i64> {
    let graph = &this.scheduled.graph;
    let mut order: Vec<usize> = (0..graph.len()).collect();
    order.sort_by_key(|node| (this.scheduled.schedule.starts[*node], *node));
    let mut starts = vec![0; graph.len()];
    let mut free = BTreeMap::new();
    for node in order {
        let inputs = graph.predecessors(node).filter(|edge| edge.distance == 0);
        let known = inputs.map(|edge| starts[edge.from] + i64::from(edge.latency));
        let uses = &graph.node(node).uses;
        let units = uses.iter().filter(|held| held.occupancy > 0);
        let units = units.map(|held| free.get(&held.slot).copied().unwrap_or(0));
        let start = known.chain(units).max().unwrap_or(0).max(0);
        starts[node] = start;
        for held in uses.iter().filter(|held| held.occupancy > 0) {
            free.insert(held.slot, start + i64::from(held.duration));
        }
    }
    starts
}

/// The kernels that the search finds. What load agents execute and operations that take no time are not
/// searched for: they come as late as their readers permit.
fn searched(this: &PlannedLoop<'_>, registers: &[u64]) -> Vec<(i64, Vec<i64>)> {
    let extraction = Extraction::new(this);
    let body = extraction.body(registers);
    let least = i64::from(this.scheduled.schedule.interval);
    let found = search::search(&body, least).into_iter();
    found
        .map(|found| (found.interval, extraction.starts(&found)))
        .collect()
}

/// The operations of a loop that the search orders.
struct Extraction<'e> {
    this: &'e PlannedLoop<'e>,
    /// The agent of each operation that is searched for.
    agent_of: Vec<Option<usize>>,
    /// These operations, by their position in the body.
    nodes: Vec<usize>,
}

/// A way from an operation of the body through others to an operation that reads.
#[derive(Clone, Copy)]
struct Way {
    latency: i64,
    distance: i64,
    /// Whether the value of the first operation is read, possibly through views.
    is_read: bool,
}

impl<'e> Extraction<'e> {
    fn new(this: &'e PlannedLoop<'e>) -> Self {
        let (partition, views) = (&this.plan.partition, this.views());
        let agent_of = this.plan.frames[this.frame].items.iter().enumerate();
        let agent_of = agent_of.map(|(node, op)| {
            let is_left_out = views.contains(&node) || partition.loads.contains_key(op);
            let agents = partition.roles.agents();
            let mut agents = agents.filter(|agent| !partition.roles.is_loader(*agent));
            let agent = agents.find(|agent| partition.work(*agent).items.contains(op));
            agent.filter(|_| !is_left_out).map(Agent::index)
        });
        let agent_of: Vec<Option<usize>> = agent_of.collect();
        let nodes = (0..agent_of.len()).filter(|node| agent_of[*node].is_some());
        Extraction {
            this,
            nodes: nodes.collect(),
            agent_of,
        }
    }

    /// The body of the search. Tiles from before the loop take their registers from the agents.
    fn body(&self, registers: &[u64]) -> Body {
        let rotation = self
            .this
            .rotation(self.this.scheduled.schedule.starts.clone(), 1);
        let agents = self.this.plan.partition.roles.agents();
        let free = agents.zip(registers).map(|(agent, bytes)| {
            let steps = self.this.steps(agent);
            let builder = TimelineBuilder::new(&steps, &rotation);
            bytes.saturating_sub(builder.invariant_bytes(&builder.build()))
        });
        let mut body = Body {
            registers: free.collect(),
            operations: self
                .nodes
                .iter()
                .map(|node| self.operation(*node))
                .collect(),
            dependences: Vec::new(),
        };
        self.wait_for_slots(&mut body);
        self.depend(&mut body);
        body
    }

    fn operation(&self, node: usize) -> Operation {
        let context = self.this.context;
        let op = self.this.plan.frames[self.this.frame].items[node];
        let data = self.this.scheduled.graph.node(node);
        let held = data.uses.iter().filter(|held| held.occupancy > 0);
        let is_held = is_awaited(context, op) && !is_asynchronous_product(context, op);
        Operation {
            agent: self.agent_of[node].unwrap_or(0),
            waits: 0,
            held: if is_held { i64::from(data.latency) } else { 0 },
            holds: held
                .map(|held| (held.slot, i64::from(held.duration)))
                .collect(),
            bytes: op
                .results(context)
                .map(|value| register_bytes(context, value))
                .sum(),
        }
    }

    /// The first reader of each ring waits for its slot.
    fn wait_for_slots(&self, body: &mut Body) {
        for pipe in &self.this.plan.frames[self.this.frame].pipes {
            let readers = pipe.consumers.iter().chain(&pipe.followers);
            let places = readers.filter_map(|node| self.nodes.binary_search(node).ok());
            if let Some(first) = places.min() {
                body.operations[first].waits += self.this.limits.handshake;
            }
        }
    }

    /// Adds the dependences. The first reader of each product waits for it.
    fn depend(&self, body: &mut Body) {
        let mut awaited = BTreeSet::new();
        for (to, &node) in self.nodes.iter().enumerate() {
            for edge in self.this.scheduled.graph.predecessors(node) {
                let way = Way {
                    latency: 0,
                    distance: 0,
                    is_read: true,
                };
                let mut ways = Vec::new();
                self.ways(edge, way, &mut vec![node], &mut ways);
                for (from, way) in ways {
                    let is_sum = self.is_sum(edge);
                    if self.is_product(self.nodes[from]) && !is_sum && awaited.insert(from) {
                        body.operations[to].waits += self.this.limits.handshake;
                    }
                    body.dependences
                        .push(self.dependence((from, to), is_sum, way));
                }
            }
        }
    }

    /// The ways to a reader from operations of the body, which end with an edge.
    fn ways(&self, edge: &Edge, way: Way, seen: &mut Vec<usize>, found: &mut Vec<(usize, Way)>) {
        let way = Way {
            latency: way.latency + i64::from(edge.latency),
            distance: way.distance + i64::from(edge.distance),
            is_read: way.is_read && edge.kind.carries_value(),
        };
        if let Ok(position) = self.nodes.binary_search(&edge.from) {
            found.push((position, way));
        } else if !seen.contains(&edge.from) {
            seen.push(edge.from);
            let is_view = latency(&self.this.scheduled.graph, edge.from) == 0;
            let is_read = way.is_read && is_view;
            for before in self.this.scheduled.graph.predecessors(edge.from) {
                self.ways(before, Way { is_read, ..way }, seen, found);
            }
            seen.pop();
        }
    }

    fn is_product(&self, node: usize) -> bool {
        let items = &self.this.plan.frames[self.this.frame].items;
        is_asynchronous_product(self.this.context, items[node])
    }

    /// Whether a product adds to the value of an edge, which may still be computed.
    fn is_sum(&self, edge: &Edge) -> bool {
        let context = self.this.context;
        let items = &self.this.plan.frames[self.this.frame].items;
        let sum = items[edge.to].operands_named(context, "c").first().copied();
        self.is_product(edge.to)
            && sum.is_some_and(|sum| match sum.defining_op(context) {
                Some(made) => made == items[edge.from],
                None => edge.distance > 0,
            })
    }

    fn dependence(&self, (from, to): (usize, usize), is_sum: bool, way: Way) -> Dependence {
        let (first, last) = (self.nodes[from], self.nodes[to]);
        let awaited = i64::from(self.is_product(first) && !is_sum);
        let passed = i64::from(self.agent_of[first] != self.agent_of[last]);
        let handshake = self.this.limits.handshake;
        let kept = match self.is_product(last) && !is_sum {
            true => latency(&self.this.scheduled.graph, last) + handshake,
            false => 0,
        };
        Dependence {
            from,
            to,
            // What is passed is committed and waited for.
            latency: way.latency + (awaited + 2 * passed) * handshake,
            distance: way.distance,
            read: way.is_read.then_some(kept),
        }
    }

    /// The starts of all operations of the loop, from 0.
    fn starts(&self, found: &search::Found) -> Vec<i64> {
        let graph = &self.this.scheduled.graph;
        let mut starts: Vec<Option<i64>> = vec![None; graph.len()];
        for (node, start) in self.nodes.iter().zip(&found.starts) {
            starts[*node] = Some(*start);
        }
        let span =
            |edge: &Edge| i64::from(edge.latency) - i64::from(edge.distance) * found.interval;
        for node in (0..graph.len())
            .rev()
            .filter(|node| self.agent_of[*node].is_none())
        {
            let readers = graph.successors(node).filter(|edge| edge.to != node);
            let last = readers.filter_map(|edge| Some(starts[edge.to]? - span(edge)));
            starts[node] = last.min();
        }
        // What nothing reads follows its operands.
        for node in 0..graph.len() {
            let read = graph.predecessors(node).filter(|edge| edge.from != node);
            let known = read.filter_map(|edge| Some(starts[edge.from]? + span(edge)));
            starts[node] = starts[node].or(known.max()).or(Some(0));
        }
        let least = starts.iter().flatten().min().copied().unwrap_or(0);
        starts
            .into_iter()
            .map(|start| start.unwrap_or(least) - least)
            .collect()
    }
}
