//! Schedulers of orison: machine models, modulo scheduling, materialization, checkers.

pub mod check;
pub mod machine;
pub mod modulo;
