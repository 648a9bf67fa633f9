//! Rules of bitwise operations.

use orison_ir::declare::AttributeForm;
use orison_ir::numbers::ApInt;
use orison_ir::{Builder, Declined, Location, Operation, Rewriter, RuleResult, Value, rule};

use super::{cast_source, defined_by, known, operands, result_type};
use crate::arith::scalars::is_integer;
use crate::arith::{AndI, CmpI, ExtSI, ExtUI, IntegerPredicateAttr, OrI, XOrI};

rule!(
    pub XOR_OF_CMP, "arith-xori-of-cmpi", "the negation of a comparison becomes the inverse \
        comparison",
    XOrI::NAME, not_of_comparison
);
rule!(
    pub AND_OF_EXTUI, "arith-andi-of-extui", "extui(x) & extui(y) becomes extui(x & y)",
    AndI::NAME, |rewriter, op| narrow(rewriter, op, ExtUI::NAME, &AND)
);
rule!(
    pub AND_OF_EXTSI, "arith-andi-of-extsi", "extsi(x) & extsi(y) becomes extsi(x & y)",
    AndI::NAME, |rewriter, op| narrow(rewriter, op, ExtSI::NAME, &AND)
);
rule!(
    pub OR_OF_EXTUI, "arith-ori-of-extui", "extui(x) | extui(y) becomes extui(x | y)",
    OrI::NAME, |rewriter, op| narrow(rewriter, op, ExtUI::NAME, &OR)
);
rule!(
    pub OR_OF_EXTSI, "arith-ori-of-extsi", "extsi(x) | extsi(y) becomes extsi(x | y)",
    OrI::NAME, |rewriter, op| narrow(rewriter, op, ExtSI::NAME, &OR)
);
rule!(
    pub XOR_OF_EXTUI, "arith-xori-of-extui", "extui(x) ^ extui(y) becomes extui(x ^ y)",
    XOrI::NAME, |rewriter, op| narrow(rewriter, op, ExtUI::NAME, &XOR)
);
rule!(
    pub XOR_OF_EXTSI, "arith-xori-of-extsi", "extsi(x) ^ extsi(y) becomes extsi(x ^ y)",
    XOrI::NAME, |rewriter, op| narrow(rewriter, op, ExtSI::NAME, &XOR)
);

/// Builds a bitwise operation.
type Bitwise = fn(&mut Builder<'_>, Location, Value, Value) -> Operation;

static AND: Bitwise = |builder, location, lhs, rhs| AndI::build(builder, location, lhs, rhs).0;
static OR: Bitwise = |builder, location, lhs, rhs| OrI::build(builder, location, lhs, rhs).0;
static XOR: Bitwise = |builder, location, lhs, rhs| XOrI::build(builder, location, lhs, rhs).0;

fn not_of_comparison(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (lhs, rhs) = operands(context, op);
    let comparison = defined_by(context, lhs, CmpI::NAME)?;
    let ones = known(context, rhs)?;
    if !is_integer(context, Some(ones), ApInt::is_all_ones) {
        return Declined::because("the constant does not have all bits set");
    }
    let predicate = comparison.attribute(context, "predicate");
    let predicate = predicate.and_then(|value| IntegerPredicateAttr::read(context, value));
    let Some(predicate) = predicate else {
        return Declined::because("the comparison has no valid predicate");
    };
    let (a, b) = operands(context, comparison);
    let (location, ty) = (op.location(context), result_type(context, op));
    let new = CmpI::build(rewriter, location, a, b, predicate.inverted(), ty);
    let result = new.result(rewriter.ir());
    rewriter.replace(op, &[result]);
    Ok(())
}

/// The operation applied to operands before their extension.
fn narrow(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    widening: &str,
    build: &Bitwise,
) -> RuleResult {
    let context = rewriter.ir();
    let (lhs, rhs) = operands(context, op);
    let (x, y) = (
        cast_source(context, lhs, widening)?,
        cast_source(context, rhs, widening)?,
    );
    let source = x.ty(context);
    if source != y.ty(context) {
        return Declined::because("the operands are extended from different types");
    }
    let (location, ty) = (op.location(context), result_type(context, op));
    let narrow = build(rewriter, location, x, y).result(rewriter.ir(), 0);
    let wide = if widening == ExtUI::NAME {
        ExtUI::build(rewriter, location, narrow, ty).0
    } else {
        ExtSI::build(rewriter, location, narrow, ty).0
    };
    let result = wide.result(rewriter.ir(), 0);
    rewriter.replace(op, &[result]);
    Ok(())
}
