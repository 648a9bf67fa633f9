//! The assembler: [`Cubin`]s from functions and sections of data.
//!
//! Labels become addresses, instructions 128 bits, and what only the driver knows becomes relocations. The sections
//! with what the driver needs to know are made from the [`Facts`] of each function. A cubin is also assembled from its
//! text: [`Cubin::listing`], [`Cubin::of_listing`].

mod code;
mod contents;
mod data;
mod frames;
mod information;
mod module;
mod notes;
mod sections;
mod symbols;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeMap;
use std::fmt;

pub use code::{Code, Reference, assemble};
pub use data::Data;
pub use information::parameter_start;
pub use module::module;

use crate::cubin::{Cubin, Kind};
use crate::dialect::Resources;
use crate::function::Function;
use crate::listing::Section;
use crate::scheduled::Origin;

/// What is assembled.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    /// The machine: `sm_90a`.
    pub machine: Box<str>,
    /// What is made.
    pub kind: Kind,
    /// The functions.
    pub functions: Vec<Function<'a>>,
    /// The sections of data.
    pub data: Vec<Section>,
    /// What is known of each function, by its name.
    pub facts: BTreeMap<Box<str>, Facts>,
    /// What makes it.
    pub tool: Tool,
}

/// The program that makes a cubin, as it notes there.
#[derive(Clone, Debug, Default)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its arguments.
    pub arguments: String,
}

/// What the driver needs to know of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Registers, stack, barriers, threads.
    pub resources: Resources,
    /// The parameters of a kernel, in their order.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its offset from the first parameter, in bytes.
    pub offset: u32,
    /// Its size in bytes.
    pub size: u32,
}

/// Why a program cannot be assembled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The function or section.
    pub place: Box<str>,
    /// The address of the instruction in it, if it is one.
    pub address: Option<u64>,
    /// What the instruction was made from.
    pub origin: Origin,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    fn of_section(place: &str, message: impl Into<String>) -> Problem {
        Problem {
            place: place.into(),
            address: None,
            origin: Origin::New,
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "'{}'", self.place)?;
        if let Some(address) = self.address {
            write!(out, " at {address:#06x}")?;
        }
        write!(out, ": {}", self.message)
    }
}

impl std::error::Error for Problem {}

impl Program<'_> {
    /// The cubin.
    ///
    /// # Errors
    /// If an instruction cannot be encoded, or a line of data is not understood.
    pub fn assemble(&self) -> Result<Cubin, Box<Problem>> {
        sections::cubin(self)
    }
}
