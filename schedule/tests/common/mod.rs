//! Shared by the integration tests: a reader of the loop collection, a seeded loop generator.
#![allow(dead_code)]

pub mod families;

use orison_schedule::modulo::{
    DependenceGraph, Edge, EdgeKind, Node, Pool, PoolUse, ResourceSpace, ResourceUse,
};

/// A loop of the collection with its known results.
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

/// A loop from a line of JSON.
pub fn known_loop(line: &str) -> KnownLoop {
    let value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number") as u32;
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let nodes: Vec<Node> = list(&value["nodes"])
        .iter()
        .map(|node| {
            let uses = list(&node["uses"])
                .iter()
                .map(|entry| ResourceUse::new(number(&entry[0]) as u8, number(&entry[1])))
                .collect();
            let name = node["name"].as_str().unwrap_or("op");
            let mut operation = Node::new(name, number(&node["latency"]), uses);
            let shares = list(&node["pools"]);
            operation.pools.extend(shares.iter().map(|share| PoolUse {
                pool: number(&share[0]) as usize,
                count: number(&share[1]),
            }));
            operation.constraints.group = node["gid"].as_u64().map(|group| group as u32);
            operation.constraints.max_depth = node["depth"].as_u64().map(|depth| depth as u32);
            operation
        })
        .collect();
    let edges = list(&value["edges"])
        .iter()
        .map(|edge| dependence(&nodes, number(&edge[0]), number(&edge[1]), number(&edge[2])))
        .collect();
    let capacities = list(&value["capacities"]);
    let pool = |capacity| Pool {
        name: "pool".to_owned(),
        capacity: number(capacity),
    };
    let space = ResourceSpace {
        pools: capacities.iter().map(pool).collect(),
        ..ResourceSpace::default()
    };
    KnownLoop {
        name: value["name"].as_str().expect("a name").to_owned(),
        graph: DependenceGraph::new(space, nodes, edges).expect("a graph"),
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

/// A small seeded random number generator, the same on every machine.
pub struct Random(u64);

impl Random {
    /// Starts a sequence from a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 20
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + (self.next() % u64::from(high - low + 1)) as u32
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.between(1, 100) <= percent
    }
}

/// A loop of the tight family: 2 to 4 slots, mixed durations, operations on several slots,
/// recurrences close to the resource bound.
pub fn tight_loop(seed: u64, operations: u32) -> DependenceGraph {
    let mut random = Random::new(seed);
    let slots: Vec<u8> = (0..random.between(2, 4))
        .map(|slot| 4 + 3 * slot as u8)
        .collect();
    let nodes: Vec<Node> = (0..operations)
        .map(|_| {
            let mut uses = Vec::new();
            for &slot in &slots {
                if random.chance(45) {
                    uses.push(ResourceUse::new(slot, random.between(1, 7)));
                }
            }
            if uses.is_empty() {
                let slot = slots[random.between(0, slots.len() as u32 - 1) as usize];
                uses.push(ResourceUse::new(slot, random.between(1, 7)));
            }
            let longest = uses.iter().map(|triple| triple.duration).max().unwrap_or(1);
            Node::new("tight", longest.max(random.between(1, 10)), uses)
        })
        .collect();
    let mut edges = Vec::new();
    for to in 1..operations {
        for _ in 0..random.between(1, 2) {
            let from = to - random.between(1, to.min(5));
            edges.push(dependence(&nodes, from, to, 0));
        }
    }
    for _ in 0..random.between(1, 4) {
        let from = random.between(operations / 2, operations - 1);
        let to = random.between(0, operations / 2);
        edges.push(dependence(&nodes, from, to, random.between(1, 2)));
    }
    DependenceGraph::new(ResourceSpace::default(), nodes, edges).expect("a graph")
}

/// Name, latency and triples of an operation kind.
type Kind = (&'static str, u32, &'static [(u8, u32)]);

/// A loop of the mixed family: tile operations with random recurrences and short edges, so that
/// large loops resemble unrolled small ones.
pub fn mixed_loop(seed: u64, operations: u32) -> DependenceGraph {
    const KINDS: [Kind; 9] = [
        ("fma", 4, &[(6, 1)]),
        ("alu", 2, &[(7, 1)]),
        ("fp16x2", 4, &[(4, 1)]),
        ("fma2", 4, &[(6, 2)]),
        ("tma_load", 8, &[(12, 8), (16, 8)]),
        ("mma", 16, &[(11, 8), (19, 8)]),
        ("smem_read", 7, &[(15, 7)]),
        ("smem_write", 7, &[(16, 7)]),
        ("tmem_read", 7, &[(17, 7)]),
    ];
    let mut random = Random::new(seed);
    let nodes: Vec<Node> = (0..operations)
        .map(|_| {
            let kind = random.between(0, 12) as usize;
            let (name, latency, uses) = KINDS[if kind < 9 { kind } else { kind - 9 }];
            let uses = uses
                .iter()
                .map(|&(slot, cycles)| ResourceUse::new(slot, cycles))
                .collect();
            Node::new(name, latency, uses)
        })
        .collect();
    let mut edges = Vec::new();
    for to in 1..operations {
        for _ in 0..random.between(0, 2) {
            let from = to - random.between(1, to.min(24));
            edges.push(dependence(&nodes, from, to, 0));
        }
    }
    for _ in 0..operations / 16 {
        let from = random.between(0, operations - 1);
        let to = from - random.between(0, from.min(12));
        edges.push(dependence(&nodes, from, to, random.between(1, 3)));
    }
    DependenceGraph::new(ResourceSpace::default(), nodes, edges).expect("a graph")
}
