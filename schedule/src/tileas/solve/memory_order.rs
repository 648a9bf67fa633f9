//! Order between operations that values do not establish: the requirements of tokens and effects.
//!
//! Source: TileAS reference 1.7 (semantics), 1.10 (memory consistency).

use std::collections::BTreeSet;

use orison_host::scf;
use orison_ir::declare::{Effects, Trait};
use orison_ir::walk::collect;
use orison_ir::{Context, Operation, Value};

use super::super::dependence::{memory_access, ordered};
use super::super::tensor_memory;
use super::super::tokens::is_token;

/// Whether an operation, including nested ones, may be executed twice or not at all.
pub fn is_pure(context: &Context, op: Operation) -> bool {
    collect(context, op).into_iter().all(|op| {
        let pure = op.definition(context).is_some_and(|definition| {
            matches!(definition.effects, Effects::None | Effects::Recursive)
                || definition.has_trait(Trait::Terminator)
        });
        pure && tensor_memory::accesses(context, op).is_none()
    })
}

/// Whether the memory semantics of a load or store order no other operation.
pub fn is_weak(context: &Context, op: Operation) -> bool {
    let semantic = op
        .attribute(context, "mem_semantic")
        .and_then(|semantic| semantic.as_str(context));
    matches!(semantic, None | Some("weak" | "relaxed"))
}

/// Whether an operation reads memory that no operation after it in the function can have written:
/// two agents may execute it, at different times.
pub fn is_free_read(context: &Context, op: Operation, writers: &Writers) -> bool {
    let reads = op
        .definition(context)
        .is_some_and(|definition| definition.effects == Effects::Read);
    reads
        && op.region_count(context) == 0
        && is_weak(context, op)
        && !writers.follow_no_token
        && memory_access(context, op).by_token
        && token_sources(context, op).into_iter().all(|source| {
            let definition = source.definition(context);
            definition.is_some_and(|definition| definition.effects == Effects::Read)
        })
}

/// The memory effects of a function besides those ordered by tokens.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Writers {
    /// Some operation writes or acquires without being ordered by tokens.
    pub follow_no_token: bool,
}

impl Writers {
    /// Collects the effects of all nested operations.
    pub fn within(context: &Context, op: Operation) -> Self {
        let follow_no_token = collect(context, op).into_iter().any(|op| {
            let structured = op.region_count(context) > 0;
            let access = memory_access(context, op);
            !structured && (access.acquires || (access.writes && !access.by_token))
        });
        Writers { follow_no_token }
    }
}

/// Whether the second operation must wait for completion of the first, which precedes it. `sources`
/// are the [`token_sources`] of the second.
pub fn must_follow(
    context: &Context,
    first: Operation,
    second: Operation,
    sources: &BTreeSet<Operation>,
) -> bool {
    let pair = (
        memory_access(context, first),
        memory_access(context, second),
    );
    let told = |source: &Operation| first.is_ancestor_of(context, *source);
    ordered(&pair.0, &pair.1) || sources.iter().any(told)
}

/// The allocations in tensor memory that order two operations.
pub fn common_storage(context: &Context, first: Operation, second: Operation) -> BTreeSet<Value> {
    let accesses = |op: Operation| memory_access(context, op).tensor;
    match accesses(first).zip(accesses(second)) {
        Some((first, second)) => tensor_memory::conflicts(&first, &second),
        None => BTreeSet::new(),
    }
}

/// The operations with effects whose completion the token operands of an operation signal, directly
/// or through loads, loops and branches. Creating a token is not an effect.
pub fn token_sources(context: &Context, op: Operation) -> BTreeSet<Operation> {
    let mut sources = BTreeSet::new();
    let mut seen: BTreeSet<Value> = BTreeSet::new();
    let mut worklist: Vec<Value> = tokens_of(context, op);
    while let Some(value) = worklist.pop() {
        if !seen.insert(value) {
            continue;
        }
        let Some(definition) = value.defining_op(context) else {
            worklist.extend(entering(context, value));
            continue;
        };
        let number = value.position(context);
        if scf::For::matches(context, definition) {
            worklist.extend(definition.operands(context).nth(number + 3));
        } else if !scf::If::matches(context, definition) {
            if !is_pure(context, definition) {
                sources.insert(definition);
            }
            worklist.extend(tokens_of(context, definition));
            continue;
        }
        worklist.extend(yielded(context, definition, number));
    }
    sources
}

/// The [`token_sources`] of an operation and of all operations in it.
pub fn nested_token_sources(context: &Context, op: Operation) -> BTreeSet<Operation> {
    let all = collect(context, op).into_iter();
    all.flat_map(|op| token_sources(context, op)).collect()
}

fn tokens_of(context: &Context, op: Operation) -> Vec<Value> {
    let operands = op.operands(context);
    operands.filter(|value| is_token(context, *value)).collect()
}

/// The possible values of a carried argument of an `scf.for`; `None` for other arguments.
fn entering(context: &Context, argument: Value) -> Vec<Value> {
    let parent = argument
        .argument_owner(context)
        .and_then(|block| block.parent_op(context));
    let number = argument.position(context).checked_sub(1);
    let Some((parent, number)) = parent.zip(number) else {
        return Vec::new();
    };
    if !scf::For::matches(context, parent) {
        return Vec::new();
    }
    let mut values = yielded(context, parent, number);
    values.extend(parent.operands(context).nth(number + 3));
    values
}

/// What the regions of a loop or branch yield at a position.
fn yielded(context: &Context, op: Operation, number: usize) -> Vec<Value> {
    let ends = op
        .regions(context)
        .filter_map(|region| region.first_block(context)?.terminator(context));
    ends.filter_map(|end| end.operands(context).nth(number))
        .collect()
}
