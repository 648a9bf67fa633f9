//! Types: the builtin types, and dialect types with their contents.

mod builtin;
mod element;

use crate::numbers::FloatKind;
pub use crate::numbers::MAX_INTEGER_WIDTH;
use crate::{Attribute, Context, Identifier, Payload};
pub use builtin::shapes_compatible;

/// A type: a `Copy` handle; equal types of one context have equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Type(pub(crate) u32);

/// The extent of a dynamic dimension (`?`).
pub const DYNAMIC: i64 = i64::MIN;

/// The interpretation of the values of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `i32`: determined by the operation.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

/// The kinds of types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// `i32`, `si8`, `ui64`; the width in bits, up to 2^24 - 1.
    Integer(u32, Signedness),
    /// A floating-point type.
    Float(FloatKind),
    /// `index`.
    Index,
    /// `none`.
    None,
    /// `complex<f32>`.
    Complex(Type),
    /// `tuple<i32, f32>`.
    Tuple(Box<[Type]>),
    /// `(i32) -> f32`.
    Function {
        /// Argument types.
        inputs: Box<[Type]>,
        /// Result types.
        results: Box<[Type]>,
    },
    /// `vector<4x[8]xf32>`.
    Vector {
        /// Extents.
        shape: Box<[i64]>,
        /// Which extents are multiples of the run-time vector length.
        scalable: Box<[bool]>,
        /// Element type.
        element: Type,
    },
    /// `tensor<4x?xf32, #encoding>`.
    Tensor {
        /// Extents; [`DYNAMIC`] for `?`.
        shape: Box<[i64]>,
        /// Element type.
        element: Type,
        /// Layout or other encoding, defined by a dialect.
        encoding: Option<Attribute>,
    },
    /// `tensor<*xf32>`.
    UnrankedTensor(Type),
    /// `memref<4x?xf32, layout, space>`.
    MemRef {
        /// Extents; [`DYNAMIC`] for `?`.
        shape: Box<[i64]>,
        /// Element type.
        element: Type,
        /// An affine map or strided layout; `None` is the identity.
        layout: Option<Attribute>,
        /// Memory space; `None` is the default space.
        space: Option<Attribute>,
    },
    /// `memref<*xf32, space>`.
    UnrankedMemRef {
        /// Element type.
        element: Type,
        /// Memory space; `None` is the default space.
        space: Option<Attribute>,
    },
    /// A type of a registered dialect.
    Dialect(Payload),
    /// A type of an unregistered dialect, kept as text.
    Opaque {
        /// The dialect's namespace.
        dialect: Identifier,
        /// The text between `!dialect<"` and `">`, or after `!dialect.`.
        body: Box<str>,
        /// The aliases in the text that were defined when it was parsed.
        aliases: Box<[crate::OpaqueAlias]>,
    },
}

impl Type {
    /// The type of the given kind.
    pub fn new(context: &mut Context, kind: TypeKind) -> Self {
        context.has_aliases |= matches!(
            &kind,
            TypeKind::Opaque { aliases, .. } if !aliases.is_empty()
        );
        Type(context.types.intern(kind))
    }

    /// The kind of this type.
    pub fn kind(self, context: &Context) -> &TypeKind {
        &context.types[self.0]
    }
}
