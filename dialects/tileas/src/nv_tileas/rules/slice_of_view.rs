//! Rule 5: a slice of a view is the view of a slice.

use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::{Attribute, Context, Declined, Operation, Rewriter, RuleResult, Type, TypeKind};

use super::static_slice::with_shape;
use crate::nv_tileas::{Bound, ExtractSlice, SliceBounds, View};
use crate::views::{ShapedView, shape_and_element};

orison_ir::rule!(
    pub SLICE_OF_VIEW, "nv-tileas-extract-of-view",
    "extract_slice of a view becomes the view of an extract_slice",
    ExtractSlice::NAME, apply
);

fn apply(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let extract = ExtractSlice(op);
    let view = extract.source(context).defining_op(context);
    let Some(view) = view.and_then(|def| View::of(context, def)) else {
        return Declined::because("the source is not a view");
    };
    let base = view.source(context);
    let (base_type, view_type) = (base.ty(context), view.view(context).ty(context));
    if !is_tile_or_view(context, base_type) {
        return Declined::because("the viewed memory cannot be sliced");
    }
    if has_layout(context, base_type) || has_layout(context, view_type) {
        return Declined::because("the layouts may not commute");
    }
    let Some(bounds) = SliceBounds::of(context, op) else {
        return Declined::because(
            "the number of dynamic bounds does not match the number of operands",
        );
    };
    let shapes = shape_and_element(context, base_type).zip(shape_and_element(context, view_type));
    let Some(((from, _), (to, _))) = shapes else {
        return Declined::because("the view has no shape");
    };
    let Some(bounds) = translate(&bounds, &from, &to) else {
        return Declined::because("the view does more than add or drop axes of extent 1");
    };
    let location = op.location(context);
    let result = op.result(context, 0).ty(context);
    rewriter.set_insertion_point(orison_ir::InsertionPoint::Before(op));
    let shape = bounds.shape();
    let Some(slice_type) = with_shape(rewriter.context(), base_type, &shape) else {
        return Declined::because("the viewed memory cannot be sliced");
    };
    let slice = create_extract(rewriter, op, base, &bounds, slice_type);
    let view = View::build(rewriter, location, slice, result);
    let view = view.view(rewriter.ir());
    rewriter.replace(op, &[view]);
    Ok(())
}

fn is_tile_or_view(context: &Context, ty: Type) -> bool {
    matches!(ty.kind(context), TypeKind::Tensor { .. })
        || ShapedView::of(context, ty).is_some_and(ShapedView::is_view)
}

fn has_layout(context: &Context, ty: Type) -> bool {
    match ty.kind(context) {
        TypeKind::Tensor { encoding, .. } => encoding.is_some(),
        _ => ShapedView::of(context, ty).is_some_and(|view| view.layout.is_some()),
    }
}

/// The bounds on the source of the view; `None` if shapes differ in more than extents of 1.
fn translate(bounds: &SliceBounds, from: &[i64], to: &[i64]) -> Option<SliceBounds> {
    if from == to {
        return Some(bounds.clone());
    }
    let mut kept = (0..to.len()).filter(|axis| to[*axis] != 1);
    for axis in (0..to.len()).filter(|axis| to[*axis] == 1) {
        let whole =
            bounds.offsets[axis] == Bound::Static(0) && bounds.sizes[axis] == Bound::Static(1);
        if !whole {
            return None;
        }
    }
    let mut result = SliceBounds {
        offsets: Vec::new(),
        sizes: Vec::new(),
        strides: Vec::new(),
    };
    for extent in from {
        let axis = if *extent == 1 {
            None
        } else {
            Some(kept.next()?)
        };
        if axis.is_some_and(|axis| to[axis] != *extent) {
            return None;
        }
        let of = |list: &[Bound], unit: i64| axis.map_or(Bound::Static(unit), |axis| list[axis]);
        result.offsets.push(of(&bounds.offsets, 0));
        result.sizes.push(of(&bounds.sizes, 1));
        result.strides.push(of(&bounds.strides, 1));
    }
    kept.next().is_none().then_some(result)
}

/// Creates an `extract_slice` with the attributes of `op`.
pub(super) fn create_extract(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    source: orison_ir::Value,
    bounds: &SliceBounds,
    result: Type,
) -> orison_ir::Value {
    let location = op.location(rewriter.ir());
    let mut state = rewriter.state(ExtractSlice::NAME, location);
    state.attributes = op.attributes(rewriter.ir());
    let context = rewriter.context();
    let dynamic = bounds.write(context, &mut state);
    let mut sizes = vec![1];
    state.operands.push(source);
    for list in dynamic {
        sizes.push(i32::try_from(list.len()).unwrap_or(i32::MAX));
        state.operands.extend(list);
    }
    let sizes = Attribute::i32_array(context, &sizes);
    state.set_property(context, OPERAND_SEGMENTS, sizes);
    state.result_types.push(result);
    let created = rewriter.create(&state);
    created.result(rewriter.ir(), 0)
}
