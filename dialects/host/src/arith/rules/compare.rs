//! Rules of comparisons.

use std::cmp::Ordering;

use orison_ir::declare::AttributeForm;
use orison_ir::numbers::{ApInt, Float};
use orison_ir::{Attribute, AttributeKind, Context, Declined, Operation, Rewriter};
use orison_ir::{RuleResult, Value, rule};

use super::casts::holds_integers;
use super::{Step, cast_source, known, operands, result_type};
use crate::arith::{
    CmpF, CmpI, ExtSI, ExtUI, FloatPredicate, IntegerPredicate, IntegerPredicateAttr, SIToFP,
    UIToFP, constant, constant_float_of,
};

rule!(
    pub CMP_OF_EXTSI, "arith-cmpi-of-extsi", "equality of extsi(x) and extsi(y) is that of x and y",
    CmpI::NAME, |rewriter, op| before_widening(rewriter, op, ExtSI::NAME)
);
rule!(
    pub CMP_OF_EXTUI, "arith-cmpi-of-extui", "equality of extui(x) and extui(y) is that of x and y",
    CmpI::NAME, |rewriter, op| before_widening(rewriter, op, ExtUI::NAME)
);
rule!(
    pub CMPF_OF_INTEGER, "arith-cmpf-of-integer",
    "comparing a converted integer with a float constant becomes an integer comparison",
    CmpF::NAME, as_integer
);

fn before_widening(rewriter: &mut Rewriter<'_>, op: Operation, widening: &str) -> RuleResult {
    let context = rewriter.ir();
    let predicate = op.attribute(context, "predicate");
    let predicate = predicate.and_then(|value| IntegerPredicateAttr::read(context, value));
    if !matches!(predicate, Some(IntegerPredicate::Eq | IntegerPredicate::Ne)) {
        return Declined::because("the predicate is neither 'eq' nor 'ne'");
    }
    let (lhs, rhs) = operands(context, op);
    let x = cast_source(context, lhs, widening)?;
    let y = cast_source(context, rhs, widening)?;
    if x.ty(context) != y.ty(context) {
        return Declined::because("the operands are extended from different types");
    }
    op.set_operands(rewriter.context(), &[x, y]);
    rewriter.modified(op);
    rewriter.used_less(lhs);
    rewriter.used_less(rhs);
    Ok(())
}

/// The simplified form of a comparison of an integer with a constant.
enum Outcome {
    Known(bool),
    Compare(Relation, ApInt),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Relation {
    /// The relation required by a predicate; the constant result if the predicate has no relation.
    fn of(predicate: FloatPredicate) -> Result<Relation, bool> {
        use FloatPredicate as P;
        Ok(match predicate {
            P::AlwaysFalse | P::Uno => return Err(false),
            P::AlwaysTrue | P::Ord => return Err(true),
            P::Oeq | P::Ueq => Relation::Equal,
            P::One | P::Une => Relation::NotEqual,
            P::Olt | P::Ult => Relation::Less,
            P::Ole | P::Ule => Relation::LessOrEqual,
            P::Ogt | P::Ugt => Relation::Greater,
            P::Oge | P::Uge => Relation::GreaterOrEqual,
        })
    }

    /// Whether the relation holds for two values with this ordering.
    fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Equal => order.is_eq(),
            Relation::NotEqual => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::LessOrEqual => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::GreaterOrEqual => order.is_ge(),
        }
    }

    fn predicate(self, signed: bool) -> IntegerPredicate {
        use IntegerPredicate as P;
        match (self, signed) {
            (Relation::Equal, _) => P::Eq,
            (Relation::NotEqual, _) => P::Ne,
            (Relation::Less, true) => P::Slt,
            (Relation::Less, false) => P::Ult,
            (Relation::LessOrEqual, true) => P::Sle,
            (Relation::LessOrEqual, false) => P::Ule,
            (Relation::Greater, true) => P::Sgt,
            (Relation::Greater, false) => P::Ugt,
            (Relation::GreaterOrEqual, true) => P::Sge,
            (Relation::GreaterOrEqual, false) => P::Uge,
        }
    }

    /// The relation of every integer to a float with a fraction, as a relation to the float
    /// rounded toward zero.
    fn to_rounded(self, negative: bool) -> Result<Relation, bool> {
        Ok(match self {
            Relation::Equal => return Err(false),
            Relation::NotEqual => return Err(true),
            Relation::Less | Relation::LessOrEqual if negative => Relation::Less,
            Relation::Less | Relation::LessOrEqual => Relation::LessOrEqual,
            Relation::Greater | Relation::GreaterOrEqual if negative => Relation::GreaterOrEqual,
            Relation::Greater | Relation::GreaterOrEqual => Relation::Greater,
        })
    }
}

/// Compares every integer of a width with a float that is not a NaN.
fn outcome(relation: Relation, width: u32, signed: bool, number: Float) -> Option<Outcome> {
    let (least, greatest) = if signed {
        (ApInt::signed_min(width), ApInt::signed_max(width))
    } else {
        (ApInt::zero(width), ApInt::all_ones(width))
    };
    let float = |value: &ApInt| Float::from_integer(number.kind(), value, signed);
    if number.compare(float(&greatest))?.is_gt() {
        return Some(Outcome::Known(relation.holds(Ordering::Less)));
    }
    if number.compare(float(&least))?.is_lt() {
        return Some(Outcome::Known(relation.holds(Ordering::Greater)));
    }
    let rounded = number.to_integer(width, signed)?;
    if number.compare(float(&rounded))?.is_eq() {
        return Some(Outcome::Compare(relation, rounded));
    }
    Some(match relation.to_rounded(number.is_negative()) {
        Ok(relation) => Outcome::Compare(relation, rounded),
        Err(holds) => Outcome::Known(holds),
    })
}

/// The converted integer, whether it is signed, and its width.
fn converted(context: &Context, value: Value) -> Step<(Value, bool, u32)> {
    let (source, signed) = match cast_source(context, value, SIToFP::NAME) {
        Ok(source) => (source, true),
        Err(_) => (cast_source(context, value, UIToFP::NAME)?, false),
    };
    match source.ty(context).integer_width(context) {
        Some(width) if width > 0 => Ok((source, signed, width)),
        _ => Declined::because("the converted value is not an integer"),
    }
}

fn as_integer(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (lhs, rhs) = operands(context, op);
    let (source, signed, width) = converted(context, lhs)?;
    known(context, rhs)?;
    let Some(number) = constant_float_of(context, rhs) else {
        return Declined::because("the constant is not a float");
    };
    if !holds_integers(number.kind(), width, signed) {
        return Declined::because("the conversion rounds");
    }
    let Some(predicate) = CmpF(op).predicate(context) else {
        return Declined::because("the comparison has no valid predicate");
    };
    let (location, ty) = (op.location(context), result_type(context, op));
    let integer_type = source.ty(context);
    if number.is_nan() {
        return Declined::because("the constant is a NaN");
    }
    let outcome = match Relation::of(predicate) {
        Err(holds) => Some(Outcome::Known(holds)),
        Ok(relation) => outcome(relation, width, signed, number),
    };
    let new = match outcome {
        None => return Declined::because("the constant has no adjacent integer"),
        Some(Outcome::Known(holds)) => constant(rewriter, location, Attribute::bool(holds)),
        Some(Outcome::Compare(relation, value)) => {
            let kind = AttributeKind::Integer {
                ty: integer_type,
                value,
            };
            let bound = Attribute::new(rewriter.context(), kind);
            let bound = constant(rewriter, location, bound);
            let predicate = relation.predicate(signed);
            let new = CmpI::build(rewriter, location, source, bound, predicate, ty);
            new.result(rewriter.ir())
        }
    };
    rewriter.replace(op, &[new]);
    Ok(())
}
