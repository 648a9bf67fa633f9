//! Emits the operations of divisions by constants.

use orison_ir::{Attribute, Builder, Location, Operation, OperationName, OperationState, Value};

use crate::modifiers::Modifier;
use crate::operations as ori;
use crate::{MachineOperation, Register};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// Emits operations at the insertion point of a builder.
pub(super) struct Writer<'b, 'c> {
    pub builder: &'b mut Builder<'c>,
    pub location: Location,
}

impl Writer<'_, '_> {
    fn all(&mut self, op: MachineOperation) -> Operation {
        op.build(self.builder, self.location)
    }

    fn write(&mut self, op: MachineOperation) -> Value {
        let op = self.all(op);
        op.result(self.builder.ir(), 0)
    }

    fn said(&mut self, op: MachineOperation, key: &'static str, word: &str) -> MachineOperation {
        op.word(self.builder.context(), key, word)
    }

    fn immediate(&mut self, number: i64, register: Register) -> Value {
        let location = self.location;
        let context = self.builder.context();
        let name = OperationName::new(context, ori::Imm::NAME);
        let mut state = OperationState::new(name, location);
        let number = Attribute::i64(context, number);
        state.set_property(context, "value", number);
        let ty = register.ty(context);
        state.result_types.push(ty);
        let op = self.builder.create(&state);
        op.result(self.builder.ir(), 0)
    }

    pub fn word(&mut self, bits: u32) -> Value {
        self.immediate(i64::from(bits.cast_signed()), R)
    }

    pub fn pair(&mut self, bits: u64) -> Value {
        self.immediate(bits.cast_signed(), R64)
    }

    /// A word of a pair.
    pub fn part(&mut self, pair: Value, word: i32) -> Value {
        let op = MachineOperation::new(ori::Extract::NAME).operand("whole", pair);
        let op = op.number(self.builder.context(), "word", word);
        self.write(op.result(R))
    }

    pub fn concat(&mut self, [low, high]: [Value; 2]) -> Value {
        let op = MachineOperation::new(ori::Concat::NAME)
            .operand("parts", low)
            .operand("parts", high);
        self.write(op.result(R64))
    }

    fn shift(&mut self, signedness: &str, [a, b, c]: [Value; 3], high: bool) -> Value {
        let op = MachineOperation::new(ori::Shf::NAME)
            .operand("a", a)
            .operand("b", b)
            .operand("c", c)
            .result(R);
        let op = self.said(op, "direction", "right");
        let op = self.said(op, "signedness", signedness);
        self.write(if high { op.flag("high") } else { op })
    }

    /// A word shifted right, arithmetically or logically.
    pub fn right(&mut self, value: Value, amount: u32, signed: bool) -> Value {
        if amount == 0 {
            return value;
        }
        let (zero, amount) = (self.word(0), self.word(amount));
        let signedness = if signed { "s32" } else { "u32" };
        self.shift(signedness, [zero, amount, value], true)
    }

    /// An unsigned pair shifted right by less than 64.
    pub fn right_pair(&mut self, pair: Value, amount: u32) -> Value {
        if amount == 0 {
            return pair;
        }
        let (low, high) = (self.part(pair, 0), self.part(pair, 1));
        if amount >= 32 {
            let (low, zero) = (self.right(high, amount - 32, false), self.word(0));
            return self.concat([low, zero]);
        }
        let by = self.word(amount);
        let low = self.shift("u32", [low, by, high], false);
        let high = self.right(high, amount, false);
        self.concat([low, high])
    }

    /// The bits of a word selected by a mask.
    pub fn masked(&mut self, value: Value, mask: u32) -> Value {
        let mask = self.word(mask);
        self.logic(0xc0, value, mask)
    }

    fn logic(&mut self, table: i32, a: Value, b: Value) -> Value {
        let zero = self.word(0);
        let op = MachineOperation::new(ori::Lop3::NAME)
            .operand("a", a)
            .operand("b", b)
            .operand("c", zero);
        let op = op.number(self.builder.context(), "lut", table);
        self.write(op.result(R))
    }

    /// The high word of `a * b + c`, where `c` is a pair.
    pub fn multiply_high(&mut self, [a, b, c]: [Value; 3], signed: bool) -> Value {
        let op = MachineOperation::new(ori::ImadHi::NAME)
            .operand("a", a)
            .operand("b", b)
            .operand("c", c)
            .result(R);
        let op = self.said(op, "signedness", if signed { "s32" } else { "u32" });
        self.write(op)
    }

    /// The pair `a * b + c` of words and a pair.
    fn multiply_pair(&mut self, a: Value, b: Value, c: Value) -> Value {
        let op = MachineOperation::new(ori::ImadWide::NAME)
            .operand("a", a)
            .operand("b", b)
            .operand("c", c)
            .result(R64);
        let op = self.said(op, "signedness", "u32");
        self.write(op)
    }

    fn multiply(&mut self, a: Value, b: Value, c: Value) -> Value {
        let op = MachineOperation::new(ori::Imad::NAME)
            .operand("a", a)
            .operand("b", b)
            .operand("c", c);
        self.write(op.result(R))
    }

    fn sum(&mut self, a: Value, b: Value) -> Value {
        let zero = self.word(0);
        let op = MachineOperation::new(ori::Iadd3::NAME)
            .operand("a", a)
            .operand("b", b)
            .operand("c", zero);
        self.write(op.result(R))
    }

    pub fn negated(&mut self, value: Value) -> Value {
        let (first, second) = (self.word(0), self.word(0));
        let op = MachineOperation::new(ori::Iadd3::NAME)
            .modified("a", value, &[Modifier::Negate])
            .operand("b", first)
            .operand("c", second);
        self.write(op.result(R))
    }

    /// `(value >> shift) + addend`, with an arithmetic shift.
    pub fn shifted_sum(&mut self, value: Value, shift: u32, addend: Value) -> Value {
        if shift == 0 {
            return self.sum(value, addend);
        }
        let zero = self.word(0);
        let op = MachineOperation::new(ori::Lea::NAME)
            .operand("a", value)
            .operand("b", addend)
            .operand("c", zero)
            .flag("high")
            .flag("sign_extended")
            .result(R);
        let amount = i32::try_from(32 - shift).unwrap_or(0);
        let op = op.number(self.builder.context(), "shift", amount);
        self.write(op)
    }

    /// The `count` highest bits of a word plus another one.
    pub fn high_bits_sum(&mut self, value: Value, count: u32, addend: Value) -> Value {
        let zero = self.word(0);
        let op = MachineOperation::new(ori::Lea::NAME)
            .operand("a", value)
            .operand("b", addend)
            .operand("c", zero)
            .flag("high")
            .result(R);
        let amount = i32::try_from(count).unwrap_or(0);
        let op = op.number(self.builder.context(), "shift", amount);
        self.write(op)
    }

    /// The remainder of a word, given the quotient.
    pub fn rest(&mut self, dividend: Value, quotient: Value, divisor: u32) -> Value {
        let factor = self.word(divisor.wrapping_neg());
        self.multiply(quotient, factor, dividend)
    }

    /// The remainder of a pair, given the quotient.
    pub fn rest_pair(&mut self, dividend: Value, quotient: Value, divisor: u64) -> Value {
        let factor = divisor.wrapping_neg();
        let (low, high) = (self.word(factor as u32), self.word((factor >> 32) as u32));
        let (q_low, q_high) = (self.part(quotient, 0), self.part(quotient, 1));
        let product = self.multiply_pair(q_low, low, dividend);
        let top = self.part(product, 1);
        let top = self.multiply(q_low, high, top);
        let top = self.multiply(q_high, low, top);
        let bottom = self.part(product, 0);
        self.concat([bottom, top])
    }

    /// The sum or difference of pairs.
    pub fn sum_pair(&mut self, a: Value, b: Value, subtract: bool) -> Value {
        let zero = self.word(0);
        let words = [(a, 0), (a, 1), (b, 0), (b, 1)];
        let [a_low, a_high, b_low, b_high] = words.map(|(pair, word)| self.part(pair, word));
        let minus = |modifier| if subtract { vec![modifier] } else { Vec::new() };
        let low = MachineOperation::new(ori::Iadd3::NAME)
            .operand("a", a_low)
            .modified("b", b_low, &minus(Modifier::Negate))
            .operand("c", zero);
        let low = self.all(low.result(R).result(Register::P));
        let context = self.builder.ir();
        let (sum, carry) = (low.result(context, 0), low.result(context, 1));
        // The carry of a negated low word supplies the one added by two's complement.
        let high = MachineOperation::new(ori::Iadd3::NAME)
            .operand("a", a_high)
            .modified("b", b_high, &minus(Modifier::Invert))
            .operand("c", zero)
            .operand("carry", carry)
            .flag("extended");
        let high = self.write(high.result(R));
        self.concat([sum, high])
    }

    /// A pair, negated where `sign` is all ones and unchanged where it is zero.
    pub fn with_sign(&mut self, pair: Value, sign: Value) -> Value {
        let words = [0, 1].map(|word| {
            let (value, sign) = (self.part(pair, word), self.part(sign, word));
            self.logic(0x3c, value, sign)
        });
        let inverted = self.concat(words);
        self.sum_pair(inverted, sign, true)
    }

    /// The high pair of `value * number`, with `number` added if `adds`.
    pub fn high_pair(&mut self, value: Value, number: u64, adds: bool) -> Value {
        let (low, high) = (self.word(number as u32), self.word((number >> 32) as u32));
        let zero = self.word(0);
        let (v_low, v_high) = (self.part(value, 0), self.part(value, 1));
        let added = self.pair(if adds { number & 0xffff_ffff } else { 0 });
        let lowest = self.multiply_pair(v_low, low, added);
        let carried = self.part(lowest, 1);
        let carried = if adds {
            let (one, more) = (self.word(1), self.pair(number >> 32));
            self.multiply_pair(carried, one, more)
        } else {
            self.concat([carried, zero])
        };
        // The sum of a product of words and two words fits 64 bits.
        let middle = self.multiply_pair(v_high, low, carried);
        let (middle_low, middle_high) = (self.part(middle, 0), self.part(middle, 1));
        let middle_low = self.concat([middle_low, zero]);
        let other = self.multiply_pair(v_low, high, middle_low);
        let other_high = self.part(other, 1);
        let one = self.word(1);
        let above = self.concat([middle_high, zero]);
        let above = self.multiply_pair(other_high, one, above);
        self.multiply_pair(v_high, high, above)
    }
}
