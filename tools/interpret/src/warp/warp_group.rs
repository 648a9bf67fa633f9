//! Products of a warp group (`wgmma`): factors in shared memory, located by descriptors.
//!
//! Each warp computes its 16 of the 64 rows. Sums are computed as for a warp's product. They are in
//! the result at once, but pending: only products and moves may read them before a wait completes
//! their group, whether or not it passes them on. The registers of a factor and of an accumulator
//! that is no result of a product must have been written before the last fence; constants may be
//! anywhere. No thread may end before the products of its warp are complete.
//!
//! Registers in flight cannot be written: each value has registers of its own, which no operation but
//! its own definition writes. Writes of PTX registers in flight are checked in `source_registers.rs`.

use super::Fault;
use super::action::GroupProduct;
use super::descriptors::Descriptor;
use super::fragments::{left_place, width};
use super::machine::{Machine, Turn};
use super::matrix::{Factor, negate};
use super::memory::Space;
use super::registers::{LANES, Slot};

impl Machine<'_, '_> {
    /// An element of a matrix in shared memory.
    fn shared_element(&mut self, turn: &Turn<'_>, place: u64, width: usize) -> Result<u64, Fault> {
        let at = (Space::Shared, place);
        match self.read_bytes(turn, 0, at, width / 8) {
            Some(Some(word)) => Ok(word.into()),
            Some(None) => {
                let message =
                    format!("multiplies byte {place} of shared memory, which is undefined");
                self.fault(turn, &message)
            }
            None => self.outside(turn, 0, at, width / 8),
        }
    }

    fn group_descriptor(&self, turn: &Turn<'_>, bits: u64) -> Result<Descriptor, Fault> {
        let descriptor = Descriptor::of_group(bits);
        self.checked(turn, descriptor)
    }

    /// The left factor of this warp: 16 rows.
    fn left_factor(&mut self, turn: &Turn<'_>, group: &GroupProduct) -> Result<Vec<u64>, Fault> {
        let slot = turn.instruction.operands[0].slot;
        let bits = width(group.product.left);
        let mut rows = vec![0; 16 * group.depth];
        let in_registers = slot.words == 4;
        let descriptor = if in_registers {
            None
        } else {
            let descriptor = self.value(turn, 0, 0, "a descriptor")?;
            Some(self.group_descriptor(turn, descriptor as u64)?)
        };
        for row in 0..16 {
            for step in 0..group.depth {
                rows[row * group.depth + step] = match descriptor {
                    None => {
                        let place = left_place(16, row, step, 32 / bits);
                        self.element(turn, slot, place, bits)?
                    }
                    Some(descriptor) => {
                        let row = turn.warp % 4 * 16 + row;
                        let place = descriptor.element(row, step, bits, group.transposed[0]);
                        self.shared_element(turn, place, bits)?
                    }
                };
            }
        }
        Ok(rows)
    }

    fn right_factor(&mut self, turn: &Turn<'_>, group: &GroupProduct) -> Result<Vec<u64>, Fault> {
        let bits = width(group.product.right);
        let descriptor = self.value(turn, 1, 0, "a descriptor")?;
        let descriptor = self.group_descriptor(turn, descriptor as u64)?;
        let mut columns = vec![0; group.columns * group.depth];
        for column in 0..group.columns {
            for step in 0..group.depth {
                let place = descriptor.element(column, step, bits, group.transposed[1]);
                columns[column * group.depth + step] = self.shared_element(turn, place, bits)?;
            }
        }
        Ok(columns)
    }

    pub(super) fn group_product(
        &mut self,
        turn: &Turn<'_>,
        group: &GroupProduct,
    ) -> Result<(), Fault> {
        if turn.active != u32::MAX {
            return self.fault(turn, "requires all lanes of the warp");
        }
        self.check_fence(turn, group)?;
        let mut left = self.left_factor(turn, group)?;
        let mut right = self.right_factor(turn, group)?;
        negate(&mut left, group.negated[0], group.product.left);
        negate(&mut right, group.negated[1], group.product.right);
        let counts = match group.scale {
            Some(scale) => self.predicate(turn, scale, 0)?,
            None => true,
        };
        let before = group.accumulator.filter(|_| counts);
        let bits = width(group.product.sum);
        let result = turn.instruction.results[0];
        let left = Factor::new(left, group.product.left);
        let right = Factor::new(right, group.product.right);
        let mut sums = vec![[0_u64; LANES]; result.words * 32 / bits];
        for row in 0..16 {
            for column in 0..group.columns {
                let lane = row % 8 * 4 + column % 8 / 2;
                let number = column / 8 * 4 + row / 8 * 2 + column % 2;
                let addend = match before {
                    Some(operand) => {
                        let slot = turn.instruction.operands[operand].slot;
                        self.pending_element(turn, slot, (lane, number), bits)?
                    }
                    None => 0,
                };
                let sum = group
                    .product
                    .dot(&left, row, &right, column, group.depth, addend);
                sums[number][lane] = sum;
            }
        }
        self.write_fragment(turn, &sums, bits)?;
        let closed = self.ctas[turn.cta].warps[turn.warp].closed_groups;
        self.registers(turn)?.make_pending(result, closed + 1);
        Ok(())
    }

    /// Fails if an instruction other than a product reads an accumulator in flight; extracts,
    /// concatenations, waits, branches and calls pass it on.
    pub(super) fn check_pending(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        if turn.instruction.action.passes_on() {
            return Ok(());
        }
        let operands = &turn.instruction.operands;
        let registers = self.registers(turn)?;
        if operands.iter().any(|one| registers.is_pending(one.slot)) {
            return self.fault(turn, "reads an accumulator in flight, which is undefined");
        }
        Ok(())
    }

    /// Fails if there was no fence, or a register that the product reads was written after the last
    /// one.
    fn check_fence(&mut self, turn: &Turn<'_>, group: &GroupProduct) -> Result<(), Fault> {
        if !self.ctas[turn.cta].warps[turn.warp].has_fenced {
            return self.fault(turn, "no fence is before the first product");
        }
        let factor = turn.instruction.operands[0].slot;
        let factor = (factor.words == 4).then_some(factor);
        let accumulator = group.accumulator;
        let accumulator = accumulator.map(|operand| turn.instruction.operands[operand].slot);
        let registers = self.registers(turn)?;
        let what = if accumulator.is_some_and(|slot| registers.is_unfenced(slot)) {
            "accumulator"
        } else if factor.is_some_and(|slot| registers.is_unfenced(slot)) {
            "left factor"
        } else {
            return Ok(());
        };
        self.fault(
            turn,
            &format!("the {what} was written after the last fence"),
        )
    }

    /// Fails if products of the warp are in flight.
    pub(super) fn check_complete(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let mut frames = self.ctas[turn.cta].warps[turn.warp].frames.iter();
        if frames.any(|frame| {
            frame
                .as_ref()
                .is_some_and(|frame| frame.registers.is_any_pending())
        }) {
            return self.fault(turn, "ends while a product is in flight");
        }
        Ok(())
    }

    /// Orders the writes of registers before the following products.
    pub(super) fn fence_products(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.ctas[turn.cta].warps[turn.warp].has_fenced = true;
        self.registers(turn)?.put_fence();
        Ok(())
    }

    /// An element of an accumulator, complete or pending.
    fn pending_element(
        &mut self,
        turn: &Turn<'_>,
        slot: Slot,
        (lane, number): (usize, usize),
        bits: usize,
    ) -> Result<u64, Fault> {
        let bit = number * bits;
        let word = self.registers(turn)?.pending_word(slot, bit / 32, lane);
        match word {
            Some(word) => Ok(u64::from(word) >> (bit % 32) & (u64::MAX >> (64 - bits))),
            None => self.fault(
                turn,
                &format!("the accumulator is undefined in lane {lane}"),
            ),
        }
    }

    /// Closes a group of products.
    pub(super) fn close_products(&mut self, turn: &Turn<'_>) {
        self.ctas[turn.cta].warps[turn.warp].closed_groups += 1;
    }

    /// Completes all groups but the last ones, and passes accumulators on.
    pub(super) fn wait_for_products(&mut self, turn: &Turn<'_>, most: u32) -> Result<(), Fault> {
        let closed = self.ctas[turn.cta].warps[turn.warp].closed_groups;
        let complete = closed.saturating_sub(most);
        let pairs: Vec<_> = turn
            .instruction
            .operands
            .iter()
            .map(|operand| operand.slot)
            .zip(turn.instruction.results.iter().copied())
            .collect();
        let active = turn.active;
        let registers = self.registers(turn)?;
        for (from, to) in pairs {
            registers.copy(from, to, active);
            registers.complete(to, complete);
        }
        let frames = self.ctas[turn.cta].warps[turn.warp].frames.iter_mut();
        for frame in frames.flatten() {
            frame.registers.complete_all(complete);
        }
        Ok(())
    }
}
