//! Structural equality of operations, and hash tables keyed by it.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry as TableEntry;
use orison_ir::declare::Trait;
use orison_ir::{Block, Context, Operation, Value};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

/// A hash that is equal for equal operations. Regions are ignored, except for their number.
pub fn hash(context: &Context, op: Operation) -> u64 {
    let mut hasher = FxHasher::default();
    op.name(context).hash(&mut hasher);
    op.properties(context).hash(&mut hasher);
    op.attributes(context).hash(&mut hasher);
    for result in op.results(context) {
        result.ty(context).hash(&mut hasher);
    }
    let operands = op.operands(context).map(Value::index);
    if operands.len() > 1 && op.has_trait(context, Trait::Commutative) {
        let mut operands: SmallVec<[usize; 4]> = operands.collect();
        operands.sort_unstable();
        operands.hash(&mut hasher);
    } else {
        for operand in operands {
            hasher.write_usize(operand);
        }
    }
    op.region_count(context).hash(&mut hasher);
    hasher.finish()
}

/// Maps values and blocks inside one operation to their counterparts in the other.
type Counterparts = FxHashMap<Value, Value>;

/// Whether two operations are equal: the same name, attributes, operands and result types, and
/// equal regions of at most one block. Locations do not count.
pub fn are_equal(context: &Context, a: Operation, b: Operation) -> bool {
    let mut counterparts = Counterparts::default();
    if a.region_count(context) == 0 {
        return are_equal_outside(context, a, b, &counterparts);
    }
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
        // In textual order: definitions before uses.
        pending.extend(nested.into_iter().rev());
    }
    true
}

/// Pairs up the arguments and operations of two blocks; false if they do not match.
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
    let counterpart = |value: Value| match counterparts.is_empty() {
        true => value,
        false => counterparts.get(&value).copied().unwrap_or(value),
    };
    let in_order = a
        .operands(context)
        .zip(b.operands(context))
        .all(|(a, b)| counterpart(a) == b);
    if in_order || !a.has_trait(context, Trait::Commutative) {
        return in_order;
    }
    let mut operands_a: SmallVec<[Value; 4]> = a.operands(context).map(counterpart).collect();
    let mut operands_b: SmallVec<[Value; 4]> = b.operands(context).collect();
    operands_a.sort_unstable();
    operands_b.sort_unstable();
    operands_a == operands_b
}

/// The number of memory writes before an operation that reads memory; [`ALWAYS`] for one that does
/// not.
type Version = u32;

const ALWAYS: Version = Version::MAX;

/// Kept small, because there is one per operation of a function.
#[derive(Clone, Copy, Debug)]
struct Entry {
    op: Operation,
    /// The upper half of the hash, from which the full hash is recomputed when the table grows.
    hash: u32,
    version: Version,
}

/// Spreads half a hash over all bits: tables use both ends.
fn spread(half: u32) -> u64 {
    u64::from(half).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Operations by equality, in nested scopes.
#[derive(Debug, Default)]
pub struct ScopedTable {
    table: HashTable<Entry>,
    /// Inserted entries, for undoing them.
    inserted: Vec<Entry>,
    /// For entries that replaced another one: the position in `inserted`, and the replaced entry.
    displaced: Vec<(usize, Entry)>,
    scopes: Vec<usize>,
}

impl ScopedTable {
    /// Opens a scope.
    pub fn open_scope(&mut self) {
        self.scopes.push(self.inserted.len());
    }

    /// Removes the entries inserted since the scope was opened.
    pub fn close_scope(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        if start == 0 {
            self.table.clear();
            self.inserted.clear();
            self.displaced.clear();
            return;
        }
        while self.inserted.len() > start {
            let Some(entry) = self.inserted.pop() else {
                return;
            };
            let before = self
                .displaced
                .pop_if(|(position, _)| *position == self.inserted.len());
            let is_same = |known: &Entry| known.op == entry.op;
            let Ok(slot) = self.table.find_entry(spread(entry.hash), is_same) else {
                continue;
            };
            match before {
                Some((_, before)) => *slot.into_mut() = before,
                None => {
                    slot.remove();
                }
            }
        }
    }

    /// The operation in the table that can replace `op`. If there is none, `op` is inserted.
    /// `writes` is the number of memory writes so far, for operations that read memory: the other
    /// one must be in the same block, with the same number of writes.
    pub fn find_or_insert(
        &mut self,
        context: &Context,
        op: Operation,
        writes: Option<u32>,
    ) -> Option<Operation> {
        // When hashing a few small integers, the lower bits are weaker.
        let hash = u32::try_from(hash(context, op) >> 32).unwrap_or(0);
        let version = writes.unwrap_or(ALWAYS);
        let entry = Entry { op, hash, version };
        let equal = |known: &Entry| known.hash == hash && are_equal(context, known.op, op);
        let rehash = |entry: &Entry| spread(entry.hash);
        match self.table.entry(spread(hash), equal, rehash) {
            TableEntry::Occupied(mut known) => {
                let found = *known.get();
                let same_block = found.op.block(context) == op.block(context);
                if version == ALWAYS || (found.version == version && same_block) {
                    return Some(found.op);
                }
                *known.get_mut() = entry;
                self.displaced.push((self.inserted.len(), found));
            }
            TableEntry::Vacant(slot) => {
                slot.insert(entry);
            }
        }
        self.inserted.push(entry);
        None
    }
}
