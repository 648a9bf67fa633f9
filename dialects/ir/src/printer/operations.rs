//! Printing of operations, regions and blocks.

use std::borrow::Cow;

use super::Printer;
use super::text_cache::Subject;
use crate::attributes::{Attribute, AttributeKind};
use crate::declare::{Assembly, OperationDefinition, Trait};
use crate::declare::{UNREGISTERED, dotless, irdl_describes};
use crate::entities::{Block, Operation, Region};
use crate::resources::{DIALECT_RESOURCES, EXTERNAL_RESOURCES, Resource};
use crate::spelling::is_bare_identifier;

impl<'a> Printer<'a> {
    /// Writes an operation: result names, the operation in custom or generic form, its location.
    pub(super) fn full_operation(&mut self, op: Operation) {
        if self.flags.debug_info && self.is_collecting_aliases() {
            // Aliases are numbered in the order in which MLIR visits them: outer locations first.
            let location = op.location(self.context);
            self.deferring(|printer| {
                printer.location_alias(location);
            });
        }
        self.result_names(op);
        let definition = op.definition(self.context).filter(|_| !self.flags.generic);
        match definition {
            Some(definition) if !matches!(definition.assembly, Assembly::Generic) => {
                self.custom_operation(op, definition);
            }
            _ => self.generic_operation(op),
        }
        self.trailing_location(op.location(self.context));
    }

    fn result_names(&mut self, op: Operation) {
        let count = op.result_count(self.context);
        if count == 0 {
            return;
        }
        if count == 1 {
            self.value_name(op.result(self.context, 0));
            self.write(" = ");
            return;
        }
        let groups = self.names.groups(op).to_vec();
        let starts = std::iter::once(0).chain(groups.iter().copied());
        let ends = groups.iter().copied().chain(std::iter::once(count));
        for (start, end) in starts.zip(ends) {
            if start > 0 {
                self.write(", ");
            }
            self.value_name(op.result(self.context, start));
            if end - start > 1 {
                self.write(":");
                self.integer(i64::try_from(end - start).unwrap_or(0));
            }
        }
        self.write(" = ");
    }

    fn custom_operation(&mut self, op: Operation, definition: &'static OperationDefinition) {
        let default = self.default_dialects.last().copied().unwrap_or_default();
        let name = definition.name;
        let short = name
            .strip_prefix(default)
            .and_then(|rest| rest.strip_prefix('.'))
            .filter(|rest| !rest.contains('.') && !default.is_empty());
        self.write(short.unwrap_or(name));
        match definition.assembly {
            Assembly::Custom { print, .. } => print(self, op),
            Assembly::Format(_) => self.print_format(definition, op),
            Assembly::Generic => {}
        }
    }

    /// Writes an operation in generic form, without result names and location.
    pub fn generic_operation(&mut self, op: Operation) {
        if self.is_collecting_aliases() {
            return self.collect_operation(op);
        }
        let name = op.name(self.context);
        let plain = self.flags.irdl && self.context.is_own(name.text(self.context));
        if plain && !irdl_describes(self.context, op) {
            let text = format!("{UNREGISTERED}{}", name.text(self.context));
            self.string(text.as_bytes());
            self.write("(");
        } else {
            self.remembered(Subject::Name(name), |printer| {
                let text = name.text(printer.context);
                let text = if plain {
                    dotless(text)
                } else {
                    Cow::Borrowed(text)
                };
                printer.string(text.as_bytes());
                printer.write("(");
            });
        }
        self.operands(op);
        self.write(")");
        if op.successor_count(self.context) > 0 {
            self.write("[");
            let successors: Vec<_> = op.successors(self.context).collect();
            self.comma_separated(successors, Self::successor);
            self.write("]");
        }
        let properties = op.properties(self.context);
        if plain {
            // Properties are merged with the other attributes.
        } else if properties.is_empty_properties(self.context) {
            self.write(" <{}>");
        } else if properties != Attribute::EMPTY_DICTIONARY {
            self.write(" <");
            self.remembered_attribute(properties);
            self.write(">");
        }
        if op.region_count(self.context) > 0 {
            self.write(" (");
            let regions: Vec<_> = op.regions(self.context).collect();
            self.comma_separated(regions, |printer, region| {
                printer.region_with(region, RegionStyle::GENERIC);
            });
            self.write(")");
        }
        let attributes = op.attributes(self.context);
        if plain {
            self.merged_dictionary(properties, attributes);
        } else if attributes != Attribute::EMPTY_DICTIONARY {
            self.write(" ");
            self.remembered_attribute(attributes);
        }
        self.write(" : ");
        self.functional_type(op);
    }

    /// Visits the aliases of an operation in MLIR's numbering order: regions, types, then all
    /// attributes by name.
    fn collect_operation(&mut self, op: Operation) {
        let context = self.context;
        for region in op.regions(context) {
            self.region_with(region, RegionStyle::GENERIC);
        }
        let operands = op.operands(context).map(|value| value.ty(context));
        let types: Vec<_> = operands
            .chain(op.results(context).map(|value| value.ty(context)))
            .collect();
        for ty in types {
            self.ty(ty);
        }
        // As in MLIR, undeclared properties are not attributes.
        let declared = op.definition(context).is_some();
        if !declared {
            self.collect_opaque_aliases(op.properties(context));
        }
        let properties = declared.then(|| op.properties(context));
        let mut attributes: Vec<_> = [properties, Some(op.attributes(context))]
            .into_iter()
            .flatten()
            .filter_map(|dictionary| match dictionary.kind(context) {
                AttributeKind::Dictionary(entries) => Some(entries.iter().copied()),
                _ => None,
            })
            .flatten()
            .collect();
        attributes.sort_by_key(|(name, _)| name.text(context));
        for (_, attribute) in attributes {
            self.attribute(attribute);
        }
    }

    /// Writes the operands of an operation.
    pub fn operands(&mut self, op: Operation) {
        let context = self.context;
        self.comma_separated(op.operands(context), Self::value);
    }

    /// Writes the types of operands and results as a function type.
    pub fn functional_type(&mut self, op: Operation) {
        let context = self.context;
        self.write("(");
        self.comma_separated(op.operands(context), |printer, value| {
            printer.ty(value.ty(context));
        });
        self.write(") -> ");
        if op.result_count(context) == 1 {
            self.function_results(&[op.result(context, 0).ty(context)]);
        } else {
            self.write("(");
            self.comma_separated(op.results(context), |printer, value| {
                printer.ty(value.ty(context));
            });
            self.write(")");
        }
    }

    /// Writes a region in braces.
    pub fn region(&mut self, region: Region, style: RegionStyle) {
        self.region_with(region, style);
    }

    fn region_with(&mut self, region: Region, style: RegionStyle) {
        if self.flags.skip_regions {
            self.write("{...}");
            return;
        }
        self.write("{");
        let owner = region.owner(self.context);
        let default = owner
            .definition(self.context)
            .map_or("", |d| d.default_dialect);
        self.default_dialects.push(default);
        self.indent += 2;
        let mut current = region.first_block(self.context);
        let mut entry = true;
        while let Some(block) = current {
            let label = !entry
                || (style.empty_block_label && block.is_empty(self.context))
                || (style.entry_arguments && block.argument_count(self.context) > 0);
            self.block(block, label, style.terminators);
            entry = false;
            current = block.next(self.context);
        }
        self.indent -= 2;
        self.default_dialects.pop();
        self.new_line();
        self.write("}");
    }

    fn block(&mut self, block: Block, label: bool, terminator: bool) {
        if label {
            self.indent -= 2;
            self.new_line();
            self.indent += 2;
            self.block_label(block);
        }
        self.argument_users(block);
        let hidden = if terminator {
            None
        } else {
            let is_terminator = |op: &Operation| op.has_trait(self.context, Trait::Terminator);
            block.last_op(self.context).filter(is_terminator)
        };
        let mut current = block.first_op(self.context);
        while let Some(op) = current {
            if Some(op) != hidden {
                self.new_line();
                self.full_operation(op);
                self.operation_users(op);
                self.flush_if_full();
            }
            current = op.next(self.context);
        }
    }

    fn block_label(&mut self, block: Block) {
        let context = self.context;
        self.successor(block);
        if block.argument_count(context) > 0 {
            self.write("(");
            self.comma_separated(block.arguments(context), |printer, argument| {
                printer.value(argument);
                printer.write(": ");
                printer.ty(argument.ty(context));
                printer.argument_location(argument);
            });
            self.write(")");
        }
        self.write(":");
        let mut predecessors: Vec<_> = block
            .predecessors(context)
            .map(|block| (self.block_number(block), block))
            .collect();
        predecessors.sort_by_key(|(number, _)| *number);
        match predecessors.as_slice() {
            [] if block.is_entry(context) => {}
            [] => self.write("  // no predecessors"),
            [(_, only)] => {
                self.write("  // pred: ");
                self.successor(*only);
            }
            many => {
                self.write("  // ");
                self.integer(i64::try_from(many.len()).unwrap_or(0));
                self.write(" preds: ");
                self.comma_separated(many.iter(), |printer, (_, block)| printer.successor(*block));
            }
        }
    }

    /// Writes the file metadata section if any resource of the context is referenced.
    pub(super) fn print_resources(&mut self) {
        if self.shown_resources().is_empty() {
            return;
        }
        self.write("\n{-#\n");
        let limit = self.flags.elide_resources_if_larger.unwrap_or(usize::MAX);
        let mut open: Option<(&str, &str)> = None;
        let shown = self.shown_resources();
        for Resource {
            section,
            group,
            key,
            value,
        } in shown
        {
            if value.len() > limit {
                continue;
            }
            match open {
                Some((s, g)) if s == section && g == group => self.write(",\n"),
                Some((s, _)) if s == section => self.write("\n    },\n"),
                Some(_) => self.write("\n    }\n  },\n"),
                None => {}
            }
            if open.is_none_or(|(s, _)| s != section) {
                self.write("  ");
                self.write(section);
                self.write(": {\n");
            }
            if open != Some((section, group)) {
                self.write("    ");
                self.resource_key(group);
                self.write(": {\n");
            }
            self.write("      ");
            self.resource_key(key);
            self.write(": ");
            self.write(value);
            open = Some((section, group));
        }
        self.write(if open.is_some() { "\n    }\n  }" } else { "" });
        self.write("\n#-}\n");
    }

    /// The referenced blobs, in order of reference, then the external resources.
    fn shown_resources(&self) -> Vec<&'a Resource> {
        let resources = &self.context.resources;
        let blobs = resources
            .iter()
            .filter(|entry| entry.section == DIALECT_RESOURCES);
        let blobs: rustc_hash::FxHashMap<&str, &Resource> =
            blobs.map(|entry| (entry.key.as_str(), entry)).collect();
        let used = &self.used_resources;
        let used = used
            .iter()
            .filter_map(|key| blobs.get(key.text(self.context)).copied());
        let notes = resources
            .iter()
            .filter(|entry| entry.section == EXTERNAL_RESOURCES);
        used.chain(notes).collect()
    }

    fn resource_key(&mut self, key: &str) {
        if is_bare_identifier(key) {
            self.write(key);
        } else {
            self.string(key.as_bytes());
        }
    }
}

/// The parts of a region to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionStyle {
    /// Print a label with arguments for the entry block.
    pub entry_arguments: bool,
    /// Print the last operation of each block.
    pub terminators: bool,
    /// Print a label for an entry block without operations.
    pub empty_block_label: bool,
}

impl RegionStyle {
    /// Print everything, as in the generic form.
    pub const GENERIC: RegionStyle = RegionStyle {
        entry_arguments: true,
        terminators: true,
        empty_block_label: true,
    };
    /// Print everything, but no label for an entry block without arguments.
    pub const FULL: RegionStyle = RegionStyle {
        entry_arguments: true,
        terminators: true,
        empty_block_label: false,
    };
    /// Print everything but the entry block arguments, which custom assembly has already printed.
    pub const BODY: RegionStyle = RegionStyle {
        entry_arguments: false,
        terminators: true,
        empty_block_label: false,
    };
    /// Print the operations before the terminator.
    pub const WITHOUT_TERMINATOR: RegionStyle = RegionStyle {
        entry_arguments: false,
        terminators: false,
        empty_block_label: false,
    };
}
