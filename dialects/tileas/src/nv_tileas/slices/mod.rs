//! Storage and slices of it (TileAS reference 1.9).
//!
//! Offsets, sizes and strides are static or SSA values, as in MLIR's `tensor.extract_slice`: the
//! static arrays hold an integer or the marker of a dynamic entry, the operands the values of the
//! dynamic entries in order. Written as `%tile[0, %i] [64, 64] [1, 1]`.

mod verify;

use orison_ir::declare::constraints::INDEX;
use orison_ir::declare::{Assembly, Effects, I64ArrayAttr, StrAttr, Trait};

use super::slice_assembly as assembly;
use super::traits::{RESULTS_ARE_SHARED_ENCODING, SAME_OPERANDS_ENCODING};
use super::types::{AN_ASYNC_TOKEN, TILE_OR_VIEW};

orison_ir::operations! {
    /// Allocates storage of the function.
    ///
    /// A pure constructor: the contents are undefined until they are written.
    op AllocTensor = "nv_tileas.alloc_tensor" {
        results {
            /// The storage: a view with residency, or a tile.
            buffer: one(TILE_OR_VIEW),
        }
        attributes {
            /// Memory space; the residency of a view, registers for a tile.
            memory_space = "memspace": optional(StrAttr),
            /// Alignment in bytes, a power of two.
            alignment = "alignment": optional(orison_ir::declare::I32Attr),
        }
        with {
            effects: Effects::Allocate,
            assembly: Assembly::Format("(`in` $memspace^)? attr-dict `:` type($buffer)"),
            verify: Some(verify::alloc_tensor),
        }
    }

    /// Extracts a part of a tile or view.
    ///
    /// The sizes are the shape of the result; extents of 1 may be omitted.
    op ExtractSlice = "nv_tileas.extract_slice" {
        operands {
            /// The source.
            source: one(TILE_OR_VIEW),
            /// Dynamic offsets, in elements.
            offsets: variadic(INDEX),
            /// Dynamic sizes, in elements.
            sizes: variadic(INDEX),
            /// Dynamic strides, in elements.
            strides: variadic(INDEX),
        }
        results {
            /// The slice.
            slice: one(TILE_OR_VIEW),
        }
        attributes {
            /// Offset along each axis, in elements.
            static_offsets = "static_offsets": required(I64ArrayAttr),
            /// Size along each axis, in elements.
            static_sizes = "static_sizes": required(I64ArrayAttr),
            /// Stride along each axis, in elements.
            static_strides = "static_strides": required(I64ArrayAttr),
        }
        with {
            traits: &[Trait::AttrSizedOperandSegments],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_extract,
                print: assembly::print_extract,
            },
            verify: Some(verify::extract_slice),
            rules: &[
                &super::rules::static_slice::STATIC_SLICE,
                &super::rules::slice_of_insert::SLICE_OF_INSERT,
                &super::rules::slice_of_view::SLICE_OF_VIEW,
            ],
        }
    }

    /// Replaces a part of a tile or view.
    op InsertSlice = "nv_tileas.insert_slice" {
        operands {
            /// The value to insert.
            source: one(TILE_OR_VIEW),
            /// The destination.
            destination: one(TILE_OR_VIEW),
            /// Dynamic offsets, in elements.
            offsets: variadic(INDEX),
            /// Dynamic sizes, in elements.
            sizes: variadic(INDEX),
            /// Dynamic strides, in elements.
            strides: variadic(INDEX),
        }
        results {
            /// The destination with the inserted part; of the type of the destination.
            updated: one(TILE_OR_VIEW),
        }
        attributes {
            /// Offset along each axis, in elements.
            static_offsets = "static_offsets": required(I64ArrayAttr),
            /// Size along each axis, in elements.
            static_sizes = "static_sizes": required(I64ArrayAttr),
            /// Stride along each axis, in elements.
            static_strides = "static_strides": required(I64ArrayAttr),
        }
        with {
            traits: &[Trait::AttrSizedOperandSegments],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_insert,
                print: assembly::print_insert,
            },
            verify: Some(verify::insert_slice),
        }
    }

    /// Extracts a part of an asynchronously computed tile.
    ///
    /// Replaces `extract_slice` if its source has an async token.
    op AsyncExtractSlice = "nv_tileas.async.extract_slice" {
        operands {
            /// The source.
            source: one(TILE_OR_VIEW),
            /// Dynamic offsets, in elements.
            offsets: variadic(INDEX),
            /// Dynamic sizes, in elements.
            sizes: variadic(INDEX),
            /// Dynamic strides, in elements.
            strides: variadic(INDEX),
            /// Completion of the source.
            token: one(AN_ASYNC_TOKEN),
        }
        results {
            /// The slice.
            slice: one(TILE_OR_VIEW),
            /// Completion of the slice.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Offset along each axis, in elements.
            static_offsets = "static_offsets": required(I64ArrayAttr),
            /// Size along each axis, in elements.
            static_sizes = "static_sizes": required(I64ArrayAttr),
            /// Stride along each axis, in elements.
            static_strides = "static_strides": required(I64ArrayAttr),
        }
        with {
            traits: &[Trait::AttrSizedOperandSegments],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_async_extract,
                print: assembly::print_async_extract,
            },
            verify: Some(verify::extract_slice),
        }
    }

    /// Replaces a part of a view in shared memory with the result of asynchronous work.
    op AsyncInsertSlice = "nv_tileas.async.insert_slice" {
        operands {
            /// The value to insert.
            source: one(TILE_OR_VIEW),
            /// The destination.
            destination: one(TILE_OR_VIEW),
            /// Dynamic offsets, in elements.
            offsets: variadic(INDEX),
            /// Dynamic sizes, in elements.
            sizes: variadic(INDEX),
            /// Dynamic strides, in elements.
            strides: variadic(INDEX),
            /// Completion of the inserted value.
            token: one(AN_ASYNC_TOKEN),
        }
        results {
            /// The destination with the inserted part; of the type of the destination.
            updated: one(TILE_OR_VIEW),
            /// Completion of the insertion.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Offset along each axis, in elements.
            static_offsets = "static_offsets": required(I64ArrayAttr),
            /// Size along each axis, in elements.
            static_sizes = "static_sizes": required(I64ArrayAttr),
            /// Stride along each axis, in elements.
            static_strides = "static_strides": required(I64ArrayAttr),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Custom(&RESULTS_ARE_SHARED_ENCODING),
                Trait::Custom(&SAME_OPERANDS_ENCODING),
            ],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_async_insert,
                print: assembly::print_async_insert,
            },
            verify: Some(verify::insert_slice),
        }
    }
}
