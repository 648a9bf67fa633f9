//! Accesses to registers that see other blocks.

use orison_sass::function::BlockIndex;
use rustc_hash::FxHashSet;

use crate::dependences::Protection;
use crate::instructions::narrow;
use crate::sass::dependences::Distances;
use crate::sass::facts::{FunctionFacts, Read, RegisterNumber, Write};

/// An access to a register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    Read(Read),
    Write(Write),
}

/// An access that sees another block, by the number of its instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exposed {
    pub(super) register: RegisterNumber,
    pub(super) instruction: u32,
    pub(super) access: Access,
}

impl Exposed {
    pub(super) fn is_write(&self) -> bool {
        matches!(self.access, Access::Write(_))
    }
}

/// The accesses of a block that see the blocks before and behind it, each by register.
#[derive(Clone, Debug, Default)]
pub(super) struct Exposures {
    /// Those that values from before reach.
    pub(super) up: Vec<Exposed>,
    /// Those that reach the end.
    pub(super) down: Vec<Exposed>,
    /// The registers that certainly get new values.
    killed: FxHashSet<RegisterNumber>,
}

impl Exposures {
    /// Those of a block. Order matters only where dependences keep it.
    pub(super) fn of(facts: &FunctionFacts, block: BlockIndex) -> Self {
        let mut found = Exposures::default();
        let mut dead = FxHashSet::default();
        for instruction in facts.block(block) {
            collect(facts, instruction, &mut found.up, &found.killed);
            if !facts.fact(instruction).guarded {
                let writes = facts.writes(instruction).iter();
                found.killed.extend(writes.map(|write| write.register));
            }
        }
        for instruction in facts.block(block).rev() {
            collect(facts, instruction, &mut found.down, &dead);
            if !facts.fact(instruction).guarded {
                let writes = facts.writes(instruction).iter();
                dead.extend(writes.map(|write| write.register));
            }
        }
        found
            .up
            .sort_by_key(|exposed| (exposed.register, exposed.instruction));
        found
            .down
            .sort_by_key(|exposed| (exposed.register, exposed.instruction));
        found
    }

    /// The accesses that a value in a register reaches from before.
    pub(super) fn up(&self, register: RegisterNumber) -> &[Exposed] {
        let start = self
            .up
            .partition_point(|exposed| exposed.register < register);
        let len = self.up[start..].partition_point(|exposed| exposed.register == register);
        &self.up[start..start + len]
    }

    /// Whether nothing from before is in a register at the end.
    pub(super) fn kills(&self, register: RegisterNumber) -> bool {
        self.killed.contains(&register)
    }
}

fn collect(
    facts: &FunctionFacts,
    instruction: usize,
    found: &mut Vec<Exposed>,
    hidden: &FxHashSet<RegisterNumber>,
) {
    let number = narrow(instruction);
    let exposed = |register, access| {
        (!hidden.contains(&register)).then_some(Exposed {
            register,
            instruction: number,
            access,
        })
    };
    let reads = facts.reads(instruction).iter();
    found.extend(reads.filter_map(|read| exposed(read.register, Access::Read(*read))));
    let writes = facts.writes(instruction).iter();
    found.extend(writes.filter_map(|write| exposed(write.register, Access::Write(*write))));
}

/// The cycles between two accesses of a register, and what signals that the second may issue; `None` if both
/// read.
pub(super) fn distance(
    distances: Distances<'_>,
    first: &Exposed,
    second: &Exposed,
) -> Option<(u32, Protection)> {
    let (from, to) = (first.instruction, second.instruction);
    Some(match (first.access, second.access) {
        (Access::Write(_), Access::Read(read)) => distances.read_after_write(from, &read),
        (Access::Write(_), Access::Write(write)) => distances.write_after_write(from, to, &write),
        (Access::Read(_), Access::Write(write)) => {
            distances.write_after_read(from, to, write.register)
        }
        (Access::Read(_), Access::Read(_)) => return None,
    })
}
