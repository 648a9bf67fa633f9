//! Forms of inherent attributes: their constraints and their Rust types.

use super::AttributeConstraint;
use crate::{Attribute, AttributeKind, Context, Type, TypeKind};

/// A form of inherent attribute: the set of allowed attributes and the corresponding Rust value.
pub trait AttributeForm {
    /// The type that accessors return and builders accept.
    type Value<'c>;
    /// The set of allowed attributes.
    const CONSTRAINT: &'static AttributeConstraint;
    /// The value of an attribute of the set; `None` for other attributes.
    fn read(context: &Context, attribute: Attribute) -> Option<Self::Value<'_>>;
    /// The attribute for a value.
    fn write(context: &mut Context, value: Self::Value<'_>) -> Attribute;
}

/// Defines a form by its summary, its value type, a reader and a writer. With `strict` at the end,
/// properties that do not have the form are rejected when they are parsed, not when the operation
/// is verified. `named "builtin.integer"` is the full name of all attributes of the form.
#[macro_export]
macro_rules! attribute_form {
    ($(#[$doc:meta])* $name:ident $(named $base:literal)?, $summary:literal, $value:ty, $read:expr, $write:expr $(, $strict:ident)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl $crate::declare::AttributeForm for $name {
            type Value<'c> = $value;
            const CONSTRAINT: &'static $crate::declare::AttributeConstraint =
                &$crate::declare::AttributeConstraint::new($summary, |context, attribute| {
                    <$name as $crate::declare::AttributeForm>::read(context, attribute).is_some()
                })$(.$strict())?$(.named($base))?;
            fn read(context: &$crate::Context, attribute: $crate::Attribute) -> Option<$value> {
                let read: fn(&$crate::Context, $crate::Attribute) -> Option<$value> = $read;
                read(context, attribute)
            }
            fn write(context: &mut $crate::Context, value: $value) -> $crate::Attribute {
                let write: fn(&mut $crate::Context, $value) -> $crate::Attribute = $write;
                write(context, value)
            }
        }
    };
}

attribute_form!(
    /// Any attribute, unchanged.
    AnyAttr, "any attribute", Attribute,
    |_, attribute| Some(attribute),
    |_, value| value
);
attribute_form!(
    /// `7 : i32`.
    I32Attr named "builtin.integer", "32-bit signless integer attribute", i32,
    |context, attribute| attribute.as_i32(context),
    Attribute::i32
);
attribute_form!(
    /// `7 : i64`.
    I64Attr named "builtin.integer", "64-bit signless integer attribute", i64,
    |context, attribute| attribute.as_i64(context).filter(|_| attribute.carried_type(context) == Type::I64),
    Attribute::i64
);
attribute_form!(
    /// `7 : i8`, read as unsigned.
    I8Attr named "builtin.integer", "8-bit signless integer attribute", u8,
    |context, attribute| {
        let value = attribute.as_i64(context).filter(|_| attribute.carried_type(context) == Type::I8)?;
        u8::try_from(value & 0xff).ok()
    },
    |context, value| Attribute::integer(context, Type::I8, i64::from(value))
);
attribute_form!(
    /// `true` or `false`.
    BoolAttr named "builtin.integer", "bool attribute", bool,
    |_, attribute| attribute.as_bool(),
    |_, value| Attribute::bool(value)
);
attribute_form!(
    /// The value is whether the attribute is present.
    UnitAttr named "builtin.unit", "unit attribute", (),
    |_, attribute| (attribute == Attribute::UNIT).then_some(()),
    |_, ()| Attribute::UNIT
);
attribute_form!(
    /// `@name`.
    SymbolRefAttr named "builtin.symbol_ref", "flat symbol reference attribute", Attribute,
    |context, attribute| attribute.as_symbol(context).map(|_| attribute),
    |_, value| value,
    strict
);
attribute_form!(
    /// A type.
    TypeAttr named "builtin.type", "any type attribute", Type,
    |context, attribute| attribute.as_type(context),
    Attribute::ty,
    strict
);
attribute_form!(
    /// A function type.
    FunctionTypeAttr named "builtin.type", "type attribute of function type", Type,
    |context, attribute| {
        attribute.as_type(context).filter(|ty| matches!(ty.kind(context), TypeKind::Function { .. }))
    },
    Attribute::ty
);
attribute_form!(
    /// `[types]`.
    TypeArrayAttr named "builtin.array", "type array attribute", Vec<Type>,
    |context, attribute| attribute.as_type_array(context),
    |context, value| Attribute::type_array(context, &value)
);
attribute_form!(
    /// `[attributes]`.
    ArrayAttr named "builtin.array", "array attribute", Vec<Attribute>,
    |context, attribute| attribute.as_array(context).map(<[Attribute]>::to_vec),
    |context, value| Attribute::array(context, &value)
);
attribute_form!(
    /// `[{…}, {…}]`.
    DictionaryArrayAttr named "builtin.array", "Array of dictionary attributes", Attribute,
    |context, attribute| {
        let is_dictionary = |a: &Attribute| matches!(a.kind(context), AttributeKind::Dictionary(_));
        attribute.as_array(context)?.iter().all(is_dictionary).then_some(attribute)
    },
    |_, value| value
);
attribute_form!(
    /// `{…}`.
    DictionaryAttr named "builtin.dictionary", "dictionary of named attribute values", Attribute,
    |context, attribute| {
        matches!(attribute.kind(context), AttributeKind::Dictionary(_)).then_some(attribute)
    },
    |_, value| value
);
attribute_form!(
    /// `array<i32: …>`.
    I32ArrayAttr named "builtin.dense_array", "i32 dense array attribute", Vec<i32>,
    |context, attribute| attribute.as_i32_array(context),
    |context, value| Attribute::i32_array(context, &value)
);
attribute_form!(
    /// `array<i64: …>`.
    I64ArrayAttr named "builtin.dense_array", "i64 dense array attribute", Vec<i64>,
    |context, attribute| {
        let (element, values) = attribute.as_integer_array(context)?;
        (element == Type::I64).then_some(values)
    },
    |context, value| Attribute::dense_array(context, Type::I64, &value)
);
attribute_form!(
    /// `array<i1: …>`.
    BoolArrayAttr named "builtin.dense_array", "i1 dense array attribute", Vec<bool>,
    |context, attribute| {
        let (element, values) = attribute.as_integer_array(context)?;
        (element == Type::I1).then(|| values.iter().map(|value| *value != 0).collect())
    },
    |context, value| {
        let values: Vec<i64> = value.iter().map(|value| i64::from(*value)).collect();
        Attribute::dense_array(context, Type::I1, &values)
    }
);

/// `"text"`.
#[derive(Debug)]
pub struct StrAttr;

impl AttributeForm for StrAttr {
    type Value<'c> = &'c str;
    const CONSTRAINT: &'static AttributeConstraint =
        &AttributeConstraint::new("string attribute", |context, attribute| {
            matches!(attribute.kind(context), AttributeKind::String { .. })
        })
        .strict()
        .named("builtin.string");
    fn read(context: &Context, attribute: Attribute) -> Option<&str> {
        attribute.as_str(context)
    }
    fn write(context: &mut Context, value: &str) -> Attribute {
        Attribute::string(context, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_booleans_are_read_as_they_were_written() {
        let mut context = Context::new();
        let values = vec![true, false, false, true];
        let attribute = BoolArrayAttr::write(&mut context, values.clone());
        assert_eq!(BoolArrayAttr::read(&context, attribute), Some(values));
        let numbers = I64ArrayAttr::write(&mut context, vec![0, 1]);
        assert_eq!(BoolArrayAttr::read(&context, numbers), None);
        assert_eq!(I64ArrayAttr::read(&context, numbers), Some(vec![0, 1]));
        assert_eq!(I64ArrayAttr::read(&context, attribute), None);
    }
}
