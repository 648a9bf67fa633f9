//! Exploration of all orders of a small program.

use std::collections::HashSet;

use super::fingerprint::fingerprint;
use super::tasks::{Choice, Failure, Run};
use crate::Interpreter;

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Distinct states.
    pub states: usize,
    /// Explored choices.
    pub choices: usize,
    /// Distinct final states.
    pub endings: usize,
    /// Choices in the longest run.
    pub longest: usize,
    /// Whether all orders were explored; false if the bound on states was reached.
    pub complete: bool,
}

/// Explores every order of choices from a state, each state once, and passes each final state to
/// `judge`. Stops at `bound` states.
///
/// # Errors
/// The first failure.
pub fn explore(
    interpreter: &Interpreter<'_>,
    start: Run,
    bound: usize,
    mut judge: impl FnMut(&Run) -> Result<(), Failure>,
) -> Result<Report, Failure> {
    let context = interpreter.context();
    let mut report = Report {
        complete: true,
        ..Report::default()
    };
    let mut known = HashSet::from([fingerprint(context, &start)]);
    let mut pending: Vec<(Run, Vec<Choice>)> = Vec::new();
    let mut open = Some(start);
    loop {
        if let Some(mut run) = open.take() {
            report.states += 1;
            let choices = run.choices();
            if choices.is_empty() {
                run.conclude()?;
                judge(&run)?;
                report.endings += 1;
            } else {
                pending.push((run, choices));
                report.longest = report.longest.max(pending.len());
            }
        }
        let Some((run, choices)) = pending.last_mut() else {
            return Ok(report);
        };
        let Some(choice) = choices.pop() else {
            pending.pop();
            continue;
        };
        let mut next = run.clone();
        next.perform(interpreter, choice)?;
        report.choices += 1;
        if known.insert(fingerprint(context, &next)) {
            if known.len() > bound {
                report.complete = false;
                return Ok(report);
            }
            open = Some(next);
        }
    }
}
