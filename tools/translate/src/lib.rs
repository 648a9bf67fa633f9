//! Translation between PTX and orison's dialects.
//!
//! [`ptx`] reads PTX into a syntax tree and prints it.

pub mod ptx;
