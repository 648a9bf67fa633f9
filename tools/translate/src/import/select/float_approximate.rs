//! Approximate quotients, reciprocals and roots of 32-bit floats, also of denormal ones.

use orison_ir::Value;

use super::super::emitter::Emitter;
use super::emit::{FloatMode, absolute};

/// The smallest normal float.
const NORMAL: f32 = f32::MIN_POSITIVE;
/// 2^24: the scale of denormals.
pub(super) const SCALE: f32 = 16_777_216.0;
/// 2^126: reciprocals of larger floats are denormal.
const LARGE: f32 = 8.507_059e37;

/// `a` if a predicate holds, else `a` times a power of two.
pub(super) fn scaled_unless(
    emitter: &mut Emitter<'_, '_>,
    predicate: Value,
    a: Value,
    factor: f32,
) -> Value {
    let factor = emitter.float_of(factor);
    let scaled = emitter.fmul(FloatMode::NEAREST, a, factor);
    emitter.chosen(predicate, a, scaled)
}

/// Whether a float is large enough for the transcendental unit, which flushes denormals to zero.
pub(super) fn is_normal(emitter: &mut Emitter<'_, '_>, a: Value) -> Value {
    let least = emitter.float_of(NORMAL);
    emitter.compared_floats("geu", false, absolute(a), least)
}

/// The approximate reciprocal of a float that may be denormal, or so large that its reciprocal is
/// denormal.
pub(super) fn reciprocal(emitter: &mut Emitter<'_, '_>, a: Value) -> Value {
    let (one, up, down) = (
        emitter.float_of(1.0),
        emitter.float_of(SCALE),
        emitter.float_of(0.25),
    );
    let plain = is_normal(emitter, a);
    let bound = emitter.float_of(LARGE);
    let large = emitter.compared_floats("gt", false, absolute(a), bound);
    let factor = emitter.chosen(plain, one, up);
    let factor = emitter.chosen(large, down, factor);
    let scaled = emitter.fmul(FloatMode::NEAREST, a, factor);
    let inverse = emitter.elementary("rcp", scaled);
    emitter.fmul(FloatMode::NEAREST, factor, inverse)
}

/// The approximate square root of a float that may be denormal.
pub(super) fn root(emitter: &mut Emitter<'_, '_>, a: Value) -> Value {
    let plain = is_normal(emitter, a);
    let a = scaled_unless(emitter, plain, a, SCALE);
    let root = emitter.elementary("sqrt", a);
    scaled_unless(emitter, plain, root, 1.0 / 4096.0)
}

/// The approximate quotient; over the whole range of the divisor if `full`.
pub(super) fn quotient(
    emitter: &mut Emitter<'_, '_>,
    full: bool,
    ftz: bool,
    a: Value,
    b: Value,
) -> Value {
    let mode = FloatMode {
        ftz,
        ..FloatMode::NEAREST
    };
    let (mut a, mut b) = (a, b);
    if full {
        let bound = emitter.float_of(LARGE);
        let fits = emitter.compared_floats("leu", ftz, absolute(b), bound);
        let quarter = emitter.float_of(0.25);
        for value in [&mut a, &mut b] {
            let scaled = emitter.fmul(mode, *value, quarter);
            *value = emitter.chosen(fits, *value, scaled);
        }
    }
    if !ftz {
        let plain = is_normal(emitter, b);
        b = scaled_unless(emitter, plain, b, SCALE);
        a = scaled_unless(emitter, plain, a, SCALE);
    }
    let inverse = emitter.elementary("rcp", b);
    emitter.fmul(mode, a, inverse)
}
