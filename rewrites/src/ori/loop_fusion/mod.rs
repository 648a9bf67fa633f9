//! The pass `ori-loop-fusion`: phase 59 of ptxas.

mod adjacency;
mod between;
mod effects;
mod guards;
mod memory;
mod plan;
mod refusal;
mod second_body;
mod transform;

use std::cell::OnceCell;

use orison_ir::Block;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ori::knobs::Knobs;
use rustc_hash::FxHashSet;

use self::adjacency::{Adjacent, Headers};
use self::guards::Guarded;
use self::plan::{Examination, Plan};
use self::refusal::Refusal;
use super::functions::{Function, applied, on_each};
use super::loops::Loops;

orison_ir::pass_options! {
    /// Options of `ori-loop-fusion`.
    pub struct LoopFusionOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const RULE: &str = "loop-fusion";
const FUSED: &str = "fused";
const REFUSED: &str = "refused";
const PARTED: &str = "parted";

/// The pass `ori-loop-fusion`.
#[derive(Clone, Debug)]
pub struct LoopFusion(LoopFusionOptions);

impl Pass for LoopFusion {
    type Options = LoopFusionOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<LoopFusion>(
        "ori-loop-fusion",
        "Fuses a loop with the loop behind it: phase 59 of ptxas.\n\
         \n\
         Both are to be loops of one block that run equally often: with equal constant numbers of \
         iterations, or the same comparison of the same counter, however it is written. Each \
         iteration of the second one is then executed behind the same iteration of the first one. \
         What lies between them is executed in front of the fused loop if the second one depends on \
         it, and behind it otherwise. Accesses to memory that may overlap must not change places. \
         Loops are to be canonical (ori-loop-simplification, ori-branch-opt). As in ptxas the pass \
         does nothing unless the knob `PerformLoopFusion` is set; `PerformLoopFusionBudget` limits \
         the instructions of a fused loop. See docs/loops.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: FUSED,
            summary: "Number of loops fused with the loop before them",
        },
        Statistic {
            name: REFUSED,
            summary: "Number of loops behind another loop that are not fused",
        },
        Statistic {
            name: PARTED,
            summary: "Number of times that what lies between two loops was copied",
        },
    ]);

    fn create(options: LoopFusionOptions) -> Self {
        LoopFusion(options)
    }

    fn options(&self) -> &LoopFusionOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            let enabled = knobs.integer("PerformLoopFusion") != 0;
            Ok(match enabled && knobs.flag("LoopMakeSingleEntry") {
                true => fuse(pass, function, knobs),
                false => IRStatus::Unchanged,
            })
        })
    }
}

/// Fuses the loops of a function: in each round pairs of which no two share a loop, so that a chain
/// of loops takes a logarithmic number of rounds.
fn fuse(pass: &mut PassContext<'_>, function: Function, knobs: &Knobs) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    let mut refused = FxHashSet::default();
    loop {
        let loops = Loops::of(pass.context, function);
        let round = Round::of(pass, (function, knobs), &loops, &refused);
        for (pair, refusal) in &round.refused {
            refuse(pass, &loops, pair, *refusal);
            refused.insert(header(&loops, pair.second));
        }
        if round.plans.is_empty() && round.guarded.is_empty() {
            return status;
        }
        status = IRStatus::Changed;
        pass.count(PARTED, round.guarded.len() as u64);
        guards::part(pass.context, function, &round.guarded);
        for plan in &round.plans {
            pass.count(FUSED, 1);
            let text = format!("fused with the loop before it; {} instructions", plan.size);
            applied(pass, plan.branches[1], RULE, &text);
            let fused = transform::fuse(pass.context, plan);
            debug_assert!(fused.is_some(), "a plan is carried out");
        }
    }
}

/// What is done with the loops of a function at a moment.
#[derive(Default)]
struct Round {
    /// Pairs that follow each other without a branch.
    plans: Vec<Plan>,
    /// Pairs that could be fused if no branch were between them.
    guarded: Vec<Guarded>,
    refused: Vec<(Adjacent, Refusal)>,
}

impl Round {
    /// Chooses pairs of which no two share a loop. `refused` are the headers of second loops that
    /// stay: what was fused with the loop before them since does not help.
    fn of(
        pass: &PassContext<'_>,
        (function, knobs): (Function, &Knobs),
        loops: &Loops,
        refused: &FxHashSet<Block>,
    ) -> Self {
        let context = &*pass.context;
        let headers = Headers::of(loops);
        let examination = Examination {
            context,
            function,
            loops,
            knobs,
            divergence: OnceCell::new(),
        };
        let mut round = Round::default();
        let mut taken = vec![false; loops.forest.loops().len()];
        for first in 0..taken.len() {
            if taken[first] {
                continue;
            }
            let pair = headers.next_loop(first);
            let pair = pair.filter(|pair| {
                !taken[pair.second] && !refused.contains(&header(loops, pair.second))
            });
            let Some(pair) = pair else { continue };
            match examination.plan(&pair) {
                Ok(plan) => {
                    taken[first] = true;
                    taken[pair.second] = true;
                    match Guarded::of(context, loops, &pair) {
                        Some(guarded) => round.guarded.push(guarded),
                        None => round.plans.push(plan),
                    }
                }
                Err(refusal) => round.refused.push((pair, refusal)),
            }
        }
        round
    }
}

fn header(loops: &Loops, number: usize) -> Block {
    loops.flow.block(loops.forest.loops()[number].header)
}

/// Says why two loops stay apart.
fn refuse(pass: &mut PassContext<'_>, loops: &Loops, pair: &Adjacent, refusal: Refusal) {
    pass.count(REFUSED, 1);
    let branch = header(loops, pair.second).terminator(pass.context);
    if let Some(op) = refusal.at.or(branch) {
        let help = refusal.criterion.help();
        pass.declined(op, RULE, &format!("not fused: {}", refusal.reason), help);
    }
}
