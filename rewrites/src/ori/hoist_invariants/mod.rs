//! The pass `ori-hoist-invariants`: phases 35, 66, 79 and 88 of ptxas.

mod budget;
mod constant_loads;
mod contents;
mod invariance;
mod nest;
mod weights;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ori::knobs::Knobs;

use self::nest::Nest;
use super::functions::{Function, on_each};
use super::loop_simplification::canonical::preheaders;
use super::loops::Loops;
use super::rules::Rules;

orison_ir::pass_options! {
    /// Options of `ori-hoist-invariants`.
    pub struct HoistInvariantsOptions {
        /// Which of the four passes of ptxas it is, from 0: phase 35, 66, 79 or 88.
        pass_id = "pass-id": i64 = 0,
        /// Whose rules say what is hoisted from: `ptxas` (also if unset) or `page`.
        rules = "rules": Option<Rules> = None,
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const RULE: &str = "loop-invariant";
const HOISTED: &str = "hoisted";
const PREHEADERS: &str = "preheaders";
const UNPROFITABLE: &str = "unprofitable";

/// The pass `ori-hoist-invariants`.
#[derive(Clone, Debug)]
pub struct HoistInvariants(HoistInvariantsOptions);

impl Pass for HoistInvariants {
    type Options = HoistInvariantsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<HoistInvariants>(
        "ori-hoist-invariants",
        "Moves what is the same in every iteration in front of the loop: phases 35, 66, 79 and 88 \
         of ptxas.\n\
         \n\
         The invariant operations of a block are hoisted together, if what the iterations save is \
         worth the registers that hold the results through the loop. A block that every iteration \
         executes may save more than one behind a branch, a loop without inner loops more than one \
         around others; `pass-id` selects the weights. Memory is read early only if every execution \
         of the loop reads it, and no write in the loop may change it. What a guard protects moves \
         with its guard. Loops are to be canonical (ori-loop-simplification). The knobs whose names \
         begin with `Hoist`, and others in docs/loops.md, are the parameters.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: HOISTED,
            summary: "Number of operations moved in front of a loop",
        },
        Statistic {
            name: PREHEADERS,
            summary: "Number of preheaders created",
        },
        Statistic {
            name: UNPROFITABLE,
            summary: "Number of blocks whose invariant operations stay",
        },
    ]);

    fn create(options: HoistInvariantsOptions) -> Self {
        HoistInvariants(options)
    }

    fn options(&self) -> &HoistInvariantsOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let pass_id = self.0.pass_id;
        if !(0..=3).contains(&pass_id) {
            let message = format!("option 'pass-id': expected 0 to 3, found {pass_id}");
            return Err(pass.op().op_error(pass.context, message).into());
        }
        let follows_page = self.0.rules == Some(Rules::Page);
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            let settings = Settings {
                pass_id,
                follows_page,
                knobs,
            };
            Ok(hoist(pass, function, &settings))
        })
    }
}

/// The parameters of a run.
struct Settings<'k> {
    pass_id: i64,
    follows_page: bool,
    knobs: &'k Knobs,
}

fn hoist(pass: &mut PassContext<'_>, function: Function, settings: &Settings<'_>) -> IRStatus {
    let knobs = settings.knobs;
    let mut loops = Loops::of(pass.context, function);
    if !knobs.flag("HoistInvariants") || loops.forest.loops().is_empty() {
        return IRStatus::Unchanged;
    }
    let mut status = IRStatus::Unchanged;
    let mut all = loops.forest.loops().iter();
    if !all.all(|natural| natural.preheader(&loops.flow).is_some()) {
        let nest = Nest::of(pass.context, function, &loops, settings);
        let all = 0..loops.forest.loops().len();
        let wanted: Vec<bool> = all
            .map(|number| nest.wants_preheader(pass.context, number))
            .collect();
        status = preheaders(pass, &loops, |number| wanted[number]);
        if status.is_changed() {
            loops = Loops::of(pass.context, function);
        }
    }
    let nest = Nest::of(pass.context, function, &loops, settings);
    let mut left = knobs.budget("HoistInvariantsBudget");
    // Inner loops have higher indices: what leaves them may leave the loops around them too.
    for number in (0..loops.forest.loops().len()).rev() {
        if left == Some(0) {
            break;
        }
        let step = nest.hoist(pass, number);
        if step.is_changed() {
            left = left.map(|left| left - 1);
        }
        status |= step;
    }
    status
}
