//! The elements of `dense<…>` attributes.

use std::fmt;

use super::{Attribute, AttributeKind};
use crate::{Context, Type, TypeKind};

/// Elements of a dense attribute, row-major; one element if all are equal (a splat).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DenseData {
    /// Numbers: each element in its bit width rounded up to whole bytes, little-endian; `i1` takes
    /// one byte; a complex element is two numbers.
    Bytes {
        /// One element if `splat`, else all of them.
        bytes: Box<[u8]>,
        /// All elements are equal and `bytes` holds one of them.
        splat: bool,
    },
    /// Strings, for tensors whose elements are not numbers.
    Strings {
        /// One element if `splat`, else all of them.
        strings: Box<[Box<[u8]>]>,
        /// All elements are equal and `strings` holds one of them.
        splat: bool,
    },
}

/// The reason that elements do not form a dense attribute of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DenseError {
    /// The type has no static shape, or its elements have no byte representation.
    NotStaticShaped,
    /// The number of bytes matches neither one element nor all elements.
    WrongSize,
}

impl fmt::Display for DenseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DenseError::NotStaticShaped => "elements literal type must have static shape",
            DenseError::WrongSize => "elements literal data size does not match the type",
        })
    }
}

impl std::error::Error for DenseError {}

/// The number of bytes of one element of a dense attribute with this element type.
pub(crate) fn element_bytes(context: &Context, element: Type) -> Option<usize> {
    match element.kind(context) {
        TypeKind::Complex(part) => Some(2 * element_bytes(context, *part)?),
        TypeKind::Integer(..) | TypeKind::Float(_) | TypeKind::Index => {
            Some(element.bit_width(context)?.div_ceil(8) as usize)
        }
        _ => None,
    }
}

/// The number of bytes of one element of `array<…>`; `None` for an invalid element type.
pub(crate) fn array_element_bytes(context: &Context, element: Type) -> Option<usize> {
    let width = match element.kind(context) {
        TypeKind::Integer(1, _) => return Some(1),
        TypeKind::Integer(width, _) => *width,
        TypeKind::Float(kind) => kind.width(),
        _ => return None,
    };
    let whole = width > 0 && width <= 64 && width.is_multiple_of(8);
    whole.then_some(width as usize / 8)
}

/// Packs booleans into raw data: eight per byte, lowest bit first.
pub(crate) fn pack_bits(elements: &[u8]) -> Vec<u8> {
    let pack = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | (bit & 1));
    elements.chunks(8).map(pack).collect()
}

/// Unpacks booleans from raw data into one byte each. A single byte of all ones or all zeros is a
/// splat unless `count` is 8. Returns an empty vector if the data has another size.
pub(crate) fn unpack_bits(bytes: &[u8], count: u64) -> Vec<u8> {
    if bytes.len() == 1 && (bytes[0] == 0xff || bytes[0] == 0) && count != 8 {
        return vec![bytes[0] & 1];
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if bytes.len() != count.div_ceil(8) {
        return Vec::new();
    }
    (0..count)
        .map(|bit| bytes[bit / 8] >> (bit % 8) & 1)
        .collect()
}

impl Attribute {
    /// `dense<…> : ty` from the bytes of one element (a splat) or of all elements. Equal elements
    /// are folded to a splat, so that equal attributes have equal handles.
    ///
    /// # Errors
    /// If the type has no static shape or the number of bytes does not match it.
    pub fn dense(context: &mut Context, ty: Type, bytes: &[u8]) -> Result<Attribute, DenseError> {
        let size = ty
            .element(context)
            .and_then(|element| element_bytes(context, element));
        let size = size.ok_or(DenseError::NotStaticShaped)?;
        let count = ty
            .element_count(context)
            .ok_or(DenseError::NotStaticShaped)?;
        let whole = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(size));
        if bytes.len() != size && Some(bytes.len()) != whole {
            return Err(DenseError::WrongSize);
        }
        let mut chunks = bytes.chunks_exact(size.max(1));
        let first = chunks.next().unwrap_or_default();
        let splat = count != 0 && chunks.all(|chunk| chunk == first);
        let bytes = if splat || bytes.len() == size {
            first
        } else {
            bytes
        };
        let splat = splat || (size != 0 && bytes.len() == size);
        let data = DenseData::Bytes {
            bytes: bytes.into(),
            splat,
        };
        Ok(Attribute::new(
            context,
            AttributeKind::DenseElements { ty, data },
        ))
    }

    /// The splat element of a dense attribute of numbers, as bytes.
    pub fn splat_bytes(self, context: &Context) -> Option<&[u8]> {
        match self.kind(context) {
            AttributeKind::DenseElements {
                data: DenseData::Bytes { bytes, splat: true },
                ..
            } => Some(bytes),
            _ => None,
        }
    }
}
