//! Storage and slices of it (TileAS reference 1.9).
//!
//! Offsets, sizes and strides are static or SSA values, as in MLIR's `tensor.extract_slice`: the
//! static arrays hold a number or the mark of a dynamic entry, the operands the values of the
//! dynamic ones in order. Written as `%tile[0, %i] [64, 64] [1, 1]`.

use orison_ir::declare::constraints::INDEX;
use orison_ir::declare::{Assembly, Effects, I64ArrayAttr, StrAttr, Trait};

use super::slice_assembly as assembly;
use super::traits::{RESULTS_ARE_SHARED_ENCODING, SAME_OPERANDS_ENCODING};
use super::types::{AN_ASYNC_TOKEN, TILE_OR_VIEW};
use super::verify::slices as rules;

orison_ir::operations! {
    /// Allocates storage of the function.
    ///
    /// A pure constructor: what is in it is not defined until it is written.
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
            verify: Some(rules::alloc_tensor),
        }
    }

    /// A part of a tile or view.
    ///
    /// The result has the sizes as shape; extents of 1 may be left out.
    op ExtractSlice = "nv_tileas.extract_slice" {
        operands {
            /// The whole.
            source: one(TILE_OR_VIEW),
            /// Dynamic offsets, in elements.
            offsets: variadic(INDEX),
            /// Dynamic sizes, in elements.
            sizes: variadic(INDEX),
            /// Dynamic strides, in elements.
            strides: variadic(INDEX),
        }
        results {
            /// The part.
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
            verify: Some(rules::extract_slice),
            rules: &[
                &super::rules::static_slice::STATIC_SLICE,
                &super::rules::slice_of_insert::SLICE_OF_INSERT,
                &super::rules::slice_of_view::SLICE_OF_VIEW,
            ],
        }
    }

    /// A tile or view with a part replaced.
    op InsertSlice = "nv_tileas.insert_slice" {
        operands {
            /// The new part.
            source: one(TILE_OR_VIEW),
            /// The whole.
            destination: one(TILE_OR_VIEW),
            /// Dynamic offsets, in elements.
            offsets: variadic(INDEX),
            /// Dynamic sizes, in elements.
            sizes: variadic(INDEX),
            /// Dynamic strides, in elements.
            strides: variadic(INDEX),
        }
        results {
            /// The whole with the new part; of the type of the destination.
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
            verify: Some(rules::insert_slice),
        }
    }

    /// A part of a tile that is made asynchronously.
    ///
    /// What `extract_slice` becomes when its source carries an async token.
    op AsyncExtractSlice = "nv_tileas.async.extract_slice" {
        operands {
            /// The whole.
            source: one(TILE_OR_VIEW),
            /// Dynamic offsets, in elements.
            offsets: variadic(INDEX),
            /// Dynamic sizes, in elements.
            sizes: variadic(INDEX),
            /// Dynamic strides, in elements.
            strides: variadic(INDEX),
            /// Completion of the whole.
            token: one(AN_ASYNC_TOKEN),
        }
        results {
            /// The part.
            slice: one(TILE_OR_VIEW),
            /// Completion of the part.
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
            verify: Some(rules::extract_slice),
        }
    }

    /// A view in shared memory with a part replaced by asynchronous work.
    op AsyncInsertSlice = "nv_tileas.async.insert_slice" {
        operands {
            /// The new part.
            source: one(TILE_OR_VIEW),
            /// The whole.
            destination: one(TILE_OR_VIEW),
            /// Dynamic offsets, in elements.
            offsets: variadic(INDEX),
            /// Dynamic sizes, in elements.
            sizes: variadic(INDEX),
            /// Dynamic strides, in elements.
            strides: variadic(INDEX),
            /// Completion of the new part.
            token: one(AN_ASYNC_TOKEN),
        }
        results {
            /// The whole with the new part; of the type of the destination.
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
            verify: Some(rules::insert_slice),
        }
    }
}
