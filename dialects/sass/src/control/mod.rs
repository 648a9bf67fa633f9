//! Control words: scheduling information for the issue logic in every instruction.
//!
//! On sm_70 and later the control word is 21 bits in each 128-bit instruction. [`Inline21`] is that
//! layout; [`Bundle23`] is the one of the scoreboard page, three slots in a separate instruction.

mod layout;
mod rules;
#[cfg(test)]
mod tests;
mod text;

pub use layout::{Bundle23, ControlLayout, Inline21};
pub use rules::{Finding, Rule, check};
pub use text::parse;

use std::fmt;

/// A control word cannot be built, encoded or decoded; the text states the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControlError(pub String);

impl fmt::Display for ControlError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ControlError {}

/// Cycles from the issue of an instruction until the next one of the warp may issue: 0 to 15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Stall(u8);

impl Stall {
    /// The longest stall.
    pub const MAXIMUM: Stall = Stall(15);

    /// A stall of this many cycles; `None` above 15.
    pub const fn new(cycles: u8) -> Option<Stall> {
        if cycles <= 15 {
            Some(Stall(cycles))
        } else {
            None
        }
    }

    /// A stall of this many cycles, or the longest one.
    pub fn at_most(cycles: u32) -> Stall {
        u8::try_from(cycles)
            .ok()
            .and_then(Stall::new)
            .unwrap_or(Stall::MAXIMUM)
    }

    /// The cycles.
    pub const fn cycles(self) -> u8 {
        self.0
    }
}

/// One of the six scoreboards of a warp.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Barrier(u8);

impl Barrier {
    /// Barriers per warp.
    pub const COUNT: usize = 6;
    /// All barriers, in order.
    pub const ALL: [Barrier; Barrier::COUNT] = [
        Barrier(0),
        Barrier(1),
        Barrier(2),
        Barrier(3),
        Barrier(4),
        Barrier(5),
    ];

    /// The barrier with this index, 0 to 5.
    pub const fn new(index: u8) -> Option<Barrier> {
        if index < 6 {
            Some(Barrier(index))
        } else {
            None
        }
    }

    /// The index, 0 to 5.
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// A set of scoreboards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BarrierSet(u8);

impl BarrierSet {
    /// The empty set.
    pub const EMPTY: BarrierSet = BarrierSet(0);
    /// All six.
    pub const FULL: BarrierSet = BarrierSet(0b11_1111);

    /// The set with one bit per barrier; `None` if a bit above the sixth is set.
    pub const fn from_mask(mask: u8) -> Option<BarrierSet> {
        if mask <= BarrierSet::FULL.0 {
            Some(BarrierSet(mask))
        } else {
            None
        }
    }

    /// One bit per barrier.
    pub const fn mask(self) -> u8 {
        self.0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the barrier is in the set.
    pub const fn contains(self, barrier: Barrier) -> bool {
        self.0 >> barrier.0 & 1 == 1
    }

    /// Adds a barrier.
    pub const fn insert(&mut self, barrier: Barrier) {
        self.0 |= 1 << barrier.0;
    }

    /// Removes a barrier.
    pub const fn remove(&mut self, barrier: Barrier) {
        self.0 &= !(1 << barrier.0);
    }

    /// The union.
    #[must_use]
    pub const fn union(self, other: BarrierSet) -> BarrierSet {
        BarrierSet(self.0 | other.0)
    }

    /// The barriers in order.
    pub fn iter(self) -> impl Iterator<Item = Barrier> {
        Barrier::ALL
            .into_iter()
            .filter(move |barrier| self.contains(*barrier))
    }
}

impl FromIterator<Barrier> for BarrierSet {
    fn from_iter<I: IntoIterator<Item = Barrier>>(barriers: I) -> Self {
        let mut set = BarrierSet::EMPTY;
        for barrier in barriers {
            set.insert(barrier);
        }
        set
    }
}

/// The source slots that keep their register for the same slot of a later instruction: A, B, C, and
/// a fourth one that no current instruction uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ReuseSet(u8);

impl ReuseSet {
    /// The empty set.
    pub const EMPTY: ReuseSet = ReuseSet(0);
    /// Names of the slots, in the order of their bits.
    pub const NAMES: [char; 4] = ['a', 'b', 'c', 'd'];

    /// The set with one bit per slot; `None` if a bit above the fourth is set.
    pub const fn from_mask(mask: u8) -> Option<ReuseSet> {
        if mask < 16 {
            Some(ReuseSet(mask))
        } else {
            None
        }
    }

    /// One bit per slot.
    pub const fn mask(self) -> u8 {
        self.0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the slot (0 to 3) is in the set.
    pub const fn contains(self, slot: u8) -> bool {
        slot < 4 && self.0 >> slot & 1 == 1
    }

    /// The slots in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..4).filter(move |slot| self.contains(*slot))
    }
}

/// Scheduling information of an instruction for the issue logic. `Display` writes
/// `B0-2---:R1:W3:Y:S05`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ControlWord {
    /// Cycles until the next instruction of the warp may issue.
    pub stall: Stall,
    /// Whether to switch to another warp after this instruction. In the encoding this is a *clear*
    /// bit (measured, and reference 10.2).
    pub yields: bool,
    /// Armed at issue, released when the results are written.
    pub write_barrier: Option<Barrier>,
    /// Armed at issue, released when the sources have been read.
    pub read_barrier: Option<Barrier>,
    /// Must be clear before this instruction issues.
    pub wait: BarrierSet,
    /// Source slots whose register is kept for reuse.
    pub reuse: ReuseSet,
}

impl ControlWord {
    /// The control word of an instruction without dependences: one cycle, nothing else.
    pub const PLAIN: ControlWord = ControlWord {
        stall: Stall(1),
        yields: false,
        write_barrier: None,
        read_barrier: None,
        wait: BarrierSet::EMPTY,
        reuse: ReuseSet::EMPTY,
    };

    /// The barriers this instruction arms.
    pub fn armed(&self) -> BarrierSet {
        self.write_barrier
            .into_iter()
            .chain(self.read_barrier)
            .collect()
    }
}
