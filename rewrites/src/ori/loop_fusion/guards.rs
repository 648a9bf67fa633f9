//! Loops behind equal conditions: what lies between them is copied for threads that execute neither.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Block, Context, Mapping, Operation, Use, Value};

use super::adjacency::Adjacent;
use crate::ori::functions::{Function, branch_instead, passed};
use crate::ori::loops::Loops;
use crate::ori::surgery::{SsaRepair, Variable, clone_blocks};

/// Two loops of which neither runs if the branch in front of the first one says so.
#[derive(Clone, Debug)]
pub(super) struct Guarded {
    /// The branch in front of the first loop, and its way past it.
    guard: (Operation, usize),
    /// The blocks that are executed if neither loop runs, or between them. The last one decides
    /// about the second loop.
    blocks: Vec<Block>,
    /// The way of its branch into the second loop.
    into: usize,
}

impl Guarded {
    /// The blocks between two loops that run together; `None` if no branch is between them.
    pub fn of(context: &Context, loops: &Loops, pair: &Adjacent) -> Option<Self> {
        let (merge, (test, into)) = pair.merge.zip(pair.test)?;
        let (guard, way) = pair.guard(loops, merge)?;
        let blocks = pair.between[merge..=test].iter();
        Some(Guarded {
            guard: (loops.flow.block(guard).terminator(context)?, 1 - way),
            blocks: blocks.map(|block| loops.flow.block(*block)).collect(),
            into,
        })
    }

    /// Copies the blocks. Neither those nor the copies are left by a condition then.
    fn part(&self, context: &mut Context) -> Option<Mapping> {
        let (first, last) = (*self.blocks.first()?, *self.blocks.last()?);
        let mapping = clone_blocks(context, &self.blocks, last);
        let (branch, way) = self.guard;
        branch.set_successor(context, way, mapping.lookup_block(first));
        for (block, way) in [
            (last, self.into),
            (mapping.lookup_block(last), 1 - self.into),
        ] {
            let branch = block.terminator(context)?;
            let values = passed(context, branch, way);
            let target = branch.successor(context, way)?;
            branch_instead(context, branch, target, &values);
        }
        Some(mapping)
    }
}

/// Copies what lies between the loops of some pairs, of which no two share a loop. Linear in what is
/// copied, in the function, and for each value that is used behind it in the blocks at whose start it
/// is live.
pub(super) fn part(context: &mut Context, function: Function, pairs: &[Guarded]) {
    let copies: Vec<(&Guarded, Mapping)> = pairs
        .iter()
        .filter_map(|pair| Some((pair, pair.part(context)?)))
        .collect();
    let flow = ControlFlowGraph::of(context, function.body);
    let mut repair = SsaRepair::new(&flow);
    for (pair, mapping) in &copies {
        for block in &pair.blocks {
            join_definitions(context, &mut repair, &flow, (*block, mapping));
        }
    }
    repair.finish(context);
}

/// Lets the uses of the values of a block in other blocks be reached by them or by those of the
/// copy.
fn join_definitions(
    context: &mut Context,
    repair: &mut SsaRepair<'_>,
    flow: &ControlFlowGraph,
    (block, mapping): (Block, &Mapping),
) {
    let numbers = [block, mapping.lookup_block(block)].map(|block| flow.number(block));
    let [Some(home), Some(copy)] = numbers else {
        return;
    };
    let arguments = block.arguments(context).collect::<Vec<_>>();
    let results = block.operations(context);
    let results: Vec<Value> = results.flat_map(|op| op.results(context)).collect();
    for value in arguments.into_iter().chain(results) {
        let elsewhere = |usage: &Use| {
            let place = flow.block_around(context, usage.owner);
            place.is_some_and(|place| place != home && place != copy)
        };
        let uses: Vec<Use> = value.uses(context).filter(elsewhere).collect();
        let mut variable = Variable::like(context, value);
        variable.definitions.insert(home, value);
        variable.definitions.insert(copy, mapping.lookup(value));
        repair.repair(context, &variable, &uses);
    }
}
