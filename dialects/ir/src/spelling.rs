//! The spelling of names in MLIR text, for the lexer and the printer: classes of bytes, names that
//! need no quotes, aliases inside the text of other dialects.

use std::ops::Range;

/// Bytes of bare identifiers.
pub(crate) const WORD: u8 = 1;
/// Bytes that may start a bare identifier.
pub(crate) const WORD_START: u8 = 2;
/// Bytes of names after `%`, `^`, `#`, `!` and `@`.
pub(crate) const SUFFIX: u8 = 4;
/// White space within a line.
pub(crate) const SPACE: u8 = 8;
/// Bytes that end a string or need special handling; as in MLIR, vertical tabs and form feeds also
/// end strings.
pub(crate) const STRING_STOP: u8 = 16;

/// The character classes of each byte.
pub(crate) static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0usize;
    while byte < 128 {
        let c = byte as u8;
        if c.is_ascii_alphabetic() || c == b'_' {
            class[byte] = WORD | WORD_START | SUFFIX;
        } else if c.is_ascii_digit() || c == b'$' || c == b'.' {
            class[byte] = WORD | SUFFIX;
        } else if c == b'-' {
            class[byte] = SUFFIX;
        } else if c == b' ' || c == b'\t' || c == b'\r' || c == 0 {
            // As in MLIR, a NUL between tokens is white space.
            class[byte] = SPACE;
        } else if matches!(c, b'"' | b'\\' | b'\n' | 0x0B | 0x0C) {
            class[byte] = STRING_STOP;
        }
        byte += 1;
    }
    class
};

/// The length of the longest prefix whose bytes are all of a class.
#[inline]
pub(crate) fn scan(bytes: &[u8], class: u8) -> usize {
    let other = |byte: &u8| CLASS[*byte as usize] & class == 0;
    bytes.iter().position(other).unwrap_or(bytes.len())
}

/// The number of leading decimal digits.
#[inline]
pub(crate) fn digits(bytes: &[u8]) -> usize {
    let other = |byte: &u8| !byte.is_ascii_digit();
    bytes.iter().position(other).unwrap_or(bytes.len())
}

/// The length of the suffix after `%`, `^`, `#` or `!`: a number or a name; 0 if it is neither.
#[inline]
pub(crate) fn suffix(bytes: &[u8]) -> usize {
    match bytes.first() {
        Some(first) if first.is_ascii_digit() => digits(bytes),
        _ => scan(bytes, SUFFIX),
    }
}

/// Whether a name needs no quotes: a letter or `_`, then letters, digits, `_`, `$`, `.`.
pub(crate) fn is_bare_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

/// The ranges of aliases in the body of an opaque type or attribute, defined or not. Text inside
/// strings is skipped, as are dialect names (containing a dot or followed by a body).
pub(crate) fn alias_ranges(body: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = body.as_bytes();
    let mut position = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(position) {
            let start = position;
            position += 1;
            match byte {
                b'"' => position = string_end(bytes, position),
                b'#' | b'!' => {
                    position += suffix(&bytes[position..]);
                    let name = &bytes[start + 1..position];
                    let owned = name.contains(&b'.') || bytes.get(position) == Some(&b'<');
                    if !name.is_empty() && !owned {
                        return Some(start..position);
                    }
                }
                _ => {}
            }
        }
        None
    })
}

/// One past the closing quote of a string whose contents start at `position`.
fn string_end(bytes: &[u8], mut position: usize) -> usize {
    while let Some(&byte) = bytes.get(position) {
        position += 1;
        match byte {
            b'"' => break,
            b'\\' => position += 1,
            _ => {}
        }
    }
    position
}

#[cfg(test)]
mod tests {
    #[test]
    fn strings_and_names_of_dialects_are_no_aliases() {
        let body = r##"a<#b, "#c\"!d", !e, #f.g, !h<#i>, #2, #"x">"##;
        let found: Vec<_> = super::alias_ranges(body)
            .map(|range| &body[range])
            .collect();
        assert_eq!(found, ["#b", "!e", "#i", "#2"]);
    }

    #[test]
    fn broken_texts_end() {
        for body in ["#", "!", "\"#a", "\"\\", "a#", "#é"] {
            assert_eq!(super::alias_ranges(body).count(), 0, "{body}");
        }
    }
}
