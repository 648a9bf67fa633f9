//! The attributes that are the interface between scheduling passes and users: constraints and costs
//! as input; stages, orders, cycles and a summary as output.
//!
//! Source: design section 3, TileAS reference 2.1, 2.2 and 2.4.

use orison_ir::{Attribute, Context, Diagnostic, Operation};

pub use orison_tileas::schedule_keys::{
    AGENT, AGENTS, COST_OF, CYCLE, ENABLE_DEFUSION, FORCE_SERIAL, GROUP, INTERVAL, LATENCY,
    LEADER_GROUP as LEADER, MAX_DEPTH, MAX_RECOMPUTATIONS, MAX_SLICES, ORDER, PREFERRED_ATOM_SIZE,
    RECOMPUTABLE, RESOURCES, STAGE, SUMMARY,
};

use crate::machine::MachineModel;
use crate::modulo::graph::MAX_CYCLES;
use crate::modulo::{IntervalBounds, NodeConstraints, RecomputationHints, ResourceUse, Schedule};

/// Whether the operation carries explicit resource triples, or names the row that gives its cost.
/// Such an operation depends on others only through operands, results and tokens, never through
/// unknown memory effects.
pub fn has_resources(context: &Context, op: Operation) -> bool {
    [RESOURCES, COST_OF]
        .into_iter()
        .any(|key| op.attribute(context, key).is_some())
}

/// The operation whose row gives the cost of this one, if an attribute names it.
///
/// # Errors
/// If the attribute is not a string.
pub fn cost_of(context: &Context, op: Operation) -> Result<Option<&str>, Box<Diagnostic>> {
    let Some(attribute) = lookup(context, op, COST_OF)? else {
        return Ok(None);
    };
    let name = attribute.as_str(context);
    name.map(Some).ok_or_else(|| {
        malformed(
            context,
            op,
            COST_OF,
            "the name of an operation, as a string",
        )
    })
}

fn malformed(context: &Context, op: Operation, key: &str, wanted: &str) -> Box<Diagnostic> {
    op.op_error(context, format!("attribute '{key}' must be {wanted}"))
}

/// An attribute of an operation, looked up among the inherent attributes first; a discardable one
/// with a different value is an error.
fn lookup(
    context: &Context,
    op: Operation,
    key: &str,
) -> Result<Option<Attribute>, Box<Diagnostic>> {
    let inherent = op.properties(context).get(context, key);
    let discardable = op.attributes(context).get(context, key);
    if let (Some(inherent), Some(discardable)) = (inherent, discardable)
        && inherent != discardable
    {
        let message = format!("attribute '{key}' is both inherent and discardable, and differs");
        return Err(op.op_error(context, message));
    }
    Ok(inherent.or(discardable))
}

/// An `i32` attribute that is at least `least`, which is 0 or 1.
fn count_from(
    context: &Context,
    op: Operation,
    key: &str,
    least: u32,
) -> Result<Option<u32>, Box<Diagnostic>> {
    let Some(attribute) = lookup(context, op, key)? else {
        return Ok(None);
    };
    let value = attribute
        .as_i32(context)
        .and_then(|value| u32::try_from(value).ok())
        .filter(|&value| value >= least);
    let sign = if least == 0 {
        "non-negative"
    } else {
        "positive"
    };
    match value {
        Some(value) => Ok(Some(value)),
        None => Err(malformed(
            context,
            op,
            key,
            &format!("a {sign} 32-bit signless integer"),
        )),
    }
}

fn count(context: &Context, op: Operation, key: &str) -> Result<Option<u32>, Box<Diagnostic>> {
    count_from(context, op, key, 0)
}

fn flag(context: &Context, op: Operation, key: &str) -> Result<bool, Box<Diagnostic>> {
    match lookup(context, op, key)? {
        None => Ok(false),
        Some(Attribute::UNIT) => Ok(true),
        Some(_) => Err(malformed(context, op, key, "a unit attribute")),
    }
}

/// The constraint record of an operation: its placement constraints, and the hints for the slicing
/// and recomputation passes.
///
/// # Errors
/// A located error for an attribute of the wrong form, for one that is both inherent and
/// discardable with different values, and for a leader without a group.
pub fn constraints(context: &Context, op: Operation) -> Result<NodeConstraints, Box<Diagnostic>> {
    let group = count(context, op, GROUP)?;
    let leader = count(context, op, LEADER)?;
    if group.is_none() && leader.is_some() {
        let message = format!("attribute '{LEADER}' requires '{GROUP}'");
        return Err(op.op_error(context, message));
    }
    Ok(NodeConstraints {
        group,
        leader,
        max_depth: count(context, op, MAX_DEPTH)?,
        force_serial: is_forced_serial(context, op)?,
        recomputation: RecomputationHints {
            preferred_atom_size: count_from(context, op, PREFERRED_ATOM_SIZE, 1)?,
            max_slices: count_from(context, op, MAX_SLICES, 1)?,
            max_recomputations: count(context, op, MAX_RECOMPUTATIONS)?,
            enable_defusion: flag(context, op, ENABLE_DEFUSION)?,
            recomputable: flag(context, op, RECOMPUTABLE)?,
        },
    })
}

/// Whether `force_serial_execution` is set.
///
/// # Errors
/// If the attribute is not `unit`.
pub fn is_forced_serial(context: &Context, op: Operation) -> Result<bool, Box<Diagnostic>> {
    flag(context, op, FORCE_SERIAL)
}

/// The latency given by attribute, in cycles: 0 to [`MAX_CYCLES`].
///
/// # Errors
/// If the attribute has the wrong form or is out of range.
pub fn latency(context: &Context, op: Operation) -> Result<Option<u32>, Box<Diagnostic>> {
    let latency = count(context, op, LATENCY)?;
    match latency {
        Some(cycles) => within(context, op, LATENCY, ("latency", cycles, 0, MAX_CYCLES)).map(Some),
        None => Ok(None),
    }
}

/// A value of an attribute, with its description, if it is in range.
fn within(
    context: &Context,
    op: Operation,
    key: &str,
    (what, value, least, most): (&str, u32, u32, u32),
) -> Result<u32, Box<Diagnostic>> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    let message =
        format!("attribute '{key}' has {what} {value}, which must be from {least} to {most}");
    Err(op.op_error(context, message))
}

/// The resource triples given by attribute: slots of the machine model, durations from 1 to
/// [`MAX_CYCLES`], occupancies 0 and 1.
///
/// # Errors
/// If the attribute is not an array of `array<i32: slot, duration, occupancy>`, or a value is out
/// of range.
pub fn resources(
    context: &Context,
    op: Operation,
    machine: &MachineModel,
) -> Result<Option<Vec<ResourceUse>>, Box<Diagnostic>> {
    let Some(attribute) = lookup(context, op, RESOURCES)? else {
        return Ok(None);
    };
    let wanted = "an array of array<i32: slot, duration, occupancy>";
    let Some(triples) = attribute.as_array(context) else {
        return Err(malformed(context, op, RESOURCES, wanted));
    };
    let mut uses = Vec::with_capacity(triples.len());
    for triple in triples {
        let numbers = triple.as_i32_array(context);
        let Some(&[slot, duration, occupancy]) = numbers.as_deref() else {
            return Err(malformed(context, op, RESOURCES, wanted));
        };
        let count = |number: i32| {
            u32::try_from(number).map_err(|_| {
                let message = format!("attribute '{RESOURCES}' has the negative value {number}");
                op.op_error(context, message)
            })
        };
        let range = ("duration", count(duration)?, 1, MAX_CYCLES);
        let duration = within(context, op, RESOURCES, range)?;
        let range = ("occupancy", count(occupancy)?, 0, 1);
        let occupancy = within(context, op, RESOURCES, range)?;
        uses.push(ResourceUse {
            slot: known_slot(context, op, machine, slot)?,
            duration,
            occupancy,
        });
    }
    Ok(Some(uses))
}

/// A slot number of the machine model.
fn known_slot(
    context: &Context,
    op: Operation,
    machine: &MachineModel,
    number: i32,
) -> Result<u8, Box<Diagnostic>> {
    let slots = machine.slots();
    let found = slots.iter().find(|slot| i32::from(slot.number) == number);
    found.map(|slot| slot.number).ok_or_else(|| {
        let last = slots.last().map_or(0, |slot| slot.number);
        let message = format!(
            "attribute '{RESOURCES}' refers to slot {number}, which machine model '{}' does not \
             have: its {} slots are numbered up to {last}",
            machine.name(),
            slots.len()
        );
        op.op_error(context, message)
    })
}

/// Writes the schedule onto the operations of the body and the loop.
pub fn write_schedule(
    context: &mut Context,
    loop_op: Operation,
    operations: &[Operation],
    schedule: &Schedule,
) {
    for (node, &op) in operations.iter().enumerate() {
        let word = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        let start = i32::try_from(schedule.starts[node]).unwrap_or(i32::MAX);
        let pairs = [
            (STAGE, word(schedule.stages[node])),
            (ORDER, word(schedule.orders[node])),
            (CYCLE, start),
        ];
        for (key, value) in pairs {
            let value = Attribute::i32(context, value);
            op.set_attribute(context, key, value);
        }
    }
    let summary = summary(context, schedule);
    loop_op.set_attribute(context, SUMMARY, summary);
}

fn summary(context: &mut Context, schedule: &Schedule) -> Attribute {
    let word = |context: &mut Context, value: u32| {
        Attribute::i32(context, i32::try_from(value).unwrap_or(i32::MAX))
    };
    let IntervalBounds {
        resource,
        recurrence,
        fine,
        dependency,
        self_hold,
    } = schedule.bounds;
    let bounds = [
        ("resource", word(context, resource)),
        ("recurrence", word(context, recurrence)),
        ("fine", word(context, fine)),
        ("dependency", word(context, dependency)),
        ("self", word(context, self_hold)),
    ];
    let bounds = Attribute::dictionary_of(context, &bounds);
    let mut entries = vec![
        ("ii", word(context, schedule.interval)),
        ("stages", word(context, schedule.stage_count)),
        (
            "generator",
            Attribute::string(context, schedule.generator.name()),
        ),
        ("mii", bounds),
        ("proven", Attribute::bool(schedule.proven)),
    ];
    if let Some(limit) = schedule.limit {
        entries.push(("lower_bound", word(context, schedule.lower_bound)));
        entries.push(("limit", Attribute::string(context, limit.name())));
    }
    if schedule.refinement.budget_exceeded {
        entries.push(("budget_exceeded", Attribute::UNIT));
    }
    Attribute::dictionary_of(context, &entries)
}

/// Removes every attribute that [`write_schedule`] writes.
pub fn erase_schedule(context: &mut Context, loop_op: Operation, operations: &[Operation]) {
    for &op in operations {
        for key in [STAGE, ORDER, CYCLE] {
            op.remove_attribute(context, key);
        }
    }
    loop_op.remove_attribute(context, SUMMARY);
}

/// A schedule as recorded in attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSchedule {
    /// The initiation interval, in cycles.
    pub interval: u32,
    /// Number of stages.
    pub stage_count: u32,
    /// Start cycle of each operation.
    pub starts: Vec<i64>,
    /// Stage of each operation.
    pub stages: Vec<u32>,
    /// Order of each operation in its stage.
    pub orders: Vec<u32>,
}

impl From<&Schedule> for WrittenSchedule {
    fn from(schedule: &Schedule) -> Self {
        WrittenSchedule {
            interval: schedule.interval,
            stage_count: schedule.stage_count,
            starts: schedule.starts.clone(),
            stages: schedule.stages.clone(),
            orders: schedule.orders.clone(),
        }
    }
}

/// The message for a loop whose body has an operation added after scheduling (TileAS reference
/// section 10).
const CHANGED_SINCE_SCHEDULED: &str = "cleanup pass invalidated ScheduleAnalysis; rerun \
     constraint generation or remove the pass";

/// Reads the schedule of a loop from its attributes; `None` if the loop has no summary.
///
/// # Errors
/// A located error if the summary or an operation's attributes are malformed or missing. As on the
/// page, a key of another type than `i32` is treated like a missing one.
pub fn read_schedule(
    context: &Context,
    loop_op: Operation,
    operations: &[Operation],
) -> Result<Option<WrittenSchedule>, Box<Diagnostic>> {
    let Some(summary) = loop_op.attribute(context, SUMMARY) else {
        return Ok(None);
    };
    let field = |key: &str| {
        let value = summary
            .get(context, key)
            .and_then(|value| value.as_i32(context));
        let value = value
            .and_then(|value| u32::try_from(value).ok())
            .filter(|value| *value > 0);
        let wanted = format!("a dictionary with a positive i32 '{key}'");
        value.ok_or_else(|| malformed(context, loop_op, SUMMARY, &wanted))
    };
    let mut schedule = WrittenSchedule {
        interval: field("ii")?,
        stage_count: field("stages")?,
        starts: Vec::new(),
        stages: Vec::new(),
        orders: Vec::new(),
    };
    for &op in operations {
        let number = |key: &str| {
            count(context, op, key).ok().flatten().ok_or_else(|| {
                let message = format!("is in a scheduled loop but has no i32 attribute '{key}'");
                let error = op.op_error(context, message);
                Box::new(error.with_note(loop_op.location(context), CHANGED_SINCE_SCHEDULED))
            })
        };
        schedule.stages.push(number(STAGE)?);
        schedule.orders.push(number(ORDER)?);
        schedule.starts.push(i64::from(number(CYCLE)?));
    }
    Ok(Some(schedule))
}
