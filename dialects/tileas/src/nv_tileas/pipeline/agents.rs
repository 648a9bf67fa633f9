//! Verifier of `agent_switch`: one entry for each agent, warp and register budgets (TileAS
//! reference 1.4, C64).

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation};

use super::super::verify::ensure;
use super::{AgentSwitch, PipelineYield};
use crate::nv_tileaa::KernelSpec;

/// Maximum number of registers of a thread, rounded to the allocation granule.
const MAX_REGISTERS: i32 = 256;

/// The register budget as allocated by hardware: the next multiple of 8; `None` for 0, which
/// inherits.
///
/// ```
/// use orison_tileas::nv_tileas::pipeline::register_budget;
/// assert_eq!(register_budget(40), Some(40));
/// assert_eq!(register_budget(41), Some(48));
/// assert_eq!(register_budget(0), None);
/// ```
pub fn register_budget(max_regs: i32) -> Option<i32> {
    (max_regs > 0).then(|| max_regs.saturating_add(7) / 8 * 8)
}

/// Checks the number of entries and the resources of the agents.
pub fn agent_switch(context: &Context, op: Operation) -> VerifyResult {
    let switch = AgentSwitch(op);
    let agents = op.region_count(context);
    ensure(context, op, agents >= 1, || {
        "expects at least one agent".to_owned()
    })?;
    let per_group = switch.num_agents_per_group(context).unwrap_or(0);
    ensure(context, op, per_group >= 1, || {
        format!("expects num_agents_per_group to be at least 1, but got {per_group}")
    })?;
    let holes = switch.holes(context);
    let lists = [
        ("max_regs", switch.max_regs(context).map(|list| list.len())),
        (
            "num_warps",
            switch.num_warps(context).map(|list| list.len()),
        ),
        ("warp_id", switch.warp_id(context).map(|list| list.len())),
        (
            "agent_strides",
            switch.agent_strides(context).map(|list| list.len()),
        ),
        ("holes", holes.as_ref().map(Vec::len)),
    ];
    for (name, length) in lists {
        ensure(
            context,
            op,
            length.is_none_or(|length| length == agents),
            || format!("expects '{name}' to have one entry for each of {agents} agents"),
        )?;
    }
    registers(context, op)?;
    warps(context, op, &holes.unwrap_or_default())
}

fn registers(context: &Context, op: Operation) -> VerifyResult {
    for budget in AgentSwitch(op).max_regs(context).unwrap_or_default() {
        ensure(context, op, (0..=MAX_REGISTERS).contains(&budget), || {
            format!("expects max_regs from 0 to {MAX_REGISTERS}, but got {budget}")
        })?;
    }
    Ok(())
}

/// All agents with an explicit warp count agree; the sum does not exceed the warps of the launch.
/// Agents that only pad the numbering (holes) count, but need not agree.
fn warps(context: &Context, op: Operation, holes: &[bool]) -> VerifyResult {
    let switch = AgentSwitch(op);
    let Some(counts) = switch.num_warps(context) else {
        return Ok(());
    };
    ensure(context, op, counts.iter().all(|count| *count >= 0), || {
        "expects num_warps to be non-negative".to_owned()
    })?;
    let starts = switch.warp_id(context).unwrap_or_default();
    ensure(context, op, starts.iter().all(|start| *start >= 0), || {
        "expects warp_id to be non-negative".to_owned()
    })?;
    let is_hole = |number: &usize| holes.get(*number).copied().unwrap_or(false);
    let mut said = (0..counts.len())
        .filter(|number| !is_hole(number))
        .map(|number| counts[number])
        .filter(|count| *count != 0);
    let agreed = said.next();
    ensure(context, op, said.all(|count| Some(count) == agreed), || {
        "agent regions disagree on warp count".to_owned()
    })?;
    let resolve = |count: &i32| match count {
        0 => agreed.unwrap_or(0),
        count => *count,
    };
    let sum: i64 = counts.iter().map(|count| i64::from(resolve(count))).sum();
    let budget = KernelSpec::around(context, op).and_then(|spec| spec.num_warps);
    ensure(
        context,
        op,
        budget.is_none_or(|budget| sum <= i64::from(budget)),
        || "agent warp count exceeds module budget".to_owned(),
    )
}

/// Each region has no arguments, ends with a yield without operands, and uses only captured values
/// if isolated.
pub fn agent_regions(context: &Context, op: Operation) -> VerifyResult {
    for region in op.regions(context) {
        let Some(block) = region.first_block(context) else {
            continue;
        };
        ensure(context, op, block.argument_count(context) == 0, || {
            "expects agent regions without arguments".to_owned()
        })?;
        let last = block.last_op(context);
        let end = last.and_then(|last| PipelineYield::of(context, last));
        ensure(context, op, end.is_some(), || {
            "pipeline regions must end with 'nv_tileas.async.pipeline.yield'".to_owned()
        })?;
        let empty = end.is_some_and(|end| end.operation().operand_count(context) == 0);
        ensure(context, op, empty, || {
            "expects agent regions to yield nothing".to_owned()
        })?;
    }
    if AgentSwitch(op).isolated(context) == Some(true) {
        isolation(context, op)?;
    }
    Ok(())
}

fn isolation(context: &Context, op: Operation) -> VerifyResult {
    let captures = AgentSwitch(op).captures(context);
    let mut failed = false;
    orison_ir::walk::walk_nested(context, op, |nested| {
        for value in nested.operands(context) {
            let block = value.parent_block(context);
            let owner = block.and_then(|block| block.parent_op(context));
            let inside = owner.is_some_and(|owner| op.is_ancestor_of(context, owner));
            failed |= !inside && !captures.contains(&value);
        }
    });
    ensure(context, op, !failed, || {
        "expects isolated agents to use captured values only".to_owned()
    })
}
