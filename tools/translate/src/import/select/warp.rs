//! Operations between the threads of a warp, and CTA barriers.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::emit::Source;
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;
const P: Register = Register::P;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "shfl" => shuffle(emitter, instruction),
        "vote" => vote(emitter, instruction),
        "match" => matches(emitter, instruction),
        "redux" => reduce(emitter, instruction),
        "elect" => elect(emitter, instruction),
        "activemask" => {
            let [destination] = instruction.operands.as_slice() else {
                return None;
            };
            (instruction.modifiers == [".b32"]).then_some(())?;
            let truth = emitter.truth(true);
            let op = emitter.operation(ori::Vote::NAME, &[("a", truth.into())], &[("vote", "any")]);
            let value = emitter.emit_kept(op, &[(destination, R)])?[0];
            emitter.write(destination, value)
        }
        _ => barrier(emitter, instruction),
    }
}

/// A destination `d|p`, or `d` alone.
fn both<'x, 'a>(operand: &'x Expression<'a>) -> (&'x Expression<'a>, Option<&'x Expression<'a>>) {
    match operand {
        Expression::Binary("|", first, second) => (first, Some(second)),
        one => (one, None),
    }
}

fn barrier<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    if words.take(".warp") {
        (words.rest() == [".sync"]).then_some(())?;
        let [mask] = instruction.operands.as_slice() else {
            return None;
        };
        let mut op = MachineOperation::new(ori::Warpsync::NAME);
        if !is_whole_warp(mask) {
            let mask = emitter.source(mask, R)?;
            op = op.operand("mask", mask);
        }
        emitter.emit_kept(op, &[])?;
        return Some(());
    }
    words.take(".cta");
    words.take(".aligned");
    let mode = words.translated(&[(".sync", "sync"), (".arrive", "arrive"), (".red", "reduce")])?;
    let operands = instruction.operands.as_slice();
    if mode == "reduce" {
        return reducing_barrier(emitter, &mut words, operands);
    }
    words.done()?;
    let (index, threads) = match operands {
        [index] => (index, None),
        [index, threads] => (index, Some(threads)),
        _ => return None,
    };
    let op = numbered_barrier(emitter, mode, index, threads)?;
    emitter.emit_kept(op, &[])?;
    Some(())
}

/// A barrier by its index, for this many threads.
fn numbered_barrier<'a>(
    emitter: &mut Emitter<'_, 'a>,
    mode: &str,
    index: &Expression<'a>,
    threads: Option<&Expression<'a>>,
) -> Option<MachineOperation> {
    let mut op = emitter.operation(ori::Bar::NAME, &[], &[("mode", mode)]);
    op = match index.as_integer() {
        Some(index @ 0..=15) => op.number(emitter.context(), "index", i32::try_from(index).ok()?),
        Some(_) => return None,
        None => {
            let index = emitter.source(index, R)?;
            op.operand("barrier", index)
        }
    };
    if let Some(threads) = threads {
        let threads = emitter.source(threads, R)?;
        op = op.operand("threads", threads);
    }
    Some(op)
}

fn reducing_barrier<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let reductions = [
        (".popc", ("popc", R)),
        (".and", ("and", P)),
        (".or", ("or", P)),
    ];
    let (reduction, register) = words.translated(&reductions)?;
    words.any(&[".u32", ".pred"])?;
    words.done()?;
    let (destination, index, threads, predicate) = match operands {
        [destination, index, predicate] => (destination, index, None, predicate),
        [destination, index, threads, predicate] => (destination, index, Some(threads), predicate),
        _ => return None,
    };
    let op = numbered_barrier(emitter, "reduce", index, threads)?;
    let (value, modifiers) = emitter.read_predicate(predicate)?;
    let op = op.modified("predicate", value, modifiers);
    let op = op.word(emitter.context(), "barrier_reduction", reduction);
    let value = emitter.emit_kept(op, &[(destination, register)])?[0];
    emitter.write(destination, value)
}

fn is_whole_warp(mask: &Expression<'_>) -> bool {
    matches!(mask.as_integer(), Some(-1 | 0xffff_ffff))
}

/// Waits for the threads of a mask, unless it is the whole warp.
fn gather<'a>(emitter: &mut Emitter<'_, 'a>, mask: &Expression<'a>) -> Option<()> {
    if !is_whole_warp(mask) {
        let mask = emitter.source(mask, R)?;
        let op = MachineOperation::new(ori::Warpsync::NAME).operand("mask", mask);
        emitter.emit_kept(op, &[])?;
    }
    Some(())
}

/// One elected lane of the warp, and its index.
fn elect<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let ([".sync"], [destination, mask]) = (
        instruction.modifiers.as_slice(),
        instruction.operands.as_slice(),
    ) else {
        return None;
    };
    let (lane, Some(elected)) = both(destination) else {
        return None;
    };
    let mask = whole_or_value(emitter, mask)?;
    let wants_number = *lane != Expression::Name("_");
    let mut targets = vec![(elected, P)];
    targets.extend(wants_number.then_some((lane, R)));
    let values = emitter.values_where_guarded(&targets, |emitter| {
        let mut op = MachineOperation::new(ori::Elect::NAME).result(P);
        if let Some(mask) = mask {
            let gathered = MachineOperation::new(ori::Warpsync::NAME).operand("mask", mask);
            emitter.emit_all(gathered);
            op = op.operand("mask", mask);
        }
        let values = emitter.emit_all(op.result(Register::Ur));
        let mut all = vec![values[0]];
        if wants_number {
            all.push(emitter.made_varying(values[1]));
        }
        all
    })?;
    if wants_number {
        emitter.write(lane, values[1])?;
    }
    emitter.write(elected, values[0])
}

/// A thread mask; `None` for the whole warp.
fn whole_or_value<'a>(
    emitter: &mut Emitter<'_, 'a>,
    mask: &Expression<'a>,
) -> Option<Option<Value>> {
    if is_whole_warp(mask) {
        return Some(None);
    }
    emitter.source(mask, R).map(Some)
}

fn shuffle<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    (words.last()? == ".b32").then_some(())?;
    let mode = words.any(&[".idx", ".up", ".down", ".bfly"])?;
    (words.rest() == [".sync"]).then_some(())?;
    let [destination, a, lane, bounds, mask] = instruction.operands.as_slice() else {
        return None;
    };
    gather(emitter, mask)?;
    let mut op = emitter.operation(ori::Shfl::NAME, &[], &[("shuffle", &mode[1..])]);
    for (group, source) in [("a", a), ("lane", lane), ("bounds", bounds)] {
        let value = emitter.source(source, R)?;
        op = op.operand(group, value);
    }
    let (value, valid) = both(destination);
    let results: Vec<_> = [(value, R)]
        .into_iter()
        .chain(valid.map(|valid| (valid, P)))
        .collect();
    let values = emitter.emit_kept(op, &results)?;
    for ((target, _), value) in results.iter().zip(values) {
        emitter.write(target, value)?;
    }
    Some(())
}

fn vote<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let [destination, predicate, mask] = instruction.operands.as_slice() else {
        return None;
    };
    let (mode, answers) = match instruction.modifiers.as_slice() {
        [".sync", ".ballot", ".b32"] => ("any", false),
        [".sync", ".any", ".pred"] => ("any", true),
        [".sync", ".all", ".pred"] => ("all", true),
        [".sync", ".uni", ".pred"] => ("eq", true),
        _ => return None,
    };
    gather(emitter, mask)?;
    let (value, modifiers) = emitter.read_predicate(predicate)?;
    let sources = [("a", Source { value, modifiers })];
    let op = emitter.operation(ori::Vote::NAME, &sources, &[("vote", mode)]);
    if answers {
        // The lanes are unused, so that the guard need not preserve them.
        let guard = emitter.guard.take();
        let value = emitter.emit_all(op_guarded(op.result(R).result(P), guard))[1];
        emitter.guard = guard;
        return emitter.write(destination, value);
    }
    let ballot = emitter.emit_kept(op, &[(destination, R)])?[0];
    emitter.write(destination, ballot)
}

/// An operation under a guard, whose results are undefined if it is false.
fn op_guarded(op: MachineOperation, guard: Option<(Value, bool)>) -> MachineOperation {
    use orison_ori::modifiers::Modifier;
    match guard {
        Some((predicate, true)) => op.modified("guard", predicate, &[Modifier::Invert]),
        Some((predicate, false)) => op.operand("guard", predicate),
        None => op,
    }
}

/// Which lanes have the same value.
fn matches<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    let register = match words.last()? {
        ".b32" => R,
        ".b64" => R64,
        _ => return None,
    };
    let mode = words.any(&[".any", ".all"])?;
    (words.rest() == [".sync"]).then_some(())?;
    let [destination, a, mask] = instruction.operands.as_slice() else {
        return None;
    };
    gather(emitter, mask)?;
    let a = emitter.source(a, register)?;
    let op = emitter.operation(
        ori::Match::NAME,
        &[("a", a.into())],
        &[("match", &mode[1..])],
    );
    let (lanes, answer) = both(destination);
    let results: Vec<_> = [(lanes, R)]
        .into_iter()
        .chain(answer.map(|answer| (answer, P)))
        .collect();
    (answer.is_none() || mode == ".all").then_some(())?;
    let values = emitter.emit_kept(op, &results)?;
    for ((target, _), value) in results.iter().zip(values) {
        emitter.write(target, value)?;
    }
    Some(())
}

const REDUCTIONS: [(&str, &str); 6] = [
    (".add", "sum"),
    (".min", "min"),
    (".max", "max"),
    (".and", "and"),
    (".or", "or"),
    (".xor", "xor"),
];

/// A reduction over all lanes. An operation with a uniform result cannot have the guard of a
/// thread: threads branch around it.
fn reduce<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    words.take(".sync").then_some(())?;
    let reduction = words.translated(&REDUCTIONS)?;
    let ty = words.last()?;
    let magnitudes = words.take(".abs");
    let none_wins = words.take(".NaN");
    words.done()?;
    let [destination, a, mask] = instruction.operands.as_slice() else {
        return None;
    };
    let a = emitter.source(a, R)?;
    let mask = whole_or_value(emitter, mask)?;
    let op = match (ty, reduction) {
        (".f32", "min" | "max") => {
            let words = [("reduction", reduction), ("from", "f32")];
            let op = emitter.operation(ori::Credux::NAME, &[("a", a.into())], &words);
            let op = if magnitudes { op.flag("absolute") } else { op };
            if none_wins { op.flag("nan_wins") } else { op }
        }
        (".u32" | ".s32", "sum" | "min" | "max") => {
            (!magnitudes && !none_wins).then_some(())?;
            let words = [("reduction", reduction), ("signedness", &ty[1..])];
            emitter.operation(ori::Redux::NAME, &[("a", a.into())], &words)
        }
        (".b32", "and" | "or" | "xor") => {
            (!magnitudes && !none_wins).then_some(())?;
            emitter.operation(
                ori::Redux::NAME,
                &[("a", a.into())],
                &[("reduction", reduction)],
            )
        }
        _ => return None,
    };
    let values = emitter.values_where_guarded(&[(destination, R)], |emitter| {
        if let Some(mask) = mask {
            let gathered = MachineOperation::new(ori::Warpsync::NAME).operand("mask", mask);
            emitter.emit_all(gathered);
        }
        let value = emitter.emit(op.result(Register::Ur));
        vec![emitter.made_varying(value)]
    })?;
    emitter.write(destination, values[0])
}
