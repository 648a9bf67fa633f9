//! Warp products with a sparse left matrix, or with scales for blocks of elements.
//!
//! Names, shapes and operands are those nvdisasm 13.0 shows for the code ptxas generates for
//! `mma.sp` and `mma.sync … .block_scale`.

use orison_ir::declare::{Effects, I32Attr, UnitAttr, VerifyResult};
use orison_ir::{Context, Diagnostic, Operation};

use crate::declare::machine_operations;
use crate::keywords::{Format, Shape};
use crate::types::{DATA, FRAGMENT, SOURCE};

use super::matrix_rules::{bits, format, fragments_of, shape_among};
use super::rules::format_among;
use crate::verify::attribute_in_range;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    group sparse {
        operands {
            /// Fragments of the left matrix: the stored half of its elements.
            a: one(FRAGMENT),
            /// Fragments of the right matrix.
            b: one(FRAGMENT),
            /// Fragments of the addend.
            c: one(FRAGMENT),
            /// Metadata: positions of the nonzero elements of the left matrix.
            metadata: one(SOURCE),
        }
        results {
            /// Fragments of the sum.
            d: one(DATA),
        }
        with { effects: Effects::None }
    }

    group scaled {
        operands {
            /// Fragments of the left matrix.
            a: one(FRAGMENT),
            /// Fragments of the right matrix.
            b: one(FRAGMENT),
            /// Fragments of the addend.
            c: one(FRAGMENT),
            /// Scales of the left matrix, one byte each.
            left_scale: one(SOURCE),
            /// Scales of the right matrix, one byte each.
            right_scale: one(SOURCE),
            /// Selectors of the scale bytes and of the threads that hold them: four byte-sized
            /// fields.
            places: one(SOURCE),
            /// Metadata: positions of the nonzero elements of a sparse left matrix.
            metadata: optional(SOURCE),
        }
        results {
            /// Fragments of the sum.
            d: one(DATA),
        }
        with { effects: Effects::None }
    }

    /// The product of a sparse and a dense float matrix of a warp, plus a third.
    op HmmaSparse = "ori.hmma_sp": sparse {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// Format of the factors: `f16`, `bf16` or `tf32`.
            from = "from": required(Format),
            /// Format of addend and sum: `f16` or `f32`.
            accumulator = "accumulator": required(Format),
            /// Selects the threads that hold the metadata, from 0 to 3.
            selector = "selector": required(I32Attr),
        }
        with { verify: Some(sparse_floats) }
    }

    /// The product of a sparse and a dense integer matrix of a warp, plus a third of 32-bit
    /// elements.
    op ImmaSparse = "ori.imma_sp": sparse {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// Format of the left factor.
            left_format = "left_format": required(Format),
            /// Format of the right factor.
            right_format = "right_format": required(Format),
            /// Selects the threads that hold the metadata, from 0 to 3.
            selector = "selector": required(I32Attr),
            /// Sums saturate.
            saturate = "saturate": optional(UnitAttr),
        }
        with { verify: Some(sparse_integers) }
    }

    /// The product of a sparse and a dense matrix of narrow floats of a warp, plus a third.
    op QmmaSparse = "ori.qmma_sp": sparse {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// Format of the left factor.
            left_format = "left_format": required(Format),
            /// Format of the right factor.
            right_format = "right_format": required(Format),
            /// Format of addend and sum: `f16` or `f32`.
            accumulator = "accumulator": required(Format),
            /// Selects the threads that hold the metadata, from 0 to 3.
            selector = "selector": required(I32Attr),
        }
        with { verify: Some(sparse_narrow_floats) }
    }

    /// The product of two matrices of narrow floats of a warp, with a scale for each block of a row
    /// or column, plus a third of 32-bit floats. The left matrix may be sparse.
    op QmmaScaled = "ori.qmma_sf": scaled {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// Format of the left factor.
            left_format = "left_format": required(Format),
            /// Format of the right factor.
            right_format = "right_format": required(Format),
            /// Selects the threads that hold the metadata; sparse products only.
            selector = "selector": optional(I32Attr),
        }
        with { verify: Some(scaled_narrow_floats) }
    }

    /// The product of two matrices of 4-bit floats of a warp, with a scale for each block of a row
    /// or column, plus a third of 32-bit floats. The left matrix may be sparse.
    op OmmaScaled = "ori.omma_sf": scaled {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// Format of the scales: `ue8m0` or `e4m3`, both unsigned.
            scale_format = "scale_format": required(Format),
            /// Number of scales per row or column: 2 or 4.
            scales = "scales": required(I32Attr),
            /// Selects the threads that hold the metadata; sparse products only.
            selector = "selector": optional(I32Attr),
        }
        with { verify: Some(scaled_nibbles) }
    }
}

/// The narrow float formats, each stored in a byte.
const NARROW: [Format; 5] = [
    Format::E4m3,
    Format::E5m2,
    Format::E3m2,
    Format::E2m3,
    Format::E2m1,
];

fn selector(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "selector", 0..=3)
}

fn sparse_floats(context: &Context, op: Operation) -> VerifyResult {
    use Format::{Bf16, F16, F32, Tf32};
    format_among(context, op, "from", &[F16, Bf16, Tf32])?;
    format_among(context, op, "accumulator", &[F16, F32])?;
    selector(context, op)?;
    let from = format(context, op, "from");
    let sum = format(context, op, "accumulator");
    if sum == F16 && from != F16 {
        let message = "requires 'f16' elements for an 'f16' accumulator";
        return Err(op.op_error(context, message));
    }
    let shapes: &[Shape] = match from {
        Tf32 => &[Shape::M16n8k8, Shape::M16n8k16],
        _ => &[Shape::M16n8k16, Shape::M16n8k32],
    };
    shape_among(context, op, shapes)?;
    fragments_of(context, op, 2, [bits(from), bits(from), bits(sum)])
}

fn sparse_integers(context: &Context, op: Operation) -> VerifyResult {
    use Format::{S4, S8, U4, U8};
    format_among(context, op, "left_format", &[U8, S8, U4, S4])?;
    format_among(context, op, "right_format", &[U8, S8, U4, S4])?;
    selector(context, op)?;
    let left = bits(format(context, op, "left_format"));
    let right = bits(format(context, op, "right_format"));
    if left != right {
        return Err(op.op_error(context, "requires elements of the same width"));
    }
    let shapes: &[Shape] = if left == 8 {
        &[Shape::M16n8k32, Shape::M16n8k64]
    } else {
        &[Shape::M16n8k64, Shape::M16n8k128]
    };
    shape_among(context, op, shapes)?;
    fragments_of(context, op, 2, [left, right, 32])
}

fn sparse_narrow_floats(context: &Context, op: Operation) -> VerifyResult {
    format_among(context, op, "left_format", &NARROW)?;
    format_among(context, op, "right_format", &NARROW)?;
    format_among(context, op, "accumulator", &[Format::F16, Format::F32])?;
    selector(context, op)?;
    shape_among(context, op, &[Shape::M16n8k64])?;
    // Each element occupies a byte.
    let sum = bits(format(context, op, "accumulator"));
    fragments_of(context, op, 2, [8, 8, sum])
}

/// Whether the left matrix is sparse: it then has metadata, and a selector of the threads that hold
/// it.
fn is_sparse(context: &Context, op: Operation) -> Result<bool, Box<Diagnostic>> {
    let has_metadata = op.has_operands_named(context, "metadata");
    let has_selector = op.attribute(context, "selector").is_some();
    if has_metadata != has_selector {
        let message = "requires both or neither of 'metadata' and 'selector'";
        return Err(op.op_error(context, message));
    }
    if has_selector {
        attribute_in_range(context, op, "selector", 0..=3)?;
    }
    Ok(has_metadata)
}

fn scaled_narrow_floats(context: &Context, op: Operation) -> VerifyResult {
    format_among(context, op, "left_format", &NARROW)?;
    format_among(context, op, "right_format", &NARROW)?;
    if is_sparse(context, op)? {
        shape_among(context, op, &[Shape::M16n8k64])?;
        return fragments_of(context, op, 2, [8, 8, 32]);
    }
    shape_among(context, op, &[Shape::M16n8k32])?;
    fragments_of(context, op, 1, [8, 8, 32])
}

fn scaled_nibbles(context: &Context, op: Operation) -> VerifyResult {
    format_among(context, op, "scale_format", &[Format::Ue8m0, Format::E4m3])?;
    let scales = op.attribute(context, "scales");
    let scales = scales.and_then(|scales| scales.as_i32(context));
    if !matches!(scales, Some(2 | 4)) {
        return Err(op.op_error(context, "attribute 'scales' must be 2 or 4"));
    }
    if scales == Some(2) && format(context, op, "scale_format") == Format::E4m3 {
        let message = "requires 4 scales of type 'e4m3', found 2";
        return Err(op.op_error(context, message));
    }
    if is_sparse(context, op)? {
        shape_among(context, op, &[Shape::M16n8k128])?;
        return fragments_of(context, op, 2, [4, 4, 32]);
    }
    shape_among(context, op, &[Shape::M16n8k64])?;
    fragments_of(context, op, 1, [4, 4, 32])
}
