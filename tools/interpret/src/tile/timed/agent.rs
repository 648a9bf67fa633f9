//! The time of one task: when its values are available, and what it waits for.

use orison_ir::{Operation, Value};
use rustc_hash::FxHashMap;

use super::record::Wait;

/// A task in time.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentClock {
    /// When values are available; absent for those that are at once.
    pub ready: FxHashMap<Value, u64>,
    /// The agent continues at this cycle, and what it does until then.
    pub resume_at: u64,
    pub resume_for: Option<(Wait, Operation)>,
    /// What it waits for, where, and since when.
    pub blocked: Option<(Wait, Operation, u64)>,
    /// When it may continue, if a time is known.
    pub wake: Option<u64>,
    /// The version of the state at which its operation could not continue.
    pub version: Option<u64>,
    /// For each region of a stage around the current operation: when the accesses to the stage by
    /// synchronous operations are done.
    pub stage_accesses: Vec<u64>,
    /// When its synchronous copies from and to allocations are done: a mutex is left after that.
    pub copies: u64,
    /// When its last operation is done.
    pub done: u64,
    /// When it started.
    pub started: u64,
    /// Loops around the current operation, and when their iterations started.
    pub loops: Vec<(Operation, Vec<u64>)>,
}

impl AgentClock {
    /// An agent that sees the values of another task.
    pub fn forked(&self, now: u64) -> AgentClock {
        AgentClock {
            ready: self.ready.clone(),
            started: now,
            done: now,
            ..AgentClock::default()
        }
    }

    pub fn ready_at(&self, value: Value) -> u64 {
        self.ready.get(&value).copied().unwrap_or(0)
    }

    /// A value is available from this cycle on.
    pub fn define(&mut self, value: Value, at: u64) {
        self.ready.insert(value, at);
    }

    /// Copies the times of values to others, by position.
    pub fn pass(&mut self, from: &[Value], to: impl Iterator<Item = Value>) {
        let times: Vec<u64> = from.iter().map(|value| self.ready_at(*value)).collect();
        for (value, time) in to.zip(times) {
            self.define(value, time);
        }
    }

    /// The operand that is available last, and when.
    pub fn last_operand(&self, operands: impl Iterator<Item = Value>) -> (Option<Value>, u64) {
        let mut last = (None, 0);
        for value in operands {
            let at = self.ready_at(value);
            if at > last.1 {
                last = (Some(value), at);
            }
        }
        last
    }
}
