//! Peeling and rotation of loops.

use orison_ir::analyses::{ControlFlowGraph, NaturalLoop};
use orison_ir::{Block, Context, Mapping, Operation, Region, Use, Value};
use rustc_hash::FxHashMap;

use super::{SsaRepair, Variable, clone_blocks};

/// Redirects the edges of a branch from one block to another one, with what they pass.
fn redirect(context: &mut Context, branch: Operation, from: Block, to: Block) {
    for way in 0..branch.successor_count(context) {
        if branch.successor(context, way) == Some(from) {
            branch.set_successor(context, way, to);
        }
    }
}

/// Copies the body of a loop in front of it, for the first iteration. Returns the mapping to the
/// copy; `None`, without a change, if the loop has no preheader.
///
/// The loop must be in loop-closed form ([`super::close_loops`]). Linear in the body.
pub fn peel_first_iteration(
    context: &mut Context,
    flow: &ControlFlowGraph,
    natural: &NaturalLoop,
) -> Option<Mapping> {
    let before = flow.block(natural.preheader(flow)?);
    let enter = before.terminator(context)?;
    let header = flow.block(natural.header);
    let blocks = natural.blocks.iter().map(|block| flow.block(*block));
    let blocks: Vec<Block> = blocks.collect();
    let mapping = clone_blocks(context, &blocks, before);
    let copy = mapping.lookup_block(header);
    redirect(context, enter, header, copy);
    for latch in &natural.latches {
        let latch = mapping.lookup_block(flow.block(*latch));
        if let Some(back) = latch.terminator(context) {
            redirect(context, back, copy, header);
        }
    }
    Some(mapping)
}

/// The block behind the test of a loop that is tested at its start: the loop has a preheader, and
/// its header ends in a branch of which one way leaves the loop and the other one leads to a block
/// that nothing else leads to.
pub fn tested_body(flow: &ControlFlowGraph, natural: &NaturalLoop) -> Option<u32> {
    let [a, b] = flow.successors(natural.header) else {
        return None;
    };
    let body = match (natural.contains(*a), natural.contains(*b)) {
        (true, false) => *a,
        (false, true) => *b,
        _ => return None,
    };
    let alone = body != natural.header && flow.predecessors(body).len() == 1;
    (alone && natural.preheader(flow).is_some()).then_some(body)
}

/// Turns loops that are tested at their start into ones that are tested at their end, behind a copy
/// of the test: the header is copied in front of the loop, and the block behind it becomes the
/// header. Loops without [`tested_body`] are left alone. Returns the copies of the tests.
///
/// Linear in the function, and for each value of a header in the blocks at whose start it is live.
pub fn rotate(context: &mut Context, body: Region, flow: &ControlFlowGraph, loops: &[&NaturalLoop]) -> Vec<Block> {
    let mut rotated = Vec::new();
    for natural in loops {
        let before = natural.preheader(flow).filter(|_| tested_body(flow, natural).is_some());
        let Some(before) = before.map(|block| flow.block(block)) else {
            continue;
        };
        let Some(enter) = before.terminator(context) else {
            continue;
        };
        let header = flow.block(natural.header);
        let mapping = clone_blocks(context, &[header], before);
        redirect(context, enter, header, mapping.lookup_block(header));
        rotated.push((header, mapping));
    }
    let flow = ControlFlowGraph::of(context, body);
    let mut repair = SsaRepair::new(&flow);
    for (header, mapping) in &rotated {
        join_definitions(context, &flow, &mut repair, *header, mapping);
    }
    repair.finish(context);
    let copies = rotated.iter();
    copies.map(|(header, mapping)| mapping.lookup_block(*header)).collect()
}

/// Lets the uses of the values of a block in other blocks be reached by them or by those of its
/// copy.
fn join_definitions(
    context: &mut Context,
    flow: &ControlFlowGraph,
    repair: &mut SsaRepair<'_>,
    block: Block,
    mapping: &Mapping,
) {
    let copied = mapping.lookup_block(block);
    let (Some(number), Some(copied)) = (flow.number(block), flow.number(copied)) else {
        return;
    };
    let arguments: Vec<Value> = block.arguments(context).collect();
    let results = block.operations(context).flat_map(|op| op.results(context));
    let values: Vec<Value> = arguments.into_iter().chain(results).collect();
    for value in values {
        let elsewhere = |usage: &Use| flow.block_around(context, usage.owner) != Some(number);
        let uses: Vec<Use> = value.uses(context).filter(elsewhere).collect();
        if !uses.is_empty() {
            let definitions = [(number, value), (copied, mapping.lookup(value))];
            let variable = Variable {
                definitions: FxHashMap::from_iter(definitions),
                ..Variable::like(context, value)
            };
            repair.repair(context, &variable, &uses);
        }
    }
}
