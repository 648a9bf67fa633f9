//! Aliases of types, attributes and locations.

use rustc_hash::FxHashMap;

use super::{ParseError, ParseResult, Parser, Token, TokenKind};
use crate::{Attribute, Location, Type};

/// The definitions of the aliases in the text.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    types: FxHashMap<Box<str>, (Type, Extent)>,
    attributes: FxHashMap<Box<str>, (Attribute, Extent)>,
    /// Forward references to location aliases, by alias name; the index identifies the placeholder
    /// that was returned.
    deferred: Vec<(Box<str>, Token)>,
}

/// The expanded size of an alias. Nested aliases could otherwise build IR that no text of that size
/// denotes: nesting deeper than the parser allows, or sizes that double with every line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    /// Levels of nesting.
    pub(crate) depth: usize,
    /// Nested types and attributes.
    pub(crate) size: usize,
}

/// The maximum number of nested types and attributes in the expansion of one alias.
pub(crate) const MAX_ALIAS_SIZE: usize = 1_000_000;

impl Parser<'_> {
    /// Parses the definition of an alias and measures its extent.
    pub(super) fn measured<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<(T, Extent)> {
        let outer = self.extent;
        let base = self.depth;
        self.extent = Extent {
            depth: base,
            size: 1,
        };
        let value = parse(self)?;
        let extent = Extent {
            depth: self.extent.depth - base,
            ..self.extent
        };
        self.extent = outer;
        Ok((value, extent))
    }

    /// Parses a part of what is measured, and measures it, too.
    pub(super) fn measured_part<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<(T, Extent)> {
        let outer = self.extent;
        let base = self.depth;
        self.extent.depth = base;
        let value = parse(self)?;
        let extent = Extent {
            depth: self.extent.depth - base,
            size: self.extent.size - outer.size,
        };
        self.extent.depth = self.extent.depth.max(outer.depth);
        Ok((value, extent))
    }

    /// Accounts for an extent; returns false if there is no room for it.
    pub(super) fn account(&mut self, extent: Extent) -> bool {
        let depth = self.depth + extent.depth;
        let size = self.extent.size.saturating_add(extent.size);
        if depth > super::MAX_DEPTH || size > MAX_ALIAS_SIZE {
            return false;
        }
        self.extent = Extent {
            depth: self.extent.depth.max(depth),
            size,
        };
        true
    }

    /// Accounts for the extent of an alias at a use.
    fn use_alias(&mut self, token: Token, extent: Extent) -> ParseResult<()> {
        if !self.account(extent) {
            let message = format!(
                "alias expands to more than {} levels or {MAX_ALIAS_SIZE} nested types and \
                 attributes",
                super::MAX_DEPTH
            );
            return Err(self.error_at(token, &message));
        }
        Ok(())
    }

    /// Parses `#alias = attribute`.
    pub(super) fn parse_attribute_alias_definition(&mut self) -> ParseResult<()> {
        let token = self.advance()?;
        let name: Box<str> = self.spelling(token)[1..].into();
        if self.aliases.attributes.contains_key(&name) {
            let message = format!("redefinition of attribute alias id '{name}'");
            return Err(self.error_at(token, &message));
        }
        self.check_alias_name(token, &name, "attribute")?;
        self.expect(
            TokenKind::Equal,
            "expected '=' in attribute alias definition",
        )?;
        let measured = self.measured(Self::parse_attribute)?;
        self.aliases.attributes.insert(name, measured);
        Ok(())
    }

    /// Parses `!alias = type`.
    pub(super) fn parse_type_alias_definition(&mut self) -> ParseResult<()> {
        let token = self.advance()?;
        let name: Box<str> = self.spelling(token)[1..].into();
        if self.aliases.types.contains_key(&name) {
            let message = format!("redefinition of type alias id '{name}'");
            return Err(self.error_at(token, &message));
        }
        self.check_alias_name(token, &name, "type")?;
        self.expect(TokenKind::Equal, "expected '=' in type alias definition")?;
        let measured = self.measured(Self::parse_type)?;
        self.aliases.types.insert(name, measured);
        Ok(())
    }

    fn check_alias_name(&mut self, token: Token, name: &str, kind: &str) -> ParseResult<()> {
        if name.contains('.') {
            let message = format!("{kind} names with a '.' are reserved for dialect-defined names");
            return Err(self.error_at(token, &message));
        }
        Ok(())
    }

    pub(super) fn resolve_type_alias(&mut self, token: Token, name: &str) -> ParseResult<Type> {
        match self.aliases.types.get(name).copied() {
            Some((ty, extent)) => {
                self.use_alias(token, extent)?;
                Ok(ty)
            }
            None => Err(self.undefined_alias(name)),
        }
    }

    pub(super) fn resolve_attribute_alias(
        &mut self,
        token: Token,
        name: &str,
    ) -> ParseResult<Attribute> {
        match self.aliases.attributes.get(name).copied() {
            Some((attribute, extent)) => {
                self.use_alias(token, extent)?;
                Ok(attribute)
            }
            None => Err(self.undefined_alias(name)),
        }
    }

    /// Whether an alias, written with its `#` or `!`, is already defined.
    pub(super) fn is_alias_defined(&self, alias: &str) -> bool {
        match alias.strip_prefix('!') {
            Some(name) => self.aliases.types.contains_key(name),
            None => self.aliases.attributes.contains_key(&alias[1..]),
        }
    }

    /// As in MLIR, the error is located after the name.
    fn undefined_alias(&mut self, name: &str) -> ParseError {
        self.wrong_token(&format!("undefined symbol alias id '{name}'"))
    }

    /// The location of an alias, if it is already defined.
    pub(super) fn location_alias(&mut self, name: &str) -> Option<Attribute> {
        self.aliases
            .attributes
            .get(name)
            .map(|(attribute, _)| *attribute)
    }

    /// A placeholder location for an alias that is defined later in the text, as MLIR prints them.
    pub(super) fn defer_location_alias(&mut self, token: Token) -> Location {
        let number = u32::try_from(self.aliases.deferred.len()).unwrap_or(u32::MAX);
        let name: Box<str> = self.spelling(token)[1..].into();
        self.aliases.deferred.push((name, token));
        Location::deferred(number)
    }

    /// The locations of the deferred aliases, by index.
    pub(super) fn resolve_deferred_locations(&mut self) -> ParseResult<Vec<Location>> {
        let deferred = std::mem::take(&mut self.aliases.deferred);
        let mut resolved = Vec::with_capacity(deferred.len());
        for (name, token) in deferred {
            let Some((attribute, _)) = self.aliases.attributes.get(&name).copied() else {
                return Err(self.error_at(token, "operation location alias was never defined"));
            };
            match attribute.as_location(self.context) {
                Some(location) => resolved.push(location),
                None => {
                    let found = crate::printer::attribute_to_string(self.context, attribute);
                    let message = format!("expected location, but found '{found}'");
                    return Err(self.error_at(token, &message));
                }
            }
        }
        Ok(resolved)
    }
}
