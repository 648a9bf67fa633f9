//! How IR is stored: arenas of plain records that refer to each other by index.
//!
//! Handles given to users carry a generation, so a handle to something erased is found out at its
//! next use. Links inside the records are bare indices: the code in this folder keeps them right.

pub(crate) mod arena;
pub(crate) mod interner;
pub(crate) mod runs;
