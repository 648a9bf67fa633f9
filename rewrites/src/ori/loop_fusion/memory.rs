//! The memory accesses of loops, and whether they may change places.

use orison_ir::{Context, Operation};
use orison_ori::analyses::induction::{Distance, Loop, LoopInductions, MovingAccess};
use orison_ori::analyses::memory;

/// An operation and one of its accesses.
type Accessing = (Operation, MovingAccess);

/// The accesses of a loop of one block, or of an operation outside of loops.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses(Vec<Accessing>);

impl Accesses {
    /// Of some operations of a loop.
    pub fn in_loop(around: &Loop<'_>, inductions: &LoopInductions, ops: &[Operation]) -> Self {
        let context = around.context;
        let all = ops.iter().flat_map(|op| {
            let own = memory::accesses(context, *op).into_iter();
            own.map(|access| (*op, MovingAccess::in_loop(around, inductions, access)))
        });
        Accesses(all.collect())
    }

    /// Of an operation outside of loops.
    pub fn of(context: &Context, op: Operation) -> Self {
        let all = memory::accesses(context, op).into_iter();
        Accesses(
            all.map(|access| (op, MovingAccess::still(access)))
                .collect(),
        )
    }

    pub fn extend(&mut self, more: Accesses) {
        self.0.extend(more.0);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn pairs<'a>(&'a self, other: &'a Accesses) -> impl Iterator<Item = (&'a Accessing, Distance)> {
        let all = self
            .0
            .iter()
            .flat_map(|first| other.0.iter().map(move |second| (first, second)));
        let all = all.filter(|(first, second)| first.1.writes() || second.1.writes());
        all.map(|(first, second)| (second, first.1.distance_to(&second.1)))
    }

    /// Whether none of these may overlap one of the others of which one writes.
    pub fn are_apart_from(&self, others: &Accesses) -> bool {
        self.pairs(others)
            .all(|(_, distance)| distance == Distance::Never)
    }

    /// An access of a later loop that would be executed before one of these that it depends on, if
    /// each iteration of the loop were executed behind the same one of this loop: it overlaps an
    /// access of this loop in an earlier iteration, or it is not known in which one.
    pub fn hurried(&self, later: &Accesses) -> Option<Operation> {
        let mut pairs = self.pairs(later);
        pairs.find_map(|((op, _), distance)| {
            let keeps = match distance {
                Distance::Never => true,
                Distance::Between(least, _) => least >= 0,
                Distance::Any => false,
            };
            (!keeps).then_some(*op)
        })
    }
}
