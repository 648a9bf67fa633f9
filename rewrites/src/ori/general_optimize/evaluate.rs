//! What terms compute, for words of any width up to 32 bits.
//!
//! An operator names a function that the machine's instructions compute, of
//! [`orison_machine::words`] or [`orison_ori::semantics::arithmetic`], and its parameters; nothing is
//! computed here in another way.

use std::cmp::Ordering;

use orison_ir::numbers::{Direction, Finite, FloatKind, Number, Overflow};
use orison_machine::words::{self, Funnel, relations};
use orison_ori::semantics::Bits;
use orison_ori::semantics::arithmetic;

use super::term::{Operator, Sort};

/// The value of an operator applied to values, each truncated to its sort; `word` is the width of a
/// word in bits, from 1 to 32. `None` if the operator is undefined: permutations of words that are
/// not four bytes, floats of widths other than 32, tables that do not fit eight bits.
///
/// A NaN result is the canonical NaN of NVIDIA GPUs.
pub fn evaluate(operator: Operator, word: u32, operands: &[u64]) -> Option<u64> {
    let at = |number: usize| operands.get(number).copied().unwrap_or(0);
    let arguments = [at(0), at(1), at(2), at(3)];
    sums(operator, word, arguments)
        .or_else(|| bitwise(operator, word, arguments))
        .or_else(|| shifts(operator, word, arguments))
        .or_else(|| fields(operator, word, arguments))
        .or_else(|| comparisons(operator, word, arguments))
        .or_else(|| extrema(operator, word, arguments))
        .or_else(|| {
            let arguments = arguments.map(Bits::from);
            let value = (word == 32)
                .then(|| floats(operator, arguments))
                .flatten()?;
            u64::try_from(value).ok()
        })
}

/// Sums, differences and products.
fn sums(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    use Operator as O;
    let width = operator.sort().bits(word);
    let sum = |addends, carries| words::sum(width, addends, carries).0;
    let wide = |signed| {
        let product = words::wide_product(word, signed, a, b);
        words::sum(2 * word, [product, c, 0], 0).0
    };
    Some(match operator {
        O::Add | O::PairAdd => sum([a, b, 0], 0),
        O::Add3 => sum([a, b, c], 0),
        O::AddCarry => sum([a, b, 0], c),
        O::Carry => words::sum(word, [a, b, 0], 0).1,
        O::Negate | O::PairNegate => words::negate(width, a),
        O::PairSubtract => sum([a, words::not(width, b), 0], 1),
        O::Multiply => words::product(word, a, b),
        O::MultiplyAdd => sum([words::product(word, a, b), c, 0], 0),
        O::MultiplyWideUnsigned => wide(false),
        O::MultiplyWideSigned => wide(true),
        O::MultiplyHighUnsigned => words::part(word, true, wide(false)),
        O::MultiplyHighSigned => words::part(word, true, wide(true)),
        O::Lea if c < word.into() => sum([words::shift_left(word, a, c as u32), b, 0], 0),
        O::PairLea if (1..word.into()).contains(&c) => {
            sum([words::shift_left(width, a, c as u32), b, 0], 0)
        }
        O::DistanceUnsigned => sum([words::distance(word, false, a, b), c, 0], 0),
        O::DistanceSigned => sum([words::distance(word, true, a, b), c, 0], 0),
        O::Absolute => words::absolute(word, a),
        _ => return None,
    })
}

fn bitwise(operator: Operator, word: u32, [a, b, c, d]: [u64; 4]) -> Option<u64> {
    let width = operator.sort().bits(word);
    Some(match operator {
        Operator::Table | Operator::PredicateTable => {
            words::table(width, u8::try_from(a).ok()?, [b, c, d])
        }
        Operator::Select | Operator::FloatSelect if a != 0 => b,
        Operator::Select | Operator::FloatSelect => c,
        _ => words::table(width, operator.truth_table()?, [a, b, 0]),
    })
}

/// The form of a funnel shift.
const fn funnel(operator: Operator) -> Option<Funnel> {
    let left = Funnel {
        left: true,
        signed: false,
        high: true,
        wide: true,
        wraps: false,
    };
    let right = Funnel {
        left: false,
        high: false,
        ..left
    };
    Some(match operator {
        Operator::FunnelLeft => left,
        Operator::FunnelRight => right,
        Operator::FunnelRightSigned => Funnel {
            signed: true,
            ..right
        },
        Operator::FunnelLeftWrap => Funnel {
            wide: false,
            wraps: true,
            ..left
        },
        Operator::FunnelRightWrap => Funnel {
            wide: false,
            wraps: true,
            ..right
        },
        _ => return None,
    })
}

fn shifts(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    use Operator as O;
    let width = operator.sort().bits(word);
    let amount = words::amount(b, width, false);
    Some(match operator {
        O::ShiftLeft | O::PairShiftLeft => words::shift_left(width, a, amount),
        O::ShiftRight | O::PairShiftRight => words::shift_right(width, false, a, amount),
        O::ShiftRightSigned | O::PairShiftRightSigned => words::shift_right(width, true, a, amount),
        _ => words::funnel(word, funnel(operator)?, a, b, c),
    })
}

/// Bit counts, bit fields, bytes, and the words of pairs.
fn fields(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    use Operator as O;
    let count = |n| words::amount(n, word, false);
    Some(match operator {
        O::PopulationCount => a.count_ones().into(),
        O::HighestBit => words::highest_bit(word, false, a, false),
        O::HighestBitSigned => words::highest_bit(word, true, a, false),
        O::LeadingZeros => words::highest_bit(word, false, a, true),
        O::LeadingSigns => words::highest_bit(word, true, a, true),
        O::Reverse => words::reversed(word, a),
        O::Permute if word == 32 => words::permuted(words::pair(word, a, c), b),
        O::BitMask => words::ones(word, count(a), count(b)),
        O::ExtendUnsigned => words::extended(word, false, a, count(b)),
        O::ExtendSigned => words::extended(word, true, a, count(b)),
        O::Low => words::part(word, false, a),
        O::High => words::part(word, true, a),
        O::Concat => words::pair(word, a, b),
        _ => return None,
    })
}

/// How a comparison uses its predicate operand.
#[derive(Clone, Copy)]
enum With {
    Nothing,
    And,
    Or,
    /// It is the outcome for the low words.
    Low,
}

impl With {
    fn combine(self, included: u8, order: Option<Ordering>, predicate: bool) -> bool {
        let holds = relations::hold(included, order);
        match (self, order) {
            (With::And, _) => holds && predicate,
            (With::Or, _) => holds || predicate,
            (With::Low, Some(order)) => relations::hold_extended(included, order, predicate),
            (With::Nothing | With::Low, _) => holds,
        }
    }
}

/// The relations that a comparison of words includes, whether they are signed, and its use of a
/// predicate.
const fn comparison(operator: Operator) -> Option<(u8, bool, With)> {
    use Operator as O;
    use relations::{EQUAL, GREATER, LESS};
    let with = match operator {
        O::Equal
        | O::NotEqual
        | O::LessUnsigned
        | O::LessEqualUnsigned
        | O::LessSigned
        | O::LessEqualSigned => With::Nothing,
        O::EqualAnd
        | O::NotEqualAnd
        | O::LessUnsignedAnd
        | O::LessEqualUnsignedAnd
        | O::LessSignedAnd
        | O::LessEqualSignedAnd => With::And,
        O::EqualOr
        | O::NotEqualOr
        | O::LessUnsignedOr
        | O::LessEqualUnsignedOr
        | O::LessSignedOr
        | O::LessEqualSignedOr => With::Or,
        O::EqualExtended
        | O::NotEqualExtended
        | O::LessExtendedUnsigned
        | O::LessExtendedSigned => With::Low,
        _ => return None,
    };
    let (included, signed) = match operator {
        O::Equal | O::EqualAnd | O::EqualOr | O::EqualExtended => (EQUAL, false),
        O::NotEqual | O::NotEqualAnd | O::NotEqualOr | O::NotEqualExtended => {
            (LESS | GREATER, false)
        }
        O::LessUnsigned | O::LessUnsignedAnd | O::LessUnsignedOr | O::LessExtendedUnsigned => {
            (LESS, false)
        }
        O::LessSigned | O::LessSignedAnd | O::LessSignedOr | O::LessExtendedSigned => (LESS, true),
        O::LessEqualSigned | O::LessEqualSignedAnd | O::LessEqualSignedOr => (LESS | EQUAL, true),
        _ => (LESS | EQUAL, false),
    };
    Some((included, signed, with))
}

fn comparisons(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let (included, signed, with) = comparison(operator)?;
    let order = words::compare(word, signed, a, b);
    Some(with.combine(included, Some(order), c != 0).into())
}

/// Minimum and maximum of two, of three, or of a sum and a third operand.
fn extrema(operator: Operator, word: u32, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    use Operator as O;
    let (signed, smaller) = match operator {
        O::MinUnsigned | O::Min3Unsigned | O::AddMinUnsigned => (false, true),
        O::MaxUnsigned | O::Max3Unsigned | O::AddMaxUnsigned => (false, false),
        O::MinSigned | O::Min3Signed | O::AddMinSigned => (true, true),
        O::MaxSigned | O::Max3Signed | O::AddMaxSigned => (true, false),
        _ => return None,
    };
    let chosen = |a, b| words::extremum(word, signed, smaller, a, b);
    Some(match operator {
        O::MinUnsigned | O::MaxUnsigned | O::MinSigned | O::MaxSigned => chosen(a, b),
        O::Min3Unsigned | O::Max3Unsigned | O::Min3Signed | O::Max3Signed => {
            chosen(chosen(a, b), c)
        }
        _ => chosen(words::sum(word, [a, b, 0], 0).0, c),
    })
}

const NEAREST: Direction = Direction::NearestEven;
const F32: FloatKind = FloatKind::F32;
const F64: FloatKind = FloatKind::F64;

/// The sign bits of the floats in an operand.
const fn signs(operator: Operator) -> Bits {
    match operator.sort() {
        Sort::Pair => 1 << 63,
        _ if matches!(operator, Operator::HalfNegate | Operator::HalfAbsolute) => 0x8000_8000,
        _ => 1 << 31,
    }
}

/// Operators on floats, for words of 32 bits.
fn floats(operator: Operator, arguments: [Bits; 4]) -> Option<Bits> {
    use Operator as O;
    let [a, b, c, _] = arguments;
    let flush = |bits| arithmetic::flushed(bits, F32);
    Some(match operator {
        O::FloatNegate | O::DoubleNegate | O::HalfNegate => a ^ signs(operator),
        O::FloatAbsolute | O::DoubleAbsolute | O::HalfAbsolute => a & !signs(operator),
        O::FloatAdd | O::FloatAddFast => arithmetic::sum(F32, NEAREST, [a, b]),
        O::FloatMultiply | O::FloatMultiplyFast => arithmetic::product(F32, NEAREST, [a, b]),
        O::FloatMultiplyAdd => arithmetic::fused(F32, NEAREST, [a, b, c]),
        O::FloatAddFlush => flush(arithmetic::sum(F32, NEAREST, [a, b].map(flush))),
        O::FloatMultiplyFlush => flush(arithmetic::product(F32, NEAREST, [a, b].map(flush))),
        O::FloatMultiplyAddFlush => flush(arithmetic::fused(F32, NEAREST, [a, b, c].map(flush))),
        O::DoubleAdd => arithmetic::sum(F64, NEAREST, [a, b]),
        O::DoubleMultiply => arithmetic::product(F64, NEAREST, [a, b]),
        O::DoubleMultiplyAdd => arithmetic::fused(F64, NEAREST, [a, b, c]),
        _ => {
            return float_extrema(operator, arguments)
                .or_else(|| conversions(operator, a))
                .or_else(|| float_comparisons(operator, arguments))
                .or_else(|| halves(operator, arguments));
        }
    })
}

fn float_extrema(operator: Operator, [a, b, c, _]: [Bits; 4]) -> Option<Bits> {
    use Operator as O;
    let flush = |bits| arithmetic::flushed(bits, F32);
    let chosen = |a, b, smaller| arithmetic::extremum(F32, [a, b], smaller, false);
    Some(match operator {
        O::FloatMinimum => chosen(a, b, true),
        O::FloatMaximum => chosen(a, b, false),
        O::FloatMinimumNan => arithmetic::extremum(F32, [a, b], true, true),
        O::FloatMaximumNan => arithmetic::extremum(F32, [a, b], false, true),
        O::FloatMinimumFlush => chosen(flush(a), flush(b), true),
        O::FloatMaximumFlush => chosen(flush(a), flush(b), false),
        O::FloatMinimum3 => chosen(chosen(a, b, true), c, true),
        O::FloatMaximum3 => chosen(chosen(a, b, false), c, false),
        _ => return None,
    })
}

fn conversions(operator: Operator, a: Bits) -> Option<Bits> {
    use Operator as O;
    let converted = |from: FloatKind, to: FloatKind| {
        let number = Number::decode(from, a);
        arithmetic::encoded(number, to, NEAREST, Overflow::Ieee)
    };
    let whole = |signed: bool| {
        let number = Number::decode(F32, a);
        let integer = arithmetic::to_integer(number, Direction::Zero, (32, signed), false);
        Bits::from(integer as u32)
    };
    let of_integer = |value: i64| {
        let number = Finite::integer(value < 0, value.unsigned_abs().into());
        arithmetic::encoded(Number::Finite(number), F32, NEAREST, Overflow::Ieee)
    };
    Some(match operator {
        O::FloatFromSigned => of_integer(words::signed(32, a as u64)),
        O::FloatFromUnsigned => of_integer(a as i64),
        O::SignedFromFloat => whole(true),
        O::UnsignedFromFloat => whole(false),
        O::FloatFromHalf => converted(FloatKind::F16, F32),
        O::HalfFromFloat => converted(F32, FloatKind::F16),
        O::DoubleFromFloat => converted(F32, F64),
        O::FloatFromDouble => converted(F64, F32),
        _ => return None,
    })
}

fn float_comparisons(operator: Operator, [t, a, b, p]: [Bits; 4]) -> Option<Bits> {
    use Operator as O;
    let with = match operator {
        O::FloatCompareAnd | O::FloatCompareFlushAnd | O::DoubleCompareAnd => With::And,
        O::FloatCompareOr | O::FloatCompareFlushOr | O::DoubleCompareOr => With::Or,
        _ => With::Nothing,
    };
    let flush = |bits| arithmetic::flushed(bits, F32);
    let order = match operator {
        O::FloatCompare | O::FloatCompareAnd | O::FloatCompareOr => {
            arithmetic::compare(F32, [a, b])
        }
        O::FloatCompareFlush | O::FloatCompareFlushAnd | O::FloatCompareFlushOr => {
            arithmetic::compare(F32, [a, b].map(flush))
        }
        O::DoubleCompare | O::DoubleCompareAnd | O::DoubleCompareOr => {
            arithmetic::compare(F64, [a, b])
        }
        O::HalfCompare => arithmetic::compare(FloatKind::F16, [a, b]),
        _ => return None,
    };
    let included = u8::try_from(t).ok().filter(|included| *included < 16)?;
    Some(with.combine(included, order, p != 0).into())
}

/// Operators on words of two 16-bit floats.
fn halves(operator: Operator, [a, b, c, _]: [Bits; 4]) -> Option<Bits> {
    use Operator as O;
    let both = |half: Bits| half << 16 | half;
    if operator == O::HalfLow {
        return Some(both(a & 0xFFFF));
    }
    if operator == O::HalfHigh {
        return Some(both(a >> 16));
    }
    let kind = operator.halves()?;
    let lane = |place: u32| {
        let [a, b, c] = [a, b, c].map(|word| word >> place & 0xFFFF);
        Some(match operator {
            O::HalfAdd | O::BrainAdd => arithmetic::sum(kind, NEAREST, [a, b]),
            O::HalfMultiply | O::BrainMultiply => arithmetic::product(kind, NEAREST, [a, b]),
            O::HalfMultiplyAdd | O::BrainMultiplyAdd => arithmetic::fused(kind, NEAREST, [a, b, c]),
            O::HalfMinimum => arithmetic::extremum(kind, [a, b], true, false),
            O::HalfMaximum => arithmetic::extremum(kind, [a, b], false, false),
            _ => return None,
        })
    };
    Some(lane(0)? | lane(16)? << 16)
}

/// Whether the low bits are a NaN of a kind.
pub fn is_nan(kind: FloatKind, bits: u64) -> bool {
    Number::decode(kind, bits.into()) == Number::Nan
}
