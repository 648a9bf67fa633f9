//! Verification of matrix products: formats, extents, and register counts of fragments.

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation};

use super::rules::format_among;
use crate::keywords::{Format, Keyword, ProductKind, Shape, TensorKind, TensorShape, keyword_of};
use crate::verify::{attribute_in_range, has_words, in_range};

/// Rows, columns and depth of a shape.
const fn extents(shape: Shape) -> (u32, u32, u32) {
    match shape {
        Shape::M8n8k4 => (8, 8, 4),
        Shape::M8n8k16 => (8, 8, 16),
        Shape::M8n8k32 => (8, 8, 32),
        Shape::M8n8k128 => (8, 8, 128),
        Shape::M16n8k4 => (16, 8, 4),
        Shape::M16n8k8 => (16, 8, 8),
        Shape::M16n8k16 => (16, 8, 16),
        Shape::M16n8k32 => (16, 8, 32),
        Shape::M16n8k64 => (16, 8, 64),
        Shape::M16n8k128 => (16, 8, 128),
        Shape::M16n8k256 => (16, 8, 256),
    }
}

/// Width of an element in bits.
pub(super) const fn bits(format: Format) -> u32 {
    use Format::{
        B1, Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F64, S4, S8, S16, S64, U4, U8, U16, U64, Ue8m0,
    };
    match format {
        B1 => 1,
        U4 | S4 | E2m1 => 4,
        U8 | S8 | E4m3 | E5m2 | E3m2 | E2m3 | Ue8m0 => 8,
        U16 | S16 | F16 | Bf16 => 16,
        U64 | S64 | F64 => 64,
        _ => 32,
    }
}

/// Checks the registers of a warp's product: a matrix is distributed evenly over 32 lanes, and
/// fills whole registers.
fn fragments(
    context: &Context,
    op: Operation,
    left: Format,
    right: Format,
    sum: Format,
) -> VerifyResult {
    fragments_of(context, op, 1, [bits(left), bits(right), bits(sum)])
}

/// Checks the registers of a warp's product, given the element widths of the left, right and third
/// matrix in bits; one in `sparsity` elements of the left matrix is stored.
pub(super) fn fragments_of(
    context: &Context,
    op: Operation,
    sparsity: u32,
    [left, right, sum]: [u32; 3],
) -> VerifyResult {
    let Some(shape) = keyword_of::<Shape>(context, op, "shape") else {
        return Ok(());
    };
    let (rows, columns, depth) = extents(shape);
    let words = |elements: u32, bits: u32| (elements * bits).div_ceil(32 * 32);
    let sums = words(rows * columns, sum);
    let wanted = [
        ("a", words(rows * depth / sparsity, left)),
        ("b", words(depth * columns, right)),
        ("c", sums),
    ];
    for (name, words) in wanted {
        for value in op.operands_named(context, name) {
            has_words(context, op, name, value.ty(context), words)?;
        }
    }
    for result in op.results(context) {
        has_words(context, op, "d", result.ty(context), sums)?;
    }
    Ok(())
}

/// Checks that a shape is in a set.
pub(super) fn shape_among(context: &Context, op: Operation, allowed: &[Shape]) -> VerifyResult {
    match keyword_of::<Shape>(context, op, "shape") {
        Some(found) if !allowed.contains(&found) => {
            let allowed: Vec<_> = allowed.iter().map(|shape| shape.keyword()).collect();
            let message = format!(
                "attribute 'shape' must be one of '{}', but is '{}'",
                allowed.join("', '"),
                found.keyword()
            );
            Err(op.op_error(context, message))
        }
        _ => Ok(()),
    }
}

pub(super) fn format(context: &Context, op: Operation, key: &str) -> Format {
    keyword_of::<Format>(context, op, key).unwrap_or(Format::F16)
}

pub(super) fn hmma(context: &Context, op: Operation) -> VerifyResult {
    use Format::{Bf16, F16, F32, Tf32};
    format_among(context, op, "from", &[F16, Bf16, Tf32])?;
    format_among(context, op, "accumulator", &[F16, F32])?;
    let (from, sum) = (
        format(context, op, "from"),
        format(context, op, "accumulator"),
    );
    if sum == F16 && from != F16 {
        let message = "requires 'f16' elements for an 'f16' accumulator";
        return Err(op.op_error(context, message));
    }
    let shapes: &[Shape] = match from {
        Tf32 => &[Shape::M16n8k4, Shape::M16n8k8],
        _ => &[Shape::M16n8k8, Shape::M16n8k16],
    };
    shape_among(context, op, shapes)?;
    fragments(context, op, from, from, sum)
}

pub(super) fn imma(context: &Context, op: Operation) -> VerifyResult {
    use Format::{S4, S8, S32, U4, U8};
    format_among(context, op, "left_format", &[U8, S8, U4, S4])?;
    format_among(context, op, "right_format", &[U8, S8, U4, S4])?;
    let (left, right) = (
        format(context, op, "left_format"),
        format(context, op, "right_format"),
    );
    if bits(left) != bits(right) {
        return Err(op.op_error(context, "requires elements of the same width"));
    }
    let shapes: &[Shape] = if bits(left) == 8 {
        &[Shape::M8n8k16, Shape::M16n8k16, Shape::M16n8k32]
    } else {
        &[Shape::M8n8k32, Shape::M16n8k32, Shape::M16n8k64]
    };
    shape_among(context, op, shapes)?;
    fragments(context, op, left, right, S32)
}

pub(super) fn qmma(context: &Context, op: Operation) -> VerifyResult {
    use Format::{E2m1, E2m3, E3m2, E4m3, E5m2, F16, F32};
    let narrow = [E4m3, E5m2, E3m2, E2m3, E2m1];
    format_among(context, op, "left_format", &narrow)?;
    format_among(context, op, "right_format", &narrow)?;
    format_among(context, op, "accumulator", &[F16, F32])?;
    shape_among(context, op, &[Shape::M16n8k16, Shape::M16n8k32])?;
    // Elements narrower than eight bits are stored in bytes.
    fragments(context, op, E4m3, E4m3, format(context, op, "accumulator"))
}

pub(super) fn bmma(context: &Context, op: Operation) -> VerifyResult {
    let shapes = [Shape::M8n8k128, Shape::M16n8k128, Shape::M16n8k256];
    shape_among(context, op, &shapes)?;
    fragments(context, op, Format::B1, Format::B1, Format::S32)
}

pub(super) fn dmma(context: &Context, op: Operation) -> VerifyResult {
    let shapes = [
        Shape::M8n8k4,
        Shape::M16n8k4,
        Shape::M16n8k8,
        Shape::M16n8k16,
    ];
    shape_among(context, op, &shapes)?;
    fragments(context, op, Format::F64, Format::F64, Format::F64)
}

/// Formats of a kind of warp-group product, and the number of its elements in 256 bits.
fn wgmma_formats(kind: ProductKind) -> (&'static [Format], &'static [Format]) {
    use Format::{Bf16, E4m3, E5m2, F16, F32, S8, S32, Tf32, U8};
    match kind {
        ProductKind::Half => (&[F16, Bf16, Tf32], &[F16, F32]),
        ProductKind::Integer => (&[S8, U8], &[S32]),
        ProductKind::Fp8 => (&[E4m3, E5m2], &[F16, F32]),
    }
}

pub(super) fn wgmma(context: &Context, op: Operation) -> VerifyResult {
    let Some(kind) = keyword_of::<ProductKind>(context, op, "kind") else {
        return Ok(());
    };
    let (factors, sums) = wgmma_formats(kind);
    format_among(context, op, "left_format", factors)?;
    format_among(context, op, "right_format", factors)?;
    format_among(context, op, "accumulator", sums)?;
    attribute_in_range(context, op, "columns", 8..=256)?;
    let number = |key| op.attribute(context, key).and_then(|n| n.as_i32(context));
    let (columns, depth) = (number("columns").unwrap_or(0), number("depth").unwrap_or(0));
    if columns % 8 != 0 {
        let message = format!("attribute 'columns' must be a multiple of 8, but is {columns}");
        return Err(op.op_error(context, message));
    }
    let element = bits(format(context, op, "left_format"));
    // Half of the elements of a sparse matrix are stored.
    let sparse = op.has_operands_named(context, "metadata");
    if sparse != op.attribute(context, "selector").is_some() {
        return Err(op.op_error(
            context,
            "requires both or neither of 'metadata' and 'selector'",
        ));
    }
    attribute_in_range(context, op, "selector", 0..=3)?;
    let row = if sparse { 512 } else { 256 };
    let wanted = i32::try_from(row / element).unwrap_or(0);
    if depth != wanted {
        let message = format!("attribute 'depth' must be {wanted} for {element}-bit elements");
        return Err(op.op_error(context, message));
    }
    let columns = u32::try_from(columns).unwrap_or(0);
    let words = columns * bits(format(context, op, "accumulator")) / 64;
    for value in op.operands_named(context, "accumulator") {
        has_words(context, op, "accumulator", value.ty(context), words)?;
    }
    for result in op.results(context) {
        has_words(context, op, "result", result.ty(context), words)?;
    }
    Ok(())
}

/// Checks that the results have the types of the operands.
pub(super) fn handed_on(context: &Context, op: Operation) -> VerifyResult {
    let inward = ["accumulators", "values"].map(|name| op.operands_named(context, name));
    let inward = inward.iter().flatten().map(|value| value.ty(context));
    if inward.eq(op.results(context).map(|value| value.ty(context))) {
        return Ok(());
    }
    Err(op.op_error(context, "requires result types equal to the operand types"))
}

pub(super) fn wait(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "count", 0..=7)?;
    handed_on(context, op)
}

pub(super) fn tensor_product(context: &Context, op: Operation) -> VerifyResult {
    let scales = op.operands_named(context, "scales").len();
    let scaled = matches!(
        keyword_of::<TensorKind>(context, op, "tensor_kind"),
        Some(TensorKind::Mxf8f6f4 | TensorKind::Mxf4 | TensorKind::Mxf4nvf4)
    );
    let wanted = if scaled { 2 } else { 0 };
    if scales == wanted {
        return Ok(());
    }
    let message = format!("expects {wanted} 'scales', found {scales}");
    Err(op.op_error(context, message))
}

/// The number of registers of a tensor memory transfer.
fn tensor_words(context: &Context, op: Operation) -> Result<u32, Box<orison_ir::Diagnostic>> {
    let repeat = op.attribute(context, "repeat");
    let repeat = repeat
        .and_then(|repeat| repeat.as_i32(context))
        .unwrap_or(0);
    in_range(context, op, "repeat", repeat, 1..=128)?;
    let repeat = u32::try_from(repeat).unwrap_or(1);
    if !repeat.is_power_of_two() {
        let message = format!("attribute 'repeat' must be a power of two, but is {repeat}");
        return Err(op.op_error(context, message));
    }
    let shape = keyword_of::<TensorShape>(context, op, "tensor_shape");
    let distance = op.attribute(context, "half_distance").is_some();
    if distance != (shape == Some(TensorShape::S16x32bx2)) {
        let message = "requires 'half_distance' if and only if the shape is 's16x32bx2'";
        return Err(op.op_error(context, message));
    }
    let each = match shape {
        Some(TensorShape::S16x128b) => 2,
        Some(TensorShape::S16x256b) => 4,
        _ => 1,
    };
    Ok(each * repeat)
}

pub(super) fn tensor_load(context: &Context, op: Operation) -> VerifyResult {
    let words = tensor_words(context, op)?;
    match op.results(context).next() {
        Some(value) => has_words(context, op, "value", value.ty(context), words),
        None => Ok(()),
    }
}

pub(super) fn tensor_store(context: &Context, op: Operation) -> VerifyResult {
    let words = tensor_words(context, op)?;
    for value in op.operands_named(context, "value") {
        has_words(context, op, "value", value.ty(context), words)?;
    }
    Ok(())
}
