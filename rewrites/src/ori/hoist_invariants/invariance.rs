//! Which operations of a block compute the same in every iteration.

use orison_ir::declare::{Effects, Trait};
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::induction::Loop;
use orison_ori::analyses::memory::{self, Access, AliasKind};
use orison_ori::analyses::properties;
use rustc_hash::FxHashSet;

use crate::ori::loops::{is_constant, is_plain_access};

/// Why an operation whose operands are the same in every iteration is not hoisted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Obstacle {
    /// It has effects, or depends on the threads that execute it together.
    Effects,
    /// A write in the loop may change what it reads.
    Overwritten,
    /// It may not be executed where it is not executed now.
    Protected,
}

impl Obstacle {
    /// What a remark says, and what would help; `None` for what nobody expects to be hoisted.
    pub fn texts(self) -> Option<[&'static str; 2]> {
        match self {
            Obstacle::Effects => None,
            Obstacle::Overwritten => Some([
                "a write in the loop may change what is read",
                "addresses that provably differ, or a read of constant memory",
            ]),
            Obstacle::Protected => Some([
                "not every execution of the loop gets there, and what is read may not exist",
                "a read that each execution of the loop begins with",
            ]),
        }
    }
}

/// A block of a loop whose operations are examined.
#[derive(Clone, Copy)]
pub(super) struct Scan<'f> {
    /// The loop that is hoisted from.
    pub around: Loop<'f>,
    /// The block.
    pub block: u32,
    /// The writes of the loop.
    pub writes: &'f [Access],
    /// Whether each execution of the loop executes the block before it ends.
    pub is_certain: bool,
}

/// The invariant operations of a block in their order, without constants, and the operations that
/// only an obstacle keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Invariants {
    pub operations: Vec<Operation>,
    pub kept: Vec<(Operation, Obstacle)>,
}

impl Scan<'_> {
    /// One pass over the block: an operation follows those that compute its operands, so that what
    /// depends on invariant operations is found too. Linear.
    pub fn single_pass(&self) -> Invariants {
        let context = self.around.context;
        let mut found = Invariants::default();
        let mut known = FxHashSet::default();
        for op in self.operations() {
            if !self.has_invariant_operands(op, &known) {
                continue;
            }
            match self.obstacle(op) {
                None if is_constant(context, op) => {}
                None => {
                    known.insert(op);
                    found.operations.push(op);
                }
                Some(obstacle) => found.kept.push((op, obstacle)),
            }
        }
        found
    }

    /// The same by a set that grows until nothing is added: the analysis that
    /// `UseNewLoopInvariantRoutineForHoisting` selects. It does not depend on the order of the
    /// operations; since an operation follows those that compute its operands, the second round
    /// adds nothing.
    pub fn fixed_point(&self) -> Invariants {
        let context = self.around.context;
        let mut known = FxHashSet::default();
        loop {
            let before = known.len();
            for op in self.operations() {
                if self.has_invariant_operands(op, &known)
                    && self.obstacle(op).is_none()
                    && !is_constant(context, op)
                {
                    known.insert(op);
                }
            }
            if known.len() == before {
                break;
            }
        }
        let (mut operations, mut kept) = (Vec::new(), Vec::new());
        for op in self.operations() {
            if known.contains(&op) {
                operations.push(op);
            } else if self.has_invariant_operands(op, &known)
                && let Some(obstacle) = self.obstacle(op)
            {
                kept.push((op, obstacle));
            }
        }
        Invariants { operations, kept }
    }

    fn operations(&self) -> impl Iterator<Item = Operation> {
        let block = self.around.flow.block(self.block);
        block.operations(self.around.context)
    }

    fn has_invariant_operands(&self, op: Operation, known: &FxHashSet<Operation>) -> bool {
        let context = self.around.context;
        op.operands(context).all(|value| {
            self.around.is_invariant(value)
                || value
                    .defining_op(context)
                    .is_some_and(|maker| known.contains(&maker) || is_constant(context, maker))
        })
    }

    /// What keeps an operation in the loop if its operands are the same in every iteration.
    fn obstacle(&self, op: Operation) -> Option<Obstacle> {
        let context = self.around.context;
        if op.has_trait(context, Trait::Terminator) || op.regions(context).next().is_some() {
            return Some(Obstacle::Effects);
        }
        if properties::is_pure(context, op) {
            let allowed = self.is_certain || properties::is_speculatable(context, op);
            return (!allowed).then_some(Obstacle::Protected);
        }
        if !is_plain_read(context, op) {
            return Some(Obstacle::Effects);
        }
        let reads = memory::accesses(context, op);
        let is_overwritten = reads.iter().any(|read| {
            let mut writes = self.writes.iter();
            writes.any(|write| memory::alias(write, read).kind != AliasKind::None)
        });
        match (is_overwritten, self.is_certain) {
            (true, _) => Some(Obstacle::Overwritten),
            (false, false) => Some(Obstacle::Protected),
            (false, true) => None,
        }
    }
}

/// Whether an operation only reads memory, each time what was written last.
fn is_plain_read(context: &Context, op: Operation) -> bool {
    let definition = op.definition(context);
    definition.is_some_and(|definition| definition.effects == Effects::Read)
        && is_plain_access(context, op)
}

/// The results of some operations that others read.
pub(super) fn values_read_elsewhere<'f>(
    context: &'f Context,
    operations: &'f [Operation],
) -> impl Iterator<Item = Value> + 'f {
    let own: FxHashSet<Operation> = operations.iter().copied().collect();
    let results = operations.iter().flat_map(|op| op.results(context));
    results.filter(move |value| {
        let mut users = value.users(context);
        users.any(|user| !own.contains(&user))
    })
}
