//! Numbers as operands: by the type of the operand, after its modifiers.

use orison_ir::declare::TypeConstraint;
use orison_ir::{Context, Operation};
use orison_ori::keywords::{Format, keyword_of};
use orison_ori::modifiers::{Modifier, ModifierSet};
use orison_ori::types;
use orison_sass::floats::FloatFormat;
use orison_sass::instruction::{Immediate, Operand};

use super::Kinds;

/// What the bits of a number stand for in an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberClass {
    /// An integer of 32 or 64 bits.
    Integer,
    /// A float of 32 bits.
    Single,
    /// A float of 64 bits.
    Double,
    /// Two floats of 16 bits.
    Halves,
    /// The same with the exponent of a float of 32 bits.
    Brains,
}

impl NumberClass {
    /// That of an operand of an operation, by the registers and modifiers that it is declared with.
    pub fn of(context: &Context, op: Operation, group: &str) -> NumberClass {
        let declared = op.definition(context).and_then(|definition| {
            let mut operands = definition.operands.iter();
            operands.find(|operand| operand.name == group)
        });
        let is = |set: &TypeConstraint| {
            declared.is_some_and(|declared| std::ptr::eq(declared.constraint, set))
        };
        if is(&types::FLOAT) || is(&types::UNIFORM_FLOAT) {
            return NumberClass::Single;
        }
        if is(&types::DOUBLE) {
            return NumberClass::Double;
        }
        if is(&types::HALF2) {
            return match keyword_of(context, op, "from") {
                Some(Format::Bf16) => NumberClass::Brains,
                _ => NumberClass::Halves,
            };
        }
        NumberClass::Integer
    }

    /// The bits after modifiers.
    pub fn modified(self, bits: i64, set: ModifierSet) -> i64 {
        let (signs, all) = match self {
            NumberClass::Single => (0x8000_0000, 0xffff_ffff),
            NumberClass::Double => (i64::MIN, -1),
            NumberClass::Halves | NumberClass::Brains => (0x8000_8000, 0xffff_ffff),
            NumberClass::Integer => {
                let bits = if set.contains(Modifier::Invert) {
                    !bits
                } else {
                    bits
                };
                return if set.contains(Modifier::Negate) {
                    bits.wrapping_neg()
                } else {
                    bits
                };
            }
        };
        let mut bits = bits & all;
        if set.contains(Modifier::LowHalf) {
            bits = bits & 0xffff | (bits & 0xffff) << 16;
        }
        if set.contains(Modifier::HighHalf) {
            bits = bits >> 16 & 0xffff | bits & 0xffff_0000;
        }
        if set.contains(Modifier::Absolute) {
            bits &= !signs;
        }
        if set.contains(Modifier::Negate) {
            bits ^= signs;
        }
        bits
    }

    /// Whether an operand is the register that is always zero, negated or not.
    pub fn is_zero(self, bits: i64, set: ModifierSet) -> bool {
        match self {
            NumberClass::Integer => self.modified(bits, set) == 0,
            _ => bits == 0,
        }
    }

    /// The operands of an instruction; `None` if it has too few bits for the number.
    pub fn operands(self, bits: i64, kinds: Kinds) -> Option<Vec<Operand>> {
        let low = u32::try_from(bits & 0xffff_ffff).unwrap_or(0);
        let float = |format: FloatFormat, bits: u32| {
            Operand::Immediate(Immediate::Float(format.text(bits.into()).into()))
        };
        let halves =
            |format: FloatFormat| [low >> 16, low & 0xffff].map(|half| float(format, half));
        Some(match self {
            NumberClass::Single => vec![float(FloatFormat::F32, low)],
            NumberClass::Double if low != 0 => return None,
            NumberClass::Double => {
                let high = u32::try_from(bits >> 32 & 0xffff_ffff).unwrap_or(0);
                vec![float(FloatFormat::F64, high)]
            }
            NumberClass::Halves => halves(FloatFormat::F16).into(),
            NumberClass::Brains => halves(FloatFormat::Bf16).into(),
            NumberClass::Integer if i32::try_from(bits).is_err() && bits >> 32 != 0 => return None,
            NumberClass::Integer if kinds.signed => {
                vec![Operand::integer(i64::from(low.cast_signed()))]
            }
            NumberClass::Integer => vec![Operand::integer(i64::from(low))],
        })
    }
}
