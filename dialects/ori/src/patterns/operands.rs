//! Operand queries for patterns: modifiers, guards, constants.

use orison_ir::declare::{OperationDefinition, TypeConstraint, ValueDefinition};
use orison_ir::pattern::{Modifiers, PatternDialect};
use orison_ir::{
    Attribute, Context, Location, Operation, OperationName, OperationState, Type, Value,
};
use orison_machine::Entry;
use smallvec::SmallVec;

use crate::modifiers::{self, MODIFIERS, Modifier, ModifierSet};
use crate::operations::OPERATIONS;
use crate::operations::moves::{Imm, Mov};
use crate::types::{Register, allowed_modifiers};

/// The pattern interface of the dialect.
#[derive(Debug)]
pub struct OriPatterns;

fn set(bits: Modifiers) -> ModifierSet {
    let all = Modifier::ALL.into_iter();
    all.filter(|modifier| bits & bit(*modifier) != 0).collect()
}

/// The bit of a modifier in [`Modifiers`].
pub(super) const fn bit(modifier: Modifier) -> Modifiers {
    1 << modifier as u8
}

/// The value of a constant, with the sign of its encoding.
pub fn immediate(context: &Context, value: Value) -> Option<i64> {
    let op = value.defining_op(context)?;
    Imm::of(context, op)?.value(context)
}

impl PatternDialect for OriPatterns {
    fn operation(&self, name: &str) -> Option<&'static OperationDefinition> {
        let mut all = OPERATIONS.iter();
        all.find(|known| known.name == name).copied()
    }

    fn modifier(&self, word: &str) -> Option<Modifiers> {
        let mut all = Modifier::ALL.into_iter();
        all.find(|modifier| modifier.keyword() == word).map(bit)
    }

    fn may_match(&self, context: &Context, op: Operation) -> Result<(), &'static str> {
        // Without `else` the result is undefined where the guard does not hold, and may be any
        // value.
        if !op.has_operands_named(context, "otherwise") {
            Ok(())
        } else {
            Err("the guard provides a result for the other threads")
        }
    }

    fn is_hidden(&self, name: &str) -> bool {
        name == "guard" || name == MODIFIERS
    }

    fn modifiers(&self, context: &Context, op: Operation) -> SmallVec<[Modifiers; 4]> {
        let sets = modifiers::of_operands(context, op).iter();
        sets.map(|set| set.bits()).collect()
    }

    fn commuting(&self, definition: &'static OperationDefinition) -> usize {
        let leading = |entry: &Entry| {
            let commutes = entry.commutes();
            let mut operands = definition.operands.iter();
            let ends = |operand: &ValueDefinition| !commutes.contains(&operand.name);
            operands.position(ends).unwrap_or(operands.len())
        };
        let entries = Entry::of_operation(definition.name);
        entries.map(leading).min().unwrap_or_default()
    }

    fn constant(&self, context: &Context, op: Operation, operand: usize) -> Option<i64> {
        let value = op.operand(context, operand);
        let bits = immediate(context, value)?;
        let modifiers = modifiers::of_operand(context, op, operand);
        if modifiers == ModifierSet::NONE {
            return Some(bits);
        }
        let definition = op.definition(context)?;
        let groups = 0..definition.operands.len();
        let mut holding = groups.filter(|group| {
            let range = definition.operand_range(context, op, *group);
            range.contains(&operand)
        });
        let allowed = allowed_modifiers(definition.operands[holding.next()?].constraint);
        let register = Register::of(context, value.ty(context))?;
        modified(bits, modifiers, allowed, register)
    }

    fn strip(&self, all: Modifiers, outer: Modifiers) -> Option<Modifiers> {
        let absolute = bit(Modifier::Absolute);
        let hides = outer & absolute != 0 && all & !outer & bit(Modifier::Negate) != 0;
        (all & outer == outer && !hides).then_some(all & !outer)
    }

    fn compose(&self, outer: Modifiers, inner: Modifiers) -> Option<Modifiers> {
        let (negate, absolute) = (bit(Modifier::Negate), bit(Modifier::Absolute));
        let invert = bit(Modifier::Invert);
        let halves = bit(Modifier::LowHalf) | bit(Modifier::HighHalf);
        if outer & halves != 0 && inner != 0 {
            return None;
        }
        let kept = if outer & absolute != 0 {
            inner & !negate
        } else {
            inner
        };
        let sign = (kept ^ outer) & negate;
        let inverted = (kept ^ outer) & invert;
        let rest = (kept | outer) & !(negate | invert);
        let all = sign | inverted | rest;
        // No modifier denotes the negation of an inverted value.
        (all & negate == 0 || (inner | outer) & invert == 0).then_some(all)
    }

    fn allows(&self, constraint: &'static TypeConstraint, modifiers: Modifiers) -> bool {
        let allowed = allowed_modifiers(constraint);
        set(modifiers)
            .iter()
            .all(|modifier| allowed.contains(&modifier))
    }

    fn type_of(&self, context: &mut Context, constraint: &'static TypeConstraint) -> Option<Type> {
        let mut constants = [
            Register::R,
            Register::R64,
            Register::P,
            Register::Ur,
            Register::Ur64,
            Register::Up,
        ]
        .into_iter();
        constants.find_map(|register| {
            let ty = register.ty(context);
            (constraint.check)(context, ty).then_some(ty)
        })
    }

    fn constant_state(
        &self,
        context: &mut Context,
        bits: i64,
        ty: Type,
        location: Location,
    ) -> Option<OperationState> {
        let name = OperationName::new(context, Imm::NAME);
        let mut state = OperationState::new(name, location);
        let bits = match Register::of(context, ty)? {
            Register::P | Register::Up => bits & 1,
            Register::R | Register::Ur => i64::from(bits as i32),
            Register::R64 | Register::Ur64 => bits,
            _ => return None,
        };
        let value = Attribute::i64(context, bits);
        state.set_property(context, "value", value);
        state.result_types.push(ty);
        Some(state)
    }

    fn copy_state(
        &self,
        context: &mut Context,
        value: Value,
        ty: Type,
        location: Location,
    ) -> Option<OperationState> {
        let from = Register::of(context, value.ty(context))?;
        let to = Register::of(context, ty)?;
        if (from, to) != (Register::Ur, Register::R) {
            return None;
        }
        let mut parts = orison_ir::declare::BuildParts::new(context, Mov::DEFINITION, location);
        parts.operand_group(&[value]);
        parts.operand_group(&[]);
        parts.operand_group(&[]);
        parts.result_group(&[ty]);
        Some(parts.finish(context))
    }

    fn set_modifiers(
        &self,
        context: &mut Context,
        all: &[Modifiers],
    ) -> Option<(&'static str, Attribute)> {
        let sets: Vec<_> = all.iter().map(|bits| set(*bits)).collect();
        modifiers::attribute(context, &sets).map(|attribute| (MODIFIERS, attribute))
    }
}

/// A constant with its modifiers applied: as an integer or predicate where `not` is allowed, as a
/// float where `abs` is allowed. `None` for halves.
fn modified(
    bits: i64,
    modifiers: ModifierSet,
    allowed: &[Modifier],
    register: Register,
) -> Option<i64> {
    let wide = match register {
        Register::P | Register::Up => {
            return Some(bits ^ i64::from(modifiers.contains(Modifier::Invert)));
        }
        Register::R64 | Register::Ur64 => true,
        Register::R | Register::Ur => false,
        _ => return None,
    };
    let narrow = |bits: i64| if wide { bits } else { i64::from(bits as i32) };
    if allowed.contains(&Modifier::Invert) {
        let negated = modifiers.contains(Modifier::Negate);
        return Some(narrow(if negated { bits.wrapping_neg() } else { !bits }));
    }
    if !allowed.contains(&Modifier::Absolute) || allowed.contains(&Modifier::LowHalf) {
        return None;
    }
    let sign = if wide { i64::MIN } else { i64::from(i32::MIN) };
    let mut bits = bits;
    if modifiers.contains(Modifier::Absolute) {
        bits &= !sign;
    }
    if modifiers.contains(Modifier::Negate) {
        bits ^= if wide { sign } else { 1 << 31 };
    }
    Some(narrow(bits))
}

#[cfg(test)]
mod tests {
    use orison_ir::pattern::tree::PatternTree;

    use super::OriPatterns;

    #[test]
    fn names_and_words_of_a_pattern_are_declared() {
        let error = |text: &str| PatternTree::read(text, "ori.", &OriPatterns).err();
        let pattern = "shf<direction = 'left', signedness = 'u32'>(x, 0, _) => x";
        assert_eq!(error(pattern), None);
        let wrong = [
            (
                "'left'",
                "'ge'",
                "'direction' must be one of 'left' 'right', but is 'ge'",
            ),
            (
                "signedness",
                "compare",
                "'ori.shf' has no attribute 'compare'",
            ),
            ("shf", "shift", "unknown operation 'ori.shift'"),
        ];
        for (from, to, message) in wrong {
            let found = error(&pattern.replace(from, to)).expect("an error");
            assert!(found.starts_with(message), "{found}");
        }
    }
}
