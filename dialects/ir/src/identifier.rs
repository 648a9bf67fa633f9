//! Interned strings: names of attributes, symbols, dialects, files.

use crate::Context;
use crate::declare::{OPERAND_SEGMENTS, RESULT_SEGMENTS};

/// An interned string. Two identifiers of one context are equal if their texts are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Identifier(pub(crate) u32);

impl Identifier {
    /// `value`, the attribute key of a constant's value. Known without a look-up because every
    /// context interns it first.
    pub const VALUE: Identifier = Identifier(0);
    /// The key of the sizes of operand groups.
    pub(crate) const OPERAND_SEGMENTS: Identifier = Identifier(1);
    /// The key of the sizes of result groups.
    pub(crate) const RESULT_SEGMENTS: Identifier = Identifier(2);

    /// Interns the texts of the predefined identifiers, in the order of their indices.
    pub(crate) fn intern_constants(context: &mut Context) {
        for text in ["value", OPERAND_SEGMENTS, RESULT_SEGMENTS] {
            Identifier::new(context, text);
        }
    }

    /// Interns `text`.
    pub fn new(context: &mut Context, text: &str) -> Self {
        if let Some(index) = Self::find(context, text) {
            return index;
        }
        Identifier(context.strings.intern(text.into()))
    }

    /// The identifier of `text`, if it is already interned.
    pub fn find(context: &Context, text: &str) -> Option<Self> {
        context
            .strings
            .find(text, |known| &**known == text)
            .map(Identifier)
    }

    /// The text.
    pub fn text(self, context: &Context) -> &str {
        &context.strings[self.0]
    }
}
