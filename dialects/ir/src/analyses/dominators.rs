//! Immediate dominators of a graph, and trees of nodes.
//!
//! The algorithm is the simple variant by Lengauer and Tarjan, "A Fast Algorithm for Finding
//! Dominators in a Flowgraph" (1979): O(edges · log nodes) for any graph.

use super::Graph;

const NONE: u32 = u32::MAX;

/// Nodes in depth-first order. The algorithm identifies nodes by their index in this order.
struct DepthFirst {
    vertex: Vec<u32>,
    number: Vec<u32>,
    parent: Vec<u32>,
}

impl DepthFirst {
    fn new(graph: &Graph, root: u32) -> Self {
        let mut search = DepthFirst {
            vertex: Vec::new(),
            number: vec![NONE; graph.node_count()],
            parent: Vec::new(),
        };
        let mut stack = vec![(root, 0u32)];
        while let Some((node, parent)) = stack.pop() {
            if search.number[node as usize] != NONE {
                continue;
            }
            let number = u32::try_from(search.vertex.len()).unwrap_or(NONE);
            search.number[node as usize] = number;
            search.vertex.push(node);
            search.parent.push(parent);
            let successors = graph.successors(node).iter().rev();
            stack.extend(successors.map(|successor| (*successor, number)));
        }
        search
    }
}

/// The forest of processed nodes, with path compression.
struct Forest {
    ancestor: Vec<u32>,
    label: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(nodes: u32) -> Self {
        Forest {
            ancestor: vec![NONE; nodes as usize],
            label: (0..nodes).collect(),
            semi: (0..nodes).collect(),
            path: Vec::new(),
        }
    }

    /// The node with the smallest semidominator on the path from `node` to the root of its tree.
    fn lowest(&mut self, node: u32) -> u32 {
        let mut at = node;
        while self.ancestor[at as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        // The last node is already a child of the root.
        let mut above = self.path.pop();
        while let (Some(upper), Some(lower)) = (above, self.path.pop()) {
            let (upper_label, label) = (self.label[upper as usize], self.label[lower as usize]);
            if self.semi[upper_label as usize] < self.semi[label as usize] {
                self.label[lower as usize] = upper_label;
            }
            self.ancestor[lower as usize] = at;
            above = Some(lower);
        }
        self.label[node as usize]
    }
}

/// The immediate dominator of each node: its closest strict dominator. `None` for `root` and for
/// unreachable nodes.
pub fn immediate_dominators(graph: &Graph, root: u32) -> Vec<Option<u32>> {
    let mut result = vec![None; graph.node_count()];
    if root as usize >= graph.node_count() {
        return result;
    }
    let search = DepthFirst::new(graph, root);
    let count = u32::try_from(search.vertex.len()).unwrap_or(NONE);
    let mut forest = Forest::new(count);
    let mut dominator = vec![0u32; count as usize];
    // Nodes by semidominator, as linked lists.
    let mut first = vec![NONE; count as usize];
    let mut next = vec![NONE; count as usize];
    for node in (1..count).rev() {
        for &predecessor in graph.predecessors(search.vertex[node as usize]) {
            let predecessor = search.number[predecessor as usize];
            if predecessor != NONE {
                let lowest = forest.lowest(predecessor);
                let semi = forest.semi[lowest as usize];
                let own = &mut forest.semi[node as usize];
                *own = semi.min(*own);
            }
        }
        let semi = forest.semi[node as usize] as usize;
        next[node as usize] = std::mem::replace(&mut first[semi], node);
        let parent = search.parent[node as usize];
        forest.ancestor[node as usize] = parent;
        let mut waiting = std::mem::replace(&mut first[parent as usize], NONE);
        while waiting != NONE {
            let lowest = forest.lowest(waiting);
            let closer = forest.semi[lowest as usize] < forest.semi[waiting as usize];
            dominator[waiting as usize] = if closer { lowest } else { parent };
            waiting = next[waiting as usize];
        }
    }
    for node in 1..count as usize {
        if dominator[node] != forest.semi[node] {
            dominator[node] = dominator[dominator[node] as usize];
        }
        let above = search.vertex[dominator[node] as usize];
        result[search.vertex[node] as usize] = Some(above);
    }
    result
}

/// A forest given by the parent of each node, with ancestor queries in constant time.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    parent: Vec<Option<u32>>,
    children: Vec<Vec<u32>>,
    depth: Vec<u32>,
    /// The entry and exit times of each node in a depth-first traversal.
    interval: Vec<(u32, u32)>,
}

impl Tree {
    /// The forest in which nodes have these parents. Children are in the order of their indices.
    pub fn new(parent: Vec<Option<u32>>) -> Self {
        let mut children = vec![Vec::new(); parent.len()];
        for (node, above) in (0..).zip(&parent) {
            if let Some(above) = above {
                children[*above as usize].push(node);
            }
        }
        let mut tree = Tree {
            depth: vec![0; parent.len()],
            interval: vec![(0, 0); parent.len()],
            parent,
            children,
        };
        tree.number();
        tree
    }

    fn number(&mut self) {
        let mut clock = 0;
        for root in 0..self.parent.len() {
            if self.parent[root].is_some() {
                continue;
            }
            let mut stack = vec![(root, 0usize)];
            while let Some((node, next)) = stack.last_mut() {
                if *next == 0 {
                    self.interval[*node].0 = clock;
                    clock += 1;
                }
                let Some(&child) = self.children[*node].get(*next) else {
                    self.interval[*node].1 = clock;
                    clock += 1;
                    stack.pop();
                    continue;
                };
                *next += 1;
                let child = child as usize;
                self.depth[child] = self.depth[*node] + 1;
                stack.push((child, 0));
            }
        }
    }

    /// The parent of a node.
    pub fn parent(&self, node: u32) -> Option<u32> {
        self.parent[node as usize]
    }

    /// The children of a node, in index order.
    pub fn children(&self, node: u32) -> &[u32] {
        &self.children[node as usize]
    }

    /// The number of ancestors of a node.
    pub fn depth(&self, node: u32) -> u32 {
        self.depth[node as usize]
    }

    /// Whether `a` is `b` or one of its ancestors.
    pub fn contains(&self, a: u32, b: u32) -> bool {
        let (outer, inner) = (self.interval[a as usize], self.interval[b as usize]);
        outer.0 <= inner.0 && inner.1 <= outer.1
    }
}
