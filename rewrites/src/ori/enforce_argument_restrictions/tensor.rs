//! Tensor memory: allocation by a bit for each 32 columns, uniform addresses, descriptors in pairs.

use orison_ir::declare::VerifyResult;
use orison_ir::{Operation, Value};
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::Legalizer;
use crate::ori::functions::{
    Edge, append_branch, append_conditional, append_operation, constant_at_end, immediate_before,
    word_before,
};

/// Bits of one of three offsets.
const SHARE_OF_THREE: i64 = 5;
/// Binary logarithm of the number of columns of tensor memory that a bit of its mask stands for.
const COLUMNS_SHIFT: i64 = 5;
/// The bits of an address in tensor memory that are the column.
const COLUMN: i64 = 0xffff;
/// The time in nanoseconds after which an allocation is tried again, as ptxas 13.0 does.
const RETRY: i64 = 100;

impl Legalizer<'_> {
    /// The offsets of a convolution and the receivers of a multicast are the halves of one word, in which offsets have
    /// equal shares of the bits (measured with ptxas 13.0). Both are operands that are this word.
    pub(super) fn offsets_and_receivers(&mut self, op: Operation) {
        let groups = ["offsets", "multicast"];
        let [offsets, receivers] = groups.map(|group| op.operands_named(self.context, group));
        if offsets.is_empty() && receivers.is_empty() {
            return;
        }
        let zero = immediate_before(self.context, op, Register::R, 0);
        let low = match offsets.as_slice() {
            [] => zero,
            [one] => *one,
            [one, other] => self.bytes(op, *one, 0x40, *other),
            [first, others @ ..] => {
                let mut sum = *first;
                for (other, place) in others.iter().zip(1..) {
                    let scale = 1 << (place * SHARE_OF_THREE);
                    let scale = immediate_before(self.context, op, Register::R, scale);
                    let location = op.location(self.context);
                    let parts = [*other, scale, sum];
                    sum = word_before(self.context, op, location, ori::Imad::NAME, parts);
                }
                sum
            }
        };
        let high = receivers.first().copied().unwrap_or(zero);
        let word = self.bytes(op, low, 0x5410, high);
        for group in groups {
            for number in op.operand_range_named(self.context, group) {
                op.set_operand(self.context, number, word);
            }
        }
    }

    /// Bytes of two words, selected by the digits of a number.
    fn bytes(&mut self, anchor: Operation, a: Value, selector: i64, c: Value) -> Value {
        let selector = immediate_before(self.context, anchor, Register::R, selector);
        let location = anchor.location(self.context);
        word_before(
            self.context,
            anchor,
            location,
            ori::Prmt::NAME,
            [a, selector, c],
        )
    }

    /// A uniform number as an operand.
    fn uniform_number(&mut self, op: Operation, number: i64) -> Value {
        immediate_before(self.context, op, Register::Ur, number)
    }

    fn shifted(&mut self, op: Operation, value: Value, amount: Value, direction: &str) -> Value {
        let zero = self.uniform_number(op, 0);
        let right = direction == "right";
        let shift = MachineOperation::new(ori::Ushf::NAME)
            .operand("a", if right { zero } else { value })
            .operand("b", amount)
            .operand("c", if right { value } else { zero })
            .word(self.context, "direction", direction)
            .word(self.context, "signedness", "u32");
        let shift = if right { shift.flag("high") } else { shift };
        self.value_before(op, shift.result(Register::Ur))
    }

    fn bits(&mut self, op: Operation, [a, b]: [Value; 2], table: i32) -> Value {
        let zero = self.uniform_number(op, 0);
        let bits = MachineOperation::new(ori::Ulop3::NAME)
            .operand("a", a)
            .operand("b", b)
            .operand("c", zero)
            .number(self.context, "lut", table)
            .result(Register::Ur);
        self.value_before(op, bits)
    }

    /// An allocation is tried until it succeeds; the address is that of the first bit.
    pub(super) fn allocate_columns(&mut self, op: Operation) -> VerifyResult {
        let (Some(block), 1) = (op.block(self.context), op.result_count(self.context)) else {
            return Ok(());
        };
        let Some(next) = op.next(self.context) else {
            return Ok(());
        };
        let location = op.location(self.context);
        let columns = op.operands_named(self.context, "columns")[0];
        let shift = self.uniform_number(op, COLUMNS_SHIFT);
        let bits = self.shifted(op, columns, shift, "right");
        let again = block.split_before(self.context, op);
        let rest = again.split_before(self.context, next);
        let wait = again.split_before(self.context, op);
        // The attempt goes back to the block before the one that waits.
        let attempt = MachineOperation::new(ori::TensorAlloc::NAME)
            .operand("columns", bits)
            .result(Register::Ur)
            .result(Register::Up);
        let attempt = append_operation(self.context, again, location, attempt);
        let (place, done) = (
            attempt.result(self.context, 0),
            attempt.result(self.context, 1),
        );
        let shift = self.uniform_number(next, COLUMNS_SHIFT);
        let address = self.shifted(next, place, shift, "left");
        self.replace_by(op, address);
        let edge = |target| Edge {
            target,
            values: Vec::new(),
        };
        append_branch(self.context, block, location, &edge(again), false);
        let ways = [&edge(rest), &edge(wait)];
        let branch = append_conditional(self.context, again, location, done, ways, true);
        self.uniform_condition(branch)?;
        let time = constant_at_end(self.context, wait, location, Register::R, RETRY);
        let sleep = MachineOperation::new(ori::Nanosleep::NAME).operand("duration", time);
        append_operation(self.context, wait, location, sleep);
        append_branch(self.context, wait, location, &edge(again), false);
        Ok(())
    }

    /// The mask of what stays allocated, which is combined with that of tensor memory.
    pub(super) fn free_columns(&mut self, op: Operation) -> VerifyResult {
        let columns = op.operands_named(self.context, "columns");
        let Some(columns) = columns.first().copied() else {
            return Ok(());
        };
        let address = op.operands_named(self.context, "address")[0];
        let shift = self.uniform_number(op, COLUMNS_SHIFT);
        let count = self.shifted(op, columns, shift, "right");
        let one = self.uniform_number(op, 1);
        let end = self.shifted(op, one, count, "left");
        let (less, zero) = (self.uniform_number(op, -1), self.uniform_number(op, 0));
        let mask = MachineOperation::new(ori::Uiadd3::NAME)
            .operand("a", end)
            .operand("b", less)
            .operand("c", zero)
            .result(Register::Ur);
        let mask = self.value_before(op, mask);
        let column = self.uniform_number(op, COLUMN);
        let column = self.bits(op, [address, column], 0xc0);
        let first = self.shifted(op, column, shift, "right");
        let mask = self.shifted(op, mask, first, "left");
        // The complement of the second operand.
        let rest = self.bits(op, [zero, mask], 0x33);
        let copy = self.copy(op)?.without("columns").without("address");
        self.replace(op, copy.operand("address", rest));
        Ok(())
    }

    /// The descriptor of shapes and formats is the high half of a pair.
    pub(super) fn tensor_product(&mut self, op: Operation) -> VerifyResult {
        self.adjacent(op, &["scales"])?;
        let number = op.operand_range_named(self.context, "instruction").start;
        let word = op.operand(self.context, number);
        if self.class(word) == Register::Ur64 {
            return Ok(());
        }
        let zero = self.uniform_number(op, 0);
        let parts = [zero, word].map(|part| {
            let copy = MachineOperation::new(ori::Umov::NAME).operand("a", part);
            self.value_before(op, copy.result(Register::Ur))
        });
        let pair = self.concat(op, &parts, Register::Ur64);
        op.set_operand(self.context, number, pair);
        Ok(())
    }

    /// Addresses in tensor memory are uniform.
    pub(super) fn tensor_address(&mut self, op: Operation) -> VerifyResult {
        let number = op.operand_range_named(self.context, "address").start;
        let address = self.in_uniform_registers(op, op.operand(self.context, number));
        op.set_operand(self.context, number, address);
        Ok(())
    }
}
