//! The storage of IR: arenas of plain records that refer to each other by index.
//!
//! Public handles carry a generation, so the next use of a handle to an erased entity is detected.
//! Links inside the records are bare indices; the code in this folder keeps them consistent.

pub(crate) mod arena;
pub(crate) mod interner;
pub(crate) mod runs;
pub(crate) mod type_map;
