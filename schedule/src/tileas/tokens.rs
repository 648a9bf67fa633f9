//! Tokens: the values that order operations.
//!
//! Source: TileAS reference 1.6.

use orison_ir::{Context, Operation, Value};
use orison_tileas::nv_tileas::types::{ANY_TOKEN, ASYNC_TOKEN_TYPE};

/// Whether a value is a token of any kind.
pub(super) fn is_token(context: &Context, value: Value) -> bool {
    (ANY_TOKEN.check)(context, value.ty(context))
}

/// The tokens that signal completion of an asynchronous operation.
pub fn async_tokens(context: &Context, op: Operation) -> Vec<Value> {
    let is_token = |value: &Value| value.ty(context).is_declared_by(context, &ASYNC_TOKEN_TYPE);
    op.results(context).filter(is_token).collect()
}
