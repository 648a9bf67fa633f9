//! Structure: terminator of tile regions, directives, next program id (TileAS reference 1.9).

use orison_ir::declare::constraints::{ANY_TYPE, BOOL, INDEX};
use orison_ir::declare::{ArrayAttr, Assembly, Effects, RegionConstraint, Trait};

use super::types::AN_ASYNC_TOKEN;
use super::verify::control as rules;

orison_ir::operations! {
    /// Ends the region of `reduce`, `scan`, `generate` or `pragma`.
    op Yield = "nv_tileas.yield" {
        operands {
            /// What the region computes.
            values: variadic(ANY_TYPE),
        }
        with {
            traits: &[
                Trait::Terminator,
                Trait::ReturnLike,
                Trait::HasParent(&[
                    "nv_tileas.reduce",
                    "nv_tileas.scan",
                    "nv_tileas.generate",
                    "nv_tileas.pragma",
                ]),
            ],
            effects: Effects::None,
            assembly: Assembly::Format("($values^ `:` type($values))? attr-dict"),
        }
    }

    /// A region under directives of the backend.
    ///
    /// The directives are given to the backend when the region is entered and left.
    op Pragma = "nv_tileas.pragma" {
        results {
            /// What the region yields.
            values: variadic(ANY_TYPE),
        }
        attributes {
            /// Directives at the start of the region.
            enter_directives = "ocgEnterDirectives": optional(ArrayAttr),
            /// Directives at the end of the region.
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
            verify_regions: Some(rules::pragma),
        }
    }

    /// Takes the next program from the queue of the grid.
    ///
    /// For persistent kernels that balance work at run time: the program that would have run is
    /// cancelled and its work done here.
    op CancelNextProgramId = "nv_tileas.cancel_next_program_id" {
        results {
            /// Whether a program was left.
            valid: one(BOOL),
            /// Coordinates of the program in the grid, one to three; -1 each when none was left.
            ids: variadic(INDEX),
        }
        with {
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("attr-dict `:` type($valid) (`,` type($ids)^)?"),
            verify: Some(rules::cancel_next_program_id),
        }
    }

    /// Asks for the next program without waiting for the answer.
    op AsyncCancelNextProgramId = "nv_tileas.async.cancel_next_program_id" {
        results {
            /// Completion of the answer; `async.future_wait` gives it.
            done: one(AN_ASYNC_TOKEN),
        }
        with {
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("attr-dict"),
        }
    }
}
