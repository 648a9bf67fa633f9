//! Machine parameters: warps, scoreboards, units, and the weights of the scheduler's profile.

use orison_machine::Opcode;
use serde::Deserialize;
use toml::Spanned;

use super::MACHINES;
use super::parse::{Complaint, located, parse_toml, text};
use super::tables::{GroupRule, RawRule, TableFile, Tables, group_rules};
use crate::machine::{ModelError, override_by};

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
    /// The instruction.
    #[serde(rename = "mnemonic")]
    pub opcode: Opcode,
    /// Cycles.
    pub cycles: u32,
    /// The source of the value.
    pub source: String,
}

/// Cycles that ptxas leaves between two products of a matrix unit, by the columns of the first: a product
/// occupies the unit, and the next one starts before it ends.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductDistance {
    /// The instructions.
    pub mnemonics: Vec<Opcode>,
    /// Columns that the unit processes in a cycle.
    pub columns_per_cycle: u32,
    /// Cycles by which the next product starts before the unit is free.
    pub overlap: u32,
    /// The least distance, in cycles.
    pub least: u32,
    /// The source of the values.
    pub source: String,
}

impl ProductDistance {
    /// Cycles from a product of a shape to the next.
    pub fn cycles(&self, columns: u32) -> u32 {
        let occupied = columns / self.columns_per_cycle.max(1);
        occupied.saturating_sub(self.overlap).max(self.least)
    }
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

/// Another machine with the code and timing of a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Compute capability, such as 87.
    pub compute_capability: u32,
    /// What shows that they are equal.
    pub source: String,
}

/// Another machine that runs the code for this one, if its target has no letter or `f`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Portable {
    /// Its name, such as `sm_103`.
    pub(super) machine: Spanned<String>,
    /// What shows that original code is right on both.
    pub(super) source: String,
}

/// A machine file.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) name: String,
    pub(super) compute_capability: u32,
    pub(super) variants: Vec<Variant>,
    pub(super) portable: Option<Portable>,
    pub(super) latencies: String,
    latencies_span: std::ops::Range<usize>,
    pub(super) source: String,
    pub(super) warp: Warp,
    pub(super) scoreboards: Scoreboards,
    pub(super) issue_minimum: Vec<IssueMinimum>,
    pub(super) products: Vec<ProductDistance>,
    pub(super) units: Vec<Unit>,
    pub(super) profile: Profile,
    pub(super) exceptions: Vec<Exception>,
    pub(super) dual_issue: Vec<DualIssue>,
    /// Rules that replace those of the table for the same groups.
    overwrites: Vec<GroupRule>,
    antidependences: Vec<GroupRule>,
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

/// Classes whose instructions may issue in the same cycle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DualIssue {
    /// Those of the first of the two.
    pub(super) first: Vec<Spanned<String>>,
    /// Those of the second.
    pub(super) second: Vec<Spanned<String>>,
    /// How many of the two may read constant memory.
    pub(super) constants: u32,
    pub(super) source: String,
}

/// What a file states; the rest is that of its base.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMachine {
    name: String,
    compute_capability: u32,
    base: Option<Spanned<String>>,
    #[serde(default)]
    variants: Vec<Variant>,
    portable: Option<Portable>,
    latencies: Option<Spanned<String>>,
    source: Option<Spanned<String>>,
    exceptions: Option<Vec<Exception>>,
    dual_issue: Option<Vec<DualIssue>>,
    overwrites: Option<Vec<RawRule>>,
    antidependences: Option<Vec<RawRule>>,
    warp: Option<Warp>,
    scoreboards: Option<Spanned<Scoreboards>>,
    #[serde(default)]
    issue: RawIssue,
    #[serde(default)]
    units: Vec<Unit>,
    #[serde(default)]
    profile: RawProfile,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawIssue {
    minimum: Option<Vec<IssueMinimum>>,
    products: Option<Vec<ProductDistance>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProfile {
    warps: Option<u32>,
    dispatch_slots: Option<u32>,
    #[serde(default)]
    weights: Vec<ProfileWeight>,
    assumed_from: Option<String>,
    source: Option<String>,
}

/// The compute capabilities of a machine file and of its variants; none of a malformed one.
pub(super) fn capabilities(contents: &str) -> Vec<u32> {
    #[derive(Deserialize)]
    struct Capabilities {
        compute_capability: u32,
        #[serde(default)]
        variants: Vec<Variant>,
    }
    let Ok(found) = toml::from_str::<Capabilities>(contents) else {
        return Vec::new();
    };
    let variants = found.variants.iter();
    let variants = variants.map(|variant| variant.compute_capability);
    variants.chain([found.compute_capability]).collect()
}

/// Reads a machine file.
pub(super) fn parse(file: &str, contents: &str) -> Result<Machine, ModelError> {
    parse_toml(file, contents, build)
}

/// The embedded machine that a file changes. Machines before its own only, so that no chain of bases
/// is a cycle.
fn embedded_base(name: &Spanned<String>, capability: u32) -> Result<Machine, Complaint> {
    let older = MACHINES.iter().filter(|machine| machine.0 < capability);
    let known: Vec<_> = older
        .map(|(_, file, text)| (file.trim_end_matches(".toml"), file, text))
        .collect();
    let Some((_, file, text)) = known.iter().find(|known| known.0 == name.get_ref()) else {
        let names: Vec<&str> = known.iter().map(|known| known.0).collect();
        let message = format!(
            "unknown base `{}`, expected a machine before sm_{capability}: {}",
            name.get_ref(),
            names.join(", ")
        );
        return Err((name.span(), message));
    };
    parse(file, text).map_err(|error| (name.span(), error.to_string()))
}

/// A value of a file, or of its base.
fn own_or<T: Clone, B>(
    own: Option<T>,
    base: Option<&B>,
    of: fn(&B) -> &T,
    name: &str,
) -> Result<T, Complaint> {
    own.or_else(|| base.map(|base| of(base).clone()))
        .ok_or_else(|| (0..0, format!("missing field `{name}`, and no `base`")))
}

/// Checks that the machine that runs the code of another one is known.
fn check_portable(portable: &Portable) -> Result<(), Complaint> {
    let known = MACHINES.map(|(_, file, _)| file.trim_end_matches(".toml"));
    let name = portable.machine.get_ref();
    if known.contains(&name.as_str()) {
        return Ok(());
    }
    let message = format!(
        "unknown machine `{name}`, expected one of {}",
        known.join(", ")
    );
    Err((portable.machine.span(), message))
}

fn build(raw: RawMachine) -> Result<Machine, Complaint> {
    raw.portable.as_ref().map_or(Ok(()), check_portable)?;
    let base = raw.base.as_ref();
    let base = base.map(|name| embedded_base(name, raw.compute_capability));
    let base = base.transpose()?;
    if let Some(boards) = &raw.scoreboards
        && boards.get_ref().count != 6
    {
        let count = boards.get_ref().count;
        let message = format!("{count} scoreboards, but control words encode six");
        return Err((boards.span(), message));
    }
    let of_base = base.as_ref();
    let latencies_span = raw.latencies.as_ref().map_or(0..0, Spanned::span);
    // Exceptions and rules are of a table: another one comes without.
    let of_table = of_base.filter(|_| raw.latencies.is_none());
    let exceptions = raw
        .exceptions
        .or_else(|| Some(of_table?.exceptions.clone()));
    let rules = |own: Option<Vec<RawRule>>, of: fn(&Machine) -> &Vec<GroupRule>| {
        let own = own.as_deref().map(group_rules).transpose()?;
        let rules = own.or_else(|| Some(of(of_table?).clone()));
        Ok(rules.unwrap_or_default())
    };
    let overwrites = rules(raw.overwrites, |base| &base.overwrites)?;
    let antidependences = rules(raw.antidependences, |base| &base.antidependences)?;
    let latencies = raw.latencies.map(Spanned::into_inner);
    let source = raw.source.as_ref().map(text).transpose()?;
    let scoreboards = raw.scoreboards.map(Spanned::into_inner);
    let RawIssue { minimum, products } = raw.issue;
    let products = products.or_else(|| Some(of_base?.products.clone()));
    let pairs = raw.dual_issue;
    let pairs = pairs.or_else(|| Some(of_base?.dual_issue.clone()));
    Ok(Machine {
        name: raw.name,
        compute_capability: raw.compute_capability,
        variants: raw.variants,
        portable: raw.portable,
        latencies_span,
        latencies: own_or(latencies, of_base, |base| &base.latencies, "latencies")?,
        source: own_or(source, of_base, |base| &base.source, "source")?,
        warp: own_or(raw.warp, of_base, |base| &base.warp, "warp")?,
        scoreboards: own_or(
            scoreboards,
            of_base,
            |base| &base.scoreboards,
            "scoreboards",
        )?,
        issue_minimum: own_or(minimum, of_base, |base| &base.issue_minimum, "issue")?,
        products: products.unwrap_or_default(),
        units: override_by(of_base.map(|base| &base.units), raw.units, |unit| {
            &unit.name
        }),
        exceptions: exceptions.unwrap_or_default(),
        dual_issue: pairs.unwrap_or_default(),
        overwrites,
        antidependences,
        profile: profile(raw.profile, of_base.map(|base| &base.profile))?,
    })
}

fn profile(raw: RawProfile, base: Option<&Profile>) -> Result<Profile, Complaint> {
    let weights = override_by(base.map(|base| &base.weights), raw.weights, |weight| {
        &weight.name
    });
    Ok(Profile {
        warps: own_or(raw.warps, base, |base| &base.warps, "profile.warps")?,
        dispatch_slots: own_or(
            raw.dispatch_slots,
            base,
            |base| &base.dispatch_slots,
            "profile.dispatch_slots",
        )?,
        weights,
        assumed_from: raw.assumed_from,
        source: own_or(raw.source, base, |base| &base.source, "profile.source")?,
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
        let own = [&self.overwrites, &self.antidependences];
        let all = [&mut tables.overwrites, &mut tables.antidependences];
        for (own, all) in own.into_iter().zip(all) {
            for own in own {
                all.retain(|rule| (rule.first, rule.second) != (own.first, own.second));
                all.push(own.clone());
            }
        }
        tables.finish();
        Ok(())
    }
}
