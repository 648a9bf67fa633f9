//! The data that all generators share about one loop: the graph and everything derived once.

use std::fmt;

use super::bounds::{IntervalBounds, interval_bounds};
use super::components::Components;
use super::evaluators::BankCaps;
use super::graph::{DependenceGraph, MAX_CYCLES};
use super::longest_path::PositiveCycle;
use super::reservation::Footprint;

/// Limits and choices of one scheduling run. Budgets count work, never time, so the result does not
/// depend on the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulingOptions {
    /// The generator selection.
    pub strategy: Strategy,
    /// The maximum number of stages (the deepest ring that fits in memory).
    pub max_stages: Option<u32>,
    /// The largest interval tried before falling back to the serial generator; `None` tries up
    /// to the serial length.
    pub max_interval: Option<u32>,
    /// Placements per operation that one attempt of the iterative scheduler may spend.
    pub placements_per_operation: u32,
    /// Work units of the exact search over the whole loop; 0 turns it off. A unit is about one
    /// vector operation on a row of the closure.
    pub exact_work: u64,
    /// Work units of the ejection search for each operation; 0 turns it off. A unit is about one
    /// table entry examined.
    pub ejection_work: u64,
    /// Loops with fewer operations than this use the serial generator under [`Strategy::Auto`].
    /// The page's threshold is 8; a GEMM body has 3 operations, so the default is 0.
    pub serial_threshold: usize,
    /// Iterations of constraint refinement at one interval.
    pub max_constraint_iterations: u32,
    /// Above this many cycles the generator's reservation table is quantised; 0 disables
    /// quantisation.
    pub rrt_size_threshold: u32,
    /// Registers of a multiprocessor, in registers of a warp; pressure above costs a surcharge.
    pub register_budget: Option<u32>,
    /// The latest cycle at which an operation may complete, for the generator's arms: a later seat
    /// is rejected before its resources are checked.
    pub latency_ceiling: Option<u32>,
    /// Caps of the bank-pressure evaluator.
    pub bank_caps: BankCaps,
    /// Delays seats at random, from this seed: a stress test that produces unusual schedules.
    pub random_delay: Option<u64>,
}

impl Default for SchedulingOptions {
    fn default() -> Self {
        Self {
            strategy: Strategy::Auto,
            max_stages: None,
            max_interval: None,
            placements_per_operation: 12,
            exact_work: DEFAULT_EXACT_WORK,
            ejection_work: DEFAULT_EJECTION_WORK,
            serial_threshold: 0,
            max_constraint_iterations: DEFAULT_CONSTRAINT_ITERATIONS,
            rrt_size_threshold: DEFAULT_TABLE_SIZE,
            register_budget: None,
            latency_ceiling: None,
            bank_caps: BankCaps::default(),
            random_delay: None,
        }
    }
}

/// Default iterations of constraint refinement (C5).
pub const DEFAULT_CONSTRAINT_ITERATIONS: u32 = 10;

/// Cycles above which the generator quantises its table (tileas reference 3.7).
pub const DEFAULT_TABLE_SIZE: u32 = 4096;

/// Default work units of the exact search.
pub const DEFAULT_EXACT_WORK: u64 = 4_000_000;

/// Default work units of the ejection search for each operation.
pub const DEFAULT_EJECTION_WORK: u64 = 1_200_000;

/// Selection of a generator (tileas reference 4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Serial below the threshold, otherwise modulo scheduling, and serial again if no interval up
    /// to the limit has a modulo schedule.
    #[default]
    Auto,
    /// Operations one after another, one stage.
    Serial,
    /// The first feasible interval of the heuristics; no ejection search, no exact search.
    Fast,
    /// Modulo scheduling with all generators; an error if no interval up to the limit has one.
    CostBased,
}

/// The reason that no schedule exists or was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleError {
    /// A dependence cycle that no interval satisfies.
    PositiveCycle(PositiveCycle),
    /// The interval would exceed the maximum size of a reservation table.
    IntervalTooLarge {
        /// The computed lower bound, in cycles.
        bound: u32,
    },
    /// Constraints (depth groups, stage limits, forced order) leave no schedule that the generators
    /// found.
    NoFeasibleInterval {
        /// The last interval tried.
        last: u32,
    },
    /// No interval up to the limit satisfies a dependence cycle.
    RecurrenceAboveLimit {
        /// The largest interval allowed.
        limit: u32,
        /// The least interval that the recurrences permit.
        recurrence: u32,
    },
    /// An operation holds a slot longer than the largest interval allowed.
    HoldAboveLimit {
        /// The largest interval allowed.
        limit: u32,
        /// The operation.
        node: usize,
        /// Name of the slot.
        slot: String,
        /// Cycles held.
        duration: u32,
    },
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PositiveCycle(cycle) => write!(
                f,
                "positive dependence cycle at every II through operations {:?}: latency {}, \
                 distance {}",
                cycle.nodes, cycle.latency, cycle.distance
            ),
            Self::IntervalTooLarge { bound } => {
                write!(
                    f,
                    "the initiation interval is at least {bound}, above {MAX_INTERVAL}"
                )
            }
            Self::RecurrenceAboveLimit { limit, recurrence } => write!(
                f,
                "positive dependence cycle at II {limit}: the recurrences need {recurrence} cycles"
            ),
            Self::HoldAboveLimit {
                limit,
                node,
                slot,
                duration,
            } => write!(
                f,
                "op footprint self-conflicts at II {limit}: operation {node} holds {slot} for \
                 {duration} cycles"
            ),
            Self::NoFeasibleInterval { last } => {
                write!(
                    f,
                    "modulo scheduler returned no feasible II (tried up to {last})"
                )
            }
        }
    }
}

impl std::error::Error for ScheduleError {}

/// The largest initiation interval, in cycles: a table of this many rows is still small.
pub const MAX_INTERVAL: u32 = MAX_CYCLES * 4;

/// A loop ready to be scheduled.
#[derive(Clone, Debug)]
pub struct LoopProblem<'g> {
    /// The dependence graph.
    pub graph: &'g DependenceGraph,
    /// Its strongly connected components.
    pub components: Components,
    /// The footprint of every operation.
    pub footprints: Vec<Footprint>,
    /// The lower bounds of the interval.
    pub bounds: IntervalBounds,
    /// The limits of the run.
    pub options: SchedulingOptions,
    /// Cycles per iteration in which each slot is held, by slot number.
    slot_load: Vec<u64>,
}

impl<'g> LoopProblem<'g> {
    /// Computes components, footprints and bounds.
    ///
    /// # Errors
    /// [`ScheduleError::PositiveCycle`] and [`ScheduleError::IntervalTooLarge`].
    pub fn new(
        graph: &'g DependenceGraph,
        options: SchedulingOptions,
    ) -> Result<Self, ScheduleError> {
        let components = Components::new(graph);
        let footprints: Vec<_> = graph.nodes().iter().map(Footprint::of).collect();
        let bounds = interval_bounds(graph, &components, &footprints, options.max_stages)
            .map_err(ScheduleError::PositiveCycle)?;
        if bounds.interval() > MAX_INTERVAL {
            return Err(ScheduleError::IntervalTooLarge {
                bound: bounds.interval(),
            });
        }
        let mut slot_load = vec![0_u64; 65];
        for &(slot, duration) in footprints.iter().flat_map(|footprint| &footprint.holds) {
            slot_load[usize::from(slot)] += u64::from(duration);
        }
        Ok(Self {
            graph,
            components,
            footprints,
            bounds,
            options,
            slot_load,
        })
    }

    /// The operation's hold of the most used slot, as `(slot, duration)`.
    #[must_use]
    pub fn busiest_hold(&self, node: usize) -> Option<(u8, u32)> {
        let holds = self.footprints[node].holds.iter().copied();
        holds.max_by_key(|&(slot, _)| self.slot_load[usize::from(slot)])
    }

    /// The reason that no interval up to `limit` has a schedule, by the strictest applicable bound.
    #[must_use]
    pub fn refusal(&self, limit: u32) -> ScheduleError {
        if limit < self.bounds.recurrence {
            return ScheduleError::RecurrenceAboveLimit {
                limit,
                recurrence: self.bounds.recurrence,
            };
        }
        for (node, footprint) in self.footprints.iter().enumerate() {
            let mut holds = footprint.holds.iter();
            if let Some(&(slot, duration)) = holds.find(|hold| hold.1 > limit) {
                return ScheduleError::HoldAboveLimit {
                    limit,
                    node,
                    slot: self.graph.space().slot_name(slot),
                    duration,
                };
            }
        }
        ScheduleError::NoFeasibleInterval { last: limit }
    }

    /// The largest cost weight among the slots that an operation holds; 0 if it holds none.
    #[must_use]
    pub fn weight(&self, node: usize) -> u32 {
        let weights = &self.graph.space().slot_weights;
        let holds = self.footprints[node].holds.iter();
        holds
            .filter_map(|(slot, _)| weights.get(slot).copied())
            .max()
            .unwrap_or(0)
    }

    /// The last cycle in which an operation may start at an interval: stage limits of the operation
    /// and of the loop. `i64::MAX` without limits.
    #[must_use]
    pub fn latest_start(&self, node: usize, interval: u32) -> i64 {
        let own = self.graph.node(node).constraints.max_depth;
        let all = self.options.max_stages.map(|stages| stages.max(1) - 1);
        match (own, all) {
            (None, None) => i64::MAX,
            (depth, limit) => {
                let stage = depth.unwrap_or(u32::MAX).min(limit.unwrap_or(u32::MAX));
                (i64::from(stage) + 1) * i64::from(interval) - 1
            }
        }
    }
}
