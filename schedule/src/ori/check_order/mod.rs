//! Whether a function whose operations are in another order does the same: a judge of schedulers of `ori`.
//!
//! [`RecordedOrder`] keeps the operations of a function before a pass; [`RecordedOrder::check`] compares the
//! function behind the pass with them. Which operations must keep their order is derived from the operations, by
//! the instruction table; no code is in common with [`super::dependences`], or with the analysis of addresses
//! that it uses (`orison_ori::analyses::memory`).
//!
//! What keeps its order in a block:
//! - a value's definition and its uses;
//! - accesses to the same memory of which one writes, unless their addresses differ by a constant and the bytes are
//!   others, or are in different symbols or slots;
//! - strong accesses and atomic operations; synchronisation, with memory accesses and with itself, also calls,
//!   and exits in the middle of blocks;
//! - products of warp groups among themselves, and fences, commits and waits of their groups with them and with
//!   all that uses or makes values of products;
//! - clocks, and changes of the stack, with memory, synchronisation and each other;
//! - what depends on the threads that execute it together, with what changes these;
//! - the terminator, and operations that are not known, with everything.
//!
//! A walk takes linear time in the operations and operands of a function.

mod addresses;
mod findings;
mod rules;
#[cfg(test)]
mod tests;

use orison_ir::{Attribute, Block, Context, Operation, Region, Value};
use rustc_hash::FxHashMap;

use crate::order::{Accesses, Placed, Sets};
use addresses::Addresses;
use rules::Products;

pub use crate::order::Window;
pub use findings::{LocatedOperation, OrderFinding, Reason};

/// An operation, and what must not change.
struct Recorded {
    located: LocatedOperation,
    operands: Vec<Value>,
    properties: Attribute,
    successors: Vec<Block>,
}

impl Recorded {
    fn of(context: &Context, op: Operation, block: usize, index: usize) -> Recorded {
        Recorded {
            located: LocatedOperation::of(context, op, block, index),
            operands: op.operands(context).collect(),
            properties: op.properties(context),
            successors: op.successors(context).collect(),
        }
    }

    fn is_unchanged(&self, context: &Context) -> bool {
        let op = self.located.operation;
        op.operands(context).eq(self.operands.iter().copied())
            && op.properties(context) == self.properties
            && op.successors(context).eq(self.successors.iter().copied())
    }
}

struct RecordedBlock {
    block: Block,
    arguments: Vec<Value>,
    operations: Vec<Recorded>,
}

/// The operations of a region in their order, by block.
pub struct RecordedOrder(Vec<RecordedBlock>);

/// Where operations are.
type Positions = FxHashMap<Operation, (usize, usize)>;

impl RecordedOrder {
    /// Records the order of a region.
    pub fn of(context: &Context, region: Region) -> RecordedOrder {
        let blocks = region.blocks(context).enumerate();
        let blocks = blocks.map(|(number, block)| {
            let operations = block.operations(context).enumerate();
            let operations = operations.map(|(index, op)| Recorded::of(context, op, number, index));
            RecordedBlock {
                block,
                arguments: block.arguments(context).collect(),
                operations: operations.collect(),
            }
        });
        RecordedOrder(blocks.collect())
    }

    /// What is different in the region now, by more than the order of independent operations in blocks: pairs in the
    /// wrong order, operations that are missing, added, changed or in other blocks, and blocks with other
    /// arguments. Attributes that are no properties may differ. By block, and in it in the recorded order.
    pub fn check(&self, context: &Context, region: Region) -> Vec<OrderFinding> {
        let mut positions = Positions::default();
        let blocks: Vec<Block> = region.blocks(context).collect();
        for (number, block) in blocks.iter().enumerate() {
            let operations = block.operations(context).enumerate();
            positions.extend(operations.map(|(index, op)| (op, (number, index))));
        }
        let mut findings = self.changes(context, &blocks, &positions);
        let products = Products::of(context, self.operations(context));
        let mut addresses = Addresses::new(context);
        for (number, block) in self.0.iter().enumerate() {
            let walk = Walk {
                context,
                number,
                block,
                positions: &positions,
                products: &products,
            };
            walk.check(&mut addresses, &mut findings);
        }
        findings.sort_by_key(|found| (found.second.block, found.second.index));
        findings
    }

    /// The recorded operations that still exist.
    fn operations<'a>(&'a self, context: &'a Context) -> impl Iterator<Item = Operation> + 'a {
        let all = self.0.iter().flat_map(|block| &block.operations);
        let all = all.map(|recorded| recorded.located.operation);
        all.filter(|op| op.is_live(context))
    }

    fn changes(
        &self,
        context: &Context,
        blocks: &[Block],
        positions: &Positions,
    ) -> Vec<OrderFinding> {
        let mut findings = Vec::new();
        let mut known = FxHashMap::default();
        for (number, recorded) in self.0.iter().enumerate() {
            let same = blocks.get(number) == Some(&recorded.block)
                && recorded
                    .block
                    .arguments(context)
                    .eq(recorded.arguments.iter().copied());
            if let (false, Some(first)) = (same, recorded.operations.first()) {
                findings.push(first.located.finding(Reason::Block));
            }
            for recorded in &recorded.operations {
                let op = recorded.located.operation;
                known.insert(op, ());
                let reason = match positions.get(&op) {
                    None => Reason::Missing,
                    Some((block, _)) if *block != number => Reason::LeftBlock(*block),
                    Some(_) if !recorded.is_unchanged(context) => Reason::Changed,
                    Some(_) => continue,
                };
                findings.push(recorded.located.finding(reason));
            }
        }
        for (op, (block, index)) in positions {
            if !known.contains_key(op) {
                let located = LocatedOperation::of(context, *op, *block, *index);
                findings.push(located.finding(Reason::Added));
            }
        }
        findings
    }
}

/// The comparison of the two orders of a block.
struct Walk<'a> {
    context: &'a Context,
    number: usize,
    block: &'a RecordedBlock,
    positions: &'a Positions,
    products: &'a Products,
}

impl Walk<'_> {
    fn check(&self, addresses: &mut Addresses<'_>, findings: &mut Vec<OrderFinding>) {
        let mut definitions: FxHashMap<Value, Placed> = FxHashMap::default();
        let mut accesses = Accesses::default();
        let mut sets = Sets::default();
        for (number, recorded) in self.block.operations.iter().enumerate() {
            let op = recorded.located.operation;
            let Some((_, position)) = self.position(op) else {
                continue;
            };
            let placed = Placed { position, number };
            let mut passed: Vec<(usize, Reason)> = Vec::new();
            for operand in op.operands(self.context) {
                let definition = definitions.get(&operand);
                let behind = definition.filter(|definition| **definition > placed);
                passed.extend(behind.map(|definition| (definition.number, Reason::Definition)));
            }
            definitions.extend(op.results(self.context).map(|result| (result, placed)));
            let uses = rules::uses(self.context, op, addresses);
            let is_last = number + 1 == self.block.operations.len();
            let members = rules::members(self.context, op, (&uses, self.products), is_last);
            sets.check(rules::pairs(), members, placed, |first, reason| {
                passed.push((first, reason));
            });
            for found in uses {
                accesses.check(found, placed, |first, window| {
                    passed.push((first, Reason::Memory(window)));
                });
            }
            self.report(recorded, passed, findings);
        }
    }

    /// Where an operation of the block is, if it is still there.
    fn position(&self, op: Operation) -> Option<(usize, usize)> {
        let found = self.positions.get(&op).copied();
        found.filter(|(block, _)| *block == self.number)
    }

    /// Reports each pair once, by its first reason.
    fn report(
        &self,
        second: &Recorded,
        mut passed: Vec<(usize, Reason)>,
        findings: &mut Vec<OrderFinding>,
    ) {
        passed.sort_unstable();
        passed.dedup_by_key(|(first, _)| *first);
        findings.extend(passed.into_iter().map(|(first, reason)| OrderFinding {
            first: Some(self.block.operations[first].located.clone()),
            second: second.located.clone(),
            reason,
        }));
    }
}
