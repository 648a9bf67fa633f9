//! Matrix products, reductions and scans (TileAS reference 1.9).

pub mod block_scale;
mod dot;
mod reduction;

use orison_ir::declare::constraints::{ANY_TYPE, SIGNLESS_INTEGER_OR_INDEX};
use orison_ir::declare::{
    ArrayAttr, Assembly, BoolAttr, Effects, I32Attr, RegionConstraint, StrAttr, Trait,
};

use super::attributes::AtomAttr;
use super::traits::{
    MEMORY_CONSISTENCY, SAME_OPERANDS_AND_RESULT_ENCODING, SAME_OPERANDS_ENCODING,
};
use super::types::{A_TILE, AN_ASYNC_TOKEN, TILE_OR_VIEW};

orison_ir::operations! {
    /// Matrix product and sum: `d = a * b + c`.
    ///
    /// `a` is M by K; `b` is K by N, or N by K; `c` and `d` are M by N. A leading batch axis is
    /// allowed on all of them. Complete when the result is available. Operands in shared memory are
    /// ordered by the tokens of their pipeline.
    op Dot = "nv_tileas.dot" {
        operands {
            /// Left factor.
            a: one(TILE_OR_VIEW),
            /// Right factor.
            b: one(TILE_OR_VIEW),
            /// Accumulator input.
            c: one(TILE_OR_VIEW),
            /// Whether `c` is added (0: the accumulator starts from zero).
            accumulate: optional(SIGNLESS_INTEGER_OR_INDEX),
        }
        results {
            /// The sum.
            d: one(TILE_OR_VIEW),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": required(AtomAttr),
            /// Signedness of integers of `a`: signed or unsigned; required for integers.
            a_signedness = "a_signedness": optional(StrAttr),
            /// Signedness of integers of `b`: signed or unsigned; required for integers.
            b_signedness = "b_signedness": optional(StrAttr),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$a `,` $b `,` $c (`if` $accumulate^ `:` type($accumulate))? attr-dict `:` type($a) `,` type($b) `,` type($c) `->` type($d)"),
            verify: Some(dot::dot),
        }
    }

    /// Asynchronous matrix product and sum.
    ///
    /// Like `dot`; when the work is complete, the result is available and the operands may be
    /// overwritten.
    op AsyncDot = "nv_tileas.async.dot" {
        operands {
            /// Left factor.
            a: one(TILE_OR_VIEW),
            /// Right factor.
            b: one(TILE_OR_VIEW),
            /// Accumulator input.
            c: one(TILE_OR_VIEW),
            /// Whether `c` is added (0: the accumulator starts from zero).
            accumulate: optional(SIGNLESS_INTEGER_OR_INDEX),
        }
        results {
            /// The sum.
            d: one(TILE_OR_VIEW),
            /// Completion of the product.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": required(AtomAttr),
            /// Signedness of integers of `a`: signed or unsigned; required for integers.
            a_signedness = "a_signedness": optional(StrAttr),
            /// Signedness of integers of `b`: signed or unsigned; required for integers.
            b_signedness = "b_signedness": optional(StrAttr),
        }
        with {
            traits: &[Trait::Custom(&MEMORY_CONSISTENCY)],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$a `,` $b `,` $c (`if` $accumulate^ `:` type($accumulate))? attr-dict `:` type($a) `,` type($b) `,` type($c) `->` type($d)"),
            verify: Some(dot::dot),
        }
    }

    /// Matrix product of narrow floats with a scale for each block of K.
    ///
    /// Allowed: FP8 with E8M0 scales on 32 elements (mxf8f6f4, atom K 32); FP4 with E8M0 scales on
    /// 32 elements (mxf4, atom K 64); FP4 with E4M3 scales on 16 elements (nvf4, atom K 64).
    op BlockScaledMma = "nv_tileas.block_scaled_mma" {
        operands {
            /// Left factor, M by K.
            a: one(TILE_OR_VIEW),
            /// Right factor, K by N or N by K.
            b: one(TILE_OR_VIEW),
            /// Accumulator input, M by N; 32-bit floats.
            c: one(TILE_OR_VIEW),
            /// Scales of `a`, M by K / block.
            scale_a: optional(TILE_OR_VIEW),
            /// Scales of `b`, N by K / block.
            scale_b: optional(TILE_OR_VIEW),
        }
        results {
            /// The sum.
            d: one(TILE_OR_VIEW),
        }
        attributes {
            /// Instruction atom.
            atom = "atom": required(AtomAttr),
            /// Whether two blocks of a cluster compute together.
            two_cta = "two_cta": optional(BoolAttr),
        }
        with {
            traits: &[Trait::AttrSizedOperandSegments],
            effects: Effects::None,
            assembly: Assembly::Format("$a `,` $b `,` $c (`scale` $scale_a^ `:` type($scale_a))? (`by` $scale_b^ `:` type($scale_b))? attr-dict `:` type($a) `,` type($b) `,` type($c) `->` type($d)"),
            verify: Some(block_scale::block_scaled_mma),
        }
    }

    /// Reduces the elements of tiles along an axis.
    ///
    /// The region combines two values of each tile; it must be associative.
    op Reduce = "nv_tileas.reduce" {
        operands {
            /// The tiles, of one shape.
            inputs: variadic(A_TILE),
        }
        results {
            /// One result for each input, without the reduced axis.
            reduced: variadic(ANY_TYPE),
        }
        attributes {
            /// The reduced axis.
            axis = "axis": required(I32Attr),
            /// Identity value, for each input.
            identities = "identities": optional(ArrayAttr),
        }
        regions {
            /// Combines two values of each input: first all left values, then all right values.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&SAME_OPERANDS_ENCODING),
            ],
            effects: Effects::Recursive,
            assembly: Assembly::Format("$inputs `axis` $axis attr-dict-with-keyword `:` type($inputs) `->` type($reduced) $body"),
            verify: Some(reduction::reduce),
            verify_regions: Some(reduction::combiner),
        }
    }

    /// Computes a running reduction of the elements of tiles along an axis.
    op Scan = "nv_tileas.scan" {
        operands {
            /// The tiles, of one shape.
            inputs: variadic(A_TILE),
        }
        results {
            /// One result for each input, of its type.
            scanned: variadic(A_TILE),
        }
        attributes {
            /// The scanned axis.
            axis = "axis": required(I32Attr),
            /// Whether to scan from the end.
            reverse = "reverse": optional(BoolAttr),
            /// Identity value, for each input.
            identities = "identities": optional(ArrayAttr),
        }
        regions {
            /// Combines two values of each input: first all left values, then all right values.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::Custom(&MEMORY_CONSISTENCY),
                Trait::Custom(&SAME_OPERANDS_AND_RESULT_ENCODING),
            ],
            effects: Effects::Recursive,
            assembly: Assembly::Format("$inputs `axis` $axis attr-dict-with-keyword `:` type($inputs) `->` type($scanned) $body"),
            verify: Some(reduction::scan),
            verify_regions: Some(reduction::combiner),
        }
    }
}
