//! Printing the custom form of machine operations.

use orison_ir::Operation;
use orison_ir::declare::{OPERAND_SEGMENTS, OperationDefinition, Variadicity};
use orison_ir::printer::Printer;

use super::{AddressNames, address_at, fields, is_uniform_part};
use crate::modifiers;

/// Prints what follows the name of a machine operation.
pub(crate) fn print(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let Some(definition) = op.definition(context) else {
        return;
    };
    fields::print(printer, op, definition);
    let mut separator = " ";
    for (group, declared) in definition.operands.iter().enumerate() {
        let range = definition.operand_range(context, op, group);
        if let Some(address) = address_at(declared.name) {
            printer.write(separator);
            separator = ", ";
            print_address(printer, op, definition, group, address);
        } else if declared.variadicity == Variadicity::One {
            printer.write(separator);
            separator = ", ";
            for number in range {
                print_operand(printer, op, number);
            }
        } else if !is_uniform_part(declared.name) && !range.is_empty() {
            let (open, close) = match declared.name {
                "guard" => ("if ", ""),
                "otherwise" => ("else ", ""),
                _ => ("(", ")"),
            };
            printer.write(" ");
            if open == "(" {
                printer.write(declared.name);
            }
            printer.write(open);
            printer.comma_separated(range, |printer, number| print_operand(printer, op, number));
            printer.write(close);
        }
    }
    for block in op.successors(context) {
        printer.write(separator);
        printer.successor(block);
    }
    print_dictionary(printer, op, definition);
    print_types(printer, op);
}

fn print_operand(printer: &mut Printer<'_>, op: Operation, number: usize) {
    let context = printer.context;
    for modifier in modifiers::of_operand(context, op, number).iter() {
        printer.write(modifier.keyword());
        printer.write(" ");
    }
    printer.value(op.operand(context, number));
}

fn print_address(
    printer: &mut Printer<'_>,
    op: Operation,
    definition: &'static OperationDefinition,
    group: usize,
    address: &AddressNames,
) {
    let context = printer.context;
    let base = definition.operand_range(context, op, group);
    let uniform = definition.operand_range(context, op, group + 1);
    let parts: Vec<_> = base.chain(uniform).collect();
    printer.write("[");
    for (number, part) in parts.iter().enumerate() {
        printer.write(if number == 0 { "" } else { " + " });
        print_operand(printer, op, *part);
    }
    let offset = op.attribute(context, address.offset);
    let offset = offset
        .and_then(|offset| offset.as_i32(context))
        .unwrap_or(0);
    if parts.is_empty() {
        printer.integer(offset.into());
    } else if offset != 0 {
        printer.write(if offset < 0 { " - " } else { " + " });
        printer.integer(i64::from(offset).abs());
    }
    printer.write("]");
}

/// Prints the attributes of other dialects; declared attributes are printed elsewhere.
fn print_dictionary(
    printer: &mut Printer<'_>,
    op: Operation,
    definition: &'static OperationDefinition,
) {
    let mut elided: Vec<_> = definition.attributes.iter().map(|a| a.name).collect();
    elided.push(OPERAND_SEGMENTS);
    printer.attribute_dictionary(op, &elided);
}

fn print_types(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    if op.operand_count(context) > 0 {
        printer.write(" : ");
        printer.functional_type(op);
    } else if op.result_count(context) > 0 {
        printer.write(" : ");
        printer.types(op.results(context).map(|result| result.ty(context)));
    }
}
