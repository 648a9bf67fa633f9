//! Every latency cell of every machine is held from both sides by the evidence in
//! `machines/evidence`: real code that issues at exactly this distance (a larger cell would call it
//! a hazard), and the number of pairs of which none is nearer (a smaller cell would permit what no
//! real code does).
//!
//! `README.md` there describes the files, and how to measure them again.

mod cells;
mod instance;
mod measure;
mod records;
mod write;

use super::{LatencyModel, MACHINES, TableFile};
use crate::sass::test_support::real_functions;
use cells::Cell;
use records::{Evidence, Record};

/// Cells that no real code holds: their value is only stated by a source. Lower this number when
/// evidence is added; it must never rise.
const STATED_ONLY: usize = 1487;

const EVIDENCE: [(&str, &str); 9] = [
    ("sm_70", include_str!("../../machines/evidence/sm_70.toml")),
    ("sm_75", include_str!("../../machines/evidence/sm_75.toml")),
    ("sm_80", include_str!("../../machines/evidence/sm_80.toml")),
    ("sm_86", include_str!("../../machines/evidence/sm_86.toml")),
    ("sm_89", include_str!("../../machines/evidence/sm_89.toml")),
    ("sm_90", include_str!("../../machines/evidence/sm_90.toml")),
    (
        "sm_100",
        include_str!("../../machines/evidence/sm_100.toml"),
    ),
    (
        "sm_103",
        include_str!("../../machines/evidence/sm_103.toml"),
    ),
    (
        "sm_120",
        include_str!("../../machines/evidence/sm_120.toml"),
    ),
];

/// The models, parsed from their texts, with their evidence.
fn all() -> Vec<(LatencyModel, Evidence)> {
    let models = MACHINES.map(|(_, file, text)| LatencyModel::parse(file, text).expect(file));
    let evidence = EVIDENCE.map(|(machine, text)| records::parse(machine, text));
    let mut pairs = Vec::new();
    for model in models {
        let mut found = evidence
            .iter()
            .filter(|found| found.machine == model.name());
        let found = found.next().expect("a file of evidence").clone();
        pairs.push((model, found));
    }
    pairs
}

/// What contradicts the evidence for a cell.
fn contradiction(model: &LatencyModel, cell: &Cell, record: &Record) -> Option<String> {
    let (name, cycles) = (cell.name(model), cell.value(model));
    let machine = model.name();
    if cycles > record.cycles {
        let why = record.instance.as_ref().map_or_else(
            || format!("{} states {}", record.stated, record.cycles),
            |found| {
                format!(
                    "real code issues `{}` and `{}` at {}",
                    found.from, found.to, record.cycles
                )
            },
        );
        return Some(format!("{machine}: {name} is {cycles}, but {why}"));
    }
    if cycles < record.cycles {
        let why = match record.pairs {
            0 => format!("{} states {}", record.stated, record.cycles),
            pairs => format!(
                "none of {pairs} pairs of real code is nearer than {}",
                record.cycles
            ),
        };
        return Some(format!("{machine}: {name} is {cycles}, but {why}"));
    }
    let instance = record.instance.as_ref().filter(|_| cell.is_simulated())?;
    let wrong = instance::check(model, instance, cycles)?;
    Some(format!("{machine}: {name}: {wrong}"))
}

#[test]
fn every_cell_has_evidence_and_agrees_with_it() {
    let mut wrong = Vec::new();
    for (model, evidence) in all() {
        let cells = cells::all(&model);
        for cell in &cells {
            match evidence.records.get(&cell.name(&model)) {
                Some(record) => wrong.extend(contradiction(&model, cell, record)),
                None => wrong.push(format!(
                    "{}: {} has no record",
                    model.name(),
                    cell.name(&model)
                )),
            }
        }
        for name in evidence.records.keys() {
            if !cells.iter().any(|cell| cell.name(&model) == *name) {
                wrong.push(format!("{}: {name} is not a cell", model.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_cell_one_lower_or_one_higher_contradicts_its_evidence() {
    let mut tried = 0;
    for (model, evidence) in all() {
        for cell in cells::all(&model) {
            let name = cell.name(&model);
            let record = evidence.records.get(&name).expect("a record");
            for delta in [-1, 1] {
                let changed = cell.perturbed(&model, delta);
                assert_ne!(cell.value(&changed), cell.value(&model), "{name}");
                let found = contradiction(&changed, &cell, record);
                assert!(
                    found.is_some(),
                    "{} {name} {delta:+}: unnoticed",
                    model.name()
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 3_000, "{tried}");
}

/// The evidence is in the simulator, not only in numbers: the pair of real code is free of hazards
/// at its distance, and one with the cell raised.
#[test]
fn real_pairs_are_hazards_under_a_higher_cell_and_accepted_nearer_under_a_lower_one() {
    let mut tried = 0;
    for (model, evidence) in all() {
        for cell in cells::all(&model) {
            let record = &evidence.records[&cell.name(&model)];
            let Some(found) = record.instance.as_ref().filter(|_| cell.is_simulated()) else {
                continue;
            };
            let higher = cell.perturbed(&model, 1);
            assert!(
                instance::hazards(&higher, found, record.cycles).contains(&(record.cycles + 1)),
                "{}: {}: {found:?}",
                model.name(),
                cell.name(&model)
            );
            tried += 1;
        }
    }
    assert!(tried > 350, "{tried}");
}

/// What the listings of this repository show is in the evidence: no pair is nearer.
#[test]
fn shipped_listings_are_never_nearer_than_the_evidence() {
    let all = all();
    let mut seen = 0;
    for (file, function) in real_functions() {
        let model = LatencyModel::for_target(&function.target).expect("a model");
        let (_, evidence) = all
            .iter()
            .find(|(found, _)| found.name() == model.name())
            .expect("evidence");
        let mut found = measure::Measured::default();
        measure::function(&mut found, model, &function, &file);
        for (name, pairs) in found.cells {
            let Some(record) = evidence.records.get(&name) else {
                continue;
            };
            seen += 1;
            assert!(
                pairs.least >= record.cycles,
                "{file}: {name} at {}: {:?}",
                pairs.least,
                pairs.instances.first()
            );
        }
    }
    assert!(seen > 200, "{seen}");
}

/// A cell below the least distance of real code permits what no real code does.
#[test]
fn no_cell_is_below_the_least_distance_of_enough_pairs() {
    let mut below = Vec::new();
    for (model, evidence) in all() {
        for cell in cells::all(&model) {
            let (name, cycles) = (cell.name(&model), cell.value(&model));
            let nearest = evidence.records.get(&name).and_then(|found| found.nearest);
            let Some(nearest) = nearest.filter(|nearest| nearest.is_enough()) else {
                continue;
            };
            if cycles < nearest.cycles {
                let [at, all] = nearest.pairs;
                below.push(format!(
                    "{}: {name} is {cycles}, but the nearest of {all} pairs are {at} at {}",
                    model.name(),
                    nearest.cycles
                ));
            }
        }
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
}

#[test]
fn the_number_of_cells_without_real_code_only_falls() {
    let records = all().into_iter().flat_map(|(_, evidence)| evidence.records);
    let stated = records.filter(|(_, record)| record.instance.is_none());
    let mut count = 0;
    for (name, record) in stated {
        assert!(!record.stated.is_empty(), "{name}: no source");
        assert!(!record.reason.is_empty(), "{name}: no reason");
        count += 1;
    }
    assert_eq!(
        count, STATED_ONLY,
        "lower the number when evidence is added"
    );
}

/// Writers with a scoreboard have no latency to look up: their column says 1 everywhere.
#[test]
fn the_column_of_variable_writers_is_one_everywhere() {
    for (model, _) in all() {
        for file in TableFile::ALL {
            let table = model.table(file);
            let column = table.column("decoupled").expect("a column");
            for reader in &table.readers {
                let row = table.row(reader).expect("a row");
                assert_eq!(table.cycles(column, row), 1, "{} {reader}", model.name());
            }
        }
    }
}

/// Groups that no rule names are ordered by their issue alone.
#[test]
fn pairs_of_groups_without_a_rule_take_one_cycle() {
    for (model, _) in all() {
        for (first, second) in cells::group_pairs() {
            let rules = &model.tables;
            let named =
                |rule: &super::tables::GroupRule| rule.first == first && rule.second == second;
            if !rules.overwrites.iter().any(named) {
                assert_eq!(rules.overwrite(first, second, false), 1);
                assert_eq!(rules.overwrite(first, second, true), 1);
            }
            if !rules.antidependences.iter().any(named) {
                assert_eq!(rules.antidependence(first, second), 1);
            }
        }
    }
}

/// Measures listings again: `LISTINGS=<directory> cargo test -p orison-schedule --lib
/// evidence::campaign -- --ignored --nocapture`.
#[test]
#[ignore = "measures a directory of listings"]
fn campaign() {
    let directory = std::env::var("LISTINGS").expect("a directory of listings");
    write::campaign(std::path::Path::new(&directory), &EVIDENCE);
}
