//! The facts about an operation that select its row and determine its cost: atom, memory spaces,
//! extents.
//!
//! Source: TileAS reference 3.3 (classifier) and 3.8.

use orison_ir::{Context, Operation, Value};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas::Atom;

use super::OperationQuery;

pub(super) fn query(context: &Context, op: Operation, _warps: u32) -> OperationQuery<'_> {
    OperationQuery {
        operation: op.name_text(context),
        atom: atom_name(context, op),
        from: op.operands(context).find_map(|value| space(context, value)),
        to: destination(context, op),
        elements: combined_elements(context, op),
    }
}

/// The number of elements a reduction or scan combines into one: the extent of its axis. For other
/// operations the size of their first tile.
fn combined_elements(context: &Context, op: Operation) -> Option<u64> {
    let tile = op
        .operands(context)
        .map(|value| value.ty(context))
        .find(|ty| ty.is_shaped(context))?;
    let axis = op
        .attribute(context, "axis")
        .and_then(|axis| axis.as_i64(context));
    let extent = axis
        .and_then(|axis| usize::try_from(axis).ok())
        .and_then(|axis| tile.shape(context)?.get(axis).copied());
    match extent {
        Some(extent) => u64::try_from(extent).ok(),
        None => tile.element_count(context),
    }
}

fn atom_name(context: &Context, op: Operation) -> Option<&str> {
    Some(Atom::of(context, op.attribute(context, "atom")?)?.name)
}

/// The memory space of a view, by its machine-model name; a tensor is in registers.
fn space(context: &Context, value: Value) -> Option<&str> {
    let ty = value.ty(context);
    if ty.is_shaped(context) {
        return Some("reg");
    }
    let space = orison_tileas::views::memory_space(context, ty)?;
    Some(if space == MemorySpace::Register {
        "reg"
    } else {
        space.keyword()
    })
}

fn destination(context: &Context, op: Operation) -> Option<&str> {
    let result = op.results(context).find_map(|value| space(context, value));
    result.or_else(|| {
        op.operands(context)
            .filter_map(|value| space(context, value))
            .nth(1)
    })
}
