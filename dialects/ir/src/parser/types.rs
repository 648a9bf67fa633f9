//! Parsing of types.

use super::{ParseResult, Parser, Token, TokenKind};
use crate::numbers::FloatKind;
use crate::types::{DYNAMIC, MAX_INTEGER_WIDTH, Signedness, Type, TypeKind};

/// The extents that a dimension list may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dimensions {
    /// Only static extents.
    Static,
    /// `?` is allowed too.
    Dynamic,
}

impl Parser<'_> {
    /// Parses a type.
    ///
    /// # Errors
    /// If none is present or it is malformed.
    pub fn parse_type(&mut self) -> ParseResult<Type> {
        if self.at(TokenKind::LeftParen) {
            return self.nested(Self::parse_function_type);
        }
        self.parse_non_function_type()
    }

    /// Whether the next token may start a type.
    pub fn at_type(&self) -> bool {
        match self.token().kind {
            TokenKind::LeftParen | TokenKind::ExclamationIdentifier => true,
            TokenKind::BareIdentifier => {
                let word = self.current();
                matches!(
                    word,
                    "index" | "none" | "tensor" | "vector" | "memref" | "complex" | "tuple"
                ) || integer_type(word).is_some()
                    || FloatKind::from_keyword(word).is_some()
            }
            _ => false,
        }
    }

    /// Parses `(types) -> types`.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_function_type(&mut self) -> ParseResult<Type> {
        let inputs = self.parse_type_list_parens()?;
        self.expect(TokenKind::Arrow, "expected '->' in function type")?;
        let results = self.parse_function_results()?;
        Ok(Type::function(self.context, &inputs, &results))
    }

    /// Parses the results of a function type: one type without parentheses, or a list in
    /// parentheses.
    ///
    /// # Errors
    /// If they are malformed.
    pub fn parse_function_results(&mut self) -> ParseResult<Vec<Type>> {
        if self.at(TokenKind::LeftParen) {
            return self.parse_type_list_parens();
        }
        Ok(vec![self.parse_non_function_type()?])
    }

    /// Parses `(type, type, …)`.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_type_list_parens(&mut self) -> ParseResult<Vec<Type>> {
        self.expect(TokenKind::LeftParen, "expected '('")?;
        let mut types = Vec::new();
        self.comma_list_until(TokenKind::RightParen, "expected ')'", |parser| {
            types.push(parser.parse_type()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// Parses `type, type, …` with at least one type.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_type_list(&mut self) -> ParseResult<Vec<Type>> {
        let mut types = vec![self.parse_type()?];
        while self.eat(TokenKind::Comma)? {
            types.push(self.parse_type()?);
        }
        Ok(types)
    }

    /// Parses `: type`.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_colon_type(&mut self) -> ParseResult<Type> {
        self.expect(TokenKind::Colon, "expected ':'")?;
        self.parse_type()
    }

    fn parse_non_function_type(&mut self) -> ParseResult<Type> {
        match self.token().kind {
            TokenKind::ExclamationIdentifier => self.parse_dialect_type(),
            TokenKind::BareIdentifier => {
                let word = self.current();
                match word {
                    "i32" => self.keyword_type(Type::I32),
                    "i64" => self.keyword_type(Type::I64),
                    "index" => self.keyword_type(Type::INDEX),
                    "none" => self.keyword_type(Type::NONE),
                    "tensor" => self.nested(Self::parse_tensor),
                    "vector" => self.nested(Self::parse_vector),
                    "memref" => self.nested(Self::parse_memref),
                    "complex" => self.nested(Self::parse_complex),
                    "tuple" => self.nested(Self::parse_tuple),
                    _ => self.parse_scalar_type(),
                }
            }
            _ => Err(self.wrong_token("expected non-function type")),
        }
    }

    fn keyword_type(&mut self, ty: Type) -> ParseResult<Type> {
        self.advance()?;
        Ok(ty)
    }

    fn parse_scalar_type(&mut self) -> ParseResult<Type> {
        let word = self.current();
        if let Some(kind) = FloatKind::from_keyword(word) {
            self.advance()?;
            return Ok(Type::float(self.context, kind));
        }
        let Some((signedness, digits)) = integer_type(word) else {
            return Err(self.wrong_token("expected non-function type"));
        };
        let Ok(width) = digits.parse::<u32>() else {
            return Err(self.error("invalid integer width"));
        };
        let Some(width) = Some(width).filter(|width| *width <= MAX_INTEGER_WIDTH) else {
            let message = format!("integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits");
            return Err(self.error(&message));
        };
        self.advance()?;
        Ok(Type::new(
            self.context,
            TypeKind::Integer(width, signedness),
        ))
    }

    fn parse_complex(&mut self) -> ParseResult<Type> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' in complex type")?;
        let token = self.token();
        let element = self.parse_type()?;
        if !element.is_integer(self.context) && !element.is_float(self.context) {
            return Err(self.error_at(token, "invalid element type for complex"));
        }
        self.expect(TokenKind::Greater, "expected '>' in complex type")?;
        Ok(Type::new(self.context, TypeKind::Complex(element)))
    }

    fn parse_tuple(&mut self) -> ParseResult<Type> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' in tuple type")?;
        let mut types = Vec::new();
        self.comma_list_until(TokenKind::Greater, "expected '>' in tuple type", |parser| {
            types.push(parser.parse_type()?);
            Ok(())
        })?;
        Ok(Type::new(self.context, TypeKind::Tuple(types.into())))
    }

    fn parse_tensor(&mut self) -> ParseResult<Type> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' in tensor type")?;
        let shape = if self.at(TokenKind::Star) {
            self.parse_unranked_star()?;
            None
        } else {
            Some(self.parse_dimensions(Dimensions::Dynamic)?)
        };
        let element_token = self.token();
        let element = self.parse_type()?;
        // As in MLIR, a trailing comma without an encoding means no encoding.
        let encoding = if self.eat(TokenKind::Comma)? && !self.at(TokenKind::Greater) {
            Some(self.parse_attribute()?)
        } else {
            None
        };
        self.expect(TokenKind::Greater, "expected '>' in tensor type")?;
        if !element.is_tensor_element(self.context) {
            let element = crate::printer::type_to_string(self.context, element);
            let message = format!("invalid tensor element type: '{element}'");
            return Err(self.error_at(element_token, &message));
        }
        let kind = match (shape, encoding) {
            (Some(shape), encoding) => TypeKind::Tensor {
                shape: shape.into(),
                element,
                encoding,
            },
            (None, None) => TypeKind::UnrankedTensor(element),
            (None, Some(_)) => {
                return Err(
                    self.error_at(element_token, "cannot apply encoding to unranked tensor")
                );
            }
        };
        Ok(Type::new(self.context, kind))
    }

    fn parse_memref(&mut self) -> ParseResult<Type> {
        let start = self.advance()?;
        self.expect(TokenKind::Less, "expected '<' in memref type")?;
        let shape = if self.at(TokenKind::Star) {
            self.parse_unranked_star()?;
            None
        } else {
            Some(self.parse_dimensions(Dimensions::Dynamic)?)
        };
        let element_token = self.token();
        let element = self.parse_type()?;
        if !element.is_memref_element(self.context) {
            return Err(self.error_at(element_token, "invalid memref element type"));
        }
        let (layout, space) = self.parse_memref_layout_and_space(start, shape.as_deref())?;
        let kind = match shape {
            Some(shape) => TypeKind::MemRef {
                shape: shape.into(),
                element,
                layout,
                space,
            },
            None => TypeKind::UnrankedMemRef { element, space },
        };
        Ok(Type::new(self.context, kind))
    }

    fn parse_unranked_star(&mut self) -> ParseResult<()> {
        self.advance()?;
        self.parse_dimension_separator()
    }

    fn parse_vector(&mut self) -> ParseResult<Type> {
        let start = self.advance()?;
        self.expect(TokenKind::Less, "expected '<' in vector type")?;
        let (mut shape, mut scalable) = (Vec::new(), Vec::new());
        while self.at(TokenKind::Integer) || self.at(TokenKind::LeftSquare) {
            let bracket = self.eat(TokenKind::LeftSquare)?;
            if bracket && !self.at(TokenKind::Integer) {
                return Err(self.error("invalid dimension"));
            }
            let extent = self.parse_extent()?;
            if bracket {
                self.expect(
                    TokenKind::RightSquare,
                    "missing ']' closing scalable dimension",
                )?;
            }
            shape.push(extent);
            scalable.push(bracket);
            self.parse_dimension_separator()?;
        }
        let token = self.token();
        let element = self.parse_type()?;
        if !element.is_vector_element(self.context) {
            let message = "failed to verify 'elementType': VectorElementTypeInterface instance";
            return Err(self.error_at(token, message));
        }
        self.expect(TokenKind::Greater, "expected '>' in vector type")?;
        if shape.contains(&0) {
            let extents: Vec<_> = shape.iter().map(i64::to_string).collect();
            let message = format!(
                "vector types must have positive constant sizes but got {}",
                extents.join(", ")
            );
            return Err(self.error_at(start, &message));
        }
        let kind = TypeKind::Vector {
            shape: shape.into(),
            scalable: scalable.into(),
            element,
        };
        Ok(Type::new(self.context, kind))
    }

    /// Parses extents, each followed by `x`.
    ///
    /// # Errors
    /// If an extent is malformed, or dynamic where only static extents are allowed.
    pub fn parse_dimensions(&mut self, allowed: Dimensions) -> ParseResult<Vec<i64>> {
        let mut shape = Vec::new();
        loop {
            if self.at(TokenKind::Question) {
                if allowed == Dimensions::Static {
                    return Err(self.error("expected static shape"));
                }
                self.advance()?;
                shape.push(DYNAMIC);
            } else if self.at(TokenKind::Integer) {
                shape.push(self.parse_extent()?);
            } else {
                return Ok(shape);
            }
            self.parse_dimension_separator()?;
        }
    }

    /// Parses one extent. `0x4` is the extent 0 followed by `x4`, not a hexadecimal number.
    fn parse_extent(&mut self) -> ParseResult<i64> {
        if !self.at(TokenKind::Integer) {
            return Err(self.error("expected integer dimension or '?'"));
        }
        let token = self.token();
        if self.current().starts_with("0x") {
            self.jump_to(token.start + 1)?;
            return Ok(0);
        }
        let Ok(extent) = self.current().parse::<i64>() else {
            return Err(self.error("invalid dimension"));
        };
        self.advance()?;
        Ok(extent)
    }

    /// Parses the `x` after an extent, which the lexer reads as the start of an identifier.
    fn parse_dimension_separator(&mut self) -> ParseResult<()> {
        if !self.at(TokenKind::BareIdentifier) || !self.current().starts_with('x') {
            return Err(self.error("expected 'x' in dimension list"));
        }
        let token = self.token();
        if self.current().len() == 1 {
            self.advance()?;
            Ok(())
        } else {
            self.jump_to(token.start + 1)
        }
    }

    fn parse_dialect_type(&mut self) -> ParseResult<Type> {
        let token = self.token();
        let name = self.current()[1..].to_owned();
        let name = name.as_str();
        self.advance()?;
        let adjacent = self.at(TokenKind::Less) && self.token().start == token.end();
        if !adjacent && !name.contains('.') {
            return self.resolve_type_alias(token, name);
        }
        let (dialect, rest) = name.split_once('.').unwrap_or((name, ""));
        let known = self.context.dialect(dialect);
        if known.is_some_and(|known| known.types.is_empty()) {
            let message = format!("dialect '{dialect}' provides no type parsing hook");
            return Err(self.error_at(token, &message));
        }
        if known.is_none() {
            return self.parse_opaque_type(token, dialect, rest, adjacent);
        }
        let Some(definition) = self.context.type_definition(name) else {
            let message = format!("unknown type `{rest}` in dialect `{dialect}`");
            return Err(self.error_at(token, &message));
        };
        let payload = self.parse_payload(token, definition)?;
        Ok(Type::new(self.context, TypeKind::Dialect(payload)))
    }

    fn parse_opaque_type(
        &mut self,
        token: Token,
        dialect: &str,
        rest: &str,
        adjacent: bool,
    ) -> ParseResult<Type> {
        let body = self.parse_symbol_body(rest, adjacent)?;
        let aliases = self.opaque_aliases_in(token, &body)?;
        self.check_namespace(token, dialect)?;
        if !self.context.allows_unregistered_dialect(dialect) {
            let message = unregistered_symbol("!", dialect, &body, "type");
            return Err(self.error_at(token, &message));
        }
        let dialect = crate::Identifier::new(self.context, dialect);
        Ok(Type::new(
            self.context,
            TypeKind::Opaque {
                dialect,
                body: body.into(),
                aliases,
            },
        ))
    }
}

/// The error message for a type or attribute of an unregistered dialect.
pub(super) fn unregistered_symbol(sigil: &str, dialect: &str, body: &str, kind: &str) -> String {
    format!(
        "`{sigil}{dialect}<\"{body}\">` {kind} created with unregistered dialect. If this is \
         intended, please call allowUnregisteredDialects() on the MLIRContext, or use \
         -allow-unregistered-dialect with the MLIR opt tool used"
    )
}

/// Splits `i32`, `si8`, `ui64` into signedness and digits.
fn integer_type(word: &str) -> Option<(Signedness, &str)> {
    let (signedness, digits) = if let Some(digits) = word.strip_prefix("si") {
        (Signedness::Signed, digits)
    } else if let Some(digits) = word.strip_prefix("ui") {
        (Signedness::Unsigned, digits)
    } else {
        (Signedness::Signless, word.strip_prefix('i')?)
    };
    let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    valid.then_some((signedness, digits))
}
