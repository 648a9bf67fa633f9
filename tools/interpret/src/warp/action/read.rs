//! Reads actions from the attributes of operations.

use std::ops::Range;

use orison_ir::declare::OperationDefinition;
use orison_ir::{Context, Operation};
use orison_ori::keywords::{Keyword, Width, keyword_of};
use orison_ori::semantics::Computation;
use orison_ori::semantics::direction_of;

use super::super::Fault;
use super::super::change::Change;
use super::super::memory::Space;
use super::{Action, Address, Atomic, Barrier, Names, Special, Transfer, table};

/// How the action of an operation is read: the interface that the interpreter of kernels attaches.
/// Operations without it compute, or are refused.
#[derive(Clone, Copy)]
pub(super) enum ReadAction {
    /// From attributes and operand groups; `None` if the interpreter does not model them.
    Attributes(fn(&Reader<'_>) -> Option<Action>),
    /// Also from symbols; an unresolved one is a fault.
    Symbols(fn(&Reader<'_>, &dyn Names) -> Result<Action, Fault>),
    /// A computation whose operands need not all be defined.
    Computation(fn(Computation) -> Action),
}

/// An operation, and how its action is read.
pub(super) type Row = (&'static OperationDefinition, ReadAction);

/// Reads the attributes of an operation.
pub(super) struct Reader<'a> {
    pub(super) context: &'a Context,
    pub(super) op: Operation,
    pub(super) group: &'a dyn Fn(&str) -> Range<usize>,
}

impl Reader<'_> {
    pub(super) fn word<K: Keyword>(&self, key: &str) -> Option<K> {
        keyword_of(self.context, self.op, key)
    }

    pub(super) fn number(&self, key: &str) -> Option<i64> {
        self.op.attribute(self.context, key)?.as_i64(self.context)
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.op.attribute(self.context, key).is_some()
    }

    pub(super) fn operand(&self, group: &str) -> Option<usize> {
        (self.group)(group).next()
    }

    pub(super) fn address(&self) -> Address {
        Address {
            base: self.operand("base"),
            uniform: self.operand("uniform"),
            offset: self.number("offset").unwrap_or(0),
        }
    }

    pub(super) fn transfer(&self, space: Space) -> Transfer {
        Transfer {
            space,
            address: self.address(),
            width: self.word("width").unwrap_or(Width::B32),
            value: self.operand("value").unwrap_or(0),
        }
    }

    pub(super) fn atomic(&self, space: Space) -> Option<Action> {
        Some(Action::Atomic(Atomic {
            transfer: self.transfer(space),
            change: self.change()?,
            expected: self.operand("expected"),
        }))
    }

    /// The memory change of an atomic operation.
    pub(super) fn change(&self) -> Option<Change> {
        Some(Change {
            operation: self.word("operation")?,
            kind: self.word("type")?,
            ftz: self.flag("ftz"),
            rounding: direction_of(self.word("rounding")),
        })
    }

    pub(super) fn symbol<'s>(&'s self, key: &str) -> Option<&'s str> {
        self.op
            .attribute(self.context, key)?
            .as_symbol(self.context)
    }
}

fn dimension(letter: &str) -> Option<usize> {
    ["X", "Y", "Z"].iter().position(|known| *known == letter)
}

/// Reads a special register.
pub(super) fn special_register(reader: &Reader<'_>) -> Option<Action> {
    let name = reader.op.attribute(reader.context, "register")?;
    special(name.as_str(reader.context)?).map(Action::Special)
}

/// The action of a barrier.
pub(super) fn barrier(reader: &Reader<'_>) -> Option<Action> {
    let index = match reader.number("index") {
        Some(index) => Ok(u32::try_from(index).ok()?),
        None => Err(reader.operand("barrier")?),
    };
    Some(Action::Barrier(Barrier {
        mode: reader.word("mode")?,
        index,
        threads: reader.operand("threads"),
        predicate: reader.operand("predicate"),
        reduction: reader.word("barrier_reduction"),
    }))
}

/// The special register with a name.
pub(in crate::warp) fn special(name: &str) -> Option<Special> {
    use crate::warp::memory::{LOCAL_WINDOW, SHARED_WINDOW};
    if let Some(letter) = name.strip_prefix("SR_TID.") {
        return dimension(letter).map(Special::Thread);
    }
    if let Some(letter) = name.strip_prefix("SR_CTAID.") {
        return dimension(letter).map(Special::Block);
    }
    Some(match name {
        "SR_LANEID" => Special::Lane,
        // PTX reads both from bit 8 on (as ptxas 13.0 does).
        "SR_VIRTID" => Special::Warp(8),
        "SR_VIRTCFG" => Special::Warps(8),
        "SR_WARPID" => Special::Warp(0),
        "SR_CgaCtaId" | "SR_CTARANK" => Special::Rank,
        "SR_SMEMSZ" => Special::SharedSize,
        "SR_LTMASK" | "SR_LANEMASK_LT" => Special::LaneMask(|lane| (1 << lane) - 1),
        "SR_LEMASK" | "SR_LANEMASK_LE" => Special::LaneMask(|lane| u32::MAX >> (31 - lane)),
        "SR_GTMASK" | "SR_LANEMASK_GT" => Special::LaneMask(|lane| !(u32::MAX >> (31 - lane))),
        "SR_GEMASK" | "SR_LANEMASK_GE" => Special::LaneMask(|lane| u32::MAX << lane),
        "SR_EQMASK" | "SR_LANEMASK_EQ" => Special::LaneMask(|lane| 1 << lane),
        // The meaning of SR_CgaSize is unknown; the constant bank is laid out for zero.
        // Local memory begins at address zero.
        "SRZ" | "SR_LMEMHIOFF" | "SR_SMID" | "SR_VIRTUALSMID" | "SR_SWINLO" | "SR_LWINLO"
        | "SR_CgaSize" => Special::Constant(0),
        "SR_SWINHI" => Special::Constant((SHARED_WINDOW >> 32) as u32),
        "SR_LWINHI" => Special::Constant((LOCAL_WINDOW >> 32) as u32),
        "SR_CLOCKLO" | "SR_CLOCK" | "SR_GLOBALTIMERLO" => Special::Clock,
        "SR_CLOCKHI" | "SR_GLOBALTIMERHI" => Special::ClockHigh,
        _ => return None,
    })
}

fn computed(reader: &Reader<'_>, computation: Computation) -> Action {
    match reader.operand("with") {
        Some(with) => Action::Compare { computation, with },
        None => Action::Compute(computation),
    }
}

impl Action {
    /// The action of an operation.
    ///
    /// # Errors
    /// Unresolved names. An unsupported operation is a separate action: an error only if reached.
    pub(in crate::warp) fn of(
        context: &Context,
        op: Operation,
        group: &dyn Fn(&str) -> Range<usize>,
        names: &dyn Names,
    ) -> Result<Action, Fault> {
        let reader = Reader { context, op, group };
        if let Some(why) = table::refused(context, op, group) {
            return Ok(Action::Refused(why));
        }
        let action = match op.interface::<ReadAction>(context) {
            Some(ReadAction::Attributes(read)) => read(&reader),
            Some(ReadAction::Symbols(read)) => return read(&reader, names),
            Some(ReadAction::Computation(action)) => Computation::of(context, op).map(action),
            None => Computation::of(context, op).map(|found| computed(&reader, found)),
        };
        Ok(action.unwrap_or_else(|| refused(&reader)))
    }
}

fn refused(reader: &Reader<'_>) -> Action {
    let register = reader.op.attribute(reader.context, "register");
    let register = register.and_then(|text| text.as_str(reader.context));
    let what = register.unwrap_or(reader.op.name_text(reader.context));
    Action::Refused(format!("'{what}' is not modelled by the interpreter"))
}
