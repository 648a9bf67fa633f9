//! Constant folding. Results that are not numbers are left to the program.

use orison_ir::declare::Folded;
use orison_ir::numbers::ApInt;
use orison_ir::{Attribute, Context, Operation};

use super::evaluate;
use crate::arith::{Scalar, map};

/// The folder of all operations with one result.
pub(super) fn fold(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Option<Vec<Folded>> {
    let ty = op.result(context, 0).ty(context);
    let name = op.name_text(context).strip_prefix("math.")?.to_owned();
    let result = map(context, constants, ty, |row| element(&name, row))?;
    Some(vec![Folded::Constant(result)])
}

fn element(name: &str, row: &[&Scalar]) -> Option<Scalar> {
    match row {
        [Scalar::Integer(a)] => evaluate::integer(name, a).map(Scalar::Integer),
        [Scalar::Integer(a), Scalar::Integer(b)] => {
            evaluate::integer_power(a, b).map(Scalar::Integer)
        }
        [Scalar::Float(a), Scalar::Integer(b)] => evaluate::fpowi(*a, b).map(Scalar::Float),
        [Scalar::Float(a)] if name.starts_with("is") => {
            let holds = evaluate::classify(name, *a)?;
            Some(Scalar::Integer(ApInt::from_u64(1, u64::from(holds))))
        }
        _ => {
            let floats: Option<Vec<_>> = row.iter().map(|scalar| scalar.float()).collect();
            let result = evaluate::float(name, &floats?)?;
            (!result.is_nan()).then_some(Scalar::Float(result))
        }
    }
}
