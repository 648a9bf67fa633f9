//! Inversion: tests at the start of loops move to their ends.

use orison_ir::analyses::NaturalLoop;
use orison_ir::pass::{IRStatus, PassContext};
use orison_ori::analyses::properties;
use orison_ori::knobs::Knobs;

use super::INVERTED;
use crate::ori::functions::{Function, applied};
use crate::ori::loops::Loops;
use crate::ori::surgery::{rotate, tested_body};

const RULE: &str = "loop-inversion";

/// Inverts the loops of a function that are tested at their start.
pub(super) fn invert(
    pass: &mut PassContext<'_>,
    function: Function,
    loops: &Loops,
    knobs: &Knobs,
) -> IRStatus {
    if !knobs.flag("LoopInversion") {
        return IRStatus::Unchanged;
    }
    let budget = knobs.budget("LoopInversionBudget");
    let mut chosen: Vec<&NaturalLoop> = Vec::new();
    for (number, natural) in loops.forest.loops().iter().enumerate() {
        // A header that is the latch is tested at the end.
        let at_start = !natural.latches.contains(&natural.header);
        if !loops.is_natural(number) || !at_start || tested_body(&loops.flow, natural).is_none() {
            continue;
        }
        let header = loops.flow.block(natural.header);
        let Some(branch) = header.terminator(pass.context) else {
            continue;
        };
        let context = &*pass.context;
        let convergent = |op| properties::is_convergent(context, op);
        let together = header.operations(context).any(convergent);
        let instructions = header.operations(context);
        let instructions = instructions.filter(|op| properties::is_instruction(context, *op));
        let size = u64::try_from(instructions.count()).unwrap_or(u64::MAX);
        if together {
            pass.declined(
                branch,
                RULE,
                "the test contains an operation of the threads together",
                "a test of each thread alone",
            );
        } else if budget.is_some_and(|budget| size > budget) {
            pass.declined(
                branch,
                RULE,
                &format!("the test has {size} instructions"),
                "a larger LoopInversionBudget",
            );
        } else {
            applied(pass, branch, RULE, "the loop is tested at its end");
            chosen.push(natural);
        }
    }
    let copies = rotate(pass.context, function.body, &loops.flow, &chosen);
    pass.count(INVERTED, copies.len() as u64);
    for copy in &copies {
        // Hints about the loop stay with the branch that is its latch now.
        if let Some(branch) = copy.terminator(pass.context) {
            branch.remove_attribute(pass.context, "ori.pragmas");
        }
    }
    IRStatus::changed_if(!copies.is_empty())
}
