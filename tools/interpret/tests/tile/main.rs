//! Runs of tile programs: behaviour of operations, examples before and after materialization,
//! faults.

mod campaign;
mod command;
#[path = "../common/mod.rs"]
mod common;
mod dropped;
mod examples;
mod exhaustive;
mod faults;
mod generator;
mod harness;
mod joint;
mod operations;
mod protocol;
mod random_loops;
mod refused;
mod regions;
mod roles;
mod slices;
mod timed;
