//! The tables, made by the build script, and lookups in them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::de::{Deserialize, Deserializer, Error};

use crate::kinds::{
    Category, Destinations, Flag, Lanes, Latency, OperandKind, Pipe, Slot, Space, Width,
};
use crate::multiprocessor::Multiprocessor;
use crate::roles::{Role, Roles};

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// Widths of operands, and the modifiers under which they apply.
#[derive(Debug)]
pub struct Widths {
    /// Consecutive modifiers, anywhere in the mnemonic; empty for always.
    pub has: &'static [&'static str],
    /// Widths by operand, those of all operands first; the last one that applies is taken.
    pub of: &'static [(Slot, Width)],
}

/// An instruction.
#[derive(Debug)]
pub struct Row {
    /// The instruction.
    pub opcode: Opcode,
    /// The mnemonic without modifiers: `IMAD`.
    pub name: &'static str,
    /// Its description.
    pub about: &'static str,
    /// The family.
    pub category: Category,
    /// The operands it writes; `None` for an instruction that was not seen in real code.
    pub destinations: Option<Destinations>,
    /// What the operands are; `None` for an instruction that was not seen in real code.
    pub roles: Option<Roles>,
    /// Registers of operands, one by default. Those that apply later take precedence.
    pub widths: &'static [Widths],
    /// The first bit of a descriptor that the text of nvdisasm omits (sm_80).
    pub hidden: Option<u32>,
    /// The slots that keep registers of its sources, in their order: `abc`, except for those measured to have others.
    pub slots: &'static str,
    /// How the result is signalled on most machines.
    latency: Latency,
    /// The machines on which a fixed latency is variable.
    variable_on: &'static [u16],
    entries: &'static [u16],
    /// The file of the row, from the root of the repository.
    pub file: &'static str,
    /// The line of its name.
    pub line: u32,
}

/// A base entry of ptxas, or another form of an instruction with properties of its own.
#[derive(Debug)]
pub struct Entry {
    /// Index of the base entry in ptxas 13.0; `None` for what is not in its table.
    pub number: Option<u16>,
    /// Unique name.
    pub name: &'static str,
    /// The instruction; `None` if none is issued.
    pub opcode: Option<Opcode>,
    /// Mnemonic with the modifiers that make this entry; empty if no instruction is issued.
    pub mnemonic: &'static str,
    /// The family.
    pub category: Category,
    /// The issue pipe.
    pub pipe: Pipe,
    /// First machine that has it: major * 10 + minor.
    pub since: u16,
    /// Cycles in the scalar cost model of ptxas: a priority, not a stall count.
    pub cycles: Option<u16>,
    /// Scheduling classes that the ptxas classifier may choose.
    pub classes: &'static [u16],
    /// Memory spaces read.
    pub reads: &'static [Space],
    /// Memory spaces written.
    pub writes: &'static [Space],
    /// Other properties.
    pub flags: &'static [Flag],
    commutes: &'static [&'static str],
    /// What the lanes get, where the operands do not decide it.
    pub lanes: Option<Lanes>,
    /// The operation of `ori`.
    pub operation: Option<&'static str>,
    /// The modifier (or keyword of one) that selects this entry among those of the operation.
    pub when: Option<&'static str>,
    /// Places in the table of the entries that compute the same on the other datapath.
    general: Option<u16>,
    uniform: Option<u16>,
    /// `instructions`: ptxas' table of names (directions of memory from the ISA manual); `sass`:
    /// output of nvdisasm; `gmma`: ptxas' wgmma phases; `ori`: the dialect.
    pub source: &'static str,
}

/// Whether all threads of a warp read the same value from a special register; one that the table does
/// not have may vary.
pub fn is_uniform_register(name: &str) -> bool {
    let mut prefixes = UNIFORM_REGISTERS.iter();
    prefixes.any(|prefix| name.starts_with(prefix))
}

/// The multiprocessors, by the first machine that has them.
const fn multiprocessors() -> &'static [(u16, Multiprocessor)] {
    MULTIPROCESSORS
}

impl Multiprocessor {
    /// That of a machine, as the number in `sm_90a`; of one before the first that is known, the first.
    pub fn of(machine: u16) -> Self {
        let all = multiprocessors();
        let known = all.partition_point(|(since, _)| *since <= machine);
        all[known.saturating_sub(1)].1
    }
}

/// Whether a special register changes while a thread runs: clocks and counters.
pub fn is_changing_register(name: &str) -> bool {
    CHANGING_REGISTERS.iter().any(|part| name.contains(part))
}

impl Opcode {
    /// The instruction with a name: the text of a mnemonic before its first dot.
    pub fn named(name: &str) -> Option<Opcode> {
        let place = BY_NAME.binary_search_by_key(&name, |opcode| opcode.row().name);
        place.ok().map(|place| BY_NAME[place])
    }

    /// The properties.
    #[inline]
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

impl<'de> Deserialize<'de> for Opcode {
    /// Reads a name.
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Opcode, D::Error> {
        let name = String::deserialize(reader)?;
        let unknown = || Error::custom(format!("no instruction `{name}` in the table"));
        Opcode::named(&name).ok_or_else(unknown)
    }
}

impl Row {
    /// All rows.
    pub fn all() -> &'static [Row] {
        &ROWS
    }

    /// The mechanism that signals the result, on a machine (major * 10 + minor).
    pub fn latency(&self, sm: u16) -> Latency {
        match self.variable_on.contains(&sm) {
            true => Latency::Variable,
            false => self.latency,
        }
    }

    /// Whether the latency is fixed on some machines and variable on others.
    pub fn is_variable_somewhere(&self) -> bool {
        !self.variable_on.is_empty()
    }

    /// The entries that are issued as this instruction, at least one.
    pub fn entries(&self) -> impl Iterator<Item = &'static Entry> {
        self.entries
            .iter()
            .map(|place| &ENTRIES[usize::from(*place)])
    }
}

impl Entry {
    /// All entries: those of ptxas by number, then the others.
    pub fn all() -> &'static [Entry] {
        &ENTRIES
    }

    /// The base entry with an index.
    pub fn numbered(number: u16) -> Option<&'static Entry> {
        let entry = ENTRIES.get(usize::from(number))?;
        (entry.number == Some(number)).then_some(entry)
    }

    /// The entry with a name.
    pub fn named(name: &str) -> Option<&'static Entry> {
        ENTRIES.iter().find(|entry| entry.name == name)
    }

    /// The entries of an operation of `ori`: one without [`Entry::when`], and any number with it.
    pub fn of_operation(operation: &str) -> impl Iterator<Item = &'static Entry> {
        static BY_OPERATION: LazyLock<FxHashMap<&str, Vec<&Entry>>> = LazyLock::new(|| {
            let mut known: FxHashMap<&str, Vec<&Entry>> = FxHashMap::default();
            for entry in &ENTRIES {
                if let Some(operation) = entry.operation {
                    known.entry(operation).or_default().push(entry);
                }
            }
            known
        });
        let entries = BY_OPERATION.get(operation).map(Vec::as_slice);
        entries.unwrap_or_default().iter().copied()
    }

    /// The entry whose operation computes the same on the general datapath; `None` for those of that
    /// datapath.
    pub fn general(&self) -> Option<&'static Entry> {
        self.general.map(|place| &ENTRIES[usize::from(place)])
    }

    /// The operands of the operation that may be permuted, with their modifiers.
    pub fn commutes(&self) -> &'static [&'static str] {
        self.general().unwrap_or(self).commutes
    }

    /// The entry whose operation computes the same on the uniform datapath, if there is one.
    pub fn uniform(&self) -> Option<&'static Entry> {
        self.uniform.map(|place| &ENTRIES[usize::from(place)])
    }

    /// Whether it has a property.
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }
}
