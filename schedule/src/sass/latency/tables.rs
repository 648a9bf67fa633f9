//! Cycles between dependent instructions, class by class.

use serde::Deserialize;
use toml::Spanned;

use super::parse::{Complaint, parse_toml, text};
use crate::machine::ModelError;

/// The register files that have a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableFile {
    /// General registers.
    General,
    /// Predicates.
    Predicate,
    /// Uniform registers.
    Uniform,
    /// Uniform predicates.
    UniformPredicate,
}

impl TableFile {
    /// All of them, in the order of their tables.
    pub const ALL: [TableFile; 4] = [
        TableFile::General,
        TableFile::Predicate,
        TableFile::Uniform,
        TableFile::UniformPredicate,
    ];

    /// Whether its registers belong to all threads of a warp.
    pub const fn is_uniform(self) -> bool {
        matches!(self, TableFile::Uniform | TableFile::UniformPredicate)
    }

    /// Its name in the files.
    pub const fn name(self) -> &'static str {
        match self {
            TableFile::General => "general",
            TableFile::Predicate => "predicate",
            TableFile::Uniform => "uniform",
            TableFile::UniformPredicate => "uniform-predicate",
        }
    }
}

/// A writer's column of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(pub(super) u8);

/// A reader's row of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Row(pub(super) u8);

/// The latencies of a register file: readers are rows, writers columns.
#[derive(Clone, Debug)]
pub struct Table {
    /// The register file.
    pub file: TableFile,
    /// Names of the columns.
    pub writers: Vec<String>,
    /// Names of the rows.
    pub readers: Vec<String>,
    /// The source of each row.
    pub sources: Vec<String>,
    /// Cycles, row by row.
    pub(super) cycles: Vec<u8>,
}

impl Table {
    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<Column> {
        let index = self.writers.iter().position(|writer| writer == name)?;
        u8::try_from(index).ok().map(Column)
    }

    /// The row of a name.
    pub fn row(&self, name: &str) -> Option<Row> {
        let index = self.readers.iter().position(|reader| reader == name)?;
        u8::try_from(index).ok().map(Row)
    }

    fn index(&self, column: Column, row: Row) -> usize {
        usize::from(row.0) * self.writers.len() + usize::from(column.0)
    }

    /// Cycles from the writer's issue to the reader's.
    pub fn cycles(&self, column: Column, row: Row) -> u32 {
        let found = self.cycles.get(self.index(column, row));
        u32::from(found.copied().unwrap_or(1))
    }

    /// Cycles from the writer's issue to that of its slowest reader.
    pub(super) fn longest(&self, column: Column) -> u32 {
        let rows = self.cycles.chunks(self.writers.len().max(1));
        let cycles = rows.filter_map(|row| row.get(usize::from(column.0)));
        cycles.max().copied().map_or(0, u32::from)
    }

    pub(super) fn set(&mut self, column: Column, row: Row, cycles: u8) {
        let index = self.index(column, row);
        if let Some(value) = self.cycles.get_mut(index) {
            *value = cycles;
        }
    }
}

/// The groups used by the rules for two writers, or a reader and a writer, of a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// Reads its operands at a known time after issue.
    Coupled,
    /// FP64 on a separate unit.
    Double,
    /// Half-precision products on the tensor path.
    HalfMultiply,
    /// Matrix products.
    Tensor,
    /// Coupled, with registers of 64 bits: the upper half is read and written a cycle later.
    Pair,
    /// Reads its operands when its queue reaches it.
    Decoupled,
}

impl Group {
    /// The number of groups.
    pub const COUNT: usize = 6;

    const fn index(self) -> usize {
        self as usize
    }

    /// Its name in the files.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Coupled => "coupled",
            Group::Double => "double",
            Group::HalfMultiply => "half-multiply",
            Group::Tensor => "tensor",
            Group::Pair => "pair",
            Group::Decoupled => "decoupled",
        }
    }
}

/// A rule between two groups of classes.
#[derive(Clone, Debug)]
pub(super) struct GroupRule {
    pub(super) first: Group,
    pub(super) second: Group,
    pub(super) cycles: u8,
    pub(super) guarded: u8,
    pub(super) source: String,
}

/// A rule between two columns of the uniform tables.
#[derive(Clone, Debug)]
pub(super) struct UniformRule {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) cycles: u8,
    pub(super) source: String,
}

/// All tables of a machine.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) name: String,
    pub(super) source: String,
    pub(super) tables: [Table; 4],
    pub(super) overwrites: Vec<GroupRule>,
    pub(super) antidependences: Vec<GroupRule>,
    pub(super) uniform_overwrites: Vec<UniformRule>,
    pub(super) longest: u32,
    overwrite_cycles: [[(u8, u8); Group::COUNT]; Group::COUNT],
    antidependence_cycles: [[u8; Group::COUNT]; Group::COUNT],
}

impl Tables {
    pub(super) fn table(&self, file: TableFile) -> &Table {
        let [general, predicate, uniform, uniform_predicate] = &self.tables;
        match file {
            TableFile::General => general,
            TableFile::Predicate => predicate,
            TableFile::Uniform => uniform,
            TableFile::UniformPredicate => uniform_predicate,
        }
    }

    pub(super) fn table_mut(&mut self, file: TableFile) -> &mut Table {
        let [general, predicate, uniform, uniform_predicate] = &mut self.tables;
        match file {
            TableFile::General => general,
            TableFile::Predicate => predicate,
            TableFile::Uniform => uniform,
            TableFile::UniformPredicate => uniform_predicate,
        }
    }

    pub(super) fn cycles(&self, file: TableFile, column: Column, row: Row) -> u32 {
        self.table(file).cycles(column, row)
    }

    pub(super) fn overwrite(&self, first: Group, second: Group, guarded: bool) -> u32 {
        let (cycles, more) = self.overwrite_cycles[first.index()][second.index()];
        u32::from(cycles) + if guarded { u32::from(more) } else { 0 }
    }

    pub(super) fn antidependence(&self, first: Group, second: Group) -> u32 {
        u32::from(self.antidependence_cycles[first.index()][second.index()])
    }

    pub(super) fn uniform_overwrite(&self, file: TableFile, first: Column, second: Column) -> u32 {
        let writers = &self.table(file).writers;
        let name = |column: Column| writers.get(usize::from(column.0)).map(String::as_str);
        let rule = self.uniform_overwrites.iter().find(|rule| {
            name(first) == Some(rule.first.as_str()) && name(second) == Some(rule.second.as_str())
        });
        rule.map_or(1, |rule| u32::from(rule.cycles))
    }

    /// Fills the lookup arrays. Pairs that no rule names take one cycle: their order.
    pub(super) fn finish(&mut self) {
        for rule in &self.overwrites {
            self.overwrite_cycles[rule.first.index()][rule.second.index()] =
                (rule.cycles, rule.guarded);
        }
        for rule in &self.antidependences {
            self.antidependence_cycles[rule.first.index()][rule.second.index()] = rule.cycles;
        }
        let tables = self.tables.iter().flat_map(|table| &table.cycles).copied();
        let rules = self
            .overwrites
            .iter()
            .map(|rule| rule.cycles + rule.guarded);
        let uniform = self.uniform_overwrites.iter().map(|rule| rule.cycles);
        let longest = tables.chain(rules).chain(uniform).max();
        self.longest = u32::from(longest.unwrap_or(1));
    }
}

/// Maximum latency: larger values indicate an error in a file.
const LONGEST_CYCLES: u8 = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTables {
    name: String,
    source: Spanned<String>,
    overwrites: Vec<RawRule>,
    antidependences: Vec<RawRule>,
    uniform_overwrites: Vec<RawUniformRule>,
    tables: Spanned<Vec<RawTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRule {
    first: Group,
    second: Group,
    cycles: Spanned<u8>,
    #[serde(default)]
    guarded: u8,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUniformRule {
    first: String,
    second: String,
    cycles: Spanned<u8>,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    file: TableFile,
    writers: Vec<String>,
    rows: Vec<RawRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRow {
    reader: Spanned<String>,
    cycles: Spanned<Vec<u8>>,
    source: Spanned<String>,
}

/// Reads a file of tables.
pub(super) fn parse(file: &str, contents: &str) -> Result<Tables, ModelError> {
    parse_toml(file, contents, build)
}

fn build(raw: RawTables) -> Result<Tables, Complaint> {
    let mut found: [Option<Table>; 4] = Default::default();
    for table in raw.tables.get_ref() {
        let slot = TableFile::ALL.iter().position(|file| *file == table.file);
        if let Some(slot) = slot.and_then(|slot| found.get_mut(slot)) {
            *slot = Some(build_table(table)?);
        }
    }
    let [
        Some(general),
        Some(predicate),
        Some(uniform),
        Some(uniform_predicate),
    ] = found
    else {
        let message = "expected a table for each of general, predicate, uniform, uniform-predicate";
        return Err((raw.tables.span(), message.to_owned()));
    };
    let uniform_rule = |rule: &RawUniformRule| -> Result<UniformRule, Complaint> {
        Ok(UniformRule {
            first: rule.first.clone(),
            second: rule.second.clone(),
            cycles: cycles(rule.cycles.span(), *rule.cycles.get_ref())?,
            source: text(&rule.source)?,
        })
    };
    let mut tables = Tables {
        name: raw.name,
        source: text(&raw.source)?,
        tables: [general, predicate, uniform, uniform_predicate],
        overwrites: group_rules(&raw.overwrites)?,
        antidependences: group_rules(&raw.antidependences)?,
        uniform_overwrites: raw
            .uniform_overwrites
            .iter()
            .map(uniform_rule)
            .collect::<Result<_, _>>()?,
        longest: 1,
        overwrite_cycles: [[(1, 0); Group::COUNT]; Group::COUNT],
        antidependence_cycles: [[1; Group::COUNT]; Group::COUNT],
    };
    tables.finish();
    Ok(tables)
}

fn cycles(span: std::ops::Range<usize>, value: u8) -> Result<u8, Complaint> {
    if (1..=LONGEST_CYCLES).contains(&value) {
        return Ok(value);
    }
    let message = format!("{value} cycles are outside 1..{LONGEST_CYCLES}");
    Err((span, message))
}

/// Checks the rules of a file.
pub(super) fn group_rules(raw: &[RawRule]) -> Result<Vec<GroupRule>, Complaint> {
    let rule = |rule: &RawRule| -> Result<GroupRule, Complaint> {
        Ok(GroupRule {
            first: rule.first,
            second: rule.second,
            cycles: cycles(rule.cycles.span(), *rule.cycles.get_ref())?,
            guarded: rule.guarded.min(LONGEST_CYCLES),
            source: text(&rule.source)?,
        })
    };
    raw.iter().map(rule).collect()
}

fn build_table(raw: &RawTable) -> Result<Table, Complaint> {
    let mut table = Table {
        file: raw.file,
        writers: raw.writers.clone(),
        readers: Vec::new(),
        sources: Vec::new(),
        cycles: Vec::new(),
    };
    for row in &raw.rows {
        let name = row.reader.get_ref();
        if table.readers.contains(name) {
            return Err((row.reader.span(), format!("duplicate row `{name}`")));
        }
        if row.cycles.get_ref().len() != raw.writers.len() {
            let (expected, found) = (raw.writers.len(), row.cycles.get_ref().len());
            let message = format!("expected {expected} cycles, one per writer, found {found}");
            return Err((row.cycles.span(), message));
        }
        for value in row.cycles.get_ref() {
            table.cycles.push(cycles(row.cycles.span(), *value)?);
        }
        table.readers.push(name.clone());
        table.sources.push(text(&row.source)?);
    }
    Ok(table)
}
