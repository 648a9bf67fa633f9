//! Traits.

use crate::declare::{OperationDefinition, Trait, VerifyResult};
use crate::entities::Operation;
use crate::symbol_table::{SYMBOL_NAME, SYMBOL_VISIBILITY};
use crate::types::shapes_compatible;
use crate::{Context, Type, TypeKind};

/// Checks the traits about the position and the blocks of an operation, before its types are
/// checked. The parent may be known to be valid.
pub(super) fn verify_structure(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
    knows_parent: bool,
) -> VerifyResult {
    for declared in definition.traits.iter().filter(|declared| {
        is_about_place(declared) && !(knows_parent && matches!(declared, Trait::HasParent(_)))
    }) {
        verify_trait(context, op, *declared)?;
    }
    Ok(())
}

/// Checks the other traits.
pub(super) fn verify_traits(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
) -> VerifyResult {
    for declared in definition
        .traits
        .iter()
        .filter(|declared| !is_about_place(declared) && !is_about_regions(declared))
    {
        verify_trait(context, op, *declared)?;
    }
    Ok(())
}

/// Checks the traits about the contents of an operation's regions, after these were verified.
pub(super) fn verify_region_traits(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
) -> VerifyResult {
    for declared in definition
        .traits
        .iter()
        .filter(|declared| is_about_regions(declared))
    {
        verify_trait(context, op, *declared)?;
    }
    Ok(())
}

fn is_about_regions(declared: &Trait) -> bool {
    matches!(declared, Trait::ImplicitTerminator(_) | Trait::SymbolTable)
}

/// Whether a trait is about the position and the blocks of an operation.
pub(super) fn is_about_place(declared: &Trait) -> bool {
    matches!(
        declared,
        Trait::Terminator | Trait::HasParent(_) | Trait::SingleBlock
    )
}

/// Whether verifying a trait needs more than the types of operands and results.
pub(super) fn is_special(declared: &Trait) -> bool {
    matches!(declared, Trait::Symbol | Trait::Custom(_))
}

fn verify_trait(context: &Context, op: Operation, declared: Trait) -> VerifyResult {
    match declared {
        Trait::Terminator => verify_last(context, op),
        Trait::HasParent(parents) => verify_parent(context, op, parents),
        Trait::SingleBlock => verify_single_block(context, op),
        Trait::ImplicitTerminator(name) => verify_implicit_terminator(context, op, name),
        Trait::Symbol => verify_symbol(context, op),
        Trait::SymbolTable => verify_symbol_table(context, op),
        Trait::SameTypeOperands => {
            let types = op.operands(context).map(|value| value.ty(context));
            let message = "requires all operands to have the same type";
            verify_same(context, op, types, |_, ty| ty, message)
        }
        Trait::SameOperandsAndResultType => verify_same_type(context, op),
        Trait::SameOperandsAndResultShape => {
            if shapes_compatible(context, &mut all_types(context, op)) {
                return Ok(());
            }
            let message = "requires the same shape for all operands and results";
            Err(op.op_error(context, message))
        }
        Trait::SameOperandsAndResultElementType => {
            let message = "requires the same element type for all operands and results";
            let element = |context: &Context, ty: Type| ty.scalar(context);
            verify_same(context, op, all_types(context, op), element, message)
        }
        Trait::Custom(custom) => (custom.verify)(context, op),
        Trait::IsolatedFromAbove
        | Trait::NoTerminator
        | Trait::GraphRegion
        | Trait::AttrSizedOperandSegments
        | Trait::AttrSizedResultSegments
        | Trait::Commutative
        | Trait::Idempotent
        | Trait::ConstantLike
        | Trait::ReturnLike
        | Trait::AlwaysSpeculatable
        | Trait::RecursivelySpeculatable
        | Trait::Loop => Ok(()),
    }
}

fn all_types<'c>(context: &'c Context, op: Operation) -> impl Iterator<Item = Type> + 'c {
    op.operands(context)
        .chain(op.results(context))
        .map(move |value| value.ty(context))
}

fn verify_same_type(context: &Context, op: Operation) -> VerifyResult {
    let Some(wanted) = op.results(context).next().map(|value| value.ty(context)) else {
        return Ok(());
    };
    let Some(other) = all_types(context, op).find(|ty| *ty != wanted) else {
        return Ok(());
    };
    // As in MLIR, only an encoding that the result has is reported.
    let differs = match (wanted.kind(context), other.kind(context)) {
        (
            TypeKind::Tensor {
                shape,
                element,
                encoding: Some(_),
            },
            TypeKind::Tensor {
                shape: other_shape,
                element: other_element,
                ..
            },
        ) if shape == other_shape && element == other_element => "encoding",
        _ => "type",
    };
    let message = format!("requires the same {differs} for all operands and results");
    Err(op.op_error(context, message))
}

fn verify_same<K: PartialEq>(
    context: &Context,
    op: Operation,
    mut types: impl Iterator<Item = Type>,
    key: impl Fn(&Context, Type) -> K,
    message: &str,
) -> VerifyResult {
    let Some(first) = types.next() else {
        return Ok(());
    };
    let wanted = key(context, first);
    if types.all(|ty| ty == first || key(context, ty) == wanted) {
        return Ok(());
    }
    Err(op.op_error(context, message))
}

fn verify_last(context: &Context, op: Operation) -> VerifyResult {
    if op.block(context).is_some() && op.next(context).is_some() {
        return Err(op.op_error(context, "must be the last operation in the parent block"));
    }
    Ok(())
}

fn verify_parent(context: &Context, op: Operation, parents: &[&str]) -> VerifyResult {
    let parent = op.parent_op(context);
    if parent.is_some_and(|parent| parents.contains(&parent.name_text(context))) {
        return Ok(());
    }
    let message = match parents {
        [only] => format!("expects parent op '{only}'"),
        several => format!("expects parent op to be one of '{}'", several.join(", ")),
    };
    Err(op.op_error(context, message))
}

fn verify_single_block(context: &Context, op: Operation) -> VerifyResult {
    for (number, region) in op.regions(context).enumerate() {
        if !region.is_empty(context) && !region.has_one_block(context) {
            let message = format!("expects region #{number} to have 0 or 1 blocks");
            return Err(op.op_error(context, message));
        }
        let needs_terminator = !op.has_trait(context, Trait::NoTerminator);
        if let Some(block) = region.first_block(context)
            && needs_terminator
            && block.is_empty(context)
        {
            return Err(op.op_error(context, "expects a non-empty block"));
        }
    }
    Ok(())
}

fn verify_implicit_terminator(context: &Context, op: Operation, name: &str) -> VerifyResult {
    for region in op.regions(context) {
        let Some(last) = region
            .first_block(context)
            .and_then(|block| block.last_op(context))
        else {
            continue;
        };
        if last.is(context, name) {
            continue;
        }
        let found = last.name_text(context);
        let message = format!("expects regions to end with '{name}', found '{found}'");
        let note = format!("in custom textual format, the absence of terminator implies '{name}'");
        let error = op
            .op_error(context, message)
            .with_note(op.location(context), note);
        return Err(Box::new(error));
    }
    Ok(())
}

fn verify_symbol(context: &Context, op: Operation) -> VerifyResult {
    let name = op.attribute(context, SYMBOL_NAME);
    // Some operations, such as modules, are symbols only if they have a name.
    let declared = op
        .definition(context)
        .and_then(|d| d.attribute(SYMBOL_NAME));
    if name.is_none() && declared.is_some_and(|declared| declared.optional) {
        return Ok(());
    }
    if name.is_none_or(|name| name.as_str(context).is_none()) {
        let message = format!("requires string attribute '{SYMBOL_NAME}'");
        return Err(op.op_error(context, message));
    }
    verify_visibility(context, op)?;
    match op.parent_op(context) {
        Some(parent)
            if parent.definition(context).is_some() && !parent.is_symbol_table(context) =>
        {
            Err(op.op_error(context, "symbol's parent must have the SymbolTable trait"))
        }
        _ => Ok(()),
    }
}

fn verify_visibility(context: &Context, op: Operation) -> VerifyResult {
    let Some(visibility) = op.attribute(context, SYMBOL_VISIBILITY) else {
        return Ok(());
    };
    let Some(text) = visibility.as_str(context) else {
        let message = format!(
            "requires visibility attribute '{SYMBOL_VISIBILITY}' to be a string attribute, but got {}",
            crate::printer::attribute_to_string(context, visibility)
        );
        return Err(op.op_error(context, message));
    };
    if ["public", "private", "nested"].contains(&text) {
        return Ok(());
    }
    let message = format!(
        "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \"{text}\""
    );
    Err(op.op_error(context, message))
}

fn verify_symbol_table(context: &Context, op: Operation) -> VerifyResult {
    if op.region_count(context) != 1 {
        let message = "Operations with a 'SymbolTable' must have exactly one region";
        return Err(op.op_error(context, message));
    }
    if !op.region(context, 0).has_one_block(context) {
        let message = "Operations with a 'SymbolTable' must have exactly one block";
        return Err(op.op_error(context, message));
    }
    let mut known = rustc_hash::FxHashMap::default();
    let Some(body) = op.body_block(context, 0) else {
        return Ok(());
    };
    for symbol in body.operations(context) {
        let Some(name) = symbol.symbol_name(context) else {
            continue;
        };
        if let Some(first) = known.insert(name, symbol) {
            let message = format!("redefinition of symbol named '{name}'");
            let error = symbol.error(context, message).with_note(
                first.location(context),
                "see existing symbol definition here",
            );
            return Err(Box::new(error));
        }
    }
    Ok(())
}
