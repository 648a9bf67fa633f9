//! The seven canonicalisations (TileAS reference 1.10).
//!
//! Rules rooted at operations of this dialect are listed in their declarations. Those rooted at
//! `scf.for` and `scf.if`, which belong to another dialect, are in [`NV_TILEAS_RULES`]:
//! **a driver must register that slice in addition to the rules of declarations.**
//!
//! No rule moves, duplicates or erases an operation of the memory-consistency set.

pub mod branch_alloc;
pub mod branch_extract;
pub mod flatten_loops;
pub mod loop_alloc;
pub mod slice_of_insert;
pub mod slice_of_view;
pub mod static_slice;

use orison_host::arith;
use orison_host::scf;
use orison_ir::{
    Context, Location, Operation, OperationName, OperationState, Rewriter, Rule, Type, Value,
};

use rustc_hash::FxHashSet;

use super::InsertSlice;

/// Rules rooted at operations of other dialects: a driver registers them in addition to the rules
/// listed in declarations.
pub static NV_TILEAS_RULES: &[&Rule] = &[
    &loop_alloc::LOOP_ALLOC,
    &branch_alloc::BRANCH_ALLOC,
    &branch_extract::BRANCH_EXTRACT,
    &flatten_loops::FLATTEN_LOOPS,
];

/// The value of an `arith.constant` of an integer type or `index`.
pub(super) fn constant(context: &Context, value: Value) -> Option<i64> {
    let op = value.defining_op(context)?;
    if !arith::Constant::matches(context, op) {
        return None;
    }
    op.attribute(context, "value")?.as_i64(context)
}

/// The chain of `insert_slice` operations that produced a value, last one first. Stops at a cycle,
/// which is possible in unreachable blocks.
pub(super) fn inserts(context: &Context, value: Value) -> impl Iterator<Item = InsertSlice> {
    let insert_of = |value: Value| InsertSlice::of(context, value.defining_op(context)?);
    let mut seen = FxHashSet::default();
    std::iter::successors(insert_of(value), move |insert| {
        insert_of(insert.destination(context))
    })
    .take_while(move |insert| seen.insert(insert.operation()))
}

/// The chain of `insert_slice` operations that produced a value, last one first, and the value at
/// its start.
pub(super) fn insert_chain(context: &Context, value: Value) -> (Vec<Operation>, Value) {
    let chain: Vec<_> = inserts(context, value).collect();
    let start = chain
        .last()
        .map_or(value, |insert| insert.destination(context));
    let chain = chain.into_iter().map(InsertSlice::operation).collect();
    (chain, start)
}

/// A state with the default attributes of the declaration, if the operation is declared.
pub(super) fn state_with_defaults(
    rewriter: &mut Rewriter<'_>,
    name: &str,
    location: Location,
) -> OperationState {
    let context = rewriter.context();
    let name = OperationName::new(context, name);
    let mut state = OperationState::new(name, location);
    let attributes = name.definition(context).map_or(&[][..], |d| d.attributes);
    for attribute in attributes {
        if let Some(default) = attribute.default {
            let value = default(context);
            state.set_property(context, attribute.name, value);
        }
    }
    state
}

/// Creates an operation with one result at the insertion point.
pub(super) fn create(
    rewriter: &mut Rewriter<'_>,
    name: &str,
    location: Location,
    operands: &[Value],
    result: Type,
) -> Value {
    let mut state = state_with_defaults(rewriter, name, location);
    state.operands = operands.into();
    state.result_types.push(result);
    let op = rewriter.create(&state);
    op.result(rewriter.ir(), 0)
}

/// Creates an integer constant at the insertion point.
pub(super) fn create_constant(
    rewriter: &mut Rewriter<'_>,
    location: Location,
    ty: Type,
    number: i64,
) -> Value {
    let mut state = state_with_defaults(rewriter, arith::Constant::NAME, location);
    let context = rewriter.context();
    let number = orison_ir::Attribute::integer(context, ty, number);
    state.set_property(context, "value", number);
    state.result_types.push(ty);
    let op = rewriter.create(&state);
    op.result(rewriter.ir(), 0)
}

/// The single block of a region of an operation, if it ends with `scf.yield`.
pub(super) fn scf_arm(
    context: &Context,
    op: Operation,
    region: usize,
) -> Option<(orison_ir::Block, Operation)> {
    let region = op.regions(context).nth(region)?;
    let block = region
        .first_block(context)
        .filter(|_| region.has_one_block(context))?;
    let end = block.last_op(context)?;
    scf::Yield::matches(context, end).then_some((block, end))
}
