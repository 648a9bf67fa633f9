//! The custom form of functions and instructions.

use orison_ir::declare::AttributeForm;
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::{Printer, RegionStyle};
use orison_ir::{Attribute, Operation, OperationState};

use super::convert::instruction_attributes;
use super::operations::{Func, TextArrayAttr};
use super::{control_attribute, keys};
use crate::control::ControlWord;
use crate::instruction;

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
    let place = parser.token();
    let text = parser.parse_string()?;
    let mut parsed = match instruction::parse(&text) {
        Ok(parsed) => parsed,
        Err(error) => return Err(parser.error_at(place, &error.message)),
    };
    parsed.control = control_attribute::parse(parser)?;
    if parser.eat(TokenKind::LeftSquare)? {
        parser.comma_list_until(TokenKind::RightSquare, "expected ',' or ']'", |parser| {
            let block = parser.parse_successor()?;
            state.successors.push(block);
            Ok(())
        })?;
    }
    let attributes = instruction_attributes(parser.context, &parsed);
    state.properties = Attribute::dictionary_of(parser.context, &attributes);
    if parser.eat_keyword(keys::TARGETS)? {
        let targets = parser.parse_attribute()?;
        state.set_property(parser.context, keys::TARGETS, targets);
    }
    for key in [
        keys::REMARK,
        keys::DESCRIPTOR,
        keys::ENCODING,
        keys::IMPORTED,
    ] {
        if parser.eat_keyword(key)? {
            let value = parser.parse_string()?;
            let value = Attribute::string(parser.context, &value);
            state.set_property(parser.context, key, value);
        }
    }
    parser.parse_attribute_dictionary(state)
}

/// Prints the attributes that are present, in nvdisasm syntax, whether or not they are valid.
pub(super) fn print_instruction(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let get = |key: &str| op.attribute(context, key);
    let text_of = |key: &str| get(key).and_then(|value| value.as_str(context));
    let mut text = String::new();
    if let Some(guard) = text_of(keys::GUARD) {
        text = format!("{guard} ");
    }
    text += text_of(keys::MNEMONIC).unwrap_or_default();
    let operands = get(keys::OPERANDS).and_then(|value| TextArrayAttr::read(context, value));
    for (number, operand) in operands.unwrap_or_default().iter().enumerate() {
        text += if number == 0 { " " } else { ", " };
        text += operand;
    }
    printer.write(" ");
    printer.string(text.as_bytes());
    printer.write(" ");
    let word = get(keys::CONTROL).and_then(|value| value.downcast(context));
    control_attribute::print(printer, word.unwrap_or(&ControlWord::default()));
    let mut successors = op.successors(context).peekable();
    if successors.peek().is_some() {
        printer.write(" [");
        printer.comma_separated(successors, Printer::successor);
        printer.write("]");
    }
    if let Some(targets) = get(keys::TARGETS) {
        printer.write(" targets ");
        printer.attribute(targets);
    }
    for key in [
        keys::REMARK,
        keys::DESCRIPTOR,
        keys::ENCODING,
        keys::IMPORTED,
    ] {
        if let Some(value) = get(key).and_then(|value| value.as_str(context)) {
            printer.write(&format!(" {key} "));
            printer.string(value.as_bytes());
        }
    }
    printer.attribute_dictionary(
        op,
        &[
            keys::GUARD,
            keys::MNEMONIC,
            keys::OPERANDS,
            keys::TARGETS,
            keys::REMARK,
            keys::CONTROL,
            keys::ENCODING,
            keys::IMPORTED,
            keys::DESCRIPTOR,
        ],
    );
}
