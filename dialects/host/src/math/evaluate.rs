//! What the operations compute: exact where the definition is, otherwise computed in double precision
//! by `libm`, which is the same on every host, and rounded to the type of the result.

use orison_ir::numbers::{ApInt, Float, FloatCategory, FloatKind};

/// The result of the operation `math.<name>` on floats of one type; `None` if there is no such
/// operation, or for a type of more than 64 bits unless the result is exact.
#[must_use]
pub fn float(name: &str, operands: &[Float]) -> Option<Float> {
    let kind = operands.first()?.kind();
    if operands.iter().any(|operand| operand.kind() != kind) {
        return None;
    }
    let exact = match (name, operands) {
        ("absf", [a]) => Some(a.absolute()),
        ("copysign", [a, b]) => Some(if a.is_negative() == b.is_negative() {
            *a
        } else {
            a.negated()
        }),
        ("clampf", [value, min, max]) => Some(value.minimum_number(*max).maximum_number(*min)),
        _ => None,
    };
    if exact.is_some() {
        return exact;
    }
    if kind.width() > 64 {
        return None;
    }
    let value = match *operands {
        [a] => unary(name)?(a.to_f64()),
        [a, b] => binary(name)?(a.to_f64(), b.to_f64()),
        // Rounded once, unlike a sum in double precision.
        [a, b, c] if name == "fma" && kind == FloatKind::F32 => {
            f64::from(libm::fmaf(single(a), single(b), single(c)))
        }
        [a, b, c] if name == "fma" => libm::fma(a.to_f64(), b.to_f64(), c.to_f64()),
        _ => return None,
    };
    Some(Float::from_f64(kind, value))
}

/// A float to the power of a signed integer; `None` for a type of more than 64 bits.
#[must_use]
pub fn fpowi(base: Float, exponent: &ApInt) -> Option<Float> {
    let exponent = Float::from_integer(FloatKind::F64, exponent, true);
    let result = libm::pow(base.to_f64(), exponent.to_f64());
    (base.kind().width() <= 64).then(|| Float::from_f64(base.kind(), result))
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a 32-bit float, which is exact"
)]
fn single(value: Float) -> f32 {
    value.to_f64() as f32
}

fn unary(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "acos" => libm::acos,
        "acosh" => libm::acosh,
        "asin" => libm::asin,
        "asinh" => libm::asinh,
        "atan" => libm::atan,
        "atanh" => libm::atanh,
        "cbrt" => libm::cbrt,
        "ceil" => libm::ceil,
        "cos" => libm::cos,
        "cosh" => libm::cosh,
        "erf" => libm::erf,
        "erfc" => libm::erfc,
        "exp" => libm::exp,
        "exp2" => libm::exp2,
        "expm1" => libm::expm1,
        "floor" => libm::floor,
        "log" => libm::log,
        "log10" => libm::log10,
        "log1p" => libm::log1p,
        "log2" => libm::log2,
        "round" => libm::round,
        "roundeven" => libm::roundeven,
        "rsqrt" => |value| 1.0 / libm::sqrt(value),
        "sin" => libm::sin,
        "sinh" => libm::sinh,
        "sqrt" => libm::sqrt,
        "tan" => libm::tan,
        "tanh" => libm::tanh,
        "trunc" => libm::trunc,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "atan2" => libm::atan2,
        "powf" => libm::pow,
        _ => return None,
    })
}

/// Whether a float is of the class that the operation `math.<name>` tests for; `None` if there is no such
/// operation.
#[must_use]
pub fn classify(name: &str, value: Float) -> Option<bool> {
    Some(match name {
        "isfinite" => value.is_finite(),
        "isinf" => value.is_infinite(),
        "isnan" => value.is_nan(),
        "isnormal" => value.category() == FloatCategory::Normal,
        _ => return None,
    })
}

/// The result of the operation `math.<name>` on one integer; `None` if there is no such operation.
#[must_use]
pub fn integer(name: &str, value: &ApInt) -> Option<ApInt> {
    let width = value.width();
    let count = |bits: u32| ApInt::from_u64(width, u64::from(bits));
    Some(match name {
        "absi" => value.wrapping_abs(),
        "ctlz" => count(value.leading_zeros()),
        "cttz" => count(value.trailing_zeros()),
        "ctpop" => count(value.count_ones()),
        _ => return None,
    })
}

/// A signed power; `None` if the result would be a division by zero.
#[must_use]
pub fn integer_power(base: &ApInt, exponent: &ApInt) -> Option<ApInt> {
    let one = ApInt::from_u64(base.width(), 1);
    if exponent.is_negative() {
        if base.is_zero() {
            return None;
        }
        let is_odd = exponent.bit(0);
        return Some(match base {
            _ if base.is_one() => one,
            _ if base.is_all_ones() && !is_odd => one,
            _ if base.is_all_ones() => base.clone(),
            _ => ApInt::zero(base.width()),
        });
    }
    let (mut result, mut square) = (one, base.clone());
    for number in 0..exponent.width() {
        if exponent.bit(number) {
            result = result.wrapping_mul(&square);
        }
        square = square.wrapping_mul(&square);
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of Python's `math`, which are those of the C library.
    #[test]
    fn functions_have_the_values_of_other_libraries() {
        let values = [
            ("acos", 0.25, 1.318_116_071_652_818),
            ("acosh", 2.5, 1.566_799_236_972_411),
            ("asin", 0.25, 0.252_680_255_142_078_65),
            ("asinh", 0.25, 0.247_466_461_547_263_46),
            ("atan", 0.25, 0.244_978_663_126_864_14),
            ("atanh", 0.25, 0.255_412_811_882_995_36),
            ("cbrt", 0.25, 0.629_960_524_947_436_6),
            ("ceil", -2.5, -2.0),
            ("cos", 0.25, 0.968_912_421_710_644_7),
            ("cosh", 0.25, 1.031_413_099_879_573_2),
            ("erf", 0.25, 0.276_326_390_168_236_9),
            ("erfc", 0.25, 0.723_673_609_831_763_1),
            ("exp", 0.25, 1.284_025_416_687_741_4),
            ("exp2", 0.25, 1.189_207_115_002_721),
            ("expm1", 0.25, 0.284_025_416_687_741_5),
            ("floor", -2.5, -3.0),
            ("log", 0.25, -1.386_294_361_119_890_6),
            ("log10", 0.25, -0.602_059_991_327_962_4),
            ("log1p", 0.25, 0.223_143_551_314_209_76),
            ("log2", 0.25, -2.0),
            ("round", -2.5, -3.0),
            ("roundeven", -2.5, -2.0),
            ("rsqrt", 0.25, 2.0),
            ("sin", 0.25, 0.247_403_959_254_522_94),
            ("sinh", 0.25, 0.252_612_316_808_168_3),
            ("sqrt", 0.25, 0.5),
            ("tan", 0.25, 0.255_341_921_221_036_27),
            ("tanh", 0.25, 0.244_918_662_403_709_13),
            ("trunc", -2.5, -2.0),
        ];
        for (name, operand, expected) in values {
            let result = unary(name).expect(name)(operand);
            assert!(
                (result - expected).abs() <= 4.0 * f64::EPSILON,
                "{name}: {result}"
            );
        }
        let power = binary("powf").expect("powf")(2.5, -1.5);
        assert!((power - 0.252_982_212_813_470_3).abs() <= f64::EPSILON);
        let angle = binary("atan2").expect("atan2")(1.0, -1.0);
        assert!((angle - 2.356_194_490_192_345).abs() <= f64::EPSILON);
    }

    #[test]
    fn multiply_and_add_rounds_once() {
        // 1 + 2^-12, squared, is 1 + 2^-11 + 2^-24: rounded before the sum, the last term is lost.
        let kind = FloatKind::F32;
        let factor = Float::from_f64(kind, 1.0 + 2f64.powi(-12));
        let summand = Float::from_f64(kind, -1.0 - 2f64.powi(-11));
        let result = float("fma", &[factor, factor, summand]).expect("floats");
        assert!((result.to_f64() - 2f64.powi(-24)).abs() < f64::EPSILON);
    }

    #[test]
    fn integer_powers_are_signed() {
        let power = |base, exponent| {
            let integer = |value| ApInt::from_i64(8, value);
            integer_power(&integer(base), &integer(exponent)).map(|value| value.as_i64())
        };
        assert_eq!(power(-3, 3), Some(Some(-27)));
        assert_eq!(power(3, 5), Some(Some(243 - 256)));
        assert_eq!(power(7, 0), Some(Some(1)));
        assert_eq!(power(2, -1), Some(Some(0)));
        assert_eq!(power(-1, -3), Some(Some(-1)));
        assert_eq!(power(-1, -2), Some(Some(1)));
        assert_eq!(power(1, -128), Some(Some(1)));
        assert_eq!(power(0, -1), None);
    }
}
