//! The priority byte: what is decided by single bits (reference section 4.3; seed 000, "DynBatch Priority Function").

use super::candidates::{Candidate, Scan};
use super::{Engine, Temperature};
use crate::instructions::region::Event;
use crate::instructions::registers::RegisterClass;
use crate::instructions::resources::Unit;

/// A matrix product of a warp: it leaves the issue slots behind it free.
pub(super) const PRODUCT: u8 = 1 << 7;
/// It closes a group of products of a warp group.
pub(super) const CLOSES: u8 = 1 << 6;
/// The first access to global memory of a region.
pub(super) const HOT: u8 = 1 << 5;
/// The same, if it does not stall and registers are left.
pub(super) const HOT_AND_FITS: u8 = 1 << 4;
/// It does not stall, or it is the last one of the program that no scoreboard signals.
pub(super) const STALL_FREE: u8 = 1 << 2;
/// It belongs to a burst of operations of variable latency.
pub(super) const CRITICAL: u8 = 1 << 1;

/// The bits of the phase of batches, which are compared as one number.
mod batch_bits {
    pub const PRODUCT: u8 = 1 << 7;
    pub const CLOSES: u8 = 0b11 << 5;
    pub const FITS: u8 = 1 << 3;
    pub const MEMBER: u8 = 1 << 2;
    pub const NO_DEEPER: u8 = 1 << 1;
    pub const STALL_FREE: u8 = 1;
}

impl Engine<'_> {
    /// The byte of a candidate.
    pub(super) fn byte(&self, candidate: &Candidate, scan: &Scan) -> u8 {
        let general = candidate.change[RegisterClass::General as usize];
        let live = self.live.live()[RegisterClass::General as usize];
        let fits = general <= 0 || live + general <= self.settings.careful_budget;
        let is_free = candidate.stall <= 0;
        let product = candidate.unit == Unit::Tensor && candidate.event == Event::None;
        let closes = candidate.event == Event::Product { closes: true };
        let of = |condition: bool, bit: u8| if condition { bit } else { 0 };
        if let Some(batch) = &self.batch {
            return of(product, batch_bits::PRODUCT)
                | of(closes && batch.may_close(candidate), batch_bits::CLOSES)
                | of(fits, batch_bits::FITS)
                | of(batch.is_member(candidate), batch_bits::MEMBER)
                | of(candidate.height <= batch.depth(), batch_bits::NO_DEEPER)
                | of(is_free, batch_bits::STALL_FREE);
        }
        let hot = self.heat.is_tracked && candidate.temperature == Temperature::Hot;
        let bursts = self.burst.left > 0;
        let critical = if bursts {
            candidate.is_target || candidate.sum() > 0
        } else {
            let threshold = self.burst.threshold.unwrap_or(1);
            candidate.is_target && candidate.stall <= self.burst.tier && scan.targets >= threshold
        };
        let preferred = scan.last_other == Some(candidate.node) && !scan.free;
        let hot_and_fits = hot && fits && is_free;
        of(product, PRODUCT)
            | of(closes && (!hot || bursts), CLOSES)
            | of(hot, HOT)
            | of(hot_and_fits, HOT_AND_FITS)
            | of(is_free || preferred, STALL_FREE)
            | of(critical, CRITICAL)
    }
}
