//! Atomic operations: `atom` and `red`.
//!
//! Operations without a machine instruction become compare-and-swap loops.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Address, Emitter};
use super::emit::{FloatMode, table};
use super::float16;
use super::integer::Integer;
use super::memory::VECTORS;
use super::modifiers::Words;
use super::spaces::{SCOPES, SPACES, Space, address_in, addressed};
use super::synchronize::{Fence, fence};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

const OPERATIONS: [&str; 10] = [
    ".add", ".min", ".max", ".inc", ".dec", ".and", ".or", ".xor", ".exch", ".cas",
];

/// The modifiers of an atomic instruction.
struct Atomic<'m> {
    space: Space,
    operation: &'m str,
    ty: &'m str,
    scope: &'static str,
    acquires: bool,
    releases: bool,
    vector: u32,
    /// The last operand is a cache policy.
    hinted: bool,
}

/// Memory orders: acquire, and release.
const ORDERS: [(&str, (bool, bool)); 5] = [
    (".relaxed", (false, false)),
    (".acquire", (true, false)),
    (".release", (false, true)),
    (".acq_rel", (true, true)),
    (".sc", (true, true)),
];

impl<'m> Atomic<'m> {
    fn of(instruction: &Instruction<'m>) -> Option<Self> {
        let mut words = Words::of(instruction);
        let ty = words.last()?.get(1..)?;
        let (acquires, releases) = words.translated(&ORDERS).unwrap_or_default();
        let atomic = Atomic {
            space: words.translated(&SPACES).unwrap_or_default(),
            operation: words.any(&OPERATIONS)?.get(1..)?,
            ty,
            scope: words.translated(&SCOPES).unwrap_or("gpu"),
            acquires,
            releases,
            vector: words.translated(&VECTORS).unwrap_or(1),
            hinted: words.take(".L2::cache_hint"),
        };
        words.take(".noftz");
        words.done()?;
        Some(atomic)
    }

    /// The register of an element.
    fn register(&self) -> Option<Register> {
        Some(match self.ty {
            "u32" | "s32" | "b32" | "f32" | "f16x2" | "bf16x2" | "f16" | "bf16" | "b16" => R,
            "u64" | "s64" | "b64" | "f64" => R64,
            "b128" => Register::R128,
            _ => return None,
        })
    }

    /// The dialect's name of the type, if the operation is defined for it and the target has an
    /// instruction for it in the address space.
    fn native(&self, sm: u16) -> Option<&'static str> {
        let shared = self.space == Space::Shared;
        Some(match (self.operation, self.ty) {
            (
                "add" | "min" | "max" | "and" | "or" | "xor" | "exch" | "cas" | "inc" | "dec",
                "u32",
            ) => "u32",
            ("add" | "min" | "max", "s32") => "s32",
            ("and" | "or" | "xor" | "exch" | "cas", "b32" | "s32") | ("exch" | "cas", "f32") => {
                "b32"
            }
            ("exch" | "cas", "b64" | "u64" | "s64" | "f64") => "b64",
            ("exch" | "cas", "b128") if !shared => "b128",
            _ if shared => return None,
            ("add", "u64" | "s64") | ("min" | "max", "u64") => "u64",
            ("min" | "max", "s64") => "s64",
            ("and" | "or" | "xor", "b64" | "u64" | "s64") => "b64",
            ("add", "f32") => "f32",
            ("add", "f64") => "f64",
            ("add" | "min" | "max", "f16x2") if self.operation == "add" || sm >= 90 => "f16x2",
            ("add" | "min" | "max", "bf16x2") if sm >= 90 => "bf16x2",
            _ => return None,
        })
    }
}

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let atomic = Atomic::of(instruction)?;
    let (destination, operands) = if instruction.name == "atom" {
        let (destination, rest) = instruction.operands.split_first()?;
        (Some(destination), rest)
    } else {
        (None, instruction.operands.as_slice())
    };
    // An unused destination makes it a reduction.
    let destination = destination.filter(|name| **name != Expression::Name("_"));
    let (place, values) = operands.split_first()?;
    // A cache policy is a hint, which atomic instructions of the machine cannot encode.
    let values = if atomic.hinted {
        values.split_last()?.1
    } else {
        values
    };
    let ordered = atomic.space != Space::Shared;
    let address = address_in(emitter, atomic.space, place)?;
    if atomic.vector > 1 {
        if atomic.releases {
            fence(emitter, &Fence::before(atomic.scope))?;
        }
        vector(emitter, &atomic, &address, destination, values.first()?)?;
        if atomic.acquires {
            fence(emitter, &Fence::behind(atomic.scope))?;
        }
        return Some(());
    }
    let register = atomic.register()?;
    let values: Option<Vec<_>> = values
        .iter()
        .map(|value| emitter.source(value, register))
        .collect();
    let values = values?;
    (values.len() == if atomic.operation == "cas" { 2 } else { 1 }).then_some(())?;
    if let Some(destination) = destination {
        (emitter.kind(destination) == Some(register)).then_some(())?;
    }
    let native = atomic.native(emitter.sm());
    if native.is_none() && !has_loop(&atomic) {
        return None;
    }
    if atomic.releases && ordered {
        fence(emitter, &Fence::before(atomic.scope))?;
    }
    match native {
        Some(ty) => {
            let one = [(destination, register)];
            let old = emit_native(emitter, &atomic, ty, &address, &values, one)?;
            if let (Some(destination), Some(old)) = (destination, old) {
                emitter.write(destination, old)?;
            }
        }
        None => looped(emitter, &atomic, &address, destination, register, &values)?,
    }
    if atomic.acquires && ordered {
        fence(emitter, &Fence::behind(atomic.scope))?;
    }
    Some(())
}

/// Emits one instruction; returns the previous value, if used.
fn emit_native<'a>(
    emitter: &mut Emitter<'_, 'a>,
    atomic: &Atomic<'_>,
    ty: &str,
    address: &Address,
    values: &[Value],
    [(destination, register)]: [(Option<&Expression<'a>>, Register); 1],
) -> Option<Option<Value>> {
    let swaps = matches!(atomic.operation, "exch" | "cas");
    let tells = destination.is_some() || swaps || atomic.space == Space::Shared;
    let name = match (atomic.space, tells) {
        (Space::Shared, _) => ori::Atoms::NAME,
        (Space::Global, true) => ori::Atomg::NAME,
        (Space::Global, false) => ori::Redg::NAME,
        (Space::Generic | Space::Cluster, true) => ori::Atom::NAME,
        (Space::Generic | Space::Cluster, false) => ori::Red::NAME,
        _ => return None,
    };
    let mut op = MachineOperation::new(name);
    op = addressed(emitter, op, "base", "offset", address);
    for (key, word) in [("operation", atomic.operation), ("type", ty)] {
        op = op.word(emitter.context(), key, word);
    }
    if atomic.space != Space::Shared {
        op = op.word(emitter.context(), "order", "strong");
        op = op.word(emitter.context(), "scope", atomic.scope);
        if ty.starts_with('f') || ty.starts_with("bf") {
            op = op.word(emitter.context(), "rounding", "rn");
            // Sums of 32-bit floats in memory flush denormals.
            if ty.starts_with("f32") {
                op = op.flag("ftz");
            }
        }
    }
    op = match values {
        [expected, value] => op.operand("expected", *expected).operand("value", *value),
        [value] => op.operand("value", *value),
        _ => return None,
    };
    if !tells {
        emitter.emit_kept(op, &[])?;
        return Some(None);
    }
    let nobody = Expression::Name("_");
    let destination = destination.unwrap_or(&nobody);
    let results = emitter.emit_kept(op, &[(destination, register)])?;
    Some(Some(results[0]))
}

/// Vectors: four or two floats at once if the machine has it, else element by element, since only
/// elements are atomic.
fn vector<'a>(
    emitter: &mut Emitter<'_, 'a>,
    atomic: &Atomic<'_>,
    address: &Address,
    destination: Option<&Expression<'a>>,
    data: &Expression<'a>,
) -> Option<()> {
    let Expression::Vector(parts) = data else {
        return None;
    };
    (u32::try_from(parts.len()) == Ok(atomic.vector)).then_some(())?;
    let values: Option<Vec<_>> = parts.iter().map(|part| emitter.source(part, R)).collect();
    let values = values?;
    if atomic.ty == "f32" && atomic.operation == "add" {
        let ty = if atomic.vector == 2 { "f32x2" } else { "f32x4" };
        let register = Register::general(atomic.vector);
        let value = emitter.concat(&values);
        let one = [(destination, register)];
        let old = emit_native(emitter, atomic, ty, address, &[value], one)?;
        if let (Some(destination), Some(old)) = (destination, old) {
            emitter.write_parts(destination, old, atomic.vector)?;
        }
        return Some(());
    }
    let halves = matches!(atomic.ty, "f16" | "bf16");
    let ty = match atomic.ty {
        "f16" | "f16x2" => "f16x2",
        "bf16" | "bf16x2" => "bf16x2",
        _ => return None,
    };
    let words: Vec<_> = if halves {
        values
            .chunks(2)
            .map(|two| emitter.packed(two[0], two[1]))
            .collect()
    } else {
        values
    };
    let targets = match destination {
        Some(Expression::Vector(targets)) => targets.as_slice(),
        Some(_) => return None,
        None => &[],
    };
    for (number, word) in words.into_iter().enumerate() {
        let place = Address {
            base: address.base,
            offset: address.offset + 4 * i32::try_from(number).ok()?,
        };
        let each = if halves { 2 } else { 1 };
        let targets = targets.get(each * number..each * (number + 1));
        let nobody = Expression::Name("_");
        let destination = targets.map(|_| &nobody);
        emitter.guarded = false;
        let one = [(destination, R)];
        let old = emit_native(emitter, atomic, ty, &place, &[word], one)?;
        let (Some(targets), Some(old)) = (targets, old) else {
            continue;
        };
        match targets {
            [one] => emitter.write(one, old)?,
            [low, high] => {
                let halves = [0x4410, 0x4432].map(|selector| emitter.bytes(old, selector));
                emitter.write(low, halves[0])?;
                emitter.write(high, halves[1])?;
            }
            _ => return None,
        }
    }
    Some(())
}

/// Whether an operation without an instruction has a loop.
fn has_loop(atomic: &Atomic<'_>) -> bool {
    matches!(
        (atomic.operation, atomic.ty),
        (
            "add" | "min" | "max" | "and" | "or" | "xor" | "inc" | "dec",
            "u64" | "s64" | "b64"
        ) | ("add", "f32" | "f64")
            | ("add" | "min" | "max", "f16x2" | "bf16x2" | "f16" | "bf16")
            | ("cas" | "exch", "b16")
    )
}

/// The new value in memory, computed from the old one.
fn updated(emitter: &mut Emitter<'_, '_>, atomic: &Atomic<'_>, old: Value, value: Value) -> Value {
    let wide = Integer {
        bits: 64,
        signed: atomic.ty == "s64",
    };
    let smaller = atomic.operation == "min";
    match (atomic.operation, atomic.ty) {
        ("add", "f32") => emitter.fadd(FloatMode::NEAREST, old, value),
        ("add", "f64") => emitter.dadd(old, value),
        ("add", "u64" | "s64") => emitter.add_wide(old, value, false),
        ("min" | "max", "u64" | "s64") => {
            let first = emitter.is(if smaller { "lt" } else { "gt" }, wide, old, value);
            emitter.chosen_pair(first, old, value)
        }
        (operation @ ("and" | "or" | "xor"), _) => {
            let lut = match operation {
                "and" => table::AND,
                "or" => table::OR,
                _ => table::XOR,
            };
            let words = [0, 1].map(|word| {
                let (a, b) = (emitter.word(old, word), emitter.word(value, word));
                emitter.logic2(lut, a, b)
            });
            emitter.concat(&words)
        }
        (operation, ty) => {
            let format = ty.trim_end_matches("x2");
            float16::combined(emitter, operation, format, old, value)
        }
    }
}

/// Compares and swaps until no other thread intervened.
fn looped<'a>(
    emitter: &mut Emitter<'_, 'a>,
    atomic: &Atomic<'_>,
    address: &Address,
    destination: Option<&Expression<'a>>,
    register: Register,
    values: &[Value],
) -> Option<()> {
    let narrow = matches!(atomic.ty, "f16" | "bf16" | "b16");
    // Halves are modified in their 32-bit container.
    let (address, in_high) = if narrow {
        let (address, in_high) = around(emitter, atomic.space, address)?;
        (address, Some(in_high))
    } else {
        (
            Address {
                base: address.base,
                offset: address.offset,
            },
            None,
        )
    };
    let before = match destination {
        Some(destination) if emitter.guard.is_some() => emitter.read(destination, register),
        _ => None,
    };
    let kept = match before {
        Some(before) => before,
        None => emitter.immediate(0, register),
    };
    let compares = Atomic {
        operation: "cas",
        ty: if register == R64 { "b64" } else { "b32" },
        vector: 1,
        ..*atomic
    };
    let old = emitter.retried(
        kept,
        register,
        |emitter| {
            let (name, width) = match (atomic.space, register) {
                (Space::Shared, R64) => (ori::Lds::NAME, "b64"),
                (Space::Shared, _) => (ori::Lds::NAME, "b32"),
                (Space::Global, R64) => (ori::Ldg::NAME, "b64"),
                (Space::Global, _) => (ori::Ldg::NAME, "b32"),
                (_, R64) => (ori::Ld::NAME, "b64"),
                _ => (ori::Ld::NAME, "b32"),
            };
            let op = emitter
                .operation(name, &[], &[("width", width)])
                .result(register);
            let op = addressed(emitter, op, "base", "offset", &address);
            emitter.emit(op)
        },
        |emitter, old| {
            let desired = match in_high {
                None => updated(emitter, atomic, old, values[0]),
                Some(in_high) => updated_half(emitter, atomic, in_high, old, values),
            };
            let nobody = Expression::Name("_");
            let one = [(Some(&nobody), register)];
            let ty = compares.ty;
            emit_native(emitter, &compares, ty, &address, &[old, desired], one).flatten()
        },
    )?;
    let Some(destination) = destination else {
        return Some(());
    };
    emitter.guarded = before.is_some();
    let old = match in_high {
        Some(in_high) => half_of(emitter, in_high, old),
        None => old,
    };
    if before.is_some() && in_high.is_some() {
        // The half of the kept value is not the destination's previous value.
        emitter.guarded = false;
    }
    emitter.write(destination, old)
}

/// The 32-bit container of a half, and whether the half is the high one.
fn around(
    emitter: &mut Emitter<'_, '_>,
    space: Space,
    address: &Address,
) -> Option<(Address, Value)> {
    let base = address.base?;
    let register = if space.is_narrow() { R } else { R64 };
    let offset = emitter.immediate(i64::from(address.offset), register);
    let whole = if register == R {
        emitter.plus(base, offset)
    } else {
        emitter.add_wide(base, offset, false)
    };
    let low = emitter.word(whole, 0);
    let aligned = emitter.masked(low, !3);
    let base = if register == R {
        aligned
    } else {
        let high = emitter.word(whole, 1);
        emitter.concat(&[aligned, high])
    };
    let (half, zero) = (emitter.masked(low, 2), emitter.word_of(0));
    let in_high = emitter.compared("ne", false, half, zero);
    Some((
        Address {
            base: Some(base),
            offset: 0,
        },
        in_high,
    ))
}

/// The half of a container, zero-extended.
fn half_of(emitter: &mut Emitter<'_, '_>, in_high: Value, word: Value) -> Value {
    let (low, high) = (emitter.bytes(word, 0x4410), emitter.bytes(word, 0x4432));
    emitter.chosen(in_high, high, low)
}

/// A container with one half replaced.
fn updated_half(
    emitter: &mut Emitter<'_, '_>,
    atomic: &Atomic<'_>,
    in_high: Value,
    old: Value,
    values: &[Value],
) -> Value {
    let half = half_of(emitter, in_high, old);
    let changed = match (atomic.operation, values) {
        ("cas", [expected, value]) => {
            let expected = emitter.masked(*expected, 0xffff);
            let same = emitter.compared("eq", false, half, expected);
            emitter.chosen(same, *value, half)
        }
        ("exch", [value, ..]) => *value,
        (_, [value, ..]) => updated(emitter, atomic, half, *value),
        _ => half,
    };
    let low = emitter.permuted(changed, 0x7610, old);
    let high = emitter.permuted(changed, 0x1054, old);
    emitter.chosen(in_high, high, low)
}
