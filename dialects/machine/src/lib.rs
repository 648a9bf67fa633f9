//! The instructions of NVIDIA GPUs from sm_70 on: one table, a row an instruction.
//!
//! A row states what more than one place needs: the name, which operands are written and how wide
//! operands are, pipe, how the result is signalled, memory, other effects, commutation, since which
//! machine. An instruction has the base entries of ptxas 13.0 that are issued as it, which may
//! differ from the row, and each entry names its operation of `ori`. What only one place needs
//! (latencies of a machine, scheduling classes) stays there, keyed by [`Opcode`].
//!
//! What instructions compute on integers is in [`words`].
//!
//! `special-registers.toml` names the special registers that are uniform, or change; `multiprocessors.toml` says how much
//! runs at once. The rows are the files of `instructions/`, one a [`Category`]; `instructions/README.md` explains
//! their keys. The build of this crate makes static tables of them, so nothing is parsed when a
//! program starts, and a row that contradicts another, lacks a key or has an unknown one is an error
//! of the build.

pub mod encodings;
mod kinds;
mod multiprocessor;
mod page;
mod roles;
mod table;
mod target;
#[cfg(test)]
mod tests;
pub mod words;

pub use kinds::{
    BASE_ENTRIES, Category, Destinations, Flag, Lanes, Latency, OperandKind, Pipe, Slot, Space,
    Width,
};
pub use multiprocessor::Multiprocessor;
pub use page::page;
pub use roles::{Role, Roles};
pub use table::{Entry, Opcode, Row, Widths, is_changing_register, is_uniform_register};
pub use target::{current_name, sm_number};
