//! Resolution of aliases in the text of opaque types and attributes.

use super::{ParseResult, Parser, Token};
use crate::spelling::alias_ranges;
use crate::{Attribute, OpaqueAlias};

impl Parser<'_> {
    /// The aliases in the body of an opaque type or attribute, in order of first occurrence. An
    /// undefined alias is plain text: only its dialect knows the definition.
    pub(super) fn opaque_aliases_in(
        &mut self,
        token: Token,
        body: &str,
    ) -> ParseResult<Box<[OpaqueAlias]>> {
        let mut found: Vec<OpaqueAlias> = Vec::new();
        let mut known = rustc_hash::FxHashSet::default();
        for range in alias_ranges(body) {
            let alias = &body[range];
            if !self.is_alias_defined(alias) {
                continue;
            }
            // Every occurrence counts, because it may be printed in full.
            let name = &alias[1..];
            // The text adds one nesting level, because its aliases are printed inside it.
            let definition = self.nested(|parser| {
                if alias.starts_with('!') {
                    let ty = parser.resolve_type_alias(token, name)?;
                    Ok(Attribute::ty(parser.context, ty))
                } else {
                    parser.resolve_attribute_alias(token, name)
                }
            })?;
            if known.insert(alias) {
                found.push(OpaqueAlias {
                    name: alias.into(),
                    definition,
                });
            }
        }
        Ok(found.into())
    }
}
