//! Operands in consecutive uniform registers, more than a pair: they are copied to fixed ones before
//! the instruction, which register allocation sees as the registers of the copies.

use orison_ir::declare::VerifyResult;
use orison_ir::{Operation, Value};
use orison_ori::operations as ori;
use orison_ori::types::Physical;
use orison_ori::{MachineOperation, Register};

use super::Legalizer;
use crate::ori::instruction_forms::Source;

/// The first register of a block of coordinates, up to eight.
const BLOCK: u8 = 8;
/// The first register of two matrix descriptors.
const DESCRIPTORS: u8 = 4;

impl Legalizer<'_> {
    /// The parts of the block that an instruction reads stand in consecutive registers.
    pub(super) fn blocks(&mut self, op: Operation) -> VerifyResult {
        if ori::Utmaldg::of(self.context, op).is_some() {
            self.offsets_and_receivers(op);
        }
        let groups: &[&str] = match op.name_text(self.context) {
            ori::Utmaldg::NAME => &["destination", "barrier", "coordinates"],
            ori::Utmapf::NAME => &["coordinates"],
            ori::Ublkcp::NAME => &["destination", "barrier"],
            _ => &["source", "coordinates"],
        };
        let numbers = groups
            .iter()
            .flat_map(|group| op.operand_range_named(self.context, group));
        let numbers: Vec<usize> = numbers.collect();
        let words = numbers.iter().map(|number| {
            self.class(op.operand(self.context, *number))
                .words()
                .unwrap_or(1)
        });
        // A copy to global memory has no mbarrier: its destination is a pair as it is.
        if words.clone().any(|words| words > 1) || words.sum::<u32>() < 2 {
            return Ok(());
        }
        let values: Vec<Value> = numbers
            .iter()
            .map(|number| op.operand(self.context, *number))
            .collect();
        for (step, (number, value)) in numbers.into_iter().zip(values).enumerate() {
            let index = BLOCK.saturating_add(u8::try_from(step).unwrap_or(u8::MAX));
            let copy = self.fixed(op, value, index);
            op.set_operand(self.context, number, copy);
        }
        Ok(())
    }

    /// Words in adjacent registers: the halves of a pair.
    pub(super) fn adjacent(&mut self, op: Operation, groups: &[&str]) -> VerifyResult {
        let numbers = groups
            .iter()
            .flat_map(|group| op.operand_range_named(self.context, group));
        let numbers: Vec<usize> = numbers.collect();
        let values: Vec<Value> = numbers
            .iter()
            .map(|number| op.operand(self.context, *number))
            .collect();
        let uniform = values.iter().all(|value| self.class(*value).is_uniform());
        let [_, _] = values.as_slice() else {
            return Ok(());
        };
        let pair = if uniform {
            Register::Ur64
        } else {
            Register::R64
        };
        let pair = self.concat(op, &values, pair);
        for (word, number) in (0..).zip(numbers) {
            let half = self.part(op, pair, word);
            op.set_operand(self.context, number, half);
        }
        Ok(())
    }

    /// A word in a fixed uniform register.
    fn fixed(&mut self, op: Operation, value: Value, index: u8) -> Value {
        let loaded = matches!(
            Source::of(self.context, value),
            Source::Number(_) | Source::ConstantBank { .. }
        );
        let value = match loaded && !self.class(value).is_uniform() {
            true => self.in_uniform_registers(op, value),
            false => value,
        };
        let general = !self.class(value).is_uniform()
            && matches!(Source::of(self.context, value), Source::Register(_));
        let name = if general {
            ori::R2ur::NAME
        } else {
            ori::Umov::NAME
        };
        let copy = MachineOperation::new(name)
            .operand("a", value)
            .result(Register::Ur);
        let copy = self.value_before(op, copy);
        let ty = Physical {
            register: Register::Ur,
            index,
        }
        .ty(self.context);
        copy.set_type(self.context, ty);
        copy
    }

    /// The descriptors of a product of a warp group are in four consecutive uniform registers, that of
    /// the right matrix in the second pair, also where the left one is in registers of the threads.
    pub(super) fn descriptors(&mut self, op: Operation) -> VerifyResult {
        let [left, right] =
            ["a", "b"].map(|group| op.operand_range_named(self.context, group).start);
        let scale = op.operand_range_named(self.context, "scale").next();
        if let Some(number) = scale {
            let value = op.operand(self.context, number);
            if self.class(value) == Register::P {
                let uniform = self.in_uniform_registers(op, value);
                op.set_operand(self.context, number, uniform);
            }
        }
        let fragments = self.class(op.operand(self.context, left)).words() != Some(2);
        for (number, first) in [(left, DESCRIPTORS), (right, DESCRIPTORS + 2)] {
            if number == left && fragments {
                continue;
            }
            let value = op.operand(self.context, number);
            let parts = [0, 1].map(|word| {
                let part = self.part(op, value, word);
                self.fixed(op, part, first + u8::try_from(word).unwrap_or(0))
            });
            let pair = self.concat(op, &parts, Register::Ur64);
            let ty = Physical {
                register: Register::Ur64,
                index: first,
            }
            .ty(self.context);
            pair.set_type(self.context, ty);
            op.set_operand(self.context, number, pair);
        }
        Ok(())
    }
}
