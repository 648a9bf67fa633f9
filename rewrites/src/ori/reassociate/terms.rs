//! Reading operations as associative functions of terms.

use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::properties::{self, immediate};
use orison_ori::modifiers::{self, Modifier, ModifierSet};
use orison_ori::operations::integer::{Iadd3, Imad, Lop3};

/// An associative operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Kind {
    /// Addition of words.
    Sum,
    /// Multiplication of words.
    Product,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// An operand of an associative operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Term {
    /// The value.
    pub value: Value,
    /// Whether it is subtracted (sums only).
    pub negated: bool,
}

/// The truth tables of bitwise operations for two and three inputs.
const TABLES: [(Kind, i32, i32); 3] = [
    (Kind::And, 0xc0, 0x80),
    (Kind::Or, 0xfc, 0xfe),
    (Kind::Xor, 0x3c, 0x96),
];
/// The bits of a truth table for which the third input is zero.
const WITHOUT_THIRD: i32 = 0x55;

impl Kind {
    /// The neutral element.
    pub const fn neutral(self) -> u32 {
        match self {
            Kind::Sum | Kind::Or | Kind::Xor => 0,
            Kind::Product => 1,
            Kind::And => u32::MAX,
        }
    }

    /// Combines two constants.
    pub const fn combine(self, a: u32, b: u32) -> u32 {
        match self {
            Kind::Sum => a.wrapping_add(b),
            Kind::Product => a.wrapping_mul(b),
            Kind::And => a & b,
            Kind::Or => a | b,
            Kind::Xor => a ^ b,
        }
    }

    /// The maximum number of terms in one operation.
    pub const fn arity(self) -> usize {
        match self {
            Kind::Product => 2,
            _ => 3,
        }
    }

    /// The truth table for two or three inputs.
    pub fn table(self, inputs: usize) -> Option<i32> {
        let row = TABLES.iter().find(|(kind, ..)| *kind == self)?;
        Some(if inputs < 3 { row.1 } else { row.2 })
    }
}

/// The terms of an operation that does nothing else: without guard, carries, other modifiers. Zeros
/// of sums, and the unused input of a truth table, are not terms.
pub(super) fn read(context: &Context, op: Operation) -> Option<(Kind, Vec<Term>)> {
    let plain = properties::guard(context, op).is_none()
        && op.result_count(context) == 1
        && op.attribute(context, "extended").is_none();
    if !plain {
        return None;
    }
    if Iadd3::of(context, op).is_some() {
        return Some((Kind::Sum, summands(context, op)?));
    }
    let unmodified = |number| modifiers::of_operand(context, op, number) == ModifierSet::NONE;
    if op.operand_count(context) != 3 || !(0..3).all(unmodified) {
        return None;
    }
    let term = |number| Term {
        value: op.operand(context, number),
        negated: false,
    };
    let last_is_zero = immediate(context, op.operand(context, 2)) == Some(0);
    if Imad::of(context, op).is_some() {
        return last_is_zero.then(|| (Kind::Product, vec![term(0), term(1)]));
    }
    let table = Lop3::of(context, op)?.lut(context)?;
    let mut kinds = TABLES.iter();
    if last_is_zero {
        let same = |pair: i32| pair & WITHOUT_THIRD == table & WITHOUT_THIRD;
        let (kind, ..) = kinds.find(|(_, pair, _)| same(*pair))?;
        return Some((*kind, vec![term(0), term(1)]));
    }
    let (kind, ..) = kinds.find(|(_, _, triple)| *triple == table)?;
    Some((*kind, vec![term(0), term(1), term(2)]))
}

fn summands(context: &Context, op: Operation) -> Option<Vec<Term>> {
    if op.operand_count(context) != 3 {
        return None;
    }
    let mut terms = Vec::with_capacity(3);
    for (number, value) in op.operands(context).enumerate() {
        let set = modifiers::of_operand(context, op, number);
        let negated = set.contains(Modifier::Negate);
        if set.contains(Modifier::Invert) || set.contains(Modifier::Absolute) {
            return None;
        }
        if immediate(context, value) != Some(0) {
            terms.push(Term { value, negated });
        }
    }
    Some(terms)
}
