//! The page of a dialect of many operations: tables with a row for each, a table for each source file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use super::documentation::{
    Row, attribute_row, cell, effects, header, row, types_and_attributes, value_row,
};
use super::{DialectDefinition, OperationDefinition, ValueDefinition, Variadicity};

/// The columns of a table of operations.
const COLUMNS: [&str; 6] = [
    "operation",
    "operands",
    "results",
    "attributes",
    "memory",
    "",
];

/// The cells of a row.
type Cells = [String; COLUMNS.len()];

/// The Markdown page of a dialect with its operations in tables: families, as they are divided in files.
/// Operands and attributes that three of four operations have are described once.
pub fn dialect_overview(dialect: &DialectDefinition) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, dialect);
    page
}

fn write_page(page: &mut String, dialect: &DialectDefinition) -> fmt::Result {
    header(page, dialect)?;
    let name = dialect.name;
    writeln!(
        page,
        "`orison-opt --emit-dialect-docs={name}` prints each operation with all its parts.\n"
    )?;
    writeln!(page, "## Operations\n")?;
    let common = Common::of(dialect);
    common.write(page)?;
    let mut families: BTreeMap<String, Vec<&OperationDefinition>> = BTreeMap::new();
    for definition in dialect.operations {
        families
            .entry(family(definition))
            .or_default()
            .push(definition);
    }
    for (family, operations) in &families {
        writeln!(page, "### {family}\n")?;
        let cells = operations.iter().map(|definition| common.cells(definition));
        table(page, &cells.collect::<Vec<_>>())?;
    }
    attributes(page, dialect, &common)?;
    types_and_attributes(page, dialect)
}

/// The name of a family: the file without its extension, in words.
fn family(definition: &OperationDefinition) -> String {
    let files = definition.file.rsplit('/');
    let mut stems = files.map(|file| file.split('.').next().unwrap_or_default());
    let words = stems.find(|stem| *stem != "mod").unwrap_or_default();
    let mut letters = words
        .chars()
        .map(|letter| if letter == '_' { ' ' } else { letter });
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The rows of the operands and attributes of an operation.
fn rows(definition: &OperationDefinition) -> impl Iterator<Item = Row> {
    let operands = definition.operands.iter().map(value_row);
    operands.chain(definition.attributes.iter().map(attribute_row))
}

/// The operands and attributes that three of four operations have.
struct Common {
    rows: BTreeSet<Row>,
    /// Operations without all of them.
    others: Vec<&'static str>,
}

impl Common {
    fn of(dialect: &DialectDefinition) -> Self {
        let operations = dialect.operations.iter().copied();
        let mut counts: BTreeMap<Row, usize> = BTreeMap::new();
        for row in operations.clone().flat_map(rows) {
            *counts.entry(row).or_default() += 1;
        }
        counts.retain(|_, count| *count > 1 && *count * 4 >= dialect.operations.len() * 3);
        let common: BTreeSet<Row> = counts.into_keys().collect();
        let lacks = |definition: &&'static OperationDefinition| {
            let own: BTreeSet<Row> = rows(definition).collect();
            !common.is_subset(&own)
        };
        let others = operations.filter(lacks);
        Common {
            others: others.map(|definition| definition.name).collect(),
            rows: common,
        }
    }

    fn write(&self, page: &mut String) -> fmt::Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self.others.iter().map(|name| format!("`{name}`")).collect();
        let but = match names.is_empty() {
            true => String::new(),
            false => format!(" but {}", names.join(", ")),
        };
        writeln!(
            page,
            "All operations{but} have these, which the tables leave out:\n"
        )?;
        writeln!(
            page,
            "| operand or attribute | type or form | |\n|---|---|---|"
        )?;
        self.rows.iter().try_for_each(|common| row(page, common))?;
        writeln!(page)
    }

    /// The cells of an operation.
    fn cells(&self, definition: &'static OperationDefinition) -> Cells {
        let lists_all = self.others.contains(&definition.name);
        let is_listed = |row: &Row| lists_all || !self.rows.contains(row);
        let values = |values: &'static [ValueDefinition]| {
            listed(values.iter().filter(|value| is_listed(&value_row(value))))
        };
        let attributes = definition.attributes.iter().map(attribute_row);
        let attributes = attributes.filter(is_listed);
        let attributes: Vec<String> = attributes.map(|(name, ..)| format!("`{name}`")).collect();
        let documentation = definition.documentation.trim();
        let first = documentation.split("\n\n").next().unwrap_or_default();
        [
            format!("`{}`", definition.name),
            values(definition.operands),
            values(definition.results),
            attributes.join(", "),
            effects(definition.effects).to_owned(),
            cell(first),
        ]
    }
}

/// Names and types: `a`, `b`: register; `carry`…: predicate.
fn listed(values: impl Iterator<Item = &'static ValueDefinition>) -> String {
    let mut groups: Vec<(Vec<String>, &str)> = Vec::new();
    for value in values {
        let mark = match value.variadicity {
            Variadicity::One => "",
            Variadicity::Optional => "?",
            Variadicity::Variadic => "…",
        };
        let name = format!("`{}`{mark}", value.name);
        match groups.last_mut() {
            Some((names, ty)) if *ty == value.constraint.summary => names.push(name),
            _ => groups.push((vec![name], value.constraint.summary)),
        }
    }
    let groups = groups.into_iter();
    let groups = groups.map(|(names, ty)| format!("{}: {ty}", names.join(", ")));
    cell(&groups.collect::<Vec<_>>().join("; "))
}

/// A table without the columns in which no row has anything.
fn table(page: &mut String, rows: &[Cells]) -> fmt::Result {
    let is_shown = |column: &usize| rows.iter().any(|row| !row[*column].is_empty());
    let shown: Vec<usize> = (0..COLUMNS.len()).filter(is_shown).collect();
    let titles: Vec<&str> = shown.iter().map(|column| COLUMNS[*column]).collect();
    writeln!(
        page,
        "| {} |\n|{}",
        titles.join(" | "),
        "---|".repeat(shown.len())
    )?;
    for row in rows {
        let cells: Vec<&str> = shown.iter().map(|column| row[*column].as_str()).collect();
        writeln!(page, "| {} |", cells.join(" | "))?;
    }
    writeln!(page)
}

/// The attributes of all operations, each form and meaning once.
fn attributes(page: &mut String, dialect: &DialectDefinition, common: &Common) -> fmt::Result {
    let attributes = dialect
        .operations
        .iter()
        .flat_map(|definition| definition.attributes);
    let mut all: BTreeSet<Row> = attributes.map(attribute_row).collect();
    all.retain(|own| !common.rows.contains(own));
    if all.is_empty() {
        return Ok(());
    }
    writeln!(page, "## Attributes of operations\n")?;
    writeln!(page, "| attribute | form | |\n|---|---|---|")?;
    all.iter().try_for_each(|own| row(page, own))?;
    writeln!(page)
}
