//! Nested agents: the inner ones have the warps of the outer one.

use orison_ir::{Context, Diagnostic};
use orison_tileas::nv_tileas::AgentSwitch;

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
