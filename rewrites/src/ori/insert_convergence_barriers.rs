//! The pass `ori-insert-convergence-barriers`: where threads that parted come together again.
//!
//! From sm_70 on each thread has its own program counter, and threads that took different ways meet again
//! only where they wait for each other: `BSSY` takes the threads that arrive together into a barrier, and
//! `BSYNC` waits for those of them that have not ended.

use orison_ir::analyses::{ControlFlowGraph, LoopForest, NaturalLoop, PostDominatorTree};
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Block, Builder, Context, InsertionPoint, Operation};
use orison_ori::analyses::Divergence;
use orison_ori::operations::{Bssy, Bsync};
use orison_ori::{MachineOperation, Register};
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

/// Inserts the barriers of a function; returns the number of regions. Linear in the function and its dominance
/// frontiers, and for each region in the predecessors of its last block.
pub fn insert(context: &mut Context, function: Function) -> usize {
    let flow = ControlFlowGraph::of(context, function.body);
    let shape = Shape::of(&flow);
    let regions = shape.regions(&divergence(context, function, &flow), context);
    // The block that dominates a block that was put in front of a join.
    let mut added: FxHashMap<Block, u32> = FxHashMap::default();
    let mut count = 0;
    for Region { start, end, .. } in regions.iter().rev() {
        let Some(branch) = flow.block(*start).terminator(context) else {
            continue;
        };
        let target = flow.block(*end);
        let repeated = shape.entered(*start, *end);
        let is_inside = |edge: &EdgeId, context: &Context| {
            let from = edge.0.block(context);
            let from =
                from.and_then(|from| added.get(&from).copied().or_else(|| flow.number(from)));
            let is_repeated = |from| repeated.is_some_and(|found| found.contains(from));
            from.is_some_and(|from| flow.dominates(*start, from) && !is_repeated(from))
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
        insert_pair(context, branch, meeting);
        count += 1;
    }
    count
}

/// Inserts the barrier in front of a branch, and the wait where its threads meet.
fn insert_pair(context: &mut Context, branch: Operation, meeting: Block) {
    let location = branch.location(context);
    let barrier = MachineOperation::new(Bssy::NAME).result(Register::B);
    let barrier = barrier.build(
        &mut Builder::at(context, InsertionPoint::Before(branch)),
        location,
    );
    let barrier = barrier.result(context, 0);
    let first = meeting.first_op(context);
    let point = first.map_or(InsertionPoint::End(meeting), InsertionPoint::Before);
    let wait = MachineOperation::new(Bsync::NAME).operand("barrier", barrier);
    wait.build(&mut Builder::at(context, point), location);
}

/// Blocks from the end of one to the start of another: all ways from the first reach the second, and all ways
/// to those between come through the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Region {
    start: u32,
    end: u32,
    /// The smallest region around it, by its place in the list.
    outer: Option<usize>,
}

/// The most regions within each other: as many barriers as every function keeps for its callers.
const DEEPEST: usize = 10;

/// What the regions of a function follow from.
struct Shape<'f> {
    flow: &'f ControlFlowGraph,
    post_dominators: PostDominatorTree,
    forest: LoopForest,
    /// By block: where ways that come through it meet others.
    frontiers: Vec<Vec<u32>>,
}

impl<'f> Shape<'f> {
    fn of(flow: &'f ControlFlowGraph) -> Self {
        Shape {
            flow,
            post_dominators: PostDominatorTree::of(flow),
            forest: LoopForest::of(flow),
            frontiers: frontiers(flow),
        }
    }

    /// The regions of a function, outer ones before inner ones.
    ///
    /// Threads of a region that ends where one around it does would wait twice, and regions that are too deep have
    /// no barrier: both are left out.
    fn regions(&self, divergence: &Divergence, context: &Context) -> Vec<Region> {
        let behind = self.behind();
        let mut ends: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let order = self.flow.reverse_post_order();
        for block in order.iter().copied() {
            let branch = self.flow.block(block).terminator(context);
            if branch.is_some_and(|branch| divergence.parts_warp(branch))
                && let Some((start, end)) = self.region(block)
            {
                ends.entry(start).or_default().push(end);
            }
        }
        let mut regions: Vec<Region> = Vec::new();
        let mut around = vec![None; self.flow.block_count()];
        for block in order.iter().copied() {
            let above = self.flow.dominators().parent(block);
            let mut inner = above.and_then(|above| around[above as usize]);
            while let Some(outer) = inner.map(|inner: usize| regions[inner])
                && (outer.end == block || !self.post_dominators.post_dominates(outer.end, block))
            {
                inner = outer.outer;
            }
            // Of regions with one start, the larger ones have fewer blocks behind them.
            let mut own = ends.remove(&block).unwrap_or_default();
            own.sort_unstable_by_key(|end| (behind[*end as usize], *end));
            for end in own {
                let around = std::iter::successors(inner, |outer| regions[*outer].outer);
                let around: Vec<u32> = around.map(|outer| regions[outer].end).collect();
                if around.len() < DEEPEST && !around.contains(&end) {
                    regions.push(Region {
                        start: block,
                        end,
                        outer: inner,
                    });
                    inner = Some(regions.len() - 1);
                }
            }
            around[block as usize] = inner;
        }
        regions
    }

    /// The first and the last block of the smallest region around a branch.
    fn region(&self, branch: u32) -> Option<(u32, u32)> {
        let mut start = branch;
        let mut end = self.post_dominators.immediate(branch)?;
        loop {
            let left = self.forest.innermost(start);
            let left = left.map(|inner| &self.forest.loops()[inner]);
            if let Some(left) = left.filter(|left| !left.contains(end)) {
                // Threads that leave a loop in different iterations are together only in front of it.
                start = self.flow.dominators().parent(left.header)?;
            } else if self
                .entered(start, end)
                .is_some_and(|entered| entered.header != end)
                || !self.post_dominators.post_dominates(end, start)
            {
                end = self.post_dominators.immediate(end)?;
            } else if !self.is_only_entered_at(start, end) {
                start = self.flow.dominators().parent(start)?;
            } else {
                return Some((start, end));
            }
        }
    }

    /// A loop around the last block of a region that the first is not in.
    fn entered(&self, start: u32, end: u32) -> Option<&NaturalLoop> {
        let loops = self.forest.around(end);
        let mut loops = loops.map(|number| &self.forest.loops()[number]);
        loops.find(|found| !found.contains(start))
    }

    /// Whether all ways to blocks of a region come through the first.
    fn is_only_entered_at(&self, start: u32, end: u32) -> bool {
        let mut met = self.frontiers[start as usize].iter();
        self.flow.dominates(start, end) || met.all(|block| [start, end].contains(block))
    }

    /// The number of blocks that post-dominate each block.
    fn behind(&self) -> Vec<u32> {
        let mut known = vec![0; self.flow.block_count()];
        let mut chain = Vec::new();
        for block in self.flow.reverse_post_order().iter().rev() {
            let mut next = Some(*block);
            while let Some(block) = next.filter(|block| known[*block as usize] == 0) {
                chain.push(block);
                next = self.post_dominators.immediate(block);
            }
            let mut count = next.map_or(0, |block| known[block as usize]);
            while let Some(block) = chain.pop() {
                count += 1;
                known[block as usize] = count;
            }
        }
        known
    }
}

/// The dominance frontiers of all blocks (Cytron et al. 1991, by the method of Cooper, Harvey and Kennedy 2001).
fn frontiers(flow: &ControlFlowGraph) -> Vec<Vec<u32>> {
    let mut frontiers = vec![Vec::new(); flow.block_count()];
    let dominators = flow.dominators();
    for block in flow.reverse_post_order().iter().copied() {
        if flow.predecessors(block).len() < 2 {
            continue;
        }
        for before in flow.predecessors(block).iter().copied() {
            let mut above = flow.is_reachable(before).then_some(before);
            while let Some(from) = above.filter(|from| dominators.parent(block) != Some(*from)) {
                let met: &mut Vec<u32> = &mut frontiers[from as usize];
                if met.last() != Some(&block) {
                    met.push(block);
                }
                above = dominators.parent(from);
            }
        }
    }
    frontiers
}
