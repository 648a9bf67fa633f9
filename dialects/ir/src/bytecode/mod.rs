//! Reading and writing of MLIR bytecode, the binary form of IR.
//!
//! The format is MLIR's (`mlir/docs/BytecodeFormat.md`, "MLIR Bytecode Format"), at the version of
//! LLVM 22: a magic number, a version, the name of the producer, and sections. Strings, dialects,
//! attributes and types are stored in tables and referenced by index.
//!
//! | module | contents |
//! |---|---|
//! | `format` | constants of the format, as in MLIR's `Bytecode/Encoding.h` |
//! | `cursor`, `emitter` | reading and writing of bytes, variable-width integers and sections |
//! | `tables`, `references`, `decode_*` | the tables of a file; entries are decoded on demand |
//! | `numbering`, `strings` | assignment of indices |
//! | `encode`, `piece` | encoding of entries, and its components |
//! | `properties` | inherent attributes of operations, encoded like the code of mlir-tblgen |
//! | `resources` | the two resource sections |
//! | `use_order` | the order of use lists |
//! | `read`, `read_ir`, `write`, `write_ir` | whole files, and their IR sections |
//!
//! Attributes and types of the builtin dialect have a binary encoding, those of other dialects are
//! encoded as text. Operations defined in MLIR encode their properties as MLIR does; those of
//! orison's own dialects and of unregistered dialects encode them as one attribute and are marked
//! as unregistered, which is how MLIR reads them.

mod cursor;
mod decode_attributes;
mod decode_locations;
mod decode_types;
mod emitter;
mod encode;
mod format;
#[cfg(test)]
mod malformed_tests;
mod numbering;
mod piece;
mod properties;
mod read;
mod read_ir;
mod references;
mod resources;
mod strings;
mod tables;
#[cfg(test)]
mod tests;
mod use_order;
mod write;
mod write_ir;

pub use format::{MAGIC, VERSION};
pub use read::read_bytecode;
pub use write::{BytecodeOptions, write_bytecode};

/// Whether the bytes are MLIR bytecode, that is, start with the magic number.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
