//! The dependences between instructions: which must follow which, by how many cycles, and what
//! signals that it may issue.
//!
//! One graph for machine code ([`crate::sass::dependences`]) and for operations on virtual registers
//! ([`crate::ori`]): the scoreboards, the instruction scheduler and the checks read it.

use std::fmt;

use orison_sass::registers::Register;

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

/// Dependences, by the later instruction and then the earlier one.
#[derive(Clone, Debug, Default)]
pub struct DependenceGraph {
    edges: Vec<Edge>,
    /// Start of the edges to each instruction; one entry more than instructions.
    starts: Vec<u32>,
    /// The edges by the earlier instruction: schedulers walk along them more often than along anything else.
    following: Vec<Edge>,
    from_starts: Vec<u32>,
}

impl DependenceGraph {
    /// The graph with these edges between so many instructions; edges between the same two become
    /// one, with the kinds of all and the longest wait.
    pub fn new(mut edges: Vec<Edge>, instructions: usize) -> DependenceGraph {
        edges.sort_by_key(|edge| (edge.to, edge.from));
        edges.dedup_by(|later, kept| {
            let same = (later.to, later.from) == (kept.to, kept.from);
            if same {
                kept.absorb(later);
            }
            same
        });
        let mut following = edges.clone();
        following.sort_by_key(|edge| edge.from);
        let starts = starts(instructions, edges.iter().map(|edge| edge.to));
        let from_starts = starts_of(instructions, &edges);
        DependenceGraph {
            edges,
            starts,
            following,
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
        self.following[start as usize..end as usize].iter()
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
