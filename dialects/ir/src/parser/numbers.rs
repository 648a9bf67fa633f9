//! Integer and float literals.

use super::{ParseResult, Parser, Token, TokenKind};
use crate::Attribute;
use crate::attributes::AttributeKind;
use crate::numbers::{ApInt, Float, FloatKind, IntegerError, IntegerRange};
use crate::types::{Signedness, Type, TypeKind};

impl Parser<'_> {
    /// Parses a number, after its sign, with its type: the known type, the trailing type in the
    /// text, or the default.
    pub(super) fn parse_number_attribute(
        &mut self,
        ty: Option<Type>,
        negative: bool,
    ) -> ParseResult<Attribute> {
        let token = self.advance()?;
        let is_float = token.kind == TokenKind::Float;
        let ty = match ty {
            Some(ty) => ty,
            None if self.eat(TokenKind::Colon)? => self.parse_type()?,
            None if is_float => Type::F64,
            None => Type::I64,
        };
        match ty.kind(self.context) {
            TypeKind::Float(kind) => {
                let value = self.float_value(*kind, token, negative)?;
                Ok(Attribute::new(
                    self.context,
                    AttributeKind::Float { ty, value },
                ))
            }
            TypeKind::Integer(..) | TypeKind::Index if is_float => {
                Err(self.error("floating point value not valid for specified type"))
            }
            TypeKind::Integer(..) | TypeKind::Index => {
                let value = self.integer_value(ty, token, negative)?;
                Ok(Attribute::new(
                    self.context,
                    AttributeKind::Integer { ty, value },
                ))
            }
            _ if is_float => Err(self.error("floating point value not valid for specified type")),
            _ => Err(self.error_at(token, "integer literal not valid for specified type")),
        }
    }

    /// The value of an integer token for an integer type or `index`.
    pub(super) fn integer_value(
        &mut self,
        ty: Type,
        token: Token,
        negative: bool,
    ) -> ParseResult<ApInt> {
        self.integer_literal(ty, token, negative)
            .map_err(|error| self.error_at(token, &error.to_string()))
    }

    /// The value of an integer token for an integer type or `index`, or the reason for an error.
    pub(super) fn integer_literal(
        &self,
        ty: Type,
        token: Token,
        negative: bool,
    ) -> Result<ApInt, IntegerError> {
        let (width, range) = match ty.kind(self.context) {
            TypeKind::Integer(width, Signedness::Signless) => (*width, IntegerRange::Signless),
            TypeKind::Integer(width, Signedness::Signed) => (*width, IntegerRange::Signed),
            TypeKind::Integer(width, Signedness::Unsigned) => (*width, IntegerRange::Unsigned),
            _ => (64, IntegerRange::Signed),
        };
        let text = self.spelling(token);
        ApInt::from_literal(width, text, negative, range)
    }

    /// The value of a number token for a float type: a decimal literal, or the bits in hexadecimal.
    pub(super) fn float_value(
        &mut self,
        kind: FloatKind,
        token: Token,
        negative: bool,
    ) -> ParseResult<Float> {
        let text = self.spelling(token);
        if token.kind == TokenKind::Float {
            return match Float::from_literal(kind, text) {
                Ok(value) => Ok(if negative { value.negated() } else { value }),
                Err(error) => Err(self.error_at(token, &error.to_string())),
            };
        }
        let Some(digits) = text.strip_prefix("0x") else {
            let message = "unexpected decimal integer literal for a floating point value";
            let location = self.location_of(token);
            let note = "add a trailing dot to make the literal a float";
            return Err(self.error_with_note(token, message, location, note));
        };
        if negative {
            let message = "hexadecimal float literal should not have a leading minus";
            return Err(self.error_at(token, message));
        }
        Float::from_hex(kind, digits).map_err(|error| self.error_at(token, &error.to_string()))
    }

    /// Parses an optional minus and an integer that fits 64 bits.
    ///
    /// # Errors
    /// If none is present or it does not fit; `message` states what was expected.
    pub fn parse_integer(&mut self, message: &str) -> ParseResult<i64> {
        let negative = self.eat(TokenKind::Minus)?;
        if !self.at(TokenKind::Integer) {
            return Err(self.error(message));
        }
        let text = self.current();
        let magnitude = match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => text.parse::<i128>(),
        };
        let value = magnitude
            .ok()
            .map(|value| if negative { -value } else { value });
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) => {
                self.advance()?;
                Ok(value)
            }
            None => Err(self.error("integer value too large")),
        }
    }

    /// Parses an integer that fits 32 bits.
    ///
    /// # Errors
    /// If none is present or it does not fit; `message` states what was expected.
    pub fn parse_i32(&mut self, message: &str) -> ParseResult<i32> {
        let token = self.token();
        let value = self.parse_integer(message)?;
        i32::try_from(value).map_err(|_| self.error_at(token, "integer value too large"))
    }
}
