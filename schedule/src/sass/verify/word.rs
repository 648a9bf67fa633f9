//! Unchecked control words.

use orison_sass::control::{Barrier, BarrierSet, ControlWord, ReuseSet, Stall};

/// The fields of a control word as unchecked numbers, as given by external input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawWord {
    /// Cycles until the next instruction.
    pub stall: u32,
    /// Whether to switch to another warp.
    pub yields: bool,
    /// The write barrier; 7 for none.
    pub write_barrier: u32,
    /// The read barrier; 7 for none.
    pub read_barrier: u32,
    /// The scoreboards that are waited for, one bit each.
    pub wait: u32,
    /// The source slots with reuse, one bit each.
    pub reuse: u32,
}

impl RawWord {
    /// The encoding of no barrier.
    pub const NONE: u32 = 7;

    /// The fields of a control word.
    pub fn of(word: &ControlWord) -> RawWord {
        let barrier = |found: Option<Barrier>| {
            found.map_or(RawWord::NONE, |barrier| u32::from(barrier.index()))
        };
        RawWord {
            stall: u32::from(word.stall.cycles()),
            yields: word.yields,
            write_barrier: barrier(word.write_barrier),
            read_barrier: barrier(word.read_barrier),
            wait: u32::from(word.wait.mask()),
            reuse: u32::from(word.reuse.mask()),
        }
    }

    /// The control word, if every field is in range.
    pub fn checked(&self) -> Option<ControlWord> {
        let barrier = |index: u32| match index {
            RawWord::NONE => Some(None),
            _ => Barrier::new(u8::try_from(index).ok()?).map(Some),
        };
        Some(ControlWord {
            stall: Stall::new(u8::try_from(self.stall).ok()?)?,
            yields: self.yields,
            write_barrier: barrier(self.write_barrier)?,
            read_barrier: barrier(self.read_barrier)?,
            wait: BarrierSet::from_mask(u8::try_from(self.wait).ok()?)?,
            reuse: ReuseSet::from_mask(u8::try_from(self.reuse).ok()?)?,
        })
    }
}
