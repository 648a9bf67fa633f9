//! Newton's method for reciprocals and roots of doubles.

use orison_ir::Value;

use super::super::emitter::Emitter;
use super::emit::{FloatMode, negative};

const NEAREST: FloatMode = FloatMode::NEAREST;

/// A reciprocal refined from an initial guess, to the last bit or nearly.
pub(super) fn refined_reciprocal(emitter: &mut Emitter<'_, '_>, b: Value, guess: Value) -> Value {
    let one = emitter.double_of(1.0);
    let error = emitter.dfma(NEAREST, negative(b), guess, one);
    let error = emitter.dfma(NEAREST, error, error, error);
    let better = emitter.dfma(NEAREST, guess, error, guess);
    let error = emitter.dfma(NEAREST, negative(b), better, one);
    emitter.dfma(NEAREST, better, error, better)
}

/// The initial guess of a reciprocal (`rcp64h`) or inverse root (`rsq64h`): its high half, and an
/// arbitrary low one.
pub(super) fn guess(emitter: &mut Emitter<'_, '_>, function: &str, of: Value, low: Value) -> Value {
    let high = emitter.word(of, 1);
    let high = emitter.elementary(function, high);
    emitter.concat(&[low, high])
}

/// The root of a double whose exponent is not extreme, and the inverse root it is computed from.
pub(super) fn double_root(emitter: &mut Emitter<'_, '_>, a: Value, low: Value) -> (Value, Value) {
    let first = guess(emitter, "rsq64h", a, low);
    let better = refined_inverse_root(emitter, a, first);
    let root = emitter.dmul(a, better);
    // Half of it: the exponent minus one.
    let (low, high) = (emitter.word(better, 0), emitter.word(better, 1));
    let less = emitter.word_of(-0x0010_0000);
    let high = emitter.plus(high, less);
    let half = emitter.concat(&[low, high]);
    let residual = emitter.dfma(NEAREST, negative(root), root, a);
    (emitter.dfma(NEAREST, residual, half, root), better)
}

/// An inverse root refined from an initial guess.
pub(super) fn refined_inverse_root(emitter: &mut Emitter<'_, '_>, a: Value, guess: Value) -> Value {
    let (one, half, more) = (
        emitter.double_of(1.0),
        emitter.double_of(0.5),
        emitter.double_of(0.375),
    );
    let square = emitter.dmul(guess, guess);
    let error = emitter.dfma(NEAREST, negative(a), square, one);
    let factor = emitter.dfma(NEAREST, error, more, half);
    let step = emitter.dmul(guess, error);
    emitter.dfma(NEAREST, factor, step, guess)
}
