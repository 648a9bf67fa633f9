//! What aliases stand for in the text of opaque types and attributes.

use super::{ParseResult, Parser, Token};
use crate::Attribute;
use crate::mentions::{Mention, aliases};

impl Parser<'_> {
    /// The aliases in the body of an opaque type or attribute, in order of first occurrence. What
    /// is not defined here is text: its dialect alone knows what it means.
    pub(super) fn mentions_in(&mut self, token: Token, body: &str) -> ParseResult<Box<[Mention]>> {
        let mut found: Vec<Mention> = Vec::new();
        let mut known = rustc_hash::FxHashSet::default();
        for range in aliases(body) {
            let alias = &body[range];
            let is_defined = self.is_alias_defined(alias);
            if !is_defined {
                continue;
            }
            // Every occurrence counts, as it may be written in full.
            let name = &alias[1..];
            let meaning = if alias.starts_with('!') {
                let ty = self.resolve_type_alias(token, name)?;
                Attribute::ty(self.context, ty)
            } else {
                self.resolve_attribute_alias(token, name)?
            };
            if known.insert(alias) {
                found.push(Mention {
                    alias: alias.into(),
                    meaning,
                });
            }
        }
        Ok(found.into())
    }
}
