//! The pass `ori-predication`: phase 63 of ptxas, if-conversion.

mod convert;
mod legality;
mod shape;

use orison_ir::Operation;
use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ori::knobs::Knobs;

use self::legality::Scan;
use self::shape::Hammock;
use super::functions::{Function, applied, divergence, on_each};

orison_ir::pass_options! {
    /// Options of `ori-predication`.
    pub struct PredicationOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const CONVERTED: &str = "converted";
const GUARDED: &str = "guarded";
const SELECTED: &str = "selected";

/// The pass `ori-predication`.
#[derive(Clone, Debug)]
pub struct Predication(PredicationOptions);

/// Why a branch is kept, and what would help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Refusal {
    reason: &'static str,
    help: &'static str,
}

const fn refuse<T>(reason: &'static str, help: &'static str) -> Result<T, Refusal> {
    Err(Refusal { reason, help })
}

impl Pass for Predication {
    type Options = PredicationOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Predication>(
        "ori-predication",
        "Converts branches to guarded operations (if-conversion): phase 63 of ptxas.\n\
         \n\
         A branch is converted if its arms join in one block and each arm has at most two blocks, \
         without other predecessors. Operations with side effects are guarded by the condition; \
         operations without are executed by all threads, and a result that replaces one of the \
         other arm takes that one as its `else` value. The remaining arguments of the join block \
         become selects. The knobs whose names begin with `Predication` are the cost model; a \
         branch with the attribute `ori.must_predicate`, or on a select between constants, is \
         converted regardless of cost. Convergent operations are never moved.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: CONVERTED,
            summary: "Number of branches converted",
        },
        Statistic {
            name: GUARDED,
            summary: "Number of operations guarded",
        },
        Statistic {
            name: SELECTED,
            summary: "Number of selects created",
        },
    ]);

    fn create(options: PredicationOptions) -> Self {
        Predication(options)
    }

    fn options(&self) -> &PredicationOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            if knobs.flag("DisablePredication") {
                return Ok(IRStatus::Unchanged);
            }
            let passes = match knobs.integer("PredicationPasses") {
                ..=0 => 1,
                1 | 2 => 2,
                // Each iteration that changes something removes a branch.
                _ => function.body.blocks(pass.context).count(),
            };
            let mut status = IRStatus::Unchanged;
            for _ in 0..passes {
                if !convert_all(pass, function, knobs).is_changed() {
                    break;
                }
                status = IRStatus::Changed;
            }
            Ok(status)
        })
    }
}

/// Visits every branch once, inner ones first.
fn convert_all(pass: &mut PassContext<'_>, function: Function, knobs: &Knobs) -> IRStatus {
    let flow = ControlFlowGraph::of(pass.context, function.body);
    let divergence = divergence(pass.context, function, &flow);
    let mut status = IRStatus::Unchanged;
    for block in flow.reverse_post_order().iter().rev() {
        let block = flow.block(*block);
        if !block.is_live(pass.context) {
            continue;
        }
        let Some(branch) = block.terminator(pass.context) else {
            continue;
        };
        if branch.successor_count(pass.context) != 2 {
            continue;
        }
        let varying = divergence.parts_warp(branch);
        match convert(pass, branch, varying, knobs) {
            Ok(()) => status = IRStatus::Changed,
            Err(refusal) => pass.declined(branch, "if-conversion", refusal.reason, refusal.help),
        }
    }
    status
}

fn convert(
    pass: &mut PassContext<'_>,
    branch: Operation,
    varying: bool,
    knobs: &Knobs,
) -> Result<(), Refusal> {
    let context = &*pass.context;
    let hammock = Hammock::at(context, branch, knobs.flag("PredicationRegionEnable"))?;
    let scans = hammock.ways.each_ref().map(|way| Scan::of(context, way));
    let moves = legality::selections(context, &hammock)?;
    for scan in &scans {
        scan.check(context, &hammock.guard, knobs)?;
    }
    if !legality::is_wanted(context, branch, &hammock.guard) {
        legality::decide(&scans, moves, varying, knobs)?;
    }
    let done = convert::convert(pass.context, branch, &hammock);
    pass.count(CONVERTED, 1);
    pass.count(GUARDED, done.guarded);
    pass.count(SELECTED, done.selected);
    applied(
        pass,
        done.branch,
        "if-conversion",
        "the branch is converted to guarded operations",
    );
    Ok(())
}
