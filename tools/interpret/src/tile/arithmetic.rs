//! Arithmetic on tiles, element by element.
//!
//! The common operations on floats are implemented on whole tiles here. All others use the
//! semantics of `arith` and `math` for tensors, so that both agree by construction; a test compares them.

use orison_host::arith;
use orison_host::arith::{FastMath, FastMathAttr};
use orison_ir::declare::AttributeForm;
use orison_ir::{Attribute, Context, Operation, Value};

use super::access::tile_operand;
use super::element::ElementKind;
use super::values::{Tile, TileData, scalar, scalar_element, scalar_of, static_shape};
use crate::host::{apply_arith, datum_of_attribute};
use crate::{Action, Datum, Elements, Semantics, Step, Trap};

/// The semantics of `arith` and `math` where tensors are tiles.
#[derive(Debug)]
pub(super) struct TileArith;

impl Semantics for TileArith {
    fn execute(&self, step: &mut Step<'_, '_>, operation: Operation) -> Result<Action, Trap> {
        let context = step.context();
        if arith::Constant::matches(context, operation) {
            let datum = operation
                .attribute(context, "value")
                .and_then(|value| constant(context, operation, value));
            return match datum {
                Some(datum) => Ok(Action::Results(vec![datum])),
                None => Err(Trap::unsupported(operation, "a constant of this type")),
            };
        }
        let shaped = |value: Value| value.ty(context).is_shaped(context);
        let mut values = operation
            .results(context)
            .chain(operation.operands(context));
        let scalars = !values.any(shaped);
        let operands = step.operands(operation)?;
        if scalars && arith::Select::matches(context, operation) {
            // The alternatives have any type, also one without elements: a token, a view.
            let mut operands = operands;
            operands[0] = scalar_of(operands[0].clone());
            return apply_arith(context, operation, &operands).map(Action::Results);
        }
        let operands: Result<Vec<Datum>, Trap> = operands
            .into_iter()
            .map(|datum| match &datum {
                Datum::Payload(_) => tile_operand(step, operation, &datum).map(Datum::payload),
                _ => Ok(datum),
            })
            .collect();
        let operands = operands?;
        if scalars {
            let operands: Vec<Datum> = operands.into_iter().map(scalar_of).collect();
            return apply_arith(context, operation, &operands).map(Action::Results);
        }
        elementwise(step, operation, &operands).map(|datum| Action::Results(vec![datum]))
    }
}

fn constant(context: &Context, operation: Operation, value: Attribute) -> Option<Datum> {
    let ty = operation.result(context, 0).ty(context);
    if ty.is_shaped(context) {
        return Tile::from_attribute(context, value, ty).map(Datum::payload);
    }
    datum_of_attribute(context, value)
}

/// Evaluates an operation of `arith` or `math` on tiles of one shape, and scalars.
///
/// # Errors
/// As for the operation on scalars.
pub(super) fn elementwise(
    step: &Step<'_, '_>,
    operation: Operation,
    operands: &[Datum],
) -> Result<Datum, Trap> {
    let context = step.context();
    let name = operation.name_text(context);
    let name = name.strip_prefix("arith.").unwrap_or(name);
    let ty = operation.result(context, 0).ty(context);
    let Some(kind) = ElementKind::of(context, ty) else {
        return Err(Trap::unsupported(operation, "elements of this type"));
    };
    let assumptions = operation
        .attribute(context, "fastmath")
        .and_then(|flags| FastMathAttr::read(context, flags))
        .unwrap_or_default();
    let assumes = assumptions.contains(FastMath::NNAN) || assumptions.contains(FastMath::NINF);
    let plain = !assumes && operation.attribute(context, "roundingmode").is_none();
    if plain && let Some(tile) = on_floats(name, operands, kind) {
        return Ok(Datum::payload(tile));
    }
    let elements: Vec<Datum> = operands.iter().map(to_elements).collect();
    let results = apply_arith(context, operation, &elements)?;
    let shape = static_shape(context, ty).unwrap_or_default();
    match results.as_slice() {
        [result] => match from_elements(result, &shape, kind) {
            Some(tile) => Ok(Datum::payload(tile)),
            None => Err(Trap::unsupported(operation, "a result of this type")),
        },
        _ => Err(Trap::unsupported(
            operation,
            "an operation on tiles with several results",
        )),
    }
}

/// Float operations on tiles that cannot fail.
fn on_floats(name: &str, operands: &[Datum], kind: ElementKind) -> Option<Tile> {
    let ElementKind::Float(format) = kind else {
        return None;
    };
    let tiles: Option<Vec<&Tile>> = operands.iter().map(Datum::as_payload).collect();
    let tiles = tiles?;
    if tiles.iter().any(|tile| tile.undefined.is_some()) {
        return None;
    }
    let floats: Option<Vec<&Vec<f64>>> = tiles
        .iter()
        .map(|tile| match tile.data.as_ref() {
            TileData::Floats(values) => Some(values),
            TileData::Integers(_) => None,
        })
        .collect();
    let floats = floats?;
    let values: Vec<f64> = match *floats.as_slice() {
        [a] => {
            let apply = unary(name)?;
            let round = |value: &f64| format.round_double(apply(*value));
            a.iter().map(round).collect()
        }
        [a, b] if tiles[0].shape == tiles[1].shape && tiles[0].kind == kind => {
            let apply = binary(name)?;
            let pairs = a.iter().zip(b);
            pairs
                .map(|(a, b)| format.round_double(apply(*a, *b)))
                .collect()
        }
        _ => return None,
    };
    Some(Tile::new(&tiles[0].shape, kind, TileData::Floats(values)))
}

fn unary(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "negf" => |a| -a,
        "extf" | "truncf" => |a| a,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "addf" => |a, b| a + b,
        "subf" => |a, b| a - b,
        "mulf" => |a, b| a * b,
        "divf" => |a, b| a / b,
        "maximumf" => maximum,
        "minimumf" => |a, b| -maximum(-a, -b),
        _ => return None,
    })
}

/// The larger value; NaN if either is NaN; positive zero is larger than negative zero.
fn maximum(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    match a.total_cmp(&b) {
        std::cmp::Ordering::Less => b,
        _ => a,
    }
}

fn to_elements(datum: &Datum) -> Datum {
    let Some(tile) = datum.as_payload::<Tile>() else {
        return datum.clone();
    };
    let data = (0..tile.element_count()).map(|number| {
        if tile.is_defined(number) {
            scalar(tile.kind, tile.data.get(number))
        } else {
            Datum::Poison
        }
    });
    Elements::new(&tile.shape, data.collect()).map_or(Datum::Poison, Datum::Elements)
}

fn from_elements(datum: &Datum, shape: &[usize], kind: ElementKind) -> Option<Tile> {
    let elements = match datum {
        Datum::Elements(elements) => elements,
        Datum::Poison => return Some(Tile::undefined(shape, kind)),
        _ => return None,
    };
    let mut data = TileData::zeros(kind, elements.data.len());
    let mut undefined = vec![false; elements.data.len()];
    for (number, element) in elements.data.iter().enumerate() {
        if element.is_poison() {
            undefined[number] = true;
        } else {
            data.set(number, scalar_element(element)?);
        }
    }
    Some(Tile::new(&elements.shape, kind, data).with_undefined(undefined))
}

#[cfg(test)]
mod tests {
    use super::*;
    use orison_ir::numbers::{Float, FloatKind};
    use orison_ir::{Source, parse_source};

    fn sample(kind: FloatKind, seed: u64) -> Vec<f64> {
        let mut state = seed;
        let special = [
            0.0,
            -0.0,
            1.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            65504.0,
        ];
        let random = (0..200).map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            Float::from_bits(kind, u128::from(state >> 13)).to_f64()
        });
        let values: Vec<f64> = random.chain(special).collect();
        values
            .into_iter()
            .map(|value| kind.round_double(value))
            .collect()
    }

    #[test]
    fn tiles_and_tensors_of_floats_agree() {
        let mut context = Context::new();
        orison_host::register(&mut context);
        for kind in [
            FloatKind::F16,
            FloatKind::BF16,
            FloatKind::F32,
            FloatKind::F64,
        ] {
            for name in ["addf", "subf", "mulf", "divf", "maximumf", "minimumf"] {
                let text = format!(
                    "func.func @f(%a: {kind}, %b: {kind}) {{\n  %c = arith.{name} %a, %b : {kind}\n  return\n}}"
                );
                let source = Source {
                    name: "f.mlir",
                    text: &text,
                    first_line: 1,
                };
                let module = parse_source(&mut context, source).expect("well-formed");
                let op = orison_ir::walk::collect(&context, module)
                    .into_iter()
                    .find(|op| op.name_text(&context).starts_with("arith."))
                    .expect("there is one");
                let element = ElementKind::Float(kind);
                let (a, b) = (sample(kind, 1), sample(kind, 2));
                let tile = |values: &[f64]| {
                    let data = TileData::Floats(values.to_vec());
                    Datum::payload(Tile::new(&[values.len()], element, data))
                };
                let operands = [tile(&a), tile(&b)];
                let fast = on_floats(name, &operands, element).expect("a fast operation");
                let elements = operands.map(|datum| to_elements(&datum));
                let slow = apply_arith(&context, op, &elements).expect("defined");
                let slow = from_elements(&slow[0], &[a.len()], element);
                assert_eq!(Some(fast), slow, "{name} on {kind}");
            }
        }
    }
}
