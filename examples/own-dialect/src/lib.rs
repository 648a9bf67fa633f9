//! The dialect `poly`: polynomials with integer coefficients.

mod coefficients;
mod execution;
mod expand_eval;
mod operations;

use orison_ir::Context;
use orison_ir::declare::{DialectDefinition, TypeDefinition};
use orison_ir::pass::PassRegistry;

pub use coefficients::CoefficientsAttr;
pub use expand_eval::ExpandEval;
pub use operations::{Add, Constant, Eval};

/// `!poly.polynomial`.
pub static POLYNOMIAL: TypeDefinition =
    TypeDefinition::without_parameters("poly.polynomial", "A polynomial over `i64`.");

/// The dialect.
pub static POLY: DialectDefinition = DialectDefinition {
    name: "poly",
    documentation: "Polynomials with integer coefficients.",
    operations: &[Constant::DEFINITION, Add::DEFINITION, Eval::DEFINITION],
    types: &[&POLYNOMIAL],
    attributes: &[&coefficients::COEFFICIENTS],
    ..DialectDefinition::DEFAULT
};

/// Makes the dialect known to a context, and its operations to the interpreter.
pub fn register(context: &mut Context) {
    context.register_dialect(&POLY);
    execution::attach(context);
}

/// Registers the passes of this crate.
pub fn passes(registry: &mut PassRegistry) {
    registry.register::<ExpandEval>();
}
