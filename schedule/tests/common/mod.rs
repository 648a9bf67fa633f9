//! Shared by the integration tests: reading the loop collection, a seeded loop generator.
#![allow(dead_code)]

use orison_schedule::modulo::{DependenceGraph, Edge, EdgeKind, Node, ResourceSpace, ResourceUse};

/// A loop of the collection with what is known about it.
pub struct KnownLoop {
    pub name: String,
    pub graph: DependenceGraph,
    pub resource_bound: u32,
    pub recurrence_bound: u32,
    pub optimal_interval: u32,
    pub proven: bool,
}

/// The loops of `tests/modulo/loops.jsonl`.
pub fn known_loops() -> Vec<KnownLoop> {
    include_str!("../modulo/loops.jsonl")
        .lines()
        .map(known_loop)
        .collect()
}

fn known_loop(line: &str) -> KnownLoop {
    let value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number") as u32;
    let list = |value: &serde_json::Value| value.as_array().expect("a list").clone();
    let nodes: Vec<Node> = list(&value["nodes"])
        .iter()
        .map(|node| {
            let uses = list(&node["uses"])
                .iter()
                .map(|entry| ResourceUse::new(number(&entry[0]) as u8, number(&entry[1])))
                .collect();
            let name = node["name"].as_str().expect("a name");
            Node::new(name, number(&node["latency"]), uses)
        })
        .collect();
    let edges = list(&value["edges"])
        .iter()
        .map(|edge| dependence(&nodes, number(&edge[0]), number(&edge[1]), number(&edge[2])))
        .collect();
    KnownLoop {
        name: value["name"].as_str().expect("a name").to_owned(),
        graph: DependenceGraph::new(ResourceSpace::default(), nodes, edges).expect("a graph"),
        resource_bound: number(&value["res_mii"]),
        recurrence_bound: number(&value["rec_mii"]),
        optimal_interval: number(&value["optimal_ii"]),
        proven: value["proven"].as_bool().expect("a flag"),
    }
}

/// A data edge whose latency is that of its source.
pub fn dependence(nodes: &[Node], from: u32, to: u32, distance: u32) -> Edge {
    let kind = if distance == 0 {
        EdgeKind::Data
    } else {
        EdgeKind::LoopCarried
    };
    let latency = nodes[from as usize].latency as i32;
    Edge {
        from: from as usize,
        to: to as usize,
        latency,
        distance,
        kind,
    }
}
