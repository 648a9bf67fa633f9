//! Structure: terminator of tile regions, directives, next program id (TileAS reference 1.9).

use orison_ir::declare::constraints::{ANY_TYPE, BOOL, INDEX};
use orison_ir::declare::{ArrayAttr, Assembly, Effects, RegionConstraint, Trait, VerifyResult};
use orison_ir::{Context, Diagnostic, Operation, Type};

use crate::nv_tileas;

use super::types::AN_ASYNC_TOKEN;
use super::verify::{ensure, types_to_string};

orison_ir::operations! {
    /// Terminates the region of `reduce`, `scan`, `generate` or `pragma`.
    op Yield = "nv_tileas.yield" {
        operands {
            /// Results of the region.
            values: variadic(ANY_TYPE),
        }
        with {
            traits: &[
                Trait::Terminator,
                Trait::ReturnLike,
                Trait::HasParent(&[
                    nv_tileas::Reduce::NAME,
                    nv_tileas::Scan::NAME,
                    nv_tileas::Generate::NAME,
                    Pragma::NAME,
                ]),
            ],
            effects: Effects::None,
            assembly: Assembly::Format("($values^ `:` type($values))? attr-dict"),
        }
    }

    /// A region under directives of the backend.
    ///
    /// The directives are passed to the backend on entry to and exit from the region.
    op Pragma = "nv_tileas.pragma" {
        results {
            /// Yielded values of the region.
            values: variadic(ANY_TYPE),
        }
        attributes {
            /// Directives at region entry.
            enter_directives = "ocgEnterDirectives": optional(ArrayAttr),
            /// Directives at region exit.
            leave_directives = "ocgLeaveDirectives": optional(ArrayAttr),
        }
        regions {
            /// The region.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[Trait::SingleBlock],
            effects: Effects::Recursive,
            assembly: Assembly::Format("(`->` type($values)^)? attr-dict-with-keyword $body"),
            verify_regions: Some(pragma),
        }
    }

    /// Takes the next program from the queue of the grid.
    ///
    /// For persistent kernels that balance work at run time: the program that would have been
    /// launched is cancelled and the current program does its work.
    op CancelNextProgramId = "nv_tileas.cancel_next_program_id" {
        results {
            /// Whether a program was left.
            valid: one(BOOL),
            /// Coordinates of the program in the grid, one to three; -1 each if none was left.
            ids: variadic(INDEX),
        }
        with {
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("attr-dict `:` type($valid) (`,` type($ids)^)?"),
            verify: Some(cancel_next_program_id),
        }
    }

    /// Requests the next program without waiting for the response.
    op AsyncCancelNextProgramId = "nv_tileas.async.cancel_next_program_id" {
        results {
            /// Completion of the response, for `async.future_wait`.
            done: one(AN_ASYNC_TOKEN),
        }
        with {
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("attr-dict"),
        }
    }
}

/// The types yielded by the only block of the operation.
fn yielded(context: &Context, op: Operation) -> Result<Vec<Type>, Box<Diagnostic>> {
    let last = op
        .body_block(context, 0)
        .and_then(|block| block.last_op(context));
    match last.and_then(|last| Yield::of(context, last)) {
        Some(end) => Ok(end.values(context).iter().map(|v| v.ty(context)).collect()),
        None => Err(op.op_error(context, "expects its region to end with 'nv_tileas.yield'")),
    }
}

/// Checks the types of the arguments of the only region.
pub(super) fn expect_arguments(
    context: &Context,
    op: Operation,
    expected: &[Type],
) -> VerifyResult {
    let block = op.body_block(context, 0);
    let found = block
        .map(|block| block.argument_types(context))
        .unwrap_or_default();
    ensure(context, op, found == expected, || {
        format!(
            "expects region argument types [{}], but got: [{}]",
            types_to_string(context, expected),
            types_to_string(context, &found)
        )
    })
}

/// Checks the types that the only region yields.
pub(super) fn expect_yield(context: &Context, op: Operation, expected: &[Type]) -> VerifyResult {
    let found = yielded(context, op)?;
    ensure(context, op, found == expected, || {
        format!(
            "expects its region to yield [{}], but got: [{}]",
            types_to_string(context, expected),
            types_to_string(context, &found)
        )
    })
}

/// `pragma` yields its results.
fn pragma(context: &Context, op: Operation) -> VerifyResult {
    expect_arguments(context, op, &[])?;
    expect_yield(context, op, &op.result_types(context))
}

/// A program id has one to three coordinates.
fn cancel_next_program_id(context: &Context, op: Operation) -> VerifyResult {
    let count = op.result_count(context).saturating_sub(1);
    ensure(context, op, (1..=3).contains(&count), || {
        format!("expects one to three coordinates, but got {count}")
    })
}
