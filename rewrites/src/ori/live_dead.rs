//! The pass `ori-perform-live-dead`: phases 10, 16, 33, 61 and 84 of ptxas.

use orison_ir::analyses::{ControlFlowGraph, DefUse};
use orison_ir::declare::Variadicity;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{
    Block, Builder, Context, EdgeUpdates, InsertionPoint, Operation, OperationState, Value,
};
use orison_ori::analyses::properties;
use orison_ori::operations::matrix::TensorWaitLd;
use rustc_hash::FxHashSet;

use super::functions::{Function, on_each};
use super::surgery::keep_awaited;

orison_ir::pass_options! {
    /// Options of `ori-perform-live-dead`.
    pub struct LiveDeadOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const ERASED: &str = "erased";
const ARGUMENTS: &str = "arguments";
const RESULTS: &str = "results";

/// The pass `ori-perform-live-dead`.
#[derive(Clone, Debug)]
pub struct LiveDead(LiveDeadOptions);

impl Pass for LiveDead {
    type Options = LiveDeadOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<LiveDead>(
        "ori-perform-live-dead",
        "Erases dead operations and block arguments: phases 10, 16, 33, 61 and 84 of ptxas.\n\
         \n\
         Operations with side effects are live (stores, atomic operations, barriers, branches, \
         ordered loads, unmodelled instructions), and so are the operations that compute their \
         operands. All other operations and block arguments are erased, including cycles through \
         a loop. Optional results without uses (carries, opposite outcomes, second predicates) \
         are removed, and so are loads of tensor memory from waits behind which nothing reads them.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: ERASED,
            summary: "Number of operations erased",
        },
        Statistic {
            name: ARGUMENTS,
            summary: "Number of block arguments erased",
        },
        Statistic {
            name: RESULTS,
            summary: "Number of unused optional results removed",
        },
    ]);

    fn create(options: LiveDeadOptions) -> Self {
        LiveDead(options)
    }

    fn options(&self) -> &LiveDeadOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, _| {
            let needed = Needed::of(pass.context, function);
            let arguments = erase_arguments(pass.context, function, &needed);
            let erased = erase_operations(pass.context, function, &needed);
            let results =
                drop_results(pass.context, function) + drop_awaited_loads(pass.context, function);
            pass.count(ERASED, erased);
            pass.count(ARGUMENTS, arguments);
            pass.count(RESULTS, results);
            Ok(IRStatus::changed_if(erased + arguments + results > 0))
        })
    }
}

/// The values and operations needed in a function.
struct Needed {
    operations: FxHashSet<Operation>,
    arguments: FxHashSet<Value>,
}

impl Needed {
    fn of(context: &Context, function: Function) -> Self {
        let flow = ControlFlowGraph::of(context, function.body);
        let chains = DefUse::of(context, &flow);
        let mut needed = Needed {
            operations: FxHashSet::default(),
            arguments: FxHashSet::default(),
        };
        let mut pending: Vec<Value> = Vec::new();
        for (number, block) in flow.blocks().iter().enumerate() {
            // The arguments of the function are its interface.
            if number == 0 {
                needed.arguments.extend(block.arguments(context));
            }
            for op in block.operations(context) {
                if properties::is_removable(context, op) {
                    continue;
                }
                needed.operations.insert(op);
                pending.extend(used_itself(context, op));
            }
        }
        while let Some(value) = pending.pop() {
            if let Some(op) = value.defining_op(context) {
                if needed.operations.insert(op) {
                    pending.extend(op.operands(context));
                }
            } else if needed.arguments.insert(value) {
                let incoming = chains.incoming(context, value).into_iter();
                pending.extend(incoming.filter_map(|edge| edge.value));
            }
        }
        needed
    }
}

/// The operands that an operation uses itself, excluding those passed to block arguments.
fn used_itself(context: &Context, op: Operation) -> Vec<Value> {
    let mut handed = vec![false; op.operand_count(context)];
    for range in op.edges(context).filter_map(|(_, range)| range) {
        for number in range {
            handed[number] = true;
        }
    }
    let operands = op.operands(context).zip(handed);
    operands
        .filter(|(_, handed)| !handed)
        .map(|(value, _)| value)
        .collect()
}

fn erase_arguments(context: &mut Context, function: Function, needed: &Needed) -> u64 {
    let blocks: Vec<Block> = function.body.blocks(context).skip(1).collect();
    let mut dead: Vec<(Block, usize)> = Vec::new();
    let mut updates = EdgeUpdates::default();
    for block in blocks {
        let count = block.argument_count(context);
        let keeps = |position: &usize| {
            needed
                .arguments
                .contains(&block.argument(context, *position))
        };
        let (kept, erased): (Vec<usize>, Vec<usize>) = (0..count).partition(keeps);
        if !erased.is_empty() && hand_only(context, &mut updates, block, &kept) {
            let positions = erased.into_iter().rev();
            dead.extend(positions.map(|position| (block, position)));
        }
    }
    updates.finish(context);
    // No branch passes or forwards them any more.
    for (block, position) in &dead {
        forget(context, block.argument(context, *position));
        block.erase_argument(context, *position);
    }
    dead.len() as u64
}

/// Makes the branches to a block pass only the values at some positions; false if the passed values
/// of one of them are unknown.
fn hand_only(
    context: &mut Context,
    updates: &mut EdgeUpdates,
    block: Block,
    kept: &[usize],
) -> bool {
    let count = block.argument_count(context);
    let mut edges: Vec<(Operation, usize)> = block.predecessor_edges(context).collect();
    edges.sort_unstable();
    let mut known = |(branch, way): &(Operation, usize)| {
        let values = updates.passed(context, *branch, *way);
        values.is_some_and(|values| values.len() == count)
    };
    if !edges.iter().all(&mut known) {
        return false;
    }
    for (branch, way) in edges {
        let values = updates.passed(context, branch, way).unwrap_or_default();
        let values = kept.iter().map(|place| values[*place]).collect();
        updates.redirect(context, branch, way, block, values);
    }
    true
}

/// Removes an unneeded value from its users, all of which will be erased.
fn forget(context: &mut Context, value: Value) {
    let mut users: Vec<Operation> = value.users(context).collect();
    users.sort_unstable();
    users.dedup();
    for user in users {
        user.set_operands(context, &[]);
    }
}

fn erase_operations(context: &mut Context, function: Function, needed: &Needed) -> u64 {
    let blocks: Vec<_> = function.body.blocks(context).collect();
    let operations = blocks.iter().flat_map(|block| block.operations(context));
    let dead: Vec<Operation> = operations
        .filter(|op| !needed.operations.contains(op))
        .collect();
    // They may use each other in a loop.
    for op in &dead {
        op.set_operands(context, &[]);
    }
    for op in &dead {
        op.erase(context);
    }
    dead.len() as u64
}

/// Drops optional unused results, starting with the last one.
fn drop_results(context: &mut Context, function: Function) -> u64 {
    let blocks: Vec<_> = function.body.blocks(context).collect();
    let mut dropped = 0;
    for block in blocks {
        for op in block.body(context) {
            let count = droppable(context, op);
            if count > 0 && without_results(context, op, count) {
                dropped += count as u64;
            }
        }
    }
    dropped
}

/// Takes loads of tensor memory out of waits behind which nothing reads them: they would keep their registers until
/// then. Scoreboards protect the registers of a load in flight.
fn drop_awaited_loads(context: &mut Context, function: Function) -> u64 {
    let blocks = function.body.blocks(context);
    let operations = blocks.flat_map(|block| block.operations(context));
    let waits: Vec<Operation> = operations
        .filter(|op| TensorWaitLd::of(context, *op).is_some())
        .collect();
    waits
        .into_iter()
        .map(|wait| {
            keep_awaited(context, wait, "values", |context, value| {
                !value.is_unused(context)
            })
        })
        .sum()
}

/// How many trailing results are unused and in groups that may be empty.
fn droppable(context: &Context, op: Operation) -> usize {
    let Some(definition) = op.definition(context) else {
        return 0;
    };
    let last = definition.results.len().checked_sub(1);
    let variadic = last.filter(|last| {
        definition.results[*last].variadicity == Variadicity::Variadic
            && properties::can_be_guarded(context, op)
            && !properties::is_unmodelled(context, op)
            && properties::otherwise(context, op).is_empty()
    });
    let Some(group) = variadic else { return 0 };
    let range = definition.result_range(context, op, group);
    let unused = |number: &usize| op.result(context, *number).is_unused(context);
    range.rev().take_while(unused).count()
}

/// Replaces an operation with the same one with fewer results; false if it requires them.
fn without_results(context: &mut Context, op: Operation, dropped: usize) -> bool {
    let mut state = OperationState::new(op.name(context), op.location(context));
    state.operands = op.operands(context).collect();
    state.properties = op.properties(context);
    state.attributes = op.attributes(context);
    let kept = op.result_count(context) - dropped;
    state.result_types = op.result_types(context).into_iter().take(kept).collect();
    let point = InsertionPoint::Before(op);
    let new = Builder::at(context, point).create(&state);
    let verify = new
        .definition(context)
        .and_then(|definition| definition.verify);
    if verify.is_some_and(|verify| verify(context, new).is_err()) {
        new.erase(context);
        return false;
    }
    for number in 0..kept {
        let (old, result) = (op.result(context, number), new.result(context, number));
        old.replace_all_uses_with(context, result);
    }
    op.erase(context);
    true
}
