//! The entries of the instruction table ([`orison_machine`]) that operations stand for.

#[cfg(test)]
mod operand_tests;
#[cfg(test)]
mod tests;

use orison_ir::declare::Effects;
use orison_ir::{Attribute, Context, Operation};
use orison_machine::{Category, Entry, Flag, Space};

/// The entry of an operation; `None` for operations of other dialects. Of several, the first one
/// whose condition holds is taken, otherwise the one without a condition.
pub fn of(context: &Context, op: Operation) -> Option<&'static Entry> {
    let entries = || Entry::of_operation(op.name_text(context));
    entries()
        .find(|entry| entry.when.is_some_and(|when| says(context, op, when)))
        .or_else(|| entries().find(|entry| entry.when.is_none()))
}

/// Whether a unit modifier is set, or a modifier has a keyword as its value.
fn says(context: &Context, op: Operation, when: &str) -> bool {
    let properties = op.properties(context);
    let mut entries = properties.entries(context).iter();
    entries.any(|(key, value)| {
        value.as_str(context) == Some(when)
            || (*value == Attribute::UNIT && key.text(context) == when)
    })
}

/// The effects that generic passes may assume. Operations that synchronise, are asynchronous, or
/// exchange values between threads have unknown effects; constant banks never change.
pub fn effects(entry: &Entry) -> Effects {
    let opaque = [
        Flag::Barrier,
        Flag::Asynchronous,
        Flag::Call,
        Flag::Exit,
        Flag::Changing,
    ];
    let exchanges = entry.has(Flag::Convergent) && entry.category != Category::Matrix;
    if exchanges || opaque.iter().any(|flag| entry.has(*flag)) {
        return Effects::Unknown;
    }
    let reads = entry.reads.iter().any(|space| *space != Space::Constant);
    match (reads, !entry.writes.is_empty()) {
        (true, true) => Effects::ReadWrite,
        (true, false) => Effects::Read,
        (false, true) => Effects::Write,
        (false, false) => Effects::None,
    }
}
