//! Attributes.

use mlir_sys::*;
use orison_ir::attributes::DenseData;
use orison_ir::printer::{attribute_to_irdl_string, attribute_to_string};
use orison_ir::{Attribute, AttributeKind, Identifier, Type, TypeKind};

use super::Exporter;
use crate::error::Error;
use crate::{is_dynamic, raw};

impl Exporter<'_> {
    /// An attribute.
    ///
    /// # Errors
    /// When MLIR does not take it.
    pub(crate) fn attribute(&mut self, attribute: Attribute) -> Result<MlirAttribute, Error> {
        if let Some(known) = self.forms.mlir_attributes.get(&attribute) {
            return Ok(*known);
        }
        let new = self.new_attribute(attribute)?;
        self.forms.mlir_attributes.insert(attribute, new);
        Ok(new)
    }

    fn new_attribute(&mut self, attribute: Attribute) -> Result<MlirAttribute, Error> {
        let (mlir, context) = (self.mlir, self.context);
        // SAFETY: the context is valid, texts and arrays are alive during the calls.
        unsafe {
            match attribute.kind(context) {
                AttributeKind::Unit => return Ok(mlirUnitAttrGet(mlir)),
                AttributeKind::Integer { ty, value } if value.width() <= 64 => {
                    let unsigned = value.as_u64().map(u64::cast_signed);
                    if let Some(value) = value.as_i64().or(unsigned) {
                        return Ok(mlirIntegerAttrGet(self.ty(*ty)?, value));
                    }
                }
                AttributeKind::String { value, ty } => {
                    let text = raw::bytes(value);
                    return Ok(match *ty {
                        Type::NONE => mlirStringAttrGet(mlir, text),
                        ty => mlirStringAttrTypedGet(self.ty(ty)?, text),
                    });
                }
                AttributeKind::Type(ty) => return Ok(mlirTypeAttrGet(self.ty(*ty)?)),
                AttributeKind::Array(elements) => {
                    let elements = elements
                        .iter()
                        .map(|element| self.attribute(*element))
                        .collect::<Result<Vec<_>, _>>()?;
                    let count = elements.len() as isize;
                    return Ok(mlirArrayAttrGet(mlir, count, elements.as_ptr()));
                }
                AttributeKind::Dictionary(entries) => {
                    let entries = self.named(entries)?;
                    let count = entries.len() as isize;
                    return Ok(mlirDictionaryAttrGet(mlir, count, entries.as_ptr()));
                }
                AttributeKind::SymbolReference { root, nested } => {
                    return Ok(self.symbol(*root, nested));
                }
                AttributeKind::Location(location) => {
                    return Ok(mlirLocationGetAttribute(self.location(*location)?));
                }
                AttributeKind::Distinct { referenced, .. } => {
                    return Ok(mlirDisctinctAttrCreate(self.attribute(*referenced)?));
                }
                AttributeKind::DenseElements {
                    ty,
                    data: DenseData::Bytes { bytes, .. },
                } => {
                    let scalar = ty.scalar(context);
                    let number = !matches!(scalar.kind(context), TypeKind::Complex(_));
                    let width = scalar.bit_width(context);
                    if number && matches!(width, Some(8 | 16 | 32 | 64)) {
                        let ty = self.ty(*ty)?;
                        let data = bytes.as_ptr().cast();
                        let new = mlirDenseElementsAttrRawBufferGet(ty, bytes.len(), data);
                        if !new.ptr.is_null() {
                            return Ok(new);
                        }
                    }
                }
                _ => {}
            }
        }
        self.attribute_from_text(attribute)
    }

    /// `@root::@nested`.
    fn symbol(&self, root: Identifier, nested: &[Identifier]) -> MlirAttribute {
        let (mlir, context) = (self.mlir, self.context);
        // SAFETY: the context is valid, texts and arrays are alive during the calls.
        unsafe {
            let parts: Vec<_> = nested
                .iter()
                .map(|part| mlirFlatSymbolRefAttrGet(mlir, raw::text(part.text(context))))
                .collect();
            let root = raw::text(root.text(context));
            mlirSymbolRefAttrGet(mlir, root, parts.len() as isize, parts.as_ptr())
        }
    }

    /// Attributes with their names.
    pub(super) fn named(
        &mut self,
        entries: &[(Identifier, Attribute)],
    ) -> Result<Vec<MlirNamedAttribute>, Error> {
        entries
            .iter()
            .map(|(name, attribute)| {
                Ok(MlirNamedAttribute {
                    name: self.identifier(*name),
                    attribute: self.attribute(*attribute)?,
                })
            })
            .collect()
    }

    fn attribute_from_text(&mut self, attribute: Attribute) -> Result<MlirAttribute, Error> {
        let text = match attribute.kind(self.context) {
            AttributeKind::Dialect(payload)
                if is_dynamic(self.context, self.mlir, payload.definition().name) =>
            {
                attribute_to_irdl_string(self.context, attribute)
            }
            _ => attribute_to_string(self.context, attribute),
        };
        // SAFETY: the context is valid, and the text is alive during the call.
        let new = unsafe { mlirAttributeParseGet(self.mlir, raw::text(&text)) };
        if new.ptr.is_null() {
            let message = format!("MLIR rejects attribute {text}");
            return Err(Error::Export(message));
        }
        Ok(new)
    }
}
