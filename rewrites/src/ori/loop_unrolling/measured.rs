//! The decision that reproduces the factors of ptxas 13.0.88 (docs/loops.md: measured).

use orison_ori::knobs::Knobs;

use super::body::Body;
use super::{Decision, Surroundings};
use crate::ori::counted_loop::Rejection;

/// The instructions of a loop of copies, at most.
const PARTIAL_LIMIT: i64 = 350;
/// The instructions of the branch, the comparison and the counter.
const OVERHEAD: i64 = 3;
/// The least part of the instructions that a loop of copies must save, in percent.
const LEAST_SAVING: i64 = 4;
/// The largest body with reads of global memory that is copied if the number of iterations is not
/// known.
const WITH_LOADS: i64 = 49;

/// Decides about a loop with a constant number of iterations.
pub(super) fn known(
    body: &Body,
    trips: u64,
    around: &Surroundings,
    knobs: &Knobs,
) -> Result<Decision, Rejection> {
    let size = body.size.max(1);
    let saved = body.saved
        + knobs.integer("LoopUnrollExtraFoldableLdcWeight") * body.foldable_loads
        + knobs.integer("LoopUnrollFoldableAddrWeight") * body.foldable_addresses;
    let cost = (body.size - saved).max(0);
    let percent = (100 * saved / size).clamp(0, 100);
    let least = knobs.integer("UnrollTex3DPercentSavedThreshold");
    if body.textures_of_volumes > 0 && percent < least {
        return Err(Rejection::Budget(
            "it saves too little for its texture reads",
        ));
    }
    let small = body.size <= knobs.integer("LoopUnrollNumInstSmallLoop");
    if trips == 1 || small || fits(trips, cost, budget(percent, around, knobs)) {
        return Ok(Decision::Full);
    }
    if !around.is_single_block {
        return Err(Rejection::NoFactor);
    }
    if 100 * OVERHEAD / size < LEAST_SAVING {
        return Err(Rejection::Budget("copies would save too little"));
    }
    let repeated = (body.size - OVERHEAD).max(1);
    let most = u64::try_from(PARTIAL_LIMIT / repeated).unwrap_or(0);
    let remainder = |factor: u64| i64::try_from(trips % factor).unwrap_or(i64::MAX);
    let allowed = |factor: &u64| {
        let copies = i64::try_from(*factor).unwrap_or(i64::MAX);
        copies
            .saturating_mul(repeated)
            .saturating_add(remainder(*factor).saturating_mul(cost))
            <= PARTIAL_LIMIT
    };
    let mut factors = (2..=most.min(trips - 1)).rev();
    factors
        .find(allowed)
        .map(Decision::Partial)
        .ok_or(Rejection::Budget("every factor would exceed the budget"))
}

fn fits(trips: u64, cost: i64, budget: f64) -> bool {
    // Numbers of this size are exact.
    (trips - 1) as f64 * cost as f64 <= budget
}

/// The instructions that copies may add.
fn budget(percent: i64, around: &Surroundings, knobs: &Knobs) -> f64 {
    let base = knobs.integer("LoopUnrollNumExtraInstBase") * percent;
    let only = match around.is_only_loop {
        true => knobs.integer("LoopUnrollSingleLoopSavedPctFactor") * percent,
        false => 0,
    };
    let budget = (knobs.integer("UnrollBudget") + base + only) as f64;
    if around.share < knobs.number("UnrollFlexableFullLimit") {
        return budget;
    }
    budget * (1.0 + percent as f64 * around.share / knobs.number("UnrollInstLimit"))
}

/// Decides about a loop with an unknown number of iterations.
pub(super) fn unknown(body: &Body, knobs: &Knobs) -> Result<Decision, Rejection> {
    if body.barriers > 0 && (body.branches > 0 || body.guarded > 0) {
        return Err(Rejection::Divergent);
    }
    let limit = match knobs.integer("LoopUnrollNumInstTex") {
        0 => (22 + 5 * body.shared_loads).min(100),
        limit => limit,
    };
    let limit = match knobs.integer("UnrollUnknownInstLimit") {
        0 => limit,
        most => limit.min(most),
    };
    let factor = u64::try_from(knobs.integer("UnrollUnknownCount")).unwrap_or(0);
    let fits = match body.textures {
        2 if body.size >= limit && body.size < 100 => return Ok(Decision::Stages(2)),
        1 => body.size < limit.max(128),
        0 => body.size < limit || (body.far_loads > 0 && body.size <= WITH_LOADS),
        _ => body.size < limit,
    };
    match fits && factor >= 2 {
        true => Ok(Decision::Stages(factor)),
        false => Err(Rejection::Budget(
            "the body is too large for an unknown number of iterations",
        )),
    }
}
