//! Difference bounds under propagation: the max-plus closure, re-closed after every new bound, and
//! the rules that tighten it.
//!
//! `bound[u][v]` is the least known `start[v] - start[u]`. Rules:
//! - closure: a new bound `u -> v` updates every pair through it;
//! - snapping: a bound between two operations that share a slot never allows an overlap; it moves
//!   up to the next cycle at which they do not overlap;
//! - load: relative to any operation of a machine, the others of that machine fit once into the
//!   rest of the interval, each inside its own window;
//! - depth: members of a group have the same depth, so bounds of one apply to the others, rounded
//!   to whole stages;
//! - pools: cycles in which an operation certainly runs count, and an operation cannot start where
//!   they leave too few units.

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
    /// The number of failures of each pair, row-major.
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

    /// Adds a bound and propagates to a fixpoint; `thorough` also checks the load of machines.
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
        let result = self.apply_rules(bounds, thorough);
        if result.is_err() {
            self.forget_dirty();
        }
        result
    }

    fn apply_rules(&mut self, bounds: &mut Bounds, thorough: bool) -> Result<(), Contradiction> {
        loop {
            self.snap_all(bounds)?;
            let mut changed = false;
            for group in 0..self.model.groups.len() {
                changed |= self.equal_depths(bounds, group)?;
            }
            for pool in 0..self.model.pools.len() {
                changed |= self.limit_pool(bounds, pool)?;
            }
            if !changed {
                break;
            }
        }
        if thorough {
            self.check_load(bounds)
        } else {
            Ok(())
        }
    }

    /// Members of a group have equal depths relative to the origin, which is position 0.
    fn equal_depths(&mut self, bounds: &mut Bounds, group: usize) -> Result<bool, Contradiction> {
        let model = self.model;
        let interval = model.interval;
        let members = &model.groups[group];
        let depths = members.iter().map(|&member| {
            let (low, high) = (bounds.get(0, member), -bounds.get(member, 0));
            (low.div_euclid(interval), high.div_euclid(interval))
        });
        let (low, high) = depths.fold((i32::MIN, i32::MAX), |known, depth| {
            (known.0.max(depth.0), known.1.min(depth.1))
        });
        if low > high {
            return Err(Contradiction);
        }
        let (first, last) = (low * interval, (high + 1) * interval - 1);
        let mut changed = false;
        for &member in members {
            if bounds.get(0, member) < first {
                self.raise(bounds, 0, member, first)?;
                changed = true;
            }
            if bounds.get(member, 0) < -last {
                self.raise(bounds, member, 0, -last)?;
                changed = true;
            }
        }
        self.work += 1;
        Ok(changed)
    }

    /// The cycles, relative to the reference, in which an operation may start.
    fn window(&self, bounds: &Bounds, position: usize) -> (i32, i32) {
        let reference = self.model.reference;
        (
            bounds.get(reference, position),
            -bounds.get(position, reference),
        )
    }

    /// Counts the cycles in which operations certainly run, and tightens windows at whose ends an
    /// operation would exceed the pool.
    fn limit_pool(&mut self, bounds: &mut Bounds, pool: usize) -> Result<bool, Contradiction> {
        let model = self.model;
        let load = &model.pools[pool];
        let row = |cycle: i32| cycle.rem_euclid(model.interval) as usize;
        let mut usage = vec![0_u32; model.interval as usize];
        let windows: Vec<(i32, i32)> = load
            .tasks
            .iter()
            .map(|task| self.window(bounds, task.0))
            .collect();
        for (&(_, cycles, units), &(low, high)) in load.tasks.iter().zip(&windows) {
            for cycle in high..low + cycles {
                usage[row(cycle)] += units;
                if usage[row(cycle)] > load.capacity {
                    return Err(Contradiction);
                }
            }
        }
        self.work += 1 + load.tasks.len() as u64;
        let mut changed = false;
        for (&(position, cycles, units), &(low, high)) in load.tasks.iter().zip(&windows) {
            let fits = |start: &i32| {
                (*start..start + cycles).all(|cycle| {
                    let own = cycle >= high && cycle < low + cycles;
                    usage[row(cycle)] + if own { 0 } else { units } <= load.capacity
                })
            };
            // The rows repeat after an interval.
            let mut upward = low..=high.min(low + model.interval);
            let first = upward.find(|start| fits(start)).ok_or(Contradiction)?;
            if first > low {
                self.raise(bounds, model.reference, position, first)?;
                changed = true;
            }
            let mut downward = (low.max(high - model.interval)..=high).rev();
            let last = downward.find(|start| fits(start)).ok_or(Contradiction)?;
            if last < high {
                self.raise(bounds, position, model.reference, -last)?;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// An operation with several possible starts in a row that the earliest starts overfill; the
    /// one with the fewest starts.
    pub fn overfull(&mut self, bounds: &Bounds) -> Option<usize> {
        let model = self.model;
        for load in &model.pools {
            self.work += load.tasks.len() as u64;
            let row = |cycle: i32| cycle.rem_euclid(model.interval) as usize;
            let mut usage = vec![0_u32; model.interval as usize];
            for &(position, cycles, units) in &load.tasks {
                let start = self.window(bounds, position).0;
                (start..start + cycles).for_each(|cycle| usage[row(cycle)] += units);
            }
            let Some(full) = usage.iter().position(|&units| units > load.capacity) else {
                continue;
            };
            let movable = load.tasks.iter().filter_map(|&(position, cycles, _)| {
                let (low, high) = self.window(bounds, position);
                let behind = (full as i32 - low).rem_euclid(model.interval);
                (high > low && behind < cycles).then_some((high - low, position))
            });
            if let Some((_, position)) = movable.min() {
                return Some(position);
            }
        }
        None
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

    /// Load of every machine, relative to each of its operations.
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

/// Whether some set of tasks needs more cycles than its earliest start and latest end allow.
/// Windows are `(earliest start, latest end, cycles)`.
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
