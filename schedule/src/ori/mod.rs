//! Scheduling of `ori` operations, before registers are allocated.

pub mod check_order;
pub mod dependences;
#[cfg(test)]
mod tests;

pub use dependences::{Dependence, Dependences, Reason};
