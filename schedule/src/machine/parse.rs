//! Parses a model from TOML, with a position for every error.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{
    Budget, CycleAnchor, EvaluatorCaps, Formula, LatencyFamily, MachineModel, OperationRow, Rate,
    RowUse, Slot, SlotKind, Variable,
};
use crate::modulo::{Pool, PoolUse};

/// Upper limit of durations and latencies that a row states as numbers.
const MAX_ROW_CYCLES: u32 = 1 << 13;

/// The budgets that a model can have.
const BUDGETS: [&str; 6] = [
    "smem",
    "tmem",
    "register_file",
    "alu_issue",
    "alu_or_fmaheavy_issue",
    "register_bank",
];

/// The anchors that a model can have.
const ANCHORS: [&str; 4] = [
    "near_sm_spill",
    "intra_cluster_fence",
    "far_memory",
    "cross_cluster",
];

/// A malformed machine model, located.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// The file name given by the caller.
    pub file: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// The error message.
    pub message: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: error: {}",
            self.file, self.line, self.column, self.message
        )
    }
}

impl std::error::Error for ModelError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawModel {
    name: String,
    compute_capability: u32,
    source: String,
    base: Option<Spanned<String>>,
    #[serde(default)]
    slots: Vec<RawSlot>,
    #[serde(default)]
    families: Vec<RawFamily>,
    #[serde(default)]
    pools: Vec<RawPool>,
    evaluator: Option<RawEvaluator>,
    #[serde(default)]
    budgets: Vec<RawBudget>,
    #[serde(default)]
    anchors: Vec<RawAnchor>,
    #[serde(default)]
    rates: Vec<RawRate>,
    #[serde(default)]
    rows: Vec<RawRow>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawKind {
    Coarse,
    Fine,
    Test,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSlot {
    number: Spanned<u8>,
    name: Spanned<String>,
    kind: RawKind,
    anchor: u32,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFamily {
    name: Spanned<String>,
    cycles: Spanned<u32>,
    slots: Vec<Spanned<String>>,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPool {
    name: Spanned<String>,
    capacity: Spanned<u32>,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEvaluator {
    tmem_in_iteration: u32,
    named_barrier_carry: u32,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBudget {
    name: Spanned<String>,
    limit: u64,
    unit: Spanned<String>,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAnchor {
    name: Spanned<String>,
    cycles: u32,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRate {
    name: Spanned<String>,
    value: Spanned<f64>,
    source: Spanned<String>,
}

/// One text or a list.
#[derive(Default, Deserialize)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
enum RawTexts {
    #[default]
    None,
    One(String),
    Many(Vec<String>),
}

impl RawTexts {
    fn list(&self) -> Vec<String> {
        match self {
            RawTexts::None => Vec::new(),
            RawTexts::One(text) => vec![text.clone()],
            RawTexts::Many(texts) => texts.clone(),
        }
    }
}

/// A number of cycles or a formula.
enum RawCycles {
    Number(u32),
    Formula(String),
}

impl<'de> Deserialize<'de> for RawCycles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CyclesVisitor;
        impl Visitor<'_> for CyclesVisitor {
            type Value = RawCycles;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("cycles or a formula")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<RawCycles, E> {
                let number = u32::try_from(value);
                number
                    .map(RawCycles::Number)
                    .map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<RawCycles, E> {
                Ok(RawCycles::Formula(text.to_owned()))
            }
        }
        deserializer.deserialize_any(CyclesVisitor)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRow {
    ops: Vec<Spanned<String>>,
    #[serde(default)]
    atom: RawTexts,
    #[serde(default)]
    body: RawTexts,
    from: Option<Spanned<String>>,
    to: Option<Spanned<String>>,
    uses: Vec<(Spanned<String>, Spanned<RawCycles>, Spanned<u32>)>,
    latency: Spanned<RawCycles>,
    #[serde(default)]
    pools: Vec<(Spanned<String>, Spanned<u32>)>,
    source: Spanned<String>,
}

/// An error at a range of the text.
type Complaint = (Range<usize>, String);

/// Parses and validates a model.
pub(super) fn parse(file: &str, text: &str) -> Result<MachineModel, ModelError> {
    let located = |(span, message): Complaint| {
        let (line, column) = position(text, span.start);
        ModelError {
            file: file.to_owned(),
            line,
            column,
            message,
        }
    };
    let raw: RawModel = toml::from_str(text).map_err(|error| {
        located((
            error.span().unwrap_or(0..0),
            error.message().replace('\n', "; "),
        ))
    })?;
    build(raw, text.len()).map_err(located)
}

/// Line and column of an offset, both from 1, the column in characters.
pub(crate) fn position(text: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        1 + before.matches('\n').count(),
        1 + before[line_start..].chars().count(),
    )
}

/// What a model takes from its base, and nothing without one.
#[derive(Default)]
struct Base {
    model: Option<&'static MachineModel>,
    /// The rows of the base and of its bases, whose formulas use the rates of this model.
    rows: Vec<RawRow>,
}

/// The base that a model names.
fn base(name: &Spanned<String>) -> Result<Base, Complaint> {
    let known = |name: &str| MachineModel::embedded_text(name);
    let missing = || {
        let names = MachineModel::EMBEDDED.join(", ");
        let message = format!("unknown base `{}`, expected one of {names}", name.get_ref());
        (name.span(), message)
    };
    let mut rows = Vec::new();
    let mut next = Some(name.get_ref().clone());
    while let Some(of) = next {
        let text = known(&of).ok_or_else(missing)?;
        let raw: RawModel = toml::from_str(text).map_err(|_| missing())?;
        rows.extend(raw.rows);
        next = raw.base.map(Spanned::into_inner);
    }
    Ok(Base {
        model: Some(MachineModel::by_name(name.get_ref()).ok_or_else(missing)?),
        rows,
    })
}

fn build(raw: RawModel, end: usize) -> Result<MachineModel, Complaint> {
    let base = raw.base.as_ref().map(base).transpose()?.unwrap_or_default();
    let missing = |what: &str| (end..end, format!("missing {what}"));
    if let (Some(name), Some(slot)) = (&raw.base, raw.slots.first()) {
        let message = format!("the slots are those of the base `{}`", name.get_ref());
        return Err((slot.number.span(), message));
    }
    if let (Some(name), Some(pool)) = (&raw.base, raw.pools.first()) {
        let message = format!("the pools are those of the base `{}`", name.get_ref());
        return Err((pool.name.span(), message));
    }
    let slots = match base.model {
        Some(model) => model.slots.clone(),
        None => slots(&raw.slots)?,
    };
    let pools = match base.model {
        Some(model) => model.pools.clone(),
        None => pools(&raw.pools)?,
    };
    let slot_numbers: BTreeMap<&str, u8> = slots
        .iter()
        .map(|slot| (slot.name.as_str(), slot.number))
        .collect();
    let evaluator = match (raw.evaluator, base.model) {
        (Some(own), _) => EvaluatorCaps {
            tmem_in_iteration: own.tmem_in_iteration,
            named_barrier_carry: own.named_barrier_carry,
            source: text(&own.source)?,
        },
        (None, Some(model)) => model.evaluator.clone(),
        (None, None) => return Err(missing("field `evaluator`")),
    };
    let of_base = base.model.map(|model| &model.rates);
    let rates = override_by(of_base, rates(&raw.rates)?, |rate| &rate.name);
    let of_base = base.model.map(|model| &model.families);
    let families = families(&raw.families, &slot_numbers)?;
    let families = override_by(of_base, families, |family| &family.name);
    let of_base = base.model.map(|model| &model.budgets);
    let budgets = override_by(of_base, budgets(&raw.budgets)?, |budget| &budget.name);
    let of_base = base.model.map(|model| &model.anchors);
    let anchors = override_by(of_base, anchors(&raw.anchors)?, |anchor| &anchor.name);
    let names = RowNames {
        slots: slot_numbers,
        pools: &pools,
        rates: rates.iter().map(|r| (r.name.clone(), r.value)).collect(),
    };
    let rows = rows(&raw.rows, &base.rows, &names)?;
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        by_name
            .entry(row.operation.clone())
            .or_default()
            .push(index);
    }
    let default_row = rows
        .iter()
        .position(|row| row.operation == "*" && row.selectors() == 0)
        .ok_or_else(|| missing("row `*`, the default of operations without a row"))?;
    Ok(MachineModel {
        name: raw.name,
        compute_capability: raw.compute_capability,
        source: raw.source,
        families,
        evaluator,
        budgets,
        anchors,
        rates,
        slots,
        pools,
        rows,
        by_name,
        default_row,
        unlimited_smem: false,
    })
}

/// The entries of a base without those that have the name of an own one, then the own ones.
pub(crate) fn override_by<T: Clone>(
    base: Option<&Vec<T>>,
    own: Vec<T>,
    name: fn(&T) -> &String,
) -> Vec<T> {
    let inherited = base.into_iter().flatten();
    let mut result: Vec<T> = inherited
        .filter(|entry| own.iter().all(|own| name(own) != name(entry)))
        .cloned()
        .collect();
    result.extend(own);
    result
}

/// The rates, which formulas use besides the variables.
fn rates(raw: &[RawRate]) -> Result<Vec<Rate>, Complaint> {
    let mut seen = BTreeMap::new();
    raw.iter()
        .map(|rate| {
            unique(&mut seen, &rate.name, "rate")?;
            let name = text(&rate.name)?;
            if Variable::ALL.iter().any(|(known, _)| *known == name) {
                let message = format!("`{name}` is a variable and cannot be a rate");
                return Err((rate.name.span(), message));
            }
            let value = *rate.value.get_ref();
            if !(value.is_finite() && value > 0.0) {
                let message = format!("rate {value} is not a positive number");
                return Err((rate.value.span(), message));
            }
            Ok(Rate {
                name,
                value,
                source: text(&rate.source)?,
            })
        })
        .collect()
}

/// A name or source that must not be empty.
fn text(value: &Spanned<String>) -> Result<String, Complaint> {
    if value.get_ref().trim().is_empty() {
        return Err((value.span(), "expected a non-empty string".to_owned()));
    }
    Ok(value.get_ref().clone())
}

fn unique<'t>(
    seen: &mut BTreeMap<&'t str, ()>,
    name: &'t Spanned<String>,
    what: &str,
) -> Result<(), Complaint> {
    match seen.insert(name.get_ref(), ()) {
        None => Ok(()),
        Some(()) => Err((
            name.span(),
            format!("duplicate {what} `{}`", name.get_ref()),
        )),
    }
}

/// Checks that a name is one the model defines.
fn known(name: &Spanned<String>, what: &str, names: &[&str]) -> Result<(), Complaint> {
    if names.contains(&name.get_ref().as_str()) {
        return Ok(());
    }
    let message = format!(
        "unknown {what} `{}`, expected one of {}",
        name.get_ref(),
        names.join(", ")
    );
    Err((name.span(), message))
}

fn slots(raw: &[RawSlot]) -> Result<Vec<Slot>, Complaint> {
    let mut names = BTreeMap::new();
    let mut numbers = BTreeMap::new();
    let mut result = Vec::with_capacity(raw.len());
    for slot in raw {
        unique(&mut names, &slot.name, "slot")?;
        let number = *slot.number.get_ref();
        if !(1..=63).contains(&number) {
            return Err((
                slot.number.span(),
                format!("slot number {number} is outside 1..63"),
            ));
        }
        if numbers.insert(number, ()).is_some() {
            return Err((
                slot.number.span(),
                format!("duplicate slot number {number}"),
            ));
        }
        result.push(Slot {
            number,
            name: text(&slot.name)?,
            kind: match slot.kind {
                RawKind::Coarse => SlotKind::Coarse,
                RawKind::Fine => SlotKind::Fine,
                RawKind::Test => SlotKind::Test,
            },
            anchor: slot.anchor,
            source: text(&slot.source)?,
        });
    }
    result.sort_by_key(|slot| slot.number);
    Ok(result)
}

fn slot_number(names: &BTreeMap<&str, u8>, name: &Spanned<String>) -> Result<u8, Complaint> {
    names
        .get(name.get_ref().as_str())
        .copied()
        .ok_or_else(|| (name.span(), format!("unknown slot `{}`", name.get_ref())))
}

fn cycles(value: &Spanned<u32>, least: u32, what: &str) -> Result<u32, Complaint> {
    in_range(*value.get_ref(), value.span(), least, what)
}

fn in_range(cycles: u32, at: Range<usize>, least: u32, what: &str) -> Result<u32, Complaint> {
    if (least..=MAX_ROW_CYCLES).contains(&cycles) {
        return Ok(cycles);
    }
    let message = format!("{what} {cycles} is outside {least}..{MAX_ROW_CYCLES}");
    Err((at, message))
}

fn families(
    raw: &[RawFamily],
    names: &BTreeMap<&str, u8>,
) -> Result<Vec<LatencyFamily>, Complaint> {
    let mut seen = BTreeMap::new();
    raw.iter()
        .map(|family| {
            unique(&mut seen, &family.name, "family")?;
            let slots = family.slots.iter().map(|name| slot_number(names, name));
            Ok(LatencyFamily {
                name: text(&family.name)?,
                cycles: cycles(&family.cycles, 1, "cycles")?,
                slots: slots.collect::<Result<_, _>>()?,
                source: text(&family.source)?,
            })
        })
        .collect()
}

fn pools(raw: &[RawPool]) -> Result<Vec<Pool>, Complaint> {
    let mut seen = BTreeMap::new();
    raw.iter()
        .map(|pool| {
            unique(&mut seen, &pool.name, "pool")?;
            text(&pool.source)?;
            let capacity = *pool.capacity.get_ref();
            if capacity == 0 {
                return Err((pool.capacity.span(), "capacity is 0".to_owned()));
            }
            Ok(Pool {
                name: text(&pool.name)?,
                capacity,
            })
        })
        .collect()
}

fn budgets(raw: &[RawBudget]) -> Result<Vec<Budget>, Complaint> {
    let mut seen = BTreeMap::new();
    raw.iter()
        .map(|budget| {
            unique(&mut seen, &budget.name, "budget")?;
            known(&budget.name, "budget", &BUDGETS)?;
            if !matches!(budget.unit.get_ref().as_str(), "bytes" | "units") {
                let message = format!(
                    "unit `{}` is neither bytes nor units",
                    budget.unit.get_ref()
                );
                return Err((budget.unit.span(), message));
            }
            Ok(Budget {
                name: text(&budget.name)?,
                limit: budget.limit,
                unit: budget.unit.get_ref().clone(),
                source: text(&budget.source)?,
            })
        })
        .collect()
}

fn anchors(raw: &[RawAnchor]) -> Result<Vec<CycleAnchor>, Complaint> {
    let mut seen = BTreeMap::new();
    raw.iter()
        .map(|anchor| {
            unique(&mut seen, &anchor.name, "anchor")?;
            known(&anchor.name, "anchor", &ANCHORS)?;
            Ok(CycleAnchor {
                name: text(&anchor.name)?,
                cycles: anchor.cycles,
                source: text(&anchor.source)?,
            })
        })
        .collect()
}

/// The names that rows refer to.
struct RowNames<'m> {
    slots: BTreeMap<&'m str, u8>,
    pools: &'m [Pool],
    rates: BTreeMap<String, f64>,
}

/// The rows of a model, then those of its base for other operations or selectors.
fn rows(
    raw: &[RawRow],
    base: &[RawRow],
    names: &RowNames<'_>,
) -> Result<Vec<OperationRow>, Complaint> {
    let mut seen = BTreeSet::new();
    let mut result = Vec::new();
    let own = raw.iter().map(|row| (row, false));
    for (row, is_inherited) in own.chain(base.iter().map(|row| (row, true))) {
        for name in &row.ops {
            let operation = operation_row(row, text(name)?, names)?;
            let OperationRow {
                atoms,
                body,
                from,
                to,
                ..
            } = &operation;
            let key = format!("{} {:?}", operation.operation, (atoms, body, from, to));
            if seen.insert(key) {
                result.push(operation);
            } else if !is_inherited {
                let message = format!(
                    "duplicate row of `{}` with the same selectors",
                    operation.operation
                );
                return Err((name.span(), message));
            }
        }
    }
    Ok(result)
}

fn operation_row(
    row: &RawRow,
    operation: String,
    names: &RowNames<'_>,
) -> Result<OperationRow, Complaint> {
    let uses = row.uses.iter().map(|triple| row_use(triple, names));
    let shares = row.pools.iter().map(|share| pool_use(share, names.pools));
    Ok(OperationRow {
        operation,
        atoms: row.atom.list(),
        body: row.body.list(),
        from: space(&row.from)?,
        to: space(&row.to)?,
        uses: uses.collect::<Result<_, _>>()?,
        latency: amount(&row.latency, 0, "latency", &names.rates)?,
        pools: shares.collect::<Result<_, _>>()?,
        source: text(&row.source)?,
    })
}

/// A number of cycles in its range, or a formula.
fn amount(
    value: &Spanned<RawCycles>,
    least: u32,
    what: &str,
    rates: &BTreeMap<String, f64>,
) -> Result<Formula, Complaint> {
    match value.get_ref() {
        RawCycles::Number(number) => {
            in_range(*number, value.span(), least, what).map(|c| Formula::Number(f64::from(c)))
        }
        RawCycles::Formula(text) => Formula::parse(text, rates).map_err(|(at, message)| {
            // After the opening quote; formulas have no escapes.
            let start = (value.span().start + 1 + at).min(value.span().end);
            (start..start, message)
        }),
    }
}

fn space(name: &Option<Spanned<String>>) -> Result<Option<String>, Complaint> {
    match name {
        None => Ok(None),
        Some(name) if matches!(name.get_ref().as_str(), "gmem" | "smem" | "tmem" | "reg") => {
            Ok(Some(name.get_ref().clone()))
        }
        Some(name) => Err((
            name.span(),
            format!(
                "unknown memory space `{}`, expected one of gmem, smem, tmem, reg",
                name.get_ref()
            ),
        )),
    }
}

fn row_use(
    (slot, duration, occupancy): &(Spanned<String>, Spanned<RawCycles>, Spanned<u32>),
    names: &RowNames<'_>,
) -> Result<RowUse, Complaint> {
    if *occupancy.get_ref() > 1 {
        let message = format!(
            "occupancy {} exceeds the one unit of a slot",
            occupancy.get_ref()
        );
        return Err((occupancy.span(), message));
    }
    let held = amount(duration, 1, "duration", &names.rates)?;
    if held.mentions(Variable::Busy) {
        let message = "`busy`, the longest duration of the row, is only known in its latency";
        return Err((duration.span(), message.to_owned()));
    }
    Ok(RowUse {
        slot: slot_number(&names.slots, slot)?,
        duration: held,
        occupancy: *occupancy.get_ref(),
    })
}

fn pool_use(
    (name, units): &(Spanned<String>, Spanned<u32>),
    pools: &[Pool],
) -> Result<PoolUse, Complaint> {
    let Some(pool) = pools.iter().position(|pool| &pool.name == name.get_ref()) else {
        return Err((name.span(), format!("unknown pool `{}`", name.get_ref())));
    };
    let (count, capacity) = (*units.get_ref(), pools[pool].capacity);
    if count > capacity {
        let message = format!("{count} units exceed the pool's capacity of {capacity}");
        return Err((units.span(), message));
    }
    Ok(PoolUse { pool, count })
}
