//! Operations of variable latency that are in flight, over all paths through a function.
//!
//! The same walk runs twice: once without scoreboards, to find the operations that need a wait, and
//! once with them, to find the remaining waits. With scoreboards a wait ends more operations, so
//! everything in flight then was also in flight in the first walk: every operation that needs a
//! scoreboard has one.
//!
//! With scoreboards, operations that the same waits end are merged, so a register has at most as
//! many entries as there are pairs of scoreboards. Without, the first walk follows
//! `MOST_BETWEEN_BLOCKS` per register between blocks; the others are only known to need a wait.

use std::collections::BTreeSet;

use orison_sass::control::{Barrier, BarrierSet};
use orison_sass::function::BlockIndex;
use smallvec::SmallVec;

use super::flow_edges::EdgeKind;
use super::in_flight::{Entry, Groups, Side as Open, Snapshot, Table};
use super::input::{ACQUIRED, Index, Input, ORDER, Side, Token, Words, slot};
use crate::sass::facts::{Action, RegisterNumber};
use crate::sass::guards::Guards;
use crate::sass::latency::{Mechanism, Queue, TableFile};

/// Maximum number of readers kept per register: it bounds the walk.
const MOST_READERS: usize = 32;
/// The walk without scoreboards follows this many operations per register between blocks, those at
/// the highest addresses. Real code has fewer; copies of a loop that may be jumped over have more.
const MOST_BETWEEN_BLOCKS: usize = 16;

/// The waits of every instruction.
pub(super) struct Waits {
    /// For each instruction, the operations it needs, in order.
    pub(super) needs: Vec<SmallVec<[Token; 2]>>,
    /// For each instruction, its wait mask.
    pub(super) masks: Vec<BarrierSet>,
    /// Operations that may need a wait at or after an instruction, at an unknown point.
    pub(super) somewhere: Vec<(Token, Index)>,
}

struct Walk<'a> {
    input: &'a Input<'a>,
    words: Option<&'a Words>,
    groups: Groups,
    writes: Table,
    reads: Table,
    /// By scoreboard, the entries that armed it since the last wait: the side, and the slot in the
    /// table of that side.
    armed: [Vec<(Side, u16)>; Barrier::COUNT],
    /// What is known about predicates and guards.
    guards: Guards,
    needed: SmallVec<[Token; 8]>,
    /// The first instruction of the block.
    first: usize,
    /// For each queue, the last operation of this block that was waited for: its results, its
    /// operands.
    done: [SmallVec<[(Queue, Index); 4]>; 2],
    /// For each scoreboard, the tokens that armed it in this block.
    armed_here: [Vec<Token>; Barrier::COUNT],
    /// Operations that are no longer followed from an instruction on, as too many read a register.
    unfollowed: Vec<(Token, Index)>,
}

/// Walks to a fixpoint. Cost: a block is walked again only if something new may be in flight at its
/// start, which is bounded by the registers, times pairs of scoreboards or `MOST_BETWEEN_BLOCKS`;
/// real code needs two or three walks.
pub(super) fn waits(input: &Input<'_>, words: Option<&Words>) -> Waits {
    let count = input.function.blocks.len();
    let mut walk = Walk {
        input,
        words,
        groups: Groups::new(input, words),
        writes: Table::new(),
        reads: Table::new(),
        armed: Default::default(),
        guards: Guards::default(),
        needed: SmallVec::new(),
        first: 0,
        done: Default::default(),
        armed_here: Default::default(),
        unfollowed: Vec::new(),
    };
    let most = match words {
        Some(_) => usize::MAX,
        None => MOST_BETWEEN_BLOCKS,
    };
    let mut starts: Vec<Snapshot> = vec![Snapshot::default(); count];
    for entry in &input.function.entries {
        // Nothing is known there, whatever jumps back to it.
        starts[entry.block].guards = Some(Guards::default());
    }
    let instructions = input.facts.len();
    let mut found = Waits {
        needs: vec![SmallVec::new(); instructions],
        masks: vec![BarrierSet::EMPTY; instructions],
        somewhere: Vec::new(),
    };
    let mut unfollowed = vec![Vec::new(); count];
    let mut queue: BTreeSet<BlockIndex> = (0..count).collect();
    while let Some(block) = queue.pop_first() {
        // The last walk of a block begins with all that may be in flight.
        let end = walk.block(block, &starts[block], |number, needs, mask| {
            found.needs[number].clear();
            found.needs[number].extend_from_slice(needs);
            found.masks[number] = mask;
        });
        unfollowed[block] = std::mem::take(&mut walk.unfollowed);
        for (to, kind) in &input.edges.out[block] {
            let changed = match kind {
                EdgeKind::Return(callee) => {
                    let own = |who: Index| {
                        let from = input.facts.block_of(who as usize);
                        input.edges.inside[from].contains(callee)
                    };
                    starts[*to].join(&end.clone().only(own), most)
                }
                EdgeKind::Next => starts[*to].join(&end, most),
                EdgeKind::AfterCall => {
                    let mut after = end.clone();
                    after.guards.iter_mut().for_each(Guards::forget);
                    starts[*to].join(&after, most)
                }
            };
            if changed {
                queue.insert(*to);
            }
        }
    }
    for (block, start) in starts.iter().enumerate() {
        let first = Index::try_from(input.facts.block(block).start).unwrap_or(Index::MAX);
        let somewhere = tokens(&start.writes.given_up, Side::Results)
            .chain(tokens(&start.reads.given_up, Side::Operands));
        found
            .somewhere
            .extend(somewhere.map(|token| (token, first)));
    }
    found.somewhere.extend(unfollowed.into_iter().flatten());
    found
}

fn tokens(entries: &[Entry], side: Side) -> impl Iterator<Item = Token> {
    let producers = entries.iter().map(|entry| entry.producer);
    producers.map(move |producer| Token { producer, side })
}

impl Walk<'_> {
    fn block(
        &mut self,
        block: BlockIndex,
        start: &Snapshot,
        mut note: impl FnMut(usize, &[Token], BarrierSet),
    ) -> Snapshot {
        self.enter(start);
        let numbers = self.input.facts.block(block);
        let last = numbers.end;
        self.first = numbers.start;
        for number in numbers {
            self.find_needs(number);
            if number + 1 == last && self.input.edges.leaves[block] {
                self.need_everything(number);
            }
            // Results come first, and imply operands.
            self.needed.sort_unstable();
            self.needed.dedup_by_key(|token| token.producer);
            let mask = self.release(number);
            note(number, &self.needed, mask);
            self.start(number);
        }
        let (writes, reads) = (
            self.open(Side::Results, last),
            self.open(Side::Operands, last),
        );
        let entries = writes.iter().chain(&reads);
        let mut in_flight: Vec<Index> = entries.map(|entry| entry.producer).collect();
        in_flight.sort_unstable();
        let mut guards = self.guards.clone();
        guards.retain(|who| in_flight.binary_search(&who).is_ok());
        Snapshot {
            writes: Open::new(writes),
            reads: Open::new(reads),
            guards: Some(guards),
        }
    }

    fn enter(&mut self, start: &Snapshot) {
        self.writes.enter(&start.writes.entries);
        self.reads.enter(&start.reads.entries);
        self.guards = start.guards.clone().unwrap_or_default();
        for list in &mut self.armed {
            list.clear();
        }
        for list in &mut self.done {
            list.clear();
        }
        for list in &mut self.armed_here {
            list.clear();
        }
        for (entries, side) in [
            (&start.writes.entries, Side::Results),
            (&start.reads.entries, Side::Operands),
        ] {
            for entry in entries {
                self.arm(entry.producer, side, entry.slot);
            }
        }
    }

    /// Records the scoreboards that end an entry; returns whether any does, or they are not yet
    /// assigned.
    fn arm(&mut self, producer: Index, side: Side, slot: u16) -> bool {
        let Some(words) = self.words else {
            return true;
        };
        let assigned = words.assigned[producer as usize];
        let read = assigned.read.filter(|_| side == Side::Operands);
        for barrier in assigned.write.into_iter().chain(read) {
            self.armed[usize::from(barrier.index())].push((side, slot));
        }
        assigned.write.or(read).is_some()
    }

    /// The needs of an instruction: producers of what it reads and writes, readers of what it
    /// writes (contradiction register C46), except for those before it in the same queue.
    fn find_needs(&mut self, number: usize) {
        let mut needed = std::mem::take(&mut self.needed);
        needed.clear();
        let Input { facts, model, .. } = self.input;
        let results = |producer: Index| Token {
            producer,
            side: Side::Results,
        };
        let operands = |producer: Index| Token {
            producer,
            side: Side::Operands,
        };
        for read in facts.reads(number) {
            let found = self.writes.get(slot(read.register));
            let found = found.filter(|producer| {
                !self.is_done(*producer, Side::Results, number)
                    && !self.is_exclusive(*producer, number, read.register)
            });
            needed.extend(found.map(results));
            if read.register.file() == TableFile::Predicate {
                // Predicates are read at issue: what is in flight with operands is a result.
                let found = self.reads.get(slot(read.register)).filter(|producer| {
                    !self.is_done(*producer, Side::Operands, number)
                        && !self.is_exclusive(*producer, number, read.register)
                });
                needed.extend(found.map(operands));
            }
        }
        let class = model.class(facts.fact(number).class);
        let other = |producer: Index| model.class(facts.fact(producer as usize).class);
        for write in facts.writes(number) {
            let register = write.register;
            let slot = slot(register);
            let unordered = |producer: &Index| {
                let queue = other(*producer).relied_results();
                (queue.is_none() || queue != class.relied_results())
                    && !self.is_done(*producer, Side::Results, number)
                    && !self.is_exclusive(*producer, number, register)
            };
            let found = self.writes.get(slot).filter(unordered);
            needed.extend(found.map(results));
            let unordered = |producer: &Index| {
                let queue = other(*producer).relied_operands();
                (queue.is_none() || queue != class.relied_operands())
                    && !self.is_done(*producer, Side::Operands, number)
                    && !self.is_exclusive(*producer, number, register)
            };
            let found = self.reads.get(slot).filter(unordered);
            needed.extend(found.map(operands));
        }
        if self.words.is_none() {
            for slot in self.input.queued(number) {
                if self.reads.count(slot) >= MOST_READERS {
                    let here = Index::try_from(number).unwrap_or(Index::MAX);
                    let readers = self.reads.get(slot).map(operands);
                    self.unfollowed.extend(readers.map(|token| (token, here)));
                    self.reads.retain(slot, |_| false);
                }
            }
            if self.input.beyond[number] == Some((ACQUIRED, Side::Results))
                && self.writes.count(ACQUIRED) >= MOST_READERS
            {
                let here = Index::try_from(number).unwrap_or(Index::MAX);
                let loads = self.writes.get(ACQUIRED).map(results);
                self.unfollowed.extend(loads.map(|token| (token, here)));
                self.writes.retain(ACQUIRED, |_| false);
            }
        }
        if self.input.acquires[number] {
            let guard = facts.fact(number).guard;
            let found = self.writes.get(ACQUIRED).filter(|producer| {
                !self.is_done(*producer, Side::Results, number)
                    && !self.guards.exclusive(*producer, guard)
            });
            needed.extend(found.map(results));
        }
        let fact = facts.fact(number);
        if !fact.memory.is_empty() || matches!(fact.action, Action::Synchronize | Action::Call) {
            needed.extend(self.writes.get(ORDER).map(results));
            needed.extend(self.reads.get(ORDER).map(operands));
        }
        self.needed = needed;
    }

    /// Whether no thread executes both an operation and an instruction that have a register in
    /// common. Uniform registers belong to all threads.
    fn is_exclusive(&self, producer: Index, number: usize, register: RegisterNumber) -> bool {
        register.file() != TableFile::Uniform
            && self
                .guards
                .exclusive(producer, self.input.facts.fact(number).guard)
    }

    fn need_everything(&mut self, number: usize) {
        let results = self.open(Side::Results, number);
        let operands = self.open(Side::Operands, number);
        self.needed.extend(tokens(&results, Side::Results));
        self.needed.extend(tokens(&operands, Side::Operands));
    }

    /// The operations of a side that may be in flight before an instruction.
    fn open(&mut self, side: Side, number: usize) -> Vec<Entry> {
        let mut entries = match side {
            Side::Results => self.writes.entries(),
            Side::Operands => self.reads.entries(),
        };
        entries.retain(|entry| !self.is_done(entry.producer, side, number));
        entries
    }

    /// The queue that orders a side of an operation.
    fn queue(&self, producer: Index, side: Side) -> Option<Queue> {
        let Input { facts, model, .. } = self.input;
        let class = model.class(facts.fact(producer as usize).class);
        match side {
            Side::Results => class.relied_results(),
            Side::Operands => class.relied_operands(),
        }
    }

    /// Whether an operation that may be in flight before an instruction of this block has
    /// completed, because a later one in its queue has.
    fn is_done(&self, producer: Index, side: Side, number: usize) -> bool {
        let done = &self.done[side as usize];
        if done.is_empty() {
            return false;
        }
        let Some(queue) = self.queue(producer, side) else {
            return false;
        };
        let known = done.iter().find(|found| found.0 == queue);
        known.is_some_and(|(_, last)| {
            // An operation not started in this walk was started before it.
            let here = (self.first..number).contains(&(producer as usize));
            !here || producer <= *last
        })
    }

    /// Whether completion of a needed operation is implied by another needed one.
    fn is_implied(&self, token: Token, number: usize) -> bool {
        let queue = self.queue(token.producer, token.side);
        let this = queue.map(|queue| (queue, token.producer));
        let is_last = this.is_some_and(|this| self.done[token.side as usize].contains(&this));
        !is_last && self.is_done(token.producer, token.side, number)
    }

    /// Records that an instruction waits for an operation, which is ordered after the earlier ones
    /// if it started in this block and has no guard.
    fn note_done(&mut self, token: Token, number: usize) {
        let producer = token.producer as usize;
        let here = (self.first..number).contains(&producer);
        if !here || self.input.facts.fact(producer).guarded {
            return;
        }
        // An operation whose results are available has read its operands.
        let sides = [Side::Operands, Side::Results];
        let sides = sides.into_iter().filter(|side| *side >= token.side);
        for side in sides {
            let Some(queue) = self.queue(token.producer, side) else {
                continue;
            };
            let done = &mut self.done[side as usize];
            match done.iter_mut().find(|found| found.0 == queue) {
                Some(found) => found.1 = found.1.max(token.producer),
                None => done.push((queue, token.producer)),
            }
        }
    }

    /// Ends the operations the instruction waits for.
    fn release(&mut self, number: usize) -> BarrierSet {
        let mut needed = std::mem::take(&mut self.needed);
        for token in &needed {
            self.note_done(*token, number);
        }
        let mut mask = BarrierSet::EMPTY;
        match self.words {
            None => {
                for token in &needed {
                    self.end(token.producer, token.side);
                }
                needed.retain(|token| !self.is_implied(*token, number));
            }
            Some(words) => {
                mask = words.evictions[number];
                needed.retain(|token| !self.is_implied(*token, number));
                for token in &needed {
                    let assigned = words.assigned[token.producer as usize];
                    // One of two scoreboards may already be in the mask.
                    let known = match token.side {
                        Side::Results => assigned.write,
                        Side::Operands => [assigned.read, assigned.write]
                            .into_iter()
                            .flatten()
                            .find(|barrier| mask.contains(*barrier)),
                    };
                    if let Some(barrier) = known.or(assigned.of(token.side)) {
                        mask.insert(barrier);
                    }
                }
                let mut ended = mask;
                if let Action::WaitScoreboard {
                    barrier,
                    left,
                    others,
                } = self.input.facts.fact(number).action
                {
                    ended = ended.union(others);
                    if left == 0 {
                        ended.insert(barrier);
                    }
                }
                for barrier in ended.iter() {
                    self.end_barrier(barrier, words, number);
                }
            }
        }
        self.needed = needed;
        mask
    }

    fn end_barrier(&mut self, barrier: Barrier, words: &Words, number: usize) {
        for token in std::mem::take(&mut self.armed_here[usize::from(barrier.index())]) {
            self.note_done(token, number);
        }
        let armed = std::mem::take(&mut self.armed[usize::from(barrier.index())]);
        for (side, slot) in armed {
            let assigned = |producer: Index| words.assigned[producer as usize];
            match side {
                Side::Results => self
                    .writes
                    .retain(slot, |found| assigned(found).write != Some(barrier)),
                Side::Operands => self.reads.retain(slot, |found| {
                    let assigned = assigned(found);
                    assigned.write != Some(barrier) && assigned.read != Some(barrier)
                }),
            }
        }
    }

    fn end(&mut self, producer: Index, side: Side) {
        let number = producer as usize;
        for slot in self.input.queued(number).chain([ORDER]) {
            self.reads.retain(slot, |found| found != producer);
        }
        if side == Side::Results {
            let writes = self.input.facts.writes(number).iter();
            let slots = writes
                .map(|write| slot(write.register))
                .chain([ORDER, ACQUIRED]);
            for slot in slots {
                self.writes.retain(slot, |found| found != producer);
            }
        }
    }

    /// Records the operations that waits for scoreboards will cover.
    fn note_armed(&mut self, producer: Index) {
        let Some(words) = self.words else {
            return;
        };
        let assigned = words.assigned[producer as usize];
        let ends = [
            (assigned.write, Side::Results),
            (assigned.read, Side::Operands),
        ];
        for (barrier, side) in ends {
            if let Some(barrier) = barrier {
                self.armed_here[usize::from(barrier.index())].push(Token { producer, side });
            }
        }
    }

    /// Marks an operation as in flight.
    fn start(&mut self, number: usize) {
        let Input { facts, model, .. } = self.input;
        let fact = facts.fact(number);
        let index = Index::try_from(number).unwrap_or(Index::MAX);
        let class = model.class(fact.class);
        if !fact.guarded {
            for write in facts.writes(number) {
                self.writes.retain(slot(write.register), |_| false);
                self.reads.retain(slot(write.register), |_| false);
            }
        }
        if class.mechanism == Mechanism::Variable {
            self.start_variable(number, index);
        }
        if facts.has_guarded() {
            self.guards.define(fact.predicates.as_deref());
        }
    }

    /// Marks an operation of variable latency as in flight.
    fn start_variable(&mut self, number: usize, index: Index) {
        let Input { facts, model, .. } = self.input;
        let fact = facts.fact(number);
        let class = model.class(fact.class);
        self.issue_guard(number, index);
        self.note_armed(index);
        let other = |producer: Index| model.class(facts.fact(producer as usize).class);
        for slot in self.input.queued(number) {
            let queue = class.relied_operands();
            // Earlier operations in its queue have completed when it has. A guard that excludes it
            // may not exclude them.
            let guards = &self.guards;
            self.reads.retain(slot, |who| {
                queue.is_none()
                    || other(who).relied_operands() != queue
                    || !guards.covers(index, who)
            });
            if self.arm(index, Side::Operands, slot) {
                let replaced = self.reads.add(slot, index, &self.groups);
                self.stand_for(index, replaced);
            }
        }
        let writes = facts.writes(number).iter();
        for write in writes.filter(|write| !write.with_operands) {
            let (slot, queue) = (slot(write.register), class.relied_results());
            let guards = &self.guards;
            self.writes.retain(slot, |who| {
                queue.is_none()
                    || other(who).relied_results() != queue
                    || !guards.covers(index, who)
            });
            if self.arm(index, Side::Results, slot) {
                let replaced = self.writes.add(slot, index, &self.groups);
                self.stand_for(index, replaced);
            }
        }
        if let Some((slot, side)) = self.input.beyond[number]
            && self.arm(index, side, slot)
        {
            let table = match side {
                Side::Results => &mut self.writes,
                Side::Operands => &mut self.reads,
            };
            let replaced = table.add(slot, index, &self.groups);
            self.stand_for(index, replaced);
        }
    }

    /// Records the guard of an operation, of which an earlier execution may be in flight.
    fn issue_guard(&mut self, number: usize, index: Index) {
        let facts = self.input.facts;
        let guard = facts.fact(number).guard;
        let mut writes = facts.writes(number).iter();
        let again = writes.any(|write| self.writes.has(slot(write.register), index))
            || self
                .input
                .queued(number)
                .any(|slot| self.reads.has(slot, index));
        if again {
            self.guards.issue_again(index, guard);
        } else {
            self.guards.issue(index, guard);
        }
    }

    fn stand_for(&mut self, index: Index, replaced: Option<Index>) {
        if let Some(replaced) = replaced {
            self.guards.stand_for(index, replaced);
        }
    }
}
