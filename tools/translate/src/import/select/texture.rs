//! Textures and surfaces.
//!
//! Kernels have no derivatives, so that a texture is read at its base level unless the instruction
//! specifies another.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::matrix::parts;
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// Geometries: the dimension keyword, and the number of coordinates used.
const GEOMETRIES: [(&str, (&str, usize)); 7] = [
    (".1d", ("tex1d", 1)),
    (".2d", ("tex2d", 2)),
    (".3d", ("tex3d", 3)),
    (".cube", ("cube", 3)),
    (".a1d", ("array1d", 2)),
    (".a2d", ("array2d", 3)),
    (".acube", ("array_cube", 4)),
];

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "tex" => texture(emitter, instruction),
        "txq" => query(emitter, instruction),
        _ => surface(emitter, instruction),
    }
}

/// `[handle, {x, y}]`: the handle and the coordinates used.
fn place<'a>(
    emitter: &mut Emitter<'_, 'a>,
    operand: &Expression<'a>,
    count: usize,
) -> Option<(Value, Vec<Value>)> {
    let Expression::Address(inner) = operand else {
        return None;
    };
    // The operation cannot encode a separate sampler.
    let [handle, coordinates] = inner.as_slice() else {
        return None;
    };
    let handle = emitter.source(handle, R64)?;
    let coordinates = parts(coordinates).get(..count)?;
    let values: Option<Vec<_>> = coordinates
        .iter()
        .map(|each| emitter.source(each, R))
        .collect();
    Some((handle, values?))
}

fn with_place(op: MachineOperation, handle: Value, coordinates: &[Value]) -> MachineOperation {
    coordinates
        .iter()
        .fold(op.operand("handle", handle), |op, each| {
            op.operand("coordinates", *each)
        })
}

/// `tex`: filtered with float coordinates, one element with integer ones.
fn texture<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    let (coordinate, ty) = (words.last()?, words.last()?);
    matches!(ty, ".f32" | ".s32" | ".u32").then_some(())?;
    words.take(".v4").then_some(())?;
    let (dimension, count) = words.translated(&GEOMETRIES)?;
    let levelled = words.take(".level");
    words.take(".base");
    words.done()?;
    let (destination, rest) = instruction.operands.split_first()?;
    let (target, level) = match (levelled, rest) {
        (true, [target, level]) => (target, Some(level)),
        (false, [target]) => (target, None),
        _ => return None,
    };
    let name = match coordinate {
        ".f32" => ori::Tex::NAME,
        ".s32" => ori::Tld::NAME,
        _ => return None,
    };
    let (handle, mut coordinates) = place(emitter, target, count)?;
    if let Some(level) = level {
        coordinates.push(emitter.source(level, R)?);
    }
    let level = if levelled { "ll" } else { "lz" };
    let keys = [("dimension", dimension), ("level", level)];
    let op = emitter.operation(name, &[], &keys);
    let op = with_place(op, handle, &coordinates);
    let op = op.number(emitter.context(), "mask", 15);
    let value = emitter.emit_kept(op, &[(destination, Register::R128)])?[0];
    emitter.write_parts(destination, value, 4)
}

/// `txq`: an extent of a texture.
fn query<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    (words.last()? == ".b32").then_some(())?;
    let mask = words.translated(&[(".width", 1), (".height", 2), (".depth", 4)])?;
    words.done()?;
    let [destination, Expression::Address(inner)] = instruction.operands.as_slice() else {
        return None;
    };
    let [handle] = inner.as_slice() else {
        return None;
    };
    let handle = emitter.source(handle, R64)?;
    // Of the base level.
    let zero = emitter.word_of(0);
    let op = emitter.operation(ori::Txq::NAME, &[], &[("query", "dimension")]);
    let op = with_place(op, handle, &[zero]);
    let op = op.number(emitter.context(), "mask", mask);
    let value = emitter.emit_kept(op, &[(destination, R)])?[0];
    emitter.write(destination, value)
}

const BOUNDARIES: [(&str, &str); 3] = [(".trap", "trap"), (".clamp", "clamp"), (".zero", "zero")];

/// `suld.b`, `sust.b` and `sured.b`: bytes of a surface.
fn surface<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    words.take(".b").then_some(())?;
    let boundary = words.translated(&BOUNDARIES).unwrap_or("trap");
    let ty = words.last()?;
    let (dimension, count) = words.translated(&GEOMETRIES[..6])?;
    (dimension != "cube").then_some(())?;
    words.any(&[".ca", ".cg", ".cs", ".cv", ".wb", ".wt"]);
    let reduction = words.any(&[".add", ".min", ".max", ".and", ".or"]);
    let vector: u32 = words.translated(&[(".v2", 2), (".v4", 4)]).unwrap_or(1);
    words.done()?;
    let keys = [("dimension", dimension), ("boundary", boundary)];
    let operands = instruction.operands.as_slice();
    if instruction.name == "sured" {
        let [target, value] = operands else {
            return None;
        };
        matches!(ty, ".u32" | ".s32" | ".b32").then_some(())?;
        let value = emitter.source(value, R)?;
        let (handle, coordinates) = place(emitter, target, count)?;
        let op = emitter.operation(ori::Sured::NAME, &[("value", value.into())], &keys);
        let op = op.word(emitter.context(), "operation", reduction?.get(1..)?);
        let op = op.word(emitter.context(), "type", ty.get(1..)?);
        emitter.emit_kept(with_place(op, handle, &coordinates), &[])?;
        return Some(());
    }
    reduction.is_none().then_some(())?;
    let bytes = match ty {
        ".b8" => 1,
        ".b16" => 2,
        ".b32" => 4,
        ".b64" => 8,
        _ => return None,
    };
    // Elements narrower than 32 bits occur only as scalars.
    (vector == 1 || bytes >= 4).then_some(())?;
    let (width, register) = match bytes * vector {
        1 => ("u8", R),
        2 => ("u16", R),
        4 => ("b32", R),
        8 => ("b64", R64),
        16 => ("b128", Register::R128),
        _ => return None,
    };
    if instruction.name == "suld" {
        let [destination, target] = operands else {
            return None;
        };
        let (handle, coordinates) = place(emitter, target, count)?;
        let op = emitter.operation(ori::Suld::NAME, &[], &keys);
        let op = op.word(emitter.context(), "width", width);
        let op = with_place(op, handle, &coordinates);
        let value = emitter.emit_kept(op, &[(destination, register)])?[0];
        return emitter.write_parts(destination, value, vector);
    }
    let [target, data] = operands else {
        return None;
    };
    let value = match data {
        Expression::Vector(_) => emitter.read_parts(data, register, vector)?,
        one => emitter.source(one, register)?,
    };
    let (handle, coordinates) = place(emitter, target, count)?;
    let op = emitter.operation(ori::Sust::NAME, &[("value", value.into())], &keys);
    let op = op.word(emitter.context(), "width", width);
    emitter.emit_kept(with_place(op, handle, &coordinates), &[])?;
    Some(())
}
