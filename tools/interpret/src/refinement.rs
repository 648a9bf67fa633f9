//! Comparison of a program with its transformed version.

use std::fmt;

use crate::{Datum, Event, Outcome, Trap, World};

/// Why a run does not refine another.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference(String);

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks that a run may replace another: where the first is defined, the second has the same
/// behaviour.
///
/// Succeeds for every `after` if `before` has undefined behaviour and the events before it agree,
/// or if `before` ran out of fuel or used an unsupported operation: then there is nothing to
/// compare.
///
/// # Errors
/// The first difference.
pub fn refines(before: (&Outcome, &World), after: (&Outcome, &World)) -> Result<(), Difference> {
    let undefined = matches!(before.0, Outcome::Trapped(Trap::Undefined { .. }));
    let open = matches!(
        before.0,
        Outcome::OutOfFuel
            | Outcome::Stuck(_)
            | Outcome::Trapped(Trap::Unsupported { .. } | Trap::Malformed { .. } | Trap::TooDeep)
    );
    if open {
        return Ok(());
    }
    compare_events(&before.1.events, &after.1.events, undefined)?;
    if undefined {
        return Ok(());
    }
    match (before.0, after.0) {
        (Outcome::Returned(before), Outcome::Returned(after)) => {
            compare_values("results", before, after)
        }
        (
            Outcome::Trapped(Trap::Aborted {
                message: before, ..
            }),
            Outcome::Trapped(Trap::Aborted { message: after, .. }),
        ) if before == after => Ok(()),
        (before, after) => Err(Difference(format!("before: {before}\nafter: {after}"))),
    }
}

fn compare_values(what: &str, before: &[Datum], after: &[Datum]) -> Result<(), Difference> {
    let same = before.len() == after.len()
        && after
            .iter()
            .zip(before)
            .all(|(after, before)| after.refines(before));
    if same {
        return Ok(());
    }
    let difference = format!(
        "{what} before: {}\n{what} after: {}",
        list(before),
        list(after)
    );
    Err(Difference(difference))
}

/// External events must be the same. A program with undefined behaviour may have fewer: the
/// undefined operation may be reached, or detected, before the last event.
fn compare_events(before: &[Event], after: &[Event], undefined: bool) -> Result<(), Difference> {
    for (number, (before, after)) in before.iter().zip(after).enumerate() {
        let Event::Call {
            function,
            arguments,
            ..
        } = before;
        let Event::Call {
            function: other,
            arguments: others,
            ..
        } = after;
        if function != other {
            let difference = format!("call {number} before: {function}, after: {other}");
            return Err(Difference(difference));
        }
        compare_values(
            &format!("arguments of call {number} of {function}"),
            arguments,
            others,
        )?;
    }
    if before.len() != after.len() && !undefined {
        let difference = format!("{} calls before, {} after", before.len(), after.len());
        return Err(Difference(difference));
    }
    Ok(())
}

fn list(values: &[Datum]) -> String {
    let values: Vec<_> = values.iter().map(ToString::to_string).collect();
    values.join(", ")
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Returned(values) => write!(f, "returned {}", list(values)),
            Outcome::Trapped(trap) => trap.fmt(f),
            Outcome::OutOfFuel => f.write_str("still running"),
            Outcome::Stuck(reason) => write!(f, "waits: {reason}"),
        }
    }
}
