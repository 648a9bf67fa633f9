//! `array<…>`, `dense<…>`, `dense_resource<…>` and `sparse<…>`.

use super::elements::Literal;
use super::{ParseResult, Parser, Token, TokenKind};
use crate::attributes::{AttributeKind, DenseData, array_element_bytes};
use crate::types::TypeKind;
use crate::{Attribute, Context, Identifier, Type};

impl Parser<'_> {
    pub(super) fn parse_dense_array(&mut self) -> ParseResult<Attribute> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' after 'array'")?;
        let token = self.token();
        let Ok(element) = self.parse_type() else {
            return Err(self.error_at(token, "expected an integer or floating point type"));
        };
        if !element.is_integer(self.context) && !element.is_float(self.context) {
            let found = crate::printer::type_to_string(self.context, element);
            let message = format!("expected integer or float type, got: '{found}'");
            return Err(self.error_at(token, &message));
        }
        if array_element_bytes(self.context, element).is_none() {
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
        if element == Type::I1 {
            return Err(self.error("expected 'true' or 'false' values for i1 type"));
        }
        if matches!(self.current(), "true" | "false") {
            return Err(self.error("expected i1 type for 'true' or 'false' values"));
        }
        let negative = self.eat(TokenKind::Minus)?;
        let token = self.token();
        if !matches!(token.kind, TokenKind::Integer | TokenKind::Float) {
            let float = element.is_float(self.context);
            let message = if float {
                "expected float literal"
            } else {
                "expected integer literal"
            };
            return Err(self.error(message));
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
                let Ok(value) = self.integer_literal(element, token, negative) else {
                    return Err(self.error("integer constant out of range"));
                };
                let word = value.words().first().copied().unwrap_or(0);
                word.to_le_bytes()[..width.div_ceil(8)].to_vec()
            }
        };
        data.extend(bytes);
        Ok(())
    }

    /// Parses the type after an elements literal, which must be shaped.
    fn parse_elements_type(&mut self, token: Token, ty: Option<Type>) -> ParseResult<Type> {
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(TokenKind::Colon, "expected ':'")?;
                self.parse_type()?
            }
        };
        if matches!(ty.kind(self.context), TypeKind::UnrankedTensor(_)) {
            return Err(self.error_at(token, "elements literal type must have static shape"));
        }
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
        let place = self.advance()?;
        self.expect(TokenKind::Less, "expected '<' after 'dense'")?;
        let mut literal = Literal::default();
        if !self.at(TokenKind::Greater) {
            self.parse_literal(&mut literal)?;
        }
        self.expect(TokenKind::Greater, "expected '>'")?;
        let ty = self.parse_elements_type(place, ty)?;
        self.literal_attribute(place, &literal, ty)
    }

    pub(super) fn parse_dense_resource(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        self.advance()?;
        self.expect(TokenKind::Less, "expected '<' after 'dense_resource'")?;
        let key = self.parse_keyword_or_string("expected identifier key for 'resource' entry")?;
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
        let place = self.advance()?;
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
        let ty = self.parse_elements_type(place, ty)?;
        let rank = ty.shape(self.context).map_or(0, <[i64]>::len);
        let rank = i64::try_from(rank).unwrap_or(i64::MAX);
        let element = ty.scalar(self.context);
        let index_shape = match (indices.is_empty(), indices.is_scalar()) {
            (true, _) => vec![0, rank],
            (_, true) => vec![1, rank],
            _ => indices.extents(),
        };
        let value_shape = match (values.is_empty(), values.is_scalar()) {
            (true, _) => vec![0],
            (_, true) => vec![index_shape[0]],
            _ => values.extents(),
        };
        let index_type = Type::tensor(self.context, &index_shape, Type::I64);
        let value_type = Type::tensor(self.context, &value_shape, element);
        let indices = self.literal_attribute(close, &indices, index_type)?;
        let values = self.literal_attribute(close, &values, value_type)?;
        let indices_and_shape = (&index_shape[..], indices);
        if let Some(problem) = sparse_problem(self.context, ty, indices_and_shape, &value_shape) {
            return Err(self.error_at(place, &problem));
        }
        let kind = AttributeKind::SparseElements {
            ty,
            indices,
            values,
        };
        Ok(Attribute::new(self.context, kind))
    }
}

/// The error in the indices of a sparse attribute, if any: each value must have one index, and the
/// indices must be within the shape.
pub(crate) fn sparse_problem(
    context: &Context,
    ty: Type,
    (index_shape, indices): (&[i64], Attribute),
    value_shape: &[i64],
) -> Option<String> {
    let shape = ty.shape(context).unwrap_or_default();
    if value_shape.len() != 1 {
        return Some("expected 1-d tensor for sparse element values".to_owned());
    }
    let fits = match index_shape {
        [_, width] => usize::try_from(*width) == Ok(shape.len()),
        [_] => shape.len() == 1,
        _ => false,
    };
    let list = |values: &[i64]| {
        let texts: Vec<_> = values.iter().map(i64::to_string).collect();
        texts.join(", ")
    };
    if !fits || index_shape[0] != value_shape[0] {
        return Some(format!(
            "expected shape ([{}]); inferred shape of indices literal ([{}]); inferred shape \
             of values literal ([{}])",
            list(shape),
            list(index_shape),
            list(value_shape)
        ));
    }
    let AttributeKind::DenseElements {
        data: DenseData::Bytes { bytes, splat },
        ..
    } = indices.kind(context)
    else {
        return None;
    };
    let words = bytes.chunks_exact(8).map(|chunk| {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        i64::from_le_bytes(word)
    });
    let mut numbers: Vec<_> = words.collect();
    if *splat && let Some(first) = numbers.first().copied() {
        numbers.resize(shape.len(), first);
    }
    let outside = |(index, extent): (&i64, &i64)| *index < 0 || index >= extent;
    let mut indices = numbers.chunks(shape.len().max(1)).enumerate();
    let (number, index) = indices.find(|(_, index)| index.iter().zip(shape).any(outside))?;
    let ty = crate::printer::type_to_string(context, ty);
    // Messages show indices as the unsigned numbers in which they are stored.
    let index: Vec<_> = index
        .iter()
        .map(|i| i.cast_unsigned().to_string())
        .collect();
    Some(format!(
        "sparse index #{number} is not contained within the value shape, with index=[{}], and \
         type='{ty}'",
        index.join(", ")
    ))
}
