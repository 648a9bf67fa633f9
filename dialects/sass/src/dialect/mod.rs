//! The dialect: functions of instructions with control words, as operations.
//!
//! An instruction has no operands and results in the sense of SSA: its registers are physical, and
//! stand in attributes in the words of nvdisasm. [`convert`] is the one place where operations become
//! [`crate::instruction::Instruction`]s and back; passes work on those.

mod assembly;
pub mod control_attribute;
pub mod convert;
mod definitions;
mod operations;
mod verify;

pub use definitions::{SASS, register};
pub use operations::{FallThrough, Func, Header, Inst, Notes, Section};

/// Keys of the attributes of instructions.
pub mod keys {
    /// Which threads execute it: `@!P2`.
    pub const GUARD: &str = "guard";
    /// The mnemonic with its modifiers.
    pub const MNEMONIC: &str = "mnemonic";
    /// The operands, a string each.
    pub const OPERANDS: &str = "operands";
    /// The labels a `BRX` may lead to.
    pub const TARGETS: &str = "targets";
    /// What nvdisasm notes about it.
    pub const REMARK: &str = "remark";
    /// The control word.
    pub const CONTROL: &str = "control";
    /// The 128 bits it was imported with.
    pub const ENCODING: &str = "encoding";
    /// A fingerprint of the text it was imported with.
    pub const IMPORTED: &str = "imported";
    /// The uniform register of a descriptor that the text does not show.
    pub const DESCRIPTOR: &str = "descriptor";
}
