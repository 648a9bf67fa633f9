//! The texts a run deals with, and messages that point into them.

use std::cell::OnceCell;
use std::rc::Rc;

/// A place in one of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Location {
    pub(crate) buffer: usize,
    pub(crate) offset: usize,
}

impl Location {
    pub(crate) fn plus(self, bytes: usize) -> Location {
        Location {
            buffer: self.buffer,
            offset: self.offset + bytes,
        }
    }
}

/// A part of a text together with where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) location: Location,
}

impl<'a> Located<'a> {
    pub(crate) fn skip(self, count: usize) -> Located<'a> {
        let count = count.min(self.bytes.len());
        Located {
            bytes: &self.bytes[count..],
            location: self.location.plus(count),
        }
    }

    pub(crate) fn take(self, count: usize) -> Located<'a> {
        let count = count.min(self.bytes.len());
        Located {
            bytes: &self.bytes[..count],
            location: self.location,
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn first(self) -> Option<u8> {
        self.bytes.first().copied()
    }

    pub(crate) fn starts_with(self, prefix: &[u8]) -> bool {
        self.bytes.starts_with(prefix)
    }

    pub(crate) fn find(self, needle: &[u8]) -> Option<usize> {
        memchr::memmem::find(self.bytes, needle)
    }

    pub(crate) fn trim_start(self) -> Located<'a> {
        let blank = self
            .bytes
            .iter()
            .take_while(|byte| is_blank(**byte))
            .count();
        self.skip(blank)
    }

    pub(crate) fn trim_end(self) -> Located<'a> {
        let blank = self
            .bytes
            .iter()
            .rev()
            .take_while(|byte| is_blank(**byte))
            .count();
        self.take(self.bytes.len() - blank)
    }

    /// Drops `prefix` if the text starts with it, and returns whether it did.
    pub(crate) fn consume(&mut self, prefix: &[u8]) -> bool {
        let found = self.starts_with(prefix);
        if found {
            *self = self.skip(prefix.len());
        }
        found
    }

    /// The text, for a message.
    pub(crate) fn text(self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }
}

/// Whether the byte is horizontal white space, as FileCheck folds it.
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

#[derive(Debug)]
struct Buffer {
    name: String,
    text: Rc<Vec<u8>>,
    newlines: OnceCell<Vec<usize>>,
}

/// All texts of a run.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    buffers: Vec<Buffer>,
}

impl Sources {
    /// Adds a text and returns its number.
    pub(crate) fn add(&mut self, name: &str, text: Vec<u8>) -> usize {
        self.buffers.push(Buffer {
            name: name.to_owned(),
            text: Rc::new(text),
            newlines: OnceCell::new(),
        });
        self.buffers.len() - 1
    }

    pub(crate) fn text(&self, buffer: usize) -> Rc<Vec<u8>> {
        Rc::clone(&self.buffers[buffer].text)
    }

    pub(crate) fn bytes(&self, location: Location, length: usize) -> &[u8] {
        let text = &self.buffers[location.buffer].text;
        text.get(location.offset..location.offset + length)
            .unwrap_or(&[])
    }

    /// Line and column, both from one. A carriage return ends a line for the column only.
    pub(crate) fn line_and_column(&self, location: Location) -> (usize, usize) {
        let buffer = &self.buffers[location.buffer];
        let newlines = buffer
            .newlines
            .get_or_init(|| memchr::memchr_iter(b'\n', &buffer.text).collect());
        let before = newlines.partition_point(|&newline| newline < location.offset);
        let line_start = before.checked_sub(1).map_or(0, |index| newlines[index] + 1);
        let in_line = &buffer.text[line_start..location.offset.min(buffer.text.len())];
        let column = match memchr::memrchr(b'\r', in_line) {
            Some(index) => in_line.len() - index,
            None => in_line.len() + 1,
        };
        (before + 1, column)
    }

    /// The line around a location, without its end.
    fn line(&self, location: Location) -> (usize, &[u8]) {
        let text = &self.buffers[location.buffer].text;
        let offset = location.offset.min(text.len());
        let start = memchr::memrchr2(b'\n', b'\r', &text[..offset]).map_or(0, |index| index + 1);
        let end =
            memchr::memchr2(b'\n', b'\r', &text[offset..]).map_or(text.len(), |len| offset + len);
        (start, &text[start..end])
    }
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    Remark,
    Note,
}

/// The text a run prints.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) output: Vec<u8>,
    pub(crate) color: bool,
}

impl Log {
    pub(crate) fn line(&mut self, text: &str) {
        self.output.extend_from_slice(text.as_bytes());
        self.output.push(b'\n');
    }

    fn paint(&mut self, code: &str) {
        if self.color {
            self.output.extend_from_slice(code.as_bytes());
        }
    }

    pub(crate) fn error(&mut self, sources: &Sources, location: Location, message: &str) {
        self.message(sources, location, Severity::Error, message, None);
    }

    pub(crate) fn note(&mut self, sources: &Sources, location: Location, message: &str) {
        self.message(sources, location, Severity::Note, message, None);
    }

    /// `name:line:column: severity: message`, the line, and a caret; `~` under `range`.
    pub(crate) fn message(
        &mut self,
        sources: &Sources,
        location: Location,
        severity: Severity,
        message: &str,
        range: Option<(Location, Location)>,
    ) {
        let (line, column) = sources.line_and_column(location);
        let name = &sources.buffers[location.buffer].name;
        self.paint("\x1b[1m");
        self.output
            .extend_from_slice(format!("{name}:{line}:{column}: ").as_bytes());
        let (word, code) = match severity {
            Severity::Error => ("error", "\x1b[0;1;31m"),
            Severity::Remark => ("remark", "\x1b[0;1;34m"),
            Severity::Note => ("note", "\x1b[0;1;30m"),
        };
        self.paint("\x1b[0m");
        self.paint(code);
        self.output
            .extend_from_slice(format!("{word}: ").as_bytes());
        self.paint("\x1b[0m");
        self.paint("\x1b[1m");
        self.line(message);
        self.paint("\x1b[0m");
        self.excerpt(sources, location, range);
    }

    fn excerpt(
        &mut self,
        sources: &Sources,
        location: Location,
        range: Option<(Location, Location)>,
    ) {
        let (start, text) = sources.line(location);
        print_with_tabs(&mut self.output, text, text);
        self.output.push(b'\n');
        // The width of other characters on the screen is unknown, so no caret could be right.
        if !text.is_ascii() {
            return;
        }
        let mut caret = vec![b' '; text.len() + 1];
        if let Some((from, to)) = range
            && from.buffer == location.buffer
        {
            let from = from.offset.saturating_sub(start).min(text.len());
            let to = to.offset.saturating_sub(start).min(text.len());
            caret[from..to.max(from)].fill(b'~');
        }
        caret[(location.offset - start).min(text.len())] = b'^';
        let used = caret
            .iter()
            .rposition(|&byte| byte != b' ')
            .map_or(0, |index| index + 1);
        self.paint("\x1b[0;1;32m");
        print_with_tabs(&mut self.output, &caret[..used], text);
        self.output.push(b'\n');
        self.paint("\x1b[0m");
    }
}

/// Prints `shown` so that columns agree with `line` when its tabs are eight wide.
fn print_with_tabs(out: &mut Vec<u8>, shown: &[u8], line: &[u8]) {
    let mut column = 0;
    for (index, &byte) in shown.iter().enumerate() {
        if line.get(index) != Some(&b'\t') {
            out.push(byte);
            column += 1;
            continue;
        }
        let filler = if byte == b'\t' { b' ' } else { byte };
        loop {
            out.push(filler);
            column += 1;
            if column % 8 == 0 {
                break;
            }
        }
    }
}
