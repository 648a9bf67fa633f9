//! Checks that every operand is defined on every path to its use.
//!
//! One walk over the dominator tree of each region, in which a value is available from its
//! definition until the walk leaves the subtree of its block. Linear in the program.

use crate::declare::{Trait, VerifyResult};
use crate::dominance::{DominatorTree, is_graph_region};
use crate::entities::{Block, Operation, Region, Value, ValueOwner};
use crate::{Context, Location};

/// The values available at the current point of the walk.
pub(super) struct Availability {
    available: Vec<bool>,
}

/// A step of the walk.
enum Step {
    /// The remaining operations of a block, starting at this one; whether uses are checked.
    Operations(Option<Operation>, bool),
    /// Makes the results of an operation available after its regions are visited.
    Define(Operation),
    Region(Region, bool),
    Block(Block, bool),
    /// Makes the values defined directly in a block unavailable.
    Forget(Block),
}

impl Availability {
    pub(super) fn new(context: &Context) -> Self {
        Availability {
            available: vec![false; context.value_capacity()],
        }
    }

    fn define(&mut self, value: Value) {
        self.available[value.index()] = true;
    }

    /// Sets whether the values defined directly in a block are available.
    fn set_values(&mut self, context: &Context, block: Block, available: bool) {
        let results = block.operations(context).flat_map(|op| op.results(context));
        for value in block.arguments(context).chain(results) {
            self.available[value.index()] = available;
        }
    }

    /// Checks everything in an operation, except the contents of nested isolated operations.
    pub(super) fn verify_unit(&mut self, context: &Context, unit: Operation) -> VerifyResult {
        let mut steps: Vec<Step> = unit
            .regions(context)
            .map(|region| Step::Region(region, true))
            .collect();
        steps.reverse();
        let result = self.run(context, unit, &mut steps);
        if result.is_err() {
            // The walk may have stopped anywhere: clear the values it made available for later
            // units.
            for op in crate::walk::collect(context, unit) {
                for block in op
                    .regions(context)
                    .flat_map(|region| region.blocks(context))
                {
                    self.set_values(context, block, false);
                }
            }
        }
        result
    }

    fn run(&mut self, context: &Context, unit: Operation, steps: &mut Vec<Step>) -> VerifyResult {
        while let Some(step) = steps.pop() {
            match step {
                Step::Forget(block) => self.set_values(context, block, false),
                Step::Define(op) => op.results(context).for_each(|value| self.define(value)),
                Step::Region(region, check) => self.enter_region(context, region, check, steps),
                Step::Block(block, check) => {
                    block
                        .arguments(context)
                        .for_each(|value| self.define(value));
                    steps.push(Step::Operations(block.first_op(context), check));
                }
                Step::Operations(first, check) => {
                    self.operations(context, unit, first, check, steps)?;
                }
            }
        }
        Ok(())
    }

    /// Visits operations up to the first with regions, which is pushed on the stack with the rest.
    fn operations(
        &mut self,
        context: &Context,
        unit: Operation,
        first: Option<Operation>,
        check: bool,
        steps: &mut Vec<Step>,
    ) -> VerifyResult {
        let mut current = first;
        while let Some(op) = current {
            if check {
                for (number, value) in op.operands(context).enumerate() {
                    if !self.available[value.index()] {
                        return Err(explain(context, unit, op, number, value));
                    }
                }
            }
            current = op.next(context);
            if op.region_count(context) > 0 && !op.has_trait(context, Trait::IsolatedFromAbove) {
                steps.push(Step::Operations(current, check));
                steps.push(Step::Define(op));
                let start = steps.len();
                steps.extend(
                    op.regions(context)
                        .map(|region| Step::Region(region, check)),
                );
                steps[start..].reverse();
                return Ok(());
            }
            op.results(context).for_each(|value| self.define(value));
        }
        Ok(())
    }

    fn enter_region(
        &mut self,
        context: &Context,
        region: Region,
        check: bool,
        steps: &mut Vec<Step>,
    ) {
        if is_graph_region(context, region) {
            let blocks: Vec<_> = region.blocks(context).collect();
            for block in &blocks {
                self.set_values(context, *block, true);
            }
            steps.extend(blocks.iter().map(|block| Step::Forget(*block)));
            steps.extend(blocks.iter().rev().map(|block| Step::Block(*block, check)));
            return;
        }
        if region.has_one_block(context) {
            let Some(block) = region.first_block(context) else {
                return;
            };
            steps.push(Step::Forget(block));
            steps.push(Step::Block(block, check));
            return;
        }
        let tree = DominatorTree::of(context, region);
        // Unreachable blocks may use any value, as in MLIR.
        for block in region
            .blocks(context)
            .filter(|block| !tree.is_reachable(*block))
        {
            steps.push(Step::Forget(block));
            steps.push(Step::Block(block, false));
        }
        if let Some(entry) = region.first_block(context) {
            push_subtree(&tree, entry, check, steps);
        }
    }
}

/// Pushes a subtree of the dominator tree on the stack: a block, its children, its removal.
fn push_subtree(tree: &DominatorTree, entry: Block, check: bool, steps: &mut Vec<Step>) {
    enum Visit {
        Enter(Block),
        Leave(Block),
    }
    let mut order = Vec::new();
    let mut stack = vec![Visit::Enter(entry)];
    while let Some(visit) = stack.pop() {
        match visit {
            Visit::Leave(block) => order.push(Step::Forget(block)),
            Visit::Enter(block) => {
                order.push(Step::Block(block, check));
                stack.push(Visit::Leave(block));
                stack.extend(tree.children(block).map(Visit::Enter));
            }
        }
    }
    steps.extend(order.into_iter().rev());
}

/// Explains why a value is not available at a use.
fn explain(
    context: &Context,
    unit: Operation,
    user: Operation,
    number: usize,
    value: Value,
) -> Box<crate::Diagnostic> {
    if is_outside(context, unit, value) {
        let note = "required by region isolation constraints";
        let error = user.op_error(context, "using value defined outside the region");
        return Box::new(error.with_note(unit.location(context), note));
    }
    let message = format!("operand #{number} does not dominate this use");
    let (location, note) = definition_note(context, user, value);
    Box::new(user.error(context, message).with_note(location, note))
}

fn is_outside(context: &Context, unit: Operation, value: Value) -> bool {
    let isolated = unit.has_trait(context, Trait::IsolatedFromAbove);
    let inside = match value.owner(context) {
        ValueOwner::Result(op, _) => unit != op && unit.is_ancestor_of(context, op),
        ValueOwner::Argument(block, _) => block
            .parent_op(context)
            .is_some_and(|op| unit.is_ancestor_of(context, op)),
    };
    isolated && !inside
}

/// A note on where a value is defined, in MLIR's wording.
fn definition_note(context: &Context, user: Operation, value: Value) -> (Location, String) {
    let user_region = user.parent_region(context);
    match value.owner(context) {
        ValueOwner::Result(op, _) => {
            let place = if op.block(context) == user.block(context) {
                "in the same block"
            } else {
                relation(context, user_region, op.parent_region(context))
            };
            let place = match place {
                place if place.starts_with("neither") => format!("is {place}"),
                place => place.to_owned(),
            };
            (
                op.location(context),
                format!("operand defined here (op {place})"),
            )
        }
        ValueOwner::Argument(block, _) => {
            let region = block.region(context);
            let number = region.and_then(|region| region.blocks(context).position(|b| b == block));
            let number = number.unwrap_or(0);
            let place = relation(context, user_region, region);
            let note = format!("operand defined as a block argument (block #{number} {place})");
            // As in MLIR, the location is that of the operation that contains the block.
            let parent = block.parent_op(context);
            let location = parent.map_or(Location::UNKNOWN, |op| op.location(context));
            (location, note)
        }
    }
}

/// The position of the region of a definition relative to the region of a use.
fn relation(context: &Context, user: Option<Region>, definition: Option<Region>) -> &'static str {
    match (user, definition) {
        (Some(user), Some(definition)) if user == definition => "in the same region",
        (Some(user), Some(definition)) if definition.is_ancestor_of(context, user) => {
            "in a parent region"
        }
        (Some(user), Some(definition)) if user.is_ancestor_of(context, definition) => {
            "in a child region"
        }
        _ => "neither in a parent nor in a child region",
    }
}
