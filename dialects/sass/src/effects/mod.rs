//! The registers, predicates and memory that instructions read and write.
//!
//! The instruction table defines which operands are destinations and how wide operands are; everything else
//! follows from the operands. Checked against the register lists of nvdisasm for all real code of
//! the tests.

mod roles;
#[cfg(test)]
mod tests;
mod textures;
mod widths;

use orison_machine::{Destinations, Entry, Flag, Row, Space};

use crate::instruction::{
    Address, AddressSpace, ConstantBank, Immediate, Instruction, MemoryOperand, Mnemonic, Operand,
};
use crate::registers::{Register, RegisterFile, RegisterRange};
pub use roles::kind;
use widths::Widths;

/// Registers that an instruction reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// The registers.
    pub range: RegisterRange,
    /// Index of their operand; `None` for the guard.
    pub operand: Option<usize>,
    /// Whether they are part of an address or descriptor.
    pub address: bool,
}

/// The registers that an instruction reads and writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// The registers it writes. Does not include what the callee of a call writes.
    pub definitions: Vec<Access>,
    /// The registers it reads, its guard first.
    pub uses: Vec<Access>,
    /// Whether threads disabled by the guard keep the old values.
    pub partial: bool,
    /// Whether the table defines the mnemonic. If not, the registers before the first source count
    /// as written, and all widths follow the mnemonic; nothing is known of an opaque instruction.
    pub known: bool,
}

/// The row of a mnemonic, if the instruction table has what it writes.
pub fn row(mnemonic: &Mnemonic) -> Option<&'static Row> {
    let row = mnemonic.opcode()?.row();
    row.destinations.is_some().then_some(row)
}

/// The entry of the instruction table with the longest mnemonic that is a prefix of this one, or
/// otherwise the first of the instruction: a shape of `HMMA` not in the table is like those in it.
pub fn entry(mnemonic: &Mnemonic) -> Option<&'static Entry> {
    let row = mnemonic.opcode()?.row();
    let is_prefix = |entry: &&Entry| {
        let rest = mnemonic.text().strip_prefix(entry.mnemonic);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    // Of equal ones the first.
    let known = row.entries().filter(is_prefix);
    let longest = known.reduce(|best, entry| {
        if entry.mnemonic.len() > best.mnemonic.len() {
            entry
        } else {
            best
        }
    });
    longest.or_else(|| row.entries().next())
}

/// The registers that an instruction reads and writes.
pub fn effects(instruction: &Instruction) -> Effects {
    let row = row(&instruction.mnemonic).filter(|_| !instruction.is_opaque());
    let mut effects = Effects {
        known: row.is_some(),
        ..Effects::default()
    };
    if let Some(guard) = instruction.guard {
        effects.partial = guard.negated || !guard.predicate.is_constant();
        let range = RegisterRange::new(guard.predicate, 1);
        effects.uses.extend(range.map(|range| Access {
            range,
            operand: None,
            address: false,
        }));
    }
    let count = destination_count(row, &instruction.operands);
    let widths = Widths::new(row, instruction, count);
    let mut addresses = 0;
    let is_memory = |operand: &&Operand| matches!(operand, Operand::Memory(_));
    let last_address = instruction.operands.iter().filter(is_memory).count();
    for (number, operand) in instruction.operands.iter().enumerate() {
        let mut collector = Collector {
            effects: &mut effects,
            operand: number,
            written: number < count,
        };
        match operand {
            Operand::Register(found) => {
                collector.add(found.register, widths.of_operand(number, operand), false);
            }
            Operand::AllPredicates { uniform } => collector.predicates(*uniform, instruction),
            Operand::Memory(memory) => {
                // Copies have the address in shared memory first.
                let global = instruction.mnemonic.has("E") && addresses + 1 == last_address;
                collector.memory(memory, &widths, addresses, global);
                addresses += 1;
            }
            Operand::Constant(constant) => {
                if let ConstantBank::Bindless(register) = constant.bank {
                    collector.read(register, 2);
                }
                collector.address(&constant.address, 1);
            }
            Operand::Relative { register, .. } => collector.read(*register, 2),
            _ => {}
        }
    }
    if instruction.mnemonic.base() == "BREAK" {
        let written = effects.uses.iter().copied();
        let written = written.filter(|found| found.range.file == RegisterFile::Convergence);
        effects.definitions.extend(written);
    }
    effects
}

/// What is wrong with a wide register of an instruction: it must be aligned to its width (two, or four
/// and more).
pub fn misaligned(found: &Instruction) -> Option<String> {
    let effects = effects(found);
    let accesses = effects.definitions.iter().chain(&effects.uses);
    for access in accesses.filter(|_| effects.known) {
        let range = access.range;
        let wide = matches!(range.file, RegisterFile::General | RegisterFile::Uniform);
        let alignment = match range.count {
            1 => 1,
            2 => 2,
            _ => 4,
        };
        if wide && range.first % alignment != 0 {
            return Some(format!(
                "reads or writes {range}, whose first register must be a multiple of {alignment}"
            ));
        }
    }
    None
}

/// The number of operands that are destinations.
pub fn destination_count(row: Option<&Row>, operands: &[Operand]) -> usize {
    let rule = row.and_then(|row| row.destinations);
    let rule = rule.unwrap_or(Destinations::Leading);
    rule.count(operands.len(), |place| kind(&operands[place]))
}

/// Adds the registers of an operand to effects.
struct Collector<'a> {
    effects: &'a mut Effects,
    operand: usize,
    written: bool,
}

impl Collector<'_> {
    /// Scoreboards are not registers: they hold no value.
    fn add(&mut self, register: Register, width: u8, address: bool) {
        let scoreboard = matches!(
            register.file,
            RegisterFile::Scoreboard | RegisterFile::GroupScoreboard
        );
        let Some(range) = RegisterRange::new(register, width).filter(|_| !scoreboard) else {
            return;
        };
        let access = Access {
            range,
            operand: Some(self.operand),
            address,
        };
        if self.written && !address {
            self.effects.definitions.push(access);
        } else {
            self.effects.uses.push(access);
        }
    }

    fn read(&mut self, register: Register, width: u8) {
        self.add(register, width, true);
    }

    /// `PR` with the mask given by the last operand; all seven predicates without one.
    fn predicates(&mut self, uniform: bool, instruction: &Instruction) {
        let mask = match instruction.operands.last() {
            Some(Operand::Immediate(Immediate::Integer { magnitude, .. })) => *magnitude,
            _ => 0x7f,
        };
        let file = if uniform {
            RegisterFile::UniformPredicate
        } else {
            RegisterFile::Predicate
        };
        for index in (0..7).filter(|index| mask >> index & 1 == 1) {
            self.add(Register::new(file, index), 1, false);
        }
    }

    fn address(&mut self, address: &Address, plain: u8) {
        for register in &address.registers {
            let width = match &*register.selector {
                "64" => 2,
                "" => plain,
                _ => 1,
            };
            self.read(register.register, width);
        }
    }

    fn memory(&mut self, memory: &MemoryOperand, widths: &Widths, number: usize, global: bool) {
        for descriptor in memory.descriptor.iter().chain(&memory.hidden_descriptor) {
            self.read(*descriptor, 2);
        }
        let plain = match memory.space {
            AddressSpace::MatrixDescriptor => widths.of_matrix_descriptor(),
            AddressSpace::InstructionDescriptor => 1,
            AddressSpace::Descriptor => 2,
            // `.E` has addresses of 64 bits. In a sum one register has 64 bits: that with `.64`, or
            // that to which one of 32 bits is added.
            AddressSpace::Plain if global && has_wide_plain(&memory.address) => 2,
            AddressSpace::Plain | AddressSpace::Tensor => widths.of_address(number),
        };
        self.address(&memory.address, plain);
    }
}

/// Whether a register without a selector has 64 bits in an address of 64 bits.
fn has_wide_plain(address: &Address) -> bool {
    let has = |selector| {
        let mut registers = address.registers.iter();
        registers.any(|found| &*found.selector == selector)
    };
    address.registers.len() == 1 || has("U32") && !has("64")
}

/// Memory that an instruction accesses, from the instruction table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Spaces it reads.
    pub reads: &'static [Space],
    /// Spaces it writes.
    pub writes: &'static [Space],
    /// Whether it orders or synchronises accesses.
    pub orders: bool,
}

/// The memory that an instruction accesses; an instruction not in the table may access anything.
pub fn memory(mnemonic: &Mnemonic) -> Memory {
    const ANYTHING: &[Space] = &[Space::Generic];
    match entry(mnemonic) {
        Some(entry) => Memory {
            reads: entry.reads,
            writes: entry.writes,
            orders: entry.has(Flag::Barrier) || entry.has(Flag::Call),
        },
        None => Memory {
            reads: ANYTHING,
            writes: ANYTHING,
            orders: true,
        },
    }
}
