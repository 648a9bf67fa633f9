//! Rule 3: storage into which both arms of a branch insert is allocated in each arm.

use orison_host::scf;
use orison_ir::{
    Context, Declined, InsertionPoint, Mapping, Operation, Rewriter, RuleResult, Value,
};

use super::{insert_chain, scf_arm};
use crate::nv_tileas::AllocTensor;

orison_ir::rule!(
    pub BRANCH_ALLOC, "nv-tileas-if-private-alloc",
    "storage that both arms of scf.if insert into and yield is allocated in each arm",
    scf::If::NAME, apply
);

fn apply(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (Some((_, then_end)), Some((_, else_end))) =
        (scf_arm(context, op, 0), scf_arm(context, op, 1))
    else {
        return Declined::because("the branch does not have two arms that yield");
    };
    let mut reason = "no result is inserted into in both arms";
    let mut found = None;
    for number in 0..op.result_count(context) {
        let values = (
            then_end.operands(context).nth(number),
            else_end.operands(context).nth(number),
        );
        let (Some(then_value), Some(else_value)) = values else {
            continue;
        };
        match shared_alloc(context, op, then_value, else_value) {
            Ok(alloc) => found = found.or(Some(alloc)),
            Err(declined) => reason = declined,
        }
    }
    let Some(alloc) = found else {
        return Declined::because(reason);
    };
    for arm in 0..2 {
        privatise(rewriter, op, arm, alloc);
    }
    rewriter.erase(alloc.operation());
    Ok(())
}

/// The allocation at the start of the chains of both arms, outside the branch and without other
/// uses.
fn shared_alloc(
    context: &Context,
    op: Operation,
    then_value: Value,
    else_value: Value,
) -> Result<AllocTensor, &'static str> {
    let (then_chain, then_root) = insert_chain(context, then_value);
    let (else_chain, else_root) = insert_chain(context, else_value);
    if then_chain.is_empty() || else_chain.is_empty() {
        return Err("no result is inserted into in both arms");
    }
    if then_root != else_root {
        return Err("the arms insert into different storage");
    }
    let alloc = then_root
        .defining_op(context)
        .and_then(|def| AllocTensor::of(context, def));
    let alloc = alloc.ok_or("the storage is not the result of an alloc_tensor")?;
    if op.is_ancestor_of(context, alloc.operation()) {
        return Err("the storage is allocated in the branch already");
    }
    // The last use may be anywhere; uses outside the chains could observe the insertions.
    let chains = |user: &Operation| then_chain.contains(user) || else_chain.contains(user);
    if !then_root.users(context).all(|user| chains(&user)) {
        return Err("the storage is used outside the chains of insertions");
    }
    if !then_chain
        .iter()
        .chain(&else_chain)
        .all(|user| op.is_ancestor_of(context, *user))
    {
        return Err("the storage is inserted into outside the branch");
    }
    Ok(alloc)
}

/// Clones the allocation to the start of an arm and redirects the uses there.
fn privatise(rewriter: &mut Rewriter<'_>, op: Operation, arm: usize, alloc: AllocTensor) {
    let context = rewriter.ir();
    let Some((block, _)) = scf_arm(context, op, arm) else {
        return;
    };
    let first = block.first_op(context);
    let old = alloc.buffer(context);
    let copy = alloc
        .operation()
        .clone_into(rewriter.context(), &mut Mapping::default());
    rewriter.set_insertion_point(first.map_or(InsertionPoint::End(block), InsertionPoint::Before));
    rewriter.insert(copy);
    let new = copy.result(rewriter.ir(), 0);
    let Some(region) = block.region(rewriter.ir()) else {
        return;
    };
    let mut users = Vec::new();
    old.replace_uses_if(rewriter.context(), new, |context, used| {
        let parent = used.owner.parent_region(context);
        let inside = parent.is_some_and(|parent| region.is_ancestor_of(context, parent));
        if inside {
            users.push(used.owner);
        }
        inside
    });
    for user in users {
        rewriter.modified(user);
    }
}
