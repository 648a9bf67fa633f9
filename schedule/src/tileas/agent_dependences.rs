//! What listed agents add to the dependences of a loop: the time to hand over what another agent
//! waits for, and tiles that do not fit in the registers of an agent together.

use orison_ir::{Context, Operation};

use super::attributes::{AGENT, AGENTS};
use super::classify::WARP_REGISTER_BYTES;
use super::hand_over::{passing, signal};
use super::loop_body::LoopBody;
use super::solve::Roles;
use crate::machine::MachineModel;
use crate::modulo::{DependenceGraph, Edge, EdgeKind};

/// Warps of an agent whose entry does not name them.
const WARPS: u64 = 4;

/// The position in the list of agents of the one that executes an operation.
fn agent_of(context: &Context, op: Operation) -> Option<i32> {
    op.attribute(context, AGENT)?.as_i32(context)
}

/// The dependences of a loop with those of its agents. An operation of another agent waits for two
/// signals, and for the copy of a value that is passed. Of two tiles that do not fit in the registers
/// of their agent together, the second is computed when the readers of the first are done. `None` if
/// the loop does not list agents.
pub fn with_agents(
    context: &Context,
    body: &LoopBody,
    graph: &DependenceGraph,
    machine: &MachineModel,
) -> Option<DependenceGraph> {
    body.op.attribute(context, AGENTS)?;
    let agent_of = |node: usize| agent_of(context, body.operations[node]);
    let copy = |op: Operation| passing(context, op, machine).map_or(0, |copy| copy.latency);
    let signals = signal(machine).saturating_mul(2);
    let edges = graph.edges().iter().map(|edge| {
        let agents = agent_of(edge.from).zip(agent_of(edge.to));
        if agents.is_none_or(|(from, to)| from == to) {
            return *edge;
        }
        let passed = if edge.kind.carries_value() {
            copy(body.operations[edge.from])
        } else {
            0
        };
        let added = i32::try_from(passed.saturating_add(signals)).unwrap_or(i32::MAX);
        Edge {
            latency: edge.latency.saturating_add(added),
            ..*edge
        }
    });
    let mut edges: Vec<Edge> = edges.collect();
    edges.extend(register_edges(context, body, graph));
    let nodes = graph.nodes().to_vec();
    let longer = DependenceGraph::new(graph.space().clone(), nodes, edges).ok()?;
    longer.with_structures(graph.structures().to_vec()).ok()
}

/// Between the readers of a tile and the operation that computes another one, in the same agent, if
/// both do not fit in its registers. The order is that of the program.
fn register_edges(context: &Context, body: &LoopBody, graph: &DependenceGraph) -> Vec<Edge> {
    let Ok(roles) = Roles::of_loops(context, &[body.op]) else {
        return Vec::new();
    };
    let agent_of = |node: usize| agent_of(context, body.operations[node]);
    let budget = |agent: i32| {
        let role = roles.list().get(usize::try_from(agent).ok()?)?;
        let count = |number: i32| u64::try_from(number).unwrap_or(0);
        let warps = role.warps.map_or(WARPS, count);
        Some(warps * WARP_REGISTER_BYTES * count(role.registers?))
    };
    let bytes = |node: usize| u64::from(graph.node(node).registers) * WARP_REGISTER_BYTES;
    // The tile of an operation that takes no time is that of its operand.
    let tiles: Vec<usize> = (0..graph.len())
        .filter(|&node| bytes(node) > 0 && graph.node(node).latency > 0)
        .collect();
    let readers = |node: usize| {
        let reads = graph
            .successors(node)
            .filter(|edge| edge.kind.carries_value());
        let own = reads.filter(move |edge| agent_of(edge.to) == agent_of(node));
        own.collect::<Vec<&Edge>>()
    };
    let mut edges = Vec::new();
    for &first in &tiles {
        let Some((agent, limit)) = agent_of(first).and_then(|agent| Some((agent, budget(agent)?)))
        else {
            continue;
        };
        for &second in tiles.iter().filter(|&&node| node != first) {
            if agent_of(second) != Some(agent) || bytes(first) + bytes(second) <= limit {
                continue;
            }
            let next = u32::from(second < first);
            // An operation writes over a tile that it reads.
            let others = readers(first).into_iter().filter(|edge| edge.to != second);
            // In one iteration the order is that of the program: readers after the second operation
            // need both tiles.
            let before = others
                .filter(|edge| edge.distance < next || (edge.distance == next && edge.to < second));
            edges.extend(before.map(|edge| Edge {
                from: edge.to,
                to: second,
                latency: i32::try_from(graph.node(edge.to).latency).unwrap_or(i32::MAX),
                distance: next - edge.distance,
                kind: EdgeKind::Memory,
            }));
        }
    }
    edges
}
