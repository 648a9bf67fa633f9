//! The required order of operations within one iteration.

use super::super::graph::DependenceGraph;

/// Reachability over dependences of distance 0, one bit per pair.
#[derive(Clone, Debug)]
pub(super) struct Ancestors {
    words: usize,
    /// Operations reachable from each operation; empty for a loop that is too large.
    reach: Vec<u64>,
}

/// Larger loops get no matrix; groups are not fused there.
const MOST_NODES: usize = 4096;

impl Ancestors {
    pub fn new(graph: &DependenceGraph) -> Self {
        let nodes = graph.len();
        if nodes > MOST_NODES {
            return Self {
                words: 0,
                reach: Vec::new(),
            };
        }
        let words = nodes.div_ceil(64);
        let mut reach = vec![0_u64; words * nodes];
        // Sweeps against program order reach the fixpoint in one or two passes.
        loop {
            let mut changed = false;
            for node in (0..nodes).rev() {
                for edge in graph.successors(node).filter(|edge| edge.distance == 0) {
                    changed |= absorb(&mut reach, words, node, edge.to);
                }
            }
            if !changed {
                break;
            }
        }
        Self { words, reach }
    }

    /// Whether the relation is available.
    pub const fn is_known(&self) -> bool {
        self.words > 0
    }

    /// Whether a required order or an ancestor relation exists between members of two groups.
    pub fn related(&self, first: &[usize], second: &[usize]) -> bool {
        let reaches =
            |from: usize, to: usize| self.reach[from * self.words + to / 64] >> (to % 64) & 1 == 1;
        first.iter().any(|&from| {
            let mut others = second.iter();
            others.any(|&to| reaches(from, to) || reaches(to, from))
        })
    }
}

/// Marks `to`, and what it reaches, as reachable from `node`.
fn absorb(reach: &mut [u64], words: usize, node: usize, to: usize) -> bool {
    let mut changed = false;
    for word in 0..words {
        let mut added = reach[to * words + word];
        if to / 64 == word {
            added |= 1 << (to % 64);
        }
        let entry = &mut reach[node * words + word];
        changed |= added & !*entry != 0;
        *entry |= added;
    }
    changed
}
