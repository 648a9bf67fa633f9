//! Aliases in the text of types and attributes whose dialect is not registered.
//!
//! Such a text is kept as it was written, but an alias in it means something only together with its
//! definition. So what it stood for is part of the type or attribute: texts that look the same and
//! mean different things are different.

use std::ops::Range;

use crate::Attribute;

/// An alias in the text of an opaque type or attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mention {
    /// The alias as it is written, with `#` or `!` in front.
    pub alias: Box<str>,
    /// What it stands for; a type attribute where it is the alias of a type.
    pub meaning: Attribute,
}

/// Where aliases stand in the body of an opaque type or attribute, defined or not. What is in a
/// string is none, nor what a dialect owns: a name with a dot, or with a body behind it.
pub(crate) fn aliases(body: &str) -> impl Iterator<Item = Range<usize>> {
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

/// One past the closing quote of a string whose inside starts at `position`.
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
        let found: Vec<_> = super::aliases(body).map(|range| &body[range]).collect();
        assert_eq!(found, ["#b", "!e", "#i", "#2"]);
    }

    #[test]
    fn broken_texts_end() {
        for body in ["#", "!", "\"#a", "\"\\", "a#", "#é"] {
            assert_eq!(super::aliases(body).count(), 0, "{body}");
        }
    }
}
