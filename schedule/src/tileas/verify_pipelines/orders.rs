//! The list schedule: in a loop, stage and order together identify one operation.
//!
//! Only innermost loops have schedules, and operations in a branch of one are a second copy of the
//! loop's work, for another iteration.

use std::collections::BTreeMap;

use orison_host::scf;
use orison_ir::{Context, Diagnostic, Operation};

use super::super::attributes::{ORDER, STAGE};

/// Checks the operations of a loop that have stage and order: pairs are unique and not negative.
pub(super) fn check(context: &Context, looped: Operation) -> Result<(), Box<Diagnostic>> {
    let mut seen: BTreeMap<(i32, i32), Operation> = BTreeMap::new();
    for op in own_operations(context, looped) {
        let number = |key: &str| op.attribute(context, key)?.as_i32(context);
        let (Some(stage), Some(order)) = (number(STAGE), number(ORDER)) else {
            continue;
        };
        if stage < 0 || order < 0 {
            let message =
                format!("has stage {stage} and order {order}, which must not be negative");
            return Err(op.op_error(context, message));
        }
        if let Some(other) = seen.insert((stage, order), op) {
            let message = format!(
                "has the same stage {stage} and order {order} as another operation of its loop"
            );
            let error = op.op_error(context, message);
            return Err(Box::new(
                error.with_note(other.location(context), "the other one is here"),
            ));
        }
    }
    Ok(())
}

/// The operations of an innermost loop, without those in branches; empty for other loops.
fn own_operations(context: &Context, looped: Operation) -> Vec<Operation> {
    let mut found = Vec::new();
    let mut pending = vec![looped];
    while let Some(op) = pending.pop() {
        for region in op.regions(context) {
            for block in region.blocks(context) {
                for inner in block.operations(context) {
                    if inner.is_one_of(context, &[scf::For::DEFINITION, scf::While::DEFINITION]) {
                        return Vec::new();
                    }
                    if !scf::If::matches(context, inner) {
                        pending.push(inner);
                    }
                    found.push(inner);
                }
            }
        }
    }
    found
}
