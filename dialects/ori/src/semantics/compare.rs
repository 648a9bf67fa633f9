//! Comparisons, and the combination of their outcomes with another predicate.

use orison_ir::numbers::{Float, FloatKind};
use orison_machine::words::{self, relations};

use super::Bits;
use super::arithmetic;
use super::call::{Call, WORD, float_kind};
use crate::keywords::{Combine, Compare, FloatCompare, Format};

/// The relations that a comparison of integers includes ([`relations`]).
pub const fn relations_of(compare: Compare) -> u8 {
    use relations::{EQUAL, GREATER, LESS};
    match compare {
        Compare::False => 0,
        Compare::Lt => LESS,
        Compare::Eq => EQUAL,
        Compare::Le => LESS | EQUAL,
        Compare::Gt => GREATER,
        Compare::Ne => LESS | GREATER,
        Compare::Ge => GREATER | EQUAL,
        Compare::True => LESS | EQUAL | GREATER,
    }
}

/// The relations that a comparison of floats includes ([`relations`]).
pub const fn float_relations_of(compare: FloatCompare) -> u8 {
    use FloatCompare as F;
    use relations::{EQUAL, GREATER, LESS, UNORDERED};
    match compare {
        F::False => 0,
        F::Lt => LESS,
        F::Eq => EQUAL,
        F::Le => LESS | EQUAL,
        F::Gt => GREATER,
        F::Ne => LESS | GREATER,
        F::Ge => GREATER | EQUAL,
        F::Ordered => LESS | EQUAL | GREATER,
        F::Unordered => UNORDERED,
        F::Ltu => UNORDERED | LESS,
        F::Equ => UNORDERED | EQUAL,
        F::Leu => UNORDERED | LESS | EQUAL,
        F::Gtu => UNORDERED | GREATER,
        F::Neu => UNORDERED | LESS | GREATER,
        F::Geu => UNORDERED | GREATER | EQUAL,
        F::True => UNORDERED | LESS | EQUAL | GREATER,
    }
}

/// Combines an outcome with the predicate `with`, which is true if absent.
fn combined(call: &Call<'_>, outcome: bool) -> bool {
    let with = call.optional_predicate(2).unwrap_or(true);
    match call.parameters.combine.unwrap_or(Combine::And) {
        Combine::And => outcome && with,
        Combine::Or => outcome || with,
        Combine::Xor => outcome != with,
    }
}

/// Writes an outcome, and the opposite one if there is a result for it.
fn both(call: &Call<'_>, results: &mut [Bits], outcome: bool) -> Option<()> {
    for (result, outcome) in results.iter_mut().zip([outcome, !outcome]) {
        *result = combined(call, outcome).into();
    }
    Some(())
}

/// Compares words; for equal high words the outcome for the low words decides.
pub(super) fn isetp(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let included = relations_of(call.parameters.compare?);
    let signed = call.parameters.is_signed();
    let order = words::compare(WORD, signed, call.word(0), call.word(1));
    let outcome = match call.optional_predicate(3) {
        Some(low) if call.parameters.extended => relations::hold_extended(included, order, low),
        _ => relations::hold(included, Some(order)),
    };
    both(call, results, outcome)
}

fn float_outcome(call: &Call<'_>, kind: FloatKind) -> Option<bool> {
    let pair = [0, 1].map(|operand| call.float(operand, kind));
    let included = float_relations_of(call.parameters.float_compare?);
    Some(relations::hold(included, arithmetic::compare(kind, pair)))
}

pub(super) fn fsetp(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let outcome = float_outcome(call, FloatKind::F32)?;
    both(call, results, outcome)
}

pub(super) fn dsetp(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let outcome = float_outcome(call, FloatKind::F64)?;
    both(call, results, outcome)
}

/// All bits of a format, or its 1.0, if an outcome is true; zero otherwise.
fn spread(call: &Call<'_>, kind: FloatKind, outcome: bool) -> Bits {
    match (outcome, call.parameters.float_result) {
        (false, _) => 0,
        (true, true) => Float::one(kind).bits(),
        (true, false) => (1 << kind.width()) - 1,
    }
}

pub(super) fn fset(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let outcome = float_outcome(call, FloatKind::F32)?;
    for (result, outcome) in results.iter_mut().zip([outcome, !outcome]) {
        *result = spread(call, FloatKind::F32, combined(call, outcome));
    }
    Some(())
}

/// The outcomes for the low and the high halves.
fn half_outcomes(call: &Call<'_>) -> Option<(FloatKind, [bool; 2])> {
    let kind = float_kind(call.parameters.from.unwrap_or(Format::F16))?;
    let included = float_relations_of(call.parameters.float_compare?);
    let (a, b) = (call.halves(0, kind), call.halves(1, kind));
    let outcome = |half: usize| {
        let order = arithmetic::compare(kind, [a[half], b[half]]);
        relations::hold(included, order)
    };
    Some((kind, [outcome(0), outcome(1)]))
}

/// Two masks or floats in a word; the opposite ones in a second word.
pub(super) fn hset2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (kind, outcomes) = half_outcomes(call)?;
    for (result, opposite) in results.iter_mut().zip([false, true]) {
        let [low, high] =
            outcomes.map(|outcome| spread(call, kind, combined(call, outcome != opposite)));
        *result = high << 16 | low;
    }
    Some(())
}

/// The outcomes for both halves, one per result; with `together`, their conjunction and its
/// opposite.
pub(super) fn hsetp2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (_, [low, high]) = half_outcomes(call)?;
    if call.parameters.together {
        return both(call, results, low && high);
    }
    for (result, outcome) in results.iter_mut().zip([low, high]) {
        *result = combined(call, outcome).into();
    }
    Some(())
}
