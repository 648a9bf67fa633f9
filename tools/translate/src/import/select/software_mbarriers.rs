//! mbarriers before sm_90, which has instructions for them: two 32-bit counters, in the layout of
//! ptxas 13.0.
//!
//! The low half counts the threads of all phases, the high one the pending threads of the current
//! one; its bit 31 is the phase. `ATOMS.ARRIVE` counts an arrival, and the last one begins the next
//! phase.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Address, Emitter};
use super::emit::negative;
use super::modifiers::Words;
use super::spaces::{SCOPES, SPACES, Space, addressed};
use crate::ptx::ast::Expression;

const R: Register = Register::R;
const R64: Register = Register::R64;

/// `a and b` of a value and the exclusive or of two: the middle operand is the mask.
const CHANGED_BITS: i32 = 0x48;
/// The phase bit of the high half.
const PHASE: i32 = i32::MIN;
/// The initial values of the counters, minus the number of threads.
const FIRST: [i32; 2] = [0x4000_0000, PHASE];

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    action: &str,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let drops = action == ".arrive_drop";
    let counted = words.take(".noComplete");
    words.any(&[".release", ".acquire"]);
    words.translated(&SCOPES);
    let space = words.translated(&SPACES);
    matches!(space, None | Some(Space::Shared)).then_some(())?;
    words.done()?;
    match (action, operands) {
        (".init", [place, count]) => {
            let count = emitter.source(count, R)?;
            let halves = FIRST.map(|first| {
                let first = emitter.word_of(first);
                emitter.plus(first, negative(count))
            });
            let value = emitter.concat(&halves);
            let address = emitter.address(place, true)?;
            let op = emitter.operation(ori::Sts::NAME, &[], &[("width", "b64")]);
            let op = addressed(emitter, op, "base", "offset", &address);
            emitter.emit_kept(op.operand("value", value), &[])?;
            Some(())
        }
        (".inval", [_]) => Some(()),
        (".arrive" | ".arrive_drop", [state, place]) if !counted => {
            let address = emitter.address(place, true)?;
            arrive(emitter, state, &address, None, drops)
        }
        (".arrive" | ".arrive_drop", [state, place, count]) if counted => {
            let count = emitter.source(count, R)?;
            let address = emitter.address(place, true)?;
            arrive(emitter, state, &address, Some(count), drops)
        }
        (".test_wait", [destination, place, state]) => {
            let state = emitter.source(state, R64)?;
            let address = emitter.address(place, true)?;
            test(emitter, destination, &address, state)
        }
        _ => None,
    }
}

/// Makes the writes of this thread visible to the threads of the CTA.
fn order(emitter: &mut Emitter<'_, '_>) -> Option<()> {
    let op = emitter.operation(
        ori::Membar::NAME,
        &[],
        &[("fence", "all"), ("scope", "cta")],
    );
    emitter.emit_kept(op, &[])?;
    Some(())
}

/// An arrival of one thread, or of several that do not end the phase.
fn arrive<'a>(
    emitter: &mut Emitter<'_, 'a>,
    state: &Expression<'a>,
    address: &Address,
    count: Option<Value>,
    drops: bool,
) -> Option<()> {
    order(emitter)?;
    let high = Address {
        base: address.base,
        offset: address.offset.checked_add(4)?,
    };
    let one = emitter.word_of(1);
    if drops {
        // The following phases expect fewer.
        let fewer = count.unwrap_or(one);
        atomic(emitter, "add", address, fewer)?;
    }
    let Some(count) = count else {
        let words = [("operation", "arrive"), ("type", "b64")];
        let op = emitter.operation(ori::Atoms::NAME, &[], &words);
        let op = addressed(emitter, op, "base", "offset", address);
        // The arrival count is one, whatever is specified.
        let none = emitter.immediate(0, R64);
        let op = op.operand("value", none);
        let value = emitter.emit_kept(op, &[(state, R64)])?[0];
        return emitter.write(state, value);
    };
    let before = atomic(emitter, "add", &high, count)?;
    // Only the phase of the previous state is used.
    let low = emitter.word_of(0);
    let value = emitter.concat(&[low, before]);
    emitter.write(state, value)
}

fn atomic(
    emitter: &mut Emitter<'_, '_>,
    operation: &str,
    address: &Address,
    value: Value,
) -> Option<Value> {
    let words = [("operation", operation), ("type", "u32")];
    let op = emitter.operation(ori::Atoms::NAME, &[], &words);
    let op = addressed(emitter, op, "base", "offset", address);
    Some(emitter.emit_kept(op.operand("value", value).result(R), &[])?[0])
}

/// Whether the phase of a state has ended: the current phase differs.
fn test<'a>(
    emitter: &mut Emitter<'_, 'a>,
    destination: &Expression<'a>,
    address: &Address,
    state: Value,
) -> Option<()> {
    let high = Address {
        base: address.base,
        offset: address.offset.checked_add(4)?,
    };
    let op = MachineOperation::new(ori::Lds::NAME);
    let op = op.word(emitter.context(), "width", "b32");
    let op = addressed(emitter, op, "base", "offset", &high);
    let now = emitter.emit_kept(op.result(R), &[])?[0];
    let then = emitter.word(state, 1);
    let mask = emitter.word_of(PHASE);
    let changed = emitter.logic(CHANGED_BITS, now, mask, then);
    let zero = emitter.word_of(0);
    let value = emitter.compared("ne", false, changed, zero);
    emitter.write(destination, value)
}
