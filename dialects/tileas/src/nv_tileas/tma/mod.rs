//! Operations of the TMA unit (TileAS reference 1.8).

mod verify;

use orison_ir::declare::{AnyAttr, Assembly, Effects, I32Attr, StrAttr, Trait};

use super::attributes::AtomAttr;
use super::traits::{
    MEMORY_CONSISTENCY, MEMORY_MODEL_READ, MEMORY_MODEL_WRITE, SAME_OPERANDS_AND_RESULTS_ATOM,
};
use super::types::{
    A_TMA_DESC, A_VIEW, AN_ASYNC_TOKEN, ANY_TOKEN, COORDINATE, INTEGER_TILE, TILE_OR_VIEW,
};

pub use verify::is_representable;

orison_ir::operations! {
    /// Creates the TMA descriptor of a view.
    ///
    /// The host recreates the descriptor, so the operations it depends on must be representable
    /// there: no control flow, one source of memory.
    op MakeTiledTmaDesc = "nv_tileas.make_tiled_tma_desc" {
        operands {
            /// View of global memory.
            view: one(A_VIEW),
            /// Extents of the box in elements, if they differ from those of the atom.
            box_extents: variadic(COORDINATE),
        }
        results {
            /// The descriptor.
            descriptor: one(A_TMA_DESC),
        }
        attributes {
            /// A TMA load or store atom.
            atom = "atom": required(AtomAttr),
            /// Shared-memory swizzle: none (default), 32B, 64B or 128B.
            swizzle_mode = "swizzle_mode": optional(StrAttr),
            /// Fill value for out-of-bounds reads: zero (default), nan or constant.
            oob_mode = "oob_mode": optional(StrAttr),
            /// Index of the descriptor in the function, from 0.
            tma_index = "tmaIdx": optional(I32Attr),
            /// Alignment of the pointer in bytes; a multiple of 128.
            alignment = "alignment": optional(I32Attr),
        }
        with {
            traits: &[Trait::Custom(&MEMORY_CONSISTENCY)],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$view (`box` `[` $box_extents^ `]`)? attr-dict `:` type($view)"),
            verify: Some(verify::make_tiled_tma_desc),
            result_name: Some(|_, _| Some("desc".to_owned())),
        }
    }

    /// Loads a box into shared memory.
    ///
    /// Segments: descriptor, destination, coordinates, barrier.
    op AsyncTiledTmaLoad = "nv_tileas.async.tiled_tma_load" {
        operands {
            /// The descriptor.
            descriptor: one(A_TMA_DESC),
            /// Buffer of the stage to fill.
            destination: one(TILE_OR_VIEW),
            /// Box coordinates: one for each axis.
            coordinates: variadic(COORDINATE),
            /// Barrier that counts the bytes: ownership of the stage, or another token.
            barrier: one(ANY_TOKEN),
        }
        results {
            /// Completion of the load.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// A TMA load atom.
            atom = "atom": required(AtomAttr),
            /// Padding value of out-of-bounds elements; only zero.
            padding_value = "padding_value": optional(AnyAttr),
            /// Bytes expected by the barrier.
            tx_count = "tx_count": optional(I32Attr),
            /// Index of the descriptor in the function, from 0.
            tma_index = "tmaIdx": optional(I32Attr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_READ),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$descriptor `[` $coordinates `]` `to` $destination `barrier` $barrier attr-dict `:` type($destination) `,` type($barrier)"),
            verify: Some(verify::tiled_tma_load),
        }
    }

    /// Stores a box from shared memory.
    ///
    /// Segments: descriptor, source, coordinates.
    op AsyncTiledTmaStore = "nv_tileas.async.tiled_tma_store" {
        operands {
            /// The descriptor.
            descriptor: one(A_TMA_DESC),
            /// Buffer to store.
            source: one(TILE_OR_VIEW),
            /// Box coordinates: one for each axis.
            coordinates: variadic(COORDINATE),
        }
        results {
            /// Completion of the store.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// A TMA store atom.
            atom = "atom": required(AtomAttr),
            /// Index of the descriptor in the function, from 0.
            tma_index = "tmaIdx": optional(I32Attr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_WRITE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$source `to` $descriptor `[` $coordinates `]` attr-dict `:` type($source)"),
            verify: Some(verify::tiled_tma_store),
        }
    }

    /// Loads rows that differ by lane into shared memory.
    ///
    /// Segments: descriptor, destination, coordinates, lanes, barrier.
    op AsyncGatherTmaLoad = "nv_tileas.async.gather_tma_load" {
        operands {
            /// The descriptor.
            descriptor: one(A_TMA_DESC),
            /// Buffer of the stage to fill.
            destination: one(TILE_OR_VIEW),
            /// Coordinates shared by all lanes.
            coordinates: variadic(COORDINATE),
            /// Row of each lane.
            lanes: one(INTEGER_TILE),
            /// Barrier that counts the bytes: ownership of the stage, or another token.
            barrier: one(ANY_TOKEN),
        }
        results {
            /// Completion of the load.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// A TMA load atom.
            atom = "atom": required(AtomAttr),
            /// Padding value of out-of-bounds elements; only zero.
            padding_value = "padding_value": optional(AnyAttr),
            /// Bytes expected by the barrier.
            tx_count = "tx_count": optional(I32Attr),
            /// Index of the descriptor in the function, from 0.
            tma_index = "tmaIdx": optional(I32Attr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_READ),
                Trait::Custom(&SAME_OPERANDS_AND_RESULTS_ATOM),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$descriptor `[` $coordinates `]` `lanes` $lanes `to` $destination `barrier` $barrier attr-dict `:` type($lanes) `,` type($destination) `,` type($barrier)"),
            verify: Some(verify::gather_tma_load),
        }
    }

    /// Stores rows that differ by lane from shared memory.
    ///
    /// Segments: descriptor, source, coordinates, lanes.
    op AsyncScatterTmaStore = "nv_tileas.async.scatter_tma_store" {
        operands {
            /// The descriptor.
            descriptor: one(A_TMA_DESC),
            /// Buffer to store.
            source: one(TILE_OR_VIEW),
            /// Coordinates shared by all lanes.
            coordinates: variadic(COORDINATE),
            /// Row of each lane.
            lanes: one(INTEGER_TILE),
        }
        results {
            /// Completion of the store.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// A TMA store atom.
            atom = "atom": required(AtomAttr),
            /// Index of the descriptor in the function, from 0.
            tma_index = "tmaIdx": optional(I32Attr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_WRITE),
                Trait::Custom(&SAME_OPERANDS_AND_RESULTS_ATOM),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$source `to` $descriptor `[` $coordinates `]` `lanes` $lanes attr-dict `:` type($source) `,` type($lanes)"),
            verify: Some(verify::scatter_tma_store),
        }
    }
}
