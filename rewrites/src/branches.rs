//! Which operands of a branch become the arguments of which block.

use std::ops::Range;

use orison_ir::declare::{OPERAND_SEGMENTS, Trait, Variadicity};
use orison_ir::{Attribute, Context, Operation};

/// The operands that a branch passes to its successor with this number; none when the declaration
/// does not tell: it tells when the last operand groups are variadic, one for each successor.
pub fn passed_operands(
    context: &Context,
    branch: Operation,
    successor: usize,
) -> Option<Range<usize>> {
    let range = passed_group(context, branch, successor)?;
    let block = branch.successors(context).nth(successor)?;
    (range.len() == block.argument_count(context)).then_some(range)
}

/// The same, also while a branch passes fewer operands than its block has arguments.
pub fn passed_group(
    context: &Context,
    branch: Operation,
    successor: usize,
) -> Option<Range<usize>> {
    let definition = branch.definition(context)?;
    let count = definition.successors.len();
    if count != branch.successor_count(context) || definition.successors.iter().any(|s| s.variadic)
    {
        return None;
    }
    let first = definition.operands.len().checked_sub(count)?;
    let variadic =
        |group: &orison_ir::declare::ValueDefinition| group.variadicity == Variadicity::Variadic;
    if !definition.operands[first..].iter().all(variadic) {
        return None;
    }
    Some(definition.operand_range(context, branch, first + successor))
}

/// Takes an operand out of a branch, from what it passes to its successor with this number.
pub fn erase_passed_operand(
    context: &mut Context,
    branch: Operation,
    successor: usize,
    operand: usize,
) {
    let mut operands: Vec<_> = branch.operands(context).collect();
    operands.remove(operand);
    branch.set_operands(context, &operands);
    let Some(definition) = branch.definition(context) else {
        return;
    };
    if !definition.has_trait(Trait::AttrSizedOperandSegments) {
        return;
    }
    let sizes = branch.attribute(context, OPERAND_SEGMENTS);
    let sizes = sizes.and_then(|sizes| sizes.as_i32_array(context));
    let group = definition.operands.len() - definition.successors.len() + successor;
    if let Some(mut sizes) = sizes
        && let Some(size) = sizes.get_mut(group)
    {
        *size -= 1;
        let sizes = Attribute::i32_array(context, &sizes);
        let properties = branch.properties(context);
        let properties = properties.with(context, OPERAND_SEGMENTS, sizes);
        branch.set_properties(context, properties);
    }
}
