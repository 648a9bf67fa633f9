//! Pairs of operations that cannot run in the same cycle, with the distances they must keep.

use super::super::problem::LoopProblem;

/// Loops with more pairs are not searched, so that the list fits in memory.
const PAIR_LIMIT: usize = 1 << 24;

/// An operation that shares a slot with another, or that exceeds a pool together with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rival {
    /// The other operation.
    pub other: u32,
    /// Cycles from this operation's start to the other's, at least.
    pub gap: i32,
    /// Cycles from the other's start to this operation's, at least.
    pub back_gap: i32,
}

/// The rivals of every operation. They do not depend on the interval.
#[derive(Clone, Debug)]
pub struct Rivals {
    of_node: Vec<Vec<Rival>>,
}

impl Rivals {
    /// Collects the pairs of a loop; `None` if there are too many.
    #[must_use]
    pub fn new(problem: &LoopProblem<'_>) -> Option<Self> {
        let size = problem.footprints.len();
        let pools = problem.graph.space().pools.len();
        // Users of each slot, then of each pool.
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); 65 + pools];
        for (node, footprint) in problem.footprints.iter().enumerate() {
            for &(slot, _) in &footprint.holds {
                users[usize::from(slot)].push(node as u32);
            }
            for &(pool, _) in &footprint.pools {
                users[65 + pool].push(node as u32);
            }
        }
        let pairs: usize = users.iter().map(|list| list.len() * list.len()).sum();
        if pairs > PAIR_LIMIT {
            return None;
        }
        let mut collector = Collector {
            problem,
            place: vec![usize::MAX; size],
            list: Vec::new(),
        };
        let of_node = (0..size).map(|node| collector.collect(node, &users));
        Some(Self {
            of_node: of_node.collect(),
        })
    }

    pub(super) fn of(&self, node: usize) -> &[Rival] {
        &self.of_node[node]
    }
}

struct Collector<'p, 'g> {
    problem: &'p LoopProblem<'g>,
    /// Position in the list of each operation that is already in it.
    place: Vec<usize>,
    list: Vec<Rival>,
}

impl Collector<'_, '_> {
    fn collect(&mut self, node: usize, users: &[Vec<u32>]) -> Vec<Rival> {
        let problem = self.problem;
        let own = &problem.footprints[node];
        for &(slot, duration) in &own.holds {
            for &other in &users[usize::from(slot)] {
                let holds = &problem.footprints[other as usize].holds;
                let hold = holds.iter().find(|hold| hold.0 == slot);
                self.add(node, other, duration, hold.map_or(0, |hold| hold.1));
            }
        }
        for &(pool, units) in &own.pools {
            let capacity = problem.graph.space().pools[pool].capacity;
            for &other in &users[65 + pool] {
                let footprint = &problem.footprints[other as usize];
                let share = footprint.pools.iter().find(|share| share.0 == pool);
                if share.is_some_and(|share| units + share.1 > capacity) {
                    self.add(node, other, own.duration, footprint.duration);
                }
            }
        }
        std::mem::take(&mut self.list)
    }

    fn add(&mut self, node: usize, other: u32, gap: u32, back_gap: u32) {
        if other as usize == node {
            return;
        }
        let (gap, back_gap) = (gap as i32, back_gap as i32);
        let place = &mut self.place[other as usize];
        match self.list.get_mut(*place) {
            Some(rival) if rival.other == other => {
                rival.gap = rival.gap.max(gap);
                rival.back_gap = rival.back_gap.max(back_gap);
            }
            _ => {
                *place = self.list.len();
                self.list.push(Rival {
                    other,
                    gap,
                    back_gap,
                });
            }
        }
    }
}
