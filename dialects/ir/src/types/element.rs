//! Validity of types and attributes as components of shaped types.

use super::{Type, TypeKind};
use crate::{Attribute, AttributeKind, Context};

impl Type {
    /// Whether tensors may have elements of this type.
    pub(crate) fn is_tensor_element(self, context: &Context) -> bool {
        self.is_memref_element(context)
            && !matches!(
                self.kind(context),
                TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. }
            )
    }

    /// Whether memrefs may have elements of this type.
    pub(crate) fn is_memref_element(self, context: &Context) -> bool {
        !matches!(
            self.kind(context),
            TypeKind::Function { .. }
                | TypeKind::None
                | TypeKind::Tuple(_)
                | TypeKind::Tensor { .. }
                | TypeKind::UnrankedTensor(_)
        )
    }

    /// Whether vectors may have elements of this type.
    pub(crate) fn is_vector_element(self, context: &Context) -> bool {
        matches!(
            self.kind(context),
            TypeKind::Integer(..) | TypeKind::Index | TypeKind::Float(_) | TypeKind::Dialect { .. }
        )
    }
}

impl Attribute {
    /// Whether this may be a memory space: a number, a string, a dictionary or a dialect attribute.
    /// The rules of unregistered dialects are unknown; MLIR rejects their attributes here, but
    /// accepts those of its own dialects, which orison does not have.
    pub(crate) fn is_memory_space(self, context: &Context) -> bool {
        matches!(
            self.kind(context),
            AttributeKind::Integer { .. }
                | AttributeKind::String { .. }
                | AttributeKind::Dictionary(_)
                | AttributeKind::Dialect { .. }
                | AttributeKind::Opaque { .. }
        )
    }

    /// The reason that this is not a valid layout of a memref of this rank, if any.
    pub(crate) fn layout_problem(self, context: &Context, rank: usize) -> Option<String> {
        match self.kind(context) {
            AttributeKind::AffineMap(map) if map.dims() as usize != rank => Some(format!(
                "memref layout mismatch between rank and affine map: {rank} != {}",
                map.dims()
            )),
            AttributeKind::Strided { strides, .. } if strides.len() != rank => {
                Some("expected the number of strides to match the rank".to_owned())
            }
            _ => None,
        }
    }
}
