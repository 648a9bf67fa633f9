//! Parsing of attributes.

use smallvec::SmallVec;

use super::types::unregistered_symbol;
use super::{ParseResult, Parser, Token, TokenKind};
use crate::attributes::AttributeKind;
use crate::types::DYNAMIC;
use crate::{Attribute, Identifier, Type};

/// Dictionaries with fewer keys are searched linearly.
const FEW_KEYS: usize = 16;

/// The entries of a dictionary, in the order of the text.
pub type DictionaryEntries = SmallVec<[(Identifier, Attribute); 4]>;

impl Parser<'_> {
    /// Parses an attribute.
    ///
    /// # Errors
    /// If none is present or it is malformed.
    pub fn parse_attribute(&mut self) -> ParseResult<Attribute> {
        self.parse_attribute_of(None)
    }

    /// Parses an attribute whose type is known from the context, so that a number may omit it.
    ///
    /// # Errors
    /// If none is present or it is malformed.
    pub fn parse_attribute_of(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        match self.token().kind {
            TokenKind::Integer | TokenKind::Float => self.parse_number_attribute(ty, false),
            TokenKind::Minus => {
                self.advance()?;
                if !self.at(TokenKind::Integer) && !self.at(TokenKind::Float) {
                    return Err(self.error("expected constant integer or floating point value"));
                }
                self.parse_number_attribute(ty, true)
            }
            TokenKind::String => self.parse_string_attribute(ty),
            TokenKind::AtIdentifier => self.parse_symbol_reference(),
            TokenKind::LeftSquare => self.nested(Self::parse_array_attribute),
            TokenKind::LeftBrace => self.nested(|parser| {
                let entries = parser.parse_dictionary_entries()?;
                Ok(Attribute::dictionary(parser.context, &entries))
            }),
            TokenKind::HashIdentifier => self.parse_extended_attribute(),
            TokenKind::BareIdentifier => self.parse_keyword_attribute(ty),
            TokenKind::LeftParen | TokenKind::ExclamationIdentifier => self.parse_type_attribute(),
            _ => Err(self.wrong_token("expected attribute value")),
        }
    }

    fn parse_keyword_attribute(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        match self.current() {
            "true" | "false" => {
                let value = self.advance()?;
                Ok(Attribute::bool(self.spelling(value) == "true"))
            }
            "unit" => {
                self.advance()?;
                Ok(Attribute::UNIT)
            }
            "affine_map" => {
                self.advance()?;
                self.expect(TokenKind::Less, "expected '<' in affine map")?;
                let map = self.parse_affine_map()?;
                self.expect(TokenKind::Greater, "expected '>' in affine map")?;
                Ok(Attribute::new(self.context, AttributeKind::AffineMap(map)))
            }
            "affine_set" => {
                self.advance()?;
                self.expect(TokenKind::Less, "expected '<' in integer set")?;
                let set = self.parse_integer_set()?;
                self.expect(TokenKind::Greater, "expected '>' in integer set")?;
                Ok(Attribute::new(self.context, AttributeKind::IntegerSet(set)))
            }
            "array" => self.parse_dense_array(),
            "dense" => self.nested(|parser| parser.parse_dense_elements(ty)),
            "dense_resource" => self.parse_dense_resource(ty),
            "sparse" => self.nested(|parser| parser.parse_sparse_elements(ty)),
            "distinct" => self.nested(Self::parse_distinct),
            "loc" => {
                let location = self.parse_location()?;
                Ok(Attribute::new(
                    self.context,
                    AttributeKind::Location(location),
                ))
            }
            "strided" => self.parse_strided(),
            _ if self.at_type() => self.parse_type_attribute(),
            _ => Err(self.wrong_token("expected attribute value")),
        }
    }

    fn parse_type_attribute(&mut self) -> ParseResult<Attribute> {
        let ty = self.parse_type()?;
        Ok(Attribute::ty(self.context, ty))
    }

    fn parse_string_attribute(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        let value = self.parse_string_bytes()?.into();
        let ty = match ty {
            Some(ty) => ty,
            None if self.eat(TokenKind::Colon)? => self.parse_type()?,
            None => Type::NONE,
        };
        Ok(Attribute::new(
            self.context,
            AttributeKind::String { value, ty },
        ))
    }

    /// Parses `@root::@nested`.
    ///
    /// # Errors
    /// If none is present or it is malformed.
    pub fn parse_symbol_reference(&mut self) -> ParseResult<Attribute> {
        let root = self.parse_symbol_name()?;
        let root = Identifier::new(self.context, &root);
        let mut nested = Vec::new();
        while self.at(TokenKind::Colon) && self.text_from(self.token().start).starts_with("::") {
            self.advance()?;
            self.advance()?;
            if !self.at(TokenKind::AtIdentifier) {
                return Err(self.error("expected nested symbol reference identifier"));
            }
            let name = self.parse_symbol_name()?;
            nested.push(Identifier::new(self.context, &name));
        }
        let kind = AttributeKind::SymbolReference {
            root,
            nested: nested.into(),
        };
        Ok(Attribute::new(self.context, kind))
    }

    fn parse_array_attribute(&mut self) -> ParseResult<Attribute> {
        self.advance()?;
        let mut elements = Vec::new();
        self.comma_list_until(TokenKind::RightSquare, "expected ',' or ']'", |parser| {
            elements.push(parser.parse_attribute()?);
            Ok(())
        })?;
        Ok(Attribute::array(self.context, &elements))
    }

    /// Parses `{key = attribute, unit_key}` into its entries.
    ///
    /// # Errors
    /// If it is malformed or contains a duplicate key.
    pub fn parse_dictionary_entries(&mut self) -> ParseResult<DictionaryEntries> {
        self.expect(TokenKind::LeftBrace, "expected '{' in attribute dictionary")?;
        let mut entries = DictionaryEntries::new();
        let mut seen = rustc_hash::FxHashSet::default();
        self.comma_list_until(
            TokenKind::RightBrace,
            "expected '}' in attribute dictionary",
            |parser| {
                let token = parser.token();
                let key = parser.parse_attribute_key()?;
                let value = if parser.eat(TokenKind::Equal)? {
                    parser.parse_attribute()?
                } else {
                    Attribute::UNIT
                };
                // A set is worthwhile only for many keys.
                let known = if entries.len() < FEW_KEYS {
                    entries.iter().any(|(known, _)| *known == key)
                } else {
                    seen.extend(entries.iter().skip(seen.len()).map(|(known, _)| *known));
                    seen.contains(&key)
                };
                if known {
                    let key = key.text(parser.context);
                    let message = format!("duplicate key '{key}' in dictionary attribute");
                    return Err(parser.error_at(token, &message));
                }
                entries.push((key, value));
                Ok(())
            },
        )?;
        Ok(entries)
    }

    fn parse_attribute_key(&mut self) -> ParseResult<Identifier> {
        match self.token().kind {
            TokenKind::BareIdentifier => {
                let token = self.advance()?;
                let text = self.lexer.spelling(token);
                Ok(Identifier::new(self.context, text))
            }
            TokenKind::String => {
                let token = self.token();
                let text = self.parse_string()?;
                if text.is_empty() {
                    return Err(self.error_at(token, "expected valid attribute name"));
                }
                Ok(Identifier::new(self.context, &text))
            }
            _ => Err(self.wrong_token("expected attribute name")),
        }
    }

    /// Parses an optional `{…}` into its entries.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_optional_dictionary(&mut self) -> ParseResult<DictionaryEntries> {
        if self.at(TokenKind::LeftBrace) {
            self.parse_dictionary_entries()
        } else {
            Ok(DictionaryEntries::new())
        }
    }

    /// Parses `#alias`, `#dialect<…>` or `#dialect.name<…>`.
    pub(super) fn parse_extended_attribute(&mut self) -> ParseResult<Attribute> {
        let token = self.token();
        let name = self.current()[1..].to_owned();
        let name = name.as_str();
        self.advance()?;
        let adjacent = self.at(TokenKind::Less) && self.token().start == token.end();
        if !adjacent && !name.contains('.') {
            return self.resolve_attribute_alias(token, name);
        }
        let (dialect, rest) = name.split_once('.').unwrap_or((name, ""));
        if self.context.dialect(dialect).is_none() {
            return self.parse_opaque_attribute(token, dialect, rest, adjacent);
        }
        let Some(definition) = self.context.attribute_definition(name) else {
            let message = format!("unknown attribute `{rest}` in dialect `{dialect}`");
            return Err(self.error_at(token, &message));
        };
        let payload = self.parse_payload(token, definition)?;
        Ok(Attribute::new(
            self.context,
            AttributeKind::Dialect(payload),
        ))
    }

    fn parse_opaque_attribute(
        &mut self,
        token: Token,
        dialect: &str,
        rest: &str,
        adjacent: bool,
    ) -> ParseResult<Attribute> {
        let body = self.parse_symbol_body(rest, adjacent)?;
        let aliases = self.opaque_aliases_in(token, &body)?;
        let ty = if self.eat(TokenKind::Colon)? {
            self.parse_type()?
        } else {
            Type::NONE
        };
        self.check_namespace(token, dialect)?;
        if !self.context.allows_unregistered_dialect(dialect) {
            let message = unregistered_symbol("#", dialect, &body, "attribute");
            return Err(self.error_at(token, &message));
        }
        let dialect = Identifier::new(self.context, dialect);
        let kind = AttributeKind::Opaque {
            dialect,
            body: body.into(),
            aliases,
            ty,
        };
        Ok(Attribute::new(self.context, kind))
    }

    /// Checks the dialect name of a type or attribute: without a leading letter the printed text
    /// could not be parsed again.
    pub(super) fn check_namespace(&mut self, token: Token, dialect: &str) -> ParseResult<()> {
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let starts_well = dialect.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if starts_well && dialect.chars().all(inside) {
            return Ok(());
        }
        let message = format!("invalid dialect namespace '\"{dialect}\"'");
        Err(self.error_at(token, &message))
    }

    fn parse_strided(&mut self) -> ParseResult<Attribute> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' after 'strided'")?;
        self.expect(TokenKind::LeftSquare, "expected '['")?;
        let mut strides = Vec::new();
        self.comma_list_until(TokenKind::RightSquare, "expected ']'", |parser| {
            strides.push(parser.parse_stride("expected a 64-bit signed integer or '?'")?);
            Ok(())
        })?;
        let mut offset = 0;
        if self.eat(TokenKind::Comma)? {
            if !self.eat_keyword("offset")? {
                return Err(self.error("expected 'offset' after comma"));
            }
            self.expect(TokenKind::Colon, "expected ':' after 'offset'")?;
            offset = self.parse_stride("expected a 64-bit signed integer or '?'")?;
        }
        self.expect(TokenKind::Greater, "expected '>'")?;
        let kind = AttributeKind::Strided {
            strides: strides.into(),
            offset,
        };
        Ok(Attribute::new(self.context, kind))
    }

    fn parse_stride(&mut self, message: &str) -> ParseResult<i64> {
        if self.eat(TokenKind::Question)? {
            return Ok(DYNAMIC);
        }
        let negative = self.eat(TokenKind::Minus)?;
        if !self.at(TokenKind::Integer) {
            return Err(self.error(message));
        }
        let Ok(value) = self.current().parse::<i64>() else {
            return Err(self.error(message));
        };
        self.advance()?;
        Ok(if negative { -value } else { value })
    }

    /// Parses the layout and memory space of a memref type, and the closing `>`. A layout that is
    /// equivalent to the default is omitted.
    pub(super) fn parse_memref_layout_and_space(
        &mut self,
        start: Token,
        shape: Option<&[i64]>,
    ) -> ParseResult<(Option<Attribute>, Option<Attribute>)> {
        let (mut layout, mut space) = (None, None);
        while self.eat(TokenKind::Comma)? {
            let token = self.token();
            if self.at(TokenKind::Greater) {
                return Err(self.error("expected list element"));
            }
            let attribute = self.parse_attribute()?;
            let is_layout = matches!(
                attribute.kind(self.context),
                AttributeKind::AffineMap(_) | AttributeKind::Strided { .. }
            );
            if space.is_some() {
                let message = if is_layout {
                    "expected memory space to be last in memref type"
                } else {
                    "multiple memory spaces specified in memref type"
                };
                return Err(self.error_at(token, message));
            }
            if !is_layout {
                if !attribute.is_memory_space(self.context) {
                    return Err(self.error_at(start, "unsupported memory space Attribute"));
                }
                space = Some(attribute);
            } else if let Some(shape) = shape {
                if layout.is_some() {
                    return Err(self.error_at(token, "multiple layouts specified in memref type"));
                }
                layout = Some(attribute);
                if let Some(problem) = attribute.layout_problem(self.context, shape.len()) {
                    return Err(self.error_at(token, &problem));
                }
            } else {
                return Err(self.error_at(token, "cannot have affine map for unranked memref type"));
            }
        }
        self.expect(TokenKind::Greater, "expected ',' or '>' in memref type")?;
        let identity = layout.is_some_and(|layout: Attribute| match layout.kind(self.context) {
            AttributeKind::AffineMap(map) => map.is_identity(),
            _ => false,
        });
        let default_space =
            space.is_some_and(|space: Attribute| space.as_i64(self.context) == Some(0));
        Ok((
            layout.filter(|_| !identity),
            space.filter(|_| !default_space),
        ))
    }

    fn parse_distinct(&mut self) -> ParseResult<Attribute> {
        let token = self.advance()?;
        self.expect(TokenKind::LeftSquare, "expected '[' after 'distinct'")?;
        if !self.at(TokenKind::Integer) {
            return Err(self.error("expected distinct ID"));
        }
        let number = self.current().parse::<u64>();
        self.advance()?;
        let Ok(number) = number else {
            return Err(self.error("expected an unsigned 64-bit integer"));
        };
        self.expect(TokenKind::RightSquare, "expected ']' to close distinct ID")?;
        self.expect(TokenKind::Less, "expected '<' after distinct ID")?;
        let referenced = if self.at(TokenKind::Greater) {
            Attribute::UNIT
        } else {
            self.parse_attribute()?
        };
        self.expect(
            TokenKind::Greater,
            "expected '>' to close distinct attribute",
        )?;
        if let Some(known) = self.resources.distinct.get(&number).copied() {
            let same = matches!(
                known.kind(self.context),
                AttributeKind::Distinct { referenced: other, .. } if *other == referenced
            );
            if !same {
                let previous = match known.kind(self.context) {
                    AttributeKind::Distinct { referenced, .. } => *referenced,
                    _ => Attribute::UNIT,
                };
                let previous = crate::printer::attribute_to_string(self.context, previous);
                let message =
                    format!("referenced attribute does not match previous definition: {previous}");
                return Err(self.error_at(token, &message));
            }
            return Ok(known);
        }
        let attribute = Attribute::distinct(self.context, referenced);
        self.resources.distinct.insert(number, attribute);
        Ok(attribute)
    }
}
