//! The decision as the page lists it: steps G, J, K and P of its main flow chart.

use orison_ori::knobs::Knobs;

use super::body::Body;
use super::{Decision, Surroundings};
use crate::ori::counted_loop::Rejection;

/// The limit of the page's first test of bodies with texture reads.
const SMALL_WITH_TEXTURES: i64 = 49;
/// What one call of a single block counts for.
const CALL: i64 = 9;
/// What a texture read counts for against the size of the body.
const TEXTURE: i64 = 10;

/// The adjusted size: step G.
fn remaining(body: &Body) -> i64 {
    body.size + CALL * body.calls - body.saved
}

/// Decides about a loop with a constant number of iterations. The listing gives no factor to more
/// than two iterations, except for bodies below `UnrollSmallLoopLimit`.
pub(super) fn known(body: &Body, trips: u64, knobs: &Knobs) -> Result<Decision, Rejection> {
    let cost = remaining(body);
    if body.size <= knobs.integer("UnrollSmallLoopLimit") {
        return Ok(Decision::Full);
    }
    if trips > 2 {
        return Err(Rejection::NoFactor);
    }
    let trips_signed = i64::try_from(trips).unwrap_or(i64::MAX);
    if knobs.integer("UnrollFullInstLimit") / trips_signed > cost {
        return Ok(Decision::Full);
    }
    let reduced = knobs.integer("UnrollSmallLoopLimit") / trips_signed;
    match reduced >= trips_signed {
        true => Ok(Decision::Full),
        false => Err(Rejection::NoFactor),
    }
}

/// Decides about a loop with an unknown number of iterations: steps K1 to K4.
pub(super) fn unknown(
    body: &Body,
    around: &Surroundings,
    knobs: &Knobs,
) -> Result<Decision, Rejection> {
    let remaining = remaining(body);
    let known = u64::try_from(knobs.integer("UnrollUnknownCount")).unwrap_or(0);
    let limit = match knobs.integer("LoopUnrollNumInstTex") {
        0 => (5 * body.textures + 22).min(100),
        limit => limit,
    };
    let factor = if body.textures > 0 && remaining <= SMALL_WITH_TEXTURES {
        match around.is_hot && !around.is_single_block {
            true => 2,
            false => known,
        }
    } else if limit <= remaining {
        2.min(known)
    } else {
        known
    };
    let growth = knobs.integer("UnrollBudget")
        + knobs.integer("UnrollExtraInstPerPercentSaving") * (100 * body.saved / body.size.max(1))
        + match around.share >= knobs.number("LoopUnrollLargePartOfShaderPct") {
            true => knobs.integer("LoopUnrollNumExtraInstBase"),
            false => 0,
        };
    let fits = |factor: &u64| {
        let copies = i64::try_from(*factor).unwrap_or(i64::MAX);
        copies.saturating_mul(remaining) <= growth
    };
    let mut factors = std::iter::successors(Some(factor), |factor| Some(factor / 2));
    match factors.find(|factor| *factor < 2 || fits(factor)) {
        Some(factor) if factor >= 2 => Ok(Decision::Stages(factor)),
        _ => Err(Rejection::NoFactor),
    }
}

/// Step J: loops around others need texture reads.
pub(super) fn admits_outer(body: &Body) -> bool {
    TEXTURE * body.textures >= remaining(body)
}
