//! Constraints on types, attributes and regions, with the words MLIR uses for them.

use crate::{Attribute, AttributeKind, Context, Type, TypeKind};

/// Types that have something in common which other tools can check, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeBound {
    /// One type, as it is written: `i1`.
    Is(&'static str),
    /// All types of this full name: `builtin.tensor`, `nv_tileas.iter`.
    Named(&'static str),
}

/// A set of types.
#[derive(Debug)]
pub struct TypeConstraint {
    /// How error messages and documentation call it.
    pub summary: &'static str,
    /// Whether a type is in the set.
    pub check: fn(&Context, Type) -> bool,
    /// The only type of the set, when there is just one: it need not be written in assembly.
    pub build: Option<fn(&mut Context) -> Type>,
    /// The full name of the dialect type, when the set is all instances of one.
    pub base: Option<&'static str>,
    /// Every type of the set is in one of these; nothing is known when there are none.
    pub bounds: &'static [TypeBound],
}

/// A set of attributes.
#[derive(Debug)]
pub struct AttributeConstraint {
    /// How error messages and documentation call it.
    pub summary: &'static str,
    /// Whether an attribute is in the set.
    pub check: fn(&Context, Attribute) -> bool,
    /// Whether an attribute is of a kind that may be in the set. Properties of other kinds are
    /// rejected when they are read, the rest when the operation is verified.
    pub storage: fn(&Context, Attribute) -> bool,
    /// The full name that all attributes of the set have, `builtin.integer`; none when they have
    /// several.
    pub base: Option<&'static str>,
    /// The strings of the set, where it is a list of strings: other tools can check them, too.
    pub words: &'static [&'static str],
}

/// The shape of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionConstraint {
    /// Anything, also nothing.
    Any,
    /// At least one block.
    MinOneBlock,
    /// Exactly one block.
    OneBlock,
    /// At most one block.
    MaxOneBlock,
}

impl TypeConstraint {
    /// A constraint by predicate.
    pub const fn new(summary: &'static str, check: fn(&Context, Type) -> bool) -> Self {
        TypeConstraint {
            summary,
            check,
            build: None,
            base: None,
            bounds: &[],
        }
    }

    /// The constraint, with what bounds it for other tools.
    #[must_use]
    pub const fn within(self, bounds: &'static [TypeBound]) -> Self {
        TypeConstraint { bounds, ..self }
    }

    /// A set of exactly one type.
    pub const fn exactly(
        summary: &'static str,
        check: fn(&Context, Type) -> bool,
        build: fn(&mut Context) -> Type,
    ) -> Self {
        TypeConstraint {
            summary,
            check,
            build: Some(build),
            base: None,
            bounds: &[],
        }
    }
}

impl AttributeConstraint {
    /// A constraint by predicate.
    pub const fn new(summary: &'static str, check: fn(&Context, Attribute) -> bool) -> Self {
        AttributeConstraint {
            summary,
            check,
            storage: |_, _| true,
            base: None,
            words: &[],
        }
    }

    /// The constraint, for attributes that all have one full name.
    #[must_use]
    pub const fn named(self, base: &'static str) -> Self {
        AttributeConstraint {
            base: Some(base),
            ..self
        }
    }

    /// The constraint, for a list of strings.
    #[must_use]
    pub const fn words(self, words: &'static [&'static str]) -> Self {
        AttributeConstraint {
            words,
            ..self.named("builtin.string")
        }
    }

    /// The constraint for attributes of a kind of their own: every other attribute is rejected when
    /// it is read.
    #[must_use]
    pub const fn strict(self) -> Self {
        AttributeConstraint {
            storage: self.check,
            ..self
        }
    }
}

/// Every type.
pub static ANY_TYPE: TypeConstraint = TypeConstraint::new("any type", |_, _| true);
/// `index`.
pub static INDEX: TypeConstraint =
    TypeConstraint::exactly("index", |_, ty| ty == Type::INDEX, |_| Type::INDEX)
        .within(&[TypeBound::Is("index")]);
/// `i1`.
pub static BOOL: TypeConstraint = TypeConstraint::exactly(
    "1-bit signless integer",
    |_, ty| ty == Type::I1,
    |_| Type::I1,
)
.within(&[TypeBound::Is("i1")]);
/// `i32`.
pub static I32: TypeConstraint = TypeConstraint::exactly(
    "32-bit signless integer",
    |_, ty| ty == Type::I32,
    |_| Type::I32,
)
.within(&[TypeBound::Is("i32")]);
/// A signless integer or `index`.
pub static SIGNLESS_INTEGER_OR_INDEX: TypeConstraint =
    TypeConstraint::new("signless integer or index", |context, ty| {
        ty == Type::INDEX || ty.is_signless_integer(context)
    })
    .within(&[TypeBound::Is("index"), TypeBound::Named("builtin.integer")]);
/// A signless integer, `index`, or a vector or tensor of them.
pub static SIGNLESS_INTEGER_LIKE: TypeConstraint =
    TypeConstraint::new("signless-integer-like", |context, ty| {
        let scalar = value_scalar(context, ty);
        scalar == Type::INDEX || scalar.is_signless_integer(context)
    });
/// A float, or a vector or tensor of them.
pub static FLOAT_LIKE: TypeConstraint =
    TypeConstraint::new("floating-point-like", |context, ty| {
        value_scalar(context, ty).is_float(context)
    });
/// A ranked tensor.
pub static RANKED_TENSOR: TypeConstraint =
    TypeConstraint::new("ranked tensor of any type values", |context, ty| {
        matches!(ty.kind(context), TypeKind::Tensor { .. })
    })
    .within(&[TypeBound::Named("builtin.tensor")]);

/// The element type of a vector or tensor, the type itself otherwise.
fn value_scalar(context: &Context, ty: Type) -> Type {
    match ty.kind(context) {
        TypeKind::Vector { element, .. }
        | TypeKind::Tensor { element, .. }
        | TypeKind::UnrankedTensor(element) => *element,
        _ => ty,
    }
}

/// Every attribute.
pub static ANY_ATTRIBUTE: AttributeConstraint =
    AttributeConstraint::new("any attribute", |_, _| true);
/// Attributes that carry a type.
pub static TYPED_ATTRIBUTE: AttributeConstraint =
    AttributeConstraint::new("TypedAttr instance", |context, attribute| {
        matches!(
            attribute.kind(context),
            AttributeKind::Integer { .. }
                | AttributeKind::Float { .. }
                | AttributeKind::String { .. }
                | AttributeKind::DenseElements { .. }
                | AttributeKind::DenseResource { .. }
                | AttributeKind::SparseElements { .. }
                | AttributeKind::Opaque { .. }
        )
    })
    .strict();
