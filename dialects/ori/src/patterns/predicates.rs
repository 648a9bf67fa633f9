//! Predicates passed through registers (reference 9.8: predicates copied through `P2R` and `R2P`).
//!
//! The number of predicates depends on the mask, which textual patterns cannot express.

use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::rewrite::Rewriter;
use orison_ir::{Attribute, Context, Declined, Operation, Rule, RuleResult, Value};

use super::immediate;
use crate::keywords::{Compare, keyword_of};
use crate::modifiers::{self, ModifierSet};
use crate::operations::integer::{Isetp, Lop3, P2r, R2p};

orison_ir::rule!(
    pub(super) UNPACK, "ori-r2p-p2r",
    "Unpacking a packed predicate yields the predicate: reference 9.8.",
    R2p::NAME, unpack
);
orison_ir::rule!(
    pub(super) REPACK, "ori-p2r-r2p",
    "Packing predicates that were unpacked from the same register yields the register: reference \
     9.8.",
    P2r::NAME, repack
);
orison_ir::rule!(
    pub(super) PACK_TWICE, "ori-p2r-p2r",
    "Consecutive packs are merged into one: reference 9.8.",
    P2r::NAME, pack_twice
);
orison_ir::rule!(
    pub(super) PACK_NOTHING, "ori-p2r-nothing",
    "Packing no predicates yields the register: reference 9.8.",
    P2r::NAME, pack_nothing
);
orison_ir::rule!(
    pub(super) TEST_PACKED, "ori-isetp-p2r",
    "Testing the bit of a packed predicate yields the predicate: reference 9.8.",
    Isetp::NAME, test_packed
);

/// The rules of this family.
pub(super) static RULES: [&Rule; 5] = [&UNPACK, &REPACK, &PACK_TWICE, &PACK_NOTHING, &TEST_PACKED];

fn require(holds: bool, reason: &'static str) -> RuleResult {
    if holds {
        Ok(())
    } else {
        Declined::because(reason)
    }
}

fn mask(context: &Context, op: Operation) -> i32 {
    let mask = op.attribute(context, "mask");
    mask.and_then(|mask| mask.as_i32(context)).unwrap_or(0)
}

fn bits(mask: i32) -> impl Iterator<Item = i32> {
    (0..7).filter(move |bit| mask >> bit & 1 == 1)
}

/// The predicates of a packing operation by bit. It has no guard that selects other values.
fn packed(context: &Context, op: Operation) -> Option<Vec<(i32, Value, ModifierSet)>> {
    P2r::of(context, op)?;
    if op.has_operands_named(context, "otherwise") {
        return None;
    }
    let count = op.operands_named(context, "predicates").len();
    // The background is the first operand.
    let operands = (1..=count).map(|number| {
        let set = modifiers::of_operand(context, op, number);
        (op.operand(context, number), set)
    });
    let all = bits(mask(context, op)).zip(operands);
    Some(all.map(|(bit, (value, set))| (bit, value, set)).collect())
}

fn has_alternative(context: &Context, op: Operation) -> bool {
    op.has_operands_named(context, "otherwise")
}

fn unpack(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    require(
        !has_alternative(context, op),
        "the guard provides results for the other threads",
    )?;
    let source = op.operand(context, 0).defining_op(context);
    let Some(known) = source.and_then(|source| packed(context, source)) else {
        return Declined::because("the register holds no packed predicates");
    };
    let wanted = bits(mask(context, op)).map(|bit| {
        let mut known = known.iter();
        let found = known.find(|(packed, _, set)| *packed == bit && *set == ModifierSet::NONE);
        found.map(|(_, value, _)| *value)
    });
    let Some(values) = wanted.collect::<Option<Vec<Value>>>() else {
        return Declined::because("a bit is not an unmodified predicate");
    };
    rewriter.replace(op, &values);
    Ok(())
}

fn repack(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    require(
        !has_alternative(context, op),
        "the guard provides a result for the other threads",
    )?;
    let background = op.operand(context, 0);
    let all = packed(context, op).unwrap_or_default();
    let same = |(bit, value, set): &(i32, Value, ModifierSet)| {
        let from = value.defining_op(context)?;
        R2p::of(context, from)?;
        let taken = bits(mask(context, from)).nth(value.position(context))?;
        let whole = !has_alternative(context, from) && from.operand(context, 0) == background;
        (whole && taken == *bit && *set == ModifierSet::NONE).then_some(())
    };
    require(!all.is_empty(), "no predicate is packed")?;
    require(
        all.iter().all(|packed| same(packed).is_some()),
        "a predicate was not unpacked from its own bit",
    )?;
    rewriter.replace(op, &[background]);
    Ok(())
}

fn pack_nothing(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    require(
        !has_alternative(context, op),
        "the guard provides a result for the other threads",
    )?;
    require(mask(context, op) == 0, "a predicate is packed")?;
    let background = op.operand(context, 0);
    let same = background.ty(context) == op.result(context, 0).ty(context);
    require(same, "the background has a different register class")?;
    rewriter.replace(op, &[background]);
    Ok(())
}

/// A packing operation whose background is another one with no other use.
fn packed_before(context: &Context, op: Operation) -> Result<Operation, Declined> {
    let guarded = |op: Operation| op.has_operands_named(context, "guard");
    if guarded(op) {
        return Declined::because("the operation has a guard");
    }
    let background = op.operand(context, 0);
    let first = background.defining_op(context);
    let first = first.filter(|first| P2r::of(context, *first).is_some() && !guarded(*first));
    let Some(first) = first else {
        return Declined::because("the background is not a register of packed predicates");
    };
    let mut users = background.users(context);
    if users.next().is_some() && users.next().is_none() {
        Ok(first)
    } else {
        Declined::because("the first register has other uses")
    }
}

fn pack_twice(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let first = packed_before(context, op)?;
    let late = packed(context, op).unwrap_or_default();
    let mut all = packed(context, first).unwrap_or_default();
    all.retain(|(bit, ..)| late.iter().all(|(other, ..)| other != bit));
    all.extend(late);
    all.sort_by_key(|(bit, ..)| *bit);
    let mut sets = vec![modifiers::of_operand(context, first, 0)];
    sets.extend(all.iter().map(|(_, _, set)| *set));
    let union = all.iter().fold(0, |mask, (bit, ..)| mask | 1 << bit);
    let (base, location) = (first.operand(context, 0), op.location(context));
    let results = op.result_types(context);
    let mut state = rewriter.state(P2r::NAME, location);
    state.operands.push(base);
    state
        .operands
        .extend(all.iter().map(|(_, value, _)| *value));
    let context = rewriter.context();
    let mask = Attribute::i32(context, union);
    state.set_property(context, "mask", mask);
    let count = i32::try_from(all.len()).unwrap_or(i32::MAX);
    let sizes = Attribute::i32_array(context, &[1, count, 0, 0]);
    state.set_property(context, OPERAND_SEGMENTS, sizes);
    if let Some(attribute) = modifiers::attribute(context, &sets) {
        state.set_property(context, modifiers::MODIFIERS, attribute);
    }
    state.result_types = results.into();
    rewriter.replace_with_new(op, &state);
    Ok(())
}

fn test_packed(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let Some(value) = tested(context, op) else {
        return Declined::because("the mask is not the bit of a packed predicate");
    };
    rewriter.replace(op, &[value]);
    Ok(())
}

/// The predicate tested by `isetp.ne (p2r & bit), 0`.
fn tested(context: &Context, op: Operation) -> Option<Value> {
    Isetp::of(context, op)?;
    let plain = op.result_count(context) == 1
        && !has_alternative(context, op)
        && op.attribute(context, "extended").is_none()
        && !op.has_operands_named(context, "with")
        && (0..2).all(|number| modifiers::of_operand(context, op, number) == ModifierSet::NONE)
        && keyword_of(context, op, "compare") == Some(Compare::Ne);
    if !plain || immediate(context, op.operand(context, 1)) != Some(0) {
        return None;
    }
    let and = op.operand(context, 0).defining_op(context)?;
    let table = Lop3::of(context, and)?.lut(context)?;
    let third = immediate(context, and.operand(context, 2));
    if table != 0xc0 || third != Some(0) || has_alternative(context, and) {
        return None;
    }
    let (a, b) = (and.operand(context, 0), and.operand(context, 1));
    let (register, bit) = match (immediate(context, a), immediate(context, b)) {
        (None, Some(bit)) => (a, bit),
        (Some(bit), None) => (b, bit),
        _ => return None,
    };
    let known = packed(context, register.defining_op(context)?)?;
    let mut known = known.into_iter();
    let (_, value, set) = known.find(|(packed, ..)| 1 << packed == bit)?;
    (set == ModifierSet::NONE).then_some(value)
}
