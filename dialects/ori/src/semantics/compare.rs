//! Comparisons, and the combination of their outcomes with another predicate.

use std::cmp::Ordering;

use orison_ir::numbers::FloatKind;

use super::Bits;
use super::call::{Call, extend, float_kind};
use super::number::Number;
use crate::keywords::{Combine, Compare, FloatCompare, Format};

/// Whether an ordering satisfies a comparison of integers.
fn holds(compare: Compare, order: Ordering) -> bool {
    match compare {
        Compare::False => false,
        Compare::Lt => order.is_lt(),
        Compare::Eq => order.is_eq(),
        Compare::Le => order.is_le(),
        Compare::Gt => order.is_gt(),
        Compare::Ne => order.is_ne(),
        Compare::Ge => order.is_ge(),
        Compare::True => true,
    }
}

/// Whether an ordering, `None` with a NaN operand, satisfies a comparison of floats.
fn float_holds(compare: FloatCompare, order: Option<Ordering>) -> bool {
    use FloatCompare as F;
    let Some(order) = order else {
        return matches!(
            compare,
            F::Unordered | F::Ltu | F::Equ | F::Leu | F::Gtu | F::Neu | F::Geu | F::True
        );
    };
    match compare {
        F::False | F::Unordered => false,
        F::True | F::Ordered => true,
        F::Lt | F::Ltu => order.is_lt(),
        F::Eq | F::Equ => order.is_eq(),
        F::Le | F::Leu => order.is_le(),
        F::Gt | F::Gtu => order.is_gt(),
        F::Ne | F::Neu => order.is_ne(),
        F::Ge | F::Geu => order.is_ge(),
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
    let compare = call.parameters.compare?;
    let signed = call.parameters.is_signed();
    let read = |operand| extend(call.raw(operand), 32, signed);
    let order = read(0).cmp(&read(1));
    let outcome = match call.optional_predicate(3) {
        Some(low) if call.parameters.extended && order.is_eq() => match compare {
            Compare::False => false,
            Compare::True => true,
            _ => low,
        },
        _ => holds(compare, order),
    };
    both(call, results, outcome)
}

fn float_outcome(call: &Call<'_>, kind: FloatKind) -> Option<bool> {
    let order = call.number(0, kind).compare(call.number(1, kind));
    Some(float_holds(call.parameters.float_compare?, order))
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
    let one = (kind.bias().cast_unsigned() as u128) << kind.mantissa_bits();
    match (outcome, call.parameters.float_result) {
        (false, _) => 0,
        (true, true) => one,
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
    let compare = call.parameters.float_compare?;
    let (a, b) = (call.halves(0, kind), call.halves(1, kind));
    let outcome = |half: usize| {
        let left = Number::decode(kind, a[half]);
        float_holds(compare, left.compare(Number::decode(kind, b[half])))
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
