//! What the judges of orders of machine code and of `ori` operations have in common: walks over a block in its
//! old order that keep, of each sort, what stands last in the new order. What belongs to each sort, and why, is
//! the judges' own.

mod memory;

pub use memory::Window;
pub(crate) use memory::{Accesses, Bytes, Use};

/// An instruction of a block, and where the new order has it. Of two the greater one stands behind the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Placed {
    pub(crate) position: usize,
    /// Its place in the old order.
    pub(crate) number: usize,
}

impl Placed {
    /// Keeps the one that stands last.
    pub(crate) fn keep_last(self, kept: &mut Option<Placed>) {
        *kept = (*kept).max(Some(self));
    }
}

/// For each of some sets of instructions, 32 at most, the one so far that stands last in the new order.
#[derive(Default)]
pub(crate) struct Sets([Option<Placed>; 32]);

impl Sets {
    /// Compares a member of sets, a bit each, with those before it, by pairs of sets whose members keep their order,
    /// and adds it.
    pub(crate) fn check<R: Copy>(
        &mut self,
        rules: impl IntoIterator<Item = (usize, usize, R)>,
        members: u32,
        placed: Placed,
        mut passed: impl FnMut(usize, R),
    ) {
        let belongs = |set: usize| members >> set & 1 == 1;
        for (one, other, reason) in rules {
            for (own, set) in [(one, other), (other, one)] {
                let earlier = self.0[set].filter(|earlier| belongs(own) && *earlier > placed);
                if let Some(earlier) = earlier {
                    passed(earlier.number, reason);
                }
            }
        }
        for (set, kept) in self.0.iter_mut().enumerate() {
            if belongs(set) {
                placed.keep_last(kept);
            }
        }
    }
}
