//! Tensor memory: 128 lanes of 512 columns of 32 bits, and its allocation.

use std::collections::VecDeque;

use orison_ir::Operation;

use super::tensor_work::{CellPlace, PendingWork};

/// Lanes of tensor memory.
pub(super) const TENSOR_LANES: usize = 128;
/// Its columns.
pub(super) const COLUMNS: usize = 512;
/// The minimum allocation; allocations are powers of two.
pub(super) const FEWEST: usize = 32;

/// 32 bits of tensor memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub(super) word: u32,
    pub(super) known: bool,
    /// Pending work that writes it.
    pub(super) works: u16,
    /// Stores that were not waited for.
    pub(super) stores: u16,
}

/// The tensor memory of a CTA.
#[derive(Clone, Debug, Default)]
pub(super) struct TensorMemory {
    /// Lane by lane; empty until the first allocation.
    pub(super) cells: Vec<Cell>,
    /// First column and number of columns of each allocation, and its operation.
    pub(super) allocations: Vec<(usize, usize, Option<Operation>)>,
    pub(super) permit_is_given_up: bool,
    pub(super) work: VecDeque<PendingWork>,
}

impl TensorMemory {
    /// The instruction at which the first work is due.
    pub(super) fn next_due(&self) -> Option<u64> {
        self.work.front().map(|first| first.due)
    }

    pub(super) fn owner(&self, column: usize) -> bool {
        let mut all = self.allocations.iter();
        all.any(|(first, count, _)| (*first..first + count).contains(&column))
    }

    /// The index of a cell; an error if out of bounds.
    pub(super) fn index(&self, place: CellPlace) -> Result<usize, String> {
        if place.lane >= TENSOR_LANES || place.column >= COLUMNS || !self.owner(place.column) {
            return Err(format!(
                "accesses lane {} and column {} of tensor memory, which are not allocated",
                place.lane, place.column
            ));
        }
        Ok(place.lane * COLUMNS + place.column)
    }

    /// The value of a cell, provided that the work that writes it is done; `None` if undefined.
    pub(super) fn read(&self, place: CellPlace) -> Result<Option<u32>, String> {
        let cell = self.cells[self.index(place)?];
        if cell.works > 0 {
            return Err(format!(
                "reads lane {} and column {} of tensor memory, which are still being written",
                place.lane, place.column
            ));
        }
        self.read_in_order(place)
    }

    /// The value of a cell for work that is done in order.
    pub(super) fn read_in_order(&self, place: CellPlace) -> Result<Option<u32>, String> {
        let cell = self.cells[self.index(place)?];
        if cell.stores > 0 {
            return Err(format!(
                "reads lane {} and column {} of tensor memory without waiting for the store",
                place.lane, place.column
            ));
        }
        Ok(cell.known.then_some(cell.word))
    }

    /// Writes a cell.
    pub(super) fn write(&mut self, place: CellPlace, word: Option<u32>) -> Result<(), String> {
        let index = self.index(place)?;
        let cell = &mut self.cells[index];
        (cell.word, cell.known) = (word.unwrap_or(0), word.is_some());
        Ok(())
    }

    /// Records the start of work that will write a cell.
    pub(super) fn expect(&mut self, place: CellPlace) -> Result<(), String> {
        let index = self.index(place)?;
        self.cells[index].works += 1;
        Ok(())
    }

    /// Records that work has written a cell.
    pub(super) fn arrived(&mut self, place: CellPlace) -> Result<(), String> {
        let index = self.index(place)?;
        let works = &mut self.cells[index].works;
        *works = works.saturating_sub(1);
        Ok(())
    }

    /// Allocates columns, whose cells become undefined.
    pub(super) fn allocate(&mut self, first: usize, count: usize, op: Operation) {
        self.allocations.push((first, count, Some(op)));
        self.cells.resize(TENSOR_LANES * COLUMNS, Cell::default());
        for lane in 0..TENSOR_LANES {
            self.cells[lane * COLUMNS + first..][..count].fill(Cell::default());
        }
    }

    /// The first of this many adjacent free columns.
    pub(super) fn free(&self, count: usize) -> Option<usize> {
        let mut starts = (0..COLUMNS).step_by(FEWEST);
        starts.find(|first| {
            let end = first + count;
            end <= COLUMNS
                && self
                    .allocations
                    .iter()
                    .all(|(other, columns, _)| end <= *other || other + columns <= *first)
        })
    }
}
