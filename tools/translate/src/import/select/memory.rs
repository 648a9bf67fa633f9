//! Loads, stores, atomics, asynchronous copies.

use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Address, Emitter};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
/// The constant bank that holds `.const` variables.
const CONSTANTS: i32 = 3;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "atom" => atomic(emitter, instruction),
        "cp" => copy_async(emitter, instruction),
        _ => transfer(emitter, instruction),
    }
}

/// What the modifiers of a load or store say.
#[derive(Default)]
struct Transfer<'m> {
    space: &'m str,
    vector: u32,
    ty: &'m str,
    order: Option<&'static str>,
    scope: Option<&'m str>,
    eviction: Option<&'static str>,
}

impl<'m> Transfer<'m> {
    fn of(modifiers: &[&'m str]) -> Option<Self> {
        let mut transfer = Transfer {
            vector: 1,
            ..Transfer::default()
        };
        for modifier in modifiers {
            match *modifier {
                ".global" | ".shared" | ".shared::cta" | ".local" | ".const" | ".param" => {
                    transfer.space = modifier;
                }
                ".v2" => transfer.vector = 2,
                ".v4" => transfer.vector = 4,
                ".weak" => {}
                ".nc" => transfer.order = Some("constant"),
                ".volatile" => (transfer.order, transfer.scope) = (Some("strong"), Some("sys")),
                ".relaxed" => transfer.order = Some("strong"),
                ".cta" | ".cluster" | ".gpu" | ".sys" => transfer.scope = Some(&modifier[1..]),
                ".L1::evict_first" => transfer.eviction = Some("evict_first"),
                ".L1::evict_last" => transfer.eviction = Some("evict_last"),
                ".L1::no_allocate" => transfer.eviction = Some("no_allocate"),
                _ if transfer.ty.is_empty() => transfer.ty = modifier,
                _ => return None,
            }
        }
        (!transfer.space.is_empty()).then_some(transfer)
    }

    /// Bytes of an element.
    fn bytes(&self) -> Option<u32> {
        Some(match self.ty {
            ".b8" | ".u8" | ".s8" => 1,
            ".b16" | ".u16" | ".s16" => 2,
            ".b32" | ".u32" | ".s32" | ".f32" => 4,
            ".b64" | ".u64" | ".s64" | ".f64" => 8,
            _ => return None,
        })
    }

    /// The width of the whole and the register it fills.
    fn width(&self) -> Option<(&'static str, Register)> {
        Some(match (self.bytes()? * self.vector, self.ty) {
            (1, ".s8") => ("s8", R),
            (1, _) => ("u8", R),
            (2, ".s16") => ("s16", R),
            (2, _) if self.vector == 1 => ("u16", R),
            (4, _) if self.vector == 1 => ("b32", R),
            (8, _) if self.bytes()? >= 4 => ("b64", Register::R64),
            (16, _) if self.bytes()? >= 4 => ("b128", Register::R128),
            _ => return None,
        })
    }

    /// The operation for the space, and whether addresses there have 32 bits.
    fn operation(&self, loads: bool) -> Option<(&'static str, bool)> {
        Some(match (self.space, loads) {
            (".global", true) => ("ori.ldg", false),
            (".global", false) => ("ori.stg", false),
            (".shared" | ".shared::cta", true) => ("ori.lds", true),
            (".shared" | ".shared::cta", false) => ("ori.sts", true),
            (".local", true) => ("ori.ldl", true),
            (".local", false) => ("ori.stl", true),
            (".const", true) => ("ori.ldc", false),
            _ => return None,
        })
    }
}

/// Adds an address to an operation.
fn addressed(
    emitter: &mut Emitter<'_, '_>,
    op: MachineOperation,
    base: &'static str,
    offset: &'static str,
    address: &Address,
) -> MachineOperation {
    let op = op.number(emitter.context(), offset, address.offset);
    match address.base {
        Some(value) => op.operand(base, value),
        None => op,
    }
}

fn transfer<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let transfer = Transfer::of(&instruction.modifiers)?;
    let loads = instruction.name == "ld";
    let [first, second] = instruction.operands.as_slice() else {
        return None;
    };
    if transfer.space == ".param" {
        return if loads {
            parameter(emitter, &transfer, first, second)
        } else {
            None
        };
    }
    let (width, register) = transfer.width()?;
    let (name, narrow) = transfer.operation(loads)?;
    let mut op = MachineOperation::new(name);
    let place = if loads { second } else { first };
    let address = emitter.address(place, narrow)?;
    op = addressed(emitter, op, "base", "offset", &address);
    op = op.word(emitter.context(), "width", width);
    if transfer.space == ".const" {
        op = op.number(emitter.context(), "bank", CONSTANTS);
    } else if !narrow {
        if let Some(order) = transfer.order {
            op = op.word(emitter.context(), "order", order);
            if order == "strong" {
                op = op.word(emitter.context(), "scope", transfer.scope?);
            }
        }
        if let Some(eviction) = transfer.eviction {
            op = op.word(emitter.context(), "eviction", eviction);
        }
    }
    if loads {
        let value = emitter.emit_guarded(op.result(register), Some(first))?[0];
        return emitter.write_parts(first, value, transfer.vector);
    }
    let value = emitter.read_parts(second, register, transfer.vector)?;
    emitter.emit_guarded(op.operand("value", value), None)?;
    Some(())
}

/// A parameter of a kernel is a word of a constant bank.
fn parameter<'a>(
    emitter: &mut Emitter<'_, 'a>,
    transfer: &Transfer<'_>,
    destination: &Expression<'a>,
    place: &Expression<'a>,
) -> Option<()> {
    let bytes = transfer.bytes()?;
    if bytes < 4 {
        return None;
    }
    let offset = emitter.parameter(place)?;
    let register = Register::general(bytes / 4);
    let parts = match destination {
        Expression::Vector(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    if u32::try_from(parts.len()) != Ok(transfer.vector) {
        return None;
    }
    for (part, number) in parts.iter().zip(0..) {
        let place = offset + number * i32::try_from(bytes).ok()?;
        let value = emitter.constant(place, register)?;
        emitter.write(part, value)?;
    }
    Some(())
}

fn atomic<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let [".global", operation, ty] = instruction.modifiers.as_slice() else {
        return None;
    };
    let [destination, place, value] = instruction.operands.as_slice() else {
        return None;
    };
    let operation = match *operation {
        ".add" | ".min" | ".max" | ".and" | ".or" | ".xor" | ".exch" => &operation[1..],
        _ => return None,
    };
    let register = match (*ty, operation) {
        (".f32", "add") | (".u32" | ".s32", _) | (".b32", "and" | "or" | "xor" | "exch") => R,
        (".u64" | ".s64", _) => Register::R64,
        _ => return None,
    };
    let address = emitter.address(place, false)?;
    let value = emitter.read(value, register)?;
    let mut op = MachineOperation::new("ori.atomg")
        .operand("value", value)
        .result(register);
    op = addressed(emitter, op, "base", "offset", &address);
    for (key, word) in [("operation", operation), ("type", &ty[1..])] {
        op = op.word(emitter.context(), key, word);
    }
    let old = emitter.emit_guarded(op, Some(destination))?[0];
    emitter.write_parts(destination, old, 1)
}

fn copy_async<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    match (
        instruction.modifiers.as_slice(),
        instruction.operands.as_slice(),
    ) {
        // Its guard is a uniform predicate, which registers of PTX are not.
        ([".async", ".bulk", ".commit_group"], []) if emitter.guard.is_none() => {
            emitter.emit_guarded(MachineOperation::new("ori.utmacmdflush"), None)?;
            Some(())
        }
        ([".async", ".bulk", ".wait_group", reads @ ..], [count]) => {
            let count = i32::try_from(count.as_integer()?).ok()?;
            let op = MachineOperation::new("ori.bulk_wait");
            let op = op.number(emitter.context(), "count", count);
            let op = match reads {
                [] => op,
                [".read"] => op.flag("reads"),
                _ => return None,
            };
            emitter.emit_guarded(op, None)?;
            Some(())
        }
        ([".async", ".commit_group"], []) => {
            emitter.emit_guarded(MachineOperation::new("ori.ldgdepbar"), None)?;
            Some(())
        }
        ([".async", ".wait_group"], [count]) => {
            let count = i32::try_from(count.as_integer()?).ok()?;
            let op = MachineOperation::new("ori.depbar");
            let op = op.number(emitter.context(), "count", count);
            emitter.emit_guarded(op, None)?;
            Some(())
        }
        (
            [
                ".async",
                cache @ (".cg" | ".ca"),
                ".shared" | ".shared::cta",
                ".global",
            ],
            operands,
        ) => global_to_shared(emitter, *cache == ".cg", operands),
        _ => None,
    }
}

/// Without the first-level cache when `bypass` says so; zeros behind `size` bytes, when it is given.
fn global_to_shared<'a>(
    emitter: &mut Emitter<'_, 'a>,
    bypass: bool,
    operands: &[Expression<'a>],
) -> Option<()> {
    let (to, from, bytes, size) = match operands {
        [to, from, bytes] => (to, from, bytes, None),
        [to, from, bytes, size] => (to, from, bytes, Some(size)),
        _ => return None,
    };
    let width = match bytes.as_integer()? {
        4 => "b32",
        8 => "b64",
        16 => "b128",
        _ => return None,
    };
    let (to, from) = (emitter.address(to, true)?, emitter.address(from, false)?);
    let mut op = MachineOperation::new("ori.ldgsts");
    op = addressed(emitter, op, "shared_base", "shared_offset", &to);
    op = addressed(emitter, op, "base", "offset", &from);
    op = op.word(emitter.context(), "width", width);
    if bypass {
        op = op.word(emitter.context(), "bypass", "bypass");
    }
    if let Some(size) = size {
        let size = emitter.read(size, R)?;
        op = op.operand("size", size);
    }
    emitter.emit_guarded(op, None)?;
    Some(())
}
