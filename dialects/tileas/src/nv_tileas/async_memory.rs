//! Asynchronous loads, stores and copies: the token signals completion of the work (TileAS
//! reference 1.7 and 1.9).

use orison_ir::declare::constraints::ANY_TYPE;
use orison_ir::declare::{AnyAttr, Assembly, BoolArrayAttr, Effects, StrAttr, Trait};

use super::attributes::AtomAttr;
use super::copies;
use super::traits::{
    MEMORY_CONSISTENCY, MEMORY_MODEL_READ, MEMORY_MODEL_READ_WRITE, MEMORY_MODEL_WRITE,
    MUST_HAVE_MEM_LAYOUT, SAME_LOAD_STORE_OPERANDS_AND_RESULT_ENCODING,
    SAME_LOAD_STORE_OPERANDS_AND_RESULT_SHAPE, SAME_LOAD_STORE_OPERANDS_ENCODING,
    SAME_LOAD_STORE_OPERANDS_SHAPE, SAME_OPERATION_AND_RESULTS_ATOM,
    SAME_TILED_VIEW_AND_TENSOR_SHAPE, TENSOR_SIZE, TILED_LOAD_STORE_OP,
    TILED_LOAD_STORE_OP_SAME_ELEMENT_TYPE, TILED_PADDING_VALUE, VALID_LOAD_ENCODING,
};
use super::types::{A_TILE, A_VIEW, AN_ASYNC_TOKEN, COORDINATE, MASK, ORDER_TOKEN, TILE_OR_VIEW};
use super::verify::memory as rules;
use crate::nv_tileaa::types::POINTERS;

orison_ir::operations! {
    /// Loads from pointers asynchronously.
    op AsyncLoad = "nv_tileas.async.load" {
        operands {
            /// One address per element.
            pointers: one(POINTERS),
            /// Mask of the loaded elements; all if absent.
            mask: optional(MASK),
            /// Values of the masked-off elements.
            other: optional(ANY_TYPE),
            /// Memory-order dependency.
            token: optional(ORDER_TOKEN),
        }
        results {
            /// The tile, available when the work is complete.
            tile: one(ANY_TYPE),
            /// Completion of the load.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": optional(AtomAttr),
            /// Padding value of out-of-bounds elements; of the element type.
            padding_value = "padding_value": optional(AnyAttr),
            /// Memory ordering: weak (default), relaxed or acquire.
            mem_semantic = "mem_semantic": optional(StrAttr),
            /// Memory scope: cta (tl_blk), cluster, gpu or sys.
            mem_scope = "mem_scope": optional(StrAttr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_READ),
                Trait::Custom(&SAME_LOAD_STORE_OPERANDS_AND_RESULT_SHAPE),
                Trait::Custom(&SAME_LOAD_STORE_OPERANDS_AND_RESULT_ENCODING),
                Trait::Custom(&VALID_LOAD_ENCODING),
                Trait::Custom(&TENSOR_SIZE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pointers (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))? (`token` $token^ `:` type($token))? attr-dict `:` type($pointers) `->` type($tile)"),
            verify: Some(rules::load),
        }
    }

    /// Stores to pointers asynchronously.
    op AsyncStore = "nv_tileas.async.store" {
        operands {
            /// One address per element.
            pointers: one(POINTERS),
            /// Value to store.
            value: one(ANY_TYPE),
            /// Mask of the stored elements; all if absent.
            mask: optional(MASK),
            /// Memory-order dependency.
            token: optional(ORDER_TOKEN),
        }
        results {
            /// Completion of the store.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": optional(AtomAttr),
            /// Memory ordering: weak (default), relaxed or release.
            mem_semantic = "mem_semantic": optional(StrAttr),
            /// Memory scope: cta (tl_blk), cluster, gpu or sys.
            mem_scope = "mem_scope": optional(StrAttr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_WRITE),
                Trait::Custom(&SAME_LOAD_STORE_OPERANDS_SHAPE),
                Trait::Custom(&SAME_LOAD_STORE_OPERANDS_ENCODING),
                Trait::Custom(&TENSOR_SIZE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pointers `,` $value (`mask` $mask^ `:` type($mask))? (`token` $token^ `:` type($token))? attr-dict `:` type($pointers) `,` type($value)"),
            verify: Some(rules::store),
        }
    }

    /// Copies a tile asynchronously.
    ///
    /// The target is either the destination view or the result tile.
    op AsyncCopy = "nv_tileas.async.copy" {
        operands {
            /// Tile in registers or view to copy from.
            source: one(TILE_OR_VIEW),
            /// View to copy to; absent if the target is the result.
            destination: optional(TILE_OR_VIEW),
        }
        results {
            /// The copy in registers; absent if the target is the destination.
            tile: optional(A_TILE),
            /// Completion of the copy.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": required(AtomAttr),
        }
        with {
            traits: &[
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_READ_WRITE),
                Trait::Custom(&MUST_HAVE_MEM_LAYOUT),
                Trait::Custom(&SAME_OPERATION_AND_RESULTS_ATOM),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$source (`to` $destination^)? attr-dict `:` type($source) (`to` type($destination)^)? (`->` type($tile)^)?"),
            verify: Some(copies::copy),
        }
    }

    /// Loads the tile at given coordinates of a view asynchronously.
    ///
    /// Segments: view, coordinates, offsets, token.
    op AsyncTiledLoad = "nv_tileas.async.tiled_load" {
        operands {
            /// View to load from.
            view: one(A_VIEW),
            /// Tile coordinates: one for each axis, in tiles; one more in front if the atom
            /// has a leading offset.
            coordinates: variadic(COORDINATE),
            /// Offsets inside the tile, in elements.
            offsets: variadic(COORDINATE),
            /// Memory-order dependency; at most one.
            token: variadic(ORDER_TOKEN),
        }
        results {
            /// The tile, available when the work is complete.
            tile: one(A_TILE),
            /// Completion of the load.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": optional(AtomAttr),
            /// Axes known to be in bounds; none if absent.
            in_bounds = "in_bounds": optional(BoolArrayAttr),
            /// Padding value of out-of-bounds elements; of the element type.
            padding_value = "padding_value": optional(AnyAttr),
            /// Memory ordering: weak (default), relaxed or acquire.
            mem_semantic = "mem_semantic": optional(StrAttr),
            /// Memory scope: cta (tl_blk), cluster, gpu or sys.
            mem_scope = "mem_scope": optional(StrAttr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_READ),
                Trait::Custom(&TILED_LOAD_STORE_OP),
                Trait::Custom(&TENSOR_SIZE),
                Trait::Custom(&SAME_TILED_VIEW_AND_TENSOR_SHAPE),
                Trait::Custom(&TILED_LOAD_STORE_OP_SAME_ELEMENT_TYPE),
                Trait::Custom(&TILED_PADDING_VALUE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$view `[` $coordinates `]` (`offset` `[` $offsets^ `]`)? (`token` $token^ `:` type($token))? attr-dict `:` type($view) `->` type($tile)"),
            verify: Some(rules::tiled_load),
        }
    }

    /// Combines a tile with memory atomically and asynchronously.
    ///
    /// Segments: view, value, coordinates, token.
    op AsyncTiledAtomicRmw = "nv_tileas.async.tiled_atomic_rmw" {
        operands {
            /// View to update.
            view: one(A_VIEW),
            /// Value to combine with; for `cmpxchg` the expected value, then the value to store.
            value: variadic(A_TILE),
            /// Tile coordinates: one for each axis, in tiles.
            coordinates: variadic(COORDINATE),
            /// Memory-order dependency; at most one.
            token: variadic(ORDER_TOKEN),
        }
        results {
            /// Previous contents of the memory; absent if unused.
            old: optional(A_TILE),
            /// Completion of the update.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Operation: add, and, or, xor, min, max, umin, umax or cmpxchg.
            rmw_mode = "rmw_mode": required(StrAttr),
            /// Instruction atom; a TMA atom must be a reducing one.
            atom = "atom": optional(AtomAttr),
            /// Axes known to be in bounds; none if absent.
            in_bounds = "in_bounds": optional(BoolArrayAttr),
            /// Memory ordering: weak (default), relaxed, acquire, release or acq_rel.
            mem_semantic = "mem_semantic": optional(StrAttr),
            /// Memory scope: cta (tl_blk), cluster, gpu or sys.
            mem_scope = "mem_scope": optional(StrAttr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&MEMORY_MODEL_READ_WRITE),
                Trait::Custom(&TILED_LOAD_STORE_OP),
                Trait::Custom(&TENSOR_SIZE),
                Trait::Custom(&SAME_TILED_VIEW_AND_TENSOR_SHAPE),
                Trait::Custom(&TILED_LOAD_STORE_OP_SAME_ELEMENT_TYPE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$rmw_mode $view `[` $coordinates `]` `by` $value (`token` $token^ `:` type($token))? attr-dict `:` type($view) `by` type($value) (`->` type($old)^)?"),
            verify: Some(rules::tiled_atomic_rmw),
        }
    }
}
