//! Decoding of builtin attributes.

use super::cursor::Read;
use super::decode_locations;
use super::format::attribute;
use super::tables::{Datum, Decoder};
use crate::attributes::{AttributeKind, DenseData, array_element_bytes, unpack_bits};
use crate::numbers::{ApInt, Float};
use crate::parser::sparse_problem;
use crate::{Attribute, Type, TypeKind};

/// Decodes an attribute of the builtin dialect.
pub(super) fn decode(decoder: &mut Decoder<'_, '_, '_>) -> Read<Datum> {
    let code = decoder.cursor.varint()?;
    if let Some(location) = decode_locations::decode(decoder, code)? {
        return Ok(Datum::Location(location));
    }
    let kind = match code {
        attribute::ARRAY => AttributeKind::Array(decoder.list(Decoder::attribute)?.into()),
        attribute::DICTIONARY => return dictionary(decoder).map(Datum::Attribute),
        attribute::STRING => AttributeKind::String {
            value: decoder.string()?.into(),
            ty: Type::NONE,
        },
        attribute::TYPED_STRING => AttributeKind::String {
            value: decoder.string()?.into(),
            ty: decoder.ty()?,
        },
        attribute::FLAT_SYMBOL => AttributeKind::SymbolReference {
            root: decoder.name()?,
            nested: Box::default(),
        },
        attribute::SYMBOL => symbol(decoder)?,
        attribute::TYPE => AttributeKind::Type(decoder.ty()?),
        attribute::UNIT => AttributeKind::Unit,
        attribute::INTEGER => integer(decoder)?,
        attribute::FLOAT => float(decoder)?,
        attribute::DENSE_RESOURCE => dense_resource(decoder)?,
        attribute::DENSE_ARRAY => dense_array(decoder)?,
        attribute::DENSE_NUMBERS => return dense_numbers(decoder).map(Datum::Attribute),
        attribute::DENSE_STRINGS => dense_strings(decoder)?,
        attribute::SPARSE => sparse(decoder)?,
        attribute::DISTINCT => {
            let referenced = decoder.attribute()?;
            return Ok(Datum::Attribute(Attribute::distinct(
                decoder.context,
                referenced,
            )));
        }
        _ => {
            return Err(decoder
                .cursor
                .fault(format!("unknown builtin attribute code: {code}")));
        }
    };
    Ok(Datum::Attribute(Attribute::new(decoder.context, kind)))
}

fn dictionary(decoder: &mut Decoder<'_, '_, '_>) -> Read<Attribute> {
    let entries = decoder.list(|decoder| Ok((decoder.name()?, decoder.attribute()?)))?;
    let dictionary = Attribute::dictionary(decoder.context, &entries);
    if dictionary.entries(decoder.context).len() != entries.len() {
        return Err(decoder.cursor.fault("duplicate key in a dictionary"));
    }
    Ok(dictionary)
}

fn symbol(decoder: &mut Decoder<'_, '_, '_>) -> Read<AttributeKind> {
    let root = decoder.name()?;
    let nested = decoder.list(|decoder| {
        let reference = decoder.attribute()?;
        match reference.kind(decoder.context) {
            AttributeKind::SymbolReference { root, nested } if nested.is_empty() => Ok(*root),
            _ => Err(decoder.unexpected("FlatSymbolRefAttr", reference)),
        }
    })?;
    Ok(AttributeKind::SymbolReference {
        root,
        nested: nested.into(),
    })
}

/// Reads the 64-bit words of an integer of a known width.
fn known_width(decoder: &mut Decoder<'_, '_, '_>, width: u32) -> Read<ApInt> {
    let cursor = &mut decoder.cursor;
    if width <= 8 {
        let byte = cursor.byte()?;
        return fitting(decoder, width, u64::from(byte), byte.cast_signed().into());
    }
    if width <= 64 {
        let word = cursor.signed()?;
        return fitting(decoder, width, word.cast_unsigned(), word);
    }
    let words = decoder.list(|decoder| decoder.cursor.signed())?;
    let words: Vec<_> = words.into_iter().map(i64::cast_unsigned).collect();
    let value = ApInt::from_words(width, words.clone());
    if value.words().len() < words.len() || value.words()[..words.len()] != words {
        return Err(decoder
            .cursor
            .fault(format!("integer value does not fit in {width} bits")));
    }
    Ok(value)
}

/// Checks an integer whose bits above the width must be zeros or copies of the sign.
fn fitting(decoder: &Decoder<'_, '_, '_>, width: u32, unsigned: u64, signed: i64) -> Read<ApInt> {
    let value = ApInt::from_u64(width, unsigned);
    let zeros = value.words().first().copied().unwrap_or(0) == unsigned;
    if !zeros && value.as_i64() != Some(signed) {
        let message = format!("integer value {signed} does not fit in {width} bits");
        return Err(decoder.cursor.fault(message));
    }
    Ok(value)
}

fn integer(decoder: &mut Decoder<'_, '_, '_>) -> Read<AttributeKind> {
    let ty = decoder.ty()?;
    let width = match ty.kind(decoder.context) {
        TypeKind::Integer(width, _) => *width,
        TypeKind::Index => 64,
        _ => {
            let expected = "integer or index type for IntegerAttr";
            return Err(decoder.unexpected_type(expected, ty));
        }
    };
    let value = known_width(decoder, width)?;
    Ok(AttributeKind::Integer { ty, value })
}

fn float(decoder: &mut Decoder<'_, '_, '_>) -> Read<AttributeKind> {
    let ty = decoder.ty()?;
    let Some(kind) = ty.float_kind(decoder.context) else {
        return Err(decoder.unexpected_type("floating-point type for FloatAttr", ty));
    };
    let bits = known_width(decoder, kind.width())?;
    let bytes: Vec<u8> = bits
        .words()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let value = Float::from_le_bytes(kind, &bytes);
    Ok(AttributeKind::Float { ty, value })
}

/// Reads a type with a shape.
fn shaped(decoder: &mut Decoder<'_, '_, '_>) -> Read<Type> {
    let ty = decoder.ty()?;
    if !ty.is_shaped(decoder.context) {
        return Err(decoder.unexpected_type("ShapedType", ty));
    }
    Ok(ty)
}

fn dense_resource(decoder: &mut Decoder<'_, '_, '_>) -> Read<AttributeKind> {
    let ty = shaped(decoder)?;
    if ty.shape(decoder.context).is_none() {
        return Err(decoder
            .cursor
            .fault("`dense_resource` expected a shaped type"));
    }
    let count = decoder.tables.resources.len();
    let index = decoder.cursor.index(count, "resource handle")?;
    let key = decoder.tables.resources[index];
    Ok(AttributeKind::DenseResource { ty, key })
}

fn dense_array(decoder: &mut Decoder<'_, '_, '_>) -> Read<AttributeKind> {
    let element = decoder.ty()?;
    let Some(bytes) = array_element_bytes(decoder.context, element) else {
        return Err(decoder.unexpected_type("integer or float type of whole bytes", element));
    };
    let count = decoder.cursor.varint()?;
    let data = decoder.blob()?;
    if count.checked_mul(bytes as u64) != Some(data.len() as u64) {
        let message = format!(
            "expected {count} elements of {bytes} bytes in a dense array, but got {} bytes",
            data.len()
        );
        return Err(decoder.cursor.fault(message));
    }
    Ok(AttributeKind::DenseArray {
        element,
        data: data.into(),
    })
}

fn dense_numbers(decoder: &mut Decoder<'_, '_, '_>) -> Read<Attribute> {
    let ty = shaped(decoder)?;
    let data = decoder.blob()?;
    let count = ty.element_count(decoder.context).unwrap_or(0);
    let unpacked;
    let data = if ty.element(decoder.context) == Some(Type::I1) {
        unpacked = unpack_bits(data, count);
        &unpacked
    } else {
        data
    };
    let dense = Attribute::dense(decoder.context, ty, data);
    dense.map_err(|error| decoder.cursor.fault(error.to_string()))
}

fn dense_strings(decoder: &mut Decoder<'_, '_, '_>) -> Read<AttributeKind> {
    let ty = shaped(decoder)?;
    let Some(count) = ty.element_count(decoder.context) else {
        let message = "elements literal type must have static shape";
        return Err(decoder.cursor.fault(message));
    };
    let splat = decoder.cursor.varint()? != 0;
    let count = if splat { 1 } else { count };
    let count = decoder.cursor.fits(count, "strings")?;
    let strings: Read<Vec<Box<[u8]>>> = (0..count)
        .map(|_| decoder.string().map(Box::from))
        .collect();
    let data = DenseData::Strings {
        strings: strings?.into(),
        splat,
    };
    Ok(AttributeKind::DenseElements { ty, data })
}

fn sparse(decoder: &mut Decoder<'_, '_, '_>) -> Read<AttributeKind> {
    let ty = shaped(decoder)?;
    let (indices, values) = (decoder.attribute()?, decoder.attribute()?);
    let context = &*decoder.context;
    for part in [indices, values] {
        if !matches!(part.kind(context), AttributeKind::DenseElements { .. }) {
            return Err(decoder.unexpected("DenseElementsAttr", part));
        }
    }
    // Dense elements have a static shape.
    let shape_of = |part: Attribute| {
        let shape = part.carried_type(context).shape(context);
        shape.unwrap_or_default().to_vec()
    };
    let (index_shape, value_shape) = (shape_of(indices), shape_of(values));
    let index_element = indices.carried_type(context).element(context);
    let value_element = values.carried_type(context).element(context);
    if index_element != Some(Type::I64) || value_element != ty.element(context) {
        return Err(decoder.unexpected("indices of i64 and values of the element type", indices));
    }
    let problem = if ty.element_count(context).is_none() {
        Some("elements literal type must have static shape".to_owned())
    } else {
        sparse_problem(context, ty, (&index_shape, indices), &value_shape)
    };
    if let Some(problem) = problem {
        return Err(decoder.cursor.fault(problem));
    }
    Ok(AttributeKind::SparseElements {
        ty,
        indices,
        values,
    })
}
