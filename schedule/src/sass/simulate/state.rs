//! The state in flight at a point of a function: results and reads not known to be complete.
//!
//! A [`State`] is walked through a block; a [`Snapshot`] is the state at its end, with times as
//! ages, so that those of several paths into a block can be joined.

use orison_sass::control::Barrier;
use smallvec::SmallVec;

use crate::sass::facts::RegisterNumber;
use crate::sass::guards::{Guards, Literal};
use crate::sass::latency::{ClassId, Column, LatencyModel};
use crate::sass::register_table::RegisterTable;

/// The index of an instruction in its function.
pub type InstructionIndex = u32;

/// A result or a read with fixed latency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Timed {
    /// The producer.
    pub(super) producer: InstructionIndex,
    /// The cycle in which it issued.
    pub(super) at: i32,
    /// Its class, to look rules up.
    pub(super) class: ClassId,
    /// For a result, its column.
    pub(super) column: Column,
    /// For a result, whether it is guarded.
    pub(super) guarded: bool,
    /// For a result, the scoreboard that its producer arms all the same: a wait for it ends the result.
    pub(super) scoreboard: Option<Barrier>,
}

/// An operation that a scoreboard or a group of products ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pending {
    /// The producer.
    pub(super) producer: InstructionIndex,
    /// Its class.
    pub(super) class: ClassId,
    /// The scoreboards of which any wait implies that its results are available.
    pub(super) results_covered: u8,
    /// The scoreboards of which any wait implies that its operands have been read.
    pub(super) operands_covered: u8,
    /// For each scoreboard, how many results of its queue armed it since, including its own: if
    /// fewer are in flight, it has completed.
    pub(super) armed_since: [u8; 6],
    /// For a product of a warp group: how many groups were closed since, including its own; `None`
    /// while its group is open.
    pub(super) groups: Option<u8>,
    /// Whether it is a product of a warp group.
    pub(super) is_group: bool,
}

/// What an instruction is in pairs that issue in the same cycle.
#[derive(Clone, Copy, Default)]
pub(super) struct Pair {
    /// Whether the next one issues in its cycle.
    pub(super) pairs: bool,
    /// Whether it issued in the cycle of the one before.
    pub(super) is_second: bool,
}

/// The state in flight while a block is walked.
pub(super) struct State<'m> {
    model: &'m LatencyModel,
    /// The cycle in which the next instruction may issue, counted from the start of the block.
    pub(super) now: i32,
    /// Results with fixed latency.
    pub(super) timed_writes: RegisterTable<Timed>,
    /// Reads with fixed latency.
    pub(super) timed_reads: RegisterTable<Timed>,
    /// Operations that scoreboards end, by producer.
    pub(super) pending: Vec<Pending>,
    /// Producers of results in flight.
    pub(super) pending_writes: RegisterTable<InstructionIndex>,
    /// Readers whose operand may not have been read.
    pub(super) pending_reads: RegisterTable<InstructionIndex>,
    /// For each scoreboard, the last operation that may have armed it without a later wait, and
    /// when.
    pub(super) armed: [Option<(InstructionIndex, i32)>; 6],
    /// What is known about predicates and guards.
    pub(super) guards: Guards,
    /// The last instruction of the block so far, as part of a pair.
    pub(super) pair: Pair,
    /// Registers written since the last `WARPGROUP.ARRIVE`.
    references: Vec<u32>,
}

/// The state in flight between two blocks. All lists are sorted, times are ages in cycles.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Snapshot {
    timed_writes: Vec<(RegisterNumber, InstructionIndex, TimedAge)>,
    timed_reads: Vec<(RegisterNumber, InstructionIndex, TimedAge)>,
    pending: Vec<Pending>,
    pending_writes: Vec<(RegisterNumber, InstructionIndex)>,
    pending_reads: Vec<(RegisterNumber, InstructionIndex)>,
    armed: [Option<(InstructionIndex, u32)>; 6],
    guards: Guards,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TimedAge {
    age: u32,
    class: ClassId,
    column: Column,
    guarded: bool,
    scoreboard: Option<Barrier>,
}

impl<'m> State<'m> {
    /// The empty state. `instructions` is the number of instructions of the function.
    pub(super) fn new(model: &'m LatencyModel, instructions: usize) -> Self {
        State {
            model,
            now: 0,
            timed_writes: RegisterTable::new(),
            timed_reads: RegisterTable::new(),
            pending: Vec::new(),
            pending_writes: RegisterTable::new(),
            pending_reads: RegisterTable::new(),
            armed: [None; 6],
            guards: Guards::default(),
            pair: Pair::default(),
            references: vec![0; instructions],
        }
    }

    /// Starts a block with the state in flight at its start.
    pub(super) fn enter(&mut self, snapshot: &Snapshot) {
        self.now = 0;
        self.pair = Pair::default();
        self.timed_writes.clear();
        self.timed_reads.clear();
        self.pending_writes.clear();
        self.pending_reads.clear();
        for pending in self.pending.drain(..) {
            self.references[pending.producer as usize] = 0;
        }
        for (register, producer, timed) in &snapshot.timed_writes {
            self.timed_writes.push(*register, timed.at(*producer));
        }
        for (register, producer, timed) in &snapshot.timed_reads {
            self.timed_reads.push(*register, timed.at(*producer));
        }
        self.pending.extend_from_slice(&snapshot.pending);
        for (register, producer) in &snapshot.pending_writes {
            self.pending_writes.push(*register, *producer);
            self.references[*producer as usize] += 1;
        }
        for (register, producer) in &snapshot.pending_reads {
            self.pending_reads.push(*register, *producer);
            self.references[*producer as usize] += 1;
        }
        let age = |armed: Option<(InstructionIndex, u32)>| {
            armed.map(|(producer, age)| (producer, negative(age)))
        };
        self.armed = snapshot.armed.map(age);
        self.guards.clone_from(&snapshot.guards);
    }

    /// The state at the end of the block.
    pub(super) fn leave(&mut self) -> Snapshot {
        let (now, limit) = (self.now, self.model.longest_latency());
        let aged = |register: RegisterNumber, timed: &Timed| {
            let age = elapsed(now, timed.at);
            let aged = TimedAge {
                age,
                class: timed.class,
                column: timed.column,
                guarded: timed.guarded,
                scoreboard: timed.scoreboard,
            };
            (age < limit).then_some((register, timed.producer, aged))
        };
        let mut snapshot = Snapshot {
            timed_writes: self.timed_writes.export(aged),
            timed_reads: self.timed_reads.export(aged),
            pending_writes: self
                .pending_writes
                .export(|register, who| Some((register, *who))),
            pending_reads: self
                .pending_reads
                .export(|register, who| Some((register, *who))),
            pending: self.pending.clone(),
            armed: self
                .armed
                .map(|armed| armed.map(|(who, at)| (who, elapsed(now, at).min(limit)))),
            guards: self.guards.clone(),
        };
        snapshot.sort();
        snapshot.forget_guards();
        snapshot
    }

    /// Cycles since an event.
    pub(super) fn age(&self, at: i32) -> u32 {
        elapsed(self.now, at)
    }

    /// The pending entry of a producer in flight.
    pub(super) fn find(&self, producer: InstructionIndex) -> Option<&Pending> {
        self.pending.iter().find(|found| found.producer == producer)
    }

    /// Records that a register waits for the results of a producer, replacing earlier ones that
    /// every wait for it also covers.
    pub(super) fn wait_for_result(&mut self, register: RegisterNumber, pending: &Pending) {
        let model = self.model;
        let queue = |found: &Pending| model.class(found.class).result_queue;
        let weaker = |other: &Pending| {
            (queue(pending).is_none() || queue(pending) == queue(other))
                && pending.results_covered & !other.results_covered == 0
        };
        self.drop_where(register, pending, Side::Results, weaker);
        self.pending_writes.push(register, pending.producer);
        self.references[pending.producer as usize] += 1;
    }

    /// Like [`Self::wait_for_result`], for an operand that a producer has yet to read.
    pub(super) fn wait_for_operand(&mut self, register: RegisterNumber, pending: &Pending) {
        let model = self.model;
        let queue = |found: &Pending| model.class(found.class).operand_queue;
        let weaker = |other: &Pending| {
            (queue(pending).is_none() || queue(pending) == queue(other))
                && pending.operands_covered & !other.operands_covered == 0
        };
        self.drop_where(register, pending, Side::Operands, weaker);
        self.pending_reads.push(register, pending.producer);
        self.references[pending.producer as usize] += 1;
    }

    fn drop_where(
        &mut self,
        register: RegisterNumber,
        newer: &Pending,
        side: Side,
        weaker: impl Fn(&Pending) -> bool,
    ) {
        // A guard that excludes the newer one may not exclude the other.
        if self.guards.excludes_any(newer.producer) {
            return;
        }
        let table = side.table(self);
        let dropped: SmallVec<[InstructionIndex; 4]> = table
            .get(register)
            .iter()
            .copied()
            .filter(|who| *who != newer.producer)
            .filter(|who| {
                let other = self.find(*who);
                other.is_some_and(|other| !other.is_group && !newer.is_group && weaker(other))
            })
            .collect();
        for who in dropped {
            self.release_register(register, who, side);
        }
    }

    /// A register no longer waits for a producer.
    fn release_register(&mut self, register: RegisterNumber, who: InstructionIndex, side: Side) {
        side.table_mut(self).retain(register, |found| *found != who);
        self.drop_reference(who);
    }

    fn drop_reference(&mut self, who: InstructionIndex) {
        let references = &mut self.references[who as usize];
        *references = references.saturating_sub(1);
        if *references == 0 {
            self.pending.retain(|found| found.producer != who);
        }
    }

    /// A register gets a new value in all threads: earlier accesses no longer matter.
    pub(super) fn overwrite(&mut self, register: RegisterNumber) {
        self.timed_writes.clear_register(register);
        self.timed_reads.clear_register(register);
        for side in [Side::Results, Side::Operands] {
            let waiting: SmallVec<[InstructionIndex; 4]> =
                side.table(self).get(register).iter().copied().collect();
            side.table_mut(self).clear_register(register);
            for who in waiting {
                self.drop_reference(who);
            }
        }
    }

    /// Ends the sides that `done` returns: the results of a producer, or only its operands.
    pub(super) fn release(&mut self, done: impl Fn(&Pending) -> Option<Side>) {
        let ended: SmallVec<[(InstructionIndex, Side); 8]> = self
            .pending
            .iter()
            .filter_map(|pending| done(pending).map(|side| (pending.producer, side)))
            .collect();
        if ended.is_empty() {
            return;
        }
        let over = |who: InstructionIndex, reads: bool| {
            ended
                .iter()
                .any(|(ended, side)| *ended == who && (reads || *side == Side::Results))
        };
        let mut released: Vec<InstructionIndex> = Vec::new();
        for (side, reads) in [(Side::Operands, true), (Side::Results, false)] {
            side.table_mut(self).retain_all(|who| {
                let ends = over(*who, reads);
                if ends {
                    released.push(*who);
                }
                !ends
            });
        }
        for who in released {
            self.drop_reference(who);
        }
    }
}

/// A side of a producer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Its results, and with them its operands.
    Results,
    /// Its operands.
    Operands,
}

impl Side {
    fn table<'s>(self, state: &'s State<'_>) -> &'s RegisterTable<InstructionIndex> {
        match self {
            Side::Results => &state.pending_writes,
            Side::Operands => &state.pending_reads,
        }
    }

    fn table_mut<'s>(self, state: &'s mut State<'_>) -> &'s mut RegisterTable<InstructionIndex> {
        match self {
            Side::Results => &mut state.pending_writes,
            Side::Operands => &mut state.pending_reads,
        }
    }
}

fn elapsed(now: i32, at: i32) -> u32 {
    u32::try_from(now.saturating_sub(at)).unwrap_or(0)
}

fn negative(age: u32) -> i32 {
    -i32::try_from(age).unwrap_or(i32::MAX)
}

impl TimedAge {
    fn at(self, producer: InstructionIndex) -> Timed {
        Timed {
            producer,
            at: negative(self.age),
            class: self.class,
            column: self.column,
            guarded: self.guarded,
            scoreboard: self.scoreboard,
        }
    }
}

impl Snapshot {
    fn sort(&mut self) {
        let key =
            |entry: &(RegisterNumber, InstructionIndex, TimedAge)| (entry.0, entry.1, entry.2.age);
        for timed in [&mut self.timed_writes, &mut self.timed_reads] {
            timed.sort_unstable_by_key(key);
            timed.dedup_by_key(|entry| (entry.0, entry.1));
        }
        for pending in [&mut self.pending_writes, &mut self.pending_reads] {
            pending.sort_unstable();
            pending.dedup();
        }
        self.pending
            .sort_unstable_by_key(|pending| pending.producer);
    }

    /// Drops what is known of the guards of instructions that are not in flight.
    fn forget_guards(&mut self) {
        let timed = self
            .timed_writes
            .iter()
            .chain(&self.timed_reads)
            .map(|entry| entry.1);
        let pending = self.pending.iter().map(|pending| pending.producer);
        let mut in_flight: Vec<InstructionIndex> = timed.chain(pending).collect();
        in_flight.sort_unstable();
        self.guards
            .retain(|who| in_flight.binary_search(&who).is_ok());
    }

    /// The state after a call returned: the call itself took longer than any latency.
    pub(super) fn after_call(mut self) -> Snapshot {
        self.timed_writes.clear();
        self.timed_reads.clear();
        self.guards.forget();
        self
    }

    /// The state in threads in which a predicate has a value: without what none of them executed.
    pub(super) fn under(mut self, literal: Literal) -> Snapshot {
        let guards = std::mem::take(&mut self.guards);
        let keep = |register: RegisterNumber, producer: InstructionIndex| {
            // Uniform registers belong to all threads.
            let of_thread = literal.is_uniform() || !register.file().is_uniform();
            !(of_thread && guards.exclusive(producer, Some(literal)))
        };
        self.timed_writes.retain(|entry| keep(entry.0, entry.1));
        self.timed_reads.retain(|entry| keep(entry.0, entry.1));
        self.keep_pending(keep);
        self.guards = guards;
        self.forget_guards();
        self
    }

    /// Keeps what does not have fixed latency and is of a producer for which `own` holds, or was in flight
    /// before.
    pub(super) fn only(
        mut self,
        own: impl Fn(InstructionIndex) -> bool,
        before: &Snapshot,
    ) -> Snapshot {
        self.timed_writes.clear();
        self.timed_reads.clear();
        let all = before.pending_writes.iter().chain(&before.pending_reads);
        let mut all: Vec<_> = all.copied().collect();
        all.sort_unstable();
        self.keep_pending(|register, who| own(who) || all.binary_search(&(register, who)).is_ok());
        self
    }

    fn keep_pending(&mut self, keep: impl Fn(RegisterNumber, InstructionIndex) -> bool) {
        self.pending_writes.retain(|entry| keep(entry.0, entry.1));
        self.pending_reads.retain(|entry| keep(entry.0, entry.1));
        let kept = self.pending_writes.iter().chain(&self.pending_reads);
        let mut kept: Vec<InstructionIndex> = kept.map(|entry| entry.1).collect();
        kept.sort_unstable();
        self.pending
            .retain(|pending| kept.binary_search(&pending.producer).is_ok());
    }

    /// Adds the state in flight on another path into the same block; returns whether any of it is
    /// new.
    ///
    /// Ages become the minimum, covers the intersection, registers the union, so a fixpoint is
    /// reached: there are finitely many of each.
    pub(super) fn join(&mut self, other: &Snapshot) -> bool {
        let mut changed = false;
        changed |= merge(
            &mut self.timed_writes,
            &other.timed_writes,
            by_register,
            younger,
        );
        changed |= merge(
            &mut self.timed_reads,
            &other.timed_reads,
            by_register,
            younger,
        );
        changed |= merge(&mut self.pending, &other.pending, |p| p.producer, weaken);
        changed |= merge(
            &mut self.pending_writes,
            &other.pending_writes,
            |e| *e,
            |_, _| false,
        );
        changed |= merge(
            &mut self.pending_reads,
            &other.pending_reads,
            |e| *e,
            |_, _| false,
        );
        for (mine, theirs) in self.armed.iter_mut().zip(other.armed) {
            let later = match (*mine, theirs) {
                (Some((who, age)), Some((other, other_age))) => {
                    Some(if (other_age, other) < (age, who) {
                        (other, other_age)
                    } else {
                        (who, age)
                    })
                }
                (mine, theirs) => mine.or(theirs),
            };
            changed |= later != *mine;
            *mine = later;
        }
        changed |= self.guards.join(&other.guards);
        changed
    }
}

fn by_register(
    entry: &(RegisterNumber, InstructionIndex, TimedAge),
) -> (RegisterNumber, InstructionIndex) {
    (entry.0, entry.1)
}

fn younger(
    mine: &mut (RegisterNumber, InstructionIndex, TimedAge),
    theirs: &(RegisterNumber, InstructionIndex, TimedAge),
) -> bool {
    let changed = theirs.2.age < mine.2.age;
    mine.2.age = mine.2.age.min(theirs.2.age);
    changed
}

fn weaken(mine: &mut Pending, theirs: &Pending) -> bool {
    let before = *mine;
    mine.results_covered &= theirs.results_covered;
    mine.operands_covered &= theirs.operands_covered;
    for (mine, theirs) in mine.armed_since.iter_mut().zip(theirs.armed_since) {
        *mine = theirs.min(*mine);
    }
    mine.groups = mine.groups.min(theirs.groups);
    before != *mine
}

/// Merges sorted lists; entries with the same key are combined. Returns whether the first list
/// changed.
fn merge<T: Clone, K: Ord>(
    mine: &mut Vec<T>,
    theirs: &[T],
    key: impl Fn(&T) -> K,
    combine: impl Fn(&mut T, &T) -> bool,
) -> bool {
    let mut changed = false;
    let mut missing: Vec<T> = Vec::new();
    let mut at = 0;
    for entry in theirs {
        let wanted = key(entry);
        while mine.get(at).is_some_and(|found| key(found) < wanted) {
            at += 1;
        }
        match mine.get_mut(at) {
            Some(found) if key(found) == wanted => changed |= combine(found, entry),
            _ => missing.push(entry.clone()),
        }
    }
    if !missing.is_empty() {
        changed = true;
        mine.extend(missing);
        mine.sort_by_key(|entry| key(entry));
    }
    changed
}
