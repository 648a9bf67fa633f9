//! Rules of conversions.

use orison_ir::declare::AttributeForm;
use orison_ir::numbers::FloatKind;
use orison_ir::{Context, Declined, Operation, Rewriter, RuleResult, Type, Value, rule};

use super::{Step, cast_source, defined_by, known, operands, result_type};
use crate::arith;
use crate::arith::scalars::uniform_integer;
use crate::arith::{
    ExtSI, ExtUI, IndexCast, IndexCastUI, Overflow, OverflowAttr, SIToFP, ShRSI, ShRUI, TruncF,
    UIToFP, constant,
};
use crate::types::value_scalar;

rule!(
    pub TRUNC_OF_EXTSI, "arith-trunci-of-extsi",
    "truncating an extension to more bits than its source becomes a narrower extension",
    arith::TruncI::NAME,
    |rewriter, op| widen_less(rewriter, op, ExtSI::NAME)
);
rule!(
    pub TRUNC_OF_EXTUI, "arith-trunci-of-extui",
    "truncating an extension to more bits than its source becomes a narrower extension",
    arith::TruncI::NAME,
    |rewriter, op| widen_less(rewriter, op, ExtUI::NAME)
);
rule!(
    pub TRUNC_OF_SHRSI, "arith-trunci-of-shrsi",
    "a signed shift right by the number of truncated bits becomes an unsigned shift",
    arith::TruncI::NAME,
    unsigned_shift
);
rule!(
    pub EXTSI_OF_EXTUI, "arith-extsi-of-extui", "extsi(extui(x)) becomes extui(x)", ExtSI::NAME,
    |rewriter, op| {
        let context = rewriter.ir();
        let source = cast_source(context, op.operand(context, 0), ExtUI::NAME)?;
        let (location, ty) = (op.location(context), result_type(context, op));
        let new = ExtUI::build(rewriter, location, source, ty).0;
        replace(rewriter, op, new)
    }
);
rule!(
    pub INDEX_CAST_OF_EXTSI, "arith-index-cast-of-extsi",
    "index_cast(extsi(x)) becomes index_cast(x)", IndexCast::NAME,
    |rewriter, op| {
        let context = rewriter.ir();
        let source = widened_to(context, op, ExtSI::NAME)?;
        let (location, ty) = (op.location(context), result_type(context, op));
        let new = IndexCast::build(rewriter, location, source, ty).0;
        replace(rewriter, op, new)
    }
);
rule!(
    pub INDEX_CASTUI_OF_EXTUI, "arith-index-castui-of-extui",
    "index_castui(extui(x)) becomes index_castui(x)", IndexCastUI::NAME,
    |rewriter, op| {
        let context = rewriter.ir();
        let source = widened_to(context, op, ExtUI::NAME)?;
        let (location, ty) = (op.location(context), result_type(context, op));
        let new = IndexCastUI::build(rewriter, location, source, ty).0;
        replace(rewriter, op, new)
    }
);
rule!(
    pub TRUNCF_OF_SITOFP, "arith-truncf-of-sitofp",
    "truncf(sitofp(x)) becomes sitofp(x), where the wide float is exact", TruncF::NAME,
    |rewriter, op| {
        let source = exact_source(rewriter.ir(), op, SIToFP::NAME)?;
        let (location, ty) = (op.location(rewriter.ir()), result_type(rewriter.ir(), op));
        let new = SIToFP::build(rewriter, location, source, ty).0;
        replace(rewriter, op, new)
    }
);
rule!(
    pub TRUNCF_OF_UITOFP, "arith-truncf-of-uitofp",
    "truncf(uitofp(x)) becomes uitofp(x), where the wide float is exact", TruncF::NAME,
    |rewriter, op| {
        let source = exact_source(rewriter.ir(), op, UIToFP::NAME)?;
        let (location, ty) = (op.location(rewriter.ir()), result_type(rewriter.ir(), op));
        let new = UIToFP::build(rewriter, location, source, ty).0;
        replace(rewriter, op, new)
    }
);

fn replace(rewriter: &mut Rewriter<'_>, op: Operation, new: Operation) -> RuleResult {
    let result = new.result(rewriter.ir(), 0);
    rewriter.replace(op, &[result]);
    Ok(())
}

/// The element width in bits.
fn width(context: &Context, ty: Type) -> Step<u32> {
    match value_scalar(context, ty).bit_width(context) {
        Some(width) => Ok(width),
        None => Declined::because("the element type has no bit width"),
    }
}

/// The overflows that a truncation excludes.
fn flags(context: &Context, op: Operation) -> Overflow {
    let flags = op.attribute(context, "overflowFlags");
    flags
        .and_then(|flags| OverflowAttr::read(context, flags))
        .unwrap_or(Overflow::NONE)
}

fn widen_less(rewriter: &mut Rewriter<'_>, op: Operation, widening: &str) -> RuleResult {
    let context = rewriter.ir();
    let source = cast_source(context, op.operand(context, 0), widening)?;
    let (location, ty) = (op.location(context), result_type(context, op));
    if width(context, source.ty(context))? >= width(context, ty)? {
        return Declined::because("the truncation drops bits of the extended value");
    }
    if flags(context, op) != Overflow::NONE {
        return Declined::because("the truncation has overflow flags");
    }
    let new = if widening == ExtSI::NAME {
        ExtSI::build(rewriter, location, source, ty).0
    } else {
        ExtUI::build(rewriter, location, source, ty).0
    };
    replace(rewriter, op, new)
}

fn unsigned_shift(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let shift = defined_by(context, op.operand(context, 0), ShRSI::NAME)?;
    let (x, amount) = operands(context, shift);
    let amount = known(context, amount)?;
    let number = uniform_integer(context, amount).and_then(|n| n.as_u64());
    let lost = width(context, x.ty(context))? - width(context, result_type(context, op))?;
    if number != Some(u64::from(lost)) {
        return Declined::because("the shift amount is not the number of truncated bits");
    }
    if flags(context, op).contains(Overflow::NSW) {
        // The high bits are copies of the sign now, and zeros after the rewrite.
        return Declined::because("the truncation has the flag nsw");
    }
    let location = shift.location(context);
    let exact = shift.attribute(context, "isExact").is_some();
    let amount = constant(rewriter, location, amount);
    let new = ShRUI::build(rewriter, location, x, amount);
    if exact {
        new.set_is_exact(rewriter.context(), ());
    }
    let new = new.result(rewriter.ir());
    rewriter.set_operand(op, 0, new);
    let old = shift.result(rewriter.ir(), 0);
    rewriter.used_less(old);
    Ok(())
}

/// The integer operand of an integer extension before the cast.
fn widened_to(context: &Context, op: Operation, widening: &str) -> Step<Value> {
    if value_scalar(context, result_type(context, op)) != Type::INDEX {
        return Declined::because("the result type is not index");
    }
    cast_source(context, op.operand(context, 0), widening)
}

/// The significand width of the float kinds to which integers are converted without loss; `None`
/// for other kinds.
fn significant_bits(kind: FloatKind) -> Option<u32> {
    match kind {
        FloatKind::BF16 => Some(8),
        FloatKind::F16 => Some(11),
        FloatKind::F32 => Some(24),
        FloatKind::F64 => Some(53),
        _ => None,
    }
}

/// Whether a float kind represents every integer of a width.
pub(super) fn holds_integers(kind: FloatKind, width: u32, signed: bool) -> bool {
    significant_bits(kind).is_some_and(|bits| width - u32::from(signed && width > 0) <= bits)
}

/// The integer that was converted without loss to the float that `op` truncates.
fn exact_source(context: &Context, op: Operation, conversion: &str) -> Step<Value> {
    let wide = op.operand(context, 0);
    let source = cast_source(context, wide, conversion)?;
    if TruncF(op).roundingmode(context).is_some() {
        return Declined::because("the truncation has an explicit rounding mode");
    }
    let kind = value_scalar(context, wide.ty(context)).float_kind(context);
    let width = width(context, source.ty(context))?;
    let signed = conversion == SIToFP::NAME;
    if kind.is_none_or(|kind| !holds_integers(kind, width, signed)) {
        return Declined::because(
            "the integer conversion rounds, so rounding once may give a different result",
        );
    }
    Ok(source)
}
