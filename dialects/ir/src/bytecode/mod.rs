//! MLIR bytecode, the binary form of IR, read and written.
//!
//! The format is MLIR's (`mlir/docs/BytecodeFormat.md`, "MLIR Bytecode Format"), at the version of
//! LLVM 22: a magic number, a version, the name of the producer, and sections. Strings, dialects,
//! attributes and types are tables that everything else refers to by number.
//!
//! | module | what it does |
//! |---|---|
//! | `format` | the constants of the format, as MLIR's `Bytecode/Encoding.h` has them |
//! | `cursor`, `emitter` | bytes, variable-width integers, sections: read and written |
//! | `tables`, `references`, `decode_*` | the tables of a file; entries are decoded when they are first used |
//! | `numbering`, `encode` | the numbers of what is written; how it is encoded |
//! | `properties` | inherent attributes of operations, encoded as mlir-tblgen's code does |
//! | `resources` | the two resource sections |
//! | `use_order` | the order of the uses of values |
//! | `read`, `read_ir`, `write`, `write_ir` | files as a whole, and their IR sections |
//!
//! Attributes and types of the builtin dialect have an encoding of their own, those of every other
//! dialect are encoded as text. Operations that MLIR has itself encode their properties as MLIR's
//! do; those of orison's own dialects and of dialects that are not registered encode them as one
//! attribute, and are marked as not registered, which is how MLIR reads them.

mod cursor;
mod decode_attributes;
mod decode_locations;
mod decode_types;
mod emitter;
mod encode;
mod format;
mod numbering;
mod properties;
mod read;
mod read_ir;
mod references;
mod resources;
mod tables;
#[cfg(test)]
mod tests;
mod use_order;
mod write;
mod write_ir;

pub use format::{MAGIC, VERSION};
pub use read::read_bytecode;
pub use write::{BytecodeOptions, write_bytecode};

/// Whether bytes are MLIR bytecode: they start with the magic number.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
