//! The cells of a model: each number of its tables that a hazard can depend on.

use orison_machine::Opcode;

use super::tables::{Group, GroupRule, UniformRule};
use super::{Column, LatencyModel, Row, TableFile};

/// A number of a model, in cycles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// From writer to reader.
    Read(TableFile, Column, Row),
    /// From writer to writer of a general register or predicate; `true` if the first has a guard.
    Overwrite(Group, Group, bool),
    /// From reader to writer of a general register.
    Antidependence(Group, Group),
    /// From writer to writer of a uniform register or predicate, by their columns in the uniform table.
    Uniform(Column, Column),
    /// The least stall of an instruction.
    Issue(Opcode),
    /// From arming a scoreboard until a wait observes it.
    Arm,
}

impl Cell {
    /// All cells of a model that are looked up: not those of variable writers, nor of rows, columns and
    /// groups that no class of the machine has.
    pub fn all(model: &LatencyModel) -> Vec<Cell> {
        let mut cells = Vec::new();
        for file in TableFile::ALL {
            let table = model.table(file);
            let columns = (0..).map(Column).zip(&table.writers);
            let written = |found: &(Column, &String)| {
                let mut classes = model.classes().iter();
                found.1 != "decoupled" && classes.any(|class| class.has_column(file, found.0))
            };
            let columns: Vec<Column> = columns.filter(written).map(|found| found.0).collect();
            let rows = (0..).map(Row).take(table.readers.len());
            for row in rows.filter(|row| {
                model
                    .classes()
                    .iter()
                    .any(|class| class.has_row(file, *row))
            }) {
                let cell = |column: &Column| Cell::Read(file, *column, row);
                cells.extend(columns.iter().map(cell));
            }
        }
        let has_group = |group| model.classes().iter().any(|class| class.group == group);
        let used = |rule: &&GroupRule| has_group(rule.first) && has_group(rule.second);
        for rule in model.tables.overwrites.iter().filter(used) {
            cells.push(Cell::Overwrite(rule.first, rule.second, false));
            cells.push(Cell::Overwrite(rule.first, rule.second, true));
        }
        for rule in model.tables.antidependences.iter().filter(used) {
            cells.push(Cell::Antidependence(rule.first, rule.second));
        }
        let uniform = model.tables.uniform_overwrites.iter();
        cells.extend(uniform.filter_map(|rule| uniform_cell(model, rule)));
        let issue = model.machine.issue_minimum.iter();
        cells.extend(issue.map(|row| Cell::Issue(row.opcode)));
        cells.push(Cell::Arm);
        cells
    }

    /// The cell of two writers of a uniform register or predicate, whose columns are of that file.
    pub fn of_uniform(
        model: &LatencyModel,
        file: TableFile,
        first: Column,
        second: Column,
    ) -> Option<Cell> {
        let writers = &model.table(file).writers;
        let uniform = model.table(TableFile::Uniform);
        let column = |column: Column| uniform.column(writers.get(usize::from(column.0))?);
        Some(Cell::Uniform(column(first)?, column(second)?))
    }

    /// Its name in the files of evidence, such as `general: alu -> fma`.
    pub fn name(self, model: &LatencyModel) -> String {
        match self {
            Cell::Read(file, column, row) => {
                let table = model.table(file);
                let writer = &table.writers[usize::from(column.0)];
                let reader = &table.readers[usize::from(row.0)];
                format!("{}: {writer} -> {reader}", file.name())
            }
            Cell::Overwrite(first, second, guarded) => {
                let guarded = if guarded { " with a guard" } else { "" };
                format!("overwrite: {}{guarded} -> {}", first.name(), second.name())
            }
            Cell::Antidependence(first, second) => {
                format!("antidependence: {} -> {}", first.name(), second.name())
            }
            Cell::Uniform(first, second) => {
                let writers = &model.table(TableFile::Uniform).writers;
                let name = |column: Column| &writers[usize::from(column.0)];
                format!("uniform overwrite: {} -> {}", name(first), name(second))
            }
            Cell::Issue(opcode) => format!("issue: {}", opcode.row().name),
            Cell::Arm => "scoreboard: arm -> wait".to_owned(),
        }
    }

    /// Its cycles, as the public functions of the model return them.
    pub fn value(self, model: &LatencyModel) -> u32 {
        match self {
            Cell::Read(file, column, row) => model.read_after_write(file, column, row),
            Cell::Overwrite(first, second, guarded) => {
                model.tables.overwrite(first, second, guarded)
            }
            Cell::Antidependence(first, second) => model.tables.antidependence(first, second),
            Cell::Uniform(first, second) => {
                let uniform = TableFile::Uniform;
                model.tables.uniform_overwrite(uniform, first, second)
            }
            Cell::Issue(opcode) => model.issue_minimum(Some(opcode)),
            Cell::Arm => model.scoreboards().arm_cycles,
        }
    }

    /// The source of the number; empty if no rule has it.
    pub fn source(self, model: &LatencyModel) -> String {
        let found = match self {
            Cell::Read(file, column, row) => {
                let table = model.table(file);
                let mut exceptions = model.machine.exceptions.iter();
                let exception = exceptions.find(|found| {
                    found.file == file
                        && table.column(found.writer.get_ref()) == Some(column)
                        && table.row(found.reader.get_ref()) == Some(row)
                });
                let of_row = table.sources.get(usize::from(row.0));
                exception.map(|found| &found.source).or(of_row)
            }
            Cell::Overwrite(first, second, _) => {
                let rule = group_rule(&model.tables.overwrites, first, second);
                rule.map(|rule| &rule.source)
            }
            Cell::Antidependence(first, second) => {
                let rule = group_rule(&model.tables.antidependences, first, second);
                rule.map(|rule| &rule.source)
            }
            Cell::Uniform(..) => {
                let mut rules = model.tables.uniform_overwrites.iter();
                let rule = rules.find(|rule| uniform_cell(model, rule) == Some(self));
                rule.map(|rule| &rule.source)
            }
            Cell::Issue(opcode) => {
                let mut rows = model.machine.issue_minimum.iter();
                rows.find(|row| row.opcode == opcode).map(|row| &row.source)
            }
            Cell::Arm => Some(&model.scoreboards().source),
        };
        found.cloned().unwrap_or_default()
    }

    /// Whether the simulator reports a hazard where it is violated.
    pub fn is_simulated(self) -> bool {
        !matches!(self, Cell::Issue(_))
    }

    /// The model with this cell changed, to see what depends on it.
    #[must_use]
    pub fn perturbed(self, model: &LatencyModel, delta: i8) -> LatencyModel {
        let mut changed = model.clone();
        let tables = &mut changed.tables;
        match self {
            Cell::Read(file, column, row) => {
                let cycles = u8::try_from(model.read_after_write(file, column, row));
                let cycles = cycles.unwrap_or(u8::MAX).saturating_add_signed(delta);
                tables.table_mut(file).set(column, row, cycles);
            }
            Cell::Overwrite(first, second, guarded) => {
                let mut rules = tables.overwrites.iter_mut();
                let rule = rules.find(|rule| rule.first == first && rule.second == second);
                if let Some(rule) = rule {
                    // A guard adds cycles, so the sum falls with the first number where it adds none.
                    let more = rule.guarded.saturating_add_signed(delta);
                    if guarded && more != rule.guarded {
                        rule.guarded = more;
                    } else {
                        rule.cycles = rule.cycles.saturating_add_signed(delta);
                    }
                }
            }
            Cell::Antidependence(first, second) => {
                let mut rules = tables.antidependences.iter_mut();
                let rule = rules.find(|rule| rule.first == first && rule.second == second);
                if let Some(rule) = rule {
                    rule.cycles = rule.cycles.saturating_add_signed(delta);
                }
            }
            Cell::Uniform(..) => {
                let mut rules = tables.uniform_overwrites.iter_mut();
                let rule = rules.find(|rule| uniform_cell(model, rule) == Some(self));
                if let Some(rule) = rule {
                    rule.cycles = rule.cycles.saturating_add_signed(delta);
                }
            }
            Cell::Issue(opcode) => {
                let mut rows = changed.machine.issue_minimum.iter_mut();
                if let Some(row) = rows.find(|row| row.opcode == opcode) {
                    row.cycles = row.cycles.saturating_add_signed(delta.into());
                }
            }
            Cell::Arm => {
                let cycles = &mut changed.machine.scoreboards.arm_cycles;
                *cycles = cycles.saturating_add_signed(delta.into());
            }
        }
        changed.tables.finish();
        changed
    }
}

fn group_rule(rules: &[GroupRule], first: Group, second: Group) -> Option<&GroupRule> {
    let mut rules = rules.iter();
    rules.find(|rule| rule.first == first && rule.second == second)
}

fn uniform_cell(model: &LatencyModel, rule: &UniformRule) -> Option<Cell> {
    let table = model.table(TableFile::Uniform);
    Some(Cell::Uniform(
        table.column(&rule.first)?,
        table.column(&rule.second)?,
    ))
}
