//! The disjoint-set forest of `Schedule::solve`.

use std::collections::BTreeMap;

/// Disjoint sets of operations of a body, with path compression. A union links the larger root to
/// the smaller one, so the forest does not depend on the order of unions.
///
/// ```
/// use orison_schedule::tileas::solve::DisjointSets;
///
/// let mut sets = DisjointSets::default();
/// sets.union(5, 3);
/// sets.union(9, 5);
/// assert_eq!(sets.find(9), 3);
/// assert_eq!(sets.find(7), 7);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisjointSets {
    parents: BTreeMap<usize, usize>,
}

impl DisjointSets {
    /// The root of the set of a node; a node that was never merged is its own root.
    pub fn find(&mut self, node: usize) -> usize {
        let mut root = node;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut current = node;
        while current != root {
            let parent = self.parents.insert(current, root);
            current = parent.unwrap_or(root);
        }
        root
    }

    /// Merges two sets.
    pub fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parents.insert(a.max(b), a.min(b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_do_not_depend_on_their_order() {
        let mut forward = DisjointSets::default();
        let mut backward = DisjointSets::default();
        let pairs = [(5, 3), (3, 9), (1, 2), (9, 2)];
        for (a, b) in pairs {
            forward.union(a, b);
        }
        for (a, b) in pairs.into_iter().rev() {
            backward.union(b, a);
        }
        for node in [1, 2, 3, 5, 9] {
            assert_eq!(forward.find(node), 1);
            assert_eq!(backward.find(node), 1);
        }
        assert_eq!(forward.find(7), 7);
    }

    #[test]
    fn paths_are_compressed() {
        let mut sets = DisjointSets::default();
        for node in (0..1000).rev() {
            sets.union(node, node + 1);
        }
        assert_eq!(sets.find(1000), 0);
        assert_eq!(sets.parents.get(&1000), Some(&0));
    }
}
