//! Induction variables, and how often loops run.
//!
//! An induction variable is an argument of a loop header, or the two words of one in two arguments,
//! that every iteration increases by the same loop-invariant amount. A sum of induction variables
//! and invariant values is affine in the number of the iteration: [`Affine`]. An exit whose
//! condition compares an affine value with an invariant one has a count: [`Exit`].
//!
//! All arithmetic wraps: 32-bit and 64-bit counters, up and down, signed and unsigned. A count is
//! given only if it is exact.

mod count;
mod distance;
mod equal_counts;
mod exits;

use orison_ir::analyses::{ControlFlowGraph, LoopForest, NaturalLoop};
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation, Value};

pub use count::Relation;
pub use distance::{Distance, MovingAccess, distance};
pub use equal_counts::is_same_condition;
pub use exits::{CountedExit, Exit, TripCount};

use super::linear::{self, LinearForm, Root};
use super::properties;
use crate::keywords::Compare;
use crate::operations::control::ExitIf;

/// An argument of a loop header that each iteration increases by the same amount.
#[derive(Clone, Debug)]
pub struct Induction {
    /// The argument, or the pair of arguments that are its words.
    pub variable: Root,
    /// The value in the first iteration; `None` if branches into the loop pass different ones.
    pub start: Option<LinearForm>,
    /// What an iteration adds: a sum of loop-invariant values.
    pub step: LinearForm,
    /// The value in the next iteration, one of each word, if the loop has one back edge.
    pub next: Option<[Value; 2]>,
}

/// A value in the iteration `k` of a loop, from 0: `start + k * step`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    /// The value in the first iteration: a sum of values from outside of the loop.
    pub start: LinearForm,
    /// What an iteration adds.
    pub step: LinearForm,
}

/// What is known about a loop.
#[derive(Clone, Debug)]
pub struct LoopInductions {
    /// The induction variables, in the order of the arguments; words of pairs follow.
    pub variables: Vec<Induction>,
    /// The edges that leave the loop, by block and successor.
    pub exits: Vec<Exit>,
    /// How often the header runs each time the loop is entered.
    pub trip_count: TripCount,
    /// Whether the loop contains an operation whose effect depends on the threads that execute it
    /// together.
    pub is_convergent: bool,
    /// Whether threads may end in the loop, other than by its exits.
    pub may_end: bool,
}

/// The induction variables and trip counts of the loops of a function. The loops have the indices of
/// the [`LoopForest`].
#[derive(Clone, Debug, Default)]
pub struct Inductions {
    loops: Vec<LoopInductions>,
}

impl Inductions {
    /// The loops of a flow graph. Linear in the function, and in the exits of each loop.
    pub fn of(context: &Context, flow: &ControlFlowGraph, forest: &LoopForest) -> Self {
        let around = |natural| Loop {
            context,
            flow,
            natural,
        };
        let loops = forest.loops().iter().map(|natural| LoopInductions {
            variables: around(natural).variables(),
            exits: Vec::new(),
            trip_count: TripCount::Unknown,
            is_convergent: false,
            may_end: false,
        });
        let mut found = Inductions {
            loops: loops.collect(),
        };
        found.mark(context, flow, forest);
        for (number, natural) in forest.loops().iter().enumerate() {
            let every_iteration = |block| {
                let mut latches = natural.latches.iter();
                forest.innermost(block) == Some(number)
                    && latches.all(|latch| flow.dominates(block, *latch))
            };
            let exits = exits::of(&around(natural), &found.loops[number], every_iteration);
            let own = &mut found.loops[number];
            own.trip_count = exits::trip_count(&exits, own.may_end);
            own.exits = exits;
        }
        found
    }

    /// Marks loops with convergent operations and with ends of threads.
    fn mark(&mut self, context: &Context, flow: &ControlFlowGraph, forest: &LoopForest) {
        for (number, block) in (0..).zip(flow.blocks()) {
            let Some(innermost) = forest.innermost(number) else {
                continue;
            };
            let own = &mut self.loops[innermost];
            for op in block.operations(context) {
                own.is_convergent |= properties::is_convergent(context, op);
                own.may_end |= ExitIf::matches(context, op);
            }
        }
        // Inner loops have higher indices.
        for (number, natural) in forest.loops().iter().enumerate().rev() {
            if let Some(parent) = natural.parent {
                self.loops[parent].is_convergent |= self.loops[number].is_convergent;
                self.loops[parent].may_end |= self.loops[number].may_end;
            }
        }
    }

    /// The loop with an index of the forest.
    pub fn at(&self, number: usize) -> &LoopInductions {
        &self.loops[number]
    }
}

/// For the first region of an operation.
impl Analysis for Inductions {
    const NAME: &'static str = "inductions";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        let forest = analyses.get::<LoopForest>(context, op);
        Inductions::of(context, &flow, &forest)
    }
}

/// A loop of a function.
#[derive(Clone, Copy)]
pub struct Loop<'f> {
    /// The context.
    pub context: &'f Context,
    /// The flow graph of the function.
    pub flow: &'f ControlFlowGraph,
    /// The loop.
    pub natural: &'f NaturalLoop,
}

impl Loop<'_> {
    /// Whether a value is the same in all iterations: it is defined outside of the loop.
    pub fn is_invariant(&self, value: Value) -> bool {
        let home = value.parent_block(self.context);
        let home = home.and_then(|home| self.flow.number(home));
        home.is_some_and(|home| !self.natural.contains(home))
            || properties::immediate(self.context, value).is_some()
    }

    /// Whether a sum is the same in all iterations.
    pub fn is_invariant_sum(&self, sum: &LinearForm) -> bool {
        let mut roots = sum.terms().iter().flat_map(|(root, _)| root.values());
        roots.all(|value| self.is_invariant(value))
    }

    /// The values that the branches from outside, and from inside, pass to the header, one list an
    /// edge; `None` if a branch does not say.
    fn passed(&self) -> Option<[Vec<Vec<Value>>; 2]> {
        let header = self.flow.block(self.natural.header);
        let mut all = [Vec::new(), Vec::new()];
        for (branch, way) in header.predecessor_edges(self.context) {
            let from = branch.block(self.context);
            let from = from.and_then(|block| self.flow.number(block))?;
            if !self.flow.is_reachable(from) {
                continue;
            }
            let range = branch.passed_operands(self.context, way)?;
            let values = range.map(|number| branch.operand(self.context, number));
            let values: Vec<Value> = values.collect();
            if values.len() != header.argument_count(self.context) {
                return None;
            }
            all[usize::from(self.natural.contains(from))].push(values);
        }
        Some(all)
    }

    /// The induction variables, in the order of the arguments; words of pairs follow.
    pub fn variables(&self) -> Vec<Induction> {
        let header = self.flow.block(self.natural.header);
        let Some([entering, repeating]) = self.passed() else {
            return Vec::new();
        };
        if self.natural.irreducible || entering.is_empty() {
            return Vec::new();
        }
        let integer = |value: &Value| {
            let register = crate::Register::of(self.context, value.ty(self.context));
            register.is_some_and(|one| matches!(one.words(), Some(1 | 2)))
        };
        let arguments: Vec<Value> = header.arguments(self.context).collect();
        let edges = (&entering[..], &repeating[..]);
        let mut found = Vec::new();
        for (place, argument) in arguments.iter().enumerate() {
            if integer(argument) {
                found.extend(self.variable(Root::Value(*argument), [place, place], edges));
            }
        }
        for (high, argument) in arguments.iter().enumerate() {
            let low = repeating.first().and_then(|next| self.low_word(next, high));
            if let Some(low) = low.filter(|_| linear::is_word(self.context, *argument)) {
                let pair = Root::Pair(arguments[low], *argument);
                found.extend(self.variable(pair, [low, high], edges));
            }
        }
        found
    }

    /// The argument whose next value is the low word of the sum of which that of another one is
    /// the high word.
    fn low_word(&self, next: &[Value], high: usize) -> Option<usize> {
        let sum = next[high].defining_op(self.context)?;
        let carries = sum.operands_named(self.context, "carry");
        let low = carries.first()?.defining_op(self.context)?;
        next.iter()
            .position(|value| value.defining_op(self.context) == Some(low))
    }

    /// The induction variable in the arguments at two places, which are equal for one value.
    fn variable(
        &self,
        variable: Root,
        places: [usize; 2],
        (entering, repeating): (&[Vec<Value>], &[Vec<Value>]),
    ) -> Option<Induction> {
        let sum = |values: &Vec<Value>| match variable {
            Root::Pair(..) => {
                LinearForm::of_pair(self.context, values[places[0]], values[places[1]])
            }
            _ => LinearForm::of(self.context, values[places[0]]),
        };
        let (first, rest) = repeating.split_first()?;
        let mut step = sum(first);
        step.add_root(variable, -1);
        if !self.is_invariant_sum(&step) {
            return None;
        }
        for other in rest {
            let mut other = sum(other);
            other.add_root(variable, -1);
            if other != step {
                return None;
            }
        }
        let start = sum(entering.first()?);
        let same = entering.iter().all(|values| sum(values) == start);
        Some(Induction {
            variable,
            start: same.then_some(start),
            step,
            next: rest.is_empty().then(|| places.map(|place| first[place])),
        })
    }
}

impl LoopInductions {
    /// The induction variable that a root is.
    pub fn variable(&self, root: Root) -> Option<&Induction> {
        self.variables.iter().find(|one| one.variable == root)
    }

    /// A value of the loop as a function of the iteration; `None` if it is not affine, or if the
    /// start of a variable is unknown.
    pub fn affine(&self, around: &Loop<'_>, sum: &LinearForm) -> Option<Affine> {
        let wide = sum.is_wide();
        let mut affine = Affine {
            start: LinearForm::constant(sum.offset(), wide),
            step: LinearForm::constant(0, wide),
        };
        for (root, factor) in sum.terms() {
            if let Some(variable) = self.variable(*root) {
                affine.start.add(variable.start.as_ref()?, *factor);
                affine.step.add(&variable.step, *factor);
            } else if root.values().all(|value| around.is_invariant(value)) {
                affine.start.add_root(*root, *factor);
            } else {
                let extended = self.extension(around, *root)?;
                affine.start.add(&extended.start, *factor);
                affine.step.add(&extended.step, *factor);
            }
        }
        Some(affine)
    }

    /// The extension of a word to 64 bits, if the word does not wrap while the loop runs.
    fn extension(&self, around: &Loop<'_>, root: Root) -> Option<Affine> {
        let (word, is_signed) = match root {
            Root::Signed(word) => (word, true),
            Root::Unsigned(word) => (word, false),
            _ => return None,
        };
        let narrow = self.affine(around, &LinearForm::of(around.context, word))?;
        let step = narrow.step.as_constant()?;
        let bounded = self.exits.iter().filter_map(|exit| exit.counted.as_ref());
        let keeps = |is_signed| bounded.clone().any(|exit| exit.keeps(&narrow, is_signed));
        // Numbers from 0 up to the largest signed one are the same without a sign.
        let is_natural = narrow.start.as_constant().is_some_and(|start| start >= 0) && step > 0;
        let ends_before = || keeps(is_signed) || (!is_signed && is_natural && keeps(true));
        let start = match narrow.start.as_constant() {
            Some(start) => {
                let relation = Relation {
                    compare: Compare::True,
                    is_signed,
                    bits: 32,
                };
                let first = relation.read(start);
                let last = |trips| first + i128::from(trips) * i128::from(step);
                let most = self.trip_count.most();
                let fits = most.is_some_and(|trips| relation.fits(last(trips - 1)));
                (fits || ends_before()).then_some(())?;
                LinearForm::constant(i64::try_from(first).ok()?, true)
            }
            None => {
                ends_before().then_some(())?;
                extended_start(around, &narrow.start, is_signed)?
            }
        };
        Some(Affine {
            start,
            step: LinearForm::constant(step, true),
        })
    }
}

/// The extension of a word that is one value from outside of the loop.
fn extended_start(around: &Loop<'_>, start: &LinearForm, is_signed: bool) -> Option<LinearForm> {
    let [(Root::Value(value), 1)] = start.terms() else {
        return None;
    };
    let known = start.offset() == 0 && around.is_invariant(*value);
    let root = match is_signed {
        true => Root::Signed(*value),
        false => Root::Unsigned(*value),
    };
    known.then(|| LinearForm::root(root, true))
}
