//! Matrices in shared memory, located by descriptors.

/// A matrix in shared memory (PTX ISA, "Matrix Descriptor Format" of wgmma, and "Shared memory
/// descriptor" of tcgen05).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Descriptor {
    start: u64,
    leading: u64,
    stride: u64,
    /// Bytes of a swizzled row; 16 without swizzle.
    row: u64,
}

impl Descriptor {
    /// The descriptor of a product of a warp group.
    ///
    /// # Errors
    /// The unsupported property.
    pub(super) fn of_group(bits: u64) -> Result<Self, String> {
        let base = bits >> 49 & 7;
        if base != 0 {
            return Err(format!(
                "has a descriptor with a base offset of {base}, which is not modelled"
            ));
        }
        Ok(Self::decode(bits))
    }

    /// The descriptor of an operation on tensor memory.
    ///
    /// # Errors
    /// The unsupported property.
    pub(super) fn of_tensor_core(bits: u64) -> Result<Self, String> {
        let fail = |what: &str| {
            Err(format!(
                "has a descriptor with {what}, which is not modelled"
            ))
        };
        if bits >> 52 & 1 == 1 {
            return fail("an absolute leading dimension offset");
        }
        match bits >> 61 {
            0 | 2 | 4 | 6 => Self::of_group(bits),
            1 => fail("a swizzle of 32-byte chunks"),
            mode => fail(&format!("the swizzle mode {mode}")),
        }
    }

    fn decode(bits: u64) -> Self {
        let field = |place: u32| (bits >> place & 0x3FFF) << 4;
        Descriptor {
            start: field(0),
            leading: field(16),
            stride: field(32),
            row: match bits >> 62 {
                0 => 16,
                1 => 128,
                2 => 64,
                _ => 32,
            },
        }
    }

    /// The address of an element: `major` is the offset in the contiguous direction, in bytes;
    /// `minor` the index across. `along_depth` is set if the contiguous direction is the depth.
    pub(super) fn place(self, major: u64, minor: u64, along_depth: bool) -> u64 {
        let row = self.row;
        let (group, line) = (minor / 8, minor % 8);
        let plain = match (row, along_depth) {
            (16, true) => group * self.stride + major / 16 * self.leading + line * 16 + major % 16,
            (16, false) => group * self.leading + major / 16 * self.stride + line * 16 + major % 16,
            (_, true) => group * self.stride + line * row + major,
            (_, false) => {
                group * self.stride + major / row * self.leading + line * row + major % row
            }
        };
        let address = self.start + plain;
        // Chunks of 16 bytes are permuted by the index of their 128-byte line.
        address ^ (address >> 7 & (row / 16 - 1)) << 4
    }

    /// The address of the element at an index along the depth of a row, or of a column.
    pub(super) fn element(self, line: usize, step: usize, bits: usize, transposed: bool) -> u64 {
        let bytes = bits as u64 / 8;
        let (line, step) = (line as u64, step as u64);
        if transposed {
            self.place(line * bytes, step, false)
        } else {
            self.place(step * bytes, line, true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swizzles_have_the_same_bits_in_both_formats() {
        for (group, tensor) in [(0_u64, 0_u64), (1, 2), (2, 4), (3, 6)] {
            let common = 0x40 | 1 << 16 | 64 << 32;
            let one = Descriptor::of_group(common | group << 62);
            assert_eq!(one, Descriptor::of_tensor_core(common | tensor << 61));
            assert!(one.is_ok());
        }
        for (bits, words) in [
            (1 << 61, "a swizzle of 32-byte chunks"),
            (3 << 61, "the swizzle mode 3"),
            (1 << 52, "an absolute leading dimension offset"),
            (1 << 49, "a base offset of 1"),
        ] {
            let error = Descriptor::of_tensor_core(bits).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        let error = Descriptor::of_group(7 << 49).unwrap_err();
        assert!(error.contains("a base offset of 7"), "{error}");
    }
}
