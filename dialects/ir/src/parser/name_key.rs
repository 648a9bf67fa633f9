//! Compact keys for the names of values and blocks.

use std::hash::{Hash, Hasher};

use crate::{Context, Identifier};

/// A name without its sigil. Equal names have equal keys: a short name is stored in the key, a long
/// one is interned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name([u8; 16]);

/// The maximum length of a name stored in a key, in bytes.
const SHORT: usize = 15;
/// The value of the last byte of a key, which holds the length of a short name, if the name is
/// interned.
const INTERNED: u8 = 0xff;

impl Name {
    /// The key of the name formed by the first `length` bytes of `text`.
    #[inline]
    pub(super) fn new(context: &mut Context, text: &str, length: usize) -> Self {
        let mut bytes = [0; 16];
        if length > SHORT {
            let name = Identifier::new(context, &text[..length]);
            bytes[..4].copy_from_slice(&name.0.to_le_bytes());
            bytes[SHORT] = INTERNED;
            return Name(bytes);
        }
        let word = match text.as_bytes().first_chunk::<16>() {
            // The bytes after the name are masked out.
            Some(bytes) => u128::from_le_bytes(*bytes) & ((1 << (8 * length)) - 1),
            None => {
                bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
                u128::from_le_bytes(bytes)
            }
        };
        Name((word | (length as u128) << (8 * SHORT)).to_le_bytes())
    }

    /// The name as text.
    pub(super) fn text(self, context: &Context) -> String {
        if self.0[SHORT] == INTERNED {
            let [a, b, c, d, ..] = self.0;
            let name = Identifier(u32::from_le_bytes([a, b, c, d]));
            return name.text(context).to_owned();
        }
        let length = usize::from(self.0[SHORT]).min(SHORT);
        String::from_utf8_lossy(&self.0[..length]).into_owned()
    }
}

impl Hash for Name {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let word = u128::from_le_bytes(self.0);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the two halves of a 64-bit value"
        )]
        let (low, high) = (word as u64, (word >> 64) as u64);
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
