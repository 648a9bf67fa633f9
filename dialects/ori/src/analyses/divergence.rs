//! Divergence: values that may differ between the threads of a warp, and branches that split it.
//!
//! Every value is uniform unless it is a source of divergence (thread indices, loads of
//! thread-local memory) or depends on a varying value. A branch on a varying value splits the warp:
//! block arguments at the join points of its paths vary, and so do values computed in a loop that
//! threads left in different iterations. ptxas calls these values varying (phases 53 and 70).
//!
//! Each value changes its state at most once. A divergent branch is processed once, up to the block
//! where all of its threads reconverge. Where nested or chained branches make this more than
//! 256 steps a block, the rest of the function counts as diverged: threads may join at every
//! block with several predecessors, and leave every loop in different iterations.

mod uneven;

use std::collections::BinaryHeap;

use orison_ir::analyses::{ControlFlowGraph, DefUse, LoopForest, PostDominatorTree};
use orison_ir::declare::{Effects, PassedRanges, Trait};
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation, Use, Value};
use orison_machine::{Lanes, Space};
use rustc_hash::{FxHashMap, FxHashSet};

use self::uneven::UnevenLoops;
use super::properties::{self, immediate};
use crate::Register;
use crate::keywords::{ShuffleMode, keyword_of};
use crate::opcodes;
use crate::operations::stack::SlotAddress;
use crate::operations::structure::Func;

/// The most blocks that are visited behind divergent branches, for each block of the function and
/// in any function.
const STEPS: usize = 256;
const LEAST_STEPS: usize = 1 << 20;

/// The rule for an operation's results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Transfer {
    Uniform,
    Varying,
    /// They are values of other lanes.
    Shuffle,
    /// The results vary if an operand does.
    Operands,
}

/// The values that vary within a warp, and the blocks where the warp may be split.
#[derive(Clone, Debug, Default)]
pub struct Divergence {
    varying: FxHashSet<Value>,
    /// Branches that split the warp.
    divergent: FxHashSet<Operation>,
    /// Blocks where diverged threads join.
    joins: FxHashSet<u32>,
    /// Loops that threads leave in different iterations, by index in the forest.
    uneven: UnevenLoops,
}

impl Divergence {
    /// Whether a value may differ between threads that execute the same operation together.
    pub fn is_varying(&self, value: Value) -> bool {
        self.varying.contains(&value)
    }

    /// Whether a value may differ between the threads that execute an operation which reads it: it
    /// varies, or threads left the loop that computed it in different iterations.
    pub fn reads_varying(
        &self,
        context: &Context,
        analyses: &FlowAnalyses<'_>,
        op: Operation,
        value: Value,
    ) -> bool {
        if self.is_varying(value) {
            return true;
        }
        let flow = analyses.flow;
        let home = value.parent_block(context);
        let home = home.and_then(|block| flow.number(block));
        let (Some(home), Some(here)) = (home, flow.block_around(context, op)) else {
            return false;
        };
        self.uneven.part(analyses.loops, home, here)
    }

    /// Whether all threads that execute it together see the same value.
    pub fn is_uniform(&self, value: Value) -> bool {
        !self.is_varying(value)
    }

    /// Whether a branch may send threads of one warp to different blocks.
    pub fn parts_warp(&self, branch: Operation) -> bool {
        self.divergent.contains(&branch)
    }

    /// Whether diverged threads may join at the beginning of a block.
    pub fn is_join(&self, block: u32) -> bool {
        self.joins.contains(&block)
    }

    /// Whether threads of one warp may leave a loop in different iterations.
    pub fn is_left_unevenly(&self, number: usize) -> bool {
        self.uneven.contains(number)
    }

    /// Computes the divergence of the blocks of a function.
    pub fn of(context: &Context, function: Operation, analyses: &FlowAnalyses<'_>) -> Self {
        let mut solver = Solver {
            context,
            analyses,
            pending: Vec::new(),
            is_kernel: Func::of(context, function).is_some_and(|f| f.kernel(context).is_some()),
            passed: FxHashMap::default(),
            steps: LEAST_STEPS.max(STEPS * analyses.flow.block_count()),
            result: Divergence::default(),
        };
        solver.start();
        solver.solve();
        solver.result
    }
}

/// The inputs and the state of the analysis.
#[derive(Clone, Copy, Debug)]
pub struct FlowAnalyses<'a> {
    /// The flow graph.
    pub flow: &'a ControlFlowGraph,
    /// The post-dominator tree.
    pub post_dominators: &'a PostDominatorTree,
    /// The loops.
    pub loops: &'a LoopForest,
    /// The values passed to block arguments.
    pub chains: &'a DefUse,
}

struct Solver<'a> {
    context: &'a Context,
    analyses: &'a FlowAnalyses<'a>,
    /// Worklist of varying values whose uses have not been visited.
    pending: Vec<Value>,
    /// Whether the function is a kernel.
    is_kernel: bool,
    /// The values passed by the visited branches.
    passed: FxHashMap<Operation, PassedRanges>,
    /// The blocks that may still be visited behind divergent branches.
    steps: usize,
    result: Divergence,
}

impl Solver<'_> {
    fn start(&mut self) {
        let flow = self.analyses.flow;
        // The arguments of a function that is not a kernel may have any value.
        if let Some(entry) = flow.blocks().first().filter(|_| !self.is_kernel) {
            for argument in entry.arguments(self.context) {
                self.mark(argument);
            }
        }
        for block in flow.reverse_post_order() {
            for op in flow.block(*block).operations(self.context) {
                self.visit(op);
            }
        }
    }

    fn solve(&mut self) {
        let context = self.context;
        while let Some(value) = self.pending.pop() {
            for usage in value.uses(context) {
                if usage.owner.successor_count(context) > 0 {
                    self.visit_passed(usage);
                } else {
                    self.visit(usage.owner);
                }
            }
        }
    }

    fn mark(&mut self, value: Value) {
        let register = Register::of(self.context, value.ty(self.context));
        let uniform = register.is_some_and(Register::is_uniform);
        if !uniform && self.result.varying.insert(value) {
            self.pending.push(value);
        }
    }

    fn reads_varying(&self, op: Operation, value: Value) -> bool {
        let (context, analyses) = (self.context, self.analyses);
        self.result.reads_varying(context, analyses, op, value)
    }

    fn visit(&mut self, op: Operation) {
        if op.successor_count(self.context) > 0 {
            self.visit_branch(op);
            return;
        }
        let mut operands = op.operands(self.context);
        let mut any_varies = || operands.any(|value| self.reads_varying(op, value));
        let varies = match transfer(self.context, op) {
            // The callers may have allocated different amounts of memory by `ori.alloca`, so that
            // frames of functions other than kernels begin at different addresses.
            _ if SlotAddress::of(self.context, op).is_some() => !self.is_kernel,
            Transfer::Uniform => false,
            Transfer::Varying => true,
            Transfer::Operands => any_varies(),
            Transfer::Shuffle => any_varies() && !self.reads_one_lane(op),
        };
        // Threads where the guard does not hold have other values.
        let guard = properties::guard(self.context, op);
        let guarded = guard.is_some_and(|guard| self.reads_varying(op, guard.predicate))
            && !properties::otherwise(self.context, op).is_empty();
        if varies || guarded {
            for result in op.results(self.context) {
                self.mark(result);
            }
        }
    }

    /// Whether all threads of a shuffle read the same lane: the mode takes a lane index, the warp is
    /// not divided into segments (bits 8 to 12 of the bounds), and no lane is out of bounds (bits 0
    /// to 4): where it is, each thread keeps its own value.
    fn reads_one_lane(&self, op: Operation) -> bool {
        let context = self.context;
        let indexed = keyword_of(context, op, "shuffle") == Some(ShuffleMode::Index);
        let operand = |name| op.operands_named(context, name).first().copied();
        let one = operand("lane").is_some_and(|lane| !self.reads_varying(op, lane));
        let bounds = operand("bounds").and_then(|bounds| immediate(context, bounds));
        indexed && one && bounds.is_some_and(|bounds| bounds & 0x1f1f == 31)
    }

    /// Visits one varying operand of a branch. The others have been visited.
    fn visit_passed(&mut self, usage: Use) {
        let (context, branch) = (self.context, usage.owner);
        let known = self.passed.entry(branch);
        let groups = known.or_insert_with(|| branch.passed_groups(context).unwrap_or_default());
        let behind = groups.partition_point(|range| range.start <= usage.operand);
        let successor = behind
            .checked_sub(1)
            .filter(|last| groups[*last].contains(&usage.operand));
        let Some(successor) = successor else {
            self.visit_choice(branch);
            return;
        };
        let position = usage.operand - groups[successor].start;
        let block = branch.successor(context, successor);
        if let Some(block) = block.filter(|block| position < block.argument_count(context)) {
            self.mark(block.argument(context, position));
        }
    }

    fn visit_branch(&mut self, branch: Operation) {
        let context = self.context;
        for (block, passed) in branch.edges(context) {
            let Some(passed) = passed else {
                for argument in block.arguments(context) {
                    self.mark(argument);
                }
                continue;
            };
            for (number, argument) in passed.zip(block.arguments(context)) {
                if self.passes_varying(branch, block, branch.operand(context, number)) {
                    self.mark(argument);
                }
            }
        }
        self.visit_choice(branch);
    }

    /// Marks a branch with a varying condition as divergent.
    fn visit_choice(&mut self, branch: Operation) {
        let context = self.context;
        let several = branch.successor_count(context) > 1;
        let promised = branch.attribute(context, "uniform").is_some();
        // The operands that select the successor precede the forwarded ones.
        let choice = branch.operands(context).next();
        let varies = choice.is_some_and(|choice| self.reads_varying(branch, choice));
        if several && !promised && varies && self.result.divergent.insert(branch) {
            self.part(branch);
        }
    }

    /// Whether a value passed by a branch to a block varies there: a value that leaves a loop this
    /// way counts as used outside of it.
    fn passes_varying(&self, branch: Operation, target: orison_ir::Block, value: Value) -> bool {
        let flow = self.analyses.flow;
        let home = value
            .parent_block(self.context)
            .and_then(|block| flow.number(block));
        let (Some(home), Some(target)) = (home, flow.number(target)) else {
            return true;
        };
        let left = || self.result.uneven.part(self.analyses.loops, home, target);
        self.reads_varying(branch, value) || left()
    }

    /// Marks the join points of the threads split by a branch, and the loops they leave unevenly.
    fn part(&mut self, branch: Operation) {
        let flow = self.analyses.flow;
        let start = flow.block_around(self.context, branch);
        let Some(start) = start.filter(|block| flow.is_reachable(*block)) else {
            return;
        };
        if self.steps == 0 {
            return;
        }
        let Some(parted) = follow(self.analyses, start, &mut self.steps) else {
            self.steps = 0;
            self.give_up();
            return;
        };
        for block in parted.joins {
            if self.result.joins.insert(block) {
                self.join(block);
            }
        }
        let loops = self.analyses.loops;
        // The innermost loop that all paths stay in: some threads leave those inside of it while
        // others continue to a latch.
        let mut stays = loops.innermost(start);
        for block in &parted.touched {
            while let Some(number) = stays.filter(|number| !loops.loops()[*number].contains(*block))
            {
                stays = loops.loops()[number].parent;
            }
        }
        for number in loops.around(start) {
            if Some(number) == stays && !parted.overtaken {
                break;
            }
            self.leave(number);
        }
    }

    /// Lets threads join at every block with several predecessors, and leave all loops unevenly.
    fn give_up(&mut self) {
        let flow = self.analyses.flow;
        for block in flow.reverse_post_order() {
            if flow.predecessors(*block).len() > 1 && self.result.joins.insert(*block) {
                self.join(*block);
            }
        }
        for number in (0..self.analyses.loops.loops().len()).rev() {
            self.leave(number);
        }
    }

    fn join(&mut self, block: u32) {
        let handle = self.analyses.flow.block(block);
        for argument in handle.arguments(self.context) {
            // A value that every branch passes alike does not depend on the path of a thread.
            let incoming = self.analyses.chains.incoming(self.context, argument);
            let first = incoming.first().and_then(|edge| edge.value);
            let alike = first.is_some() && incoming.iter().all(|edge| edge.value == first);
            if !alike {
                self.mark(argument);
            }
        }
    }

    /// Marks a loop as left unevenly, and revisits the users outside of it.
    fn leave(&mut self, number: usize) {
        let loops = self.analyses.loops;
        if !self.result.uneven.insert(loops, number) {
            return;
        }
        let natural = &loops.loops()[number];
        let mut visited: FxHashSet<Operation> = FxHashSet::default();
        for block in &natural.blocks {
            // Users outside of a loop inside of this one have been visited with it.
            let innermost = self.result.uneven.around(loops, *block);
            if innermost != Some(number) {
                continue;
            }
            let block = self.analyses.flow.block(*block);
            let results = block
                .operations(self.context)
                .flat_map(|op| op.results(self.context));
            let values: Vec<Value> = block.arguments(self.context).chain(results).collect();
            for value in values {
                let users: Vec<Operation> = value.users(self.context).collect();
                for user in users {
                    let outside = self.analyses.flow.block_around(self.context, user);
                    let outside = outside.is_some_and(|block| !natural.contains(block));
                    let looks = outside || user.successor_count(self.context) > 0;
                    if looks && visited.insert(user) {
                        self.visit(user);
                    }
                }
            }
        }
    }
}

/// The paths of the threads that diverge at a block.
struct Parted {
    /// Blocks where they may join, in order.
    joins: Vec<u32>,
    /// Blocks on their paths up to the reconvergence of all of them, inclusive, in order.
    touched: Vec<u32>,
    /// Some threads begin another iteration before all of them have reconverged.
    overtaken: bool,
}

/// Follows the threads that diverge at the end of a block.
///
/// If some of them return to this block, or one before it, while others wait at the post-dominator,
/// the latter may continue: then all blocks of the loop count, and of the function if the loop is
/// not natural. `None` if there are no steps left.
fn follow(analyses: &FlowAnalyses<'_>, start: u32, steps: &mut usize) -> Option<Parted> {
    let flow = analyses.flow;
    let end = analyses.post_dominators.immediate(start);
    let (mut joins, touched) = meetings(flow, start, steps, |block| Some(block) != end)?;
    let place = flow.position(start);
    let back = |block: &u32| Some(*block) != end && flow.position(*block) <= place;
    let overtaken = touched.iter().any(back);
    if overtaken {
        let around = analyses.loops.innermost(start);
        let natural = around.map(|number| &analyses.loops.loops()[number]);
        let natural = natural.filter(|natural| !natural.irreducible);
        let inside = |block| natural.is_none_or(|natural| natural.contains(block));
        joins.extend(meetings(flow, start, steps, inside)?.0);
        joins.sort_unstable();
        joins.dedup();
    }
    Some(Parted {
        joins,
        touched,
        overtaken,
    })
}

/// The blocks where threads that diverge after `start` may join, and the blocks on their paths,
/// both up to blocks that are not traversed.
///
/// Every visited block stores the last join block before it; a block reached with two different
/// ones is a join. Blocks are visited in reverse post-order. `None` if there are no steps left.
fn meetings(
    flow: &ControlFlowGraph,
    start: u32,
    budget: &mut usize,
    goes_through: impl Fn(u32) -> bool,
) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut last: FxHashMap<u32, u32> = FxHashMap::default();
    let mut joins = FxHashSet::default();
    let mut pending = BinaryHeap::new();
    let place = |block| std::cmp::Reverse(flow.position(block));
    let mut followed = FxHashSet::default();
    // Each successor of the branch gets a label that is not a block.
    let names = u32::try_from(flow.block_count()).unwrap_or(u32::MAX)..;
    let mut steps: Vec<(u32, u32)> = flow.successors(start).iter().copied().zip(names).collect();
    loop {
        for (block, from) in steps.drain(..) {
            let known = last.get(&block).copied();
            if known == Some(from) || known == Some(block) {
                continue;
            }
            if known.is_some() {
                joins.insert(block);
            }
            last.insert(block, if known.is_some() { block } else { from });
            if block != start && goes_through(block) {
                pending.push((place(block), block));
            }
        }
        let Some((_, block)) = pending.pop() else {
            break;
        };
        *budget = budget.checked_sub(1)?;
        let from = last.get(&block).copied().unwrap_or(block);
        if followed.insert((block, from)) {
            steps.extend(flow.successors(block).iter().map(|to| (*to, from)));
        }
    }
    let mut joins: Vec<u32> = joins.into_iter().collect();
    let mut touched: Vec<u32> = last.into_keys().collect();
    joins.sort_unstable();
    touched.sort_unstable();
    Some((joins, touched))
}

/// The rule for the results of an operation.
fn transfer(context: &Context, op: Operation) -> Transfer {
    match opcodes::of(context, op).and_then(|entry| entry.lanes) {
        Some(Lanes::Uniform) => return Transfer::Uniform,
        Some(Lanes::Shuffle) => return Transfer::Shuffle,
        None => {}
    }
    let register = op.attribute(context, "register");
    if let Some(register) = register.and_then(|register| register.as_str(context)) {
        return if orison_machine::is_uniform_register(register) {
            Transfer::Uniform
        } else {
            Transfer::Varying
        };
    }
    let Some(definition) = op.definition(context) else {
        return Transfer::Varying;
    };
    if properties::is_convergent(context, op) || op.has_trait(context, Trait::Terminator) {
        return Transfer::Varying;
    }
    match definition.effects {
        Effects::None => Transfer::Operands,
        Effects::Unknown if properties::is_pure_call(context, op) => Transfer::Operands,
        Effects::Read if shares_memory(context, op) => Transfer::Operands,
        _ => Transfer::Varying,
    }
}

/// Whether all threads of a warp that read the same address read the same value: not for
/// thread-local memory, and not for ordered accesses to memory that others may write.
fn shares_memory(context: &Context, op: Operation) -> bool {
    let own = |space: &Space| matches!(space, Space::Local | Space::Generic);
    let row = opcodes::of(context, op);
    !properties::is_ordered(context, op) && row.is_some_and(|row| !row.reads.iter().any(own))
}

/// The blocks of a function.
impl Analysis for Divergence {
    const NAME: &'static str = "ori-divergence";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        let post_dominators = analyses.get::<PostDominatorTree>(context, op);
        let loops = analyses.get::<LoopForest>(context, op);
        let chains = analyses.get::<DefUse>(context, op);
        let analyses = FlowAnalyses {
            flow: &flow,
            post_dominators: &post_dominators,
            loops: &loops,
            chains: &chains,
        };
        Divergence::of(context, op, &analyses)
    }
}
