//! Folders of comparison and selection.

use std::cmp::Ordering;

use orison_ir::declare::AttributeForm;
use orison_ir::numbers::{ApInt, Float};
use orison_ir::{Attribute, Context, Operation, Type};

use super::super::scalars::{Scalar, is_integer, map, splat_integer, uniform_float};
use super::{Fold, constant, in_place, operand_defined_by, value};
use crate::arith;
use crate::arith::{
    FloatPredicate, FloatPredicateAttr, IntegerPredicate, IntegerPredicateAttr, constant_of,
};
use crate::types::value_scalar;

impl IntegerPredicate {
    /// Whether the predicate holds; `None` if the widths differ.
    pub fn holds(self, lhs: &ApInt, rhs: &ApInt) -> Option<bool> {
        use IntegerPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let signed = lhs.compare_signed(rhs)?;
        let unsigned = lhs.compare_unsigned(rhs)?;
        Some(match self {
            Eq => signed.is_eq(),
            Ne => signed.is_ne(),
            Slt => signed.is_lt(),
            Sle => signed.is_le(),
            Sgt => signed.is_gt(),
            Sge => signed.is_ge(),
            Ult => unsigned.is_lt(),
            Ule => unsigned.is_le(),
            Ugt => unsigned.is_gt(),
            Uge => unsigned.is_ge(),
        })
    }

    /// Whether the predicate holds for two equal integers.
    pub fn holds_for_equal(self) -> bool {
        use IntegerPredicate::{Eq, Sge, Sle, Uge, Ule};
        matches!(self, Eq | Sle | Sge | Ule | Uge)
    }

    /// The inverse predicate.
    #[must_use]
    pub fn inverted(self) -> IntegerPredicate {
        use IntegerPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sle => Sgt,
            Sgt => Sle,
            Sge => Slt,
            Ult => Uge,
            Ule => Ugt,
            Ugt => Ule,
            Uge => Ult,
        }
    }

    /// The predicate for swapped operands.
    #[must_use]
    pub fn swapped(self) -> IntegerPredicate {
        use IntegerPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        match self {
            Eq => Eq,
            Ne => Ne,
            Slt => Sgt,
            Sle => Sge,
            Sgt => Slt,
            Sge => Sle,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
        }
    }
}

impl FloatPredicate {
    /// Whether the predicate holds.
    pub fn holds(self, lhs: Float, rhs: Float) -> bool {
        use FloatPredicate::{
            AlwaysFalse, AlwaysTrue, Oeq, Oge, Ogt, Ole, Olt, One, Ord, Ueq, Uge, Ugt, Ule, Ult,
            Une, Uno,
        };
        let order = lhs.compare(rhs);
        let ordered = |holds: fn(Ordering) -> bool| order.is_some_and(holds);
        let unordered = |holds: fn(Ordering) -> bool| order.is_none_or(holds);
        match self {
            AlwaysFalse => false,
            Oeq => ordered(Ordering::is_eq),
            Ogt => ordered(Ordering::is_gt),
            Oge => ordered(Ordering::is_ge),
            Olt => ordered(Ordering::is_lt),
            Ole => ordered(Ordering::is_le),
            One => ordered(Ordering::is_ne),
            Ord => order.is_some(),
            Ueq => unordered(Ordering::is_eq),
            Ugt => unordered(Ordering::is_gt),
            Uge => unordered(Ordering::is_ge),
            Ult => unordered(Ordering::is_lt),
            Ule => unordered(Ordering::is_le),
            Une => unordered(Ordering::is_ne),
            Uno => order.is_none(),
            AlwaysTrue => true,
        }
    }
}

/// `true` or `false` in the type of the result.
fn truth(context: &mut Context, op: Operation, holds: bool) -> Fold {
    let ty = op.result(context, 0).ty(context);
    constant(splat_integer(context, ty, |width| {
        ApInt::from_u64(width, u64::from(holds))
    })?)
}

pub(in super::super) fn cmpi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let predicate = op.attribute(context, "predicate")?;
    let predicate = IntegerPredicateAttr::read(context, predicate)?;
    let (lhs, rhs) = (op.operand(context, 0), op.operand(context, 1));
    if lhs == rhs {
        return truth(context, op, predicate.holds_for_equal());
    }
    if let Some(folded) = compare_with_bool(context, op, predicate, constants) {
        return Some(folded);
    }
    if constants[0].is_some() && constants[1].is_none() {
        // Constants are canonically the right operand.
        op.set_operands(context, &[rhs, lhs]);
        let swapped = IntegerPredicateAttr::write(context, predicate.swapped());
        op.set_attribute(context, "predicate", swapped);
        return in_place();
    }
    let ty = op.result(context, 0).ty(context);
    constant(map(context, constants, ty, |row| {
        let holds = predicate.holds(row[0].integer()?, row[1].integer()?)?;
        Some(Scalar::Integer(ApInt::from(holds)))
    })?)
}

/// A comparison that tests whether a single bit, or an extended single bit, is set.
fn compare_with_bool(
    context: &Context,
    op: Operation,
    predicate: IntegerPredicate,
    constants: &[Option<Attribute>],
) -> Fold {
    let is_bool = |ty: Type| value_scalar(context, ty) == Type::I1;
    let lhs = op.operand(context, 0);
    let (eq, ne) = (IntegerPredicate::Eq, IntegerPredicate::Ne);
    let zero = predicate == ne && is_integer(context, constants[1], ApInt::is_zero);
    if is_bool(lhs.ty(context)) {
        let one = predicate == eq && is_integer(context, constants[1], ApInt::is_one);
        return if zero || one { value(lhs) } else { None };
    }
    let widened = operand_defined_by(context, op, 0, arith::ExtUI::DEFINITION)
        .or_else(|| operand_defined_by(context, op, 0, arith::ExtSI::DEFINITION))?;
    let source = widened.operand(context, 0);
    if zero && is_bool(source.ty(context)) {
        return value(source);
    }
    None
}

pub(in super::super) fn cmpf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let predicate = op.attribute(context, "predicate")?;
    let predicate = FloatPredicateAttr::read(context, predicate)?;
    match predicate {
        FloatPredicate::AlwaysFalse => return truth(context, op, false),
        FloatPredicate::AlwaysTrue => return truth(context, op, true),
        _ => {}
    }
    // The value compared with a NaN does not matter.
    let nan = constants.iter().flatten().find_map(|constant| {
        let number = uniform_float(context, *constant)?;
        number.is_nan().then_some(number)
    });
    if let Some(nan) = nan {
        return truth(context, op, predicate.holds(nan, nan));
    }
    let ty = op.result(context, 0).ty(context);
    constant(map(context, constants, ty, |row| {
        let holds = predicate.holds(row[0].float()?, row[1].float()?);
        Some(Scalar::Integer(ApInt::from(holds)))
    })?)
}

pub(in super::super) fn select(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let condition = op.operand(context, 0);
    let (if_true, if_false) = (op.operand(context, 1), op.operand(context, 2));
    if if_true == if_false || is_integer(context, constants[0], ApInt::is_one) {
        return value(if_true);
    }
    if is_integer(context, constants[0], ApInt::is_zero) {
        return value(if_false);
    }
    let is_true = is_integer(context, constants[1], ApInt::is_one);
    let is_false = is_integer(context, constants[2], ApInt::is_zero);
    let ty = op.result(context, 0).ty(context);
    if condition.ty(context) == ty && is_true && is_false {
        return value(condition);
    }
    // a == b ? a : b is b, and a != b ? a : b is a.
    if let Some(comparison) = operand_defined_by(context, op, 0, arith::CmpI::DEFINITION) {
        let predicate = comparison.attribute(context, "predicate")?;
        let compared = (
            comparison.operand(context, 0),
            comparison.operand(context, 1),
        );
        let same = compared == (if_true, if_false) || compared == (if_false, if_true);
        match IntegerPredicateAttr::read(context, predicate) {
            Some(IntegerPredicate::Eq) if same => return value(if_false),
            Some(IntegerPredicate::Ne) if same => return value(if_true),
            _ => {}
        }
    }
    let constant_condition = constant_of(context, condition);
    let all = [constant_condition, constants[1], constants[2]];
    constant(map(context, &all, ty, |row| {
        let chosen = if row[0].integer()?.is_zero() {
            row[2]
        } else {
            row[1]
        };
        Some(chosen.clone())
    })?)
}
