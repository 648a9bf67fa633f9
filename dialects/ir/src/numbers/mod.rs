//! Numbers of the textual format: integers of any width, and the builtin float types.
//!
//! These are plain values without a context. Floats are rounded in one place, [`Finite::round`]: by
//! the parser of literals, by folding, and by the machine operations of `orison-ori`.

mod double;
mod finite;
mod float;
mod float_arithmetic;
mod float_convert;
mod float_kind;
mod float_text;
mod integer;
mod integer_arithmetic;
mod integer_text;
mod number;

pub use finite::{Direction, Finite, Overflow};
pub use float::{Float, FloatCategory};
pub use float_kind::{FloatKind, NonFinite};
pub use float_text::FloatError;
pub use integer::{ApInt, MAX_INTEGER_WIDTH};
pub use integer_arithmetic::Overflowing;
pub use integer_text::{IntegerError, IntegerRange};
pub use number::Number;

#[cfg(test)]
mod float_tests;
#[cfg(test)]
mod integer_tests;
#[cfg(test)]
mod rounding_tests;
