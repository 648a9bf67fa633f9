//! The files of evidence.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::instance::Instance;
use crate::machine::{ModelError, position};
use crate::sass::latency::LatencyModel;

/// The evidence for a machine.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Its name, such as `sm_90`.
    pub machine: String,
    /// The evidence by the name of the cell.
    pub records: BTreeMap<String, Record>,
}

/// The evidence for a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The cycles that the cell must have.
    pub cycles: u32,
    /// What shows it.
    pub support: Support,
}

/// What shows the cycles of a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Support {
    /// Real code at exactly this distance.
    Measured {
        /// Pairs at this distance, and all pairs: none is nearer.
        pairs: [usize; 2],
        /// One of them.
        instance: Instance,
    },
    /// No such code.
    Stated {
        /// The source of the number.
        source: String,
        /// Why there is no code.
        reason: String,
        /// What code there is, if all is farther.
        nearest: Option<Nearest>,
    },
}

/// The least distance of pairs of real code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nearest {
    /// The distance in cycles.
    pub cycles: u32,
    /// Pairs at this distance, and all pairs.
    pub pairs: [usize; 2],
}

/// All pairs, and those at the least distance, that show that no pair may be nearer: fewer may all
/// be far apart for other reasons. The same numbers as in `tools/judge_latencies_suite`.
const ENOUGH: [usize; 2] = [50, 300];

/// Whether enough pairs, of which the first number is at the least distance, show that none may be nearer. A distance
/// above the longest latency of the machine is no limit: a kernel with a loop of products has hundreds of equal ones.
pub fn is_enough(model: &LatencyModel, least: u32, [at_least, all]: [usize; 2]) -> bool {
    let [enough_at_least, enough] = ENOUGH;
    at_least >= enough_at_least && all >= enough && least <= model.longest_latency()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    machine: String,
    #[serde(default)]
    measured: Vec<Spanned<RawMeasured>>,
    #[serde(default)]
    stated: Vec<Spanned<RawStated>>,
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

impl Record {
    fn measured(found: RawMeasured) -> Record {
        let instance = Instance {
            from: found.from,
            to: found.to,
            place: found.r#in,
        };
        Record {
            cycles: found.cycles,
            support: Support::Measured {
                pairs: found.pairs,
                instance,
            },
        }
    }

    fn stated(found: RawStated) -> Record {
        Record {
            cycles: found.cycles,
            support: Support::Stated {
                source: found.source,
                reason: found.reason,
                nearest: found.nearest,
            },
        }
    }

    /// The real code at the distance of the cell.
    pub fn instance(&self) -> Option<&Instance> {
        match &self.support {
            Support::Measured { instance, .. } => Some(instance),
            Support::Stated { .. } => None,
        }
    }

    /// The nearest pairs, if all are farther than the cell.
    pub fn nearest(&self) -> Option<Nearest> {
        match &self.support {
            Support::Measured { .. } => None,
            Support::Stated { nearest, .. } => *nearest,
        }
    }
}

/// Reads a file of evidence.
///
/// # Errors
/// The first error, with file, line and column: malformed TOML, two records of a cell, or a measured cell
/// without pairs.
pub fn parse(file: &str, text: &str) -> Result<Evidence, ModelError> {
    let wrong = |start: usize, message: String| {
        let (line, column) = position(text, start);
        ModelError {
            file: file.to_owned(),
            line,
            column,
            message,
        }
    };
    let raw: RawFile = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        wrong(start, error.message().replace('\n', "; "))
    })?;
    let mut records = BTreeMap::new();
    for found in &raw.measured {
        let [at_least, all] = found.get_ref().pairs;
        if at_least == 0 || at_least > all {
            let message = format!("{at_least} of {all} pairs cannot be at the least distance");
            return Err(wrong(found.span().start, message));
        }
    }
    let measured = raw.measured.into_iter().map(|found| {
        let (start, found) = (found.span().start, found.into_inner());
        (start, found.cell.clone(), Record::measured(found))
    });
    let stated = raw.stated.into_iter().map(|found| {
        let (start, found) = (found.span().start, found.into_inner());
        (start, found.cell.clone(), Record::stated(found))
    });
    for (start, cell, record) in measured.chain(stated) {
        if records.insert(cell.clone(), record).is_some() {
            return Err(wrong(start, format!("two records of '{cell}'")));
        }
    }
    Ok(Evidence {
        machine: raw.machine,
        records,
    })
}
