//! Peeling and rotation of loops.

use orison_ir::analyses::{ControlFlowGraph, NaturalLoop};
use orison_ir::{Block, Context, Mapping, Operation, Region, Use, Value};

use super::{SsaRepair, Variable, clone_blocks};

/// Redirects the edges of a branch from one block to another one, with what they pass.
pub(super) fn redirect(context: &mut Context, branch: Operation, from: Block, to: Block) {
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
/// Linear in the function and the uses of the values of the headers. Where a loop has other exits
/// to the same block, for each value that is used behind them also in the blocks at whose start it
/// is live.
pub fn rotate(
    context: &mut Context,
    body: Region,
    flow: &ControlFlowGraph,
    loops: &[&NaturalLoop],
) -> Vec<Block> {
    let mut rotated = Vec::new();
    for natural in loops {
        let before = natural.preheader(flow).map(|block| flow.block(block));
        let enter = before.and_then(|before| before.terminator(context));
        let inside = tested_body(flow, natural);
        let (Some(before), Some(enter), Some(inside)) = (before, enter, inside) else {
            continue;
        };
        let header = flow.block(natural.header);
        let mapping = clone_blocks(context, &[header], before);
        redirect(context, enter, header, mapping.lookup_block(header));
        rotated.push(Rotated {
            header,
            copied: mapping.lookup_block(header),
            body: flow.block(inside),
            mapping,
        });
    }
    let flow = ControlFlowGraph::of(context, body);
    let mut repair = SsaRepair::new(&flow);
    for one in &rotated {
        one.join_definitions(context, &mut repair, &flow);
    }
    repair.finish(context);
    rotated.iter().map(|one| one.copied).collect()
}

/// A loop whose test has a copy.
struct Rotated {
    /// The test.
    header: Block,
    /// The copy in front of the loop.
    copied: Block,
    /// The header of the loop now: both lead to it.
    body: Block,
    /// From the test to the copy.
    mapping: Mapping,
}

impl Rotated {
    /// Lets the uses of the values of the test in other blocks be reached by them or by those of
    /// the copy.
    fn join_definitions(
        &self,
        context: &mut Context,
        repair: &mut SsaRepair<'_>,
        flow: &ControlFlowGraph,
    ) {
        let numbers = [self.header, self.copied, self.body].map(|block| flow.number(block));
        let [Some(header), Some(copied), Some(body)] = numbers else {
            return;
        };
        // Where only the test and its copy lead, their values meet.
        let only_these = |block: &u32| {
            let mut before = flow.predecessors(*block).iter();
            before.all(|block| *block == header || *block == copied)
        };
        let successors = flow.successors(header).iter().copied();
        let meetings: Vec<u32> = successors.filter(only_these).collect();
        debug_assert!(meetings.contains(&body));
        let arguments: Vec<Value> = self.header.arguments(context).collect();
        let results = self.header.operations(context);
        let results: Vec<Value> = results.flat_map(|op| op.results(context)).collect();
        for value in arguments.into_iter().chain(results) {
            let elsewhere = |usage: &Use| flow.block_around(context, usage.owner) != Some(header);
            let mut uses: Vec<Use> = value.uses(context).filter(elsewhere).collect();
            let mut variable = Variable::like(context, value);
            variable.definitions.insert(header, value);
            variable
                .definitions
                .insert(copied, self.mapping.lookup(value));
            for meeting in &meetings {
                let below = |usage: &Use| {
                    let home = flow.block_around(context, usage.owner);
                    home.is_some_and(|home| flow.dominates(*meeting, home))
                };
                let (here, rest) = uses.into_iter().partition(below);
                repair.meet(context, &variable, *meeting, here);
                uses = rest;
            }
            repair.repair(context, &variable, &uses);
        }
    }
}
