//! Warps of agents: distinct in a switch, inside the kernel; nested agents have those of the outer
//! one.

use orison_ir::{Context, Diagnostic};
use orison_tileas::nv_tileaa::KernelSpec;
use orison_tileas::nv_tileas::AgentSwitch;

/// Checks that the agents of a switch have distinct warps, and only warps that the kernel has.
/// Agents without a number of warps have that of the others. Empty agents pad the numbering, also
/// beyond the kernel's warps; the warps before that belong to no other agent.
pub(super) fn check_distinct(
    context: &Context,
    switch: AgentSwitch,
) -> Result<(), Box<Diagnostic>> {
    let op = switch.operation();
    let (Some(starts), Some(counts)) = (switch.warp_id(context), switch.num_warps(context)) else {
        return Ok(());
    };
    let holes = switch.holes(context).unwrap_or_default();
    let is_hole = |agent: usize| holes.get(agent).copied().unwrap_or(false);
    let mut given = counts.iter().enumerate();
    let agreed = given.find(|(agent, count)| **count > 0 && !is_hole(*agent));
    let agreed = agreed.map_or(0, |(_, count)| *count);
    let ranges = starts.iter().zip(&counts).map(|(start, count)| {
        let count = if *count == 0 { agreed } else { *count };
        *start..start.saturating_add(count)
    });
    let ranges: Vec<std::ops::Range<i32>> = ranges.collect();
    for (agent, range) in ranges.iter().enumerate() {
        let mut others = ranges[..agent].iter().enumerate();
        let meets =
            |other: &std::ops::Range<i32>| range.start < other.end && other.start < range.end;
        if let Some((other, _)) = others.find(|(_, other)| meets(other)) {
            let message = format!(
                "agent {agent} has warps {} to {}, which overlap those of agent {other}",
                range.start,
                range.end - 1
            );
            return Err(op.op_error(context, message));
        }
    }
    let available = KernelSpec::around(context, op).and_then(|spec| spec.num_warps);
    let agents = ranges
        .iter()
        .enumerate()
        .filter(|(agent, _)| !is_hole(*agent));
    let last = agents.map(|(_, range)| range.end).max().unwrap_or(0);
    match available {
        Some(available) if last > available => {
            let message = format!(
                "has an agent with warp {}, but the kernel has {available} warps",
                last - 1
            );
            Err(op.op_error(context, message))
        }
        _ => Ok(()),
    }
}

/// Checks a switch in an agent of another switch.
pub(super) fn check(context: &Context, switch: AgentSwitch) -> Result<(), Box<Diagnostic>> {
    let op = switch.operation();
    let mut inner = op;
    for around in op.ancestors(context) {
        let Some(outer) = AgentSwitch::of(context, around) else {
            inner = around;
            continue;
        };
        let agent = inner
            .parent_region(context)
            .map(|region| region.number(context));
        let available = outer
            .num_warps(context)
            .zip(agent)
            .and_then(|(warps, agent)| warps.get(agent).copied())
            .filter(|warps| *warps > 0);
        let wanted: Option<i32> = switch.num_warps(context).map(|warps| warps.iter().sum());
        if available
            .zip(wanted)
            .is_some_and(|(has, wants)| wants > has)
        {
            let message = "inconsistent numWarps in the agent switch, maybe it is called in \
                           different agents with different numWarps";
            return Err(op.op_error(context, message));
        }
        return Ok(());
    }
    Ok(())
}
