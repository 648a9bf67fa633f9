//! A timed run beside the schedule: what `orison-interpret --timed=json` prints, and its part of the
//! reports.

use std::fmt::Write;

use serde::Deserialize;

use super::{LoopReport, text};

/// A timed run of a materialized kernel.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct TimedRun {
    /// Name of the machine model.
    pub machine: String,
    /// Cycles of the whole run.
    pub cycles: u64,
    /// Innermost loops, by agent.
    pub loops: Vec<TimedLoop>,
    /// The units that were used.
    pub units: Vec<TimedUnit>,
    /// The program and its agents.
    pub agents: Vec<TimedAgent>,
    /// The waits, those with most cycles first.
    pub waits: Vec<TimedWait>,
}

/// A loop in an agent.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct TimedLoop {
    /// Line and column.
    #[serde(rename = "loop")]
    pub place: String,
    /// The agent, an index into [`TimedRun::agents`].
    pub agent: usize,
    /// Executed iterations.
    pub iterations: u64,
    /// Cycles of an iteration in the steady state; `None` if there were too few iterations.
    pub executed: Option<f64>,
}

/// A unit of the machine model.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct TimedUnit {
    /// Its name.
    pub unit: String,
    /// The share of all cycles for which it was held.
    pub utilisation: f64,
}

/// An agent.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct TimedAgent {
    /// Its name.
    pub agent: String,
    /// The first cycle.
    pub from: u64,
    /// The cycle at which its last operation was done.
    pub to: u64,
    /// Cycles in which it waited for others.
    pub waiting: u64,
}

/// Cycles that an agent waited at an operation.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct TimedWait {
    /// The agent, an index into [`TimedRun::agents`].
    pub agent: usize,
    /// Line and column.
    pub at: String,
    /// The operation.
    pub operation: String,
    /// What is waited for.
    #[serde(rename = "for")]
    pub reason: String,
    /// Cycles in total.
    pub cycles: u64,
}

/// The waits shown for an agent, at most.
const WAITS: usize = 3;

/// A table: its title, its columns, its rows.
pub(super) struct Table {
    pub(super) title: String,
    pub(super) heads: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

impl TimedRun {
    /// Reads the output of `orison-interpret --timed=json`.
    ///
    /// # Errors
    /// The text is not of this form.
    pub fn read(text: &str) -> Result<TimedRun, String> {
        let run: TimedRun = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let agents = run.loops.iter().map(|times| times.agent);
        let mut agents = agents.chain(run.waits.iter().map(|wait| wait.agent));
        match agents.find(|agent| *agent >= run.agents.len()) {
            Some(agent) => Err(format!("there is no agent {agent}")),
            None => Ok(run),
        }
    }

    /// The loops at a place.
    pub fn at<'r>(&'r self, place: &'r str) -> impl Iterator<Item = &'r TimedLoop> {
        self.loops.iter().filter(move |times| times.place == place)
    }

    /// What the loops at a place took in each agent, as a clause of a sentence; empty if none is there.
    pub fn clause(&self, place: &str, interval: u32) -> String {
        let each = self.at(place).filter_map(|times| {
            let cycles = times.executed?;
            let agent = &self.agents[times.agent].agent;
            let ratio = cycles / f64::from(interval.max(1));
            Some(format!("{cycles:.2} in {agent} ({ratio:.3})"))
        });
        each.collect::<Vec<_>>().join(", ")
    }

    /// Utilisation by unit, of the run beside the steady state of the schedules; agents, and where they
    /// wait.
    pub(super) fn tables(&self, reports: &[LoopReport]) -> [Table; 3] {
        let percent = |share: f64| format!("{:.1}%", share * 100.0);
        let units = self.units.iter().map(|unit| {
            let loops = reports.iter();
            let scheduled = loops.filter_map(|report| report.utilisation(&unit.unit));
            let scheduled = scheduled.fold(None, |most: Option<f64>, share| {
                Some(most.map_or(share, |most| most.max(share)))
            });
            let scheduled = scheduled.map_or_else(|| "-".to_owned(), percent);
            vec![unit.unit.clone(), scheduled, percent(unit.utilisation)]
        });
        let agents = self.agents.iter().map(|times| {
            let alive = times.to.saturating_sub(times.from);
            let working = alive.saturating_sub(times.waiting);
            #[allow(clippy::cast_precision_loss)] // Cycles are far fewer than 2^52.
            let share = working as f64 / alive.max(1) as f64;
            vec![
                times.agent.clone(),
                times.from.to_string(),
                times.to.to_string(),
                times.waiting.to_string(),
                percent(share),
            ]
        });
        let waits = (0..self.agents.len()).flat_map(|agent| {
            let waits = self.waits.iter().filter(move |wait| wait.agent == agent);
            waits.take(WAITS).map(|wait| {
                let operation = wait.operation.rsplit('.').next().unwrap_or_default();
                vec![
                    self.agents[wait.agent].agent.clone(),
                    wait.at.clone(),
                    operation.to_owned(),
                    wait.reason.clone(),
                    wait.cycles.to_string(),
                ]
            })
        });
        let table = |title: String, heads: &[&'static str], rows: Vec<Vec<String>>| Table {
            title,
            heads: heads.to_vec(),
            rows,
        };
        [
            table(
                format!(
                    "Timed run: {} cycles on machine '{}'",
                    self.cycles, self.machine
                ),
                &["unit", "scheduled", "executed"],
                units.collect(),
            ),
            table(
                "Agents".to_owned(),
                &["agent", "from", "to", "waiting", "utilisation"],
                agents.collect(),
            ),
            table(
                "Where they wait".to_owned(),
                &["agent", "at", "operation", "for", "cycles"],
                waits.collect(),
            ),
        ]
    }

    /// The tables for a terminal.
    pub fn text(&self, reports: &[LoopReport]) -> String {
        let mut out = String::new();
        for Table { title, heads, rows } in self.tables(reports) {
            let _ = writeln!(out, "\n{title}");
            text::table(&mut out, &heads, rows);
        }
        out
    }
}
