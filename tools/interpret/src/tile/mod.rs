//! Semantics of tile programs: tiles, memory, pipelines with ring buffers, agents as tasks.
//!
//! The semantics of `nv_tileas` and `nv_tileaa`. Tensors are [`Tile`]s; views, tokens, pipelines
//! and cursors are [`Handle`]s, which refer to the [`TileState`] of the world. Asynchronous
//! operations are [`effects`]: they complete at any moment between their start and the wait for
//! them. Agents are tasks; [`tasks`] runs them in a seeded order, [`explore`] in all orders.
//! [`kernel`] supplies the arguments of a function and compares the memory that two of them
//! produce.

mod access;
mod arithmetic;
pub mod command;
pub mod compute;
pub mod effects;
mod element;
pub mod explore;
mod fingerprint;
pub mod functions;
mod handles;
pub mod kernel;
pub mod memory;
mod operations;
mod perform;
mod random;
pub mod rings;
mod state;
pub mod tasks;
pub mod timed;
mod values;
pub mod window;
pub mod work;

pub use element::{Element, ElementKind, sign_extend, zero_extend};
pub use handles::{EffectName, Handle, Ownership};
pub use random::Random;
pub use state::{SwitchState, TileState};
pub use values::{Tile, TileData};

use orison_ir::Context;

use crate::Interpreter;

/// Attaches how they run to the operations of the tile dialects.
pub(crate) fn attach(context: &mut Context) {
    operations::register(context);
}

/// Registers the tile dialects with an interpreter that has the host dialects. Tensors become
/// tiles.
pub fn register(interpreter: &mut Interpreter<'_>) {
    for dialect in ["arith", "math"] {
        interpreter.register(dialect, Box::new(arithmetic::TileArith));
    }
    for dialect in ["nv_tileas", "nv_tileaa"] {
        interpreter.register(dialect, Box::new(operations::TileDialects));
    }
    let mut dialects: Vec<&str> = functions::FUNCTIONS
        .iter()
        .filter_map(|(name, _)| name.split('.').next())
        .collect();
    dialects.dedup();
    for dialect in dialects {
        interpreter.register(dialect, Box::new(functions::TileFunctions));
    }
}
