//! Synchronous loads, stores and copies (TileAS reference 1.7 and 1.9).

use orison_ir::declare::{AnyAttr, Assembly, BoolArrayAttr, Effects, StrAttr, Trait};

use super::attributes::AtomAttr;
use super::copies;
use super::traits::{
    MEMORY_CONSISTENCY, MEMORY_MODEL_READ, MEMORY_MODEL_READ_WRITE, MEMORY_MODEL_WRITE,
    MUST_HAVE_MEM_LAYOUT, SAME_LOAD_STORE_OPERANDS_AND_RESULT_ENCODING,
    SAME_LOAD_STORE_OPERANDS_AND_RESULT_SHAPE, SAME_LOAD_STORE_OPERANDS_ENCODING,
    SAME_LOAD_STORE_OPERANDS_SHAPE, SAME_OPERATION_AND_RESULTS_ATOM,
    SAME_TILED_VIEW_AND_TENSOR_SHAPE, TENSOR_SIZE, TENSOR_TYPE_HAVING_LAYOUT, TILED_LOAD_STORE_OP,
    TILED_LOAD_STORE_OP_SAME_ELEMENT_TYPE, TILED_PADDING_VALUE, VALID_LOAD_ENCODING,
};
use super::types::{
    A_BUFFER, A_TILE, A_VIEW, COORDINATE, INTEGER_TILE, MASK, ORDER_TOKEN, TILE_VIEW_OR_SCALAR,
};
use super::verify::memory as rules;
use crate::nv_tileaa::types::POINTERS;
use orison_ir::declare::constraints::ANY_TYPE;

orison_ir::operations! {
    /// Loads from pointers.
    op Load = "nv_tileas.load" {
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
            /// The loaded tile.
            tile: one(ANY_TYPE),
            /// Memory order after the load.
            result_token: optional(ORDER_TOKEN),
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
                Trait::Custom(&MEMORY_MODEL_READ),
                Trait::Custom(&SAME_LOAD_STORE_OPERANDS_AND_RESULT_SHAPE),
                Trait::Custom(&SAME_LOAD_STORE_OPERANDS_AND_RESULT_ENCODING),
                Trait::Custom(&VALID_LOAD_ENCODING),
                Trait::Custom(&TENSOR_SIZE),
            ],
            effects: Effects::Read,
            assembly: Assembly::Format("$pointers (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))? (`token` $token^ `:` type($token))? attr-dict `:` type($pointers) `->` type($tile) (`,` type($result_token)^)?"),
            verify: Some(rules::load),
        }
    }

    /// Stores to pointers.
    op Store = "nv_tileas.store" {
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
            /// Memory order after the store.
            result_token: optional(ORDER_TOKEN),
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
                Trait::Custom(&MEMORY_MODEL_WRITE),
                Trait::Custom(&SAME_LOAD_STORE_OPERANDS_SHAPE),
                Trait::Custom(&SAME_LOAD_STORE_OPERANDS_ENCODING),
                Trait::Custom(&TENSOR_SIZE),
            ],
            effects: Effects::Write,
            assembly: Assembly::Format("$pointers `,` $value (`mask` $mask^ `:` type($mask))? (`token` $token^ `:` type($token))? attr-dict `:` type($pointers) `,` type($value) (`->` type($result_token)^)?"),
            verify: Some(rules::store),
        }
    }

    /// Copies a tile between memories or between memory and registers.
    ///
    /// The target is either the destination or the result tile. In the region of an operation that
    /// fills a stage of a pipeline, a destination may be a slot of the stage, an argument of the
    /// region: a tile, or a scalar.
    op Copy = "nv_tileas.copy" {
        operands {
            /// Value in registers or view to copy from.
            source: one(TILE_VIEW_OR_SCALAR),
            /// View or slot to copy to; absent if the target is the result.
            destination: optional(TILE_VIEW_OR_SCALAR),
        }
        results {
            /// The copy in registers; absent if the target is the destination.
            tile: optional(A_TILE),
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

    /// Loads elements at positions that differ by lane.
    op GatherLoad = "nv_tileas.gather_load" {
        operands {
            /// Memory to load from.
            source: one(A_BUFFER),
            /// Position of each element, one tile for each gathered axis.
            indices: variadic(INTEGER_TILE),
            /// Mask of the loaded elements; all if absent.
            mask: optional(MASK),
            /// Memory-order dependency.
            token: optional(ORDER_TOKEN),
        }
        results {
            /// The gathered tile.
            tile: one(A_TILE),
            /// Memory order after the load.
            result_token: optional(ORDER_TOKEN),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": optional(AtomAttr),
            /// Padding value of out-of-bounds elements; of the element type.
            padding_value = "padding_value": optional(AnyAttr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_MODEL_READ),
                Trait::Custom(&TENSOR_SIZE),
            ],
            effects: Effects::Read,
            assembly: Assembly::Format("$source `at` `(` $indices (`:` type($indices)^)? `)` (`mask` $mask^ `:` type($mask))? (`token` $token^ `:` type($token))? attr-dict `:` type($source) `->` type($tile) (`,` type($result_token)^)?"),
            verify: Some(rules::gather_load),
        }
    }

    /// Stores elements at positions that differ by lane.
    op ScatterStore = "nv_tileas.scatter_store" {
        operands {
            /// Memory to store to.
            destination: one(A_BUFFER),
            /// Value to store.
            value: one(A_TILE),
            /// Position of each element, one tile for each scattered axis.
            indices: variadic(INTEGER_TILE),
            /// Mask of the stored elements; all if absent.
            mask: optional(MASK),
            /// Memory-order dependency.
            token: optional(ORDER_TOKEN),
        }
        results {
            /// Memory order after the store.
            result_token: optional(ORDER_TOKEN),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": optional(AtomAttr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_MODEL_WRITE),
                Trait::Custom(&TENSOR_SIZE),
            ],
            effects: Effects::Write,
            assembly: Assembly::Format("$value `,` $destination `at` `(` $indices (`:` type($indices)^)? `)` (`mask` $mask^ `:` type($mask))? (`token` $token^ `:` type($token))? attr-dict `:` type($value) `,` type($destination) (`->` type($result_token)^)?"),
            verify: Some(rules::scatter_store),
        }
    }

    /// Loads the tile at given coordinates of a view.
    ///
    /// Segments: view, coordinates, offsets, token.
    op TiledLoad = "nv_tileas.tiled_load" {
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
            /// The loaded tile.
            tile: one(A_TILE),
            /// Memory order after the load.
            result_token: optional(ORDER_TOKEN),
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
                Trait::Custom(&MEMORY_MODEL_READ),
                Trait::Custom(&TILED_LOAD_STORE_OP),
                Trait::Custom(&TENSOR_SIZE),
                Trait::Custom(&SAME_TILED_VIEW_AND_TENSOR_SHAPE),
                Trait::Custom(&TILED_LOAD_STORE_OP_SAME_ELEMENT_TYPE),
                Trait::Custom(&TILED_PADDING_VALUE),
                Trait::Custom(&SAME_OPERATION_AND_RESULTS_ATOM),
                Trait::Custom(&TENSOR_TYPE_HAVING_LAYOUT),
            ],
            effects: Effects::Read,
            assembly: Assembly::Format("$view `[` $coordinates `]` (`offset` `[` $offsets^ `]`)? (`token` $token^ `:` type($token))? attr-dict `:` type($view) `->` type($tile) (`,` type($result_token)^)?"),
            verify: Some(rules::tiled_load),
        }
    }

    /// Stores a tile at given coordinates of a view.
    ///
    /// Segments: view, value, coordinates, offsets, token.
    op TiledStore = "nv_tileas.tiled_store" {
        operands {
            /// View to store to.
            view: one(A_VIEW),
            /// Value to store.
            value: one(A_TILE),
            /// Tile coordinates: one for each axis, in tiles; one more in front if the atom
            /// has a leading offset.
            coordinates: variadic(COORDINATE),
            /// Offsets inside the tile, in elements.
            offsets: variadic(COORDINATE),
            /// Memory-order dependency; at most one.
            token: variadic(ORDER_TOKEN),
        }
        results {
            /// Memory order after the store.
            result_token: optional(ORDER_TOKEN),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": optional(AtomAttr),
            /// Axes known to be in bounds.
            in_bounds = "in_bounds": optional(BoolArrayAttr),
            /// Value written to padding; of the element type.
            padding_value = "padding_value": optional(AnyAttr),
            /// Memory ordering: weak (default), relaxed or release.
            mem_semantic = "mem_semantic": optional(StrAttr),
            /// Memory scope: cta (tl_blk), cluster, gpu or sys.
            mem_scope = "mem_scope": optional(StrAttr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&MEMORY_MODEL_WRITE),
                Trait::Custom(&TILED_LOAD_STORE_OP),
                Trait::Custom(&TENSOR_SIZE),
                Trait::Custom(&SAME_TILED_VIEW_AND_TENSOR_SHAPE),
                Trait::Custom(&TILED_LOAD_STORE_OP_SAME_ELEMENT_TYPE),
                Trait::Custom(&TILED_PADDING_VALUE),
            ],
            effects: Effects::Write,
            assembly: Assembly::Format("$value `,` $view `[` $coordinates `]` (`offset` `[` $offsets^ `]`)? (`token` $token^ `:` type($token))? attr-dict `:` type($value) `,` type($view) (`->` type($result_token)^)?"),
            verify: Some(rules::tiled_store),
        }
    }

    /// Combines a tile with memory atomically and returns the previous contents.
    ///
    /// Segments: view, value, coordinates, token.
    op TiledAtomicRmw = "nv_tileas.tiled_atomic_rmw" {
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
            /// Previous contents of the memory.
            old: one(A_TILE),
            /// Memory order after the update.
            result_token: optional(ORDER_TOKEN),
        }
        attributes {
            /// Operation: add, and, or, xor, min, max, umin, umax or cmpxchg.
            rmw_mode = "rmw_mode": required(StrAttr),
            /// Instruction atom.
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
                Trait::Custom(&MEMORY_MODEL_READ_WRITE),
                Trait::Custom(&TILED_LOAD_STORE_OP),
                Trait::Custom(&TENSOR_SIZE),
                Trait::Custom(&SAME_TILED_VIEW_AND_TENSOR_SHAPE),
                Trait::Custom(&TILED_LOAD_STORE_OP_SAME_ELEMENT_TYPE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$rmw_mode $view `[` $coordinates `]` `by` $value (`token` $token^ `:` type($token))? attr-dict `:` type($view) `by` type($value) `->` type($old) (`,` type($result_token)^)?"),
            verify: Some(rules::tiled_atomic_rmw),
        }
    }
}
