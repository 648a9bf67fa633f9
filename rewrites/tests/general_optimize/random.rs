//! Random numbers that are the same in every run.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    /// A value of `bits` bits: uniform, an edge case, near a power of two, or with few bits set.
    pub fn value(&mut self, bits: u32) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let shift = self.next() % u64::from(bits);
        let value = match self.next() % 8 {
            0 => self.next() & 3,
            1 => !(self.next() & 3),
            2 => 1 << shift,
            3 => (1u64 << shift)
                .wrapping_sub(self.next() % 3)
                .wrapping_add(self.next() & 1),
            4 => self.next() % u64::from(2 * bits),
            5 => 1 << (bits - 1),
            // Special floats: zeros, one, infinities, denormals, NaNs.
            6 => *[
                0x3f80_0000,
                0xbf80_0000,
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0x7f80_0001,
                0x0000_0001,
                0x0080_0000,
                0x807f_ffff,
                0x7f7f_ffff,
                0x3ff0_0000_0000_0000,
                0x7ff0_0000_0000_0000,
                0x8000_0000_0000_0000,
                0x7ff8_0000_0000_0000,
                // Special halves: zeros, ones, infinities, denormals, NaNs, of both formats.
                0x8000_8000,
                0x3c00_bc00,
                0x7c00_fc00,
                0x7e00_0001,
                0x0400_83ff,
                0x3f80_bf80,
                0x7fc0_0080,
                // Integers at the limit of exact representation as floats.
                0x0100_0000,
            ]
            .get(self.below(22))
            .unwrap(),
            _ => self.next(),
        };
        value & mask
    }
}
