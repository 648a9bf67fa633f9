//! Numbers of the textual format: integers of any width, and the builtin float types.
//!
//! These are plain values without a context.

mod float;
mod float_arithmetic;
mod float_kind;
mod float_round;
mod float_text;
mod integer;
mod integer_arithmetic;
mod integer_text;

pub use float::{Float, FloatCategory};
pub use float_kind::{FloatKind, NonFinite};
pub use float_text::FloatError;
pub use integer::{ApInt, MAX_INTEGER_WIDTH};
pub use integer_arithmetic::Overflowing;
pub use integer_text::{IntegerError, IntegerRange};

#[cfg(test)]
mod float_tests;
#[cfg(test)]
mod integer_tests;
