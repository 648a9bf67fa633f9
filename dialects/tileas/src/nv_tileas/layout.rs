//! Layouts and elements of tiles (TileAS reference 1.9).

use orison_ir::declare::{AnyAttr, Assembly, Effects, I32Attr, RegionConstraint, Trait};

use super::traits::{SAME_OPERANDS_AND_RESULT_ENCODING, TENSOR_SIZE, TENSOR_TYPE_HAVING_LAYOUT};
use super::types::{A_TILE, TILE_OR_VIEW};
use super::verify::{control, layout as rules};
use orison_ir::declare::constraints::ANY_TYPE;

orison_ir::operations! {
    /// Converts a tile to another layout.
    ///
    /// Pairs of conversions are removed only by the layout pass, never by a local fold.
    op ConvertLayout = "nv_tileas.convert_layout" {
        operands {
            /// The tile.
            source: one(A_TILE),
        }
        results {
            /// The same elements in another layout.
            converted: one(A_TILE),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$source attr-dict `:` type($source) `->` type($converted)"),
            verify: Some(rules::convert_layout),
        }
    }

    /// Reinterprets a tile or buffer with another shape, without a copy.
    ///
    /// Element type and number of elements are preserved.
    op View = "nv_tileas.view" {
        operands {
            /// The tile or buffer.
            source: one(ANY_TYPE),
        }
        results {
            /// The same elements with another shape or layout.
            view: one(TILE_OR_VIEW),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$source attr-dict `:` type($source) `->` type($view)"),
            verify: Some(rules::view),
        }
    }

    /// Inserts an axis of extent 1.
    op ExpandDims = "nv_tileas.expand_dims" {
        operands {
            /// The tile.
            source: one(A_TILE),
        }
        results {
            /// The tile with one more axis.
            expanded: one(A_TILE),
        }
        attributes {
            /// Position of the new axis in the result.
            axis = "axis": required(I32Attr),
        }
        with {
            traits: &[Trait::SameOperandsAndResultElementType],
            effects: Effects::None,
            assembly: Assembly::Format("$source `axis` $axis attr-dict `:` type($source) `->` type($expanded)"),
            verify: Some(rules::expand_dims),
        }
    }

    /// Reinterprets the bits of a tile or buffer as another element type.
    ///
    /// The number of bits is preserved.
    op Reinterpret = "nv_tileas.reinterpret" {
        operands {
            /// The tile or buffer.
            source: one(TILE_OR_VIEW),
        }
        results {
            /// The same bits.
            bits: one(TILE_OR_VIEW),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$source attr-dict `:` type($source) `->` type($bits)"),
            verify: Some(rules::reinterpret),
        }
    }

    /// Exchanges elements of a tile between lanes.
    op Shuffle = "nv_tileas.shuffle" {
        operands {
            /// The tile.
            source: one(A_TILE),
        }
        results {
            /// The permuted tile; of the same type.
            shuffled: one(A_TILE),
        }
        attributes {
            /// The permutation.
            pattern = "pattern": optional(AnyAttr),
        }
        with {
            traits: &[
                Trait::SameOperandsAndResultType,
                Trait::Custom(&SAME_OPERANDS_AND_RESULT_ENCODING),
                Trait::Custom(&TENSOR_TYPE_HAVING_LAYOUT),
            ],
            effects: Effects::None,
            assembly: Assembly::Format("$source attr-dict `:` type($source)"),
        }
    }

    /// Computes each element of a tile from its position.
    op Generate = "nv_tileas.generate" {
        results {
            /// The tile.
            tile: one(A_TILE),
        }
        regions {
            /// Computes one element; its arguments are the position, one index for each axis.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[Trait::SingleBlock, Trait::Custom(&TENSOR_SIZE)],
            effects: Effects::Recursive,
            assembly: Assembly::Format("attr-dict-with-keyword `:` type($tile) $body"),
            verify_regions: Some(control::generate),
        }
    }
}
