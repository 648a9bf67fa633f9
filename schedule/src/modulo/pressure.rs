//! What values hold in each row of an interval, and the register pressure of a partial schedule.
//!
//! A value occupies its registers from its producer's start until its last seated reader has
//! started; a value that lives longer than the interval has several copies. Units are registers
//! of a warp (128 bytes).
//!
//! Source: tileas reference 4.7 (spill surcharge, `tryAddConstraintToAvoidRegSpilling`).

use super::graph::DependenceGraph;

/// Units, such as bytes or registers, that values hold in each row of an interval.
#[derive(Clone, Debug)]
pub struct LiveRows {
    interval: i64,
    /// Units that are held in every row.
    always: u64,
    /// Changes at rows: the units that begin and end to be held.
    changes: Vec<(i64, i64)>,
}

impl LiveRows {
    /// Rows in which nothing is held. An interval below one cycle counts as one.
    #[must_use]
    pub fn new(interval: i64) -> Self {
        Self {
            interval: interval.max(1),
            always: 0,
            changes: Vec::new(),
        }
    }

    /// Adds a value that lives from a cycle to (not including) another one, in every iteration.
    pub fn add(&mut self, from: i64, to: i64, units: u64) {
        let length = (to - from).max(0);
        let whole = u64::try_from(length / self.interval).unwrap_or(0);
        self.add_always(whole.saturating_mul(units));
        let rest = length % self.interval;
        if rest == 0 {
            return;
        }
        let signed = i64::try_from(units).unwrap_or(i64::MAX);
        let first = from.rem_euclid(self.interval);
        let end = first + rest;
        self.changes.push((first, signed));
        if end <= self.interval {
            self.changes.push((end, -signed));
        } else {
            self.changes.push((0, signed));
            self.changes.push((end - self.interval, -signed));
        }
    }

    /// Adds what is held in every row.
    pub fn add_always(&mut self, units: u64) {
        self.always = self.always.saturating_add(units);
    }

    /// The most units held in a row.
    #[must_use]
    pub fn peak(mut self) -> u64 {
        // Values that end in a row make place for those that begin in it.
        self.changes.sort_unstable();
        let (mut now, mut most) = (0_i64, 0_i64);
        for (_, change) in self.changes {
            now = now.saturating_add(change);
            most = most.max(now);
        }
        self.always.saturating_add(u64::try_from(most).unwrap_or(0))
    }

    /// The units held in each row.
    #[must_use]
    pub fn rows(self) -> Vec<u64> {
        let mut change = vec![0_i64; self.interval as usize + 1];
        for (row, units) in self.changes {
            change[row as usize] += units;
        }
        change.pop();
        let mut level = 0;
        let rows = change.into_iter().map(|units| {
            level += units;
            self.always.saturating_add(level.max(0) as u64)
        });
        rows.collect()
    }
}

/// Registers in use in each cycle modulo the interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterPressure {
    rows: Vec<u64>,
}

impl RegisterPressure {
    /// Measures the seated operations. Takes time linear in operations, edges and rows.
    #[must_use]
    pub fn measure(graph: &DependenceGraph, starts: &[Option<i64>], interval: u32) -> Self {
        let length = i64::from(interval.max(1));
        let mut rows = LiveRows::new(length);
        for (node, start) in starts.iter().enumerate() {
            let registers = u64::from(graph.node(node).registers);
            let (Some(start), true) = (*start, registers > 0) else {
                continue;
            };
            let end = last_read(graph, starts, node, length).unwrap_or(start);
            rows.add(start, (end + 1).max(start + 1), registers);
        }
        Self { rows: rows.rows() }
    }

    /// Registers in use in a cycle.
    #[must_use]
    pub fn at(&self, cycle: i64) -> u32 {
        let row = cycle.rem_euclid(self.rows.len() as i64) as usize;
        u32::try_from(self.rows[row]).unwrap_or(u32::MAX)
    }

    /// The most registers in use in any cycle.
    #[must_use]
    pub fn peak(&self) -> u32 {
        let most = self.rows.iter().copied().max().unwrap_or(0);
        u32::try_from(most).unwrap_or(u32::MAX)
    }
}

/// Start of the last seated reader, in cycles of the producer's iteration.
fn last_read(
    graph: &DependenceGraph,
    starts: &[Option<i64>],
    node: usize,
    length: i64,
) -> Option<i64> {
    graph
        .successors(node)
        .filter(|edge| edge.kind.carries_value())
        .filter_map(|edge| Some(starts[edge.to]? + length * i64::from(edge.distance)))
        .max()
}

#[cfg(test)]
mod tests {
    use super::super::graph::Node;
    use super::super::test_support::{edge, graph};
    use super::*;

    fn pressure(starts: &[Option<i64>], distance: u32, interval: u32) -> Vec<u64> {
        let mut producer = Node::new("producer", 4, Vec::new());
        producer.registers = 10;
        let reader = Node::new("reader", 1, Vec::new());
        let graph = graph(vec![producer, reader], vec![edge(0, 1, 4, distance)]);
        RegisterPressure::measure(&graph, starts, interval).rows
    }

    #[test]
    fn a_value_lives_until_its_reader_starts() {
        assert_eq!(pressure(&[Some(1), Some(3)], 0, 6), [0, 10, 10, 10, 0, 0]);
    }

    #[test]
    fn lifetimes_wrap_and_overlap_themselves() {
        // From 4 to 6, which are rows 4, 5 and 0.
        assert_eq!(pressure(&[Some(4), Some(6)], 0, 6), [10, 0, 0, 0, 10, 10]);
        // From 1 to 8, eight cycles at an interval of 6: two copies in rows 1 and 2.
        assert_eq!(
            pressure(&[Some(1), Some(2)], 1, 6),
            [10, 20, 20, 10, 10, 10]
        );
    }

    /// The peak is that of the rows, counted one by one.
    #[test]
    fn the_peak_is_that_of_the_rows() {
        let values = [(0, 7, 3), (5, 6, 10), (-4, 9, 1), (2, 2, 50), (3, 8, 4)];
        for interval in 1..10 {
            let mut live = LiveRows::new(interval);
            live.add_always(2);
            let mut rows = vec![2; interval as usize];
            for (from, to, units) in values {
                live.add(from, to, units);
                for cycle in from..to {
                    rows[cycle.rem_euclid(interval) as usize] += units;
                }
            }
            assert_eq!(live.clone().rows(), rows);
            assert_eq!(Some(live.peak()), rows.into_iter().max());
        }
    }

    #[test]
    fn what_is_not_seated_does_not_count() {
        assert_eq!(pressure(&[None, Some(2)], 0, 3), [0, 0, 0]);
        assert_eq!(pressure(&[Some(2), None], 0, 3), [0, 0, 10]);
    }
}
