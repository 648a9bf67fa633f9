//! Rule 1: constant bounds of a slice become static.

use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::types::DYNAMIC;
use orison_ir::{Attribute, Context, Declined, Operation, Rewriter, RuleResult, Type, Value};

use super::constant;
use crate::nv_tileas::{Bound, ExtractSlice, SliceBounds, View};
use crate::views::{ShapedView, shape_and_element};

orison_ir::rule!(
    pub STATIC_SLICE, "nv-tileas-extract-slice-static",
    "offsets, sizes and strides of extract_slice that are constants become static",
    ExtractSlice::NAME, apply
);

fn apply(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let Some(bounds) = SliceBounds::of(context, op) else {
        return Declined::because(
            "the number of dynamic bounds does not match the number of operands",
        );
    };
    if !bounds
        .lists()
        .iter()
        .any(|list| list.iter().any(is_dynamic))
    {
        return Declined::because("all bounds are static already");
    }
    let mut lists = Vec::new();
    for (number, list) in bounds.lists().into_iter().enumerate() {
        // Sizes and strides of 0 would fail verification.
        let least = i64::from(number > 0);
        let resolved: Option<Vec<_>> = list.iter().map(|bound| resolve(context, bound)).collect();
        let Some(resolved) = resolved else {
            return Declined::because("a bound is not a constant");
        };
        if resolved.iter().any(|bound| *bound < least) {
            return Declined::because(
                "a bound is a negative constant, or a size or stride is zero",
            );
        }
        lists.push(resolved);
    }
    if !is_inside(context, op, &lists) {
        return Declined::because("the slice runs out of bounds");
    }
    let result = op.result(context, 0);
    let new_shape = result_shape(context, &bounds, &lists[1], result);
    let Some(shape) = new_shape else {
        return Declined::because("the result does not have the sizes of the slice");
    };
    let changes = shape.is_some();
    if changes
        && !result
            .users(context)
            .all(|user| accepts_any_shape(context, user))
    {
        return Declined::because("a user of the slice depends on its type");
    }
    rewrite(rewriter, op, &lists, shape);
    Ok(())
}

fn is_dynamic(bound: &Bound) -> bool {
    matches!(bound, Bound::Dynamic(_))
}

fn resolve(context: &Context, bound: &Bound) -> Option<i64> {
    match bound {
        Bound::Static(number) => Some(*number),
        Bound::Dynamic(value) => constant(context, *value),
    }
}

fn is_inside(context: &Context, op: Operation, lists: &[Vec<i64>]) -> bool {
    let source = ExtractSlice(op).source(context).ty(context);
    let Some((whole, _)) = shape_and_element(context, source) else {
        return false;
    };
    whole.iter().enumerate().all(|(axis, extent)| {
        let part = |list: usize| lists[list].get(axis).copied().unwrap_or(0);
        let last = (part(1) - 1)
            .checked_mul(part(2))
            .and_then(|x| x.checked_add(part(0)));
        *extent == DYNAMIC || last.is_some_and(|last| last < *extent)
    })
}

/// The new shape of the result: `Some(None)` if it is unchanged, `None` if the result does
/// not match the sizes one to one.
fn result_shape(
    context: &Context,
    bounds: &SliceBounds,
    sizes: &[i64],
    result: Value,
) -> Option<Option<Vec<i64>>> {
    if !bounds.sizes.iter().any(is_dynamic) {
        return Some(None);
    }
    let (shape, _) = shape_and_element(context, result.ty(context))?;
    (shape == bounds.shape()).then(|| Some(sizes.to_vec()))
}

/// Operations that accept an operand of any shape.
fn accepts_any_shape(context: &Context, user: Operation) -> bool {
    ExtractSlice::of(context, user).is_some() || View::of(context, user).is_some()
}

fn rewrite(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    lists: &[Vec<i64>],
    shape: Option<Vec<i64>>,
) {
    let context = rewriter.context();
    let source = op.operand(context, 0);
    op.set_operands(context, &[source]);
    for (key, list) in ["static_offsets", "static_sizes", "static_strides"]
        .iter()
        .zip(lists)
    {
        let list = Attribute::dense_array(context, Type::I64, list);
        op.set_attribute(context, key, list);
    }
    let segments = Attribute::i32_array(context, &[1, 0, 0, 0]);
    // Segment sizes are a property, but not a declared attribute.
    let properties = op
        .properties(context)
        .with(context, OPERAND_SEGMENTS, segments);
    op.set_properties(context, properties);
    if let Some(shape) = shape {
        let result = op.result(context, 0);
        if let Some(ty) = with_shape(context, result.ty(context), &shape) {
            result.set_type(context, ty);
        }
    }
    rewriter.modified(op);
}

/// The same type with another shape.
pub(super) fn with_shape(context: &mut Context, ty: Type, shape: &[i64]) -> Option<Type> {
    if let Some(view) = ShapedView::of(context, ty) {
        let view = ShapedView {
            shape: shape.to_vec(),
            ..view.clone()
        };
        return Some(view.ty(context));
    }
    let mut kind = ty.kind(context).clone();
    match &mut kind {
        orison_ir::TypeKind::Tensor { shape: own, .. } => *own = shape.into(),
        _ => return None,
    }
    Some(Type::new(context, kind))
}
