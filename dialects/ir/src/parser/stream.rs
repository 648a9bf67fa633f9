//! Incremental reading of the text during parsing.

use std::io::{self, Read};

/// The reason that reading the text failed.
#[derive(Debug)]
pub(crate) enum StreamError {
    /// Reading failed.
    Reading(io::Error),
    /// The bytes are not valid UTF-8.
    Encoding {
        /// The number of line ends between the text read before and these bytes.
        lines: u32,
        /// The 1-based column of the first of these bytes.
        column: u32,
    },
}

/// A stream of text, read in blocks of whole lines.
pub(crate) struct LineStream<'t> {
    reader: &'t mut dyn Read,
    /// The number of bytes to read at once.
    size: usize,
    /// The bytes read so far; the lines up to `used` were returned.
    block: Vec<u8>,
    used: usize,
}

impl std::fmt::Debug for LineStream<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LineStream").finish_non_exhaustive()
    }
}

impl<'t> LineStream<'t> {
    pub(crate) fn new(reader: &'t mut dyn Read, size: usize) -> Self {
        LineStream {
            reader,
            size: size.max(1),
            block: Vec::new(),
            used: 0,
        }
    }

    /// The next lines, all complete except the last line of the text; empty at the end.
    pub(crate) fn lines(&mut self) -> Result<&str, StreamError> {
        self.block.drain(..self.used);
        self.used = 0;
        let mut searched = 0;
        loop {
            let length = self.block.len();
            let mut part = self.reader.take(self.size as u64);
            part.read_to_end(&mut self.block)
                .map_err(StreamError::Reading)?;
            let newline = memchr::memrchr(b'\n', &self.block[searched..]);
            if let Some(newline) = newline {
                self.used = searched + newline + 1;
                break;
            }
            if self.block.len() == length {
                self.used = length;
                break;
            }
            searched = self.block.len();
        }
        let lines = &self.block[..self.used];
        std::str::from_utf8(lines).map_err(|error| {
            let valid = &lines[..error.valid_up_to()];
            let newlines = memchr::memchr_iter(b'\n', valid).count();
            let start = memchr::memrchr(b'\n', valid).map_or(0, |newline| newline + 1);
            StreamError::Encoding {
                lines: u32::try_from(newlines).unwrap_or(u32::MAX),
                column: u32::try_from(valid.len() - start + 1).unwrap_or(u32::MAX),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: usize = 10_000;

    /// A reader that returns its bytes in pieces of a fixed length.
    struct Pieces<'t>(&'t [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len()).min(self.0.len());
            let (piece, rest) = self.0.split_at(length);
            buffer[..length].copy_from_slice(piece);
            self.0 = rest;
            Ok(length)
        }
    }

    fn all(bytes: &[u8]) -> Result<Vec<String>, StreamError> {
        let mut pieces = Pieces(bytes, 1000);
        let mut stream = LineStream::new(&mut pieces, BLOCK);
        let mut blocks = Vec::new();
        loop {
            match stream.lines()? {
                "" => return Ok(blocks),
                lines => blocks.push(lines.to_owned()),
            }
        }
    }

    #[test]
    fn blocks_end_at_ends_of_lines_and_lose_nothing() {
        let line = "é".repeat(300) + "\n";
        let text = line.repeat(2 * BLOCK / line.len()) + "the last";
        let blocks = all(text.as_bytes()).expect("UTF-8");
        assert_eq!(blocks.concat(), text);
        assert!(blocks.len() > 2);
        let (last, others) = blocks.split_last().expect("blocks");
        assert!(others.iter().all(|block| block.ends_with('\n')), "{last}");
    }

    #[test]
    fn a_line_longer_than_a_block_stays_whole() {
        let text = "x".repeat(3 * BLOCK) + "\n";
        assert_eq!(all(text.as_bytes()).expect("UTF-8"), [text]);
    }

    #[test]
    fn bytes_that_are_no_utf8_are_found_where_they_are() {
        match all(b"one\ntwo \xff\n") {
            Err(StreamError::Encoding { lines, column }) => assert_eq!((lines, column), (1, 5)),
            other => panic!("{other:?}"),
        }
    }
}
