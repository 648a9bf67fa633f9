//! What is scheduled at once: a block, or a part of a long one.

use std::cell::OnceCell;
use std::rc::Rc;

use orison_machine::Space;

use super::registers::Registers;
use super::resources::Unit;
use crate::dependences::{DependenceGraph, Edge, Protection};
use crate::sass::latency::{ClassId, LatencyModel, Mechanism};
use crate::sass::simulate::Queues;

/// What an instruction does with groups that complete together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Event {
    /// Nothing.
    #[default]
    None,
    /// It is a product of a warp group, and may be the last one of its group.
    Product {
        /// Whether it ends the group.
        closes: bool,
    },
    /// It waits until at most so many groups of products are in flight.
    AwaitProducts {
        /// The number of groups.
        left: usize,
    },
    /// It closes a group of copies.
    CloseCopies,
    /// It waits until at most so many groups of copies are in flight.
    AwaitCopies {
        /// The number of groups.
        left: usize,
    },
}

/// How soon the result of an access to memory is there (reference section 4.3, "Hot/cold").
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Temperature {
    /// No access, or one that is neither.
    #[default]
    Neutral,
    /// Late: global memory, textures, surfaces, atomic operations.
    Hot,
    /// Soon: constant banks.
    Cold,
}

impl Temperature {
    /// That of an instruction that reads and writes memory spaces.
    pub fn of(reads: &[Space], writes: &[Space]) -> Temperature {
        let is_far = |space: &Space| {
            matches!(
                space,
                Space::Global | Space::Generic | Space::Texture | Space::Surface
            )
        };
        if reads.iter().chain(writes).any(is_far) {
            Temperature::Hot
        } else if reads.contains(&Space::Constant) {
            Temperature::Cold
        } else {
            Temperature::Neutral
        }
    }
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its class in the latency model.
    pub class: ClassId,
    /// Cycles until the next instruction may issue: at least 1, but 0 for an operation that is no instruction.
    pub issue: u32,
    /// The unit that executes it.
    pub unit: Unit,
    /// What it does with groups.
    pub event: Event,
    /// How soon its result is there.
    pub temperature: Temperature,
    /// Whether it has an operand in constant memory.
    pub reads_constant: bool,
}

/// What is in flight where a region starts. Cycles count from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// For each node, the first cycle at which what is in flight lets it issue.
    pub arrivals: Vec<i64>,
    /// The completion of the last operation of each queue.
    pub queues: Queues,
    /// The completion of the groups of products, in order.
    pub products: Vec<i64>,
    /// The completion of the products of the open group.
    pub open_group: i64,
    /// The completion of the groups of copies, in order.
    pub copies: Vec<i64>,
}

/// A use behind the region of what a node of it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Departure {
    /// The node.
    pub from: u32,
    /// The way to the use: an index in [`Region::targets`].
    pub target: u32,
    /// Cycles from the end of the region to the use, if nothing waits.
    pub at: i64,
    /// The minimum number of cycles between the two.
    pub cycles: u32,
    /// What signals that the use may issue.
    pub protection: Protection,
}

/// A sequence of instructions that get a new order.
#[derive(Clone, Debug)]
pub struct Region<'m> {
    /// The latencies.
    pub model: &'m LatencyModel,
    /// The instructions, in the order of the program.
    pub nodes: Vec<Node>,
    /// The dependences between them, by number.
    pub graph: Rc<DependenceGraph>,
    /// The values in registers.
    pub registers: Registers,
    /// The dependences on the next execution of the region, if it is a loop of one block, by the earlier node.
    pub carried: Vec<Edge>,
    /// What is in flight at the start.
    pub entry: Entry,
    /// Uses in later blocks, by way.
    pub departures: Vec<Departure>,
    /// How often each way to uses behind the region is taken.
    pub targets: Vec<u64>,
    /// How often it follows itself, if that is known.
    pub trip_count: Option<u64>,
    /// How often the region is executed.
    pub frequency: u64,
    /// How often it is entered from elsewhere than itself.
    pub entered: u64,
    /// The order that needs few registers, once it was looked for: it depends on nodes, dependences and values alone.
    pub sparing: OnceCell<Vec<u32>>,
}

impl Region<'_> {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing to schedule.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether it is followed by itself.
    pub fn repeats(&self) -> bool {
        self.frequency > self.entered
    }

    /// The typical cycles from the issue of the first instruction of an edge to that of the second.
    pub fn latency(&self, edge: &Edge) -> i64 {
        let node = &self.nodes[edge.from as usize];
        let awaited = match (node.event, self.nodes[edge.to as usize].event) {
            (Event::Product { .. }, Event::AwaitProducts { left: 0 })
            | (Event::CloseCopies, Event::AwaitCopies { left: 0 }) => {
                self.model.class(node.class).typical
            }
            _ => 0,
        };
        let signalled = self.signalled(edge.from, edge.protection);
        i64::from(edge.cycles.max(awaited).max(signalled))
    }

    /// The typical cycles from the issue of a node until what depends on it is signalled.
    pub fn signalled(&self, node: u32, protection: Protection) -> u32 {
        let class = self.model.class(self.nodes[node as usize].class);
        match protection {
            Protection::Results => class.typical,
            Protection::Operands => class.operands_after,
            Protection::Time | Protection::Group => 0,
        }
    }

    /// Whether an instruction's result takes a variable time.
    pub fn is_variable(&self, node: usize) -> bool {
        let class = self.model.class(self.nodes[node].class);
        class.mechanism == Mechanism::Variable
    }

    /// Whether two instructions may issue in the same cycle, if the first was the last to issue and nothing that the
    /// second depends on is missing.
    pub fn pairs(&self, first: usize, second: usize) -> bool {
        let side = |node: usize| (self.nodes[node].class, self.nodes[node].reads_constant);
        let mut before = self.graph.predecessors(second).iter();
        self.nodes[first].issue == 1
            && self.model.pairs(side(first), side(second))
            && before.all(|edge| edge.from as usize != first)
    }

    /// The cycles that some instructions take to issue, if all pairs are found that their sorts allow; `open`: one
    /// more issued before them.
    pub(super) fn issue_cycles(&self, nodes: impl Iterator<Item = usize>, open: bool) -> i64 {
        let (mut cycles, mut first, mut second) = (0, i64::from(open), 0);
        for node in nodes {
            let found = &self.nodes[node];
            cycles += i64::from(found.issue);
            if self.model.has_pairs() {
                let sides = self.model.sides(found.class);
                first += i64::from(sides.0);
                second += i64::from(sides.1);
            }
        }
        cycles - second.min(first)
    }

    /// Whether it has matrix products.
    pub fn has_products(&self) -> bool {
        self.nodes.iter().any(|node| node.unit == Unit::Tensor)
    }

    /// The same nodes with their order, but without cycles between them.
    pub(super) fn without_latencies(&self) -> Self {
        let edges = self.graph.edges().iter().map(|edge| Edge {
            cycles: 0,
            protection: Protection::Time,
            ..*edge
        });
        self.alone(self.nodes.iter(), edges.collect())
    }

    /// The same nodes from the last to the first, with their dependences; without what is known of registers, and
    /// of what is in front of the region and behind it.
    pub(super) fn reversed(&self) -> Self {
        let last = super::narrow(self.len()) - 1;
        let edges = self.graph.edges().iter().map(|edge| Edge {
            from: last - edge.to,
            to: last - edge.from,
            cycles: u32::try_from(self.latency(edge)).unwrap_or(u32::MAX),
            protection: Protection::Time,
            ..*edge
        });
        self.alone(self.nodes.iter().rev(), edges.collect())
    }

    /// Nodes and edges as a region without groups, registers, and what is in front of it and behind it.
    fn alone<'n>(&self, nodes: impl Iterator<Item = &'n Node>, edges: Vec<Edge>) -> Self {
        let nodes = nodes.map(|node| Node {
            event: Event::None,
            ..*node
        });
        Region {
            nodes: nodes.collect(),
            graph: Rc::new(DependenceGraph::new(edges, self.len())),
            entry: Entry {
                arrivals: vec![0; self.len()],
                ..Entry::default()
            },
            registers: Registers::new(self.len()),
            carried: Vec::new(),
            departures: Vec::new(),
            targets: Vec::new(),
            sparing: OnceCell::new(),
            ..*self
        }
    }

    /// Whether an order has each node once and keeps all dependences.
    pub fn allows(&self, order: &[u32]) -> bool {
        let mut places = vec![None; self.len()];
        for (place, node) in order.iter().enumerate() {
            match places.get_mut(*node as usize) {
                Some(free @ None) => *free = Some(place),
                _ => return false,
            }
        }
        let edges = self.graph.edges().iter();
        let place = |node: u32| places[node as usize];
        order.len() == self.len()
            && edges
                .into_iter()
                .all(|edge| place(edge.from) < place(edge.to))
    }
}
