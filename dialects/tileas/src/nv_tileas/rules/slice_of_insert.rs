//! Rule 7: what was inserted at exactly the slice is the slice.

use orison_ir::declare::Effects;
use orison_ir::{Context, Declined, Operation, Rewriter, RuleResult, TypeKind};

use crate::nv_tileas::{Bound, ExtractSlice, InsertSlice, SliceBounds};

orison_ir::rule!(
    pub SLICE_OF_INSERT, "nv-tileas-extract-of-insert",
    "extract_slice of exactly what insert_slice inserted becomes what was inserted",
    "nv_tileas.extract_slice", apply
);

fn apply(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let extract = ExtractSlice(op);
    let Some(wanted) = SliceBounds::of(context, op) else {
        return Declined::because("the bounds do not fit the operands");
    };
    let mut whole = extract.source(context);
    loop {
        let insert = whole
            .defining_op(context)
            .and_then(|def| InsertSlice::of(context, def));
        let Some(insert) = insert else {
            return Declined::because("the source is not inserted into at this slice");
        };
        let Some(given) = SliceBounds::of(context, insert.operation()) else {
            return Declined::because("the bounds do not fit the operands");
        };
        if given == wanted {
            return replace(rewriter, extract, insert);
        }
        if !are_disjoint(&given, &wanted) {
            return Declined::because("another insertion may overlap the slice");
        }
        whole = insert.destination(context);
    }
}

fn replace(rewriter: &mut Rewriter<'_>, extract: ExtractSlice, insert: InsertSlice) -> RuleResult {
    let context = rewriter.ir();
    let source = insert.source(context);
    let slice = extract.slice(context);
    if source.ty(context) != slice.ty(context) {
        return Declined::because("what was inserted is of another type");
    }
    let is_tile = matches!(slice.ty(context).kind(context), TypeKind::Tensor { .. });
    if !is_tile && !is_quiet(context, insert.operation(), extract.operation()) {
        return Declined::because("an operation between may change the buffer");
    }
    rewriter.replace(extract.operation(), &[source]);
    Ok(())
}

/// True when slices share no element: along some axis one ends before the other starts.
fn are_disjoint(a: &SliceBounds, b: &SliceBounds) -> bool {
    let range = |bounds: &SliceBounds, axis: usize| {
        let part = |list: &[Bound]| match list.get(axis) {
            Some(Bound::Static(number)) => Some(*number),
            _ => None,
        };
        let (start, size) = (part(&bounds.offsets)?, part(&bounds.sizes)?);
        let span = size.checked_sub(1)?.checked_mul(part(&bounds.strides)?)?;
        Some((start, start.checked_add(span)?))
    };
    (0..a.offsets.len()).any(|axis| match (range(a, axis), range(b, axis)) {
        (Some(a), Some(b)) => a.1 < b.0 || b.1 < a.0,
        _ => false,
    })
}

/// True when nothing between two operations of one block changes memory or makes slices of it.
fn is_quiet(context: &Context, from: Operation, to: Operation) -> bool {
    if from.block(context) != to.block(context) {
        return false;
    }
    let mut current = from.next(context);
    while let Some(op) = current.filter(|op| *op != to) {
        let effects = op
            .definition(context)
            .map_or(Effects::Unknown, |d| d.effects);
        let slices =
            InsertSlice::of(context, op).is_some() || ExtractSlice::of(context, op).is_some();
        if slices || !matches!(effects, Effects::None | Effects::Read) {
            return false;
        }
        current = op.next(context);
    }
    true
}
