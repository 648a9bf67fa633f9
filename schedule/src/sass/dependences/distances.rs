//! How far apart two accesses to a register have to be.

use crate::dependences::Protection;
use crate::sass::facts::{Fact, FunctionFacts, Read, RegisterNumber, Write};
use crate::sass::latency::{LatencyModel, Mechanism, TableFile};

/// The cycles between two instructions that access a register, and what signals that the second may
/// issue.
#[derive(Clone, Copy)]
pub(crate) struct Distances<'a> {
    /// The facts of their function.
    pub(crate) facts: &'a FunctionFacts,
    /// The model of their machine.
    pub(crate) model: &'a LatencyModel,
}

impl<'a> Distances<'a> {
    fn fact(self, instruction: u32) -> &'a Fact {
        self.facts.fact(instruction as usize)
    }

    fn column(self, instruction: u32, register: RegisterNumber) -> Option<Write> {
        let writes = self.facts.writes(instruction as usize);
        let mut writes = writes.iter();
        writes.find(|write| write.register == register).copied()
    }

    /// From a writer to a reader.
    pub(crate) fn read_after_write(self, writer: u32, read: &Read) -> (u32, Protection) {
        let class = self.model.class(self.fact(writer).class);
        let file = read.register.file();
        match class.mechanism {
            Mechanism::Variable => (self.model.scoreboards().arm_cycles, Protection::Results),
            Mechanism::TensorGroup if read.accumulator => (1, Protection::Time),
            Mechanism::TensorGroup => (1, Protection::Group),
            Mechanism::Fixed | Mechanism::None => {
                let write = self.column(writer, read.register);
                let cycles =
                    |write: Write| self.model.read_after_write(file, write.column, read.row);
                (write.map_or(1, cycles), Protection::Time)
            }
        }
    }

    /// From a writer to a later one, with its write.
    pub(crate) fn write_after_write(
        self,
        writer: u32,
        to: u32,
        write: &Write,
    ) -> (u32, Protection) {
        let (register, file) = (write.register, write.register.file());
        let mine = self.model.class(self.fact(to).class);
        let fact = self.fact(writer);
        let class = self.model.class(fact.class);
        let in_order = class.result_queue.is_some() && class.result_queue == mine.result_queue;
        match class.mechanism {
            Mechanism::Variable if in_order => (1, Protection::Time),
            Mechanism::Variable => (self.model.scoreboards().arm_cycles, Protection::Results),
            Mechanism::TensorGroup if mine.mechanism == Mechanism::TensorGroup => {
                (1, Protection::Time)
            }
            Mechanism::TensorGroup => (1, Protection::Group),
            Mechanism::Fixed | Mechanism::None => {
                let first = self.column(writer, register);
                let second = (self.fact(to).class, write.column);
                let cycles = |first: Write| {
                    let first = (fact.class, first.column);
                    let model = self.model;
                    model.write_after_write(file, first, fact.guarded, second)
                };
                (first.map_or(1, cycles), Protection::Time)
            }
        }
    }

    /// From a reader to a later writer.
    pub(crate) fn write_after_read(
        self,
        reader: u32,
        to: u32,
        register: RegisterNumber,
    ) -> (u32, Protection) {
        let mine = self.fact(to).class;
        let fact = self.fact(reader);
        let class = self.model.class(fact.class);
        let in_order = self.model.is_read_in_order(fact.class, mine);
        let is_group = self.model.class(mine).mechanism == Mechanism::TensorGroup;
        let general = register.file() == TableFile::General;
        match class.mechanism {
            Mechanism::Variable if general && !in_order => {
                (self.model.scoreboards().arm_cycles, Protection::Operands)
            }
            Mechanism::TensorGroup if general && !is_group => (1, Protection::Group),
            Mechanism::Fixed if general => (
                self.model.write_after_read(fact.class, mine),
                Protection::Time,
            ),
            _ => (1, Protection::Time),
        }
    }
}
