//! What a timed run observed.

use std::collections::BTreeMap;

use orison_ir::Operation;

/// Why an agent does not continue.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wait {
    /// Its own operation, which is synchronous, or accesses a stage that it is about to give away.
    Own,
    /// The result of an operation that it started before.
    Operand,
    /// A slot or pool of the machine model, by name, that another operation holds.
    Unit(String),
    /// A free stage of a pipeline, or the mutex.
    FreeStage,
    /// A full stage of a pipeline, or the mutex.
    FullStage,
    /// Asynchronous operations.
    Completion,
    /// The agents of a switch.
    Agents,
}

impl Wait {
    /// A description for reports.
    pub fn describe(&self) -> String {
        match self {
            Wait::Own => "its own operation".to_owned(),
            Wait::Operand => "an operand".to_owned(),
            Wait::Unit(name) => format!("unit '{name}'"),
            Wait::FreeStage => "a free stage".to_owned(),
            Wait::FullStage => "a full stage".to_owned(),
            Wait::Completion => "a completion".to_owned(),
            Wait::Agents => "its agents".to_owned(),
        }
    }
}

/// The iterations of a loop in one agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopTimes {
    /// The loop.
    pub operation: Operation,
    /// The agent, an index into [`Record::agents`].
    pub agent: usize,
    /// Executed iterations.
    pub iterations: u64,
    /// The scheduled interval in cycles, if the loop was scheduled.
    pub scheduled: Option<u64>,
    /// Cycles and iterations of the steady state of each execution of the loop.
    pub steady: (u64, u64),
    /// For each execution of the loop, the cycles at which its iterations started, and its end.
    pub runs: Vec<(Vec<u64>, u64)>,
}

impl LoopTimes {
    /// Cycles an iteration in the steady state: a mean, as a pattern may take several iterations.
    /// `None` with fewer than four.
    #[allow(clippy::cast_precision_loss)] // Cycles are far fewer than 2^52.
    pub fn interval(&self) -> Option<f64> {
        let (cycles, iterations) = self.steady;
        (iterations > 0).then(|| cycles as f64 / iterations as f64)
    }

    /// The executed interval divided by the scheduled one.
    #[allow(clippy::cast_precision_loss)]
    pub fn ratio(&self) -> Option<f64> {
        let scheduled = self.scheduled.filter(|cycles| *cycles > 0)?;
        Some(self.interval()? / scheduled as f64)
    }
}

/// The cycles and iterations of the steady state of one execution of a loop, from the starts of its
/// iterations: from the half to seven eighths, when rings have been filled and are not drained yet.
/// If their pattern repeats after some iterations, only whole patterns count.
pub(super) fn steady(starts: &[u64]) -> (u64, u64) {
    let differences: Vec<u64> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if differences.len() < 3 {
        return (0, 0);
    }
    let count = differences.len();
    let middle = &differences[count / 2..count - count / 8];
    let repeats = |period: &usize| middle.iter().zip(&middle[*period..]).all(|(a, b)| a == b);
    let period = (1..=middle.len() / 2).find(repeats).unwrap_or(1);
    let whole = &middle[..middle.len() / period * period];
    (whole.iter().sum(), whole.len() as u64)
}

/// An agent, or the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentTimes {
    /// Its name.
    pub name: String,
    /// The first cycle.
    pub start: u64,
    /// The cycle at which its last operation was done.
    pub end: u64,
    /// Cycles in which it waited for others; the rest is its own work, with waits for operands.
    pub waiting: u64,
}

/// A unit of the machine model that was used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitTimes {
    /// Its name.
    pub name: String,
    /// Cycles for which it was held.
    pub busy: u64,
}

/// Cycles that an agent waited at an operation for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitTimes {
    /// The agent, an index into [`Record::agents`].
    pub agent: usize,
    /// The reason.
    pub wait: Wait,
    /// The operation that waits.
    pub operation: Operation,
    /// Cycles in total.
    pub cycles: u64,
}

/// Where an event of the trace is shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Track {
    /// On an agent, an index into [`Record::agents`].
    Agent(usize),
    /// On a unit, by name.
    Unit(String),
}

/// An event of the trace: an operation, or a wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// Where it is shown.
    pub track: Track,
    /// The operation.
    pub operation: Operation,
    /// What is waited for; `None` for execution.
    pub wait: Option<Wait>,
    /// The first cycle.
    pub start: u64,
    /// Cycles.
    pub duration: u64,
}

/// A timed run.
#[derive(Clone, Default, Debug)]
pub struct Record {
    /// Name of the machine model.
    pub machine: String,
    /// Cycles from the start to the end of the last operation.
    pub cycles: u64,
    /// Innermost loops, by agent and program order.
    pub loops: Vec<LoopTimes>,
    /// The program and its agents.
    pub agents: Vec<AgentTimes>,
    /// The units that were used, by number.
    pub units: Vec<UnitTimes>,
    /// The waits, those with most cycles first.
    pub waits: Vec<WaitTimes>,
    /// All events, in order of their end.
    pub spans: Vec<Span>,
}

/// Accumulates waits.
#[derive(Clone, Default, Debug)]
pub(super) struct WaitTable(BTreeMap<(usize, Operation, Wait), u64>);

impl WaitTable {
    pub fn add(&mut self, agent: usize, operation: Operation, wait: Wait, cycles: u64) {
        *self.0.entry((agent, operation, wait)).or_default() += cycles;
    }

    /// Cycles that an agent waited for others.
    pub fn of_agent(&self, agent: usize) -> u64 {
        let waits = self.0.iter().filter(|((number, _, wait), _)| {
            *number == agent && !matches!(wait, Wait::Own | Wait::Operand)
        });
        waits.map(|(_, cycles)| cycles).sum()
    }

    /// The waits for others, longest first.
    pub fn sorted(self) -> Vec<WaitTimes> {
        let waits = self.0.into_iter();
        let waits = waits.filter(|((_, _, wait), _)| !matches!(wait, Wait::Own | Wait::Agents));
        let mut waits: Vec<WaitTimes> = waits
            .map(|((agent, operation, wait), cycles)| WaitTimes {
                agent,
                wait,
                operation,
                cycles,
            })
            .collect();
        waits.sort_by_key(|wait| std::cmp::Reverse(wait.cycles));
        waits
    }
}
