//! Translation between PTX and orison's dialects.
//!
//! [`ptx`] parses PTX into a syntax tree and prints it; [`check`] finds errors in the tree;
//! [`import`] converts the tree to `ori`; [`compile`] makes machine code of that. [`sass`] reads and writes machine code; [`run`] runs
//! kernels.

pub mod check;
pub mod compile;
pub mod import;
pub mod ptx;
pub mod run;
pub mod sass;
