//! Simplification of regions: erasing unreachable blocks and unused values.

use orison_ir::declare::PassedRanges;
use orison_ir::pass::IRStatus;
use orison_ir::{Block, Context, EdgeUpdates, Operation, Region, Value, ValueOwner, walk};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::blocks::{drop_redundant_arguments, merge_identical};
use crate::effects::is_removable;

orison_ir::option_enum! {
    /// How much the blocks of regions are simplified.
    pub enum RegionSimplification {
        /// No simplification.
        Disabled = "disabled",
        /// Unreachable blocks and dead values are erased.
        Normal = "normal",
        /// In addition, identical blocks are merged, and redundant block arguments are erased.
        Aggressive = "aggressive",
    }
}

/// Simplifies all regions nested in `root`.
pub fn simplify_regions(
    context: &mut Context,
    root: Operation,
    how: RegionSimplification,
) -> IRStatus {
    if how == RegionSimplification::Disabled {
        return IRStatus::Unchanged;
    }
    let mut status = IRStatus::Unchanged;
    let mut has_arguments = false;
    let mut pending: Vec<Region> = root.regions(context).collect();
    while let Some(region) = pending.pop() {
        status |= erase_unreachable(context, region);
        for (number, block) in region.blocks(context).enumerate() {
            has_arguments |= number > 0 && block.argument_count(context) > 0;
            for op in block.operations(context) {
                pending.extend(op.regions(context));
            }
        }
    }
    // Without arguments of inner blocks, the driver finds dead values itself.
    if has_arguments {
        status |= erase_dead_values(context, root);
    }
    if how == RegionSimplification::Aggressive {
        status |= merge_blocks(context, root);
    }
    status
}

/// Merges blocks in all regions nested in `root`, and drops redundant arguments.
fn merge_blocks(context: &mut Context, root: Operation) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    // Merged blocks have no regions: all of these remain.
    let operations = walk::collect(context, root);
    let regions: Vec<Region> = operations
        .into_iter()
        .flat_map(|op| op.regions(context))
        .collect();
    for region in regions {
        if !region.is_empty(context) && !region.has_one_block(context) {
            status |= merge_identical(context, region);
            status |= drop_redundant_arguments(context, region);
        }
    }
    status
}

/// Whether an operation uses one of its own results. Only graph regions and unreachable blocks may
/// hold such operations.
pub(crate) fn uses_itself(context: &Context, op: Operation) -> bool {
    op.result_count(context) > 0
        && op
            .operands(context)
            .any(|operand| operand.defining_op(context) == Some(op))
}

/// The unreachable blocks of a region, in order.
pub(crate) fn unreachable_blocks(context: &Context, region: Region) -> Vec<Block> {
    let Some(entry) = region.first_block(context) else {
        return Vec::new();
    };
    if region.has_one_block(context) {
        return Vec::new();
    }
    let mut reached = FxHashSet::default();
    let mut pending = vec![entry];
    while let Some(block) = pending.pop() {
        if reached.insert(block) {
            pending.extend(block.successors(context));
        }
    }
    let blocks = region.blocks(context);
    blocks.filter(|block| !reached.contains(block)).collect()
}

/// Erases unreachable blocks.
pub(crate) fn erase_unreachable(context: &mut Context, region: Region) -> IRStatus {
    let unreachable = unreachable_blocks(context, region);
    erase_blocks(context, &unreachable);
    IRStatus::changed_if(!unreachable.is_empty())
}

/// Erases blocks that are referenced only by each other.
pub(crate) fn erase_blocks(context: &mut Context, blocks: &[Block]) {
    for &block in blocks {
        let operations: Vec<_> = block.operations(context).collect();
        for op in operations {
            drop_operands(context, op);
            for number in 0..op.successor_count(context) {
                op.set_successor(context, number, block);
            }
        }
    }
    for &block in blocks {
        block.erase(context);
    }
}

/// Drops all operands of an operation and the operations nested in it.
fn drop_operands(context: &mut Context, op: Operation) {
    for nested in walk::collect(context, op) {
        nested.set_operands(context, &[]);
    }
}

/// Erases operations and block arguments that are only used by each other.
fn erase_dead_values(context: &mut Context, root: Operation) -> IRStatus {
    let liveness = Liveness::of(context, root);
    let mut dead_operations = Vec::new();
    let mut dead_arguments = Vec::new();
    let mut pending = vec![root];
    while let Some(op) = pending.pop() {
        for region in op.regions(context) {
            for (number, block) in region.blocks(context).enumerate() {
                for (position, argument) in block.arguments(context).enumerate() {
                    if number > 0 && !liveness.is_live(argument) {
                        dead_arguments.push((block, position));
                    }
                }
                for op in block.operations(context) {
                    if liveness.is_live_op(op) {
                        pending.push(op);
                    } else {
                        dead_operations.push(op);
                    }
                }
            }
        }
    }
    for &op in &dead_operations {
        drop_operands(context, op);
    }
    let changed = !dead_operations.is_empty() || !dead_arguments.is_empty();
    // Erasing the last argument of a block first keeps positions valid. Arguments may be passed for
    // each other: all passed values are erased before the first argument.
    let mut updates = EdgeUpdates::default();
    for &(block, position) in dead_arguments.iter().rev() {
        erase_passed(context, &mut updates, block, position);
    }
    updates.finish(context);
    for &(block, position) in dead_arguments.iter().rev() {
        block.erase_argument(context, position);
    }
    for op in dead_operations {
        op.erase(context);
    }
    IRStatus::changed_if(changed)
}

/// Erases the values that branches pass for an argument.
fn erase_passed(context: &mut Context, updates: &mut EdgeUpdates, block: Block, position: usize) {
    for (branch, successor) in block.predecessor_edges(context).collect::<Vec<_>>() {
        if let Some(passed) = updates.passed(context, branch, successor) {
            let mut passed = passed.to_vec();
            passed.remove(position);
            updates.redirect(context, branch, successor, block, passed);
        }
    }
}

/// The live operations and values.
struct Liveness {
    operations: Vec<bool>,
    values: Vec<bool>,
    pending_operations: Vec<Operation>,
    pending_values: Vec<Value>,
    /// The values that the visited branches pass.
    edges: FxHashMap<Operation, PassedRanges>,
}

impl Liveness {
    fn of(context: &Context, root: Operation) -> Self {
        let mut liveness = Liveness {
            operations: vec![false; context.operation_capacity()],
            values: vec![false; context.value_capacity()],
            pending_operations: Vec::new(),
            pending_values: Vec::new(),
            edges: FxHashMap::default(),
        };
        liveness.mark_op(root);
        loop {
            if let Some(op) = liveness.pending_operations.pop() {
                liveness.visit_operation(context, op);
            } else if let Some(value) = liveness.pending_values.pop() {
                liveness.visit_value(context, value);
            } else {
                return liveness;
            }
        }
    }

    fn is_live_op(&self, op: Operation) -> bool {
        self.operations[op.index()]
    }

    fn is_live(&self, value: Value) -> bool {
        self.values[value.index()]
    }

    fn mark_op(&mut self, op: Operation) {
        if !std::mem::replace(&mut self.operations[op.index()], true) {
            self.pending_operations.push(op);
        }
    }

    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.values[value.index()], true) {
            self.pending_values.push(value);
        }
    }

    /// Marks the operands of a live operation and nested operations with effects. Operands passed to
    /// block arguments are marked with these.
    fn visit_operation(&mut self, context: &Context, op: Operation) {
        let mut passed = FxHashSet::default();
        for (block, range) in op.edges(context) {
            let Some(range) = range else {
                // The origin of its arguments is unknown.
                for argument in block.arguments(context) {
                    self.mark(argument);
                }
                continue;
            };
            passed.extend(range);
        }
        for (number, operand) in op.operands(context).enumerate() {
            if !passed.contains(&number) {
                self.mark(operand);
            }
        }
        for region in op.regions(context) {
            for block in region.blocks(context) {
                for nested in block.operations(context) {
                    if !is_removable(context, nested) {
                        self.mark_op(nested);
                    }
                }
            }
        }
    }

    /// Marks the definition of a live value, or the values passed for the argument.
    fn visit_value(&mut self, context: &Context, value: Value) {
        let (block, position) = match value.owner(context) {
            ValueOwner::Result(op, _) => return self.mark_op(op),
            ValueOwner::Argument(block, position) => (block, position),
        };
        for (branch, successor) in block.predecessor_edges(context) {
            let known = self.edges.entry(branch);
            let groups = known.or_insert_with(|| branch.passed_groups(context).unwrap_or_default());
            let range = groups.get(successor).cloned();
            if let Some(number) = range.and_then(|mut range| range.nth(position)) {
                self.mark(branch.operand(context, number));
            }
        }
    }
}
