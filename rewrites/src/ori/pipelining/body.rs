//! The body of a loop as data for the modulo scheduler.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::induction::{Loop, LoopInductions};
use orison_ori::analyses::properties;
use orison_schedule::modulo::{
    DependenceGraph, Edge, EdgeKind, GraphError, Node, Pool, PoolUse, ResourceSpace,
};
use orison_schedule::ori::{Dependences, Reason};
use rustc_hash::{FxHashMap, FxHashSet};

use super::latency::{class, cycles, model};
use crate::ori::counted_loop::CountedLoop;
use crate::ori::functions::passed;

/// The pipe of comparisons, and that of branches, by index.
const ALU: usize = 0;
const BRANCHES: usize = 6;

/// The body of a loop that is one block.
pub(super) struct Body {
    /// The operations that the loop needs, in program order, without those of [`Self::invariant`].
    pub operations: Vec<Operation>,
    /// Operations that are the same in all iterations and are no instructions.
    pub invariant: Vec<Operation>,
    /// The dependences between the operations, with their numbers here.
    pub edges: Vec<Edge>,
    /// Cycles from each operation to the use of its results.
    pub cycles: Vec<u32>,
    /// The operations that compute the counter: they begin an iteration.
    pub counter: FxHashSet<usize>,
}

impl Body {
    pub fn of(around: &Loop<'_>, inductions: &LoopInductions, candidate: &CountedLoop) -> Self {
        let context = around.context;
        let all = Dependences::of_loop(around, inductions);
        let block = around.flow.block(around.natural.header);
        let needed = needed(context, candidate, block, &all.operations);
        let invariant = invariant(around, &all.operations);
        let mut numbers = FxHashMap::default();
        let mut operations = Vec::new();
        for (number, op) in all.operations.iter().enumerate() {
            if needed.contains(op) && !invariant.contains(op) {
                numbers.insert(number, operations.len());
                operations.push(*op);
            }
        }
        let cycles: Vec<u32> = operations.iter().map(|op| cycles(context, *op)).collect();
        let mut edges = Vec::new();
        for edge in &all.edges {
            let (Some(from), Some(to)) = (numbers.get(&edge.from), numbers.get(&edge.to)) else {
                continue;
            };
            let (kind, latency) = match (edge.reason, edge.distance) {
                (Reason::Data, 0) => (EdgeKind::Data, cycles[*from]),
                (Reason::Data, _) => (EdgeKind::LoopCarried, cycles[*from]),
                _ => (EdgeKind::Memory, 1),
            };
            edges.push(Edge {
                from: *from,
                to: *to,
                latency: latency.cast_signed(),
                distance: edge.distance,
                kind,
            });
        }
        let mut body = Body {
            invariant: all
                .operations
                .iter()
                .copied()
                .filter(|op| needed.contains(op) && invariant.contains(op))
                .collect(),
            operations,
            edges,
            cycles,
            counter: FxHashSet::default(),
        };
        body.counter = body.makers(context, next_counter(context, around, candidate));
        body
    }

    /// The operations that a value of the next iteration is computed by in this one.
    fn makers(&self, context: &Context, value: Option<Value>) -> FxHashSet<usize> {
        let numbers: FxHashMap<Operation, usize> =
            self.operations.iter().copied().zip(0..).collect();
        let mut found = FxHashSet::default();
        let mut pending: Vec<Value> = value.into_iter().collect();
        while let Some(value) = pending.pop() {
            let op = value.defining_op(context);
            if let Some((op, number)) = op.and_then(|op| Some((op, *numbers.get(&op)?)))
                && found.insert(number)
            {
                pending.extend(op.operands(context));
            }
        }
        found
    }

    /// The graph: each operation takes its pipe for a cycle, and so do a comparison and a branch a round.
    /// `first` are operations that are to be in the first stage.
    ///
    /// # Errors
    /// If the loop is larger than the scheduler takes.
    pub fn graph(
        &self,
        context: &Context,
        first: &FxHashSet<usize>,
    ) -> Result<DependenceGraph, GraphError> {
        let pipes = model().pipes.iter();
        let space = ResourceSpace {
            pools: pipes
                .map(|pipe| Pool {
                    name: pipe.name.clone(),
                    capacity: pipe.width,
                })
                .collect(),
            ..ResourceSpace::default()
        };
        let mut nodes = Vec::new();
        for (number, op) in self.operations.iter().enumerate() {
            let name = op.name(context).text(context);
            let mut node = Node::new(name, self.cycles[number], Vec::new());
            node.pools = class(context, *op)
                .map(|class| PoolUse {
                    pool: class.pipe,
                    count: 1,
                })
                .into_iter()
                .collect();
            if first.contains(&number) {
                node.constraints.max_depth = Some(0);
            }
            nodes.push(node);
        }
        for (name, pool) in [("test", ALU), ("branch", BRANCHES)] {
            let mut node = Node::new(name, 1, Vec::new());
            node.pools = vec![PoolUse { pool, count: 1 }];
            nodes.push(node);
        }
        DependenceGraph::new(space, nodes, self.edges.clone())
    }

    /// The operations in the order of a round, with their stages: by row of the schedule, and among those
    /// of one row behind what they depend on.
    pub fn order(&self, starts: &[i64], interval: i64) -> Vec<(Operation, i64)> {
        let count = self.operations.len();
        let row = |number: usize| starts[number].rem_euclid(interval);
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for edge in &self.edges {
            let apart = starts[edge.to] + interval * i64::from(edge.distance) - starts[edge.from];
            if apart == 0 {
                before[edge.to].push(edge.from);
            }
        }
        let mut numbers: Vec<usize> = (0..count).collect();
        numbers.sort_by_key(|number| (row(*number), *number));
        let mut placed = vec![false; count];
        let mut order = Vec::new();
        for number in numbers {
            // What is tight and has no latency has no cycle.
            let mut pending = vec![(number, 0)];
            while let Some((top, next)) = pending.pop() {
                if placed[top] {
                    continue;
                }
                match before[top].get(next) {
                    Some(other) => {
                        pending.push((top, next + 1));
                        if !placed[*other] {
                            pending.push((*other, 0));
                        }
                    }
                    None => {
                        placed[top] = true;
                        order.push(top);
                    }
                }
            }
        }
        let stage = |number: usize| starts[number].div_euclid(interval);
        let pairs = order
            .into_iter()
            .map(|number| (self.operations[number], stage(number)));
        pairs.collect()
    }
}

/// The operations of the block on which an effect, or a value that leaves an iteration, depends.
fn needed(
    context: &Context,
    candidate: &CountedLoop,
    block: Block,
    operations: &[Operation],
) -> FxHashSet<Operation> {
    let leaves = |op: Operation| {
        let mut uses = op.results(context).flat_map(|value| value.uses(context));
        uses.any(|usage| usage.owner.block(context) != Some(block))
    };
    let mut found: FxHashSet<Operation> = FxHashSet::default();
    let mut pending: Vec<Operation> = operations
        .iter()
        .copied()
        .filter(|op| !properties::is_removable(context, *op) || leaves(*op))
        .collect();
    for way in [0, 1] {
        let values = passed(context, candidate.branch, way).into_iter();
        pending.extend(values.filter_map(|value| value.defining_op(context)));
    }
    let inside: FxHashSet<Operation> = operations.iter().copied().collect();
    while let Some(op) = pending.pop() {
        if inside.contains(&op) && found.insert(op) {
            let operands = op.operands(context);
            pending.extend(operands.filter_map(|value| value.defining_op(context)));
        }
    }
    found
}

/// The operations that are no instructions and only depend on such ones, or on values from outside.
fn invariant(around: &Loop<'_>, operations: &[Operation]) -> FxHashSet<Operation> {
    let context = around.context;
    let mut found = FxHashSet::default();
    for op in operations {
        let is_free =
            !properties::is_instruction(context, *op) && properties::is_pure(context, *op);
        let mut operands = op.operands(context);
        let known = operands.all(|value| {
            let maker = value.defining_op(context);
            around.is_invariant(value) || maker.is_some_and(|maker| found.contains(&maker))
        });
        if is_free && known {
            found.insert(*op);
        }
    }
    found
}

/// The counter of the next iteration.
fn next_counter(context: &Context, around: &Loop<'_>, candidate: &CountedLoop) -> Option<Value> {
    let header = around.flow.block(around.natural.header);
    let mut arguments = header.arguments(context);
    let place = arguments
        .position(|one| Some(one) == candidate.counter.as_ref().map(|counter| counter.argument))?;
    let next = passed(context, candidate.branch, 1 - candidate.leaves);
    next.get(place).copied()
}
