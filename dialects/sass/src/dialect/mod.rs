//! The dialect: functions of instructions with control words, as operations.
//!
//! An instruction has no operands and results in the sense of SSA: its registers are physical, and
//! are in attributes in nvdisasm syntax. [`convert`] is the only module that converts operations to
//! [`crate::instruction::Instruction`]s and back; passes work on those, and [`edit`] writes what they
//! changed to the operations.

mod assembly;
pub mod control_attribute;
pub mod convert;
mod definitions;
pub mod edit;
mod operations;
mod verify;

pub use definitions::{SASS, register};
pub use operations::{FallThrough, Func, Header, Inst, Notes, Section};

/// Keys of the attributes of instructions.
pub mod keys {
    /// The threads that execute it: `@!P2`.
    pub const GUARD: &str = "guard";
    /// The mnemonic with its modifiers.
    pub const MNEMONIC: &str = "mnemonic";
    /// The operands, one string each.
    pub const OPERANDS: &str = "operands";
    /// The labels a `BRX` may branch to.
    pub const TARGETS: &str = "targets";
    /// The remark of nvdisasm.
    pub const REMARK: &str = "remark";
    /// The control word.
    pub const CONTROL: &str = "control";
    /// The 128 bits from which it was imported.
    pub const ENCODING: &str = "encoding";
    /// A fingerprint of the text from which it was imported.
    pub const IMPORTED: &str = "imported";
    /// The uniform register of a descriptor that the text omits.
    pub const DESCRIPTOR: &str = "descriptor";
}
