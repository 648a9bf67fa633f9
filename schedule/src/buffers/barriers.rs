//! Phase 2: named barriers for locks.
//!
//! Source: TileAS reference section 7, phase 2, and C51, C52.

use super::error::{AssignError, Phase};
use super::lifetime::Lifetime;
use super::request::{Budget, BufferRequest, RequestKind};

/// The first barrier that is assigned: 0 synchronises the whole block.
pub(super) const FIRST: u32 = 1;

/// The barrier of each lock, in the order of the requests; `None` for rings, and for locks that can
/// do without if all are taken. A lock takes the
/// lowest free barrier or, if all are taken, the lowest whose holders are never busy at the same
/// time.
pub(super) fn assign(
    requests: &[BufferRequest],
    lifetimes: &[Lifetime],
    budget: &Budget,
) -> Result<Vec<Option<u32>>, AssignError> {
    let mut holders: Vec<Vec<usize>> = Vec::new();
    let pool = budget.named_barriers.saturating_sub(FIRST) as usize;
    let mut given = Vec::with_capacity(requests.len());
    for (at, request) in requests.iter().enumerate() {
        if matches!(request.kind, RequestKind::Ring(_)) {
            given.push(None);
            continue;
        }
        let position = if holders.len() < pool {
            holders.push(Vec::new());
            Some(holders.len() - 1)
        } else {
            holders.iter().position(|held| {
                held.iter()
                    .all(|other| !lifetimes[at].overlaps(&lifetimes[*other], 1))
            })
        };
        let Some(position) = position else {
            if request.kind == RequestKind::Lock {
                given.push(None);
                continue;
            }
            let mut error = AssignError::new(Phase::Barriers, request, Some(lifetimes[at]));
            error = error.because(format!(
                "its lifetime overlaps those of all {pool} named barriers"
            ));
            for (number, held) in (FIRST..).zip(&holders) {
                let names: Vec<_> = held.iter().map(|at| requests[*at].name.as_str()).collect();
                error = error.with_note(format!("barrier {number}: {}", names.join(", ")));
            }
            return Err(error);
        };
        holders[position].push(at);
        given.push(
            u32::try_from(position)
                .ok()
                .map(|position| position + FIRST),
        );
    }
    Ok(given)
}
