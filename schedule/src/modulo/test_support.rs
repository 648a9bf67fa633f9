//! Small graphs for the tests of the schedulers.

use super::graph::{DependenceGraph, Edge, EdgeKind, Node, Pool, ResourceSpace, ResourceUse};

pub(super) fn edge(from: usize, to: usize, latency: i32, distance: u32) -> Edge {
    Edge {
        from,
        to,
        latency,
        distance,
        kind: EdgeKind::Data,
    }
}

/// An operation that holds slots for some cycles each, with a latency of one cycle.
pub(super) fn node(uses: &[(u8, u32)]) -> Node {
    let each = |&(slot, cycles): &(u8, u32)| ResourceUse::new(slot, cycles);
    Node::new("op", 1, uses.iter().map(each).collect())
}

/// A graph on the slots of every machine and one pool of two units.
pub(super) fn graph(nodes: Vec<Node>, edges: Vec<Edge>) -> DependenceGraph {
    graph_with_pool(2, nodes, edges)
}

/// A graph on the slots of every machine and one pool.
pub(super) fn graph_with_pool(
    capacity: u32,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
) -> DependenceGraph {
    let space = ResourceSpace {
        pools: vec![Pool {
            name: "issue".to_owned(),
            capacity,
        }],
        ..ResourceSpace::default()
    };
    DependenceGraph::new(space, nodes, edges).expect("well-formed")
}

/// A graph of operations without slots; an edge is in the order of [`edge`].
pub(super) fn operations(count: usize, edges: &[(usize, usize, i32, u32)]) -> DependenceGraph {
    let each = |&(from, to, latency, distance)| edge(from, to, latency, distance);
    let edges = edges.iter().map(each).collect();
    graph(vec![Node::new("op", 1, Vec::new()); count], edges)
}
