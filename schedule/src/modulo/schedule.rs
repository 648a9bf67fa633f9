//! A finished modulo schedule: interval, start cycles, stage and order of every operation.
//!
//! Source: tileas reference 4.8 (recommendation): `stage = start div interval` with the earliest
//! operation in stage 0, `order` = rank in the stage by (start mod interval, program index),
//! `stage_count = 1 + last stage`.

use super::bounds::IntervalBounds;
use super::cost::CostVector;
use super::graph::DependenceGraph;

/// The generator of a schedule; the name is used in the loop's summary attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeneratorKind {
    /// The Kahn walk, operations one after another.
    Serial,
    /// The four arms under constraint refinement.
    CostBased,
    /// Iterative modulo scheduling.
    Iterative,
    /// The ejection search.
    Ejection,
    /// The exact search.
    Exact,
    /// The exact search over agents and cycles.
    Joint,
}

/// What ended the search before it proved the interval minimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchLimit {
    /// The options turn the searches off.
    Disabled,
    /// Distances between operations exceed the range of the searches, or the loop has too many pairs
    /// of operations for the ejection search.
    Size,
    /// The budget of work was used up.
    Work,
}

impl SearchLimit {
    /// The name used in the loop's summary attribute.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Size => "size",
            Self::Work => "work",
        }
    }
}

impl GeneratorKind {
    /// The name used in attributes and remarks.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Serial => "serial",
            Self::CostBased => "cost-based",
            Self::Iterative => "iterative",
            Self::Ejection => "ejection",
            Self::Exact => "exact",
            Self::Joint => "joint",
        }
    }
}

/// The outcome of constraint refinement at an interval. Convergence and budget exhaustion are
/// separate: an iteration may also fail with nothing left to refine (C6).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refinement {
    /// Iterations that were run.
    pub rounds: u32,
    /// Whether the last iteration seated every operation.
    pub converged: bool,
    /// Whether iterations or placements ran out while there was something left to refine.
    pub budget_exceeded: bool,
    /// Structural groupings that were lifted, by index.
    pub lifted: Vec<usize>,
}

/// A modulo schedule of one loop body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The initiation interval, in cycles.
    pub interval: u32,
    /// Start cycle of every operation, by program index; the least is in stage 0.
    pub starts: Vec<i64>,
    /// `start div interval`.
    pub stages: Vec<u32>,
    /// Rank inside the stage by (start mod interval, program index).
    pub orders: Vec<u32>,
    /// `1 + last stage`; 1 for an empty loop.
    pub stage_count: u32,
    /// The lower bounds of the interval.
    pub bounds: IntervalBounds,
    /// The generator.
    pub generator: GeneratorKind,
    /// Whether no smaller interval has a schedule: proven by the bounds or by exhaustive search.
    pub proven: bool,
    /// No schedule has a smaller interval than this: the largest of the bounds, or what the
    /// searches refuted beyond it.
    pub lower_bound: u32,
    /// What ended the proof; `None` if the interval is proven minimal, or if the serial schedule was
    /// requested.
    pub limit: Option<SearchLimit>,
    /// The outcome of constraint refinement at this interval.
    pub refinement: Refinement,
    /// The cost vector of the whole schedule.
    pub cost: CostVector,
}

impl Schedule {
    /// Derives stages and orders from start cycles.
    #[must_use]
    pub fn from_starts(
        interval: u32,
        starts: Vec<i64>,
        bounds: IntervalBounds,
        generator: GeneratorKind,
        proven: bool,
    ) -> Self {
        let length = i64::from(interval.max(1));
        let stages: Vec<u32> = starts
            .iter()
            .map(|start| start.div_euclid(length) as u32)
            .collect();
        let mut ranked: Vec<usize> = (0..starts.len()).collect();
        ranked.sort_by_key(|&node| (stages[node], starts[node], node));
        let mut orders = vec![0_u32; starts.len()];
        let mut previous: Option<(u32, u32)> = None;
        for node in ranked {
            let rank = match previous {
                Some((stage, rank)) if stage == stages[node] => rank + 1,
                _ => 0,
            };
            orders[node] = rank;
            previous = Some((stages[node], rank));
        }
        let stage_count = 1 + stages.iter().copied().max().unwrap_or(0);
        Self {
            interval,
            starts,
            stages,
            orders,
            stage_count,
            bounds,
            generator,
            proven,
            lower_bound: if proven { interval } else { bounds.interval() },
            limit: None,
            refinement: Refinement::default(),
            cost: CostVector::default(),
        }
    }

    /// The operations in emission order: by (stage, order).
    #[must_use]
    pub fn emission_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.starts.len()).collect();
        order.sort_by_key(|&node| (self.stages[node], self.orders[node], node));
        order
    }

    /// The last cycle in which some reader still needs the value, relative to the producer's own
    /// iteration; `None` if nothing reads it.
    #[must_use]
    pub fn last_read_end(&self, graph: &DependenceGraph, producer: usize) -> Option<i64> {
        graph
            .successors(producer)
            .filter(|edge| edge.kind.carries_value())
            .map(|edge| {
                let shift = i64::from(self.interval) * i64::from(edge.distance);
                self.starts[edge.to] + shift + i64::from(graph.node(edge.to).latency)
            })
            .max()
    }

    /// Ring slots that a pipe from one producer to its readers needs:
    /// `max(1, ceil((last read end - write start) / interval))`.
    #[must_use]
    pub fn depth(&self, graph: &DependenceGraph, producer: usize) -> u32 {
        let Some(end) = self.last_read_end(graph, producer) else {
            return 1;
        };
        let span = (end - self.starts[producer]).max(1) as u64;
        u32::try_from(span.div_ceil(u64::from(self.interval.max(1)))).unwrap_or(u32::MAX)
    }

    /// Bytes of ring storage of all values: bytes of one copy times the depth of its pipe.
    #[must_use]
    pub fn buffer_bytes(&self, graph: &DependenceGraph) -> u64 {
        graph
            .nodes()
            .iter()
            .enumerate()
            .filter(|(_, node)| node.buffer_bytes > 0)
            .map(|(index, node)| {
                node.buffer_bytes
                    .saturating_mul(u64::from(self.depth(graph, index)))
            })
            .fold(0, u64::saturating_add)
    }

    /// Sum over all values of the cycles from their producer's start to their last reader's start.
    #[must_use]
    pub fn lifetime(&self, graph: &DependenceGraph) -> u64 {
        total_lifetime(graph, &self.starts, self.interval)
    }

    /// The objective among schedules of one interval: stages, then buffer bytes, then the cost
    /// vector, then lifetimes.
    #[must_use]
    pub fn quality(&self, graph: &DependenceGraph) -> Quality {
        Quality {
            stages: self.stage_count,
            buffer_bytes: self.buffer_bytes(graph),
            cost: self.cost,
            lifetime: self.lifetime(graph),
        }
    }
}

/// The order of preference among schedules of equal interval; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quality {
    /// Stages.
    pub stages: u32,
    /// Bytes of ring storage.
    pub buffer_bytes: u64,
    /// The cost vector of the whole schedule.
    pub cost: CostVector,
    /// Sum of value lifetimes, in cycles.
    pub lifetime: u64,
}

/// Sum of value lifetimes for given starts, in cycles.
pub(super) fn total_lifetime(graph: &DependenceGraph, starts: &[i64], interval: u32) -> u64 {
    (0..graph.len())
        .map(|node| value_lifetime(graph, starts, interval, node))
        .sum()
}

/// Cycles from a producer's start to the start of its last reader; 0 without readers.
pub(super) fn value_lifetime(
    graph: &DependenceGraph,
    starts: &[i64],
    interval: u32,
    node: usize,
) -> u64 {
    graph
        .successors(node)
        .filter(|edge| edge.kind.carries_value())
        .map(|edge| {
            let shift = i64::from(interval) * i64::from(edge.distance);
            (starts[edge.to] + shift - starts[node]).max(0) as u64
        })
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Edge, EdgeKind, Node, ResourceSpace};
    use super::*;

    const BOUNDS: IntervalBounds = IntervalBounds {
        resource: 1,
        recurrence: 1,
        fine: 1,
        dependency: 1,
        self_hold: 1,
    };

    fn schedule(interval: u32, starts: &[i64]) -> Schedule {
        Schedule::from_starts(
            interval,
            starts.to_vec(),
            BOUNDS,
            GeneratorKind::Serial,
            false,
        )
    }

    /// A producer and a reader of 4 cycles, with edges of these kinds and distances.
    fn graph(edges: &[(EdgeKind, u32)]) -> DependenceGraph {
        let nodes = vec![
            Node::new("producer", 3, Vec::new()),
            Node::new("reader", 4, Vec::new()),
        ];
        let edges = edges.iter().map(|&(kind, distance)| Edge {
            from: 0,
            to: 1,
            latency: 3,
            distance,
            kind,
        });
        DependenceGraph::new(ResourceSpace::default(), nodes, edges.collect()).unwrap()
    }

    #[test]
    fn stage_and_order_follow_from_the_start() {
        let found = schedule(5, &[7, 0, 4, 5, 7]);
        assert_eq!(found.stages, [1, 0, 0, 1, 1]);
        assert_eq!(found.orders, [1, 0, 1, 0, 2]);
        assert_eq!(found.stage_count, 2);
        assert_eq!(found.emission_order(), [1, 2, 3, 0, 4]);
    }

    /// A slot is in use from the write to the end of the last read, and a part of an interval counts.
    #[test]
    fn a_pipe_has_a_slot_for_each_interval_in_which_its_value_is_alive() {
        let data = graph(&[(EdgeKind::Data, 0)]);
        for (reader, end, depth) in [(6, 10, 2), (7, 11, 3), (2, 6, 2), (0, 4, 1)] {
            let found = schedule(5, &[0, reader]);
            assert_eq!(found.last_read_end(&data, 0), Some(end));
            assert_eq!(found.depth(&data, 0), depth, "{reader}");
        }
        // The last of several readers counts, and the cycle of the write.
        let twice = graph(&[(EdgeKind::Data, 0), (EdgeKind::LoopCarried, 2)]);
        let found = schedule(5, &[3, 6]);
        assert_eq!(found.last_read_end(&twice, 0), Some(20));
        assert_eq!(found.depth(&twice, 0), 4);
    }

    #[test]
    fn only_values_take_slots() {
        let order = graph(&[(EdgeKind::Token, 0), (EdgeKind::Memory, 1)]);
        let found = schedule(5, &[0, 9]);
        assert_eq!(found.last_read_end(&order, 0), None);
        assert_eq!((found.depth(&order, 0), found.lifetime(&order)), (1, 0));
        let data = graph(&[(EdgeKind::Data, 1)]);
        assert_eq!(found.lifetime(&data), 14);
    }
}
