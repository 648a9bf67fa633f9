//! The custom form of functions and instructions.

use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::{Printer, RegionStyle};
use orison_ir::{Attribute, Operation, OperationState};

use super::import::properties;
use super::operations::Func;
use super::{control_attribute, instruction_attribute, keys};
use crate::control::ControlWord;
use crate::instruction::Instruction;

/// Parses `@k target "sm_90a" attributes {…} {…}`.
pub(super) fn parse_function(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let name = parser.parse_symbol_name()?;
    let name = Attribute::string(parser.context, &name);
    state.set_property(parser.context, "sym_name", name);
    parser.expect_op_keyword(state, "target")?;
    let target = parser.parse_string()?;
    let target = Attribute::string(parser.context, &target);
    state.set_property(parser.context, "target", target);
    parser.parse_attribute_dictionary_with_keyword(state)?;
    let region = parser.parse_region(&[])?;
    state.regions.push(region);
    Ok(())
}

pub(super) fn print_function(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let function = Func(op);
    printer.write(" ");
    printer.symbol_name(function.sym_name(context).unwrap_or_default());
    printer.write(" target ");
    printer.string(function.target(context).unwrap_or_default().as_bytes());
    printer.attribute_dictionary_with_keyword(op, &["sym_name", "target"]);
    if let Some(body) = op.regions(context).next() {
        printer.write(" ");
        printer.region(body, RegionStyle::BODY);
    }
}

/// Parses `^next`, or nothing.
pub(super) fn parse_fall_through(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    if parser.at(TokenKind::CaretIdentifier) {
        let next = parser.parse_successor()?;
        state.successors.push(next);
    }
    parser.parse_attribute_dictionary(state)
}

pub(super) fn print_fall_through(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    for block in op.successors(context) {
        printer.write(" ");
        printer.successor(block);
    }
    printer.attribute_dictionary(op, &[]);
}

/// Parses `"@P0 BRA `(.L_x_1)" <stall = 5> [^bb2, ^bb1] targets [] remark "" descriptor "" encoding "" imported "" {}`.
pub(super) fn parse_instruction(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let mut found = instruction_attribute::parse_code(parser)?;
    let control = control_attribute::parse(parser)?;
    if parser.eat(TokenKind::LeftSquare)? {
        parser.comma_list_until(TokenKind::RightSquare, "expected ',' or ']'", |parser| {
            let block = parser.parse_successor()?;
            state.successors.push(block);
            Ok(())
        })?;
    }
    instruction_attribute::parse_comments(parser, &mut found)?;
    let imported = match parser.eat_keyword(keys::ENCODING)? {
        true => Some(instruction_attribute::parse_imported(parser)?),
        false => None,
    };
    state.properties = properties(parser.context, found, control, imported);
    parser.parse_attribute_dictionary(state)
}

/// Prints the attributes that are present, in nvdisasm syntax.
pub(super) fn print_instruction(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let get = |key: &str| op.attribute(context, key);
    let found: Option<&Instruction> =
        get(keys::INSTRUCTION).and_then(|value| value.downcast(context));
    if let Some(found) = found {
        printer.write(" ");
        instruction_attribute::print_code(printer, found);
    }
    printer.write(" ");
    let word = get(keys::CONTROL).and_then(|value| value.downcast(context));
    control_attribute::print(printer, word.unwrap_or(&ControlWord::default()));
    let mut successors = op.successors(context).peekable();
    if successors.peek().is_some() {
        printer.write(" [");
        printer.comma_separated(successors, Printer::successor);
        printer.write("]");
    }
    if let Some(found) = found {
        instruction_attribute::print_comments(printer, found);
    }
    if let Some(imported) = get(keys::ENCODING).and_then(|value| value.downcast(context)) {
        printer.write(" encoding ");
        instruction_attribute::print_imported(printer, imported);
    }
    printer.attribute_dictionary(op, &[keys::INSTRUCTION, keys::CONTROL, keys::ENCODING]);
}
