//! Directed graphs of numbered nodes.

/// Adjacency lists of all nodes, in one array.
#[derive(Clone, Debug, Default)]
struct Adjacency {
    /// Start of each node's list; one entry more than there are nodes.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Adjacency {
    /// `edges` yields pairs of a node and an entry of its list, in the order of each list.
    fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for (node, _) in edges.clone() {
            starts[node as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut ends = vec![0; starts[nodes] as usize];
        for (node, end) in edges {
            let place = &mut next[node as usize];
            ends[*place as usize] = end;
            *place += 1;
        }
        Adjacency { starts, ends }
    }

    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.ends[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// A directed graph with successor and predecessor lists. Edges may be duplicated.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    successors: Adjacency,
    predecessors: Adjacency,
}

impl Graph {
    /// The graph with nodes from 0 to `nodes` (exclusive) and these edges, in this order.
    ///
    /// # Panics
    /// If an edge has a node that is not in the graph.
    pub fn new(nodes: usize, edges: &[(u32, u32)]) -> Self {
        Graph {
            successors: Adjacency::new(nodes, edges.iter().copied()),
            predecessors: Adjacency::new(nodes, edges.iter().map(|(from, to)| (*to, *from))),
        }
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.successors.starts.len().saturating_sub(1)
    }

    /// The successors of a node.
    pub fn successors(&self, node: u32) -> &[u32] {
        self.successors.of(node)
    }

    /// The predecessors of a node.
    pub fn predecessors(&self, node: u32) -> &[u32] {
        self.predecessors.of(node)
    }

    /// All edges, by source node.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let nodes = 0..u32::try_from(self.node_count()).unwrap_or(u32::MAX);
        nodes.flat_map(|node| self.successors(node).iter().map(move |to| (node, *to)))
    }

    /// The graph with its edges reversed.
    #[must_use]
    pub fn reversed(self) -> Self {
        Graph {
            successors: self.predecessors,
            predecessors: self.successors,
        }
    }

    /// The nodes reachable from `root`, each after all of its successors except along retreating
    /// edges. Successors are visited in their order.
    pub fn post_order(&self, root: u32) -> Vec<u32> {
        let mut order = Vec::new();
        if root as usize >= self.node_count() {
            return order;
        }
        let mut seen = vec![false; self.node_count()];
        seen[root as usize] = true;
        let mut stack = vec![(root, 0usize)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&successor) = self.successors(*node).get(*next) else {
                order.push(*node);
                stack.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[successor as usize], true) {
                stack.push((successor, 0));
            }
        }
        order
    }

    /// The nodes reachable from `root`, in reverse post-order: a node precedes its successors
    /// except along retreating edges.
    pub fn reverse_post_order(&self, root: u32) -> Vec<u32> {
        let mut order = self.post_order(root);
        order.reverse();
        order
    }
}
