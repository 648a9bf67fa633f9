//! The pass `poly-expand-eval`.

use orison_host::arith::{self, AddI, MulI};
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::{Attribute, Builder, InsertionPoint, Rewriter, Type, walk};

use crate::{Constant, Eval};

orison_ir::pass_options! {
    /// Options of `poly-expand-eval`.
    pub struct ExpandEvalOptions {
        /// Polynomials with more coefficients than this stay.
        max_coefficients = "max-coefficients": u64 = 8,
    }
}

/// The pass `poly-expand-eval`.
#[derive(Clone, Debug)]
pub struct ExpandEval(ExpandEvalOptions);

impl Pass for ExpandEval {
    type Options = ExpandEvalOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<ExpandEval>(
        "poly-expand-eval",
        "Evaluates known polynomials with sums and products, by Horner's scheme.",
        source_position!(),
    );

    fn create(options: ExpandEvalOptions) -> Self {
        ExpandEval(options)
    }

    fn options(&self) -> &ExpandEvalOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut status = IRStatus::Unchanged;
        for op in walk::collect(pass.context, pass.op()) {
            if let Some(eval) = Eval::of(pass.context, op) {
                status |= IRStatus::changed_if(self.expand(pass, eval));
            }
        }
        Ok(status)
    }
}

impl ExpandEval {
    /// Replaces an evaluation; false, with a remark, when it stays.
    fn expand(&self, pass: &mut PassContext<'_>, eval: Eval) -> bool {
        const RULE: &str = "expand-eval";
        let (op, context) = (eval.operation(), &*pass.context);
        let constant = eval
            .polynomial(context)
            .defining_op(context)
            .and_then(|definition| Constant::of(context, definition));
        let Some(coefficients) = constant.and_then(|constant| constant.value(context)) else {
            pass.declined(
                op,
                RULE,
                "the polynomial is not known",
                "--canonicalize first",
            );
            return false;
        };
        if coefficients.len() as u64 > self.0.max_coefficients {
            pass.declined(
                op,
                RULE,
                "there are too many coefficients",
                "a larger max-coefficients",
            );
            return false;
        }
        let (point, location) = (eval.point(context), op.location(context));
        let mut rewriter = Rewriter::new(Builder::at(pass.context, InsertionPoint::Before(op)));
        let mut value = None;
        for coefficient in coefficients.into_iter().rev() {
            let attribute = Attribute::i64(rewriter.context(), coefficient);
            let constant = arith::Constant::build(&mut rewriter, location, attribute, Type::I64);
            let mut sum = constant.result(rewriter.ir());
            if let Some(value) = value {
                let product = MulI::build(&mut rewriter, location, value, point);
                let product = product.result(rewriter.ir());
                let added = AddI::build(&mut rewriter, location, product, sum);
                sum = added.result(rewriter.ir());
            }
            value = Some(sum);
        }
        if let Some(value) = value {
            rewriter.replace(op, &[value]);
        }
        true
    }
}
