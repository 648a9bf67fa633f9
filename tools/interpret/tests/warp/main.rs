//! Kernels of the machine dialect: behaviour of operations, and of random kernels after passes.

mod asynchronous;
#[path = "../common/mod.rs"]
mod common;
mod frames;
mod generator;
mod harness;
mod operations;
#[path = "../common/random.rs"]
mod random;
mod random_kernels;
mod reduce;
mod refused;
mod stages;
mod undefined;
