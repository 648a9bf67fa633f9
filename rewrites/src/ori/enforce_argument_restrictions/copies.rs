//! Asynchronous copies of some bytes, and mbarriers.

use orison_ir::declare::VerifyResult;
use orison_ir::{Operation, Value};
use orison_ori::analyses::properties::immediate;
use orison_ori::keywords::{MbarrierAction, Width, keyword_of};
use orison_ori::modifiers::{self, Modifier};
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::Legalizer;
use crate::ori::functions::immediate_before;

/// A predicate and its modifiers.
type Predicate = (Value, Vec<Modifier>);

impl Legalizer<'_> {
    /// The number of bytes of an asynchronous copy: all or none by a predicate; any other number by the
    /// low bits of the global address, `.ZFILL` (measured with ptxas 13.0).
    pub(super) fn copied_bytes(&mut self, op: Operation) -> VerifyResult {
        let Some(size) = op.operands_named(self.context, "size").first().copied() else {
            return Ok(());
        };
        let width = keyword_of::<Width>(self.context, op, "width");
        let bytes = i64::from(width.unwrap_or(Width::B32).bytes());
        let copy = self.copy(op)?.without("size");
        if let Some(number) = immediate(self.context, size) {
            if number == bytes {
                self.replace(op, copy);
                return Ok(());
            }
            if number == 0 {
                let never = immediate_before(self.context, op, Register::P, 0);
                self.replace(op, copy.operand("copied", never));
                return Ok(());
            }
        }
        if let Some((choice, set)) = self.all_or_nothing(op, size, bytes) {
            self.replace(op, copy.modified("copied", choice, &set));
            return Ok(());
        }
        let zero = immediate_before(self.context, op, Register::R, 0);
        let some = MachineOperation::new(ori::Isetp::NAME)
            .operand("a", size)
            .operand("b", zero)
            .word(self.context, "compare", "ne")
            .word(self.context, "signedness", "u32")
            .result(Register::P);
        let some = self.value_before(op, some);
        let Some(base) = op.operands_named(self.context, "base").first().copied() else {
            return Err(op.op_error(self.context, "requires a global address in a register"));
        };
        let address = self.address_without(op, base, size, bytes);
        let copy = copy.without("base").operand("base", address);
        self.replace(op, copy.operand("copied", some).flag("zero_fill"));
        Ok(())
    }

    /// The address with the number of bytes that are not copied in its low bits.
    fn address_without(&mut self, op: Operation, base: Value, size: Value, bytes: i64) -> Value {
        let number =
            |legalizer: &mut Self, bits| immediate_before(legalizer.context, op, Register::R, bits);
        let (all, zero, mask) = (
            number(self, bytes),
            number(self, 0),
            number(self, bytes - 1),
        );
        let rest = MachineOperation::new(ori::Iadd3::NAME)
            .modified("a", size, &[Modifier::Negate])
            .operand("b", all)
            .operand("c", zero)
            .result(Register::R);
        let rest = self.value_before(op, rest);
        let rest = MachineOperation::new(ori::Lop3::NAME)
            .operand("a", rest)
            .operand("b", mask)
            .operand("c", zero)
            .number(self.context, "lut", 0xc0)
            .result(Register::R);
        let rest = self.value_before(op, rest);
        let [low, high] = [0, 1].map(|word| self.part(op, base, word));
        let sum = MachineOperation::new(ori::Iadd3::NAME)
            .operand("a", low)
            .operand("b", rest)
            .operand("c", zero)
            .result(Register::R)
            .result(Register::P);
        let sum = self.before(op, sum);
        let (low, carry) = (sum.result(self.context, 0), sum.result(self.context, 1));
        let high = MachineOperation::new(ori::Iadd3::NAME)
            .operand("a", high)
            .operand("b", zero)
            .operand("c", zero)
            .operand("carry", carry)
            .flag("extended")
            .result(Register::R);
        let high = self.value_before(op, high);
        self.concat(op, &[low, high], Register::R64)
    }

    /// The predicate that selects all bytes or none, through several selections.
    fn all_or_nothing(&mut self, op: Operation, size: Value, bytes: i64) -> Option<Predicate> {
        let sel = size.defining_op(self.context)?;
        ori::Sel::of(self.context, sel)?;
        let choice = sel.operand_range_named(self.context, "choice").next()?;
        let inverted = modifiers::of_operand(self.context, sel, choice).contains(Modifier::Invert);
        let choice = sel.operand(self.context, choice);
        let [a, b] = ["a", "b"].map(|group| sel.operands_named(self.context, group));
        let (a, b) = (*a.first()?, *b.first()?);
        let (inner, inverted) = match (immediate(self.context, a), immediate(self.context, b)) {
            (_, Some(0)) => (a, inverted),
            (Some(0), _) => (b, !inverted),
            _ => return None,
        };
        let own = (
            choice,
            if inverted {
                vec![Modifier::Invert]
            } else {
                Vec::new()
            },
        );
        if immediate(self.context, inner) == Some(bytes) {
            return Some(own);
        }
        let (other, others) = self.all_or_nothing(op, inner, bytes)?;
        let holds = immediate_before(self.context, op, Register::P, 1);
        let both = MachineOperation::new(ori::Plop3::NAME)
            .modified("a", own.0, &own.1)
            .modified("b", other, &others)
            .operand("c", holds)
            .number(self.context, "lut", 0x80)
            .result(Register::P);
        Some((self.value_before(op, both), Vec::new()))
    }

    /// The initial value of an mbarrier is computed: the number of arrivals that are missing, in two
    /// fields. The instruction writes it once for the warp, which is correct where all threads that
    /// execute it have the same address (measured with ptxas 13.0).
    pub(super) fn mbarrier(&mut self, op: Operation) -> VerifyResult {
        if keyword_of(self.context, op, "mbarrier") != Some(MbarrierAction::Initialize) {
            return Ok(());
        }
        let count = op.operands_named(self.context, "count")[0];
        if self.class(count).words() == Some(2) {
            return Ok(());
        }
        let count = self.in_uniform_registers(op, count);
        let number = |legalizer: &mut Self, bits| {
            immediate_before(legalizer.context, op, Register::Ur, bits)
        };
        let (start, zero) = (number(self, 0x10_0000), number(self, 0));
        let missing = MachineOperation::new(ori::Uiadd3::NAME)
            .modified("a", count, &[Modifier::Negate])
            .operand("b", start)
            .operand("c", zero)
            .result(Register::Ur);
        let missing = self.value_before(op, missing);
        let fields = [1, 11].map(|shift| {
            let shift = number(self, shift);
            let field = MachineOperation::new(ori::Ushf::NAME)
                .operand("a", missing)
                .operand("b", shift)
                .operand("c", zero)
                .word(self.context, "direction", "left")
                .word(self.context, "signedness", "u32")
                .result(Register::Ur);
            self.value_before(op, field)
        });
        let whole = self.concat(op, &fields, Register::Ur64);
        let mut copy = self.copy(op)?.without("count").operand("count", whole);
        for number in op.operand_range_named(self.context, "base") {
            let base = self.in_uniform_registers(op, op.operand(self.context, number));
            copy = copy
                .without("base")
                .without("uniform")
                .operand("uniform", base);
        }
        for number in op.operand_range_named(self.context, "guard") {
            let set = modifiers::of_operand(self.context, op, number);
            let set: Vec<Modifier> = set.iter().collect();
            let guard = self.guard_of_warp(op, op.operand(self.context, number), &set);
            copy = copy.without("guard").operand("guard", guard);
        }
        self.replace(op, copy);
        Ok(())
    }

    /// Whether a guard holds in any thread, as a uniform predicate.
    fn guard_of_warp(&mut self, op: Operation, guard: Value, set: &[Modifier]) -> Value {
        let vote = MachineOperation::new(ori::Voteu::NAME)
            .modified("a", guard, set)
            .word(self.context, "vote", "any")
            .result(Register::Ur)
            .result(Register::Up);
        let vote = self.before(op, vote);
        vote.result(self.context, 1)
    }

    /// The phase of a wait is a sign: the parity in the top bit, or the high word of a state.
    pub(super) fn phase(&mut self, op: Operation) -> VerifyResult {
        let number = op.operand_range_named(self.context, "phase").start;
        let phase = op.operand(self.context, number);
        let new = if self.class(phase).words() == Some(2) {
            self.part(op, phase, 1)
        } else {
            if let Some(bits) = immediate(self.context, phase) {
                let sign = if bits & 1 == 0 {
                    0
                } else {
                    i64::from(i32::MIN)
                };
                let sign = immediate_before(self.context, op, Register::R, sign);
                op.set_operand(self.context, number, sign);
                return Ok(());
            }
            let shift = immediate_before(self.context, op, Register::R, 31);
            let zero = immediate_before(self.context, op, Register::R, 0);
            let sign = MachineOperation::new(ori::Shf::NAME)
                .operand("a", phase)
                .operand("b", shift)
                .operand("c", zero)
                .word(self.context, "direction", "left")
                .word(self.context, "signedness", "u32")
                .result(Register::R);
            self.value_before(op, sign)
        };
        op.set_operand(self.context, number, new);
        Ok(())
    }
}
