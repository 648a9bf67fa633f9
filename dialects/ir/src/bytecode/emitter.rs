//! Writing of bytes, variable-width integers and sections.

use super::format::{PADDING, section};

/// An output buffer. Finished sections are stored separately, so that nesting them copies nothing.
#[derive(Debug, Default)]
pub(super) struct Emitter {
    done: Vec<Vec<u8>>,
    done_size: usize,
    current: Vec<u8>,
    /// The required alignment of the start in bytes; 0 and 1 mean none.
    alignment: usize,
}

impl Emitter {
    /// The number of bytes so far.
    pub(super) fn size(&self) -> usize {
        self.done_size + self.current.len()
    }

    /// Writes a byte.
    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.current.push(byte);
    }

    /// Writes bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.current.extend_from_slice(bytes);
    }

    /// Writes a byte to be set later with [`Emitter::set`], before the next section.
    pub(super) fn reserve(&mut self) -> usize {
        self.current.push(0);
        self.current.len() - 1
    }

    /// Sets a reserved byte.
    pub(super) fn set(&mut self, place: usize, byte: u8) {
        self.current[place] = byte;
    }

    /// Writes an unsigned integer in 1 to 9 bytes: the number of trailing zeros of the first byte
    /// is the number of bytes that follow it.
    #[inline]
    pub(super) fn varint(&mut self, value: u64) {
        let bytes = (64 - (value | 1).leading_zeros()).div_ceil(7) as usize;
        if bytes > 8 {
            self.current.push(0);
            self.bytes(&value.to_le_bytes());
        } else {
            let encoded = (value << 1 | 1) << (bytes - 1);
            self.bytes(&encoded.to_le_bytes()[..bytes]);
        }
    }

    /// Writes a count.
    #[inline]
    pub(super) fn count(&mut self, count: usize) {
        self.varint(count as u64);
    }

    /// Writes a signed integer in zigzag encoding: the lowest bit is the sign.
    pub(super) fn signed(&mut self, value: i64) {
        self.varint((value << 1 ^ value >> 63).cast_unsigned());
    }

    /// Writes an integer and a flag, which is the lowest bit.
    pub(super) fn flagged(&mut self, value: u64, flag: bool) {
        self.varint(value << 1 | u64::from(flag));
    }

    /// Pads to a multiple of `alignment` bytes, a power of two.
    pub(super) fn align(&mut self, alignment: usize) {
        while alignment > 1 && !self.size().is_multiple_of(alignment) {
            self.byte(PADDING);
        }
        self.alignment = self.alignment.max(alignment);
    }

    /// Writes a section.
    pub(super) fn section(&mut self, kind: u8, contents: Emitter) {
        let place = self.reserve();
        self.set(place, kind);
        self.count(contents.size());
        let alignment = contents.alignment;
        if alignment > 1 {
            if !self.size().is_multiple_of(alignment) {
                self.count(alignment);
                self.set(place, kind | section::ALIGNED);
            }
            self.align(alignment);
        }
        self.finish_part();
        self.done.extend(contents.done);
        self.done_size += contents.done_size;
        self.current = contents.current;
        self.finish_part();
    }

    fn finish_part(&mut self) {
        if !self.current.is_empty() {
            self.done_size += self.current.len();
            self.done.push(std::mem::take(&mut self.current));
        }
    }

    /// The parts whose concatenation is the output.
    pub(super) fn into_parts(mut self) -> Vec<Vec<u8>> {
        self.finish_part();
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varint(value: u64) -> Vec<u8> {
        let mut emitter = Emitter::default();
        emitter.varint(value);
        emitter.into_parts().concat()
    }

    /// The examples of MLIR's format documentation, and the limits of each length.
    #[test]
    fn varints_have_their_length_in_the_first_byte() {
        assert_eq!(varint(0), [1]);
        assert_eq!(varint(127), [0xff]);
        assert_eq!(varint(128), [0b10, 0b10]);
        assert_eq!(varint((1 << 14) - 1), [0xfe, 0xff]);
        assert_eq!(varint(1 << 14), [0b100, 0, 0b10]);
        assert_eq!(varint((1 << 56) - 1).len(), 8);
        assert_eq!(varint(1 << 56), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(varint(u64::MAX), [vec![0], vec![0xff; 8]].concat());
    }

    #[test]
    fn a_section_is_aligned_only_where_it_would_not_be_by_chance() {
        let blob = || {
            let mut inner = Emitter::default();
            inner.align(4);
            inner.bytes(&[1, 2]);
            inner
        };
        let mut outer = Emitter::default();
        outer.section(5, blob());
        // Kind and length take two bytes, the alignment one more, and padding the fourth.
        assert_eq!(
            outer.into_parts().concat(),
            [0x85, 5, 9, PADDING, 1, 2],
            "aligned"
        );
        let mut outer = Emitter::default();
        outer.bytes(&[7, 7]);
        outer.section(5, blob());
        assert_eq!(outer.alignment, 4, "what is around it must be aligned, too");
        assert_eq!(outer.into_parts().concat(), [7, 7, 5, 5, 1, 2], "by chance");
    }
}
