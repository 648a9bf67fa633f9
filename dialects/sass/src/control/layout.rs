//! Bit layouts of control words.

use super::{Barrier, BarrierSet, ControlError, ControlWord, ReuseSet, Stall};

/// An encoding of control words.
pub trait ControlLayout {
    /// The name in options.
    fn name(&self) -> &'static str;
    /// The width of a control word in bits.
    fn width(&self) -> u32;
    /// Encodes a control word.
    ///
    /// # Errors
    /// If the layout cannot represent a field of the control word.
    fn encode(&self, word: &ControlWord) -> Result<u32, ControlError>;
    /// Decodes a control word.
    ///
    /// # Errors
    /// If the bits encode no valid control word, or a bit above the width is set.
    fn decode(&self, bits: u32) -> Result<ControlWord, ControlError>;
}

/// Bits 105 to 125 of every instruction of sm_70 and later (reference 10.1, measured): stall 4,
/// stay 1, write barrier 3, read barrier 3 (7 is none), wait mask 6, reuse 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inline21;

/// A slot of the scoreboard page (seed 003): stall 4, yield 1, write barrier 3 (7 is none), read
/// mask 6, wait mask 6, reserved 3; three slots in a 128-bit control instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bundle23;

const NO_BARRIER: u32 = 7;

fn barrier_bits(barrier: Option<Barrier>) -> u32 {
    barrier.map_or(NO_BARRIER, |barrier| u32::from(barrier.index()))
}

/// The `width` bits starting at `start`; `width` is at most 8.
fn field(bits: u32, start: u32, width: u32) -> u8 {
    (bits >> start & ((1 << width) - 1)).to_le_bytes()[0]
}

fn barrier_of(which: &str, index: u8) -> Result<Option<Barrier>, ControlError> {
    if u32::from(index) == NO_BARRIER {
        return Ok(None);
    }
    let barrier = Barrier::new(index)
        .ok_or_else(|| ControlError(format!("{which} barrier {index} does not exist")))?;
    Ok(Some(barrier))
}

fn check_width(layout: &dyn ControlLayout, bits: u32) -> Result<(), ControlError> {
    if bits >> layout.width() == 0 {
        return Ok(());
    }
    let (name, width) = (layout.name(), layout.width());
    Err(ControlError(format!(
        "{bits:#x} has more than the {width} bits of a control word of {name}"
    )))
}

impl ControlLayout for Inline21 {
    fn name(&self) -> &'static str {
        "inline21"
    }

    fn width(&self) -> u32 {
        21
    }

    fn encode(&self, word: &ControlWord) -> Result<u32, ControlError> {
        Ok(u32::from(word.stall.cycles())
            | u32::from(!word.yields) << 4
            | barrier_bits(word.write_barrier) << 5
            | barrier_bits(word.read_barrier) << 8
            | u32::from(word.wait.mask()) << 11
            | u32::from(word.reuse.mask()) << 17)
    }

    fn decode(&self, bits: u32) -> Result<ControlWord, ControlError> {
        check_width(self, bits)?;
        Ok(ControlWord {
            stall: Stall(field(bits, 0, 4)),
            yields: field(bits, 4, 1) == 0,
            write_barrier: barrier_of("write", field(bits, 5, 3))?,
            read_barrier: barrier_of("read", field(bits, 8, 3))?,
            wait: BarrierSet(field(bits, 11, 6)),
            reuse: ReuseSet(field(bits, 17, 4)),
        })
    }
}

impl ControlLayout for Bundle23 {
    fn name(&self) -> &'static str {
        "bundle23"
    }

    fn width(&self) -> u32 {
        23
    }

    fn encode(&self, word: &ControlWord) -> Result<u32, ControlError> {
        if !word.reuse.is_empty() {
            return Err(ControlError(
                "bundle23 has no room for reuse flags".to_owned(),
            ));
        }
        let read: BarrierSet = word.read_barrier.into_iter().collect();
        Ok(u32::from(word.stall.cycles())
            | u32::from(word.yields) << 4
            | barrier_bits(word.write_barrier) << 5
            | u32::from(read.mask()) << 8
            | u32::from(word.wait.mask()) << 14)
    }

    fn decode(&self, bits: u32) -> Result<ControlWord, ControlError> {
        check_width(self, bits)?;
        if field(bits, 20, 3) != 0 {
            return Err(ControlError(
                "the reserved bits of a slot are not zero".to_owned(),
            ));
        }
        let read = BarrierSet(field(bits, 8, 6));
        if read.iter().count() > 1 {
            return Err(ControlError(format!(
                "the mask {:#08b} names several read barriers, but a control word has one",
                read.mask()
            )));
        }
        Ok(ControlWord {
            stall: Stall(field(bits, 0, 4)),
            yields: field(bits, 4, 1) == 1,
            write_barrier: barrier_of("write", field(bits, 5, 3))?,
            read_barrier: read.iter().next(),
            wait: BarrierSet(field(bits, 14, 6)),
            reuse: ReuseSet::EMPTY,
        })
    }
}

impl Bundle23 {
    /// The control instruction of three control words: 23 bits each starting at bit 0, the other 59
    /// zero.
    ///
    /// # Errors
    /// If a control word does not fit in its slot.
    pub fn pack(&self, words: &[ControlWord; 3]) -> Result<u128, ControlError> {
        let mut bits = 0;
        for (slot, word) in words.iter().enumerate() {
            bits |= u128::from(self.encode(word)?) << (23 * slot);
        }
        Ok(bits)
    }

    /// The three control words of a control instruction.
    ///
    /// # Errors
    /// If a slot cannot be decoded, or a bit above the slots is set.
    pub fn unpack(&self, bits: u128) -> Result<[ControlWord; 3], ControlError> {
        if bits >> (23 * 3) != 0 {
            return Err(ControlError(
                "the 59 bits above the slots are not zero".to_owned(),
            ));
        }
        let mut words = [ControlWord::PLAIN; 3];
        for (slot, word) in words.iter_mut().enumerate() {
            let slot_bits = bits >> (23 * slot) & 0x7f_ffff;
            *word = self.decode(u32::try_from(slot_bits).unwrap_or(u32::MAX))?;
        }
        Ok(words)
    }
}
