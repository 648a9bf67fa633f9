//! Work of the tensor core that is in flight: copies, products, arrivals.

use orison_ir::Operation;
use orison_ori::keywords::{Format, Keyword, Shape, TensorKind};

use super::action::Product;
use super::descriptors::Descriptor;
use super::fragments::width;
use super::memory::Space;

/// The location of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellPlace {
    pub(super) lane: usize,
    pub(super) column: usize,
}

impl CellPlace {
    /// The location of an address: the lane is in its high half.
    pub(super) fn of(address: u32) -> Self {
        CellPlace {
            lane: (address >> 16) as usize,
            column: (address & 0xFFFF) as usize,
        }
    }

    /// The location this many lanes and columns further.
    pub(super) fn plus(self, lane: usize, column: usize) -> Self {
        CellPlace {
            lane: self.lane + lane,
            column: self.column + column,
        }
    }
}

/// Work that is done in order.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// Copies 32-bit values of shared memory to cells; in both CTAs of a pair.
    Copy {
        cells: Vec<(CellPlace, u64)>,
        pair: bool,
    },
    Product(TensorProduct),
    Commit(TensorCommit),
}

/// Work in flight.
#[derive(Clone, Debug)]
pub(super) struct PendingWork {
    pub(super) op: Operation,
    pub(super) due: u64,
    pub(super) work: Work,
}

/// The location of the left factor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Left {
    Shared(Descriptor),
    Tensor(CellPlace),
}

/// A product in flight.
#[derive(Clone, Debug)]
pub(super) struct TensorProduct {
    pub(super) shape: Extents,
    pub(super) left: Left,
    pub(super) right: Descriptor,
    pub(super) sums: CellPlace,
    pub(super) accumulates: bool,
    /// Whether a pair of CTAs computes it together.
    pub(super) pair: bool,
}

/// An arrival at mbarriers after the preceding work.
#[derive(Clone, Debug)]
pub(super) struct TensorCommit {
    pub(super) places: Vec<(Space, u64)>,
}

/// The contents of the instruction descriptor (PTX ISA, "Instruction descriptor" of tcgen05).
#[derive(Clone, Copy, Debug)]
pub(super) struct Extents {
    pub(super) product: Product,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) depth: usize,
    pub(super) negated: [bool; 2],
    pub(super) transposed: [bool; 2],
}

pub(super) fn factor_format(kind: TensorKind, number: u32) -> Option<Format> {
    Some(match (kind, number) {
        (TensorKind::F16, 0) => Format::F16,
        (TensorKind::F16, 1) => Format::Bf16,
        (TensorKind::Tf32, 2) => Format::Tf32,
        (TensorKind::F8f6f4, 0) => Format::E4m3,
        (TensorKind::F8f6f4, 1) => Format::E5m2,
        (TensorKind::I8, 0) => Format::U8,
        (TensorKind::I8, 1) => Format::S8,
        _ => return None,
    })
}

pub(super) fn sum_format(kind: TensorKind, number: u32) -> Option<Format> {
    Some(match (kind, number) {
        (TensorKind::F16 | TensorKind::F8f6f4, 0) => Format::F16,
        (TensorKind::F16 | TensorKind::F8f6f4 | TensorKind::Tf32, 1) => Format::F32,
        (TensorKind::I8, 2) => Format::S32,
        _ => return None,
    })
}

impl Extents {
    /// Reads a descriptor.
    ///
    /// # Errors
    /// What is invalid or unsupported.
    pub(super) fn decode(kind: TensorKind, bits: u32, two_ctas: bool) -> Result<Self, String> {
        let field = |bit: u32, width: u32| bits >> bit & ((1 << width) - 1);
        if field(2, 1) == 1 {
            return Err("multiplies a sparse matrix, which is not modelled".to_owned());
        }
        let format = |number| {
            factor_format(kind, number).ok_or_else(|| {
                format!(
                    "has elements of format {number} of kind '{}', which are not modelled",
                    kind.keyword()
                )
            })
        };
        let sum = sum_format(kind, field(4, 2)).ok_or_else(|| {
            format!(
                "has accumulators of format {}, which its kind does not support",
                field(4, 2)
            )
        })?;
        let (left, right) = (format(field(7, 3))?, format(field(10, 3))?);
        let (rows, columns) = (field(24, 5) as usize * 16, field(17, 6) as usize * 8);
        let step = match (rows, two_ctas) {
            (64, false) => 8,
            (128, false) | (128 | 256, true) => 16,
            _ => {
                return Err(format!(
                    "has {rows} rows, which its CTA group does not support"
                ));
            }
        };
        if !(step..=256).contains(&columns) || columns % step != 0 {
            return Err(format!(
                "the number of columns must be a multiple of {step} up to 256, found {columns}"
            ));
        }
        Ok(Extents {
            product: Product {
                // Placeholder: the extents of this product are kept separately.
                shape: Shape::M16n8k16,
                left,
                right,
                sum,
                saturate: field(3, 1) == 1,
                exclusive: false,
            },
            rows,
            columns,
            depth: 256 / width(left),
            negated: [field(13, 1) == 1, field(14, 1) == 1],
            transposed: [field(15, 1) == 1, field(16, 1) == 1],
        })
    }

    /// Rows of each CTA, and columns of the right matrix of each.
    pub(super) fn of_each(&self, ctas: usize) -> (usize, usize) {
        (self.rows / ctas, self.columns / ctas)
    }

    /// The cell of a sum in the CTA that holds its row, relative to the accumulator's address.
    pub(super) fn cell(&self, ctas: usize, row: usize, column: usize) -> CellPlace {
        let (lane, column) = match (self.rows, ctas) {
            // Sixteen rows for each of four warps.
            (64, _) => (row / 16 * 32 + row % 16, column),
            // The second half of the columns is in the second half of the lanes.
            (128, 2) => {
                let half = self.columns / 2;
                (column / half * 64 + row, column % half)
            }
            _ => (row, column),
        };
        CellPlace { lane, column }
    }
}

impl TensorProduct {
    /// All cells that hold sums of a CTA.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize, CellPlace)> {
        let ctas = 1 + usize::from(self.pair);
        let (rows, _) = self.shape.of_each(ctas);
        let all = (0..rows).flat_map(move |row| (0..self.shape.columns).map(move |n| (row, n)));
        all.map(move |(row, column)| {
            let cell = self.shape.cell(ctas, row, column);
            (row, column, self.sums.plus(cell.lane, cell.column))
        })
    }
}
