//! Converting extracted terms back to operations: comparisons, extrema, selects and conversions of
//! floats; halves; integer operations of sm_90 and later.

use egg::Id;
use orison_ir::Value;
use orison_ori::Register;
use orison_ori::keywords::{FloatCompare, Keyword};
use orison_ori::operations as ori;

use super::emit::{Emitted, Emitter, Instruction, R, Unavailable};
use super::extract::Operand;
use super::facts::constant;
use super::machine::{Relation, operations};
use super::term::{Operator, Sort};

impl Emitter<'_, '_> {
    /// A comparison of floats.
    pub(super) fn relation(
        &mut self,
        relation: Relation,
        children: &[Id],
        operands: &[Operand],
    ) -> Emitted<Value> {
        let table = constant(self.setting.graph, children[0]).ok_or(Unavailable)?;
        let table = usize::try_from(table).map_err(|_| Unavailable)?;
        let compare = FloatCompare::ALL.get(table).ok_or(Unavailable)?;
        let a = self.read(&operands[1])?;
        let b = self.read(&operands[2])?;
        let name = *relation.operations.first().ok_or(Unavailable)?;
        let mut instruction = Instruction::new(name)
            .read("a", &a)
            .read("b", &b)
            .word("float_compare", compare.keyword());
        if let (Some(combine), Some(with)) = (relation.combine, operands.get(3)) {
            let with = self.read(with)?;
            instruction = instruction.read("with", &with).word("combine", combine);
        }
        if relation.flush {
            instruction = instruction.flag("ftz");
        }
        Ok(self.emit(instruction.result(Register::P)))
    }

    /// The value of such an operator; `None` for other operators.
    pub(super) fn float_operation(
        &mut self,
        operator: Operator,
        operands: &[Operand],
    ) -> Emitted<Option<Value>> {
        let (words, groups): (&[(&str, &str)], &[&str]) = match operator {
            Operator::Min3Unsigned | Operator::AddMinUnsigned => {
                (&[("extremum", "min"), ("signedness", "u32")], ABC)
            }
            Operator::Max3Unsigned | Operator::AddMaxUnsigned => {
                (&[("extremum", "max"), ("signedness", "u32")], ABC)
            }
            Operator::Min3Signed | Operator::AddMinSigned => {
                (&[("extremum", "min"), ("signedness", "s32")], ABC)
            }
            Operator::Max3Signed | Operator::AddMaxSigned => {
                (&[("extremum", "max"), ("signedness", "s32")], ABC)
            }
            Operator::DistanceUnsigned => (&[("signedness", "u32")], ABC),
            Operator::DistanceSigned => (&[("signedness", "s32")], ABC),
            Operator::FloatMinimum3 => (&[("extremum", "min")], ABC),
            Operator::FloatMaximum3 => (&[("extremum", "max")], ABC),
            Operator::FloatSelect => (&[], &["choice", "a", "b"]),
            Operator::HalfAdd | Operator::HalfMultiply | Operator::HalfMultiplyAdd => {
                (&[("from", "f16")], ABC)
            }
            Operator::BrainAdd | Operator::BrainMultiply | Operator::BrainMultiplyAdd => {
                (&[("from", "bf16")], ABC)
            }
            Operator::FloatFromHalf => (&[("to", "f32"), ("from", "f16")], ABC),
            Operator::HalfFromFloat => (&[("to", "f16"), ("from", "f32")], ABC),
            Operator::DoubleFromFloat => (&[("to", "f64"), ("from", "f32")], ABC),
            Operator::FloatFromDouble => (&[("to", "f32"), ("from", "f64")], ABC),
            Operator::SignedFromFloat => (&[("to", "s32"), ("from", "f32"), CUT], ABC),
            Operator::UnsignedFromFloat => (&[("to", "u32"), ("from", "f32"), CUT], ABC),
            _ => return self.half_or_extremum(operator, operands),
        };
        let name = *operations(operator).first().ok_or(Unavailable)?;
        let mut instruction = Instruction::new(name);
        for (group, operand) in groups.iter().zip(operands) {
            let read = self.read(operand)?;
            instruction = instruction.read(group, &read);
        }
        for (key, word) in words {
            instruction = instruction.word(key, word);
        }
        let wide = operator.sort() == Sort::Pair;
        if wide || operator == Operator::FloatFromDouble {
            instruction = instruction.flag("double");
        }
        let register = if wide { Register::R64 } else { R };
        Ok(Some(self.emit(instruction.result(register))))
    }

    /// The minimum or maximum of floats; operations on half lanes.
    fn half_or_extremum(
        &mut self,
        operator: Operator,
        operands: &[Operand],
    ) -> Emitted<Option<Value>> {
        use Operator as O;
        let smaller = matches!(
            operator,
            O::FloatMinimum | O::FloatMinimumNan | O::FloatMinimumFlush | O::HalfMinimum
        );
        let flags: &[&'static str] = match operator {
            O::FloatMinimum | O::FloatMaximum | O::HalfMinimum | O::HalfMaximum => &[],
            O::FloatMinimumNan | O::FloatMaximumNan => &["nan_wins"],
            O::FloatMinimumFlush | O::FloatMaximumFlush => &["ftz"],
            O::HalfNegate => return Ok(Some(self.bits(&operands[0], 0x8000_8000, 0x3c)?)),
            O::HalfAbsolute => return Ok(Some(self.bits(&operands[0], 0x7fff_7fff, 0xc0)?)),
            O::HalfLow => return Ok(Some(self.lane(&operands[0], 0x1010)?)),
            O::HalfHigh => return Ok(Some(self.lane(&operands[0], 0x3232)?)),
            _ => return Ok(None),
        };
        let (a, b) = (self.read(&operands[0])?, self.read(&operands[1])?);
        let name = *operations(operator).first().ok_or(Unavailable)?;
        let choice = self.number(u64::from(smaller), Sort::Predicate);
        let mut instruction = Instruction::new(name).read("a", &a).read("b", &b);
        instruction = instruction.operand("choice", choice);
        for flag in flags {
            instruction = instruction.flag(flag);
        }
        Ok(Some(self.emit(instruction.result(R))))
    }

    /// A word and a constant combined by a truth table.
    fn bits(&mut self, operand: &Operand, number: u64, lut: i32) -> Emitted<Value> {
        let a = self.value(operand.class)?;
        let (b, c) = (self.number(number, Sort::Word), self.zero(Sort::Word));
        let table = Instruction::new(ori::Lop3::NAME)
            .operand("a", a)
            .operand("b", b);
        Ok(self.emit(table.operand("c", c).number("lut", lut).result(R)))
    }

    /// Two bytes of a word, duplicated.
    fn lane(&mut self, operand: &Operand, selector: u64) -> Emitted<Value> {
        let a = self.value(operand.class)?;
        let (b, c) = (self.number(selector, Sort::Word), self.zero(Sort::Word));
        let bytes = Instruction::new(ori::Prmt::NAME)
            .operand("a", a)
            .operand("b", b);
        let bytes = bytes.operand("c", c).word("permutation", "idx");
        Ok(self.emit(bytes.result(R)))
    }
}

const ABC: &[&str] = &["a", "b", "c"];
const CUT: (&str, &str) = ("integer_rounding", "trunc");
