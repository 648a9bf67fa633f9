//! Register pressure of a partial schedule, row by row.
//!
//! A value occupies its registers from its producer's start until its last seated reader has
//! started; a value that lives longer than the interval has several copies. Units are registers
//! of a warp (128 bytes).
//!
//! Source: tileas reference 4.7 (spill surcharge, `tryAddConstraintToAvoidRegSpilling`).

use super::graph::DependenceGraph;

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
        let mut level = 0_i64;
        let mut change = vec![0_i64; length as usize + 1];
        for (node, start) in starts.iter().enumerate() {
            let registers = i64::from(graph.node(node).registers);
            let (Some(start), true) = (*start, registers > 0) else {
                continue;
            };
            let end = last_read(graph, starts, node, length).unwrap_or(start);
            let alive = (end + 1 - start).max(1);
            level += registers * (alive / length);
            add(
                &mut change,
                start.rem_euclid(length),
                alive % length,
                registers,
            );
        }
        let rows = change[..length as usize].iter().map(|step| {
            level += step;
            level.max(0) as u64
        });
        Self {
            rows: rows.collect(),
        }
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

/// Adds `units` to `count` rows from `first` on, around the end.
fn add(change: &mut [i64], first: i64, count: i64, units: i64) {
    let length = change.len() as i64 - 1;
    let end = first + count;
    change[first as usize] += units;
    change[end.min(length) as usize] -= units;
    if end > length {
        change[0] += units;
        change[(end - length) as usize] -= units;
    }
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

    #[test]
    fn what_is_not_seated_does_not_count() {
        assert_eq!(pressure(&[None, Some(2)], 0, 3), [0, 0, 0]);
        assert_eq!(pressure(&[Some(2), None], 0, 3), [0, 0, 10]);
    }
}
