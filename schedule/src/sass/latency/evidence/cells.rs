//! The cells of a model: each number of its tables that a hazard can depend on.

use super::super::classes::Group;
use super::super::{Column, LatencyModel, Row, TableFile};

/// A number of a model.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// Writer to reader.
    Read(TableFile, Column, Row),
    /// Writer to writer; `true` if the first has a guard.
    Overwrite(Group, Group, bool),
    /// Reader to writer.
    Antidependence(Group, Group),
    /// Writer to writer of a uniform register: the index of the rule.
    Uniform(usize),
    /// The least stall of an instruction: the index of the row.
    Issue(usize),
    /// From arming a scoreboard until a wait observes it.
    Arm,
}

/// All pairs of groups.
pub(super) fn group_pairs() -> impl Iterator<Item = (Group, Group)> {
    const GROUPS: [Group; Group::COUNT] = [
        Group::Coupled,
        Group::Double,
        Group::HalfMultiply,
        Group::Tensor,
        Group::Decoupled,
    ];
    let pairs = |first| GROUPS.into_iter().map(move |second| (first, second));
    GROUPS.into_iter().flat_map(pairs)
}

/// The name of a cell of two groups, as used in the records.
pub(super) fn overwrite_name(first: Group, second: Group, guarded: bool) -> String {
    let guarded = if guarded { " with a guard" } else { "" };
    format!("overwrite: {}{guarded} -> {}", first.name(), second.name())
}

/// Like [`overwrite_name`].
pub(super) fn antidependence_name(first: Group, second: Group) -> String {
    format!("antidependence: {} -> {}", first.name(), second.name())
}

/// Like [`overwrite_name`].
pub(super) fn read_name(model: &LatencyModel, file: TableFile, column: Column, row: Row) -> String {
    let table = model.table(file);
    let writer = &table.writers[usize::from(column.0)];
    let reader = &table.readers[usize::from(row.0)];
    format!("{}: {writer} -> {reader}", file.name())
}

/// All cells of a model but those of variable writers, which are not looked up.
pub(super) fn all(model: &LatencyModel) -> Vec<Cell> {
    let mut cells = Vec::new();
    for file in TableFile::ALL {
        let table = model.table(file);
        for reader in &table.readers {
            let row = table.row(reader).expect("its own row");
            for writer in table.writers.iter().filter(|name| *name != "decoupled") {
                let column = table.column(writer).expect("its own column");
                cells.push(Cell::Read(file, column, row));
            }
        }
    }
    for rule in &model.tables.overwrites {
        cells.push(Cell::Overwrite(rule.first, rule.second, false));
        cells.push(Cell::Overwrite(rule.first, rule.second, true));
    }
    for rule in &model.tables.antidependences {
        cells.push(Cell::Antidependence(rule.first, rule.second));
    }
    cells.extend((0..model.tables.uniform_overwrites.len()).map(Cell::Uniform));
    cells.extend((0..model.machine.issue_minimum.len()).map(Cell::Issue));
    cells.push(Cell::Arm);
    cells
}

impl Cell {
    /// Its name in the records.
    pub(super) fn name(&self, model: &LatencyModel) -> String {
        match self {
            Cell::Read(file, column, row) => read_name(model, *file, *column, *row),
            Cell::Overwrite(first, second, guarded) => overwrite_name(*first, *second, *guarded),
            Cell::Antidependence(first, second) => antidependence_name(*first, *second),
            Cell::Uniform(rule) => {
                let rule = &model.tables.uniform_overwrites[*rule];
                format!("uniform overwrite: {} -> {}", rule.first, rule.second)
            }
            Cell::Issue(row) => format!(
                "issue: {}",
                model.machine.issue_minimum[*row].opcode.row().name
            ),
            Cell::Arm => "scoreboard: arm -> wait".to_owned(),
        }
    }

    /// Its cycles, as the public functions of the model return them.
    pub(super) fn value(&self, model: &LatencyModel) -> u32 {
        match self {
            Cell::Read(file, column, row) => model.read_after_write(*file, *column, *row),
            Cell::Overwrite(first, second, guarded) => {
                model.tables.overwrite(*first, *second, *guarded)
            }
            Cell::Antidependence(first, second) => model.tables.antidependence(*first, *second),
            Cell::Uniform(rule) => {
                let rule = &model.tables.uniform_overwrites[*rule];
                let uniform = TableFile::Uniform;
                let column = |name: &str| model.table(uniform).column(name).expect("a column");
                let (first, second) = (column(&rule.first), column(&rule.second));
                model.tables.uniform_overwrite(uniform, first, second)
            }
            Cell::Issue(row) => {
                model.issue_minimum(model.machine.issue_minimum[*row].opcode.row().name)
            }
            Cell::Arm => model.scoreboards().arm_cycles,
        }
    }

    /// Whether the simulator reports a hazard where it is violated.
    pub(super) fn is_simulated(&self) -> bool {
        !matches!(self, Cell::Issue(_))
    }

    /// The model with this cell changed.
    pub(super) fn perturbed(&self, model: &LatencyModel, delta: i8) -> LatencyModel {
        let mut changed = model.clone();
        let tables = &mut changed.tables;
        match self {
            Cell::Read(file, column, row) => {
                let cycles = model.read_after_write(*file, *column, *row);
                let cycles = u8::try_from(cycles).expect("a small number");
                let table = tables.table_mut(*file);
                table.set(*column, *row, cycles.saturating_add_signed(delta));
            }
            Cell::Overwrite(first, second, guarded) => {
                let same = |rule: &&mut super::super::tables::GroupRule| {
                    rule.first == *first && rule.second == *second
                };
                let rule = tables.overwrites.iter_mut().find(same).expect("a rule");
                // A guard adds cycles, so the sum falls with the first number where it adds none.
                let number =
                    if *guarded && rule.guarded.saturating_add_signed(delta) != rule.guarded {
                        &mut rule.guarded
                    } else {
                        &mut rule.cycles
                    };
                *number = number.saturating_add_signed(delta);
            }
            Cell::Antidependence(first, second) => {
                let mut rules = tables.antidependences.iter_mut();
                let rule = rules.find(|rule| rule.first == *first && rule.second == *second);
                let rule = rule.expect("a rule");
                rule.cycles = rule.cycles.saturating_add_signed(delta);
            }
            Cell::Uniform(rule) => {
                let cycles = &mut tables.uniform_overwrites[*rule].cycles;
                *cycles = cycles.saturating_add_signed(delta);
            }
            Cell::Issue(row) => {
                let cycles = &mut changed.machine.issue_minimum[*row].cycles;
                *cycles = cycles.saturating_add_signed(delta.into());
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
