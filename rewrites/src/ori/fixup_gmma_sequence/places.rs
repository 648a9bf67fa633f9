//! Where waits are injected, and what comes after them.

use orison_ir::analyses::{ControlFlowGraph, PostDominatorTree, Tree};
use orison_ir::declare::Trait;
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::operations::moves::{Concat, Extract};

use super::flight::MissingWait;
use super::plan::Plan;

/// The places of a function where waits may be injected. Injections keep it valid: they add no block.
pub(super) struct Places<'a> {
    plan: &'a Plan,
    flow: &'a ControlFlowGraph,
    post_dominators: PostDominatorTree,
    /// Each block is below the only one that leads to it.
    alone: Tree,
}

impl<'a> Places<'a> {
    /// Computes them. Linear in the blocks.
    pub fn of(plan: &'a Plan, flow: &'a ControlFlowGraph) -> Self {
        let count = u32::try_from(flow.block_count()).unwrap_or(u32::MAX);
        let parents = (0..count).map(|block| {
            let before = flow.predecessors(block);
            let first = before.first().copied();
            // A loop that nothing enters has no first block.
            let first = first.filter(|first| flow.dominates(*first, block) && *first != block);
            first.filter(|first| before.iter().all(|other| other == first))
        });
        Places {
            plan,
            post_dominators: PostDominatorTree::of(flow),
            alone: Tree::new(parents.collect()),
            flow,
        }
    }

    /// The operation before which a wait goes.
    pub fn anchor(&self, context: &Context, wait: &MissingWait) -> Option<Operation> {
        let anchor = match wait.before {
            Some(op) => before_parts(context, op),
            None => self.end(context, wait.section)?,
        };
        Some(self.above_arms(context, wait.section, anchor))
    }

    /// The end of a section.
    fn end(&self, context: &Context, section: usize) -> Option<Operation> {
        let section = &self.plan.sections[section];
        if section.branch.is_some() {
            return section.branch;
        }
        let last = *section.operations.last()?;
        match last.has_trait(context, Trait::Terminator) {
            true => Some(last),
            false => last.next(context),
        }
    }

    /// A place that is executed whenever the section is: before the branch to the arm that a place is
    /// in.
    fn above_arms(&self, context: &Context, section: usize, anchor: Operation) -> Operation {
        let number = |op: Operation| op.block(context).and_then(|block| self.flow.number(block));
        let first = self.plan.sections[section].operations.first().copied();
        let (Some(first), Some(mut block)) = (first.and_then(number), number(anchor)) else {
            return anchor;
        };
        let mut found = anchor;
        while block != first && !self.post_dominators.post_dominates(block, first) {
            let Some(above) = self.flow.dominators().parent(block) else {
                break;
            };
            block = above;
            match self.flow.block(block).terminator(context) {
                Some(branch) => found = branch,
                None => break,
            }
        }
        found
    }

    /// The only block that leads to a block.
    pub fn only_before(&self, block: Block) -> Option<Block> {
        let parent = self.alone.parent(self.flow.number(block)?)?;
        Some(self.flow.block(parent))
    }

    /// The uses of a value after an operation: in its block, and in blocks that are reached only
    /// through it.
    pub fn uses_after(
        &self,
        context: &Context,
        value: Value,
        op: Operation,
    ) -> Vec<(Operation, usize)> {
        let here = op.block(context);
        let number = |block: Option<Block>| block.and_then(|block| self.flow.number(block));
        let is_after = |user: Operation| {
            if user.block(context) == here {
                return user != op && op.is_before_in_block(context, user);
            }
            let both = number(here).zip(number(user.block(context)));
            both.is_some_and(|(here, there)| self.alone.contains(here, there))
        };
        let uses = value.uses(context);
        let uses = uses.map(|usage| (usage.owner, usage.operand));
        let mut found: Vec<(Operation, usize)> = uses.filter(|(user, _)| is_after(*user)).collect();
        found.sort_unstable();
        found
    }
}

/// The first of the extracts and concatenations right before an operation: they are no instructions,
/// and take what the operation reads.
fn before_parts(context: &Context, op: Operation) -> Operation {
    let mut first = op;
    while let Some(before) = first.previous(context) {
        if !Extract::matches(context, before) && !Concat::matches(context, before) {
            break;
        }
        first = before;
    }
    first
}
