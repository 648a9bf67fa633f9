//! Copies, packs, conversions.

use orison_ir::Value;
use orison_ori::modifiers::Modifier;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, source) = match instruction.operands.as_slice() {
        [destination, source] => (destination, source),
        [destination, high, low] if instruction.name == "cvt" => {
            return narrow(emitter, &instruction.modifiers, destination, [high, low]);
        }
        _ => return None,
    };
    let key = format!("{}{}", instruction.name, instruction.modifiers.concat());
    match instruction.name {
        "mov" => copy(emitter, destination, source),
        // Addresses of global memory are the same in the generic window.
        "cvta" if key == "cvta.to.global.u64" || key == "cvta.global.u64" => {
            let value = emitter.read(source, Register::R64)?;
            emitter.write(destination, value)
        }
        "cvt" => {
            let value = convert(emitter, &key, source)?;
            emitter.write(destination, value)
        }
        _ => None,
    }
}

fn copy<'a>(
    emitter: &mut Emitter<'_, 'a>,
    destination: &Expression<'a>,
    source: &Expression<'a>,
) -> Option<()> {
    if let Expression::Vector(parts) = source {
        let values: Option<Vec<_>> = parts.iter().map(|part| emitter.read(part, R)).collect();
        let values = values?;
        if let ([low, high], Register::R) = (values.as_slice(), emitter.kind(destination)?) {
            let value = pack_halves(emitter, *low, *high);
            return emitter.write(destination, value);
        }
        if emitter.kind(destination)?.words()? != u32::try_from(values.len()).ok()? {
            return None;
        }
        let value = emitter.concat(&values);
        return emitter.write(destination, value);
    }
    if let Expression::Vector(parts) = destination {
        let register = emitter.kind(source)?;
        if register == R && parts.len() == 2 {
            return unpack_halves(emitter, parts, source);
        }
        if register.words()? != u32::try_from(parts.len()).ok()? {
            return None;
        }
        let value = emitter.read(source, register)?;
        for (word, part) in (0..).zip(parts) {
            let part_value = emitter.word(value, word);
            emitter.write(part, part_value)?;
        }
        return Some(());
    }
    let register = emitter.kind(destination)?;
    let value = emitter.read(source, register)?;
    emitter.write(destination, value)
}

/// `cvt.rn.f16x2.f32`: two floats as a pair of halves, the first high.
fn narrow<'a>(
    emitter: &mut Emitter<'_, 'a>,
    modifiers: &[&str],
    destination: &Expression<'a>,
    sources: [&Expression<'a>; 2],
) -> Option<()> {
    let [".rn", to @ (".f16x2" | ".bf16x2"), ".f32"] = modifiers else {
        return None;
    };
    let [high, low] = sources;
    let (high, low) = (emitter.read(high, R)?, emitter.read(low, R)?);
    let op = MachineOperation::new("ori.f2fp")
        .operand("a", high)
        .operand("b", low)
        .result(R);
    let op = op.word(emitter.context(), "to", to[1..].trim_end_matches("x2"));
    let op = op.word(emitter.context(), "from", "f32");
    let value = emitter.emit(op);
    emitter.write(destination, value)
}

/// Two 16-bit values as one word: bytes 1 0 of the one and of the other.
fn pack_halves(emitter: &mut Emitter<'_, '_>, low: Value, high: Value) -> Value {
    let selector = emitter.immediate(0x5410, R);
    let op = MachineOperation::new("ori.prmt")
        .operand("a", low)
        .operand("b", selector);
    let op = op.operand("c", high).result(R);
    let op = op.word(emitter.context(), "permutation", "idx");
    emitter.emit(op)
}

/// The halves of a word as two 16-bit values, zero above.
fn unpack_halves<'a>(
    emitter: &mut Emitter<'_, 'a>,
    parts: &[Expression<'a>],
    source: &Expression<'a>,
) -> Option<()> {
    let value = emitter.read(source, R)?;
    let zero = emitter.immediate(0, R);
    for (part, selector) in parts.iter().zip([0x4410, 0x4432]) {
        let selector = emitter.immediate(selector, R);
        let op = MachineOperation::new("ori.prmt")
            .operand("a", value)
            .operand("b", selector);
        let op = op.operand("c", zero).result(R);
        let op = op.word(emitter.context(), "permutation", "idx");
        let half = emitter.emit(op);
        emitter.write(part, half)?;
    }
    Some(())
}

fn convert<'a>(emitter: &mut Emitter<'_, 'a>, key: &str, source: &Expression<'a>) -> Option<Value> {
    match key {
        "cvt.u64.u32" => {
            let low = emitter.read(source, R)?;
            let high = emitter.immediate(0, R);
            Some(emitter.concat(&[low, high]))
        }
        "cvt.s64.s32" => {
            let low = emitter.read(source, R)?;
            let (zero, sign) = (emitter.immediate(0, R), emitter.immediate(31, R));
            let high = emitter.funnel("right", "s32", [zero, sign, low], true);
            Some(emitter.concat(&[low, high]))
        }
        "cvt.u32.u64" | "cvt.s32.s64" => {
            let value = emitter.read(source, Register::R64)?;
            Some(emitter.word(value, 0))
        }
        // The low half added to minus zero.
        "cvt.f32.f16" => {
            let (value, zero) = (emitter.read(source, R)?, emitter.immediate(0, R));
            let op = MachineOperation::new("ori.hadd2_f32").result(R);
            let op = op.modified("a", zero, &[Modifier::Negate]);
            let op = op.modified("b", value, &[Modifier::LowHalf]);
            let op = op.word(emitter.context(), "from", "f16");
            Some(emitter.emit(op))
        }
        "cvt.f32.bf16" => {
            let value = emitter.read(source, R)?;
            let (amount, zero) = (emitter.immediate(16, R), emitter.immediate(0, R));
            Some(emitter.funnel("left", "u32", [value, amount, zero], false))
        }
        "cvt.rn.f16.f32" | "cvt.rn.bf16.f32" => {
            let (value, zero) = (emitter.read(source, R)?, emitter.immediate(0, R));
            let op = MachineOperation::new("ori.f2fp")
                .operand("a", zero)
                .operand("b", value);
            let to = key.split('.').nth(2)?.to_owned();
            let op = op.word(emitter.context(), "to", &to);
            let op = op.word(emitter.context(), "from", "f32").result(R);
            Some(emitter.emit(op))
        }
        "cvt.rn.f32.s32" | "cvt.rn.f32.u32" => {
            let value = emitter.read(source, R)?;
            let from = &key[key.len() - 3..];
            let packed = emitter.sm() >= 86;
            let op = MachineOperation::new(if packed { "ori.i2fp" } else { "ori.i2f" });
            let op = op.operand("a", value).result(R);
            let op = op.word(emitter.context(), "from", from);
            let op = if packed {
                op
            } else {
                op.word(emitter.context(), "to", "f32")
            };
            Some(emitter.emit(op))
        }
        "cvt.rzi.s32.f32" | "cvt.rzi.u32.f32" => {
            let value = emitter.read(source, R)?;
            let to = key.split('.').nth(2)?.to_owned();
            let op = MachineOperation::new("ori.f2i")
                .operand("a", value)
                .result(R);
            let op = op.word(emitter.context(), "to", &to);
            let op = op.word(emitter.context(), "from", "f32");
            let op = op.word(emitter.context(), "integer_rounding", "trunc");
            Some(emitter.emit(op.flag("nan_is_zero")))
        }
        _ => None,
    }
}
