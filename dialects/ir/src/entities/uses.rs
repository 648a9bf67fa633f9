//! Use lists: for each value and each block, the operand or successor slots that refer to it.
//!
//! The slots of one operation are consecutive, and each is a node of the use list of its target.
//! Adding, removing and redirecting a use therefore take constant time.

use super::{Block, Operation, Value};
use crate::Context;
use crate::storage::arena::NONE;

/// One operand or successor slot.
#[derive(Clone, Debug)]
pub(crate) struct UseRecord {
    /// Index of the value or block referred to.
    pub(crate) target: u32,
    /// Index of the operation that owns the slot.
    pub(crate) owner: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
}

impl UseRecord {
    pub(crate) const EMPTY: UseRecord = UseRecord {
        target: NONE,
        owner: NONE,
        previous: NONE,
        next: NONE,
    };
}

/// The kind of a slot's target, which determines its use list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum UseTarget {
    Value,
    Block,
}

/// A use of a value: an operand of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The operation that uses the value.
    pub owner: Operation,
    /// The operand index.
    pub operand: usize,
}

impl Context {
    fn slot(&mut self, target: UseTarget, slot: u32) -> &mut UseRecord {
        match target {
            UseTarget::Value => &mut self.operands[slot],
            UseTarget::Block => &mut self.successors[slot],
        }
    }

    fn first_use(&mut self, target: UseTarget, index: u32) -> &mut u32 {
        match target {
            UseTarget::Value => &mut self.values[index].first_use,
            UseTarget::Block => &mut self.blocks[index].first_use,
        }
    }

    /// Inserts `slot` at the head of the use list of `index`.
    pub(crate) fn link_use(&mut self, target: UseTarget, slot: u32, index: u32) {
        let head = self.first_use(target, index);
        let next = std::mem::replace(head, slot);
        if next != NONE {
            self.slot(target, next).previous = slot;
        }
        let record = self.slot(target, slot);
        record.target = index;
        record.previous = NONE;
        record.next = next;
    }

    /// Removes `slot` from its use list.
    pub(crate) fn unlink_use(&mut self, target: UseTarget, slot: u32) {
        let UseRecord {
            target: index,
            previous,
            next,
            ..
        } = *self.slot(target, slot);
        if index == NONE {
            return;
        }
        if previous == NONE {
            *self.first_use(target, index) = next;
        } else {
            self.slot(target, previous).next = next;
        }
        if next != NONE {
            self.slot(target, next).previous = previous;
        }
        self.slot(target, slot).target = NONE;
    }
}

impl Value {
    /// The uses of this value, newest first.
    pub fn uses(self, context: &Context) -> impl Iterator<Item = Use> + '_ {
        let mut slot = self.record(context).first_use;
        std::iter::from_fn(move || {
            let record = context.operands.get(slot)?;
            let owner = Operation::at(context, record.owner);
            let operand = (slot - context.operations[record.owner].operands) as usize;
            slot = record.next;
            Some(Use { owner, operand })
        })
    }

    /// The operations that use this value, once per use, newest first.
    pub fn users(self, context: &Context) -> impl Iterator<Item = Operation> + '_ {
        self.uses(context).map(|usage| usage.owner)
    }

    /// True if nothing uses this value.
    pub fn is_unused(self, context: &Context) -> bool {
        self.record(context).first_use == NONE
    }

    /// True if exactly one operand uses this value.
    pub fn has_one_use(self, context: &Context) -> bool {
        self.uses(context).take(2).count() == 1
    }

    /// Redirects every use of this value to `replacement`, in constant time per use.
    pub fn replace_all_uses_with(self, context: &mut Context, replacement: Value) {
        self.record(context);
        replacement.record(context);
        if self == replacement {
            return;
        }
        loop {
            let slot = context.values[self.index].first_use;
            if slot == NONE {
                break;
            }
            context.unlink_use(UseTarget::Value, slot);
            context.link_use(UseTarget::Value, slot, replacement.index);
        }
    }

    /// Reorders the uses to match `order`, which lists uses of this value.
    pub(crate) fn set_use_order(self, context: &mut Context, order: &[Use]) {
        // A newly linked use becomes the first one.
        for usage in order.iter().rev() {
            let operand = u32::try_from(usage.operand).unwrap_or(NONE);
            let slot = context.operations[usage.owner.index].operands + operand;
            context.unlink_use(UseTarget::Value, slot);
            context.link_use(UseTarget::Value, slot, self.index);
        }
    }

    /// Redirects the uses for which `replace` returns true.
    pub fn replace_uses_if(
        self,
        context: &mut Context,
        replacement: Value,
        mut replace: impl FnMut(&Context, Use) -> bool,
    ) {
        let uses: Vec<_> = self.uses(context).collect();
        for usage in uses {
            if replace(context, usage) {
                usage.owner.set_operand(context, usage.operand, replacement);
            }
        }
    }
}

impl Block {
    /// The operations that have this block as a successor, once per successor slot, newest first.
    pub fn predecessor_terminators(
        self,
        context: &Context,
    ) -> impl Iterator<Item = Operation> + '_ {
        let mut slot = self.record(context).first_use;
        std::iter::from_fn(move || {
            let record = context.successors.get(slot)?;
            slot = record.next;
            Some(Operation::at(context, record.owner))
        })
    }

    /// The same, each with the successor index.
    pub fn predecessor_edges(
        self,
        context: &Context,
    ) -> impl Iterator<Item = (Operation, usize)> + '_ {
        let mut slot = self.record(context).first_use;
        std::iter::from_fn(move || {
            let record = context.successors.get(slot)?;
            let branch = Operation::at(context, record.owner);
            let number = (slot - branch.first_successor(context)) as usize;
            slot = record.next;
            Some((branch, number))
        })
    }

    /// Redirects every branch to this block to `replacement`.
    pub fn replace_all_uses_with(self, context: &mut Context, replacement: Block) {
        self.record(context);
        replacement.record(context);
        if self == replacement {
            return;
        }
        loop {
            let slot = context.blocks[self.index].first_use;
            if slot == NONE {
                break;
            }
            context.unlink_use(UseTarget::Block, slot);
            context.link_use(UseTarget::Block, slot, replacement.index);
        }
    }
}
