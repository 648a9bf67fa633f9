//! Assigns scoreboards to operations.
//!
//! The operations that need one are known ([`super::pending`]), and so is every issue time. Blocks
//! are walked in address order with a clock that uses typical latencies; the second pass knows
//! which scoreboards loops leave armed. Any choice is safe, as scoreboards count and waits are
//! computed afterwards: the choice affects only the duration of waits.

use orison_sass::control::{Barrier, BarrierSet};

use super::Knobs;
use super::flow_edges::EdgeKind;
use super::groups::Groups;
use super::input::{Assigned, Index, Input, Side, Token, Words};
use super::object::{Arming, Choice, Policy, Scoreboards, Status};
use super::pending::Waits;
use crate::sass::facts::Action;
use crate::sass::latency::{Queue, TableFile};

/// How scoreboards are shared if there are more operations than scoreboards. No strategy is best
/// for all code, so a function uses the one with the least static time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Strategy {
    /// Scoreboards reserved for short-latency operations.
    pub(super) reserved: usize,
    /// Whether the last free ones have a cost for the others.
    pub(super) priced: bool,
}

/// The strategies that are tried, the best first. ptxas keeps two for operands if loads come in
/// batches (corpus: unrolled loops), and the last one holds the rest of a batch.
pub(super) const STRATEGIES: [Strategy; 5] = [
    Strategy::new(0, true),
    Strategy::new(2, false),
    Strategy::new(1, false),
    Strategy::new(3, false),
    Strategy::new(2, true),
];

impl Strategy {
    const fn new(reserved: usize, priced: bool) -> Self {
        Strategy { reserved, priced }
    }
}

/// Statistics of the allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    pub(super) armed: u64,
    pub(super) shared: u64,
    pub(super) evicted: u64,
}

/// A walk over the blocks.
struct Allocator<'a> {
    input: &'a Input<'a>,
    waits: &'a Waits,
    /// Cycle of each instruction from the start of its block, without waits.
    offsets: &'a [i64],
    waiters: &'a Waiters,
    policy: Policy,
    conflict_avoidance: bool,
    /// Typical latencies, in percent.
    latency_scale: i64,
    words: Words,
    counts: Counts,
    boards: Scoreboards,
    /// The scoreboards at the ends of the blocks, from there.
    ends: Vec<Option<Scoreboards>>,
    queues: Vec<(Queue, i64)>,
    now: i64,
    /// Cycles that waits have added to `now` in this block.
    waited: i64,
    /// Counts instructions over all blocks of a pass, from 1.
    step: u64,
    /// The step at which each instruction last issued.
    issued: Vec<u64>,
    /// The step of the last wait for each scoreboard in this block; 0 if there was none.
    released: [u64; Barrier::COUNT],
}

/// Assigns scoreboards to all operations with a waiter. Those that close groups have none: they have neither
/// operands nor results.
pub(super) fn allocate(
    input: &Input<'_>,
    waits: &Waits,
    waiters: &Waiters,
    offsets: &[i64],
    groups: &Groups,
    knobs: &Knobs,
    strategy: Strategy,
) -> (Words, Counts) {
    let barriers = usable(groups.reserved, knobs);
    let mut allocator = Allocator {
        input,
        waits,
        offsets,
        waiters,
        policy: Policy {
            barriers,
            short: barriers.iter().take(strategy.reserved).collect(),
            priced: strategy.priced,
            affinity: knobs.class_affinity,
            sharing: knobs.sharing,
            eviction_age: i64::from(knobs.eviction_age),
        },
        conflict_avoidance: knobs.conflict_avoidance,
        latency_scale: i64::from(knobs.latency_scale),
        words: Words {
            assigned: Vec::new(),
            evictions: Vec::new(),
        },
        counts: Counts::default(),
        boards: Scoreboards::default(),
        ends: vec![None; input.facts.block_count()],
        queues: Vec::new(),
        now: 0,
        waited: 0,
        step: 0,
        issued: vec![0; input.facts.len()],
        released: [0; Barrier::COUNT],
    };
    let count = input.facts.block_count();
    for _ in 0..2 {
        allocator.words = Words {
            assigned: vec![Assigned::default(); input.facts.len()],
            evictions: vec![BarrierSet::EMPTY; input.facts.len()],
        };
        for (number, assigned) in groups.fixed.iter().enumerate() {
            allocator.words.assigned[number] = assigned.unwrap_or_default();
        }
        allocator.counts = Counts::default();
        for block in 0..count {
            allocator.enter(block);
            for number in input.facts.block(block) {
                allocator.issue(number);
            }
            allocator.ends[block] = Some(allocator.boards.starting_at(allocator.now));
        }
    }
    (allocator.words, allocator.counts)
}

/// The scoreboards that operations may arm.
pub(super) fn usable(reserved: BarrierSet, knobs: &Knobs) -> BarrierSet {
    let free = Barrier::ALL
        .into_iter()
        .filter(|barrier| !reserved.contains(*barrier));
    free.take(knobs.barriers.max(1)).collect()
}

/// The waiters of each token, in order.
pub(super) struct Waiters {
    /// Where those of each token start; at last the end.
    starts: Vec<usize>,
    all: Vec<Index>,
}

impl Waiters {
    /// Those of a function with so many instructions. Near-linear.
    pub(super) fn new(waits: &Waits, instructions: usize) -> Self {
        let needs = waits.needs.iter().enumerate().flat_map(|(number, needs)| {
            let waiter = Index::try_from(number).unwrap_or(Index::MAX);
            needs.iter().map(move |token| (*token, waiter))
        });
        let pairs = needs.chain(waits.somewhere.iter().copied());
        let mut starts = vec![0; 2 * instructions + 1];
        for (token, _) in pairs.clone() {
            starts[Self::number(token) + 1] += 1;
        }
        for number in 1..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut next = starts.clone();
        let mut all = vec![0; starts[2 * instructions]];
        for (token, waiter) in pairs {
            let place = &mut next[Self::number(token)];
            all[*place] = waiter;
            *place += 1;
        }
        for (token, _) in &waits.somewhere {
            let number = Self::number(*token);
            all[starts[number]..starts[number + 1]].sort_unstable();
        }
        Waiters { starts, all }
    }

    fn number(token: Token) -> usize {
        2 * token.producer as usize + token.side as usize
    }

    /// Those of a token.
    pub(super) fn of(&self, token: Token) -> &[Index] {
        let number = Self::number(token);
        &self.all[self.starts[number]..self.starts[number + 1]]
    }

    /// The next one behind the token's instruction; if there is none, the first one.
    pub(super) fn next(&self, token: Token) -> Option<Index> {
        let waiters = self.of(token);
        let next = waiters.partition_point(|waiter| *waiter <= token.producer);
        waiters.get(next).or(waiters.first()).copied()
    }
}

impl Allocator<'_> {
    fn enter(&mut self, block: usize) {
        self.boards = Scoreboards::default();
        let into = self.input.edges.into[block].iter();
        for (from, _) in into.filter(|edge| !matches!(edge.1, EdgeKind::Return(_))) {
            if let Some(end) = &self.ends[*from] {
                self.boards.join(end);
            }
        }
        self.queues.clear();
        self.now = 0;
        self.waited = 0;
        self.released = [0; Barrier::COUNT];
    }

    fn issue(&mut self, number: usize) {
        self.now = self.offsets[number] + self.waited;
        self.boards.complete(self.now);
        let mut mask = BarrierSet::EMPTY;
        for token in &self.waits.needs[number] {
            let assigned = self.words.assigned[token.producer as usize];
            // A wait for another operation, or an eviction, may already have ended it.
            let issued = self.issued[token.producer as usize];
            let pending = |barrier: &Barrier| issued >= self.released[usize::from(barrier.index())];
            let barrier = assigned.of(token.side).filter(pending);
            mask = mask.union(barrier.into_iter().collect());
        }
        self.step += 1;
        if let Action::WaitScoreboard { others, .. } = self.input.facts.fact(number).action {
            mask = mask.union(others);
        }
        self.wait(mask);
        self.issued[number] = self.step;
        let (results, operands) = self.estimate(number);
        let producer = Index::try_from(number).unwrap_or(Index::MAX);
        let token = |side| Token { producer, side };
        if !self.waiters.of(token(Side::Results)).is_empty() {
            let barrier = self.arm(number, token(Side::Results), results);
            self.words.assigned[number].write = barrier;
        }
        let Some(wait) = self.next_wait(token(Side::Operands)) else {
            return;
        };
        // If the results are typically available by then, their scoreboard serves both.
        let write = self.words.assigned[number].write;
        if write.is_some() && wait.1.max(operands) >= results {
            return;
        }
        let without = write.into_iter().collect();
        let barriers = self.policy.barriers;
        for barrier in BarrierSet::iter(without) {
            self.policy.barriers.remove(barrier);
        }
        let barrier = self.arm(number, token(Side::Operands), operands);
        self.policy.barriers = barriers;
        self.words.assigned[number].read = barrier;
        if barrier.is_none() && write.is_none() {
            // Only with a single scoreboard: results also wait for it.
            self.words.assigned[number].write = barriers.iter().next();
        }
    }

    fn wait(&mut self, mask: BarrierSet) {
        let mut until = self.now;
        for barrier in mask.iter() {
            until = until.max(self.boards.wait(barrier, self.now));
            self.released[usize::from(barrier.index())] = self.step;
        }
        self.waited += until - self.now;
        self.now = until;
    }

    /// When the results of an operation that issues now are typically available, and its operands
    /// read.
    fn estimate(&mut self, number: usize) -> (i64, i64) {
        let model = self.input.model;
        let id = self.input.facts.fact(number).class;
        let class = model.class(id);
        let scaled = |cycles: u32| i64::from(cycles) * self.latency_scale / 100;
        let (typical, operands) = (scaled(class.typical), scaled(class.operands_after));
        let mut results = self.now + typical;
        if let Some(queue) = class.result_queue {
            let known = self.queues.iter().position(|found| found.0 == queue);
            let place = known.unwrap_or_else(|| {
                self.queues.push((queue, 0));
                self.queues.len() - 1
            });
            let before = &mut self.queues[place].1;
            results = results.max(*before + i64::from(model.issue_interval(id)));
            *before = results;
        }
        (results, self.now + operands)
    }

    /// The next instruction that waits for a token, and the cycle at which it would issue. For an
    /// instruction after the block, the end of the block, as the path to it is unknown.
    fn next_wait(&self, token: Token) -> Option<(usize, i64)> {
        let waiter = self.waiters.next(token)? as usize;
        let number = token.producer as usize;
        let block = self.input.facts.block(self.input.facts.block_of(number));
        let at = if waiter > number && block.contains(&waiter) {
            waiter
        } else {
            block.end - 1
        };
        Some((waiter, self.now + self.offsets[at] - self.offsets[number]))
    }

    fn arm(&mut self, number: usize, token: Token, ready: i64) -> Option<Barrier> {
        let (wait_at, wait_cycle) = self.next_wait(token)?;
        let arming = Arming {
            token,
            class: self.input.facts.fact(number).class,
            ready,
            wait_at,
            wait_cycle,
            elsewhere: self.elsewhere(number, token, wait_at),
        };
        self.counts.armed += 1;
        let barrier = match self.boards.choose(&arming, self.now, &self.policy)? {
            Choice::Free(barrier) => barrier,
            Choice::Share(barrier) => {
                self.counts.shared += 1;
                barrier
            }
            Choice::Evict(barrier) => {
                self.counts.evicted += 1;
                self.words.evictions[number].insert(barrier);
                // Its operations have completed, so the clock advances.
                self.wait(BarrierSet::from_iter([barrier]));
                barrier
            }
        };
        if self.conflict_avoidance {
            self.wait_for_conflicts(number, barrier);
        }
        self.boards.set(barrier, &arming, self.now);
        Some(barrier)
    }

    /// For an operation that is waited for in another block, the cycles for which operations on other
    /// paths into that block occupy each scoreboard: the wait is for them, too. What the same
    /// instruction waits for anyway costs nothing.
    fn elsewhere(&self, number: usize, token: Token, wait_at: usize) -> [i64; Barrier::COUNT] {
        let mut cycles = [0; Barrier::COUNT];
        let facts = self.input.facts;
        let block = facts.block_of(wait_at);
        if block == facts.block_of(number) && wait_at > number {
            return cycles;
        }
        for (from, _) in &self.input.edges.into[block] {
            let Some(end) = self.ends[*from].as_ref() else {
                continue;
            };
            for barrier in Barrier::ALL {
                let record = end.record(barrier);
                let own = record.producer == Some(token) || record.wait_at == wait_at;
                if record.status != Status::Free && !own {
                    let cycles = &mut cycles[usize::from(barrier.index())];
                    *cycles = record.ready.max(*cycles);
                }
            }
        }
        cycles
    }

    /// Waits for the other scoreboards whose latest operation has a register in common with this
    /// one.
    fn wait_for_conflicts(&mut self, number: usize, own: Barrier) {
        let conflicts: BarrierSet = Barrier::ALL
            .into_iter()
            .filter(|barrier| *barrier != own)
            .filter(|barrier| {
                let producer = self.boards.record(*barrier).producer;
                producer.is_some_and(|other| self.meet(other.producer as usize, number))
            })
            .collect();
        self.words.evictions[number] = self.words.evictions[number].union(conflicts);
        self.wait(conflicts);
    }

    /// Whether two operations have a general register in common.
    fn meet(&self, first: usize, second: usize) -> bool {
        let facts = self.input.facts;
        let registers = |number: usize| {
            let reads = facts.reads(number).iter().map(|read| read.register);
            let writes = facts.writes(number).iter().map(|write| write.register);
            let all = reads.chain(writes);
            all.filter(|register| register.file() == TableFile::General)
        };
        first != second && registers(first).any(|one| registers(second).any(|other| one == other))
    }
}
