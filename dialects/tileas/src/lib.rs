//! Tile dialects of orison: `nv_tileas` and the `nv_tileaa` operations around it.
//!
//! `nv_tileaa` specifies *what* a tile program moves and computes, `nv_tileas` *how*: pipelines of
//! ring slots, ownership tokens, agents. Operations, types and attributes follow the TileAS
//! reference, section 1; where its pages contradict each other, the recommendation of that section
//! is followed and its number (C60 to C69) is given in a comment.
//!
//! ```
//! use orison_ir::{Context, Source, parse_source};
//! let mut context = Context::new();
//! context.allow_unregistered_dialects(true); // for the module around it
//! orison_tileas::register(&mut context);
//! let text = "%0 = nv_tileaa.create_mem_token";
//! let module = parse_source(&mut context, Source { name: "a.mlir", text, first_line: 1 });
//! assert!(context.verify(module.expect("well-formed")).is_ok());
//! ```

pub mod memory_space;
pub mod nv_tileaa;
pub mod nv_tileas;
pub mod schedule_keys;
pub mod views;

pub use memory_space::MemorySpace;
pub use nv_tileaa::NV_TILEAA;
pub use nv_tileas::{NV_TILEAS, NV_TILEAS_RULES};

use orison_ir::Context;

/// Registers both tile dialects in a context, and accepts operations of CUDA Tile among theirs:
/// the schedulers keep those operations at the costs given by their attributes.
pub fn register(context: &mut Context) {
    context.register_dialect(&NV_TILEAA);
    context.register_dialect(&NV_TILEAS);
    context.allow_unregistered_dialect("cuda_tile");
}
