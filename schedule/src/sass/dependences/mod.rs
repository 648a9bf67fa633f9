//! The dependences of machine code: which instruction must follow which, by how many cycles, and
//! what signals that it may issue.
//!
//! [`DependenceGraph::of_block`] is the graph of one block, as used by a list scheduler;
//! [`DependenceGraph::of_function`] also has the edges between blocks, over all paths, from which
//! scoreboards and stall counts are computed.
//!
//! Rules:
//! - Registers are compared individually, wide operands over all of theirs. A guarded instruction
//!   may leave old values, so earlier writers remain possible. A scoreboard wait covers all later
//!   uses: after the first instruction that has to wait for an operation, none waits for it again.
//! - Different memory spaces are disjoint, except for generic addresses. Two accesses of one space
//!   are disjoint if both add the same registers, unchanged in between, and their bytes do not
//!   overlap.
//! - Synchronisation, calls and jumps are ordered with memory accesses and other synchronisation.
//!
//! Cost: one entry per register and access that remains possible. A fixed result that may be
//! missing is dropped after the next writer after as many instructions as the longest latency has
//! cycles, accesses to memory after `GraphRules::memory_window` of them (the next one is then
//! ordered after all), and a write ends all reads, so that a block has a linear number of edges and
//! takes linear time. Over a function, blocks are walked to a fixpoint, as in the simulator.
//! Between blocks, only accesses that time does not end are kept, and
//! `registers::MOST_BETWEEN_BLOCKS` per register: the first instruction of the block where more
//! meet waits for the others, so that a walk is also linear.

mod memory;
#[cfg(test)]
mod plain_tests;
mod registers;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;

use orison_sass::function::Function;
use orison_sass::registers::Register;

use super::facts::FunctionFacts;
use super::latency::{ClassId, LatencyModel};

/// The reasons for an edge: the bits of the page's edges (seed 000, edge encoding).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct EdgeKinds(u32);

impl EdgeKinds {
    /// It reads a register that the other writes.
    pub const READ_AFTER_WRITE: EdgeKinds = EdgeKinds(1 << 0);
    /// It writes a register that the other reads.
    pub const WRITE_AFTER_READ: EdgeKinds = EdgeKinds(1 << 1);
    /// Both write it.
    pub const WRITE_AFTER_WRITE: EdgeKinds = EdgeKinds(1 << 2);
    /// They access the same memory, and one of them writes.
    pub const MEMORY: EdgeKinds = EdgeKinds(1 << 10);
    /// One of them synchronises, or is a call or jump.
    pub const BARRIER: EdgeKinds = EdgeKinds(1 << 25);

    /// The mask.
    pub const fn mask(self) -> u32 {
        self.0
    }

    /// Whether it contains all kinds of another.
    pub const fn contains(self, other: EdgeKinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union.
    #[must_use]
    pub const fn union(self, other: EdgeKinds) -> EdgeKinds {
        EdgeKinds(self.0 | other.0)
    }
}

impl fmt::Display for EdgeKinds {
    /// `read-after-write+memory`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (EdgeKinds::READ_AFTER_WRITE, "read-after-write"),
            (EdgeKinds::WRITE_AFTER_READ, "write-after-read"),
            (EdgeKinds::WRITE_AFTER_WRITE, "write-after-write"),
            (EdgeKinds::MEMORY, "memory"),
            (EdgeKinds::BARRIER, "barrier"),
        ];
        let mut between = "";
        for (kind, name) in names {
            if self.contains(kind) {
                write!(out, "{between}{name}")?;
                between = "+";
            }
        }
        Ok(())
    }
}

/// What signals that an instruction may issue. Later variants block longer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Protection {
    /// The cycles of the edge.
    Time,
    /// A scoreboard that is released when the operands of the earlier instruction have been read.
    Operands,
    /// A scoreboard that is released when its results are available.
    Results,
    /// A wait for its group of products.
    Group,
}

/// A dependence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The earlier instruction, by its index in the function.
    pub from: u32,
    /// The later one. With edges between blocks it may be the same, in the next iteration of a
    /// loop.
    pub to: u32,
    /// The kinds.
    pub kinds: EdgeKinds,
    /// The minimum number of cycles between their issues, without scoreboard delays.
    pub cycles: u32,
    /// What signals that the later one may issue.
    pub protection: Protection,
    /// One of the registers, if registers are the cause.
    pub register: Option<Register>,
}

/// Constants and switches of the pages that may be overridden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphRules {
    /// Whether accesses to memory never conflict (knob 764, `SchedMemNoAlias`; reference 5): for
    /// code known to satisfy this. Synchronisation is still ordered.
    pub no_alias: bool,
    /// This many accesses are compared individually; the next one is ordered after all of them (for
    /// knob 759, `SchedMaxMemDep`, which omits edges; reference 5).
    pub memory_window: usize,
    /// Classes across which no memory access or synchronisation moves (knob 313, `FenceCode`;
    /// reference 5).
    pub fences: Vec<ClassId>,
}

impl Default for GraphRules {
    fn default() -> Self {
        GraphRules {
            no_alias: false,
            memory_window: 64,
            fences: Vec::new(),
        }
    }
}

/// Dependences, by the later instruction and then the earlier one.
#[derive(Clone, Debug, Default)]
pub struct DependenceGraph {
    edges: Vec<Edge>,
    /// Start of the edges to each instruction; one entry more than instructions.
    starts: Vec<u32>,
    /// Indices of edges by the earlier instruction.
    by_from: Vec<u32>,
    from_starts: Vec<u32>,
}

impl DependenceGraph {
    /// The dependences within a block, without those on other blocks.
    pub fn of_block(facts: &FunctionFacts, model: &LatencyModel, block: usize) -> DependenceGraph {
        DependenceGraph::of_block_with(facts, model, block, &GraphRules::default())
    }

    /// Like [`Self::of_block`], with other rules.
    pub fn of_block_with(
        facts: &FunctionFacts,
        model: &LatencyModel,
        block: usize,
        rules: &GraphRules,
    ) -> DependenceGraph {
        DependenceGraph::new(walk::block(facts, model, block, rules), facts.len())
    }

    /// All dependences of a function, including those between blocks over all paths.
    pub fn of_function(
        function: &Function<'_>,
        facts: &FunctionFacts,
        model: &LatencyModel,
    ) -> DependenceGraph {
        DependenceGraph::of_function_with(function, facts, model, &GraphRules::default())
    }

    /// Like [`Self::of_function`], with other rules.
    pub fn of_function_with(
        function: &Function<'_>,
        facts: &FunctionFacts,
        model: &LatencyModel,
        rules: &GraphRules,
    ) -> DependenceGraph {
        DependenceGraph::new(walk::function(function, facts, model, rules), facts.len())
    }

    fn new(mut edges: Vec<Edge>, instructions: usize) -> DependenceGraph {
        edges.sort_by_key(|edge| (edge.to, edge.from));
        edges.dedup_by(|later, kept| {
            let same = (later.to, later.from) == (kept.to, kept.from);
            if same {
                kept.absorb(later);
            }
            same
        });
        let narrow = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let mut by_from: Vec<u32> = (0..narrow(edges.len())).collect();
        by_from.sort_by_key(|number| {
            let edge = &edges[*number as usize];
            (edge.from, edge.to)
        });
        let starts = starts(instructions, edges.iter().map(|edge| edge.to));
        let from_starts = starts_of(instructions, &edges);
        DependenceGraph {
            edges,
            starts,
            by_from,
            from_starts,
        }
    }

    /// All edges, by the later instruction.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges to an instruction.
    pub fn predecessors(&self, instruction: usize) -> &[Edge] {
        let (start, end) = (self.starts[instruction], self.starts[instruction + 1]);
        &self.edges[start as usize..end as usize]
    }

    /// The edges from an instruction, by the later one.
    pub fn successors(&self, instruction: usize) -> impl Iterator<Item = &Edge> {
        let (start, end) = (
            self.from_starts[instruction],
            self.from_starts[instruction + 1],
        );
        let numbers = self.by_from[start as usize..end as usize].iter();
        numbers.map(|number| &self.edges[*number as usize])
    }
}

impl Edge {
    /// Merges another edge between the same instructions.
    fn absorb(&mut self, other: &Edge) {
        self.kinds = self.kinds.union(other.kinds);
        self.cycles = self.cycles.max(other.cycles);
        if other.protection > self.protection {
            self.protection = other.protection;
            self.register = other.register.or(self.register);
        }
        self.register = self.register.or(other.register);
    }
}

fn starts_of(instructions: usize, edges: &[Edge]) -> Vec<u32> {
    starts(instructions, edges.iter().map(|edge| edge.from))
}

fn starts(instructions: usize, ends: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0u32; instructions + 1];
    for end in ends {
        starts[end as usize + 1] += 1;
    }
    for number in 0..instructions {
        starts[number + 1] += starts[number];
    }
    starts
}
