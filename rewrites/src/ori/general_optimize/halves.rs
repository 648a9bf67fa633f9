//! The semantics of operators on 16-bit floats, two in a word.

use std::cmp::Ordering;

use orison_ir::numbers::FloatKind;
use orison_ori::semantics::number::{Direction, Number, Overflow, canonical_nan};

use super::evaluate::relation_bit;
use super::term::Operator;

/// The value of an operator on words of two halves; `None` for other operators.
pub fn of(operator: Operator, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    const SIGNS: u64 = 0x8000_8000;
    Some(match operator {
        Operator::HalfNegate => a ^ SIGNS,
        Operator::HalfAbsolute => a & !SIGNS,
        Operator::HalfLow => (a & 0xffff) * 0x1_0001,
        Operator::HalfHigh => (a >> 16 & 0xffff) * 0x1_0001,
        Operator::HalfCompare => {
            let order = half(FloatKind::F16, b).compare(half(FloatKind::F16, c));
            if a > 15 {
                return None;
            }
            u64::from(a & relation_bit(order) != 0)
        }
        Operator::FloatFromHalf => encoded(half(FloatKind::F16, a), FloatKind::F32),
        Operator::HalfFromFloat => {
            encoded(Number::decode(FloatKind::F32, a.into()), FloatKind::F16)
        }
        _ => {
            let kind = operator.halves()?;
            let lane = |place: u32| lane(operator, kind, [a, b, c].map(|word| word >> place));
            lane(0)? | lane(16)? << 16
        }
    })
}

fn half(kind: FloatKind, bits: u64) -> Number {
    Number::decode(kind, u128::from(bits & 0xffff))
}

fn encoded(value: Number, kind: FloatKind) -> u64 {
    let bits = value.encode(kind, Direction::NearestEven, Overflow::Ieee);
    u64::try_from(bits).unwrap_or(0)
}

/// The value in one lane.
fn lane(operator: Operator, kind: FloatKind, operands: [u64; 3]) -> Option<u64> {
    let [a, b, c] = operands.map(|bits| half(kind, bits));
    let nearest = Direction::NearestEven;
    Some(match operator {
        Operator::HalfAdd | Operator::BrainAdd => encoded(a.plus(b, nearest), kind),
        Operator::HalfMultiply | Operator::BrainMultiply => encoded(a.times(b), kind),
        Operator::HalfMultiplyAdd | Operator::BrainMultiplyAdd => {
            encoded(a.times(b).plus(c, nearest), kind)
        }
        Operator::HalfMinimum | Operator::HalfMaximum => {
            let smaller = operator == Operator::HalfMinimum;
            let bits = operands.map(|bits| bits & 0xffff);
            match (a, b) {
                (Number::Nan, Number::Nan) => u64::try_from(canonical_nan(kind)).ok()?,
                (Number::Nan, _) => bits[1],
                (_, Number::Nan) => bits[0],
                _ => {
                    let first_is_below = match a.compare(b) {
                        Some(Ordering::Equal) => a.is_negative(),
                        order => order == Some(Ordering::Less),
                    };
                    if first_is_below == smaller {
                        bits[0]
                    } else {
                        bits[1]
                    }
                }
            }
        }
        _ => return None,
    })
}

/// Whether a half is NaN, given its bits.
pub fn is_no_number(kind: FloatKind, bits: u64) -> bool {
    half(kind, bits) == Number::Nan
}
