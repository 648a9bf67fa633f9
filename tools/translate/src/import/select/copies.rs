//! Asynchronous copies: `cp.async`, bulk copies, tensor copies.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Address, Emitter};
use super::memory::{REDUCTIONS, width_of};
use super::modifiers::Words;
use super::spaces::{SPACES, Space, address_in, addressed};
use super::uniform::{at_once, whole_address};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;
const P: Register = Register::P;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    let operands = instruction.operands.as_slice();
    let reduces = words.take(".reduce");
    words.take(".async").then_some(())?;
    if words.take(".bulk") {
        return bulk(emitter, reduces, &mut words, operands);
    }
    (!reduces).then_some(())?;
    if words.take(".mbarrier") {
        return arrive_behind(emitter, &mut words, operands);
    }
    match (words.rest(), operands) {
        ([".commit_group"], []) => {
            emitter.emit_kept(MachineOperation::new(ori::Ldgdepbar::NAME), &[])?;
        }
        ([".wait_group"], [count]) => {
            let count = i32::try_from(count.as_integer()?).ok()?;
            wait(emitter, ori::Depbar::NAME, count, false)?;
        }
        ([".wait_all"], []) => {
            emitter.emit_kept(MachineOperation::new(ori::Ldgdepbar::NAME), &[])?;
            wait(emitter, ori::Depbar::NAME, 0, false)?;
        }
        _ => return global_to_shared(emitter, &mut words, operands),
    }
    Some(())
}

fn wait(emitter: &mut Emitter<'_, '_>, name: &'static str, count: i32, reads: bool) -> Option<()> {
    // The number of open groups never exceeds the machine's counter.
    (count >= 0).then_some(())?;
    let op = MachineOperation::new(name).number(emitter.context(), "count", count.min(63));
    emitter.emit_kept(if reads { op.flag("reads") } else { op }, &[])?;
    Some(())
}

/// `cp.async.mbarrier.arrive`: an arrival once the preceding copies are complete.
fn arrive_behind<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    words.take(".arrive").then_some(())?;
    let counted = words.take(".noinc");
    (words.last()? == ".b64").then_some(())?;
    let space = words.translated(&SPACES).unwrap_or(Space::Shared);
    words.done()?;
    (space == Space::Shared).then_some(())?;
    let [place] = operands else { return None };
    let address = emitter.address(place, true)?;
    let op = MachineOperation::new(ori::Arrives::NAME);
    let op = addressed(emitter, op, "base", "offset", &address);
    emitter.emit_kept(if counted { op.flag("counted") } else { op }, &[])?;
    Some(())
}

/// `cp.async.ca` and `.cg`: bypasses the first-level cache with `.cg`; zero-fills after `size`
/// bytes, if given, or everything with a predicate that ignores the source.
fn global_to_shared<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let bypass = words.any(&[".cg", ".ca"])? == ".cg";
    let hinted = words.take(".L2::cache_hint");
    let prefetches = [
        (".L2::64B", "ltc64b"),
        (".L2::128B", "ltc128b"),
        (".L2::256B", "ltc256b"),
    ];
    let prefetch = words.translated(&prefetches);
    matches!(words.rest(), [".shared" | ".shared::cta", ".global"]).then_some(())?;
    let (policy, operands) = match operands.split_last()? {
        (policy, rest) if hinted => (Some(policy), rest),
        _ => (None, operands),
    };
    let (to, from, bytes, size) = match operands {
        [to, from, bytes] => (to, from, bytes, None),
        [to, from, bytes, size] => (to, from, bytes, Some(size)),
        _ => return None,
    };
    let bytes = i32::try_from(bytes.as_integer()?).ok()?;
    let width = width_of(u32::try_from(bytes).ok()?)?;
    let (to, from) = (emitter.address(to, true)?, emitter.address(from, false)?);
    let mut op = MachineOperation::new(ori::Ldgsts::NAME);
    op = addressed(emitter, op, "shared_base", "shared_offset", &to);
    op = addressed(emitter, op, "base", "offset", &from);
    op = op.word(emitter.context(), "width", width);
    if bypass {
        op = op.word(emitter.context(), "bypass", "bypass");
    }
    if let Some(prefetch) = prefetch {
        op = op.word(emitter.context(), "prefetch", prefetch);
    }
    if let Some(size) = size {
        let size = if emitter.kind(size) == Some(P) {
            let ignores = emitter.read(size, P)?;
            let (none, all) = (emitter.word_of(0), emitter.word_of(bytes));
            emitter.chosen(ignores, none, all)
        } else {
            emitter.source(size, R)?
        };
        op = op.operand("size", size);
    }
    if let Some(policy) = policy {
        let policy = emitter.source(policy, R64)?;
        op = op.operand("policy", policy);
    }
    emitter.emit_kept(op, &[])?;
    Some(())
}

/// The modifiers of a bulk copy.
struct Bulk {
    reduces: bool,
    prefetches: bool,
    to: Option<Space>,
    from: Option<Space>,
    /// An mbarrier counts the bytes, rather than a group of copies.
    counted: bool,
    multicast: bool,
    hinted: bool,
    two_ctas: bool,
}

fn bulk<'a>(
    emitter: &mut Emitter<'_, 'a>,
    reduces: bool,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    if words.take(".commit_group") {
        words.done()?;
        return emitter.only_where_guarded(|emitter| {
            emitter.emit_uniform(MachineOperation::new(ori::Utmacmdflush::NAME));
        });
    }
    if words.take(".wait_group") {
        let reads = words.take(".read");
        words.done()?;
        let [count] = operands else { return None };
        let count = i32::try_from(count.as_integer()?).ok()?;
        return wait(emitter, ori::BulkWait::NAME, count, reads);
    }
    let prefetches = words.take(".prefetch");
    if prefetches {
        words.take(".L2").then_some(())?;
    }
    let tensor = words.take(".tensor");
    let (to, from) = if prefetches {
        (None, words.translated(&SPACES))
    } else {
        (words.translated(&SPACES), words.translated(&SPACES))
    };
    let counted = words.take(".mbarrier::complete_tx::bytes");
    let grouped = words.take(".bulk_group");
    (prefetches || counted != grouped).then_some(())?;
    let bulk = Bulk {
        reduces,
        prefetches,
        to,
        from,
        counted,
        multicast: words.take(".multicast::cluster"),
        hinted: words.take(".L2::cache_hint"),
        two_ctas: words.any(&[".cta_group::1", ".cta_group::2"]) == Some(".cta_group::2"),
    };
    if tensor {
        return tensor_copy(emitter, &bulk, words, operands);
    }
    block_copy(emitter, &bulk, words, operands)
}

/// The per-thread registers of a copy that become uniform, by operand group.
type Parts = Vec<(&'static str, Value)>;

/// Emits a copy for each active thread.
fn emit_copies<'a, 'e>(
    emitter: &mut Emitter<'e, 'a>,
    op: MachineOperation,
    parts: Parts,
) -> Option<()> {
    at_once(emitter, move |emitter| {
        let mut op = op;
        for (group, value) in parts {
            let value = emitter.made_uniform(value);
            op = op.operand(group, value);
        }
        emitter.emit_uniform(op);
    })
}

/// An address of shared memory of this CTA or, with its rank, of another CTA.
fn shared_address<'a>(emitter: &mut Emitter<'_, 'a>, place: &Expression<'a>) -> Option<Value> {
    let address = emitter.address(place, true)?;
    whole_address(emitter, &address, R)
}

fn global_address<'a>(emitter: &mut Emitter<'_, 'a>, place: &Expression<'a>) -> Option<Value> {
    let address = address_in(emitter, Space::Global, place)?;
    whole_address(emitter, &address, R64)
}

/// Takes the operands that modifiers require, after the others.
fn extras<'a>(
    emitter: &mut Emitter<'_, 'a>,
    bulk: &Bulk,
    rest: &[Expression<'a>],
    parts: &mut Parts,
) -> Option<()> {
    let mut rest = rest.iter();
    if bulk.multicast {
        let mask = emitter.source(rest.next()?, R)?;
        parts.push(("multicast", mask));
    }
    if bulk.hinted {
        let policy = emitter.source(rest.next()?, R64)?;
        parts.push(("policy", policy));
    }
    rest.next().is_none().then_some(())
}

/// A block of memory.
fn block_copy<'a>(
    emitter: &mut Emitter<'_, 'a>,
    bulk: &Bulk,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    (!bulk.two_ctas).then_some(())?;
    let mut parts = Parts::new();
    if bulk.prefetches {
        words.done()?;
        let [place, size, rest @ ..] = operands else {
            return None;
        };
        (bulk.from == Some(Space::Global)).then_some(())?;
        parts.push(("source", global_address(emitter, place)?));
        parts.push(("size", emitter.source(size, R)?));
        extras(emitter, bulk, rest, &mut parts)?;
        return emit_copies(emitter, MachineOperation::new(ori::Ublkpf::NAME), parts);
    }
    let [to, from, size, rest @ ..] = operands else {
        return None;
    };
    for (group, space, place) in [("destination", bulk.to?, to), ("source", bulk.from?, from)] {
        let value = match space {
            Space::Global => global_address(emitter, place)?,
            Space::Shared | Space::Cluster => shared_address(emitter, place)?,
            _ => return None,
        };
        parts.push((group, value));
    }
    parts.push(("size", emitter.source(size, R)?));
    let rest = match (bulk.counted, rest) {
        (true, [barrier, rest @ ..]) => {
            parts.push(("barrier", shared_address(emitter, barrier)?));
            rest
        }
        (false, rest) => rest,
        _ => return None,
    };
    if !bulk.reduces {
        let masked = words.take(".cp_mask");
        words.done()?;
        let rest = match (masked, rest) {
            (true, [rest @ .., mask]) => {
                parts.push(("bytes", emitter.source(mask, R)?));
                rest
            }
            (true, []) => return None,
            (false, rest) => rest,
        };
        extras(emitter, bulk, rest, &mut parts)?;
        return emit_copies(emitter, MachineOperation::new(ori::Ublkcp::NAME), parts);
    }
    let operation = words.translated(&REDUCTIONS)?;
    let kind = words.last()?;
    words.take(".noftz");
    words.done()?;
    let kind = match kind {
        ".u32" | ".s32" | ".u64" | ".s64" | ".b32" | ".b64" | ".f32" | ".f64" => &kind[1..],
        ".f16" => "f16x2",
        ".bf16" => "bf16x2",
        _ => return None,
    };
    // A reduction into shared memory signals its mbarrier as a copy does, which no operation here
    // expresses.
    (!bulk.counted && !bulk.multicast).then_some(())?;
    extras(emitter, bulk, rest, &mut parts)?;
    let words = [("operation", operation), ("type", kind)];
    let op = emitter.operation(ori::Ublkred::NAME, &[], &words);
    emit_copies(emitter, op, parts)
}

/// `[map, {x, y}]`: the address of the map and the start of the box.
fn tensor_place<'a>(
    emitter: &mut Emitter<'_, 'a>,
    place: &Expression<'a>,
    dimensions: usize,
    parts: &mut Parts,
) -> Option<()> {
    let Expression::Address(inner) = place else {
        return None;
    };
    let [map, coordinates] = inner.as_slice() else {
        return None;
    };
    let map = Expression::Address(vec![map.clone()]);
    parts.push(("descriptor", global_address(emitter, &map)?));
    let coordinates = match coordinates {
        Expression::Vector(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    (coordinates.len() == dimensions).then_some(())?;
    for coordinate in coordinates {
        parts.push(("coordinates", emitter.source(coordinate, R)?));
    }
    Some(())
}

/// The modes of a tensor copy.
const FORMS: [(&str, &str); 4] = [
    (".im2col::w", "w"),
    (".im2col::w::128", "w128"),
    (".tile::gather4", "gather4"),
    (".tile::scatter4", "scatter4"),
];

/// The im2col offsets, if any; and the remaining operands.
fn offsets<'x, 'a>(
    emitter: &mut Emitter<'_, 'a>,
    im2col: Option<&str>,
    form: Option<&str>,
    rest: &'x [Expression<'a>],
    parts: &mut Parts,
) -> Option<&'x [Expression<'a>]> {
    if im2col != Some(".im2col") && !matches!(form, Some("w" | "w128")) {
        return Some(rest);
    }
    let [Expression::Vector(offsets), rest @ ..] = rest else {
        return None;
    };
    for offset in offsets {
        parts.push(("offsets", emitter.source(offset, R)?));
    }
    Some(rest)
}

/// A box of a tensor.
fn tensor_copy<'a>(
    emitter: &mut Emitter<'_, 'a>,
    bulk: &Bulk,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let extents = [
        (".1d", 1usize),
        (".2d", 2),
        (".3d", 3),
        (".4d", 4),
        (".5d", 5),
    ];
    let dimensions = words.translated(&extents)?;
    let im2col = words.any(&[".im2col", ".im2col_no_offs"]);
    let form = words.translated(&FORMS);
    let operation = words.translated(&REDUCTIONS);
    words.take(".tile");
    words.done()?;
    (operation.is_some() == bulk.reduces).then_some(())?;
    // A column, and four rows instead of one.
    let coordinates = match form {
        Some("gather4" | "scatter4") => 5,
        _ => dimensions,
    };
    let mut parts = Parts::new();
    let loads = matches!(bulk.to, Some(Space::Shared | Space::Cluster));
    let (name, rest) = if bulk.prefetches {
        let (place, rest) = operands.split_first()?;
        tensor_place(emitter, place, coordinates, &mut parts)?;
        let rest = offsets(emitter, im2col, form, rest, &mut parts)?;
        (ori::Utmapf::NAME, rest)
    } else if loads {
        let [to, place, barrier, rest @ ..] = operands else {
            return None;
        };
        bulk.counted.then_some(())?;
        tensor_place(emitter, place, coordinates, &mut parts)?;
        parts.push(("destination", shared_address(emitter, to)?));
        parts.push(("barrier", shared_address(emitter, barrier)?));
        let rest = offsets(emitter, im2col, form, rest, &mut parts)?;
        (ori::Utmaldg::NAME, rest)
    } else {
        let [place, from, rest @ ..] = operands else {
            return None;
        };
        (bulk.to == Some(Space::Global) && !bulk.counted).then_some(())?;
        tensor_place(emitter, place, coordinates, &mut parts)?;
        parts.push(("source", shared_address(emitter, from)?));
        let name = if bulk.reduces {
            ori::Utmaredg::NAME
        } else {
            ori::Utmastg::NAME
        };
        (form.is_none() || !bulk.reduces).then_some(())?;
        (name, rest)
    };
    extras(emitter, bulk, rest, &mut parts)?;
    let mut op = MachineOperation::new(name);
    let dimensions = i32::try_from(dimensions).ok()?;
    op = op.number(emitter.context(), "dimensions", dimensions);
    if let Some(operation) = operation {
        op = op.word(emitter.context(), "operation", operation);
    }
    if im2col.is_some() {
        op = op.flag("im2col");
    }
    if let Some(form) = form {
        op = op.word(emitter.context(), "form", form);
    }
    if bulk.two_ctas {
        loads.then_some(())?;
        op = op.flag("two_ctas");
    }
    emit_copies(emitter, op, parts)
}

/// Selects `prefetch`, `discard` and `applypriority`: cache control for an address.
pub(super) fn select_cache<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    let (place, size) = match instruction.operands.as_slice() {
        [place] => (place, None),
        [place, size] => (place, Some(size.as_integer()?)),
        _ => return None,
    };
    if words.take(".tensormap") {
        let _ = words.translated(&SPACES);
        words.done()?;
        let map = global_address(emitter, place)?;
        let op = emitter.operation(ori::Utmacctl::NAME, &[], &[("action", "pf")]);
        return emit_copies(emitter, op, vec![("descriptor", map)]);
    }
    let space = words.translated(&SPACES).unwrap_or_default();
    let action = match (instruction.name, words.rest(), size) {
        ("prefetch" | "prefetchu", [".L1"], None) => "pf1",
        ("prefetch", [".L2"] | [".L2::evict_normal"], None) => "pf2",
        ("prefetch", [".L2::evict_last"], None) => "pml2",
        ("discard", [".L2"], Some(128)) => "rml2",
        ("applypriority", [".L2::evict_normal"], Some(128)) => "dml2",
        _ => return None,
    };
    let name = match space {
        Space::Generic | Space::Global => ori::Cctl::NAME,
        Space::Local => ori::Cctll::NAME,
        _ => return None,
    };
    let address: Address = address_in(emitter, space, place)?;
    let op = emitter.operation(name, &[], &[("action", action)]);
    let op = addressed(emitter, op, "base", "offset", &address);
    emitter.emit_kept(op, &[])?;
    Some(())
}

/// Selects `createpolicy`.
pub(super) fn select_policy<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let mut words = Words::of(instruction);
    (words.last()? == ".b64").then_some(())?;
    if words.take(".cvt") {
        // Access-window properties already are a policy.
        (words.rest() == [".L2"]).then_some(())?;
        let value = emitter.source(sources.first()?, R64)?;
        return emitter.write(destination, value);
    }
    let evictions = [
        (".L2::evict_first", "evict_first"),
        (".L2::evict_last", "evict_last"),
        (".L2::evict_normal", "evict_normal"),
        (".L2::evict_unchanged", "evict_unchanged"),
    ];
    if words.take(".range") {
        let operands = &instruction.operands;
        return super::cluster::select_range_policy(emitter, &mut words, operands, &evictions);
    }
    words.take(".fractional").then_some(())?;
    let (first, other) = (words.translated(&evictions)?, words.translated(&evictions));
    words.done()?;
    let fraction = match sources {
        [] => emitter.float_of(1.0),
        [fraction] => emitter.source(fraction, R)?,
        _ => return None,
    };
    let sources = [("fraction", fraction.into())];
    let mut op = emitter.operation(ori::Createpolicy::NAME, &sources, &[("eviction", first)]);
    if let Some(other) = other {
        op = op.word(emitter.context(), "other_eviction", other);
    }
    let value = emitter.emit(op.result(R64));
    emitter.write(destination, value)
}
