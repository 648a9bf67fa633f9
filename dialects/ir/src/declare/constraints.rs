//! Constraints on types, attributes and regions, in MLIR's wording.

use crate::{Attribute, AttributeKind, Context, Type, TypeKind};

/// A property of types that other tools can check, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeBound {
    /// One type, as written: `i1`.
    Is(&'static str),
    /// All types of this full name: `builtin.tensor`, `nv_tileas.iter`.
    Named(&'static str),
}

/// A set of types.
#[derive(Debug)]
pub struct TypeConstraint {
    /// Description in error messages and documentation.
    pub summary: &'static str,
    /// Whether a type is in the set.
    pub check: fn(&Context, Type) -> bool,
    /// The only type of the set, if there is just one: it can be omitted in assembly.
    pub build: Option<fn(&mut Context) -> Type>,
    /// The full name of the dialect type, if the set is all instances of one type.
    pub base: Option<&'static str>,
    /// Every type of the set has one of these properties; nothing is known if the list is empty.
    pub bounds: &'static [TypeBound],
}

/// A set of attributes.
#[derive(Debug)]
pub struct AttributeConstraint {
    /// Description in error messages and documentation.
    pub summary: &'static str,
    /// Whether an attribute is in the set.
    pub check: fn(&Context, Attribute) -> bool,
    /// Whether an attribute has the storage kind of the set. Properties of other kinds are rejected
    /// when they are parsed, the rest when the operation is verified.
    pub storage: fn(&Context, Attribute) -> bool,
    /// The full name of all attributes of the set, such as `builtin.integer`; `None` if they have
    /// several.
    pub base: Option<&'static str>,
    /// The keywords, if the set is an enumeration.
    pub keywords: Option<KeywordSet>,
}

/// The members of an enumeration attribute, for code that knows its keywords only as text: parsers,
/// patterns.
#[derive(Clone, Copy, Debug)]
pub struct KeywordSet {
    /// The spellings of all members.
    pub words: &'static [&'static str],
    /// The attribute that is the member whose spelling has this index.
    pub attribute: fn(&mut Context, usize) -> Attribute,
    /// The index of the spelling of an attribute; `None` if it is not a member.
    pub number: fn(&Context, Attribute) -> Option<usize>,
}

impl KeywordSet {
    /// The index of a spelling.
    pub fn number_of(&self, word: &str) -> Option<usize> {
        self.words.iter().position(|known| *known == word)
    }

    /// The attribute with this spelling.
    pub fn parse(&self, context: &mut Context, word: &str) -> Option<Attribute> {
        let number = self.number_of(word)?;
        Some((self.attribute)(context, number))
    }

    /// The spelling of an attribute; `None` if it is not a member.
    pub fn word(&self, context: &Context, attribute: Attribute) -> Option<&'static str> {
        (self.number)(context, attribute).map(|number| self.words[number])
    }
}

/// The shape of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionConstraint {
    /// Any number of blocks, including none.
    Any,
    /// At least one block.
    MinOneBlock,
    /// Exactly one block.
    OneBlock,
    /// At most one block.
    MaxOneBlock,
}

impl TypeConstraint {
    /// A constraint defined by a predicate.
    pub const fn new(summary: &'static str, check: fn(&Context, Type) -> bool) -> Self {
        TypeConstraint {
            summary,
            check,
            build: None,
            base: None,
            bounds: &[],
        }
    }

    /// Adds bounds that other tools can check.
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
    /// A constraint defined by a predicate.
    pub const fn new(summary: &'static str, check: fn(&Context, Attribute) -> bool) -> Self {
        AttributeConstraint {
            summary,
            check,
            storage: |_, _| true,
            base: None,
            keywords: None,
        }
    }

    /// Sets the full name that all attributes of the set have.
    #[must_use]
    pub const fn named(self, base: &'static str) -> Self {
        AttributeConstraint {
            base: Some(base),
            ..self
        }
    }

    /// Sets the members of an enumeration.
    #[must_use]
    pub const fn keywords(self, keywords: KeywordSet) -> Self {
        AttributeConstraint {
            keywords: Some(keywords),
            ..self
        }
    }

    /// Makes the constraint strict: attributes not in the set are rejected when they are parsed.
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

/// The element type of a vector or tensor; otherwise the type itself.
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
