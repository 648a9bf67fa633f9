//! A cache of printed texts.
//!
//! A large module consists mostly of a few distinct types and attributes, so their texts are cached
//! and copied at later occurrences. The cache is disabled while aliases are collected, because
//! texts may still change.

use super::Printer;
use crate::{Attribute, OperationName, Type};

/// The number of cache slots for attributes, a power of two.
const ATTRIBUTES: usize = 1024;
/// The length limit of a cached text, in bytes.
const LONGEST: usize = 256;
/// The total size of the texts, in bytes, above which the cache is cleared.
const CAPACITY: usize = 1 << 20;

/// The subject of a cached text.
#[derive(Clone, Copy)]
pub(super) enum Subject {
    Type(Type),
    Attribute(Attribute),
    Name(OperationName),
}

/// The location of a cached text; empty if it is not cached.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    length: u32,
}

/// The cached texts.
#[derive(Debug, Default)]
pub(super) struct TextCache {
    store: Vec<u8>,
    types: Vec<Span>,
    names: Vec<Span>,
    attributes: Vec<(Option<Attribute>, Span)>,
}

impl TextCache {
    #[inline]
    fn find(&self, subject: Subject) -> Option<&[u8]> {
        let span = match subject {
            Subject::Type(ty) => self.types.get(ty.0 as usize)?,
            Subject::Name(name) => self.names.get(name.0 as usize)?,
            Subject::Attribute(attribute) => {
                let (known, span) = self.attributes.get(attribute.0 as usize % ATTRIBUTES)?;
                (*known == Some(attribute)).then_some(span)?
            }
        };
        let start = span.start as usize;
        (span.length > 0).then(|| &self.store[start..start + span.length as usize])
    }

    fn insert(&mut self, subject: Subject, text: &[u8]) {
        if text.len() > LONGEST {
            return;
        }
        if self.store.len() + text.len() > CAPACITY {
            *self = TextCache::default();
        }
        let number = |number: usize| u32::try_from(number).unwrap_or(0);
        let span = Span {
            start: number(self.store.len()),
            length: number(text.len()),
        };
        self.store.extend_from_slice(text);
        match subject {
            Subject::Type(ty) => set(&mut self.types, ty.0 as usize, span),
            Subject::Name(name) => set(&mut self.names, name.0 as usize, span),
            Subject::Attribute(attribute) => {
                self.attributes.resize(ATTRIBUTES, (None, span));
                self.attributes[attribute.0 as usize % ATTRIBUTES] = (Some(attribute), span);
            }
        }
    }
}

fn set(spans: &mut Vec<Span>, index: usize, span: Span) {
    if spans.len() <= index {
        spans.resize(index + 1, Span::default());
    }
    spans[index] = span;
}

impl Printer<'_> {
    /// Writes the output of `write` for `subject`, from the cache if present.
    #[inline]
    pub(super) fn remembered(&mut self, subject: Subject, write: impl FnOnce(&mut Self)) {
        if let Some(text) = self.text_cache.find(subject) {
            self.out.extend_from_slice(text);
            return;
        }
        let start = self.out.len();
        write(self);
        // A copied text lacks the information where lines may break.
        if !self.is_collecting_aliases() && self.flags.width.is_none() {
            self.text_cache.insert(subject, &self.out[start..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    #[test]
    fn a_text_is_known_until_another_takes_its_place() {
        let mut context = Context::new();
        let mut cache = TextCache::default();
        let numbers: Vec<_> = (0..=ATTRIBUTES as i64)
            .map(|number| Attribute::i64(&mut context, number))
            .collect();
        let (first, last) = (numbers[0], numbers[ATTRIBUTES]);
        cache.insert(Subject::Attribute(first), b"first");
        assert_eq!(cache.find(Subject::Attribute(first)), Some(&b"first"[..]));
        assert_eq!(cache.find(Subject::Attribute(last)), None);
        cache.insert(Subject::Attribute(last), b"last");
        assert_eq!(cache.find(Subject::Attribute(first)), None);
        cache.insert(Subject::Type(Type::I32), b"i32");
        assert_eq!(cache.find(Subject::Type(Type::I64)), None);
        assert_eq!(cache.find(Subject::Type(Type::I32)), Some(&b"i32"[..]));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut cache = TextCache::default();
        for number in 0..2 * CAPACITY / LONGEST {
            let ty = Type(u32::try_from(number).expect("a small number"));
            cache.insert(Subject::Type(ty), &[b'x'; LONGEST]);
            assert_eq!(
                cache.find(Subject::Type(ty)).map(<[u8]>::len),
                Some(LONGEST)
            );
            assert!(cache.store.len() <= CAPACITY);
        }
        cache.insert(Subject::Type(Type::I32), &[b'x'; LONGEST + 1]);
        assert_eq!(cache.find(Subject::Type(Type::I32)), None);
    }
}
