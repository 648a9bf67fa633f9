use super::Measured;
use super::records::{self, Evidence, Nearest, Record, Support, is_enough};
use crate::sass::facts::FunctionFacts;
use crate::sass::latency::{Cell, Group, LatencyModel, MACHINES, TableFile};
use crate::sass::test_support::{function as test_function, real_functions};

/// Cells that no real code holds: their value is only stated by a source. Lower this number when
/// evidence is added; it rises only with new cells, when a row or a column has been divided.
const STATED_ONLY: usize = 1744 + OF_MAXWELL;
/// All cells of sm_50, of which no code was measured.
const OF_MAXWELL: usize = 187;

const EVIDENCE: [(&str, &str); 12] = [
    ("sm_50", include_str!("../machines/evidence/sm_50.toml")),
    ("sm_70", include_str!("../machines/evidence/sm_70.toml")),
    ("sm_75", include_str!("../machines/evidence/sm_75.toml")),
    ("sm_80", include_str!("../machines/evidence/sm_80.toml")),
    ("sm_86", include_str!("../machines/evidence/sm_86.toml")),
    ("sm_89", include_str!("../machines/evidence/sm_89.toml")),
    ("sm_90", include_str!("../machines/evidence/sm_90.toml")),
    ("sm_100", include_str!("../machines/evidence/sm_100.toml")),
    ("sm_103", include_str!("../machines/evidence/sm_103.toml")),
    ("sm_107", include_str!("../machines/evidence/sm_107.toml")),
    ("sm_110", include_str!("../machines/evidence/sm_110.toml")),
    ("sm_120", include_str!("../machines/evidence/sm_120.toml")),
];

/// The writers whose unit is another one on some machines of a table, and those machines.
const OTHER_UNITS: [(&str, &str); 2] = [("tensor", "sm_120"), ("double", "sm_107")];

/// The models, parsed from their texts, with their evidence.
fn all() -> Vec<(LatencyModel, Evidence)> {
    let models = MACHINES.map(|(_, file, text)| LatencyModel::parse(file, text).expect(file));
    let evidence = EVIDENCE.map(|(machine, text)| records::parse(machine, text).expect(machine));
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
fn contradiction(model: &LatencyModel, cell: Cell, record: &Record) -> Option<String> {
    let (name, cycles) = (cell.name(model), cell.value(model));
    let machine = model.name();
    if cycles != record.cycles {
        let why = match &record.support {
            Support::Measured { instance, .. } if cycles > record.cycles => {
                let (from, to) = (&instance.from, &instance.to);
                format!("real code issues `{from}` and `{to}` at {}", record.cycles)
            }
            Support::Measured { pairs, .. } => {
                let (all, least) = (pairs[1], record.cycles);
                format!("none of {all} pairs of real code is nearer than {least}")
            }
            Support::Stated { source, .. } => format!("{source} states {}", record.cycles),
        };
        return Some(format!("{machine}: {name} is {cycles}, but {why}"));
    }
    let instance = record.instance().filter(|_| cell.is_simulated())?;
    let wrong = instance.check(model, cycles)?;
    Some(format!("{machine}: {name}: {wrong}"))
}

#[test]
fn every_cell_has_evidence_and_agrees_with_it() {
    let mut wrong = Vec::new();
    for (model, evidence) in all() {
        let cells = Cell::all(&model);
        for cell in cells.iter().copied() {
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
        for cell in Cell::all(&model) {
            let name = cell.name(&model);
            let record = evidence.records.get(&name).expect("a record");
            for delta in [-1, 1] {
                let changed = cell.perturbed(&model, delta);
                assert_ne!(cell.value(&changed), cell.value(&model), "{name}");
                let found = contradiction(&changed, cell, record);
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
        for cell in Cell::all(&model) {
            let record = &evidence.records[&cell.name(&model)];
            let Some(found) = record.instance().filter(|_| cell.is_simulated()) else {
                continue;
            };
            let higher = cell.perturbed(&model, 1);
            assert!(
                found
                    .hazards(&higher, record.cycles)
                    .contains(&(record.cycles + 1)),
                "{}: {}: {found:?}",
                model.name(),
                cell.name(&model)
            );
            tried += 1;
        }
    }
    assert!(tried > 350, "{tried}");
}

/// The nearest relatives of a cell without code are the same cells of the other machines of its table: it is
/// not below what enough pairs show of any of them.
#[test]
fn a_stated_cell_is_not_below_its_nearest_relatives() {
    let all = all();
    let (mut tried, mut wrong) = (0, Vec::new());
    for (model, evidence) in &all {
        let relatives = all.iter().filter(|(other, _)| {
            other.name() != model.name() && other.table_name() == model.table_name()
        });
        let relatives: Vec<_> = relatives.collect();
        for (name, record) in &evidence.records {
            if record.instance().is_some() {
                continue;
            }
            for (other, theirs) in &relatives {
                let is_other = |(writer, machine): &(&str, &str)| {
                    name.contains(writer) && [model.name(), other.name()].contains(machine)
                };
                let Some(relative) = theirs.records.get(name) else {
                    continue;
                };
                let Support::Measured { pairs, .. } = relative.support else {
                    continue;
                };
                if !is_enough(model, relative.cycles, pairs) || OTHER_UNITS.iter().any(is_other) {
                    continue;
                }
                tried += 1;
                if record.cycles < relative.cycles {
                    wrong.push(format!(
                        "{}: {name} is {}, but {} of {} pairs for {} are at {}, none nearer",
                        model.name(),
                        record.cycles,
                        pairs[0],
                        pairs[1],
                        other.name(),
                        relative.cycles
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 50, "{tried}");
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
        let mut found = Measured::default();
        let facts = FunctionFacts::new(&function, model);
        super::measure::function(&mut found, model, &function, &facts, &file);
        for (cell, pairs) in found.cells() {
            let name = cell.name(model);
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
        for cell in Cell::all(&model) {
            let (name, cycles) = (cell.name(&model), cell.value(&model));
            let nearest = evidence.records.get(&name).and_then(Record::nearest);
            let shows = |nearest: &Nearest| is_enough(&model, nearest.cycles, nearest.pairs);
            let Some(nearest) = nearest.filter(shows) else {
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
    let mut count = 0;
    for (name, record) in records {
        if let Support::Stated { source, reason, .. } = record.support {
            assert!(!source.is_empty(), "{name}: no source");
            assert!(!reason.is_empty(), "{name}: no reason");
            count += 1;
        }
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
    const GROUPS: [Group; Group::COUNT] = [
        Group::Coupled,
        Group::Double,
        Group::HalfMultiply,
        Group::Tensor,
        Group::Pair,
        Group::Decoupled,
    ];
    for (model, _) in all() {
        let named = Cell::all(&model);
        for first in GROUPS {
            for second in GROUPS {
                for cell in [
                    Cell::Overwrite(first, second, false),
                    Cell::Overwrite(first, second, true),
                    Cell::Antidependence(first, second),
                ] {
                    let value = cell.value(&model);
                    assert!(named.contains(&cell) || value == 1, "{}", cell.name(&model));
                }
            }
        }
    }
}

/// A label ends no path; a jump does, whatever it leads to.
#[test]
fn pairs_are_met_across_a_label_but_not_across_a_jump() {
    let pairs = |between: &str| {
        let lines = format!(
            "B------:R-:W-:-:S04 IADD3 R0, R1, R2, RZ
            {between}.L_x_0:
            B------:R-:W-:-:S05 IADD3 R3, R0, R2, RZ
            B------:R-:W-:-:S05 EXIT"
        );
        let code = test_function("sm_90a", &lines);
        let model = LatencyModel::for_target("sm_90a").expect("a model");
        let facts = FunctionFacts::new(&code, model);
        let mut measured = Measured::default();
        super::measure::function(&mut measured, model, &code, &facts, "k");
        let cells = measured.cells();
        let mut sums = cells
            .iter()
            .filter(|(cell, _)| cell.name(model) == "general: alu -> alu");
        sums.next().map(|(_, pairs)| (pairs.least, pairs.all))
    };
    assert_eq!(pairs(""), Some((4, 1)));
    let jump = "B------:R-:W-:-:S05 BRA `(.L_x_0)\n";
    assert_eq!(pairs(jump), None);
}
