//! The pass `ori-insert-convergence-barriers`: where threads that parted come together again.
//!
//! From sm_70 on each thread has its own program counter, and threads that took different ways meet again
//! only where they wait for each other: `BSSY` takes the threads that arrive together into a barrier, and
//! `BSYNC` waits for those of them that have not ended.

use std::collections::BTreeSet;

use orison_ir::analyses::{ControlFlowGraph, LoopForest, PostDominatorTree};
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Block, Builder, Context, InsertionPoint};
use orison_ori::MachineOperation;
use orison_ori::Register;
use orison_ori::operations::{Bssy, Bsync};
use rustc_hash::FxHashMap;

use super::functions::{Function, divergence, functions};
use super::surgery::{EdgeId, join_edges};

const REGIONS: &str = "num-regions";

/// The pass `ori-insert-convergence-barriers`.
#[derive(Clone, Debug)]
pub struct InsertConvergenceBarriers;

impl Pass for InsertConvergenceBarriers {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<InsertConvergenceBarriers>(
        "ori-insert-convergence-barriers",
        "Makes threads that part at a branch wait for each other where their ways meet.\n\
         \n\
         A branch that parts the threads of a warp begins a region: `ori.bssy` in front of it, or in front of the \
         loops that threads leave in different iterations; `ori.bsync` at the block that all ways reach.\n\n\
         Source: reference sections 1.4 and 10; docs/ori-registers.md.",
        source_position!(),
    )
    .with_statistics(&[Statistic {
        name: REGIONS,
        summary: "Number of regions at whose ends threads wait for each other",
    }]);

    fn create((): ()) -> Self {
        InsertConvergenceBarriers
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut status = IRStatus::Unchanged;
        for function in functions(pass.context, pass.op()) {
            let count = insert(pass.context, function);
            pass.count(REGIONS, count as u64);
            if count > 0 {
                status = IRStatus::Changed;
            }
        }
        Ok(status)
    }
}

/// Inserts the barriers of a function; returns the number of regions. Linear in the function, and for each
/// region in the predecessors of its last block.
pub fn insert(context: &mut Context, function: Function) -> usize {
    let flow = ControlFlowGraph::of(context, function.body);
    let regions = regions(context, function, &flow);
    // The block that dominates a block that was put in front of a join.
    let mut added: FxHashMap<Block, u32> = FxHashMap::default();
    let mut count = 0;
    for Region { start, end, .. } in regions.iter().rev() {
        let Some(branch) = flow.block(*start).terminator(context) else {
            continue;
        };
        let target = flow.block(*end);
        let is_inside = |edge: &EdgeId, context: &Context| {
            let from = edge.0.block(context);
            let from =
                from.and_then(|from| added.get(&from).copied().or_else(|| flow.number(from)));
            from.is_some_and(|from| flow.dominates(*start, from))
        };
        let edges: Vec<EdgeId> = target.predecessor_edges(context).collect();
        let inside: Vec<EdgeId> = edges
            .iter()
            .filter(|edge| is_inside(edge, context))
            .copied()
            .collect();
        let meeting = match inside.len() == edges.len() {
            true => target,
            false => match join_edges(context, target, &inside, Some(target)) {
                Some(block) => {
                    added.insert(block, *start);
                    block
                }
                None => continue,
            },
        };
        let location = branch.location(context);
        let barrier = MachineOperation::new(Bssy::NAME).result(Register::B);
        let barrier = barrier.build(
            &mut Builder::at(context, InsertionPoint::Before(branch)),
            location,
        );
        let barrier = barrier.result(context, 0);
        // The threads of inner regions meet before those of outer ones.
        let first = meeting
            .operations(context)
            .find(|op| Bsync::of(context, *op).is_none());
        let point = first.map_or(InsertionPoint::End(meeting), InsertionPoint::Before);
        let wait = MachineOperation::new(Bsync::NAME).operand("barrier", barrier);
        wait.build(&mut Builder::at(context, point), location);
        count += 1;
    }
    count
}

/// Blocks from the end of one to the start of another: all ways from the first reach the second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Region {
    /// The depth of the first block in the dominator tree: a region within another one is deeper.
    depth: u32,
    start: u32,
    /// The number of blocks that post-dominate the last one: of regions with one start, the larger ones have
    /// fewer and come first.
    behind: u32,
    end: u32,
}

/// The regions of a function, outer ones before inner ones.
fn regions(context: &Context, function: Function, flow: &ControlFlowGraph) -> BTreeSet<Region> {
    let divergence = divergence(context, function, flow);
    let post_dominators = PostDominatorTree::of(flow);
    let forest = LoopForest::of(flow);
    let distance = |block: u32| {
        let above = std::iter::successors(Some(block), |block| post_dominators.immediate(*block));
        u32::try_from(above.count()).unwrap_or(u32::MAX)
    };
    let mut regions = BTreeSet::new();
    for block in flow.reverse_post_order().iter().copied() {
        let branch = flow.block(block).terminator(context);
        if !branch.is_some_and(|branch| divergence.parts_warp(branch)) {
            continue;
        }
        let mut start = block;
        let mut end = post_dominators.immediate(block);
        // Threads that leave a loop in different iterations are together only in front of it.
        while let Some(last) = end {
            let left = forest
                .innermost(start)
                .filter(|inner| !forest.loops()[*inner].contains(last));
            if let Some(left) = left {
                let header = forest.loops()[left].header;
                match flow.dominators().parent(header) {
                    Some(above) => start = above,
                    None => end = None,
                }
            } else if post_dominators.post_dominates(last, start) {
                break;
            } else {
                end = post_dominators.immediate(last);
            }
        }
        if let Some(end) = end {
            regions.insert(Region {
                depth: flow.dominators().depth(start),
                start,
                behind: distance(end),
                end,
            });
        }
    }
    regions
}
