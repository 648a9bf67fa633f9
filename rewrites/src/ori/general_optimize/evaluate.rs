//! The exact semantics of terms, for words of any width up to 32 bits.

use super::halves;
use super::term::{Operator, Sort};

/// The signed interpretation of a value of `bits` bits.
pub const fn signed(value: u64, bits: u32) -> i64 {
    (value << (64 - bits)).cast_signed() >> (64 - bits)
}

/// The value of an operator applied to values, each truncated to its sort; `word` is the width of a
/// word in bits, from 1 to 32. `None` if the operator is undefined: permutations of words that are
/// not four bytes, floats of widths other than 32, tables that do not fit eight bits.
///
/// A NaN result is the canonical NaN of NVIDIA GPUs: all ones except the sign.
pub fn evaluate(operator: Operator, word: u32, operands: &[u64]) -> Option<u64> {
    let at = |number: usize| operands.get(number).copied().unwrap_or(0);
    let arguments = [at(0), at(1), at(2), at(3)];
    let value = words(operator, word, arguments)
        .or_else(|| shifts(operator, word, arguments))
        .or_else(|| bits(operator, word, arguments))
        .or_else(|| pairs(operator, word, arguments))
        .or_else(|| predicates(operator, word, arguments))
        .or_else(|| extrema(operator, word, arguments))
        .or_else(|| {
            let floats = || floats(operator, arguments).or_else(|| relations(operator, arguments));
            (word == 32).then(floats).flatten()
        })
        .or_else(|| {
            (word == 32)
                .then(|| halves::of(operator, arguments))
                .flatten()
        })?;
    Some(value & operator.sort().mask(word))
}

fn words(operator: Operator, word: u32, [a, b, c, d]: [u64; 4]) -> Option<u64> {
    let s = |value| signed(value, word);
    let wide = 2 * word;
    Some(match operator {
        Operator::Add => a.wrapping_add(b),
        Operator::Negate => a.wrapping_neg(),
        Operator::Add3 | Operator::AddCarry => a.wrapping_add(b).wrapping_add(c),
        Operator::Multiply => a.wrapping_mul(b),
        Operator::MultiplyAdd => a.wrapping_mul(b).wrapping_add(c),
        Operator::Lea if c < u64::from(word) => (a << c).wrapping_add(b),
        Operator::Not => !a,
        Operator::And => a & b,
        Operator::Or => a | b,
        Operator::Xor => a ^ b,
        Operator::Table if a < 256 => table(a, [b, c, d]),
        Operator::MinUnsigned => a.min(b),
        Operator::MaxUnsigned => a.max(b),
        Operator::MinSigned => s(a).min(s(b)).cast_unsigned(),
        Operator::MaxSigned => s(a).max(s(b)).cast_unsigned(),
        Operator::Absolute => s(a).wrapping_abs().cast_unsigned(),
        Operator::Select => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Operator::MultiplyHighUnsigned => multiply_wide(a, b, c, wide, false) >> word,
        Operator::MultiplyHighSigned => {
            let (a, b) = (s(a).cast_unsigned(), s(b).cast_unsigned());
            multiply_wide(a, b, c, wide, true) >> word
        }
        _ => return None,
    })
}

/// Minimum and maximum of three, or of a sum and a third operand; absolute differences.
fn extrema(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let s = |value| signed(value, word);
    let sum = a.wrapping_add(b) & Sort::Word.mask(word);
    Some(match operator {
        Operator::Min3Unsigned => a.min(b).min(c),
        Operator::Max3Unsigned => a.max(b).max(c),
        Operator::Min3Signed => s(a).min(s(b)).min(s(c)).cast_unsigned(),
        Operator::Max3Signed => s(a).max(s(b)).max(s(c)).cast_unsigned(),
        Operator::AddMinUnsigned => sum.min(c),
        Operator::AddMaxUnsigned => sum.max(c),
        Operator::AddMinSigned => s(sum).min(s(c)).cast_unsigned(),
        Operator::AddMaxSigned => s(sum).max(s(c)).cast_unsigned(),
        Operator::DistanceUnsigned => a.abs_diff(b).wrapping_add(c),
        Operator::DistanceSigned => s(a).abs_diff(s(b)).wrapping_add(c),
        _ => return None,
    })
}

/// The low `wide` bits of a product plus an addend.
fn multiply_wide(a: u64, b: u64, c: u64, wide: u32, _signed: bool) -> u64 {
    a.wrapping_mul(b).wrapping_add(c) & (u64::MAX >> (64 - wide))
}

/// Any function of three inputs, bitwise.
pub const fn table(lut: u64, [a, b, c]: [u64; 3]) -> u64 {
    let mut result = 0;
    let mut row = 0;
    while row < 8 {
        if lut >> row & 1 == 1 {
            let x = if row & 4 != 0 { a } else { !a };
            let y = if row & 2 != 0 { b } else { !b };
            let z = if row & 1 != 0 { c } else { !c };
            result |= x & y & z;
        }
        row += 1;
    }
    result
}

fn shifts(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let width = u64::from(word);
    let pair = c << word | a;
    let wrapped = b % width;
    let clamped = b.min(63);
    Some(match operator {
        Operator::ShiftLeft => left(a, b, word),
        Operator::ShiftRight => right(a, b, word),
        Operator::ShiftRightSigned => {
            (signed(a, word) >> b.min(u64::from(word - 1))).cast_unsigned()
        }
        Operator::FunnelLeft => left(pair, b, 2 * word) >> word,
        Operator::FunnelRight => right(pair, b, 2 * word),
        Operator::FunnelRightSigned => (signed(pair, 2 * word) >> clamped).cast_unsigned(),
        Operator::FunnelLeftWrap => pair << wrapped >> word,
        Operator::FunnelRightWrap => pair >> wrapped,
        Operator::PairShiftLeft => left(a, b, 2 * word),
        Operator::PairShiftRight => right(a, b, 2 * word),
        Operator::PairShiftRightSigned => (signed(a, 2 * word) >> clamped).cast_unsigned(),
        _ => return None,
    })
}

/// `a << b` in `bits` bits; zero for larger shifts.
fn left(a: u64, b: u64, bits: u32) -> u64 {
    if b >= u64::from(bits) {
        0
    } else {
        (a << b) & (u64::MAX >> (64 - bits))
    }
}

fn right(a: u64, b: u64, bits: u32) -> u64 {
    if b >= u64::from(bits) { 0 } else { a >> b }
}

fn bits(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let mask = Sort::Word.mask(word);
    let width = u64::from(word);
    Some(match operator {
        Operator::PopulationCount => u64::from(a.count_ones()),
        Operator::HighestBit => highest(a),
        Operator::HighestBitSigned => highest(unsigned_magnitude(a, word)),
        Operator::LeadingZeros => from_top(highest(a), word),
        Operator::LeadingSigns => from_top(highest(unsigned_magnitude(a, word)), word),
        Operator::Reverse => a.reverse_bits() >> (64 - word),
        Operator::Permute if word == 32 => permute(a, b, c),
        Operator::BitMask => left(left(mask_below(b.min(width)), a, 64), 0, 64) & mask,
        Operator::ExtendUnsigned => a & mask_below(b.min(width)),
        Operator::ExtendSigned => match u32::try_from(b.min(width)) {
            Ok(0) | Err(_) => 0,
            Ok(count) => signed(a, count).cast_unsigned(),
        },
        _ => return None,
    })
}

/// `count` low ones, at most 63.
const fn mask_below(count: u64) -> u64 {
    (1 << count) - 1
}

fn highest(a: u64) -> u64 {
    a.checked_ilog2().map_or(u64::MAX, u64::from)
}

/// The bits that differ from the sign bit.
fn unsigned_magnitude(a: u64, word: u32) -> u64 {
    let negative = signed(a, word) < 0;
    if negative {
        !a & Sort::Word.mask(word)
    } else {
        a
    }
}

fn from_top(highest: u64, word: u32) -> u64 {
    if highest == u64::MAX {
        highest
    } else {
        u64::from(word - 1) - highest
    }
}

/// Selects four bytes of `c:a`; bit 3 of a selector replicates the sign of its byte.
fn permute(a: u64, selector: u64, c: u64) -> u64 {
    let pair = c << 32 | a;
    (0..4).fold(0, |result, place| {
        let choice = selector >> (4 * place);
        let byte = pair >> (8 * (choice & 7)) & 0xff;
        let byte = match (choice & 8, byte & 0x80) {
            (0, _) => byte,
            (_, 0) => 0,
            _ => 0xff,
        };
        result | byte << (8 * place)
    })
}

fn pairs(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let s = |value| signed(value, word).cast_unsigned();
    Some(match operator {
        Operator::Low => a,
        Operator::High => a >> word,
        Operator::Concat => b << word | a,
        Operator::PairAdd => a.wrapping_add(b),
        Operator::PairNegate => a.wrapping_neg(),
        Operator::PairSubtract => a.wrapping_sub(b),
        Operator::MultiplyWideUnsigned => a.wrapping_mul(b).wrapping_add(c),
        Operator::MultiplyWideSigned => s(a).wrapping_mul(s(b)).wrapping_add(c),
        Operator::PairLea if (1..u64::from(word)).contains(&c) => (a << c).wrapping_add(b),
        _ => return None,
    })
}

fn predicates(operator: Operator, word: u32, [a, b, c, d]: [u64; 4]) -> Option<u64> {
    let s = |value| signed(value, word);
    let with = c != 0;
    let (equal, below, below_signed) = (a == b, a < b, s(a) < s(b));
    let (not_above, not_above_signed) = (a <= b, s(a) <= s(b));
    Some(u64::from(match operator {
        Operator::PredicateNot => a == 0,
        Operator::PredicateAnd => a & b != 0,
        Operator::PredicateOr => a | b != 0,
        Operator::PredicateXor => a ^ b != 0,
        Operator::PredicateTable if a < 256 => table(a, [b, c, d]) & 1 != 0,
        Operator::Equal => equal,
        Operator::NotEqual => !equal,
        Operator::LessUnsigned => below,
        Operator::LessEqualUnsigned => not_above,
        Operator::LessSigned => below_signed,
        Operator::LessEqualSigned => not_above_signed,
        Operator::EqualExtended | Operator::EqualAnd => equal && with,
        Operator::NotEqualExtended | Operator::NotEqualOr => !equal || with,
        Operator::LessExtendedUnsigned => below || equal && with,
        Operator::LessExtendedSigned => below_signed || equal && with,
        Operator::NotEqualAnd => !equal && with,
        Operator::LessUnsignedAnd => below && with,
        Operator::LessEqualUnsignedAnd => not_above && with,
        Operator::LessSignedAnd => below_signed && with,
        Operator::LessEqualSignedAnd => not_above_signed && with,
        Operator::EqualOr => equal || with,
        Operator::LessUnsignedOr => below || with,
        Operator::LessEqualUnsignedOr => not_above || with,
        Operator::LessSignedOr => below_signed || with,
        Operator::LessEqualSignedOr => not_above_signed || with,
        Operator::Carry => a + b > Sort::Word.mask(word),
        _ => return None,
    }))
}

/// The result of an invalid operation on NVIDIA GPUs.
const NAN: u32 = 0x7fff_ffff;
const NAN_DOUBLE: u64 = 0x7fff_ffff_ffff_ffff;

fn single(bits: u64) -> f32 {
    f32::from_bits(u32::try_from(bits & 0xffff_ffff).unwrap_or(0))
}

fn from_single(value: f32) -> u64 {
    u64::from(if value.is_nan() { NAN } else { value.to_bits() })
}

fn from_double(value: f64) -> u64 {
    if value.is_nan() {
        NAN_DOUBLE
    } else {
        value.to_bits()
    }
}

/// Flushes a denormal to a zero of the same sign.
fn flush(value: f32) -> f32 {
    if value.is_subnormal() {
        0f32.copysign(value)
    } else {
        value
    }
}

fn floats(operator: Operator, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    const SIGN: u64 = 1 << 31;
    const SIGN_DOUBLE: u64 = 1 << 63;
    let (x, y, z) = (single(a), single(b), single(c));
    let (p, q, r) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
    Some(match operator {
        Operator::FloatNegate => a ^ SIGN,
        Operator::FloatAbsolute => a & !SIGN,
        Operator::FloatAdd | Operator::FloatAddFast => from_single(x + y),
        Operator::FloatMultiply | Operator::FloatMultiplyFast => from_single(x * y),
        Operator::FloatMultiplyAdd => from_single(x.mul_add(y, z)),
        Operator::FloatAddFlush => from_single(flush(flush(x) + flush(y))),
        Operator::FloatMultiplyFlush => from_single(flush_product(flush(x), flush(y))),
        Operator::FloatMultiplyAddFlush => from_single(flush(flush(x).mul_add(flush(y), flush(z)))),
        Operator::FloatFromSigned => from_single(signed(a, 32) as f32),
        Operator::FloatFromUnsigned => from_single(a as f32),
        Operator::DoubleNegate => a ^ SIGN_DOUBLE,
        Operator::DoubleAbsolute => a & !SIGN_DOUBLE,
        Operator::DoubleAdd => from_double(p + q),
        Operator::DoubleMultiply => from_double(p * q),
        Operator::DoubleMultiplyAdd => from_double(p.mul_add(q, r)),
        Operator::FloatMinimum => extremum(a, b, true, false),
        Operator::FloatMaximum => extremum(a, b, false, false),
        Operator::FloatMinimumNan => extremum(a, b, true, true),
        Operator::FloatMaximumNan => extremum(a, b, false, true),
        Operator::FloatMinimumFlush => extremum(flushed(a), flushed(b), true, false),
        Operator::FloatMaximumFlush => extremum(flushed(a), flushed(b), false, false),
        Operator::FloatMinimum3 => extremum(extremum(a, b, true, false), c, true, false),
        Operator::FloatMaximum3 => extremum(extremum(a, b, false, false), c, false, false),
        Operator::FloatSelect if a != 0 => b,
        Operator::FloatSelect => c,
        Operator::DoubleFromFloat => from_double(f64::from(x)),
        Operator::FloatFromDouble => from_single(p as f32),
        // NaN is converted to the value with only the top bit set, as on the machine.
        Operator::SignedFromFloat | Operator::UnsignedFromFloat if x.is_nan() => SIGN,
        Operator::SignedFromFloat => u64::from((x as i32).cast_unsigned()),
        Operator::UnsignedFromFloat => u64::from(x as u32),
        _ => return None,
    })
}

fn flushed(a: u64) -> u64 {
    u64::from(flush(single(a)).to_bits())
}

/// The minimum or maximum of two floats; minus zero is below zero, and the non-NaN operand is
/// returned unless NaN wins.
fn extremum(a: u64, b: u64, smaller: bool, no_number_wins: bool) -> u64 {
    let (x, y) = (single(a), single(b));
    match (x.is_nan(), y.is_nan()) {
        (true, true) => u64::from(NAN),
        (true, _) | (_, true) if no_number_wins => u64::from(NAN),
        (true, _) => b,
        (_, true) => a,
        _ if x.total_cmp(&y).is_lt() == smaller => a,
        _ => b,
    }
}

/// The bit of a relation: less, equal, greater, unordered.
pub(super) fn relation_bit(order: Option<std::cmp::Ordering>) -> u64 {
    match order {
        Some(std::cmp::Ordering::Less) => 1,
        Some(std::cmp::Ordering::Equal) => 2,
        Some(std::cmp::Ordering::Greater) => 4,
        None => 8,
    }
}

fn relations(operator: Operator, [t, a, b, p]: [u64; 4]) -> Option<u64> {
    let (x, y) = (single(a), single(b));
    let bit = relation_bit(match operator {
        Operator::FloatCompare | Operator::FloatCompareAnd | Operator::FloatCompareOr => {
            x.partial_cmp(&y)
        }
        Operator::FloatCompareFlush
        | Operator::FloatCompareFlushAnd
        | Operator::FloatCompareFlushOr => flush(x).partial_cmp(&flush(y)),
        Operator::DoubleCompare | Operator::DoubleCompareAnd | Operator::DoubleCompareOr => {
            f64::from_bits(a).partial_cmp(&f64::from_bits(b))
        }
        _ => return None,
    });
    if t > 15 {
        return None;
    }
    let holds = u64::from(t & bit != 0);
    Some(match operator {
        Operator::FloatCompareAnd | Operator::FloatCompareFlushAnd | Operator::DoubleCompareAnd => {
            holds & p
        }
        Operator::FloatCompareOr | Operator::FloatCompareFlushOr | Operator::DoubleCompareOr => {
            holds | p
        }
        _ => holds,
    })
}

fn flush_product(x: f32, y: f32) -> f32 {
    flush(x * y)
}
