//! Small graphs for the tests of the schedulers.

use super::graph::{DependenceGraph, Edge, EdgeKind, Node, Pool, ResourceSpace};

pub(super) fn edge(from: usize, to: usize, latency: i32, distance: u32) -> Edge {
    Edge {
        from,
        to,
        latency,
        distance,
        kind: EdgeKind::Data,
    }
}

/// A graph on the slots of every machine and one pool of two units.
pub(super) fn graph(nodes: Vec<Node>, edges: Vec<Edge>) -> DependenceGraph {
    let space = ResourceSpace {
        pools: vec![Pool {
            name: "issue".to_owned(),
            capacity: 2,
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
