//! What operations count for when the body of a loop is measured.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use orison_ir::{Context, Operation, Value};
use orison_machine::Space;
use orison_ori::Register;
use orison_ori::analyses::properties;
use orison_ori::keywords::{AtomicOperation, AtomicType, keyword_of};
use orison_ori::opcodes;
use orison_ori::operations::control::{Bra, CondBra};
use orison_ori::operations::integer::{Iadd3, Imad, ImadWide, Isetp, Shf};
use orison_ori::operations::moves::{Concat, Extract, Imm};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    weights: BTreeMap<String, i64>,
    added: Added,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Added {
    addend_of_a_wide_product: i64,
    guard: i64,
    offset_of_an_address: i64,
    atomic_function: i64,
}

/// The table of this module.
///
/// # Panics
/// Panics if the embedded file is malformed: a bug, which every test of the pass shows.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| match toml::from_str(include_str!("weights.toml")) {
        Ok(table) => table,
        Err(error) => panic!("weights.toml: {error}"),
    })
}

/// What an operation counts for. The two words of a 64-bit value are one.
pub(super) fn weight(context: &Context, op: Operation) -> i64 {
    let counts = properties::is_instruction(context, op) || is_in_accumulator(context, op);
    let is_free = is_second_half(context, op) || is_fused(context, op) || adds_nothing(context, op);
    if !counts || is_free {
        return 0;
    }
    if Bra::of(context, op).is_some() {
        return i64::from(jumps_over(context, op));
    }
    let table = table();
    let name = op.name(context).text(context);
    let mut sum = table.weights.get(name).copied().unwrap_or(1);
    let added = &table.added;
    if has_addend(context, op) {
        sum += added.addend_of_a_wide_product;
    }
    if properties::guard(context, op).is_some() && CondBra::of(context, op).is_none() {
        sum += added.guard;
    }
    if has_offset(context, op) {
        sum += added.offset_of_an_address;
    }
    if is_atomic_function(context, op) {
        sum += added.atomic_function;
    }
    sum
}

/// Whether an operation is a constant in an accumulator: products work in place, so that it is moved to
/// its register (measured with 4 to 32 words).
fn is_in_accumulator(context: &Context, op: Operation) -> bool {
    Imm::of(context, op).is_some_and(|constant| {
        let mut users = constant.0.result(context, 0).users(context);
        users.any(|user| {
            let whole = Concat::of(context, user).map(|concat| concat.whole(context));
            let register = whole.and_then(|whole| Register::of(context, whole.ty(context)));
            matches!(register, Some(Register::Accumulator(_)))
        })
    })
}

/// Whether an operation is a sum of a value and zeros: a move.
fn adds_nothing(context: &Context, op: Operation) -> bool {
    Iadd3::of(context, op).is_some_and(|sum| {
        let parts = sum.0.operands(context).take(3);
        let zeros = parts.filter(|part| is_zero(context, *part));
        sum.0.operand_count(context) == 3 && zeros.count() >= 2
    })
}

/// Whether a value is zero, or a word of zero.
fn is_zero(context: &Context, value: Value) -> bool {
    let word = value.defining_op(context);
    let whole = word.and_then(|word| Extract::of(context, word));
    let whole = whole.map_or(value, |extract| extract.whole(context));
    properties::immediate(context, whole) == Some(0)
}

/// Whether an unconditional branch leads forward past another block: the end of the first arm of
/// two. Back edges, and edges to the next block, are free.
fn jumps_over(context: &Context, op: Operation) -> bool {
    let home = op.block(context);
    let target = op.successor(context, 0);
    let mut behind = std::iter::successors(home, |block| block.next(context)).skip(2);
    target.is_some_and(|target| behind.any(|block| block == target))
}

/// Whether an operation computes the second word of what another one computes the first word of.
fn is_second_half(context: &Context, op: Operation) -> bool {
    if op.has_operands_named(context, "carry") {
        return true;
    }
    let mut results = op.results(context);
    let (Some(result), None) = (results.next(), results.next()) else {
        return false;
    };
    let mut uses = result.uses(context).peekable();
    if uses.peek().is_none() {
        return false;
    }
    if Isetp::of(context, op).is_some() {
        return uses.all(|usage| {
            let lows = usage.owner.operands_named(context, "low");
            lows.first() == Some(&result)
        });
    }
    if has_variable_amount(context, op) {
        return false;
    }
    uses.all(|usage| {
        let whole = Concat::of(context, usage.owner);
        let parts = whole.map(|whole| whole.parts(context));
        let first = parts.and_then(|parts| {
            let second = parts.len() == 2 && parts.get(1).copied() == Some(result);
            let low = parts.first().copied().filter(|_| second)?;
            low.defining_op(context)
        });
        first.is_some_and(|first| first != op && first.name(context) == op.name(context))
    })
}

/// A shift of two words by an amount that is not constant.
fn has_variable_amount(context: &Context, op: Operation) -> bool {
    Shf::of(context, op).is_some()
        && properties::immediate(context, op.operand(context, 1)).is_none()
}

/// A product of 64 bits to which a value is added.
fn has_addend(context: &Context, op: Operation) -> bool {
    ImadWide::of(context, op).is_some()
        && properties::immediate(context, op.operand(context, 2)) != Some(0)
}

fn has_offset(context: &Context, op: Operation) -> bool {
    let offset = op.attribute(context, "offset");
    offset
        .and_then(|offset| offset.as_i64(context))
        .is_some_and(|offset| offset != 0)
}

/// An atomic operation that computes what its memory is to hold from what it holds, on integers; in
/// shared memory also on floats.
fn is_atomic_function(context: &Context, op: Operation) -> bool {
    use AtomicOperation as Function;
    let Some(function) = keyword_of::<AtomicOperation>(context, op, "operation") else {
        return false;
    };
    let computes = matches!(
        function,
        Function::Add
            | Function::Min
            | Function::Max
            | Function::And
            | Function::Or
            | Function::Xor
    );
    let ty = keyword_of(context, op, "type");
    let whole = matches!(
        ty,
        Some(
            AtomicType::U32
                | AtomicType::S32
                | AtomicType::U64
                | AtomicType::S64
                | AtomicType::B32
                | AtomicType::B64
        )
    );
    let shared = opcodes::of(context, op).is_some_and(|row| row.writes.contains(&Space::Shared));
    computes && (whole || shared)
}

/// A product whose only use is a sum in the same block: they are one instruction.
fn is_fused(context: &Context, op: Operation) -> bool {
    let added = Imad::of(context, op).and_then(|_| {
        let mut uses = op.result(context, 0).uses(context);
        let only = uses.next().filter(|_| uses.next().is_none())?;
        Iadd3::of(context, only.owner).map(|sum| sum.0)
    });
    added.is_some_and(|sum| {
        let zero = properties::immediate(context, op.operand(context, 2)) == Some(0);
        zero && sum.block(context) == op.block(context) && sum.result_count(context) == 1
    })
}
