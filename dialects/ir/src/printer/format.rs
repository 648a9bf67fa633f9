//! Printing of declarative assembly formats.

use super::{Printer, RegionStyle};
use crate::declare::format::Element;
use crate::declare::{OPERAND_SEGMENTS, OperationDefinition, RESULT_SEGMENTS, Variadicity};
use crate::{Attribute, AttributeKind, Context, Operation, Type};

/// Spacing between elements, by the rules of ODS.
struct Spacing {
    space: bool,
    after_punctuation: bool,
}

impl Printer<'_> {
    /// Prints an operation by the format of its declaration, without its name.
    pub(crate) fn print_format(&mut self, definition: &'static OperationDefinition, op: Operation) {
        let elements = self.context.format(definition);
        let mut spacing = Spacing {
            space: true,
            after_punctuation: false,
        };
        self.print_elements(definition, op, &elements, &elements, &mut spacing);
    }

    fn print_elements(
        &mut self,
        definition: &'static OperationDefinition,
        op: Operation,
        all: &[Element],
        elements: &[Element],
        spacing: &mut Spacing,
    ) {
        for element in elements {
            match element {
                Element::Literal(text) => self.print_literal(text, spacing),
                Element::AttrDict(keyword) => {
                    let elided = elided_attributes(definition, op, all, self.context);
                    if *keyword {
                        self.attribute_dictionary_with_keyword(op, &elided);
                    } else {
                        self.attribute_dictionary(op, &elided);
                    }
                }
                Element::Optional(inner, anchor) => {
                    if is_present(definition, op, &inner[*anchor], self.context) {
                        self.print_elements(definition, op, all, inner, spacing);
                    }
                }
                element => self.print_variable(definition, op, element, spacing),
            }
        }
    }

    fn print_literal(&mut self, text: &str, spacing: &mut Spacing) {
        let first = text.chars().next().unwrap_or(' ');
        let before = if text.len() != 1 {
            true
        } else if spacing.after_punctuation {
            !">)}],".contains(first)
        } else {
            !"<>(){}[],".contains(first)
        };
        if spacing.space && before {
            self.write(" ");
        }
        self.write(text);
        spacing.space = text.len() != 1 || !"<({[".contains(first);
        spacing.after_punctuation = !(first == '_' || first.is_ascii_alphabetic());
    }

    fn print_variable(
        &mut self,
        definition: &'static OperationDefinition,
        op: Operation,
        element: &Element,
        spacing: &mut Spacing,
    ) {
        if is_silent(definition, op, element, self.context) {
            return;
        }
        if spacing.space || !spacing.after_punctuation {
            self.write(" ");
        }
        spacing.space = true;
        spacing.after_punctuation = false;
        let context = self.context;
        match element {
            Element::Operand(group) => {
                let values = op.operand_group(context, definition, *group);
                self.comma_separated(values, Self::value);
            }
            Element::Operands => self.operands(op),
            Element::Attribute(number) => {
                if let Some(value) = op.attribute(context, definition.attributes[*number].name) {
                    self.print_format_attribute(value);
                }
            }
            Element::Region(number) => {
                let regions = op.regions_named(context, definition.regions[*number].name);
                self.comma_separated(regions, |printer, region| {
                    printer.region(region, RegionStyle::GENERIC);
                });
            }
            Element::Successor(number) => {
                let variadic = definition.successors[*number].variadic;
                let blocks: Vec<_> = op
                    .successors(context)
                    .skip(*number)
                    .take(if variadic { usize::MAX } else { 1 })
                    .collect();
                self.comma_separated(blocks, Self::successor);
            }
            Element::OperandType(group) => {
                let values = op.operand_group(context, definition, *group);
                self.types(values.into_iter().map(|value| value.ty(context)));
            }
            Element::ResultType(group) => {
                let values = op.result_group(context, definition, *group);
                self.types(values.into_iter().map(|value| value.ty(context)));
            }
            Element::FunctionalType => self.functional_type(op),
            Element::Literal(_) | Element::AttrDict(_) | Element::Optional(..) => {}
        }
    }

    /// Prints an attribute in a format: the type of a 32- or 64-bit number follows from the
    /// declaration and is omitted.
    fn print_format_attribute(&mut self, value: Attribute) {
        let context = self.context;
        let short = match value.kind(context) {
            AttributeKind::Integer { ty, .. } => matches!(*ty, Type::I32 | Type::I64 | Type::I8),
            AttributeKind::String { ty, .. } => *ty == Type::NONE,
            _ => false,
        };
        if short {
            self.attribute_without_type(value);
        } else {
            self.attribute(value);
        }
    }
}

/// Attributes that an element of the format writes, or that are implied by others.
fn elided_attributes(
    definition: &'static OperationDefinition,
    op: Operation,
    all: &[Element],
    context: &Context,
) -> Vec<&'static str> {
    let mut elided = Vec::new();
    written_attributes(definition, op, all, context, &mut elided);
    elided.extend([OPERAND_SEGMENTS, RESULT_SEGMENTS]);
    elided
}

fn written_attributes(
    definition: &'static OperationDefinition,
    op: Operation,
    elements: &[Element],
    context: &Context,
    written: &mut Vec<&'static str>,
) {
    for element in elements {
        match element {
            Element::Attribute(number) => written.push(definition.attributes[*number].name),
            Element::Optional(inner, anchor)
                if is_present(definition, op, &inner[*anchor], context) =>
            {
                written_attributes(definition, op, inner, context, written);
            }
            _ => {}
        }
    }
}

/// Whether the anchor of an optional group requires the group to be printed.
fn is_present(
    definition: &'static OperationDefinition,
    op: Operation,
    anchor: &Element,
    context: &Context,
) -> bool {
    match anchor {
        Element::Attribute(number) => op
            .attribute(context, definition.attributes[*number].name)
            .is_some(),
        Element::Operand(group) | Element::OperandType(group) => {
            !op.operand_group(context, definition, *group).is_empty()
        }
        Element::ResultType(group) => !op.result_group(context, definition, *group).is_empty(),
        Element::Region(number) => op.region_count(context) > *number,
        Element::Successor(number) => op.successor_count(context) > *number,
        _ => true,
    }
}

/// Whether an element prints nothing: an empty group, or a unit attribute, which its literal
/// implies.
fn is_silent(
    definition: &'static OperationDefinition,
    op: Operation,
    element: &Element,
    context: &Context,
) -> bool {
    match element {
        Element::Attribute(number) => op
            .attribute(context, definition.attributes[*number].name)
            .is_none_or(|value| value == Attribute::UNIT),
        Element::Operand(group) | Element::OperandType(group)
            if definition.operands[*group].variadicity != Variadicity::One =>
        {
            op.operand_group(context, definition, *group).is_empty()
        }
        Element::ResultType(group)
            if definition.results[*group].variadicity != Variadicity::One =>
        {
            op.result_group(context, definition, *group).is_empty()
        }
        Element::Operands => op.operand_count(context) == 0,
        _ => false,
    }
}
