//! Tokens and waits (TileAS reference 1.6).

use orison_ir::declare::constraints::ANY_TYPE;
use orison_ir::declare::{Assembly, Effects, Trait};

use super::traits::MEMORY_CONSISTENCY;
use super::types::{AN_ASYNC_TOKEN, ANY_TOKEN};
use crate::nv_tileaa::types::A_MEM_TOKEN;

orison_ir::operations! {
    /// Creates a token without dependencies.
    op CreateNone = "nv_tileas.create_none" {
        results {
            /// The token.
            token: one(ANY_TOKEN),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict `:` type($token)"),
        }
    }

    /// Creates a completion token for a value: asynchronous work on the value is complete when the
    /// token is.
    op ToAsync = "nv_tileas.async.to_async" {
        operands {
            /// The value, on the storage or the token side.
            value: one(ANY_TYPE),
        }
        results {
            /// Completion of the value.
            done: one(AN_ASYNC_TOKEN),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$value attr-dict `:` type($value)"),
        }
    }

    /// Converts memory order to completion.
    op TokenToAsync = "nv_tileas.async.token_to_async" {
        operands {
            /// The memory-order token.
            token: one(A_MEM_TOKEN),
        }
        results {
            /// The completion token.
            done: one(AN_ASYNC_TOKEN),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$token attr-dict"),
        }
    }

    /// Waits until asynchronous work is complete.
    ///
    /// The mechanism depends on the producer of the token: a barrier, a bulk group or a
    /// matrix-product group.
    op AsyncWait = "nv_tileas.async.wait" {
        operands {
            /// Completion to wait for.
            token: one(AN_ASYNC_TOKEN),
        }
        with {
            traits: &[Trait::Custom(&MEMORY_CONSISTENCY)],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$token attr-dict"),
        }
    }

    /// Waits for an asynchronously computed value.
    op FutureWait = "nv_tileas.async.future_wait" {
        operands {
            /// Completion of the value.
            future: one(AN_ASYNC_TOKEN),
        }
        results {
            /// The value.
            value: one(ANY_TYPE),
        }
        with {
            effects: Effects::Read,
            assembly: Assembly::Format("$future attr-dict `:` type($value)"),
        }
    }
}
