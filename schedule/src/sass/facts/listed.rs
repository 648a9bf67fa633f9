//! Definitions and uses that a disassembler states, in place of those of the instruction table.

use std::sync::Arc;

use super::{Fact, FunctionFacts, Read, RegisterNumber, Write};
use crate::sass::latency::{LatencyModel, Mechanism, Position, TableFile};

/// The registers that a disassembler lists for an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listed {
    /// Registers that it writes, in ascending order.
    pub definitions: Vec<RegisterNumber>,
    /// Registers that it reads, in ascending order.
    pub uses: Vec<RegisterNumber>,
}

impl FunctionFacts {
    /// The same facts with the registers of these lists, which are in the order of the instructions;
    /// an instruction without a list keeps its own. A listed register that the instruction table does
    /// not have for an instruction counts as the first register of its result, or as an operand in no
    /// particular place.
    #[must_use]
    pub fn with_listed(self, model: &LatencyModel, lists: &[Option<Listed>]) -> FunctionFacts {
        let mut all = FunctionFacts {
            facts: Vec::with_capacity(self.facts.len()),
            reads: Vec::with_capacity(self.reads.len()),
            writes: Vec::with_capacity(self.writes.len()),
            blocks: Vec::new(),
            of_products: Box::default(),
            guarded: false,
        };
        for (number, fact) in self.facts.iter().enumerate() {
            let (first_read, first_write) = (all.reads.len(), all.writes.len());
            let (reads, writes) = (self.reads(number), self.writes(number));
            let class = model.class(fact.class);
            match lists.get(number).and_then(Option::as_ref) {
                Some(list) => {
                    let waits = class.mechanism == Mechanism::Variable;
                    let unknown = |register: RegisterNumber| Read {
                        register,
                        row: class.read_row(register.file(), Position::Other),
                        queued: waits && register.file() == TableFile::General,
                        accumulator: false,
                    };
                    add(
                        &mut all.reads,
                        reads,
                        &list.uses,
                        |read| read.register,
                        unknown,
                    );
                    let unknown = |register| Write::new(register, class, 0);
                    let listed = &list.definitions;
                    add(
                        &mut all.writes,
                        writes,
                        listed,
                        |write| write.register,
                        unknown,
                    );
                }
                None => {
                    all.reads.extend_from_slice(reads);
                    all.writes.extend_from_slice(writes);
                }
            }
            let mut fact = Fact::clone(fact);
            fact.reads = super::instruction::range(first_read, all.reads.len());
            fact.writes = super::instruction::range(first_write, all.writes.len());
            all.facts.push(Arc::new(fact));
        }
        all.blocks = self.blocks;
        all.finish();
        all
    }
}

/// Adds the known accesses to listed registers, and unknown ones to the others.
fn add<Access: Copy>(
    all: &mut Vec<Access>,
    known: &[Access],
    listed: &[RegisterNumber],
    register: impl Fn(&Access) -> RegisterNumber,
    unknown: impl Fn(RegisterNumber) -> Access,
) {
    let is_listed = |access: &&Access| listed.contains(&register(access));
    all.extend(known.iter().filter(is_listed).copied());
    let is_known = |found: &RegisterNumber| known.iter().any(|known| register(known) == *found);
    let others = listed.iter().filter(|found| !is_known(found));
    all.extend(others.map(|found| unknown(*found)));
}
