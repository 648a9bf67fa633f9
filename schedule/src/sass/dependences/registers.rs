//! Dependences through registers: who wrote and who read each register last.

use smallvec::SmallVec;

use super::{Edge, EdgeKinds, Protection};
use crate::sass::facts::{Fact, FunctionFacts, Read, RegisterNumber, Write};
use crate::sass::latency::{LatencyModel, Mechanism, TableFile};
use crate::sass::register_table::RegisterTable;

/// Who may still be in question for a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Access {
    /// The instruction.
    pub(super) instruction: u32,
    /// When it was, in instructions: between blocks how many before the end at least, within one its
    /// place.
    pub(super) age: u32,
}

/// Writers and readers in question, by register.
pub(super) struct Tracker<'a> {
    facts: &'a FunctionFacts,
    model: &'a LatencyModel,
    writers: RegisterTable<Access>,
    readers: RegisterTable<Access>,
    now: u32,
}

/// Writers and readers in question between two blocks, sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Open {
    writers: Vec<(RegisterNumber, Access)>,
    readers: Vec<(RegisterNumber, Access)>,
}

impl<'a> Tracker<'a> {
    pub(super) fn new(facts: &'a FunctionFacts, model: &'a LatencyModel) -> Self {
        Tracker {
            facts,
            model,
            writers: RegisterTable::new(),
            readers: RegisterTable::new(),
            now: 0,
        }
    }

    /// Starts with what is in question at the start of a block. Ages are counted from there, so that
    /// instructions are placed before cycle `limit`.
    pub(super) fn enter(&mut self, open: &Open) {
        let limit = self.model.longest_latency();
        self.now = limit;
        self.writers.clear();
        self.readers.clear();
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

    /// What is in question at the end of a block.
    pub(super) fn leave(&mut self) -> Open {
        let (now, limit) = (self.now, self.model.longest_latency());
        let (facts, model) = (self.facts, self.model);
        let aged = |register: RegisterNumber, access: &Access| {
            let age = now.saturating_sub(access.age).min(limit);
            let kept = age < limit || !is_timed(facts, model, access.instruction);
            let access = Access {
                instruction: access.instruction,
                age,
            };
            kept.then_some((register, access))
        };
        let mut open = Open {
            writers: self.writers.export(aged),
            readers: self.readers.export(aged),
        };
        open.writers.sort_unstable();
        open.readers.sort_unstable();
        open
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
        self.now += 1;
    }

    fn fact(&self, instruction: u32) -> &'a Fact {
        self.facts.fact(instruction as usize)
    }

    fn column(&self, instruction: u32, register: RegisterNumber) -> Option<Write> {
        let writes = self.facts.writes(instruction as usize);
        writes
            .iter()
            .find(|write| write.register == register)
            .copied()
    }

    fn add_read(&self, to: u32, read: &Read, edges: &mut Vec<Edge>) {
        for writer in self.writers.get(read.register) {
            let class = self.model.class(self.fact(writer.instruction).class);
            let file = read.register.file();
            let (cycles, protection) = match class.mechanism {
                Mechanism::Variable => (self.model.scoreboards().arm_cycles, Protection::Results),
                Mechanism::TensorGroup if read.accumulator => (1, Protection::Time),
                Mechanism::TensorGroup => (1, Protection::Group),
                Mechanism::Fixed | Mechanism::None => {
                    let write = self.column(writer.instruction, read.register);
                    let cycles =
                        |write: Write| self.model.read_after_write(file, write.column, read.row);
                    (write.map_or(1, cycles), Protection::Time)
                }
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
        let (register, file) = (write.register, write.register.file());
        let mine = self.model.class(self.fact(to).class);
        for writer in self.writers.get(register) {
            let fact = self.fact(writer.instruction);
            let class = self.model.class(fact.class);
            let in_order = class.result_queue.is_some() && class.result_queue == mine.result_queue;
            let (cycles, protection) = match class.mechanism {
                Mechanism::Variable if in_order => (1, Protection::Time),
                Mechanism::Variable => (self.model.scoreboards().arm_cycles, Protection::Results),
                Mechanism::TensorGroup if mine.mechanism == Mechanism::TensorGroup => {
                    (1, Protection::Time)
                }
                Mechanism::TensorGroup => (1, Protection::Group),
                Mechanism::Fixed | Mechanism::None => {
                    let first = self.column(writer.instruction, register);
                    let second = (self.fact(to).class, write.column);
                    let cycles = |first: Write| {
                        let first = (fact.class, first.column);
                        self.model
                            .write_after_write(file, first, fact.guarded, second)
                    };
                    (first.map_or(1, cycles), Protection::Time)
                }
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
        let file = register.file();
        let mine = self.model.class(self.fact(to).class);
        for reader in self
            .readers
            .get(register)
            .iter()
            .filter(|reader| reader.instruction != to)
        {
            let fact = self.fact(reader.instruction);
            let class = self.model.class(fact.class);
            let in_order =
                class.operand_queue.is_some() && class.operand_queue == mine.operand_queue;
            let general = file == TableFile::General;
            let (cycles, protection) = match class.mechanism {
                Mechanism::Variable if general && !in_order => {
                    (self.model.scoreboards().arm_cycles, Protection::Operands)
                }
                Mechanism::TensorGroup if general && mine.mechanism != Mechanism::TensorGroup => {
                    (1, Protection::Group)
                }
                Mechanism::Fixed if general => {
                    let cycles = self.model.write_after_read(fact.class, self.fact(to).class);
                    (cycles, Protection::Time)
                }
                _ => (1, Protection::Time),
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

    /// What this instruction has to wait for is over for those behind it.
    fn settle(&mut self, edges: &[Edge]) {
        for edge in edges {
            let operands = match edge.protection {
                Protection::Time => continue,
                Protection::Operands => true,
                Protection::Results | Protection::Group => false,
            };
            let from = edge.from;
            for read in self.facts.reads(from as usize) {
                self.readers
                    .retain(read.register, |access| access.instruction != from);
            }
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
        let in_question = |found: &Access| {
            found.instruction != instruction
                && (now.saturating_sub(found.age) < limit
                    || !is_timed(facts, model, found.instruction))
        };
        for write in self.facts.writes(instruction as usize) {
            if fact.guarded {
                self.writers.retain(write.register, in_question);
            } else {
                self.writers.clear_register(write.register);
            }
            // Later writers stay behind this one, which stays behind the readers.
            self.readers.clear_register(write.register);
            self.writers.push(write.register, access);
        }
        for read in self.facts.reads(instruction as usize) {
            self.readers.retain(read.register, in_question);
            self.readers.push(read.register, access);
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

/// Whether time alone ends what an instruction does.
fn is_timed(facts: &FunctionFacts, model: &LatencyModel, instruction: u32) -> bool {
    let class = model.class(facts.fact(instruction as usize).class);
    matches!(class.mechanism, Mechanism::Fixed | Mechanism::None)
}

impl Open {
    /// Adds what is in question on another way; whether that is new.
    pub(super) fn join(&mut self, other: &Open) -> bool {
        let mut changed = false;
        for (mine, theirs) in [
            (&mut self.writers, &other.writers),
            (&mut self.readers, &other.readers),
        ] {
            let mut missing: SmallVec<[(RegisterNumber, Access); 8]> = SmallVec::new();
            let mut at = 0;
            for entry in theirs {
                let key = (entry.0, entry.1.instruction);
                while mine
                    .get(at)
                    .is_some_and(|found| (found.0, found.1.instruction) < key)
                {
                    at += 1;
                }
                match mine.get_mut(at) {
                    Some(found) if (found.0, found.1.instruction) == key => {
                        changed |= entry.1.age < found.1.age;
                        found.1.age = found.1.age.min(entry.1.age);
                    }
                    _ => missing.push(*entry),
                }
            }
            if !missing.is_empty() {
                changed = true;
                mine.extend(missing);
                mine.sort_unstable();
            }
        }
        changed
    }
}
