//! Kernels of the machine dialect: what operations do, what passes leave of random kernels.

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
mod undefined;
