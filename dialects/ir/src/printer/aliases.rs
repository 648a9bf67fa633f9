//! Aliases: names for attributes and locations that are long or stand in many places.
//!
//! The builtin dialect names affine maps (`#map`), integer sets (`#set`), distinct attributes
//! (`#distinct`) and locations (`#loc`). Which of them occur is found by printing once into
//! nothing; modules without any such attribute skip that.

use rustc_hash::FxHashMap;

use super::Printer;
use crate::attributes::AttributeKind;
use crate::{Attribute, Location, Operation};

/// What an alias stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Subject {
    Attribute(Attribute),
    Location(Location),
}

#[derive(Debug)]
struct Entry {
    base: &'static str,
    /// How many aliases are nested in it: definitions come before uses.
    depth: usize,
    /// Only behind operations: may be defined at the end of the file.
    deferred: bool,
    /// The number behind the base, once given.
    suffix: Option<usize>,
}

#[derive(Debug, Default)]
pub(super) struct AliasTable {
    entries: FxHashMap<Subject, Entry>,
    /// In order of first occurrence, then of definition.
    order: Vec<Subject>,
    /// Occurrences are being collected; nothing is written with aliases yet.
    collecting: bool,
    /// Depth of aliases below what is being collected.
    depth: usize,
    /// Numbers of distinct attributes in the output.
    distinct: FxHashMap<Attribute, i64>,
}

impl Printer<'_> {
    /// Finds what gets an alias under `op`.
    pub(super) fn collect_aliases(&mut self, op: Operation) {
        if self.flags.local_scope || !(self.context.has_aliases || self.flags.debug_info) {
            return;
        }
        self.aliases.collecting = true;
        let sink = self.sink.take();
        self.full_operation(op);
        self.sink = sink;
        self.out.clear();
        self.aliases.collecting = false;
        // Distinct attributes are numbered as they are written.
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
        let mut counts: FxHashMap<&'static str, usize> = FxHashMap::default();
        for subject in order {
            if let Some(entry) = entries.get_mut(subject) {
                let count = counts.entry(entry.base).or_default();
                entry.suffix = Some(*count);
                *count += 1;
            }
        }
    }

    /// Writes the alias of an attribute, if it has one. While collecting, notes it.
    pub(super) fn attribute_alias(&mut self, attribute: Attribute) -> bool {
        let base = match attribute.kind(self.context) {
            AttributeKind::AffineMap(_) => "map",
            AttributeKind::IntegerSet(_) => "set",
            AttributeKind::Location(location) => {
                let location = *location;
                return self.alias(Subject::Location(location), "loc", false, |printer| {
                    printer.location_in_full(location);
                });
            }
            AttributeKind::Distinct { referenced, .. } if *referenced != Attribute::UNIT => {
                "distinct"
            }
            _ => return false,
        };
        self.alias(Subject::Attribute(attribute), base, false, |printer| {
            printer.attribute_definition(attribute);
        })
    }

    /// Writes the alias of a location, if it has one. While collecting, notes it.
    pub(super) fn location_alias(&mut self, location: Location, may_defer: bool) -> bool {
        self.alias(Subject::Location(location), "loc", may_defer, |printer| {
            printer.location_in_full(location);
        })
    }

    pub(super) fn is_collecting_aliases(&self) -> bool {
        self.aliases.collecting
    }

    /// Locations of block arguments get an alias as in MLIR, though they are written in full.
    pub(super) fn note_argument_location(&mut self, location: Location) {
        self.location_alias(location, false);
    }

    fn alias(
        &mut self,
        subject: Subject,
        base: &'static str,
        may_defer: bool,
        inner: impl FnOnce(&mut Self),
    ) -> bool {
        if self.flags.local_scope {
            return false;
        }
        if !self.aliases.collecting {
            let Some(Entry {
                suffix: Some(suffix),
                ..
            }) = self.aliases.entries.get(&subject)
            else {
                return false;
            };
            let suffix = *suffix;
            self.write("#");
            self.write(base);
            if suffix > 0 {
                self.integer(i64::try_from(suffix).unwrap_or(i64::MAX));
            }
            return true;
        }
        if let Some(entry) = self.aliases.entries.get_mut(&subject) {
            entry.deferred &= may_defer;
            let depth = entry.depth;
            self.aliases.depth = self.aliases.depth.max(depth + 1);
            if !may_defer {
                inner(self);
            }
            return true;
        }
        let entry = Entry {
            base,
            depth: 0,
            deferred: may_defer,
            suffix: None,
        };
        self.aliases.entries.insert(subject, entry);
        self.aliases.order.push(subject);
        let outer = std::mem::take(&mut self.aliases.depth);
        inner(self);
        let depth = std::mem::replace(&mut self.aliases.depth, outer);
        if let Some(entry) = self.aliases.entries.get_mut(&subject) {
            entry.depth = depth;
        }
        self.aliases.depth = self.aliases.depth.max(depth + 1);
        true
    }

    /// Writes the definitions that come before the module, or those that come behind it.
    pub(super) fn print_alias_definitions(&mut self, deferred: bool) {
        for subject in self.aliases.order.clone() {
            let Some(entry) = self.aliases.entries.get(&subject) else {
                continue;
            };
            if entry.deferred != deferred {
                continue;
            }
            let (base, suffix) = (entry.base, entry.suffix.unwrap_or(0));
            self.write("#");
            self.write(base);
            if suffix > 0 {
                self.integer(i64::try_from(suffix).unwrap_or(i64::MAX));
            }
            self.write(" = ");
            match subject {
                Subject::Attribute(attribute) => self.attribute_definition(attribute),
                Subject::Location(location) => {
                    let pretty = self.flags.pretty_debug_info;
                    self.write(if pretty { "" } else { "loc(" });
                    self.location_in_full(location);
                    self.write(if pretty { "" } else { ")" });
                }
            }
            self.write("\n");
        }
    }

    /// The number of a distinct attribute in this output, by first occurrence.
    pub(super) fn distinct_number(&mut self, attribute: Attribute) -> i64 {
        let next = i64::try_from(self.aliases.distinct.len()).unwrap_or(i64::MAX);
        *self.aliases.distinct.entry(attribute).or_insert(next)
    }
}
