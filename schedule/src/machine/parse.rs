//! Parses a model from TOML, with a position for every error.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::{
    Budget, CycleAnchor, EvaluatorCaps, LatencyFamily, MachineModel, OperationRow, Scale, Slot,
    SlotKind,
};
use crate::modulo::{Pool, PoolUse, ResourceUse};

/// Upper limit of durations and latencies of a row, so that scaled rows remain schedulable.
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
    slots: Vec<RawSlot>,
    #[serde(default)]
    families: Vec<RawFamily>,
    #[serde(default)]
    pools: Vec<RawPool>,
    evaluator: RawEvaluator,
    #[serde(default)]
    budgets: Vec<RawBudget>,
    #[serde(default)]
    anchors: Vec<RawAnchor>,
    rows: Spanned<Vec<RawRow>>,
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

#[derive(Clone, Copy, Deserialize)]
enum RawScale {
    #[serde(rename = "log2")]
    Logarithm,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRow {
    ops: Vec<Spanned<String>>,
    atom: Option<String>,
    from: Option<Spanned<String>>,
    to: Option<Spanned<String>>,
    uses: Vec<(Spanned<String>, Spanned<u32>, Spanned<u32>)>,
    latency: Spanned<u32>,
    #[serde(default)]
    pools: Vec<(Spanned<String>, Spanned<u32>)>,
    scale: Option<RawScale>,
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
    build(raw).map_err(located)
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

fn build(raw: RawModel) -> Result<MachineModel, Complaint> {
    let slots = slots(&raw.slots)?;
    let slot_numbers: BTreeMap<&str, u8> = slots
        .iter()
        .map(|slot| (slot.name.as_str(), slot.number))
        .collect();
    let families = families(&raw.families, &slot_numbers)?;
    let pools = pools(&raw.pools)?;
    let rows = rows(raw.rows.get_ref(), &slot_numbers, &pools)?;
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        by_name
            .entry(row.operation.clone())
            .or_default()
            .push(index);
    }
    let unselected = |row: &OperationRow| {
        row.operation == "*" && row.atom.is_none() && row.from.is_none() && row.to.is_none()
    };
    let default_row = rows.iter().position(unselected).ok_or_else(|| {
        (
            raw.rows.span(),
            "missing row `*`, the default of operations without a row".to_owned(),
        )
    })?;
    Ok(MachineModel {
        name: raw.name,
        compute_capability: raw.compute_capability,
        source: raw.source,
        families,
        evaluator: EvaluatorCaps {
            tmem_in_iteration: raw.evaluator.tmem_in_iteration,
            named_barrier_carry: raw.evaluator.named_barrier_carry,
            source: text(&raw.evaluator.source)?,
        },
        budgets: budgets(&raw.budgets)?,
        anchors: anchors(&raw.anchors)?,
        slots,
        pools,
        rows,
        by_name,
        default_row,
        unlimited_smem: false,
    })
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
    let cycles = *value.get_ref();
    if (least..=MAX_ROW_CYCLES).contains(&cycles) {
        return Ok(cycles);
    }
    Err((
        value.span(),
        format!("{what} {cycles} is outside {least}..{MAX_ROW_CYCLES}"),
    ))
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

fn rows(
    raw: &[RawRow],
    slots: &BTreeMap<&str, u8>,
    pools: &[Pool],
) -> Result<Vec<OperationRow>, Complaint> {
    let mut seen = BTreeMap::new();
    let mut result = Vec::new();
    for row in raw {
        for name in &row.ops {
            let operation = operation_row(row, text(name)?, slots, pools)?;
            let selectors = (&operation.atom, &operation.from, &operation.to);
            let key = format!("{} {selectors:?}", operation.operation);
            if seen.insert(key, ()).is_some() {
                let message = format!(
                    "duplicate row of `{}` with the same selectors",
                    operation.operation
                );
                return Err((name.span(), message));
            }
            result.push(operation);
        }
    }
    Ok(result)
}

fn operation_row(
    row: &RawRow,
    operation: String,
    slots: &BTreeMap<&str, u8>,
    pools: &[Pool],
) -> Result<OperationRow, Complaint> {
    let uses = row.uses.iter().map(|triple| resource_use(triple, slots));
    let shares = row.pools.iter().map(|share| pool_use(share, pools));
    Ok(OperationRow {
        operation,
        atom: row.atom.clone(),
        from: space(&row.from)?,
        to: space(&row.to)?,
        uses: uses.collect::<Result<_, _>>()?,
        latency: cycles(&row.latency, 0, "latency")?,
        pools: shares.collect::<Result<_, _>>()?,
        scale: match row.scale {
            None => Scale::Fixed,
            Some(RawScale::Logarithm) => Scale::LogarithmOfElements,
        },
        source: text(&row.source)?,
    })
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

fn resource_use(
    (slot, duration, occupancy): &(Spanned<String>, Spanned<u32>, Spanned<u32>),
    slots: &BTreeMap<&str, u8>,
) -> Result<ResourceUse, Complaint> {
    if *occupancy.get_ref() > 1 {
        let message = format!(
            "occupancy {} exceeds the one unit of a slot",
            occupancy.get_ref()
        );
        return Err((occupancy.span(), message));
    }
    Ok(ResourceUse {
        slot: slot_number(slots, slot)?,
        duration: cycles(duration, 1, "duration")?,
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
