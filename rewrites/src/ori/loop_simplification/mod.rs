//! The pass `ori-loop-simplification`: phase 18 of ptxas, canonical loops.

pub(super) mod canonical;
mod inversion;
mod peeling;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult, Statistic,
    source_position,
};
use orison_ori::knobs::Knobs;

use super::functions::{Function, on_each};
use super::loops::Loops;

orison_ir::pass_options! {
    /// Options of `ori-loop-simplification`.
    pub struct LoopSimplificationOptions {
        /// The optimization level: 0 to 5. From 4 on, first iterations are peeled.
        level = "level": i64 = 3,
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const PREHEADERS: &str = "preheaders";
const LATCHES: &str = "latches";
const EXITS: &str = "exits";
const INVERTED: &str = "inverted";
const PEELED: &str = "peeled";

/// The pass `ori-loop-simplification`.
#[derive(Clone, Debug)]
pub struct LoopSimplification(LoopSimplificationOptions);

impl Pass for LoopSimplification {
    type Options = LoopSimplificationOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<LoopSimplification>(
        "ori-loop-simplification",
        "Brings loops into canonical form: phase 18 of ptxas.\n\
         \n\
         A canonical loop has one back edge; one edge leads into it, from a preheader that leads \
         nowhere else; what its exit edges lead to has no other predecessors. A loop that is \
         tested at its start is inverted: it is tested at its end, behind a copy of the test. At \
         levels 4 and 5 the first iteration of a loop is peeled if the others then compute less. \
         In a loop with operations whose effect depends on the threads that execute them \
         together, no edge is split, and the test stays where it is. Cycles with several entries \
         are left alone. The knobs whose names begin with `LoopInversion`, `LoopMakeSingleEntry` \
         and `LoopPeel` are the parameters.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: PREHEADERS,
            summary: "Number of preheaders created",
        },
        Statistic {
            name: LATCHES,
            summary: "Number of latches created for several back edges",
        },
        Statistic {
            name: EXITS,
            summary: "Number of exit blocks created",
        },
        Statistic {
            name: INVERTED,
            summary: "Number of loops inverted",
        },
        Statistic {
            name: PEELED,
            summary: "Number of loops whose first iteration was peeled",
        },
    ]);

    fn create(options: LoopSimplificationOptions) -> Self {
        LoopSimplification(options)
    }

    fn options(&self) -> &LoopSimplificationOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let level = self.0.level;
        if !(0..=5).contains(&level) {
            let message = format!("option 'level': expected 0 to 5, found {level}");
            return Err(pass.op().op_error(pass.context, message).into());
        }
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            simplify(pass, function, knobs, level)
        })
    }
}

fn simplify(
    pass: &mut PassContext<'_>,
    function: Function,
    knobs: &Knobs,
    level: i64,
) -> Result<IRStatus, PassFailure> {
    let mut loops = Loops::of(pass.context, function);
    for (from, to) in loops.forest.irreducible_edges() {
        let branch = loops.flow.block(*from).terminator(pass.context);
        if let Some(branch) = branch {
            pass.declined(
                branch,
                "loop-form",
                &format!("block {to} is entered from outside of the cycle as well"),
                "a cycle with one entry",
            );
        }
    }
    if loops.forest.loops().is_empty() || level == 0 {
        return Ok(IRStatus::Unchanged);
    }
    let mut status = IRStatus::Unchanged;
    // What a step has changed is analysed again for the next one.
    let mut done = |pass: &PassContext<'_>, loops: &mut Loops, step: IRStatus| {
        status |= step;
        if step.is_changed() {
            *loops = Loops::of(pass.context, function);
        }
        step.is_changed()
    };
    let step = canonical::back_edges(pass, &loops);
    done(pass, &mut loops, step);
    if knobs.flag("LoopMakeSingleEntry") {
        let step = canonical::preheaders(pass, &loops, |_| true);
        done(pass, &mut loops, step);
        let step = inversion::invert(pass, function, &loops, knobs);
        if done(pass, &mut loops, step) {
            let step = canonical::preheaders(pass, &loops, |_| true);
            done(pass, &mut loops, step);
        }
        let step = canonical::exits(pass, &loops);
        done(pass, &mut loops, step);
        if level >= 4 || knobs.flag("LoopPeelInversion") {
            let step = peeling::peel(pass, &loops, function, knobs)?;
            if done(pass, &mut loops, step) {
                let step = canonical::preheaders(pass, &loops, |_| true);
                done(pass, &mut loops, step);
                let step = canonical::exits(pass, &loops);
                done(pass, &mut loops, step);
            }
        }
    }
    Ok(status)
}
