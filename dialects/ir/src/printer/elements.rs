//! Printing of elements attributes.

use super::Printer;
use crate::Attribute;
use crate::attributes::{AttributeKind, DenseData, element_bytes};
use crate::numbers::{ApInt, Float};
use crate::types::{Signedness, Type, TypeKind};

/// Dense attributes with more elements than this are written as one hexadecimal string, as in MLIR.
const HEX_ELEMENTS: u64 = 100;

impl Printer<'_> {
    pub(super) fn elements_attribute(&mut self, attribute: Attribute, with_type: bool) {
        let context = self.context;
        let ty = match attribute.kind(context) {
            AttributeKind::DenseArray { element, data } => return self.dense_array(*element, data),
            AttributeKind::DenseResource { ty, key } => {
                if self.seen_resources.insert(*key) {
                    self.used_resources.push(*key);
                }
                self.write("dense_resource<");
                self.keyword_or_string(key.text(context));
                self.write(">");
                *ty
            }
            AttributeKind::DenseElements { ty, data } => {
                if self.is_elided(*ty, data) {
                    self.write("dense_resource<__elided__>");
                } else {
                    self.write("dense<");
                    self.dense_data(*ty, data, true);
                    self.write(">");
                }
                *ty
            }
            AttributeKind::SparseElements {
                ty,
                indices,
                values,
            } => {
                if self.is_part_elided(*indices) || self.is_part_elided(*values) {
                    self.write("dense_resource<__elided__>");
                } else {
                    self.write("sparse<");
                    self.sparse_indices(*indices, *values);
                    if ty.element_count(context) != Some(0) {
                        self.sparse_values(*values);
                    }
                    self.write(">");
                }
                *ty
            }
            _ => return,
        };
        if with_type {
            self.suffix_type(ty);
        }
    }

    fn is_part_elided(&self, part: Attribute) -> bool {
        match part.kind(self.context) {
            AttributeKind::DenseElements { ty, data } => self.is_elided(*ty, data),
            _ => false,
        }
    }

    /// Writes indices. As in MLIR, equal indices are printed as one number, unless the values
    /// differ: that could not be parsed again, not by MLIR either.
    fn sparse_indices(&mut self, indices: Attribute, values: Attribute) {
        let context = self.context;
        let AttributeKind::DenseElements {
            ty,
            data: DenseData::Bytes { bytes, splat: true },
        } = indices.kind(context)
        else {
            return self.sparse_part(indices, false);
        };
        let is_splat = |data: &DenseData| match data {
            DenseData::Bytes { splat, .. } | DenseData::Strings { splat, .. } => *splat,
        };
        match values.kind(context) {
            AttributeKind::DenseElements { data, .. } if !is_splat(data) => {
                let element = ty.scalar(context);
                self.nested_list(ty.shape(context).unwrap_or_default(), &mut |printer| {
                    printer.element(element, bytes);
                });
            }
            _ => self.sparse_part(indices, false),
        }
    }

    fn sparse_part(&mut self, part: Attribute, allow_hex: bool) {
        if let AttributeKind::DenseElements { ty, data } = part.kind(self.context)
            && ty.element_count(self.context) != Some(0)
        {
            self.dense_data(*ty, data, allow_hex);
        }
    }

    fn sparse_values(&mut self, values: Attribute) {
        if let AttributeKind::DenseElements { ty, .. } = values.kind(self.context)
            && ty.element_count(self.context) != Some(0)
        {
            self.write(", ");
            self.sparse_part(values, true);
        }
    }

    fn is_elided(&self, ty: Type, data: &DenseData) -> bool {
        let splat = matches!(
            data,
            DenseData::Bytes { splat: true, .. } | DenseData::Strings { splat: true, .. }
        );
        let count = ty.element_count(self.context).unwrap_or(0);
        !splat
            && self
                .flags
                .elide_elements_if_larger
                .is_some_and(|limit| count > limit)
    }

    fn is_hex(&self, count: u64) -> bool {
        count > self.flags.hex_elements_if_larger.unwrap_or(HEX_ELEMENTS)
    }

    fn dense_array(&mut self, element: Type, data: &[u8]) {
        self.write("array<");
        self.ty(element);
        let size = element_bytes(self.context, element).unwrap_or(1);
        if !data.is_empty() {
            self.write(": ");
        }
        self.comma_separated(data.chunks_exact(size), |printer, bytes| {
            printer.element(element, bytes);
        });
        self.write(">");
    }

    fn dense_data(&mut self, ty: Type, data: &DenseData, allow_hex: bool) {
        let shape = ty.shape(self.context).unwrap_or_default();
        let element = ty.scalar(self.context);
        let count = ty.element_count(self.context).unwrap_or(0);
        match data {
            DenseData::Strings {
                strings,
                splat: true,
            } => self.string(&strings[0]),
            DenseData::Strings {
                strings,
                splat: false,
            } => {
                let mut strings = strings.iter();
                self.nested_list(shape, &mut |printer| {
                    if let Some(string) = strings.next() {
                        printer.string(string);
                    }
                });
            }
            DenseData::Bytes { bytes, splat: true } => self.element(element, bytes),
            DenseData::Bytes { bytes, .. } if allow_hex && self.is_hex(count) => {
                self.hex(element, bytes);
            }
            DenseData::Bytes { bytes, .. } => {
                let size = element_bytes(self.context, element).unwrap_or(1);
                let mut chunks = bytes.chunks_exact(size);
                self.nested_list(shape, &mut |printer| {
                    if let Some(bytes) = chunks.next() {
                        printer.element(element, bytes);
                    }
                });
            }
        }
    }

    /// Writes `[[a, b], [c, d]]`; writes nothing if an extent is 0.
    fn nested_list(&mut self, shape: &[i64], element: &mut dyn FnMut(&mut Self)) {
        if shape.contains(&0) {
            return;
        }
        match shape {
            [] => element(self),
            [extent, inner @ ..] => {
                self.write("[");
                for number in 0..*extent {
                    if number > 0 {
                        self.write(", ");
                    }
                    self.nested_list(inner, element);
                }
                self.write("]");
            }
        }
    }

    fn element(&mut self, element: Type, bytes: &[u8]) {
        match element.kind(self.context) {
            TypeKind::Complex(part) => {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                self.write("(");
                self.element(*part, real);
                self.write(",");
                self.element(*part, imaginary);
                self.write(")");
            }
            TypeKind::Float(kind) => {
                let value = Float::from_le_bytes(*kind, bytes);
                self.write(&value.print());
            }
            _ if element == Type::I1 => {
                self.write(if bytes == [0] { "false" } else { "true" });
            }
            kind => {
                let width = element.bit_width(self.context).unwrap_or(64);
                let value = ApInt::from_le_bytes(width, bytes);
                let unsigned = matches!(kind, TypeKind::Integer(_, Signedness::Unsigned));
                if unsigned {
                    self.write(&value.to_unsigned_decimal());
                } else {
                    self.write(&value.to_signed_decimal());
                }
            }
        }
    }

    fn hex(&mut self, element: Type, bytes: &[u8]) {
        let packed;
        let bytes = if element == Type::I1 {
            packed = crate::attributes::pack_bits(bytes);
            &packed
        } else {
            bytes
        };
        self.write("\"0x");
        for byte in bytes {
            // Writing to a string cannot fail.
            self.hex_byte(*byte);
        }
        self.write("\"");
    }
}
