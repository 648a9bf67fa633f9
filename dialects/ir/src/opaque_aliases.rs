//! Aliases in the text of types and attributes of unregistered dialects.
//!
//! Such text is kept as written, but an alias in it has a definition only together with its
//! definition. The definition is therefore part of the type or attribute: equal texts with
//! different alias definitions are different types or attributes.

use std::ops::Range;

use crate::Attribute;

/// An alias in the text of an opaque type or attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpaqueAlias {
    /// The name as written, with the leading `#` or `!`.
    pub name: Box<str>,
    /// The definition; a type attribute if it is the alias of a type.
    pub definition: Attribute,
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
                    position += crate::parser::suffix(&bytes[position..]);
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
