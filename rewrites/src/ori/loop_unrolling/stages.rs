//! Loops whose number of iterations is not known: a copy for a single iteration, a loop of several
//! copies, then fewer and fewer copies without a loop, then the loop itself for what is left.
//!
//! With a counter `i`, a step `c` and a bound `n`, `k` copies run without a test between them if the
//! tests of `k - 1` iterations hold: if `i < n - (k - 1) c`, and the difference does not wrap. This
//! is exact in wrapping arithmetic, whatever the operands are. A loop runs at least once: where the test
//! fails at the start, the copy in front runs (as in the code of ptxas), so that behind it the test
//! alone decides. The loop itself stays at the end: it runs what the copies leave, and everything if the
//! difference wraps.

use orison_ir::{Block, Context, InsertionPoint, Location, Mapping, Operation, Type, Value};
use orison_ori::analyses::induction::Relation;
use orison_ori::keywords::{Combine, Compare, Signedness};
use orison_ori::operations::integer::{Iadd3, Isetp};
use orison_ori::operations::moves::Extract;
use orison_ori::{MachineOperation, Register};

use super::candidate::Candidate;
use crate::ori::functions::{
    Edge, append_branch, append_conditional, append_operation, constant_at_end, passed,
    undefined_at_end,
};
use crate::ori::surgery::{Iteration, LoopBody, chain, join_edges};

/// What is to be made of a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages {
    /// The copies in the new loop.
    pub factor: u64,
    /// The copies of a second loop, in place of copies without a loop; below 2: none.
    pub epilogue: u64,
    /// Whether it is tested that differences do not wrap.
    pub checks_wrap: bool,
}

impl Stages {
    /// The numbers of copies behind the loop, and whether they are a loop.
    fn behind(self) -> Vec<(u64, bool)> {
        if self.epilogue >= 2 {
            return vec![(self.epilogue, true)];
        }
        let levels = match self.factor {
            0..=2 => 0,
            factor => (factor - 1).ilog2(),
        };
        (1..=levels)
            .rev()
            .map(|level| (1 << level, false))
            .collect()
    }
}

/// The counter and the bound of the loop.
struct Counter {
    /// The place of the counter among the arguments of the header.
    place: usize,
    step: i64,
    /// What holds while the loop goes on.
    stays: Relation,
    /// What holds while it is before the bound.
    relation: Relation,
    bound: Vec<Value>,
    location: Location,
}

/// Some copies: they run while the counter is before a limit.
struct Stage {
    copies: Vec<Iteration>,
    repeats: bool,
    /// The words of the limit.
    limit: Vec<Value>,
    /// Whether the limit did not wrap; `None` if it never does.
    valid: Option<Value>,
}

/// A block in which a stage is chosen or left.
struct Choice {
    block: Block,
    /// The arguments of the header.
    state: Vec<Value>,
    /// What the exit block gets, of the last iteration; undefined before the first one, which then runs.
    results: Vec<Value>,
}

/// Unrolls a loop that ends in its back edge. Returns the branches of loops that are left, or `None`
/// without a change.
pub(super) fn unroll(
    context: &mut Context,
    candidate: &Candidate,
    body: &LoopBody,
    stages: Stages,
) -> Option<Vec<Operation>> {
    let known = candidate.counter.as_ref()?;
    let header = body.own.header;
    let place = header
        .arguments(context)
        .position(|one| one == known.argument)?;
    let stays = known.counted.stays;
    let step = known.counted.step();
    let mut counter = Counter {
        place,
        step,
        stays,
        relation: match (stays.compare, step > 0) {
            (Compare::Ne, up) => Relation {
                compare: if up { Compare::Lt } else { Compare::Gt },
                is_signed: true,
                ..stays
            },
            _ => stays,
        },
        bound: Vec::new(),
        location: candidate.branch.location(context),
    };
    let exit = candidate.branch.successor(context, candidate.leaves)?;
    let entering = body.entering_edges(context);
    let before = header.previous(context)?;
    let mut kinds = vec![(stages.factor, true)];
    kinds.extend(stages.behind());
    let front = body.copies(context, 1, before);
    let first = front.first()?.header;
    let mut behind = header.previous(context)?;
    let mut all = Vec::new();
    for (count, repeats) in kinds {
        let copies = body.copies(context, count, behind);
        behind = header.previous(context)?;
        all.push((copies, repeats));
    }
    let preheader = join_edges(context, header, &entering, Some(first))?;
    preheader.terminator(context)?.erase(context);
    for word in known.bound(context)? {
        let word = available(context, preheader, body, word);
        counter.bound.push(word);
    }
    let mut builder = Builder {
        context,
        counter,
        header,
        exit,
    };
    let mut ready = Vec::new();
    for (copies, repeats) in all {
        ready.push(builder.stage(preheader, copies, repeats, stages.checks_wrap));
    }
    Some(builder.connect(preheader, &front, &ready))
}

/// A bound in front of its loop: the value, or a copy of the operation in the loop that it is the
/// result of, which reads a constant or a word of a value from outside.
fn available(context: &mut Context, block: Block, body: &LoopBody, value: Value) -> Value {
    let inside = value.defining_op(context).filter(|op| {
        let home = op.block(context);
        home.is_some_and(|home| body.blocks().contains(&home))
    });
    let Some(op) = inside else {
        return value;
    };
    let mut mapping = Mapping::default();
    for operand in op.operands(context).collect::<Vec<_>>() {
        let copy = available(context, block, body, operand);
        mapping.map(operand, copy);
    }
    let copy = op.clone_into(context, &mut mapping);
    block.append(context, copy);
    mapping.lookup(value)
}

struct Builder<'c> {
    context: &'c mut Context,
    counter: Counter,
    header: Block,
    exit: Block,
}

impl Builder<'_> {
    /// Computes the limit of a stage at the end of a block.
    fn stage(
        &mut self,
        block: Block,
        copies: Vec<Iteration>,
        repeats: bool,
        checks_wrap: bool,
    ) -> Stage {
        let untested = i64::try_from(copies.len()).unwrap_or(i64::MAX) - 1;
        let step = self.counter.step;
        let limit = self.moved_bound(block, untested.wrapping_mul(step).wrapping_neg());
        let strict = Relation {
            compare: if step > 0 { Compare::Lt } else { Compare::Gt },
            ..self.counter.relation
        };
        let bound = self.counter.bound.clone();
        let valid = checks_wrap.then(|| self.compare(block, strict, [&limit, &bound], None));
        Stage {
            copies,
            repeats,
            limit,
            valid,
        }
    }

    /// Connects the preheader, the copy in front, the stages and the loop. Returns the branches of loops.
    fn connect(
        &mut self,
        preheader: Block,
        front: &[Iteration],
        stages: &[Stage],
    ) -> Vec<Operation> {
        let start = self.preheader(preheader);
        let choices: Vec<Choice> = (0..=stages.len())
            .map(|number| {
                let stage = stages.get(number).and_then(|stage| stage.copies.first());
                self.choice(stage.map_or(self.header, |copy| copy.header))
            })
            .collect();
        if let (Some(copy), Some(first)) = (front.first(), choices.first()) {
            let goes_on = self.goes_on(&start);
            let skip = first.from(start.state.clone(), start.results.clone());
            let run = Edge {
                target: copy.header,
                values: start.state.clone(),
            };
            self.branch(preheader, goes_on, &skip, &run);
            self.leave_copies(front, first);
        }
        let mut loops = Vec::new();
        for (number, stage) in stages.iter().enumerate() {
            let (choice, next) = (&choices[number], &choices[number + 1]);
            let test = self.runs(choice.block, &choice.state, stage, true);
            let run = Edge {
                target: stage.copies[0].header,
                values: choice.state.clone(),
            };
            let skip = next.from(choice.state.clone(), choice.results.clone());
            self.branch(choice.block, test, &run, &skip);
            loops.extend(self.finish(stage, next));
        }
        if let Some(last) = choices.last() {
            let test = self.goes_on(last);
            let again = Edge {
                target: self.header,
                values: last.state.clone(),
            };
            let leave = Edge {
                target: self.exit,
                values: last.results.clone(),
            };
            self.branch(last.block, test, &again, &leave);
        }
        loops
    }

    /// Whether the loop goes on, at the end of a choice.
    fn goes_on(&mut self, choice: &Choice) -> Value {
        let (stays, bound) = (self.counter.stays, self.counter.bound.clone());
        let own = self.counter_words(choice.block, &choice.state);
        self.compare(choice.block, stays, [&own, &bound], None)
    }

    /// The preheader as a choice: no iteration has run.
    fn preheader(&mut self, block: Block) -> Choice {
        let location = self.counter.location;
        let results = self.exit.arguments(self.context).collect::<Vec<_>>();
        let undefined = |context: &mut Context, like: Value| {
            let ty = like.ty(context);
            undefined_at_end(context, block, location, ty)
        };
        let results = results
            .into_iter()
            .map(|like| undefined(self.context, like))
            .collect();
        Choice {
            block,
            state: block.arguments(self.context).collect(),
            results,
        }
    }

    /// A new choice, in front of a block.
    fn choice(&mut self, before: Block) -> Choice {
        let context = &mut *self.context;
        let mut arguments: Vec<(Type, Location)> = Vec::new();
        for like in [self.header, self.exit] {
            for argument in like.arguments(context) {
                let location = like.argument_location(context, argument.position(context));
                arguments.push((argument.ty(context), location));
            }
        }
        let block = Block::new(context, &arguments);
        if let Some(region) = self.header.region(context) {
            region.insert_block_before(context, Some(before), block);
        }
        let mut values: Vec<Value> = block.arguments(context).collect();
        let count = self.header.argument_count(context);
        let results = values.split_off(count);
        Choice {
            block,
            state: values,
            results,
        }
    }

    /// Lets the copies of a stage run one behind the other, and then go on with the next choice.
    /// Returns the branch of the loop that they are.
    fn finish(&mut self, stage: &Stage, next: &Choice) -> Option<Operation> {
        if !stage.repeats {
            self.leave_copies(&stage.copies, next);
            return None;
        }
        let (block, state, leave) = self.end_of(&stage.copies, next)?;
        // The limit is valid: the stage was entered.
        let test = self.runs(block, &state, stage, false);
        let again = Edge {
            target: stage.copies[0].header,
            values: state,
        };
        Some(self.branch(block, test, &again, &leave))
    }

    /// Lets copies run one behind the other, and then go on with the next choice.
    fn leave_copies(&mut self, copies: &[Iteration], next: &Choice) {
        if let Some((block, _, leave)) = self.end_of(copies, next) {
            append_branch(self.context, block, self.counter.location, &leave, false);
        }
    }

    /// Chains copies; the block that is left without a branch, the arguments of the header behind it, and
    /// the edge to the next choice.
    fn end_of(&mut self, copies: &[Iteration], next: &Choice) -> Option<(Block, Vec<Value>, Edge)> {
        let (last, before) = copies.split_last()?;
        chain(self.context, before, last.header);
        let branch = last.exit_branch(self.context)?;
        let results = passed(self.context, branch, last.leaves);
        let state = passed(self.context, branch, 1 - last.leaves);
        branch.erase(self.context);
        let leave = next.from(state.clone(), results);
        Some((last.exit, state, leave))
    }

    /// Whether the copies of a stage may run, at the end of a block.
    fn runs(&mut self, block: Block, state: &[Value], stage: &Stage, checks: bool) -> Value {
        let own = self.counter_words(block, state);
        let valid = stage.valid.filter(|_| checks);
        let valid = valid.map(|valid| (Combine::And, valid));
        self.compare(block, self.counter.relation, [&own, &stage.limit], valid)
    }

    fn branch(&mut self, block: Block, test: Value, then: &Edge, other: &Edge) -> Operation {
        let location = self.counter.location;
        append_conditional(self.context, block, location, test, [then, other], false)
    }

    /// The words of the counter in a state.
    fn counter_words(&mut self, block: Block, state: &[Value]) -> Vec<Value> {
        let value = state[self.counter.place];
        if self.counter.relation.bits == 32 {
            return vec![value];
        }
        let location = self.counter.location;
        let mut words = Vec::new();
        for word in [0, 1] {
            let ty = Register::R.ty(self.context);
            let mut builder = orison_ir::Builder::at(self.context, InsertionPoint::End(block));
            let extract = Extract::build(&mut builder, location, value, word, ty).0;
            words.push(extract.result(self.context, 0));
        }
        words
    }

    /// The bound plus a constant, at the end of a block.
    fn moved_bound(&mut self, block: Block, distance: i64) -> Vec<Value> {
        if distance == 0 {
            return self.counter.bound.clone();
        }
        let location = self.counter.location;
        let halves = [distance, distance >> 32];
        let zero = constant_at_end(self.context, block, location, Register::R, 0);
        let mut carry = None;
        let mut moved = Vec::new();
        for (word, half) in self.counter.bound.clone().into_iter().zip(halves) {
            let half = i64::from(half as i32);
            let half = constant_at_end(self.context, block, location, Register::R, half);
            let mut sum = MachineOperation::new(Iadd3::NAME)
                .operand("a", word)
                .operand("b", half)
                .operand("c", zero)
                .result(Register::R);
            if let Some(carry) = carry {
                sum = sum.flag("extended").operand("carry", carry);
            } else if self.counter.bound.len() == 2 {
                sum = sum.result(Register::P);
            }
            let sum = append_operation(self.context, block, location, sum);
            moved.push(sum.result(self.context, 0));
            carry = sum.results(self.context).nth(1);
        }
        moved
    }

    /// Compares words at the end of a block.
    fn compare(
        &mut self,
        block: Block,
        relation: Relation,
        [left, right]: [&[Value]; 2],
        with: Option<(Combine, Value)>,
    ) -> Value {
        let signedness = |last: bool| match relation.is_signed && last {
            true => Signedness::Signed,
            false => Signedness::Unsigned,
        };
        let location = self.counter.location;
        let mut low = None;
        let count = left.len();
        for (number, (left, right)) in left.iter().zip(right).enumerate() {
            let last = number + 1 == count;
            let mut op = MachineOperation::new(Isetp::NAME)
                .operand("a", *left)
                .operand("b", *right)
                .keyword(self.context, "compare", relation.compare)
                .keyword(self.context, "signedness", signedness(last))
                .result(Register::P);
            if let Some(low) = low {
                op = op.operand("low", low).flag("extended");
            }
            if let Some((combine, other)) = with.filter(|_| last) {
                op = op
                    .operand("with", other)
                    .keyword(self.context, "combine", combine);
            }
            let op = append_operation(self.context, block, location, op);
            low = Some(op.result(self.context, 0));
        }
        low.unwrap_or(left[0])
    }
}

impl Choice {
    fn from(&self, state: Vec<Value>, results: Vec<Value>) -> Edge {
        let mut values = state;
        values.extend(results);
        Edge {
            target: self.block,
            values,
        }
    }
}
