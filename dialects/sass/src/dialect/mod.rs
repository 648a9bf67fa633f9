//! The dialect: functions of instructions with control words, as operations.
//!
//! An instruction has no operands and results in the sense of SSA: its registers are physical. What
//! it does is one attribute, a [`crate::instruction::Instruction`], and its control word another.
//! [`module`] makes operations of a listing and [`listing`] a listing of them; passes read
//! [`crate::function::Function`]s, which borrow the instructions, and collect [`Edits`].

mod assembly;
pub mod control_attribute;
mod definitions;
mod edit;
mod import;
pub mod instruction_attribute;
mod operations;
mod read;
mod resources;
mod verify;

pub use definitions::{SASS, register};
pub use edit::Edits;
pub use import::{function_operation, module};
pub use operations::{FallThrough, Func, Header, Inst, Notes, Section};
pub(crate) use read::section_lines;
pub use read::{Read, listing};
pub use resources::Resources;

/// Keys of the attributes of instructions.
pub mod keys {
    /// What it does.
    pub const INSTRUCTION: &str = "instruction";
    /// The control word.
    pub const CONTROL: &str = "control";
    /// The 128 bits from which it was imported.
    pub const ENCODING: &str = "encoding";
}
