//! Definitions and uses, through block arguments.
//!
//! In SSA a use has one definition; several definitions can reach it only through block arguments.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Analysis, AnalysisManager, ControlFlowGraph};
use crate::{Block, Context, Operation, Value};

/// A value that a branch passes to a block argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Incoming {
    /// The branch.
    pub branch: Operation,
    /// The successor index.
    pub successor: usize,
    /// The passed value; `None` if the declaration of the branch does not define it.
    pub value: Option<Value>,
}

/// A control-flow edge to a block.
#[derive(Clone, Debug)]
struct Edge {
    branch: Operation,
    successor: usize,
    /// The operands that are passed; `None` if the declaration of the branch does not define them.
    passed: Option<Range<usize>>,
}

/// The values passed to the arguments of the blocks of a region.
#[derive(Clone, Debug, Default)]
pub struct DefUse {
    /// The incoming edges of each block.
    edges: FxHashMap<Block, Vec<Edge>>,
    entry: Option<Block>,
}

impl DefUse {
    /// For the region of a flow graph.
    pub fn of(context: &Context, flow: &ControlFlowGraph) -> Self {
        let mut edges: FxHashMap<Block, Vec<Edge>> = FxHashMap::default();
        for block in flow.blocks() {
            let Some(branch) = block.terminator(context) else {
                continue;
            };
            for (successor, (target, passed)) in branch.edges(context).enumerate() {
                edges.entry(target).or_default().push(Edge {
                    branch,
                    successor,
                    passed,
                });
            }
        }
        DefUse {
            edges,
            entry: flow.blocks().first().copied(),
        }
    }

    /// The values that branches pass to an argument, in textual order; empty for other values.
    pub fn incoming(&self, context: &Context, argument: Value) -> Vec<Incoming> {
        let Some(block) = argument.argument_owner(context) else {
            return Vec::new();
        };
        let position = argument.position(context);
        let edges = self.edges.get(&block).into_iter().flatten();
        let incoming = edges.map(|edge| {
            let number = edge
                .passed
                .clone()
                .and_then(|mut range| range.nth(position));
            Incoming {
                branch: edge.branch,
                successor: edge.successor,
                value: number.map(|number| edge.branch.operand(context, number)),
            }
        });
        incoming.collect()
    }

    /// The definitions that may reach a value through block arguments: values that are not
    /// arguments, arguments of the entry, and arguments whose passed values are unknown. In
    /// discovery order; linear in the edges visited.
    pub fn reaching(&self, context: &Context, value: Value) -> Vec<Value> {
        let mut seen = FxHashSet::default();
        seen.insert(value);
        let mut pending = vec![value];
        let mut found = Vec::new();
        while let Some(value) = pending.pop() {
            let incoming = self.incoming(context, value);
            let owner = value.argument_owner(context);
            let known = incoming.iter().all(|edge| edge.value.is_some());
            if owner.is_none() || owner == self.entry || incoming.is_empty() || !known {
                found.push(value);
            }
            let values = incoming.iter().rev().filter_map(|edge| edge.value);
            pending.extend(values.filter(|value| seen.insert(*value)));
        }
        found
    }

    /// The uses of a value in textual order, as operation and operand index. O(n log n) in the
    /// number of uses.
    pub fn uses(
        &self,
        context: &Context,
        flow: &ControlFlowGraph,
        value: Value,
    ) -> Vec<(Operation, usize)> {
        let mut users: Vec<Operation> = value.users(context).collect();
        users.sort_unstable();
        users.dedup();
        users.sort_by(|a, b| {
            let blocks = [a, b].map(|op| flow.block_around(context, *op));
            let in_block = || match a.is_before_in_block(context, *b) {
                true => std::cmp::Ordering::Less,
                false => std::cmp::Ordering::Greater,
            };
            let same = blocks[0] == blocks[1] && a.block(context) == b.block(context);
            match same && a != b {
                true => in_block(),
                false => blocks[0].cmp(&blocks[1]),
            }
        });
        let numbers = |user: Operation| {
            let operands = user.operands(context).enumerate();
            let same = operands.filter(move |(_, operand)| *operand == value);
            same.map(move |(number, _)| (user, number))
        };
        users.into_iter().flat_map(numbers).collect()
    }
}

/// For the first region of an operation.
impl Analysis for DefUse {
    const NAME: &'static str = "def-use";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        DefUse::of(context, &flow)
    }
}
