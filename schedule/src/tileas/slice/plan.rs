//! Which operations are divided, and in how many slices.

use std::collections::{BTreeMap, BTreeSet};

use orison_host::arith;
use orison_host::scf;
use orison_ir::pass::PassContext;
use orison_ir::walk::collect;
use orison_ir::{Attribute, AttributeKind, Context, Diagnostic, Operation, Severity, Value};
use orison_tileas::nv_tileas::TiledStore;

use super::super::attributes::{
    self, LATENCY, MAX_SLICES, PREFERRED_ATOM_SIZE, RESOURCES, SUMMARY,
};
use super::divide::Division;
use super::iteration_space::{Axis, Space};
use crate::modulo::RecomputationHints;

/// `IntegerAttr` on a loop: in how many slices its stored and carried tiles are divided, with what they
/// are computed from.
pub const SLICE_COUNT: &str = "sliceCount";

/// The largest number of slices of one operation.
pub const MOST_SLICES: i64 = 1024;

/// The name of the transformation, in remarks.
pub const RULE: &str = "slice";

/// The divisions of operations.
pub type Plan = BTreeMap<Operation, Division>;

/// Plans all marked operations and loops. Marked operations that cannot be divided get a warning.
///
/// # Errors
/// A malformed attribute, or an operation in a loop with `sliceCount` that cannot be divided.
pub fn plan(pass: &mut PassContext<'_>) -> Result<(Plan, Vec<Operation>), Box<Diagnostic>> {
    let (mut marked, mut loops) = (Vec::new(), Vec::new());
    for op in collect(pass.context, pass.op()) {
        let hints = attributes::constraints(pass.context, op)?.recomputation;
        if hints.preferred_atom_size.is_some() || hints.max_slices.is_some() {
            marked.push((op, hints));
        }
        if let Some(count) = slice_count(pass.context, op)? {
            loops.push((op, count));
        }
    }
    if marked.is_empty() && loops.is_empty() {
        let reason = format!("no operation has '{PREFERRED_ATOM_SIZE}' or '{MAX_SLICES}'");
        pass.nothing_to_do(&reason, &format!("and no loop has '{SLICE_COUNT}'"));
    }
    let mut plan = Plan::new();
    for (op, hints) in marked {
        match division(pass.context, op, &hints) {
            Ok(division) => {
                explain_whole_axes(pass, op, &division, &hints);
                if division.len() > 1 {
                    plan.insert(op, division);
                }
            }
            Err(reason) => {
                let mut warning = op.op_error(pass.context, format!("is not sliced: {reason}"));
                warning.severity = Severity::Warning;
                pass.context.diagnostics.emit(*warning);
            }
        }
    }
    let (sliced, counts): (Vec<Operation>, Vec<i64>) = loops.into_iter().unzip();
    for (op, count) in sliced.iter().zip(counts) {
        plan_loop(pass.context, &mut plan, *op, count)?;
    }
    Ok((plan, sliced))
}

/// `sliceCount` of a loop.
fn slice_count(context: &Context, op: Operation) -> Result<Option<i64>, Box<Diagnostic>> {
    let Some(attribute) = op.attribute(context, SLICE_COUNT) else {
        return Ok(None);
    };
    if !matches!(attribute.kind(context), AttributeKind::Integer { .. }) {
        return Err(op.op_error(context, "The `sliceCount` need to be a `IntegerAttr`"));
    }
    if !scf::For::matches(context, op) && !scf::While::matches(context, op) {
        return Err(op.op_error(context, "has 'sliceCount', but is no scf.for or scf.while"));
    }
    let count = Attribute::as_i64(attribute, context);
    match count.filter(|count| (1..=MOST_SLICES).contains(count)) {
        Some(count) => Ok(Some(count)),
        None => {
            let message = format!("attribute 'sliceCount' must be from 1 to {MOST_SLICES}");
            Err(op.op_error(context, message))
        }
    }
}

/// Why an operation may not be divided, whatever it computes.
fn obstacle(context: &Context, op: Operation) -> Option<&'static str> {
    let is_scheduled = |around: Operation| around.attribute(context, SUMMARY).is_some();
    let has_cost = |key| op.attribute(context, key).is_some();
    if op.ancestors(context).any(is_scheduled) {
        Some("its loop is already scheduled; divide it before tileas-generate-schedule")
    } else if [LATENCY, RESOURCES].into_iter().any(has_cost) {
        Some("its attributes give the cost of the whole")
    } else {
        None
    }
}

/// The elements of an operation that may be divided.
///
/// # Errors
/// Why it may not.
pub fn divisible(context: &Context, op: Operation) -> Result<Space, String> {
    match obstacle(context, op) {
        Some(reason) => Err(reason.to_owned()),
        None => Space::of(context, op),
    }
}

/// The division that the attributes of an operation ask for.
fn division(
    context: &Context,
    op: Operation,
    hints: &RecomputationHints,
) -> Result<Division, String> {
    let space = divisible(context, op)?;
    let counts = space.axes.iter().map(|axis| slices(axis, hints)).collect();
    let division = Division { space, counts };
    if division.len() > MOST_SLICES {
        let count = division.len();
        return Err(format!(
            "it would have {count} slices, more than {MOST_SLICES}"
        ));
    }
    Ok(division)
}

/// The most slices of an axis that are not smaller than preferred, and not more than allowed.
fn slices(axis: &Axis, hints: &RecomputationHints) -> i64 {
    let size = hints.preferred_atom_size.map_or(1, i64::from);
    let most = hints.max_slices.filter(|_| !axis.is_reduced);
    // Without a size, only the number of slices is given, which is not for reduced axes.
    if axis.is_reduced && hints.preferred_atom_size.is_none() {
        return 1;
    }
    let most = most.map_or(i64::MAX, i64::from).min(axis.extent / size);
    let fits = |count: &i64| axis.extent % count == 0 && axis.grain.allows(axis.extent / count);
    (1..=most).rev().find(fits).unwrap_or(1)
}

/// Remarks on axes that could be divided but for a rule.
fn explain_whole_axes(
    pass: &mut PassContext<'_>,
    op: Operation,
    division: &Division,
    hints: &RecomputationHints,
) {
    let size = hints.preferred_atom_size.map_or(1, i64::from);
    for (number, (axis, count)) in division.space.axes.iter().zip(&division.counts).enumerate() {
        let is_capped = !axis.is_reduced && hints.max_slices == Some(1);
        if *count == 1 && axis.extent / size > 1 && !is_capped && !axis.grain.reason.is_empty() {
            let reason = format!("axis {number} is not divided: {}", axis.grain.reason);
            pass.declined(op, RULE, &reason, "other axes are");
        }
    }
}

/// Divides what a loop stores and carries along the first axis, and what it is computed from.
fn plan_loop(
    context: &Context,
    plan: &mut Plan,
    around: Operation,
    count: i64,
) -> Result<(), Box<Diagnostic>> {
    let here = |error: Box<Diagnostic>| {
        let place = around.location(context);
        Box::new((*error).with_note(place, "sliceCount is here"))
    };
    let mut requests: Vec<(Value, usize)> = Vec::new();
    for op in collect(context, around)
        .into_iter()
        .filter(|op| *op != around)
    {
        if is_unexpected(context, op) {
            let error = op.op_error(context, "is not expected inside sliced part in SlicingPass");
            return Err(here(error));
        }
        if TiledStore::of(context, op).is_some() && !plan.contains_key(&op) {
            insert(context, plan, op, (0, count), &mut requests).map_err(here)?;
        }
    }
    if scf::For::matches(context, around) {
        requests.extend(yielded(context, around).into_iter().map(|value| (value, 0)));
    }
    let mut seen = BTreeSet::new();
    while let Some((value, axis)) = requests.pop() {
        let is_tile = super::iteration_space::tile(context, value.ty(context));
        let is_wide = is_tile.is_some_and(|(shape, _)| shape.get(axis).is_some_and(|all| *all > 1));
        if !is_wide || !seen.insert((value, axis)) {
            continue;
        }
        let Some(op) = value.defining_op(context) else {
            requests.extend(entering(context, around, value).map(|value| (value, axis)));
            continue;
        };
        if op == around || !around.is_ancestor_of(context, op) || plan.contains_key(&op) {
            continue;
        }
        if op.is_one_of(context, &[arith::Constant::DEFINITION, scf::If::DEFINITION]) {
            continue;
        }
        if scf::For::matches(context, op) {
            let number = value.position(context);
            let value = yielded(context, op).get(number).copied();
            requests.extend(value.map(|value| (value, axis)));
        } else {
            let place = result_axis(context, op, value, axis).map_err(here)?;
            insert(context, plan, op, (place, count), &mut requests).map_err(here)?;
        }
    }
    Ok(())
}

/// Whether an operation cannot be in a loop that is sliced: pipelines, and loops with slices of their
/// own.
fn is_unexpected(context: &Context, op: Operation) -> bool {
    op.name_text(context).starts_with("nv_tileas.async.")
        || scf::While::matches(context, op)
        || op.attribute(context, SLICE_COUNT).is_some()
}

fn unsupported(context: &Context, op: Operation, reason: &str) -> Box<Diagnostic> {
    let error = op.op_error(context, "unsupported op in Slicing pass");
    Box::new((*error).with_note(op.location(context), reason))
}

/// The axis of the space of an operation that an axis of a result is.
fn result_axis(
    context: &Context,
    op: Operation,
    value: Value,
    axis: usize,
) -> Result<usize, Box<Diagnostic>> {
    let space = Space::of(context, op).map_err(|reason| unsupported(context, op, &reason))?;
    let axes = space
        .results
        .get(value.position(context))
        .cloned()
        .flatten();
    axes.and_then(|axes| axes.get(axis).copied())
        .ok_or_else(|| unsupported(context, op, "the result is not divided"))
}

/// Plans an operation along one axis, and requests the operands along theirs.
fn insert(
    context: &Context,
    plan: &mut Plan,
    op: Operation,
    (axis, count): (usize, i64),
    requests: &mut Vec<(Value, usize)>,
) -> Result<(), Box<Diagnostic>> {
    let fail = |reason: String| unsupported(context, op, &reason);
    let space = divisible(context, op).map_err(fail)?;
    requests.extend(space.operands_along(context, op, axis));
    let division = Division::along(space, axis, count).map_err(fail)?;
    if count > 1 {
        plan.insert(op, division);
    }
    Ok(())
}

/// What the body of a loop yields.
fn yielded(context: &Context, op: Operation) -> Vec<Value> {
    let body = op.body_block(context, 0);
    let end = body.and_then(|body| body.terminator(context));
    end.map(|end| end.operands(context).collect())
        .unwrap_or_default()
}

/// The values that a carried argument of a loop has, in the loop `around` or one in it.
fn entering(
    context: &Context,
    around: Operation,
    argument: Value,
) -> impl Iterator<Item = Value> + use<> {
    let owner = argument.argument_owner(context);
    let parent = owner.and_then(|block| block.parent_op(context));
    let parent = parent.filter(|parent| {
        scf::For::matches(context, *parent) && around.is_ancestor_of(context, *parent)
    });
    let number = argument.position(context).checked_sub(1);
    let values = parent.zip(number).map(|(parent, number)| {
        let initial = (parent != around).then(|| parent.operand(context, number + 3));
        let next = yielded(context, parent).get(number).copied();
        [initial, next]
    });
    values.into_iter().flatten().flatten()
}

#[cfg(test)]
mod tests {
    use super::super::iteration_space::Grain;
    use super::*;

    fn count(extent: i64, grain: Grain, is_reduced: bool, hints: [Option<u32>; 2]) -> i64 {
        let axis = Axis {
            extent,
            is_reduced,
            grain,
        };
        let hints = RecomputationHints {
            preferred_atom_size: hints[0],
            max_slices: hints[1],
            ..RecomputationHints::default()
        };
        slices(&axis, &hints)
    }

    #[test]
    fn slices_are_not_smaller_than_preferred_and_not_more_than_allowed() {
        let any = Grain {
            multiple: 1,
            below: None,
            reason: "",
        };
        assert_eq!(count(64, any, false, [Some(16), None]), 4);
        assert_eq!(count(64, any, false, [Some(16), Some(2)]), 2);
        // 3 slices do not divide 64; 64 / 20 = 3.
        assert_eq!(count(64, any, false, [Some(20), None]), 2);
        assert_eq!(count(96, any, false, [Some(20), None]), 4);
        assert_eq!(count(64, any, false, [Some(128), None]), 1);
        assert_eq!(count(64, any, false, [None, Some(8)]), 8);
        // The limit is not for reduced axes.
        assert_eq!(count(64, any, true, [Some(16), Some(2)]), 4);
        assert_eq!(count(64, any, true, [None, Some(2)]), 1);
        let whole = Grain {
            multiple: 64,
            ..any
        };
        assert_eq!(count(128, whole, false, [Some(16), None]), 2);
    }
}
