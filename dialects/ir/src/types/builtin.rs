//! Constructors and accessors of builtin types.

use super::{DYNAMIC, Signedness, Type, TypeKind};
use crate::Context;
use crate::numbers::FloatKind;

impl Type {
    /// `index`. Has a constant handle because every context interns it first.
    pub const INDEX: Type = Type(0);
    /// `i1`.
    pub const I1: Type = Type(1);
    /// `i8`.
    pub const I8: Type = Type(2);
    /// `i32`.
    pub const I32: Type = Type(3);
    /// `i64`.
    pub const I64: Type = Type(4);
    /// `none`.
    pub const NONE: Type = Type(5);
    /// `f32`.
    pub const F32: Type = Type(6);
    /// `f64`.
    pub const F64: Type = Type(7);

    /// Interns the types that have constants, in the order of the constants.
    pub(crate) fn intern_constants(context: &mut Context) {
        let integer = |width| TypeKind::Integer(width, Signedness::Signless);
        for kind in [
            TypeKind::Index,
            integer(1),
            integer(8),
            integer(32),
            integer(64),
            TypeKind::None,
            TypeKind::Float(FloatKind::F32),
            TypeKind::Float(FloatKind::F64),
        ] {
            Type::new(context, kind);
        }
    }

    /// A signless integer type of `width` bits.
    pub fn integer(context: &mut Context, width: u32) -> Type {
        Type::new(context, TypeKind::Integer(width, Signedness::Signless))
    }

    /// A floating-point type.
    pub fn float(context: &mut Context, kind: FloatKind) -> Type {
        Type::new(context, TypeKind::Float(kind))
    }

    /// `(inputs) -> results`.
    pub fn function(context: &mut Context, inputs: &[Type], results: &[Type]) -> Type {
        Type::new(
            context,
            TypeKind::Function {
                inputs: inputs.into(),
                results: results.into(),
            },
        )
    }

    /// `tensor<shape x element>` without encoding.
    pub fn tensor(context: &mut Context, shape: &[i64], element: Type) -> Type {
        Type::new(
            context,
            TypeKind::Tensor {
                shape: shape.into(),
                element,
                encoding: None,
            },
        )
    }

    /// The inputs and results of a function type; `None` for other types.
    pub fn as_function(self, context: &Context) -> Option<(&[Type], &[Type])> {
        match self.kind(context) {
            TypeKind::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }

    /// The width in bits of an integer type of any signedness.
    pub fn integer_width(self, context: &Context) -> Option<u32> {
        match self.kind(context) {
            TypeKind::Integer(width, _) => Some(*width),
            _ => None,
        }
    }

    /// The format of a floating-point type.
    pub fn float_kind(self, context: &Context) -> Option<FloatKind> {
        match self.kind(context) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Whether this is an integer type without signedness.
    pub fn is_signless_integer(self, context: &Context) -> bool {
        matches!(
            self.kind(context),
            TypeKind::Integer(_, Signedness::Signless)
        )
    }

    /// Whether this is an integer type of any signedness.
    pub fn is_integer(self, context: &Context) -> bool {
        matches!(self.kind(context), TypeKind::Integer(..))
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self, context: &Context) -> bool {
        matches!(self.kind(context), TypeKind::Float(_))
    }

    /// The element type of a vector, tensor, memref or complex type.
    pub fn element(self, context: &Context) -> Option<Type> {
        match self.kind(context) {
            TypeKind::Vector { element, .. }
            | TypeKind::Tensor { element, .. }
            | TypeKind::UnrankedTensor(element)
            | TypeKind::MemRef { element, .. }
            | TypeKind::UnrankedMemRef { element, .. }
            | TypeKind::Complex(element) => Some(*element),
            _ => None,
        }
    }

    /// The element type of a shaped type (vector, tensor, memref), the type itself otherwise.
    pub fn scalar(self, context: &Context) -> Type {
        match self.kind(context) {
            TypeKind::Complex(_) => self,
            _ => self.element(context).unwrap_or(self),
        }
    }

    /// The extents of a ranked shaped type; [`DYNAMIC`] for `?`.
    pub fn shape(self, context: &Context) -> Option<&[i64]> {
        match self.kind(context) {
            TypeKind::Vector { shape, .. }
            | TypeKind::Tensor { shape, .. }
            | TypeKind::MemRef { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// Whether this is a vector, tensor or memref type, ranked or not.
    pub fn is_shaped(self, context: &Context) -> bool {
        !matches!(self.kind(context), TypeKind::Complex(_)) && self.element(context).is_some()
    }

    /// The number of elements of a shaped type with a static shape; `None` if an extent is dynamic
    /// or the product overflows.
    pub fn element_count(self, context: &Context) -> Option<u64> {
        self.shape(context)?
            .iter()
            .try_fold(1u64, |count, &extent| {
                if extent == DYNAMIC {
                    None
                } else {
                    count.checked_mul(u64::try_from(extent).ok()?)
                }
            })
    }

    /// The storage size of a scalar of this type in bits; `None` for types without one.
    pub fn bit_width(self, context: &Context) -> Option<u32> {
        match self.kind(context) {
            TypeKind::Integer(width, _) => Some(*width),
            TypeKind::Float(kind) => Some(kind.width()),
            TypeKind::Index => Some(64),
            TypeKind::Complex(element) => element.bit_width(context)?.checked_mul(2),
            _ => None,
        }
    }

    /// The same shaped type with another element type; `None` if this is not a shaped type.
    pub fn with_element(self, context: &mut Context, element: Type) -> Option<Type> {
        let mut kind = self.kind(context).clone();
        match &mut kind {
            TypeKind::Vector { element: old, .. }
            | TypeKind::Tensor { element: old, .. }
            | TypeKind::UnrankedTensor(old)
            | TypeKind::MemRef { element: old, .. }
            | TypeKind::UnrankedMemRef { element: old, .. } => *old = element,
            _ => return None,
        }
        Some(Type::new(context, kind))
    }
}

/// Whether the types may have the same shape at run time: either all are scalars, or all are
/// shaped, with the same rank and extents as far as these are known, and with either all or no
/// vectors scalable.
pub fn shapes_compatible(context: &Context, types: &mut dyn Iterator<Item = Type>) -> bool {
    let (mut shaped, mut scalable) = (None, None);
    let mut extents: Option<Vec<i64>> = None;
    for ty in types {
        let is_scalable = matches!(
            ty.kind(context),
            TypeKind::Vector { scalable, .. } if scalable.contains(&true)
        );
        let is_shaped = ty.is_shaped(context);
        if *shaped.get_or_insert(is_shaped) != is_shaped
            || *scalable.get_or_insert(is_scalable) != is_scalable
        {
            return false;
        }
        let Some(shape) = ty.shape(context) else {
            continue;
        };
        let known = extents.get_or_insert_with(|| shape.to_vec());
        if known.len() != shape.len() {
            return false;
        }
        for (known, extent) in known.iter_mut().zip(shape) {
            if *known == DYNAMIC {
                *known = *extent;
            } else if *extent != DYNAMIC && extent != known {
                return false;
            }
        }
    }
    true
}
