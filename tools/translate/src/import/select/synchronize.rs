//! Fences, cluster barriers, mbarriers, sleep, and other synchronization.

use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::modifiers::Words;
use super::spaces::{SCOPES, SPACES, Space, address_in, addressed};
use super::uniform::at_once;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;
const P: Register = Register::P;

/// A fence for a scope of threads.
pub(super) struct Fence {
    /// Whether all such fences are totally ordered.
    consistent: bool,
    scope: &'static str,
    /// Earlier accesses are ordered before it.
    releases: bool,
    /// Later accesses are ordered after it.
    acquires: bool,
}

impl Fence {
    /// The fence before a release.
    pub fn before(scope: &'static str) -> Self {
        Fence {
            consistent: false,
            scope,
            releases: true,
            acquires: false,
        }
    }

    /// The fence after an acquire.
    pub fn behind(scope: &'static str) -> Self {
        Fence {
            consistent: false,
            scope,
            releases: false,
            acquires: true,
        }
    }

    const fn both(consistent: bool, scope: &'static str) -> Self {
        Fence {
            consistent,
            scope,
            releases: true,
            acquires: true,
        }
    }
}

/// Emits a fence: a memory barrier, a wait for errors, and invalidation of the first-level cache.
/// Threads of a CTA share that cache.
pub(super) fn fence(emitter: &mut Emitter<'_, '_>, fence: &Fence) -> Option<()> {
    let scope = if fence.scope == "cluster" {
        "gpu"
    } else {
        fence.scope
    };
    if fence.releases {
        let order = if fence.consistent { "sc" } else { "all" };
        let op = emitter.operation(
            ori::Membar::NAME,
            &[],
            &[("fence", order), ("scope", scope)],
        );
        emitter.emit_kept(op, &[])?;
    }
    if scope == "cta" {
        return Some(());
    }
    if fence.releases {
        emitter.emit_kept(MachineOperation::new(ori::Errbar::NAME), &[])?;
        if emitter.sm() >= 90 {
            emitter.emit_kept(MachineOperation::new(ori::Cgaerrbar::NAME), &[])?;
        }
    }
    if fence.acquires {
        let op = emitter.operation(ori::Cctl::NAME, &[], &[("action", "ivall")]);
        let op = op.number(emitter.context(), "offset", 0);
        emitter.emit_kept(op, &[])?;
    }
    Some(())
}

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "membar" => {
            let mut words = Words::of(instruction);
            if words.take(".proxy") {
                return proxy_fence(emitter, &mut words, &instruction.operands);
            }
            let scope = words.translated(&SCOPES)?;
            words.done()?;
            fence(emitter, &Fence::both(true, scope))
        }
        "fence" => select_fence(emitter, instruction),
        "mbarrier" => mbarrier(emitter, instruction),
        "nanosleep" => {
            let [duration] = emitter.sources(&instruction.operands, R)?;
            (instruction.modifiers == [".u32"]).then_some(())?;
            let op = MachineOperation::new(ori::Nanosleep::NAME).operand("duration", duration);
            emitter.emit_kept(op, &[])?;
            Some(())
        }
        "griddepcontrol" => {
            let name = match instruction.modifiers.as_slice() {
                [".wait"] => ori::Acqbulk::NAME,
                [".launch_dependents"] => ori::Preexit::NAME,
                _ => return None,
            };
            emitter.emit_kept(MachineOperation::new(name), &[])?;
            Some(())
        }
        "setmaxnreg" => {
            let mut words = Words::of(instruction);
            let pool = words.translated(&[(".inc", "inc"), (".dec", "dec")])?;
            (words.rest() == [".sync", ".aligned", ".u32"]).then_some(())?;
            let [count] = instruction.operands.as_slice() else {
                return None;
            };
            let count = i32::try_from(count.as_integer()?).ok()?;
            ((24..=256).contains(&count) && count % 8 == 0).then_some(())?;
            let op = emitter.operation(ori::Setmaxreg::NAME, &[], &[("pool", pool)]);
            let op = op.number(emitter.context(), "count", count);
            emitter.emit_kept(op, &[])?;
            Some(())
        }
        "pmevent" => {
            let [event] = instruction.operands.as_slice() else {
                return None;
            };
            let number = i32::try_from(event.as_integer()?).ok()?;
            let events = match instruction.modifiers.as_slice() {
                [] if (0..16).contains(&number) => 1 << number,
                [".mask"] if (0..1 << 16).contains(&number) => number,
                _ => return None,
            };
            let op = MachineOperation::new(ori::Pmtrig::NAME);
            let op = op.number(emitter.context(), "events", events);
            emitter.emit_kept(op, &[])?;
            Some(())
        }
        "brkpt" => {
            let op = emitter.operation(ori::Bpt::NAME, &[], &[("trap", "trap")]);
            emitter.emit_kept(op, &[])?;
            Some(())
        }
        _ => None,
    }
}

fn select_fence<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    if words.take(".proxy") {
        return proxy_fence(emitter, &mut words, &instruction.operands);
    }
    if words.take(".mbarrier_init") {
        // Initialized mbarriers are visible to the cluster as soon as they are written.
        (words.rest() == [".release", ".cluster"]).then_some(())?;
        return Some(());
    }
    instruction.operands.is_empty().then_some(())?;
    if restricted(&mut words)? {
        // For mbarriers only, whose operations are ordered by themselves.
        words.any(&[".acquire", ".release"])?;
        words.take(".cluster").then_some(())?;
        return words.done();
    }
    let order = words.any(&[".sc", ".acq_rel", ".acquire", ".release"])?;
    let scope = words.translated(&SCOPES)?;
    words.done()?;
    let wanted = match order {
        ".acquire" => Fence {
            releases: true,
            ..Fence::behind(scope)
        },
        ".release" => Fence::before(scope),
        order => Fence::both(order == ".sc", scope),
    };
    fence(emitter, &wanted)
}

/// Whether a fence is restricted to shared-memory synchronization; `None` if the restriction is
/// invalid.
fn restricted(words: &mut Words<'_>) -> Option<bool> {
    let acquires = words.take(".sync_restrict::shared::cluster");
    let releases = words.take(".sync_restrict::shared::cta");
    let wanted = match (acquires, releases) {
        (false, false) => return Some(false),
        (true, false) => ".acquire",
        (false, true) => ".release",
        _ => return None,
    };
    words.rest().contains(&wanted).then_some(true)
}

/// Orders accesses through different proxies.
fn proxy_fence<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    if words.take(".alias") {
        words.done()?;
        // An alias of the same memory: a full fence.
        return fence(emitter, &Fence::both(true, "sys"));
    }
    if words.take(".tensormap::generic") {
        return tensor_map_fence(emitter, words, operands);
    }
    operands.is_empty().then_some(())?;
    let space = if words.take(".async::generic") {
        restricted(words)?.then_some(())?;
        words.any(&[".acquire", ".release"])?;
        words.take(".cluster").then_some(())?;
        Some(Space::Shared)
    } else {
        words.take(".async").then_some(())?;
        words.translated(&SPACES)
    };
    words.done()?;
    let (scope, views): (_, &[_]) = match space {
        Some(Space::Shared | Space::Cluster) => (Some("cta"), &["shared"]),
        Some(Space::Global) => (None, &["generic"]),
        None => (Some("gpu"), &["shared", "generic"]),
        _ => return None,
    };
    if let Some(scope) = scope {
        let op = emitter.operation(
            ori::Membar::NAME,
            &[],
            &[("fence", "all"), ("scope", scope)],
        );
        emitter.emit_kept(op, &[])?;
    }
    for view in views {
        let op = emitter.operation(ori::Fence::NAME, &[], &[("view", view)]);
        emitter.emit_kept(op.flag("asynchronous"), &[])?;
    }
    Some(())
}

/// Makes a written tensor map visible, or orders its write before later accesses.
fn tensor_map_fence<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let order = words.any(&[".acquire", ".release"])?;
    let scope = words.translated(&SCOPES)?;
    words.done()?;
    match (order, operands) {
        (".release", []) => fence(emitter, &Fence::before(scope)),
        (_, [place, size]) => {
            (size.as_integer()? == 128).then_some(())?;
            let address = address_in(emitter, Space::Generic, place)?;
            let whole = super::uniform::whole_address(emitter, &address, R64)?;
            at_once(emitter, move |emitter| {
                let descriptor = emitter.made_uniform(whole);
                let sources = [("descriptor", descriptor.into())];
                let op = emitter.operation(ori::Utmacctl::NAME, &sources, &[("action", "iv")]);
                emitter.emit_uniform(op);
            })
        }
        _ => None,
    }
}

/// The space of an mbarrier; generic addresses refer to this CTA's shared memory.
fn mbarrier_space(words: &mut Words<'_>) -> Option<bool> {
    match words.translated(&SPACES) {
        None | Some(Space::Shared) => Some(false),
        Some(Space::Cluster) => Some(true),
        _ => None,
    }
}

fn mbarrier<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let mut words = Words::of(instruction);
    (words.last()? == ".b64").then_some(())?;
    let action = words.first()?;
    let operands = instruction.operands.as_slice();
    if action == ".pending_count" {
        return pending_count(emitter, operands);
    }
    if emitter.sm() < 90 {
        return super::software_mbarriers::select(emitter, action, &mut words, operands);
    }
    match action {
        ".test_wait" | ".try_wait" => {
            return wait_for_phase(emitter, action == ".test_wait", &mut words, operands);
        }
        ".arrive" | ".arrive_drop" => {
            return arrive(emitter, action == ".arrive_drop", &mut words, operands);
        }
        _ => {}
    }
    words.take(".relaxed");
    words.translated(&SCOPES);
    let remote = mbarrier_space(&mut words)?;
    words.done()?;
    let (word, place, count) = match (action, operands) {
        (".init", [place, count]) if !remote => ("init", place, Some(count)),
        (".inval", [place]) if !remote => ("inval", place, None),
        (".expect_tx", [place, count]) => ("expect_tx", place, Some(count)),
        (".complete_tx", [place, count]) => ("complete_tx", place, Some(count)),
        _ => return None,
    };
    let mut op = emitter.operation(ori::Syncs::NAME, &[], &[("mbarrier", word)]);
    if let Some(count) = count {
        let count = emitter.source(count, R)?;
        op = op.operand("count", count);
    }
    let address = emitter.address(place, true)?;
    let op = addressed(emitter, op, "base", "offset", &address);
    emitter.emit_kept(op, &[])?;
    Some(())
}

/// The pending arrivals of a phase, from a state: its twenty bits from bit 43 on count up to 2^20.
fn pending_count<'a>(emitter: &mut Emitter<'_, 'a>, operands: &[Expression<'a>]) -> Option<()> {
    let [destination, state] = operands else {
        return None;
    };
    let state = emitter.source(state, R64)?;
    let (high, amount) = (emitter.word(state, 1), emitter.word_of(11));
    let counted = emitter.right(high, amount, false);
    let counted = emitter.masked(counted, 0xfffff);
    let all = emitter.word_of(0x10_0000);
    let pending = emitter.plus(all, super::emit::negative(counted));
    emitter.write(destination, pending)
}

fn arrive<'a>(
    emitter: &mut Emitter<'_, 'a>,
    drops: bool,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let expects = words.take(".expect_tx");
    // Asserts that this does not complete the phase, which has no effect.
    words.take(".noComplete");
    let releases = words.any(&[".release", ".relaxed"]) != Some(".relaxed");
    let scope = words.translated(&SCOPES).unwrap_or("cta");
    let remote = mbarrier_space(words)?;
    words.done()?;
    let (state, rest) = match operands {
        [Expression::Address(_), ..] => (None, operands),
        [Expression::Name("_"), rest @ ..] => (None, rest),
        [state, rest @ ..] => (Some(state), rest),
        [] => return None,
    };
    let (place, rest) = rest.split_first()?;
    let mut op = MachineOperation::new(ori::SyncsArrive::NAME);
    match (expects, rest) {
        (true, [bytes]) => {
            let bytes = emitter.source(bytes, R)?;
            op = op.operand("expect", bytes);
        }
        (false, [count]) => {
            let count = emitter.source(count, R)?;
            op = op.operand("count", count);
        }
        (false, []) => {}
        _ => return None,
    }
    if remote {
        op = op.flag("remote");
    }
    if drops {
        op = op.flag("drops");
    }
    let address = emitter.address(place, true)?;
    let op = addressed(emitter, op, "base", "offset", &address);
    if releases && scope != "cta" {
        fence(emitter, &Fence::before(scope))?;
    }
    let Some(state) = state else {
        emitter.emit_kept(op, &[])?;
        return Some(());
    };
    (!remote).then_some(())?;
    let value = emitter.emit_kept(op, &[(state, R64)])?[0];
    emitter.write(state, value)
}

fn wait_for_phase<'a>(
    emitter: &mut Emitter<'_, 'a>,
    test: bool,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let parity = words.take(".parity");
    let acquires = words.any(&[".acquire", ".relaxed"]) != Some(".relaxed");
    let scope = words.translated(&SCOPES).unwrap_or("cta");
    let remote = mbarrier_space(words)?;
    words.done()?;
    (!remote).then_some(())?;
    // The time limit is only a hint.
    let [destination, place, phase, ..] = operands else {
        return None;
    };
    let phase = emitter.source(phase, if parity { R } else { R64 })?;
    let address = emitter.address(place, true)?;
    let op = MachineOperation::new(ori::SyncsTryWait::NAME).operand("phase", phase);
    let op = addressed(emitter, op, "base", "offset", &address);
    let op = if test { op.flag("test") } else { op };
    let value = emitter.emit_kept(op, &[(destination, P)])?[0];
    emitter.write(destination, value)?;
    if acquires && scope != "cta" {
        fence(emitter, &Fence::behind(scope))?;
    }
    Some(())
}

/// Selects `barrier.cluster`.
pub(super) fn select_cluster_barrier(
    emitter: &mut Emitter<'_, '_>,
    instruction: &Instruction<'_>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    words.take(".cluster").then_some(())?;
    words.take(".aligned");
    let action = words.any(&[".arrive", ".wait"])?;
    let order = words.any(&[".release", ".acquire", ".relaxed"]);
    words.done()?;
    let relaxed = order == Some(".relaxed");
    if action == ".wait" {
        (!relaxed).then_some(())?;
        emitter.emit_kept(MachineOperation::new(ori::CgabarWait::NAME), &[])?;
        return fence(emitter, &Fence::behind("cluster"));
    }
    let op = MachineOperation::new(ori::CgabarArrive::NAME);
    if relaxed {
        emitter.emit_kept(op.flag("relaxed"), &[])?;
        return Some(());
    }
    fence(emitter, &Fence::before("cluster"))?;
    emitter.emit_kept(op, &[])?;
    Some(())
}
