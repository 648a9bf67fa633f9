//! What of the second loop is executed in the fused one.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::induction::{Loop, LoopInductions};
use orison_ori::analyses::linear::Root;
use orison_ori::analyses::properties;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ori::functions::passed;

/// The parts of a loop of one block that stay when another loop counts its iterations.
#[derive(Clone, Debug, Default)]
pub(super) struct SecondBody {
    /// Its induction variables and their next values that the first loop has too, with those of the
    /// first loop.
    pub merged: Vec<(Value, Value)>,
    /// The arguments that the fused loop needs in addition, by position.
    pub carried: Vec<usize>,
    /// The operations that stay, in order; not the branch.
    pub operations: Vec<Operation>,
    /// The values from outside that these, and the next values of the arguments, read.
    pub read: Vec<Value>,
}

impl SecondBody {
    /// Of the second of two loops that run equally often. Linear in its block, and in the product of
    /// the numbers of induction variables.
    pub fn of(second: &Loop<'_>, inductions: [&LoopInductions; 2], back: usize) -> Option<Self> {
        let context = second.context;
        let block = second.flow.block(second.natural.header);
        let branch = block.terminator(context)?;
        let next = passed(context, branch, back);
        let mut body = SecondBody {
            merged: merged(context, inductions),
            ..SecondBody::default()
        };
        let live = Live::of(context, block, (branch, back), &next, &body.merged);
        let all = block.operations(context);
        body.operations = all.filter(|op| live.operations.contains(op)).collect();
        let places = 0..block.argument_count(context);
        let arguments: Vec<Value> = block.arguments(context).collect();
        body.carried = places
            .filter(|place| live.values.contains(&arguments[*place]))
            .collect();
        let of_operations = body.operations.iter().flat_map(|op| op.operands(context));
        let of_arguments = body.carried.iter().map(|place| next[*place]);
        let outside = of_operations.chain(of_arguments);
        let outside = outside.filter(|value| value.parent_block(context) != Some(block));
        let mut known = FxHashSet::default();
        body.read = outside.filter(|value| known.insert(*value)).collect();
        Some(body)
    }
}

/// The induction variables of the second loop that are equal to one of the first in each iteration:
/// they have the same start and step.
fn merged(context: &Context, [first, second]: [&LoopInductions; 2]) -> Vec<(Value, Value)> {
    let mut pairs = Vec::new();
    for own in &second.variables {
        let alike = first.variables.iter().find(|other| {
            own.start.is_some()
                && own.start == other.start
                && own.step == other.step
                && is_alike(context, own.variable, other.variable)
        });
        let Some(other) = alike else { continue };
        pairs.extend(own.variable.values().zip(other.variable.values()));
        if let (Some(own), Some(other)) = (own.next, other.next) {
            let words = own.into_iter().zip(other);
            let words = words.filter(|(own, other)| own.ty(context) == other.ty(context));
            pairs.extend(words);
        }
    }
    pairs
}

/// Whether two variables have registers of the same type.
fn is_alike(context: &Context, a: Root, b: Root) -> bool {
    let types = |root: Root| {
        root.values()
            .map(|value| value.ty(context))
            .collect::<Vec<_>>()
    };
    types(a) == types(b)
}

/// What is executed for its effect, or read by something that is, or behind the loop.
struct Live {
    values: FxHashSet<Value>,
    operations: FxHashSet<Operation>,
}

impl Live {
    fn of(
        context: &Context,
        block: Block,
        (branch, back): (Operation, usize),
        next: &[Value],
        merged: &[(Value, Value)],
    ) -> Self {
        let merged: FxHashSet<Value> = merged.iter().map(|(own, _)| *own).collect();
        let arguments: FxHashMap<Value, usize> = block.arguments(context).zip(0..).collect();
        let mut live = Live {
            values: FxHashSet::default(),
            operations: FxHashSet::default(),
        };
        let mut pending = passed(context, branch, 1 - back);
        let is_read_behind = |value: &Value| {
            let mut users = value.users(context);
            users.any(|user| user.block(context) != Some(block))
        };
        pending.extend(block.arguments(context).filter(is_read_behind));
        for op in block.operations(context).filter(|op| *op != branch) {
            if !properties::is_pure(context, op)
                || op.results(context).any(|value| is_read_behind(&value))
            {
                live.operations.insert(op);
                pending.extend(op.operands(context));
            }
        }
        while let Some(value) = pending.pop() {
            if merged.contains(&value) || !live.values.insert(value) {
                continue;
            }
            if let Some(place) = arguments.get(&value) {
                pending.push(next[*place]);
            } else if let Some(op) = value.defining_op(context)
                && op.block(context) == Some(block)
                && live.operations.insert(op)
            {
                pending.extend(op.operands(context));
            }
        }
        live
    }
}
