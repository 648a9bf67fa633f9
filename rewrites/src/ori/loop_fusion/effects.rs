//! What operations in and between loops do, as far as the order in which they are executed matters.

use orison_ir::declare::Trait;
use orison_ir::{Context, Operation};
use orison_machine::Flag;
use orison_ori::analyses::{memory, properties};
use orison_ori::opcodes;

use crate::ori::loops::is_plain_access;

/// What may be done with an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// It only computes.
    Free,
    /// It accesses memory, and is ordered with other accesses by their addresses.
    Memory,
    /// It exchanges values with other threads that execute it: its place in its thread does not
    /// matter, as long as the same threads get there.
    Exchange,
    /// It keeps its place, and so does what is before and after it.
    Fixed(&'static str),
}

impl Order {
    pub fn of(context: &Context, op: Operation) -> Self {
        let row = opcodes::of(context, op);
        let has = |flag| row.is_some_and(|row| row.has(flag));
        if properties::is_pure(context, op) || op.has_trait(context, Trait::Terminator) {
            return Order::Free;
        }
        if is_plain_access(context, op) {
            return Order::Memory;
        }
        let exchanges = properties::is_convergent(context, op)
            && properties::is_removable(context, op)
            && !has(Flag::Changing)
            && !memory::orders_memory(context, op)
            && memory::accesses(context, op).is_empty();
        if exchanges {
            return Order::Exchange;
        }
        Order::Fixed(if has(Flag::Call) {
            "a call"
        } else if has(Flag::Exit) {
            "an end of threads"
        } else if has(Flag::Barrier) {
            "a barrier or a fence"
        } else {
            "an operation whose effect is ordered"
        })
    }
}
