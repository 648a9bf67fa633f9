//! The groups that arms seat, and the order of the groups.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::super::order::Timing;
use super::super::problem::LoopProblem;

/// Operations that are seated together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Program indices in increasing order.
    pub members: Vec<usize>,
    /// Structural groupings in force that merged members.
    pub structures: Vec<usize>,
    /// Whether the members feed one operation that combines them.
    pub combiner: bool,
    /// The smallest key is seated first among ready groups.
    pub key: Key,
}

/// Promoted groups first, then the longest path to the end, then the scarcest transport, then
/// program order.
pub(super) type Key = (Reverse<u32>, Reverse<i64>, Reverse<u32>, usize);

/// All groups of one iteration.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    pub list: Vec<Group>,
    /// Group of every operation.
    pub of: Vec<usize>,
    /// Structural groupings in force that each operation belongs to.
    pub structures_of: Vec<Vec<usize>>,
}

impl Groups {
    /// Leader groups and the structural groupings that were not lifted, merged if they intersect;
    /// every other operation is a separate group.
    pub fn new(
        problem: &LoopProblem<'_>,
        timing: &Timing,
        lifted: &BTreeSet<usize>,
        promotion: &[u32],
    ) -> Self {
        let graph = problem.graph;
        let mut union = Union((0..graph.len()).collect());
        let mut first_of_leader = BTreeMap::new();
        for node in 0..graph.len() {
            if let Some(leader) = graph.depth_group(node) {
                union.unite(*first_of_leader.entry(leader).or_insert(node), node);
            }
        }
        let mut structures_of = vec![Vec::new(); graph.len()];
        let in_force = graph.structures().iter().enumerate();
        for (index, structure) in in_force.filter(|(index, _)| !lifted.contains(index)) {
            for &node in &structure.members {
                union.unite(structure.members[0], node);
                structures_of[node].push(index);
            }
        }
        let mut groups = Self {
            list: Vec::new(),
            of: vec![0; graph.len()],
            structures_of,
        };
        let mut number = vec![usize::MAX; graph.len()];
        for (node, &promotion) in promotion.iter().enumerate() {
            let root = union.root(node);
            if number[root] == usize::MAX {
                number[root] = groups.list.len();
                groups.list.push(Group::new(node));
            }
            groups.of[node] = number[root];
            let group = &mut groups.list[number[root]];
            let rank = (promotion, timing.height[node], problem.weight(node));
            group.add(node, rank);
            for &structure in &groups.structures_of[node] {
                group.combiner |= graph.structures()[structure].combiner;
                if !group.structures.contains(&structure) {
                    group.structures.push(structure);
                }
            }
        }
        groups
    }
}

impl Group {
    /// An empty group; `first` will be its first member.
    fn new(first: usize) -> Self {
        Self {
            members: Vec::new(),
            structures: Vec::new(),
            combiner: false,
            key: (Reverse(0), Reverse(0), Reverse(0), first),
        }
    }

    /// Adds a member with its promotion, height and slot weight; the group has the maximum of each.
    fn add(&mut self, node: usize, (promotion, height, weight): (u32, i64, u32)) {
        self.members.push(node);
        let (first, second, third, _) = &mut self.key;
        first.0 = first.0.max(promotion);
        second.0 = second.0.max(height);
        third.0 = third.0.max(weight);
    }
}

/// Disjoint sets of operations; the smallest member is the root.
struct Union(Vec<usize>);

impl Union {
    fn root(&mut self, node: usize) -> usize {
        let mut root = node;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    fn unite(&mut self, first: usize, second: usize) {
        let (first, second) = (self.root(first), self.root(second));
        self.0[first.max(second)] = first.min(second);
    }
}
