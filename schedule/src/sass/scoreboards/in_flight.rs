//! Lists of operations that may be in flight, by register, and their propagation between blocks.

use orison_sass::control::Barrier;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::input::{ACQUIRED, Index, Input, Words};
use crate::sass::guards::Guards;
use crate::sass::latency::Queue;

const SLOTS: usize = ACQUIRED as usize + 1;

/// Operations of one group are ended by the same waits, so one entry represents all of them: the
/// last one of the block, or the one at the lowest address of those before it.
pub(super) type Group = u32;

/// The group of each instruction. Without scoreboards every instruction is a separate group.
pub(super) struct Groups(Option<Vec<Group>>);

/// The common properties of a group: its scoreboards, its queues, and the callees that contain it.
type Common<'a> = (
    [Option<Barrier>; 2],
    [Option<Queue>; 2],
    &'a [orison_sass::function::BlockIndex],
);

impl Groups {
    /// Linear in instructions.
    pub(super) fn new(input: &Input<'_>, words: Option<&Words>) -> Groups {
        Groups(words.map(|words| {
            let mut known: FxHashMap<Common<'_>, Group> = FxHashMap::default();
            let mut groups = Vec::with_capacity(input.facts.len());
            for block in 0..input.facts.block_count() {
                for number in input.facts.block(block) {
                    let class = input.model.class(input.facts.fact(number).class);
                    let assigned = words.assigned[number];
                    let common = (
                        [assigned.write, assigned.read],
                        [class.result_queue, class.operand_queue],
                        input.edges.inside[block].as_slice(),
                    );
                    let next = Group::try_from(known.len()).unwrap_or(Group::MAX);
                    groups.push(*known.entry(common).or_insert(next));
                }
            }
            groups
        }))
    }

    fn of(&self, producer: Index) -> Group {
        let groups = self.0.as_ref();
        groups.map_or(producer, |groups| groups[producer as usize])
    }
}

/// An operation that may be in flight at a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    pub(super) slot: u16,
    group: Group,
    pub(super) producer: Index,
}

/// Lists of producers by slot.
pub(super) struct Table {
    lists: Vec<SmallVec<[(Group, Index); 2]>>,
    touched: Vec<u16>,
    is_touched: Vec<bool>,
}

impl Table {
    pub(super) fn new() -> Self {
        Table {
            lists: (0..SLOTS).map(|_| SmallVec::new()).collect(),
            touched: Vec::new(),
            is_touched: vec![false; SLOTS],
        }
    }

    /// The number of entries at a slot.
    pub(super) fn count(&self, slot: u16) -> usize {
        self.lists[usize::from(slot)].len()
    }

    /// Whether an operation has an entry at a slot.
    pub(super) fn has(&self, slot: u16, producer: Index) -> bool {
        self.get(slot).any(|found| found == producer)
    }

    /// The entries at a slot.
    pub(super) fn get(&self, slot: u16) -> impl Iterator<Item = Index> {
        let list = self.lists[usize::from(slot)].iter();
        list.map(|entry| entry.1)
    }

    fn touch(&mut self, slot: u16) -> &mut SmallVec<[(Group, Index); 2]> {
        if !std::mem::replace(&mut self.is_touched[usize::from(slot)], true) {
            self.touched.push(slot);
        }
        &mut self.lists[usize::from(slot)]
    }

    /// Adds an entry, in the place of one of its group: whether that is in order with others, the
    /// latest shows. Returns the operation replaced.
    pub(super) fn add(&mut self, slot: u16, producer: Index, groups: &Groups) -> Option<Index> {
        let group = groups.of(producer);
        let list = self.touch(slot);
        match list.iter_mut().find(|found| found.0 == group) {
            Some(found) => Some(std::mem::replace(&mut found.1, producer)),
            None => {
                list.push((group, producer));
                None
            }
        }
    }

    pub(super) fn retain(&mut self, slot: u16, mut keep: impl FnMut(Index) -> bool) {
        self.lists[usize::from(slot)].retain(|found| keep(found.1));
    }

    /// Starts with these entries only, each occurring once.
    pub(super) fn enter(&mut self, entries: &[Entry]) {
        for slot in self.touched.drain(..) {
            self.lists[usize::from(slot)].clear();
            self.is_touched[usize::from(slot)] = false;
        }
        for entry in entries {
            self.touch(entry.slot).push((entry.group, entry.producer));
        }
    }

    /// All entries, sorted.
    pub(super) fn entries(&mut self) -> Vec<Entry> {
        self.touched.sort_unstable();
        let mut entries = Vec::new();
        for slot in &self.touched {
            let list = &mut self.lists[usize::from(*slot)];
            list.sort_unstable();
            entries.extend(list.iter().map(|(group, producer)| Entry {
                slot: *slot,
                group: *group,
                producer: *producer,
            }));
        }
        entries
    }
}

/// The operations that may be in flight between two blocks, sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) writes: Side,
    pub(super) reads: Side,
    /// What is known about predicates and guards; nothing before the block is reached.
    pub(super) guards: Option<Guards>,
}

/// Entries of one table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Side {
    pub(super) entries: Vec<Entry>,
    /// Operations that were in flight and are no longer followed.
    pub(super) given_up: Vec<Entry>,
}

impl Side {
    pub(super) fn new(entries: Vec<Entry>) -> Side {
        Side {
            entries,
            given_up: Vec::new(),
        }
    }

    /// Adds operations in flight on another path, and gives up those beyond `most` at a slot, from
    /// the lowest group; returns whether any is new. Adds pairs of operations of which the first
    /// stands for both to `same`. Linear in both.
    fn join(&mut self, theirs: &[Entry], most: usize, same: &mut Vec<(Index, Index)>) -> bool {
        let key = |entry: &Entry| (entry.slot, entry.group);
        let mut changed = false;
        let mut missing = Vec::new();
        let (mut at, mut up) = (0, 0);
        for entry in theirs {
            let wanted = key(entry);
            let past = |list: &[Entry], at: &mut usize| {
                while list.get(*at).is_some_and(|found| key(found) < wanted) {
                    *at += 1;
                }
            };
            past(&self.given_up, &mut up);
            if self
                .given_up
                .get(up)
                .is_some_and(|found| key(found) == wanted)
            {
                continue;
            }
            past(&self.entries, &mut at);
            match self.entries.get_mut(at) {
                Some(found) if key(found) == wanted => {
                    changed |= entry.producer < found.producer;
                    let both = (entry.producer, found.producer);
                    if both.0 != both.1 {
                        same.push((both.0.min(both.1), both.0.max(both.1)));
                    }
                    found.producer = both.0.min(both.1);
                }
                _ => missing.push(*entry),
            }
        }
        if missing.is_empty() {
            return changed;
        }
        self.entries.extend(missing);
        // Two runs, which are merged.
        self.entries.sort();
        self.give_up(most);
        true
    }

    fn give_up(&mut self, most: usize) {
        let before = self.given_up.len();
        let mut kept = Vec::with_capacity(self.entries.len());
        for entries in self
            .entries
            .chunk_by(|first, second| first.slot == second.slot)
        {
            let (first, rest) = entries.split_at(entries.len().saturating_sub(most));
            self.given_up.extend_from_slice(first);
            kept.extend_from_slice(rest);
        }
        if self.given_up.len() > before {
            self.given_up.sort();
            self.entries = kept;
        }
    }
}

impl Snapshot {
    /// Adds operations in flight on another path; returns whether any is new.
    pub(super) fn join(&mut self, other: &Snapshot, most: usize) -> bool {
        let mut same = Vec::new();
        let writes = self.writes.join(&other.writes.entries, most, &mut same);
        let reads = self.reads.join(&other.reads.entries, most, &mut same);
        let guards = match (&mut self.guards, &other.guards) {
            (Some(mine), Some(theirs)) => mine.join(theirs),
            (mine, theirs) => {
                *mine = mine.take().or_else(|| theirs.clone());
                true
            }
        };
        let mut lost = false;
        if let Some(guards) = &mut self.guards {
            for (kept, other) in same {
                lost |= guards.stand_for(kept, other);
            }
        }
        writes || reads || guards || lost
    }

    /// Keeps only the entries for which `keep` holds.
    pub(super) fn only(mut self, keep: impl Fn(Index) -> bool) -> Snapshot {
        self.writes.entries.retain(|entry| keep(entry.producer));
        self.reads.entries.retain(|entry| keep(entry.producer));
        self
    }
}
