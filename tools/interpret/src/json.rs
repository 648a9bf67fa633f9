//! Values as JSON.
//!
//! | type | JSON |
//! |---|---|
//! | integer, `index` | a number, or a string with a decimal or `0x` literal; `true` and `false` for `i1` |
//! | float | a number, or a string: a decimal literal, `inf`, `-inf`, `nan`, or the bits after `0x` |
//! | vector, tensor of static shape | an array of all elements, row-major |
//! | poison | `null` |
//!
//! Integers that do not fit 64 bits, and floats that are not finite or have more bits than a
//! double, are strings.

use std::fmt;

use orison_ir::numbers::{ApInt, Float, FloatKind, IntegerRange};
use orison_ir::{Context, Type, TypeKind};
use serde_json::{Value as Json, json};

use crate::{Datum, Elements, Event, Outcome, World};

/// Why JSON is not a value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError(String);

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JsonError {}

fn error<T>(message: impl Into<String>) -> Result<T, JsonError> {
    Err(JsonError(message.into()))
}

/// Reads values of these types from a JSON array.
///
/// # Errors
/// If the number of values differs, or one is not a value of its type.
pub fn read_values(
    context: &Context,
    types: &[Type],
    json: &Json,
) -> Result<Vec<Datum>, JsonError> {
    let Some(values) = json.as_array() else {
        return error("expected an array with one value per argument");
    };
    if values.len() != types.len() {
        return error(format!(
            "expected {} values, found {}",
            types.len(),
            values.len()
        ));
    }
    let pairs = types.iter().zip(values).enumerate();
    pairs
        .map(|(number, (ty, value))| {
            read(context, *ty, value)
                .map_err(|JsonError(message)| JsonError(format!("argument {number}: {message}")))
        })
        .collect()
}

/// Reads a value of a type.
///
/// # Errors
/// If the JSON is not a value of the type.
pub fn read(context: &Context, ty: Type, json: &Json) -> Result<Datum, JsonError> {
    if json.is_null() {
        return Ok(Datum::Poison);
    }
    match ty.kind(context) {
        TypeKind::Integer(width, _) => read_integer(*width, json).map(Datum::Integer),
        TypeKind::Index => read_integer(64, json).map(Datum::Integer),
        TypeKind::Float(kind) => read_float(*kind, json).map(Datum::Float),
        TypeKind::Vector { element, .. } | TypeKind::Tensor { element, .. } => {
            read_elements(context, ty, *element, json)
        }
        _ => error("a value of this type cannot be written as JSON"),
    }
}

fn read_integer(width: u32, json: &Json) -> Result<ApInt, JsonError> {
    let text = match json {
        Json::Bool(value) if width == 1 => return Ok(ApInt::from_u64(1, u64::from(*value))),
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.clone(),
        _ => return error("expected an integer"),
    };
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.as_str()),
    };
    ApInt::from_literal(width, digits, negative, IntegerRange::Signless)
        .map_err(|_| JsonError(format!("'{text}' is not a {width}-bit integer")))
}

fn read_float(kind: FloatKind, json: &Json) -> Result<Float, JsonError> {
    let text = match json {
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.clone(),
        _ => return error("expected a number"),
    };
    let wrong = || {
        JsonError(format!(
            "'{text}' is not a value of type {}",
            kind.keyword()
        ))
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return Float::from_hex(kind, digits).map_err(|_| wrong());
    }
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(magnitude) => (true, magnitude),
        None => (false, text.as_str()),
    };
    let value = match magnitude {
        "inf" => Float::infinity(kind, negative).ok_or_else(wrong)?,
        "nan" => Float::nan(kind, negative).ok_or_else(wrong)?,
        _ => {
            let value = Float::parse_decimal(kind, magnitude).map_err(|_| wrong())?;
            if negative { value.negated() } else { value }
        }
    };
    Ok(value)
}

fn read_elements(
    context: &Context,
    ty: Type,
    element: Type,
    json: &Json,
) -> Result<Datum, JsonError> {
    let Some(values) = json.as_array() else {
        return error("expected an array with all elements");
    };
    let shape: Option<Vec<usize>> = ty.shape(context).and_then(|shape| {
        shape
            .iter()
            .map(|extent| usize::try_from(*extent).ok())
            .collect()
    });
    let Some(shape) = shape else {
        return error("a value of this type requires a static shape");
    };
    let data: Result<Vec<_>, _> = values
        .iter()
        .map(|value| read(context, element, value))
        .collect();
    match Elements::new(&shape, data?) {
        Some(elements) => Ok(Datum::Elements(elements)),
        None => error(format!(
            "the number of elements, {}, does not match the shape",
            values.len()
        )),
    }
}

/// Writes a value as JSON.
pub fn write(datum: &Datum) -> Json {
    match datum {
        Datum::Poison => Json::Null,
        Datum::Integer(value) if value.width() == 1 => json!(value.is_one()),
        Datum::Integer(value) => match value.as_i64() {
            Some(value) => json!(value),
            None => json!(value.to_signed_decimal()),
        },
        Datum::Float(value) => {
            let double = value.to_f64();
            let exact = Float::from_f64(value.kind(), double) == *value;
            if double.is_finite() && exact {
                json!(double)
            } else {
                json!(float_text(*value))
            }
        }
        Datum::Elements(elements) => elements.data.iter().map(write).collect(),
        Datum::Function(_) | Datum::Payload(_) => json!(datum.to_string()),
    }
}

fn float_text(value: Float) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    if value.is_nan() {
        format!("0x{:X}", value.bits())
    } else if value.is_infinite() {
        format!("{sign}inf")
    } else {
        value.print()
    }
}

/// Writes the outcome of a program and its external events as JSON.
pub fn write_outcome(outcome: &Outcome, world: &World) -> Json {
    let mut json = match outcome {
        Outcome::Returned(results) => {
            let results: Json = results.iter().map(write).collect();
            json!({ "outcome": "returned", "results": results })
        }
        Outcome::Trapped(trap) => json!({ "outcome": "trapped", "reason": trap.to_string() }),
        Outcome::OutOfFuel => json!({ "outcome": "running" }),
        Outcome::Stuck(reason) => json!({ "outcome": "stuck", "reason": reason }),
    };
    if !world.events.is_empty() {
        json["events"] = world.events.iter().map(write_event).collect();
    }
    json
}

fn write_event(event: &Event) -> Json {
    let Event::Call {
        function,
        arguments,
        results,
    } = event;
    let list = |values: &[Datum]| values.iter().map(write).collect::<Json>();
    json!({ "call": function, "arguments": list(arguments), "results": list(results) })
}
