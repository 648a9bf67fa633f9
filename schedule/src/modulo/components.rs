//! Strongly connected components of the dependence graph: the recurrences of the loop.

use super::graph::DependenceGraph;

/// The components of a graph in topological order of the condensation: every edge that leaves a
/// component enters a component of a larger index.
#[derive(Clone, Debug)]
pub struct Components {
    of_node: Vec<u32>,
    members: Vec<Vec<usize>>,
    recurrent: Vec<bool>,
}

impl Components {
    /// Finds the components in time linear in nodes and edges, without recursion.
    #[must_use]
    pub fn new(graph: &DependenceGraph) -> Self {
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); graph.len()];
        for edge in graph.edges() {
            successors[edge.from].push(edge.to);
        }
        let (of_node, count) = number_components(&successors);
        let mut members = vec![Vec::new(); count];
        for (node, &component) in of_node.iter().enumerate() {
            members[component as usize].push(node);
        }
        let mut recurrent: Vec<bool> = members.iter().map(|list| list.len() > 1).collect();
        for edge in graph.edges() {
            if edge.from == edge.to {
                recurrent[of_node[edge.from] as usize] = true;
            }
        }
        Self {
            of_node,
            members,
            recurrent,
        }
    }

    /// Number of components.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether the graph is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The component of a node.
    #[must_use]
    pub fn of(&self, node: usize) -> usize {
        self.of_node[node] as usize
    }

    /// The nodes of a component in program order.
    #[must_use]
    pub fn members(&self, component: usize) -> &[usize] {
        &self.members[component]
    }

    /// Whether the component holds a cycle (several nodes, or an edge of a node to itself).
    #[must_use]
    pub fn is_recurrent(&self, component: usize) -> bool {
        self.recurrent[component]
    }

    /// The members of all components, in topological order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[usize]> {
        self.members.iter().map(Vec::as_slice)
    }
}

/// Depth-first numbering with low links and an explicit stack.
pub(super) fn number_components(successors: &[Vec<usize>]) -> (Vec<u32>, usize) {
    const NEW: u32 = u32::MAX;
    let nodes = successors.len();
    let mut index = vec![NEW; nodes];
    let mut low = vec![0_u32; nodes];
    let mut component = vec![NEW; nodes];
    let mut open: Vec<usize> = Vec::new();
    let mut work: Vec<(usize, usize)> = Vec::new();
    let (mut next_index, mut count) = (0_u32, 0_u32);
    for root in 0..nodes {
        if index[root] != NEW {
            continue;
        }
        work.push((root, 0));
        while let Some((node, position)) = work.pop() {
            if position == 0 {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                open.push(node);
            } else {
                let child = successors[node][position - 1];
                low[node] = low[node].min(low[child]);
            }
            let mut descend = None;
            for (offset, &target) in successors[node][position..].iter().enumerate() {
                if index[target] == NEW {
                    descend = Some((position + offset + 1, target));
                    break;
                }
                if component[target] == NEW {
                    low[node] = low[node].min(index[target]);
                }
            }
            if let Some((resume, target)) = descend {
                work.push((node, resume));
                work.push((target, 0));
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    component[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    // Components are found in reverse topological order.
    for number in &mut component {
        *number = count - 1 - *number;
    }
    (component, count as usize)
}

#[cfg(test)]
mod tests {
    use super::super::test_support::operations;
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> DependenceGraph {
        let edges: Vec<_> = edges.iter().map(|&(from, to)| (from, to, 1, 1)).collect();
        operations(nodes, &edges)
    }

    #[test]
    fn components_are_in_topological_order() {
        let graph = graph(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (4, 0), (5, 5)]);
        let components = Components::new(&graph);
        assert_eq!(components.of(1), components.of(2));
        assert_eq!(components.len(), 5);
        for edge in graph.edges() {
            assert!(components.of(edge.from) <= components.of(edge.to));
        }
        assert!(components.is_recurrent(components.of(1)));
        assert!(components.is_recurrent(components.of(5)));
        assert!(!components.is_recurrent(components.of(0)));
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_does_not_exhaust_the_stack() {
        let edges: Vec<_> = (1..100_000).map(|node| (node - 1, node)).collect();
        assert_eq!(Components::new(&graph(100_000, &edges)).len(), 100_000);
    }
}
