//! What tile programs mean: tiles, memory, pipelines with real rings, agents as tasks.
//!
//! The meaning of `nv_tileas` and `nv_tileaa`. Tensors are [`Tile`]s; views, tokens, pipelines and
//! cursors are [`Handle`]s; what they stand for is in the [`TileState`] of the world. Asynchronous
//! operations are [`effects`]: their work is done at any moment between their start and the wait for
//! them. Agents are tasks; [`tasks`] runs them in an order that a seed chooses, [`explore`] in all
//! orders. [`kernel`] gives a function arguments and compares what two of them do to memory.

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
mod random;
pub mod rings;
mod state;
pub mod tasks;
mod values;
pub mod work;

pub use element::{Element, ElementKind, round_float, sign_extend, zero_extend};
pub use handles::{EffectName, Handle, Ownership};
pub use random::Random;
pub use state::{SwitchState, TileState};
pub use values::{Tile, TileData};

use crate::Interpreter;

/// Makes the tile dialects known to an interpreter that knows the host dialects. Tensors become
/// tiles.
pub fn register(interpreter: &mut Interpreter<'_>) {
    interpreter.register("arith", Box::new(arithmetic::TileArith));
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
