//! Translation between PTX and orison's dialects.
//!
//! [`ptx`] reads PTX into a syntax tree and prints it; [`check`] finds what is wrong with the tree; [`import`] makes `ori` of the tree. [`sass`]
//! reads and writes real machine code; [`run`] runs kernels.

pub mod check;
pub mod import;
pub mod ptx;
pub mod run;
pub mod sass;
