//! What the body of a loop consists of: the counters of the page's body scan.

use orison_ir::{Block, Context, Operation, Value};
use orison_machine::{Flag, Space};
use orison_ori::Register;
use orison_ori::analyses::induction::Loop;
use orison_ori::analyses::linear::LinearForm;
use orison_ori::analyses::properties;
use orison_ori::keywords::{Dimension, keyword_of};
use orison_ori::opcodes;
use orison_ori::operations::control::{Bra, Call, CondBra};
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::{Cbank, Concat};
use orison_ori::operations::synchronization::{Bar, Fence, Membar};
use rustc_hash::FxHashSet;

use super::weights::weight;
use crate::ori::functions::passed;
use crate::ori::loops::{is_cold, reads, reads_far, samples};

/// What the body of a loop consists of. Counts are instructions as [`weight`] has them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    /// All instructions, with the counter, its comparison and the branch.
    pub size: i64,
    /// Those that are gone if the counter is a constant in every copy.
    pub saved: i64,
    /// Of these, reads of constant banks at computed addresses.
    pub foldable_loads: i64,
    /// Of these, computations of addresses.
    pub foldable_addresses: i64,
    /// Reads of shared memory.
    pub shared_loads: i64,
    /// Reads of global memory, of generic addresses and of textures.
    pub far_loads: i64,
    /// Reads of textures and surfaces.
    pub textures: i64,
    /// Of these, those of three dimensions.
    pub textures_of_volumes: i64,
    /// Calls of functions.
    pub calls: i64,
    /// Fences.
    pub fences: i64,
    /// Branches other than the one that decides about the next iteration.
    pub branches: i64,
    /// Guarded accesses to memory.
    pub guarded_accesses: i64,
    /// Guarded operations.
    pub guarded: i64,
    /// Barriers of several warps.
    pub barriers: i64,
    /// Instructions of blocks that a pragma calls cold.
    pub cold: i64,
    /// The largest number of predicates that one block defines.
    pub predicates: i64,
}

impl Body {
    /// The body of a loop whose counted exit is the branch of a block. Linear.
    pub(super) fn of(around: &Loop<'_>, exit: Block) -> Self {
        let context = around.context;
        let mut body = Body::default();
        let folded = Folded::of(around);
        for block in &around.natural.blocks {
            let block = around.flow.block(*block);
            let is_cold = is_cold(context, block);
            let mut predicates = 0;
            for op in block.operations(context) {
                let count = weight(context, op);
                body.size += count;
                if is_cold {
                    body.cold += count;
                }
                predicates += op
                    .results(context)
                    .filter(|value| is_predicate(context, *value))
                    .count();
                if folded.operations.contains(&op) {
                    body.saved += count;
                    body.fold(context, op, count);
                }
                let decides = block == exit && Some(op) == exit.terminator(context);
                if CondBra::of(context, op).is_some() && !decides {
                    body.branches += 1;
                }
                body.count(context, op);
            }
            body.predicates = body
                .predicates
                .max(i64::try_from(predicates).unwrap_or(i64::MAX));
        }
        body
    }

    fn fold(&mut self, context: &Context, op: Operation, count: i64) {
        let reads = opcodes::of(context, op).is_some_and(|row| !row.reads.is_empty());
        self.foldable_loads += if reads { count } else { 0 };
        let address = op.results(context).any(|value| is_address(context, value));
        self.foldable_addresses += if address { count } else { 0 };
    }

    fn count(&mut self, context: &Context, op: Operation) {
        // A product of a warp group reads shared memory, but is no read of it for ptxas (measured).
        let product = WgmmaMma::matches(context, op);
        let loads = |spaces: &[Space]| !product && reads(context, op, spaces);
        self.shared_loads += i64::from(loads(&[Space::Shared]));
        self.far_loads += i64::from(reads_far(context, op));
        let sampled = samples(context, op);
        self.textures += i64::from(sampled);
        let dimension = keyword_of::<Dimension>(context, op, "dimension");
        self.textures_of_volumes += i64::from(sampled && dimension == Some(Dimension::D3));
        self.calls += i64::from(Call::of(context, op).is_some());
        let fence = Membar::of(context, op).is_some() || Fence::of(context, op).is_some();
        self.fences += i64::from(fence);
        self.barriers += i64::from(Bar::of(context, op).is_some());
        let guarded = properties::guard(context, op).is_some();
        self.guarded += i64::from(guarded);
        self.guarded_accesses += i64::from(guarded && accesses(context, op));
    }
}

/// Whether an operation accesses memory.
pub(super) fn accesses(context: &Context, op: Operation) -> bool {
    opcodes::of(context, op).is_some_and(|row| !row.reads.is_empty() || !row.writes.is_empty())
}

/// Whether an operation is a parameter, or another value of a constant bank.
pub(super) fn is_parameter(context: &Context, op: Operation) -> bool {
    Cbank::of(context, op).is_some()
}

fn is_predicate(context: &Context, value: Value) -> bool {
    Register::of(context, value.ty(context)) == Some(Register::P)
}

/// Whether a value, or a pair of which it is a word, is the address of an access.
fn is_address(context: &Context, value: Value) -> bool {
    let addresses = |value: Value| {
        let mut users = value.users(context);
        users.any(|user| user.operands_named(context, "base").contains(&value))
    };
    let mut users = value.users(context);
    addresses(value)
        || users
            .any(|user| Concat::of(context, user).is_some() && user.results(context).any(addresses))
}

/// The operations of a loop that are gone when each iteration has its own copy, and the counter is a
/// constant in each.
struct Folded {
    operations: FxHashSet<Operation>,
    /// Values of the loop, until something unknown reaches them.
    values: FxHashSet<Value>,
    blocks: FxHashSet<Block>,
}

impl Folded {
    /// The greatest set of operations all whose operands are constants, arguments that begin with
    /// constants and go on with values of the set, or values of the set. Linear in the uses inside.
    fn of(around: &Loop<'_>) -> Self {
        let context = around.context;
        let mut folded = Folded {
            operations: FxHashSet::default(),
            values: FxHashSet::default(),
            blocks: FxHashSet::default(),
        };
        let blocks = around.natural.blocks.iter();
        let blocks: Vec<Block> = blocks.map(|block| around.flow.block(*block)).collect();
        folded.blocks.extend(&blocks);
        for block in &blocks {
            folded.values.extend(block.arguments(context));
            for op in block.operations(context) {
                folded.values.extend(op.results(context));
                if may_fold(context, op) {
                    folded.operations.insert(op);
                }
            }
        }
        let mut lost = folded.entering(context, around.flow.block(around.natural.header));
        for block in &blocks {
            for op in block.operations(context) {
                if !folded.operations.contains(&op) && !is_constant(context, op) {
                    lost.extend(op.results(context));
                }
                for value in op.operands(context).collect::<Vec<_>>() {
                    let inside = folded.values.contains(&value);
                    if !inside && LinearForm::of(context, value).as_constant().is_none() {
                        folded.reach(context, op, value, &mut lost);
                    }
                }
            }
        }
        while let Some(value) = lost.pop() {
            if folded.values.remove(&value) {
                for user in value.users(context).collect::<Vec<_>>() {
                    folded.reach(context, user, value, &mut lost);
                }
            }
        }
        folded
    }

    /// The arguments of the header that do not begin with constants.
    fn entering(&self, context: &Context, header: Block) -> Vec<Value> {
        let mut unknown = Vec::new();
        for (branch, way) in header.predecessor_edges(context) {
            if branch
                .block(context)
                .is_some_and(|block| self.blocks.contains(&block))
            {
                continue;
            }
            for (argument, value) in header.arguments(context).zip(passed(context, branch, way)) {
                if LinearForm::of(context, value).as_constant().is_none() {
                    unknown.push(argument);
                }
            }
        }
        unknown
    }

    /// A value that is not known reaches an operation of the loop.
    fn reach(&mut self, context: &Context, user: Operation, value: Value, lost: &mut Vec<Value>) {
        if !user
            .block(context)
            .is_some_and(|block| self.blocks.contains(&block))
        {
            return;
        }
        let decides = CondBra::of(context, user);
        let passes_only = decides.is_some_and(|branch| branch.condition(context) != value);
        if !passes_only && self.operations.remove(&user) {
            lost.extend(user.results(context));
        }
        for (target, operands) in user.edges(context) {
            let operands = operands.into_iter().flatten();
            for (argument, number) in target.arguments(context).zip(operands) {
                if user.operand(context, number) == value && self.blocks.contains(&target) {
                    lost.push(argument);
                }
            }
        }
    }
}

/// Whether an operation is no instruction and has a result that is always the same.
fn is_constant(context: &Context, op: Operation) -> bool {
    let mut results = op.results(context);
    results.all(|value| properties::immediate(context, value).is_some())
}

/// Whether an operation may be gone if its operands are constants. Measured: barriers and commits of
/// groups count as gone, since they have no register as an operand.
fn may_fold(context: &Context, op: Operation) -> bool {
    if Bra::of(context, op).is_some() || Call::of(context, op).is_some() {
        return false;
    }
    if CondBra::of(context, op).is_some() || is_constant(context, op) {
        return true;
    }
    let Some(row) = opcodes::of(context, op) else {
        return properties::is_pure(context, op) && op.operand_count(context) > 0;
    };
    let constant = |space: &Space| *space == Space::Constant;
    let reads_constants = row.reads.iter().all(constant);
    let source = op.result_count(context) > 0 && op.operand_count(context) == 0;
    let exchanges = properties::is_convergent(context, op) && op.result_count(context) > 0;
    reads_constants && row.writes.is_empty() && !source && !exchanges && !row.has(Flag::Changing)
}
