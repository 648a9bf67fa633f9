//! Kernels of the machine dialect: what operations do, what passes leave of random kernels.

mod generator;
mod harness;
mod operations;
mod random;
mod random_kernels;
mod reduce;
