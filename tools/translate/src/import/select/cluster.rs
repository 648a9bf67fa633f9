//! Stores and reductions counted by an mbarrier, multi-device memory, and cluster launch control:
//! `st.async`, `red.async`, `multimem`, `clusterlaunchcontrol`.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::super::variables::bytes_of;
use super::memory::{REDUCTIONS, VECTORS, width_of};
use super::modifiers::Words;
use super::spaces::{SCOPES, SPACES, Space, addressed};
use super::synchronize::{Fence, fence};
use super::uniform::{at_once, whole_address};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;
const R128: Register = Register::R128;

/// Bytes of an element that fills registers; `None` if unknown.
fn element_bytes(ty: &str) -> Option<u32> {
    bytes_of(ty).filter(|bytes| matches!(bytes, 4 | 8))
}

fn place_of<'a>(emitter: &mut Emitter<'_, 'a>, place: &Expression<'a>) -> Option<Value> {
    let address = emitter.address(place, true)?;
    whole_address(emitter, &address, R)
}

/// Selects `st.async` and `red.async`.
pub(super) fn select_counted<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    words.take(".async").then_some(())?;
    let ty = words.last()?;
    let operation = words.translated(&REDUCTIONS);
    let count = words.translated(&VECTORS).unwrap_or(1);
    words.any(&[".weak", ".relaxed"]);
    words.any(&[".cluster"]);
    let space = words.translated(&SPACES);
    words.take(".mbarrier::complete_tx::bytes").then_some(())?;
    words.done()?;
    (space == Some(Space::Cluster)).then_some(())?;
    let [place, value, barrier] = instruction.operands.as_slice() else {
        return None;
    };
    let bytes = element_bytes(ty)?;
    let register = Register::general(bytes * count / 4);
    let value = match value {
        Expression::Vector(_) => emitter.read_parts(value, register, count)?,
        one if count == 1 => emitter.source(one, register)?,
        _ => return None,
    };
    let width = width_of(bytes * count)?;
    let op = match (instruction.name, operation) {
        ("st", None) => emitter.operation(ori::Stas::NAME, &[], &[("width", width)]),
        ("red", Some(operation)) if count == 1 => {
            let ty = match (operation, ty) {
                ("and" | "or" | "xor", ".b32") => "b32",
                ("add" | "min" | "max", ".u32" | ".s32") => &ty[1..],
                ("inc" | "dec", ".u32") => "u32",
                // Signed and unsigned 64-bit sums are equal.
                ("add", ".u64" | ".s64") => "u64",
                _ => return None,
            };
            let words = [("operation", operation), ("type", ty)];
            emitter.operation(ori::Redas::NAME, &[], &words)
        }
        _ => return None,
    };
    let address = place_of(emitter, place)?;
    let barrier = place_of(emitter, barrier)?;
    let op = op.operand("address", address).operand("barrier", barrier);
    emitter.emit_kept(op.operand("value", value), &[])?;
    Some(())
}

/// The modifiers of `multimem`.
struct Multimem<'m> {
    ty: &'m str,
    count: u32,
    operation: Option<&'static str>,
    order: &'m str,
    scope: Option<&'static str>,
    wide_sums: bool,
}

impl<'m> Multimem<'m> {
    fn of(words: &mut Words<'m>) -> Option<Self> {
        let ty = words.last()?;
        let multimem = Multimem {
            ty,
            count: words.translated(&VECTORS).unwrap_or(1),
            operation: words.translated(&REDUCTIONS),
            order: words
                .any(&[".weak", ".relaxed", ".acquire", ".release"])
                .unwrap_or(".weak"),
            scope: words.translated(&SCOPES),
            wide_sums: words.take(".acc::f32"),
        };
        // An address without a space is global too.
        words.any(&[".global"]);
        words.done()?;
        Some(multimem)
    }

    /// The type of the dialect.
    fn kind(&self, operation: &str) -> Option<&'static str> {
        Some(match (operation, self.ty) {
            (_, ".f16x2") => "f16x2",
            (_, ".bf16x2") => "bf16x2",
            (_, ".f32") => "f32",
            (_, ".f64") => "f64",
            (_, ".u32") => "u32",
            (_, ".s32") => "s32",
            ("add", ".u64" | ".s64") | ("min" | "max", ".u64") => "u64",
            (_, ".s64") => "s64",
            ("and" | "or" | "xor", ".b32") => "b32",
            ("and" | "or" | "xor", ".b64") => "b64",
            _ => return None,
        })
    }

    fn ordered(&self, emitter: &mut Emitter<'_, '_>, op: MachineOperation) -> MachineOperation {
        // As in ptxas: accesses to multi-device memory are always strong.
        let op = op.word(emitter.context(), "order", "strong");
        op.word(emitter.context(), "scope", "sys")
    }
}

/// Selects `multimem`: a load combines the values of all devices, stores and reductions are applied
/// to all of them; only the address differs.
pub(super) fn select_multimem<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    let action = words.first()?;
    let multimem = Multimem::of(&mut words)?;
    let bytes = element_bytes(multimem.ty)? * multimem.count;
    let width = width_of(bytes)?;
    let register = Register::general(bytes / 4);
    let [first, second] = instruction.operands.as_slice() else {
        return None;
    };
    let place = if action == ".ld_reduce" {
        second
    } else {
        first
    };
    let address = emitter.address(place, false)?;
    if multimem.order == ".release" {
        fence(emitter, &Fence::before(multimem.scope?))?;
    }
    match action {
        ".ld_reduce" => {
            let operation = multimem.operation?;
            let kind = multimem.kind(operation)?;
            let words = [("width", width), ("operation", operation), ("type", kind)];
            let op = emitter.operation(ori::Ldgmc::NAME, &[], &words);
            let mut op = addressed(emitter, op, "base", "offset", &address);
            op = multimem.ordered(emitter, op);
            if multimem.wide_sums {
                op = op.flag("wide_sums");
            }
            let value = emitter.emit_kept(op, &[(first, register)])?[0];
            emitter.write_parts(first, value, multimem.count)?;
        }
        ".st" => {
            let value = emitter.read_parts(second, register, multimem.count)?;
            let op = emitter.operation(ori::Stg::NAME, &[], &[("width", width)]);
            let mut op = addressed(emitter, op, "base", "offset", &address);
            if multimem.order != ".weak" {
                op = multimem.ordered(emitter, op);
            }
            emitter.emit_kept(op.operand("value", value), &[])?;
        }
        ".red" if multimem.count == 1 => {
            let operation = multimem.operation?;
            let kind = multimem.kind(operation)?;
            let value = emitter.source(second, register)?;
            let words = [("operation", operation), ("type", kind), ("scope", "sys")];
            let op = emitter.operation(ori::Redg::NAME, &[], &words);
            let op = addressed(emitter, op, "base", "offset", &address);
            emitter.emit_kept(op.operand("value", value), &[])?;
        }
        _ => return None,
    }
    if multimem.order == ".acquire" {
        fence(emitter, &Fence::behind(multimem.scope?))?;
    }
    Some(())
}

/// Selects `clusterlaunchcontrol`.
pub(super) fn select_launch<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    (words.last()? == ".b128").then_some(())?;
    if words.take(".try_cancel") {
        return next_cluster(emitter, &mut words, &instruction.operands);
    }
    words.take(".query_cancel").then_some(())?;
    let [destination, answer] = instruction.operands.as_slice() else {
        return None;
    };
    let answer = emitter.read(answer, R128)?;
    match words.rest() {
        [".is_canceled", ".pred"] => {
            let word = emitter.word(answer, 2);
            let bit = emitter.masked(word, 1);
            let zero = emitter.word_of(0);
            let value = emitter.compared("ne", false, bit, zero);
            emitter.write(destination, value)
        }
        [".get_first_ctaid", ".v4", ".b32"] => {
            let all = first_cta(emitter, answer);
            let Expression::Vector(parts) = destination else {
                return None;
            };
            // The fourth is meaningless.
            (parts.len() == 4).then_some(())?;
            let fourth = emitter.word(answer, 3);
            for (part, value) in parts.iter().zip(all.into_iter().chain([fourth])) {
                emitter.write(part, value)?;
            }
            Some(())
        }
        [axis, ".b32"] => {
            let axes = ["::x", "::y", "::z"];
            let axis = axis.strip_prefix(".get_first_ctaid")?;
            let axis = axes.iter().position(|known| *known == axis)?;
            let value = first_cta(emitter, answer)[axis];
            emitter.write(destination, value)
        }
        _ => None,
    }
}

/// The grid coordinates in a response: a 32-bit value, and two halves of the next (observed in the
/// output of ptxas 13.0).
fn first_cta(emitter: &mut Emitter<'_, '_>, answer: Value) -> [Value; 3] {
    let x = emitter.word(answer, 0);
    let both = emitter.word(answer, 1);
    let y = emitter.masked(both, 0xffff);
    let amount = emitter.word_of(16);
    let z = emitter.right(both, amount, false);
    [x, y, z]
}

fn next_cluster<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    words.take(".async").then_some(())?;
    let broadcast = words.take(".multicast::cluster::all");
    let space = words.translated(&SPACES);
    matches!(space, None | Some(Space::Shared)).then_some(())?;
    words.take(".mbarrier::complete_tx::bytes").then_some(())?;
    words.done()?;
    let [response, barrier] = operands else {
        return None;
    };
    let places = [place_of(emitter, response)?, place_of(emitter, barrier)?];
    at_once(emitter, move |emitter| {
        let places = places.map(|place| emitter.made_uniform(place));
        let op = MachineOperation::new(ori::Ugetnextworkid::NAME)
            .operand("response", places[0])
            .operand("barrier", places[1]);
        emitter.emit_uniform(if broadcast { op.flag("broadcast") } else { op });
    })
}

/// Selects `createpolicy.range`: a policy by address range.
pub(super) fn select_range_policy<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
    evictions: &[(&str, &'static str)],
) -> Option<()> {
    words.any(&[".global"]);
    let (first, other) = (words.translated(evictions)?, words.translated(evictions));
    words.done()?;
    let [destination, place, primary, total] = operands else {
        return None;
    };
    let address = emitter.address(place, false)?;
    let address = whole_address(emitter, &address, R64)?;
    let sizes: [Value; 2] = [emitter.source(primary, R)?, emitter.source(total, R)?];
    let sources = [
        ("address", address.into()),
        ("primary_size", sizes[0].into()),
        ("total_size", sizes[1].into()),
    ];
    let mut op = emitter.operation(
        ori::CreatepolicyRange::NAME,
        &sources,
        &[("eviction", first)],
    );
    if let Some(other) = other {
        op = op.word(emitter.context(), "other_eviction", other);
    }
    let value = emitter.emit(op.result(R64));
    emitter.write(destination, value)
}
