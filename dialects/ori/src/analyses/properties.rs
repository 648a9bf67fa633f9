//! Properties of a single operation for passes, derived from its declaration and the instruction table.

use orison_ir::declare::{Effects, Trait};
use orison_ir::{Context, Operation, Value};
use orison_machine::{Entry, Flag, Pipe, Space};

use crate::Register;
use crate::keywords::{Order, keyword_of};
use crate::modifiers::{self, Modifier};
use crate::opcodes;
use crate::operations::control::Call;
use crate::operations::moves::Imm;

/// The predicate that determines which threads execute an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// The predicate.
    pub predicate: Value,
    /// The operation is executed where the predicate is false.
    pub inverted: bool,
}

/// The guard of a machine operation, if it has one.
pub fn guard(context: &Context, op: Operation) -> Option<Guard> {
    let number = guard_operand(context, op)?;
    let modifiers = modifiers::of_operand(context, op, number);
    Some(Guard {
        predicate: op.operand(context, number),
        inverted: modifiers.contains(Modifier::Invert),
    })
}

/// The index of the guard operand.
pub fn guard_operand(context: &Context, op: Operation) -> Option<usize> {
    let definition = op.definition(context)?;
    let mut groups = definition.operands.iter();
    let group = groups.position(|operand| operand.name == "guard")?;
    definition.operand_range(context, op, group).next()
}

/// Whether an operation can have a guard.
pub fn can_be_guarded(context: &Context, op: Operation) -> bool {
    op.definition(context).is_some_and(|definition| {
        let mut operands = definition.operands.iter();
        operands.any(|operand| operand.name == "guard")
    })
}

/// The values of the results where the guard does not hold; empty if they are undefined.
pub fn otherwise(context: &Context, op: Operation) -> Vec<Value> {
    op.operands_named(context, "otherwise")
}

/// Whether results are undefined in some threads: there is a guard without `else` values.
pub fn is_partial(context: &Context, op: Operation) -> bool {
    guard(context, op).is_some() && otherwise(context, op).is_empty()
}

/// Whether the dialect does not model an operation, so that passes must not change it.
pub fn is_unmodelled(context: &Context, op: Operation) -> bool {
    op.attribute(context, "mnemonic").is_some() || op.definition(context).is_none()
}

/// Whether the effect of an operation depends on which other threads execute it together with this
/// one: it must not move across control flow. The instruction table states it; it also holds for
/// operations that turn a per-thread value into a uniform one (the first active lane counts).
pub fn is_convergent(context: &Context, op: Operation) -> bool {
    if op.attribute(context, "convergent").is_some() {
        return true;
    }
    let row = opcodes::of(context, op);
    if row.is_some_and(|row| row.has(Flag::Convergent)) {
        return true;
    }
    let register = |value: Value| Register::of(context, value.ty(context));
    let is_uniform = |value| register(value).is_some_and(Register::is_uniform);
    let mut operands = op.operands(context);
    op.results(context).any(is_uniform) && operands.any(|value| !is_uniform(value))
}

/// Whether an operation only computes its results from its operands, separately in each thread: it
/// may be executed by more or fewer threads, once instead of twice, or not at all.
pub fn is_pure(context: &Context, op: Operation) -> bool {
    let declared = op.definition(context);
    declared.is_some_and(|definition| definition.effects == Effects::None)
        && !op.has_trait(context, Trait::Terminator)
        && !is_convergent(context, op)
}

/// Whether an operation may be speculated: executed by threads that would not have executed it,
/// where a guard does not hold or before a branch to another block. It is pure, and does not read a
/// constant bank at a computed address, which may be outside of the bank. Its operands may be
/// undefined in these threads; then its results are undefined too.
pub fn is_speculatable(context: &Context, op: Operation) -> bool {
    let reads = opcodes::of(context, op).is_some_and(|row| !row.reads.is_empty());
    let computed = op.operand_count(context) > 0 && can_be_guarded(context, op);
    is_pure(context, op) && !(computed && reads)
}

/// Whether an operation calls a function that only computes its results from its arguments. The
/// call can be removed and does not access memory, but is too expensive for speculation.
pub fn is_pure_call(context: &Context, op: Operation) -> bool {
    Call::of(context, op).is_some_and(|call| call.pure(context).is_some())
}

/// Whether an operation can be removed if its results are unused: it has no effect on memory or on
/// other threads. Reads of memory can be removed unless they are ordered with other threads.
pub fn is_removable(context: &Context, op: Operation) -> bool {
    let Some(definition) = op.definition(context) else {
        return false;
    };
    if op.has_trait(context, Trait::Terminator) || op.has_trait(context, Trait::Symbol) {
        return false;
    }
    match definition.effects {
        Effects::None | Effects::Allocate => true,
        Effects::Read => !is_ordered(context, op),
        Effects::Unknown => is_exchange(context, op) || is_pure_call(context, op),
        _ => false,
    }
}

/// Whether an operation only reads other lanes or a changing source in addition to its operands:
/// removing it has no effect if its results are unused.
fn is_exchange(context: &Context, op: Operation) -> bool {
    if is_unmodelled(context, op) || op.result_count(context) == 0 {
        return false;
    }
    let Some(row) = opcodes::of(context, op) else {
        return false;
    };
    let acts = [
        Flag::Barrier,
        Flag::Asynchronous,
        Flag::Call,
        Flag::Exit,
        Flag::Branch,
    ];
    row.writes.is_empty() && !acts.iter().any(|flag| row.has(*flag))
}

/// Whether an access is ordered with those of other threads: `strong` or `mmio`.
pub fn is_ordered(context: &Context, op: Operation) -> bool {
    let order = keyword_of(context, op, "order");
    matches!(order, Some(Order::Strong | Order::Mmio))
}

/// Whether an access reads memory that is constant during the kernel.
pub fn reads_constants(context: &Context, op: Operation) -> bool {
    let only = |row: &Entry| {
        !row.reads.is_empty() && row.reads.iter().all(|space| *space == Space::Constant)
    };
    keyword_of(context, op, "order") == Some(Order::Constant)
        || opcodes::of(context, op).is_some_and(only)
}

/// The value of an immediate, sign-extended from its register's width.
pub fn immediate(context: &Context, value: Value) -> Option<i64> {
    let op = value.defining_op(context)?;
    Imm::of(context, op)?.value(context)
}

/// Whether an operation becomes an instruction: it has a pipe or a mnemonic, or is not modelled.
pub fn is_instruction(context: &Context, op: Operation) -> bool {
    let row = opcodes::of(context, op);
    row.is_some_and(|row| row.pipe != Pipe::None || !row.mnemonic.is_empty())
        || is_unmodelled(context, op)
}

/// The indices of the operands of an operation that may be permuted, with their modifiers, without
/// changing the result.
pub fn commuting_operands(context: &Context, op: Operation) -> Vec<usize> {
    let (Some(entry), Some(definition)) = (opcodes::of(context, op), op.definition(context)) else {
        return Vec::new();
    };
    let place = |name: &&str| {
        let mut operands = definition.operands.iter();
        operands.position(|operand| operand.name == *name)
    };
    let ranges = entry.commutes().iter().filter_map(place);
    let ranges = ranges.map(|group| definition.operand_range(context, op, group));
    ranges.flatten().collect()
}
