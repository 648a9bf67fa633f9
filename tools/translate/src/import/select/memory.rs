//! Loads and stores of every space, width and order.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Address, Emitter};
use super::super::variables::bytes_of;
use super::emit::packed_bytes;
use super::modifiers::Words;
use super::spaces::{SCOPES, SPACES, Space, address_in, addressed};
use super::synchronize::{Fence, fence};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;
/// The constant bank that holds `.const` variables.
const CONSTANTS: i32 = 3;

/// Reductions of PTX and the keywords of the dialect.
pub(super) const REDUCTIONS: [(&str, &str); 8] = [
    (".add", "add"),
    (".min", "min"),
    (".max", "max"),
    (".inc", "inc"),
    (".dec", "dec"),
    (".and", "and"),
    (".or", "or"),
    (".xor", "xor"),
];

/// The number of elements of a vector.
pub(super) const VECTORS: [(&str, u32); 3] = [(".v2", 2), (".v4", 4), (".v8", 8)];

const EVICTIONS: [(&str, &str); 10] = [
    (".L1::evict_first", "evict_first"),
    (".L1::evict_last", "evict_last"),
    (".L1::evict_normal", "evict_normal"),
    (".L1::evict_unchanged", "evict_unchanged"),
    (".L1::no_allocate", "no_allocate"),
    (".L2::evict_first", "evict_first"),
    (".L2::evict_last", "evict_last"),
    (".L2::evict_normal", "evict_normal"),
    (".cs", "evict_first"),
    (".lu", "last_use"),
];

const PREFETCHES: [(&str, &str); 3] = [
    (".L2::64B", "ltc64b"),
    (".L2::128B", "ltc128b"),
    (".L2::256B", "ltc256b"),
];

/// The width keyword for this many bytes of whole registers.
pub(super) fn width_of(bytes: u32) -> Option<&'static str> {
    match bytes {
        4 => Some("b32"),
        8 => Some("b64"),
        16 => Some("b128"),
        _ => None,
    }
}

/// The modifiers of a load or store.
#[derive(Default)]
struct Transfer<'m> {
    space: Space,
    vector: u32,
    ty: &'m str,
    order: Option<&'static str>,
    scope: Option<&'static str>,
    eviction: Option<&'static str>,
    prefetch: Option<&'static str>,
    /// Acquire: later accesses are ordered after it.
    acquires: bool,
    /// Release: earlier accesses are ordered before it.
    releases: bool,
    hinted: bool,
}

impl<'m> Transfer<'m> {
    fn of(instruction: &Instruction<'m>) -> Option<Self> {
        let mut words = Words::of(instruction);
        let ty = words.last()?;
        let vector = words.translated(&VECTORS);
        let mut transfer = Transfer {
            ty,
            vector: vector.unwrap_or(1),
            hinted: words.take(".L2::cache_hint"),
            prefetch: words.translated(&PREFETCHES),
            ..Transfer::default()
        };
        let eviction = words.translated(&EVICTIONS);
        transfer.eviction = eviction.or_else(|| words.translated(&EVICTIONS));
        transfer.space = words.translated(&SPACES).unwrap_or_default();
        transfer.scope = words.translated(&SCOPES);
        transfer.acquires = words.take(".acquire");
        transfer.releases = words.take(".release");
        let strong = words.take(".relaxed") || transfer.acquires || transfer.releases;
        if words.take(".mmio") {
            (transfer.order, transfer.scope) = (Some("mmio"), Some("sys"));
        } else if strong {
            transfer.order = Some("strong");
            transfer.scope?;
        } else if words.any(&[".volatile", ".cv", ".wt"]).is_some() {
            (transfer.order, transfer.scope) = (Some("strong"), Some("sys"));
        } else if words.take(".nc") || instruction.name == "ldu" {
            transfer.order = Some("constant");
        } else if transfer.scope.is_some() {
            return None;
        }
        // Caching in all levels, or in all but the first, is a hint that other modifiers override.
        words.any(&[".ca", ".cg", ".wb"]);
        words.any(&[".weak"]);
        words.done()?;
        Some(transfer)
    }

    /// Bytes of an element.
    fn bytes(&self) -> Option<u32> {
        match self.ty {
            ".f32x2" => Some(8),
            ty => bytes_of(ty),
        }
    }

    /// The width of the whole access and the register it fills.
    fn width(&self) -> Option<(&'static str, Register)> {
        Some(match (self.bytes()? * self.vector, self.ty) {
            (1, ".s8") => ("s8", R),
            (1, _) => ("u8", R),
            (2, ".s16") => ("s16", R),
            (2, _) => ("u16", R),
            (4, _) => ("b32", R),
            (8, _) => ("b64", R64),
            (16, _) => ("b128", Register::R128),
            (32, _) => ("b256", Register::general(8)),
            _ => return None,
        })
    }

    /// The operation for the space.
    fn operation(&self, loads: bool) -> Option<&'static str> {
        operation_on(self.space, loads)
    }

    /// Adds the optional attributes of operations on this space.
    fn described(
        &self,
        emitter: &mut Emitter<'_, '_>,
        mut op: MachineOperation,
    ) -> Option<MachineOperation> {
        match self.space {
            Space::Constant => return Some(op.number(emitter.context(), "bank", CONSTANTS)),
            Space::Shared => return Some(op),
            _ => {}
        }
        let mut say = |key, word: Option<&str>| {
            if let Some(word) = word {
                op = op.clone().word(emitter.context(), key, word);
            }
        };
        say("order", self.order);
        let ordered = matches!(self.order, Some("strong" | "mmio"));
        say("scope", self.scope.filter(|_| ordered));
        say("eviction", self.eviction);
        say("prefetch", self.prefetch);
        Some(op)
    }
}

/// The load or store operation of a space.
pub(super) fn operation_on(space: Space, loads: bool) -> Option<&'static str> {
    Some(match (space, loads) {
        (Space::Global, true) => ori::Ldg::NAME,
        (Space::Global, false) => ori::Stg::NAME,
        (Space::Shared, true) => ori::Lds::NAME,
        (Space::Shared, false) => ori::Sts::NAME,
        (Space::Local, true) => ori::Ldl::NAME,
        (Space::Local, false) => ori::Stl::NAME,
        (Space::Constant, true) => ori::Ldc::NAME,
        (Space::Generic | Space::Cluster, true) => ori::Ld::NAME,
        (Space::Generic | Space::Cluster, false) => ori::St::NAME,
        _ => return None,
    })
}

/// A vector of one element is replaced by that element.
pub(super) fn alone<'x, 'a>(operand: &'x Expression<'a>) -> &'x Expression<'a> {
    match operand {
        Expression::Vector(parts) if parts.len() == 1 => &parts[0],
        other => other,
    }
}

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut transfer = Transfer::of(instruction)?;
    let loads = instruction.name != "st";
    let (first, second, policy) = match (instruction.operands.as_slice(), transfer.hinted) {
        ([first, second], false) => (alone(first), alone(second), None),
        ([first, second, policy], true) => (alone(first), alone(second), Some(policy)),
        _ => return None,
    };
    if transfer.space == Space::Parameter {
        let place = if loads { second } else { first };
        let of_kernel = emitter.is_kernel || instruction.modifiers.contains(&".param::entry");
        // Address-taken parameters of functions are in local memory.
        if emitter.is_spilled(place) || (!of_kernel && emitter.is_by_register(place)) {
            transfer.space = Space::Local;
        }
    }
    if transfer.space == Space::Parameter {
        loads.then_some(())?;
        return parameter(emitter, &transfer, first, second);
    }
    let (width, register) = transfer.width()?;
    let name = transfer.operation(loads)?;
    let place = if loads { second } else { first };
    let address = address_in(emitter, transfer.space, place)?;
    let mut op = addressed(
        emitter,
        MachineOperation::new(name),
        "base",
        "offset",
        &address,
    );
    op = op.word(emitter.context(), "width", width);
    op = transfer.described(emitter, op)?;
    if let Some(policy) = policy {
        (transfer.space == Space::Global).then_some(())?;
        let policy = emitter.source(policy, R64)?;
        op = op.operand("policy", policy);
    }
    let ordered = !matches!(transfer.space, Space::Shared | Space::Local);
    if loads {
        let value = loaded(emitter, &transfer, op, first, register)?;
        if transfer.acquires && ordered {
            fence(emitter, &Fence::behind(transfer.scope?))?;
        }
        return value;
    }
    let value = stored(emitter, &transfer, second, register)?;
    if transfer.releases && ordered {
        fence(emitter, &Fence::before(transfer.scope?))?;
    }
    emitter.emit_kept(op.operand("value", value), &[])?;
    Some(())
}

/// Emits a load and writes its parts.
fn loaded<'a>(
    emitter: &mut Emitter<'_, 'a>,
    transfer: &Transfer<'_>,
    op: MachineOperation,
    destination: &Expression<'a>,
    register: Register,
) -> Option<Option<()>> {
    let bytes = transfer.bytes()?;
    if transfer.vector == 1 {
        let wide = emitter.kind(destination) == Some(R64) && register == R;
        if !wide {
            let value = emitter.emit_kept(op, &[(destination, register)])?[0];
            return Some(emitter.write(destination, value));
        }
        // A narrow value in a wide register is extended.
        let value = emitter.emit_kept(op.result(register), &[])?[0];
        let signed = transfer.ty.starts_with(".s");
        return Some(emitter.write_extended(destination, value, signed));
    }
    if bytes >= 4 {
        let value = emitter.emit_kept(op, &[(destination, register)])?[0];
        return Some(emitter.write_parts(destination, value, transfer.vector));
    }
    let Expression::Vector(parts) = destination else {
        return None;
    };
    (u32::try_from(parts.len()) == Ok(transfer.vector)).then_some(())?;
    let value = emitter.emit_kept(op.result(register), &[])?[0];
    for (part, number) in parts.iter().zip(0..) {
        let place = number * bytes;
        let word = emitter.word(value, place / 4);
        let element = emitter.bytes(word, element_selector(transfer.ty, place % 4));
        emitter.write(part, element)?;
    }
    Some(Some(()))
}

/// The byte selector that extracts the element at a byte offset into a 32-bit value.
fn element_selector(ty: &str, place: u32) -> i32 {
    let first = i32::try_from(place).unwrap_or(0);
    let signed = ty.starts_with(".s");
    if matches!(ty, ".b8" | ".u8" | ".s8") {
        let above = if signed { (first | 8) * 0x1110 } else { 0x4440 };
        return above | first;
    }
    let second = first + 1;
    let above = if signed {
        (second | 8) * 0x1100
    } else {
        0x4400
    };
    above | (second << 4) | first
}

/// The data of a store, as one value.
fn stored<'a>(
    emitter: &mut Emitter<'_, 'a>,
    transfer: &Transfer<'_>,
    data: &Expression<'a>,
    register: Register,
) -> Option<Value> {
    let bytes = transfer.bytes()?;
    if transfer.vector == 1 {
        return emitter.source(data, register);
    }
    let Expression::Vector(parts) = data else {
        return None;
    };
    (u32::try_from(parts.len()) == Ok(transfer.vector)).then_some(())?;
    let each = Register::general(bytes.div_ceil(4));
    let values: Option<Vec<_>> = parts
        .iter()
        .map(|part| emitter.source(part, each))
        .collect();
    let values = values?;
    let words: Vec<_> = match bytes {
        1 => values
            .chunks(4)
            .map(|four| packed_bytes(emitter, four))
            .collect(),
        2 => values
            .chunks(2)
            .map(|two| emitter.packed(two[0], two[1]))
            .collect(),
        _ => values,
    };
    Some(emitter.concat(&words))
}

/// A parameter of a kernel is an operand in a constant bank; narrower ones, and those at computed
/// addresses, are loaded from it.
fn parameter<'a>(
    emitter: &mut Emitter<'_, 'a>,
    transfer: &Transfer<'_>,
    destination: &Expression<'a>,
    place: &Expression<'a>,
) -> Option<()> {
    let bytes = transfer.bytes()?;
    let address = emitter.parameter(place)?;
    let parts = match destination {
        Expression::Vector(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    (u32::try_from(parts.len()) == Ok(transfer.vector)).then_some(())?;
    for (part, number) in parts.iter().zip(0..) {
        let place = address
            .offset
            .checked_add(number * i32::try_from(bytes).ok()?)?;
        let signed = transfer.ty.starts_with(".s");
        // Banks have 64 kB; offsets from a register have 24 bits including the sign.
        let places = match address.base {
            None => 0..1 << 16,
            Some(_) => -(1 << 23)..1 << 23,
        };
        places.contains(&place).then_some(())?;
        let place = Address {
            base: address.base,
            offset: place,
        };
        let value = match (place.base, bytes) {
            (_, 1 | 2) => {
                let width = match (bytes, signed) {
                    (1, false) => "u8",
                    (1, true) => "s8",
                    (_, false) => "u16",
                    (_, true) => "s16",
                };
                from_bank(emitter, &place, width, R)?
            }
            (None, _) => bank_words(emitter, place.offset, bytes)?,
            (Some(_), 4) => from_bank(emitter, &place, "b32", R)?,
            (Some(_), _) => {
                let mut pairs = Vec::new();
                for distance in (0..i32::try_from(bytes).ok()?).step_by(8) {
                    let offset = place.offset.checked_add(distance)?;
                    let pair = Address { offset, ..place };
                    pairs.push(from_bank(emitter, &pair, "b64", R64)?);
                }
                emitter.concat(&pairs)
            }
        };
        match bytes {
            1 | 2 | 4 => emitter.write_extended(part, value, signed)?,
            _ => emitter.write(part, value)?,
        }
    }
    Some(())
}

/// A load from constant bank 0, under the guard.
fn from_bank(
    emitter: &mut Emitter<'_, '_>,
    place: &Address,
    width: &str,
    register: Register,
) -> Option<Value> {
    let op = emitter.operation(ori::Ldc::NAME, &[], &[("width", width)]);
    let op = addressed(emitter, op, "base", "offset", place);
    let op = op.number(emitter.context(), "bank", 0).result(register);
    Some(emitter.emit_kept(op, &[])?[0])
}

/// 32-bit values of constant bank 0 as operands; pairs with 4-byte alignment are two of them.
fn bank_words(emitter: &mut Emitter<'_, '_>, place: i32, bytes: u32) -> Option<Value> {
    if bytes == 4 {
        return emitter.constant(place, R);
    }
    let register = if place % 8 == 0 { R64 } else { R };
    let step = 4 * usize::try_from(register.words()?).ok()?;
    let mut words = Vec::new();
    for distance in (0..i32::try_from(bytes).ok()?).step_by(step) {
        words.push(emitter.constant(place.checked_add(distance)?, register)?);
    }
    Some(emitter.concat(&words))
}
