//! Constructors and accessors of builtin attributes.

use super::{Attribute, AttributeKind};
use crate::numbers::{ApInt, Float};
use crate::{Context, Identifier, Type, TypeKind};

impl Attribute {
    /// `unit`. Has a constant handle because every context interns it first.
    pub const UNIT: Attribute = Attribute(0);
    /// `{}`.
    pub const EMPTY_DICTIONARY: Attribute = Attribute(1);
    /// `false`.
    pub const FALSE: Attribute = Attribute(2);
    /// `true`.
    pub const TRUE: Attribute = Attribute(3);

    /// Interns the attributes that have constants, in the order of the constants.
    pub(crate) fn intern_constants(context: &mut Context) {
        Attribute::new(context, AttributeKind::Unit);
        Attribute::new(context, AttributeKind::Dictionary(Box::default()));
        for value in [false, true] {
            let value = ApInt::from_u64(1, u64::from(value));
            Attribute::new(
                context,
                AttributeKind::Integer {
                    ty: Type::I1,
                    value,
                },
            );
        }
    }

    /// `value : ty`, where `ty` is an integer type or `index`; the value is truncated to it.
    pub fn integer(context: &mut Context, ty: Type, value: i64) -> Attribute {
        let width = ty.bit_width(context).unwrap_or(64);
        let value = ApInt::from_i64(width, value);
        Attribute::new(context, AttributeKind::Integer { ty, value })
    }

    /// `value : i32`.
    pub fn i32(context: &mut Context, value: i32) -> Attribute {
        Attribute::integer(context, Type::I32, i64::from(value))
    }

    /// `value : i64`.
    pub fn i64(context: &mut Context, value: i64) -> Attribute {
        Attribute::integer(context, Type::I64, value)
    }

    /// `value : index`.
    pub fn index(context: &mut Context, value: i64) -> Attribute {
        Attribute::integer(context, Type::INDEX, value)
    }

    /// `true` or `false`.
    pub fn bool(value: bool) -> Attribute {
        if value {
            Attribute::TRUE
        } else {
            Attribute::FALSE
        }
    }

    /// `value : ty`, where `ty` is a floating-point type; rounded to it. `None` if `ty` is not a
    /// floating-point type.
    pub fn float(context: &mut Context, ty: Type, value: f64) -> Option<Attribute> {
        let value = Float::from_f64(ty.float_kind(context)?, value);
        Some(Attribute::new(context, AttributeKind::Float { ty, value }))
    }

    /// `"value"`.
    pub fn string(context: &mut Context, value: &str) -> Attribute {
        let value = value.as_bytes().into();
        Attribute::new(
            context,
            AttributeKind::String {
                value,
                ty: Type::NONE,
            },
        )
    }

    /// The type as an attribute.
    pub fn ty(context: &mut Context, ty: Type) -> Attribute {
        Attribute::new(context, AttributeKind::Type(ty))
    }

    /// `[elements]`.
    pub fn array(context: &mut Context, elements: &[Attribute]) -> Attribute {
        Attribute::new(context, AttributeKind::Array(elements.into()))
    }

    /// `[types]`.
    pub fn type_array(context: &mut Context, types: &[Type]) -> Attribute {
        let elements: Vec<_> = types.iter().map(|&ty| Attribute::ty(context, ty)).collect();
        Attribute::array(context, &elements)
    }

    /// `@name`.
    pub fn symbol(context: &mut Context, name: &str) -> Attribute {
        let root = Identifier::new(context, name);
        Attribute::new(
            context,
            AttributeKind::SymbolReference {
                root,
                nested: Box::default(),
            },
        )
    }

    /// `distinct[id]<referenced>` with a fresh id: not equal to any other attribute.
    pub fn distinct(context: &mut Context, referenced: Attribute) -> Attribute {
        let id = context.distinct;
        context.distinct += 1;
        Attribute::new(context, AttributeKind::Distinct { id, referenced })
    }

    /// The value of an integer attribute (of any type, including `index`) if it fits a signed
    /// 64-bit integer.
    pub fn as_i64(self, context: &Context) -> Option<i64> {
        match self.kind(context) {
            AttributeKind::Integer { value, .. } => value.as_i64(),
            _ => None,
        }
    }

    /// The value of an `i32` attribute.
    pub fn as_i32(self, context: &Context) -> Option<i32> {
        match self.kind(context) {
            AttributeKind::Integer {
                ty: Type::I32,
                value,
            } => value.as_i64().and_then(|value| i32::try_from(value).ok()),
            _ => None,
        }
    }

    /// The value of an `i1` attribute.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Attribute::TRUE => Some(true),
            Attribute::FALSE => Some(false),
            _ => None,
        }
    }

    /// The text of a string attribute if it is valid UTF-8.
    pub fn as_str(self, context: &Context) -> Option<&str> {
        match self.kind(context) {
            AttributeKind::String { value, .. } => std::str::from_utf8(value).ok(),
            _ => None,
        }
    }

    /// The type in a type attribute.
    pub fn as_type(self, context: &Context) -> Option<Type> {
        match self.kind(context) {
            AttributeKind::Type(ty) => Some(*ty),
            _ => None,
        }
    }

    /// The location in a location attribute.
    pub fn as_location(self, context: &Context) -> Option<crate::Location> {
        match self.kind(context) {
            AttributeKind::Location(location) => Some(*location),
            _ => None,
        }
    }

    /// The elements of an array attribute.
    pub fn as_array(self, context: &Context) -> Option<&[Attribute]> {
        match self.kind(context) {
            AttributeKind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The types of an array attribute of types.
    pub fn as_type_array(self, context: &Context) -> Option<Vec<Type>> {
        self.as_array(context)?
            .iter()
            .map(|element| element.as_type(context))
            .collect()
    }

    /// The symbol of a reference without nesting.
    pub fn as_symbol(self, context: &Context) -> Option<&str> {
        match self.kind(context) {
            AttributeKind::SymbolReference { root, nested } if nested.is_empty() => {
                Some(root.text(context))
            }
            _ => None,
        }
    }

    /// The type of a typed attribute: a number, a string, an elements attribute or an opaque one.
    /// [`Type::NONE`] for every other attribute.
    pub fn carried_type(self, context: &Context) -> Type {
        match self.kind(context) {
            AttributeKind::Integer { ty, .. }
            | AttributeKind::Float { ty, .. }
            | AttributeKind::String { ty, .. }
            | AttributeKind::DenseElements { ty, .. }
            | AttributeKind::DenseResource { ty, .. }
            | AttributeKind::SparseElements { ty, .. }
            | AttributeKind::Opaque { ty, .. } => *ty,
            _ => Type::NONE,
        }
    }

    /// `array<element: values>` of an integer type of 8, 16, 32 or 64 bits, or `i1`.
    pub fn dense_array(context: &mut Context, element: Type, values: &[i64]) -> Attribute {
        let bytes = element.bit_width(context).unwrap_or(64).div_ceil(8) as usize;
        let data = values
            .iter()
            .flat_map(|value| value.to_le_bytes()[..bytes.min(8)].to_vec());
        let data = data.collect();
        Attribute::new(context, AttributeKind::DenseArray { element, data })
    }

    /// `array<i32: values>`.
    pub fn i32_array(context: &mut Context, values: &[i32]) -> Attribute {
        let values: Vec<i64> = values.iter().map(|&value| i64::from(value)).collect();
        Attribute::dense_array(context, Type::I32, &values)
    }

    /// Element type and sign-extended elements of a dense array of integers.
    /// The elements of `array<i1: …>` are 0 and 1.
    pub fn as_integer_array(self, context: &Context) -> Option<(Type, Vec<i64>)> {
        let AttributeKind::DenseArray { element, data } = self.kind(context) else {
            return None;
        };
        if !matches!(element.kind(context), TypeKind::Integer(..)) {
            return None;
        }
        let bytes = element.bit_width(context)?.div_ceil(8) as usize;
        let values = data.chunks_exact(bytes).map(|chunk| {
            let negative =
                *element != Type::I1 && chunk.last().is_some_and(|byte| byte & 0x80 != 0);
            let mut word = [if negative { 0xff } else { 0 }; 8];
            word[..bytes].copy_from_slice(chunk);
            i64::from_le_bytes(word)
        });
        Some((*element, values.collect()))
    }

    /// Elements of an `array<i32: …>`.
    pub fn as_i32_array(self, context: &Context) -> Option<Vec<i32>> {
        Some(self.i32_array_elements(context)?.collect())
    }

    /// Elements of an `array<i32: …>`, without a list of them.
    pub fn i32_array_elements(self, context: &Context) -> Option<impl Iterator<Item = i32>> {
        let AttributeKind::DenseArray { element, data } = self.kind(context) else {
            return None;
        };
        let (words, _) = data.as_chunks::<4>();
        (*element == Type::I32).then(|| words.iter().copied().map(i32::from_le_bytes))
    }
}
