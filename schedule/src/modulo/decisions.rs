//! The log of a scheduling run: what each generator tried, decided and rejected.
//!
//! A disabled log costs nothing, and an enabled log changes no result: schedulers write to it and
//! never read it.
//!
//! Source: tileas reference 4.10.

use super::cost::CostVector;
use super::graph::ResourceSpace;
use super::reservation::Rejection;
use super::schedule::GeneratorKind;

/// Maximum number of events kept; later ones are counted and dropped.
const MOST_EVENTS: usize = 200_000;

/// One of the four strategies for seating a group of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arm {
    /// Members one after another at their earliest legal cycles.
    Permute,
    /// Together with a conflicting group.
    Fuse,
    /// With a larger depth horizon, moving conflicting operations.
    Retry,
    /// Every member at the seat of least cost.
    Cost,
}

impl Arm {
    /// The arms in the order in which they are tried.
    pub const ALL: [Arm; 4] = [Arm::Permute, Arm::Fuse, Arm::Retry, Arm::Cost];

    /// The name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Permute => "PERMUTE",
            Self::Fuse => "FUSE",
            Self::Retry => "RETRY",
            Self::Cost => "COST",
        }
    }
}

/// The reason for rejecting a seat. The gates are checked in the order G1, G2, window, ceiling, G3,
/// G4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// G1: the operation is held over.
    HoldOver,
    /// G2: the operation's `max_depth` is beyond the current depth horizon.
    DepthHorizon,
    /// G2': every cycle that dependences allow lies beyond the stage limit.
    MaxDepth,
    /// Seated predecessors and successors leave no legal cycle.
    Window,
    /// The operation would complete later than the latency ceiling.
    LatencyCeiling,
    /// G3: slots or pools are taken.
    Resources(Rejection),
    /// A bank-pressure cap is exceeded at every free cycle.
    BankPressure,
    /// G4: only cycles at another depth than the group's are free.
    Leader,
    /// The operation was given up earlier in this attempt.
    Dead,
}

impl Gate {
    /// The name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HoldOver => "G1 hold-over",
            Self::DepthHorizon => "G2 depth horizon",
            Self::MaxDepth => "G2 max depth",
            Self::Window => "window",
            Self::LatencyCeiling => "latency ceiling",
            Self::Resources(_) => "G3 resources",
            Self::BankPressure => "bank pressure",
            Self::Leader => "G4 leader",
            Self::Dead => "dead",
        }
    }

    /// A description of the rejection, with names of slots and pools.
    #[must_use]
    pub fn describe(self, space: &ResourceSpace) -> String {
        match self {
            Self::Resources(rejection) => format!("{}: {}", self.name(), rejection.describe(space)),
            _ => self.name().to_owned(),
        }
    }
}

/// One operation examined by one arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The interval, in cycles.
    pub interval: u32,
    /// Iteration of constraint refinement, from 1.
    pub round: u32,
    /// The arm.
    pub arm: Arm,
    /// First operation of the group that is seated.
    pub group: usize,
    /// The operation.
    pub node: usize,
    /// The seat; `None` if rejected.
    pub cycle: Option<i64>,
    /// The cost of the seat.
    pub cost: CostVector,
    /// The rejecting gate.
    pub gate: Option<Gate>,
    /// Whether the seat was kept: a failing arm releases the seats it took.
    pub committed: bool,
}

/// The outcome of one attempt of a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttemptOutcome {
    /// A schedule was found.
    Scheduled,
    /// No schedule was found.
    Failed,
    /// Proven that no schedule exists.
    Refuted,
    /// The budget was exhausted.
    Exhausted,
}

impl AttemptOutcome {
    /// The name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Failed => "failed",
            Self::Refuted => "refuted",
            Self::Exhausted => "exhausted",
        }
    }
}

/// A logged event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An arm examined an operation.
    Decision(Decision),
    /// A generator finished with an interval.
    Attempt {
        /// The generator.
        generator: GeneratorKind,
        /// The interval, in cycles.
        interval: u32,
        /// The outcome.
        outcome: AttemptOutcome,
    },
    /// Refinement lifted a soft constraint.
    Lifted {
        /// The interval, in cycles.
        interval: u32,
        /// Iteration, from 1.
        round: u32,
        /// Index of the structural grouping.
        structure: usize,
    },
    /// Refinement promoted an operation and held over what conflicted with it.
    Promoted {
        /// The interval, in cycles.
        interval: u32,
        /// Iteration, from 1.
        round: u32,
        /// The operation.
        node: usize,
    },
}

/// The events of one run in order.
#[derive(Clone, Debug, Default)]
pub struct DecisionLog {
    enabled: bool,
    events: Vec<Event>,
    dropped: u64,
}

impl DecisionLog {
    /// A disabled log.
    #[must_use]
    pub fn off() -> Self {
        Self::default()
    }

    /// An enabled log.
    #[must_use]
    pub fn on() -> Self {
        Self {
            enabled: true,
            ..Self::default()
        }
    }

    /// Whether events are kept: check before building a costly description.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.enabled
    }

    /// The events.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Events that were dropped because the log was full.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Adds an event.
    pub fn push(&mut self, event: Event) {
        if !self.enabled {
            return;
        }
        if self.events.len() < MOST_EVENTS {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }

    /// Number of events so far, for [`Self::give_back`].
    #[must_use]
    pub fn mark(&self) -> usize {
        self.events.len()
    }

    /// Records that the seats taken since a mark were released.
    pub fn give_back(&mut self, mark: usize) {
        for event in self.events.iter_mut().skip(mark) {
            if let Event::Decision(decision) = event {
                decision.committed = false;
            }
        }
    }

    /// Rejections by gate name, most frequent first.
    #[must_use]
    pub fn refusals(&self) -> Vec<(&'static str, usize)> {
        let mut counts: Vec<(&'static str, usize)> = Vec::new();
        for event in &self.events {
            let Event::Decision(Decision {
                gate: Some(gate), ..
            }) = event
            else {
                continue;
            };
            match counts.iter_mut().find(|(name, _)| *name == gate.name()) {
                Some((_, count)) => *count += 1,
                None => counts.push((gate.name(), 1)),
            }
        }
        counts.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(gate: Option<Gate>) -> Event {
        Event::Decision(Decision {
            interval: 8,
            round: 1,
            arm: Arm::Permute,
            group: 0,
            node: 0,
            cycle: None,
            cost: CostVector::default(),
            gate,
            committed: gate.is_none(),
        })
    }

    #[test]
    fn a_log_that_is_off_keeps_nothing() {
        let mut log = DecisionLog::off();
        log.push(decision(None));
        assert!(log.events().is_empty());
        assert_eq!(log.dropped(), 0);
    }

    #[test]
    fn seats_given_back_are_not_committed() {
        let mut log = DecisionLog::on();
        log.push(decision(None));
        let mark = log.mark();
        log.push(decision(None));
        log.give_back(mark);
        let committed: Vec<bool> = log
            .events()
            .iter()
            .map(|event| matches!(event, Event::Decision(decision) if decision.committed))
            .collect();
        assert_eq!(committed, [true, false]);
    }

    #[test]
    fn refusals_are_counted_by_gate() {
        let mut log = DecisionLog::on();
        for gate in [
            None,
            Some(Gate::Leader),
            Some(Gate::Window),
            Some(Gate::Window),
        ] {
            log.push(decision(gate));
        }
        assert_eq!(log.refusals(), [("window", 2), ("G4 leader", 1)]);
    }
}
