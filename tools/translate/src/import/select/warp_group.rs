//! Products of a warp group: `wgmma`.

use orison_ir::Value;
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;
use orison_ori::operations::moves::{Concat, Extract};
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::emit::Source;
use super::matrix::parts;
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R64: Register = Register::R64;
const P: Register = Register::P;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    let action = words.first()?;
    (words.take(".sync") && words.take(".aligned")).then_some(())?;
    match (action, instruction.operands.as_slice()) {
        (".fence", []) => {
            words.done()?;
            emitter.emit_kept(MachineOperation::new(ori::WgmmaFence::NAME), &[])?;
            Some(())
        }
        (".commit_group", []) => {
            words.done()?;
            emitter.emit_kept(MachineOperation::new(ori::WgmmaCommit::NAME), &[])?;
            Some(())
        }
        (".wait_group", [count]) => {
            words.done()?;
            let count = i32::try_from(count.as_integer()?).ok()?;
            (0..=7).contains(&count).then_some(())?;
            let op = MachineOperation::new(ori::WgmmaWait::NAME);
            let op = op.number(emitter.context(), "count", count);
            hand_on(emitter, "wgmma", "accumulators", op)
        }
        (".mma_async", operands) => product(emitter, &mut words, operands),
        _ => None,
    }
}

/// The columns and the depth of a shape `.m64n128k16`.
fn shape_of(word: &str) -> Option<(i32, i32)> {
    let (columns, depth) = word.strip_prefix(".m64n")?.split_once('k')?;
    Some((columns.parse().ok()?, depth.parse().ok()?))
}

fn product<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let sparse = words.take(".sp");
    let (right, left, sum) = (words.last()?, words.last()?, words.last()?);
    let (columns, depth) = shape_of(words.first()?)?;
    (8..=256).contains(&columns).then_some(())?;
    let saturates = words.take(".satfinite");
    words.done()?;
    let (kind, sums): (_, &[_]) = match (left, right) {
        (".f16", ".f16") => ("half", &[".f16", ".f32"]),
        (".bf16", ".bf16") | (".tf32", ".tf32") => ("half", &[".f32"]),
        (".s8" | ".u8", ".s8" | ".u8") => ("integer", &[".s32"]),
        (".e4m3" | ".e5m2", ".e4m3" | ".e5m2") => ("fp8", &[".f16", ".f32"]),
        _ => return None,
    };
    sums.contains(&sum).then_some(())?;
    let [d, a, b, rest @ ..] = operands else {
        return None;
    };
    let (metadata, rest) = match (sparse, rest) {
        (true, [metadata, selector, rest @ ..]) => (Some((metadata, selector)), rest),
        (true, _) => return None,
        (false, rest) => (None, rest),
    };
    let (scale, rest) = rest.split_first()?;
    let numbers: Option<Vec<_>> = rest.iter().map(Expression::as_integer).collect();
    let numbers = numbers?;
    // Integers have no scales, and only halves may be column-major.
    let from_registers = matches!(a, Expression::Vector(_));
    let (scales, transposes) = match (kind, numbers.as_slice()) {
        ("integer", []) => ([1, 1], [0, 0]),
        (_, [left, right]) => ([*left, *right], [0, 0]),
        (_, [left, right, one]) if from_registers => ([*left, *right], [0, *one]),
        (_, [left, right, one, other]) => ([*left, *right], [*one, *other]),
        _ => return None,
    };
    let sign = |scale: i128, value: Value| -> Option<Source> {
        let modifiers: &'static [_] = match scale {
            1 => &[],
            -1 => &[Modifier::Negate],
            _ => return None,
        };
        Some(Source { value, modifiers })
    };
    let left_value = if from_registers {
        emitter.read_parts(a, Register::general(4), 4)?
    } else {
        emitter.source(a, R64)?
    };
    let right_value = emitter.source(b, R64)?;
    let count = u32::try_from(parts(d).len()).ok()?;
    let mut sources = vec![
        ("a", sign(scales[0], left_value)?),
        ("b", sign(scales[1], right_value)?),
    ];
    // A constant predicate decides whether an accumulator is used at all.
    let accumulates = scale.as_integer();
    let values: Option<Vec<_>> = parts(d)
        .iter()
        .map(|part| emitter.read(part, Register::R))
        .collect();
    let before = match values {
        Some(values) if accumulates != Some(0) || emitter.guard.is_some() => {
            Some(accumulator(emitter, &values)?)
        }
        _ => None,
    };
    if accumulates != Some(0) {
        sources.push(("accumulator", before?.into()));
    }
    if let Some((metadata, _)) = metadata {
        sources.push(("metadata", emitter.source(metadata, Register::R)?.into()));
    }
    if accumulates.is_none() {
        let (value, modifiers) = emitter.read_predicate(scale)?;
        sources.push(("scale", Source { value, modifiers }));
    }
    let keys = [
        ("kind", kind),
        ("left_format", &left[1..]),
        ("right_format", &right[1..]),
        ("accumulator", &sum[1..]),
    ];
    let mut op = emitter.operation(ori::WgmmaMma::NAME, &sources, &keys);
    op = op.number(emitter.context(), "columns", columns);
    op = op.number(emitter.context(), "depth", depth);
    if let Some((_, selector)) = metadata {
        let selector = i32::try_from(selector.as_integer()?).ok()?;
        (0..4).contains(&selector).then_some(())?;
        op = op.number(emitter.context(), "selector", selector);
    }
    let flags = [
        (transposes[0] != 0, "transpose_left"),
        (transposes[1] != 0, "transpose_right"),
        (saturates, "saturate"),
    ];
    for (is, flag) in flags {
        if is {
            op = op.flag(flag);
        }
    }
    let words = u32::try_from(columns).ok()? * if sum == ".f16" { 1 } else { 2 } / 4;
    (words == count).then_some(())?;
    if let Some((predicate, inverted)) = emitter.guard {
        let modifiers: &[_] = if inverted { &[Modifier::Invert] } else { &[] };
        op = op.modified("guard", predicate, modifiers);
        if let Some(before) = before {
            op = op.operand("otherwise", before);
            emitter.guarded = true;
        }
    }
    let value = emitter.emit(op.result(Register::Accumulator(count)));
    emitter.name(value, || tuple_name(parts(d)));
    write_accumulator(emitter, parts(d), value)
}

/// A tuple of registers as PTX writes it: `{%d0, %d1}`.
fn tuple_name(registers: &[Expression<'_>]) -> String {
    let names = registers.iter().map(|register| match register {
        Expression::Name(name) => name,
        _ => "_",
    });
    format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
}

/// Registers concatenated as an accumulator, of any number.
fn accumulator(emitter: &mut Emitter<'_, '_>, values: &[Value]) -> Option<Value> {
    let count = u32::try_from(values.len()).ok()?;
    let ty = Register::Accumulator(count).ty(emitter.context());
    let location = emitter.location;
    let op = Concat::build(&mut emitter.builder, location, values, ty);
    Some(op.whole(emitter.builder.ir()))
}

/// Writes the 32-bit parts of an accumulator to registers.
fn write_accumulator<'a>(
    emitter: &mut Emitter<'_, 'a>,
    targets: &[Expression<'a>],
    value: Value,
) -> Option<()> {
    for (target, word) in targets.iter().zip(0..) {
        let part = extracted(emitter, value, word);
        emitter.write(target, part)?;
    }
    Some(())
}

fn extracted(emitter: &mut Emitter<'_, '_>, whole: Value, word: i32) -> Value {
    let ty = Register::R.ty(emitter.context());
    if whole.ty(emitter.builder.ir()) == ty {
        return whole;
    }
    let location = emitter.location;
    let op = Extract::build(&mut emitter.builder, location, whole, word, ty);
    op.part(emitter.builder.ir())
}

/// Whether a value may be the result of an operation in flight: of such an operation, or a block
/// argument, which may be one.
fn may_be_open(emitter: &Emitter<'_, '_>, value: Value) -> bool {
    let context = emitter.builder.ir();
    let Some(op) = value.defining_op(context) else {
        return true;
    };
    if !Extract::matches(context, op) {
        return op.is_one_of(
            context,
            &[ori::WgmmaMma::DEFINITION, ori::TensorLd::DEFINITION],
        );
    }
    let whole = op.operands(context).next();
    let Some(from) = whole.and_then(|whole| whole.defining_op(context)) else {
        return true;
    };
    match from.name_text(context) {
        ori::WgmmaMma::NAME | ori::TensorLd::NAME => true,
        // After a wait for all groups nothing is in flight.
        ori::WgmmaWait::NAME => {
            let count = from.attribute(context, "count");
            count.and_then(|count| count.as_i32(context)) != Some(0)
        }
        _ => false,
    }
}

/// Emits a wait that passes on the values in flight: the destinations of the operations it waits
/// for.
pub(super) fn hand_on<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    group: &'static str,
    op: MachineOperation,
) -> Option<()> {
    let mut op = op;
    let mut handed = Vec::new();
    let unfinished = emitter.unfinished;
    for (_, registers) in unfinished.iter().filter(|(of, _)| *of == name) {
        let targets: Vec<_> = registers
            .iter()
            .map(|name| Expression::Name(name))
            .collect();
        let values: Option<Vec<_>> = targets
            .iter()
            .map(|target| emitter.read(target, Register::R))
            .collect();
        let Some(values) = values else { continue };
        if !values.iter().any(|value| may_be_open(emitter, *value)) {
            continue;
        }
        let whole = if name == "wgmma" {
            accumulator(emitter, &values)?
        } else {
            emitter.concat(&values)
        };
        let register = Register::of(emitter.builder.ir(), whole.ty(emitter.builder.ir()))?;
        op = op.operand(group, whole).result(register);
        handed.push(targets);
    }
    // Without the guard: waiting for more than requested is harmless.
    let results = emitter.emit_all(op);
    for (targets, value) in handed.iter().zip(results) {
        write_accumulator(emitter, targets, value)?;
    }
    Some(())
}

/// A predicate operand, or its constant value.
pub(super) fn predicate<'a>(
    emitter: &mut Emitter<'_, 'a>,
    operand: &Expression<'a>,
) -> Option<Result<Value, bool>> {
    match operand.as_integer() {
        Some(number) => Some(Err(number != 0)),
        None => emitter.read(operand, P).map(Ok),
    }
}
