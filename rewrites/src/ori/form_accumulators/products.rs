//! Products with constant inputs, equal products, and products without users.

use orison_ir::declare::Folded;
use orison_ir::{Attribute, Builder, Context, Identifier, InsertionPoint, Operation, Value};
use orison_machine::Space;
use orison_ori::MachineOperation;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::memory;
use orison_ori::analyses::properties::{self, immediate};
use orison_ori::modifiers::{self, Modifier, ModifierSet};
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::{Concat, Extract};
use rustc_hash::FxHashMap;

use super::operations;
use crate::ori::functions::Function;

/// Drops accumulators that are zero and scales that are constant; returns the number of products
/// that changed.
pub(super) fn simplify(context: &mut Context, function: Function) -> u64 {
    let mut changed = 0;
    for op in operations(context, function) {
        if let Some(product) = WgmmaMma::of(context, op) {
            changed += u64::from(simplify_one(context, product));
        }
    }
    changed
}

fn simplify_one(context: &mut Context, product: WgmmaMma) -> bool {
    let op = product.operation();
    let scale = op.operands_named(context, "scale").first().copied();
    let counts = scale.map(|scale| {
        let number = operand_number(context, op, scale);
        let set = number.map_or(ModifierSet::NONE, |n| modifiers::of_operand(context, op, n));
        let bit = constant_bit(context, scale)?;
        Some(bit != set.contains(Modifier::Invert))
    });
    let zero = match counts {
        Some(Some(false)) => true,
        _ => product
            .accumulator(context)
            .is_some_and(|value| is_zero_here(context, op, value)),
    };
    let guarded = properties::guard(context, op).is_some();
    let drops_accumulator = zero && product.accumulator(context).is_some();
    let drops_scale = scale.is_some() && (zero || matches!(counts, Some(Some(_))));
    if !drops_accumulator && !drops_scale {
        return false;
    }
    // The values where the guard does not hold stay.
    debug_assert!(!guarded || !properties::otherwise(context, op).is_empty());
    let Some(mut copy) = MachineOperation::copy_of(context, op) else {
        return false;
    };
    if drops_accumulator {
        copy = copy.without("accumulator");
    }
    if drops_scale {
        copy = copy.without("scale");
    }
    let location = op.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(op));
    let new = copy.build(&mut builder, location);
    let (old, result) = (op.result(context, 0), new.result(context, 0));
    old.replace_all_uses_with(context, result);
    op.erase(context);
    true
}

/// A predicate that is constant, also by a comparison of constants.
fn constant_bit(context: &mut Context, value: Value) -> Option<bool> {
    if let Some(bit) = immediate(context, value) {
        return Some(bit != 0);
    }
    let op = value.defining_op(context)?;
    let fold = op.definition(context)?.fold?;
    let operands: Vec<Value> = op.operands(context).collect();
    let numbers: Option<Vec<i64>> = operands.iter().map(|v| immediate(context, *v)).collect();
    let constants: Vec<Option<Attribute>> = numbers?
        .into_iter()
        .map(|number| Some(Attribute::i64(context, number)))
        .collect();
    let results = fold(context, op, &constants)?;
    match results.get(value.position(context))? {
        Folded::Constant(bits) => bits
            .as_i64(context)
            .map(|bits| bits != 0)
            .or_else(|| bits.as_bool()),
        Folded::Value(_) => None,
    }
}

fn operand_number(context: &Context, op: Operation, value: Value) -> Option<usize> {
    let definition = op.definition(context)?;
    let mut groups = definition.operands.iter();
    let group = groups.position(|group| group.name == "scale")?;
    let mut range = definition.operand_range(context, op, group);
    range.find(|number| op.operand(context, *number) == value)
}

/// Whether all parts of an accumulator are zeros of the product's own block: ptxas folds no others.
fn is_zero_here(context: &Context, op: Operation, value: Value) -> bool {
    let Some(concat) = value.defining_op(context) else {
        return false;
    };
    Concat::matches(context, concat)
        && concat.operands(context).all(|part| {
            let home = part.defining_op(context).and_then(|op| op.block(context));
            immediate(context, part) == Some(0) && home == op.block(context)
        })
}

/// What is the same for equal products.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    operands: Vec<(Value, Vec<u8>)>,
    attributes: Vec<(Identifier, Attribute)>,
}

/// Replaces products without an accumulator by equal ones before them in the block.
pub(super) fn merge_equal(context: &mut Context, function: Function) -> u64 {
    let blocks: Vec<_> = function.body.blocks(context).collect();
    let mut merged = 0;
    for block in blocks {
        let mut known: FxHashMap<Key, Operation> = FxHashMap::default();
        for op in block.body(context) {
            if may_change_factors(context, op) {
                known.clear();
            }
            let Some(product) = WgmmaMma::of(context, op) else {
                continue;
            };
            if product.accumulator(context).is_some() || properties::guard(context, op).is_some() {
                continue;
            }
            let set = |number| modifiers::of_operand(context, op, number);
            let bits = |number| set(number).iter().map(|one| one as u8).collect();
            let operands = op.operands(context).enumerate();
            let key = Key {
                operands: operands.map(|(number, v)| (v, bits(number))).collect(),
                attributes: op.properties(context).entries(context).to_vec(),
            };
            let first = *known.entry(key).or_insert(op);
            if first != op {
                let (old, result) = (op.result(context, 0), first.result(context, 0));
                old.replace_all_uses_with(context, result);
                op.erase(context);
                merged += 1;
            }
        }
    }
    merged
}

/// Whether an operation may write shared memory, or wait for other threads that do; or begins or
/// ends a stage, across which ptxas merges nothing.
fn may_change_factors(context: &Context, op: Operation) -> bool {
    match role(context, op) {
        None => {
            let accesses = memory::accesses(context, op);
            let shared = |space: Option<Space>| {
                !matches!(space, Some(Space::Global | Space::Local | Space::Constant))
            };
            accesses.iter().any(|one| one.writes && shared(one.space))
        }
        Some(role) => matches!(role, Role::Call | Role::Arrive | Role::Wait(_)),
    }
}

/// Erases products whose results are unused; returns how many.
pub(super) fn erase_unused(context: &mut Context, function: Function) -> u64 {
    let mut erased = 0;
    for op in operations(context, function).into_iter().rev() {
        let is_product = role(context, op) == Some(Role::Product);
        let is_parts = Concat::matches(context, op) || Extract::matches(context, op);
        if (is_product || is_parts) && op.is_unused(context) {
            op.erase(context);
            erased += u64::from(is_product);
        }
    }
    erased
}
