//! Elementary functions.

use orison_host::math::{classify, float, fpowi, integer, integer_power};
use orison_ir::numbers::Float;

use super::Scalar;
use super::float::assumed;
use crate::{Datum, Trap};

/// The results of an operation of `math` on elements that are not poison.
///
/// # Errors
/// Undefined behaviour, or an operation on these types that is not implemented.
pub(super) fn apply(scalar: &Scalar, name: &str, operands: &[Datum]) -> Result<Vec<Datum>, Trap> {
    let results = match operands {
        [Datum::Integer(a)] => integer(name, a).map(|value| vec![Datum::Integer(value)]),
        [Datum::Integer(a), Datum::Integer(b)] if name == "ipowi" => {
            let power = integer_power(a, b).ok_or_else(|| {
                Trap::undefined(scalar.operation, "zero to the power of a negative integer")
            })?;
            Some(vec![Datum::Integer(power)])
        }
        [Datum::Float(a)] if name == "sincos" => {
            let each = ["sin", "cos"].map(|name| float(name, &[*a]));
            let each = each
                .into_iter()
                .map(|value| Some(assumed(scalar, &[*a], value?)));
            each.collect()
        }
        [Datum::Float(a)] if name.starts_with("is") => {
            classify(name, *a).map(|holds| vec![Datum::bool(holds)])
        }
        [Datum::Float(a), Datum::Integer(b)] if name == "fpowi" => {
            fpowi(*a, b).map(|result| vec![assumed(scalar, &[*a], result)])
        }
        _ => {
            let floats: Option<Vec<Float>> = operands.iter().map(Datum::as_float).collect();
            floats.and_then(|floats| {
                let result = float(name, &floats)?;
                Some(vec![assumed(scalar, &floats, result)])
            })
        }
    };
    results.ok_or_else(|| {
        let message = format!("'math.{name}' on these types");
        Trap::unsupported(scalar.operation, &message)
    })
}
