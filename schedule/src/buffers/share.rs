//! Phase 4: rings whose slots are never busy at the same time may overlap in memory.
//!
//! Pairs are tried in ascending order of their ids; a ring joins a group if it is disjoint from
//! every ring already in it. The result depends on that order, so the order is fixed (C53).
//!
//! Source: TileAS reference section 7, phase 4.

use super::footprint::Footprint;
use super::lifetime::Lifetime;

/// Sharing is not attempted if more iterations than this would have to be compared one by one.
const MOST_ITERATIONS: u64 = 1 << 10;

/// Groups of footprints that share storage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shared {
    /// The position of the first member of the group of each footprint.
    pub(super) leader: Vec<usize>,
    /// Pairs of positions that were merged.
    pub(super) pairs: Vec<(usize, usize)>,
}

impl Shared {
    /// One group per footprint, except for aliases of the same storage.
    pub(super) fn none(footprints: &[Footprint]) -> Self {
        Shared {
            leader: footprints.iter().map(|footprint| footprint.root).collect(),
            pairs: Vec::new(),
        }
    }

    fn members(&self, leader: usize) -> Vec<usize> {
        (0..self.leader.len())
            .filter(|at| self.leader[*at] == leader)
            .collect()
    }
}

/// Merges groups where permitted; `order` is the positions by ascending id.
pub(super) fn share(footprints: &[Footprint], order: &[usize]) -> Shared {
    let mut shared = Shared::none(footprints);
    for (rank, &a) in order.iter().enumerate() {
        for &b in &order[rank + 1..] {
            if shared.leader[a] == shared.leader[b] || !alike(&footprints[a], &footprints[b]) {
                continue;
            }
            let (ours, theirs) = (
                shared.members(shared.leader[a]),
                shared.members(shared.leader[b]),
            );
            let apart = ours.iter().all(|x| {
                theirs
                    .iter()
                    .all(|y| !collide(&footprints[*x], &footprints[*y]))
            });
            if apart {
                let (keep, leave) = (shared.leader[a], shared.leader[b]);
                for member in theirs {
                    debug_assert_eq!(shared.leader[member], leave);
                    shared.leader[member] = keep;
                }
                shared.pairs.push((a, b));
            }
        }
    }
    shared
}

/// Whether both have the same class, element type and footprint, and no waits exist yet.
fn alike(a: &Footprint, b: &Footprint) -> bool {
    a.class == b.class
        && a.element == b.element
        && a.bytes() == b.bytes()
        && a.align == b.align
        && !a.has_waits
        && !b.has_waits
}

/// Whether slots on the same bytes are ever busy at the same time.
fn collide(a: &Footprint, b: &Footprint) -> bool {
    if a.depth == b.depth {
        // Slot i overlaps slot i, and both serve the iterations i, i + depth, …
        return a.lifetime.overlaps(&b.lifetime, a.depth);
    }
    let Some(rounds) = common_rounds(a.depth, b.depth) else {
        return true;
    };
    let (Lifetime::Cyclic { .. }, Lifetime::Cyclic { .. }) = (a.lifetime, b.lifetime) else {
        return true;
    };
    (0..rounds).any(|k| {
        (0..rounds).any(|m| {
            let ours = a.slot_range(k);
            let theirs = b.slot_range(m);
            let on_each_other = ours.0 < theirs.1 && theirs.0 < ours.1;
            let shift = i64::from(m) - i64::from(k);
            on_each_other && a.lifetime.overlaps_shifted(&b.lifetime, shift, rounds)
        })
    })
}

/// The least common multiple of two depths; `None` if it is too large to examine.
fn common_rounds(a: u32, b: u32) -> Option<u32> {
    let (mut x, mut y) = (a.max(1), b.max(1));
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let rounds = u64::from(a.max(1) / x) * u64::from(b.max(1));
    (rounds <= MOST_ITERATIONS)
        .then(|| u32::try_from(rounds).ok())
        .flatten()
}
