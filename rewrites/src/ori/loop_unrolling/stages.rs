//! Loops whose number of iterations is not known: a copy for a single iteration, a loop of several
//! copies, then fewer and fewer copies without a loop, then the loop itself for what is left.
//!
//! Copies run without a test between them if so many iterations are left ([`Counter`]). A loop runs at
//! least once: where the test fails at the start, the copy in front runs (as in the code of ptxas), so
//! that behind it the test alone decides. The loop itself stays at the end: it runs what the copies
//! leave, and everything if the difference wraps.

use orison_ir::{Block, Context, Location, Operation, Type, Value};

use crate::ori::counted_loop::CountedLoop;
use crate::ori::counted_loop::{Counter, Limit};
use crate::ori::functions::{Edge, append_branch, append_conditional, passed, undefined_at_end};
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

/// Some copies: they run while the counter is before a limit.
struct Stage {
    copies: Vec<Iteration>,
    repeats: bool,
    limit: Limit,
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
    candidate: &CountedLoop,
    body: &LoopBody,
    stages: Stages,
) -> Option<Vec<Operation>> {
    let known = candidate.counter.as_ref()?;
    let header = body.own.header;
    let mut counter = Counter::of(context, known, header, candidate.branch)?;
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
    counter.bring_bound(context, preheader, body.blocks(), known);
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
        let count = copies.len() as u64;
        let limit = self.counter.limit(self.context, block, count, checks_wrap);
        Stage {
            copies,
            repeats,
            limit,
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
        let counter = choice.state[self.counter.place];
        self.counter.goes_on(self.context, choice.block, counter)
    }

    /// The preheader as a choice: no iteration has run.
    fn preheader(&mut self, block: Block) -> Choice {
        let location = self.counter.location();
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
            append_branch(self.context, block, self.counter.location(), &leave, false);
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
        let counter = state[self.counter.place];
        self.counter
            .is_before(self.context, block, counter, &stage.limit, checks)
    }

    fn branch(&mut self, block: Block, test: Value, then: &Edge, other: &Edge) -> Operation {
        let location = self.counter.location();
        append_conditional(self.context, block, location, test, [then, other], false)
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
