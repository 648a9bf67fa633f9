//! Operations of variable latency that are under way, over all ways through a function.
//!
//! The same walk serves twice: once without scoreboards, to learn which operations anyone has to
//! wait for, and once with them, to learn which waits are left. With scoreboards a wait ends more, so
//! that nothing is under way then that was not in the first walk: what needs a scoreboard has one.

use std::collections::BTreeSet;

use orison_sass::control::{Barrier, BarrierSet};
use orison_sass::instruction::Instruction;
use orison_sass::program::{BlockIndex, Function};
use smallvec::SmallVec;

use super::ways::{WayKind, Ways};
use crate::sass::facts::{Action, FunctionFacts, RegisterNumber};
use crate::sass::latency::{LatencyModel, Mechanism, TableFile};

/// The number of an instruction in its function.
pub(super) type Index = u32;

/// Which end of an operation someone waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Side {
    /// That its results are there.
    Results,
    /// That its operands were read.
    Operands,
}

/// Something to wait for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Token {
    pub(super) producer: Index,
    pub(super) side: Side,
}

/// The scoreboards that an instruction arms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Assigned {
    pub(super) write: Option<Barrier>,
    pub(super) read: Option<Barrier>,
}

impl Assigned {
    /// The scoreboard that ends a side. Results imply operands.
    pub(super) fn of(&self, side: Side) -> Option<Barrier> {
        match side {
            Side::Results => self.write,
            Side::Operands => self.read.or(self.write),
        }
    }
}

/// Behind the registers: what the order of memory asks for.
const ORDER: u16 = RegisterNumber::COUNT as u16;
const SLOTS: usize = RegisterNumber::COUNT + 1;
/// More readers of a register than this are not kept under way: it bounds the walk.
const MOST_READERS: usize = 32;

/// Operations without results that others in memory order have to wait for: ptxas arms a scoreboard
/// on each and waits before the next access or barrier (corpus: all but 10 of 290).
const ORDERING: [&str; 5] = [
    "FENCE",
    "UTMACCTL",
    "USETMAXREG",
    "MEMBAR.ALL.CTA",
    "SYNCS.CCTL",
];

fn orders(instruction: &Instruction) -> bool {
    let text = instruction.mnemonic.text();
    ORDERING.iter().any(|name| {
        let rest = text.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// What the walk knows of each instruction beyond its facts.
pub(super) struct Input<'a> {
    pub(super) function: &'a Function,
    pub(super) facts: &'a FunctionFacts,
    pub(super) model: &'a LatencyModel,
    pub(super) ways: &'a Ways,
    orders: Vec<bool>,
}

impl<'a> Input<'a> {
    pub(super) fn new(
        function: &'a Function,
        facts: &'a FunctionFacts,
        model: &'a LatencyModel,
        ways: &'a Ways,
    ) -> Self {
        let waits =
            |number: usize| model.class(facts.fact(number).class).mechanism == Mechanism::Variable;
        let instructions = function.instructions().enumerate();
        Input {
            orders: instructions
                .map(|(number, found)| waits(number) && orders(found))
                .collect(),
            function,
            facts,
            model,
            ways,
        }
    }

    /// The registers of an operation that are read when a queue comes to it. Uniform registers of
    /// copies and products that run beside the warp are among them: ptxas waits before it overwrites
    /// them (corpus: UTMALDG, UTCHMMA).
    fn queued(&self, number: usize) -> impl Iterator<Item = u16> {
        let class = self.model.class(self.facts.fact(number).class);
        let beside = class.operand_queue.is_none() && class.name == "asynchronous";
        let reads = self.facts.reads(number).iter();
        reads
            .filter(move |read| read.queued || beside && read.register.file() == TableFile::Uniform)
            .map(|read| slot(read.register))
    }
}

fn slot(register: RegisterNumber) -> u16 {
    u16::try_from(register.index()).unwrap_or(ORDER)
}

/// Lists of producers by slot.
struct Table {
    lists: Vec<SmallVec<[Index; 2]>>,
    touched: Vec<u16>,
    is_touched: Vec<bool>,
}

impl Table {
    fn new() -> Self {
        Table {
            lists: vec![SmallVec::new(); SLOTS],
            touched: Vec::new(),
            is_touched: vec![false; SLOTS],
        }
    }

    fn get(&self, slot: u16) -> &[Index] {
        &self.lists[usize::from(slot)]
    }

    fn add(&mut self, slot: u16, producer: Index) {
        if !std::mem::replace(&mut self.is_touched[usize::from(slot)], true) {
            self.touched.push(slot);
        }
        let list = &mut self.lists[usize::from(slot)];
        if !list.contains(&producer) {
            list.push(producer);
        }
    }

    fn remove(&mut self, slot: u16, producer: Index) {
        self.lists[usize::from(slot)].retain(|found| *found != producer);
    }

    fn retain(&mut self, slot: u16, mut keep: impl FnMut(Index) -> bool) {
        self.lists[usize::from(slot)].retain(|found| keep(*found));
    }

    fn enter(&mut self, entries: &[(u16, Index)]) {
        for slot in self.touched.drain(..) {
            self.lists[usize::from(slot)].clear();
            self.is_touched[usize::from(slot)] = false;
        }
        for (slot, producer) in entries {
            self.add(*slot, *producer);
        }
    }

    fn entries(&self) -> Vec<(u16, Index)> {
        let touched = self.touched.iter();
        let mut entries: Vec<(u16, Index)> = touched
            .flat_map(|slot| self.get(*slot).iter().map(|producer| (*slot, *producer)))
            .collect();
        entries.sort_unstable();
        entries
    }
}

/// What may be under way between two blocks, sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Snapshot {
    writes: Vec<(u16, Index)>,
    reads: Vec<(u16, Index)>,
}

impl Snapshot {
    /// Adds what may be under way on another way; whether that is new.
    fn join(&mut self, other: &Snapshot) -> bool {
        let mut changed = false;
        for (mine, theirs) in [
            (&mut self.writes, &other.writes),
            (&mut self.reads, &other.reads),
        ] {
            let missing: Vec<(u16, Index)> = theirs
                .iter()
                .filter(|entry| mine.binary_search(entry).is_err())
                .copied()
                .collect();
            if !missing.is_empty() {
                changed = true;
                mine.extend(missing);
                mine.sort_unstable();
            }
        }
        changed
    }

    fn only(mut self, keep: impl Fn(Index) -> bool) -> Snapshot {
        self.writes.retain(|entry| keep(entry.1));
        self.reads.retain(|entry| keep(entry.1));
        self
    }
}

/// The scoreboards of all instructions, and waits that evictions put on some.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) assigned: Vec<Assigned>,
    pub(super) evictions: Vec<BarrierSet>,
}

/// What every instruction waits for.
pub(super) struct Waits {
    /// Of each instruction, the operations it needs, in order.
    pub(super) needs: Vec<SmallVec<[Token; 2]>>,
    /// Of each instruction, its wait mask.
    pub(super) masks: Vec<BarrierSet>,
}

struct Walk<'a> {
    input: &'a Input<'a>,
    words: Option<&'a Words>,
    writes: Table,
    reads: Table,
    /// By scoreboard, those who armed it since the last wait in this walk or before.
    armed: [Vec<Index>; 6],
    needed: SmallVec<[Token; 8]>,
}

/// Walks until nothing changes. Cost: a block is walked again only when something new may be under
/// way at its start, which registers times operations of variable latency bound; real code needs two
/// or three walks.
pub(super) fn waits(input: &Input<'_>, words: Option<&Words>) -> Waits {
    let count = input.function.blocks.len();
    let mut walk = Walk {
        input,
        words,
        writes: Table::new(),
        reads: Table::new(),
        armed: Default::default(),
        needed: SmallVec::new(),
    };
    let mut starts: Vec<Snapshot> = vec![Snapshot::default(); count];
    let mut queue: BTreeSet<BlockIndex> = (0..count).collect();
    while let Some(block) = queue.pop_first() {
        let end = walk.block(block, &starts[block], |_, _, _| {});
        for (to, kind) in &input.ways.out[block] {
            let changed = match kind {
                WayKind::Return(callee) => {
                    let own = |who: Index| {
                        let from = input.facts.block_of(who as usize);
                        input.ways.inside[from].contains(callee)
                    };
                    starts[*to].join(&end.clone().only(own))
                }
                WayKind::Next | WayKind::BehindCall => starts[*to].join(&end),
            };
            if changed {
                queue.insert(*to);
            }
        }
    }
    let instructions = input.facts.len();
    let mut found = Waits {
        needs: vec![SmallVec::new(); instructions],
        masks: vec![BarrierSet::EMPTY; instructions],
    };
    for (block, start) in starts.iter().enumerate() {
        walk.block(block, start, |number, needs, mask| {
            found.needs[number].extend_from_slice(needs);
            found.masks[number] = mask;
        });
    }
    found
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
        for number in numbers {
            self.find_needs(number);
            if number + 1 == last && self.input.ways.leaves[block] {
                self.need_everything();
            }
            // Results come first, and imply operands.
            self.needed.sort_unstable();
            self.needed.dedup_by_key(|token| token.producer);
            let mask = self.release(number);
            note(number, &self.needed, mask);
            self.start(number);
        }
        Snapshot {
            writes: self.writes.entries(),
            reads: self.reads.entries(),
        }
    }

    fn enter(&mut self, start: &Snapshot) {
        self.writes.enter(&start.writes);
        self.reads.enter(&start.reads);
        if self.words.is_none() {
            return;
        }
        for list in &mut self.armed {
            list.clear();
        }
        let mut producers: Vec<Index> = start.writes.iter().map(|entry| entry.1).collect();
        producers.extend(start.reads.iter().map(|entry| entry.1));
        producers.sort_unstable();
        producers.dedup();
        for producer in producers {
            self.arm(producer);
        }
    }

    fn arm(&mut self, producer: Index) {
        let Some(words) = self.words else {
            return;
        };
        let assigned = words.assigned[producer as usize];
        for barrier in assigned.write.into_iter().chain(assigned.read) {
            self.armed[usize::from(barrier.index())].push(producer);
        }
    }

    /// What an instruction has to wait for: producers of what it reads and writes, readers of what
    /// it writes (contradiction register C46), but for those in the same queue before it.
    fn find_needs(&mut self, number: usize) {
        self.needed.clear();
        let Input { facts, model, .. } = self.input;
        let results = |producer: &Index| Token {
            producer: *producer,
            side: Side::Results,
        };
        let operands = |producer: &Index| Token {
            producer: *producer,
            side: Side::Operands,
        };
        for read in facts.reads(number) {
            let found = self.writes.get(slot(read.register));
            self.needed.extend(found.iter().map(results));
        }
        let class = model.class(facts.fact(number).class);
        let other = |producer: &Index| model.class(facts.fact(*producer as usize).class);
        for write in facts.writes(number) {
            let slot = slot(write.register);
            let unordered = |producer: &&Index| {
                let queue = other(producer).result_queue;
                queue.is_none() || queue != class.result_queue
            };
            let found = self.writes.get(slot).iter().filter(unordered);
            self.needed.extend(found.map(results));
            let unordered = |producer: &&Index| {
                let queue = other(producer).operand_queue;
                queue.is_none() || queue != class.operand_queue
            };
            let found = self.reads.get(slot).iter().filter(unordered);
            self.needed.extend(found.map(operands));
        }
        for slot in self.input.queued(number) {
            let found = self.reads.get(slot);
            if found.len() >= MOST_READERS {
                self.needed.extend(found.iter().map(operands));
            }
        }
        let fact = facts.fact(number);
        if !fact.memory.is_empty() || matches!(fact.action, Action::Synchronize | Action::Call) {
            self.needed
                .extend(self.writes.get(ORDER).iter().map(results));
        }
    }

    fn need_everything(&mut self) {
        for (table, side) in [(&self.writes, Side::Results), (&self.reads, Side::Operands)] {
            let entries = table.entries();
            let tokens = entries
                .into_iter()
                .map(|(_, producer)| Token { producer, side });
            self.needed.extend(tokens);
        }
    }

    /// Ends what the instruction waits for.
    fn release(&mut self, number: usize) -> BarrierSet {
        let needed = std::mem::take(&mut self.needed);
        let mut mask = BarrierSet::EMPTY;
        match self.words {
            None => {
                for token in &needed {
                    self.end(token.producer, token.side);
                }
            }
            Some(words) => {
                mask = words.evictions[number];
                for token in &needed {
                    let assigned = words.assigned[token.producer as usize];
                    // One of two scoreboards may be in the mask already.
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
                    self.end_barrier(barrier, words);
                }
            }
        }
        self.needed = needed;
        mask
    }

    fn end_barrier(&mut self, barrier: Barrier, words: &Words) {
        let armed = std::mem::take(&mut self.armed[usize::from(barrier.index())]);
        for producer in armed {
            let assigned = words.assigned[producer as usize];
            let side = if assigned.write == Some(barrier) {
                Side::Results
            } else {
                Side::Operands
            };
            self.end(producer, side);
        }
    }

    fn end(&mut self, producer: Index, side: Side) {
        let number = producer as usize;
        for slot in self.input.queued(number) {
            self.reads.remove(slot, producer);
        }
        if side == Side::Results {
            for write in self.input.facts.writes(number) {
                self.writes.remove(slot(write.register), producer);
            }
            self.writes.remove(ORDER, producer);
        }
    }

    /// Puts an operation under way.
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
        if class.mechanism != Mechanism::Variable {
            return;
        }
        let other = |producer: Index| model.class(facts.fact(producer as usize).class);
        for slot in self.input.queued(number) {
            let queue = class.operand_queue;
            // Those before it in its queue are done when it is.
            self.reads.retain(slot, |who| {
                queue.is_none() || other(who).operand_queue != queue
            });
            self.reads.add(slot, index);
        }
        for write in facts.writes(number) {
            let (slot, queue) = (slot(write.register), class.result_queue);
            self.writes.retain(slot, |who| {
                queue.is_none() || other(who).result_queue != queue
            });
            self.writes.add(slot, index);
        }
        if self.input.orders[number] {
            self.writes.add(ORDER, index);
        }
        self.arm(index);
    }
}
