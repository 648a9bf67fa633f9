//! The propagation to a fixed point.

use orison_host::func::{Call, Func, Return};
use orison_ir::declare::{Folded, RegionEdge, RegionFlow, RegionTarget, Trait};
use orison_ir::{Attribute, Block, Context, Operation, Value};

use super::callers::Callers;
use super::lattice::{Facts, Knowledge};
use crate::folding::constant_of;

/// Computes the state of the values and blocks nested in `root`.
pub(super) fn solve(context: &mut Context, root: Operation) -> Facts {
    let mut solver = Solver {
        callers: Callers::of(context, root),
        facts: Facts::new(context),
        context,
        root,
        blocks: Vec::new(),
        operations: Vec::new(),
    };
    solver.reach_regions(root);
    loop {
        if let Some(block) = solver.blocks.pop() {
            let operations: Vec<_> = block.operations(solver.context).collect();
            for op in operations {
                solver.visit(op);
            }
        } else if let Some(op) = solver.operations.pop() {
            let block = op.block(solver.context);
            if block.is_some_and(|block| solver.facts.is_reached(block)) {
                solver.visit(op);
            }
        } else {
            return solver.facts;
        }
    }
}

struct Solver<'c> {
    context: &'c mut Context,
    root: Operation,
    callers: Callers,
    facts: Facts,
    /// Newly reached blocks.
    blocks: Vec<Block>,
    /// Operations with newly changed operands.
    operations: Vec<Operation>,
}

impl Solver<'_> {
    fn join(&mut self, value: Value, knowledge: Knowledge) {
        if self.facts.join(value, knowledge) {
            self.operations.extend(value.users(self.context));
        }
    }

    fn reach(&mut self, block: Block) {
        if self.facts.reach(block) {
            self.blocks.push(block);
        }
    }

    /// Marks the results as not constant.
    fn give_up(&mut self, op: Operation) {
        for number in 0..op.result_count(self.context) {
            let result = op.result(self.context, number);
            self.join(result, Knowledge::Varies);
        }
    }

    /// Marks all regions as reachable with unknown arguments.
    fn reach_regions(&mut self, op: Operation) {
        for number in 0..op.region_count(self.context) {
            let Some(entry) = op.body_block(self.context, number) else {
                continue;
            };
            self.vary_arguments(entry, 0..entry.argument_count(self.context));
            self.reach(entry);
        }
    }

    fn vary_arguments(&mut self, block: Block, positions: std::ops::Range<usize>) {
        for position in positions {
            let argument = block.argument(self.context, position);
            self.join(argument, Knowledge::Varies);
        }
    }

    fn constants(&self, op: Operation) -> Vec<Option<Attribute>> {
        let operands = op.operands(self.context);
        operands
            .map(|operand| self.facts.of(operand).constant())
            .collect()
    }

    fn is_known(&self, value: Value) -> bool {
        self.facts.of(value) != Knowledge::Nothing
    }

    fn visit(&mut self, op: Operation) {
        let context = &*self.context;
        let definition = op.definition(context);
        if op.successor_count(context) > 0 {
            self.visit_branch(op);
        }
        if op.has_trait(self.context, Trait::Terminator) {
            self.visit_end(op);
        }
        if op.region_count(self.context) > 0 {
            match definition.and_then(|definition| definition.region_flow) {
                Some(flow) => self.enter_regions(op, flow),
                None => {
                    if !self.callers.is_closed(op) {
                        self.reach_regions(op);
                    }
                    self.give_up(op);
                }
            }
        } else if Call::of(self.context, op).is_some() {
            self.visit_call(op);
        } else if op.result_count(self.context) > 0 {
            self.compute(op);
        }
    }

    /// Follows the edges that a branch may take.
    fn visit_branch(&mut self, op: Operation) {
        let context = &*self.context;
        let passed: Vec<_> = op.edges(context).map(|(_, passed)| passed).collect();
        let mut decides = vec![true; op.operand_count(context)];
        for number in passed.iter().flatten().cloned().flatten() {
            decides[number] = false;
        }
        let decides = decides.iter().enumerate().filter(|(_, decides)| **decides);
        for (number, _) in decides {
            if !self.is_known(op.operand(context, number)) {
                return;
            }
        }
        let declared = op
            .definition(context)
            .and_then(|definition| definition.branch);
        let constants = self.constants(op);
        let taken = declared.and_then(|branch| (branch.taken)(context, op, &constants));
        let blocks: Vec<_> = op.successors(context).collect();
        for (number, block) in blocks.into_iter().enumerate() {
            if taken.is_some_and(|taken| taken != number) {
                continue;
            }
            match passed[number].clone() {
                Some(range) => {
                    for (position, operand) in range.enumerate() {
                        let value = op.operand(self.context, operand);
                        let argument = block.argument(self.context, position);
                        self.join(argument, self.facts.of(value));
                    }
                }
                None => self.vary_arguments(block, 0..block.argument_count(self.context)),
            }
            self.reach(block);
        }
    }

    /// Whether an operand that determines the control flow has no state yet: the operands before
    /// those that are forwarded.
    fn waits(&self, op: Operation, edges: &[RegionEdge]) -> bool {
        let first = edges.iter().map(|edge| edge.first_operand).min();
        let deciding = first.unwrap_or(0).min(op.operand_count(self.context));
        (0..deciding).any(|number| !self.is_known(op.operand(self.context, number)))
    }

    fn enter_regions(&mut self, op: Operation, flow: RegionFlow) {
        let constants = self.constants(op);
        let edges = (flow.enter)(self.context, op, &constants);
        if self.waits(op, &edges) {
            return;
        }
        for edge in edges {
            self.follow(op, op, edge);
        }
    }

    /// Visits a region terminator; the parent operation defines the successors.
    fn visit_end(&mut self, op: Operation) {
        if Return::of(self.context, op).is_some() {
            return self.visit_return(op);
        }
        let context = &*self.context;
        let Some(region) = op.parent_region(context) else {
            return;
        };
        let owner = region.owner(context);
        let definition = owner.definition(context);
        let Some(flow) = definition.and_then(|definition| definition.region_flow) else {
            return;
        };
        if op.successor_count(context) > 0 || owner == self.root {
            return;
        }
        let constants = self.constants(op);
        let edges = (flow.leave)(context, owner, region.number(context), &constants);
        if self.waits(op, &edges) {
            return;
        }
        for edge in edges {
            self.follow(op, owner, edge);
        }
    }

    /// Joins the operands of `from` into a region's arguments or the results of `owner`.
    fn follow(&mut self, from: Operation, owner: Operation, edge: RegionEdge) {
        let context = &*self.context;
        let values: Vec<_> = from.operands(context).skip(edge.first_operand).collect();
        let received: Vec<Value> = match edge.target {
            RegionTarget::Results => owner.results(context).collect(),
            RegionTarget::Region(number) => match owner.body_block(context, number) {
                Some(block) => {
                    self.vary_arguments(block, 0..edge.first_received);
                    self.reach(block);
                    block.arguments(self.context).collect()
                }
                None => return,
            },
        };
        let received = received.into_iter().skip(edge.first_received);
        let mut values = values.into_iter();
        for receiver in received {
            let knowledge = values
                .next()
                .map_or(Knowledge::Varies, |v| self.facts.of(v));
            self.join(receiver, knowledge);
        }
    }

    fn visit_call(&mut self, op: Operation) {
        let Some(callee) = self.callers.callee(op) else {
            return self.give_up(op);
        };
        if self.callers.is_closed(callee)
            && let Some(entry) = callee.body_block(self.context, 0)
        {
            let values: Vec<_> = op.operands(self.context).collect();
            let arguments: Vec<_> = entry.arguments(self.context).collect();
            for (value, argument) in values.into_iter().zip(arguments) {
                self.join(argument, self.facts.of(value));
            }
            self.reach(entry);
        }
        // The function may have returned before this call was reached.
        let body = callee.region(self.context, 0);
        let ends: Vec<_> = body
            .blocks(self.context)
            .filter(|block| self.facts.is_reached(*block))
            .filter_map(|block| block.last_op(self.context))
            .collect();
        for end in ends {
            if Return::of(self.context, end).is_some() {
                self.hand_back(end, op);
            }
        }
    }

    fn visit_return(&mut self, op: Operation) {
        let func = op.parent_op(self.context);
        let Some(func) = func.filter(|func| Func::of(self.context, *func).is_some()) else {
            return;
        };
        for call in self.callers.calls(func).to_vec() {
            let block = call.block(self.context);
            if block.is_some_and(|block| self.facts.is_reached(block)) {
                self.hand_back(op, call);
            }
        }
    }

    fn hand_back(&mut self, end: Operation, call: Operation) {
        let values: Vec<_> = end.operands(self.context).collect();
        let results: Vec<_> = call.results(self.context).collect();
        for (value, result) in values.into_iter().zip(results) {
            self.join(result, self.facts.of(value));
        }
    }

    /// Folds an operation without regions.
    fn compute(&mut self, op: Operation) {
        let context = &*self.context;
        let name = op.name(context);
        if let Some(value) = constant_of(context, op)
            && op.result_count(context) == 1
        {
            let result = op.result(context, 0);
            return self.join(result, Knowledge::Constant(value, name));
        }
        if op.operands(context).any(|operand| !self.is_known(operand)) {
            return;
        }
        let folder = op
            .definition(context)
            .and_then(|definition| definition.fold);
        let Some(folder) = folder else {
            return self.give_up(op);
        };
        let constants = self.constants(op);
        let operands: Vec<_> = op.operands(self.context).collect();
        let (properties, attributes) = (op.properties(self.context), op.attributes(self.context));
        let folded = folder(self.context, op, &constants);
        // Operands are assumed to be constants that are not in the program yet: a change in place
        // might be invalid.
        let unchanged = op.operands(self.context).eq(operands.iter().copied())
            && op.properties(self.context) == properties
            && op.attributes(self.context) == attributes;
        if !unchanged {
            op.set_operands(self.context, &operands);
            op.set_properties(self.context, properties);
            op.set_attributes(self.context, attributes);
            return self.give_up(op);
        }
        let results: Vec<_> = op.results(self.context).collect();
        match folded {
            Some(folded) if folded.len() == results.len() => {
                for (result, folded) in results.into_iter().zip(folded) {
                    let knowledge = match folded {
                        Folded::Constant(value) => Knowledge::Constant(value, name),
                        Folded::Value(value) if value == result => Knowledge::Varies,
                        Folded::Value(value) => self.facts.of(value),
                    };
                    self.join(result, knowledge);
                }
            }
            _ => self.give_up(op),
        }
    }
}
