//! Two instructions of real code, and the simulator's judgement of them at a distance.

use std::fmt::Write;

use super::super::LatencyModel;
use crate::sass::simulate::simulate;
use crate::sass::test_support::function;

/// Two dependent instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instance {
    /// The earlier one.
    pub(super) from: String,
    /// The later one.
    pub(super) to: String,
    /// The listing, function and address of the later one.
    pub(super) place: String,
}

/// The lines of the pair: the stall of the first instruction, and of `NOP`s after it, is the
/// distance.
fn lines(instance: &Instance, distance: u32) -> String {
    let waits = instance.place.starts_with("armed ");
    let (arms, wait) = if waits {
        ("0", "0-----")
    } else {
        ("-", "------")
    };
    let mut left = distance;
    let mut lines = String::new();
    let mut text = instance.from.as_str();
    let mut arms = arms;
    while left > 0 {
        let stall = left.min(15);
        writeln!(lines, "B------:R-:W{arms}:-:S{stall:02} {text}").expect("a line");
        (text, arms) = ("NOP", "-");
        left -= stall;
    }
    writeln!(lines, "B{wait}:R-:W-:-:S05 {}", instance.to).expect("a line");
    let label = instance
        .to
        .split("`(")
        .nth(1)
        .and_then(|rest| rest.split(')').next());
    if let Some(label) = label {
        writeln!(lines, "{label}:").expect("a line");
    }
    lines.push_str("B------:R-:W-:-:S05 EXIT");
    lines
}

/// The cycles that hazards between the two require, when they issue at a distance.
pub(super) fn hazards(model: &LatencyModel, instance: &Instance, distance: u32) -> Vec<u32> {
    let function = function(model.name(), &lines(instance, distance));
    let report = simulate(&function, model);
    let between = report
        .hazards
        .into_iter()
        .filter(|hazard| hazard.producer == 0);
    between.map(|hazard| hazard.needed).collect()
}

/// What is wrong with a pair that issues at its least distance: it must not be a hazard there, and
/// must be one a cycle earlier.
pub(super) fn check(model: &LatencyModel, instance: &Instance, cycles: u32) -> Option<String> {
    let Instance { from, to, .. } = instance;
    let at = hazards(model, instance, cycles);
    if !at.is_empty() {
        return Some(format!(
            "real code issues `{from}` and `{to}` at {cycles}, which needs {at:?}"
        ));
    }
    let nearer = hazards(model, instance, cycles.saturating_sub(1));
    if cycles > 1 && !nearer.contains(&cycles) {
        return Some(format!(
            "`{from}` and `{to}` may issue nearer than {cycles}: {nearer:?}"
        ));
    }
    None
}
