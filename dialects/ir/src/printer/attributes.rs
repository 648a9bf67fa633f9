//! Printing of attributes.

use super::Printer;
use super::text_cache::Subject;
use crate::attributes::AttributeKind;
use crate::spelling::is_bare_identifier;
use crate::types::{DYNAMIC, Signedness, Type, TypeKind};
use crate::{Attribute, Identifier};

/// If to omit the type of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elide {
    Never,
    /// If it is the type assumed by default.
    IfDefault,
    Always,
}

impl Printer<'_> {
    /// Writes an attribute and its type.
    pub fn attribute(&mut self, attribute: Attribute) {
        self.attribute_with(attribute, Elide::Never);
    }

    /// Writes an attribute without its type.
    pub fn attribute_without_type(&mut self, attribute: Attribute) {
        self.attribute_with(attribute, Elide::Always);
    }

    /// Writes an attribute; the type of a number is omitted if it is the default.
    pub(super) fn attribute_may_elide_type(&mut self, attribute: Attribute) {
        self.attribute_with(attribute, Elide::IfDefault);
    }

    /// Writes an attribute of an operation, from the text cache if present.
    pub(super) fn remembered_attribute(&mut self, attribute: Attribute) {
        self.remembered(Subject::Attribute(attribute), |printer| {
            printer.attribute(attribute);
        });
    }

    fn attribute_with(&mut self, attribute: Attribute, elide: Elide) {
        if self.attribute_alias(attribute) {
            return;
        }
        self.attribute_in_full(attribute, elide);
    }

    /// Writes an attribute that has no alias, or the definition of an alias.
    pub(super) fn attribute_definition(&mut self, attribute: Attribute) {
        self.attribute_in_full(attribute, Elide::Never);
    }

    fn attribute_in_full(&mut self, attribute: Attribute, elide: Elide) {
        let context = self.context;
        match attribute.kind(context) {
            AttributeKind::Unit => self.write("unit"),
            AttributeKind::Integer { ty, value } => self.integer_attribute(*ty, value, elide),
            AttributeKind::Float { ty, value } => {
                let text = value.print();
                self.write(&text);
                // The bits of a float are parsed as an integer unless a type is given.
                let assumed = *ty == Type::F64 && !text.starts_with("0x");
                if elide == Elide::Never || (elide == Elide::IfDefault && !assumed) {
                    self.suffix_type(*ty);
                }
            }
            AttributeKind::String { value, ty } => {
                self.string(value);
                if elide != Elide::Always && *ty != Type::NONE {
                    self.suffix_type(*ty);
                }
            }
            AttributeKind::Type(ty) => self.ty(*ty),
            AttributeKind::Array(elements) => {
                self.write("[");
                self.comma_separated(elements.iter(), |printer, element| {
                    printer.attribute_with(*element, Elide::IfDefault);
                });
                self.write("]");
            }
            AttributeKind::Dictionary(entries) => {
                self.write("{");
                self.named_attributes(entries);
                self.write("}");
            }
            AttributeKind::SymbolReference { root, nested } => {
                self.symbol_name(root.text(context));
                for name in nested {
                    self.write("::");
                    self.symbol_name(name.text(context));
                }
            }
            AttributeKind::AffineMap(map) => {
                self.write("affine_map<");
                self.write(&map.to_string());
                self.write(">");
            }
            AttributeKind::IntegerSet(set) => {
                self.write("affine_set<");
                self.write(&set.to_string());
                self.write(">");
            }
            AttributeKind::DenseArray { .. }
            | AttributeKind::DenseElements { .. }
            | AttributeKind::DenseResource { .. }
            | AttributeKind::SparseElements { .. } => {
                self.elements_attribute(attribute, elide != Elide::Always);
            }
            AttributeKind::Strided { strides, offset } => self.strided(strides, *offset),
            AttributeKind::Location(location) if self.flags.pretty_debug_info => {
                self.location_in_full(*location);
            }
            AttributeKind::Location(location) => self.location(*location),
            AttributeKind::Distinct { referenced, .. } => {
                let number = self.distinct_number(attribute);
                self.write("distinct[");
                self.integer(number);
                self.write("]<");
                if *referenced != Attribute::UNIT {
                    self.attribute(*referenced);
                }
                self.write(">");
            }
            AttributeKind::Dialect(payload) => self.payload("#", payload),
            AttributeKind::Opaque {
                dialect,
                body,
                aliases,
                ty,
            } => {
                self.write("#");
                self.opaque_symbol(dialect.text(context), body, aliases);
                if elide != Elide::Always && *ty != Type::NONE {
                    self.suffix_type(*ty);
                }
            }
        }
    }

    fn integer_attribute(&mut self, ty: Type, value: &crate::numbers::ApInt, elide: Elide) {
        if ty == Type::I1 {
            self.write(if value.is_zero() { "false" } else { "true" });
            return;
        }
        let unsigned = matches!(
            ty.kind(self.context),
            TypeKind::Integer(_, Signedness::Unsigned)
        );
        match value.as_i64().filter(|_| !unsigned) {
            Some(small) => self.integer(small),
            None if unsigned => self.write(&value.to_unsigned_decimal()),
            None => self.write(&value.to_signed_decimal()),
        }
        if elide == Elide::Never || (elide == Elide::IfDefault && ty != Type::I64) {
            self.suffix_type(ty);
        }
    }

    pub(super) fn suffix_type(&mut self, ty: Type) {
        self.write(" : ");
        self.ty(ty);
    }

    fn strided(&mut self, strides: &[i64], offset: i64) {
        let stride = |printer: &mut Self, value: i64| match value {
            DYNAMIC => printer.write("?"),
            value => printer.integer(value),
        };
        self.write("strided<[");
        self.comma_separated(strides.iter().copied(), stride);
        self.write("]");
        if offset != 0 {
            self.write(", offset: ");
            stride(self, offset);
        }
        self.write(">");
    }

    /// Writes `key = value, unit_key`.
    pub(super) fn named_attributes(&mut self, entries: &[(Identifier, Attribute)]) {
        let context = self.context;
        self.comma_separated(entries.iter(), |printer, (key, value)| {
            printer.keyword_or_string(key.text(context));
            if *value != Attribute::UNIT {
                printer.write(" = ");
                printer.attribute(*value);
            }
        });
    }

    /// Writes a quoted string with escapes.
    pub fn string(&mut self, bytes: &[u8]) {
        let plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        self.out.push(b'"');
        let mut rest = bytes;
        while !rest.is_empty() {
            let length = rest.iter().position(|byte| !plain(byte));
            let (text, special) = rest.split_at(length.unwrap_or(rest.len()));
            self.out.extend_from_slice(text);
            let Some((byte, behind)) = special.split_first() else {
                break;
            };
            self.out.push(b'\\');
            if *byte == b'\\' {
                self.out.push(b'\\');
            } else {
                self.hex_byte(*byte);
            }
            rest = behind;
        }
        self.out.push(b'"');
    }

    pub(super) fn hex_byte(&mut self, byte: u8) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        self.out.push(DIGITS[usize::from(byte >> 4)]);
        self.out.push(DIGITS[usize::from(byte & 15)]);
    }

    /// Writes a name without quotes if the grammar allows it, else in quotes.
    pub fn keyword_or_string(&mut self, text: &str) {
        if is_bare_identifier(text) {
            self.write(text);
        } else {
            self.string(text.as_bytes());
        }
    }

    /// Writes `@name` or `@"name"`.
    pub fn symbol_name(&mut self, name: &str) {
        self.write("@");
        self.keyword_or_string(name);
    }
}
