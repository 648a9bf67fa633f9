//! Difference bounds under propagation: the max-plus closure, kept closed after every new bound,
//! and the rules that sharpen it.
//!
//! `bound[u][v]` is the least known `start[v] - start[u]`. Rules:
//! - closure: a new bound `u -> v` updates every pair through it;
//! - snapping: a bound of two operations that share a slot never lies where they overlap, it
//!   moves up to the next cycle at which they do not;
//! - load: seen from any operation of a machine, the others of that machine fit once into the
//!   rest of the interval, each inside its own window.

use super::model::{Model, NO_PATH};

/// Contradiction found by propagation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contradiction;

/// Closed difference bounds at one point of the search.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    size: usize,
    value: Vec<i32>,
}

impl Bounds {
    /// The least known `start[to] - start[from]`.
    #[inline]
    pub fn get(&self, from: usize, to: usize) -> i32 {
        self.value[from * self.size + to]
    }

    /// The bounds from one operation to all others.
    pub fn row(&self, from: usize) -> &[i32] {
        &self.value[from * self.size..(from + 1) * self.size]
    }

    /// Overwrites with another state of the same model.
    pub fn copy_from(&mut self, other: &Self) {
        self.value.copy_from_slice(&other.value);
    }
}

/// The propagation engine of one model. It counts its work.
#[derive(Debug)]
pub(super) struct Engine<'m> {
    pub model: &'m Model,
    /// Work units spent.
    pub work: u64,
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    source_row: Vec<i32>,
    /// How often a pair was the one that failed, row-major.
    pub blame: Vec<u32>,
    touched: Vec<bool>,
    windows: Vec<(i32, i32, i32)>,
}

impl<'m> Engine<'m> {
    pub fn new(model: &'m Model) -> Self {
        Self {
            model,
            work: 0,
            dirty: Vec::new(),
            is_dirty: vec![false; model.size],
            source_row: vec![0; model.size],
            blame: vec![0; model.size * model.size],
            touched: vec![false; model.size],
            windows: Vec::new(),
        }
    }

    /// The closed bounds before any decision.
    pub fn root(&mut self) -> Result<Bounds, Contradiction> {
        let size = self.model.size;
        let mut bounds = Bounds {
            size,
            value: vec![NO_PATH; size * size],
        };
        for node in 0..size {
            bounds.value[node * size + node] = 0;
        }
        for conflicts in &self.model.conflicts {
            for conflict in conflicts {
                if conflict.gap + conflict.back_gap > self.model.interval {
                    return Err(Contradiction);
                }
            }
        }
        for &(from, to, weight) in &self.model.bounds {
            self.raise(&mut bounds, from as usize, to as usize, weight)?;
        }
        for node in 0..size {
            self.mark(node);
        }
        self.propagate(&mut bounds, true)?;
        Ok(bounds)
    }

    fn mark(&mut self, node: usize) {
        if !self.is_dirty[node] {
            self.is_dirty[node] = true;
            self.touched[node] = true;
            self.dirty.push(node as u32);
        }
    }

    /// Adds the bound `start[to] - start[from] >= weight` and closes.
    fn raise(
        &mut self,
        bounds: &mut Bounds,
        from: usize,
        to: usize,
        weight: i32,
    ) -> Result<(), Contradiction> {
        let size = self.model.size;
        if bounds.get(from, to) >= weight {
            return Ok(());
        }
        if bounds.get(to, from) + weight > 0 {
            return Err(Contradiction);
        }
        let mut target = std::mem::take(&mut self.source_row);
        target.copy_from_slice(bounds.row(to));
        for node in 0..size {
            let through = bounds.value[node * size + from] + weight;
            if through <= bounds.value[node * size + to] {
                continue;
            }
            let row = &mut bounds.value[node * size..(node + 1) * size];
            for (entry, &rest) in row.iter_mut().zip(&target) {
                *entry = (*entry).max(through.saturating_add(rest));
            }
            self.work += 1;
            self.mark(node);
        }
        self.source_row = target;
        Ok(())
    }

    /// Adds a bound and propagates to a fixpoint; `thorough` also checks the machines' load.
    pub fn assume(
        &mut self,
        bounds: &mut Bounds,
        from: usize,
        to: usize,
        weight: i32,
        thorough: bool,
    ) -> Result<(), Contradiction> {
        self.touched.fill(false);
        let result = self
            .raise(bounds, from, to, weight)
            .and_then(|()| self.propagate(bounds, thorough));
        if result.is_err() {
            self.forget_dirty();
        }
        result
    }

    fn forget_dirty(&mut self) {
        while let Some(node) = self.dirty.pop() {
            self.is_dirty[node as usize] = false;
        }
    }

    fn propagate(&mut self, bounds: &mut Bounds, thorough: bool) -> Result<(), Contradiction> {
        let result = self.snap_all(bounds).and_then(|()| {
            if thorough {
                self.check_load(bounds)
            } else {
                Ok(())
            }
        });
        if result.is_err() {
            self.forget_dirty();
        }
        result
    }

    fn snap_all(&mut self, bounds: &mut Bounds) -> Result<(), Contradiction> {
        let model = self.model;
        let interval = model.interval;
        while let Some(node) = self.dirty.pop() {
            let node = node as usize;
            self.is_dirty[node] = false;
            self.work += 1;
            for conflict in &model.conflicts[node] {
                let other = conflict.other as usize;
                let bound = bounds.get(node, other);
                if bound <= NO_PATH / 2 {
                    continue;
                }
                let row = bound.rem_euclid(interval);
                let snapped = if row < conflict.gap {
                    bound - row + conflict.gap
                } else if row > interval - conflict.back_gap {
                    bound - row + interval + conflict.gap
                } else {
                    continue;
                };
                if self.raise(bounds, node, other, snapped).is_err() {
                    self.blame[node * model.size + other] += 1;
                    self.blame[other * model.size + node] += 1;
                    return Err(Contradiction);
                }
            }
        }
        Ok(())
    }

    /// Load of every machine, seen from each of its operations.
    fn check_load(&mut self, bounds: &Bounds) -> Result<(), Contradiction> {
        let interval = self.model.interval;
        let mut windows = std::mem::take(&mut self.windows);
        let mut result = Ok(());
        'machines: for machine in &self.model.machines {
            let total: i32 = machine.tasks.iter().map(|&(_, cycles)| cycles).sum();
            if total > interval {
                result = Err(Contradiction);
                break;
            }
            for &(origin, own) in &machine.tasks {
                if !self.touched[origin as usize] {
                    continue;
                }
                windows.clear();
                for &(task, cycles) in machine.tasks.iter().filter(|&&(task, _)| task != origin) {
                    let low = bounds.get(origin as usize, task as usize);
                    let high = -bounds.get(task as usize, origin as usize);
                    let lap = low.div_euclid(interval);
                    let window = if low > NO_PATH / 2 && lap == high.div_euclid(interval) {
                        (low - lap * interval, high - lap * interval + cycles, cycles)
                    } else {
                        (own, interval, cycles)
                    };
                    windows.push(window);
                }
                self.work += 1 + windows.len() as u64 / 4;
                if overloaded(&mut windows) {
                    result = Err(Contradiction);
                    break 'machines;
                }
            }
        }
        self.windows = windows;
        result
    }
}

/// Whether some set of tasks needs more cycles than lie between its earliest start and its
/// latest end. Windows are `(earliest start, latest end, cycles)`.
fn overloaded(windows: &mut [(i32, i32, i32)]) -> bool {
    windows.sort_unstable_by_key(|&(_, end, _)| end);
    for first in 0..windows.len() {
        let begin = windows[first].0;
        if windows[..first].iter().any(|&(start, _, _)| start == begin) {
            continue;
        }
        let mut load = 0;
        for &(start, end, cycles) in windows.iter() {
            if start >= begin {
                load += cycles;
                if load > end - begin {
                    return true;
                }
            }
        }
    }
    false
}
