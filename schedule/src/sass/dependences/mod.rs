//! The dependences of real machine code: which instruction must stay behind which, by how many
//! cycles, and what has to tell that it may go.
//!
//! [`DependenceGraph::of_block`] is the graph of a block alone, what a list scheduler asks;
//! [`DependenceGraph::of_function`] also has the edges between blocks, over all ways, what scoreboards
//! and stall counts are made of.
//!
//! Rules:
//! - Registers are compared one by one, wide operands over all of theirs. An instruction with a guard
//!   leaves old values, so that earlier writers stay in question. What a scoreboard tells once is told
//!   for all: behind the first instruction that has to wait for an operation nothing waits for it again.
//! - Memory of two spaces is apart, but for generic addresses. Two accesses of one space are apart when
//!   both add the same registers, unchanged in between, and their bytes do not overlap.
//! - Synchronisation, calls and jumps keep what touches memory or synchronises on its side.
//!
//! Cost: an entry a register and access that is still in question. A fixed result that may be missing is
//! forgotten behind the next writer after as many instructions as the longest latency has cycles,
//! accesses to memory after `GraphRules::memory_window` of them (the one behind them is then ordered after all), and
//! a write ends all reads, so that a block has a linear number of edges and takes linear time. Over a
//! function blocks are walked until nothing changes, as the simulator does. From block to block go only
//! those that time does not end in between, and `registers::MOST_BETWEEN_BLOCKS` a register: the first
//! instruction of the block where more meet waits for the others, so that a walk is linear, too.

mod memory;
#[cfg(test)]
mod plain_tests;
mod registers;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;

use orison_sass::program::Function;
use orison_sass::registers::Register;

use super::facts::FunctionFacts;
use super::latency::{ClassId, LatencyModel};

/// Why one instruction stays behind another: the bits of the page's edges (seed 000, edge encoding).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct EdgeKinds(u32);

impl EdgeKinds {
    /// It reads what the other writes.
    pub const READ_AFTER_WRITE: EdgeKinds = EdgeKinds(1 << 0);
    /// It writes what the other reads.
    pub const WRITE_AFTER_READ: EdgeKinds = EdgeKinds(1 << 1);
    /// Both write it.
    pub const WRITE_AFTER_WRITE: EdgeKinds = EdgeKinds(1 << 2);
    /// They touch the same memory, and one of them writes.
    pub const MEMORY: EdgeKinds = EdgeKinds(1 << 10);
    /// One of them synchronises, or is a call or jump.
    pub const BARRIER: EdgeKinds = EdgeKinds(1 << 25);

    /// The mask.
    pub const fn mask(self) -> u32 {
        self.0
    }

    /// Whether all kinds of another are in it.
    pub const fn contains(self, other: EdgeKinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// What is in either.
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

/// What tells that an instruction may go. Later ones hold back longer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Protection {
    /// The cycles of the edge.
    Time,
    /// A scoreboard that is released when the operands of the earlier instruction were read.
    Operands,
    /// A scoreboard that is released when its results are there.
    Results,
    /// A wait for its group of products.
    Group,
}

/// A dependence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The earlier instruction, by its number in the function.
    pub from: u32,
    /// The later one. With edges between blocks it may be the same, in the next turn of a loop.
    pub to: u32,
    /// Why.
    pub kinds: EdgeKinds,
    /// The least number of cycles between their issues; what a scoreboard adds is not in it.
    pub cycles: u32,
    /// What tells that the later one may go.
    pub protection: Protection,
    /// One of the registers, when it is about registers.
    pub register: Option<Register>,
}

/// What the pages say as numbers and switches, where one may want others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphRules {
    /// Whether accesses to memory never conflict (knob 764, `SchedMemNoAlias`; reference 5): for code of
    /// which that is known. Synchronisation keeps its order.
    pub no_alias: bool,
    /// So many accesses are compared one by one; the next one is ordered behind them all (for knob 759,
    /// `SchedMaxMemDep`, which leaves edges out; reference 5).
    pub memory_window: usize,
    /// Classes that nothing that touches memory or synchronises moves over (knob 313, `FenceCode`;
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
    /// Where the edges to an instruction begin; one entry more than instructions.
    starts: Vec<u32>,
    /// Numbers of edges by the earlier instruction.
    by_from: Vec<u32>,
    from_starts: Vec<u32>,
}

impl DependenceGraph {
    /// The dependences within a block; those on other blocks are not in it.
    pub fn of_block(facts: &FunctionFacts, model: &LatencyModel, block: usize) -> DependenceGraph {
        DependenceGraph::of_block_with(facts, model, block, &GraphRules::default())
    }

    /// The same by other rules.
    pub fn of_block_with(
        facts: &FunctionFacts,
        model: &LatencyModel,
        block: usize,
        rules: &GraphRules,
    ) -> DependenceGraph {
        DependenceGraph::new(walk::block(facts, model, block, rules), facts.len())
    }

    /// All dependences of a function, those from block to block over all ways among them.
    pub fn of_function(
        function: &Function,
        facts: &FunctionFacts,
        model: &LatencyModel,
    ) -> DependenceGraph {
        DependenceGraph::of_function_with(function, facts, model, &GraphRules::default())
    }

    /// The same by other rules.
    pub fn of_function_with(
        function: &Function,
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
    /// Takes in another edge between the same instructions.
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
