//! Searches the order of kernels: for agents that issue operations in order, and whose tiles must fit in
//! their registers.
//!
//! A kernel is a sequence of the operations of an iteration, and the set of those that are *late*.
//! Stages follow from it: an operation is in the stage of its operands, one later if it comes before
//! them in the sequence, and one later if it is late. Tiles are kept as short as their sizes allow:
//! an operation whose result is not smaller than what it reads moves to the last stage that its
//! readers permit. The interval is the least one for which dependences, the order of each agent and
//! that of each slot have start cycles: the greatest ratio of latency to distance of their cycles.
//!
//! Kernels are changed one move at a time, by threshold accepting (Dueck and Scheuer, Journal of
//! Computational Physics 90, 1990): a change is kept if it costs at most a threshold more, which falls
//! to zero.

use std::collections::BTreeMap;

use crate::modulo::order::next_random;
use crate::modulo::pressure::LiveRows;

/// Searches from program order. More find few better kernels for the loops of the examples.
const RESTARTS: usize = 8;
/// Changes of a search.
const MOVES: i64 = 1500;
/// The first threshold is the least interval over this.
const THRESHOLD: i64 = 32;
/// The longest run of operations that moves at once.
const RUN: usize = 5;
/// The price of bytes beyond the registers: twice the registers cost as much as this many intervals.
const PRICE: i64 = 4;
/// Constraints that are examined in all: some tenths of a second.
const WORK: u64 = 50_000_000;
/// The state of the generator of changes at the beginning.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// An operation that an agent executes.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// Its agent.
    pub(super) agent: usize,
    /// Cycles for which its agent waits before it, for slots and for products.
    pub(super) waits: i64,
    /// Cycles until its agent can continue.
    pub(super) held: i64,
    /// Slots of the machine that it holds, and for how many cycles.
    pub(super) holds: Vec<(u8, i64)>,
    /// Bytes of registers of its results.
    pub(super) bytes: u64,
}

/// An operation starts `latency` cycles after another one `distance` iterations earlier, or later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dependence {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) latency: i64,
    pub(super) distance: i64,
    /// If it reads the result: how many cycles after its start the result can be overwritten.
    pub(super) read: Option<i64>,
}

/// The body of a loop: operations in program order.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub(super) operations: Vec<Operation>,
    pub(super) dependences: Vec<Dependence>,
    /// Bytes of registers of each agent.
    pub(super) registers: Vec<u64>,
}

/// The cycles of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) interval: i64,
    /// The start of each operation.
    pub(super) starts: Vec<i64>,
}

/// The best kernels found, the shortest first. None has a smaller interval than `least`, and all fit in
/// registers.
pub(super) fn search(body: &Body, least: i64) -> Vec<Found> {
    let mut search = Search {
        body,
        least: least.max(1),
        random: SEED,
        work: WORK,
    };
    let mut found: Vec<Found> = Vec::new();
    for _ in 0..RESTARTS.min(body.operations.len()) {
        found.extend(search.run());
        if found.iter().any(|kernel| kernel.interval == search.least) {
            break;
        }
    }
    found.sort_by(|a, b| (a.interval, &a.starts).cmp(&(b.interval, &b.starts)));
    found.dedup();
    found
}

#[derive(Clone, Debug)]
struct Kernel {
    order: Vec<usize>,
    late: Vec<bool>,
}

impl Kernel {
    /// A kernel with one change: a run of operations moves, or an operation becomes late or is no longer.
    fn changed(&self, random: &mut u64) -> Kernel {
        let mut below = |limit: usize| {
            let limit = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
            usize::try_from(next_random(random) % limit).unwrap_or(0)
        };
        let mut kernel = self.clone();
        let (kind, first) = (below(6), below(self.order.len()));
        if kind == 0 {
            kernel.late[first] = !kernel.late[first];
            return kernel;
        }
        let length = if kind == 1 { 1 + below(RUN) } else { 1 };
        let end = (first + length).min(self.order.len());
        let run: Vec<usize> = kernel.order.drain(first..end).collect();
        let place = below(kernel.order.len() + 1);
        kernel.order.splice(place..place, run);
        kernel
    }
}

/// `to` starts `latency` cycles after `from`, `distance` kernel iterations earlier.
struct Constraint {
    from: usize,
    to: usize,
    latency: i64,
    distance: i64,
}

/// The order of what only one operation at a time can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Agent(usize),
    Slot(u8),
}

struct Search<'b> {
    body: &'b Body,
    least: i64,
    random: u64,
    work: u64,
}

impl Search<'_> {
    /// The best kernel of one search from program order that fits in registers.
    fn run(&mut self) -> Option<Found> {
        let count = self.body.operations.len();
        let mut kernel = Kernel {
            order: (0..count).collect(),
            late: vec![false; count],
        };
        let (_, mut cost) = self.measure(&kernel, i64::MAX)?;
        let mut best: Option<Found> = None;
        for step in 0..MOVES {
            let threshold = self.least.saturating_mul(MOVES - step) / (MOVES * THRESHOLD);
            let limit = cost.saturating_add(threshold);
            let changed = kernel.changed(&mut self.random);
            let Some((found, price)) = self.measure(&changed, limit) else {
                continue;
            };
            let fits = found.interval == price;
            (kernel, cost) = (changed, price);
            if fits && best.as_ref().is_none_or(|best| price < best.interval) {
                let done = price == self.least;
                best = Some(found);
                if done {
                    break;
                }
            }
        }
        best
    }

    /// The cycles of a kernel and its cost: the interval, and the price of bytes that do not fit.
    /// `None` if there are none, if the cost is above a limit, or if the work is used up.
    fn measure(&mut self, kernel: &Kernel, limit: i64) -> Option<(Found, i64)> {
        let mut place = vec![0; kernel.order.len()];
        for (position, node) in kernel.order.iter().enumerate() {
            place[*node] = position;
        }
        let stages = self.body.stages(kernel, &place)?;
        let constraints = self.body.constraints(kernel, &stages);
        let (interval, rows) = self.least_interval(&constraints, limit)?;
        let starts = rows.iter().zip(&stages);
        let starts: Vec<i64> = starts.map(|(row, stage)| row + stage * interval).collect();
        let price = self.body.price(&starts, interval);
        let found = Found { interval, starts };
        let cost = interval.saturating_add(price);
        (cost <= limit).then_some((found, cost))
    }

    /// The least interval up to a limit for which the constraints have rows, and the least rows.
    fn least_interval(
        &mut self,
        constraints: &[Constraint],
        limit: i64,
    ) -> Option<(i64, Vec<i64>)> {
        let mut interval = self.least;
        while interval <= limit {
            match self.rows(constraints, interval)? {
                Ok(rows) => return Some((interval, rows)),
                Err((latency, distance)) if distance > 0 => {
                    // Rounded up: a cycle does not fit below its ratio.
                    interval = (interval + 1).max((latency + distance - 1) / distance);
                }
                Err(_) => return None,
            }
        }
        None
    }

    /// The least rows at an interval, by the algorithm of Bellman and Ford; latency and distance of
    /// a cycle of constraints if there are none. `None` if the work is used up.
    fn rows(
        &mut self,
        constraints: &[Constraint],
        interval: i64,
    ) -> Option<Result<Vec<i64>, (i64, i64)>> {
        let count = self.body.operations.len();
        let mut rows = vec![0i64; count];
        let mut through = vec![0; count];
        let mut raised = 0;
        for _ in 0..=count {
            let examined = u64::try_from(constraints.len()).unwrap_or(u64::MAX);
            self.work = self.work.checked_sub(examined)?;
            let mut changed = false;
            for (number, constraint) in constraints.iter().enumerate() {
                let after = constraint.latency - constraint.distance * interval;
                let least = rows[constraint.from] + after;
                if least > rows[constraint.to] {
                    rows[constraint.to] = least;
                    through[constraint.to] = number;
                    (changed, raised) = (true, constraint.to);
                }
            }
            if !changed {
                return Some(Ok(rows));
            }
        }
        // After as many steps back as there are operations, the path is in the cycle.
        for _ in 0..count {
            raised = constraints[through[raised]].from;
        }
        let (mut latency, mut distance, mut node) = (0, 0, raised);
        loop {
            let constraint = &constraints[through[node]];
            latency += constraint.latency;
            distance += constraint.distance;
            node = constraint.from;
            if node == raised {
                return Some(Err((latency, distance)));
            }
        }
    }
}

impl Body {
    /// The stage of each operation; `None` if a recurrence does not permit the sequence.
    fn stages(&self, kernel: &Kernel, place: &[usize]) -> Option<Vec<i64>> {
        let count = self.operations.len();
        let mut stages = vec![0i64; count];
        let others = self.dependences.iter();
        let others: Vec<&Dependence> = others.filter(|edge| edge.from != edge.to).collect();
        let least = |edge: &Dependence| {
            let before = place[edge.to] < place[edge.from];
            i64::from(before) + i64::from(kernel.late[edge.to]) - edge.distance
        };
        for round in 0..=count {
            let mut changed = false;
            for edge in &others {
                let stage = stages[edge.from] + least(edge);
                if stage > stages[edge.to] {
                    stages[edge.to] = stage;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            if round == count {
                return None;
            }
        }
        for node in (0..count).rev() {
            let read = self.dependences.iter().filter(|edge| edge.to == node);
            let read = read.filter(|edge| edge.read.is_some() && edge.from != node);
            let read: BTreeMap<usize, u64> = read
                .map(|edge| (edge.from, self.operations[edge.from].bytes))
                .collect();
            if self.operations[node].bytes < read.into_values().sum() {
                continue;
            }
            let readers = others.iter().filter(|edge| edge.from == node);
            let last = readers.map(|edge| stages[edge.to] - least(edge)).min();
            stages[node] = last.unwrap_or(stages[node]);
        }
        Some(stages)
    }

    /// The constraints of dependences and of the order of the kernel.
    fn constraints(&self, kernel: &Kernel, stages: &[i64]) -> Vec<Constraint> {
        let mut all: Vec<Constraint> = self
            .dependences
            .iter()
            .map(|edge| Constraint {
                from: edge.from,
                to: edge.to,
                latency: edge.latency,
                distance: edge.distance + stages[edge.to] - stages[edge.from],
            })
            .collect();
        let mut units: BTreeMap<Unit, Vec<(usize, i64)>> = BTreeMap::new();
        for &node in &kernel.order {
            let operation = &self.operations[node];
            let agent = (Unit::Agent(operation.agent), operation.held);
            let slots = operation.holds.iter();
            let slots = slots.map(|(slot, cycles)| (Unit::Slot(*slot), *cycles));
            for (unit, cycles) in slots.chain([agent]) {
                units.entry(unit).or_default().push((node, cycles));
            }
        }
        for (unit, order) in units {
            for (position, &(from, latency)) in order.iter().enumerate() {
                let next = order.get(position + 1);
                let (to, distance) = next.map_or((order[0].0, 1), |next| (next.0, 0));
                let waits = match unit {
                    Unit::Agent(_) => self.operations[to].waits,
                    Unit::Slot(_) => 0,
                };
                all.push(Constraint {
                    from,
                    to,
                    latency: latency + waits,
                    distance,
                });
            }
        }
        all
    }

    /// The price in cycles of the bytes beyond the registers of each agent.
    fn price(&self, starts: &[i64], interval: i64) -> i64 {
        let mut rows = vec![LiveRows::new(interval); self.registers.len()];
        for (node, operation) in self.operations.iter().enumerate() {
            let read = self.dependences.iter().filter(|edge| edge.from == node);
            let ends = read.filter_map(|edge| {
                let kept = edge.read?;
                Some(starts[edge.to] + edge.distance * interval + kept)
            });
            let end = ends.max().unwrap_or(0).max(starts[node] + 1);
            if let Some(rows) = rows.get_mut(operation.agent) {
                rows.add(starts[node], end, operation.bytes);
            }
        }
        let prices = rows.into_iter().zip(&self.registers).map(|(rows, &bytes)| {
            let beyond = u128::from(rows.peak().saturating_sub(bytes));
            let cycles = u128::from((interval * PRICE).unsigned_abs());
            let price = (beyond * cycles).div_ceil(u128::from(bytes.max(1)));
            i64::try_from(price).unwrap_or(i64::MAX)
        });
        prices.fold(0, i64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body of `count` operations of one agent with random costs: each reads one or two before it.
    fn random_body(seed: u64, count: usize) -> Body {
        let mut state = seed.wrapping_mul(SEED) | 1;
        let mut below = |limit: u64| next_random(&mut state) % limit;
        let mut body = Body::default();
        for to in 0..count {
            let cycles = 1 + below(3) as i64;
            body.operations.push(Operation {
                agent: 0,
                waits: 0,
                held: 0,
                holds: vec![(1 + below(2) as u8, cycles)],
                bytes: 1 + below(3),
            });
            let reads = if to == 0 { 0 } else { 1 + below(2) };
            for _ in 0..reads {
                body.dependences.push(Dependence {
                    from: below(to as u64) as usize,
                    to,
                    latency: 2 + below(4) as i64,
                    distance: 0,
                    read: Some(below(2) as i64),
                });
            }
        }
        body.registers = vec![4 + below(5)];
        body
    }

    fn respects_dependences(body: &Body, starts: &[i64], interval: i64) -> bool {
        body.dependences.iter().all(|edge| {
            let ends = (starts.get(edge.from), starts.get(edge.to));
            let (Some(from), Some(to)) = ends else {
                return true;
            };
            to + edge.distance * interval >= from + edge.latency
        })
    }

    /// Whether starts are a modulo schedule that fits in registers, cycle by cycle.
    fn is_schedule(body: &Body, starts: &[i64], interval: i64) -> bool {
        let rows = usize::try_from(interval).expect("positive");
        let row = |cycle: i64| usize::try_from(cycle.rem_euclid(interval)).expect("positive");
        let (mut held, mut bytes) = (vec![[0; 3]; rows], vec![0; rows]);
        for (node, operation) in body.operations.iter().enumerate() {
            for &(slot, cycles) in &operation.holds {
                for cycle in 0..cycles {
                    held[row(starts[node] + cycle)][usize::from(slot)] += 1;
                }
            }
            let reads = body.dependences.iter().filter(|edge| edge.from == node);
            let ends = reads.map(|edge| {
                starts[edge.to] + edge.distance * interval + edge.read.unwrap_or(i64::MIN / 2)
            });
            let end = ends.max().unwrap_or(0).max(starts[node] + 1);
            for cycle in starts[node]..end {
                bytes[row(cycle)] += operation.bytes;
            }
        }
        respects_dependences(body, starts, interval)
            && held.iter().flatten().all(|holders| *holders <= 1)
            && bytes.iter().all(|bytes| *bytes <= body.registers[0])
    }

    /// Whether an interval has a schedule: all starts below a horizon are tried.
    fn has_schedule(body: &Body, starts: &mut Vec<i64>, interval: i64) -> bool {
        if starts.len() == body.operations.len() {
            return is_schedule(body, starts, interval);
        }
        let horizon = if starts.is_empty() { 1 } else { 4 * interval };
        (0..horizon).any(|start| {
            starts.push(start);
            let found = respects_dependences(body, starts, interval)
                && has_schedule(body, starts, interval);
            starts.pop();
            found
        })
    }

    /// Starts are as early as a sequence permits, so intervals are missed that need a later one.
    #[test]
    fn most_kernels_of_small_loops_are_the_shortest() {
        let (mut decided, mut shortest) = (0, 0);
        for seed in 1..40 {
            let body = random_body(seed, 4);
            let found = search(&body, 1);
            for kernel in &found {
                assert!(
                    is_schedule(&body, &kernel.starts, kernel.interval),
                    "{seed}: {kernel:?}"
                );
            }
            let mut intervals = 1..12;
            let least = intervals.find(|interval| has_schedule(&body, &mut Vec::new(), *interval));
            if let Some(least) = least {
                decided += 1;
                let interval = found.first().map(|kernel| kernel.interval);
                assert!(interval.is_none_or(|interval| interval >= least), "{seed}");
                shortest += usize::from(interval == Some(least));
            }
        }
        assert!(
            decided > 20 && shortest * 4 >= decided * 3,
            "{shortest} of {decided}"
        );
    }

    /// An operation whose result is read 12 cycles later, by another one that has no result.
    fn chain(registers: u64) -> Body {
        let operation = |slot, bytes| Operation {
            agent: 0,
            waits: 0,
            held: 0,
            holds: vec![(slot, 10)],
            bytes,
        };
        Body {
            operations: vec![operation(1, 8), operation(2, 0)],
            dependences: vec![Dependence {
                from: 0,
                to: 1,
                latency: 12,
                distance: 0,
                read: Some(0),
            }],
            registers: vec![registers],
        }
    }

    #[test]
    fn registers_bound_the_interval() {
        let intervals = |registers| {
            let found = search(&chain(registers), 1);
            found.first().map(|kernel| kernel.interval)
        };
        assert_eq!(intervals(7), None);
        // One tile: the next one is computed when it is read.
        assert_eq!(intervals(8), Some(12));
        assert_eq!(intervals(15), Some(12));
        // Two tiles: the slots are held without a gap.
        assert_eq!(intervals(16), Some(10));
    }

    /// Stages of a tile, a source of 8 bytes, a result of `bytes` that is computed from the source, and the
    /// reader of tile and result. The reader comes before the tile, so it is a stage later.
    fn stages_if_result_has(bytes: u64) -> Option<Vec<i64>> {
        let mut body = Body::default();
        for bytes in [8, 8, bytes, 0] {
            body.operations.push(Operation {
                bytes,
                ..chain(0).operations[0].clone()
            });
        }
        for (from, to) in [(1, 2), (0, 3), (2, 3)] {
            let edge = chain(0).dependences[0];
            body.dependences.push(Dependence { from, to, ..edge });
        }
        let kernel = Kernel {
            order: vec![1, 2, 3, 0],
            late: vec![false; 4],
        };
        body.stages(&kernel, &[3, 0, 1, 2])
    }

    #[test]
    fn what_is_larger_than_its_operands_sinks_to_its_reader() {
        // The result is in the stage of its reader, and so is the source, which reads nothing.
        assert_eq!(stages_if_result_has(16), Some(vec![0, 1, 1, 1]));
        // Equally many bytes are kept in either stage.
        assert_eq!(stages_if_result_has(8), Some(vec![0, 1, 1, 1]));
        // It is smaller: it is computed early, and kept instead of the source.
        assert_eq!(stages_if_result_has(4), Some(vec![0, 0, 0, 1]));
    }

    #[test]
    fn a_recurrence_forbids_sequences() {
        let mut body = chain(100);
        let mut back = body.dependences[0];
        (back.from, back.to, back.distance) = (1, 0, 1);
        body.dependences.push(back);
        let late = |late| Kernel {
            order: vec![0, 1],
            late: vec![false, late],
        };
        assert_eq!(body.stages(&late(false), &[0, 1]), Some(vec![0, 0]));
        // The second would be in the stage after the first, which is in that after the second.
        assert_eq!(body.stages(&late(true), &[0, 1]), None);
    }

    #[test]
    fn an_agent_waits_before_and_after_operations() {
        let mut body = chain(100);
        // The agent continues when the product is done: 12 cycles, 10 of the other slot are hidden.
        body.operations[0].held = 12;
        assert_eq!(search(&body, 1)[0].interval, 12);
        body.operations[1].waits = 3;
        assert_eq!(search(&body, 1)[0].interval, 15);
    }

    #[test]
    fn a_recurrence_bounds_the_interval() {
        let mut body = chain(100);
        body.dependences.push(Dependence {
            from: 1,
            to: 0,
            latency: 20,
            distance: 2,
            read: Some(0),
        });
        // 12 + 20 cycles over two iterations.
        assert_eq!(search(&body, 1)[0].interval, 16);
        // None is searched for below what the schedule promises.
        assert_eq!(search(&body, 17)[0].interval, 17);
    }

    #[test]
    fn nothing_to_order() {
        assert_eq!(search(&Body::default(), 5), Vec::new());
    }
}
