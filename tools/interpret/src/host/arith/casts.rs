//! Conversions, and operations on one float.

use orison_host::arith::Overflow;
use orison_ir::numbers::{ApInt, Float};

use super::Scalar;
use super::float::{assumed, rounded};
use crate::Datum;

/// The results of a conversion from an integer; `None` if there is no such conversion.
pub(super) fn integer(scalar: &Scalar, name: &str, value: &ApInt) -> Option<Vec<Datum>> {
    let datum = match name {
        "extui" => Datum::Integer(value.zero_extend(scalar.width)),
        "extsi" => Datum::Integer(value.sign_extend(scalar.width)),
        "trunci" => truncate(scalar, value),
        "index_cast" => Datum::Integer(value.truncate_or_sign_extend(scalar.width)),
        "index_castui" => Datum::Integer(value.truncate_or_zero_extend(scalar.width)),
        "uitofp" => Datum::Float(Float::from_integer(scalar.kind?, value, false)),
        "sitofp" => Datum::Float(Float::from_integer(scalar.kind?, value, true)),
        "bitcast" => match scalar.kind {
            None => Datum::Integer(value.clone()),
            Some(kind) => {
                let words = value.words();
                let word = |number: usize| u128::from(words.get(number).copied().unwrap_or(0));
                Datum::Float(Float::from_bits(kind, word(0) | word(1) << 64))
            }
        },
        _ => return None,
    };
    Some(vec![datum])
}

fn truncate(scalar: &Scalar, value: &ApInt) -> Datum {
    let width = scalar.width;
    let broken = scalar.overflow.contains(Overflow::NSW) && !value.fits_signed(width)
        || scalar.overflow.contains(Overflow::NUW) && !value.fits_unsigned(width);
    if broken {
        Datum::Poison
    } else {
        Datum::Integer(value.truncate(width))
    }
}

/// The results of an operation on one float; `None` if there is no such operation.
pub(super) fn float(scalar: &Scalar, name: &str, value: Float) -> Option<Vec<Datum>> {
    let datum = match name {
        "negf" => assumed(scalar, &[value], value.negated()),
        "extf" => assumed(scalar, &[value], value.convert(scalar.kind?)),
        "truncf" => assumed(
            scalar,
            &[value],
            rounded(value, scalar.kind?, scalar.rounding)?,
        ),
        "fptoui" => value
            .to_integer(scalar.width, false)
            .map_or(Datum::Poison, Datum::Integer),
        "fptosi" => value
            .to_integer(scalar.width, true)
            .map_or(Datum::Poison, Datum::Integer),
        "bitcast" => match scalar.kind {
            None => Datum::Integer(integer_bits(scalar.width, value)),
            Some(kind) => Datum::Float(Float::from_bits(kind, value.bits())),
        },
        _ => return None,
    };
    Some(vec![datum])
}

fn integer_bits(width: u32, value: Float) -> ApInt {
    let bits = value.bits();
    ApInt::from_words(width, vec![bits as u64, (bits >> 64) as u64])
}
