//! Schedulers of orison: machine models, modulo scheduling, materialization, checkers.

pub mod check;
pub mod modulo;
