//! Rule 7: a slice with the bounds of an insertion is the inserted value.

use orison_ir::declare::Effects;
use orison_ir::{Context, Declined, Operation, Rewriter, RuleResult, TypeKind};

use super::inserts;
use crate::nv_tileas::{Bound, ExtractSlice, InsertSlice, SliceBounds};

orison_ir::rule!(
    pub SLICE_OF_INSERT, "nv-tileas-extract-of-insert",
    "extract_slice of the slice that insert_slice inserted becomes the inserted value",
    ExtractSlice::NAME, apply
);

fn apply(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let extract = ExtractSlice(op);
    let insert = insertion(rewriter.ir(), extract)?;
    replace(rewriter, extract, insert)
}

/// The insertion with the bounds of the extraction.
fn insertion(context: &Context, extract: ExtractSlice) -> Result<InsertSlice, Declined> {
    let bounds = |op| match SliceBounds::of(context, op) {
        Some(bounds) => Ok(bounds),
        None => {
            Declined::because("the number of dynamic bounds does not match the number of operands")
        }
    };
    let wanted = bounds(extract.operation())?;
    for insert in inserts(context, extract.source(context)) {
        let given = bounds(insert.operation())?;
        if given == wanted {
            return Ok(insert);
        }
        if !are_disjoint(&given, &wanted) {
            return Declined::because("another insertion may overlap the slice");
        }
    }
    Declined::because("the source is not inserted into at this slice")
}

fn replace(rewriter: &mut Rewriter<'_>, extract: ExtractSlice, insert: InsertSlice) -> RuleResult {
    let context = rewriter.ir();
    let source = insert.source(context);
    let slice = extract.slice(context);
    if source.ty(context) != slice.ty(context) {
        return Declined::because("the inserted value has a different type");
    }
    let is_tile = matches!(slice.ty(context).kind(context), TypeKind::Tensor { .. });
    if !is_tile && !is_quiet(context, insert.operation(), extract.operation()) {
        return Declined::because("an intervening operation may change the buffer");
    }
    rewriter.replace(extract.operation(), &[source]);
    Ok(())
}

/// True if slices are disjoint: along some axis one ends before the other starts.
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

/// True if no operation between two operations of one block changes memory or slices it.
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
