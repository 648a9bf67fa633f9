//! `array<…>`, `dense<…>`, `dense_resource<…>` and `sparse<…>`.

use super::elements::Literal;
use super::{ParseResult, Parser, TokenKind};
use crate::attributes::AttributeKind;
use crate::types::TypeKind;
use crate::{Attribute, Identifier, Type};

impl Parser<'_> {
    pub(super) fn parse_dense_array(&mut self) -> ParseResult<Attribute> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' after 'array'")?;
        let token = self.token();
        let element = self.parse_type()?;
        let fits = match element.kind(self.context) {
            TypeKind::Integer(width, _) => {
                *width == 1 || (*width % 8 == 0 && *width <= 64 && *width > 0)
            }
            TypeKind::Float(kind) => kind.width() % 8 == 0 && kind.width() <= 64,
            _ => {
                return Err(self.error_at(token, "expected integer or float type"));
            }
        };
        if !fits {
            return Err(self.error_at(token, "element type bitwidth must be a multiple of 8"));
        }
        let mut data = Vec::new();
        if !self.eat(TokenKind::Greater)? {
            self.expect(TokenKind::Colon, "expected ':' after dense array type")?;
            loop {
                self.parse_array_element(element, &mut data)?;
                if !self.eat(TokenKind::Comma)? {
                    break;
                }
            }
            self.expect(
                TokenKind::Greater,
                "expected '>' to close an array attribute",
            )?;
        }
        let kind = AttributeKind::DenseArray {
            element,
            data: data.into(),
        };
        Ok(Attribute::new(self.context, kind))
    }

    fn parse_array_element(&mut self, element: Type, data: &mut Vec<u8>) -> ParseResult<()> {
        if element == Type::I1 && self.at(TokenKind::BareIdentifier) {
            let value = match self.current() {
                "true" => 1,
                "false" => 0,
                _ => return Err(self.error("expected integer value")),
            };
            self.advance()?;
            data.push(value);
            return Ok(());
        }
        let negative = self.eat(TokenKind::Minus)?;
        let token = self.token();
        if !matches!(token.kind, TokenKind::Integer | TokenKind::Float) {
            return Err(self.error("expected integer or float literal"));
        }
        let bytes = match element.kind(self.context) {
            TypeKind::Float(kind) => {
                let kind = *kind;
                self.advance()?;
                let value = self.float_value(kind, token, negative)?;
                value.bits().to_le_bytes()[..kind.width() as usize / 8].to_vec()
            }
            _ if token.kind == TokenKind::Float => {
                return Err(self.error("expected integer literal"));
            }
            _ => {
                let width = element.bit_width(self.context).unwrap_or(64) as usize;
                self.advance()?;
                let value = self.integer_value(element, token, negative)?;
                let word = value.words().first().copied().unwrap_or(0);
                word.to_le_bytes()[..width.div_ceil(8)].to_vec()
            }
        };
        data.extend(bytes);
        Ok(())
    }

    /// The type behind an elements literal, which must have a shape.
    fn parse_elements_type(&mut self, ty: Option<Type>) -> ParseResult<Type> {
        let token = self.token();
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(TokenKind::Colon, "expected ':'")?;
                self.parse_type()?
            }
        };
        let ranked = ty.shape(self.context).is_some();
        if !ranked {
            return Err(self.error_at(token, "elements literal must be a shaped type"));
        }
        if ty
            .shape(self.context)
            .is_some_and(|shape| shape.contains(&crate::types::DYNAMIC))
        {
            return Err(self.error_at(token, "elements literal type must have static shape"));
        }
        Ok(ty)
    }

    pub(super) fn parse_dense_elements(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' after 'dense'")?;
        let mut literal = Literal::default();
        if !self.at(TokenKind::Greater) {
            self.parse_literal(&mut literal)?;
        }
        let close = self.expect(TokenKind::Greater, "expected '>'")?;
        let ty = self.parse_elements_type(ty)?;
        self.literal_attribute(close, &literal, ty)
    }

    pub(super) fn parse_dense_resource(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' after 'dense_resource'")?;
        let key = self.parse_keyword_or_string("expected a resource key")?;
        self.expect(TokenKind::Greater, "expected '>'")?;
        let token = self.token();
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(TokenKind::Colon, "expected ':'")?;
                self.parse_type()?
            }
        };
        if ty.shape(self.context).is_none() {
            return Err(self.error_at(token, "`dense_resource` expected a shaped type"));
        }
        let key = Identifier::new(self.context, &key);
        Ok(Attribute::new(
            self.context,
            AttributeKind::DenseResource { ty, key },
        ))
    }

    pub(super) fn parse_sparse_elements(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        self.advance()?;
        self.expect(TokenKind::Less, "Expected '<' after 'sparse'")?;
        let (mut indices, mut values) = (Literal::default(), Literal::default());
        let mut close = self.token();
        if !self.at(TokenKind::Greater) {
            self.parse_literal(&mut indices)?;
            self.expect(TokenKind::Comma, "expected ','")?;
            self.parse_literal(&mut values)?;
            close = self.token();
        }
        self.expect(TokenKind::Greater, "expected '>'")?;
        let ty = self.parse_elements_type(ty)?;
        let rank = ty.shape(self.context).map_or(0, <[i64]>::len);
        let rank = i64::try_from(rank).unwrap_or(i64::MAX);
        let element = ty.scalar(self.context);
        let count = |literal: &Literal| i64::try_from(literal.first_extent()).unwrap_or(i64::MAX);
        let (index_shape, value_shape) = if indices.is_empty() {
            (vec![0, rank], vec![0])
        } else if indices.is_scalar() {
            (vec![1, rank], vec![1])
        } else if indices.rank() == 1 {
            (vec![1, count(&indices)], vec![1])
        } else {
            (vec![count(&indices), rank], vec![count(&indices)])
        };
        let index_type = Type::tensor(self.context, &index_shape, Type::I64);
        let value_type = Type::tensor(self.context, &value_shape, element);
        let indices = self.literal_attribute(close, &indices, index_type)?;
        let values = self.literal_attribute(close, &values, value_type)?;
        let kind = AttributeKind::SparseElements {
            ty,
            indices,
            values,
        };
        Ok(Attribute::new(self.context, kind))
    }
}
