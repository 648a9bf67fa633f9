//! Types.

use mlir_sys::*;
use orison_ir::numbers::FloatKind;
use orison_ir::types::{DYNAMIC, Signedness};
use orison_ir::{Attribute, Type, TypeKind};

use super::Importer;
use crate::error::Error;
use crate::forms::Address;
use crate::raw;

/// The float types that the C interface knows, each with its test.
static FLOATS: [(unsafe extern "C" fn(MlirType) -> bool, FloatKind); 16] = [
    (mlirTypeIsAF32, FloatKind::F32),
    (mlirTypeIsAF16, FloatKind::F16),
    (mlirTypeIsABF16, FloatKind::BF16),
    (mlirTypeIsAF64, FloatKind::F64),
    (mlirTypeIsATF32, FloatKind::TF32),
    (mlirTypeIsAFloat4E2M1FN, FloatKind::F4E2M1FN),
    (mlirTypeIsAFloat6E2M3FN, FloatKind::F6E2M3FN),
    (mlirTypeIsAFloat6E3M2FN, FloatKind::F6E3M2FN),
    (mlirTypeIsAFloat8E5M2, FloatKind::F8E5M2),
    (mlirTypeIsAFloat8E4M3, FloatKind::F8E4M3),
    (mlirTypeIsAFloat8E4M3FN, FloatKind::F8E4M3FN),
    (mlirTypeIsAFloat8E5M2FNUZ, FloatKind::F8E5M2FNUZ),
    (mlirTypeIsAFloat8E4M3FNUZ, FloatKind::F8E4M3FNUZ),
    (mlirTypeIsAFloat8E4M3B11FNUZ, FloatKind::F8E4M3B11FNUZ),
    (mlirTypeIsAFloat8E3M4, FloatKind::F8E3M4),
    (mlirTypeIsAFloat8E8M0FNU, FloatKind::F8E8M0FNU),
];

impl Importer<'_> {
    /// A type.
    ///
    /// # Safety
    /// It is valid.
    pub(super) unsafe fn ty(&mut self, ty: MlirType) -> Result<Type, Error> {
        if let Some(known) = self.forms.types.get(&(ty.ptr as Address)) {
            return Ok(*known);
        }
        // SAFETY: as the caller says.
        let new = unsafe { self.new_type(ty) }?;
        self.forms.types.insert(ty.ptr as Address, new);
        self.forms.mlir_types.entry(new).or_insert(ty);
        Ok(new)
    }

    unsafe fn new_type(&mut self, ty: MlirType) -> Result<Type, Error> {
        // SAFETY: the type is valid, and each accessor is called on what its test accepted.
        unsafe {
            if mlirTypeIsAInteger(ty) {
                let width = mlirIntegerTypeGetWidth(ty);
                let signedness = match () {
                    () if mlirIntegerTypeIsSigned(ty) => Signedness::Signed,
                    () if mlirIntegerTypeIsUnsigned(ty) => Signedness::Unsigned,
                    () => Signedness::Signless,
                };
                return Ok(Type::new(
                    self.context,
                    TypeKind::Integer(width, signedness),
                ));
            }
            if mlirTypeIsAIndex(ty) {
                return Ok(Type::INDEX);
            }
            if mlirTypeIsAFloat(ty) {
                let known = FLOATS.iter().find(|(test, _)| test(ty));
                if let Some((_, kind)) = known {
                    return Ok(Type::float(self.context, *kind));
                }
            }
            if mlirTypeIsAFunction(ty) {
                return self.function_type(ty);
            }
            if mlirTypeIsAShaped(ty) {
                if let Some(shaped) = self.shaped_type(ty)? {
                    return Ok(shaped);
                }
            } else if mlirTypeIsANone(ty) {
                return Ok(Type::NONE);
            } else if mlirTypeIsAComplex(ty) {
                let element = self.ty(mlirComplexTypeGetElementType(ty))?;
                return Ok(Type::new(self.context, TypeKind::Complex(element)));
            } else if mlirTypeIsATuple(ty) {
                let types = (0..mlirTupleTypeGetNumTypes(ty))
                    .map(|number| self.ty(mlirTupleTypeGetType(ty, number)))
                    .collect::<Result<_, _>>()?;
                return Ok(Type::new(self.context, TypeKind::Tuple(types)));
            }
            let text = raw::printed(|callback, to| mlirTypePrint(ty, callback, to));
            self.read(text, |parser| parser.parse_type())
        }
    }

    unsafe fn function_type(&mut self, ty: MlirType) -> Result<Type, Error> {
        // SAFETY: it is a function type.
        unsafe {
            let inputs = (0..mlirFunctionTypeGetNumInputs(ty))
                .map(|number| self.ty(mlirFunctionTypeGetInput(ty, number)))
                .collect::<Result<Vec<_>, _>>()?;
            let results = (0..mlirFunctionTypeGetNumResults(ty))
                .map(|number| self.ty(mlirFunctionTypeGetResult(ty, number)))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(Type::function(self.context, &inputs, &results))
        }
    }

    /// A vector, tensor or memref; none when a dialect has shaped types of its own.
    unsafe fn shaped_type(&mut self, ty: MlirType) -> Result<Option<Type>, Error> {
        // SAFETY: it is a shaped type, and each accessor is called on what its test accepted.
        unsafe {
            let element = self.ty(mlirShapedTypeGetElementType(ty))?;
            let kind = if mlirTypeIsAUnrankedTensor(ty) {
                TypeKind::UnrankedTensor(element)
            } else if mlirTypeIsAUnrankedMemRef(ty) {
                let space = self.optional(mlirUnrankedMemrefGetMemorySpace(ty))?;
                TypeKind::UnrankedMemRef { element, space }
            } else if mlirTypeIsAVector(ty) {
                let rank = mlirShapedTypeGetRank(ty) as isize;
                TypeKind::Vector {
                    shape: shape(ty),
                    scalable: (0..rank)
                        .map(|number| mlirVectorTypeIsDimScalable(ty, number))
                        .collect(),
                    element,
                }
            } else if mlirTypeIsARankedTensor(ty) {
                let encoding = self.optional(mlirRankedTensorTypeGetEncoding(ty))?;
                TypeKind::Tensor {
                    shape: shape(ty),
                    element,
                    encoding,
                }
            } else if mlirTypeIsAMemRef(ty) {
                // Layouts are affine maps or strides, and the identity is left out: the text says it.
                let text = raw::printed(|callback, to| mlirTypePrint(ty, callback, to));
                return self.read(text, |parser| parser.parse_type()).map(Some);
            } else {
                return Ok(None);
            };
            Ok(Some(Type::new(self.context, kind)))
        }
    }

    /// An attribute that may be null.
    ///
    /// # Safety
    /// It is null or valid.
    unsafe fn optional(&mut self, attribute: MlirAttribute) -> Result<Option<Attribute>, Error> {
        if attribute.ptr.is_null() {
            return Ok(None);
        }
        // SAFETY: it is not null.
        unsafe { self.attribute(attribute) }.map(Some)
    }
}

/// The extents of a ranked shaped type.
///
/// # Safety
/// It is one.
unsafe fn shape(ty: MlirType) -> Box<[i64]> {
    // SAFETY: it is a ranked shaped type, and the numbers are below its rank.
    unsafe {
        (0..mlirShapedTypeGetRank(ty) as isize)
            .map(|number| match mlirShapedTypeIsDynamicDim(ty, number) {
                true => DYNAMIC,
                false => mlirShapedTypeGetDimSize(ty, number),
            })
            .collect()
    }
}
