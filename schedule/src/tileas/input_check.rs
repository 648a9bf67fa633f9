//! Warns of likely mistakes in scheduling input: unknown names of atoms and attributes.

use orison_ir::pass::nearest;
use orison_ir::walk::collect;
use orison_ir::{Attribute, Context, Diagnostic, Operation, Severity};
use orison_tileas::nv_tileas::AtomFamily;

use super::attributes;
use super::binding_attribute::{BUFFER, BUFFERS};
use super::classify::atom;
use super::materialize::TRIVIAL;
use crate::machine::MachineModel;

/// The dialects whose attributes the passes of this level read.
const PREFIXES: [&str; 2] = ["tileas.", "nv_tile."];

/// The attributes that these passes read on operations in loops, and on loops.
const KEYS: [&str; 21] = [
    attributes::AGENT,
    attributes::AGENTS,
    attributes::GROUP,
    attributes::LEADER,
    attributes::MAX_DEPTH,
    attributes::FORCE_SERIAL,
    attributes::PREFERRED_ATOM_SIZE,
    attributes::MAX_SLICES,
    attributes::MAX_RECOMPUTATIONS,
    attributes::ENABLE_DEFUSION,
    attributes::RECOMPUTABLE,
    attributes::STAGE,
    attributes::ORDER,
    attributes::CYCLE,
    attributes::SUMMARY,
    attributes::INTERVAL,
    attributes::LATENCY,
    attributes::RESOURCES,
    attributes::COST_OF,
    BUFFER,
    BUFFERS,
];

/// Warnings about unknown names, on a loop and its operations.
pub fn unknown_names(
    context: &Context,
    looped: Operation,
    machine: &MachineModel,
) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for op in collect(context, looped) {
        warnings.extend(unknown_atom(context, op, machine));
        warnings.extend(unknown_row(context, op, machine));
        for dictionary in [op.properties(context), op.attributes(context)] {
            warnings.extend(unknown_keys(context, op, dictionary));
        }
    }
    warnings
}

/// An atom that neither the dialect nor the machine model defines may be misspelled, or newer than
/// both.
fn unknown_atom(context: &Context, op: Operation, machine: &MachineModel) -> Option<Diagnostic> {
    let atom = atom(context, op)?;
    if atom.family() != AtomFamily::Unknown {
        return None;
    }
    let meant = AtomFamily::nearest_name(&atom.name);
    // Row selectors are substrings of names, such as `tma`, which misspelled names may also
    // contain.
    if meant.is_none() && machine.knows_atom(&atom.name) {
        return None;
    }
    let help = match meant {
        Some(meant) => format!("did you mean one that starts with '{meant}'?"),
        None => format!(
            "'{}' is scheduled as if it had no atom",
            op.name_text(context)
        ),
    };
    let message = format!("atom '{}' is not known; {help}", atom.name);
    let place = op.location(context);
    let warning = Diagnostic::new(Severity::Warning, place, message);
    if meant.is_some() {
        return Some(warning);
    }
    let mut known: Vec<&str> = AtomFamily::known_names().collect();
    known.sort_unstable();
    let note = format!("names of known atoms start with {}", known.join(", "));
    Some(warning.with_note(place, note))
}

/// A name of a row that the machine model does not have, so that its default applies.
fn unknown_row(context: &Context, op: Operation, machine: &MachineModel) -> Option<Diagnostic> {
    let name = attributes::cost_of(context, op).ok()??;
    let mut rows = machine.rows().iter().map(|row| row.operation.as_str());
    if rows.any(|row| row == name) {
        return None;
    }
    let rows = machine.rows().iter().map(|row| row.operation.as_str());
    let help = match nearest(name, rows) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => "it is scheduled with the default row".to_owned(),
    };
    let message = format!(
        "machine model '{}' has no row '{name}'; {help}",
        machine.name()
    );
    Some(Diagnostic::new(
        Severity::Warning,
        op.location(context),
        message,
    ))
}

fn unknown_keys(context: &Context, op: Operation, dictionary: Attribute) -> Vec<Diagnostic> {
    let keys = dictionary.entries(context).iter();
    let keys = keys.map(|(key, _)| key.text(context));
    let ours = keys.filter(|key| PREFIXES.iter().any(|prefix| key.starts_with(prefix)));
    let unknown = ours.filter(|key| !KEYS.contains(key) && *key != TRIVIAL);
    let warning = |key: &str| {
        let help = match nearest(key, KEYS) {
            Some(meant) => format!("did you mean '{meant}'?"),
            None => "no pass reads it".to_owned(),
        };
        let message = format!("attribute '{key}' is not known; {help}");
        Diagnostic::new(Severity::Warning, op.location(context), message)
    };
    unknown.map(warning).collect()
}
