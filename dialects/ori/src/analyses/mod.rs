//! Analyses of functions of this dialect: operation properties, linear forms, induction variables,
//! execution frequencies, memory, divergence, register pressure. Analyses for every dialect are in [`orison_ir::analyses`].

pub mod divergence;
pub mod frequency;
pub mod induction;
pub mod linear;
pub mod matrix_groups;
pub mod memory;
pub mod memory_flow;
pub mod pressure;
pub mod properties;
#[cfg(test)]
mod tests;

pub use divergence::Divergence;
pub use frequency::Frequencies;
pub use induction::Inductions;
pub use linear::LinearForm;
pub use matrix_groups::MatrixGroups;
pub use memory::{Access, Address, Alias, AliasKind, Dependence, DependenceKind};
pub use memory_flow::{MemoryFlow, MemoryState};
pub use pressure::{RegisterClass, RegisterCounts, RegisterPressure};
pub use properties::Guard;
