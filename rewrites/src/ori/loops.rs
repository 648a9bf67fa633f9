//! The loops of a function at a moment, for passes that change them.

use std::collections::BTreeSet;

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ir::declare::Effects;
use orison_ir::{Block, Context, Operation};
use orison_machine::{Flag, Space};
use orison_ori::analyses::induction::Loop;
use orison_ori::analyses::properties::is_instruction;
use orison_ori::analyses::{Inductions, frequency, memory, properties};
use orison_ori::opcodes;
use orison_ori::operations::moves::Imm;
use rustc_hash::{FxHashMap, FxHashSet};

use super::functions::Function;
use super::surgery::{EdgeId, close_loops, join_edges};

/// The attribute of an operation that was hoisted from a loop: a scheduler must not move it back.
pub(super) const HOISTED: &str = "ori.hoisted";

/// The loops of a function at a moment.
pub(super) struct Loops {
    pub flow: ControlFlowGraph,
    pub forest: LoopForest,
    pub inductions: Inductions,
}

impl Loops {
    pub fn of(context: &Context, function: Function) -> Self {
        let flow = ControlFlowGraph::of(context, function.body);
        let forest = LoopForest::of(&flow);
        let inductions = Inductions::of(context, &flow, &forest);
        Loops {
            flow,
            forest,
            inductions,
        }
    }

    /// Whether a loop is one that passes change.
    pub fn is_natural(&self, number: usize) -> bool {
        !self.forest.loops()[number].irreducible
    }

    /// Brings the loops with some headers into loop-closed form, with exit blocks of their own, so that
    /// their bodies can be copied ([`close_loops`]). Returns the numbers that they have now.
    pub fn close(
        &mut self,
        context: &mut Context,
        function: Function,
        headers: &FxHashSet<Block>,
    ) -> FxHashMap<Block, usize> {
        let mut numbers: Vec<usize> = self.numbers(headers).into_values().collect();
        numbers.sort_unstable();
        let mut changed = false;
        for number in numbers {
            for target in self.shared_exits(number) {
                let [_, leaving] = self.edges_to(context, number, target);
                changed |= join_edges(context, target, &leaving, Some(target)).is_some();
            }
        }
        if changed {
            *self = Loops::of(context, function);
        }
        let numbers = self.numbers(headers);
        let list: Vec<usize> = numbers.values().copied().collect();
        close_loops(context, &self.flow, &self.forest, &list);
        numbers
    }

    /// The numbers of the loops with some headers.
    fn numbers(&self, headers: &FxHashSet<Block>) -> FxHashMap<Block, usize> {
        let all = self.forest.loops().iter().enumerate();
        let all = all.map(|(number, natural)| (self.flow.block(natural.header), number));
        all.filter(|(header, _)| headers.contains(header)).collect()
    }

    /// The blocks to which a loop leads, and other blocks too.
    pub fn shared_exits(&self, number: usize) -> Vec<Block> {
        let natural = &self.forest.loops()[number];
        let targets: BTreeSet<u32> = natural.exits.iter().map(|(_, to)| *to).collect();
        let is_shared = |to: &u32| {
            let mut before = self.flow.predecessors(*to).iter();
            before.any(|block| !natural.contains(*block))
        };
        let shared = targets.into_iter().filter(is_shared);
        shared.map(|to| self.flow.block(to)).collect()
    }

    /// The edges to a block from outside of a loop, and those from inside, in the order of their
    /// creation.
    pub fn edges_to(&self, context: &Context, number: usize, target: Block) -> [Vec<EdgeId>; 2] {
        let natural = &self.forest.loops()[number];
        let mut all = [Vec::new(), Vec::new()];
        for edge in target.predecessor_edges(context) {
            let from = edge.0.block(context);
            let from = from.and_then(|block| self.flow.number(block));
            // Edges from blocks that are never reached enter like any others.
            let inside = from.is_some_and(|from| natural.contains(from));
            all[usize::from(inside)].push(edge);
        }
        // The newest use is first.
        all.iter_mut().for_each(|edges| edges.reverse());
        all
    }

    /// The loop with a number of the forest.
    pub fn at<'f>(&'f self, context: &'f Context, number: usize) -> Loop<'f> {
        Loop {
            context,
            flow: &self.flow,
            natural: &self.forest.loops()[number],
        }
    }
}

/// Whether a pragma says that a block is hardly ever executed.
pub(super) fn is_cold(context: &Context, block: Block) -> bool {
    frequency::stated(context, block) == Some(0)
}

/// Whether an operation only reads or writes memory, separately in each thread: each time it reads
/// what was written last, and the access is done when it is.
pub(super) fn is_plain_access(context: &Context, op: Operation) -> bool {
    let effects = op.definition(context).map(|definition| definition.effects);
    let accesses = [Effects::Read, Effects::Write, Effects::ReadWrite];
    let special = [Flag::Asynchronous, Flag::Changing, Flag::Group];
    let row = opcodes::of(context, op);
    effects.is_some_and(|effects| accesses.contains(&effects))
        && row.is_some_and(|row| !special.iter().any(|flag| row.has(*flag)))
        && !properties::is_convergent(context, op)
        && !memory::orders_memory(context, op)
}

/// Whether an operation needs no instruction and reads nothing but constants, or parts of them: it
/// can be moved anywhere.
pub(super) fn is_constant(context: &Context, op: Operation) -> bool {
    let is_free = |op: Operation| {
        properties::is_pure(context, op)
            && (Imm::of(context, op).is_some() || !is_instruction(context, op))
    };
    let mut makers = op.operands(context).map(|value| value.defining_op(context));
    is_free(op)
        && makers.all(|maker| {
            maker.is_some_and(|maker| maker.operand_count(context) == 0 && is_free(maker))
        })
}

/// Whether an operation only reads memory of some spaces.
pub(super) fn reads(context: &Context, op: Operation, spaces: &[Space]) -> bool {
    opcodes::of(context, op).is_some_and(|row| {
        row.writes.is_empty() && row.reads.iter().any(|space| spaces.contains(space))
    })
}

/// Whether an operation reads memory that is far: global memory, at any address, or textures.
pub(super) fn reads_far(context: &Context, op: Operation) -> bool {
    let far = [Space::Global, Space::Generic];
    reads(context, op, &far) || samples(context, op)
}

/// Whether an operation reads a texture or a surface.
pub(super) fn samples(context: &Context, op: Operation) -> bool {
    reads(context, op, &[Space::Texture, Space::Surface])
}
