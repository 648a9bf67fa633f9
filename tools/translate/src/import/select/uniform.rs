//! Instructions of the uniform datapath, which execute once per warp, for PTX instructions that
//! execute once per thread.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::operations::moves::Concat;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Address, Emitter};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// The search depth for the election that a predicate is derived from.
const DEPTH: u32 = 8;

/// Whether a predicate holds in at most one thread of a warp: it is, or implies, the outcome of an
/// election.
fn holds_once(emitter: &Emitter<'_, '_>, predicate: Value, depth: u32) -> bool {
    let context = emitter.builder.ir();
    let Some(op) = predicate.defining_op(context).filter(|_| depth > 0) else {
        return false;
    };
    match op.name_text(context) {
        ori::Elect::NAME => true,
        ori::Plop3::NAME => {
            let conjunction = op
                .attribute(context, "lut")
                .and_then(|lut| lut.as_i32(context))
                == Some(super::emit::table::AND);
            let plain = op
                .attribute(context, orison_ori::modifiers::MODIFIERS)
                .is_none();
            let mut operands = op.operands(context).take(2);
            conjunction && plain && operands.any(|each| holds_once(emitter, each, depth - 1))
        }
        _ => false,
    }
}

/// Emits per-thread work with operations that execute once per warp: in the single thread selected
/// by the guard, if that is known, else thread by thread. The rest of the selection must not fail.
pub(super) fn at_once<'a, 'e>(
    emitter: &mut Emitter<'e, 'a>,
    each: impl FnOnce(&mut Emitter<'e, 'a>),
) -> Option<()> {
    let alone =
        matches!(emitter.guard, Some((predicate, false)) if holds_once(emitter, predicate, DEPTH));
    if alone {
        emitter.only_where_guarded(each)
    } else {
        emitter.one_by_one(each)
    }
}

/// An address as one value.
pub(super) fn whole_address(
    emitter: &mut Emitter<'_, '_>,
    address: &Address,
    register: Register,
) -> Option<Value> {
    let offset = i64::from(address.offset);
    let Some(base) = address.base else {
        return Some(emitter.immediate(offset, register));
    };
    if offset == 0 {
        return Some(base);
    }
    let offset = emitter.immediate(offset, register);
    Some(if register == R64 {
        emitter.add_wide(base, offset, false)
    } else {
        emitter.plus(base, offset)
    })
}

impl Emitter<'_, '_> {
    /// Converts a register of the thread to a uniform one; also a predicate.
    pub(super) fn made_uniform(&mut self, value: Value) -> Value {
        let register = Register::of(self.builder.ir(), value.ty(self.builder.ir()));
        match register {
            Some(Register::P) => {
                let op =
                    self.operation(ori::Voteu::NAME, &[("a", value.into())], &[("vote", "any")]);
                self.emit_all(op.result(Register::Ur).result(Register::Up))[1]
            }
            Some(R64) => {
                let words = [0, 1].map(|word| {
                    let word = self.word(value, word);
                    self.made_uniform(word)
                });
                let ty = Register::Ur64.ty(self.context());
                let op = Concat::build(&mut self.builder, self.location, &words, ty);
                op.whole(self.builder.ir())
            }
            _ => {
                let op = self.operation(ori::R2ur::NAME, &[("a", value.into())], &[]);
                self.emit(op.result(Register::Ur))
            }
        }
    }

    /// Converts a uniform register to one of the thread.
    pub(super) fn made_varying(&mut self, value: Value) -> Value {
        let op = self.operation(ori::Mov::NAME, &[("a", value.into())], &[]);
        self.emit(op.result(R))
    }

    /// Emits an operation without a guard and without results.
    pub(super) fn emit_uniform(&mut self, op: MachineOperation) {
        self.emit_all(op);
    }
}
