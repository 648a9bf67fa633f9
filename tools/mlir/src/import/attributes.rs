//! Attributes.

use mlir_sys::*;
use orison_ir::numbers::ApInt;
use orison_ir::{Attribute, AttributeKind, Identifier, Type, TypeKind};

use super::Importer;
use crate::error::Error;
use crate::forms::Address;
use crate::raw;

impl Importer<'_> {
    /// An attribute.
    ///
    /// # Safety
    /// It is valid.
    pub(super) unsafe fn attribute(
        &mut self,
        attribute: MlirAttribute,
    ) -> Result<Attribute, Error> {
        if let Some(known) = self.forms.attributes.get(&(attribute.ptr as Address)) {
            return Ok(*known);
        }
        // SAFETY: as the caller says.
        let mut new = unsafe { self.new_attribute(attribute) }?;
        // Two attributes whose text is the same, such as those with distinct attributes inside,
        // stay two.
        while self.forms.mlir_attributes.contains_key(&new) {
            match self.told_apart(new) {
                Some(other) => new = other,
                None => break,
            }
        }
        self.forms.attributes.insert(attribute.ptr as Address, new);
        self.forms.mlir_attributes.entry(new).or_insert(attribute);
        Ok(new)
    }

    /// An opaque attribute that differs from this one in nothing but a blank.
    fn told_apart(&mut self, attribute: Attribute) -> Option<Attribute> {
        let mut kind = attribute.kind(self.context).clone();
        match &mut kind {
            AttributeKind::Opaque { body, .. } => *body = format!("{body} ").into(),
            _ => return None,
        }
        Some(Attribute::new(self.context, kind))
    }

    unsafe fn new_attribute(&mut self, attribute: MlirAttribute) -> Result<Attribute, Error> {
        // SAFETY: the attribute is valid, and each accessor is called on what its test accepted.
        unsafe {
            if mlirAttributeIsAInteger(attribute) {
                if let Some(integer) = self.integer(attribute)? {
                    return Ok(integer);
                }
            } else if mlirAttributeIsAUnit(attribute) {
                return Ok(Attribute::UNIT);
            } else if mlirAttributeIsAFloat(attribute) {
                if let Some(float) = self.float(attribute)? {
                    return Ok(float);
                }
            } else if mlirAttributeIsAString(attribute) {
                let value = raw::bytes_of(mlirStringAttrGetValue(attribute)).into();
                let ty = self.ty(mlirAttributeGetType(attribute))?;
                return Ok(Attribute::new(
                    self.context,
                    AttributeKind::String { value, ty },
                ));
            } else if mlirAttributeIsAType(attribute) {
                let ty = self.ty(mlirTypeAttrGetValue(attribute))?;
                return Ok(Attribute::ty(self.context, ty));
            } else if mlirAttributeIsAArray(attribute) {
                let elements = (0..mlirArrayAttrGetNumElements(attribute))
                    .map(|number| self.attribute(mlirArrayAttrGetElement(attribute, number)))
                    .collect::<Result<Vec<_>, _>>()?;
                return Ok(Attribute::array(self.context, &elements));
            } else if mlirAttributeIsADictionary(attribute) {
                return self.dictionary(attribute);
            } else if mlirAttributeIsASymbolRef(attribute) {
                return self.symbol(attribute);
            } else if mlirAttributeIsALocation(attribute) {
                let location = self.location(mlirLocationFromAttribute(attribute))?;
                return Ok(Attribute::new(
                    self.context,
                    AttributeKind::Location(location),
                ));
            } else if let Some(array) = self.dense_array(attribute) {
                return Ok(array);
            } else if mlirAttributeIsADenseElements(attribute)
                && let Some(elements) = self.dense_elements(attribute)?
            {
                return Ok(elements);
            }
            self.read_attribute(attribute)
        }
    }

    /// An attribute that has no form in the C interface, from its text.
    unsafe fn read_attribute(&mut self, attribute: MlirAttribute) -> Result<Attribute, Error> {
        // SAFETY: the attribute is valid.
        let text = raw::printed(|callback, to| unsafe {
            mlirAttributePrint(attribute, callback, to);
        });
        let read = self.read(text, |parser| parser.parse_attribute())?;
        // The number in `distinct[0]` is that of a text; here it is the object that counts.
        match read.kind(self.context) {
            AttributeKind::Distinct { referenced, .. } => {
                let referenced = *referenced;
                Ok(Attribute::distinct(self.context, referenced))
            }
            _ => Ok(read),
        }
    }

    /// A number of at most 64 bits.
    unsafe fn integer(&mut self, attribute: MlirAttribute) -> Result<Option<Attribute>, Error> {
        // SAFETY: it is an integer attribute; the value is read as its type says.
        unsafe {
            let mlir_type = mlirAttributeGetType(attribute);
            let ty = self.ty(mlir_type)?;
            let width = match ty.kind(self.context) {
                TypeKind::Integer(width @ 1..=64, _) => *width,
                TypeKind::Index => 64,
                _ => return Ok(None),
            };
            let bits = if mlirTypeIsAInteger(mlir_type) && mlirIntegerTypeIsUnsigned(mlir_type) {
                mlirIntegerAttrGetValueUInt(attribute)
            } else if mlirTypeIsAInteger(mlir_type) && mlirIntegerTypeIsSigned(mlir_type) {
                mlirIntegerAttrGetValueSInt(attribute).cast_unsigned()
            } else {
                mlirIntegerAttrGetValueInt(attribute).cast_unsigned()
            };
            let value = ApInt::from_u64(width, bits);
            Ok(Some(Attribute::new(
                self.context,
                AttributeKind::Integer { ty, value },
            )))
        }
    }

    /// A number that 64 bits say exactly.
    unsafe fn float(&mut self, attribute: MlirAttribute) -> Result<Option<Attribute>, Error> {
        // SAFETY: it is a float attribute.
        unsafe {
            let value = mlirFloatAttrGetValueDouble(attribute);
            let ty = self.ty(mlirAttributeGetType(attribute))?;
            let wide = ty.bit_width(self.context).is_none_or(|width| width > 64);
            // The bits of what is no number, and wider numbers, are in the text only.
            if value.is_nan() || wide {
                return Ok(None);
            }
            Ok(Attribute::float(self.context, ty, value))
        }
    }

    unsafe fn dictionary(&mut self, attribute: MlirAttribute) -> Result<Attribute, Error> {
        // SAFETY: it is a dictionary, and the numbers are below its size.
        unsafe {
            let entries = (0..mlirDictionaryAttrGetNumElements(attribute))
                .map(|number| self.entry(mlirDictionaryAttrGetElement(attribute, number)))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(Attribute::dictionary(self.context, &entries))
        }
    }

    /// An attribute with its name.
    ///
    /// # Safety
    /// It is valid.
    pub(super) unsafe fn entry(
        &mut self,
        named: MlirNamedAttribute,
    ) -> Result<(Identifier, Attribute), Error> {
        // SAFETY: both parts are valid.
        unsafe {
            let name = self.identifier(named.name)?;
            Ok((name, self.attribute(named.attribute)?))
        }
    }

    unsafe fn symbol(&mut self, attribute: MlirAttribute) -> Result<Attribute, Error> {
        // SAFETY: it is a symbol reference, and the numbers are below that of its parts.
        unsafe {
            let root = self.text(mlirSymbolRefAttrGetRootReference(attribute))?;
            let root = Identifier::new(self.context, &root);
            let mut nested = Vec::new();
            for number in 0..mlirSymbolRefAttrGetNumNestedReferences(attribute) {
                let part = mlirSymbolRefAttrGetNestedReference(attribute, number);
                let part = self.text(mlirSymbolRefAttrGetRootReference(part))?;
                nested.push(Identifier::new(self.context, &part));
            }
            Ok(Attribute::new(
                self.context,
                AttributeKind::SymbolReference {
                    root,
                    nested: nested.into(),
                },
            ))
        }
    }

    /// `array<i32: …>`; none for other attributes.
    unsafe fn dense_array(&mut self, attribute: MlirAttribute) -> Option<Attribute> {
        macro_rules! elements {
            ($get:ident) => {
                (0..mlirDenseArrayGetNumElements(attribute))
                    .flat_map(|number| $get(attribute, number).to_le_bytes())
                    .collect()
            };
        }
        // SAFETY: the attribute is valid, each accessor is called on what its test accepted, and
        // with numbers below its size.
        let (element, data) = unsafe {
            if mlirAttributeIsADenseI32Array(attribute) {
                (Type::I32, elements!(mlirDenseI32ArrayGetElement))
            } else if mlirAttributeIsADenseI64Array(attribute) {
                (Type::I64, elements!(mlirDenseI64ArrayGetElement))
            } else if mlirAttributeIsADenseI8Array(attribute) {
                (Type::I8, elements!(mlirDenseI8ArrayGetElement))
            } else if mlirAttributeIsADenseI16Array(attribute) {
                (
                    Type::integer(self.context, 16),
                    elements!(mlirDenseI16ArrayGetElement),
                )
            } else if mlirAttributeIsADenseBoolArray(attribute) {
                let data = (0..mlirDenseArrayGetNumElements(attribute))
                    .map(|number| u8::from(mlirDenseBoolArrayGetElement(attribute, number)))
                    .collect();
                (Type::I1, data)
            } else {
                return None;
            }
        };
        Some(Attribute::new(
            self.context,
            AttributeKind::DenseArray { element, data },
        ))
    }

    /// `dense<…>` of numbers that take whole bytes.
    unsafe fn dense_elements(
        &mut self,
        attribute: MlirAttribute,
    ) -> Result<Option<Attribute>, Error> {
        // SAFETY: it is a dense elements attribute.
        unsafe {
            let ty = self.ty(mlirAttributeGetType(attribute))?;
            let width = match ty.scalar(self.context).kind(self.context) {
                TypeKind::Integer(..) | TypeKind::Float(_) | TypeKind::Index => {
                    ty.scalar(self.context).bit_width(self.context)
                }
                _ => None,
            };
            let Some(width @ (8 | 16 | 32 | 64)) = width else {
                return Ok(None);
            };
            let count = match mlirDenseElementsAttrIsSplat(attribute) {
                true => 1,
                false => usize::try_from(mlirElementsAttrGetNumElements(attribute)).unwrap_or(0),
            };
            let data = mlirDenseElementsAttrGetRawData(attribute);
            let bytes: &[u8] = match count {
                0 => &[],
                _ => std::slice::from_raw_parts(data.cast(), count * width as usize / 8),
            };
            Ok(Attribute::dense(self.context, ty, bytes).ok())
        }
    }
}
