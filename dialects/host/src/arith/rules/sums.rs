//! Rules of sums, differences and products with constants.

use std::cell::Cell;

use orison_ir::declare::AttributeForm;
use orison_ir::numbers::{ApInt, Overflowing};
use orison_ir::{Attribute, Context, Declined, Operation, Rewriter, RuleResult, Value, rule};

use super::{Step, defined_by, known, operands, result_type, splat};
use crate::arith::scalars::{is_integer, map_integers};
use crate::arith::{AddI, MulI, Overflow, OverflowAttr, SubI, constant};

rule!(
    pub ADD_OF_ADD, "arith-addi-of-addi", "(x + c) + d becomes x + (c + d)", AddI::NAME,
    |rewriter, op| chain(rewriter, op, Form::Sum, Form::Sum)
);
rule!(
    pub ADD_OF_SUB_RIGHT, "arith-addi-of-subi-right", "(x - c) + d becomes x + (d - c)",
    AddI::NAME, |rewriter, op| chain(rewriter, op, Form::Sum, Form::Less)
);
rule!(
    pub ADD_OF_SUB_LEFT, "arith-addi-of-subi-left", "(c - x) + d becomes (c + d) - x",
    AddI::NAME, |rewriter, op| chain(rewriter, op, Form::Sum, Form::From)
);
rule!(
    pub SUB_OF_ADD, "arith-subi-of-addi", "(x + c) - d becomes x + (c - d)", SubI::NAME,
    |rewriter, op| chain(rewriter, op, Form::Less, Form::Sum)
);
rule!(
    pub SUB_OF_SUB_RIGHT, "arith-subi-of-subi-right", "(x - c) - d becomes x - (c + d)",
    SubI::NAME, |rewriter, op| chain(rewriter, op, Form::Less, Form::Less)
);
rule!(
    pub SUB_OF_SUB_LEFT, "arith-subi-of-subi-left", "(c - x) - d becomes (c - d) - x",
    SubI::NAME, |rewriter, op| chain(rewriter, op, Form::Less, Form::From)
);
rule!(
    pub SUB_FROM_ADD, "arith-subi-from-addi", "d - (x + c) becomes (d - c) - x", SubI::NAME,
    |rewriter, op| chain(rewriter, op, Form::From, Form::Sum)
);
rule!(
    pub SUB_FROM_SUB_RIGHT, "arith-subi-from-subi-right", "d - (x - c) becomes (d + c) - x",
    SubI::NAME, |rewriter, op| chain(rewriter, op, Form::From, Form::Less)
);
rule!(
    pub SUB_FROM_SUB_LEFT, "arith-subi-from-subi-left", "d - (c - x) becomes x + (d - c)",
    SubI::NAME, |rewriter, op| chain(rewriter, op, Form::From, Form::From)
);
rule!(
    pub SUB_OF_OWN_MINUEND, "arith-subi-of-own-minuend", "(x - y) - x becomes 0 - y", SubI::NAME,
    own_minuend
);
rule!(
    pub ADD_OF_NEGATED, "arith-addi-of-negated", "x + y * -1 becomes x - y", AddI::NAME,
    add_negated
);
rule!(
    pub MUL_OF_MUL, "arith-muli-of-muli", "(x * c) * d becomes x * (c * d)", MulI::NAME, products
);

/// The form of a sum of a value and a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `x + c`.
    Sum,
    /// `x - c`.
    Less,
    /// `c - x`.
    From,
}

impl Form {
    /// The value and the constant of an operation of this form.
    fn parts(self, context: &Context, op: Operation) -> Step<(Value, Attribute)> {
        let (lhs, rhs) = operands(context, op);
        let (value, number) = match self {
            Form::Sum | Form::Less => (lhs, rhs),
            Form::From => (rhs, lhs),
        };
        Ok((value, known(context, number)?))
    }

    fn name(self) -> &'static str {
        match self {
            Form::Sum => AddI::NAME,
            Form::Less | Form::From => SubI::NAME,
        }
    }
}

fn flags(context: &Context, op: Operation) -> Overflow {
    let flags = op.attribute(context, "overflowFlags");
    flags
        .and_then(|flags| OverflowAttr::read(context, flags))
        .unwrap_or(Overflow::NONE)
}

/// The overflows that combining two constants has caused.
#[derive(Default)]
struct Wraps {
    signed: Cell<bool>,
    unsigned: Cell<bool>,
}

impl Wraps {
    fn note(&self, signed: &Overflowing, unsigned: &Overflowing) -> ApInt {
        self.signed.set(self.signed.get() | signed.overflow);
        self.unsigned.set(self.unsigned.get() | unsigned.overflow);
        signed.value.clone()
    }

    /// The flags of two operations that hold for the combined operation, if the constant
    /// did not wrap around.
    fn flags(&self, first: Overflow, second: Overflow) -> Overflow {
        let mut both = first.0 & second.0;
        if self.signed.get() {
            both &= !Overflow::NSW.0;
        }
        if self.unsigned.get() {
            both &= !Overflow::NUW.0;
        }
        Overflow(both)
    }
}

/// Combines two operations with constants into one.
fn chain(rewriter: &mut Rewriter<'_>, op: Operation, outer: Form, inner: Form) -> RuleResult {
    let context = rewriter.ir();
    let (middle, d) = outer.parts(context, op)?;
    let inner_op = defined_by(context, middle, inner.name())?;
    let (x, c) = inner.parts(context, inner_op)?;
    let (own, inner_flags) = (flags(context, op), flags(context, inner_op));
    let (location, ty) = (op.location(context), result_type(context, op));
    let wraps = Wraps::default();
    let add = |a: &ApInt, b: &ApInt| Some(wraps.note(&a.signed_add(b), &a.unsigned_add(b)));
    let subtract = |a: &ApInt, b: &ApInt| Some(wraps.note(&a.signed_sub(b), &a.unsigned_sub(b)));
    let context = rewriter.context();
    let number = match (outer, inner) {
        (Form::Sum, Form::Sum | Form::From)
        | (Form::Less, Form::Less)
        | (Form::From, Form::Less) => map_integers(context, &[Some(c), Some(d)], ty, add),
        (Form::Less, Form::Sum | Form::From) => {
            map_integers(context, &[Some(c), Some(d)], ty, subtract)
        }
        (Form::Sum, Form::Less) | (Form::From, Form::Sum | Form::From) => {
            map_integers(context, &[Some(d), Some(c)], ty, subtract)
        }
    };
    let Some(number) = number else {
        return Declined::because("the constants cannot be combined");
    };
    if matches!(
        (outer, inner),
        (Form::Sum, Form::Sum) | (Form::Less, Form::Less | Form::From) | (Form::From, Form::Sum)
    ) {
        // If these constants wrap around as unsigned integers, one of the operations always wraps.
        wraps.unsigned.set(false);
    }
    let mut promises = wraps.flags(own, inner_flags);
    if (outer, inner) == (Form::Less, Form::Sum) {
        // A sum replaces a difference, so its overflows differ.
        promises = Overflow::NONE;
    }
    let number = constant(rewriter, location, number);
    let negated = matches!(
        (outer, inner),
        (Form::Sum | Form::Less, Form::From) | (Form::From, Form::Sum | Form::Less)
    );
    let new = if negated {
        let difference = SubI::build(rewriter, location, number, x);
        difference.set_overflow_flags(rewriter.context(), promises);
        difference.0
    } else if (outer, inner) == (Form::Less, Form::Less) {
        let difference = SubI::build(rewriter, location, x, number);
        difference.set_overflow_flags(rewriter.context(), promises);
        difference.0
    } else {
        let sum = AddI::build(rewriter, location, x, number);
        sum.set_overflow_flags(rewriter.context(), promises);
        sum.0
    };
    let result = new.result(rewriter.ir(), 0);
    rewriter.replace(op, &[result]);
    Ok(())
}

fn own_minuend(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (difference, x) = operands(context, op);
    let inner = defined_by(context, difference, SubI::NAME)?;
    let (minuend, y) = operands(context, inner);
    if minuend != x {
        return Declined::because("the subtrahend is not the minuend of the inner subtraction");
    }
    let promises = Overflow(flags(context, op).0 & flags(context, inner).0);
    let (location, ty) = (op.location(context), result_type(context, op));
    let zero = splat(rewriter, op, ty, ApInt::zero)?;
    let new = SubI::build(rewriter, location, zero, y);
    new.set_overflow_flags(rewriter.context(), promises);
    let result = new.result(rewriter.ir());
    rewriter.replace(op, &[result]);
    Ok(())
}

fn add_negated(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (lhs, rhs) = operands(context, op);
    let negated = |value: Value| {
        let product = defined_by(context, value, MulI::NAME).ok()?;
        let (y, factor) = operands(context, product);
        let factor = known(context, factor).ok();
        is_integer(context, factor, ApInt::is_all_ones).then_some(y)
    };
    let (x, y) = match (negated(rhs), negated(lhs)) {
        (Some(y), _) => (lhs, y),
        (None, Some(y)) => (rhs, y),
        (None, None) => return Declined::because("neither operand is a multiplication by -1"),
    };
    let location = op.location(context);
    let new = SubI::build(rewriter, location, x, y);
    let result = new.result(rewriter.ir());
    rewriter.replace(op, &[result]);
    Ok(())
}

fn products(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (middle, d) = operands(context, op);
    let d = known(context, d)?;
    let inner = defined_by(context, middle, MulI::NAME)?;
    let (x, c) = operands(context, inner);
    let c = known(context, c)?;
    let (own, inner_flags) = (flags(context, op), flags(context, inner));
    let (location, ty) = (op.location(context), result_type(context, op));
    let wraps = Wraps::default();
    let multiply = |a: &ApInt, b: &ApInt| Some(wraps.note(&a.signed_mul(b), &a.unsigned_mul(b)));
    let product = map_integers(rewriter.context(), &[Some(c), Some(d)], ty, multiply);
    let Some(product) = product else {
        return Declined::because("the constants cannot be combined");
    };
    let product = constant(rewriter, location, product);
    let promises = wraps.flags(own, inner_flags);
    let new = MulI::build(rewriter, location, x, product);
    new.set_overflow_flags(rewriter.context(), promises);
    let result = new.result(rewriter.ir());
    rewriter.replace(op, &[result]);
    Ok(())
}
