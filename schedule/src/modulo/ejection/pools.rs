//! Units of issue pools in use, by row.

use super::super::problem::LoopProblem;

/// The pools of a loop at one interval. Pairs that exceed a pool are rivals; this table counts
/// larger sets.
#[derive(Clone, Debug)]
pub(super) struct PoolTable {
    interval: usize,
    pools: Vec<PoolRows>,
}

#[derive(Clone, Debug)]
struct PoolRows {
    capacity: u32,
    used: Vec<u32>,
}

impl PoolTable {
    pub fn new(problem: &LoopProblem<'_>, interval: u32) -> Self {
        let pools = problem.graph.space().pools.iter().enumerate();
        let pools = pools.map(|(pool, entry)| {
            let mut shares = problem.footprints.iter().flat_map(|print| &print.pools);
            let is_used = shares.any(|share| share.0 == pool);
            PoolRows {
                capacity: entry.capacity,
                used: vec![0; if is_used { interval as usize } else { 0 }],
            }
        });
        Self {
            interval: interval as usize,
            pools: pools.collect(),
        }
    }

    pub fn clear(&mut self) {
        self.pools.iter_mut().for_each(|pool| pool.used.fill(0));
    }

    /// Whether `units` more do not fit in a row.
    pub fn is_full(&self, pool: usize, row: usize, units: u32) -> bool {
        self.pools[pool].used[row] + units > self.pools[pool].capacity
    }

    /// Adds or removes units in the rows from a start on.
    pub fn change(&mut self, share: (usize, u32), start: i32, duration: u32, add: bool) {
        let (pool, units) = share;
        let mut row = start.rem_euclid(self.interval as i32) as usize;
        for _ in 0..duration {
            let used = &mut self.pools[pool].used[row];
            *used = if add { *used + units } else { *used - units };
            row = (row + 1) % self.interval;
        }
    }
}
