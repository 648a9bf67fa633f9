//! Result names in printed IR.

use orison_ir::{Context, Operation};

/// `Pipe_0`, `Pipe_1`, … for data, `Mutex_0`, … for mutual exclusion: numbered per block when
/// printed, as in TileAS reference 6.3.
pub(super) fn pipeline(context: &Context, op: Operation) -> Option<String> {
    let is_mutex = |op: Operation| {
        op.attribute(context, "kind")
            .and_then(|kind| kind.as_str(context))
            == Some("mutex")
    };
    let mutex = is_mutex(op);
    let earlier = std::iter::successors(op.previous(context), |op| op.previous(context))
        .filter(|other| other.name(context) == op.name(context) && is_mutex(*other) == mutex)
        .count();
    Some(format!(
        "{}_{earlier}",
        if mutex { "Mutex" } else { "Pipe" }
    ))
}

/// The pipeline side of an iterator.
pub(super) fn iterator(context: &Context, op: Operation) -> Option<String> {
    op.attribute(context, "role")
        .and_then(|role| role.as_str(context))
        .map(str::to_owned)
}
