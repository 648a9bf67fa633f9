//! A cache of parsed operation suffixes.
//!
//! In a large module, most operations in generic form end like others with the same name, in `<{…}>
//! {…} : (i32, i32) -> i32`. The meaning of such a text does not depend on its position, so each is
//! parsed once and its result is reused. The cache has a small, bounded size.

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

/// A cached suffix of an operation.
#[derive(Debug)]
pub(super) struct Suffix {
    name: OperationName,
    text: Box<str>,
    properties: Attribute,
    attributes: Attribute,
    pub(super) inputs: SmallVec<[Type; 4]>,
    results: SmallVec<[Type; 2]>,
    /// The nesting depth of the suffix.
    depth: usize,
}

#[derive(Debug, Default)]
struct Set {
    suffixes: Vec<Rc<Suffix>>,
    /// The number of consecutive misses.
    misses: u32,
    /// The entry to replace next.
    oldest: usize,
}

/// The cached suffixes.
#[derive(Debug, Default)]
pub(super) struct SuffixCache {
    sets: Vec<Set>,
}

/// The start of a suffix that is to be cached once it is parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuffixStart {
    start: usize,
    diagnostics: usize,
}

impl SuffixCache {
    /// The cached suffix of an operation with this name that is a prefix of `text`.
    fn find(&mut self, name: OperationName, text: &str) -> Option<Rc<Suffix>> {
        let set = self.sets.get_mut(name.0 as usize % SETS)?;
        if set.misses > PATIENCE && !set.misses.is_multiple_of(SELDOM) {
            return None;
        }
        let bytes = text.as_bytes();
        let found = set.suffixes.iter().position(|suffix| {
            // Only white space after the suffix guarantees that its last token ends there.
            suffix.name == name
                && matches!(
                    bytes.get(suffix.text.len()),
                    Some(b' ' | b'\n' | b'\r' | b'\t')
                )
                && bytes.starts_with(suffix.text.as_bytes())
        })?;
        set.misses = 0;
        set.suffixes.swap(found, 0);
        set.suffixes.first().cloned()
    }

    fn insert(&mut self, suffix: Suffix) {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Set::default);
        }
        let Some(set) = self.sets.get_mut(suffix.name.0 as usize % SETS) else {
            return;
        };
        set.misses = set.misses.wrapping_add(1);
        if set.misses > PATIENCE && !set.misses.is_multiple_of(SELDOM) {
            return;
        }
        if set.suffixes.len() < WAYS {
            set.suffixes.push(Rc::new(suffix));
        } else {
            set.oldest = (set.oldest + 1) % WAYS;
            set.suffixes[set.oldest] = Rc::new(suffix);
        }
    }
}

/// The text of a suffix without trailing white space; `None` if it spans several lines. It must not
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
    ) -> ParseResult<Option<Rc<Suffix>>> {
        let token = self.token();
        // Properties come before regions.
        if !state.regions.is_empty() && token.kind == TokenKind::Less {
            return Ok(None);
        }
        let text = self.lexer.text_from(token.start);
        let Some(suffix) = self.suffixes.find(state.name, text) else {
            return Ok(None);
        };
        if suffix.inputs.len() != operands || self.depth + suffix.depth > MAX_DEPTH {
            return Ok(None);
        }
        state.properties = suffix.properties;
        state.attributes = suffix.attributes;
        state.result_types = SmallVec::from_slice(&suffix.results);
        self.lexer.skip(&token, suffix.text.len());
        self.advance()?;
        Ok(Some(suffix))
    }

    /// The start of an uncached suffix.
    pub(super) fn start_suffix(&self) -> SuffixStart {
        SuffixStart {
            start: self.token().start,
            diagnostics: self.context.diagnostics.collected().len(),
        }
    }

    /// Caches a parsed suffix.
    pub(super) fn remember_suffix(
        &mut self,
        start: SuffixStart,
        extent: Extent,
        state: &OperationState,
        inputs: &[Type],
    ) {
        let length = self.token().start.saturating_sub(start.start);
        let text = self.lexer.text_from(start.start);
        let Some(text) = text.get(..length).and_then(text_of_line) else {
            return;
        };
        let silent = self.context.diagnostics.collected().len() == start.diagnostics;
        if text.len() > LONGEST || !silent {
            return;
        }
        self.suffixes.insert(Suffix {
            name: state.name,
            text: text.into(),
            properties: state.properties,
            attributes: state.attributes,
            inputs: inputs.into(),
            results: state.result_types.clone(),
            depth: extent.depth,
        });
    }
}
