//! The partial schedule of the ejection search, its weights, and one step of the search.

use std::collections::{BTreeMap, VecDeque};

use super::super::coupling::{Coupling, NO_PATH, Tie};
use super::super::order::next_random;
use super::super::problem::LoopProblem;
use super::pools::PoolTable;
use super::rivals::{Rival, Rivals};

/// No start.
const VACANT: i32 = i32::MIN;

/// No bound from any seated operation.
const UNBOUND: i32 = 1 << 30;

/// Starts beyond this end the search; a cluster that is not anchored may drift.
const DRIFT: i32 = 1 << 29;

/// Start and weight of an operation, adjacent because the search reads both.
#[derive(Clone, Copy, Debug)]
struct Seat {
    start: i32,
    /// 1 and the number of failures to seat the operation without conflict.
    weight: u32,
}

/// Operations with starts that violate nothing, and operations that wait for one.
#[derive(Debug)]
pub(super) struct State<'p, 'g> {
    problem: &'p LoopProblem<'g>,
    rivals: &'p Rivals,
    coupling: &'p Coupling,
    interval: i32,
    group_members: BTreeMap<u32, Vec<u32>>,
    pools: PoolTable,
    seats: Vec<Seat>,
    waiting: VecDeque<u32>,
    /// Cost of the slots by row, while a seat is chosen.
    rows: Vec<i64>,
    /// Cost of each candidate cycle, while a seat is chosen.
    costs: Vec<i64>,
    seed: u64,
}

impl<'p, 'g> State<'p, 'g> {
    pub fn new(
        problem: &'p LoopProblem<'g>,
        rivals: &'p Rivals,
        coupling: &'p Coupling,
        interval: u32,
        seed: u64,
    ) -> Self {
        let size = problem.graph.len();
        let mut group_members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for node in 0..size {
            if let Some(group) = problem.graph.depth_group(node) {
                group_members.entry(group).or_default().push(node as u32);
            }
        }
        let vacant = Seat {
            start: VACANT,
            weight: 1,
        };
        Self {
            problem,
            rivals,
            coupling,
            interval: interval as i32,
            group_members,
            pools: PoolTable::new(problem, interval),
            seats: vec![vacant; size],
            waiting: VecDeque::new(),
            rows: vec![0; interval as usize + 1],
            costs: Vec::new(),
            seed: 0x9E37_79B9_7F4A_7C15 ^ (seed << 32),
        }
    }

    /// One round from the given starts; true if every operation has a start. `work` is reduced by
    /// the work done.
    pub fn round(&mut self, hint: &[i64], work: &mut u64) -> bool {
        for seat in &mut self.seats {
            *seat = Seat {
                start: VACANT,
                weight: 1,
            };
        }
        self.waiting.clear();
        self.pools.clear();
        self.adopt(hint, work);
        while let Some(node) = self.waiting.pop_front() {
            let node = node as usize;
            if *work == 0 {
                return false;
            }
            self.seats[node].weight = self.seats[node].weight.saturating_add(1);
            let (first, least) = self.evaluate(node, None, work);
            let start = self.choose(first, least);
            if start.abs() > DRIFT {
                return false;
            }
            self.eject_conflicts(node, start, least);
            self.occupy(node, start);
        }
        true
    }

    /// The starts found. Dependences between clusters may not hold yet.
    pub fn starts(&self) -> Vec<i64> {
        self.seats
            .iter()
            .map(|seat| i64::from(seat.start))
            .collect()
    }

    /// Seats operations at their hints where possible, otherwise at the first free cycle of their
    /// window, in the order of the hints. The others wait.
    fn adopt(&mut self, hint: &[i64], work: &mut u64) {
        let mut order: Vec<usize> = (0..hint.len()).collect();
        order.sort_by_key(|&node| (hint[node], node));
        for node in order {
            let near = hint[node].clamp(-i64::from(DRIFT), i64::from(DRIFT)) as i32;
            let (first, least) = self.evaluate(node, Some(near), work);
            if least > 0 {
                self.waiting.push_back(node as u32);
                continue;
            }
            let wanted = usize::try_from(near - first).ok();
            let free = wanted.filter(|&offset| self.costs.get(offset) == Some(&0));
            let offset = free.or_else(|| self.costs.iter().position(|&cost| cost == 0));
            self.occupy(node, first + offset.unwrap_or(0) as i32);
        }
    }

    fn start(&self, node: u32) -> Option<i32> {
        let start = self.seats[node as usize].start;
        (start != VACANT).then_some(start)
    }

    fn occupy(&mut self, node: usize, start: i32) {
        self.seats[node].start = start;
        let footprint = &self.problem.footprints[node];
        for &share in &footprint.pools {
            self.pools.change(share, start, footprint.duration, true);
        }
    }

    fn eject(&mut self, node: u32) {
        let footprint = &self.problem.footprints[node as usize];
        let start = self.seats[node as usize].start;
        for &share in &footprint.pools {
            self.pools.change(share, start, footprint.duration, false);
        }
        self.seats[node as usize].start = VACANT;
        self.waiting.push_back(node);
    }

    /// The first and the last cycle that seated operations of the cluster and the group allow.
    fn bounds(&self, node: usize) -> (i32, i32) {
        let (mut low, mut high) = (-UNBOUND, UNBOUND);
        for tie in &self.coupling.ties[node] {
            if let Some(other) = self.start(tie.other) {
                low = low.max(tie.first(other));
                high = high.min(tie.last(other));
            }
        }
        for other in self.partners(node) {
            if let Some(start) = self.start(other) {
                let first = start.div_euclid(self.interval) * self.interval;
                low = low.max(first);
                high = high.min(first + self.interval - 1);
            }
        }
        (low, high)
    }

    /// The other members of the operation's group.
    fn partners(&self, node: usize) -> impl Iterator<Item = u32> {
        let group = self.problem.graph.depth_group(node);
        let members = group.and_then(|group| self.group_members.get(&group));
        let members = members.map_or(&[][..], Vec::as_slice);
        members
            .iter()
            .copied()
            .filter(move |&other| other as usize != node)
    }

    /// The cycles `first..end` among which a seat is chosen.
    fn candidates(&mut self, node: usize, near: Option<i32>) -> (i32, i32) {
        let length = self.interval;
        let (mut low, mut high) = self.bounds(node);
        let window = self.coupling.windows[node];
        if let Some((first, last)) = window {
            low = low.max(first);
            high = high.min(last);
        }
        let (mut first, mut end) = match (low > -UNBOUND, high < UNBOUND) {
            (false, false) => {
                let first = near.unwrap_or(0).div_euclid(length) * length;
                (first, first + length)
            }
            (false, true) => (high - length + 1, high + 1),
            (true, is_bounded) if !is_bounded || high - low >= length => {
                // All rows are within the bounds. Sometimes a later lap is tried: which lap of a
                // recurrence of several iterations is taken decides about its other operations.
                let laps = if is_bounded {
                    high - low + 1 - length
                } else {
                    0
                };
                let first = match near {
                    Some(near) if near >= low && near <= high => near.min(high - length + 1),
                    _ if laps > 0 && self.random(2) == 0 => {
                        low + self.random(laps.min(3 * length) as u64 + 1) as i32
                    }
                    _ => low,
                };
                (first, first + length)
            }
            _ if low > high && low - high > length => {
                // Only without all distances; one side of the contradiction is kept.
                let first = if self.random(2) == 0 {
                    low
                } else {
                    high - length + 1
                };
                (first, first + length)
            }
            _ => {
                let margin = (length / 4).max(1);
                (low.min(high) - margin, high.max(low) + margin + 1)
            }
        };
        if let Some((earliest, latest)) = window {
            first = first.max(earliest);
            end = end.min(latest + 1);
            if end <= first {
                (first, end) = (earliest, (latest + 1).min(earliest + length));
            }
        }
        (first, end)
    }

    fn random(&mut self, limit: u64) -> u64 {
        next_random(&mut self.seed) % limit
    }

    /// The costs of all candidate cycles, into `costs`: the sum of the weights of the operations
    /// that a seat there would eject. Returns the first candidate and the least cost.
    fn evaluate(&mut self, node: usize, near: Option<i32>, work: &mut u64) -> (i32, i64) {
        let (first, end) = self.candidates(node, near);
        let range = (end - first) as usize;
        self.costs.clear();
        self.costs.resize(range + 1, 0);
        self.add_bounds(node, first, range);
        let everywhere = self.fill_rows(node);
        let length = self.interval as usize;
        let spent = 8 + self.coupling.ties[node].len() + self.rivals.of(node).len();
        *work = work.saturating_sub((spent + length + range) as u64);
        let mut sum = everywhere;
        let mut row = first.rem_euclid(self.interval) as usize;
        let mut least = i64::MAX;
        for cost in &mut self.costs[..range] {
            sum += *cost;
            *cost = sum + self.rows[row];
            least = least.min(*cost);
            row = if row + 1 == length { 0 } else { row + 1 };
        }
        self.costs.truncate(range);
        (first, least)
    }

    /// Differences of the cost of violated ties and of groups in other stages.
    fn add_bounds(&mut self, node: usize, first: i32, range: usize) {
        let place = |cycle: i32| (cycle - first).clamp(0, range as i32) as usize;
        let costs = &mut self.costs;
        let mut outside = |low: i32, high: i32, weight: u32| {
            let weight = i64::from(weight);
            costs[0] += weight;
            costs[place(low)] -= weight;
            costs[place(high.saturating_add(1))] += weight;
            costs[range] -= weight;
        };
        for tie in &self.coupling.ties[node] {
            let seat = self.seats[tie.other as usize];
            if seat.start != VACANT {
                outside(tie.first(seat.start), tie.last(seat.start), seat.weight);
            }
        }
        let Some(group) = self.problem.graph.depth_group(node) else {
            return;
        };
        for &other in &self.group_members[&group] {
            let seat = self.seats[other as usize];
            if other as usize != node && seat.start != VACANT {
                let stage = seat.start.div_euclid(self.interval) * self.interval;
                outside(stage, stage + self.interval - 1, seat.weight);
            }
        }
    }

    /// The cost of conflicts with rivals and of full pools by row, into `rows`; returns the cost in
    /// every row.
    fn fill_rows(&mut self, node: usize) -> i64 {
        let length = self.interval;
        self.rows.fill(0);
        let mut everywhere = 0_i64;
        for rival in self.rivals.of(node) {
            let seat = self.seats[rival.other as usize];
            if seat.start == VACANT {
                continue;
            }
            let weight = i64::from(seat.weight);
            let span = rival.gap + rival.back_gap - 1;
            if span >= length {
                everywhere += weight;
                continue;
            }
            let first = (seat.start - rival.gap + 1).rem_euclid(length);
            add_rows(&mut self.rows, first as usize, span as usize, weight);
        }
        everywhere += self.add_full_pools(node);
        let mut sum = 0;
        for row in &mut self.rows {
            sum += *row;
            *row = sum;
        }
        everywhere
    }

    /// Differences of the cost of pools: 1 for each full row that the operation would cover. Returns
    /// the cost in every row, of an operation longer than an interval.
    fn add_full_pools(&mut self, node: usize) -> i64 {
        let footprint = &self.problem.footprints[node];
        let length = self.interval as usize;
        let duration = footprint.duration as usize;
        let (laps, rest) = (duration / length, duration % length);
        let mut everywhere = 0;
        for &(pool, units) in &footprint.pools {
            for row in self.pools.full_rows(pool, units) {
                everywhere += laps as i64;
                add_rows(&mut self.rows, (row + length + 1 - rest) % length, rest, 1);
            }
        }
        everywhere
    }

    /// A cycle of least cost at random.
    fn choose(&mut self, first: i32, least: i64) -> i32 {
        let ties = self.costs.iter().filter(|&&cost| cost == least).count();
        let pick = self.random(ties.max(1) as u64) as usize;
        let mut least_costs = self
            .costs
            .iter()
            .enumerate()
            .filter(|cost| *cost.1 == least);
        let offset = least_costs.nth(pick).map_or(0, |(offset, _)| offset);
        first + offset as i32
    }

    fn eject_conflicts(&mut self, node: usize, start: i32, cost: i64) {
        if cost == 0 {
            return;
        }
        let (rivals, coupling) = (self.rivals, self.coupling);
        for rival in rivals.of(node) {
            let other = self.start(rival.other);
            if other.is_some_and(|other| rival.conflicts(start, other, self.interval)) {
                self.eject(rival.other);
            }
        }
        for tie in &coupling.ties[node] {
            let other = self.start(tie.other);
            if other.is_some_and(|other| start < tie.first(other) || start > tie.last(other)) {
                self.eject(tie.other);
            }
        }
        let stage = start.div_euclid(self.interval);
        let partners: Vec<u32> = self.partners(node).collect();
        for other in partners {
            let seated = self.start(other);
            if seated.is_some_and(|seated| seated.div_euclid(self.interval) != stage) {
                self.eject(other);
            }
        }
        self.empty_pools(node, start);
    }

    /// Ejects the operations with the least weights from the full rows of pools.
    fn empty_pools(&mut self, node: usize, start: i32) {
        let problem = self.problem;
        let footprint = &problem.footprints[node];
        for &(pool, units) in &footprint.pools {
            for cycle in 0..footprint.duration as i32 {
                let row = (start + cycle).rem_euclid(self.interval);
                while self.pools.is_full(pool, row as usize, units) {
                    let covers = |&other: &usize| {
                        let print = &problem.footprints[other];
                        let seat = self.seats[other].start;
                        seat != VACANT
                            && (row - seat).rem_euclid(self.interval) < print.duration as i32
                    };
                    let users = self.pools.users(pool).iter().copied().filter(covers);
                    let Some(other) = users.min_by_key(|&other| self.seats[other].weight) else {
                        break;
                    };
                    self.eject(other as u32);
                }
            }
        }
    }
}

/// Adds to `count` rows from `first` on, at most all, in a table of differences.
fn add_rows(rows: &mut [i64], first: usize, count: usize, weight: i64) {
    // The last entry is behind the last row.
    let length = rows.len() - 1;
    rows[first] += weight;
    let end = first + count;
    if end <= length {
        rows[end] -= weight;
    } else {
        rows[0] += weight;
        rows[end - length] -= weight;
    }
}

impl Tie {
    /// The first start that a seated operation allows.
    fn first(&self, other: i32) -> i32 {
        if self.after > NO_PATH / 2 {
            other + self.after
        } else {
            -UNBOUND
        }
    }

    /// The last start that a seated operation allows.
    fn last(&self, other: i32) -> i32 {
        if self.before > NO_PATH / 2 {
            other - self.before
        } else {
            UNBOUND
        }
    }
}

impl Rival {
    /// Whether the operation at `start` overlaps the other at `other`.
    fn conflicts(&self, start: i32, other: i32, interval: i32) -> bool {
        let after = (start - other).rem_euclid(interval);
        after < self.back_gap || interval - after < self.gap
    }
}
