//! Findings and their messages.

use std::fmt;

use orison_ir::{Context, Operation};

use crate::order::Window;

/// Why two operations must keep their order, or what else is wrong with one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The second uses a result of the first.
    Definition,
    /// Both may access the same bytes, and one writes them.
    Memory(Window),
    /// Both are accesses that other threads observe in their order.
    Observed,
    /// One synchronises, and the other also does or accesses memory.
    Synchronisation,
    /// Both are products of warp groups.
    Products,
    /// One works on groups of products, and the other is a product, or uses or makes a value of one.
    ProductValues,
    /// One reads a register that changes by itself, or changes the stack.
    Changing,
    /// One changes which threads execute the other together.
    Together,
    /// The second is the terminator.
    Terminator,
    /// One is not known.
    Unknown,
    /// The operation is not there.
    Missing,
    /// The operation was not there.
    Added,
    /// Operands, properties or successors are others.
    Changed,
    /// The operation is in the block with this number.
    LeftBlock(usize),
    /// The block of the operation is elsewhere, or has other arguments.
    Block,
}

/// An operation of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocatedOperation {
    /// The operation; it may have been erased.
    pub operation: Operation,
    /// The number of its block.
    pub block: usize,
    /// Its index in the block.
    pub index: usize,
    /// Its name.
    pub name: String,
}

impl LocatedOperation {
    pub(super) fn of(context: &Context, operation: Operation, block: usize, index: usize) -> Self {
        LocatedOperation {
            operation,
            block,
            index,
            name: operation.name_text(context).to_owned(),
        }
    }

    /// A finding about this operation alone.
    pub(super) fn finding(&self, reason: Reason) -> OrderFinding {
        OrderFinding {
            first: None,
            second: self.clone(),
            reason,
        }
    }
}

impl fmt::Display for LocatedOperation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LocatedOperation {
            block, index, name, ..
        } = self;
        write!(out, "'{name}' (block {block}, operation {index})")
    }
}

/// A difference between two orders of a function. Blocks and indices are those of the old order, of
/// [`Reason::Added`] those of the new one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderFinding {
    /// The operation that must stay in front; `None` if only one is concerned.
    pub first: Option<LocatedOperation>,
    /// The other one.
    pub second: LocatedOperation,
    /// The reason.
    pub reason: Reason,
}

impl fmt::Display for OrderFinding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OrderFinding { second, reason, .. } = self;
        match &self.first {
            Some(first) => write!(out, "{second} must stay after {first}: {reason}"),
            None => write!(out, "{second} {reason}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Reason::Memory(window) => {
                return write!(out, "both access {window}, and one writes");
            }
            Reason::LeftBlock(to) => return write!(out, "moved to block {to}"),
            Reason::Definition => "it uses the result",
            Reason::Observed => "other threads observe the order of both",
            Reason::Synchronisation => "one of them synchronises memory accesses or threads",
            Reason::Products => "both are products of a warp group",
            Reason::ProductValues => {
                "one of them works on groups of products, the other on their values"
            }
            Reason::Changing => "one of them reads or changes what is not the same each time",
            Reason::Together => "one of them changes which threads execute the other together",
            Reason::Terminator => "it ends the block",
            Reason::Unknown => "the effects of one are unknown",
            Reason::Missing => "is missing in the new order",
            Reason::Added => "is not in the original code",
            Reason::Changed => "has other operands, properties or successors",
            Reason::Block => "is in a block that is elsewhere or has other arguments",
        };
        out.write_str(text)
    }
}
