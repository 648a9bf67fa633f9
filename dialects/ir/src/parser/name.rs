//! Names of values and blocks, as keys.

use std::hash::{Hash, Hasher};

use crate::{Context, Identifier};

/// A name without its sigil. Equal names are equal keys: a short name is held in the key, a long
/// one is interned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name(u128);

/// How many bytes a key has room for.
const SHORT: usize = 15;
/// In the last byte of a key: the name is interned.
const INTERNED: u128 = 0xff << 120;

impl Name {
    /// The key of the name that is the first `length` bytes of `text`.
    #[inline]
    pub(super) fn new(context: &mut Context, text: &str, length: usize) -> Self {
        if length > SHORT {
            let name = Identifier::new(context, &text[..length]);
            return Name(INTERNED | u128::from(name.0));
        }
        let word = match text.as_bytes().first_chunk::<16>() {
            // Behind the name are bytes that do not matter.
            Some(bytes) => u128::from_le_bytes(*bytes) & ((1 << (8 * length)) - 1),
            None => {
                let mut bytes = [0; 16];
                bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
                u128::from_le_bytes(bytes)
            }
        };
        Name(word | (length as u128) << 120)
    }

    /// The name as text.
    pub(super) fn text(self, context: &Context) -> String {
        let bytes = self.0.to_le_bytes();
        if self.0 & INTERNED == INTERNED {
            let [a, b, c, d, ..] = bytes;
            let name = Identifier(u32::from_le_bytes([a, b, c, d]));
            return name.text(context).to_owned();
        }
        String::from_utf8_lossy(&bytes[..usize::from(bytes[SHORT]).min(SHORT)]).into_owned()
    }
}

impl Hash for Name {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        #[expect(clippy::cast_possible_truncation, reason = "the two halves of a word")]
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        state.write_u64(low);
        state.write_u64(high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_name_wherever_it_stands() {
        let mut context = Context::new();
        let names = ["0", "a", "abcdefghijklmno", "abcdefghijklmnop", "x.y-z$_1"];
        for name in names {
            let behind = format!("{name}, %something else");
            let key = Name::new(&mut context, name, name.len());
            assert_eq!(key, Name::new(&mut context, &behind, name.len()), "{name}");
            assert_eq!(key.text(&context), name);
            for other in names.iter().filter(|other| **other != name) {
                assert_ne!(key, Name::new(&mut context, other, other.len()));
            }
        }
    }
}
