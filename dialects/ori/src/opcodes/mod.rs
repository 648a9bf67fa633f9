//! The entries of the instruction table ([`orison_machine`]) that operations stand for.

#[cfg(test)]
mod operand_tests;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use orison_ir::declare::{Effects, KeywordSet, OperationDefinition};
use orison_ir::{Attribute, Context, Operation};
use orison_machine::{Category, Entry, Flag, Space};

/// The entries of one operation: an interface of the operations of this dialect.
struct Entries {
    /// Those with a condition, in the order of the table.
    conditional: Vec<(Condition, &'static Entry)>,
    otherwise: Option<&'static Entry>,
}

/// When an operation stands for an entry.
enum Condition {
    /// The unit modifier with this key is set.
    Flag(&'static str),
    /// The modifier with this key is the keyword with this index.
    Keyword(&'static str, KeywordSet, usize),
}

impl Condition {
    /// The condition with a text of the table; `None` if the operation has no such modifier.
    fn of(definition: &OperationDefinition, when: &str) -> Option<Self> {
        if let Some(attribute) = definition.attribute(when) {
            return Some(Condition::Flag(attribute.name));
        }
        definition.attributes.iter().find_map(|attribute| {
            let set = attribute.constraint.keywords?;
            Some(Condition::Keyword(
                attribute.name,
                set,
                set.number_of(when)?,
            ))
        })
    }

    fn holds(&self, context: &Context, op: Operation) -> bool {
        match self {
            Condition::Flag(key) => op.attribute(context, key) == Some(Attribute::UNIT),
            Condition::Keyword(key, set, number) => op
                .attribute(context, key)
                .is_some_and(|value| (set.number)(context, value) == Some(*number)),
        }
    }
}

impl Entries {
    /// The entries of an operation.
    ///
    /// # Panics
    /// Panics if the table has a condition that is no modifier of the operation.
    fn of(definition: &OperationDefinition) -> Self {
        let entries = || Entry::of_operation(definition.name);
        let conditional = entries().filter_map(|entry| {
            let condition = Condition::of(definition, entry.when?);
            Some((condition.expect("a modifier of the operation"), entry))
        });
        Entries {
            conditional: conditional.collect(),
            otherwise: entries().find(|entry| entry.when.is_none()),
        }
    }
}

/// Attaches the entries to the operations of the dialect.
pub(crate) fn attach(context: &mut Context, operations: &[&'static OperationDefinition]) {
    static ENTRIES: OnceLock<Vec<Entries>> = OnceLock::new();
    let all = ENTRIES.get_or_init(|| operations.iter().copied().map(Entries::of).collect());
    for (definition, entries) in operations.iter().zip(all) {
        context.attach(definition, entries);
    }
}

/// The entry of an operation; `None` for operations of other dialects. Of several, the first one
/// whose condition holds is taken, otherwise the one without a condition.
pub fn of(context: &Context, op: Operation) -> Option<&'static Entry> {
    let entries = *op.interface::<&'static Entries>(context)?;
    let mut conditional = entries.conditional.iter();
    let found = conditional.find(|(condition, _)| condition.holds(context, op));
    found.map(|(_, entry)| *entry).or(entries.otherwise)
}

/// The effects that generic passes may assume. Operations that synchronise, are asynchronous, or
/// exchange values between threads have unknown effects; constant banks never change.
///
/// A product of a warp group reads shared memory, and its result is a value: an unused product may
/// be dropped. What else it does is a matter of groups, which fences, commits and waits read and
/// write. All of them order accesses ([`Flag::Barrier`], [`Flag::Asynchronous`]) and are
/// convergent, so that no pass moves them, or accesses across them.
pub fn effects(entry: &Entry) -> Effects {
    if entry.has(Flag::Group) {
        return match entry.category {
            Category::Matrix => Effects::Read,
            _ => Effects::ReadWrite,
        };
    }
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
