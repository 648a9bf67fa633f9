//! Scheduling of `ori` operations, before registers are allocated.

pub mod dependences;

pub use dependences::{Dependence, Dependences, Reason};
