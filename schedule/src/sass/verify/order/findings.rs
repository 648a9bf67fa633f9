//! Findings and their messages.

use std::fmt;

use orison_sass::function::{Block, BlockIndex};
use orison_sass::registers::Register;

use crate::order::Window;

/// Why two instructions must keep their order, or what else is wrong with one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The second reads a register that the first writes.
    ReadAfterWrite(Register),
    /// The second writes a register that the first reads.
    WriteAfterRead(Register),
    /// Both write a register.
    WriteAfterWrite(Register),
    /// Both may access the same bytes, and one writes them.
    Memory(Window),
    /// Both are accesses that other threads observe in their order.
    Observed,
    /// One synchronises; the other also does, or accesses memory.
    Synchronisation,
    /// Both are products of warp groups.
    Products,
    /// One is a fence or a wait of warp group products, and the other a product or an access to a register
    /// of products.
    ProductRegisters,
    /// One reads a clock or another changing register.
    Changing,
    /// One waits for a number of operations on a scoreboard, and the other may be one of them.
    Counted,
    /// One brings the threads of a warp together, and the other depends on which execute it together.
    Together,
    /// One changes the number of registers, and the other accesses general registers.
    RegisterCount,
    /// The second may leave the block.
    Last,
    /// One is not understood, or reads its own address.
    Pinned,
    /// The new order lacks the instruction.
    Missing,
    /// The new order has an instruction that is not in the old one.
    Added,
    /// The instruction (`first`) became another one (`second`).
    Changed,
    /// The instruction (`first`) is in another block (`second`).
    LeftBlock,
    /// The labels of the block of the instruction are others, or the block is not there.
    Labels,
}

/// An instruction of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// Its block.
    pub block: BlockIndex,
    /// Its index in the block.
    pub index: usize,
    /// Its offset in the section, in bytes.
    pub address: u64,
    /// Its text; empty if the block has none.
    pub text: String,
}

impl Located {
    pub(super) fn in_block(block: BlockIndex, of: &Block<'_>, index: usize) -> Located {
        let found = of.instructions.get(index);
        Located {
            block,
            index,
            address: found.map_or(0, |found| found.address),
            text: found.map(ToString::to_string).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Located {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Located {
            block,
            address,
            text,
            ..
        } = self;
        write!(out, "'{text}' (block {block}, {address:#06x})")
    }
}

/// A difference between two orders of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderFinding {
    /// The instruction that must stay in front, or was there before; `None` if only one is concerned.
    pub first: Option<Located>,
    /// The other one. Of the new order for [`Reason::Added`], [`Reason::Changed`] and
    /// [`Reason::LeftBlock`], otherwise of the old one.
    pub second: Located,
    /// The reason.
    pub reason: Reason,
}

impl OrderFinding {
    /// Whether a `NOP` was added: control words need some where stalls are too short.
    pub fn is_padding(&self) -> bool {
        self.reason == Reason::Added && self.second.text == "NOP"
    }
}

impl fmt::Display for OrderFinding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = &self.second;
        match (&self.first, self.reason) {
            (Some(first), Reason::Changed) => write!(out, "{first} became {second}"),
            (Some(first), Reason::LeftBlock) => {
                write!(out, "{first} moved to block {}", second.block)
            }
            (Some(first), reason) => write!(out, "{second} must stay after {first}: {reason}"),
            (None, reason) => write!(out, "{second} {reason}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::ReadAfterWrite(register) => write!(out, "it reads {register}, written there"),
            Reason::WriteAfterRead(register) => write!(out, "it writes {register}, read there"),
            Reason::WriteAfterWrite(register) => {
                write!(out, "it writes {register}, also written there")
            }
            Reason::Memory(window) => write!(out, "both access {window}, and one writes"),
            Reason::Observed => out.write_str("other threads observe the order of both"),
            Reason::Synchronisation => {
                out.write_str("one of them synchronises memory accesses or threads")
            }
            Reason::Products => out.write_str("both are products of a warp group"),
            Reason::ProductRegisters => out.write_str(
                "one is a fence or wait of products, and the other accesses their registers",
            ),
            Reason::Changing => out.write_str("one reads a register that changes by itself"),
            Reason::Counted => out.write_str("one waits for a number of operations in flight"),
            Reason::Together => {
                out.write_str("one brings together the threads that execute the other")
            }
            Reason::RegisterCount => out.write_str("one of them changes the number of registers"),
            Reason::Last => out.write_str("it may leave the block"),
            Reason::Pinned => {
                out.write_str("the effects of one are unknown, or depend on its address")
            }
            Reason::Missing => out.write_str("is missing in the new order"),
            Reason::Added => out.write_str("is not in the original code"),
            Reason::Changed => out.write_str("changed"),
            Reason::LeftBlock => out.write_str("is in another block"),
            Reason::Labels => {
                out.write_str("is in a block with other labels, or without a counterpart")
            }
        }
    }
}
