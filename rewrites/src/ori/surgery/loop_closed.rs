//! Loop-closed form: values of a loop leave it through arguments of its exit blocks.

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ir::{Context, Use, Value};
use rustc_hash::FxHashSet;

use super::{SsaRepair, Variable};

/// Brings loops into loop-closed form: a value that is defined in a loop is used outside only as an
/// operand that an exit edge passes. Then copies of the loop need no other repair.
///
/// The exit blocks of the loops must have no predecessors outside of them. Loops, given by their
/// indices in the forest, are closed from the inside out. Returns whether anything changed; the flow
/// graph did not. Linear in the values that leave loops and, for each, in the blocks at whose start
/// it is live.
pub fn close_loops(
    context: &mut Context,
    flow: &ControlFlowGraph,
    forest: &LoopForest,
    loops: &[usize],
) -> bool {
    let mut order = loops.to_vec();
    order.sort_unstable_by(|a, b| b.cmp(a));
    order.dedup();
    let mut changed = false;
    for number in order {
        let natural = &forest.loops()[number];
        let exits: FxHashSet<u32> = natural.exits.iter().map(|(_, to)| *to).collect();
        let mut repair = SsaRepair::new(flow);
        for block in &natural.blocks {
            let block = flow.block(*block);
            let arguments = block.arguments(context).collect::<Vec<_>>();
            let results = block.operations(context);
            let results: Vec<Value> = results.flat_map(|op| op.results(context)).collect();
            for value in arguments.into_iter().chain(results) {
                changed |= close(context, flow, &mut repair, &exits, value, |block| {
                    natural.contains(block)
                });
            }
        }
        repair.finish(context);
    }
    changed
}

/// Lets the uses of a value outside of its loop go through arguments of exit blocks.
fn close(
    context: &mut Context,
    flow: &ControlFlowGraph,
    repair: &mut SsaRepair<'_>,
    exits: &FxHashSet<u32>,
    value: Value,
    is_inside: impl Fn(u32) -> bool,
) -> bool {
    let outside = |usage: &Use| {
        let home = flow.block_around(context, usage.owner);
        home.is_some_and(|home| !is_inside(home) && flow.is_reachable(home))
    };
    let uses: Vec<Use> = value.uses(context).filter(outside).collect();
    let Some(home) = value.parent_block(context) else {
        return false;
    };
    let (Some(home), false) = (flow.number(home), uses.is_empty()) else {
        return false;
    };
    let mut variable = Variable::like(context, value);
    variable.definitions.insert(home, value);
    let places = uses
        .iter()
        .filter_map(|usage| flow.block_around(context, usage.owner));
    let live = repair.live_blocks(&variable, places);
    variable.definitions.clear();
    for exit in live.into_iter().filter(|block| exits.contains(block)) {
        let block = flow.block(exit);
        let argument = block.add_argument(context, variable.ty, variable.location);
        let edges: Vec<_> = block.predecessor_edges(context).collect();
        for (branch, way) in edges {
            repair.append(context, branch, way, value);
        }
        variable.definitions.insert(exit, argument);
    }
    // In an exit block its argument is there from the start.
    let mut behind = Vec::new();
    for usage in uses {
        let home = flow.block_around(context, usage.owner);
        match home.and_then(|home| variable.definitions.get(&home)) {
            Some(argument) => usage.owner.set_operand(context, usage.operand, *argument),
            None => behind.push(usage),
        }
    }
    repair.repair(context, &variable, &behind);
    true
}
