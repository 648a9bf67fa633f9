//! The attributes that the phase leaves: rebuilt after the injections.
//!
//! | attribute | on | meaning |
//! |---|---|---|
//! | `ori.gmma.stage` | arrives, products, commits, waits | the stage, counted from 0 by arrives |
//! | `ori.gmma` | function | `stages`, `depth`: groups in flight at most; `cause`: why serialized |

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Attribute, Context, Identifier};
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{Role, role};

use super::causes::Cause;
use crate::ori::form_accumulators::operations;
use crate::ori::functions::Function;

/// The attribute of operations.
pub const STAGE: &str = "ori.gmma.stage";
/// The attribute of functions.
pub const SUMMARY: &str = "ori.gmma";

/// Numbers the stages of a function and describes them.
pub(super) fn rebuild(
    context: &mut Context,
    function: Function,
    groups: &MatrixGroups,
    flow: &ControlFlowGraph,
    cause: Option<Cause>,
) {
    let mut stages = 0;
    for op in operations(context, function) {
        let Some(role) = role(context, op).filter(|role| *role != Role::Call) else {
            continue;
        };
        stages += i32::from(role == Role::Arrive);
        let stage = Attribute::i32(context, (stages - 1).max(0));
        op.set_attribute(context, STAGE, stage);
    }
    let mut depth = 0;
    for block in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
        groups.walk(context, flow, block, |_, flights| {
            depth = depth.max(flights.depth());
        });
    }
    let depth = i32::try_from(depth).unwrap_or(i32::MAX);
    let mut entries = vec![
        ("depth", Attribute::i32(context, depth)),
        ("stages", Attribute::i32(context, stages)),
    ];
    if let Some(cause) = cause {
        let code = i32::try_from(cause.row().code).unwrap_or(0);
        entries.push(("cause", Attribute::i32(context, code)));
    }
    let entries: Vec<(Identifier, Attribute)> = entries
        .into_iter()
        .map(|(name, value)| (Identifier::new(context, name), value))
        .collect();
    let summary = Attribute::dictionary(context, &entries);
    function.op.set_attribute(context, SUMMARY, summary);
}
