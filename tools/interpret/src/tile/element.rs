//! Elements of tiles: their formats, rounding and encoding.
//!
//! Floats of up to 64 bits are kept as `f64`, which holds each of them exactly; an operation is
//! done in `f64` and rounded to the format. For sums, differences, products and quotients of
//! formats of up to 25 bits of precision that is the correctly rounded result.

use orison_ir::numbers::FloatKind;
use orison_ir::{Context, Type, TypeKind};
use orison_tileas::nv_tileaa::pointee;
use orison_tileas::views::shape_and_element;

/// The element type of a tile or of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementKind {
    /// A float of at most 64 bits.
    Float(FloatKind),
    /// An integer of at most 64 bits; `index` has 64.
    Integer(u32),
    /// An address of elements of this many bits.
    Pointer(u32),
}

/// An element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Element {
    /// A value of a float format.
    Float(f64),
    /// An integer, sign-extended from its width, or an address.
    Integer(i64),
}

impl ElementKind {
    /// The kind of a scalar type, or of the elements of a shaped one; `None` for types that tiles
    /// of the interpreter cannot hold (complex numbers, integers and floats above 64 bits).
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        let element = shape_and_element(context, ty).map(|(_, element)| element);
        let scalar = element.unwrap_or_else(|| ty.scalar(context));
        match scalar.kind(context) {
            TypeKind::Float(kind) if kind.width() <= 64 => Some(ElementKind::Float(*kind)),
            TypeKind::Integer(width, _) if *width <= 64 => Some(ElementKind::Integer(*width)),
            TypeKind::Index => Some(ElementKind::Integer(64)),
            _ => {
                let bits = pointee(context, scalar)?.bit_width(context)?;
                Some(ElementKind::Pointer(bits))
            }
        }
    }

    /// Bits of an element in memory.
    pub fn bits(self) -> usize {
        match self {
            ElementKind::Float(kind) => kind.width() as usize,
            ElementKind::Integer(width) => width as usize,
            ElementKind::Pointer(_) => 64,
        }
    }

    /// The element with this encoding.
    pub fn decode(self, bits: u64) -> Element {
        match self {
            ElementKind::Float(kind) => Element::Float(kind.decode_double(bits)),
            ElementKind::Integer(width) => Element::Integer(sign_extend(width, bits.cast_signed())),
            ElementKind::Pointer(_) => Element::Integer(bits.cast_signed()),
        }
    }

    /// The encoding of an element of this kind.
    pub fn encode(self, element: Element) -> u64 {
        match (self, element) {
            (ElementKind::Float(kind), Element::Float(value)) => kind.encode_double(value),
            (ElementKind::Integer(width), Element::Integer(value)) if width < 64 => {
                value.cast_unsigned() & ((1 << width) - 1)
            }
            (_, Element::Integer(value)) => value.cast_unsigned(),
            (_, Element::Float(value)) => value.to_bits(),
        }
    }

    /// Zero.
    pub fn zero(self) -> Element {
        match self {
            ElementKind::Float(_) => Element::Float(0.0),
            _ => Element::Integer(0),
        }
    }
}

/// The low bits of an integer, read as signed.
pub fn sign_extend(width: u32, value: i64) -> i64 {
    match width {
        0 => 0,
        1..64 => value << (64 - width) >> (64 - width),
        _ => value,
    }
}

/// The low bits of an integer, read as unsigned.
pub fn zero_extend(width: u32, value: i64) -> u64 {
    match width {
        0 => 0,
        1..64 => value.cast_unsigned() << (64 - width) >> (64 - width),
        _ => value.cast_unsigned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_signed_and_wrap() {
        let kind = ElementKind::Integer(4);
        assert_eq!(kind.decode(0xF), Element::Integer(-1));
        assert_eq!(kind.encode(Element::Integer(-1)), 0xF);
        assert_eq!(zero_extend(4, -1), 15);
        assert_eq!(sign_extend(1, 1), -1);
    }
}
