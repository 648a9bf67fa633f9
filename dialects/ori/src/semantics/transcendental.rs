//! The elementary functions of `ori.mufu`.
//!
//! The machine approximates them with a table and a quadratic (PTX ISA, `.approx`: relative errors
//! near 2^-22 for `ex2`, `lg2`, `rcp`, `rsq`; absolute ones near 2^-20 for `sin` and `cos`, 2^-11
//! for `tanh`). Here the argument and the function are evaluated in double precision, with errors
//! below one unit in the last place of a double, and rounded to the nearest float: the result is
//! within 0.5001 units in the last place of a float of the true value, inside those bounds, and the
//! same on every platform.
//!
//! As on the machine, denormal arguments and results are zero of the same sign, and the argument of
//! `sin` and `cos` is in turns: 1 is a full circle. ptxas multiplies by 1/2π before.

use orison_ir::numbers::FloatKind;

use super::Bits;
use super::arithmetic::{flushed, of_host};
use super::call::Call;
use crate::keywords::Function;

/// A double, rounded to a format; denormals become zero.
fn rounded_to(kind: FloatKind, value: f64) -> Bits {
    flushed(of_host(value, kind), kind)
}

fn rounded(value: f64) -> Bits {
    rounded_to(FloatKind::F32, value)
}

/// The angle in radians of a number of turns; whole turns are removed exactly.
fn angle(turns: f64) -> f64 {
    libm::remainder(turns, 1.0) * std::f64::consts::TAU
}

/// Sine of a number of turns; exact if the result is 0 or 1.
fn sine(turns: f64) -> f64 {
    let rest = libm::remainder(turns, 1.0);
    if rest.abs() == 0.5 || rest == 0.0 {
        return 0.0_f64.copysign(turns);
    }
    libm::sin(angle(turns))
}

fn cosine(turns: f64) -> f64 {
    let rest = libm::remainder(turns, 1.0).abs();
    if rest == 0.25 {
        return 0.0;
    }
    libm::cos(angle(turns))
}

/// `1 / sqrt(x)`; minus infinity for minus zero.
fn reciprocal_root(x: f64) -> f64 {
    if x == 0.0 {
        1.0 / x
    } else {
        1.0 / libm::sqrt(x)
    }
}

/// The high word of a function of the double with the given high word.
fn of_high_word(word: u32, function: fn(f64) -> f64) -> Bits {
    let bits = flushed(u128::from(word) << 32, FloatKind::F64);
    let value = function(f64::from_bits(bits as u64));
    rounded_to(FloatKind::F64, value) >> 32
}

pub(super) fn mufu(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let bits = call.float(0, FloatKind::F32);
    let x = f64::from(f32::from_bits(flushed(bits, FloatKind::F32) as u32));
    results[0] = match call.parameters.function? {
        Function::Cos => rounded(cosine(x)),
        Function::Sin => rounded(sine(x)),
        Function::Ex2 => rounded(libm::exp2(x)),
        Function::Lg2 => rounded(libm::log2(x)),
        Function::Rcp => rounded(1.0 / x),
        Function::Rsq => rounded(reciprocal_root(x)),
        Function::Sqrt => rounded(libm::sqrt(x)),
        Function::Tanh => rounded(libm::tanh(x)),
        Function::Rcp64h => of_high_word(bits as u32, |x| 1.0 / x),
        Function::Rsq64h => of_high_word(bits as u32, reciprocal_root),
    };
    Some(())
}
