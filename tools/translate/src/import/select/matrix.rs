//! Matrix products of a warp, and their fragments in shared memory.

use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::modifiers::Words;
use super::spaces::addressed;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "mma" => product(emitter, instruction),
        "movmatrix" => transposed(emitter, instruction),
        _ => fragments(emitter, instruction),
    }
}

/// The elements of a vector operand.
pub(super) fn parts<'x, 'a>(operand: &'x Expression<'a>) -> &'x [Expression<'a>] {
    match operand {
        Expression::Vector(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

/// The kind of a product, by its operation.
enum Kind {
    Floats,
    Integers,
    NarrowFloats,
    Bits,
    Doubles,
}

const HALF_SHAPES: [&str; 2] = [".m16n8k8", ".m16n8k16"];
const TENSOR_FLOAT_SHAPES: [&str; 2] = [".m16n8k4", ".m16n8k8"];
const BYTE_SHAPES: [&str; 3] = [".m8n8k16", ".m16n8k16", ".m16n8k32"];
const NIBBLE_SHAPES: [&str; 3] = [".m8n8k32", ".m16n8k32", ".m16n8k64"];
const NARROW_SHAPES: [&str; 2] = [".m16n8k16", ".m16n8k32"];
const BIT_SHAPES: [&str; 3] = [".m8n8k128", ".m16n8k128", ".m16n8k256"];
const DOUBLE_SHAPES: [&str; 4] = [".m8n8k4", ".m16n8k4", ".m16n8k8", ".m16n8k16"];

/// The kind of a product of formats, if it supports the shape.
fn kind_of(left: &str, right: &str, sum: &str, shape: &str) -> Option<Kind> {
    let narrow = [".e4m3", ".e5m2"];
    let (kind, shapes): (_, &[&str]) = match (left, right, sum) {
        (".f16", ".f16", ".f16" | ".f32") | (".bf16", ".bf16", ".f32") => {
            (Kind::Floats, &HALF_SHAPES)
        }
        (".tf32", ".tf32", ".f32") => (Kind::Floats, &TENSOR_FLOAT_SHAPES),
        (".s8" | ".u8", ".s8" | ".u8", ".s32") => (Kind::Integers, &BYTE_SHAPES),
        (".s4" | ".u4", ".s4" | ".u4", ".s32") => (Kind::Integers, &NIBBLE_SHAPES),
        (".b1", ".b1", ".s32") => (Kind::Bits, &BIT_SHAPES),
        (".f64", ".f64", ".f64") => (Kind::Doubles, &DOUBLE_SHAPES),
        (left, right, ".f16" | ".f32") if narrow.contains(&left) && narrow.contains(&right) => {
            (Kind::NarrowFloats, &NARROW_SHAPES)
        }
        _ => return None,
    };
    shapes.contains(&shape).then_some(kind)
}

fn product<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    // The operation on bits follows the types.
    let bits = words.any(&[".xor", ".and"]);
    (words.take(".popc") == bits.is_some()).then_some(())?;
    let (addend, right, left, sum) = (words.last()?, words.last()?, words.last()?, words.last()?);
    (words.take(".sync") && words.take(".aligned")).then_some(())?;
    let shape = words.first()?;
    let saturates = words.take(".satfinite");
    let layouts = (words.take(".row"), words.take(".col"));
    words.take(".rn");
    words.done()?;
    let [d, operands @ ..] = instruction.operands.as_slice() else {
        return None;
    };
    (layouts == (true, true) && sum == addend && operands.len() == 3).then_some(())?;
    let kind = kind_of(left, right, sum, shape)?;
    let formats = [("left_format", &left[1..]), ("right_format", &right[1..])];
    let from = [("from", &left[1..]), ("accumulator", &sum[1..])];
    let narrow = [formats[0], formats[1], from[1]];
    let (name, keys): (_, &[_]) = match kind {
        Kind::Floats => (ori::Hmma::NAME, &from),
        Kind::Integers => (ori::Imma::NAME, &formats),
        Kind::NarrowFloats => (ori::Qmma::NAME, &narrow),
        Kind::Bits => (ori::Bmma::NAME, &[]),
        Kind::Doubles => (ori::Dmma::NAME, &[]),
    };
    let each = if matches!(kind, Kind::Doubles) { 2 } else { 1 };
    let mut op = emitter.operation(name, &[], keys);
    op = op.word(emitter.context(), "shape", &shape[1..]);
    for (group, operand) in ["a", "b", "c"].into_iter().zip(operands) {
        let count = u32::try_from(parts(operand).len()).ok()?;
        let register = Register::general(each * count);
        let value = match operand {
            Expression::Vector(_) => emitter.read_parts(operand, register, count)?,
            one => emitter.source(one, register)?,
        };
        op = op.operand(group, value);
    }
    match (kind, bits) {
        (Kind::Bits, Some(".xor")) => op = op.flag("exclusive"),
        (Kind::Bits, Some(_)) | (_, None) => {}
        _ => return None,
    }
    if saturates {
        (name == ori::Imma::NAME).then_some(())?;
        op = op.flag("saturate");
    }
    let count = u32::try_from(parts(d).len()).ok()?;
    let value = emitter.emit_kept(op, &[(d, Register::general(each * count))])?[0];
    emitter.write_parts(d, value, count)
}

fn transposed<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    (instruction.modifiers == [".sync", ".aligned", ".m8n8", ".trans", ".b16"]).then_some(())?;
    let [destination, source] = instruction.operands.as_slice() else {
        return None;
    };
    let a = emitter.source(source, R)?;
    let op = MachineOperation::new(ori::Movm::NAME).operand("a", a);
    let value = emitter.emit_kept(op, &[(destination, R)])?[0];
    emitter.write(destination, value)
}

/// The modifiers of `ldmatrix` or `stmatrix` for byte matrices: their extents, and the source
/// format.
struct Bytes {
    cells: &'static str,
    narrow: Option<&'static str>,
}

/// The byte matrices given by modifiers; `None` for 16-bit elements.
fn bytes_of(words: &mut Words<'_>, loads: bool) -> Option<Option<Bytes>> {
    let narrow = [(".b4x16_p64", "b4x16_p64"), (".b6x16_p32", "b6x16_p32")];
    let narrow = words.translated(&narrow);
    match (words.last()?, narrow) {
        (".b16", None) => words.take(".m8n8").then_some(None),
        (".b8", None) | (".b8x16", Some(_)) => {
            let cells = [
                (".m16n16", "m16n16"),
                (".m8n16", "m8n16"),
                (".m16n8", "m16n8"),
            ];
            let cells = words.translated(&cells)?;
            // Matrices of 16 rows are stored column by column.
            let fits = match (cells, loads) {
                ("m16n16", true) | ("m16n8", false) => words.rest().contains(&".trans"),
                ("m8n16", true) => narrow.is_some() && !words.rest().contains(&".trans"),
                _ => false,
            };
            fits.then_some(Some(Bytes { cells, narrow }))
        }
        _ => None,
    }
}

fn fragments<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    let loads = instruction.name == "ldmatrix";
    let bytes = bytes_of(&mut words, loads)?;
    let transposed = words.take(".trans");
    let (matrices, count) =
        words.translated(&[(".x1", ("x1", 1)), (".x2", ("x2", 2)), (".x4", ("x4", 4))])?;
    words.any(&[".shared", ".shared::cta"])?;
    (words.rest() == [".sync", ".aligned"]).then_some(())?;
    let [first, second] = instruction.operands.as_slice() else {
        return None;
    };
    let (place, data) = if loads {
        (second, first)
    } else {
        (first, second)
    };
    let address = emitter.address(place, true)?;
    let name = if loads {
        ori::Ldsm::NAME
    } else {
        ori::Stsm::NAME
    };
    let mut op = emitter.operation(name, &[], &[("matrices", matrices)]);
    op = addressed(emitter, op, "base", "offset", &address);
    if transposed {
        op = op.flag("transposed");
    }
    let mut count: u32 = count;
    if let Some(Bytes { cells, narrow }) = bytes {
        op = op.word(emitter.context(), "cells", cells);
        if let Some(narrow) = narrow {
            op = op.word(emitter.context(), "narrow", narrow);
        }
        // 16 by 16 bytes are two registers.
        count *= if cells == "m16n16" { 2 } else { 1 };
    }
    (count <= 4).then_some(())?;
    let register = Register::general(count);
    if loads {
        let value = emitter.emit_kept(op, &[(data, register)])?[0];
        return emitter.write_parts(data, value, count);
    }
    let value = emitter.read_parts(data, register, count)?;
    emitter.emit_kept(op.operand("value", value), &[])?;
    Some(())
}
