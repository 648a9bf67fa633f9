//! Lays out printed IR in lines of a given width.
//!
//! The layout works on the printed text, so it applies to every dialect: a printed line is an
//! operation up to its first region, the text between two regions, or a block label. Lines that are
//! too long are broken at spaces; nothing else changes. The printer marks the texts that must not
//! change: the bodies of opaque types and attributes.

mod document;
mod tokens;
mod widths;

#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::ops::Range;

use pretty::{Arena, DocAllocator};

/// Lays out `text`. The ranges in `verbatim`, in order, are parts of it that must not change.
pub(super) fn lay_out(text: &str, verbatim: &[Range<usize>], width: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut start = 0;
    let mut verbatim = verbatim;
    while start < text.len() {
        let (end, used) = line_end(text, start, verbatim);
        let (inside, rest) = verbatim.split_at(used);
        lay_out_line(&text[start..end], start, inside, width, &mut out);
        start = end;
        verbatim = rest;
        if text[start..].starts_with('\n') {
            out.push('\n');
            start += 1;
        }
    }
    out
}

/// The end of the line that starts at `start`, and the number of verbatim ranges in it.
fn line_end(text: &str, start: usize, verbatim: &[Range<usize>]) -> (usize, usize) {
    let mut from = start;
    for (number, range) in verbatim.iter().enumerate() {
        match text[from..range.start].find('\n') {
            Some(length) => return (from + length, number),
            None => from = range.end,
        }
    }
    let length = text[from..].find('\n');
    (
        length.map_or(text.len(), |length| from + length),
        verbatim.len(),
    )
}

fn lay_out_line(
    line: &str,
    start: usize,
    verbatim: &[Range<usize>],
    width: usize,
    out: &mut String,
) {
    let unindented = line.trim_start_matches(' ');
    let indent = line.len() - unindented.len();
    if line.len() <= width || unindented.is_empty() {
        out.push_str(line);
        return;
    }
    let offset = start + indent;
    let relative = |range: &Range<usize>| range.start - offset..range.end - offset;
    let verbatim: Vec<_> = verbatim.iter().map(relative).collect();
    let tokens = tokens::tokens(unindented, &verbatim);
    let arena = Arena::new();
    let document = document::document(&arena, &tokens, indent, width);
    let document = arena.text(&line[..indent]).append(document);
    // Writing to a string cannot fail.
    let _ = write!(out, "{}", document.pretty(width));
}
