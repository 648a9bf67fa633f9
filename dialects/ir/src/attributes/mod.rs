//! Attributes: constant data on operations and in types.

mod builtin;
mod dense;
mod dictionary;

pub use dense::{DenseData, DenseError};
pub(crate) use dense::{array_element_bytes, element_bytes, pack_bits, unpack_bits};

use crate::affine::{AffineMap, IntegerSet};
use crate::numbers::{ApInt, Float};
use crate::{Context, Identifier, Location, Payload, Type};

/// An attribute: a `Copy` handle; equal attributes of one context have equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Attribute(pub(crate) u32);

/// An alias in the text of an opaque type or attribute.
///
/// Such text is kept as written, but an alias in it has a meaning only together with its
/// definition. The definition is therefore part of the type or attribute: equal texts with different
/// alias definitions are different types or attributes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpaqueAlias {
    /// The name as written, with the leading `#` or `!`.
    pub name: Box<str>,
    /// The definition; a type attribute if it is the alias of a type.
    pub definition: Attribute,
}

/// The kinds of attributes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeKind {
    /// `unit`.
    Unit,
    /// `7 : i32`, `true`.
    Integer {
        /// An integer type or `index`.
        ty: Type,
        /// The value, as wide as the type (64 bits for `index`).
        value: ApInt,
    },
    /// `1.0 : f32`.
    Float {
        /// A floating-point type.
        ty: Type,
        /// The value in the format of the type.
        value: Float,
    },
    /// `"text"` or `"text" : type`. Stored as bytes, because MLIR strings need not be UTF-8.
    String {
        /// The bytes.
        value: Box<[u8]>,
        /// [`Type::NONE`] if no type is written.
        ty: Type,
    },
    /// A type.
    Type(Type),
    /// `[a, b]`.
    Array(Box<[Attribute]>),
    /// `{a = 1, b}`, sorted by key.
    Dictionary(Box<[(Identifier, Attribute)]>),
    /// `@root::@nested`.
    SymbolReference {
        /// The outermost symbol.
        root: Identifier,
        /// The nested symbols, outermost first.
        nested: Box<[Identifier]>,
    },
    /// `affine_map<(d0) -> (d0)>`.
    AffineMap(AffineMap),
    /// `affine_set<(d0) : (d0 >= 0)>`.
    IntegerSet(IntegerSet),
    /// `array<i32: 1, 2>`: elements of a fixed width, little-endian.
    DenseArray {
        /// An integer or float type of at most 64 bits; `i1` takes one byte per element.
        element: Type,
        /// The elements, each in its width rounded up to bytes.
        data: Box<[u8]>,
    },
    /// `dense<…> : tensor<…>`.
    DenseElements {
        /// A vector, tensor or memref type.
        ty: Type,
        /// The elements.
        data: DenseData,
    },
    /// `dense_resource<key> : tensor<…>`.
    DenseResource {
        /// A shaped type.
        ty: Type,
        /// The key into the resource section of the file.
        key: Identifier,
    },
    /// `sparse<indices, values> : tensor<…>`.
    SparseElements {
        /// A shaped type.
        ty: Type,
        /// Coordinates, a dense `i64` attribute.
        indices: Attribute,
        /// Values at these coordinates.
        values: Attribute,
    },
    /// `strided<[s0, s1], offset: o>`; `DYNAMIC` for `?`.
    Strided {
        /// Strides in elements.
        strides: Box<[i64]>,
        /// Offset in elements.
        offset: i64,
    },
    /// `loc(…)` as an attribute.
    Location(Location),
    /// `distinct[id]<referenced>`.
    Distinct {
        /// Distinguishes this attribute from all other distinct attributes of the context.
        id: u32,
        /// The referenced attribute.
        referenced: Attribute,
    },
    /// An attribute of a registered dialect.
    Dialect(Payload),
    /// An attribute of an unregistered dialect, kept as text.
    Opaque {
        /// The dialect's namespace.
        dialect: Identifier,
        /// The text between `#dialect<"` and `">`, or after `#dialect.`.
        body: Box<str>,
        /// The aliases in the text that were defined when it was parsed.
        aliases: Box<[OpaqueAlias]>,
        /// [`Type::NONE`] if no type follows it.
        ty: Type,
    },
}

impl Attribute {
    /// The attribute of the given kind.
    pub fn new(context: &mut Context, kind: AttributeKind) -> Self {
        context.has_aliases |= matches!(
            kind,
            AttributeKind::AffineMap(_)
                | AttributeKind::IntegerSet(_)
                | AttributeKind::Location(_)
                | AttributeKind::Distinct { .. }
        );
        context.has_aliases |= matches!(
            &kind,
            AttributeKind::Opaque { aliases, .. } if !aliases.is_empty()
        );
        Attribute(context.attributes.intern(kind))
    }

    /// The kind of this attribute.
    pub fn kind(self, context: &Context) -> &AttributeKind {
        &context.attributes[self.0]
    }
}
