//! The registers that a pipelined loop needs.

use orison_ir::analyses::{ControlFlowGraph, Liveness};
use orison_ir::{Context, Value};
use orison_ori::analyses::pressure::{RegisterClass, needed};

use super::body::Body;

/// Registers of a thread: general ones and predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Registers {
    pub general: i64,
    pub predicates: i64,
}

impl Registers {
    fn add(&mut self, context: &Context, value: Value, times: i64) {
        let Some(register) = needed(context, value) else {
            return;
        };
        match RegisterClass::of(register) {
            (RegisterClass::General, count) => self.general += times * i64::from(count),
            (RegisterClass::Predicate, count) => self.predicates += times * i64::from(count),
            _ => {}
        }
    }

    /// The values that are live through a loop and not made in it.
    pub fn around(
        context: &Context,
        flow: &ControlFlowGraph,
        liveness: &Liveness,
        block: u32,
    ) -> Self {
        let handle = flow.block(block);
        let mut found = Registers::default();
        for value in liveness.live_out(block) {
            if value.parent_block(context) != Some(handle) {
                found.add(context, value, 1);
            }
        }
        found
    }

    /// The most that are live at a time in a round, with those around the loop.
    pub fn of_round(self, context: &Context, body: &Body, spans: &Spans) -> Self {
        let mut rows = vec![self; usize::try_from(spans.interval).unwrap_or(1)];
        for (number, op) in body.operations.iter().enumerate() {
            let span = spans.lives[number];
            for value in op.results(context) {
                let start = spans.starts[number];
                for (place, row) in rows.iter_mut().enumerate() {
                    // Instances that began before the end of this row and are read in it or later.
                    let place = i64::try_from(place).unwrap_or(0);
                    let since = (place - start).rem_euclid(spans.interval);
                    let live = if span > since {
                        (span - since - 1) / spans.interval + 1
                    } else {
                        0
                    };
                    row.add(context, value, live);
                }
            }
        }
        let most = |mut most: Registers, row: Registers| {
            most.general = most.general.max(row.general);
            most.predicates = most.predicates.max(row.predicates);
            most
        };
        rows.into_iter().fold(Registers::default(), most)
    }
}

/// How long the results of operations live.
pub(super) struct Spans {
    /// The initiation interval, in cycles.
    pub interval: i64,
    /// Start cycles of the operations.
    pub starts: Vec<i64>,
    /// Cycles from the start of an operation to the start of the last one that reads its results.
    pub lives: Vec<i64>,
}

impl Spans {
    pub fn of(body: &Body, starts: &[i64], interval: i64) -> Self {
        let mut lives = vec![0; body.operations.len()];
        for edge in body.edges.iter().filter(|edge| edge.kind.carries_value()) {
            let read = starts[edge.to] + interval * i64::from(edge.distance);
            lives[edge.from] = lives[edge.from].max(read - starts[edge.from]);
        }
        Spans {
            interval,
            starts: starts.to_vec(),
            lives,
        }
    }

    /// How many iterations need a value of their own of one operation at the same time, at most: the
    /// copies with which no value is moved.
    pub fn names(&self) -> i64 {
        let most = self.lives.iter().max().copied().unwrap_or(0);
        ((most + self.interval - 1) / self.interval).max(1)
    }
}
