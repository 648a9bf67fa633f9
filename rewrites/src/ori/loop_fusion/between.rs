//! What lies between two loops, and on which side of the fused loop it is executed.

use orison_ir::declare::Trait;
use orison_ir::{Block, Context, Operation, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::memory::Accesses;
use super::refusal::{Criterion, Refusal};
use crate::ori::functions::passed;
use crate::ori::loops::is_constant;

/// The accesses of moved operations, at most: each operation is compared with all of them.
const MOST_MOVED: usize = 64;

/// The blocks between two loops.
pub(super) struct Between<'c> {
    context: &'c Context,
    /// The first loop.
    first: Block,
    operations: Vec<Operation>,
    /// What the arguments of the blocks are, seen from the first loop.
    arguments: FxHashMap<Value, Value>,
    /// What is passed to the second loop.
    pub entering: Vec<Value>,
}

impl<'c> Between<'c> {
    /// The blocks from the exit of the first loop to the second one, in order.
    pub fn of(
        context: &'c Context,
        [first, second]: [Block; 2],
        exit: usize,
        blocks: &[Block],
    ) -> Self {
        let mut between = Between {
            context,
            first,
            operations: Vec::new(),
            arguments: FxHashMap::default(),
            entering: Vec::new(),
        };
        let mut edge = first.terminator(context).map(|branch| (branch, exit));
        let after = blocks.iter().skip(1).chain([&second]);
        for (block, next) in blocks.iter().zip(after) {
            let values = edge.map(|(branch, way)| passed(context, branch, way));
            for (argument, value) in block.arguments(context).zip(values.unwrap_or_default()) {
                let value = between.resolved(value);
                between.arguments.insert(argument, value);
            }
            let all = block.operations(context);
            let all = all.filter(|op| !op.has_trait(context, Trait::Terminator));
            between.operations.extend(all);
            edge = block.terminator(context).and_then(|branch| {
                let mut ways = branch.successors(context);
                Some((branch, ways.position(|target| target == *next)?))
            });
        }
        if let Some((branch, way)) = edge {
            between.entering = passed(context, branch, way);
        }
        between
    }

    /// A value as the first loop has it: what is passed for an argument of one of the blocks.
    pub fn resolved(&self, value: Value) -> Value {
        self.arguments.get(&value).copied().unwrap_or(value)
    }

    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operations that have to be executed in front of the fused loop, in order, so that the
    /// values that the second loop reads are there; the others may be executed behind it. Each
    /// operation is compared with the accesses of both loops, and with those behind it that move.
    pub fn before(
        &self,
        read: &[Value],
        [first, second]: [&Accesses; 2],
    ) -> Result<Vec<Operation>, Refusal> {
        let context = self.context;
        let mut constants = Constants::default();
        let mut needed = FxHashSet::default();
        for value in read {
            self.need(*value, &mut needed, &mut constants)?;
        }
        let mut moved = Vec::new();
        let mut moved_accesses = Accesses::default();
        for op in self.operations.iter().rev() {
            let own = Accesses::of(context, *op);
            let is_needed = op.results(context).any(|value| needed.contains(&value));
            if !is_needed && own.are_apart_from(&moved_accesses) && own.are_apart_from(second) {
                continue;
            }
            if !first.are_apart_from(&own) {
                let reason = "an operation between the loops depends on what the first one accesses, \
                              and the second one depends on it";
                return Err(Refusal::new(Criterion::Dependence, reason).at(*op));
            }
            for value in op.operands(context) {
                self.need(value, &mut needed, &mut constants)?;
            }
            moved.push(*op);
            moved_accesses.extend(own);
            if moved_accesses.len() > MOST_MOVED {
                let reason = "too much lies between the loops that the second one depends on";
                return Err(Refusal::new(Criterion::Dependence, reason).at(*op));
            }
        }
        let moved = moved.into_iter().rev();
        Ok(constants.operations.into_iter().chain(moved).collect())
    }

    /// Notes a value that is read in front of the fused loop.
    fn need(
        &self,
        value: Value,
        needed: &mut FxHashSet<Value>,
        constants: &mut Constants,
    ) -> Result<(), Refusal> {
        let value = self.resolved(value);
        if value.parent_block(self.context) != Some(self.first) {
            needed.insert(value);
            return Ok(());
        }
        let maker = value.defining_op(self.context);
        match maker.filter(|maker| is_constant(self.context, *maker)) {
            Some(maker) => constants.add(self.context, self.first, maker),
            None => {
                let reason = "the second loop begins with a result of the first one";
                let refusal = Refusal::new(Criterion::Dependence, reason);
                return Err(maker.map_or(refusal, |maker| refusal.at(maker)));
            }
        }
        Ok(())
    }
}

/// Constants that are defined in the first loop, and read before it now.
#[derive(Default)]
struct Constants {
    operations: Vec<Operation>,
    known: FxHashSet<Operation>,
}

impl Constants {
    /// Adds one, behind those of which it is a part.
    fn add(&mut self, context: &Context, home: Block, op: Operation) {
        let makers = op
            .operands(context)
            .filter_map(|value| value.defining_op(context));
        for maker in makers.chain([op]) {
            if maker.block(context) == Some(home) && self.known.insert(maker) {
                self.operations.push(maker);
            }
        }
    }
}
