//! Asynchronous operations in flight.
//!
//! An asynchronous operation takes effect atomically, at any moment after its start: the scheduler
//! of the tasks decides when ([`super::tasks`]). From its start until a task has waited for it, no
//! task may access the memory it writes, and no task may write the memory it reads. So a missing
//! wait is found in every interleaving, also if the operation happens to complete in time.

use orison_ir::Operation;

use super::handles::{EffectName, Ownership};
use super::memory::View;
use super::rings::Ring;
use super::work::Work;
use crate::Datum;

/// An asynchronous operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// The operation.
    pub operation: Operation,
    /// Its work.
    pub work: Work,
    /// The operations that must be done before.
    pub after: Vec<EffectName>,
    /// Whether it is done.
    pub done: bool,
    /// Whether a task waited for it.
    pub seen: bool,
    /// The views it reads.
    pub reads: Vec<View>,
    /// The views it writes.
    pub writes: Vec<View>,
    /// The stage that it delivers bytes to, and how many.
    pub brings: Option<(Ownership, u64)>,
    /// The value it produced.
    pub value: Option<Datum>,
}

impl Effect {
    /// An operation that was just started and accesses no memory.
    pub fn new(operation: Operation, work: Work) -> Effect {
        Effect {
            operation,
            work,
            after: Vec::new(),
            done: false,
            seen: false,
            reads: Vec::new(),
            writes: Vec::new(),
            brings: None,
            value: None,
        }
    }

    /// Whether it is still open: no task has waited for it.
    pub fn is_open(&self) -> bool {
        !(self.done && self.seen)
    }
}

/// The runs of bits that a view covers, in ascending order.
fn runs(view: &View) -> Vec<(i64, i64)> {
    let rank = view.shape.len();
    let bits = view.kind.bits() as i64;
    if super::values::count(&view.shape) == 0 {
        return Vec::new();
    }
    let dense = rank > 0 && view.strides[rank - 1] == 1;
    let (outer, length) = if dense {
        (&view.shape[..rank - 1], view.shape[rank - 1] as i64 * bits)
    } else {
        (&view.shape[..], bits)
    };
    let mut position = vec![0; rank];
    let mut found = Vec::new();
    loop {
        let start = view.bit(&position);
        found.push((start, start + length));
        if !super::values::advance(&mut position[..outer.len()], outer) {
            break;
        }
    }
    found.sort_unstable();
    found
}

/// Whether two views have an element in common.
pub fn overlap(a: &View, b: &View) -> bool {
    if a.buffer != b.buffer {
        return false;
    }
    let (all_a, all_b) = (a.bits(), b.bits());
    if all_a.end <= all_b.start || all_b.end <= all_a.start {
        return false;
    }
    let (a, b) = (runs(a), runs(b));
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].1 <= b[j].0 {
            i += 1;
        } else if b[j].1 <= a[i].0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}

/// The stage of a ring that contains a view, if any.
pub fn stage_of(ring: &Ring, view: &View) -> Option<usize> {
    let first = ring.parts.first()?;
    if first.view.buffer != view.buffer || ring.slot_bits <= 0 {
        return None;
    }
    let slot = (view.start - first.view.start).div_euclid(ring.slot_bits);
    usize::try_from(slot)
        .ok()
        .filter(|slot| *slot < ring.slots.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::element::ElementKind;

    #[test]
    fn neighbouring_tiles_of_a_matrix_do_not_overlap() {
        let matrix = View::whole(0, &[8, 8], ElementKind::Integer(16));
        let tile = |row: i64, column: i64| matrix.part(&[row, column], &[4, 4], &[1, 1]);
        assert!(!overlap(&tile(0, 0), &tile(0, 4)));
        assert!(!overlap(&tile(0, 4), &tile(4, 4)));
        assert!(overlap(&tile(0, 0), &tile(3, 3)));
        assert!(overlap(&matrix, &tile(4, 4)));
        let columns = matrix.part(&[0, 0], &[8, 4], &[1, 2]);
        let odd = matrix.part(&[0, 1], &[8, 4], &[1, 2]);
        assert!(!overlap(&columns, &odd));
    }
}
