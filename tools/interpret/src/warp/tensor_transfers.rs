//! Allocation of tensor memory, and transfers between it and registers or shared memory.
//!
//! Copies from shared memory and products are queued work, done in order some time after its
//! instruction; until then the cells it writes must not be read. Stores from registers are complete
//! after the wait for stores.

use orison_ori::keywords::{CopyShape, CopyWarps, TensorShape};

use super::Fault;
use super::action::{TensorMemoryCopy, TensorTransfer};
use super::descriptors::Descriptor;
use super::machine::{Flow, Machine, Turn};
use super::paths::Wait;
use super::registers::{LANES, lanes};
use super::tensor_memory::{COLUMNS, FEWEST};
use super::tensor_work::{CellPlace, PendingWork, Work};
use super::transfer::LONGEST;

impl TensorTransfer {
    /// The cell of a register of a lane, relative to the address (PTX ISA, "Tensor Memory and
    /// Register Load/Store Instructions", data movement shapes).
    fn cell(self, lane: usize, register: usize) -> CellPlace {
        let (row, column) = match self.shape {
            TensorShape::S32x32b => (lane, register),
            TensorShape::S16x64b => (lane % 2 * 8 + lane / 4, 2 * register + lane / 2 % 2),
            TensorShape::S16x128b => (lane / 4 + register % 2 * 8, register / 2 * 4 + lane % 4),
            TensorShape::S16x256b => (
                lane / 4 + register / 2 % 2 * 8,
                register / 4 * 8 + lane % 4 * 2 + register % 2,
            ),
            TensorShape::S16x32bx2 => (lane % 16, register),
        };
        let half = match self.shape {
            TensorShape::S16x32bx2 => lane / 16 * self.distance,
            _ => 0,
        };
        CellPlace {
            lane: row,
            column: half + if self.packs { 2 * column } else { column },
        }
    }
}

impl Machine<'_, '_> {
    /// Converts an error of tensor memory to a fault.
    pub(super) fn checked<T>(
        &self,
        turn: &Turn<'_>,
        result: Result<T, String>,
    ) -> Result<T, Fault> {
        match result {
            Ok(value) => Ok(value),
            Err(message) => self.fault(turn, &message),
        }
    }

    pub(super) fn whole_warp(&self, turn: &Turn<'_>) -> Result<(), Fault> {
        if turn.active == u32::MAX {
            return Ok(());
        }
        self.fault(turn, "requires all lanes of the warp")
    }

    /// The value of an operand that is the same in all active lanes.
    pub(super) fn uniform_value(
        &mut self,
        turn: &Turn<'_>,
        operand: usize,
        what: &str,
    ) -> Result<u64, Fault> {
        let mut found = None;
        for lane in lanes(turn.active) {
            let value = self.value(turn, operand, lane, what)? as u64;
            if found.is_some_and(|found| found != value) {
                let message =
                    format!("{what} must be the same in all lanes, but differs in lane {lane}");
                return self.fault(turn, &message);
            }
            found = Some(value);
        }
        Ok(found.unwrap_or(0))
    }

    /// Allocates columns, or waits until some are free.
    pub(super) fn allocate(&mut self, turn: &mut Turn<'_>, columns: usize) -> Result<Flow, Fault> {
        self.whole_warp(turn)?;
        let count = self.uniform_value(turn, columns, "the number of columns")? as usize;
        if !count.is_power_of_two() || !(FEWEST..=COLUMNS).contains(&count) {
            let message = format!(
                "the number of columns must be 32, 64, 128, 256 or 512, found \
                                   {count}"
            );
            return self.fault(turn, &message);
        }
        let tensor = &mut self.ctas[turn.cta].tensor;
        if tensor.permit_is_given_up {
            return self.fault(
                turn,
                "allocates after the CTA relinquished its allocation permit",
            );
        }
        let Some(first) = tensor.free(count) else {
            if turn.instruction.results.len() < 2 {
                return Ok(Flow::Wait(Wait::Columns));
            }
            self.write_same(turn, 0, 0)?;
            self.write_same(turn, 1, 0)?;
            return Ok(Flow::Next);
        };
        tensor.allocate(first, count, turn.instruction.op);
        self.write_same(turn, 0, first as u128)?;
        self.write_same(turn, 1, 1)?;
        Ok(Flow::Next)
    }

    /// Frees columns, which other CTAs may wait for.
    pub(super) fn free_columns(
        &mut self,
        turn: &Turn<'_>,
        address: usize,
        columns: Option<usize>,
    ) -> Result<(), Fault> {
        self.whole_warp(turn)?;
        let first = self.uniform_value(turn, address, "the tensor memory address")? as usize;
        let count = match columns {
            Some(operand) => {
                Some(self.uniform_value(turn, operand, "the number of columns")? as usize)
            }
            None => None,
        };
        let tensor = &mut self.ctas[turn.cta].tensor;
        let mut all = tensor.allocations.iter();
        let found = all.position(|(start, columns, _)| {
            *start == first && count.is_none_or(|count| count == *columns)
        });
        let Some(found) = found else {
            let message = format!("frees columns from {first} on, which are not an allocation");
            return self.fault(turn, &message);
        };
        tensor.allocations.remove(found);
        for warp in &mut self.ctas[turn.cta].warps {
            for path in &mut warp.paths {
                if path.wait == Wait::Columns {
                    path.wait = Wait::Ready;
                }
            }
        }
        Ok(())
    }

    /// Relinquishes the right to allocate.
    pub(super) fn give_permit_up(&mut self, turn: &Turn<'_>) {
        self.ctas[turn.cta].tensor.permit_is_given_up = true;
    }

    /// Reports an error if a CTA ends with allocated columns.
    pub(super) fn check_columns(&self, cta: usize) -> Result<(), Fault> {
        match self.ctas[cta].tensor.allocations.first() {
            Some((first, count, Some(op))) => {
                let message = format!(
                    "allocates {count} columns of tensor memory from {first} on, which are not \
                     freed before the CTA ends"
                );
                Err(Fault::at(self.kernel.context, *op, &message))
            }
            _ => Ok(()),
        }
    }

    /// The location of an address in the part of tensor memory that the warp may access.
    fn part_of_warp(
        &mut self,
        turn: &Turn<'_>,
        address: usize,
        shape: TensorShape,
    ) -> Result<CellPlace, Fault> {
        self.whole_warp(turn)?;
        let address = self.uniform_value(turn, address, "the tensor memory address")? as u32;
        let place = CellPlace::of(address);
        let first = turn.warp % 4 * LANES;
        let halves = shape != TensorShape::S32x32b;
        if place.lane == first || halves && place.lane == first + 16 {
            return Ok(place);
        }
        let message = format!(
            "accesses lane {} of tensor memory, but warp {} can access lanes {first} to {}",
            place.lane,
            turn.warp,
            first + LANES - 1
        );
        self.fault(turn, &message)
    }

    /// Loads tensor memory into registers. Their values are available at once: the hardware waits
    /// for the registers where they are read, and compilers rely on it.
    pub(super) fn load_tensor(
        &mut self,
        turn: &Turn<'_>,
        transfer: TensorTransfer,
        address: usize,
    ) -> Result<(), Fault> {
        let first = self.part_of_warp(turn, address, transfer.shape)?;
        let result = turn.instruction.results[0];
        for register in 0..result.words {
            for lane in lanes(transfer.lanes) {
                let cell = transfer.cell(lane, register);
                let place = first.plus(cell.lane, cell.column);
                let tensor = &self.ctas[turn.cta].tensor;
                let low = self.checked(turn, tensor.read(place))?;
                let word = if transfer.packs {
                    let high = self.checked(turn, tensor.read(place.plus(0, 1)))?;
                    low.zip(high).map(|(low, high)| low & 0xFFFF | high << 16)
                } else {
                    low
                };
                self.registers(turn)?.set_word(result, register, lane, word);
            }
        }
        Ok(())
    }

    /// Stores registers to tensor memory.
    pub(super) fn store_tensor(
        &mut self,
        turn: &Turn<'_>,
        transfer: TensorTransfer,
        (address, value): (usize, usize),
    ) -> Result<(), Fault> {
        let first = self.part_of_warp(turn, address, transfer.shape)?;
        let slot = turn.instruction.operands[value].slot;
        for register in 0..slot.words {
            for lane in lanes(transfer.lanes) {
                let word = self.registers(turn)?.word(slot, register, lane);
                let cell = transfer.cell(lane, register);
                let place = first.plus(cell.lane, cell.column);
                if transfer.packs {
                    self.store_cell(turn, place, word.map(|word| word & 0xFFFF))?;
                    self.store_cell(turn, place.plus(0, 1), word.map(|word| word >> 16))?;
                } else {
                    self.store_cell(turn, place, word)?;
                }
            }
        }
        Ok(())
    }

    fn store_cell(
        &mut self,
        turn: &Turn<'_>,
        place: CellPlace,
        word: Option<u32>,
    ) -> Result<(), Fault> {
        let state = &mut self.ctas[turn.cta];
        let written = state.tensor.write(place, word);
        if written.is_ok()
            && let Ok(index) = state.tensor.index(place)
        {
            state.tensor.cells[index].stores += 1;
            state.warps[turn.warp].stored_cells.push(index);
        }
        self.checked(turn, written)
    }

    /// Waits for the stores of the warp.
    pub(super) fn wait_for_stores(&mut self, turn: &Turn<'_>) {
        let state = &mut self.ctas[turn.cta];
        for index in std::mem::take(&mut state.warps[turn.warp].stored_cells) {
            let stores = &mut state.tensor.cells[index].stores;
            *stores = stores.saturating_sub(1);
        }
    }

    /// Passes the results of loads through.
    pub(super) fn wait_for_loads(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let results = turn.instruction.results.iter().copied();
        let operands = turn.instruction.operands.iter();
        let pairs: Vec<_> = operands.map(|operand| operand.slot).zip(results).collect();
        let active = turn.active;
        let registers = self.registers(turn)?;
        for (from, to) in pairs {
            registers.copy(from, to, active);
        }
        Ok(())
    }

    /// Queues work after the work in flight.
    pub(super) fn begin_work(&mut self, turn: &Turn<'_>, work: Work) {
        let due = self.statistics.instructions + self.random.below(LONGEST) as u64;
        let tensor = &mut self.ctas[turn.cta].tensor;
        let last = tensor.work.back().map_or(0, |last| last.due);
        tensor.work.push_back(PendingWork {
            op: turn.instruction.op,
            due: due.max(last),
            work,
        });
    }

    /// Completes the work of a CTA that is due.
    pub(super) fn complete_tensor_work(&mut self, cta: usize, until: u64) -> Result<(), Fault> {
        while self.ctas[cta]
            .tensor
            .next_due()
            .is_some_and(|due| due <= until)
        {
            let Some(first) = self.ctas[cta].tensor.work.pop_front() else {
                break;
            };
            let done = match &first.work {
                Work::Copy { cells, pair } => self.complete_copy(cta, cells, *pair),
                Work::Product(product) => self.complete_product(cta, product),
                Work::Commit(commit) => self.complete_commit(cta, commit),
            };
            if let Err(message) = done {
                return Err(Fault::at(self.kernel.context, first.op, &message));
            }
        }
        Ok(())
    }

    fn complete_copy(
        &mut self,
        cta: usize,
        cells: &[(CellPlace, u64)],
        pair: bool,
    ) -> Result<(), String> {
        for cta in self.group_of(cta, pair)? {
            for (place, from) in cells {
                let word = self.shared_word(cta, *from, 4)?;
                let tensor = &mut self.ctas[cta].tensor;
                tensor.write(*place, word)?;
                tensor.arrived(*place)?;
            }
        }
        Ok(())
    }

    /// A 32-bit value of the shared memory of a CTA.
    pub(super) fn shared_word(
        &self,
        cta: usize,
        place: u64,
        count: usize,
    ) -> Result<Option<u32>, String> {
        let read = usize::try_from(place).ok();
        let read = read.and_then(|place| self.ctas[cta].shared.read(place, count));
        read.ok_or_else(|| format!("reads byte {place} of shared memory, which is smaller"))
    }

    /// Begins a copy from shared to tensor memory.
    pub(super) fn copy_to_tensor(
        &mut self,
        turn: &Turn<'_>,
        copy: &TensorMemoryCopy,
    ) -> Result<(), Fault> {
        let first = turn.active.trailing_zeros() as usize;
        let address = self.value(turn, copy.address, first, "the tensor memory address")?;
        let to = CellPlace::of(address as u32);
        let bits = self.value(turn, copy.source, first, "a descriptor")?;
        let descriptor = self.checked(turn, Descriptor::of_tensor_core(bits as u64))?;
        let (rows, words, firsts) = copy.layout();
        let mut cells = Vec::new();
        for row in 0..rows {
            for word in 0..words {
                let from = descriptor.place(4 * word as u64, row as u64, true);
                let (part, line) = (row / LANES, row % LANES);
                for first in firsts.iter().filter(|(from, _)| *from == part) {
                    cells.push((to.plus(first.1 * LANES + line, word), from));
                }
            }
        }
        let pair = copy.two_ctas;
        let ctas = self.group_of(turn.cta, pair);
        for cta in self.checked(turn, ctas)? {
            for (place, _) in &cells {
                let expected = self.ctas[cta].tensor.expect(*place);
                self.checked(turn, expected)?;
            }
        }
        self.begin_work(turn, Work::Copy { cells, pair });
        Ok(())
    }
}

impl TensorMemoryCopy {
    /// Number of rows, 32-bit values per row, and which 32 rows go to the lanes of which warps.
    fn layout(&self) -> (usize, usize, &'static [(usize, usize)]) {
        const EACH: &[(usize, usize)] = &[(0, 0), (1, 1), (2, 2), (3, 3)];
        const PAIRS_02: &[(usize, usize)] = &[(0, 0), (1, 1), (0, 2), (1, 3)];
        const PAIRS_01: &[(usize, usize)] = &[(0, 0), (0, 1), (1, 2), (1, 3)];
        const ALL: &[(usize, usize)] = &[(0, 0), (0, 1), (0, 2), (0, 3)];
        match (self.shape, self.warps) {
            (CopyShape::S128x256b, _) => (128, 8, EACH),
            (CopyShape::S64x128b, Some(CopyWarps::Pairs01)) => (64, 4, PAIRS_01),
            (CopyShape::S64x128b, _) => (64, 4, PAIRS_02),
            (CopyShape::S32x128b, _) => (32, 4, ALL),
            _ => (128, 4, EACH),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every shape covers each cell of its part once.
    #[test]
    fn shapes_cover_their_part() {
        let shapes = [
            (TensorShape::S32x32b, 4, 32, 4),
            (TensorShape::S16x64b, 4, 16, 8),
            (TensorShape::S16x128b, 4, 16, 8),
            (TensorShape::S16x256b, 8, 16, 16),
            (TensorShape::S16x32bx2, 4, 16, 8),
        ];
        for (shape, registers, rows, columns) in shapes {
            let transfer = TensorTransfer {
                shape,
                distance: 4,
                packs: false,
                lanes: u32::MAX,
            };
            let mut seen = vec![false; rows * columns];
            for lane in 0..LANES {
                for register in 0..registers {
                    let cell = transfer.cell(lane, register);
                    let at = &mut seen[cell.lane * columns + cell.column];
                    assert!(!std::mem::replace(at, true), "{shape:?}");
                }
            }
            assert!(seen.iter().all(|seen| *seen), "{shape:?}");
        }
    }
}
