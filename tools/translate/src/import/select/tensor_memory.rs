//! Tensor memory and its products: `tcgen05`.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::matrix::parts;
use super::modifiers::Words;
use super::spaces::addressed;
use super::uniform::{at_once, whole_address};
use super::warp_group::{hand_on, predicate};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    let action = words.first()?;
    let group = words.any(&[".cta_group::1", ".cta_group::2"]);
    let two = group == Some(".cta_group::2");
    let operands = instruction.operands.as_slice();
    match action {
        ".alloc" => allocate(emitter, &mut words, operands),
        ".dealloc" => {
            (words.rest() == [".sync", ".aligned", ".b32"]).then_some(())?;
            let [address, columns] = emitter.sources(operands, R)?;
            emitter.only_where_guarded(|emitter| {
                let (address, columns) =
                    (emitter.made_uniform(address), emitter.made_uniform(columns));
                let sources = [("address", address.into()), ("columns", columns.into())];
                let op = emitter.operation(ori::TensorDealloc::NAME, &sources, &[]);
                emitter.emit_uniform(op);
            })
        }
        ".relinquish_alloc_permit" => {
            (words.rest() == [".sync", ".aligned"] && operands.is_empty()).then_some(())?;
            emitter.only_where_guarded(|emitter| {
                emitter.emit_uniform(MachineOperation::new(ori::TensorPermit::NAME));
            })
        }
        ".ld" | ".st" => transfer(emitter, action == ".ld", &mut words, operands),
        ".wait::ld" => {
            (words.rest() == [".sync", ".aligned"]).then_some(())?;
            let op = MachineOperation::new(ori::TensorWaitLd::NAME);
            hand_on(emitter, "tcgen05", "values", op)
        }
        ".wait::st" => {
            (words.rest() == [".sync", ".aligned"]).then_some(())?;
            emitter.emit_kept(MachineOperation::new(ori::TensorWaitSt::NAME), &[])?;
            Some(())
        }
        ".fence::before_thread_sync" | ".fence::after_thread_sync" => {
            words.done()?;
            let op = emitter.operation(ori::Fence::NAME, &[], &[("view", "tensor")]);
            emitter.emit_kept(op, &[])?;
            Some(())
        }
        ".commit" => commit(emitter, two, &mut words, operands),
        ".cp" => copy(emitter, two, &mut words, operands),
        ".shift" => {
            (words.rest() == [".down"]).then_some(())?;
            let [place] = operands else { return None };
            let address = emitter.address(place, true)?;
            let address = whole_address(emitter, &address, R)?;
            let op = MachineOperation::new(ori::TensorShift::NAME);
            emit_once(emitter, op, two, vec![("address", address)])
        }
        ".mma" => product(emitter, two, &mut words, operands),
        _ => None,
    }
}

/// Emits an operation once for each active thread, with uniform registers.
fn emit_once<'a, 'e>(
    emitter: &mut Emitter<'e, 'a>,
    op: MachineOperation,
    two_ctas: bool,
    parts: Vec<(&'static str, Value)>,
) -> Option<()> {
    at_once(emitter, move |emitter| {
        let mut op = op;
        for (group, value) in parts {
            let value = emitter.made_uniform(value);
            op = op.operand(group, value);
        }
        emitter.emit_uniform(if two_ctas { op.flag("two_ctas") } else { op });
    })
}

/// Allocates columns of tensor memory, whose address is written to shared memory.
fn allocate<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    (words.last()? == ".b32").then_some(())?;
    words.any(&[".shared::cta", ".shared"]);
    (words.rest() == [".sync", ".aligned"]).then_some(())?;
    let [place, columns] = operands else {
        return None;
    };
    let columns = emitter.source(columns, R)?;
    let place = emitter.address(place, true)?;
    emitter.only_where_guarded(|emitter| {
        let columns = emitter.made_uniform(columns);
        let op = emitter.operation(ori::TensorAlloc::NAME, &[("columns", columns.into())], &[]);
        let address = emitter.emit(op.result(Register::Ur));
        let address = emitter.made_varying(address);
        let sources = [("value", address.into())];
        let op = emitter.operation(ori::Sts::NAME, &sources, &[("width", "b32")]);
        let op = addressed(emitter, op, "base", "offset", &place);
        emitter.emit_uniform(op);
    })
}

const SHAPES: [(&str, (&str, u32)); 5] = [
    (".16x64b", ("s16x64b", 1)),
    (".16x128b", ("s16x128b", 2)),
    (".16x256b", ("s16x256b", 4)),
    (".32x32b", ("s32x32b", 1)),
    (".16x32bx2", ("s16x32bx2", 1)),
];

fn transfer<'a>(
    emitter: &mut Emitter<'_, 'a>,
    loads: bool,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    (words.take(".sync") && words.take(".aligned")).then_some(())?;
    (words.last()? == ".b32").then_some(())?;
    let (shape, each) = words.translated(&SHAPES)?;
    let packs = words.take(if loads { ".pack::16b" } else { ".unpack::16b" });
    let repeat: u32 = words.first()?.strip_prefix(".x")?.parse().ok()?;
    words.done()?;
    (repeat.is_power_of_two() && repeat <= 128).then_some(())?;
    let (place, data, distance) = match (loads, operands) {
        (true, [data, place, distance @ ..]) => (place, data, distance),
        (false, [place, rest @ ..]) => {
            let (data, distance) = rest.split_last()?;
            (place, data, distance)
        }
        _ => return None,
    };
    let count = each * repeat;
    (count <= 128).then_some(())?;
    (parts(data).len() == usize::try_from(count).ok()?).then_some(())?;
    let address = emitter.address(place, true)?;
    let address = whole_address(emitter, &address, R)?;
    let name = if loads {
        ori::TensorLd::NAME
    } else {
        ori::TensorSt::NAME
    };
    let sources = [("address", address.into())];
    let mut op = emitter.operation(name, &sources, &[("tensor_shape", shape)]);
    op = op.number(emitter.context(), "repeat", i32::try_from(repeat).ok()?);
    match (shape, distance) {
        ("s16x32bx2", [distance]) => {
            let distance = i32::try_from(distance.as_integer()?).ok()?;
            op = op.number(emitter.context(), "half_distance", distance);
        }
        ("s16x32bx2", _) => return None,
        (_, []) => {}
        _ => return None,
    }
    if packs {
        op = op.flag("pack");
    }
    let register = Register::general(count);
    if loads {
        let value = emitter.emit_kept(op, &[(data, register)])?[0];
        return emitter.write_parts(data, value, count);
    }
    let value = emitter.read_parts(data, register, count)?;
    emitter.emit_kept(op.operand("value", value), &[])?;
    Some(())
}

fn commit<'a>(
    emitter: &mut Emitter<'_, 'a>,
    two: bool,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    (words.last()? == ".b64").then_some(())?;
    words.take(".mbarrier::arrive::one").then_some(())?;
    words.any(&[".shared::cluster", ".shared::cta", ".shared"]);
    let multicast = words.take(".multicast::cluster");
    words.done()?;
    let (place, rest) = operands.split_first()?;
    let barrier = emitter.address(place, true)?;
    let mut all = vec![("barrier", whole_address(emitter, &barrier, R)?)];
    match (multicast, rest) {
        (true, [mask]) => all.push(("multicast", emitter.source(mask, R)?)),
        (false, []) => {}
        _ => return None,
    }
    emit_once(
        emitter,
        MachineOperation::new(ori::TensorCommit::NAME),
        two,
        all,
    )
}

const COPIES: [(&str, &str); 5] = [
    (".128x256b", "s128x256b"),
    (".4x256b", "s4x256b"),
    (".128x128b", "s128x128b"),
    (".64x128b", "s64x128b"),
    (".32x128b", "s32x128b"),
];

fn copy<'a>(
    emitter: &mut Emitter<'_, 'a>,
    two: bool,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let shape = words.translated(&COPIES)?;
    let warps = words.translated(&[
        (".warpx2::02_13", "warpx2_02_13"),
        (".warpx2::01_23", "warpx2_01_23"),
        (".warpx4", "warpx4"),
    ]);
    let from = words.translated(&[(".b8x16.b6x16_p32", "e3m2"), (".b8x16.b4x16_p64", "e2m1")]);
    words.done()?;
    from.is_none().then_some(())?;
    let [place, descriptor] = operands else {
        return None;
    };
    let address = emitter.address(place, true)?;
    let address = whole_address(emitter, &address, R)?;
    let source = emitter.source(descriptor, R64)?;
    let mut op = emitter.operation(ori::TensorCp::NAME, &[], &[("copy_shape", shape)]);
    if let Some(warps) = warps {
        op = op.word(emitter.context(), "copy_warps", warps);
    }
    emit_once(
        emitter,
        op,
        two,
        vec![("address", address), ("source", source)],
    )
}

const KINDS: [(&str, (&str, bool)); 7] = [
    (".kind::f16", ("f16", false)),
    (".kind::tf32", ("tf32", false)),
    (".kind::f8f6f4", ("f8f6f4", false)),
    (".kind::i8", ("i8", false)),
    (".kind::mxf8f6f4", ("mxf8f6f4", true)),
    (".kind::mxf4", ("mxf4", true)),
    (".kind::mxf4nvf4", ("mxf4nvf4", true)),
];

fn product<'a>(
    emitter: &mut Emitter<'_, 'a>,
    two: bool,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let (kind, scaled) = words.translated(&KINDS)?;
    (words.take(".block_scale") == scaled).then_some(())?;
    words.any(&[
        ".block16",
        ".block32",
        ".scale_vec::1X",
        ".scale_vec::2X",
        ".scale_vec::4X",
    ]);
    // Collector usage of the left matrix is a hint: the matrix is given each time.
    words.any(&[
        ".collector::a::fill",
        ".collector::a::use",
        ".collector::a::lastuse",
        ".collector::a::discard",
    ]);
    words.done()?;
    let [d, a, b, instruction, rest @ ..] = operands else {
        return None;
    };
    let tensor_address = |emitter: &mut Emitter<'_, 'a>, place: &Expression<'a>| {
        let address = emitter.address(place, true)?;
        whole_address(emitter, &address, R)
    };
    let mut all = vec![("accumulator", tensor_address(emitter, d)?)];
    let left = match a {
        Expression::Address(_) => tensor_address(emitter, a)?,
        descriptor => emitter.source(descriptor, R64)?,
    };
    all.push(("a", left));
    all.push(("b", emitter.source(b, R64)?));
    all.push(("instruction", emitter.source(instruction, R)?));
    let rest = if scaled {
        let (scales, rest) = rest.split_at_checked(2)?;
        for scale in scales {
            all.push(("scales", tensor_address(emitter, scale)?));
        }
        rest
    } else {
        rest
    };
    // The operation cannot encode lane masks and scales of the accumulator.
    let [scale] = rest else { return None };
    match predicate(emitter, scale)? {
        Ok(value) => all.push(("scale", value)),
        Err(true) => {}
        Err(false) => all.push(("scale", emitter.truth(false))),
    }
    let op = emitter.operation(ori::TensorMma::NAME, &[], &[("tensor_kind", kind)]);
    emit_once(emitter, op, two, all)
}
