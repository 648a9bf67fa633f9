//! Interned strings: names of attributes, symbols, dialects, files.

use crate::Context;

/// An interned string. Two identifiers of one context are equal if their texts are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Identifier(pub(crate) u32);

impl Identifier {
    /// `value`, the attribute key of a constant's value. Known without a look-up because every
    /// context interns it first.
    pub const VALUE: Identifier = Identifier(0);

    /// Interns the texts of the predefined identifiers.
    pub(crate) fn intern_constants(context: &mut Context) {
        Identifier::new(context, "value");
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
