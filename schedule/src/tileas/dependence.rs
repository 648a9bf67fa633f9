//! The dependence graph of a loop body.
//!
//! Edges come from three sources: values (within an iteration, and through the loop's carried
//! arguments, where a chain of d arguments is a dependence of distance d), tokens, which are also
//! values, and memory. Tile memory operations are ordered by tokens; an `acquire` orders later
//! memory operations after it and a `release` waits for earlier ones. Operations whose effects are
//! unknown keep their order with every operation that accesses memory.
//!
//! Source: issue of the tile scheduler, design section 3, TileAS reference 1.7 and 1.10.

use orison_ir::declare::Effects;
use orison_ir::walk::walk_nested;
use orison_ir::{Context, Diagnostic, Operation, Value, ValueOwner};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

use super::attributes;
use super::classify::node_cost;
use super::loop_body::LoopBody;
use super::tensor_memory::{self, TensorAccess};
use super::tokens::is_token;
use crate::machine::MachineModel;
use crate::modulo::{DependenceGraph, Edge, EdgeKind, Node, StructConstraint};

/// Builds the dependence graph of a loop body. Node i is the i-th operation of the body.
///
/// # Errors
/// A located error for malformed scheduling attributes or values that the scheduler rejects.
pub fn dependence_graph(
    context: &Context,
    body: &LoopBody,
    machine: &MachineModel,
) -> Result<DependenceGraph, Box<Diagnostic>> {
    let mut nodes = Vec::with_capacity(body.operations.len());
    for &op in &body.operations {
        nodes.push(node(context, op, machine)?);
    }
    let mut edges = value_edges(context, body, &nodes);
    edges.extend(memory_edges(context, body, &nodes));
    let structures = structures(&nodes, &edges);
    DependenceGraph::new(machine.resource_space(), nodes, edges)
        .and_then(|graph| graph.with_structures(structures))
        .map_err(|error| {
            let node = error.node().and_then(|node| body.operations.get(node));
            node.unwrap_or(&body.op).op_error(context, error)
        })
}

/// The structural groupings of a body: staged loads that one operation reads belong to one pipe,
/// which is simplest if they share a depth.
fn structures(nodes: &[Node], edges: &[Edge]) -> Vec<StructConstraint> {
    let mut loads_of: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for edge in edges {
        if edge.kind == EdgeKind::Data && nodes[edge.from].buffer_bytes > 0 {
            loads_of.entry(edge.to).or_default().insert(edge.from);
        }
    }
    loads_of.retain(|_, loads| loads.len() > 1);
    loads_of
        .into_iter()
        .map(|(reader, loads)| StructConstraint {
            members: loads.into_iter().collect(),
            combiner: true,
            rationale: format!(
                "operation {reader} ({}) reads all of them",
                nodes[reader].name
            ),
        })
        .collect()
}

fn node(context: &Context, op: Operation, machine: &MachineModel) -> Result<Node, Box<Diagnostic>> {
    let cost = node_cost(context, op, machine)?;
    Ok(Node {
        name: op.name_text(context).to_owned(),
        latency: cost.latency,
        uses: cost.uses,
        pools: cost.pools,
        constraints: attributes::constraints(context, op)?,
        buffer_bytes: super::classify::staged_bytes(context, op),
        registers: super::classify::registers(context, op),
    })
}

/// The source of a value that the body reads: an operation of the body, some iterations ago.
fn origin(
    context: &Context,
    body: &LoopBody,
    node_of: &FxHashMap<Operation, usize>,
    value: Value,
) -> Option<(usize, u32)> {
    let mut value = value;
    // A chain longer than the number of carried arguments is cyclic and never reaches a definition:
    // such a value does not change.
    for distance in 0..=u32::try_from(body.block.argument_count(context)).ok()? {
        match value.owner(context) {
            ValueOwner::Result(op, _) => {
                let op = op.ancestor_in_block(context, body.block)?;
                return node_of.get(&op).map(|node| (*node, distance));
            }
            ValueOwner::Argument(block, position) => {
                if block != body.block || position == 0 {
                    return None;
                }
                value = body.terminator.operand(context, position - 1);
            }
        }
    }
    None
}

fn value_edges(context: &Context, body: &LoopBody, nodes: &[Node]) -> Vec<Edge> {
    let node_of: FxHashMap<Operation, usize> = body.operations.iter().copied().zip(0..).collect();
    let mut edges = Vec::new();
    for (to, &op) in body.operations.iter().enumerate() {
        let mut read = |value: Value| {
            let Some((from, distance)) = origin(context, body, &node_of, value) else {
                return;
            };
            if from == to && distance == 0 {
                return;
            }
            let kind = match distance {
                0 if is_token(context, value) => EdgeKind::Token,
                0 => EdgeKind::Data,
                _ => EdgeKind::LoopCarried,
            };
            let latency = i32::try_from(nodes[from].latency).unwrap_or(i32::MAX);
            edges.push(Edge {
                from,
                to,
                latency,
                distance,
                kind,
            });
        };
        op.operands(context).for_each(&mut read);
        walk_nested(context, op, |nested| {
            nested.operands(context).for_each(&mut read);
        });
    }
    edges
}

/// The memory effects of an operation that are not ordered by tokens.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct MemoryAccess {
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Later accesses may not move before it.
    pub(super) acquires: bool,
    /// Earlier accesses may not move after it.
    pub(super) releases: bool,
    /// Order among such accesses is given by tokens, or by the allocations in tensor memory.
    pub(super) by_token: bool,
    /// The allocations in tensor memory that are accessed; `None` if other memory is, too.
    pub(super) tensor: Option<Vec<TensorAccess>>,
}

impl MemoryAccess {
    const UNKNOWN: MemoryAccess = MemoryAccess {
        reads: true,
        writes: true,
        acquires: true,
        releases: true,
        by_token: false,
        tensor: None,
    };

    /// Accesses to allocations in tensor memory.
    fn of_tensor_memory(accesses: Vec<TensorAccess>) -> MemoryAccess {
        MemoryAccess {
            reads: accesses.iter().any(|access| !access.writes),
            writes: accesses.iter().any(|access| access.writes),
            by_token: true,
            tensor: Some(accesses),
            ..MemoryAccess::default()
        }
    }

    fn touches(&self) -> bool {
        self.reads || self.writes
    }

    fn merge(self, other: MemoryAccess) -> MemoryAccess {
        let tensor = self.tensor.zip(other.tensor);
        MemoryAccess {
            tensor: tensor.map(|(own, other)| [own, other].concat()),
            reads: self.reads || other.reads,
            writes: self.writes || other.writes,
            acquires: self.acquires || other.acquires,
            releases: self.releases || other.releases,
            by_token: self.by_token && other.by_token,
        }
    }
}

/// The memory effects of an operation and its nested ones. Those with explicit resources, including
/// everything nested in them, have no effects besides those ordered by tokens.
pub(super) fn memory_access(context: &Context, op: Operation) -> MemoryAccess {
    let mut access = MemoryAccess {
        by_token: true,
        tensor: Some(Vec::new()),
        ..MemoryAccess::default()
    };
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        if attributes::has_resources(context, op) {
            continue;
        }
        let own = own_access(context, op);
        if own.touches() {
            access = access.merge(own);
        }
        let blocks = op
            .regions(context)
            .flat_map(|region| region.blocks(context));
        pending.extend(blocks.flat_map(|block| block.operations(context)));
    }
    access
}

/// The memory effects of an operation itself. An unknown one may do anything; the effects of one
/// known only for its regions are those of its nested operations.
fn own_access(context: &Context, op: Operation) -> MemoryAccess {
    if let Some(accesses) = tensor_memory::accesses(context, op) {
        return MemoryAccess::of_tensor_memory(accesses);
    }
    let Some(definition) = op.definition(context) else {
        return MemoryAccess::UNKNOWN;
    };
    let (reads, writes) = match definition.effects {
        Effects::Unknown if op.region_count(context) == 0 => return MemoryAccess::UNKNOWN,
        Effects::None | Effects::Allocate | Effects::Recursive | Effects::Unknown => {
            return MemoryAccess::default();
        }
        Effects::Read => (true, false),
        Effects::Write => (false, true),
        Effects::ReadWrite => (true, true),
    };
    let semantic = op.attribute(context, "mem_semantic");
    let semantic = semantic
        .and_then(|semantic| semantic.as_str(context))
        .unwrap_or("weak");
    MemoryAccess {
        reads,
        writes,
        acquires: matches!(semantic, "acquire" | "acq_rel"),
        releases: matches!(semantic, "release" | "acq_rel"),
        by_token: definition
            .operands
            .iter()
            .any(|operand| operand.name == "token"),
        tensor: None,
    }
}

/// Whether two accesses, given in program order, must keep their order.
pub(super) fn ordered(first: &MemoryAccess, second: &MemoryAccess) -> bool {
    if !first.touches() || !second.touches() {
        return false;
    }
    if let (Some(first), Some(second)) = (&first.tensor, &second.tensor) {
        return !tensor_memory::conflicts(first, second).is_empty();
    }
    if first.acquires || second.releases {
        return true;
    }
    (first.writes || second.writes) && !(first.by_token && second.by_token)
}

/// Edges between memory operations: in program order within an iteration, and from each to those of
/// the next iteration. Quadratic in the number of operations that access memory, up to
/// [`MAX_MEMORY_OPERATIONS`]; beyond that, each is ordered after its predecessor, which is
/// stricter.
fn memory_edges(context: &Context, body: &LoopBody, nodes: &[Node]) -> Vec<Edge> {
    let accesses: Vec<(usize, MemoryAccess)> = body
        .operations
        .iter()
        .enumerate()
        .map(|(node, op)| (node, memory_access(context, *op)))
        .filter(|(_, access)| access.touches())
        .collect();
    let mut edges = Vec::new();
    let mut add = |from: usize, to: usize, first: &MemoryAccess, distance: u32| {
        // A reader must only have started when a later writer starts; a writer must have completed,
        // and so must a reader of tensor memory.
        let latency = if first.writes || first.acquires || first.tensor.is_some() {
            nodes[from].latency
        } else {
            1
        };
        let latency = i32::try_from(latency).unwrap_or(i32::MAX);
        edges.push(Edge {
            from,
            to,
            latency,
            distance,
            kind: EdgeKind::Memory,
        });
    };
    if accesses.len() > MAX_MEMORY_OPERATIONS {
        for pair in accesses.windows(2) {
            add(pair[0].0, pair[1].0, &MemoryAccess::UNKNOWN, 0);
        }
        if let (Some(first), Some(last)) = (accesses.first(), accesses.last()) {
            add(last.0, first.0, &MemoryAccess::UNKNOWN, 1);
        }
        return edges;
    }
    for (position, (from, first)) in accesses.iter().enumerate() {
        for (to, second) in &accesses[position + 1..] {
            if ordered(first, second) {
                add(*from, *to, first, 0);
            }
        }
        for (to, second) in &accesses[..=position] {
            if ordered(first, second) {
                add(*from, *to, first, 1);
            }
        }
    }
    edges
}

/// With more memory operations than this in one body, their edges form a chain.
const MAX_MEMORY_OPERATIONS: usize = 1_024;
