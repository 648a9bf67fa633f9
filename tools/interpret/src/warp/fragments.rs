//! Fragments of the matrices of a warp: extents, formats, and where their elements are.
//!
//! Layouts are those of the PTX ISA, "Matrix Fragments for mma".

use orison_ir::numbers::FloatKind;
use orison_ori::keywords::{Format, Shape};
use orison_ori::semantics::float_kind;

/// Rows, columns, depth.
pub(super) fn extents(shape: Shape) -> [usize; 3] {
    match shape {
        Shape::M8n8k4 => [8, 8, 4],
        Shape::M8n8k16 => [8, 8, 16],
        Shape::M8n8k32 => [8, 8, 32],
        Shape::M8n8k128 => [8, 8, 128],
        Shape::M16n8k4 => [16, 8, 4],
        Shape::M16n8k8 => [16, 8, 8],
        Shape::M16n8k16 => [16, 8, 16],
        Shape::M16n8k32 => [16, 8, 32],
        Shape::M16n8k64 => [16, 8, 64],
        Shape::M16n8k128 => [16, 8, 128],
        Shape::M16n8k256 => [16, 8, 256],
    }
}

/// Bits of an element.
pub(super) fn width(format: Format) -> usize {
    match format {
        Format::B1 => 1,
        Format::U4 | Format::S4 | Format::E2m1 => 4,
        Format::U8 | Format::S8 | Format::E4m3 | Format::E5m2 | Format::E3m2 | Format::E2m3 => 8,
        Format::F16 | Format::Bf16 | Format::U16 | Format::S16 => 16,
        Format::F64 | Format::U64 | Format::S64 => 64,
        _ => 32,
    }
}

/// The format of a float, and the place of its lowest bit: a tf32 element is in the high 19 bits of
/// a 32-bit value; the others are in the low bits.
pub(super) fn float_of(format: Format) -> Option<(FloatKind, u32)> {
    let place = if format == Format::Tf32 { 13 } else { 0 };
    Some((float_kind(format)?, place))
}

/// The location of the element of a left factor at a row and a step: lane, index in the fragment.
/// Registers advance by eight rows first, then along the depth.
pub(super) fn left_place(rows: usize, row: usize, step: usize, per_word: usize) -> (usize, usize) {
    let lane = row % 8 * 4 + step / per_word % 4;
    let word = row / 8 + step / (4 * per_word) * (rows / 8);
    (lane, word * per_word + step % per_word)
}

/// The location of the element of a right factor at a step and a column.
pub(super) fn right_place(column: usize, step: usize, per_word: usize) -> (usize, usize) {
    let lane = column % 8 * 4 + step / per_word % 4;
    let word = step / (4 * per_word);
    (lane, word * per_word + step % per_word)
}

/// The location of the element of a sum.
pub(super) fn sum_place(row: usize, column: usize) -> (usize, usize) {
    (row % 8 * 4 + column / 2, row / 8 * 2 + column % 2)
}
