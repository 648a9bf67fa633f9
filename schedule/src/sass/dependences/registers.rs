//! Dependences through registers: the last writers and readers of each register.

use super::distances::Distances;
use crate::dependences::{Edge, EdgeKinds, Protection};
use crate::sass::facts::{Fact, FunctionFacts, Read, RegisterNumber, Write};
use crate::sass::guards::Guards;
use crate::sass::latency::{LatencyModel, Mechanism, TableFile};
use crate::sass::register_table::RegisterTable;

/// A possible access to a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Access {
    /// The instruction.
    pub(super) instruction: u32,
    /// Its time, in instructions: between blocks the minimum number before the end, within a block
    /// its position.
    pub(super) age: u32,
}

/// Possible writers and readers, by register.
pub(super) struct Tracker<'a> {
    facts: &'a FunctionFacts,
    model: &'a LatencyModel,
    writers: RegisterTable<Access>,
    /// All readers since the last write; those whose reads are settled are still in the lists.
    readers: RegisterTable<Access>,
    /// What is known about predicates and guards.
    guards: Guards,
    /// For each instruction, when its operands were waited for in this block; 0 if they were not.
    settled: Vec<u32>,
    /// The instructions in `settled`.
    settlers: Vec<u32>,
    /// Whether instructions may be reordered, so that a wait settles nothing.
    pub(super) reorders: bool,
    now: u32,
}

/// If a register has more writers or readers than this, only this many are followed between blocks:
/// the first instruction of the block where they meet waits for the others, those at the lowest
/// addresses.
pub(super) const MOST_BETWEEN_BLOCKS: usize = 16;

type Followed = Vec<(RegisterNumber, Access)>;
type GivenUp = Vec<(RegisterNumber, u32)>;

/// Possible writers and readers between two blocks, sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Open {
    writers: Followed,
    readers: Followed,
    /// Writers that the first instruction of the block waits for.
    given_up_writers: GivenUp,
    /// Readers that it waits for.
    given_up_readers: GivenUp,
    guards: Guards,
}

impl<'a> Tracker<'a> {
    pub(super) fn new(facts: &'a FunctionFacts, model: &'a LatencyModel) -> Self {
        Tracker {
            facts,
            model,
            writers: RegisterTable::new(),
            readers: RegisterTable::new(),
            guards: Guards::default(),
            settled: vec![0; facts.len()],
            settlers: Vec::new(),
            reorders: false,
            now: 0,
        }
    }

    /// Starts with the accesses possible at the start of a block. Ages are counted from there, so
    /// instructions are placed before cycle `limit`.
    pub(super) fn enter(&mut self, open: &Open) {
        let limit = self.model.longest_latency().max(1);
        self.now = limit;
        self.guards.clone_from(&open.guards);
        self.writers.clear();
        self.readers.clear();
        for instruction in self.settlers.drain(..) {
            self.settled[instruction as usize] = 0;
        }
        let placed = |access: &Access| Access {
            instruction: access.instruction,
            age: limit.saturating_sub(access.age),
        };
        for (register, access) in &open.writers {
            self.writers.push(*register, placed(access));
        }
        for (register, access) in &open.readers {
            self.readers.push(*register, placed(access));
        }
    }

    /// The accesses possible at the end of a block.
    pub(super) fn leave(&mut self) -> Open {
        let (now, limit) = (self.now, self.model.longest_latency().max(1));
        let (facts, model, settled) = (self.facts, self.model, &self.settled);
        let aged = |register: RegisterNumber, access: &Access, is_timed: bool| {
            let age = now.saturating_sub(access.age).min(limit);
            let access = Access {
                instruction: access.instruction,
                age,
            };
            (age < limit || !is_timed).then_some((register, access))
        };
        let mut open = Open {
            writers: self.writers.export(|register, access| {
                aged(register, access, is_timed(facts, model, access.instruction))
            }),
            readers: self.readers.export(|register, access| {
                let timed = is_read_timed(facts, model, register, access.instruction);
                is_open(settled, access).then(|| aged(register, access, timed))?
            }),
            ..Open::default()
        };
        // The registers are already in order, so these are runs.
        open.writers.sort();
        open.readers.sort();
        let followed = open.writers.iter().chain(&open.readers);
        let mut followed: Vec<u32> = followed.map(|(_, access)| access.instruction).collect();
        followed.sort_unstable();
        open.guards = self.guards.clone();
        open.guards
            .retain(|who| followed.binary_search(&who).is_ok());
        open
    }

    /// Edges to the first instruction of a block from accesses that are no longer followed.
    pub(super) fn wait_for_given_up(&self, open: &Open, first: usize, edges: &mut Vec<Edge>) {
        let to = u32::try_from(first).unwrap_or(u32::MAX);
        let writers = open.given_up_writers.iter();
        let writers =
            writers.map(|found| (found, EdgeKinds::READ_AFTER_WRITE, Protection::Results));
        let readers = open.given_up_readers.iter();
        let readers =
            readers.map(|found| (found, EdgeKinds::WRITE_AFTER_READ, Protection::Operands));
        for ((register, instruction), kind, scoreboard) in writers.chain(readers) {
            let class = self.model.class(self.fact(*instruction).class);
            let (cycles, protection) = match class.mechanism {
                Mechanism::Variable => (self.model.scoreboards().arm_cycles, scoreboard),
                Mechanism::TensorGroup => (1, Protection::Group),
                Mechanism::Fixed | Mechanism::None => {
                    (self.model.longest_latency(), Protection::Time)
                }
            };
            let from = Access {
                instruction: *instruction,
                age: 0,
            };
            edges.push(edge(&from, to, kind, cycles, protection, *register));
        }
    }

    /// Adds an instruction and the edges to it.
    pub(super) fn add(&mut self, instruction: usize, edges: &mut Vec<Edge>) {
        let start = edges.len();
        let to = u32::try_from(instruction).unwrap_or(u32::MAX);
        for read in self.facts.reads(instruction) {
            self.add_read(to, read, edges);
        }
        for write in self.facts.writes(instruction) {
            self.add_write(to, write, edges);
        }
        self.settle(&edges[start..]);
        self.record(to);
        self.guards.define(self.fact(to).predicates.as_deref());
        self.now += 1;
    }

    /// What keeps two instructions apart: nothing, if no thread executes both. If instructions are reordered
    /// these keep their order nevertheless: others are ordered only through them.
    fn needed(
        &self,
        earlier: u32,
        later: u32,
        wanted: impl Fn() -> (u32, Protection),
    ) -> Option<(u32, Protection)> {
        if !self.exclusive(earlier, later) {
            return Some(wanted());
        }
        self.reorders.then_some((1, Protection::Time))
    }

    /// Whether no thread executes both instructions.
    fn exclusive(&self, earlier: u32, later: u32) -> bool {
        self.guards.exclusive(earlier, self.fact(later).guard)
    }

    fn fact(&self, instruction: u32) -> &'a Fact {
        self.facts.fact(instruction as usize)
    }

    fn distances(&self) -> Distances<'a> {
        Distances {
            facts: self.facts,
            model: self.model,
        }
    }

    fn add_read(&self, to: u32, read: &Read, edges: &mut Vec<Edge>) {
        for writer in self.writers.get(read.register) {
            let wanted = || self.distances().read_after_write(writer.instruction, read);
            let Some((cycles, protection)) = self.needed(writer.instruction, to, wanted) else {
                continue;
            };
            edges.push(edge(
                writer,
                to,
                EdgeKinds::READ_AFTER_WRITE,
                cycles,
                protection,
                read.register,
            ));
        }
    }

    fn add_write(&self, to: u32, write: &Write, edges: &mut Vec<Edge>) {
        let register = write.register;
        for writer in self.writers.get(register) {
            let distances = self.distances();
            let wanted = || distances.write_after_write(writer.instruction, to, write);
            let Some((cycles, protection)) = self.needed(writer.instruction, to, wanted) else {
                continue;
            };
            edges.push(edge(
                writer,
                to,
                EdgeKinds::WRITE_AFTER_WRITE,
                cycles,
                protection,
                register,
            ));
        }
        self.add_antidependences(to, register, edges);
    }

    fn add_antidependences(&self, to: u32, register: RegisterNumber, edges: &mut Vec<Edge>) {
        for reader in self
            .readers
            .get(register)
            .iter()
            .filter(|reader| reader.instruction != to && is_open(&self.settled, reader))
        {
            let distances = self.distances();
            let wanted = || distances.write_after_read(reader.instruction, to, register);
            let Some((cycles, protection)) = self.needed(reader.instruction, to, wanted) else {
                continue;
            };
            edges.push(edge(
                reader,
                to,
                EdgeKinds::WRITE_AFTER_READ,
                cycles,
                protection,
                register,
            ));
        }
    }

    /// Accesses that this instruction waits for are settled for later instructions.
    fn settle(&mut self, edges: &[Edge]) {
        if self.reorders {
            return;
        }
        for edge in edges {
            let operands = match edge.protection {
                Protection::Time => continue,
                Protection::Operands => true,
                Protection::Results | Protection::Group => false,
            };
            let from = edge.from;
            let settled = &mut self.settled[from as usize];
            if *settled == 0 {
                self.settlers.push(from);
            }
            *settled = self.now;
            if !operands {
                for write in self.facts.writes(from as usize) {
                    self.writers
                        .retain(write.register, |access| access.instruction != from);
                }
            }
        }
    }

    fn record(&mut self, instruction: u32) {
        let fact = self.fact(instruction);
        let access = Access {
            instruction,
            age: self.now,
        };
        let (facts, model) = (self.facts, self.model);
        let (now, limit) = (self.now, self.model.longest_latency());
        // A later writer is ordered after an older one, and so are later accesses.
        let in_question = |found: &Access| {
            found.instruction != instruction
                && (now.saturating_sub(found.age) < limit
                    || !is_timed(facts, model, found.instruction))
        };
        for write in self.facts.writes(instruction as usize) {
            if fact.guarded && self.reorders {
                // It is ordered after the others; those of other threads may still be in flight.
                let (guards, guard) = (&self.guards, fact.guard);
                self.writers.retain(write.register, |writer| {
                    guards.exclusive(writer.instruction, guard)
                });
            } else if fact.guarded {
                self.writers.retain(write.register, in_question);
            } else {
                self.writers.clear_register(write.register);
            }
            // Later writers are ordered after this one, which is ordered after the readers, unless
            // their guards exclude its own.
            let (guards, guard) = (&self.guards, fact.guard);
            let reorders = self.reorders;
            self.readers.retain(write.register, |reader| {
                !reorders && guards.exclusive(reader.instruction, guard)
            });
            self.writers.push(write.register, access);
        }
        self.guards.issue(instruction, fact.guard);
        for read in self.facts.reads(instruction as usize) {
            // It may be present from an earlier iteration, with which it entered the block, or from
            // another operand.
            let same = |found: &Access| found.instruction == instruction;
            self.readers
                .replace(read.register, MOST_BETWEEN_BLOCKS, same, access);
        }
    }
}

fn edge(
    from: &Access,
    to: u32,
    kinds: EdgeKinds,
    cycles: u32,
    protection: Protection,
    register: RegisterNumber,
) -> Edge {
    Edge {
        from: from.instruction,
        to,
        kinds,
        cycles,
        protection,
        register: Some(register.register()),
    }
}

/// Whether an instruction has fixed latency.
fn is_timed(facts: &FunctionFacts, model: &LatencyModel, instruction: u32) -> bool {
    let class = model.class(facts.fact(instruction as usize).class);
    matches!(class.mechanism, Mechanism::Fixed | Mechanism::None)
}

/// Whether an instruction reads a register at a fixed time: late reads of other instructions are of
/// general registers (measured).
fn is_read_timed(
    facts: &FunctionFacts,
    model: &LatencyModel,
    register: RegisterNumber,
    instruction: u32,
) -> bool {
    register.file() != TableFile::General || is_timed(facts, model, instruction)
}

/// Whether the operands have not been waited for since the read was issued.
fn is_open(settled: &[u32], reader: &Access) -> bool {
    reader.age >= settled[reader.instruction as usize]
}

impl Open {
    /// Adds the accesses possible on another path; returns whether any is new. `can_wait` states
    /// whether the block has an instruction that can wait for the excess. Linear in both.
    pub(super) fn join(&mut self, other: &Open, can_wait: bool) -> bool {
        let most = if can_wait {
            MOST_BETWEEN_BLOCKS
        } else {
            usize::MAX
        };
        let writers = join(
            &mut self.writers,
            &mut self.given_up_writers,
            &other.writers,
            most,
        );
        let readers = join(
            &mut self.readers,
            &mut self.given_up_readers,
            &other.readers,
            most,
        );
        let guards = self.guards.join(&other.guards);
        writers || readers || guards
    }
}

fn join(mine: &mut Followed, given_up: &mut GivenUp, theirs: &Followed, most: usize) -> bool {
    let key = |entry: &(RegisterNumber, Access)| (entry.0, entry.1.instruction);
    let mut changed = false;
    let mut missing = Followed::new();
    let (mut at, mut up) = (0, 0);
    for entry in theirs {
        let wanted = key(entry);
        while mine.get(at).is_some_and(|found| key(found) < wanted) {
            at += 1;
        }
        while given_up.get(up).is_some_and(|found| *found < wanted) {
            up += 1;
        }
        if given_up.get(up) == Some(&wanted) {
            continue;
        }
        match mine.get_mut(at) {
            Some(found) if key(found) == wanted => {
                changed |= entry.1.age < found.1.age;
                found.1.age = found.1.age.min(entry.1.age);
            }
            _ => missing.push(*entry),
        }
    }
    if missing.is_empty() {
        return changed;
    }
    mine.extend(missing);
    // Two runs, which are merged.
    mine.sort();
    give_up(mine, given_up, most);
    true
}

/// Keeps `most` entries per register, those with the highest addresses.
fn give_up(mine: &mut Followed, given_up: &mut GivenUp, most: usize) {
    let before = given_up.len();
    let mut kept = Followed::with_capacity(mine.len());
    for entries in mine.chunk_by(|first, second| first.0 == second.0) {
        let (first, rest) = entries.split_at(entries.len().saturating_sub(most));
        given_up.extend(first.iter().map(|entry| (entry.0, entry.1.instruction)));
        kept.extend_from_slice(rest);
    }
    if given_up.len() > before {
        given_up.sort();
        *mine = kept;
    }
}
