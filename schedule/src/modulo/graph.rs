//! The dependence graph used by every scheduler of this crate: plain data, no IR.
//!
//! A node is one operation of a loop body, in program order; its index is its *program index*.
//! An edge `(from, to, latency, distance)` requires
//! `start[to] >= start[from] + latency - interval * distance` for the initiation interval that is
//! finally chosen. Times are in cycles throughout.
//!
//! Source: tileas reference sections 2.2 (constraints), 3.3 (resource triples), 5.2 (edges).

use std::collections::BTreeMap;
use std::fmt;

use super::leaders::{LeaderConflict, LeaderForest};

/// The largest slot number: a reservation row is a 64-bit value; slot `n` is bit `n - 1`.
pub const MAX_SLOT: u8 = 64;

/// The slot that operations under `force_serial_execution` hold for their whole latency, so that no
/// two of them overlap. It is reserved: a resource use may not name it.
pub const SERIAL_SLOT: u8 = 64;

/// Larger durations and latencies are rejected, so that their sums fit in 64 bits and reservation
/// tables fit in memory. Unit: cycles.
pub const MAX_CYCLES: u32 = 1 << 20;

/// Loops with more operations are rejected.
pub const MAX_NODES: usize = 1 << 20;

/// One resource triple of an operation: `slot` is held from the operation's first cycle.
///
/// Source: tileas reference 3.3, `(slot, duration, occupancy)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceUse {
    /// Slot number, 1 to 63.
    pub slot: u8,
    /// Cycles the slot is held, at least 1.
    pub duration: u32,
    /// Units of the slot. A slot has one unit, so this is 1; 0 means that the triple holds nothing.
    pub occupancy: u32,
}

impl ResourceUse {
    /// A triple with occupancy 1, as singleton operations have.
    #[must_use]
    pub const fn new(slot: u8, duration: u32) -> Self {
        Self {
            slot,
            duration,
            occupancy: 1,
        }
    }
}

/// A share of an issue pool, held as long as the operation's longest triple (one cycle if none).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoolUse {
    /// Index into [`ResourceSpace::pools`].
    pub pool: usize,
    /// Units taken in each cycle, at most the pool's capacity.
    pub count: u32,
}

/// A counted issue resource: at most `capacity` units are used in any cycle modulo the interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Name for diagnostics, such as `alu_or_fmaheavy_issue`.
    pub name: String,
    /// Units available in each cycle.
    pub capacity: u32,
}

/// The meaning of the resource numbers of a graph: names of slots, names and capacities of pools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceSpace {
    /// Slot number to name; a slot without a name prints as `slot N`.
    pub slot_names: BTreeMap<u8, String>,
    /// The pools that [`PoolUse::pool`] indexes.
    pub pools: Vec<Pool>,
    /// Slot number to cost weight (the cycle anchors of a machine model): operations on scarce
    /// transports are seated first. Never a lower bound on a start.
    pub slot_weights: BTreeMap<u8, u32>,
}

impl ResourceSpace {
    /// The display name of a slot.
    #[must_use]
    pub fn slot_name(&self, slot: u8) -> String {
        match self.slot_names.get(&slot) {
            Some(name) => name.clone(),
            None if slot == SERIAL_SLOT => "serial".to_owned(),
            None => format!("slot {slot}"),
        }
    }
}

/// The scheduling constraints of one operation (tileas reference 2.1, 2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeConstraints {
    /// `gid`: the group of the operation; operations of one leader share a depth (gate G4).
    pub group: Option<u32>,
    /// `leader_gid`: the group that leads this group; `None` means that the group leads itself.
    pub leader: Option<u32>,
    /// `max_depth`: the largest stage the operation may sit in.
    pub max_depth: Option<u32>,
    /// `force_serial_execution`: never overlaps another operation with this flag, nor itself.
    pub force_serial: bool,
    /// Hints for other passes; schedulers only keep them.
    pub recomputation: RecomputationHints,
}

/// The five keys for slicing and recomputation. They are part of the constraint record and shown in
/// traces; the slicing and recomputation passes read them, schedulers do not.
///
/// Source: tileas reference 2.1 (reader: remat).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecomputationHints {
    /// `preferred_atom_size`: atom size of slices, in elements.
    pub preferred_atom_size: Option<u32>,
    /// `max_num_slices_for_non_reduce_axis`: maximum number of slices along a non-reduced axis.
    pub max_slices: Option<u32>,
    /// `max_num_of_recomputations`: maximum number of recomputations.
    pub max_recomputations: Option<u32>,
    /// `enable_defusion_if_fusion_extending_liveness`.
    pub enable_defusion: bool,
    /// `recomputable`.
    pub recomputable: bool,
}

/// Operations grouped by the structure of the loop, such as the loads that one product reads. A
/// soft constraint: the generator seats them at one depth if that costs nothing; otherwise it lifts
/// the constraint and reports the reason.
///
/// Source: tileas reference 2.3 (StructConstraint, SameDepthConstraint), C33.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructConstraint {
    /// Program indices in increasing order.
    pub members: Vec<usize>,
    /// Whether the members feed one operation that combines them (C8).
    pub combiner: bool,
    /// The reason for the grouping, for display.
    pub rationale: String,
}

/// One operation of the loop body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Name for diagnostics and traces.
    pub name: String,
    /// Cycles from the start until the result can be read.
    pub latency: u32,
    /// Resource triples.
    pub uses: Vec<ResourceUse>,
    /// Issue-pool shares.
    pub pools: Vec<PoolUse>,
    /// Scheduling constraints.
    pub constraints: NodeConstraints,
    /// Bytes of ring storage that one in-flight copy of the result takes.
    pub buffer_bytes: u64,
    /// Registers that one in-flight copy of the result takes, in registers of a warp (128 bytes).
    pub registers: u32,
}

impl Node {
    /// A node with a name, a latency and triples, and nothing else.
    #[must_use]
    pub fn new(name: impl Into<String>, latency: u32, uses: Vec<ResourceUse>) -> Self {
        Self {
            name: name.into(),
            latency,
            uses,
            ..Self::default()
        }
    }
}

/// The reason for an edge; schedulers treat all kinds alike, lifetimes count only
/// [`EdgeKind::Data`] and [`EdgeKind::LoopCarried`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeKind {
    /// The target reads the source's result in the same iteration.
    Data,
    /// The target waits for the source's token.
    Token,
    /// Both access the same memory, and at least one writes.
    Memory,
    /// The target reads the result through loop block arguments, `distance` iterations later.
    LoopCarried,
    /// A scheduling constraint, such as forced order.
    Constraint,
}

impl EdgeKind {
    /// Whether the edge carries a value that occupies storage until it is read.
    #[must_use]
    pub const fn carries_value(self) -> bool {
        matches!(self, Self::Data | Self::LoopCarried)
    }
}

/// A dependence: `start[to] >= start[from] + latency - interval * distance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Program index of the source.
    pub from: usize,
    /// Program index of the target.
    pub to: usize,
    /// Cycles between the starts; negative values are allowed (anti-dependences).
    pub latency: i32,
    /// Iterations between source and target.
    pub distance: u32,
    /// The reason for the edge.
    pub kind: EdgeKind,
}

impl Edge {
    /// The weight at an initiation interval: the least `start[to] - start[from]`.
    #[must_use]
    pub const fn weight(&self, interval: u32) -> i64 {
        self.latency as i64 - (interval as i64) * (self.distance as i64)
    }
}

/// A malformed graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// More than [`MAX_NODES`] operations.
    TooManyNodes,
    /// A slot number outside 1 to 63.
    SlotOutOfRange {
        /// The operation.
        node: usize,
        /// The number given.
        slot: u8,
    },
    /// A triple with duration 0 or above [`MAX_CYCLES`].
    DurationOutOfRange {
        /// The operation.
        node: usize,
        /// The duration given.
        duration: u32,
    },
    /// A triple with occupancy above 1: a slot has one unit and rows are never shared.
    OccupancyExceedsSlot {
        /// The operation.
        node: usize,
        /// The slot.
        slot: u8,
        /// The occupancy given.
        occupancy: u32,
    },
    /// A latency above [`MAX_CYCLES`] in magnitude.
    LatencyOutOfRange {
        /// The operation (an edge's source).
        node: usize,
    },
    /// A pool that does not exist, or a share above the pool's capacity.
    PoolUnsatisfiable {
        /// The operation.
        node: usize,
        /// The pool index.
        pool: usize,
    },
    /// An edge from or to an operation that does not exist.
    EdgeOutOfRange {
        /// The edge.
        edge: Edge,
    },
    /// An edge distance above [`MAX_CYCLES`].
    DistanceOutOfRange {
        /// The edge.
        edge: Edge,
    },
    /// A structural grouping names an operation that does not exist.
    StructureOutOfRange {
        /// The program index given.
        node: usize,
    },
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyNodes => write!(f, "loop has more than {MAX_NODES} operations"),
            Self::SlotOutOfRange { node, slot } => {
                write!(
                    f,
                    "operation {node}: slot {slot} is outside 1..{}",
                    MAX_SLOT - 1
                )
            }
            Self::DurationOutOfRange { node, duration } => {
                write!(
                    f,
                    "operation {node}: duration {duration} is outside 1..{MAX_CYCLES}"
                )
            }
            Self::OccupancyExceedsSlot {
                node,
                slot,
                occupancy,
            } => {
                write!(
                    f,
                    "operation {node}: occupancy {occupancy} of slot {slot}, which has 1"
                )
            }
            Self::LatencyOutOfRange { node } => {
                write!(f, "operation {node}: latency exceeds {MAX_CYCLES} cycles")
            }
            Self::PoolUnsatisfiable { node, pool } => {
                write!(
                    f,
                    "operation {node}: share of pool {pool} exceeds its capacity"
                )
            }
            Self::EdgeOutOfRange { edge } => {
                write!(
                    f,
                    "edge {} -> {} refers to an operation that does not exist",
                    edge.from, edge.to
                )
            }
            Self::StructureOutOfRange { node } => {
                write!(
                    f,
                    "a structural group refers to operation {node}, which does not exist"
                )
            }
            Self::DistanceOutOfRange { edge } => {
                write!(
                    f,
                    "edge {} -> {}: distance exceeds {MAX_CYCLES}",
                    edge.from, edge.to
                )
            }
        }
    }
}

impl std::error::Error for GraphError {}

impl GraphError {
    /// The operation at fault, by program index; `None` if the fault is in the graph.
    #[must_use]
    pub const fn node(&self) -> Option<usize> {
        match self {
            Self::SlotOutOfRange { node, .. }
            | Self::DurationOutOfRange { node, .. }
            | Self::OccupancyExceedsSlot { node, .. }
            | Self::LatencyOutOfRange { node }
            | Self::PoolUnsatisfiable { node, .. }
            | Self::StructureOutOfRange { node } => Some(*node),
            Self::EdgeOutOfRange { edge } | Self::DistanceOutOfRange { edge } => Some(edge.from),
            Self::TooManyNodes => None,
        }
    }
}

/// Compressed adjacency: the edge indices of node `v` are `list[offset[v]..offset[v + 1]]`.
#[derive(Clone, Debug, Default)]
struct Adjacency {
    offset: Vec<u32>,
    list: Vec<u32>,
}

impl Adjacency {
    fn new(nodes: usize, edges: &[Edge], end: impl Fn(&Edge) -> usize) -> Self {
        let mut offset = vec![0_u32; nodes + 1];
        for edge in edges {
            offset[end(edge) + 1] += 1;
        }
        for node in 0..nodes {
            offset[node + 1] += offset[node];
        }
        let mut next = offset.clone();
        let mut list = vec![0_u32; edges.len()];
        for (number, edge) in edges.iter().enumerate() {
            let slot = &mut next[end(edge)];
            list[*slot as usize] = number as u32;
            *slot += 1;
        }
        Self { offset, list }
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.list[self.offset[node] as usize..self.offset[node + 1] as usize]
    }
}

/// The validated, immutable dependence graph of one loop body.
#[derive(Clone, Debug)]
pub struct DependenceGraph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    space: ResourceSpace,
    successors: Adjacency,
    predecessors: Adjacency,
    depth_group: Vec<Option<u32>>,
    leader_conflicts: Vec<LeaderConflict>,
    structures: Vec<StructConstraint>,
}

impl DependenceGraph {
    /// Checks nodes and edges and builds the adjacency.
    ///
    /// # Errors
    /// The first malformation found, in program order; see [`GraphError`].
    pub fn new(
        space: ResourceSpace,
        nodes: Vec<Node>,
        edges: Vec<Edge>,
    ) -> Result<Self, GraphError> {
        if nodes.len() > MAX_NODES || edges.len() > u32::MAX as usize / 2 {
            return Err(GraphError::TooManyNodes);
        }
        for (index, node) in nodes.iter().enumerate() {
            check_node(index, node, &space)?;
        }
        for edge in &edges {
            check_edge(edge, nodes.len())?;
        }
        let successors = Adjacency::new(nodes.len(), &edges, |edge| edge.from);
        let predecessors = Adjacency::new(nodes.len(), &edges, |edge| edge.to);
        let mut forest = LeaderForest::new(nodes.iter().enumerate().filter_map(|(index, node)| {
            let NodeConstraints { group, leader, .. } = node.constraints;
            Some((index, group?, leader))
        }));
        let depth_group = nodes
            .iter()
            .map(|node| node.constraints.group.map(|group| forest.leader(group)))
            .collect();
        Ok(Self {
            nodes,
            edges,
            space,
            successors,
            predecessors,
            depth_group,
            leader_conflicts: forest.conflicts().to_vec(),
            structures: Vec::new(),
        })
    }

    /// The same graph with structural groupings, which rank schedules and never reject one.
    ///
    /// # Errors
    /// [`GraphError::StructureOutOfRange`] for a member that does not exist.
    pub fn with_structures(
        mut self,
        structures: Vec<StructConstraint>,
    ) -> Result<Self, GraphError> {
        let mut members = structures.iter().flat_map(|structure| &structure.members);
        if let Some(&node) = members.find(|&&node| node >= self.nodes.len()) {
            return Err(GraphError::StructureOutOfRange { node });
        }
        self.structures = structures;
        Ok(self)
    }

    /// The structural groupings.
    #[must_use]
    pub fn structures(&self) -> &[StructConstraint] {
        &self.structures
    }

    /// Number of operations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the body has no operation.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operations in program order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One operation by its program index.
    ///
    /// # Panics
    /// Never for an index below [`Self::len`].
    #[must_use]
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// All edges in the order they were given.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Slot names and pools.
    #[must_use]
    pub fn space(&self) -> &ResourceSpace {
        &self.space
    }

    /// The edges that leave an operation.
    pub fn successors(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.successors
            .of(node)
            .iter()
            .map(|&edge| &self.edges[edge as usize])
    }

    /// The edges that enter an operation.
    pub fn predecessors(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.predecessors
            .of(node)
            .iter()
            .map(|&edge| &self.edges[edge as usize])
    }

    /// The depth group of an operation: operations of one group share `start div interval`.
    /// `None` for an operation without a group.
    #[must_use]
    pub fn depth_group(&self, node: usize) -> Option<u32> {
        self.depth_group[node]
    }

    /// Contradictory leader declarations, in program order, for warnings.
    #[must_use]
    pub fn leader_conflicts(&self) -> &[LeaderConflict] {
        &self.leader_conflicts
    }
}

fn check_node(index: usize, node: &Node, space: &ResourceSpace) -> Result<(), GraphError> {
    if node.latency > MAX_CYCLES {
        return Err(GraphError::LatencyOutOfRange { node: index });
    }
    for triple in &node.uses {
        if triple.slot == 0 || triple.slot >= SERIAL_SLOT {
            return Err(GraphError::SlotOutOfRange {
                node: index,
                slot: triple.slot,
            });
        }
        if triple.duration == 0 || triple.duration > MAX_CYCLES {
            return Err(GraphError::DurationOutOfRange {
                node: index,
                duration: triple.duration,
            });
        }
        if triple.occupancy > 1 {
            return Err(GraphError::OccupancyExceedsSlot {
                node: index,
                slot: triple.slot,
                occupancy: triple.occupancy,
            });
        }
    }
    for share in &node.pools {
        let total: u64 = node
            .pools
            .iter()
            .filter(|other| other.pool == share.pool)
            .map(|other| u64::from(other.count))
            .sum();
        match space.pools.get(share.pool) {
            Some(pool) if total <= u64::from(pool.capacity) => {}
            _ => {
                return Err(GraphError::PoolUnsatisfiable {
                    node: index,
                    pool: share.pool,
                });
            }
        }
    }
    Ok(())
}

fn check_edge(edge: &Edge, nodes: usize) -> Result<(), GraphError> {
    if edge.from >= nodes || edge.to >= nodes {
        return Err(GraphError::EdgeOutOfRange { edge: *edge });
    }
    if edge.latency.unsigned_abs() > MAX_CYCLES {
        return Err(GraphError::LatencyOutOfRange { node: edge.from });
    }
    if edge.distance > MAX_CYCLES {
        return Err(GraphError::DistanceOutOfRange { edge: *edge });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(group: Option<u32>, leader: Option<u32>) -> Node {
        let mut node = Node::new("op", 1, Vec::new());
        node.constraints = NodeConstraints {
            group,
            leader,
            ..NodeConstraints::default()
        };
        node
    }

    fn build(nodes: Vec<Node>, edges: Vec<Edge>) -> Result<DependenceGraph, GraphError> {
        DependenceGraph::new(ResourceSpace::default(), nodes, edges)
    }

    #[test]
    fn operations_of_one_leader_share_a_depth_group() {
        let nodes = vec![
            grouped(Some(3), Some(2)),
            grouped(Some(2), Some(1)),
            grouped(Some(1), None),
            grouped(None, Some(1)),
            grouped(Some(7), Some(7)),
        ];
        let graph = build(nodes, Vec::new()).unwrap();
        let groups: Vec<_> = (0..5).map(|node| graph.depth_group(node)).collect();
        assert_eq!(groups, [Some(1), Some(1), Some(1), None, Some(7)]);
        assert!(graph.leader_conflicts().is_empty());
    }

    #[test]
    fn structures_name_operations_that_exist() {
        let structure = |members| StructConstraint {
            members,
            combiner: true,
            rationale: "feed one operation".to_owned(),
        };
        let graph = || build(vec![grouped(None, None); 2], Vec::new()).unwrap();
        let good = graph()
            .with_structures(vec![structure(vec![0, 1])])
            .unwrap();
        assert_eq!(good.structures().len(), 1);
        let bad = graph().with_structures(vec![structure(vec![0, 2])]);
        assert_eq!(
            bad.unwrap_err(),
            GraphError::StructureOutOfRange { node: 2 }
        );
    }

    #[test]
    fn malformed_nodes_and_edges_are_refused() {
        let bad_slot = Node::new("op", 1, vec![ResourceUse::new(0, 1)]);
        assert!(matches!(
            build(vec![bad_slot], vec![]),
            Err(GraphError::SlotOutOfRange { .. })
        ));
        let reserved = Node::new("op", 1, vec![ResourceUse::new(SERIAL_SLOT, 1)]);
        assert!(matches!(
            build(vec![reserved], vec![]),
            Err(GraphError::SlotOutOfRange { .. })
        ));
        let no_time = Node::new("op", 1, vec![ResourceUse::new(1, 0)]);
        assert!(matches!(
            build(vec![no_time], vec![]),
            Err(GraphError::DurationOutOfRange { .. })
        ));
        let mut pooled = Node::new("op", 1, vec![]);
        pooled.pools.push(PoolUse { pool: 0, count: 1 });
        assert!(matches!(
            build(vec![pooled], vec![]),
            Err(GraphError::PoolUnsatisfiable { .. })
        ));
        let dangling = Edge {
            from: 0,
            to: 3,
            latency: 1,
            distance: 0,
            kind: EdgeKind::Data,
        };
        assert!(matches!(
            build(vec![grouped(None, None)], vec![dangling]),
            Err(GraphError::EdgeOutOfRange { .. })
        ));
    }

    /// Each limit itself is allowed, and one beyond it is not.
    #[test]
    fn limits_of_nodes_and_edges_are_exact() {
        let node = |latency, slot, duration, occupancy| {
            let mut triple = ResourceUse::new(slot, duration);
            triple.occupancy = occupancy;
            build(vec![Node::new("op", latency, vec![triple])], vec![]).map(|_| ())
        };
        assert_eq!(node(MAX_CYCLES, SERIAL_SLOT - 1, MAX_CYCLES, 0), Ok(()));
        let (node_0, beyond) = (0, MAX_CYCLES + 1);
        let late = GraphError::LatencyOutOfRange { node: node_0 };
        assert_eq!(node(beyond, 1, 1, 1), Err(late.clone()));
        let long = GraphError::DurationOutOfRange {
            node: 0,
            duration: beyond,
        };
        assert_eq!(node(1, 1, beyond, 1), Err(long));
        let shared = GraphError::OccupancyExceedsSlot {
            node: 0,
            slot: 1,
            occupancy: 2,
        };
        assert_eq!(node(1, 1, 1, 2), Err(shared));
        let edge = |latency, distance| Edge {
            from: 0,
            to: 0,
            latency,
            distance,
            kind: EdgeKind::Data,
        };
        let one = |edge| build(vec![Node::new("op", 1, vec![])], vec![edge]).map(|_| ());
        let most = MAX_CYCLES as i32;
        assert_eq!(one(edge(-most, MAX_CYCLES)), Ok(()));
        assert_eq!(one(edge(-most - 1, 1)), Err(late));
        let far = edge(1, beyond);
        assert_eq!(one(far), Err(GraphError::DistanceOutOfRange { edge: far }));
    }

    /// The shares of one pool add up.
    #[test]
    fn shares_of_an_operation_fit_the_pool() {
        let pool = Pool {
            name: "issue".to_owned(),
            capacity: 3,
        };
        let space = ResourceSpace {
            pools: vec![pool],
            ..ResourceSpace::default()
        };
        let shares = |counts: &[u32]| {
            let mut node = Node::new("op", 1, Vec::new());
            node.pools
                .extend(counts.iter().map(|&count| PoolUse { pool: 0, count }));
            DependenceGraph::new(space.clone(), vec![node], Vec::new()).map(|_| ())
        };
        assert_eq!(shares(&[2, 1]), Ok(()));
        let wide = GraphError::PoolUnsatisfiable { node: 0, pool: 0 };
        assert_eq!(shares(&[2, 2]), Err(wide));
    }

    #[test]
    fn adjacency_lists_edges_in_both_directions() {
        let edge = |from, to| Edge {
            from,
            to,
            latency: 1,
            distance: 0,
            kind: EdgeKind::Data,
        };
        let nodes = vec![grouped(None, None); 3];
        let graph = build(nodes, vec![edge(0, 2), edge(1, 2), edge(0, 1)]).unwrap();
        assert_eq!(
            graph.successors(0).map(|e| e.to).collect::<Vec<_>>(),
            [2, 1]
        );
        assert_eq!(
            graph.predecessors(2).map(|e| e.from).collect::<Vec<_>>(),
            [0, 1]
        );
        assert_eq!(graph.successors(2).count(), 0);
    }
}
