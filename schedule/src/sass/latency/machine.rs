//! Machine parameters: warps, scoreboards, units, and the weights of the scheduler's profile.

use serde::Deserialize;
use toml::Spanned;

use super::parse::{Complaint, located, parse_toml, text};
use super::tables::{TableFile, Tables};
use crate::machine::ModelError;

/// The resources of a warp.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warp {
    /// Warps a multiprocessor holds.
    pub warps: u32,
    /// General registers a thread may have.
    pub registers: u32,
    /// Instructions a warp issues in a cycle.
    pub issue_slots: u32,
    /// The source of the values.
    pub source: String,
}

/// The scoreboards of a warp (reference 3.4).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoreboards {
    /// Scoreboards per warp.
    pub count: u32,
    /// Cycles from arming until a wait observes it.
    pub arm_cycles: u32,
    /// The longest latency of a barrier in ptxas' rules; it orders evictions and releases nothing.
    pub longest_latency: u32,
    /// The longest stall in ptxas' rules, larger than the encoding permits.
    pub longest_stall: u32,
    /// Rows of ptxas' configuration: a grouping, never a number of scoreboards.
    #[serde(default)]
    pub configurations: u32,
    /// Triplets per row of the configuration.
    #[serde(default)]
    pub triplets: u32,
    /// Scoreboard identifiers that the configuration names.
    #[serde(default)]
    pub identifiers: Vec<u32>,
    /// The source of the values.
    pub source: String,
}

/// A functional unit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Name.
    pub name: String,
    /// Lanes of a multiprocessor that operate in a cycle.
    #[serde(default)]
    pub lanes: u32,
    /// For matrix units instead: half-precision multiply-adds per multiprocessor and cycle.
    #[serde(default)]
    pub multiply_adds: u32,
    /// The source of the values.
    pub source: String,
}

impl Unit {
    /// Cycles that the 32 lanes of a warp occupy one of the four partitions; 1 if the unit has no
    /// lane count.
    pub fn issue_interval(&self) -> u32 {
        match self.lanes / 4 {
            0 if self.lanes > 0 => 32,
            0 => 1,
            lanes => 32_u32.div_ceil(lanes).max(1),
        }
    }
}

/// Minimum cycles that ptxas leaves after an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssueMinimum {
    /// Base mnemonic.
    pub mnemonic: String,
    /// Cycles.
    pub cycles: u32,
    /// The source of the value.
    pub source: String,
}

/// A priority weight of the scheduler's profile.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileWeight {
    /// Kind of instruction.
    pub name: String,
    /// ptxas' scheduling class.
    pub class: u32,
    /// Latency in cycles in the cost model.
    pub latency: u32,
    /// Cycles between two of them in the cost model; 0 if they can issue back to back.
    pub inverse_throughput: u32,
}

/// The weights of the scheduler's profile (seed 000): priorities, never stalls.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Warps assumed by the cost model.
    pub warps: u32,
    /// Dispatch slots assumed by the cost model.
    pub dispatch_slots: u32,
    /// The weights.
    pub weights: Vec<ProfileWeight>,
    /// The machine whose weights are used, if the page has none for this one.
    pub assumed_from: Option<String>,
    /// The source of the values.
    pub source: String,
}

/// A machine file.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) name: String,
    pub(super) compute_capability: u32,
    pub(super) latencies: String,
    latencies_span: std::ops::Range<usize>,
    pub(super) source: String,
    pub(super) warp: Warp,
    pub(super) scoreboards: Scoreboards,
    pub(super) issue_minimum: Vec<IssueMinimum>,
    pub(super) units: Vec<Unit>,
    pub(super) profile: Profile,
    pub(super) exceptions: Vec<Exception>,
}

/// A table value that this machine overrides.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exception {
    pub(super) file: TableFile,
    pub(super) reader: Spanned<String>,
    pub(super) writer: Spanned<String>,
    pub(super) cycles: u8,
    pub(super) source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMachine {
    name: String,
    compute_capability: u32,
    latencies: Spanned<String>,
    source: Spanned<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
    warp: Warp,
    scoreboards: Spanned<Scoreboards>,
    issue: RawIssue,
    units: Vec<Unit>,
    profile: Profile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawIssue {
    minimum: Vec<IssueMinimum>,
}

/// Reads a machine file.
pub(super) fn parse(file: &str, contents: &str) -> Result<Machine, ModelError> {
    parse_toml(file, contents, build)
}

fn build(raw: RawMachine) -> Result<Machine, Complaint> {
    let count = raw.scoreboards.get_ref().count;
    if count != 6 {
        let message = format!("{count} scoreboards, but control words encode six");
        return Err((raw.scoreboards.span(), message));
    }
    Ok(Machine {
        name: raw.name,
        compute_capability: raw.compute_capability,
        latencies_span: raw.latencies.span(),
        latencies: raw.latencies.into_inner(),
        source: text(&raw.source)?,
        warp: raw.warp,
        scoreboards: raw.scoreboards.into_inner(),
        issue_minimum: raw.issue.minimum,
        units: raw.units,
        profile: raw.profile,
        exceptions: raw.exceptions,
    })
}

impl Machine {
    /// The message for a machine with unknown latencies.
    pub(super) fn unknown_latencies(
        &self,
        file: &str,
        contents: &str,
        known: &[&str],
    ) -> ModelError {
        let known = known.join(", ");
        let message = format!(
            "unknown latencies `{}`, expected one of {known}",
            self.latencies
        );
        located(file, contents, (self.latencies_span.clone(), message))
    }

    /// Applies the machine's overrides to its tables.
    pub(super) fn apply_exceptions(
        &self,
        file: &str,
        contents: &str,
        tables: &mut Tables,
    ) -> Result<(), ModelError> {
        for exception in &self.exceptions {
            let table = tables.table_mut(exception.file);
            let column = table.column(exception.writer.get_ref());
            let row = table.row(exception.reader.get_ref());
            let (Some(column), Some(row)) = (column, row) else {
                let missing = if column.is_none() {
                    &exception.writer
                } else {
                    &exception.reader
                };
                let message = format!("missing `{}` in the table", missing.get_ref());
                return Err(located(file, contents, (missing.span(), message)));
            };
            table.set(column, row, exception.cycles);
        }
        tables.finish();
        Ok(())
    }
}
