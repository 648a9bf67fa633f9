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
    /// The operations that use the pool.
    users: Vec<usize>,
}

impl PoolTable {
    pub fn new(problem: &LoopProblem<'_>, interval: u32) -> Self {
        let pools = problem.graph.space().pools.iter().enumerate();
        let pools = pools.map(|(pool, entry)| {
            let uses = |node: &usize| {
                let mut shares = problem.footprints[*node].pools.iter();
                shares.any(|share| share.0 == pool)
            };
            let users: Vec<usize> = (0..problem.footprints.len()).filter(uses).collect();
            PoolRows {
                capacity: entry.capacity,
                used: vec![
                    0;
                    if users.is_empty() {
                        0
                    } else {
                        interval as usize
                    }
                ],
                users,
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

    /// The rows in which `units` more do not fit.
    pub fn full_rows(&self, pool: usize, units: u32) -> impl Iterator<Item = usize> {
        let rows = 0..self.pools[pool].used.len();
        rows.filter(move |row| self.is_full(pool, *row, units))
    }

    /// The operations that use a pool.
    pub fn users(&self, pool: usize) -> &[usize] {
        &self.pools[pool].users
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
