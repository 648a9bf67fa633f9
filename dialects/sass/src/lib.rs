//! `sass`: machine code, after register allocation.
//!
//! The plain data comes first: [`control`] words, [`instruction`]s in nvdisasm syntax, both together
//! ([`scheduled`]), [`listing`]s of many functions, and the [`function`]s in them with blocks and edges.
//! [`effects`] computes what instructions read and write, [`encoding`] their bits. [`cubin`]s are files of
//! machine code, which [`assemble`] makes. [`dialect`] represents the same data as operations.

pub mod assemble;
pub mod control;
pub mod cubin;
pub mod dialect;
pub mod effects;
pub mod encoding;
pub mod floats;
pub mod function;
pub mod instruction;
pub mod listing;
mod place;
pub mod registers;
pub mod scheduled;

pub use dialect::register;
