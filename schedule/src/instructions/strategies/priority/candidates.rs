//! What the priority function knows of a candidate, and of all of them.

use crate::instructions::region::{Event, Temperature};
use crate::instructions::registers::{Counts, RegisterClass};
use crate::instructions::resources::Unit;
use crate::sass::latency::Queue;

/// An instruction whose dependences were issued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub node: u32,
    /// By how many registers the live ones change.
    pub change: Counts,
    /// The first cycle at which it can issue.
    pub earliest: i64,
    /// Cycles until then; with the delay of loads that wait for their batch.
    pub stall: i64,
    /// Whether a scoreboard signals its result.
    pub is_target: bool,
    /// The queue of its result.
    pub queue: Option<Queue>,
    pub temperature: Temperature,
    pub unit: Unit,
    pub event: Event,
    /// Cycles of the longest chain behind it.
    pub height: i64,
    /// Cycles by which it would come too early for its unit.
    pub contention: i64,
    /// Cycles until the next one can issue.
    pub issue: u32,
    /// The priority byte.
    pub byte: u8,
}

impl Candidate {
    /// The registers of all classes by which the live ones change.
    pub fn sum(&self) -> i32 {
        self.change.iter().sum()
    }
}

/// What all candidates have together (reference section 4.5).
#[derive(Debug)]
pub(super) struct Scan {
    /// Whether one accesses shared memory.
    pub shared: bool,
    /// The general registers that all would add.
    pub grown: i32,
    /// Operations of variable latency.
    pub targets: usize,
    /// The shortest stall of one of these.
    pub least_stall: i64,
    /// The last one of the program that is none.
    pub last_other: Option<u32>,
    /// Whether one can issue without a stall.
    pub free: bool,
}

/// The stall of nothing.
const NEVER: i64 = 99_999;

impl Scan {
    pub fn of(candidates: &[Candidate]) -> Self {
        let all = || candidates.iter();
        let targets = || all().filter(|candidate| candidate.is_target);
        let others = all().filter(|candidate| !candidate.is_target);
        let general = |candidate: &Candidate| candidate.change[RegisterClass::General as usize];
        Scan {
            shared: all().any(|candidate| candidate.unit == Unit::Shared),
            grown: all().map(|candidate| general(candidate).max(0)).sum(),
            targets: targets().count(),
            least_stall: targets().map(|target| target.stall).min().unwrap_or(NEVER),
            last_other: others.map(|other| other.node).max(),
            free: all().any(|candidate| candidate.stall <= 0),
        }
    }
}
