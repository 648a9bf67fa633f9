//! A cache of parsed operation suffixes.
//!
//! In a large module, most operations in generic form end like others with the same name, in `<{…}>
//! {…} : (i32, i32) -> i32`. The meaning of such a text does not depend on its position, so each is
//! parsed once and its result is reused. Where the whole differs, its properties and its types may
//! still be known. The caches have a small, bounded size.

use std::rc::Rc;

use smallvec::SmallVec;

use super::{Extent, MAX_DEPTH, ParseResult, Parser, TokenKind};
use crate::entities::OperationState;
use crate::{Attribute, OperationName, Type};

/// The number of sets, shared by all names.
const SETS: usize = 256;
/// The number of suffixes in a set.
const WAYS: usize = 8;
/// The length limit of a cached suffix, in bytes.
const LONGEST: usize = 256;
/// After this many consecutive misses, only one in [`SELDOM`] suffixes is looked up.
const PATIENCE: u32 = 32;
const SELDOM: u32 = 16;

/// A text after the name of an operation, and what it was parsed as.
#[derive(Debug)]
struct Known<T> {
    name: OperationName,
    text: Box<str>,
    extent: Extent,
    value: T,
}

#[derive(Debug)]
struct Set<T> {
    texts: Vec<Rc<Known<T>>>,
    /// The number of consecutive misses.
    misses: u32,
    /// The entry to replace next.
    oldest: usize,
}

/// The known texts of one kind.
#[derive(Debug)]
pub(super) struct TextCache<T> {
    sets: Vec<Set<T>>,
}

/// The types of the operands and of the results: `(i32, i32) -> i32`.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) inputs: SmallVec<[Type; 4]>,
    pub(super) results: SmallVec<[Type; 2]>,
}

/// A suffix of an operation.
#[derive(Clone, Debug)]
pub(super) struct Suffix {
    pub(super) properties: Attribute,
    pub(super) attributes: Attribute,
    pub(super) signature: Signature,
}

/// The known suffixes, and parts of suffixes.
#[derive(Debug, Default)]
pub(super) struct SuffixCache {
    whole: TextCache<Suffix>,
    /// `<{…}>`.
    pub(super) properties: TextCache<Attribute>,
    pub(super) signatures: TextCache<Signature>,
}

/// The choice of a cache.
type Choice<T> = fn(&mut SuffixCache) -> &mut TextCache<T>;

/// The start of a text that is to be cached once it is parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextStart {
    start: usize,
    diagnostics: usize,
}

impl<T> Default for TextCache<T> {
    fn default() -> Self {
        TextCache { sets: Vec::new() }
    }
}

impl<T> Set<T> {
    /// Whether texts are looked up and added; not if hardly any is found.
    fn is_useful(&self) -> bool {
        self.misses <= PATIENCE || self.misses.is_multiple_of(SELDOM)
    }
}

impl<T> TextCache<T> {
    /// The known text after this name that is a prefix of `text`.
    fn find(&mut self, name: OperationName, text: &str) -> Option<Rc<Known<T>>> {
        let set = self.sets.get_mut(name.0 as usize % SETS)?;
        if !set.is_useful() {
            return None;
        }
        let bytes = text.as_bytes();
        let found = set.texts.iter().position(|known| {
            // Only white space after the text guarantees that its last token ends there.
            known.name == name
                && matches!(
                    bytes.get(known.text.len()),
                    Some(b' ' | b'\n' | b'\r' | b'\t')
                )
                && bytes.starts_with(known.text.as_bytes())
        })?;
        set.misses = 0;
        set.texts.swap(found, 0);
        set.texts.first().cloned()
    }

    /// Notes that a text after this name was not found; returns the set to which it is to be added.
    fn missed(&mut self, name: OperationName) -> Option<&mut Set<T>> {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, || Set {
                texts: Vec::new(),
                misses: 0,
                oldest: 0,
            });
        }
        let set = self.sets.get_mut(name.0 as usize % SETS)?;
        set.misses = set.misses.wrapping_add(1);
        set.is_useful().then_some(set)
    }
}

impl<T> Set<T> {
    fn insert(&mut self, known: Known<T>) {
        if self.texts.len() < WAYS {
            self.texts.push(Rc::new(known));
        } else {
            self.oldest = (self.oldest + 1) % WAYS;
            self.texts[self.oldest] = Rc::new(known);
        }
    }
}

/// A text without trailing white space; `None` if it spans several lines. It must not
/// end in a comment, after which different text may follow elsewhere; slashes in a string are rare.
fn text_of_line(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let simple = !text.contains(['\n', '\r']) && !text.contains("//");
    simple.then_some(text)
}

impl Parser<'_> {
    /// Consumes a cached suffix if the text matches one with this many operands.
    pub(super) fn parse_known_suffix(
        &mut self,
        state: &mut OperationState,
        operands: usize,
    ) -> ParseResult<Option<Signature>> {
        // Properties come before regions.
        if !state.regions.is_empty() && self.at(TokenKind::Less) {
            return Ok(None);
        }
        let Some(known) = self.known_text(state.name, |caches| &mut caches.whole) else {
            return Ok(None);
        };
        let Suffix {
            properties,
            attributes,
            signature,
        } = &known.value;
        if signature.inputs.len() != operands {
            return Ok(None);
        }
        state.properties = *properties;
        state.attributes = *attributes;
        state.result_types = SmallVec::from_slice(&signature.results);
        self.skip_text(&known.text)?;
        Ok(Some(signature.clone()))
    }

    /// Parses a part of a suffix, or takes what an equal text after this name was parsed as.
    pub(super) fn parse_part<T: Clone>(
        &mut self,
        name: OperationName,
        cache: Choice<T>,
        parse: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<T> {
        if let Some(known) = self.known_text(name, cache)
            && self.account(known.extent)
        {
            self.skip_text(&known.text)?;
            return Ok(known.value.clone());
        }
        let start = self.start_text();
        let (value, extent) = self.measured_part(parse)?;
        self.remember(name, cache, start, extent, || value.clone());
        Ok(value)
    }

    /// The known text after this name that is next.
    fn known_text<T>(&mut self, name: OperationName, cache: Choice<T>) -> Option<Rc<Known<T>>> {
        let text = self.lexer.text_from(self.token.start);
        let known = cache(&mut self.suffixes).find(name, text)?;
        (self.depth + known.extent.depth <= MAX_DEPTH).then_some(known)
    }

    /// Skips a text that starts at the next token.
    fn skip_text(&mut self, text: &str) -> ParseResult<()> {
        let token = self.token();
        self.lexer.skip(&token, text.len());
        self.advance()?;
        Ok(())
    }

    /// The start of a text that is not cached.
    pub(super) fn start_text(&self) -> TextStart {
        TextStart {
            start: self.token().start,
            diagnostics: self.context.diagnostics.collected().len(),
        }
    }

    /// Caches a parsed suffix.
    pub(super) fn remember_suffix(
        &mut self,
        start: TextStart,
        extent: Extent,
        state: &OperationState,
        inputs: SmallVec<[Type; 4]>,
    ) {
        let suffix = || Suffix {
            properties: state.properties,
            attributes: state.attributes,
            signature: Signature {
                inputs,
                results: state.result_types.clone(),
            },
        };
        self.remember(
            state.name,
            |caches| &mut caches.whole,
            start,
            extent,
            suffix,
        );
    }

    /// Caches a parsed text after this name.
    fn remember<T>(
        &mut self,
        name: OperationName,
        cache: Choice<T>,
        start: TextStart,
        extent: Extent,
        value: impl FnOnce() -> T,
    ) {
        let Some(set) = cache(&mut self.suffixes).missed(name) else {
            return;
        };
        let length = self.token.start.saturating_sub(start.start);
        let text = self.lexer.text_from(start.start);
        let Some(text) = text.get(..length).and_then(text_of_line) else {
            return;
        };
        let silent = self.context.diagnostics.collected().len() == start.diagnostics;
        if text.len() > LONGEST || !silent {
            return;
        }
        set.insert(Known {
            name,
            text: text.into(),
            extent,
            value: value(),
        });
    }
}
