//! The leader forest: the leader of each group.
//!
//! `leader_gid` links the tree of an operation's group under the tree of its leader; looking up a
//! root compresses the path. A group leads itself unless it names another. Without contradictions
//! the root of a tree does not depend on the order of the operations. A group with two leaders, or
//! groups that lead each other, are contradictory: their tree is then named by its smallest group,
//! so that the result still does not depend on the order, and the contradiction is kept for a
//! warning.
//!
//! Source: tileas reference 2.2 and its hazards; 4.6 (gate G4).

use std::collections::BTreeMap;
use std::fmt;

/// Two leader declarations that cannot both be satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaderConflict {
    /// The group with contradictory leaders.
    pub group: u32,
    /// The operation that declared a leader first.
    pub first: usize,
    /// The operation that contradicts it.
    pub second: usize,
}

impl fmt::Display for LeaderConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "inconsistent leader_gid for group {}: operations {} and {}",
            self.group, self.first, self.second
        )
    }
}

/// Groups under their leaders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaderForest {
    /// The parent of each group; roots have no entry.
    parent: BTreeMap<u32, u32>,
    /// The name of a contradictory tree, by its root.
    canonical: BTreeMap<u32, u32>,
    /// First declaration of each group: its leader and the operation.
    declared: BTreeMap<u32, (u32, usize)>,
    conflicts: Vec<LeaderConflict>,
}

impl LeaderForest {
    /// Collects the declarations in program order: the index of an operation, its group, and the
    /// group that it names as the leader, if it names one.
    #[must_use]
    pub fn new(declarations: impl IntoIterator<Item = (usize, u32, Option<u32>)>) -> Self {
        let mut forest = Self::default();
        for (index, group, leader) in declarations {
            forest.declare(group, leader.unwrap_or(group), index);
        }
        let contradictory: Vec<u32> = forest.conflicts.iter().map(|c| c.group).collect();
        for group in contradictory {
            let root = forest.root(group);
            let tree = forest.groups_under(root);
            forest.canonical.insert(root, tree[0]);
        }
        forest
    }

    /// The leader at the top of a group's tree.
    pub fn leader(&mut self, group: u32) -> u32 {
        let root = self.root(group);
        self.canonical.get(&root).copied().unwrap_or(root)
    }

    /// Contradictory declarations in program order.
    #[must_use]
    pub fn conflicts(&self) -> &[LeaderConflict] {
        &self.conflicts
    }

    fn declare(&mut self, group: u32, leader: u32, index: usize) {
        let previous = self.declared.get(&group).copied();
        match previous {
            Some((other, first)) if other != leader => self.contradict(group, first, index),
            Some(_) => return,
            None => {
                self.declared.insert(group, (leader, index));
            }
        }
        let (child, root) = (self.root(group), self.root(leader));
        if child != root {
            self.parent.insert(child, root);
        } else if group != leader && previous.is_none() {
            // The leader already follows this group, directly or transitively.
            let declared = self.declared.get(&leader);
            let first = declared.map_or(index, |&(_, first)| first);
            self.contradict(group, first, index);
        }
    }

    fn contradict(&mut self, group: u32, first: usize, second: usize) {
        self.conflicts.push(LeaderConflict {
            group,
            first,
            second,
        });
    }

    /// The root of a group's tree; links every group on the path directly to it.
    fn root(&mut self, group: u32) -> u32 {
        let mut root = group;
        while let Some(&next) = self.parent.get(&root) {
            root = next;
        }
        let mut member = group;
        while member != root {
            member = self.parent.insert(member, root).unwrap_or(root);
        }
        root
    }

    /// The groups of a tree in ascending order; never empty.
    fn groups_under(&mut self, root: u32) -> Vec<u32> {
        let known: Vec<u32> = self.parent.keys().copied().collect();
        let mut tree: Vec<u32> = known
            .into_iter()
            .filter(|&group| self.root(group) == root)
            .collect();
        tree.push(root);
        tree.sort_unstable();
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(declarations: &[(u32, Option<u32>)]) -> LeaderForest {
        let declarations = declarations.iter().enumerate();
        LeaderForest::new(declarations.map(|(index, &(group, leader))| (index, group, leader)))
    }

    #[test]
    fn a_chain_of_leaders_ends_at_the_one_that_leads_itself() {
        let declarations = [(3, Some(2)), (2, Some(9)), (9, None), (7, Some(7))];
        let mut reversed = declarations;
        reversed.reverse();
        for declarations in [declarations, reversed] {
            let mut forest = forest(&declarations);
            assert_eq!([3, 2, 9, 7].map(|group| forest.leader(group)), [9, 9, 9, 7]);
            assert!(forest.conflicts().is_empty());
        }
    }

    #[test]
    fn a_leader_without_operations_leads_all_the_same() {
        let mut forest = forest(&[(1, Some(5)), (2, Some(5))]);
        assert_eq!((forest.leader(1), forest.leader(2)), (5, 5));
    }

    #[test]
    fn mutual_leaders_are_named_by_the_smallest_group() {
        for declarations in [[(4, Some(2)), (2, Some(4))], [(2, Some(4)), (4, Some(2))]] {
            let mut forest = forest(&declarations);
            assert_eq!((forest.leader(2), forest.leader(4)), (2, 2));
            let conflict = LeaderConflict {
                group: declarations[1].0,
                first: 0,
                second: 1,
            };
            assert_eq!(forest.conflicts(), [conflict]);
        }
    }

    #[test]
    fn a_ring_of_leaders_is_found_whatever_its_length() {
        let mut forest = forest(&[(3, Some(4)), (4, Some(5)), (5, Some(3))]);
        assert_eq!([3, 4, 5].map(|group| forest.leader(group)), [3, 3, 3]);
        assert_eq!(forest.conflicts().len(), 1);
        assert_eq!(forest.conflicts()[0].second, 2);
    }

    #[test]
    fn a_group_with_two_leaders_unites_both_trees() {
        let mut forest = forest(&[(6, Some(7)), (6, Some(8)), (7, None), (8, None)]);
        assert_eq!([6, 7, 8].map(|group| forest.leader(group)), [6, 6, 6]);
        let conflict = LeaderConflict {
            group: 6,
            first: 0,
            second: 1,
        };
        assert_eq!(forest.conflicts(), [conflict]);
    }
}
