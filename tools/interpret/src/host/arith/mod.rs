//! Arithmetic and elementary functions, element by element.

mod casts;
mod float;
mod integer;
mod math;

use orison_host::arith::{Constant, FastMath, FastMathAttr, Overflow, OverflowAttr};
use orison_ir::declare::AttributeForm;
use orison_ir::numbers::FloatKind;
use orison_ir::{Context, Operation};

use super::datum_of_attribute;
use crate::{Action, Datum, Elements, Semantics, Step, Trap};

/// The semantics of `arith` and `math`.
#[derive(Debug)]
pub(super) struct Arith;

impl Semantics for Arith {
    fn execute(&self, step: &mut Step<'_, '_>, operation: Operation) -> Result<Action, Trap> {
        let context = step.context();
        if let Some(constant) = Constant::of(context, operation) {
            let value = constant.value(context);
            let datum = value.and_then(|value| datum_of_attribute(context, value));
            return match datum {
                Some(datum) => Ok(Action::Results(vec![datum])),
                None => Err(Trap::unsupported(
                    operation,
                    "a constant that is not a number",
                )),
            };
        }
        let operands = step.operands(operation)?;
        apply(context, operation, &operands).map(Action::Results)
    }
}

/// Evaluates an operation of `arith` or `math` on these operands.
///
/// # Errors
/// If the operation has undefined behaviour on them, or is unknown.
pub fn apply(
    context: &Context,
    operation: Operation,
    operands: &[Datum],
) -> Result<Vec<Datum>, Trap> {
    let scalar = Scalar::new(context, operation);
    let name = operation.name_text(context);
    let name = name.strip_prefix("arith.").unwrap_or(name);
    elementwise(&scalar, name, operands)
}

/// An operation applied to one element.
struct Scalar {
    operation: Operation,
    overflow: Overflow,
    exact: bool,
    fast_math: FastMath,
    predicate: Option<i64>,
    rounding: Option<i64>,
    /// Width in bits of an element of the first result.
    width: u32,
    /// Format of an element of the first result.
    kind: Option<FloatKind>,
    results: usize,
}

impl Scalar {
    fn new(context: &Context, operation: Operation) -> Scalar {
        let attribute = |key| operation.attribute(context, key);
        let element = operation
            .results(context)
            .next()
            .map(|result| result.ty(context).scalar(context));
        let overflow = attribute("overflowFlags")
            .and_then(|flags| OverflowAttr::read(context, flags))
            .unwrap_or_default();
        let fast_math = attribute("fastmath")
            .and_then(|flags| FastMathAttr::read(context, flags))
            .unwrap_or_default();
        let number = |key| attribute(key).and_then(|number| number.as_i64(context));
        Scalar {
            operation,
            overflow,
            exact: attribute("isExact").is_some(),
            fast_math,
            predicate: number("predicate"),
            rounding: number("roundingmode"),
            width: element.and_then(|ty| ty.bit_width(context)).unwrap_or(0),
            kind: element.and_then(|ty| ty.float_kind(context)),
            results: operation.result_count(context),
        }
    }

    /// The results for one element of each operand.
    fn apply(&self, name: &str, operands: &[Datum]) -> Result<Vec<Datum>, Trap> {
        if name == "select" {
            return self.select(operands);
        }
        if operands.iter().any(Datum::is_poison) {
            if integer::divides(name) && integer::may_be_undefined(name, operands.get(1)) {
                return Err(Trap::undefined(self.operation, "division of or by poison"));
            }
            return Ok(vec![Datum::Poison; self.results]);
        }
        if let Some(function) = name.strip_prefix("math.") {
            return math::apply(self, function, operands);
        }
        let results = match operands {
            [Datum::Integer(a), Datum::Integer(b)] => integer::binary(self, name, a, b)?,
            [Datum::Float(a), Datum::Float(b)] => float::binary(self, name, *a, *b),
            [Datum::Integer(a)] => casts::integer(self, name, a),
            [Datum::Float(a)] => casts::float(self, name, *a),
            _ => None,
        };
        results.ok_or_else(|| {
            let message = format!("'arith.{name}' on these types");
            Trap::unsupported(self.operation, &message)
        })
    }

    fn select(&self, operands: &[Datum]) -> Result<Vec<Datum>, Trap> {
        match operands {
            [Datum::Poison, _, _] => Ok(vec![Datum::Poison]),
            [Datum::Integer(condition), chosen, other] => {
                let chosen = if condition.is_one() { chosen } else { other };
                Ok(vec![chosen.clone()])
            }
            _ => Err(Trap::malformed(
                self.operation,
                "'arith.select' requires an integer condition",
            )),
        }
    }
}

/// Applies an operation to scalars, or to the elements of vectors and tensors at the same position.
/// A scalar condition selects between whole vectors.
fn elementwise(scalar: &Scalar, name: &str, operands: &[Datum]) -> Result<Vec<Datum>, Trap> {
    let whole = name == "select" && !matches!(operands.first(), Some(Datum::Elements(_)));
    let shape = operands.iter().find_map(|operand| match operand {
        Datum::Elements(elements) if !whole => Some(elements.shape.clone()),
        _ => None,
    });
    let Some(shape) = shape else {
        return scalar.apply(name, operands);
    };
    let count = shape.iter().product();
    let mut columns = vec![Vec::with_capacity(count); scalar.results];
    for number in 0..count {
        let row: Option<Vec<Datum>> = operands
            .iter()
            .map(|operand| match operand {
                Datum::Elements(elements) if elements.shape == shape => {
                    elements.data.get(number).cloned()
                }
                Datum::Elements(_) => None,
                scalar => Some(scalar.clone()),
            })
            .collect();
        let Some(row) = row else {
            return Err(Trap::undefined(
                scalar.operation,
                "the shapes of the operands differ",
            ));
        };
        for (column, result) in columns.iter_mut().zip(scalar.apply(name, &row)?) {
            column.push(result);
        }
    }
    let results = columns
        .into_iter()
        .map(|data| Elements::new(&shape, data).map(Datum::Elements));
    let results: Option<Vec<_>> = results.collect();
    results
        .ok_or_else(|| Trap::malformed(scalar.operation, "elements of an operand without a shape"))
}
