//! Stall counts: how long fixed latencies delay the next instruction of the warp.
//!
//! Issue cycles are computed first, then `stall(i) = cycle(i + 1) - cycle(i)` on the earlier of two
//! instructions (contradiction register C43). Each instruction issues as early as everything in
//! flight permits, on every path into its block. Cycles missing at the start of a block are added
//! at the ends of the preceding blocks, each as many as it lacks, or inside the block, whichever is
//! executed less often.

use std::collections::BTreeSet;

use orison_sass::function::BlockIndex;

use super::flow_edges::EdgeKind;
use super::input::Input;
use crate::sass::facts::RegisterNumber;
use crate::sass::guards::Guards;
use crate::sass::latency::{ClassId, Column, Mechanism, TableFile};
use crate::sass::register_table::RegisterTable;
use crate::sass::simulate::Frequencies;

/// A result, or a read of a register that is to be overwritten, with fixed latency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Timed {
    is_read: bool,
    class: ClassId,
    column: Column,
    /// The instruction, if it has a guard.
    guarded: Option<u32>,
    /// Cycle of issue, from the start of the block.
    at: i32,
}

/// The state at the end of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ends {
    /// What is in flight, by register; `at` counts from the end.
    in_flight: Vec<(RegisterNumber, Timed)>,
    guards: Guards,
}

/// An instruction that cannot be delayed enough, as too few instructions precede it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gap {
    pub(super) instruction: usize,
    /// Missing cycles.
    pub(super) cycles: u32,
}

/// The stalls of a function.
pub(super) struct Stalls {
    /// For each instruction.
    pub(super) cycles: Vec<u32>,
    /// Points at which an instruction has to be inserted.
    pub(super) gaps: Vec<Gap>,
}

impl Stalls {
    /// Adds gaps; of two before an instruction, the longer is kept.
    pub(super) fn add_gaps(&mut self, gaps: Vec<Gap>) {
        self.gaps.extend(gaps);
        self.gaps
            .sort_by_key(|gap| (gap.instruction, std::cmp::Reverse(gap.cycles)));
        self.gaps.dedup_by_key(|gap| gap.instruction);
    }
}

struct Solver<'a> {
    input: &'a Input<'a>,
    frequencies: &'a Frequencies,
    longest: u32,
    cycles: Vec<u32>,
    table: RegisterTable<Timed>,
    guards: Guards,
    ends: Vec<Option<Ends>>,
    queue: BTreeSet<BlockIndex>,
    gaps: Vec<Gap>,
}

/// A delay missing before an instruction.
struct Missing {
    cycles: u32,
    /// Whether its cause is outside the block.
    outside: bool,
}

/// The least stalls under which no fixed latency is violated, starting at `minimum`.
///
/// Cost: stalls only grow and are at most 15, so the walks terminate; a block is walked again if
/// the state in flight before it changes, which happens two or three times in real code.
pub(super) fn solve(
    input: &Input<'_>,
    frequencies: &Frequencies,
    minimum: &[u32],
    longest: u32,
) -> Stalls {
    let first = run(input, frequencies, minimum.to_vec(), longest);
    // Stalls inside blocks that ends of blocks made redundant are dropped: solved again, with the
    // ends.
    let mut again = minimum.to_vec();
    for block in 0..input.facts.block_count() {
        if let Some(last) = input.facts.block(block).next_back() {
            again[last] = first.cycles[last];
        }
    }
    run(input, frequencies, again, longest)
}

fn run(input: &Input<'_>, frequencies: &Frequencies, cycles: Vec<u32>, longest: u32) -> Stalls {
    let count = input.facts.block_count();
    let mut solver = Solver {
        input,
        frequencies,
        longest,
        cycles,
        table: RegisterTable::new(),
        guards: Guards::default(),
        ends: vec![None; count],
        queue: (0..count).collect(),
        gaps: Vec::new(),
    };
    while let Some(block) = solver.queue.pop_first() {
        let ends = solver.settle_block(block);
        if solver.ends[block].as_ref() != Some(&ends) {
            solver.ends[block] = Some(ends);
            let out = input.edges.out[block].iter();
            solver.queue.extend(
                out.filter(|edge| edge.1 == EdgeKind::Next)
                    .map(|edge| edge.0),
            );
        }
    }
    let mut stalls = Stalls {
        cycles: solver.cycles,
        gaps: Vec::new(),
    };
    stalls.add_gaps(solver.gaps);
    stalls
}

impl Solver<'_> {
    fn settle_block(&mut self, block: BlockIndex) -> Ends {
        loop {
            if let Some(ends) = self.walk(block) {
                return ends;
            }
        }
    }

    fn enter(&mut self, block: BlockIndex) {
        self.table.clear();
        let mut entries = self.input.function.entries.iter();
        let from_outside = entries.any(|entry| entry.block == block);
        let mut guards = from_outside.then(Guards::default);
        for (from, kind) in &self.input.edges.into[block] {
            let Some(ends) = &self.ends[*from] else {
                continue;
            };
            let unknown = Guards::default();
            let (theirs, in_flight) = match kind {
                EdgeKind::Next => (&ends.guards, ends.in_flight.as_slice()),
                EdgeKind::AfterCall | EdgeKind::Return(_) => (&unknown, [].as_slice()),
            };
            match &mut guards {
                Some(guards) => {
                    guards.join(theirs);
                }
                None => guards = Some(theirs.clone()),
            }
            for (register, timed) in in_flight {
                let known = self.table.get(*register).iter();
                let same = |found: &&Timed| Timed { at: 0, ..**found } == Timed { at: 0, ..*timed };
                match known.filter(same).map(|found| found.at).max() {
                    Some(at) if at >= timed.at => {}
                    _ => {
                        self.table.retain(*register, |found| !same(&found));
                        self.table.push(*register, *timed);
                    }
                }
            }
        }
        self.guards = guards.unwrap_or_default();
    }

    /// Walks a block; `None` if stalls inside it were added so that it has to be walked again.
    fn walk(&mut self, block: BlockIndex) -> Option<Ends> {
        self.enter(block);
        let numbers = self.input.facts.block(block);
        let (start, mut now) = (numbers.start, 0);
        for number in numbers {
            let missing = self.missing(number, now);
            if missing.cycles > 0 {
                if missing.outside && self.push(block, number, now) {
                    return None;
                }
                match self.insert(start, number, missing.cycles) {
                    Inserted::Directly => now += signed(missing.cycles),
                    Inserted::Earlier => return None,
                    Inserted::Gap => {}
                }
            }
            self.start(number, now);
            now += signed(self.cycles[number]);
        }
        Some(self.leave(now))
    }

    fn leave(&mut self, now: i32) -> Ends {
        let limit = signed(self.input.model.longest_latency());
        let mut in_flight = self.table.export(|register, timed| {
            let at = timed.at - now;
            (-at < limit).then_some((register, Timed { at, ..*timed }))
        });
        in_flight.sort_unstable_by_key(|(register, timed)| (*register, timed.at));
        let mut guarded: Vec<u32> = in_flight
            .iter()
            .filter_map(|(_, timed)| timed.guarded)
            .collect();
        guarded.sort_unstable();
        let mut guards = self.guards.clone();
        guards.retain(|who| guarded.binary_search(&who).is_ok());
        Ends { in_flight, guards }
    }

    /// Cycles missing before an instruction that would issue now.
    fn missing(&self, number: usize, now: i32) -> Missing {
        let mut found = Missing {
            cycles: 0,
            outside: false,
        };
        self.demands(number, |register, needed| {
            for timed in self.table.get(register) {
                let wait = signed(needed(timed)) - (now - timed.at);
                if wait > signed(found.cycles) {
                    found.cycles = u32::try_from(wait).unwrap_or(0);
                    found.outside = timed.at < 0;
                }
            }
        });
        found
    }

    /// The requirements of an instruction for each register: cycles since an access in flight.
    fn demands(&self, number: usize, mut each: impl FnMut(RegisterNumber, &dyn Fn(&Timed) -> u32)) {
        let Input { facts, model, .. } = self.input;
        let (class, guard) = (facts.fact(number).class, facts.fact(number).guard);
        // Uniform registers belong to all threads.
        let exclusive = |timed: &Timed, file: TableFile| {
            let excluded = |who| self.guards.exclusive(who, guard);
            file != TableFile::Uniform && timed.guarded.is_some_and(excluded)
        };
        for read in facts.reads(number) {
            let file = read.register.file();
            each(read.register, &|timed| {
                if timed.is_read || exclusive(timed, file) {
                    return 0;
                }
                model.read_after_write(file, timed.column, read.row)
            });
        }
        for write in facts.writes(number) {
            let file = write.register.file();
            each(write.register, &|timed| {
                if exclusive(timed, file) {
                    return 0;
                }
                if timed.is_read {
                    return model.write_after_read(timed.class, class);
                }
                model.write_after_write(
                    file,
                    (timed.class, timed.column),
                    timed.guarded.is_some(),
                    (class, write.column),
                )
            });
        }
    }

    /// Adds missing cycles at the ends of the preceding blocks, if that costs less or the
    /// instruction is the first of its block. Returns whether it did.
    fn push(&mut self, block: BlockIndex, number: usize, now: i32) -> bool {
        let is_first = number == self.input.facts.block(block).start;
        let mut lacks: Vec<(BlockIndex, usize, u32)> = Vec::new();
        let mut cost: u64 = 0;
        let mut most: u32 = 0;
        for (from, kind) in &self.input.edges.into[block] {
            let (EdgeKind::Next, Some(ends)) = (kind, &self.ends[*from]) else {
                continue;
            };
            let lack = self.lack(number, now, ends);
            if lack == 0 {
                continue;
            }
            let Some(last) = self.input.facts.block(*from).next_back() else {
                return false;
            };
            if self.cycles[last] + lack > self.longest || *from == block && !is_first {
                return false;
            }
            cost = cost.saturating_add(u64::from(lack) * self.frequencies.of(*from));
            most = most.max(lack);
            lacks.push((*from, last, lack));
        }
        let inside = u64::from(most) * self.frequencies.of(block);
        if lacks.is_empty() || !is_first && cost >= inside {
            return false;
        }
        for (from, last, lack) in lacks {
            self.cycles[last] += lack;
            let ends = self.ends[from].iter_mut();
            for (_, timed) in ends.flat_map(|ends| &mut ends.in_flight) {
                timed.at -= signed(lack);
            }
            let out = self.input.edges.out[from].iter();
            self.queue.extend(
                out.filter(|edge| edge.1 == EdgeKind::Next)
                    .map(|edge| edge.0),
            );
        }
        true
    }

    /// Cycles missing before an instruction, if control comes from a block with these ends.
    fn lack(&self, number: usize, now: i32, ends: &Ends) -> u32 {
        let mut lack = 0;
        self.demands(number, |register, needed| {
            let in_flight = &ends.in_flight;
            let first = in_flight.partition_point(|entry| entry.0 < register);
            let entries = in_flight[first..].iter();
            for (_, timed) in entries.take_while(|entry| entry.0 == register) {
                lack = lack.max(signed(needed(timed)) - (now - timed.at));
            }
        });
        u32::try_from(lack).unwrap_or(0)
    }

    /// Lengthens the stalls before an instruction, the nearest first.
    fn insert(&mut self, start: usize, number: usize, missing: u32) -> Inserted {
        let room = |cycles: u32| self.longest.saturating_sub(cycles);
        if number > start && room(self.cycles[number - 1]) >= missing {
            self.cycles[number - 1] += missing;
            return Inserted::Directly;
        }
        let available: u32 = self.cycles[start..number]
            .iter()
            .map(|cycles| room(*cycles))
            .sum();
        if available < missing {
            self.gaps.push(Gap {
                instruction: number,
                cycles: missing - available,
            });
        }
        let mut left = missing.min(available);
        if left == 0 {
            return Inserted::Gap;
        }
        for cycles in self.cycles[start..number].iter_mut().rev() {
            let more = left.min(self.longest.saturating_sub(*cycles));
            *cycles += more;
            left -= more;
            if left == 0 {
                break;
            }
        }
        Inserted::Earlier
    }

    /// Marks results and reads as in flight.
    fn start(&mut self, number: usize, now: i32) {
        let Input { facts, model, .. } = self.input;
        let fact = facts.fact(number);
        let class = model.class(fact.class);
        let writes = facts.writes(number);
        if !fact.guarded {
            for write in writes {
                self.table.clear_register(write.register);
            }
        }
        if !matches!(
            class.mechanism,
            Mechanism::Variable | Mechanism::TensorGroup
        ) {
            self.start_fixed(number, now);
        }
        if facts.has_guarded() {
            self.guards.define(fact.predicates.as_deref());
        }
    }

    /// Marks results and reads with fixed latency as in flight.
    fn start_fixed(&mut self, number: usize, now: i32) {
        let Input { facts, model, .. } = self.input;
        let fact = facts.fact(number);
        let class = model.class(fact.class);
        let writes = facts.writes(number);
        let index = u32::try_from(number).unwrap_or(u32::MAX);
        let guarded = fact.guarded.then_some(index);
        self.issue_guard(number, index);
        let limit = signed(model.longest_latency());
        let mut add = |register, timed: Timed| {
            let same = |found: &Timed| Timed { at: now, ..*found } == timed;
            self.table
                .retain(register, |found| !same(found) && now - found.at < limit);
            self.table.push(register, timed);
        };
        for write in writes {
            add(
                write.register,
                Timed {
                    is_read: false,
                    class: fact.class,
                    column: write.column,
                    guarded,
                    at: now,
                },
            );
        }
        for read in facts.reads(number) {
            let overwritten = writes.iter().any(|write| write.register == read.register);
            if read.register.file() != TableFile::General || overwritten && !fact.guarded {
                continue;
            }
            add(
                read.register,
                Timed {
                    is_read: true,
                    class: fact.class,
                    column: class.write_column(TableFile::General, 0),
                    guarded,
                    at: now,
                },
            );
        }
    }

    /// Records the guard of an instruction, of which an earlier execution may be in flight.
    fn issue_guard(&mut self, number: usize, index: u32) {
        let facts = self.input.facts;
        let reads = facts.reads(number).iter().map(|read| read.register);
        let writes = facts.writes(number).iter().map(|write| write.register);
        let is_own = |timed: &Timed| timed.guarded == Some(index);
        let again = reads
            .chain(writes)
            .any(|register| self.table.get(register).iter().any(is_own));
        let guard = facts.fact(number).guard;
        if again {
            self.guards.issue_again(index, guard);
        } else {
            self.guards.issue(index, guard);
        }
    }
}

enum Inserted {
    Directly,
    Earlier,
    Gap,
}

fn signed(cycles: u32) -> i32 {
    i32::try_from(cycles).unwrap_or(i32::MAX)
}

/// The issue cycle of every instruction of a block, counted from its start, without waits.
pub(super) fn offsets(cycles: &[u32]) -> Vec<i64> {
    let mut now = 0;
    let cycles = cycles.iter();
    cycles
        .map(|stall| {
            let at = now;
            now += i64::from(*stall);
            at
        })
        .collect()
}
