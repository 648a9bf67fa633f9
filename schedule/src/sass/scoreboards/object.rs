//! The state that the page keeps in an object of 952 bytes: the six scoreboards, the operations
//! that armed them, and the waits of each register class (seed 003, "Scoreboard Object Layout" and
//! "State Machine Algorithms").
//!
//! The 35 counted slots are two counters per register class here, the 14 records six: the other
//! eight have no scoreboard. Reference counting is Rust's. Rules of the page that contradict the
//! hardware are omitted, as in the contradiction register: no scoreboard is free by distance alone
//! (C16), and no wait is dropped because its scoreboard was recycled, since recycling waits.

use orison_sass::control::{Barrier, BarrierSet};

use super::input::{Side, Token};
use crate::sass::latency::ClassId;

/// The state of a scoreboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    /// Not armed, or all operations have been waited for.
    #[default]
    Free,
    /// Armed.
    Pending,
    /// Typically completed, by the clock of the estimate; a wait is still needed, and costs
    /// nothing.
    Completed,
}

/// The record of a scoreboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Record {
    pub(super) status: Status,
    /// The latest operation that armed it.
    pub(super) producer: Option<Token>,
    /// Cycle at which the oldest operation armed it.
    pub(super) set_cycle: i64,
    /// Cycle at which the last operation typically completes.
    pub(super) ready: i64,
    /// The first instruction that has to wait for it.
    pub(super) wait_at: usize,
    /// Cycle of that instruction, without waits before it.
    pub(super) wait_cycle: i64,
    /// The class of the operation that armed it last; kept while it is free.
    pub(super) last_class: Option<ClassId>,
    /// Number of operations that armed it.
    pub(super) operations: u32,
}

/// An operation that arms a scoreboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arming {
    pub(super) token: Token,
    pub(super) class: ClassId,
    pub(super) ready: i64,
    pub(super) wait_at: usize,
    pub(super) wait_cycle: i64,
    /// Cycles that its wait takes on other paths to it, by scoreboard.
    pub(super) elsewhere: [i64; Barrier::COUNT],
}

/// The cost of the last free scoreboards, in cycles: sharing is preferred up to this cost, so that
/// short operand reads find one that does not hold a load. Indexed by the number of free ones.
const SCARCE: [i64; 4] = [0, 48, 16, 4];
/// Operations that complete sooner release their scoreboard soon.
const SHORT: i64 = 40;

impl Arming {
    fn elsewhere(&self, barrier: Barrier) -> i64 {
        self.elsewhere[usize::from(barrier.index())]
    }

    /// Whether it releases its scoreboard soon.
    fn is_short(&self, now: i64) -> bool {
        self.token.side == Side::Operands || self.ready - now <= SHORT
    }
}

/// How a scoreboard was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// It was free.
    Free(Barrier),
    /// It is shared with its current operations.
    Share(Barrier),
    /// It was waited for first.
    Evict(Barrier),
}

/// Allocation rules set by knobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Policy {
    pub(super) barriers: BarrierSet,
    /// Of them, those that only short operations arm; the others use any if these are busy.
    pub(super) short: BarrierSet,
    /// Whether the last free ones have a cost.
    pub(super) priced: bool,
    pub(super) affinity: bool,
    pub(super) sharing: bool,
    /// Cycles after which a scoreboard is evicted before younger ones.
    pub(super) eviction_age: i64,
}

impl Policy {
    /// The candidates for an operation, in order: its own scoreboards, then those that it may
    /// borrow.
    fn candidates(&self, is_short: bool) -> (BarrierSet, BarrierSet) {
        let with = |wanted: bool| -> BarrierSet {
            let barriers = self.barriers.iter();
            barriers
                .filter(|barrier| self.short.contains(*barrier) == wanted)
                .collect()
        };
        let (short, long) = (with(true), with(false));
        match (is_short, long.is_empty()) {
            (_, true) => (short, BarrierSet::EMPTY),
            (true, _) if !short.is_empty() => (short, long),
            _ => (long, BarrierSet::EMPTY),
        }
    }

    /// The value to other operations of one of this many free scoreboards.
    fn price_of_free(&self, gives_back: bool, free: usize) -> i64 {
        if gives_back || !self.priced {
            return 0;
        }
        SCARCE.get(free).copied().unwrap_or(0)
    }
}

/// The six records.
#[derive(Clone, Debug, Default)]
pub(super) struct Scoreboards {
    pub(super) records: [Record; Barrier::COUNT],
}

impl Scoreboards {
    pub(super) fn record(&self, barrier: Barrier) -> &Record {
        &self.records[usize::from(barrier.index())]
    }

    fn record_mut(&mut self, barrier: Barrier) -> &mut Record {
        &mut self.records[usize::from(barrier.index())]
    }

    /// Marks operations that have typically completed by now.
    pub(super) fn complete(&mut self, now: i64) {
        for record in &mut self.records {
            if record.status == Status::Pending && record.ready <= now {
                record.status = Status::Completed;
            }
        }
    }

    /// Chooses a scoreboard for an operation: one that the same instruction waits for anyway; a
    /// free one, preferably one that is free where it is waited for, and of the same class;
    /// otherwise the one with the least cost, by sharing or by waiting now, the oldest first.
    pub(super) fn choose(&self, arming: &Arming, now: i64, policy: &Policy) -> Option<Choice> {
        let is_short = arming.is_short(now);
        let (own, borrowed) = policy.candidates(is_short);
        let all = own.union(borrowed);
        let candidates = || all.iter();
        let busy = |barrier: &Barrier| self.record(*barrier).status != Status::Free;
        if policy.sharing {
            let same = |barrier: &Barrier| {
                let record = self.record(*barrier);
                record.wait_at == arming.wait_at
                    && record
                        .producer
                        .is_some_and(|other| other.side == arming.token.side)
            };
            if let Some(barrier) = candidates().filter(busy).find(same) {
                return Some(Choice::Share(barrier));
            }
        }
        let free_of = |set: BarrierSet| -> BarrierSet {
            set.iter().filter(|barrier| !busy(barrier)).collect()
        };
        let (free, borrows) = match free_of(own) {
            free if free.is_empty() => (free_of(borrowed), true),
            free => (free, false),
        };
        let best = free.iter().min_by_key(|barrier| {
            let akin = self.record(*barrier).last_class == Some(arming.class);
            (arming.elsewhere(*barrier), !(policy.affinity && akin))
        });
        let price = policy.price_of_free(is_short && !borrows, free.iter().count());
        if let Some(barrier) = best
            && self.cheapest_share(arming, now, policy, all) >= price
        {
            return Some(Choice::Free(barrier));
        }
        let shared = candidates()
            .filter(busy)
            .filter(|_| policy.sharing)
            .map(|barrier| {
                let cost = sharing_cost(self.record(barrier), arming, now);
                ((cost, 0, self.age(barrier, now)), Choice::Share(barrier))
            });
        let evicted = candidates().filter(busy).map(|barrier| {
            let record = self.record(barrier);
            let cost = (record.ready - now).max(0);
            // Old ones first (C16: the threshold only ranks).
            let young = i64::from(now - record.set_cycle < policy.eviction_age);
            let rank = (cost, 1 + young, self.age(barrier, now));
            (rank, Choice::Evict(barrier))
        });
        shared
            .chain(evicted)
            .min_by_key(|found| found.0)
            .map(|found| found.1)
    }

    /// Cycles that the cheapest way to share adds.
    fn cheapest_share(
        &self,
        arming: &Arming,
        now: i64,
        policy: &Policy,
        candidates: BarrierSet,
    ) -> i64 {
        let busy = candidates.iter().map(|barrier| self.record(barrier));
        let costs = busy
            .filter(|record| policy.sharing && record.status != Status::Free)
            .map(|record| sharing_cost(record, arming, now));
        costs.min().unwrap_or(i64::MAX)
    }

    /// A larger result is younger.
    fn age(&self, barrier: Barrier, now: i64) -> i64 {
        self.record(barrier).set_cycle - now
    }

    /// An operation arms a scoreboard.
    pub(super) fn set(&mut self, barrier: Barrier, arming: &Arming, now: i64) {
        let record = self.record_mut(barrier);
        if record.status == Status::Free {
            *record = Record {
                set_cycle: now,
                ready: arming.ready,
                wait_at: arming.wait_at,
                wait_cycle: arming.wait_cycle,
                ..Record::default()
            };
        }
        record.status = Status::Pending;
        record.producer = Some(arming.token);
        record.ready = record.ready.max(arming.ready);
        if arming.wait_cycle < record.wait_cycle {
            record.wait_at = arming.wait_at;
            record.wait_cycle = arming.wait_cycle;
        }
        record.last_class = Some(arming.class);
        record.operations = record.operations.saturating_add(1);
    }

    /// An instruction waits for a scoreboard; returns the cycle at which it continues.
    pub(super) fn wait(&mut self, barrier: Barrier, now: i64) -> i64 {
        let record = self.record_mut(barrier);
        let until = match record.status {
            Status::Free => now,
            Status::Pending | Status::Completed => record.ready.max(now),
        };
        *record = Record {
            last_class: record.last_class,
            ..Record::default()
        };
        until
    }

    /// The same state, counted from a later cycle.
    pub(super) fn starting_at(&self, cycle: i64) -> Scoreboards {
        let mut later = self.clone();
        for record in &mut later.records {
            record.set_cycle -= cycle;
            record.ready -= cycle;
            record.wait_cycle -= cycle;
        }
        later
    }

    /// Joins the pending state of two paths.
    pub(super) fn join(&mut self, other: &Scoreboards) {
        for (mine, theirs) in self.records.iter_mut().zip(&other.records) {
            match (mine.status, theirs.status) {
                (_, Status::Free) => {}
                (Status::Free, _) => *mine = *theirs,
                _ => {
                    mine.ready = mine.ready.max(theirs.ready);
                    mine.set_cycle = mine.set_cycle.min(theirs.set_cycle);
                    mine.operations = mine.operations.max(theirs.operations);
                    if theirs.wait_cycle < mine.wait_cycle {
                        mine.wait_at = theirs.wait_at;
                        mine.wait_cycle = theirs.wait_cycle;
                    }
                }
            }
        }
    }
}

/// Cycles that sharing adds: the first waiter waits for both.
fn sharing_cost(record: &Record, arming: &Arming, now: i64) -> i64 {
    if record.wait_at == arming.wait_at {
        return 0;
    }
    let together = record.ready.max(arming.ready);
    let (wait, own) = if record.wait_cycle <= arming.wait_cycle {
        (record.wait_cycle, record.ready)
    } else {
        (arming.wait_cycle, arming.ready)
    };
    (together - wait.max(own).max(now)).max(0)
}
