//! Reading of bytes, variable-width integers and sections.

use super::format::{PADDING, section};

/// An error in a file and its position.
#[derive(Debug)]
pub(super) struct Fault {
    /// The message.
    pub(super) message: String,
    /// The byte offset in the file; `None` if the error has no position.
    pub(super) offset: Option<usize>,
    /// An additional note.
    pub(super) note: Option<String>,
}

/// The result of a reading step.
pub(super) type Read<T> = Result<T, Fault>;

/// A part of the file that is being read.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'b> {
    file: &'b [u8],
    position: usize,
    end: usize,
    /// The number of announced items that are still to be read. Each takes at least one byte, so a
    /// small file cannot cause large allocations.
    announced: u64,
}

impl<'b> Cursor<'b> {
    /// A cursor at the start of a file.
    pub(super) fn new(file: &'b [u8]) -> Self {
        Cursor::of(file, (0, file.len()))
    }

    /// A cursor at the start of a range of a file.
    pub(super) fn of(file: &'b [u8], (start, end): (usize, usize)) -> Self {
        Cursor {
            file,
            position: start,
            end,
            announced: 0,
        }
    }

    /// The number of bytes left.
    pub(super) fn left(&self) -> usize {
        self.end - self.position
    }

    /// Whether everything was read.
    pub(super) fn is_empty(&self) -> bool {
        self.position == self.end
    }

    /// The byte offset in the file.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// An error at the current position.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault {
            message: message.into(),
            offset: Some(self.position),
            note: None,
        }
    }

    /// Announces `count` items, each of which takes at least one byte.
    ///
    /// # Errors
    /// If fewer bytes are left.
    pub(super) fn announce(&mut self, count: u64, what: &str) -> Read<()> {
        let left = (self.left() as u64).saturating_sub(self.announced);
        if count > left {
            return Err(self.fault(format!(
                "expected {count} {what}, but only {left} bytes remain"
            )));
        }
        self.announced += count;
        Ok(())
    }

    /// Records that `count` of the announced items were read or will not be read.
    pub(super) fn settle(&mut self, count: u64) {
        self.announced = self.announced.saturating_sub(count);
    }

    /// Checks that `count` bytes are left; returns the count as a size.
    ///
    /// # Errors
    /// If fewer bytes are left.
    pub(super) fn fits(&self, count: u64, what: &str) -> Read<usize> {
        let size = usize::try_from(count).ok();
        size.filter(|size| *size <= self.left()).ok_or_else(|| {
            let left = self.left();
            self.fault(format!(
                "expected {count} {what}, but only {left} bytes remain"
            ))
        })
    }

    /// Reads a byte.
    #[inline]
    pub(super) fn byte(&mut self) -> Read<u8> {
        if self.is_empty() {
            return Err(self.fault("attempting to parse a byte at the end of the bytecode"));
        }
        let byte = self.file[self.position];
        self.position += 1;
        Ok(byte)
    }

    /// Skips `length` bytes; returns their range in the file.
    pub(super) fn span(&mut self, length: u64) -> Read<(usize, usize)> {
        let left = self.left();
        let Some(size) = usize::try_from(length).ok().filter(|size| *size <= left) else {
            let message = format!("attempting to parse {length} bytes when only {left} remain");
            return Err(self.fault(message));
        };
        let start = self.position;
        self.position += size;
        Ok((start, self.position))
    }

    /// Reads `length` bytes.
    pub(super) fn bytes(&mut self, length: u64) -> Read<&'b [u8]> {
        let (start, end) = self.span(length)?;
        Ok(&self.file[start..end])
    }

    /// Reads an unsigned integer, see [`super::emitter::Emitter::varint`].
    #[inline]
    pub(super) fn varint(&mut self) -> Read<u64> {
        let first = self.byte()?;
        if first & 1 == 1 {
            return Ok(u64::from(first >> 1));
        }
        let more = first.trailing_zeros().min(8);
        let rest = self.bytes(u64::from(more))?;
        let mut word = [0; 8];
        if first == 0 {
            word.copy_from_slice(rest);
            return Ok(u64::from_le_bytes(word));
        }
        word[0] = first;
        word[1..=rest.len()].copy_from_slice(rest);
        Ok(u64::from_le_bytes(word) >> (more + 1))
    }

    /// Reads a signed integer.
    pub(super) fn signed(&mut self) -> Read<i64> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// Reads an integer with a flag.
    pub(super) fn flagged(&mut self) -> Read<(u64, bool)> {
        let value = self.varint()?;
        Ok((value >> 1, value & 1 == 1))
    }

    /// Reads the index of a table entry.
    ///
    /// # Errors
    /// If there is no such entry.
    pub(super) fn index(&mut self, length: usize, what: &str) -> Read<usize> {
        let index = self.varint()?;
        self.check_index(index, length, what)
    }

    /// Checks the index of a table entry.
    ///
    /// # Errors
    /// If there is no such entry.
    pub(super) fn check_index(&self, index: u64, length: usize, what: &str) -> Read<usize> {
        let size = usize::try_from(index).ok();
        size.filter(|index| *index < length)
            .ok_or_else(|| self.fault(format!("invalid {what} index: {index}")))
    }

    /// Reads bytes up to a terminating zero byte.
    pub(super) fn terminated(&mut self) -> Read<&'b [u8]> {
        let rest = &self.file[self.position..self.end];
        let Some(length) = memchr::memchr(0, rest) else {
            let message = "malformed null-terminated string, no null character found";
            return Err(self.fault(message));
        };
        self.position += length + 1;
        Ok(&rest[..length])
    }

    /// Skips the padding before aligned data.
    pub(super) fn align(&mut self, alignment: u64) -> Read<()> {
        if !alignment.is_power_of_two() {
            return Err(self.fault("expected alignment to be a power-of-two"));
        }
        while !(self.position as u64).is_multiple_of(alignment) {
            let padding = self.byte()?;
            if padding != PADDING {
                let message = format!("expected alignment byte (0xCB), but got: '0x{padding:X}'");
                return Err(self.fault(message));
            }
        }
        Ok(())
    }

    /// Reads the header of a section and skips its contents; returns its kind and the range of the
    /// contents.
    pub(super) fn section(&mut self) -> Read<(u8, (usize, usize))> {
        let head = self.byte()?;
        let length = self.varint()?;
        let kind = head & !section::ALIGNED;
        if kind >= section::COUNT {
            return Err(self.fault(format!("invalid section ID: {kind}")));
        }
        if head & section::ALIGNED != 0 {
            let alignment = self.varint()?;
            self.align(alignment)?;
        }
        Ok((kind, self.span(length)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::emitter::Emitter;
    use super::*;

    #[test]
    fn integers_of_every_length_are_read_back() {
        let mut emitter = Emitter::default();
        let values: Vec<u64> = (0..64)
            .flat_map(|bit| [1 << bit, (1 << bit) - 1, u64::MAX >> bit])
            .collect();
        for &value in &values {
            emitter.varint(value);
            emitter.signed(value.cast_signed());
            emitter.signed(value.cast_signed().wrapping_neg());
        }
        let bytes = emitter.into_parts().concat();
        let mut cursor = Cursor::new(&bytes);
        for value in values {
            assert_eq!(cursor.varint().expect("an integer"), value);
            assert_eq!(cursor.signed().expect("an integer"), value.cast_signed());
            let negated = value.cast_signed().wrapping_neg();
            assert_eq!(cursor.signed().expect("an integer"), negated);
        }
        assert!(cursor.is_empty());
    }

    #[test]
    fn what_is_announced_must_fit() {
        let mut cursor = Cursor::new(&[0; 8]);
        assert!(cursor.announce(5, "blocks").is_ok());
        assert!(cursor.announce(4, "blocks").is_err(), "3 are left");
        cursor.settle(5);
        assert!(cursor.announce(8, "blocks").is_ok());
        assert!(cursor.fits(u64::MAX, "strings").is_err());
    }
}
