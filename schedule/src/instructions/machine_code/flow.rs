//! What is in flight between blocks while each has some order.

use std::cmp::Reverse;

use orison_sass::function::{BlockIndex, Function};

use super::exposed::{Exposed, distance};
use super::region::Regions;
use crate::dependences::Protection;
use crate::instructions::{Clock, Departure, Entry, narrow};
use crate::sass::simulate::{Frequencies, join_counted, join_queues};

/// An access in flight; cycles count from the place where it is looked at.
#[derive(Clone, Copy, Debug)]
struct Flying {
    exposed: Exposed,
    issued: i64,
    results: i64,
    operands: i64,
}

/// What is in flight at the end of a block, counted from there.
#[derive(Clone, Debug, Default)]
struct Left {
    flying: Vec<Flying>,
    /// Queues and groups.
    rest: Entry,
}

/// Blocks are followed this far for uses of what a block leaves in flight.
const DEPTH: usize = 3;

/// The times of the blocks of a chunk of a function in their present orders. Nothing is known of other blocks.
pub(super) struct Flow<'r, 'a> {
    regions: &'r Regions<'a>,
    function: &'r Function<'a>,
    frequencies: &'r Frequencies,
    predecessors: &'r [Vec<BlockIndex>],
    left: Vec<Left>,
    /// For each instruction, the cycle in its block at which it issues if nothing is in flight at the start.
    alone: Vec<i64>,
    /// The cycles of each block then.
    lengths: Vec<i64>,
}

impl<'r, 'a> Flow<'r, 'a> {
    /// With the orders that `orders` has for the blocks of the function.
    pub(super) fn new(
        regions: &'r Regions<'a>,
        function: &'r Function<'a>,
        frequencies: &'r Frequencies,
        predecessors: &'r [Vec<BlockIndex>],
        orders: &[Vec<u32>],
    ) -> Self {
        let blocks = regions.blocks.clone();
        let instructions = blocks.clone().map(|block| regions.get(block).len());
        let mut flow = Flow {
            regions,
            function,
            frequencies,
            predecessors,
            left: vec![Left::default(); blocks.len()],
            alone: vec![0; instructions.sum()],
            lengths: vec![0; blocks.len()],
        };
        for block in blocks.clone() {
            flow.update(block, &orders[block]);
        }
        // Again, with what comes from later blocks.
        for block in blocks {
            flow.update_left(block, &orders[block]);
        }
        flow
    }

    /// The block has this order now.
    pub(super) fn update(&mut self, block: BlockIndex, order: &[u32]) {
        let start = self.number(self.regions.facts.block(block).start);
        let region = self.regions.get(block);
        let mut clock = Clock::new(region);
        clock.walk(order);
        for node in 0..region.len() {
            self.alone[start + node] = clock.issued(node);
        }
        let place = self.place(block);
        self.lengths[place] = clock.now();
        self.update_left(block, order);
    }

    fn update_left(&mut self, block: BlockIndex, order: &[u32]) {
        let entry = self.entry(block, false);
        let mut clock = Clock::entering(self.regions.get(block), &entry);
        clock.walk(order);
        let left = self.leave(block, &clock);
        let place = self.place(block);
        self.left[place] = left;
    }

    /// The number of a block in the chunk.
    fn place(&self, block: BlockIndex) -> usize {
        block - self.regions.blocks.start
    }

    /// The number of an instruction in the chunk.
    fn number(&self, instruction: usize) -> usize {
        instruction - self.regions.facts.block(self.regions.blocks.start).start
    }

    /// The blocks of the chunk in front of a block.
    fn before(&self, block: BlockIndex, itself: bool) -> impl Iterator<Item = BlockIndex> {
        let before = self.predecessors[block].iter().copied();
        before.filter(move |from| self.regions.blocks.contains(from) && (itself || *from != block))
    }

    fn leave(&self, block: BlockIndex, clock: &Clock<'_>) -> Left {
        let start = self.regions.facts.block(block).start;
        let longest = i64::from(self.regions.model.longest_latency());
        let end = clock.now();
        let mut flying = Vec::new();
        for exposed in &self.regions.exposures(block).down {
            let node = exposed.instruction as usize - start;
            let found = Flying {
                exposed: *exposed,
                issued: clock.issued(node) - end,
                results: clock.results(node) - end,
                operands: clock.available(node, 0, Protection::Operands) - end,
            };
            if found.lasts(longest) {
                flying.push(found);
            }
        }
        for found in self.arriving(block, true) {
            let found = found.later(end);
            if found.lasts(longest) && !self.regions.exposures(block).kills(found.exposed.register)
            {
                flying.push(found);
            }
        }
        Left {
            flying,
            rest: clock.left(),
        }
    }

    /// What is in flight at the start of a block, on all ways into it.
    fn arriving(&self, block: BlockIndex, itself: bool) -> Vec<Flying> {
        let before = self.before(block, itself);
        let flying = before.flat_map(|from| &self.left[self.place(from)].flying);
        let mut flying: Vec<Flying> = flying.copied().collect();
        let key = |found: &Flying| {
            (
                found.exposed.register,
                found.exposed.instruction,
                found.exposed.is_write(),
            )
        };
        flying.sort_by_key(key);
        flying.dedup_by(|later, kept| {
            let same = key(later) == key(kept);
            if same {
                kept.issued = kept.issued.max(later.issued);
                kept.results = kept.results.max(later.results);
                kept.operands = kept.operands.max(later.operands);
            }
            same
        });
        flying
    }

    /// What a block finds in flight at its start; `itself`: also from its own last execution.
    pub(super) fn entry(&self, block: BlockIndex, itself: bool) -> Entry {
        let numbers = self.regions.facts.block(block);
        let mut entry = Entry {
            arrivals: vec![0; numbers.len()],
            ..Entry::default()
        };
        let exposures = self.regions.exposures(block);
        for found in self.arriving(block, itself) {
            for used in exposures.up(found.exposed.register) {
                let Some((cycles, protection)) =
                    distance(self.regions.distances(), &found.exposed, used)
                else {
                    continue;
                };
                let arrival = &mut entry.arrivals[used.instruction as usize - numbers.start];
                *arrival = (*arrival).max(found.available(cycles, protection));
            }
        }
        for from in self.before(block, itself) {
            let left = &self.left[self.place(from)].rest;
            join_queues(&mut entry.queues, &left.queues);
            join_counted(&mut entry.products, &left.products);
            join_counted(&mut entry.copies, &left.copies);
            entry.open_group = entry.open_group.max(left.open_group);
        }
        entry
    }

    /// The uses of what a block does in other blocks, by the way to them, and how often each way is taken.
    pub(super) fn departures(&self, block: BlockIndex) -> (Vec<Departure>, Vec<u64>) {
        let start = narrow(self.regions.facts.block(block).start);
        let mut ways = Vec::new();
        let region = self.regions.get(block);
        self.ways(block, region.entered, 0, &mut Vec::new(), &mut ways);
        let mut found: Vec<Departure> = Vec::new();
        for (index, (way, _)) in ways.iter().enumerate() {
            let first = found.len();
            for (place, (target, at)) in way.iter().enumerate() {
                let exposures = self.regions.exposures(*target);
                let is_new = |register| {
                    let mut through = way[..place].iter();
                    through.any(|(block, _)| self.regions.exposures(*block).kills(register))
                };
                for exposed in &self.regions.exposures(block).down {
                    let uses = exposures.up(exposed.register);
                    if uses.is_empty() || is_new(exposed.register) {
                        continue;
                    }
                    for used in uses {
                        let distances = self.regions.distances();
                        if let Some((cycles, protection)) = distance(distances, exposed, used) {
                            let departure = Departure {
                                from: exposed.instruction - start,
                                target: narrow(index),
                                at: at + self.alone[self.number(used.instruction as usize)],
                                cycles,
                                protection,
                            };
                            if region.may_delay(&departure) {
                                found.push(departure);
                            }
                        }
                    }
                }
            }
            keep_latest(&mut found, first);
        }
        (found, ways.into_iter().map(|(_, weight)| weight).collect())
    }

    /// The ways of a few blocks from the end of a block, other than to itself: for each its blocks, with the
    /// cycles to the start of each, and how often it is taken. Not more often in all than the block is left.
    fn ways(
        &self,
        block: BlockIndex,
        weight: u64,
        at: i64,
        way: &mut Vec<(BlockIndex, i64)>,
        found: &mut Vec<(Vec<(BlockIndex, i64)>, u64)>,
    ) {
        let edges = self.function.blocks[block].successors.iter();
        let mut next: Vec<BlockIndex> = edges.map(|edge| edge.to).collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|to| self.regions.blocks.contains(to));
        next.retain(|to| *to != block && !way.iter().any(|(passed, _)| passed == to));
        let all: u64 = next.iter().map(|to| self.frequencies.of(*to)).sum();
        if next.is_empty() || all == 0 || way.len() == DEPTH || at > FURTHEST {
            found.push((way.clone(), weight));
            return;
        }
        for to in next.into_iter().take(MOST_SUCCESSORS) {
            let share = u128::from(weight) * u128::from(self.frequencies.of(to)) / u128::from(all);
            way.push((to, at));
            let share = u64::try_from(share).unwrap_or(u64::MAX);
            self.ways(to, share, at + self.lengths[self.place(to)], way, found);
            way.pop();
        }
    }
}

/// Of the uses of one way, those behind a first number, keeps those that wait as long as any other of the same node.
fn keep_latest(uses: &mut Vec<Departure>, first: usize) {
    let node = |found: &Departure| (found.from, found.protection as u8);
    uses[first..].sort_unstable_by_key(|found| (node(found), found.at, Reverse(found.cycles)));
    let mut kept = first;
    for next in first..uses.len() {
        let found = uses[next];
        let before = uses[first..kept].last();
        // Earlier uses of the node come first: a later one waits longer only for fixed cycles that end later.
        let ends = |found: &Departure| i64::from(found.cycles) - found.at;
        if before.is_none_or(|before| node(before) != node(&found) || ends(before) < ends(&found)) {
            uses[kept] = found;
            kept += 1;
        }
    }
    uses.truncate(kept);
}

/// Uses that are later than this, in cycles, wait for nothing.
const FURTHEST: i64 = 600;
/// At most so many successors of a block are followed.
const MOST_SUCCESSORS: usize = 2;

impl Flying {
    fn later(mut self, cycles: i64) -> Self {
        self.issued -= cycles;
        self.results -= cycles;
        self.operands -= cycles;
        self
    }

    fn lasts(&self, longest: i64) -> bool {
        self.results > 0 || self.operands > 0 || self.issued + longest > 0
    }

    fn available(&self, cycles: u32, protection: Protection) -> i64 {
        let after = self.issued + i64::from(cycles);
        match protection {
            Protection::Time | Protection::Group => after,
            Protection::Results => after.max(self.results),
            Protection::Operands => after.max(self.operands),
        }
    }
}
