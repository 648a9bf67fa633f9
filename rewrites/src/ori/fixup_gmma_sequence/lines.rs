//! Lines of the source in messages.

use orison_ir::{Context, Operation};

/// The line of an operation; `None` if its location has no position.
pub(super) fn line_of(context: &Context, op: Operation) -> Option<u32> {
    let (_, line, _) = op.location(context).position(context)?;
    Some(line)
}
