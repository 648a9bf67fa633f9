//! Ends of operations that were read before.
//!
//! In a large module most operations in generic form end as others of their name did, in
//! `<{…}> {…} : (i32, i32) -> i32`. What such a text means does not depend on where it stands, so
//! it is read once, and known when it comes again. The table is small and of bounded size.

use std::rc::Rc;

use smallvec::SmallVec;

use super::{Extent, MAX_DEPTH, ParseResult, Parser, TokenKind};
use crate::entities::OperationState;
use crate::{Attribute, OperationName, Type};

/// Names share this many sets of ends.
const SETS: usize = 256;
/// Ends kept in a set.
const WAYS: usize = 8;
/// Longer ends are not kept, in bytes.
const LONGEST: usize = 256;
/// After this many ends in a row that were not known, only one in [`SELDOM`] is looked up.
const PATIENCE: u32 = 32;
const SELDOM: u32 = 16;

/// The end of an operation.
#[derive(Debug)]
pub(super) struct Tail {
    name: OperationName,
    text: Box<str>,
    properties: Attribute,
    attributes: Attribute,
    pub(super) inputs: SmallVec<[Type; 4]>,
    results: SmallVec<[Type; 2]>,
    /// Levels of nesting.
    depth: usize,
}

#[derive(Debug, Default)]
struct Set {
    tails: Vec<Rc<Tail>>,
    /// How many ends in a row were not known.
    misses: u32,
    /// The end to be replaced next.
    oldest: usize,
}

/// The ends that are kept.
#[derive(Debug, Default)]
pub(super) struct Tails {
    sets: Vec<Set>,
}

/// Where an end starts, to be remembered when it was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct TailStart {
    start: usize,
    diagnostics: usize,
}

impl Tails {
    /// The end of an operation of this name with which `text` starts.
    fn find(&mut self, name: OperationName, text: &str) -> Option<Rc<Tail>> {
        let set = self.sets.get_mut(name.0 as usize % SETS)?;
        if set.misses > PATIENCE && !set.misses.is_multiple_of(SELDOM) {
            return None;
        }
        let bytes = text.as_bytes();
        let found = set.tails.iter().position(|tail| {
            // Only a blank behind the end ends its last token for sure.
            tail.name == name
                && matches!(
                    bytes.get(tail.text.len()),
                    Some(b' ' | b'\n' | b'\r' | b'\t')
                )
                && bytes.starts_with(tail.text.as_bytes())
        })?;
        set.misses = 0;
        set.tails.swap(found, 0);
        set.tails.first().cloned()
    }

    fn insert(&mut self, tail: Tail) {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Set::default);
        }
        let Some(set) = self.sets.get_mut(tail.name.0 as usize % SETS) else {
            return;
        };
        set.misses = set.misses.wrapping_add(1);
        if set.misses > PATIENCE && !set.misses.is_multiple_of(SELDOM) {
            return;
        }
        if set.tails.len() < WAYS {
            set.tails.push(Rc::new(tail));
        } else {
            set.oldest = (set.oldest + 1) % WAYS;
            set.tails[set.oldest] = Rc::new(tail);
        }
    }
}

/// The text of an end without the blanks behind it; none when it is more than a line. It must not
/// go on in a comment, in which other words may follow elsewhere; slashes in a string are rare.
fn text_of_line(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let simple = !text.contains(['\n', '\r']) && !text.contains("//");
    simple.then_some(text)
}

impl Parser<'_> {
    /// Steps over an end that was read before, if one is ahead that fits so many operands.
    pub(super) fn parse_known_tail(
        &mut self,
        state: &mut OperationState,
        operands: usize,
    ) -> ParseResult<Option<Rc<Tail>>> {
        let token = self.token();
        // Properties come before regions.
        if !state.regions.is_empty() && token.kind == TokenKind::Less {
            return Ok(None);
        }
        let text = self.lexer.text_from(token.start);
        let Some(tail) = self.tails.find(state.name, text) else {
            return Ok(None);
        };
        if tail.inputs.len() != operands || self.depth + tail.depth > MAX_DEPTH {
            return Ok(None);
        }
        state.properties = tail.properties;
        state.attributes = tail.attributes;
        state.result_types = SmallVec::from_slice(&tail.results);
        self.lexer.skip(&token, tail.text.len());
        self.advance()?;
        Ok(Some(tail))
    }

    /// The start of an end that is not known.
    pub(super) fn start_tail(&self) -> TailStart {
        TailStart {
            start: self.token().start,
            diagnostics: self.context.diagnostics.collected().len(),
        }
    }

    /// Remembers an end that was read.
    pub(super) fn remember_tail(
        &mut self,
        start: TailStart,
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
        self.tails.insert(Tail {
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
