//! Writes the files of evidence.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use orison_schedule::sass::evidence::{Evidence, Instance, Nearest, Pairs, Record, Support, parse};
use orison_schedule::sass::latency::{Cell, LatencyModel};

use crate::{Failure, Learned};

/// A machine with its file of evidence.
struct File {
    path: std::path::PathBuf,
    model: &'static LatencyModel,
    old: Evidence,
}

/// Writes all files `sm_*.toml` of a directory again.
///
/// # Errors
/// If a file is not one of evidence, names a machine without a model, or cannot be written.
pub fn directory(directory: &Path, learned: &BTreeMap<String, Learned>) -> Result<(), Failure> {
    let unreadable = |error: std::io::Error| Failure::new(&directory.display(), &error);
    let entries = std::fs::read_dir(directory).map_err(unreadable)?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    paths.sort();
    for path in paths {
        let file = read(path)?;
        let found = learned.get(file.model.name());
        let cells = found
            .map(|found| found.measured.cells())
            .unwrap_or_default();
        let written = std::fs::write(&file.path, text(&file, &cells));
        written.map_err(|error| Failure::new(&file.path.display(), &error))?;
    }
    Ok(())
}

fn read(path: std::path::PathBuf) -> Result<File, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|error| Failure::new(&name, &error))?;
    let old = parse(&name, &text).map_err(|error| {
        let place = format!("{}:{}:{}", error.file, error.line, error.column);
        Failure::new(&place, &error.message)
    })?;
    let Some(model) = LatencyModel::for_target(&old.machine) else {
        let message = format!("there is no latency model of '{}'", old.machine);
        return Err(Failure::new(&name, &message));
    };
    Ok(File { path, model, old })
}

/// A file of evidence: that of all cells of the model, in the order of its tables.
fn text(file: &File, measured: &BTreeMap<Cell, Pairs>) -> String {
    let File { model, old, .. } = file;
    let machine = model.name();
    let (mut held, mut stated) = (String::new(), String::new());
    for cell in Cell::all(model) {
        let name = cell.name(model);
        let record = record(model, cell, old.records.get(&name), measured.get(&cell));
        let cycles = record.cycles;
        // Writing to a string cannot fail.
        let _ = match &record.support {
            Support::Measured { pairs, instance } => {
                let Instance { from, to, place } = instance;
                writeln!(
                    held,
                    "    {{ cell = \"{name}\", cycles = {cycles}, pairs = {pairs:?}, from = {from:?}, to = {to:?}, in = {place:?} }},"
                )
            }
            Support::Stated {
                source,
                reason,
                nearest,
            } => {
                let nearest = nearest.map_or_else(String::new, |Nearest { cycles, pairs }| {
                    format!(", nearest = {{ cycles = {cycles}, pairs = {pairs:?} }}")
                });
                writeln!(
                    stated,
                    "    {{ cell = \"{name}\", cycles = {cycles}, source = {source:?}, reason = {reason:?}{nearest} }},"
                )
            }
        };
    }
    format!(
        "# Evidence for the latency cells of {machine}; README.md describes the format.\n\nmachine = \"{machine}\"\n\nmeasured = [\n{held}]\n\nstated = [\n{stated}]\n"
    )
}

/// The record of a cell: of these listings, or of earlier ones that these do not contradict if those have more
/// pairs, else the source of the table.
fn record(model: &LatencyModel, cell: Cell, old: Option<&Record>, pairs: Option<&Pairs>) -> Record {
    let cycles = cell.value(model);
    let holds = |found: &&Instance| !cell.is_simulated() || found.holds(model, cell, cycles);
    let new = pairs
        .filter(|pairs| pairs.least == cycles)
        .and_then(|pairs| {
            let instance = pairs.instances.iter().find(holds)?.clone();
            let pairs = [pairs.at_least, pairs.all];
            Some(Support::Measured { pairs, instance })
        });
    let nearer = pairs.is_some_and(|pairs| pairs.least < cycles);
    let kept = old.filter(|old| old.cycles == cycles && !nearer);
    // When a cell has been divided, the pair may be one of another cell.
    let kept = kept.filter(|old| old.instance().filter(holds).is_some());
    let kept = kept.map(|old| old.support.clone());
    let count = |support: &Support| match support {
        Support::Measured { pairs, .. } => pairs[1],
        Support::Stated { .. } => 0,
    };
    // Of equal numbers that of these listings.
    let support = [new, kept]
        .into_iter()
        .flatten()
        .rev()
        .max_by_key(count)
        .unwrap_or_else(|| stated(model, cell, old, pairs));
    Record { cycles, support }
}

fn stated(
    model: &LatencyModel,
    cell: Cell,
    old: Option<&Record>,
    pairs: Option<&Pairs>,
) -> Support {
    let cycles = cell.value(model);
    let nearest = nearest(old.and_then(Record::nearest), cycles, pairs);
    let reason = match pairs {
        _ if nearest.is_some() => "all pairs are farther".to_owned(),
        None => "no pair in the code measured".to_owned(),
        Some(pairs) if pairs.least == cycles => {
            format!("no pair at {cycles} depends on this cell alone")
        }
        Some(pairs) => format!("the nearest of {} pairs is at {}", pairs.all, pairs.least),
    };
    // An earlier source is one of an earlier number, if that was another one.
    let old = old.filter(|old| old.cycles == cycles);
    let source = match old.map(|old| &old.support) {
        Some(Support::Stated { source, .. }) => source.clone(),
        Some(Support::Measured { .. }) | None => cell.source(model),
    };
    Support::Stated {
        source,
        reason,
        nearest,
    }
}

/// The nearest pairs of these listings and of earlier ones, if they are farther than the cell. Of equally
/// near ones those of the larger number of pairs.
fn nearest(old: Option<Nearest>, cycles: u32, pairs: Option<&Pairs>) -> Option<Nearest> {
    let new = pairs.map(|pairs| Nearest {
        cycles: pairs.least,
        pairs: [pairs.at_least, pairs.all],
    });
    let found = match (new, old) {
        (Some(new), Some(old)) if (old.cycles, new.pairs) < (new.cycles, old.pairs) => old,
        (new, old) => new.or(old)?,
    };
    (found.cycles > cycles).then_some(found)
}
