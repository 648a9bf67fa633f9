//! Aliases: names for attributes and locations that are long or occur often.
//!
//! The builtin dialect names affine maps (`#map`), integer sets (`#set`), distinct attributes
//! (`#distinct`) and locations (`#loc`). A dry run of the printer collects the occurrences; modules
//! without any such attribute skip it. TextCache of opaque types and attributes refer to aliases of any
//! kind; these keep their original names.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Printer;
use crate::attributes::AttributeKind;
use crate::{Attribute, Location, Operation, Type};

/// The subject of an alias.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Subject {
    Attribute(Attribute),
    Location(Location),
    /// Types have aliases only if the text of an opaque type or attribute refers to them.
    Type(Type),
}

#[derive(Debug)]
struct Entry {
    base: &'static str,
    /// The number of nested aliases: definitions come before uses.
    depth: usize,
    /// It occurs only in locations of operations, so it is defined at the end of the file.
    deferred: bool,
    /// The original name, if an opaque text refers to it.
    wanted: Option<Box<str>>,
    /// The name without `#` or `!`, once assigned.
    name: Option<Box<str>>,
}

#[derive(Debug, Default)]
pub(super) struct AliasTable {
    entries: FxHashMap<Subject, Entry>,
    /// In order of first occurrence, then of definition.
    order: Vec<Subject>,
    /// Occurrences are being collected; aliases are not printed yet.
    collecting: bool,
    /// Only aliases in opaque texts are collected.
    only_opaque_aliases: bool,
    /// The nesting depth of aliases in the current subject.
    depth: usize,
    /// The current subject is the location of an operation.
    may_defer: bool,
    /// Output numbers of distinct attributes.
    distinct: FxHashMap<Attribute, i64>,
}

impl Subject {
    fn is_type(self) -> bool {
        matches!(self, Subject::Type(_))
    }
}

/// Names, each with a flag that is true for type aliases.
type Names = FxHashSet<(bool, Box<str>)>;

/// Assigns the original names to the aliases of opaque texts. If two share a name, the first
/// occurrence keeps it, and the others get a numeric suffix. Returns the assigned names.
fn give_wanted_names(entries: &mut FxHashMap<Subject, Entry>, order: &[Subject]) -> Names {
    let mut taken = Names::default();
    let mut late = Vec::new();
    for subject in order {
        let Some(entry) = entries.get_mut(subject) else {
            continue;
        };
        let Some(wanted) = entry.wanted.clone() else {
            continue;
        };
        if taken.insert((subject.is_type(), wanted.clone())) {
            entry.name = Some(wanted);
        } else {
            late.push((subject, wanted));
        }
    }
    for (subject, wanted) in late {
        // A number alone is a valid name, but text after it is not part of it.
        let is_number = wanted.starts_with(|c: char| c.is_ascii_digit());
        let prefix = if is_number { "_" } else { "" };
        let free = (1usize..).find_map(|count| {
            let name: Box<str> = format!("{prefix}{wanted}_{count}").into();
            taken
                .insert((subject.is_type(), name.clone()))
                .then_some(name)
        });
        if let Some(entry) = entries.get_mut(subject) {
            entry.name = free;
        }
    }
    taken
}

impl Printer<'_> {
    /// Collects the attributes and locations under `op` that get an alias.
    pub(super) fn collect_aliases(&mut self, op: Operation) {
        if self.flags.local_scope || !(self.context.has_aliases || self.flags.debug_info) {
            return;
        }
        self.aliases.collecting = true;
        let sink = self.sink.take();
        self.full_operation(op);
        self.sink = sink;
        self.discard();
        self.aliases.collecting = false;
        // Distinct attributes are numbered in printing order.
        self.aliases.distinct.clear();
        self.number_aliases();
    }

    fn number_aliases(&mut self) {
        let AliasTable { entries, order, .. } = &mut self.aliases;
        order.sort_by_key(|subject| {
            entries
                .get(subject)
                .map_or((0, ""), |entry| (entry.depth, entry.base))
        });
        let mut taken = give_wanted_names(entries, order);
        let mut counts: FxHashMap<&'static str, usize> = FxHashMap::default();
        for subject in order {
            let Some(entry) = entries
                .get_mut(subject)
                .filter(|entry| entry.name.is_none())
            else {
                continue;
            };
            let count = counts.entry(entry.base).or_default();
            while entry.name.is_none() {
                let name: Box<str> = match *count {
                    0 => entry.base.into(),
                    count => format!("{}{count}", entry.base).into(),
                };
                *count += 1;
                if taken.insert((false, name.clone())) {
                    entry.name = Some(name);
                }
            }
        }
    }

    /// The base name that MLIR gives to aliases of the subject; `None` if it gets no alias.
    fn base_of(&self, subject: Subject) -> Option<&'static str> {
        match subject {
            Subject::Location(_) => Some("loc"),
            Subject::Type(_) => None,
            Subject::Attribute(attribute) => match attribute.kind(self.context) {
                AttributeKind::AffineMap(_) => Some("map"),
                AttributeKind::IntegerSet(_) => Some("set"),
                AttributeKind::Distinct { referenced, .. } => {
                    (*referenced != Attribute::UNIT).then_some("distinct")
                }
                _ => None,
            },
        }
    }

    /// Writes the alias of an attribute, if any. While collecting, records it.
    pub(super) fn attribute_alias(&mut self, attribute: Attribute) -> bool {
        if let AttributeKind::Location(location) = attribute.kind(self.context) {
            return self.location_alias(*location);
        }
        let subject = Subject::Attribute(attribute);
        match self.base_of(subject) {
            Some(base) => self.alias(subject, base, |printer| {
                printer.attribute_definition(attribute);
            }),
            None => false,
        }
    }

    /// Writes the alias of a location, if any. While collecting, records it.
    pub(super) fn location_alias(&mut self, location: Location) -> bool {
        self.alias(Subject::Location(location), "loc", |printer| {
            printer.location_in_full(location);
        })
    }

    /// Runs `write`, which may refer to aliases that are defined at the end of the file.
    pub(super) fn deferring(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.aliases.may_defer, true);
        write(self);
        self.aliases.may_defer = outer;
    }

    pub(super) fn is_collecting_aliases(&self) -> bool {
        self.aliases.collecting
    }

    /// As in MLIR, locations of block arguments get an alias, although they are printed in full.
    pub(super) fn note_argument_location(&mut self, location: Location) {
        self.location_alias(location);
    }

    fn alias(
        &mut self,
        subject: Subject,
        base: &'static str,
        inner: impl FnOnce(&mut Self),
    ) -> bool {
        if self.flags.local_scope {
            return false;
        }
        if !self.aliases.collecting {
            return self.write_alias(&subject);
        }
        if self.aliases.only_opaque_aliases {
            return false;
        }
        let may_defer = self.aliases.may_defer;
        if let Some(entry) = self.aliases.entries.get_mut(&subject) {
            let must_move = entry.deferred && !may_defer;
            entry.deferred &= may_defer;
            let depth = entry.depth;
            if must_move {
                inner(self);
            }
            self.aliases.depth = self.aliases.depth.max(depth + 1);
            return true;
        }
        let entry = Entry {
            base,
            depth: 0,
            deferred: may_defer,
            wanted: None,
            name: None,
        };
        self.collect_inside(subject, entry, inner);
        true
    }

    /// Records an alias and the aliases nested in it.
    fn collect_inside(&mut self, subject: Subject, entry: Entry, inner: impl FnOnce(&mut Self)) {
        self.aliases.entries.insert(subject, entry);
        self.aliases.order.push(subject);
        let outer = std::mem::take(&mut self.aliases.depth);
        inner(self);
        let depth = std::mem::replace(&mut self.aliases.depth, outer);
        if let Some(entry) = self.aliases.entries.get_mut(&subject) {
            entry.depth = depth;
        }
        self.aliases.depth = self.aliases.depth.max(depth + 1);
    }

    /// Records an alias referenced by an opaque text, and its original name. It must be defined
    /// before the text that refers to it.
    pub(super) fn note_opaque_alias(&mut self, subject: Subject, name: &str) {
        let only_opaque_aliases = std::mem::take(&mut self.aliases.only_opaque_aliases);
        let may_defer = std::mem::take(&mut self.aliases.may_defer);
        if let Some(entry) = self.aliases.entries.get_mut(&subject) {
            entry.wanted.get_or_insert_with(|| name.into());
            let was_deferred = std::mem::take(&mut entry.deferred);
            self.aliases.depth = self.aliases.depth.max(entry.depth + 1);
            if was_deferred {
                self.subject_in_full(subject);
            }
        } else {
            let entry = Entry {
                base: self.base_of(subject).unwrap_or_default(),
                depth: 0,
                deferred: false,
                wanted: Some(name.into()),
                name: None,
            };
            self.collect_inside(subject, entry, |printer| printer.subject_in_full(subject));
        }
        self.aliases.only_opaque_aliases = only_opaque_aliases;
        self.aliases.may_defer = may_defer;
    }

    /// Records only the aliases referenced by opaque texts in an attribute.
    pub(super) fn collect_opaque_aliases(&mut self, attribute: Attribute) {
        let outer = std::mem::replace(&mut self.aliases.only_opaque_aliases, true);
        self.attribute(attribute);
        self.aliases.only_opaque_aliases = outer;
    }

    /// Writes the expansion of an alias.
    pub(super) fn subject_in_full(&mut self, subject: Subject) {
        match subject {
            Subject::Attribute(attribute) => self.attribute_definition(attribute),
            Subject::Location(location) => self.location_in_full(location),
            Subject::Type(ty) => self.ty(ty),
        }
    }

    /// Writes the alias that this output defines for `subject`, if any.
    pub(super) fn write_alias(&mut self, subject: &Subject) -> bool {
        let entry = self.aliases.entries.get(subject);
        let Some(name) = entry.and_then(|entry| entry.name.clone()) else {
            return false;
        };
        self.write(if subject.is_type() { "!" } else { "#" });
        self.write(&name);
        true
    }

    /// Writes the alias definitions before the module, or the deferred ones after it.
    pub(super) fn print_alias_definitions(&mut self, deferred: bool) {
        for subject in self.aliases.order.clone() {
            let Some(entry) = self.aliases.entries.get(&subject) else {
                continue;
            };
            if entry.deferred != deferred {
                continue;
            }
            self.write_alias(&subject);
            self.write(" = ");
            let in_loc = matches!(subject, Subject::Location(_)) && !self.flags.pretty_debug_info;
            self.write(if in_loc { "loc(" } else { "" });
            self.subject_in_full(subject);
            self.write(if in_loc { ")" } else { "" });
            self.write("\n");
        }
    }

    /// The number of a distinct attribute in this output, in order of first occurrence.
    pub(super) fn distinct_number(&mut self, attribute: Attribute) -> i64 {
        let next = i64::try_from(self.aliases.distinct.len()).unwrap_or(i64::MAX);
        *self.aliases.distinct.entry(attribute).or_insert(next)
    }
}
