//! Whether two loops are fused, and how: the criteria in their order.

use std::cell::OnceCell;

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::Divergence;
use orison_ori::analyses::induction::{CountedExit, Exit};
use orison_ori::analyses::properties::is_instruction;
use orison_ori::knobs::Knobs;
use orison_ori::operations::control::CondBra;

use super::adjacency::Adjacent;
use super::between::Between;
use super::effects::Order;
use super::memory::Accesses;
use super::refusal::{Criterion, Refusal};
use super::second_body::SecondBody;
use crate::ori::functions::{Function, divergence};
use crate::ori::loops::{Loops, is_cold};

/// The accesses to memory of a loop, at most: those of two loops are compared each with each.
const MOST_ACCESSES: usize = 256;

/// The operations between two loops that are copied for threads that execute neither, at most.
const MOST_COPIED: usize = 64;

/// Two loops that are fused.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The blocks of the loops.
    pub headers: [Block; 2],
    /// The branches of the loops.
    pub branches: [Operation; 2],
    /// The ways of the branches out of the loops.
    pub exits: [usize; 2],
    /// The blocks from the first loop to the second one.
    pub between: Vec<Block>,
    /// What is moved in front of the first loop.
    pub before: Vec<Operation>,
    /// What is executed of the second loop.
    pub second: SecondBody,
    /// The instructions of the fused loop.
    pub size: usize,
}

/// A function whose loops are examined.
pub(super) struct Examination<'f> {
    pub context: &'f Context,
    pub function: Function,
    pub loops: &'f Loops,
    pub knobs: &'f Knobs,
    pub divergence: OnceCell<Divergence>,
}

impl Examination<'_> {
    /// Examines two adjacent loops.
    pub fn plan(&self, pair: &Adjacent) -> Result<Plan, Refusal> {
        let numbers = [pair.first, pair.second];
        let [first, second] = numbers.map(|number| self.only_exit(number));
        let (first, second) = (first?, second?);
        self.check_guard(pair)?;
        let [first_count, second_count] = [count(first)?, count(second)?];
        if !first_count.is_taken_with(second_count) {
            let reason = "the loops are not known to run equally often";
            return Err(Refusal::new(Criterion::Count, reason));
        }
        let branches = [first.branch, second.branch];
        let [own, other] = branches.map(|branch| branch.attributes(self.context));
        if own != other {
            let reason = "the pragmas of the loops differ";
            return Err(Refusal::new(Criterion::Structure, reason));
        }
        let flow = &self.loops.flow;
        let blocks: Vec<Block> = pair
            .between
            .iter()
            .map(|block| flow.block(*block))
            .collect();
        let headers = [first, second].map(|exit| flow.block(exit.block));
        let between = Between::of(self.context, headers, first.way, &blocks);
        self.check_order(numbers, headers, &between)?;
        let inductions = numbers.map(|number| self.loops.inductions.at(number));
        let around = self.loops.at(self.context, pair.second);
        let body = SecondBody::of(&around, inductions, 1 - second.way);
        let Some(body) = body else {
            let reason = "the second loop does not end in a branch";
            return Err(Refusal::new(Criterion::Structure, reason));
        };
        let before = self.order(pair, headers, &between, &body)?;
        let size = self.size(headers[0], &body)?;
        Ok(Plan {
            headers,
            branches,
            exits: [first.way, second.way],
            between: blocks,
            before,
            second: body,
            size,
        })
    }

    /// The exit of a loop of one block that only a conditional branch at its end leaves.
    fn only_exit(&self, number: usize) -> Result<&Exit, Refusal> {
        let refused = |reason| Err(Refusal::new(Criterion::Structure, reason));
        let natural = &self.loops.forest.loops()[number];
        let is_irreducible = |number: usize| self.loops.forest.loops()[number].irreducible;
        if natural.irreducible || natural.parent.is_some_and(is_irreducible) {
            return refused("a loop is entered at several blocks");
        }
        if natural.blocks.len() != 1 {
            return refused("a loop has several blocks");
        }
        let inductions = self.loops.inductions.at(number);
        let [exit] = &inductions.exits[..] else {
            return refused("a loop has no exit, or several ones");
        };
        if CondBra::of(self.context, exit.branch).is_none() {
            return refused("a loop does not end in a conditional branch");
        }
        if is_cold(self.context, self.loops.flow.block(exit.block)) {
            return refused("a pragma says that a loop is hardly ever executed");
        }
        Ok(exit)
    }

    /// Criterion 6.
    fn check_guard(&self, pair: &Adjacent) -> Result<(), Refusal> {
        if !pair.run_together(self.context, self.loops) {
            let reason = "the second loop may not run where the first one does, or the reverse";
            return Err(Refusal::new(Criterion::Dominance, reason));
        }
        let Some((merge, (test, _))) = pair.merge.zip(pair.test) else {
            return Ok(());
        };
        let copied = pair.between[merge..=test].iter();
        let copied =
            copied.flat_map(|block| self.loops.flow.block(*block).operations(self.context));
        if copied.count() > MOST_COPIED {
            let reason = "what lies between the loops is too long to be copied";
            return Err(Refusal::new(Criterion::Dominance, reason));
        }
        Ok(())
    }

    /// Criterion 5: nothing in the loops and between them is ordered. Exchanges between threads stay
    /// what they are if all threads run equally often.
    fn check_order(
        &self,
        numbers: [usize; 2],
        headers: [Block; 2],
        between: &Between<'_>,
    ) -> Result<(), Refusal> {
        let refused = |reason, op| Err(Refusal::new(Criterion::Barrier, reason).at(op));
        for op in between.operations() {
            match Order::of(self.context, *op) {
                Order::Free | Order::Memory => {}
                Order::Exchange => {
                    return refused("threads exchange values between the loops", *op);
                }
                Order::Fixed(reason) => return refused(reason, *op),
            }
        }
        for (number, header) in numbers.into_iter().zip(headers) {
            for op in header.operations(self.context) {
                match Order::of(self.context, op) {
                    Order::Free | Order::Memory => {}
                    Order::Exchange if !self.is_left_unevenly(number) => {}
                    Order::Exchange => {
                        return refused("threads that exchange values leave a loop one by one", op);
                    }
                    Order::Fixed(reason) => return refused(reason, op),
                }
            }
        }
        Ok(())
    }

    fn is_left_unevenly(&self, number: usize) -> bool {
        let flow = &self.loops.flow;
        let divergence = self
            .divergence
            .get_or_init(|| divergence(self.context, self.function, flow));
        let natural = &self.loops.forest.loops()[number];
        let branch = flow.block(natural.header).terminator(self.context);
        divergence.is_left_unevenly(number)
            || branch.is_none_or(|branch| divergence.parts_warp(branch))
    }

    /// Criterion 2; what is moved in front of the first loop.
    fn order(
        &self,
        pair: &Adjacent,
        headers: [Block; 2],
        between: &Between<'_>,
        body: &SecondBody,
    ) -> Result<Vec<Operation>, Refusal> {
        let context = self.context;
        let operations: Vec<Operation> = headers[0].operations(context).collect();
        let accesses = |number: usize, operations: &[Operation]| {
            let inductions = self.loops.inductions.at(number);
            Accesses::in_loop(&self.loops.at(context, number), inductions, operations)
        };
        let first = accesses(pair.first, &operations);
        let second = accesses(pair.second, &body.operations);
        if first.len().max(second.len()) > MOST_ACCESSES {
            let reason = "the loops access memory too often to compare all addresses";
            return Err(Refusal::new(Criterion::Dependence, reason));
        }
        if let Some(op) = first.hurried(&second) {
            let reason =
                "an iteration may access what a later iteration of the first loop accesses";
            return Err(Refusal::new(Criterion::Dependence, reason).at(op));
        }
        let entering = body
            .carried
            .iter()
            .filter_map(|place| between.entering.get(*place));
        let read: Vec<Value> = body.read.iter().chain(entering).copied().collect();
        between.before(&read, [&first, &second])
    }

    /// Criterion 4: the instructions of the fused loop.
    fn size(&self, first: Block, body: &SecondBody) -> Result<usize, Refusal> {
        let all = first.operations(self.context);
        let all = all.chain(body.operations.iter().copied());
        let size = all.filter(|op| is_instruction(self.context, *op)).count();
        let budget = self.knobs.number("PerformLoopFusionBudget");
        if budget > 0.0 && size as f64 > budget {
            let reason = "the fused loop would have too many instructions";
            return Err(Refusal::new(Criterion::Budget, reason));
        }
        Ok(size)
    }
}

/// The comparison that ends a loop.
fn count(exit: &Exit) -> Result<&CountedExit, Refusal> {
    let reason = "no counter is compared with a bound at the end of a loop";
    let refusal = Refusal::new(Criterion::Count, reason).at(exit.branch);
    exit.counted.as_ref().ok_or(refusal)
}
