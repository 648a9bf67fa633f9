//! When instructions issue in an order: the model of time that orders are compared with.
//!
//! An instruction issues after the one before it, when what it depends on is there: after the cycles of
//! fixed latencies, and after the typical time of others, whose queues complete in order, as in
//! [`crate::sass::simulate`]. Scoreboards are not limited here. On machines that issue two instructions in a cycle
//! an instruction issues in that of the one before if the two pair ([`Region::pairs`]).

use super::narrow;
use super::region::{Entry, Event, Region};
use super::registers::Pressure;
use super::resources::Unit;
use crate::dependences::Protection;
use crate::sass::simulate::{Queues, completion, counted};

/// The number of units.
const UNITS: usize = Unit::ALL.len();

/// What an order costs. The first difference decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Cost {
    /// Live registers beyond the limits ([`Pressure::excess`]).
    pub excess: u64,
    /// Twice the cycles of all executions, with those that later blocks wait longer.
    pub cycles: u64,
    /// Cycles by which instructions come too early for their unit, in one execution: the static time does not
    /// have them, hardware does.
    pub conflicts: u64,
}

/// A walk along an order.
#[derive(Clone, Debug)]
pub struct Clock<'r> {
    region: &'r Region<'r>,
    /// What is in flight at the start.
    entry: &'r Entry,
    /// The first cycle at which the next instruction can issue, unless it is the second of a pair.
    now: i64,
    /// The last instruction, if another may issue in its cycle.
    open: Option<u32>,
    pairs: usize,
    ready: Vec<i64>,
    issued: Vec<i64>,
    results: Vec<i64>,
    queues: Queues,
    products: Vec<i64>,
    open_group: i64,
    copies: Vec<i64>,
    units: [i64; UNITS],
    conflicts: i64,
    /// The live registers; `None` if the region has no values.
    live: Option<Pressure<'r>>,
}

impl<'r> Clock<'r> {
    /// At the start of a region.
    pub fn new(region: &'r Region<'r>) -> Self {
        Self::entering(region, &region.entry)
    }

    /// At its start, with this in flight.
    pub fn entering(region: &'r Region<'r>, entry: &'r Entry) -> Self {
        let mut clock = Clock {
            region,
            entry,
            now: 0,
            open: None,
            pairs: 0,
            ready: Vec::with_capacity(region.len()),
            issued: vec![0; region.len()],
            results: vec![0; region.len()],
            queues: Queues::new(),
            products: Vec::new(),
            open_group: 0,
            copies: Vec::new(),
            units: [0; UNITS],
            conflicts: 0,
            live: None,
        };
        clock.restart();
        clock
    }

    /// Back to the start.
    pub fn restart(&mut self) {
        let Entry {
            arrivals,
            queues,
            products,
            open_group,
            copies,
        } = self.entry;
        self.now = 0;
        self.open = None;
        self.pairs = 0;
        self.ready.clone_from(arrivals);
        self.queues.clone_from(queues);
        self.products.clone_from(products);
        self.open_group = *open_group;
        self.copies.clone_from(copies);
        self.units = [0; UNITS];
        self.conflicts = 0;
        let registers = &self.region.registers;
        self.live = (!registers.is_empty()).then(|| Pressure::new(registers));
    }

    /// Goes to where another walk along the same region is.
    pub(super) fn copy_from(&mut self, other: &Clock<'r>) {
        self.now = other.now;
        self.open = other.open;
        self.pairs = other.pairs;
        self.ready.clone_from(&other.ready);
        self.issued.clone_from(&other.issued);
        self.results.clone_from(&other.results);
        self.queues.clone_from(&other.queues);
        self.products.clone_from(&other.products);
        self.open_group = other.open_group;
        self.copies.clone_from(&other.copies);
        self.units = other.units;
        self.conflicts = other.conflicts;
        self.live.clone_from(&other.live);
    }

    /// The first cycle at which the next instruction can issue, unless it is the second of a pair.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Whether another instruction may issue in the cycle of the last.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The pairs of instructions that issued in the same cycle.
    pub(super) fn pairs(&self) -> usize {
        self.pairs
    }

    /// The conflicts so far.
    pub(super) fn conflicts(&self) -> u64 {
        unsigned(self.conflicts)
    }

    /// The cycle at which a node was issued.
    pub fn issued(&self, node: usize) -> i64 {
        self.issued[node]
    }

    /// The cycle at which its results are there.
    pub fn results(&self, node: usize) -> i64 {
        self.results[node]
    }

    /// The first cycle at which a node can issue, if the nodes that it depends on have been issued.
    pub fn earliest(&self, node: usize) -> i64 {
        let waited = match self.region.nodes[node].event {
            Event::AwaitProducts { left } => counted(&self.products, left),
            Event::AwaitCopies { left } => counted(&self.copies, left),
            _ => 0,
        };
        let free = match self.open {
            Some(first) if self.region.pairs(first as usize, node) => self.issued(first as usize),
            _ => self.now,
        };
        free.max(self.ready[node]).max(waited)
    }

    /// Issues a node; returns the cycle.
    pub fn issue(&mut self, node: usize) -> i64 {
        let region = self.region;
        let cycle = self.earliest(node);
        let found = &region.nodes[node];
        let end = completion(&mut self.queues, region.model, found.class, cycle);
        self.issued[node] = cycle;
        self.results[node] = end;
        match found.event {
            Event::Product { closes } => {
                self.open_group = self.open_group.max(end);
                if closes {
                    self.products.push(self.open_group);
                }
            }
            Event::CloseCopies => self.copies.push(end),
            _ => {}
        }
        for edge in region.graph.successors(node) {
            let then = self.available(node, edge.cycles, edge.protection);
            let ready = &mut self.ready[edge.to as usize];
            *ready = (*ready).max(then);
        }
        let unit = &mut self.units[found.unit as usize];
        self.conflicts += (*unit - cycle).max(0);
        *unit = cycle.max(*unit) + i64::from(region.model.issue_interval(found.class));
        let is_second = cycle < self.now;
        self.pairs += usize::from(is_second);
        let opens = !is_second && region.model.sides(found.class).0;
        self.open = opens.then_some(narrow(node));
        self.now = cycle + i64::from(found.issue);
        if let Some(live) = &mut self.live {
            live.issue(node);
        }
        cycle
    }

    /// The live registers beyond the limits so far, where each class had the most.
    pub(super) fn excess(&self) -> u64 {
        self.live.as_ref().map_or(0, Pressure::excess)
    }

    /// By how many cycles a node would come too early for its unit if it was issued as soon as possible.
    pub(super) fn contention(&self, node: usize) -> i64 {
        let unit = self.region.nodes[node].unit as usize;
        (self.units[unit] - self.earliest(node)).max(0)
    }

    /// The first cycle at which what depends on an issued node can issue.
    pub fn available(&self, node: usize, cycles: u32, protection: Protection) -> i64 {
        let issued = self.issued[node];
        let after = issued + i64::from(cycles);
        match protection {
            Protection::Time | Protection::Group => after,
            Protection::Results => after.max(self.results[node]),
            Protection::Operands => {
                let class = self.region.model.class(self.region.nodes[node].class);
                after.max(issued + i64::from(class.operands_after))
            }
        }
    }

    /// All that decides when nodes that have not been issued can issue, and what later blocks wait for, if the
    /// nodes with bits in `issued` have been: an order after which nothing of this is later takes no more cycles.
    pub(super) fn state(&self, issued: u32, state: &mut Vec<i64>) {
        let is_issued = |node: usize| issued >> node & 1 == 1;
        let excess = i64::try_from(self.excess()).unwrap_or(i64::MAX);
        state.extend([self.now, self.open_group, excess]);
        if self.region.model.has_pairs() {
            // Only the same one pairs with the same.
            let open = self.open.map_or(-1, i64::from);
            state.extend([open, -open]);
        }
        state.extend(&self.products);
        state.extend(&self.copies);
        // The end of a queue that was not used is 0.
        let mut queues = self.queues.clone();
        queues.sort_unstable();
        let nodes = 0..self.region.len();
        state.extend(
            nodes
                .filter(|node| !is_issued(*node))
                .map(|node| self.ready[node]),
        );
        for found in &self.region.departures {
            let node = found.from as usize;
            if is_issued(node) {
                state.push(self.available(node, found.cycles, found.protection));
            }
        }
        state.extend(queues.iter().map(|(_, end)| *end));
    }

    /// Starts the next execution of a region that follows itself, when all nodes have been issued. Live registers
    /// are those of the first one.
    pub fn repeat(&mut self) {
        self.live = None;
        self.ready.fill(0);
        self.open = None;
        for edge in &self.region.carried {
            let then = self.available(edge.from as usize, edge.cycles, edge.protection);
            let ready = &mut self.ready[edge.to as usize];
            *ready = (*ready).max(then);
        }
    }

    /// Issues all nodes in an order.
    pub fn walk(&mut self, order: &[u32]) {
        for node in order {
            self.issue(*node as usize);
        }
    }

    /// What is in flight in front of the next execution of a region that follows itself, counted from there.
    pub fn left(&self) -> Entry {
        let from = |end: &i64| (end - self.now).max(0);
        Entry {
            arrivals: self.ready.iter().map(from).collect(),
            queues: self
                .queues
                .iter()
                .map(|(queue, end)| (*queue, from(end)))
                .collect(),
            products: self.products.iter().map(from).collect(),
            open_group: from(&self.open_group),
            copies: self.copies.iter().map(from).collect(),
        }
    }

    /// The cost of an order, from the start.
    pub fn cost(&mut self, order: &[u32]) -> Cost {
        self.restart();
        let region = self.region;
        self.walk(order);
        let first = self.now;
        let excess = self.excess();
        let mut cycles = 2 * region.frequency.min(region.entered) * unsigned(first);
        let conflicts = unsigned(self.conflicts);
        if region.repeats() {
            for _ in 0..2 {
                self.repeat();
                self.walk(order);
            }
            // Long and short executions may alternate.
            cycles += (region.frequency - region.entered) * unsigned(self.now - first);
        }
        cycles += 2 * self.delays();
        Cost {
            excess,
            cycles,
            conflicts,
        }
    }

    /// The cycles that later blocks wait for what the region leaves in flight: on each way as long as for the
    /// latest.
    fn delays(&self) -> u64 {
        let mut sum = 0;
        for uses in self.region.departures.chunk_by(|a, b| a.target == b.target) {
            let late = uses.iter().map(|found| {
                let then = self.available(found.from as usize, found.cycles, found.protection);
                then - self.now - found.at
            });
            let late = unsigned(late.max().unwrap_or(0));
            sum += late * self.region.targets[uses[0].target as usize];
        }
        sum
    }
}

fn unsigned(cycles: i64) -> u64 {
    u64::try_from(cycles).unwrap_or(0)
}
