//! The files of evidence.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::instance::Instance;

/// The evidence for a machine, by the name of the cell.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub(super) machine: String,
    pub(super) records: BTreeMap<String, Record>,
}

/// The evidence for a cell.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The cycles that the cell must have.
    pub(super) cycles: u32,
    /// Pairs of real code with this dependence; none is nearer than `cycles`.
    pub(super) pairs: usize,
    /// Those at exactly `cycles`.
    pub(super) at_least: usize,
    /// Real code at exactly this distance.
    pub(super) instance: Option<Instance>,
    /// Without such code: the source of the number.
    pub(super) stated: String,
    /// And the reason.
    pub(super) reason: String,
    /// Without code at `cycles`: what code there is.
    pub(super) nearest: Option<Nearest>,
}

/// The least distance of pairs of real code.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nearest {
    pub(super) cycles: u32,
    /// Pairs at this distance, and all pairs.
    pub(super) pairs: [usize; 2],
}

/// All pairs, and those at the least distance, that show that no pair may be nearer: fewer may all
/// be far apart for other reasons. The same numbers as in `tools/judge_latencies_suite`.
const ENOUGH: [usize; 2] = [50, 300];

impl Nearest {
    /// Whether there are enough pairs to show that no pair may be nearer.
    pub(super) fn is_enough(self) -> bool {
        let [at_least, all] = self.pairs;
        let [enough_at_least, enough] = ENOUGH;
        at_least >= enough_at_least && all >= enough
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    machine: String,
    #[serde(default)]
    measured: Vec<RawMeasured>,
    #[serde(default)]
    stated: Vec<RawStated>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMeasured {
    cell: String,
    cycles: u32,
    /// Pairs at this distance, and all pairs.
    pairs: [usize; 2],
    from: String,
    to: String,
    r#in: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStated {
    cell: String,
    cycles: u32,
    source: String,
    reason: String,
    nearest: Option<Nearest>,
}

/// Reads a file of evidence.
pub(super) fn parse(machine: &str, text: &str) -> Evidence {
    let raw: RawFile = toml::from_str(text).unwrap_or_else(|error| panic!("{machine}: {error}"));
    assert_eq!(raw.machine, machine);
    let mut records = BTreeMap::new();
    let measured = raw.measured.into_iter().map(|found| {
        let [at_least, all] = found.pairs;
        assert!(0 < at_least && at_least <= all, "{}", found.cell);
        let record = Record {
            cycles: found.cycles,
            pairs: all,
            at_least,
            instance: Some(Instance {
                from: found.from,
                to: found.to,
                place: found.r#in,
            }),
            stated: String::new(),
            reason: String::new(),
            nearest: None,
        };
        (found.cell, record)
    });
    let stated = raw.stated.into_iter().map(|found| {
        let record = Record {
            cycles: found.cycles,
            pairs: 0,
            at_least: 0,
            instance: None,
            stated: found.source,
            reason: found.reason,
            nearest: found.nearest,
        };
        (found.cell, record)
    });
    for (cell, record) in measured.chain(stated) {
        let before = records.insert(cell.clone(), record);
        assert!(before.is_none(), "{machine}: two records for {cell}");
    }
    Evidence {
        machine: raw.machine,
        records,
    }
}
