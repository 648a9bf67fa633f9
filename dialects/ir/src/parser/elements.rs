//! The nested lists of numbers, booleans and strings in `dense<…>`.

use super::{ParseResult, Parser, Token, TokenKind};
use crate::attributes::{AttributeKind, DenseData};
use crate::types::{Signedness, Type, TypeKind};
use crate::{Attribute, numbers};

/// A nested list as written; the type that determines the element format follows it.
#[derive(Debug, Default)]
pub(super) struct Literal {
    /// Extents by depth; empty for a single element.
    shape: Vec<usize>,
    /// The elements in order: whether a minus sign precedes, and the token.
    elements: Vec<(bool, Token)>,
    /// The only element is one string: raw bytes in hexadecimal, if the type is numeric.
    hex: bool,
    /// Elements were written as pairs `(re, im)`.
    complex: bool,
    /// The literal is not empty.
    present: bool,
}

impl Literal {
    pub(super) fn is_empty(&self) -> bool {
        !self.present
    }

    pub(super) fn is_scalar(&self) -> bool {
        self.present && self.shape.is_empty()
    }

    /// The extents of a nested list.
    pub(super) fn extents(&self) -> Vec<i64> {
        let extents = self.shape.iter();
        extents
            .map(|extent| i64::try_from(*extent).unwrap_or(i64::MAX))
            .collect()
    }
}

impl Parser<'_> {
    /// Parses one element or a nested list.
    pub(super) fn parse_literal(&mut self, literal: &mut Literal) -> ParseResult<()> {
        literal.present = true;
        if self.at(TokenKind::LeftSquare) {
            literal.shape = self.parse_literal_list(literal)?;
            return Ok(());
        }
        literal.hex = self.at(TokenKind::String);
        self.parse_literal_element(literal)
    }

    fn parse_literal_list(&mut self, literal: &mut Literal) -> ParseResult<Vec<usize>> {
        self.nested(|parser| {
            parser.expect(TokenKind::LeftSquare, "expected '['")?;
            let mut inner: Option<Vec<usize>> = None;
            let mut count = 0;
            parser.comma_list_until(TokenKind::RightSquare, "expected ']'", |parser| {
                let shape = if parser.at(TokenKind::LeftSquare) {
                    parser.parse_literal_list(literal)?
                } else {
                    parser.parse_literal_element(literal)?;
                    Vec::new()
                };
                count += 1;
                match &inner {
                    None => inner = Some(shape),
                    Some(first) if *first != shape => {
                        let message = "tensor literal is invalid; ranks are not consistent \
                                       between elements";
                        return Err(parser.error(message));
                    }
                    Some(_) => {}
                }
                Ok(())
            })?;
            let mut shape = vec![count];
            shape.extend(inner.unwrap_or_default());
            Ok(shape)
        })
    }

    fn parse_literal_element(&mut self, literal: &mut Literal) -> ParseResult<()> {
        if self.eat(TokenKind::LeftParen)? {
            literal.complex = true;
            self.parse_literal_number(literal)?;
            self.expect(TokenKind::Comma, "expected ',' between complex elements")?;
            self.parse_literal_number(literal)?;
            self.expect(TokenKind::RightParen, "expected ')' after complex elements")?;
            return Ok(());
        }
        match self.token().kind {
            TokenKind::String => {
                let token = self.advance()?;
                literal.elements.push((false, token));
                Ok(())
            }
            TokenKind::BareIdentifier if matches!(self.current(), "true" | "false") => {
                let token = self.advance()?;
                literal.elements.push((false, token));
                Ok(())
            }
            _ => self.parse_literal_number(literal),
        }
    }

    fn parse_literal_number(&mut self, literal: &mut Literal) -> ParseResult<()> {
        let negative = self.eat(TokenKind::Minus)?;
        if !matches!(self.token().kind, TokenKind::Integer | TokenKind::Float) {
            return Err(self.error("expected element literal of primitive type"));
        }
        let token = self.advance()?;
        literal.elements.push((negative, token));
        Ok(())
    }

    /// Builds the attribute of a literal with a type.
    pub(super) fn literal_attribute(
        &mut self,
        place: Token,
        literal: &Literal,
        ty: Type,
    ) -> ParseResult<Attribute> {
        let element = ty.element(self.context).unwrap_or(ty);
        let numeric = crate::attributes::element_bytes(self.context, element).is_some();
        if literal.hex && numeric {
            return self.hex_attribute(place, literal, ty, element);
        }
        self.check_literal_shape(place, literal, ty)?;
        if !numeric {
            return self.string_elements(place, literal, ty);
        }
        let mut bytes = Vec::with_capacity(literal.elements.len() * 4);
        let part = match element.kind(self.context) {
            TypeKind::Complex(part) => {
                let part = *part;
                self.check_complex_count(place, literal, ty)?;
                part
            }
            _ if literal.complex => {
                return Err(self.error_at(place, "unexpected complex elements for this type"));
            }
            _ => element,
        };
        for &(negative, token) in &literal.elements {
            self.element_value(part, negative, token, &mut bytes)?;
        }
        Attribute::dense(self.context, ty, &bytes)
            .map_err(|error| self.error_at(place, &error.to_string()))
    }

    /// Checks that there are two parts for each complex number, or two in total.
    fn check_complex_count(
        &mut self,
        place: Token,
        literal: &Literal,
        ty: Type,
    ) -> ParseResult<()> {
        let count = ty.element_count(self.context).unwrap_or(0);
        let (shown, wanted) = if literal.is_scalar() {
            (ty.element(self.context).unwrap_or(ty), 2)
        } else {
            (ty, count.saturating_mul(2))
        };
        let found = literal.elements.len();
        if count == 0 || u64::try_from(found) == Ok(wanted) {
            return Ok(());
        }
        let shown = crate::printer::type_to_string(self.context, shown);
        let message =
            format!("parsed {found} elements, but type ('{shown}') expected {wanted} elements");
        Err(self.error_at(place, &message))
    }

    fn check_literal_shape(
        &mut self,
        place: Token,
        literal: &Literal,
        ty: Type,
    ) -> ParseResult<()> {
        if literal.is_scalar() {
            return Ok(());
        }
        let expected = ty.shape(self.context).unwrap_or_default().to_vec();
        if literal.is_empty() {
            if expected.contains(&0) {
                return Ok(());
            }
            let message = "parsed zero elements, but type ";
            let ty = crate::printer::type_to_string(self.context, ty);
            return Err(self.error_at(place, &format!("{message}('{ty}') expected at least 1")));
        }
        let shape: Vec<i64> = literal
            .shape
            .iter()
            .map(|&extent| i64::try_from(extent).unwrap_or(-1))
            .collect();
        if shape == expected {
            return Ok(());
        }
        let list = |shape: &[i64]| {
            let parts: Vec<_> = shape.iter().map(i64::to_string).collect();
            parts.join(", ")
        };
        let message = format!(
            "inferred shape of elements literal ([{}]) does not match type ([{}])",
            list(&shape),
            list(&expected)
        );
        Err(self.error_at(place, &message))
    }

    fn element_value(
        &mut self,
        element: Type,
        negative: bool,
        token: Token,
        bytes: &mut Vec<u8>,
    ) -> ParseResult<()> {
        let size = crate::attributes::element_bytes(self.context, element).unwrap_or(8);
        match (element.kind(self.context), token.kind) {
            (TypeKind::Float(kind), TokenKind::Integer | TokenKind::Float) => {
                let value = self.float_value(*kind, token, negative)?;
                bytes.extend_from_slice(&value.bits().to_le_bytes()[..size]);
            }
            (_, TokenKind::BareIdentifier) if element == Type::I1 => {
                bytes.push(u8::from(self.spelling(token) == "true"));
            }
            (TypeKind::Integer(..) | TypeKind::Index, TokenKind::BareIdentifier) => {
                let message = "expected i1 type for 'true' or 'false' values";
                return Err(self.error_at(token, message));
            }
            (TypeKind::Integer(_, Signedness::Unsigned), TokenKind::Integer) if negative => {
                let message = "expected unsigned integer elements, but parsed negative value";
                return Err(self.error_at(token, message));
            }
            (TypeKind::Integer(..) | TypeKind::Index, TokenKind::Integer) => {
                let Ok(value) = self.integer_literal(element, token, negative) else {
                    let message = "integer constant out of range for type";
                    return Err(self.error_at(token, message));
                };
                push_integer(&value, size, bytes);
            }
            (TypeKind::Integer(..) | TypeKind::Index, TokenKind::Float) => {
                let ty = crate::printer::type_to_string(self.context, element);
                let message =
                    format!("expected integer elements, but parsed floating-point ({ty})");
                return Err(self.error_at(token, &message));
            }
            (_, TokenKind::String) => {
                let message = "expected element literal of primitive type, not a string";
                return Err(self.error_at(token, message));
            }
            _ => {
                return Err(self.error_at(token, "expected floating point literal"));
            }
        }
        Ok(())
    }

    fn string_elements(
        &mut self,
        place: Token,
        literal: &Literal,
        ty: Type,
    ) -> ParseResult<Attribute> {
        let mut strings = Vec::with_capacity(literal.elements.len());
        for &(_, token) in &literal.elements {
            if token.kind != TokenKind::String {
                let message = format!("expected string token, got {}", self.spelling(token));
                return Err(self.error_at(place, &message));
            }
            strings.push(self.unescape(token).into_boxed_slice());
        }
        let splat = !strings.is_empty() && strings.iter().all(|string| *string == strings[0]);
        if splat {
            strings.truncate(1);
        }
        let data = DenseData::Strings {
            strings: strings.into(),
            splat,
        };
        Ok(Attribute::new(
            self.context,
            AttributeKind::DenseElements { ty, data },
        ))
    }

    fn hex_attribute(
        &mut self,
        place: Token,
        literal: &Literal,
        ty: Type,
        element: Type,
    ) -> ParseResult<Attribute> {
        let token = literal.elements[0].1;
        let text = self.unescape(token);
        let digits = std::str::from_utf8(&text)
            .ok()
            .and_then(|text| text.strip_prefix("0x"));
        let Some(bytes) = digits.and_then(hex_bytes) else {
            return Err(self.error_at(
                token,
                "expected string containing hex digits starting with `0x`",
            ));
        };
        let count = ty.element_count(self.context).unwrap_or(0);
        let bytes = if element == Type::I1 {
            crate::attributes::unpack_bits(&bytes, count)
        } else {
            bytes
        };
        Attribute::dense(self.context, ty, &bytes).map_err(|_| {
            let ty = crate::printer::type_to_string(self.context, ty);
            let message = format!("elements hex data size is invalid for provided type: '{ty}'");
            self.error_at(place, &message)
        })
    }
}

/// Appends the low `size` bytes of an integer.
fn push_integer(value: &numbers::ApInt, size: usize, bytes: &mut Vec<u8>) {
    let words = value.words();
    let all = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.extend(all.chain(std::iter::repeat(0)).take(size));
}

fn hex_bytes(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs
        .map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?))
        .collect()
}
