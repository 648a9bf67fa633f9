//! Folders of conversions.

use orison_ir::declare::AttributeForm;
use orison_ir::numbers::{ApInt, Float, FloatKind};
use orison_ir::{Attribute, Context, Operation, Type};

use super::super::scalars::{Scalar, map};
use super::{Fold, constant, in_place, operand_defined_by, value};
use crate::arith;
use crate::arith::{FastMath, FastMathAttr, Overflow, OverflowAttr};
use crate::types::value_scalar;

/// The width in bits of the result's elements.
fn result_width(context: &Context, op: Operation) -> Option<u32> {
    value_scalar(context, op.result(context, 0).ty(context)).bit_width(context)
}

/// The kind of the result's elements.
fn result_kind(context: &Context, op: Operation) -> Option<FloatKind> {
    value_scalar(context, op.result(context, 0).ty(context)).float_kind(context)
}

fn evaluate(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    function: impl Fn(&Scalar) -> Option<Scalar>,
) -> Fold {
    let ty = op.result(context, 0).ty(context);
    constant(map(context, constants, ty, |row| function(row[0]))?)
}

/// Applies an operation to the operand of the preceding operation.
fn skip_operand(context: &mut Context, op: Operation, inner: Operation) -> Fold {
    let source = inner.operand(context, 0);
    op.set_operand(context, 0, source);
    in_place()
}

fn resize(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    function: impl Fn(&ApInt, u32) -> ApInt,
) -> Fold {
    let width = result_width(context, op)?;
    evaluate(context, op, constants, |scalar| {
        Some(Scalar::Integer(function(scalar.integer()?, width)))
    })
}

pub(in super::super) fn extui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if let Some(inner) = operand_defined_by(context, op, 0, arith::ExtUI::DEFINITION) {
        return skip_operand(context, op, inner);
    }
    resize(context, op, constants, ApInt::zero_extend)
}

pub(in super::super) fn extsi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if let Some(inner) = operand_defined_by(context, op, 0, arith::ExtSI::DEFINITION) {
        return skip_operand(context, op, inner);
    }
    resize(context, op, constants, ApInt::sign_extend)
}

pub(in super::super) fn trunci(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let result = op.result(context, 0).ty(context);
    let widened = operand_defined_by(context, op, 0, arith::ExtUI::DEFINITION)
        .or_else(|| operand_defined_by(context, op, 0, arith::ExtSI::DEFINITION));
    if let Some(inner) = widened {
        let source = inner.operand(context, 0);
        if source.ty(context) == result {
            return value(source);
        }
        let width = value_scalar(context, source.ty(context)).bit_width(context);
        if width > result_width(context, op) && !promises(context, op) {
            return skip_operand(context, op, inner);
        }
    }
    if let Some(inner) = operand_defined_by(context, op, 0, arith::TruncI::DEFINITION)
        && !promises(context, op)
        && !promises(context, inner)
    {
        return skip_operand(context, op, inner);
    }
    resize(context, op, constants, ApInt::truncate)
}

/// Whether a truncation asserts that no set bit is lost.
fn promises(context: &Context, op: Operation) -> bool {
    op.attribute(context, "overflowFlags")
        .and_then(|flags| OverflowAttr::read(context, flags))
        .is_some_and(|flags| flags != Overflow::NONE)
}

/// Converts the value to another kind if that is exact.
fn convert_exactly(value: Float, kind: FloatKind) -> Option<Float> {
    if value.is_nan() {
        return None;
    }
    let converted = value.convert(kind);
    let same = converted.kind() == kind && !converted.is_nan();
    (same && converted.convert(value.kind()) == value).then_some(converted)
}

pub(in super::super) fn extf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    // Both flags allow omitting the intermediate rounding.
    if let Some(inner) = operand_defined_by(context, op, 0, arith::TruncF::DEFINITION)
        && inner.operand(context, 0).ty(context) == op.result(context, 0).ty(context)
        && may_contract(context, op)
        && may_contract(context, inner)
    {
        return value(inner.operand(context, 0));
    }
    let kind = result_kind(context, op)?;
    evaluate(context, op, constants, |scalar| {
        convert_exactly(scalar.float()?, kind).map(Scalar::Float)
    })
}

fn may_contract(context: &Context, op: Operation) -> bool {
    op.attribute(context, "fastmath")
        .and_then(|flags| FastMathAttr::read(context, flags))
        .is_some_and(|flags| flags.contains(FastMath::CONTRACT))
}

/// Whether every value of a kind converts to another kind and back without loss.
fn widens_exactly(from: FloatKind, to: FloatKind) -> bool {
    use FloatKind::{BF16, F16, F32, F64};
    matches!((from, to), (F16 | BF16, F32 | F64) | (F32, F64))
}

pub(in super::super) fn truncf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let result = op.result(context, 0).ty(context);
    if let Some(inner) = operand_defined_by(context, op, 0, arith::ExtF::DEFINITION) {
        let source = inner.operand(context, 0);
        let kind = |ty: Type| value_scalar(context, ty).float_kind(context);
        let (from, to) = (
            kind(source.ty(context))?,
            kind(op.operand(context, 0).ty(context))?,
        );
        if source.ty(context) == result && widens_exactly(from, to) {
            return value(source);
        }
        // If the target is narrower than the source, both sequences round exactly once.
        if widens_exactly(from, to) && widens_exactly(result_kind(context, op)?, from) {
            return skip_operand(context, op, inner);
        }
    }
    let kind = result_kind(context, op)?;
    evaluate(context, op, constants, |scalar| {
        convert_exactly(scalar.float()?, kind).map(Scalar::Float)
    })
}

fn from_integer(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    signed: bool,
) -> Fold {
    let kind = result_kind(context, op)?;
    evaluate(context, op, constants, |scalar| {
        Some(Scalar::Float(Float::from_integer(
            kind,
            scalar.integer()?,
            signed,
        )))
    })
}

pub(in super::super) fn sitofp(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    from_integer(context, op, constants, true)
}

pub(in super::super) fn uitofp(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    from_integer(context, op, constants, false)
}

fn to_integer(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    signed: bool,
) -> Fold {
    let width = result_width(context, op)?;
    evaluate(context, op, constants, |scalar| {
        scalar
            .float()?
            .to_integer(width, signed)
            .map(Scalar::Integer)
    })
}

pub(in super::super) fn fptosi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    to_integer(context, op, constants, true)
}

pub(in super::super) fn fptoui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    to_integer(context, op, constants, false)
}

/// A conversion back from `index`, if the conversion to `index` was lossless.
fn undoes_index_cast(context: &Context, op: Operation) -> Option<Operation> {
    let inner = operand_defined_by(context, op, 0, op.definition(context)?)?;
    let source = inner.operand(context, 0).ty(context);
    let width = value_scalar(context, source).integer_width(context)?;
    (source == op.result(context, 0).ty(context) && width <= 64).then_some(inner)
}

pub(in super::super) fn index_cast(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if let Some(inner) = undoes_index_cast(context, op) {
        return value(inner.operand(context, 0));
    }
    resize(context, op, constants, ApInt::truncate_or_sign_extend)
}

pub(in super::super) fn index_castui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if let Some(inner) = undoes_index_cast(context, op) {
        return value(inner.operand(context, 0));
    }
    resize(context, op, constants, ApInt::truncate_or_zero_extend)
}

pub(in super::super) fn bitcast(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let result = op.result(context, 0).ty(context);
    if op.operand(context, 0).ty(context) == result {
        return value(op.operand(context, 0));
    }
    if let Some(inner) = operand_defined_by(context, op, 0, arith::Bitcast::DEFINITION) {
        return skip_operand(context, op, inner);
    }
    let scalar = value_scalar(context, result);
    let (kind, width) = (scalar.float_kind(context), scalar.bit_width(context)?);
    if width > 128 {
        return None;
    }
    evaluate(context, op, constants, |value| {
        let bits = match value {
            Scalar::Float(value) => value.bits(),
            Scalar::Integer(value) => {
                let word =
                    |number: usize| u128::from(value.words().get(number).copied().unwrap_or(0));
                word(0) | word(1) << 64
            }
        };
        Some(match kind {
            Some(kind) => {
                let float = Float::from_bits(kind, bits);
                // Some encodings of f80 are not numbers and would not round-trip.
                if float.bits() != bits {
                    return None;
                }
                Scalar::Float(float)
            }
            None => Scalar::Integer(ApInt::from_u128(width, bits)),
        })
    })
}
