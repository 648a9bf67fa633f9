//! Equality of operations, and tables of operations by it.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use orison_ir::declare::Trait;
use orison_ir::{Block, Context, Operation, Value};
use rustc_hash::{FxHashMap, FxHasher};

/// A hash that equal operations share. Regions do not take part, except for their number.
pub fn hash(context: &Context, op: Operation) -> u64 {
    let mut hasher = FxHasher::default();
    op.name(context).hash(&mut hasher);
    op.properties(context).hash(&mut hasher);
    op.attributes(context).hash(&mut hasher);
    for result in op.results(context) {
        result.ty(context).hash(&mut hasher);
    }
    if op.operand_count(context) > 1 && op.has_trait(context, Trait::Commutative) {
        let mut operands: Vec<_> = op.operands(context).collect();
        operands.sort_unstable();
        operands.hash(&mut hasher);
    } else {
        for operand in op.operands(context) {
            operand.hash(&mut hasher);
        }
    }
    op.region_count(context).hash(&mut hasher);
    hasher.finish()
}

/// Values and blocks inside one operation with their counterparts in the other.
type Counterparts = FxHashMap<Value, Value>;

/// Whether two operations are equal: the same name, attributes, operands and result types, and
/// equal regions of at most one block. Locations do not count.
pub fn are_equal(context: &Context, a: Operation, b: Operation) -> bool {
    let mut counterparts = Counterparts::default();
    let mut pending = vec![(a, b)];
    while let Some((a, b)) = pending.pop() {
        if !are_equal_outside(context, a, b, &counterparts) {
            return false;
        }
        for (result_a, result_b) in a.results(context).zip(b.results(context)) {
            counterparts.insert(result_a, result_b);
        }
        let mut nested = Vec::new();
        for (region_a, region_b) in a.regions(context).zip(b.regions(context)) {
            match (region_a.first_block(context), region_b.first_block(context)) {
                (None, None) => {}
                (Some(block_a), Some(block_b)) => {
                    let several =
                        block_a.next(context).is_some() || block_b.next(context).is_some();
                    if several || !enter(context, block_a, block_b, &mut counterparts, &mut nested)
                    {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        // In order of the text: definitions before uses.
        pending.extend(nested.into_iter().rev());
    }
    true
}

/// Pairs up arguments and operations of two blocks; false when they do not fit.
fn enter(
    context: &Context,
    a: Block,
    b: Block,
    counterparts: &mut Counterparts,
    nested: &mut Vec<(Operation, Operation)>,
) -> bool {
    if a.argument_types(context) != b.argument_types(context) {
        return false;
    }
    counterparts.extend(a.arguments(context).zip(b.arguments(context)));
    let (mut next_a, mut next_b) = (a.first_op(context), b.first_op(context));
    while let (Some(op_a), Some(op_b)) = (next_a, next_b) {
        nested.push((op_a, op_b));
        (next_a, next_b) = (op_a.next(context), op_b.next(context));
    }
    next_a.is_none() && next_b.is_none()
}

fn are_equal_outside(
    context: &Context,
    a: Operation,
    b: Operation,
    counterparts: &Counterparts,
) -> bool {
    let same_shape = a.name(context) == b.name(context)
        && a.properties(context) == b.properties(context)
        && a.attributes(context) == b.attributes(context)
        && a.operand_count(context) == b.operand_count(context)
        && a.result_count(context) == b.result_count(context)
        && a.region_count(context) == b.region_count(context)
        && a.successor_count(context) == 0
        && b.successor_count(context) == 0;
    if !same_shape {
        return false;
    }
    let types = a.results(context).zip(b.results(context));
    if !types
        .into_iter()
        .all(|(a, b)| a.ty(context) == b.ty(context))
    {
        return false;
    }
    let counterpart = |value: Value| counterparts.get(&value).copied().unwrap_or(value);
    let in_order = a
        .operands(context)
        .zip(b.operands(context))
        .all(|(a, b)| counterpart(a) == b);
    if in_order || !a.has_trait(context, Trait::Commutative) {
        return in_order;
    }
    let mut operands_a: Vec<_> = a.operands(context).map(counterpart).collect();
    let mut operands_b: Vec<_> = b.operands(context).collect();
    operands_a.sort_unstable();
    operands_b.sort_unstable();
    operands_a == operands_b
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    op: Operation,
    /// For operations that read memory: how often it was written before.
    version: Option<u64>,
}

/// Operations by equality, in nested scopes.
#[derive(Debug, Default)]
pub struct ScopedTable {
    table: HashTable<Entry>,
    /// What changed, to undo it: the entry that is there now, and the one before it.
    changes: Vec<(Entry, Option<Entry>)>,
    scopes: Vec<usize>,
}

impl ScopedTable {
    /// Opens a scope.
    pub fn open_scope(&mut self) {
        self.scopes.push(self.changes.len());
    }

    /// Forgets what was inserted since the scope was opened.
    pub fn close_scope(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        for (entry, before) in self.changes.drain(start..).rev() {
            let Ok(slot) = self
                .table
                .find_entry(entry.hash, |known| known.op == entry.op)
            else {
                continue;
            };
            match before {
                Some(before) => *slot.into_mut() = before,
                None => {
                    slot.remove();
                }
            }
        }
    }

    /// The operation in the table that `op` can be replaced by. When there is none, `op` goes into
    /// the table. One that reads memory must be in the same block and of the same version.
    pub fn find_or_insert(
        &mut self,
        context: &Context,
        op: Operation,
        version: Option<u64>,
    ) -> Option<Operation> {
        let hash = hash(context, op);
        let entry = Entry { hash, op, version };
        let equal = |known: &Entry| known.hash == hash && are_equal(context, known.op, op);
        if let Some(known) = self.table.find_mut(hash, equal) {
            let same_block = known.op.block(context) == op.block(context);
            if version.is_none() || (known.version == version && same_block) {
                return Some(known.op);
            }
            let before = std::mem::replace(known, entry);
            self.changes.push((entry, Some(before)));
            return None;
        }
        self.table.insert_unique(hash, entry, |entry| entry.hash);
        self.changes.push((entry, None));
        None
    }
}
