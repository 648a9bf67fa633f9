//! Decoding of builtin types.

use super::cursor::Read;
use super::format::ty;
use super::tables::Decoder;
use crate::numbers::FloatKind;
use crate::types::{DYNAMIC, MAX_INTEGER_WIDTH, Signedness, TypeKind};
use crate::{Attribute, AttributeKind, Type};

/// Decodes a type of the builtin dialect.
pub(super) fn decode(decoder: &mut Decoder<'_, '_, '_>) -> Read<Type> {
    let code = decoder.cursor.varint()?;
    let kind = match code {
        ty::INTEGER => integer(decoder)?,
        ty::INDEX => TypeKind::Index,
        ty::FUNCTION => TypeKind::Function {
            inputs: decoder.list(Decoder::ty)?.into(),
            results: decoder.list(Decoder::ty)?.into(),
        },
        ty::BF16 => TypeKind::Float(FloatKind::BF16),
        ty::F16 => TypeKind::Float(FloatKind::F16),
        ty::F32 => TypeKind::Float(FloatKind::F32),
        ty::F64 => TypeKind::Float(FloatKind::F64),
        ty::F80 => TypeKind::Float(FloatKind::F80),
        ty::F128 => TypeKind::Float(FloatKind::F128),
        ty::NONE => TypeKind::None,
        ty::COMPLEX => {
            let element = decoder.ty()?;
            if !element.is_integer(decoder.context) && !element.is_float(decoder.context) {
                return Err(decoder.cursor.fault("invalid element type for complex"));
            }
            TypeKind::Complex(element)
        }
        ty::TUPLE => TypeKind::Tuple(decoder.list(Decoder::ty)?.into()),
        ty::TENSOR | ty::TENSOR_WITH_ENCODING => tensor(decoder, code)?,
        ty::UNRANKED_TENSOR => TypeKind::UnrankedTensor(tensor_element(decoder)?),
        ty::MEMREF | ty::MEMREF_WITH_SPACE => memref(decoder, code)?,
        ty::UNRANKED_MEMREF | ty::UNRANKED_MEMREF_WITH_SPACE => {
            let space = match code {
                ty::UNRANKED_MEMREF => None,
                _ => memory_space(decoder)?,
            };
            let element = memref_element(decoder)?;
            TypeKind::UnrankedMemRef { element, space }
        }
        ty::VECTOR | ty::SCALABLE_VECTOR => vector(decoder, code)?,
        _ => {
            return Err(decoder
                .cursor
                .fault(format!("unknown builtin type code: {code}")));
        }
    };
    Ok(Type::new(decoder.context, kind))
}

fn integer(decoder: &mut Decoder<'_, '_, '_>) -> Read<TypeKind> {
    let word = decoder.cursor.varint()?;
    let width = u32::try_from(word >> 2)
        .ok()
        .filter(|width| *width <= MAX_INTEGER_WIDTH);
    let Some(width) = width else {
        let message = format!("integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits");
        return Err(decoder.cursor.fault(message));
    };
    let signedness = match word & 3 {
        0 => Signedness::Signless,
        1 => Signedness::Signed,
        2 => Signedness::Unsigned,
        _ => {
            return Err(decoder
                .cursor
                .fault("unknown signedness of an integer type: 3"));
        }
    };
    Ok(TypeKind::Integer(width, signedness))
}

/// Reads extents; a dynamic extent is encoded as the smallest integer.
fn shape(decoder: &mut Decoder<'_, '_, '_>) -> Read<Box<[i64]>> {
    let shape = decoder.list(|decoder| decoder.cursor.signed())?;
    if let Some(wrong) = shape
        .iter()
        .find(|extent| **extent < 0 && **extent != DYNAMIC)
    {
        return Err(decoder.cursor.fault(format!("invalid dimension: {wrong}")));
    }
    Ok(shape.into())
}

fn tensor(decoder: &mut Decoder<'_, '_, '_>, code: u64) -> Read<TypeKind> {
    let encoding = match code {
        ty::TENSOR => None,
        _ => Some(decoder.attribute()?),
    };
    Ok(TypeKind::Tensor {
        encoding,
        shape: shape(decoder)?,
        element: tensor_element(decoder)?,
    })
}

fn tensor_element(decoder: &mut Decoder<'_, '_, '_>) -> Read<Type> {
    let element = decoder.ty()?;
    if !element.is_tensor_element(decoder.context) {
        let element = crate::printer::type_to_string(decoder.context, element);
        let message = format!("invalid tensor element type: '{element}'");
        return Err(decoder.cursor.fault(message));
    }
    Ok(element)
}

fn memref_element(decoder: &mut Decoder<'_, '_, '_>) -> Read<Type> {
    let element = decoder.ty()?;
    if !element.is_memref_element(decoder.context) {
        return Err(decoder.cursor.fault("invalid memref element type"));
    }
    Ok(element)
}

/// Reads a memory space; 0 is the default space.
fn memory_space(decoder: &mut Decoder<'_, '_, '_>) -> Read<Option<Attribute>> {
    let space = decoder.attribute()?;
    if !space.is_memory_space(decoder.context) {
        return Err(decoder.cursor.fault("unsupported memory space Attribute"));
    }
    Ok(Some(space).filter(|space| space.as_i64(decoder.context) != Some(0)))
}

fn memref(decoder: &mut Decoder<'_, '_, '_>, code: u64) -> Read<TypeKind> {
    let space = match code {
        ty::MEMREF => None,
        _ => memory_space(decoder)?,
    };
    let shape = shape(decoder)?;
    let element = memref_element(decoder)?;
    let layout = decoder.attribute()?;
    if let Some(problem) = layout.layout_problem(decoder.context, shape.len()) {
        return Err(decoder.cursor.fault(problem));
    }
    let identity = match layout.kind(decoder.context) {
        AttributeKind::AffineMap(map) => map.is_identity(),
        AttributeKind::Strided { .. } => false,
        _ => return Err(decoder.unexpected("MemRefLayoutAttrInterface", layout)),
    };
    Ok(TypeKind::MemRef {
        shape,
        element,
        layout: (!identity).then_some(layout),
        space,
    })
}

fn vector(decoder: &mut Decoder<'_, '_, '_>, code: u64) -> Read<TypeKind> {
    let scalable = match code {
        ty::VECTOR => None,
        _ => Some(decoder.list(|decoder| Ok(decoder.cursor.byte()? != 0))?),
    };
    let shape = shape(decoder)?;
    let element = decoder.ty()?;
    let scalable = scalable.unwrap_or_else(|| vec![false; shape.len()]);
    if scalable.len() != shape.len() {
        let message = "number of dims must match, got ";
        let message = format!("{message}{} and {}", scalable.len(), shape.len());
        return Err(decoder.cursor.fault(message));
    }
    if !element.is_vector_element(decoder.context) {
        let message = "failed to verify 'elementType': VectorElementTypeInterface instance";
        return Err(decoder.cursor.fault(message));
    }
    if shape.iter().any(|extent| *extent <= 0) {
        let extents: Vec<_> = shape.iter().map(i64::to_string).collect();
        let extents = extents.join(", ");
        let message = format!("vector types must have positive constant sizes but got {extents}");
        return Err(decoder.cursor.fault(message));
    }
    Ok(TypeKind::Vector {
        shape,
        scalable: scalable.into(),
        element,
    })
}
