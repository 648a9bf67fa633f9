//! Random loops of several families with the difficulties of real ones taken to extremes.

use orison_schedule::modulo::{
    DependenceGraph, Edge, Node, Pool, PoolUse, ResourceSpace, ResourceUse,
};

use super::{Random, dependence};

/// A family of random loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// 24 slots, up to three of them held at once, long edges, almost no recurrence.
    Wide,
    /// Long recurrences near the resource bound that share operations.
    Recurrences,
    /// 3 to 5 slots, several held at once for different times, and one recurrence about as long as
    /// the busiest slot is held: packing decides.
    Packing,
    /// Operations that share a stage.
    Groups,
    /// Stage limits on a tenth of the operations.
    Stages,
    /// Two pools beside the slots.
    Pools,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 6] = [
        Self::Wide,
        Self::Recurrences,
        Self::Packing,
        Self::Groups,
        Self::Stages,
        Self::Pools,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Recurrences => "recurrences",
            Self::Packing => "packing",
            Self::Groups => "groups",
            Self::Stages => "stages",
            Self::Pools => "pools",
        }
    }

    /// The loop of a seed.
    pub fn generate(self, seed: u64, operations: u32) -> DependenceGraph {
        let mut random = Random::new(seed.wrapping_mul(64) + self as u64);
        let mut nodes: Vec<Node> = match self {
            Self::Wide => (0..operations)
                .map(|_| holds(&mut random, 24, 3, 8))
                .collect(),
            Self::Packing => {
                let slots = random.between(3, 5);
                (0..operations)
                    .map(|_| holds(&mut random, slots, 3, 8))
                    .collect()
            }
            Self::Pools => (0..operations).map(|_| shares(&mut random)).collect(),
            _ => (0..operations)
                .map(|_| holds(&mut random, 4, 1, 4))
                .collect(),
        };
        if self == Self::Groups {
            join_groups(&mut random, &mut nodes);
        }
        let edges = edges(self, &mut random, &nodes);
        if self == Self::Stages {
            limit_stages(&mut random, &mut nodes, &edges);
        }
        let pools = match self {
            Self::Pools => vec![pool("issue", 2), pool("ports", 5)],
            _ => Vec::new(),
        };
        let space = ResourceSpace {
            pools,
            ..ResourceSpace::default()
        };
        DependenceGraph::new(space, nodes, edges).expect("a graph")
    }
}

fn pool(name: &str, capacity: u32) -> Pool {
    Pool {
        name: name.to_owned(),
        capacity,
    }
}

/// An operation that holds up to `most` of the slots.
fn holds(random: &mut Random, slots: u32, most: u32, longest: u32) -> Node {
    let count = random.between(1, most);
    let uses: Vec<ResourceUse> = (0..count)
        .map(|_| ResourceUse::new(random.between(1, slots) as u8, random.between(1, longest)))
        .collect();
    let busy = uses.iter().map(|hold| hold.duration).max().unwrap_or(1);
    Node::new("op", busy + random.between(0, 3), uses)
}

/// An operation that holds one of six slots and takes shares of two pools.
fn shares(random: &mut Random) -> Node {
    let mut node = holds(random, 6, 1, 3);
    if random.chance(70) {
        let count = random.between(1, 2);
        node.pools.push(PoolUse { pool: 0, count });
    }
    if random.chance(50) {
        let count = random.between(1, 4);
        node.pools.push(PoolUse { pool: 1, count });
    }
    node
}

fn edges(family: Family, random: &mut Random, nodes: &[Node]) -> Vec<Edge> {
    let last = nodes.len() as u32 - 1;
    let is_wide = family == Family::Wide;
    let reach = if is_wide { 40 } else { 8 };
    let mut edges = Vec::new();
    for to in 1..=last {
        for _ in 0..random.between(1, 2) {
            let from = to - random.between(1, to.min(reach));
            edges.push(dependence(nodes, from, to, 0));
        }
    }
    if is_wide {
        for _ in 0..3 {
            let to = random.between(0, last);
            edges.push(dependence(
                nodes,
                last.min(to + 20),
                to,
                random.between(2, 4),
            ));
        }
        return edges;
    }
    let busiest = (0..=64_u8).map(|slot| {
        let uses = nodes.iter().flat_map(|node| &node.uses);
        let holds = uses.filter(|hold| hold.slot == slot);
        holds.map(|hold| u64::from(hold.duration)).sum::<u64>()
    });
    let target = busiest.max().unwrap_or(1);
    // Recurrences are closed where the path has about the length of the busiest slot.
    for _ in 0..if family == Family::Packing { 1 } else { 4 } {
        let distance = if family == Family::Packing {
            1
        } else {
            random.between(1, 3)
        };
        let to = random.between(0, last / 3);
        let mut longest = vec![None; nodes.len()];
        longest[to as usize] = Some(u64::from(nodes[to as usize].latency));
        let mut end = to;
        for edge in edges.iter().filter(|edge| edge.distance == 0) {
            if let Some(length) = longest[edge.from] {
                let through = length + u64::from(nodes[edge.to].latency);
                if through <= target * u64::from(distance) {
                    longest[edge.to] = longest[edge.to].max(Some(through));
                    end = end.max(edge.to as u32);
                }
            }
        }
        edges.push(dependence(nodes, end, to, distance));
    }
    edges
}

/// Up to a quarter of the operations are in groups of three that are near each other.
fn join_groups(random: &mut Random, nodes: &mut [Node]) {
    let count = nodes.len() as u32;
    for group in 0..count / 12 {
        let first = random.between(0, count - 1);
        for _ in 0..3 {
            let member = (first + random.between(0, 10)).min(count - 1);
            nodes[member as usize].constraints.group = Some(group);
        }
    }
}

/// A tenth of the operations may start in few stages, at an interval about a third above the busiest
/// slot.
fn limit_stages(random: &mut Random, nodes: &mut [Node], edges: &[Edge]) {
    let mut earliest = vec![0_u64; nodes.len()];
    for edge in edges.iter().filter(|edge| edge.distance == 0) {
        let start = earliest[edge.from] + u64::from(nodes[edge.from].latency);
        earliest[edge.to] = earliest[edge.to].max(start);
    }
    let interval = (nodes.len() as u64).max(1);
    for (node, start) in nodes.iter_mut().zip(earliest) {
        if random.chance(10) {
            node.constraints.max_depth = Some((start / interval) as u32 + random.between(0, 1));
        }
    }
}
