//! Waits that complete fewer values.

use orison_ir::{Builder, Context, InsertionPoint, Operation, Value};
use orison_ori::MachineOperation;

/// Keeps, of the values in a group of operands of a wait, those whose completed values are in demand; what
/// read the others reads what was there before the wait. Returns how many were dropped.
pub fn keep_awaited(
    context: &mut Context,
    wait: Operation,
    group: &'static str,
    is_kept: impl Fn(&Context, Value) -> bool,
) -> u64 {
    let values = wait.operands_named(context, group).into_iter();
    let (kept, dropped): (Vec<_>, Vec<_>) = values
        .zip(wait.results(context))
        .partition(|(_, complete)| is_kept(context, *complete));
    let Some(copy) = MachineOperation::copy_of(context, wait).filter(|_| !dropped.is_empty())
    else {
        return 0;
    };
    for (value, complete) in &dropped {
        complete.replace_all_uses_with(context, *value);
    }
    let mut copy = copy.without(group).without_results();
    for (value, complete) in &kept {
        copy = copy.operand(group, *value);
        copy = copy.results_like(context, &[*complete]);
    }
    let location = wait.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(wait));
    let new = copy.build(&mut builder, location);
    for (number, (_, complete)) in kept.into_iter().enumerate() {
        let result = new.result(context, number);
        complete.replace_all_uses_with(context, result);
    }
    wait.erase(context);
    dropped.len() as u64
}
