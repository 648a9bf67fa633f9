//! Refutation of intervals at any size, by the cycles in which the operations of a cluster may start.
//!
//! In a *cluster* every operation is bounded from both sides by every other, through recurrences,
//! groups or stage limits. Relative to one of its members, the *anchor*, each operation has a window of
//! starts. Operations that share a slot are tasks that may not overlap, so windows tighten, and an
//! empty one refutes the interval. The operations of the iterations before and after are the same
//! tasks an interval earlier and later.
//!
//! After propagation, parts of windows are probed: a part in which no start is possible is removed.
//! The searches for schedules do not use this module, and no schedule depends on it.

mod cluster;
mod disjunctive;

use super::problem::LoopProblem;
use cluster::{Cluster, clusters};
use disjunctive::{Disjunctive, Task};

/// The interval has no schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refuted;

/// The clusters of a loop, for all intervals.
#[derive(Clone, Debug)]
pub struct WindowModel {
    clusters: Vec<Cluster>,
}

impl WindowModel {
    /// Collects the clusters and what may not overlap in each.
    #[must_use]
    pub fn new(problem: &LoopProblem<'_>) -> Self {
        Self {
            clusters: clusters(problem),
        }
    }

    /// Whether no schedule exists at an interval; `false` if that is not known. `work` is reduced by
    /// the work done, a unit for each bound or four for each task examined. With `probing`, parts of
    /// windows are probed until the work runs out or nothing changes.
    #[must_use]
    pub fn refutes(&self, interval: u32, probing: bool, work: &mut u64) -> bool {
        let share = *work / self.clusters.len().max(1) as u64;
        self.clusters.iter().any(|cluster| {
            let mut left = share;
            let refuted = refutes(cluster, i64::from(interval), probing, &mut left);
            *work -= share - left;
            refuted.is_err()
        })
    }
}

fn refutes(cluster: &Cluster, interval: i64, probing: bool, work: &mut u64) -> Result<(), Refuted> {
    let anchors = cluster.anchors(interval, work)?;
    let share = *work / anchors.len().max(1) as u64;
    for anchor in anchors {
        let mut left = share;
        let mut windows = Windows::new(cluster, interval, anchor);
        let mut result = windows.propagate(&mut left);
        if probing && result.is_ok() {
            result = windows.probe_all(&mut left);
        }
        *work -= share - left;
        result?;
    }
    Ok(())
}

/// "Not bounded": beyond every cycle, and safe for additions.
const FAR: i64 = i64::MAX / 4;

/// First and last starts of the members of a cluster.
#[derive(Debug)]
struct Windows<'c> {
    cluster: &'c Cluster,
    interval: i64,
    range: Vec<(i64, i64)>,
    /// Machines of which a window has changed.
    is_dirty: Vec<bool>,
    rules: Disjunctive,
    tasks: Vec<Task>,
    /// Member and lap of each task.
    origin: Vec<(u32, i64)>,
}

impl<'c> Windows<'c> {
    /// The anchor starts at 0, and nothing else is known.
    fn new(cluster: &'c Cluster, interval: i64, anchor: usize) -> Self {
        let mut range = vec![(-FAR, FAR); cluster.size];
        range[anchor] = (0, 0);
        Self {
            cluster,
            interval,
            range,
            is_dirty: vec![true; cluster.machines.len()],
            rules: Disjunctive::default(),
            tasks: Vec::new(),
            origin: Vec::new(),
        }
    }

    /// Applies all rules until nothing changes or the work runs out.
    fn propagate(&mut self, work: &mut u64) -> Result<(), Refuted> {
        loop {
            while self.follow_bounds(work)? | self.round_stages()? {
                if *work == 0 {
                    return Ok(());
                }
            }
            let mut is_changed = false;
            for machine in 0..self.cluster.machines.len() {
                if std::mem::take(&mut self.is_dirty[machine]) {
                    is_changed |= self.separate(machine, work)?;
                }
            }
            if !is_changed || *work == 0 {
                return Ok(());
            }
        }
    }

    /// Narrows the window of a member.
    fn narrow(&mut self, member: usize, first: i64, last: i64) -> Result<bool, Refuted> {
        let range = &mut self.range[member];
        if range.0 >= first && range.1 <= last {
            return Ok(false);
        }
        *range = (range.0.max(first), range.1.min(last));
        if range.0 > range.1 {
            return Err(Refuted);
        }
        for &machine in &self.cluster.machines_of[member] {
            self.is_dirty[machine as usize] = true;
        }
        Ok(true)
    }

    /// One pass over the bounds in each direction.
    fn follow_bounds(&mut self, work: &mut u64) -> Result<bool, Refuted> {
        let cluster = self.cluster;
        *work = work.saturating_sub(cluster.bounds.len() as u64);
        let mut is_changed = false;
        for bound in &cluster.bounds {
            let first = self.range[bound.from].0 + bound.weight(self.interval);
            if self.range[bound.from].0 > -FAR {
                is_changed |= self.narrow(bound.to, first, FAR)?;
            }
        }
        for bound in cluster.bounds.iter().rev() {
            let last = self.range[bound.to].1 - bound.weight(self.interval);
            if self.range[bound.to].1 < FAR {
                is_changed |= self.narrow(bound.from, -FAR, last)?;
            }
        }
        Ok(is_changed)
    }

    /// Stages begin whole intervals apart.
    fn round_stages(&mut self) -> Result<bool, Refuted> {
        let cluster = self.cluster;
        let mut is_changed = false;
        for &stage in &cluster.stages {
            let (first, last) = self.range[stage];
            if first > -FAR && last < FAR {
                let up = -(-first).div_euclid(self.interval) * self.interval;
                let down = last.div_euclid(self.interval) * self.interval;
                is_changed |= self.narrow(stage, up, down)?;
            }
        }
        Ok(is_changed)
    }

    /// Applies the rules for tasks that may not overlap.
    fn separate(&mut self, machine: usize, work: &mut u64) -> Result<bool, Refuted> {
        let cluster = self.cluster;
        self.tasks.clear();
        self.origin.clear();
        let members = || cluster.machines[machine].iter().copied();
        let bounded = |window: (i64, i64)| window.0 > -FAR && window.1 < FAR;
        let mut span = (FAR, -FAR);
        for (member, cycles) in members() {
            let (first, last) = self.range[member as usize];
            if bounded((first, last)) {
                span = (span.0.min(first), span.1.max(last + cycles));
            }
        }
        for (member, cycles) in members() {
            let (first, last) = self.range[member as usize];
            if !bounded((first, last)) {
                continue;
            }
            for lap in [0, -self.interval, self.interval] {
                let (start, end) = (first + lap, last + cycles + lap);
                if lap == 0 || (end > span.0 && start < span.1) {
                    self.tasks.push(Task { start, end, cycles });
                    self.origin.push((member, lap));
                }
            }
        }
        if self.tasks.len() < 2 {
            return Ok(false);
        }
        *work = work.saturating_sub(4 * self.tasks.len() as u64);
        self.rules.tighten(&mut self.tasks)?;
        let mut is_changed = false;
        for index in 0..self.tasks.len() {
            let (Task { start, end, cycles }, (member, lap)) =
                (self.tasks[index], self.origin[index]);
            is_changed |= self.narrow(member as usize, start - lap, end - cycles - lap)?;
        }
        Ok(is_changed)
    }

    /// Assumes, for each member, that it starts in the first or in the last part of its window. A part
    /// that is refuted is removed.
    fn probe_all(&mut self, work: &mut u64) -> Result<(), Refuted> {
        let mut order: Vec<usize> = (0..self.cluster.size).collect();
        loop {
            order.sort_by_key(|&member| (self.range[member].1 - self.range[member].0, member));
            let mut is_changed = false;
            for &member in &order {
                let (first, last) = self.range[member];
                let width = last - first;
                if width == 0 || first <= -FAR || last >= FAR || width >= 4 * self.interval {
                    continue;
                }
                for part in [width / 2, width / 8, 0] {
                    let (first, last) = self.range[member];
                    if *work == 0 {
                        return Ok(());
                    }
                    if first + part < last && self.is_refuted(member, first, first + part, work) {
                        is_changed |= self.narrow(member, first + part + 1, FAR)?;
                        self.propagate(work)?;
                    }
                    let (first, last) = self.range[member];
                    if first < last - part && self.is_refuted(member, last - part, last, work) {
                        is_changed |= self.narrow(member, -FAR, last - part - 1)?;
                        self.propagate(work)?;
                    }
                }
            }
            if !is_changed {
                return Ok(());
            }
        }
    }

    /// Whether propagation refutes that a member starts in a part of its window.
    fn is_refuted(&mut self, member: usize, first: i64, last: i64, work: &mut u64) -> bool {
        let range = self.range.clone();
        let result = self
            .narrow(member, first, last)
            .and_then(|_| self.propagate(work));
        self.range = range;
        self.is_dirty.fill(false);
        result.is_err()
    }
}

#[cfg(test)]
mod tests;
