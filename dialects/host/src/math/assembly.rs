//! Assembly of the operations that are not of the form `operands flags : type`.

use orison_ir::declare::AttributeForm;
use orison_ir::declare::constraints::FLOAT_LIKE;
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Operation, OperationState};

use crate::arith::assembly::{
    Flag, bool_like, parse_middle, parse_operand_type, parse_operands, print_middle,
};
use crate::arith::{FastMath, FastMathAttr};

const FAST_MATH: &[Flag] = &[Flag::FastMath];

/// Parses `%x {…} : type`; the result is `i1` of the same shape.
pub(super) fn parse_classification(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let [operand, ..] = parse_operands(parser, 1)?;
    parse_middle(parser, state, &[])?;
    let ty = parse_operand_type(parser, state, "operand", &FLOAT_LIKE)?;
    state.operands.push(parser.resolve_operand(&operand, ty)?);
    state.result_types.push(bool_like(parser.context, ty));
    Ok(())
}

pub(super) fn print_classification(printer: &mut Printer<'_>, op: Operation) {
    printer.write(" ");
    printer.operands(op);
    // The flags have no keyword: they are in the dictionary, unless there are none.
    let context = printer.context;
    let flags = op.properties(context).get(context, "fastmath");
    let flags = flags.and_then(|flags| FastMathAttr::read(context, flags));
    let hidden: &[&str] = match flags {
        Some(flags) if flags != FastMath::NONE => &[],
        _ => &["fastmath"],
    };
    print_middle(printer, op, &[], hidden);
    printer.types(op.operand_types(context));
}

/// Parses `%x to [%min, %max] flags {…} : type`.
pub(super) fn parse_clamp(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let value = parser.parse_operand()?;
    parser.expect_op_keyword(state, "to")?;
    parser.expect(TokenKind::LeftSquare, "expected '['")?;
    let [min, max, _] = parse_operands(parser, 2)?;
    parser.expect(TokenKind::RightSquare, "expected ']'")?;
    parse_middle(parser, state, FAST_MATH)?;
    let ty = parser.parse_type()?;
    for operand in [value, min, max] {
        state.operands.push(parser.resolve_operand(&operand, ty)?);
    }
    state.result_types.push(ty);
    Ok(())
}

pub(super) fn print_clamp(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let operands: Vec<_> = op.operands(context).collect();
    for (before, operand) in [" ", " to [", ", "].iter().zip(operands) {
        printer.write(before);
        printer.value(operand);
    }
    printer.write("]");
    print_middle(printer, op, FAST_MATH, &[]);
    printer.types(op.result_types(context));
}

/// Parses `%base, %exponent flags {…} : type, type`.
pub(super) fn parse_power(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let [base, exponent, _] = parse_operands(parser, 2)?;
    parse_middle(parser, state, FAST_MATH)?;
    let ty = parser.parse_type()?;
    parser.expect(TokenKind::Comma, "expected ','")?;
    let exponent_type = parser.parse_type()?;
    state.operands.push(parser.resolve_operand(&base, ty)?);
    let exponent = parser.resolve_operand(&exponent, exponent_type)?;
    state.operands.push(exponent);
    state.result_types.push(ty);
    Ok(())
}

pub(super) fn print_power(printer: &mut Printer<'_>, op: Operation) {
    printer.write(" ");
    printer.operands(op);
    print_middle(printer, op, FAST_MATH, &[]);
    printer.types(op.operand_types(printer.context));
}

/// Parses `%x flags {…} : type` with two results of this type.
pub(super) fn parse_pair(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let [operand, ..] = parse_operands(parser, 1)?;
    parse_middle(parser, state, FAST_MATH)?;
    let ty = parser.parse_type()?;
    state.operands.push(parser.resolve_operand(&operand, ty)?);
    state.result_types.extend([ty, ty]);
    Ok(())
}

pub(super) fn print_pair(printer: &mut Printer<'_>, op: Operation) {
    printer.write(" ");
    printer.operands(op);
    print_middle(printer, op, FAST_MATH, &[]);
    printer.types(op.operand_types(printer.context));
}
