//! What listed agents add to the dependences of a loop: the time to hand over what another agent
//! waits for.

use orison_ir::{Context, Operation};

use super::attributes::{AGENT, AGENTS};
use super::joint;
use super::loop_body::LoopBody;
use crate::machine::{MachineModel, OperationQuery};
use crate::modulo::{DependenceGraph, Edge};

/// Cycles from the signal of one agent until another one has seen it.
pub fn signal(machine: &MachineModel) -> u32 {
    let wait = OperationQuery {
        operation: "nv_tileas.async.pipeline.consumer_wait",
        ..OperationQuery::default()
    };
    machine.cost_of(&wait).latency
}

/// The dependences of a loop with those of its agents. An operation of another agent waits for two
/// signals, and for the copy of a value that is passed. `None` if the
/// loop does not list agents.
pub fn with_agents(
    context: &Context,
    body: &LoopBody,
    graph: &DependenceGraph,
    machine: &MachineModel,
) -> Option<DependenceGraph> {
    body.op.attribute(context, AGENTS)?;
    let agent_of = |node: usize| -> Option<i32> {
        body.operations[node]
            .attribute(context, AGENT)?
            .as_i32(context)
    };
    let copy = |op: Operation| joint::passing(context, op, machine).map_or(0, |copy| copy.latency);
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
    let edges: Vec<Edge> = edges.collect();
    let nodes = graph.nodes().to_vec();
    let longer = DependenceGraph::new(graph.space().clone(), nodes, edges).ok()?;
    longer.with_structures(graph.structures().to_vec()).ok()
}
