//! The pass `ori-loop-unrolling`: phase 22 of ptxas.

mod body;
mod decision;
mod measured;
mod page;
mod shape;
mod stages;
mod weights;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind, Statistic,
    source_position,
};
use orison_ir::{Block, Context, Operation};
use orison_ori::knobs::Knobs;
use rustc_hash::{FxHashMap, FxHashSet};

use self::decision::{decide, epilogue};
use self::weights::weight;
use super::counted_loop::{CountedLoop, Rejection};
use super::functions::{Function, applied, on_each};
use super::loops::Loops;
use super::rules::Rules;
use super::surgery::{Iteration, LoopBody, chain, follow};
use crate::regions::erase_unreachable;

orison_ir::pass_options! {
    /// Options of `ori-loop-unrolling`.
    pub struct LoopUnrollingOptions {
        /// Whose rules choose the factors: `ptxas` (also if unset) or `page`.
        rules = "rules": Option<Rules> = None,
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const RULE: &str = "loop-unrolling";
const FULL: &str = "full";
const PARTIAL: &str = "partial";
const REJECTED: &str = "rejected";

/// The attribute of a branch whose loop is the result of this pass.
const UNROLLED: &str = "ori.unrolled";

/// What is made of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decision {
    /// A copy of the body for each iteration.
    Full,
    /// A loop of several copies, behind copies for the remainder of a constant number.
    Partial(u64),
    /// A loop of several copies, and stages for an unknown remainder.
    Stages(u64),
}

/// What decides about a loop besides its body.
#[derive(Clone, Copy, Debug)]
struct Surroundings {
    /// The part of the function that the loop is, before inner loops were unrolled: 0 to 1.
    share: f64,
    /// Whether the function has no other loop.
    is_only_loop: bool,
    /// Whether the body is one block, and nothing in it that accesses memory has a guard.
    is_single_block: bool,
    /// Whether the only inner branches are around simple arms, and the loop has one exit.
    is_hammock: bool,
    /// Whether operations act on the threads of a warp together.
    is_convergent: bool,
    /// Whether all threads run equally many iterations.
    is_uniform: bool,
    /// Whether pragmas call the body hot.
    is_hot: bool,
}

/// The pass `ori-loop-unrolling`.
#[derive(Clone, Debug)]
pub struct LoopUnrolling(LoopUnrollingOptions);

impl Pass for LoopUnrolling {
    type Options = LoopUnrollingOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<LoopUnrolling>(
        "ori-loop-unrolling",
        "Unrolls loops: phase 22 of ptxas.\n\
         \n\
         A loop with a constant number of iterations is replaced by a copy of its body for each, or \
         by a loop of several copies behind copies for the remainder. A loop with an unknown number \
         becomes a loop of several copies, then fewer copies, then the loop itself for what is left; \
         this is exact also where the counter wraps. Loops are to be canonical \
         (ori-loop-simplification, ori-branch-opt). Remarks say why a loop is not unrolled, with \
         the code of ptxas. `rules=ptxas` reproduces the factors of ptxas 13.0.88, `rules=page` is \
         the documented listing. The knobs whose names begin with `Unroll`, `LoopUnroll`, \
         `EpilogueLoopUnroll` and `DisablePartialUnroll` are the parameters. See docs/loops.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: FULL,
            summary: "Number of loops unrolled fully",
        },
        Statistic {
            name: PARTIAL,
            summary: "Number of loops unrolled partially",
        },
        Statistic {
            name: REJECTED,
            summary: "Number of loops not unrolled",
        },
    ]);

    fn create(options: LoopUnrollingOptions) -> Self {
        LoopUnrolling(options)
    }

    fn options(&self) -> &LoopUnrollingOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let rules = self.0.rules.unwrap_or(Rules::Ptxas);
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            Ok(unroll(pass, function, knobs, rules))
        })
    }
}

/// The sizes of the loops of a function before the pass, by header.
struct Sizes {
    /// The part of the function that a loop is, and whether it is around others.
    loops: FxHashMap<Block, (f64, bool)>,
}

/// What a function counts for besides its operations. Measured.
const FUNCTION: i64 = 7;

impl Sizes {
    /// The part of the function that each loop is. Linear in the function, and in the blocks of each
    /// loop.
    fn of(context: &Context, loops: &Loops) -> Self {
        let mut own = Vec::new();
        let mut other = Vec::new();
        for block in loops.flow.blocks() {
            let (mut inside, mut outside) = (0, 0);
            for op in block.operations(context) {
                let count = weight(context, op);
                inside += count;
                outside += count + i64::from(count > 0 && body::accesses(context, op));
                outside += i64::from(body::is_parameter(context, op));
            }
            own.push(inside);
            other.push(outside);
        }
        let total: i64 = other.iter().sum();
        let shares = loops.forest.loops().iter().map(|natural| {
            let blocks = || natural.blocks.iter().map(|block| *block as usize);
            let inside: i64 = blocks().map(|block| own[block]).sum();
            let counted: i64 = blocks().map(|block| other[block]).sum();
            let all = inside + FUNCTION + total - counted;
            let header = loops.flow.block(natural.header);
            let share = inside as f64 / all.max(1) as f64;
            (header, (share, !natural.children.is_empty()))
        });
        Sizes {
            loops: shares.collect(),
        }
    }

    fn share(&self, header: Block) -> f64 {
        self.loops.get(&header).map_or(0.0, |known| known.0)
    }

    fn was_outer(&self, header: Block) -> bool {
        self.loops.get(&header).is_some_and(|known| known.1)
    }
}

/// Unrolls the loops of a function from the inside out: in each round those without inner loops that
/// are left. The number of rounds is bounded by the depth of the nest, and the copies by the budget.
fn unroll(pass: &mut PassContext<'_>, function: Function, knobs: &Knobs, rules: Rules) -> IRStatus {
    let mut loops = Loops::of(pass.context, function);
    let total = loops.forest.loops().len();
    if !knobs.flag("LoopUnroll") || !knobs.flag("LoopMakeSingleEntry") || total == 0 {
        return IRStatus::Unchanged;
    }
    let sizes = Sizes::of(pass.context, &loops);
    let mut decided = FxHashSet::default();
    let mut remaining = FxHashSet::default();
    let mut counts = [0, 0];
    let mut status = IRStatus::Unchanged;
    loop {
        let mut chosen = Vec::new();
        // Inner loops, and later ones, come first.
        for number in (0..loops.forest.loops().len()).rev() {
            let natural = &loops.forest.loops()[number];
            let header = loops.flow.block(natural.header);
            let children = natural.children.iter();
            let mut children = children.map(|child| {
                let child = &loops.forest.loops()[*child];
                loops.flow.block(child.header)
            });
            if decided.contains(&header) {
                continue;
            }
            let is_left = children.clone().any(|child| remaining.contains(&child));
            if !is_left && children.next().is_some() {
                continue;
            }
            decided.insert(header);
            if !sizes.loops.contains_key(&header) {
                // A loop that this pass made.
                remaining.insert(header);
                continue;
            }
            let outcome = match is_left {
                true => Err(Rejection::Irregular("an inner loop is left")),
                false => decide(
                    pass,
                    function,
                    &loops,
                    number,
                    (&sizes, total, knobs, rules),
                ),
            };
            match outcome {
                Ok((candidate, decision)) => {
                    if decision != Decision::Full {
                        remaining.insert(header);
                    }
                    counts[usize::from(decision != Decision::Full)] += 1;
                    chosen.push((header, candidate, decision));
                }
                Err(rejection) => {
                    remaining.insert(header);
                    reject(pass, &loops, number, rejection);
                }
            }
        }
        if chosen.is_empty() {
            break;
        }
        status = IRStatus::Changed;
        transform(pass, function, &mut loops, &chosen, knobs);
        loops = Loops::of(pass.context, function);
    }
    let [full, partial] = counts;
    let left = total - full - partial;
    for (name, count) in [(FULL, full), (PARTIAL, partial), (REJECTED, left)] {
        pass.count(name, count as u64);
    }
    if pass.wants_remarks() {
        let text = format!("# [partially unrolled loops={partial}] [non-unrolled loops={left}]");
        pass.remark(function.op, &Remark::new(RemarkKind::Analysis, RULE, &text));
    }
    status
}

/// Says why a loop is not unrolled.
fn reject(pass: &mut PassContext<'_>, loops: &Loops, number: usize, rejection: Rejection) {
    let natural = &loops.forest.loops()[number];
    let latch = natural.latches.first().copied().unwrap_or(natural.header);
    if let Some(branch) = loops.flow.block(latch).terminator(pass.context)
        && pass.wants_remarks()
    {
        let (code, reason) = (rejection.code(), rejection.reason());
        let text = format!("Not unrolled: {reason} (code {code})");
        pass.remark(branch, &Remark::new(RemarkKind::Missed, RULE, &text));
    }
}

/// Changes the chosen loops, of which none contains another one.
fn transform(
    pass: &mut PassContext<'_>,
    function: Function,
    loops: &mut Loops,
    chosen: &[(Block, CountedLoop, Decision)],
    knobs: &Knobs,
) {
    let headers: FxHashSet<Block> = chosen.iter().map(|(header, ..)| *header).collect();
    let numbers = loops.close(pass.context, function, &headers);
    for (header, candidate, decision) in chosen {
        let number = numbers.get(header);
        let body = number.and_then(|number| candidate.body(pass.context, loops, *number));
        if let Some(body) = body {
            emit(pass, candidate, *decision, &body, knobs);
        }
    }
    erase_unreachable(pass.context, function.body);
}

/// Makes of a loop what was decided.
fn emit(
    pass: &mut PassContext<'_>,
    candidate: &CountedLoop,
    decision: Decision,
    body: &LoopBody,
    knobs: &Knobs,
) {
    let what = match decision {
        Decision::Full => "unrolled fully".to_owned(),
        Decision::Partial(factor) | Decision::Stages(factor) => {
            format!("unrolled by {factor}")
        }
    };
    let what = match candidate.trips {
        Some(trips) => format!("{what}; {trips} iterations"),
        None => what,
    };
    applied(pass, candidate.branch, RULE, &what);
    let context = &mut *pass.context;
    let trips = candidate.trips.unwrap_or(1);
    let left = match decision {
        Decision::Full => {
            let link = if candidate.is_combined { follow } else { chain };
            peel(context, body, trips - 1, link);
            body.own.always_leave(context);
            Vec::new()
        }
        Decision::Partial(factor) => partial(context, body, trips, factor),
        Decision::Stages(factor) => {
            let stages = stages::Stages {
                factor,
                epilogue: epilogue(knobs),
                checks_wrap: !knobs.flag("DisablePartialUnrollOverflowCheck"),
            };
            let mut left = stages::unroll(context, candidate, body, stages).unwrap_or_default();
            left.extend(body.own.exit_branch(context));
            left
        }
    };
    for branch in left {
        branch.set_attribute(context, UNROLLED, orison_ir::Attribute::UNIT);
    }
}

/// Puts copies of the body in front of the loop, linked by [`chain`] or [`follow`].
fn peel(
    context: &mut Context,
    body: &LoopBody,
    count: u64,
    link: fn(&mut Context, &[Iteration], Block),
) {
    let header = body.own.header;
    let Some(before) = header.previous(context) else {
        return;
    };
    let entering = body.entering_edges(context);
    let copies = body.copies(context, count, before);
    link(context, &copies, header);
    if let Some(first) = copies.first() {
        for (branch, way) in entering {
            branch.set_successor(context, way, first.header);
        }
    }
}

/// Makes a loop of `factor` copies, behind copies for the remainder.
fn partial(context: &mut Context, body: &LoopBody, trips: u64, factor: u64) -> Vec<Operation> {
    let last = body.blocks().last().copied().unwrap_or(body.own.header);
    let mut copies = vec![body.own.clone()];
    copies.extend(body.copies(context, factor - 1, last));
    peel(context, body, trips % factor, chain);
    let Some((last, before)) = copies.split_last() else {
        return Vec::new();
    };
    chain(context, before, last.header);
    last.continue_at(context, body.own.header);
    last.exit_branch(context).into_iter().collect()
}
