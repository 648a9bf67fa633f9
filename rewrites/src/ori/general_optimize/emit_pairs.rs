//! Converting extracted terms back to operations: pairs, their words, sums, shifts.

use orison_ir::{Builder, InsertionPoint, Value};
use orison_ori::Register;
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;
use orison_ori::operations::moves::{Concat, Extract};

use super::emit::{Emitted, Emitter, Instruction, R};
use super::extract::Operand;
use super::term::{Operator, Sort};

impl Emitter<'_, '_> {
    /// The words of a pair.
    pub(super) fn parts(&mut self, whole: Value) -> [Value; 2] {
        [0, 1].map(|word| self.word_of(whole, word))
    }

    pub(super) fn word_of(&mut self, whole: Value, word: i32) -> Value {
        if let Some(concat) = whole
            .defining_op(self.context)
            .and_then(|op| Concat::of(self.context, op))
        {
            let parts = concat.parts(self.context);
            // A part of a pair of another block may no longer be used there.
            let part = parts.get(usize::from(word != 0)).copied();
            let is_here = |part: &Value| self.is_here(*part) || self.enters(*part);
            if let Some(part) = part.filter(is_here).filter(|_| parts.len() == 2) {
                return part;
            }
        }
        let register = Register::of(self.context, whole.ty(self.context));
        let part = match register {
            Some(Register::Ur64) => Register::Ur,
            _ => R,
        };
        let key = Instruction::new(Extract::NAME)
            .operand("whole", whole)
            .number("word", word);
        if let Some(known) = self.known.get(&key) {
            return known.result(self.context, 0);
        }
        let ty = part.ty(self.context);
        let mut builder = Builder::at(self.context, InsertionPoint::Before(self.point));
        let op = Extract::build(&mut builder, self.location, whole, word, ty).0;
        self.note(op);
        self.known.insert(key, op);
        op.result(self.context, 0)
    }

    pub(super) fn concat(&mut self, low: Value, high: Value) -> Value {
        let parts = [low, high].map(|part| {
            if self.uniform {
                part
            } else {
                self.in_register(part)
            }
        });
        let key = Instruction::new(Concat::NAME)
            .operand("parts", parts[0])
            .operand("parts", parts[1])
            .result(self.register(Register::R64));
        if let Some(known) = self.known.get(&key) {
            return known.result(self.context, 0);
        }
        let ty = self.register(Register::R64).ty(self.context);
        let mut builder = Builder::at(self.context, InsertionPoint::Before(self.point));
        let op = Concat::build(&mut builder, self.location, &parts, ty).0;
        self.note(op);
        self.known.insert(key, op);
        op.result(self.context, 0)
    }

    /// A word in a general register.
    pub(super) fn in_register(&mut self, value: Value) -> Value {
        if Register::of(self.context, value.ty(self.context)) == Some(Register::Ur) {
            let mov = Instruction::new(ori::Mov::NAME)
                .operand("a", value)
                .result(R);
            return self.emit(mov);
        }
        value
    }

    pub(super) fn part(&mut self, operator: Operator, operands: &[Operand]) -> Emitted<Value> {
        let first = self.value(operands[0].class)?;
        Ok(match operator {
            Operator::Low => self.word_of(first, 0),
            Operator::High => self.word_of(first, 1),
            _ => {
                let second = self.value(operands[1].class)?;
                self.concat(first, second)
            }
        })
    }

    /// The sum of the low words with carry out, and of the high words with that carry in.
    pub(super) fn pair_sum(&mut self, operator: Operator, operands: &[Operand]) -> Emitted<Value> {
        let first = self.value(operands[0].class)?;
        let (a, b) = match operands.get(1) {
            Some(second) => {
                let second = self.value(second.class)?;
                (self.parts(first), self.parts(second))
            }
            None => {
                let zero = self.zero(Sort::Word);
                ([zero, zero], self.parts(first))
            }
        };
        let zero = self.zero(Sort::Word);
        let subtract = operator != Operator::PairAdd;
        let second = |sum: Instruction, value, modifier| {
            if subtract {
                sum.modified("b", value, modifier)
            } else {
                sum.operand("b", value)
            }
        };
        let low = second(
            Instruction::new(ori::Iadd3::NAME).operand("a", a[0]),
            b[0],
            Modifier::Negate,
        );
        let low = low.operand("c", zero).result(R).result(Register::P);
        let low = self.operation(low);
        let [sum, carry] = [0, 1].map(|number| low.result(self.context, number));
        let high = second(
            Instruction::new(ori::Iadd3::NAME).operand("a", a[1]),
            b[1],
            Modifier::Invert,
        );
        let high = high.operand("c", zero).operand("carry", carry);
        let high = self.emit(high.flag("extended").result(R));
        Ok(self.concat(sum, high))
    }

    pub(super) fn pair_shift(
        &mut self,
        operator: Operator,
        operands: &[Operand],
    ) -> Emitted<Value> {
        let whole = self.value(operands[0].class)?;
        let amount = self.value(operands[1].class)?;
        let [low, high] = self.parts(whole);
        let (funnel, word) = match operator {
            Operator::PairShiftLeft => (Operator::FunnelLeft, Operator::ShiftLeft),
            Operator::PairShiftRight => (Operator::FunnelRight, Operator::ShiftRight),
            _ => (Operator::FunnelRightSigned, Operator::ShiftRightSigned),
        };
        let between = self.shift(funnel, &[low, amount, high]);
        if operator == Operator::PairShiftLeft {
            let low = self.shift(word, &[low, amount]);
            return Ok(self.concat(low, between));
        }
        let high = self.shift(word, &[high, amount]);
        Ok(self.concat(between, high))
    }

    /// `(a << n) + b` on words, or on pairs using the carry.
    pub(super) fn lea(
        &mut self,
        operator: Operator,
        amount: i32,
        operands: &[Operand],
    ) -> Emitted<Value> {
        let zero = self.zero(Sort::Word);
        let lea = Instruction::new(ori::Lea::NAME).number("shift", amount);
        if operator == Operator::Lea {
            let a = self.read(&operands[0])?;
            let b = self.read(&operands[1])?;
            let lea = lea.read("a", &a).read("b", &b).operand("c", zero);
            return Ok(self.emit(lea.result(R)));
        }
        let shifted = self.value(operands[0].class)?;
        let added = self.value(operands[1].class)?;
        let (a, b) = (self.parts(shifted), self.parts(added));
        let low = lea
            .clone()
            .operand("a", a[0])
            .operand("b", b[0])
            .operand("c", zero);
        let low = self.operation(low.result(R).result(Register::P));
        let [sum, carry] = [0, 1].map(|number| low.result(self.context, number));
        let high = lea.operand("a", a[0]).operand("b", b[1]).operand("c", a[1]);
        let high = high.operand("carry", carry).flag("high").flag("extended");
        let high = self.emit(high.result(R));
        Ok(self.concat(sum, high))
    }
}
