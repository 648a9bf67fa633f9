//! Control words whose fields nobody has checked.

use orison_sass::control::{Barrier, BarrierSet, ControlWord, ReuseSet, Stall};

/// The fields of a control word as numbers of any size, as they come from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawWord {
    /// Cycles until the next instruction.
    pub stall: u32,
    /// Whether another warp should go on.
    pub yields: bool,
    /// The write barrier; 7 for none.
    pub write_barrier: u32,
    /// The read barrier; 7 for none.
    pub read_barrier: u32,
    /// The scoreboards that are waited for, a bit each.
    pub wait: u32,
    /// The source slots that are kept, a bit each.
    pub reuse: u32,
}

impl RawWord {
    /// What stands for no barrier.
    pub const NONE: u32 = 7;

    /// The fields of a word.
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

    /// The word, when every field is in its range.
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
