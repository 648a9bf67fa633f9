//! The scheduler's promise, held against a timed run.

use orison_ir::{Context, Diagnostic, Operation};

use super::record::Record;

/// Checks that an iteration of each scheduled loop takes as many cycles as scheduled, up to a
/// difference in percent.
///
/// # Errors
/// An error for each loop that takes more or fewer, or has too few iterations to tell, and one if
/// no scheduled loop was executed.
pub fn check_intervals(context: &Context, record: &Record, percent: f64) -> Result<(), String> {
    let mut errors = String::new();
    let error = |place: Operation, message: String| {
        Diagnostic::error(place.location(context), message).render(context)
    };
    let mut scheduled = 0;
    for times in &record.loops {
        let Some(promised) = times.scheduled else {
            continue;
        };
        scheduled += 1;
        let agent = &record.agents[times.agent].name;
        let (Some(interval), Some(ratio)) = (times.interval(), times.ratio()) else {
            let message = format!(
                "{} iterations in {agent} are too few to measure an interval; use more tiles",
                times.iterations
            );
            errors.push_str(&error(times.operation, message));
            continue;
        };
        let difference = (ratio - 1.0) * 100.0;
        if difference.abs() > percent {
            let direction = if difference > 0.0 { "more" } else { "less" };
            let message = format!(
                "an iteration takes {interval:.2} cycles in {agent}, {:.1}% {direction} than the \
                 {promised} scheduled",
                difference.abs()
            );
            errors.push_str(&error(times.operation, message));
        }
    }
    if scheduled == 0 {
        errors.push_str("error: no scheduled loop was executed\n");
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}
