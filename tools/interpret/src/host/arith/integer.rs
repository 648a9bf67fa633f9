//! Integers.

use std::cmp::Ordering;

use orison_host::arith::{IntegerPredicate, Overflow};
use orison_ir::numbers::{ApInt, Overflowing};

use super::Scalar;
use crate::{Datum, Trap};

/// Whether a zero on the right is undefined behaviour.
pub(super) fn divides(name: &str) -> bool {
    matches!(
        name,
        "divui" | "divsi" | "remui" | "remsi" | "ceildivui" | "ceildivsi" | "floordivsi"
    )
}

/// Whether a division by this divisor is undefined for some dividend: an unknown divisor may be zero,
/// and the smallest integer divided by minus one overflows.
pub(super) fn may_be_undefined(name: &str, divisor: Option<&Datum>) -> bool {
    let overflows = matches!(name, "divsi" | "ceildivsi" | "floordivsi");
    match divisor {
        Some(Datum::Integer(divisor)) => divisor.is_zero() || overflows && divisor.is_all_ones(),
        _ => true,
    }
}

/// The results of an operation on two integers; `None` if it is not an integer operation.
pub(super) fn binary(
    scalar: &Scalar,
    name: &str,
    a: &ApInt,
    b: &ApInt,
) -> Result<Option<Vec<Datum>>, Trap> {
    if a.width() != b.width() {
        return Err(Trap::malformed(
            scalar.operation,
            "operands differ in width",
        ));
    }
    if divides(name) {
        return divide(scalar, name, a, b).map(|datum| Some(vec![datum]));
    }
    Ok(match name {
        "addui_extended" => {
            let sum = a.unsigned_add(b);
            Some(vec![Datum::Integer(sum.value), Datum::bool(sum.overflow)])
        }
        "mulsi_extended" => Some(extended_product(a, b, ApInt::sign_extend)),
        "mului_extended" => Some(extended_product(a, b, ApInt::zero_extend)),
        "cmpi" => scalar
            .predicate
            .and_then(IntegerPredicate::from_number)
            .and_then(|predicate| predicate.holds(a, b))
            .map(|holds| vec![Datum::bool(holds)]),
        _ => single(scalar, name, a, b).map(|datum| vec![datum]),
    })
}

fn divide(scalar: &Scalar, name: &str, a: &ApInt, b: &ApInt) -> Result<Datum, Trap> {
    let whole = |value| Overflowing {
        value,
        overflow: false,
    };
    let quotient = match name {
        "divui" => a.unsigned_div(b).map(whole),
        "divsi" => a.signed_div(b),
        "remui" => a.unsigned_rem(b).map(whole),
        "remsi" => a.signed_rem(b).map(whole),
        "ceildivui" => a.unsigned_ceil_div(b).map(whole),
        "ceildivsi" => a.signed_ceil_div(b),
        _ => a.signed_floor_div(b),
    };
    let Some(quotient) = quotient else {
        return Err(Trap::undefined(scalar.operation, "division by zero"));
    };
    if quotient.overflow {
        return Err(Trap::undefined(scalar.operation, "a division overflows"));
    }
    let exact = quotient.value.wrapping_mul(b) == *a;
    if scalar.exact && !exact {
        return Ok(Datum::Poison);
    }
    Ok(Datum::Integer(quotient.value))
}

fn extended_product(a: &ApInt, b: &ApInt, extend: impl Fn(&ApInt, u32) -> ApInt) -> Vec<Datum> {
    let width = a.width();
    let product = extend(a, 2 * width).wrapping_mul(&extend(b, 2 * width));
    let high = product.logical_shift_right(width).truncate(width);
    vec![
        Datum::Integer(product.truncate(width)),
        Datum::Integer(high),
    ]
}

/// The result of a single-result operation that is always defined except for its overflow flags.
fn single(scalar: &Scalar, name: &str, a: &ApInt, b: &ApInt) -> Option<Datum> {
    let larger = |order: Option<Ordering>| if order == Some(Ordering::Less) { b } else { a };
    let smaller = |order: Option<Ordering>| {
        if order == Some(Ordering::Greater) {
            b
        } else {
            a
        }
    };
    let value = match name {
        "addi" => {
            return Some(promised(
                scalar,
                a.signed_add(b),
                a.unsigned_add(b).overflow,
            ));
        }
        "subi" => {
            return Some(promised(
                scalar,
                a.signed_sub(b),
                a.unsigned_sub(b).overflow,
            ));
        }
        "muli" => {
            return Some(promised(
                scalar,
                a.signed_mul(b),
                a.unsigned_mul(b).overflow,
            ));
        }
        "shli" | "shrui" | "shrsi" => return Some(shift(scalar, name, a, b)),
        "andi" => a.bitwise_and(b),
        "ori" => a.bitwise_or(b),
        "xori" => a.bitwise_xor(b),
        "maxsi" => larger(a.compare_signed(b)).clone(),
        "maxui" => larger(a.compare_unsigned(b)).clone(),
        "minsi" => smaller(a.compare_signed(b)).clone(),
        "minui" => smaller(a.compare_unsigned(b)).clone(),
        _ => return None,
    };
    Some(Datum::Integer(value))
}

/// A result; poison if an overflow occurs that a flag excludes.
fn promised(scalar: &Scalar, result: Overflowing, unsigned_overflow: bool) -> Datum {
    let broken = result.overflow && scalar.overflow.contains(Overflow::NSW)
        || unsigned_overflow && scalar.overflow.contains(Overflow::NUW);
    if broken {
        Datum::Poison
    } else {
        Datum::Integer(result.value)
    }
}

fn shift(scalar: &Scalar, name: &str, a: &ApInt, b: &ApInt) -> Datum {
    let Some(amount) = a.shift_amount(b) else {
        return Datum::Poison;
    };
    let (value, kept) = match name {
        "shli" => {
            let value = a.shift_left(amount);
            let signed = value.arithmetic_shift_right(amount) == *a;
            let unsigned = value.logical_shift_right(amount) == *a;
            let kept = (signed || !scalar.overflow.contains(Overflow::NSW))
                && (unsigned || !scalar.overflow.contains(Overflow::NUW));
            (value, kept)
        }
        "shrui" => {
            let value = a.logical_shift_right(amount);
            let kept = !scalar.exact || value.shift_left(amount) == *a;
            (value, kept)
        }
        _ => {
            let value = a.arithmetic_shift_right(amount);
            let kept = !scalar.exact || value.shift_left(amount) == *a;
            (value, kept)
        }
    };
    if kept {
        Datum::Integer(value)
    } else {
        Datum::Poison
    }
}
