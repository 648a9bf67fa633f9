//! Rules of float operations.

use orison_ir::{Operation, Rewriter, RuleResult, rule};

use super::{defined_by, operands};
use crate::arith;
use crate::arith::NegF;

rule!(
    pub MULF_OF_NEGF, "arith-mulf-of-negf", "-x * -y becomes x * y", arith::MulF::NAME, without_signs
);
rule!(
    pub DIVF_OF_NEGF, "arith-divf-of-negf", "-x / -y becomes x / y", arith::DivF::NAME, without_signs
);

fn without_signs(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (lhs, rhs) = operands(context, op);
    let x = defined_by(context, lhs, NegF::NAME)?.operand(context, 0);
    let y = defined_by(context, rhs, NegF::NAME)?.operand(context, 0);
    op.set_operands(rewriter.context(), &[x, y]);
    rewriter.modified(op);
    rewriter.used_less(lhs);
    rewriter.used_less(rhs);
    Ok(())
}
