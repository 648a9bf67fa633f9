//! Types.

use mlir_sys::*;
use orison_ir::numbers::FloatKind;
use orison_ir::printer::{type_to_irdl_string, type_to_string};
use orison_ir::types::{DYNAMIC, Signedness};
use orison_ir::{Type, TypeKind};

use super::Exporter;
use crate::error::Error;
use crate::is_dynamic;
use crate::raw;

impl Exporter<'_> {
    /// A type.
    ///
    /// # Errors
    /// When MLIR does not take it.
    pub(crate) fn ty(&mut self, ty: Type) -> Result<MlirType, Error> {
        if let Some(known) = self.forms.mlir_types.get(&ty) {
            return Ok(*known);
        }
        let new = self.new_type(ty)?;
        self.forms.mlir_types.insert(ty, new);
        Ok(new)
    }

    fn new_type(&mut self, ty: Type) -> Result<MlirType, Error> {
        let (mlir, context) = (self.mlir, self.context);
        // SAFETY: the context is valid, and arrays are alive during the calls.
        unsafe {
            match ty.kind(context) {
                TypeKind::Integer(width, signedness) => Ok(match signedness {
                    Signedness::Signless => mlirIntegerTypeGet(mlir, *width),
                    Signedness::Signed => mlirIntegerTypeSignedGet(mlir, *width),
                    Signedness::Unsigned => mlirIntegerTypeUnsignedGet(mlir, *width),
                }),
                TypeKind::Index => Ok(mlirIndexTypeGet(mlir)),
                TypeKind::Float(FloatKind::F16) => Ok(mlirF16TypeGet(mlir)),
                TypeKind::Float(FloatKind::BF16) => Ok(mlirBF16TypeGet(mlir)),
                TypeKind::Float(FloatKind::F32) => Ok(mlirF32TypeGet(mlir)),
                TypeKind::Float(FloatKind::F64) => Ok(mlirF64TypeGet(mlir)),
                TypeKind::Function { inputs, results } => {
                    let (inputs, results) = (self.types(inputs)?, self.types(results)?);
                    Ok(mlirFunctionTypeGet(
                        mlir,
                        inputs.len() as isize,
                        inputs.as_ptr(),
                        results.len() as isize,
                        results.as_ptr(),
                    ))
                }
                TypeKind::Tensor {
                    shape,
                    element,
                    encoding,
                } => {
                    let element = self.ty(*element)?;
                    let encoding = match encoding {
                        Some(encoding) => self.attribute(*encoding)?,
                        None => mlirAttributeGetNull(),
                    };
                    let dynamic = mlirShapedTypeGetDynamicSize();
                    let extents: Vec<i64> = shape
                        .iter()
                        .map(|extent| if *extent == DYNAMIC { dynamic } else { *extent })
                        .collect();
                    let rank = extents.len() as isize;
                    Ok(mlirRankedTensorTypeGet(
                        rank,
                        extents.as_ptr(),
                        element,
                        encoding,
                    ))
                }
                _ => self.type_from_text(ty),
            }
        }
    }

    /// Types in order.
    pub(super) fn types(&mut self, types: &[Type]) -> Result<Vec<MlirType>, Error> {
        types.iter().map(|ty| self.ty(*ty)).collect()
    }

    fn type_from_text(&mut self, ty: Type) -> Result<MlirType, Error> {
        let text = match ty.kind(self.context) {
            TypeKind::Dialect(payload)
                if is_dynamic(self.context, self.mlir, payload.definition().name) =>
            {
                type_to_irdl_string(self.context, ty)
            }
            _ => type_to_string(self.context, ty),
        };
        // SAFETY: the context is valid, and the text is alive during the call.
        let new = unsafe { mlirTypeParseGet(self.mlir, raw::text(&text)) };
        if new.ptr.is_null() {
            return Err(Error::Export(format!("MLIR rejects type {text}")));
        }
        Ok(new)
    }
}
