//! Whether a loop is unrolled, and how: the steps before and behind the choice of a factor.

use orison_ir::pass::PassContext;
use orison_ori::analyses::frequency::pragmas;
use orison_ori::analyses::induction::Loop;
use orison_ori::knobs::Knobs;

use super::body::Body;
use super::{Decision, Sizes, Surroundings, UNROLLED, measured, page, shape};
use crate::ori::counted_loop::CountedLoop;
use crate::ori::counted_loop::Rejection;
use crate::ori::functions::Function;
use crate::ori::loops::Loops;
use crate::ori::rules::Rules;

/// The instructions of all copies together, at most, whatever the knobs are.
const MOST_INSTRUCTIONS: u64 = 1 << 14;

/// Decides about a loop without inner loops.
pub(super) fn decide(
    pass: &PassContext<'_>,
    function: Function,
    loops: &Loops,
    number: usize,
    (sizes, total, knobs, rules): (&Sizes, usize, &Knobs, Rules),
) -> Result<(CountedLoop, Decision), Rejection> {
    let context = &*pass.context;
    let around = loops.at(context, number);
    let inductions = loops.inductions.at(number);
    if !loops.is_natural(number) {
        return Err(Rejection::Irregular("it is entered at several blocks"));
    }
    let forced = settled(&around, knobs)?;
    let candidate = CountedLoop::of(&around, inductions)?;
    if candidate.is_inverted {
        return Err(Rejection::NoCounter("the condition is inverted"));
    }
    let exit = around.flow.block(candidate.exit);
    let body = Body::of(&around, exit);
    irregular(&around, &body, knobs)?;
    let header = around.flow.block(around.natural.header);
    if sizes.was_outer(header)
        && !knobs.flag("LoopUnrollNonInnermost")
        && !forced
        && !page::admits_outer(&body)
    {
        return Err(Rejection::NotInnermost);
    }
    let single = body.branches == 0 && inductions.exits.len() == 1 && !candidate.is_combined;
    let surroundings = Surroundings {
        share: sizes.share(header),
        is_only_loop: total == 1,
        is_single_block: single && body.guarded_accesses == 0 && candidate.is_latch,
        is_hammock: inductions.exits.len() == 1
            && !inductions.may_end
            && candidate.is_latch
            && shape::is_hammock(&around, candidate.exit),
        is_convergent: inductions.is_convergent,
        is_uniform: !inductions.is_convergent || shape::is_uniform(function, &around, &candidate),
        is_hot: shape::is_hot(&around),
    };
    if !single && !knobs.flag("UnrollMultiBlockLoops") {
        return Err(Rejection::Irregular("it has several blocks"));
    }
    let forced = forced_factor(&candidate, &surroundings, knobs, forced);
    let decision = match (forced, candidate.trips, rules) {
        (Some(decision), ..) => decision,
        (None, Some(trips), Rules::Ptxas) => measured::known(&body, trips, &surroundings, knobs)?,
        (None, Some(trips), Rules::Page) => page::known(&body, trips, knobs)?,
        (None, None, _) if !knobs.flag("UnrollVariableBounds") => {
            return Err(Rejection::NoBound(
                "the number of iterations is not constant",
            ));
        }
        (None, None, _) => {
            unknown(&candidate, &surroundings, knobs)?;
            match rules {
                Rules::Ptxas => measured::unknown(&body, knobs)?,
                Rules::Page => page::unknown(&body, &surroundings, knobs)?,
            }
        }
    };
    if let Decision::Stages(factor) = decision
        && wraps(&candidate, factor.max(epilogue(knobs)))
    {
        return Err(Rejection::Budget("the steps of the copies wrap"));
    }
    let copies = match decision {
        Decision::Full => candidate.trips.unwrap_or(1),
        Decision::Partial(factor) => factor.saturating_mul(2),
        // The stages behind the loop are fewer than its copies.
        Decision::Stages(factor) => factor.saturating_mul(2).saturating_add(epilogue(knobs)),
    };
    let size = u64::try_from(body.size.max(1)).unwrap_or(1);
    match copies.saturating_mul(size) <= MOST_INSTRUCTIONS {
        true => Ok((candidate, decision)),
        false => Err(Rejection::Budget(
            "the copies would be more than 16,384 instructions",
        )),
    }
}

/// The copies of a second loop.
pub(super) fn epilogue(knobs: &Knobs) -> u64 {
    u64::try_from(knobs.integer("EpilogueLoopUnrollCount")).unwrap_or(0)
}

/// Whether the steps between the first and the last of some copies are more than the counter can
/// hold: then the bound minus them may seem not to wrap.
fn wraps(candidate: &CountedLoop, copies: u64) -> bool {
    candidate.counter.as_ref().is_some_and(|counter| {
        let step = i128::from(counter.counted.step().unsigned_abs());
        let between = i128::from(copies.saturating_sub(1));
        between.saturating_mul(step) >= 1 << counter.counted.stays.bits
    })
}

/// Whether a knob forces or excludes a loop; pragmas exclude it too.
fn settled(around: &Loop<'_>, knobs: &Knobs) -> Result<bool, Rejection> {
    let context = around.context;
    let natural = around.natural;
    let ends = natural.latches.iter().chain([&natural.header]);
    for block in ends {
        let Some(branch) = around.flow.block(*block).terminator(context) else {
            continue;
        };
        if pragmas(context, branch).any(|hint| hint == "nounroll") {
            return Err(Rejection::Disabled("a pragma excludes it"));
        }
        if branch.attribute(context, UNROLLED).is_some() {
            return Err(Rejection::Disabled("it is the result of unrolling"));
        }
    }
    let list = knobs.text("LoopUnrollOverride");
    let named = |sign: char| {
        let own = format!("{sign}{}{sign}", natural.header);
        list.len() == 1 && list.starts_with(sign) || list.contains(&own)
    };
    match named('-') {
        true => Err(Rejection::Disabled("LoopUnrollOverride excludes it")),
        false => Ok(named('+')),
    }
}

/// What no rules unroll.
fn irregular(around: &Loop<'_>, body: &Body, knobs: &Knobs) -> Result<(), Rejection> {
    if body.calls > 0 {
        return Err(Rejection::Irregular("it calls a function"));
    }
    if body.fences > 0 {
        return Err(Rejection::Irregular("it contains a fence"));
    }
    if shape::has_partial_barrier(around) {
        return Err(Rejection::Irregular(
            "not every iteration executes its barrier",
        ));
    }
    if shape::has_switch(around) {
        return Err(Rejection::NoConditionalBranch);
    }
    if body.predicates > knobs.integer("UnrollPregThreshold") {
        return Err(Rejection::Budget("it needs too many predicates"));
    }
    let scale = knobs.integer("UnrollProfiledColdInstsScale");
    if scale > 0 && body.cold * scale >= body.size {
        return Err(Rejection::Budget("most of it is cold"));
    }
    Ok(())
}

/// What no rules unroll if the number of iterations is unknown.
fn unknown(candidate: &CountedLoop, around: &Surroundings, knobs: &Knobs) -> Result<(), Rejection> {
    // The stages stand on it, whatever the knobs are.
    if !candidate.is_latch {
        return Err(Rejection::Irregular("its test is not at its end"));
    }
    if !around.is_hammock && !knobs.flag("LoopUnrollUnknownMultiBlock") {
        let reason = "it has inner branches other than simple arms";
        return Err(Rejection::Irregular(reason));
    }
    match around.is_convergent && !around.is_uniform {
        true => Err(Rejection::Divergent),
        false => Ok(()),
    }
}

/// The factor that knobs demand.
fn forced_factor(
    candidate: &CountedLoop,
    around: &Surroundings,
    knobs: &Knobs,
    forced: bool,
) -> Option<Decision> {
    let factor = u64::try_from(knobs.integer("LoopUnrollFactor")).unwrap_or(0);
    let factor = match (factor, forced) {
        (0, false) => return None,
        (0, true) => u64::try_from(knobs.integer("UnrollUnknownCount")).unwrap_or(0),
        (factor, _) => factor,
    };
    match candidate.trips {
        _ if factor < 2 => None,
        Some(trips) if trips <= factor => Some(Decision::Full),
        Some(_) => around.is_single_block.then_some(Decision::Partial(factor)),
        None => {
            let allowed = around.is_hammock && (around.is_uniform || !around.is_convergent);
            allowed.then_some(Decision::Stages(factor))
        }
    }
}
