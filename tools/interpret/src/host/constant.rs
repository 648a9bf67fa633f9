//! Run-time values of constants.

use orison_ir::attributes::DenseData;
use orison_ir::numbers::{ApInt, Float};
use orison_ir::{Attribute, AttributeKind, Context, Type, TypeKind};

use crate::{Datum, Elements};

/// The value of a numeric attribute or of dense elements; `None` for other attributes, complex
/// elements and strings.
pub fn datum_of_attribute(context: &Context, attribute: Attribute) -> Option<Datum> {
    match attribute.kind(context) {
        AttributeKind::Integer { value, .. } => Some(Datum::Integer(value.clone())),
        AttributeKind::Float { value, .. } => Some(Datum::Float(*value)),
        AttributeKind::DenseElements {
            ty,
            data: DenseData::Bytes { bytes, splat },
        } => dense(context, *ty, bytes, *splat),
        _ => None,
    }
}

fn dense(context: &Context, ty: Type, bytes: &[u8], splat: bool) -> Option<Datum> {
    let element = ty.element(context)?;
    let size = element.bit_width(context)?.div_ceil(8) as usize;
    let shape: Option<Vec<usize>> = ty
        .shape(context)?
        .iter()
        .map(|extent| usize::try_from(*extent).ok())
        .collect();
    let count = usize::try_from(ty.element_count(context)?).ok()?;
    let read = |chunk| number(context, element, chunk);
    let data: Option<Vec<_>> = if splat {
        let value = if size == 0 { read(&[]) } else { read(bytes) };
        value.map(|value| vec![value; count])
    } else {
        bytes.chunks_exact(size.max(1)).map(read).collect()
    };
    Elements::new(&shape?, data?).map(Datum::Elements)
}

/// The number with these bytes, the least significant first.
fn number(context: &Context, element: Type, bytes: &[u8]) -> Option<Datum> {
    match element.kind(context) {
        TypeKind::Integer(width, _) => Some(Datum::Integer(ApInt::from_le_bytes(*width, bytes))),
        TypeKind::Index => Some(Datum::Integer(ApInt::from_le_bytes(64, bytes))),
        TypeKind::Float(kind) => Some(Datum::Float(Float::from_le_bytes(*kind, bytes))),
        _ => None,
    }
}
