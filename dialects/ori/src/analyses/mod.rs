//! Analyses of functions of this dialect: what an operation does, memory, divergence, register
//! pressure. What holds for every dialect is in [`orison_ir::analyses`].

pub mod divergence;
pub mod memory;
pub mod memory_flow;
pub mod pressure;
pub mod properties;
#[cfg(test)]
mod tests;

pub use divergence::Divergence;
pub use memory::{Access, Address, Alias, AliasKind, Dependence, DependenceKind};
pub use memory_flow::{MemoryFlow, MemoryState};
pub use pressure::{RegisterClass, RegisterCounts, RegisterPressure};
pub use properties::Guard;
