//! Instruction classes: their position in the tables, and the mechanism that signals completion.

use orison_machine::Opcode;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use toml::Spanned;

use super::parse::{Complaint, parse_toml, text};
use super::tables::{Column, Group, Row, TableFile, Tables};
use crate::machine::ModelError;

/// The mechanism that signals that a result is available.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// Time: the result is available after a fixed number of cycles.
    Fixed,
    /// A scoreboard.
    Variable,
    /// `WARPGROUP.DEPBAR`, which waits for groups of products.
    TensorGroup,
    /// None: there is no result that could be read too early.
    None,
}

/// A queue of operations of variable latency; operations of one queue keep their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Queue(u8);

/// The index of a class in its model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub(super) u16);

/// A class of instructions.
#[derive(Clone, Debug)]
pub struct Class {
    /// Name.
    pub name: String,
    /// The mechanism that signals results.
    pub mechanism: Mechanism,
    /// The group for overwriting rules.
    pub group: Group,
    /// The queue in which operands are read in order; a scoreboard of a later operation covers the
    /// operands of an earlier one.
    pub operand_queue: Option<Queue>,
    /// The queue in which results arrive in order; a scoreboard of a later operation covers the
    /// result of an earlier one.
    pub result_queue: Option<Queue>,
    /// The queue whose operands have been read when this one has issued: stores and shuffles before
    /// a `BAR` on sm_75.
    pub drains: Option<Queue>,
    /// Whether computed words protect its operands and results by its own scoreboard, whatever is known of
    /// their order.
    own_scoreboard: bool,
    /// The queue of operands whose order computed words rely on, where it is a part of `operand_queue`.
    relied_queue: Option<Queue>,
    /// Whether the order of its operand queue is known only for operations that read the same register.
    pub order_of_register: bool,
    /// Whether computed words wait before a uniform register that it reads is overwritten, as ptxas does.
    pub late_uniform: bool,
    /// Whether a predicate that it writes is there as soon as the operands have been read.
    pub predicate_with_operands: bool,
    /// Name of the functional unit.
    pub unit: String,
    /// Cycles until the result, to estimate the time of a scoreboard wait; hazards never use it.
    pub typical: u32,
    /// Cycles until the operands have been read, for the same estimate.
    pub operands_after: u32,
    /// The source of the class.
    pub source: String,
    writes: Vec<Column>,
    other_writes: [Column; 4],
    reads: [Row; 4],
    slots: Vec<Vec<Row>>,
    address: Row,
    /// The row for uniform registers of an address.
    uniform_address: Row,
    guard: [Row; 2],
}

/// The position of a register in an instruction that reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Position {
    /// In a source: its index, and which register of it.
    Source(u8, u8),
    /// In the brackets of a memory operand.
    Address,
    /// Anywhere else.
    Other,
}

impl Class {
    /// Whether a scoreboard signals its completion.
    pub fn is_variable(&self) -> bool {
        self.mechanism == Mechanism::Variable
    }

    /// The column for a result: `register` counts the registers of the result from 0.
    pub fn write_column(&self, file: TableFile, register: usize) -> Column {
        let last = self.writes.len().saturating_sub(1);
        match (file, self.writes.get(register.min(last))) {
            (TableFile::General, Some(column)) => *column,
            _ => self.other_writes[file_index(file)],
        }
    }

    /// The columns for the general registers of a result, in order; the last is used for all
    /// further ones.
    pub(super) fn write_columns(&self) -> &[Column] {
        &self.writes
    }

    /// The row for an operand.
    pub fn read_row(&self, file: TableFile, position: Position) -> Row {
        if file == TableFile::Uniform && position == Position::Address {
            return self.uniform_address;
        }
        if file != TableFile::General {
            return self.reads[file_index(file)];
        }
        let default = self.reads[file_index(file)];
        match position {
            Position::Address => self.address,
            Position::Source(slot, register) => {
                let rows = self.slots.get(usize::from(slot));
                let row = rows.and_then(|rows| rows.get(usize::from(register)).or(rows.last()));
                row.copied().unwrap_or(default)
            }
            Position::Other => default,
        }
    }

    /// The row for a guard: a predicate or a uniform predicate.
    pub fn guard_row(&self, uniform: bool) -> Row {
        self.guard[usize::from(uniform)]
    }

    /// Whether it is of variable latency but delivers nothing, as a store: no scoreboard signals results (of 100,000
    /// stores, reductions and copies of libraries none arms one).
    pub fn delivers_nothing(&self) -> bool {
        self.mechanism == Mechanism::Variable && self.writes.is_empty()
    }

    /// The operand queue whose order computed words rely on.
    pub fn relied_operands(&self) -> Option<Queue> {
        let queue = self.relied_queue.or(self.operand_queue);
        queue.filter(|_| !self.own_scoreboard)
    }

    /// The result queue whose order computed words rely on.
    pub fn relied_results(&self) -> Option<Queue> {
        self.result_queue.filter(|_| !self.own_scoreboard)
    }

    /// Whether any of its results is in a column.
    pub(super) fn has_column(&self, file: TableFile, column: Column) -> bool {
        let general = file == TableFile::General && self.writes.contains(&column);
        general || self.other_writes[file_index(file)] == column
    }

    /// Whether any of its operands, or its guard, is in a row.
    pub(super) fn has_row(&self, file: TableFile, row: Row) -> bool {
        let general =
            || self.address == row || self.slots.iter().flatten().any(|slot| *slot == row);
        let guard = match file {
            TableFile::Predicate => self.guard[0] == row,
            TableFile::UniformPredicate => self.guard[1] == row,
            TableFile::General => general(),
            TableFile::Uniform => false,
        };
        guard || self.reads[file_index(file)] == row
    }
}

const fn file_index(file: TableFile) -> usize {
    file as usize
}

/// A class that an instruction has under modifiers.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) modifiers: Vec<String>,
    pub(super) class: ClassId,
    /// Whether the row names machines: it takes precedence over one for all of them.
    pub(super) narrow: bool,
}

/// The classes of an instruction.
#[derive(Clone, Debug)]
pub(super) struct Assigned {
    /// Under modifiers: the first rule whose modifiers are all there takes precedence.
    pub(super) special: Vec<Rule>,
    /// Otherwise.
    pub(super) plain: ClassId,
}

impl Assigned {
    /// The class under modifiers, separated by periods.
    pub(super) fn class(&self, modifiers: &str) -> ClassId {
        let has = |modifier: &String| modifiers.split('.').any(|found| found == modifier);
        let mut special = self.special.iter();
        let rule = special.find(|rule| rule.modifiers.iter().all(has));
        rule.map_or(self.plain, |rule| rule.class)
    }
}

/// All classes of a model.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    pub(super) classes: Vec<Class>,
    /// By opcode, all of them.
    pub(super) by_opcode: Vec<Assigned>,
    pub(super) queues: Vec<String>,
    /// The class of what the instruction table does not have.
    pub(super) outside: ClassId,
}

impl Classes {
    pub(super) fn get(&self, class: ClassId) -> &Class {
        &self.classes[usize::from(class.0)]
    }

    pub(super) fn all(&self) -> &[Class] {
        &self.classes
    }

    pub(super) fn set_typical(&mut self, class: ClassId, cycles: u32) {
        self.classes[usize::from(class.0)].typical = cycles;
    }

    pub(super) fn queue_name(&self, queue: Queue) -> &str {
        self.queues
            .get(usize::from(queue.0))
            .map_or("", String::as_str)
    }

    pub(super) fn find(&self, opcode: Opcode, modifiers: &str) -> ClassId {
        self.by_opcode[opcode as usize].class(modifiers)
    }

    /// The mnemonics of a class, in order.
    pub(super) fn mnemonics(&self, class: ClassId) -> Vec<String> {
        let mut names = Vec::new();
        for (row, assigned) in orison_machine::Row::all().iter().zip(&self.by_opcode) {
            if assigned.plain == class {
                names.push(row.name.to_owned());
            }
            let special = assigned.special.iter().filter(|rule| rule.class == class);
            names.extend(special.map(|rule| format!("{}.{}", row.name, rule.modifiers.join("."))));
        }
        names.sort();
        names
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ClassId> {
        (0..self.classes.len()).filter_map(|index| u16::try_from(index).ok().map(ClassId))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClasses {
    outside: Spanned<String>,
    classes: Vec<RawClass>,
    instructions: Vec<RawInstructions>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClass {
    name: Spanned<String>,
    machines: Option<Vec<u32>>,
    mechanism: Mechanism,
    group: Group,
    #[serde(default)]
    writes: Vec<Spanned<String>>,
    reads: Option<Spanned<String>>,
    #[serde(default)]
    slots: Vec<Vec<Spanned<String>>>,
    address: Option<Spanned<String>>,
    uniform_address: Option<Spanned<String>>,
    predicate_writes: Option<Spanned<String>>,
    predicate_reads: Option<Spanned<String>>,
    uniform_writes: Option<Spanned<String>>,
    uniform_reads: Option<Spanned<String>>,
    uniform_predicate_writes: Option<Spanned<String>>,
    uniform_predicate_reads: Option<Spanned<String>>,
    operand_queue: Option<String>,
    result_queue: Option<String>,
    relied_queue: Option<String>,
    drains: Option<Spanned<String>>,
    #[serde(default)]
    own_scoreboard: bool,
    #[serde(default)]
    order_of_register: bool,
    unit: String,
    #[serde(default)]
    typical: u32,
    #[serde(default)]
    operands_after: u32,
    #[serde(default)]
    late_uniform: bool,
    #[serde(default)]
    predicate_with_operands: bool,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInstructions {
    class: Spanned<String>,
    mnemonics: Vec<Spanned<String>>,
    since: Option<u32>,
    until: Option<u32>,
    machines: Option<Vec<u32>>,
    source: Spanned<String>,
}

/// Reads a file of classes for a machine.
pub(super) fn parse(
    file: &str,
    contents: &str,
    tables: &Tables,
    capability: u32,
) -> Result<Classes, ModelError> {
    parse_toml(file, contents, |raw| build(&raw, tables, capability))
}

fn build(raw: &RawClasses, tables: &Tables, capability: u32) -> Result<Classes, Complaint> {
    let ids = Ids::new(raw, capability)?;
    let mut queues = Vec::new();
    let mut classes = Vec::with_capacity(raw.classes.len());
    for class in raw.classes.iter().filter(|class| class.is_of(capability)) {
        classes.push(build_class(class, tables, &mut queues)?);
    }
    check_queues(raw)?;
    let mut rules: Vec<Vec<Rule>> = vec![Vec::new(); orison_machine::Row::all().len()];
    for row in &raw.instructions {
        text(&row.source)?;
        ids.find(&row.class)?;
        for mnemonic in &row.mnemonics {
            let name = mnemonic.get_ref();
            let wrong = |message| (mnemonic.span(), format!("`{name}` {message}"));
            let (opcode, modifiers) = modifiers_of(name).map_err(wrong)?;
            if row.applies(capability) {
                let rule = row.rule(modifiers, ids.of_machine(&row.class)?);
                insert(&mut rules[opcode as usize], rule).map_err(wrong)?;
            }
        }
    }
    let assigned = orison_machine::Row::all()
        .iter()
        .zip(rules)
        .map(|(row, rules)| {
            assign(rules).ok_or_else(|| {
                let message = format!("`{}` has no class on sm_{capability}", row.name);
                (raw.outside.span(), message)
            })
        });
    Ok(Classes {
        by_opcode: assigned.collect::<Result<_, _>>()?,
        outside: ids.of_machine(&raw.outside)?,
        classes,
        queues,
    })
}

/// The classes of a file by name.
struct Ids<'a> {
    /// `None` for a class that the machine does not have.
    known: FxHashMap<&'a str, Option<ClassId>>,
    capability: u32,
}

impl<'a> Ids<'a> {
    fn new(raw: &'a RawClasses, capability: u32) -> Result<Ids<'a>, Complaint> {
        let mut known = FxHashMap::default();
        let mut free = (0_u16..).map(ClassId);
        for class in &raw.classes {
            let name = class.name.get_ref();
            let id = if class.is_of(capability) {
                let too_many = || (class.name.span(), "too many classes".to_owned());
                Some(free.next().ok_or_else(too_many)?)
            } else {
                None
            };
            if known.insert(name.as_str(), id).is_some() {
                return Err((class.name.span(), format!("duplicate class `{name}`")));
            }
        }
        Ok(Ids { known, capability })
    }

    fn find(&self, name: &Spanned<String>) -> Result<Option<ClassId>, Complaint> {
        let unknown = || (name.span(), format!("no class `{}`", name.get_ref()));
        let found = self.known.get(name.get_ref().as_str());
        found.copied().ok_or_else(unknown)
    }

    fn of_machine(&self, name: &Spanned<String>) -> Result<ClassId, Complaint> {
        let absent = || {
            let message = format!("sm_{} has no class `{}`", self.capability, name.get_ref());
            (name.span(), message)
        };
        self.find(name)?.ok_or_else(absent)
    }
}

fn check_queues(raw: &RawClasses) -> Result<(), Complaint> {
    for queue in raw.classes.iter().filter_map(|class| class.drains.as_ref()) {
        let mut classes = raw.classes.iter();
        if !classes.any(|class| class.operand_queue.as_ref() == Some(queue.get_ref())) {
            let message = format!("no class has the operand queue `{}`", queue.get_ref());
            return Err((queue.span(), message));
        }
    }
    Ok(())
}

/// Adds a rule to those of an instruction. Of two for the same modifiers, the one that names machines
/// is kept.
fn insert(rules: &mut Vec<Rule>, rule: Rule) -> Result<(), String> {
    let same = |other: &&mut Rule| other.modifiers == rule.modifiers;
    match rules.iter_mut().find(same) {
        None => rules.push(rule),
        Some(other) if other.narrow == rule.narrow => {
            return Err("has two classes on one machine".to_owned());
        }
        Some(other) if rule.narrow => *other = rule,
        Some(_) => {}
    }
    Ok(())
}

/// Orders the rules of an instruction: those with most modifiers come first. `None` if no rule applies
/// without modifiers.
fn assign(mut rules: Vec<Rule>) -> Option<Assigned> {
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.modifiers.len()));
    let plain = rules.pop().filter(|rule| rule.modifiers.is_empty())?.class;
    Some(Assigned {
        special: rules,
        plain,
    })
}

impl RawClass {
    fn is_of(&self, capability: u32) -> bool {
        is_listed(self.machines.as_ref(), capability)
    }
}

impl RawInstructions {
    fn applies(&self, capability: u32) -> bool {
        self.since.is_none_or(|since| capability >= since)
            && self.until.is_none_or(|until| capability <= until)
            && is_listed(self.machines.as_ref(), capability)
    }

    /// The class under modifiers.
    fn rule(&self, modifiers: Vec<String>, class: ClassId) -> Rule {
        Rule {
            modifiers,
            class,
            narrow: self.machines.is_some() || self.since.is_some() || self.until.is_some(),
        }
    }
}

/// Whether a class or a row is of a machine: it names this one, or none.
fn is_listed(machines: Option<&Vec<u32>>, capability: u32) -> bool {
    machines.is_none_or(|machines| machines.contains(&capability))
}

/// The instruction of a mnemonic, and the modifiers.
fn modifiers_of(mnemonic: &str) -> Result<(Opcode, Vec<String>), String> {
    let mut parts = mnemonic.split('.');
    let opcode = parts.next().and_then(Opcode::named);
    let unknown = || "is not an instruction of the table".to_owned();
    Ok((
        opcode.ok_or_else(unknown)?,
        parts.map(str::to_owned).collect(),
    ))
}

fn build_class(
    raw: &RawClass,
    tables: &Tables,
    queues: &mut Vec<String>,
) -> Result<Class, Complaint> {
    let names = Names {
        tables,
        class: raw.name.span(),
    };
    let general = TableFile::General;
    let reads = names.row(general, raw.reads.as_ref(), "alu")?;
    let rows = |row: &Vec<Spanned<String>>| -> Result<Vec<Row>, Complaint> {
        let row = row.iter();
        row.map(|name| names.row(general, Some(name), "")).collect()
    };
    let writes = raw.writes.iter();
    let mut queue = |name: &Option<String>| name.as_ref().map(|name| intern(queues, name));
    Ok(Class {
        name: raw.name.get_ref().clone(),
        mechanism: raw.mechanism,
        group: raw.group,
        operand_queue: queue(&raw.operand_queue),
        result_queue: queue(&raw.result_queue),
        relied_queue: queue(&raw.relied_queue),
        drains: queue(&raw.drains.as_ref().map(|name| name.get_ref().clone())),
        own_scoreboard: raw.own_scoreboard,
        order_of_register: raw.order_of_register,
        late_uniform: raw.late_uniform,
        predicate_with_operands: raw.predicate_with_operands,
        unit: raw.unit.clone(),
        typical: raw.typical,
        operands_after: raw.operands_after,
        source: text(&raw.source)?,
        writes: writes
            .map(|name| names.column(general, Some(name), ""))
            .collect::<Result<_, _>>()?,
        other_writes: names.writes(raw)?,
        reads: names.reads(raw, reads)?,
        slots: raw.slots.iter().map(rows).collect::<Result<_, _>>()?,
        address: match &raw.address {
            Some(_) => names.row(general, raw.address.as_ref(), "")?,
            None => reads,
        },
        uniform_address: match &raw.uniform_address {
            Some(_) => names.row(TableFile::Uniform, raw.uniform_address.as_ref(), "")?,
            None => names.row(TableFile::Uniform, raw.uniform_reads.as_ref(), "coupled")?,
        },
        guard: [
            names.row(TableFile::Predicate, None, "guard")?,
            names.row(TableFile::UniformPredicate, None, "guard")?,
        ],
    })
}

fn intern(queues: &mut Vec<String>, name: &str) -> Queue {
    let index = queues.iter().position(|queue| queue == name);
    let index = index.unwrap_or_else(|| {
        queues.push(name.to_owned());
        queues.len() - 1
    });
    Queue(u8::try_from(index).unwrap_or(u8::MAX))
}

/// Names of rows and columns, looked up in the tables.
struct Names<'a> {
    tables: &'a Tables,
    class: std::ops::Range<usize>,
}

impl Names<'_> {
    /// The columns by file; the general column is for results without a specific one.
    fn writes(&self, raw: &RawClass) -> Result<[Column; 4], Complaint> {
        let column = |file, name: &Option<_>| self.column(file, name.as_ref(), "decoupled");
        Ok([
            column(TableFile::General, &None)?,
            column(TableFile::Predicate, &raw.predicate_writes)?,
            column(TableFile::Uniform, &raw.uniform_writes)?,
            column(TableFile::UniformPredicate, &raw.uniform_predicate_writes)?,
        ])
    }

    /// The rows by file.
    fn reads(&self, raw: &RawClass, general: Row) -> Result<[Row; 4], Complaint> {
        let row = |file, name: &Option<_>, default| self.row(file, name.as_ref(), default);
        Ok([
            general,
            row(TableFile::Predicate, &raw.predicate_reads, "late")?,
            row(TableFile::Uniform, &raw.uniform_reads, "coupled")?,
            row(
                TableFile::UniformPredicate,
                &raw.uniform_predicate_reads,
                "coupled",
            )?,
        ])
    }

    fn row(
        &self,
        file: TableFile,
        name: Option<&Spanned<String>>,
        default: &str,
    ) -> Result<Row, Complaint> {
        let (span, name) = self.name(name, default);
        let found = self.tables.table(file).row(name);
        found.ok_or_else(|| {
            (
                span,
                format!("no row `{name}` in the {} table", file.name()),
            )
        })
    }

    fn column(
        &self,
        file: TableFile,
        name: Option<&Spanned<String>>,
        default: &str,
    ) -> Result<Column, Complaint> {
        let (span, name) = self.name(name, default);
        let found = self.tables.table(file).column(name);
        found.ok_or_else(|| {
            let message = format!("no column `{name}` in the {} table", file.name());
            (span, message)
        })
    }

    fn name<'t>(
        &self,
        name: Option<&'t Spanned<String>>,
        default: &'t str,
    ) -> (std::ops::Range<usize>, &'t str) {
        match name {
            Some(name) => (name.span(), name.get_ref()),
            None => (self.class.clone(), default),
        }
    }
}
