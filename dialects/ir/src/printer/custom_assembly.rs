//! Printer methods for hand-written custom assembly, besides values, types and attributes.

use super::Printer;
use crate::entities::{Block, Operation, Value};
use crate::{Attribute, Identifier};

impl Printer<'_> {
    /// Inherent and discardable attributes of an operation without the elided ones, sorted by key.
    fn attributes_without(&self, op: Operation, elided: &[&str]) -> Vec<(Identifier, Attribute)> {
        let context = self.context;
        let properties = op.properties(context).entries(context);
        let attributes = op.attributes(context).entries(context);
        let mut all: Vec<_> = properties
            .iter()
            .chain(attributes)
            .filter(|(key, _)| !elided.contains(&key.text(context)))
            .copied()
            .collect();
        all.sort_by(|a, b| a.0.text(context).cmp(b.0.text(context)));
        all
    }

    /// Runs `write` with the indentation increased by one level.
    pub fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 2;
        write(self);
        self.indent -= 2;
    }

    /// Writes ` {…}` with the attributes that are not elided; writes nothing if there are none.
    pub fn attribute_dictionary(&mut self, op: Operation, elided: &[&str]) {
        let entries = self.attributes_without(op, elided);
        if !entries.is_empty() {
            self.write(" {");
            self.named_attributes(&entries);
            self.write("}");
        }
    }

    /// Writes ` attributes {…}` with the attributes that are not elided; writes nothing if there
    /// are none.
    pub fn attribute_dictionary_with_keyword(&mut self, op: Operation, elided: &[&str]) {
        let entries = self.attributes_without(op, elided);
        if !entries.is_empty() {
            self.write(" attributes {");
            self.named_attributes(&entries);
            self.write("}");
        }
    }

    /// Writes ` {…}` for a dictionary attribute that is not empty.
    pub fn dictionary_after_space(&mut self, dictionary: Attribute) {
        if dictionary != Attribute::EMPTY_DICTIONARY {
            self.write(" {");
            self.named_attributes(dictionary.entries(self.context));
            self.write("}");
        }
    }

    /// Like [`Printer::dictionary_after_space`], for the attributes of an argument that is printed
    /// with its name. As in MLIR, such a use does not create an alias, but prints an existing one.
    pub fn argument_dictionary(&mut self, dictionary: Attribute) {
        if self.is_collecting_aliases() {
            self.collect_opaque_aliases(dictionary);
        } else {
            self.dictionary_after_space(dictionary);
        }
    }

    /// Writes inherent and other attributes as one dictionary sorted by key; writes nothing if
    /// there are none.
    pub(super) fn merged_dictionary(&mut self, properties: Attribute, attributes: Attribute) {
        let context = self.context;
        let (inherent, others) = (properties.entries(context), attributes.entries(context));
        let mut entries: Vec<_> = inherent.iter().chain(others).copied().collect();
        entries.sort_by_key(|(key, _)| key.text(context));
        if !entries.is_empty() {
            self.write(" {");
            self.named_attributes(&entries);
            self.write("}");
        }
    }

    /// Writes `^bb0` or `^bb0(%a : i32)`.
    pub fn successor_with_arguments(&mut self, block: Block, arguments: &[Value]) {
        self.successor(block);
        if !arguments.is_empty() {
            let context = self.context;
            self.write("(");
            self.comma_separated(arguments.iter().copied(), Self::value);
            self.write(" : ");
            self.types(arguments.iter().map(|value| value.ty(context)));
            self.write(")");
        }
    }

    /// Writes the location of a block argument if locations are printed.
    pub fn argument_location(&mut self, argument: Value) {
        if self.flags.debug_info {
            let location = argument.location(self.context);
            if self.is_collecting_aliases() {
                self.note_argument_location(location);
            }
            let pretty = self.flags.pretty_debug_info;
            self.write(if pretty { " " } else { " loc(" });
            self.location_in_full(location);
            self.write(if pretty { "" } else { ")" });
        }
    }
}
