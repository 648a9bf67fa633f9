//! The data of the joint problem, and its graph under an assignment.

use std::collections::BTreeSet;

use crate::modulo::components::Components;
use crate::modulo::{DependenceGraph, Edge, EdgeKind, Node, ResourceUse};

/// The agents that may execute an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The load agent.
    Load,
    /// One compute agent.
    Compute,
    /// Every agent that needs it: scalars and tokens, which cost next to nothing.
    Anywhere,
}

/// What an operation does, from which the roles of agents are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A matrix product.
    Product,
    /// A reduction or a transcendental function.
    Softmax,
    /// A store.
    Store,
    /// Anything else.
    Elementwise,
}

/// The cost of passing the result of an operation to other agents through shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passing {
    /// Slots that the copy into shared memory holds.
    pub uses: Vec<ResourceUse>,
    /// Cycles of the copy.
    pub latency: u32,
    /// Bytes of one copy in shared memory.
    pub bytes: u64,
}

/// What an agent needs to execute one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointOperation {
    /// The agents that may execute it.
    pub placement: Placement,
    /// What it does.
    pub work: Work,
    /// Bytes of registers of its result.
    pub result_bytes: u64,
    /// The cost of passing its result; `None` if it cannot be passed.
    pub passing: Option<Passing>,
    /// Operations whose results stay in registers until this one completes. Other operands are
    /// replaced by the result as it is computed.
    pub keeps: Vec<usize>,
    /// The values from outside of the loop, by index into [`JointProblem::invariants`], that stay in
    /// registers.
    pub invariants: Vec<usize>,
    /// The allocations in tensor memory, by number, that it accesses.
    pub storage: Vec<usize>,
}

/// The limits of a kernel on a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Warps of all agents.
    pub warps: u32,
    /// Registers of one lane in all warps: 65,536 / 32.
    pub registers: u32,
    /// Registers of a thread of the load agent.
    pub load_registers: u32,
    /// Registers of a thread for addresses and counters.
    pub reserved_registers: u32,
    /// The most registers a thread can have.
    pub most_registers: u32,
    /// Bytes of shared memory.
    pub shared_bytes: u64,
    /// Named barriers: one for each pair of operations of different agents that only order connects,
    /// and for each allocation in tensor memory that an agent hands over to another.
    pub barriers: usize,
    /// Cycles from the signal of one agent until another one has seen it.
    pub signal: u32,
}

/// The joint problem of one loop.
#[derive(Clone, Debug)]
pub struct JointProblem {
    /// The dependence graph of the loop.
    pub graph: DependenceGraph,
    /// One entry for each operation of the graph.
    pub operations: Vec<JointOperation>,
    /// Bytes of each tile that is defined outside of the loop and kept in registers.
    pub invariants: Vec<u64>,
    /// Groups of operations that one agent executes.
    pub together: Vec<Vec<usize>>,
    /// The limits of the kernel.
    pub limits: Limits,
}

/// The graph under an assignment: the operations of the loop, then the copies.
pub(super) struct Assigned {
    /// Its dependence graph.
    pub graph: DependenceGraph,
    /// For each copy, in the order of their nodes, the operation whose result it copies.
    pub copied: Vec<usize>,
    /// Bytes passed in an iteration.
    pub bytes: u64,
}

impl JointProblem {
    /// Whether some operation belongs to the load agent.
    #[must_use]
    pub fn has_loads(&self) -> bool {
        let mut all = self.operations.iter();
        all.any(|operation| operation.placement == Placement::Load)
    }

    /// Agents in all, of which `computing` compute.
    pub(super) fn agents(&self, computing: usize) -> usize {
        computing + usize::from(self.has_loads())
    }

    /// Whether an operation is executed by one compute agent.
    pub(super) fn computes(&self, node: usize) -> bool {
        self.operations[node].placement == Placement::Compute
    }

    /// The registers of a thread that a number of bytes takes in an agent.
    pub(super) fn registers_for(&self, bytes: u64, warps: u32) -> u32 {
        let threads = u64::from(warps.max(1)) * 32;
        let registers = u32::try_from(bytes.div_ceil(threads * 4)).unwrap_or(u32::MAX / 2);
        registers
            .saturating_add(self.limits.reserved_registers)
            .div_ceil(8)
            .saturating_mul(8)
            .max(24)
    }

    /// Whether compute agents with these bytes in registers fit, each with this many warps.
    pub(super) fn fits(&self, peaks: &[u64], warps: u32) -> bool {
        let needs = peaks.iter().map(|&bytes| self.registers_for(bytes, warps));
        let load = if self.has_loads() {
            self.limits.load_registers
        } else {
            0
        };
        let mut total = u64::from(load);
        for registers in needs {
            if registers > self.limits.most_registers {
                return false;
            }
            total += u64::from(registers);
        }
        total * u64::from(warps) <= u64::from(self.limits.registers)
    }

    /// The sets of operations that one agent executes, in program order of their first operation.
    pub(super) fn units(&self) -> Vec<Vec<usize>> {
        let computes = |edge: &&Edge| self.computes(edge.from) && self.computes(edge.to);
        let values = self.graph.edges().iter().filter(computes);
        let values = values.filter(|edge| edge.kind.carries_value()).copied();
        let nodes = (0..self.graph.len()).map(|_| Node::default()).collect();
        let plain = DependenceGraph::new(self.graph.space().clone(), nodes, values.collect());
        let mut leader: Vec<usize> = (0..self.graph.len()).collect();
        let mut groups = self.together.clone();
        if let Ok(plain) = &plain {
            groups.extend(Components::new(plain).iter().map(<[usize]>::to_vec));
        }
        for group in &groups {
            let mut members = group.iter().map(|&node| leader[node]);
            let Some(least) = members.clone().min() else {
                continue;
            };
            let old: Vec<usize> = members.by_ref().collect();
            for number in &mut leader {
                if old.contains(number) {
                    *number = least;
                }
            }
        }
        let heads = (0..self.graph.len()).filter(|&node| leader[node] == node);
        let members = |head: usize| {
            let all = 0..self.graph.len();
            all.filter(|&node| leader[node] == head && self.computes(node))
                .collect::<Vec<usize>>()
        };
        heads.map(members).filter(|unit| !unit.is_empty()).collect()
    }

    /// The graph with copies of the values that agents pass; `None` if the assignment is not
    /// possible: a value cannot be passed, or there are too few barriers. `agent_of` is the compute
    /// agent of each operation that one executes.
    pub(super) fn assigned(&self, agent_of: &[Option<usize>]) -> Option<Assigned> {
        let mut nodes = self.graph.nodes().to_vec();
        let mut edges = Vec::with_capacity(self.graph.edges().len());
        let mut copied: Vec<usize> = Vec::new();
        let mut bytes = 0_u64;
        let mut barriers = 0;
        let mut handed: BTreeSet<(usize, usize, usize)> = BTreeSet::new();
        let signals = i32::try_from(self.limits.signal.saturating_mul(2)).unwrap_or(i32::MAX / 4);
        for edge in self.graph.edges() {
            let ends = (agent_of[edge.from], agent_of[edge.to]);
            let (Some(from), Some(to)) = ends else {
                edges.push(*edge);
                continue;
            };
            if from == to {
                edges.push(*edge);
                continue;
            }
            if !edge.kind.carries_value() {
                let storage = &self.operations[edge.to].storage;
                let first = self.operations[edge.from].storage.iter();
                let common = first.filter(|number| storage.contains(number));
                let common: Vec<usize> = common.copied().collect();
                barriers += usize::from(common.is_empty());
                handed.extend(common.into_iter().map(|number| (from, to, number)));
                edges.push(Edge {
                    latency: edge.latency.saturating_add(signals),
                    ..*edge
                });
                continue;
            }
            let passing = self.operations[edge.from].passing.as_ref()?;
            let latency = i32::try_from(passing.latency).unwrap_or(i32::MAX / 4);
            let position = copied.iter().position(|&node| node == edge.from);
            let position = position.unwrap_or_else(|| {
                copied.push(edge.from);
                bytes += passing.bytes;
                let mut node = Node::new("copy", passing.latency, passing.uses.clone());
                node.buffer_bytes = passing.bytes;
                nodes.push(node);
                edges.push(Edge {
                    from: edge.from,
                    to: nodes.len() - 1,
                    latency: i32::try_from(self.graph.node(edge.from).latency)
                        .unwrap_or(i32::MAX / 4),
                    distance: 0,
                    kind: EdgeKind::Data,
                });
                copied.len() - 1
            });
            edges.push(Edge {
                from: self.graph.len() + position,
                latency: latency.saturating_add(signals),
                ..*edge
            });
        }
        if barriers + handed.len() > self.limits.barriers {
            return None;
        }
        let graph = DependenceGraph::new(self.graph.space().clone(), nodes, edges).ok()?;
        let graph = graph
            .with_structures(self.graph.structures().to_vec())
            .ok()?;
        Some(Assigned {
            graph,
            copied,
            bytes,
        })
    }
}
