//! The 128 bits of an instruction of sm_70 and later.

mod alignment;
mod bits;
mod decode;
mod describe;
mod encode;
mod form;
mod hidden;
mod reader;
pub mod sample;
mod table;
#[cfg(test)]
mod tests;

pub use decode::{DecodeError, decode};
pub use encode::{EncodeError, encode};
pub use hidden::reveal_descriptor;
pub use table::MACHINES;

use crate::control::{ControlError, ControlLayout, ControlWord, Inline21};

/// The bits of an instruction, as two little-endian 64-bit values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Encoding {
    /// Bits 0 to 63.
    pub low: u64,
    /// Bits 64 to 127.
    pub high: u64,
}

/// The first bit of the control word in the high half.
const CONTROL_START: u32 = 105 - 64;
const CONTROL_MASK: u64 = 0x1f_ffff << CONTROL_START;

impl Encoding {
    /// Size of an instruction in bytes.
    pub const BYTES: u64 = 16;

    /// The bits of the control word.
    pub fn control_bits(self) -> u32 {
        u32::try_from((self.high & CONTROL_MASK) >> CONTROL_START).unwrap_or_default()
    }

    /// The control word.
    ///
    /// # Errors
    /// If the bits name a barrier that does not exist.
    pub fn control(self) -> Result<ControlWord, ControlError> {
        Inline21.decode(self.control_bits())
    }

    /// The same instruction with another control word.
    ///
    /// # Errors
    /// If the control word cannot be encoded.
    pub fn with_control(self, word: &ControlWord) -> Result<Encoding, ControlError> {
        let bits = u64::from(Inline21.encode(word)?);
        Ok(Encoding {
            low: self.low,
            high: self.high & !CONTROL_MASK | bits << CONTROL_START,
        })
    }

    /// The instruction without its control word: equal for instructions with equal operation.
    #[must_use]
    pub fn without_control(self) -> Encoding {
        Encoding {
            low: self.low,
            high: self.high & !CONTROL_MASK,
        }
    }

    /// `width` bits (at most 64) starting at bit `start`.
    pub fn field(self, start: u32, width: u32) -> u64 {
        let bits = u128::from(self.high) << 64 | u128::from(self.low);
        let mask = (1u128 << width.min(64)) - 1;
        u64::try_from(bits >> start.min(127) & mask).unwrap_or_default()
    }

    /// All bits.
    pub fn bits(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    /// The bytes in memory.
    pub fn to_bytes(self) -> [u8; 16] {
        self.bits().to_le_bytes()
    }

    /// The instruction at these bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Encoding {
        Encoding::from_bits(u128::from_le_bytes(bytes))
    }

    /// The instruction with these bits.
    pub fn from_bits(bits: u128) -> Encoding {
        Encoding {
            low: u64::try_from(bits & u128::from(u64::MAX)).unwrap_or_default(),
            high: u64::try_from(bits >> 64).unwrap_or_default(),
        }
    }
}
