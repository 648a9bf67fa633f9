//! Type queries shared by several dialects, and constraints with MLIR's wording.

use orison_ir::declare::TypeConstraint;
use orison_ir::{Context, Type, TypeKind, printer::type_to_string};

/// A type in quotes, for messages.
pub(crate) fn quoted(context: &Context, ty: Type) -> String {
    format!("'{}'", type_to_string(context, ty))
}

/// Types in quotes separated by commas, for messages.
pub(crate) fn quoted_list(context: &Context, types: &[Type]) -> String {
    let quoted: Vec<_> = types.iter().map(|ty| quoted(context, *ty)).collect();
    quoted.join(", ")
}

/// The text of a vector or tensor with another element type.
pub(crate) fn with_element_text(context: &Context, ty: Type, element: &str) -> String {
    let text = type_to_string(context, ty);
    let old = type_to_string(context, value_scalar(context, ty));
    // No element type begins with a character used in extents.
    let start = text.find('<').map_or(0, |open| {
        let extents = text[open + 1..].find(|c: char| !"0123456789?*[]x".contains(c));
        open + 1 + extents.unwrap_or(0)
    });
    match text[start..].strip_prefix(&old) {
        Some(rest) => format!("{}{element}{rest}", &text[..start]),
        None => text,
    }
}

/// The element type of a vector or tensor, otherwise the type itself. A memref is not
/// unwrapped.
pub(crate) fn value_scalar(context: &Context, ty: Type) -> Type {
    match ty.kind(context) {
        TypeKind::Vector { element, .. }
        | TypeKind::Tensor { element, .. }
        | TypeKind::UnrankedTensor(element) => *element,
        _ => ty,
    }
}

/// A signless integer of a fixed width, or a vector or tensor of them.
pub(crate) static FIXED_WIDTH_INTEGER_LIKE: TypeConstraint =
    TypeConstraint::new("signless-fixed-width-integer-like", |context, ty| {
        value_scalar(context, ty).is_signless_integer(context)
    });

/// `i1`, or a vector or tensor of it.
pub(crate) static BOOL_LIKE: TypeConstraint = TypeConstraint::new("bool-like", |context, ty| {
    value_scalar(context, ty) == Type::I1
});

/// A signless integer or `index`, or a vector, tensor or memref of them.
pub(crate) static INDEX_CAST_TYPE: TypeConstraint = TypeConstraint::new(
    "signless-integer-like or memref of signless-integer",
    |context, ty| {
        let scalar = match ty.kind(context) {
            TypeKind::MemRef { element, .. } => *element,
            _ => value_scalar(context, ty),
        };
        scalar == Type::INDEX || scalar.is_signless_integer(context)
    },
);

/// Types of known bit width: the operands of a bitcast.
pub(crate) static BITCAST_TYPE: TypeConstraint = TypeConstraint::new(
    "signless-integer-or-float-like or memref of signless-integer or float",
    |context, ty| {
        let scalar = match ty.kind(context) {
            TypeKind::MemRef { element, .. } => *element,
            _ => value_scalar(context, ty),
        };
        scalar.is_signless_integer(context) || scalar.is_float(context)
    },
);

/// A function type.
pub(crate) static FUNCTION: TypeConstraint = TypeConstraint::new("function type", |context, ty| {
    ty.as_function(context).is_some()
});

/// An integer of any width and signedness.
pub(crate) static ANY_INTEGER: TypeConstraint =
    TypeConstraint::new("integer", |context, ty| ty.is_integer(context));
