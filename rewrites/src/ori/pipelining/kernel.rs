//! A pipelined loop: in front of it the first iterations begin, in each round of it a number of
//! iterations begin and as many end, behind it the last ones end.
//!
//! Iterations are counted from 0 at the beginning of a round, so that copy `c` of `n` stages begins
//! iteration `n - 1 + c` of the round, and an operation of stage `s` in it belongs to iteration
//! `n - 1 + c - s`. A value of an iteration that began before the round is an argument of the kernel,
//! for which the round passes the value of the iteration that takes its place in the next round. With
//! as many copies as iterations need a value at the same time, no argument is passed on as another
//! one: each copy has its own names (modulo variable expansion, Lam 1988).

use orison_ir::{Block, Context, Location, Mapping, Operation, Value, ValueOwner};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ori::counted_loop::CountedLoop;
use crate::ori::counted_loop::{Counter, Limit};
use crate::ori::functions::{Edge, append_branch, append_conditional, passed};
use crate::ori::surgery::{LoopBody, join_edges};

/// What is to be made of a loop.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The operations with their stages, in the order of a round.
    pub order: Vec<(Operation, i64)>,
    /// Operations that are the same in all iterations and cost nothing, in program order.
    pub invariant: Vec<Operation>,
    /// The number of stages, at least 2.
    pub stages: i64,
    /// The iterations that begin in a round.
    pub copies: i64,
    /// The number of iterations, if it is constant.
    pub trips: Option<u64>,
}

impl Plan {
    /// The iterations that must be left for the first round.
    pub fn least(&self) -> u64 {
        (self.stages - 1 + self.copies).unsigned_abs()
    }
}

/// A value of the loop in an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Reference {
    /// One from outside.
    Outside(Value),
    /// The result of an operation.
    Result(Value, i64),
    /// What an argument of the header is at the beginning.
    Start(usize),
}

/// The values of iterations that are known at a place.
#[derive(Default)]
struct Frame {
    known: FxHashMap<Reference, Value>,
}

struct Emitter<'c> {
    context: &'c mut Context,
    plan: &'c Plan,
    header: Block,
    /// What the back edge passes.
    next: Vec<Value>,
    /// The operations that the plan orders.
    scheduled: FxHashSet<Operation>,
    /// From the invariant operations to their copies in front of the loop.
    outside: Mapping,
    kernel: Block,
    location: Location,
    /// What the arguments of the kernel are.
    arguments: Vec<Reference>,
}

/// Makes of a loop, a single block, a pipelined one, with the loop itself behind it for what is left.
/// Returns the branch of the kernel, or `None` without a change.
pub(super) fn emit(
    context: &mut Context,
    candidate: &CountedLoop,
    body: &LoopBody,
    plan: &Plan,
) -> Option<Operation> {
    let header = body.own.header;
    let region = header.region(context)?;
    let known = candidate.counter.as_ref()?;
    let mut counter = Counter::of(context, known, header, candidate.branch)?;
    let exit = candidate.branch.successor(context, candidate.leaves)?;
    let entering = body.entering_edges(context);
    let preheader = join_edges(context, header, &entering, Some(header))?;
    preheader.terminator(context)?.erase(context);
    counter.bring_bound(context, preheader, &[header], known);
    let first = match plan.trips {
        Some(_) => None,
        None => Some(counter.limit(context, preheader, plan.least(), true)),
    };
    // That of more iterations is valid.
    let copies = plan.copies.unsigned_abs();
    let again = counter.limit(context, preheader, copies, false);
    let mut outside = Mapping::default();
    for op in plan.invariant.iter().copied() {
        let copy = op.clone_into(context, &mut outside);
        preheader.append(context, copy);
    }
    let mut new_block = || {
        let block = Block::new(context, &[]);
        region.insert_block_before(context, Some(header), block);
        block
    };
    let [prologue, kernel, epilogue] = [new_block(), new_block(), new_block()];
    let next = passed(context, candidate.branch, 1 - candidate.leaves);
    let results = passed(context, candidate.branch, candidate.leaves);
    let mut emitter = Emitter {
        context,
        plan,
        header,
        next,
        scheduled: plan.order.iter().map(|(op, _)| *op).collect(),
        outside,
        kernel,
        location: counter.location(),
        arguments: Vec::new(),
    };
    let places = Places {
        preheader,
        prologue,
        epilogue,
        exit,
    };
    emitter.connect(&places, &counter, (first.as_ref(), &again), &results)
}

/// The blocks around the kernel.
struct Places {
    preheader: Block,
    prologue: Block,
    epilogue: Block,
    exit: Block,
}

impl Emitter<'_> {
    /// Writes the blocks and their branches. Returns the branch of the kernel.
    fn connect(
        &mut self,
        places: &Places,
        counter: &Counter,
        (first, again): (Option<&Limit>, &Limit),
        results: &[Value],
    ) -> Option<Operation> {
        let location = self.location;
        let start: Vec<Value> = places.preheader.arguments(self.context).collect();
        let enter = Edge {
            target: places.prologue,
            values: Vec::new(),
        };
        let skip = Edge {
            target: self.header,
            values: start.clone(),
        };
        if let Some(first) = first {
            let own = start[counter.place];
            let test = counter.is_before(self.context, places.preheader, own, first, true);
            let ways = [&enter, &skip];
            append_conditional(self.context, places.preheader, location, test, ways, false);
        } else {
            append_branch(self.context, places.preheader, location, &enter, false);
        }
        let before = self.prologue(places.prologue, &start);
        let mut round = Frame::default();
        for copy in 0..self.plan.copies {
            self.step(self.kernel, &mut round, copy, |_| true);
        }
        // The header's arguments, and its exit's, behind the iterations that the round began.
        let behind = self.plan.stages - 1 + self.plan.copies;
        let own = self.argument(&mut round, counter.place, behind);
        let goes_on = counter.is_before(self.context, self.kernel, own, again, false);
        for step in 0..self.plan.stages - 1 {
            let copy = self.plan.copies + step;
            self.step(places.epilogue, &mut round, copy, |stage| stage > step);
        }
        let count = self.next.len();
        let state: Vec<Value> = (0..count)
            .map(|place| self.argument(&mut round, place, behind))
            .collect();
        let results: Vec<Value> = results
            .iter()
            .map(|value| self.value(&mut round, *value, behind - 1))
            .collect();
        let leave = Edge {
            target: places.exit,
            values: results,
        };
        let rest = Edge {
            target: self.header,
            values: state.clone(),
        };
        match self.left() {
            Some(true) => {
                append_branch(self.context, places.epilogue, location, &rest, false);
            }
            Some(false) => {
                append_branch(self.context, places.epilogue, location, &leave, false);
            }
            None => {
                let own = state[counter.place];
                let test = counter.goes_on(self.context, places.epilogue, own);
                let ways = [&rest, &leave];
                append_conditional(self.context, places.epilogue, location, test, ways, false);
            }
        }
        let [entering, repeating] = self.pass_arguments(&before, &mut round);
        append_branch(self.context, places.prologue, location, &entering, false);
        let done = Edge {
            target: places.epilogue,
            values: Vec::new(),
        };
        let ways = [&repeating, &done];
        Some(append_conditional(
            self.context,
            self.kernel,
            location,
            goes_on,
            ways,
            false,
        ))
    }

    /// Whether iterations are left behind the kernel, if their number is constant.
    fn left(&self) -> Option<bool> {
        let trips = i64::try_from(self.plan.trips?).ok()?;
        Some((trips - (self.plan.stages - 1)) % self.plan.copies != 0)
    }

    /// Begins the first iterations.
    fn prologue(&mut self, block: Block, start: &[Value]) -> Frame {
        let mut frame = Frame::default();
        for (place, value) in start.iter().enumerate() {
            frame.known.insert(Reference::Start(place), *value);
        }
        for step in 0..self.plan.stages - 1 {
            let copy = step - (self.plan.stages - 1);
            self.step(block, &mut frame, copy, |stage| stage <= step);
        }
        frame
    }

    /// Appends the operations of some stages, in the order of a round.
    fn step(
        &mut self,
        block: Block,
        frame: &mut Frame,
        copy: i64,
        is_wanted: impl Fn(i64) -> bool,
    ) {
        let plan = self.plan;
        for (op, stage) in plan.order.iter().copied() {
            if !is_wanted(stage) {
                continue;
            }
            let iteration = plan.stages - 1 + copy - stage;
            let mut mapping = Mapping::default();
            for operand in op.operands(self.context).collect::<Vec<_>>() {
                let value = self.value(frame, operand, iteration);
                mapping.map(operand, value);
            }
            let made = op.clone_into(self.context, &mut mapping);
            block.append(self.context, made);
            let pairs = op.results(self.context).zip(made.results(self.context));
            for (old, new) in pairs.collect::<Vec<_>>() {
                frame.known.insert(Reference::Result(old, iteration), new);
            }
        }
    }

    /// An argument of the header at the beginning of an iteration.
    fn argument(&mut self, frame: &mut Frame, place: usize, iteration: i64) -> Value {
        let reference = self.resolve_argument(place, iteration);
        self.find(frame, reference)
    }

    /// A value of the loop in an iteration.
    fn value(&mut self, frame: &mut Frame, value: Value, iteration: i64) -> Value {
        let reference = self.resolve(value, iteration);
        self.find(frame, reference)
    }

    fn resolve(&self, value: Value, iteration: i64) -> Reference {
        match value.owner(self.context) {
            ValueOwner::Argument(block, place) if block == self.header => {
                self.resolve_argument(place, iteration)
            }
            ValueOwner::Result(op, _) if self.scheduled.contains(&op) => {
                Reference::Result(value, iteration)
            }
            _ => Reference::Outside(self.outside.lookup(value)),
        }
    }

    fn resolve_argument(&self, mut place: usize, mut iteration: i64) -> Reference {
        while iteration > 0 {
            iteration -= 1;
            let value = self.next[place];
            match value.owner(self.context) {
                ValueOwner::Argument(block, other) if block == self.header => place = other,
                _ => return self.resolve(value, iteration),
            }
        }
        Reference::Start(place)
    }

    /// What is referred to; a value from before the round becomes an argument of the kernel.
    fn find(&mut self, frame: &mut Frame, reference: Reference) -> Value {
        if let Reference::Outside(value) = reference {
            return value;
        }
        if let Some(known) = frame.known.get(&reference) {
            return *known;
        }
        let like = match reference {
            Reference::Start(place) => self.header.arguments(self.context).nth(place),
            Reference::Result(value, _) | Reference::Outside(value) => Some(value),
        };
        let location = self.location;
        let ty = like.map_or_else(
            || unreachable!("the header has as many arguments as are passed"),
            |like| like.ty(self.context),
        );
        let argument = self.kernel.add_argument(self.context, ty, location);
        self.arguments.push(reference);
        frame.known.insert(reference, argument);
        argument
    }

    /// The edges into the kernel: from the prologue, and from the end of a round.
    fn pass_arguments(&mut self, before: &Frame, round: &mut Frame) -> [Edge; 2] {
        let mut entering = Vec::new();
        let mut repeating = Vec::new();
        // What is passed may need more arguments.
        let mut number = 0;
        while number < self.arguments.len() {
            let reference = self.arguments[number];
            let later = match reference {
                Reference::Start(place) => self.resolve_argument(place, self.plan.copies),
                Reference::Result(value, iteration) => {
                    Reference::Result(value, iteration + self.plan.copies)
                }
                outside @ Reference::Outside(_) => outside,
            };
            let first = before.known.get(&reference).copied();
            entering.extend(first);
            repeating.push(self.find(round, later));
            number += 1;
        }
        debug_assert_eq!(entering.len(), repeating.len());
        [entering, repeating].map(|values| Edge {
            target: self.kernel,
            values,
        })
    }
}
