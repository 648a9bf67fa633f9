//! Copies, packing, special registers, address-space conversions.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::operations::moves::Cs2r;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Emitter, named_offset};
use super::emit::{inverted, packed_bytes, table};
use super::special_registers::{self, Special};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;
const P: Register = Register::P;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let [destination, source] = instruction.operands.as_slice() else {
        return None;
    };
    match instruction.name {
        "mov" => copy(emitter, destination, source),
        "cvta" => convert_address(emitter, &instruction.modifiers, destination, source),
        _ => None,
    }
}

/// The base of a window of the generic address space, from a constant bank; shared memory has a
/// special register for it from sm_90 on (observed in the output of ptxas 13.0).
fn window(emitter: &mut Emitter<'_, '_>, space: &str) -> Option<Value> {
    let place = match (space, emitter.sm()) {
        (".shared", 70..=89) => 0x18,
        (".local", 70..=99) => 0x20,
        (".local", 100..) => 0x2f8,
        (".const", 70..=89) => 0x50,
        (".const", 90..=99) => 0xd0,
        (".const", 100..) => 0x120,
        // The base of the bank up to sm_89, see below; of the first parameter from sm_90 on.
        (".param", 70..=89) => 0x40,
        (".param", 90..=99) => 0x198,
        (".param", 100..) => 0x348,
        (".shared", 90..) => {
            let zero = emitter.word_of(0);
            let high = emitter.special_register("SR_SWINHI");
            return Some(emitter.concat(&[zero, high]));
        }
        _ => return None,
    };
    emitter.constant(place, R64)
}

fn convert_address<'a>(
    emitter: &mut Emitter<'_, 'a>,
    modifiers: &[&str],
    destination: &Expression<'a>,
    source: &Expression<'a>,
) -> Option<()> {
    let (to, space) = match modifiers {
        [".to", space, ".u64"] => (true, *space),
        [space, ".u64"] => (false, *space),
        _ => return None,
    };
    let space = space
        .trim_end_matches("::cta")
        .trim_end_matches("::cluster");
    let space = space.split("::").next()?;
    if matches!(space, ".global") {
        let value = emitter.source(source, R64)?;
        return emitter.write(destination, value);
    }
    let narrow = matches!(space, ".shared" | ".local");
    let value = match emitter.kind(source) {
        Some(R) => {
            let low = emitter.read(source, R)?;
            let zero = emitter.word_of(0);
            emitter.concat(&[low, zero])
        }
        _ => emitter.source(source, R64)?,
    };
    if to && space == ".shared" && emitter.sm() >= 90 {
        // The low half is the address, for any CTA.
        let (low, zero) = (emitter.word(value, 0), emitter.word_of(0));
        let value = emitter.concat(&[low, zero]);
        return emitter.write(destination, value);
    }
    let window = window(emitter, space)?;
    let mut value = emitter.add_wide(value, window, to);
    if space == ".param" && emitter.sm() < 90 {
        let start = emitter.symbols.parameter_place()?;
        let start = emitter.immediate(start.into(), R64);
        value = emitter.add_wide(value, start, to);
    }
    let wanted = emitter.kind(destination)?;
    if wanted == R && narrow && to {
        let low = emitter.word(value, 0);
        return emitter.write(destination, low);
    }
    emitter.write(destination, value)
}

/// Selects `isspacep`: whether a generic address is in the window of a space.
pub(super) fn select_space_test<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let ([space], [destination, source]) = (
        instruction.modifiers.as_slice(),
        instruction.operands.as_slice(),
    ) else {
        return None;
    };
    let address = emitter.source(source, R64)?;
    let asked = |emitter: &mut Emitter<'_, '_>, space: &str| {
        let op = emitter.operation(
            ori::Qspc::NAME,
            &[("address", address.into())],
            &[("space", space)],
        );
        emitter.emit(op.result(P))
    };
    // Constants are in the first four gigabytes of their window.
    let constant = |emitter: &mut Emitter<'_, '_>| {
        let begin = window(emitter, ".const")?;
        let distance = emitter.add_wide(address, begin, true);
        let (high, zero) = (emitter.word(distance, 1), emitter.word_of(0));
        Some(emitter.compared("eq", false, high, zero))
    };
    let value = match *space {
        ".shared" | ".shared::cta" => asked(emitter, "shared"),
        ".local" => asked(emitter, "local"),
        ".const" => constant(emitter)?,
        ".global" => {
            let global = asked(emitter, "global");
            let constant = constant(emitter)?;
            emitter.predicates2(table::AND, global, inverted(constant))
        }
        _ => return None,
    };
    emitter.write(destination, value)
}

/// Selects `mapa` and `getctarank`: addresses of shared memory in a cluster. The rank of a CTA is
/// in the highest byte of the low half.
pub(super) fn select_cluster_address<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let wide = match instruction.modifiers.as_slice() {
        [".u64"] | [".shared::cluster", ".u64"] => true,
        [".u32"] | [".shared::cluster", ".u32"] => false,
        _ => return None,
    };
    let register = if wide { R64 } else { R };
    let address = emitter.source(sources.first()?, register)?;
    let low = emitter.word(address, 0);
    if instruction.name == "getctarank" {
        let amount = emitter.word_of(24);
        let rank = emitter.right(low, amount, false);
        return emitter.write(destination, rank);
    }
    let rank = emitter.source(sources.get(1)?, R)?;
    let sources = [("address", low.into()), ("rank", rank.into())];
    let op = emitter.operation(ori::Mapa::NAME, &sources, &[]).result(R);
    let mut value = emitter.emit(op);
    if wide {
        let high = emitter.word(address, 1);
        value = emitter.concat(&[value, high]);
    }
    emitter.write(destination, value)
}

/// The value of a special register by its name: `%laneid`, `%tid.x`.
fn special<'a>(
    emitter: &mut Emitter<'_, 'a>,
    source: &Expression<'a>,
    wanted: Register,
) -> Option<Value> {
    let name = match source {
        Expression::Name(name) => (*name).to_owned(),
        Expression::Member(of, part) => match of.as_ref() {
            Expression::Name(name) => format!("{name}{part}"),
            _ => return None,
        },
        _ => return None,
    };
    let found = special_registers::find(&name, emitter.sm())?;
    let value = match found {
        Special::Fixed(register) => emitter.special_register(register),
        Special::Bits(register, from, width) => {
            let value = emitter.special_register(register);
            let from = emitter.word_of(from);
            let shifted = emitter.right(value, from, false);
            emitter.masked(shifted, (1 << width) - 1)
        }
        Special::Changing(register) => changing(emitter, register, wanted == R64),
        Special::Constant(place) => emitter.constant(place, R)?,
        Special::Moving(place) => moving(emitter, place),
        Special::ConstantPair(place) => emitter.constant(place, R64)?,
        Special::Less(register, place) => {
            let all = emitter.special_register(register);
            let less = emitter.constant(place, R)?;
            emitter.plus(all, super::emit::negative(less))
        }
        Special::Quotient(axis) => cluster_place(emitter, axis, false)?,
        Special::Remainder(axis) => cluster_place(emitter, axis, true)?,
        Special::NotOne(place) => {
            let (value, one) = (emitter.constant(place, R)?, emitter.word_of(1));
            emitter.compared("ne", true, value, one)
        }
        Special::Number(number) => emitter.word_of(number),
    };
    let is = Register::of(emitter.builder.ir(), value.ty(emitter.builder.ir()))?;
    match (is, wanted) {
        (R64, R) => Some(emitter.word(value, 0)),
        (R, R64) => Some(emitter.extended_pair(value, false)),
        _ => (is == wanted).then_some(value),
    }
}

/// A special register that may change, of 32 or 64 bits.
fn changing(emitter: &mut Emitter<'_, '_>, register: &str, wide: bool) -> Value {
    let ty = if wide { R64 } else { R }.ty(emitter.context());
    let location = emitter.location;
    let op = Cs2r::build(&mut emitter.builder, location, None, &[], register, ty);
    if wide {
        op.set_wide(emitter.builder.context(), ());
    }
    op.result(emitter.builder.ir())
}

/// A 32-bit value of the part of the constant bank that moves down by 160 bytes for each CTA of a
/// cluster.
fn moving(emitter: &mut Emitter<'_, '_>, place: i32) -> Value {
    let size = changing(emitter, "SR_CgaSize", false);
    let (step, zero) = (emitter.word_of(-0xa0), emitter.word_of(0));
    let base = emitter.multiply(size, step, zero);
    let op = emitter.operation(
        ori::Ldc::NAME,
        &[("base", base.into())],
        &[("width", "b32")],
    );
    let op = op.number(emitter.context(), "offset", place);
    let op = op.number(emitter.context(), "bank", 0).result(R);
    emitter.emit(op)
}

/// The index of the cluster along an axis, or of the CTA within it: both are computed from the
/// index of the CTA in the grid and the extent of a cluster.
fn cluster_place(emitter: &mut Emitter<'_, '_>, axis: usize, within: bool) -> Option<Value> {
    let registers = ["SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z"];
    let number = emitter.special_register(registers.get(axis)?);
    let extents = [
        "%cluster_nctaid.x",
        "%cluster_nctaid.y",
        "%cluster_nctaid.z",
    ];
    let extent = match special_registers::find(extents.get(axis)?, emitter.sm())? {
        Special::Constant(place) => emitter.constant(place, R)?,
        Special::Moving(place) => moving(emitter, place),
        _ => return None,
    };
    Some(super::divide::unsigned_words(
        emitter, number, extent, within,
    ))
}

/// The address of a parameter of the kernel, relative to the first one (observed in the output of
/// ptxas 13.0).
fn parameter_address<'a>(
    emitter: &mut Emitter<'_, 'a>,
    source: &Expression<'a>,
    register: Register,
) -> Option<Value> {
    let (name, distance) = named_offset(source)?;
    let mut known = emitter.parameters.iter();
    let (_, place) = known.find(|(known, _)| *known == name)?;
    let place = place - emitter.symbols.parameter_place()?;
    let low = emitter.word_of(place.checked_add(distance)?);
    match register {
        R => Some(low),
        R64 => {
            let high = emitter.word_of(0);
            Some(emitter.concat(&[low, high]))
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
        let register = emitter.kind(destination)?;
        let value = joined(emitter, parts, register)?;
        return emitter.write(destination, value);
    }
    if let Expression::Vector(parts) = destination {
        let register = emitter.kind(source)?;
        let value = emitter.read(source, register)?;
        return split(emitter, parts, value, register);
    }
    let register = emitter.kind(destination)?;
    if let Some(place) = parameter_address(emitter, source, register) {
        return emitter.write(destination, place);
    }
    let value = match special(emitter, source, register) {
        Some(value) => value,
        None => emitter.source(source, register)?,
    };
    // A copy of a register is the register's value, unless each register has a name of its own.
    let is_copy = emitter.names && emitter.kind(source) == Some(R) && register == R;
    if is_copy {
        let value = emitter.emit(
            MachineOperation::new(ori::Mov::NAME)
                .operand("a", value)
                .result(R),
        );
        return emitter.write(destination, value);
    }
    emitter.write(destination, value)
}

/// The width of each of a number of parts of a register.
fn bits_of_parts(register: Register, parts: usize) -> Option<u32> {
    let bits = 32 * register.words()?;
    let parts = u32::try_from(parts).ok()?;
    (bits.checked_rem(parts)? == 0).then_some(bits / parts)
}

/// Values concatenated in a register, the first lowest.
fn joined<'a>(
    emitter: &mut Emitter<'_, 'a>,
    parts: &[Expression<'a>],
    register: Register,
) -> Option<Value> {
    let bits = bits_of_parts(register, parts.len())?;
    let each = Register::general(bits.div_ceil(32));
    let values: Option<Vec<_>> = parts
        .iter()
        .map(|part| emitter.source(part, each))
        .collect();
    let values = values?;
    let words: Vec<_> = match bits {
        8 => values
            .chunks(4)
            .map(|four| packed_bytes(emitter, four))
            .collect(),
        16 => values
            .chunks(2)
            .map(|two| emitter.packed(two[0], two[1]))
            .collect(),
        32 | 64 | 128 => values,
        _ => return None,
    };
    Some(emitter.concat(&words))
}

/// The parts of a value, the lowest first; those narrower than 32 bits are zero-extended.
fn split<'a>(
    emitter: &mut Emitter<'_, 'a>,
    parts: &[Expression<'a>],
    value: Value,
    register: Register,
) -> Option<()> {
    let bits = bits_of_parts(register, parts.len())?;
    let count = u32::try_from(parts.len()).ok()?;
    let narrow: &[i32] = match bits {
        8 => &[0x4440, 0x4441, 0x4442, 0x4443],
        16 => &[0x4410, 0x4432],
        32 | 64 => {
            let whole = Expression::Vector(parts.to_vec());
            return emitter.write_parts(&whole, value, count);
        }
        _ => return None,
    };
    for (number, part) in parts.iter().enumerate() {
        let word = u32::try_from(number / narrow.len()).ok()?;
        let word = emitter.word(value, word);
        let element = emitter.bytes(word, narrow[number % narrow.len()]);
        emitter.write(part, element)?;
    }
    Some(())
}
