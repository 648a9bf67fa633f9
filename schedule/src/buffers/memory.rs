//! Laying out rings and mbarriers: first fit, the largest ring first.

/// Bytes of an mbarrier.
pub const MBARRIER_BYTES: u64 = 8;
/// Bytes of a column of tensor memory: 128 lanes of 4 bytes.
pub const TMEM_COLUMN_BYTES: u64 = 512;
/// Columns of tensor memory (PTX ISA).
pub const TMEM_COLUMNS: u64 = 512;
/// Tensor memory is allocated in multiples of this many columns.
pub const TMEM_COLUMN_STEP: u64 = 32;

/// A ring to lay out, in bytes or columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// Id of the storage; breaks ties.
    pub(super) id: u32,
    /// Size.
    pub(super) size: u64,
    /// Alignment of the start, at least 1.
    pub(super) align: u64,
}

/// Columns of tensor memory that this many bytes take, a multiple of [`TMEM_COLUMN_STEP`].
pub const fn columns(bytes: u64) -> u64 {
    let columns = bytes.div_ceil(TMEM_COLUMN_BYTES);
    match columns.checked_next_multiple_of(TMEM_COLUMN_STEP) {
        Some(columns) => columns,
        None => u64::MAX,
    }
}

/// Bytes of the mbarriers of a ring: one full and one empty mbarrier per slot.
pub(super) const fn barrier_bytes(depth: u32) -> u64 {
    2 * MBARRIER_BYTES * depth as u64
}

/// The start of mbarriers after rings that end at `end`.
pub(super) const fn barrier_start(end: u64) -> u64 {
    match end.checked_next_multiple_of(MBARRIER_BYTES) {
        Some(start) => start,
        None => u64::MAX,
    }
}

/// Places each block at the lowest free offset, the largest first, then by id. The offsets are
/// returned in the order of the blocks; the second result is the end of the last block. An offset
/// may exceed any limit; `None` if it overflows.
pub(super) fn first_fit(blocks: &[Block]) -> Option<(Vec<u64>, u64)> {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(blocks[*at].size), blocks[*at].id));
    let mut taken: Vec<(u64, u64)> = Vec::with_capacity(blocks.len());
    let mut places = vec![0; blocks.len()];
    let mut top = 0;
    for at in order {
        let block = blocks[at];
        let mut start = 0u64;
        for &(from, to) in &taken {
            if start.checked_add(block.size)? <= from {
                break;
            }
            start = start.max(to).checked_next_multiple_of(block.align.max(1))?;
        }
        let end = start.checked_add(block.size)?;
        places[at] = start;
        top = top.max(end);
        let position = taken.partition_point(|range| *range < (start, end));
        taken.insert(position, (start, end));
    }
    Some((places, top))
}
