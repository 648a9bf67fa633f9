//! Adding guards to operations, and removing them.

use orison_ir::{Builder, Context, InsertionPoint, Operation, OperationState, Value};
use orison_ori::analyses::Guard;
use orison_ori::modifiers::{self, Modifier, ModifierSet};

/// Replaces an operation with the same one with another guard, or none. `otherwise` holds the
/// results if the guard is false; undefined if empty.
pub(super) fn with_guard(
    context: &mut Context,
    op: Operation,
    guard: Option<Guard>,
    otherwise: &[Value],
) -> Operation {
    let Some(definition) = op.definition(context) else {
        return op;
    };
    let mut state = OperationState::new(op.name(context), op.location(context));
    let (mut sizes, mut sets) = (Vec::new(), Vec::new());
    for (group, declared) in definition.operands.iter().enumerate() {
        let before = sets.len();
        match declared.name {
            "guard" => {
                if let Some(guard) = guard {
                    let set = ModifierSet::NONE;
                    let inverted = set.with(Modifier::Invert);
                    state.operands.push(guard.predicate);
                    sets.push(if guard.inverted { inverted } else { set });
                }
            }
            "otherwise" => {
                state.operands.extend(otherwise.iter().copied());
                sets.extend(otherwise.iter().map(|_| ModifierSet::NONE));
            }
            _ => {
                for number in definition.operand_range(context, op, group) {
                    state.operands.push(op.operand(context, number));
                    sets.push(modifiers::of_operand(context, op, number));
                }
            }
        }
        sizes.push(i32::try_from(sets.len() - before).unwrap_or(i32::MAX));
    }
    let properties = op.properties(context);
    let properties = definition.with_operand_sizes(context, properties, &sizes);
    state.properties = match modifiers::attribute(context, &sets) {
        Some(attribute) => properties.with(context, modifiers::MODIFIERS, attribute),
        None => properties.without(context, modifiers::MODIFIERS),
    };
    state.attributes = op.attributes(context);
    state.result_types = op.result_types(context).into();
    let new = Builder::at(context, InsertionPoint::Before(op)).create(&state);
    for number in 0..op.result_count(context) {
        let (old, result) = (op.result(context, number), new.result(context, number));
        old.replace_all_uses_with(context, result);
    }
    op.erase(context);
    new
}
