//! Writes the files of evidence from listings.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use orison_sass::listing::{self, Listing};

use super::super::LatencyModel;
use super::cells::{self, Cell};
use super::instance::{self, Instance};
use super::measure::{self, Measured, Pairs};
use super::records::{self, Nearest, Record};

/// Measures all listings below a directory and those of this repository, and rewrites the files.
pub(super) fn campaign(directory: &Path, files: &[(&str, &str)]) {
    let mut measured: BTreeMap<String, Measured> = BTreeMap::new();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../dialects/sass/tests/real");
    let mut listings = below(directory);
    listings.extend(below(Path::new(shipped)));
    for file in listings {
        let text = std::fs::read_to_string(&file).expect("a listing");
        let parsed = listing::parse(&text).and_then(Listing::into_functions);
        let Ok(functions) = parsed else {
            println!("{}: not read", file.display());
            continue;
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        for function in &functions {
            if let Some(model) = LatencyModel::for_target(&function.target) {
                let all = measured.entry(model.name().to_owned()).or_default();
                measure::function(all, model, function, &name);
            }
        }
    }
    for (machine, old) in files {
        let model = LatencyModel::for_target(machine).expect("a model");
        let found = measured.remove(*machine).unwrap_or_default();
        let text = file(model, &found, old);
        let path = format!(
            "{}/src/sass/machines/evidence/{machine}.toml",
            env!("CARGO_MANIFEST_DIR")
        );
        std::fs::write(path, text).expect("written");
    }
}

fn below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(directory)
        .expect("a directory")
        .flatten()
        .collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            files.extend(below(&path));
        } else if path.extension().is_some_and(|end| end == "sass") {
            files.push(path);
        }
    }
    files
}

fn file(model: &LatencyModel, measured: &Measured, old: &str) -> String {
    let machine = model.name();
    let old = records::parse(machine, old);
    let (mut held, mut stated) = (String::new(), String::new());
    for cell in cells::all(model) {
        let (name, cycles) = (cell.name(model), cell.value(model));
        let pairs = measured.cells.get(&name);
        match pairs.and_then(|pairs| instance_of(model, &cell, pairs)) {
            Some((pairs, found)) => {
                let (at, all) = (pairs.at_least, pairs.all);
                let (from, to, place) = (&found.from, &found.to, &found.place);
                writeln!(held, "    {{ cell = \"{name}\", cycles = {cycles}, pairs = [{at}, {all}], from = {from:?}, to = {to:?}, in = {place:?} }},").expect("a line");
            }
            None => {
                let before = old.records.get(&name);
                let kept = before.and_then(|found| kept(found, cycles, pairs));
                if let Some((at, all, Instance { from, to, place })) = kept {
                    writeln!(held, "    {{ cell = \"{name}\", cycles = {cycles}, pairs = [{at}, {all}], from = {from:?}, to = {to:?}, in = {place:?} }},").expect("a line");
                    continue;
                }
                let nearest = nearest(before, cycles, pairs);
                let reason = reason(model, &cell, pairs, nearest);
                let before = before.filter(|found| !found.stated.is_empty());
                let source =
                    before.map_or_else(|| source(model, &cell), |found| found.stated.clone());
                let nearest = nearest.map_or_else(String::new, |Nearest { cycles, pairs }| {
                    format!(", nearest = {{ cycles = {cycles}, pairs = {pairs:?} }}")
                });
                writeln!(stated, "    {{ cell = \"{name}\", cycles = {cycles}, source = {source:?}, reason = {reason:?}{nearest} }},").expect("a line");
            }
        }
    }
    format!(
        "# Evidence for the latency cells of {machine}; README.md describes the format.\n\nmachine = \"{machine}\"\n\nmeasured = [\n{held}]\n\nstated = [\n{stated}]\n"
    )
}

/// The evidence of earlier listings, unless these have nearer pairs.
fn kept<'o>(
    before: &'o Record,
    cycles: u32,
    pairs: Option<&Pairs>,
) -> Option<(usize, usize, &'o Instance)> {
    let instance = before.instance.as_ref()?;
    let nearer = pairs.is_some_and(|pairs| pairs.least < cycles);
    (before.cycles == cycles && !nearer).then_some((before.at_least, before.pairs, instance))
}

/// The nearest pairs of these listings and of earlier ones, if they are farther than the cell.
fn nearest(before: Option<&Record>, cycles: u32, pairs: Option<&Pairs>) -> Option<Nearest> {
    let new = pairs.map(|pairs| Nearest {
        cycles: pairs.least,
        pairs: [pairs.at_least, pairs.all],
    });
    let old = before.and_then(|found| found.nearest);
    let found = match (new, old) {
        (Some(new), Some(old)) if old.cycles < new.cycles => old,
        (new, old) => new.or(old)?,
    };
    (found.cycles > cycles).then_some(found)
}

/// A pair that holds the cell from both sides.
fn instance_of<'p>(
    model: &LatencyModel,
    cell: &Cell,
    pairs: &'p Pairs,
) -> Option<(&'p Pairs, &'p Instance)> {
    let cycles = cell.value(model);
    if pairs.least != cycles {
        return None;
    }
    let mut found = pairs.instances.iter();
    let holds = |found: &&instance::Instance| {
        if !cell.is_simulated() {
            return true;
        }
        let higher = cell.perturbed(model, 1);
        instance::check(model, found, cycles).is_none()
            && instance::hazards(&higher, found, cycles).contains(&(cycles + 1))
    };
    found.find(holds).map(|found| (pairs, found))
}

fn reason(
    model: &LatencyModel,
    cell: &Cell,
    pairs: Option<&Pairs>,
    nearest: Option<Nearest>,
) -> String {
    let cycles = cell.value(model);
    match pairs {
        None if nearest.is_some() => "all pairs are farther".to_owned(),
        None => "no pair in the code measured".to_owned(),
        Some(pairs) if pairs.least == cycles => {
            let found = pairs.instances.first();
            println!(
                "{}: {} at {cycles}: no instance: {found:?}",
                model.name(),
                cell.name(model)
            );
            format!("no pair at {cycles} depends on this cell alone")
        }
        Some(pairs) => {
            let (least, at, all) = (pairs.least, pairs.at_least, pairs.all);
            let found = pairs.instances.first();
            println!(
                "{}: {} is {cycles}, measured {least} ({at} of {all}): {found:?}",
                model.name(),
                cell.name(model)
            );
            if nearest.is_some() {
                "all pairs are farther".to_owned()
            } else {
                format!("the nearest of {all} pairs is at {least}")
            }
        }
    }
}

/// The source of a number in the tables.
fn source(model: &LatencyModel, cell: &Cell) -> String {
    let tables = &model.tables;
    match cell {
        Cell::Read(file, column, row) => {
            let exception = model.machine.exceptions.iter().find(|found| {
                let table = model.table(*file);
                found.file == *file
                    && table.column(found.writer.get_ref()) == Some(*column)
                    && table.row(found.reader.get_ref()) == Some(*row)
            });
            let table = &model.table(*file).sources[usize::from(row.0)];
            exception.map_or(table, |found| &found.source).clone()
        }
        Cell::Overwrite(first, second, _) => {
            let mut rules = tables.overwrites.iter();
            let rule = rules.find(|rule| rule.first == *first && rule.second == *second);
            rule.map(|rule| rule.source.clone()).unwrap_or_default()
        }
        Cell::Antidependence(first, second) => {
            let mut rules = tables.antidependences.iter();
            let rule = rules.find(|rule| rule.first == *first && rule.second == *second);
            rule.map(|rule| rule.source.clone()).unwrap_or_default()
        }
        Cell::Uniform(rule) => tables.uniform_overwrites[*rule].source.clone(),
        Cell::Issue(row) => model.machine.issue_minimum[*row].source.clone(),
        Cell::Arm => model.scoreboards().source.clone(),
    }
}
