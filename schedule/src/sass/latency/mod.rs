//! Latency models of machine code, as data: the class of each instruction, the cycles of a
//! dependence between two classes, the number of scoreboards and units of a machine, and the
//! profile weights of a scheduler.
//!
//! A model is three TOML files under `machines/`: the machine (`sm_90.toml`), the table of
//! latencies it names (`ampere.toml`), and the instruction classes (`classes.toml`). Every value
//! names its source. A machine file with `base = "sm_80"` states what differs from that machine: its
//! units and weights replace those of the same name, its latencies come without the exceptions,
//! `overwrites` and `antidependences` of the base. `variants` are machines that have the same code and timing.
//! `dual_issue` is the classes whose instructions may issue in the same cycle. `portable` names a machine that runs the code for this one, too: the model of that code takes the scoreboards
//! and the longer latencies of both.
//! [`LatencyModel::for_machine`] returns the embedded models, each parsed once, when it is asked for.
//!
//! Two uses are kept separate (contradiction register C12): the *tables* are cycles from issue to
//! use, for stall counts and hazards; the *profile* holds priority weights and is never a stall
//! count.
//!
//! Sources: reference sections 1.4, 3.4 to 3.6, seed 000, and measurements of ptxas 13.0.88.

mod cells;
mod classes;
mod dump;
mod machine;
mod pairs;
mod parse;
mod portable;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::{LazyLock, OnceLock};

use orison_machine::Opcode;
use orison_sass::instruction::Mnemonic;

pub use cells::Cell;
pub use classes::{Class, ClassId, Mechanism, Position, Queue};
pub use machine::{IssueMinimum, Profile, ProfileWeight, Scoreboards, Unit, Variant, Warp};
pub use tables::{Column, Group, Row, Table, TableFile};

use crate::machine::ModelError;
use classes::Classes;
use machine::Machine;
use pairs::PairRule;
use parse::located;
use tables::Tables;

/// The latency model of a machine.
#[derive(Clone, Debug)]
pub struct LatencyModel {
    machine: Machine,
    tables: Tables,
    classes: Classes,
    /// Cycles that a full warp occupies the unit of each class.
    intervals: Vec<u32>,
    /// Which instructions may issue in the same cycle.
    pairs: Vec<PairRule>,
    /// Whether the code runs on the other machine, too, that the machine file names.
    is_portable: bool,
}

/// The embedded machines, by compute capability.
pub(in crate::sass) const MACHINES: [(u32, &str, &str); 12] = [
    (50, "sm_50.toml", include_str!("../machines/sm_50.toml")),
    (70, "sm_70.toml", include_str!("../machines/sm_70.toml")),
    (75, "sm_75.toml", include_str!("../machines/sm_75.toml")),
    (80, "sm_80.toml", include_str!("../machines/sm_80.toml")),
    (86, "sm_86.toml", include_str!("../machines/sm_86.toml")),
    (89, "sm_89.toml", include_str!("../machines/sm_89.toml")),
    (90, "sm_90.toml", include_str!("../machines/sm_90.toml")),
    (100, "sm_100.toml", include_str!("../machines/sm_100.toml")),
    (103, "sm_103.toml", include_str!("../machines/sm_103.toml")),
    (107, "sm_107.toml", include_str!("../machines/sm_107.toml")),
    (110, "sm_110.toml", include_str!("../machines/sm_110.toml")),
    (120, "sm_120.toml", include_str!("../machines/sm_120.toml")),
];

/// The embedded tables, by the name that a machine file refers to.
const TABLES: [(&str, &str, &str); 5] = [
    (
        "volta",
        "volta.toml",
        include_str!("../machines/volta.toml"),
    ),
    (
        "turing",
        "turing.toml",
        include_str!("../machines/turing.toml"),
    ),
    (
        "ampere",
        "ampere.toml",
        include_str!("../machines/ampere.toml"),
    ),
    (
        "blackwell",
        "blackwell.toml",
        include_str!("../machines/blackwell.toml"),
    ),
    (
        "maxwell",
        "maxwell.toml",
        include_str!("../machines/maxwell.toml"),
    ),
];

const CLASSES: (&str, &str) = ("classes.toml", include_str!("../machines/classes.toml"));

/// The compute capabilities of each of [`MACHINES`] and of its variants: to list them takes no model.
static CAPABILITIES: LazyLock<Vec<Vec<u32>>> = LazyLock::new(|| {
    let machines = MACHINES.iter();
    machines
        .map(|(_, _, text)| machine::capabilities(text))
        .collect()
});

/// The models of [`MACHINES`] that were asked for.
static EMBEDDED: [OnceLock<Option<LatencyModel>>; MACHINES.len()] =
    [const { OnceLock::new() }; MACHINES.len()];

/// The models of the code of [`MACHINES`] that runs on another machine, too.
static PORTABLE: [OnceLock<Option<LatencyModel>>; MACHINES.len()] =
    [const { OnceLock::new() }; MACHINES.len()];

/// The place in [`MACHINES`] of a machine, or of the one that it is a variant of.
fn place(capability: u32) -> Option<usize> {
    // Variants are in the files, which take time to read.
    let own = MACHINES.iter().position(|known| known.0 == capability);
    own.or_else(|| {
        let mut known = CAPABILITIES.iter();
        known.position(|known| known.contains(&capability))
    })
}

/// The compute capability of a target such as `sm_90a`.
fn capability(target: &str) -> Option<u32> {
    let digits = target.strip_prefix("sm_")?;
    let digits = digits.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    digits.parse().ok()
}

/// The model at a place of [`MACHINES`].
fn embedded(place: usize) -> Option<&'static LatencyModel> {
    let (_, file, text) = MACHINES[place];
    let model = EMBEDDED[place].get_or_init(|| LatencyModel::parse(file, text).ok());
    model.as_ref()
}

impl LatencyModel {
    /// The embedded model for a compute capability, such as 90, or of the machine that it is a variant
    /// of; `None` for machines without one.
    pub fn for_machine(capability: u32) -> Option<&'static LatencyModel> {
        embedded(place(capability)?)
    }

    /// The embedded model of the machine of a target such as `sm_90a` or `sm_100f`: the letter is ignored.
    pub fn for_target(target: &str) -> Option<&'static LatencyModel> {
        LatencyModel::for_machine(capability(target)?)
    }

    /// The embedded model to compute the words of code for a target with. Where code without the letter `a`
    /// runs on another machine, too, it is right on both: that for `sm_100` and `sm_100f`, but not for
    /// `sm_100a`, takes the scoreboards of `sm_103`. Otherwise it is that of the machine.
    pub fn for_code(target: &str) -> Option<&'static LatencyModel> {
        let place = place(capability(target)?)?;
        let own = embedded(place)?;
        let Some(portable) = own
            .machine
            .portable
            .as_ref()
            .filter(|_| !target.ends_with('a'))
        else {
            return Some(own);
        };
        let other = LatencyModel::for_target(portable.machine.get_ref())?;
        let model = PORTABLE[place].get_or_init(|| own.that_runs_on(other));
        model.as_ref()
    }

    /// The targets that have an embedded model, such as `sm_87`, by compute capability.
    pub fn targets() -> Vec<String> {
        let mut capabilities = CAPABILITIES.concat();
        capabilities.sort_unstable();
        let targets = capabilities.iter();
        targets
            .map(|capability| format!("sm_{capability}"))
            .collect()
    }

    /// Parses a machine file. The tables it names and the classes are the embedded ones.
    ///
    /// # Errors
    /// The first error, with file, line and column.
    pub fn parse(file: &str, text: &str) -> Result<LatencyModel, ModelError> {
        let machine = machine::parse(file, text)?;
        let (_, tables_file, tables_text) = TABLES
            .iter()
            .find(|table| table.0 == machine.latencies)
            .ok_or_else(|| machine.unknown_latencies(file, text, &TABLES.map(|table| table.0)))?;
        LatencyModel::assemble(machine, (file, text), (tables_file, tables_text), CLASSES)
    }

    /// Parses a model from the name and text of each of its three files: machine, tables, classes.
    ///
    /// # Errors
    /// The first error, with file, line and column.
    pub fn parse_all(
        machine: (&str, &str),
        tables: (&str, &str),
        classes: (&str, &str),
    ) -> Result<LatencyModel, ModelError> {
        let parsed = machine::parse(machine.0, machine.1)?;
        LatencyModel::assemble(parsed, machine, tables, classes)
    }

    /// The model of a machine, with the texts of its three files.
    fn assemble(
        machine: Machine,
        (file, text): (&str, &str),
        tables: (&str, &str),
        classes: (&str, &str),
    ) -> Result<LatencyModel, ModelError> {
        let mut tables = tables::parse(tables.0, tables.1)?;
        machine.apply_exceptions(file, text, &mut tables)?;
        let classes = classes::parse(classes.0, classes.1, &tables, machine.compute_capability)?;
        let interval = |class: &Class| {
            let mut units = machine.units.iter();
            let unit = units.find(|unit| unit.name == class.unit);
            unit.map_or(1, Unit::issue_interval)
        };
        let intervals = classes.all().iter().map(interval).collect();
        let rules = machine.dual_issue.iter();
        let pairs = rules.map(|rule| PairRule::new(rule, &classes));
        let pairs = pairs.collect::<Result<_, _>>();
        Ok(LatencyModel {
            pairs: pairs.map_err(|complaint| located(file, text, complaint))?,
            machine,
            tables,
            classes,
            intervals,
            is_portable: false,
        })
    }

    /// Name of the machine, such as `sm_90`.
    pub fn name(&self) -> &str {
        &self.machine.name
    }

    /// The name of its tables, which machines share.
    pub fn table_name(&self) -> &str {
        &self.tables.name
    }

    /// Compute capability, such as 90.
    pub fn compute_capability(&self) -> u32 {
        self.machine.compute_capability
    }

    /// Further machines with the code and timing of this one.
    pub fn variants(&self) -> &[Variant] {
        &self.machine.variants
    }

    /// Warps, registers and issue slots.
    pub fn warp(&self) -> &Warp {
        &self.machine.warp
    }

    /// The scoreboards.
    pub fn scoreboards(&self) -> &Scoreboards {
        &self.machine.scoreboards
    }

    /// The functional units.
    pub fn units(&self) -> &[Unit] {
        &self.machine.units
    }

    /// Cycles that a full warp occupies the unit of a class: the sustained issue interval of its
    /// instructions.
    pub fn issue_interval(&self, class: ClassId) -> u32 {
        self.intervals[usize::from(class.0)]
    }

    /// The priority weights of the scheduler's profile; never stalls.
    pub fn profile(&self) -> &Profile {
        &self.machine.profile
    }

    /// Minimum cycles that ptxas leaves after an instruction, whatever depends on it: at least 1.
    pub fn issue_minimum(&self, opcode: Option<Opcode>) -> u32 {
        let rows = self.machine.issue_minimum.iter();
        let found = rows.filter(|row| Some(row.opcode) == opcode);
        found.map(|row| row.cycles).max().unwrap_or(1)
    }

    /// Cycles that ptxas leaves between a product of a matrix unit and the next, by the mnemonic, such as
    /// `HGMMA.64x256x16.F32`; `None` for other instructions.
    pub fn product_distance(&self, mnemonic: &Mnemonic) -> Option<u32> {
        let opcode = mnemonic.opcode()?;
        let mut rules = self.machine.products.iter();
        let rule = rules.find(|rule| rule.mnemonics.contains(&opcode))?;
        let mut shapes = mnemonic.modifiers();
        let columns = shapes.find_map(|shape| shape.split('x').nth(1)?.parse().ok())?;
        Some(rule.cycles(columns))
    }

    /// The class of an instruction, by its mnemonic with all modifiers, such as `IMAD.WIDE.U32`.
    /// Every opcode of the instruction table has one; a mnemonic that the table does not have is of
    /// the class that the file names for these, which assumes a scoreboard and no order.
    ///
    /// Cost: a search of the opcode by name, then its rules, of which there are few.
    pub fn class_of(&self, mnemonic: &str) -> ClassId {
        let (name, modifiers) = mnemonic.split_once('.').unwrap_or((mnemonic, ""));
        match Opcode::named(name) {
            Some(opcode) => self.classes.find(opcode, modifiers),
            None => self.classes.outside,
        }
    }

    /// Sets, for the class of a mnemonic, the typical cycles until a result of variable latency is there, or the
    /// cycles for which an instruction occupies its unit (knobs of the scheduler).
    pub fn set_cycles(&mut self, mnemonic: &str, cycles: u32, is_busy: bool) {
        let class = self.class_of(mnemonic);
        if is_busy {
            self.intervals[usize::from(class.0)] = cycles;
        } else if self.class(class).is_variable() {
            self.classes.set_typical(class, cycles);
        }
    }

    /// A class.
    pub fn class(&self, class: ClassId) -> &Class {
        self.classes.get(class)
    }

    /// All classes.
    pub fn classes(&self) -> &[Class] {
        self.classes.all()
    }

    /// Cycles between the issue of a writer and of a reader of its result in a register file.
    pub fn read_after_write(&self, file: TableFile, writer: Column, reader: Row) -> u32 {
        self.tables.cycles(file, writer, reader)
    }

    /// Cycles from the issue of an operation of fixed latency until its general registers are
    /// available to every reader.
    pub fn result_cycles(&self, class: ClassId) -> u32 {
        let table = self.table(TableFile::General);
        let columns = self.class(class).write_columns().iter();
        let longest = columns.map(|column| table.longest(*column)).max();
        longest.unwrap_or(0)
    }

    /// Cycles between two writers of a register. `guarded` states whether the first has a guard, so
    /// that the old value may remain.
    ///
    /// For uniform registers the columns decide, for all others the groups of the classes.
    pub fn write_after_write(
        &self,
        file: TableFile,
        first: (ClassId, Column),
        guarded: bool,
        second: (ClassId, Column),
    ) -> u32 {
        match file {
            TableFile::Uniform | TableFile::UniformPredicate => {
                self.tables.uniform_overwrite(file, first.1, second.1)
            }
            TableFile::General | TableFile::Predicate => {
                let (first, mut second) = (self.class(first.0).group, self.class(second.0).group);
                // A predicate has no upper half. One that a comparison of 64 bits writes arrives later.
                if file == TableFile::Predicate && second == Group::Pair && first != Group::Pair {
                    second = Group::Coupled;
                }
                self.tables.overwrite(first, second, guarded)
            }
        }
    }

    /// Cycles between a reader and a later writer of a general register, if no scoreboard is needed
    /// for it.
    pub fn write_after_read(&self, first: ClassId, second: ClassId) -> u32 {
        let (first, second) = (self.class(first).group, self.class(second).group);
        self.tables.antidependence(first, second)
    }

    /// Whether the operands of an operation of variable latency have been read when the result of a later
    /// one arrives, without a wait.
    pub fn is_read_in_order(&self, earlier: ClassId, later: ClassId) -> bool {
        let class = self.class(earlier);
        let queue = class.operand_queue.filter(|_| !class.order_of_register);
        queue.is_some() && queue == self.class(later).operand_queue
    }

    /// The longest latency in any table: a fixed result of this age is available to every reader.
    pub fn longest_latency(&self) -> u32 {
        self.tables.longest
    }

    /// A table.
    pub fn table(&self, file: TableFile) -> &Table {
        self.tables.table(file)
    }
}
