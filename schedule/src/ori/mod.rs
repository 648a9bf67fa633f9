//! Scheduling of `ori` operations, before registers are allocated.

pub mod dependences;
#[cfg(test)]
mod tests;

pub use dependences::{Dependence, Dependences, Reason};
