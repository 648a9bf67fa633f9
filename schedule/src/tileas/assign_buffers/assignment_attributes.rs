//! Writes, removes and reads the attributes that record the assignment of a function.

use orison_ir::{Attribute, Context, Diagnostic, Operation};

use super::super::binding_attribute::{
    BUFFER, BUFFERS, i32_attribute, i64_attribute, read_binding, write_binding,
};
use super::requests::{FunctionRequests, Subject};
use crate::buffers::{Assignment, Budget, Place, check, lifetimes};

/// Writes an assignment onto the operations it belongs to.
pub fn stamp(context: &mut Context, asked: &FunctionRequests, assignment: &Assignment) {
    let mut lists: Vec<(Operation, Vec<Attribute>)> = Vec::new();
    for (subject, binding) in asked.subjects.iter().zip(&assignment.bindings) {
        let attribute = write_binding(context, binding);
        match *subject {
            Subject::Pipeline(op) => {
                op.set_attribute(context, BUFFER, attribute);
                let mutex = op
                    .attribute(context, "kind")
                    .and_then(|kind| kind.as_str(context));
                if let (Some("mutex"), Place::Barrier { number }) = (mutex, binding.place) {
                    let number = i32_attribute(context, number);
                    op.set_attribute(context, "barrier", number);
                }
            }
            Subject::Planned { holder, .. } => match lists.iter_mut().find(|l| l.0 == holder) {
                Some((_, list)) => list.push(attribute),
                None => lists.push((holder, vec![attribute])),
            },
        }
    }
    let mut totals = vec![
        ("smem", i64_attribute(context, assignment.smem_bytes)),
        (
            "tmem_columns",
            i64_attribute(context, assignment.tmem_columns),
        ),
    ];
    for (holder, list) in lists {
        let list = Attribute::array(context, &list);
        if holder == asked.function {
            totals.push(("planned", list));
        } else {
            holder.set_attribute(context, BUFFERS, list);
        }
    }
    let totals = Attribute::dictionary_of(context, &totals);
    asked.function.set_attribute(context, BUFFERS, totals);
}

/// Removes every attribute that [`stamp`] writes except for the indices of mutexes.
pub fn erase(context: &mut Context, asked: &FunctionRequests) {
    asked.function.remove_attribute(context, BUFFERS);
    for subject in &asked.subjects {
        match subject {
            Subject::Pipeline(op) => op.remove_attribute(context, BUFFER),
            Subject::Planned { holder, .. } => holder.remove_attribute(context, BUFFERS),
        };
    }
}

/// Removes the bindings of planned pipelines; the totals of the function are kept.
pub fn forget_planned(context: &mut Context, asked: &FunctionRequests) {
    for subject in &asked.subjects {
        if let Subject::Planned { holder, .. } = *subject
            && holder != asked.function
            && holder.is_live(context)
        {
            holder.remove_attribute(context, BUFFERS);
        }
    }
    if let Some(totals) = asked.function.attribute(context, BUFFERS) {
        let totals = totals.without(context, "planned");
        asked.function.set_attribute(context, BUFFERS, totals);
    }
}

/// Bytes of shared memory of the assignment recorded in attributes, if there is one.
pub fn shared_memory(context: &Context, function: Operation) -> Option<u64> {
    let totals = function.attribute(context, BUFFERS)?;
    let bytes = totals.get(context, "smem")?.as_i64(context)?;
    u64::try_from(bytes).ok()
}

/// The assignment recorded in attributes, checked against the requests; `None` if the function has
/// no totals, which means that nothing was assigned.
///
/// # Errors
/// A located error for attributes that are missing, malformed, or invalid: too few slots,
/// overlapping storage, beyond the memory.
pub fn read(
    context: &Context,
    asked: &FunctionRequests,
    budget: &Budget,
) -> Result<Option<Assignment>, Box<Diagnostic>> {
    let Some(totals) = asked.function.attribute(context, BUFFERS) else {
        return Ok(None);
    };
    let lifetimes =
        lifetimes(&asked.requests).map_err(|error| super::located(context, asked, &error))?;
    let total = |key: &str| {
        let value = totals
            .get(context, key)
            .and_then(|value| value.as_i64(context));
        value
            .and_then(|value| u64::try_from(value).ok())
            .ok_or_else(|| {
                let message = format!(
                    "attribute '{BUFFERS}' must be a dictionary with a non-negative i64 '{key}'"
                );
                asked.function.op_error(context, message)
            })
    };
    let mut assignment = Assignment {
        smem_bytes: total("smem")?,
        tmem_columns: total("tmem_columns")?,
        ..Assignment::default()
    };
    for (at, subject) in asked.subjects.iter().enumerate() {
        let op = subject.operation();
        let (key, attribute) = match *subject {
            Subject::Pipeline(op) => (BUFFER, op.attribute(context, BUFFER)),
            Subject::Planned {
                holder, position, ..
            } => {
                let list = if holder == asked.function {
                    totals.get(context, "planned")
                } else {
                    holder.attribute(context, BUFFERS)
                };
                let list = list.and_then(|list| list.as_array(context));
                (BUFFERS, list.and_then(|list| list.get(position).copied()))
            }
        };
        let Some(attribute) = attribute else {
            let message = format!(
                "has no '{key}' for {}, though buffers were assigned",
                asked.requests[at].name
            );
            return Err(op.op_error(context, message));
        };
        let binding = read_binding(context, attribute, asked.requests[at].id, lifetimes[at]);
        let binding = binding.ok_or_else(|| {
            let message = format!(
                "attribute '{key}' does not describe the buffer of {}",
                asked.requests[at].name
            );
            op.op_error(context, message)
        })?;
        assignment.bindings.push(binding);
    }
    check(&asked.requests, &assignment, budget).map_err(|fault| {
        let at = asked
            .requests
            .iter()
            .position(|request| request.id == fault.id);
        let at = at.unwrap_or(0);
        let message = format!(
            "buffers are not valid: {}: {}",
            asked.requests[at].name, fault.message
        );
        asked.subjects[at].operation().op_error(context, message)
    })?;
    Ok(Some(assignment))
}
