//! Custom assembly of branches.

use orison_ir::attributes::DenseData;
use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::numbers::{ApInt, IntegerRange};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::{Printer, type_to_string};
use orison_ir::types::Type;
use orison_ir::{Attribute, AttributeKind, Context, Operation, OperationState};

use super::{Branch, CondBranch, Switch, edges};
use crate::arith::integer_vector;

/// Records the operand count of each segment.
fn set_segments(parser: &mut Parser<'_>, state: &mut OperationState, key: &str, sizes: &[usize]) {
    let sizes: Vec<_> = sizes
        .iter()
        .map(|size| i32::try_from(*size).unwrap_or(i32::MAX))
        .collect();
    let sizes = Attribute::i32_array(parser.context, &sizes);
    state.set_property(parser.context, key, sizes);
}

pub(super) fn parse_branch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (block, values) = parser.parse_successor_and_arguments(state)?;
    state.successors.push(block);
    state.operands.extend(values);
    parser.parse_attribute_dictionary(state)
}

pub(super) fn print_branch(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    printer.write(" ");
    for block in op.successors(context) {
        printer.successor_with_arguments(block, &Branch(op).dest_operands(context));
    }
    printer.attribute_dictionary(op, &[]);
}

pub(super) fn parse_cond_branch(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let condition = parser.parse_operand()?;
    if parser.eat_keyword("weights")? {
        let weights = parse_weights(parser)?;
        state.set_property(parser.context, "branch_weights", weights);
    }
    parser.expect(TokenKind::Comma, "expected ','")?;
    let (true_dest, true_values) = parser.parse_successor_and_arguments(state)?;
    parser.expect(TokenKind::Comma, "expected ','")?;
    let (false_dest, false_values) = parser.parse_successor_and_arguments(state)?;
    parser.parse_attribute_dictionary(state)?;
    state
        .operands
        .push(parser.resolve_operand(&condition, Type::I1)?);
    set_segments(
        parser,
        state,
        OPERAND_SEGMENTS,
        &[1, true_values.len(), false_values.len()],
    );
    state.operands.extend(true_values);
    state.operands.extend(false_values);
    state.successors.extend([true_dest, false_dest]);
    Ok(())
}

fn parse_weights(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let mut weights = Vec::new();
    parser.expect(TokenKind::LeftParen, "expected '('")?;
    parser.expect(TokenKind::LeftSquare, "expected '['")?;
    parser.comma_list_until(TokenKind::RightSquare, "expected ']'", |parser| {
        weights.push(parser.parse_i32("expected integer value")?);
        Ok(())
    })?;
    parser.expect(TokenKind::RightParen, "expected ')'")?;
    Ok(Attribute::i32_array(parser.context, &weights))
}

pub(super) fn print_cond_branch(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    printer.write(" ");
    printer.value(CondBranch(op).condition(context));
    if let Some(weights) = CondBranch(op).branch_weights(context) {
        printer.write(" weights([");
        printer.comma_separated(weights, |printer, weight| printer.integer(weight.into()));
        printer.write("])");
    }
    for (block, values) in edges(context, op).into_iter().flatten() {
        printer.write(", ");
        printer.successor_with_arguments(block, &values);
    }
    printer.attribute_dictionary(op, &["branch_weights", OPERAND_SEGMENTS]);
}

pub(super) fn parse_switch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let flag = parser.parse_operand()?;
    parser.expect(TokenKind::Colon, "expected ':'")?;
    let place = parser.token();
    let ty = parser.parse_type()?;
    let Some(width) = ty.integer_width(parser.context) else {
        let found = type_to_string(parser.context, ty);
        let message = format!(
            "invalid kind of type specified: expected builtin.integer, but found '{found}'"
        );
        return Err(parser.op_error_at(state, place, &message));
    };
    parser.expect(TokenKind::Comma, "expected ','")?;
    parser.expect(TokenKind::LeftSquare, "expected '['")?;
    state.operands.push(parser.resolve_operand(&flag, ty)?);
    parser.expect_op_keyword(state, "default")?;
    parser.expect(TokenKind::Colon, "expected ':'")?;
    let (block, default) = parser.parse_successor_and_arguments(state)?;
    state.successors.push(block);
    state.operands.extend_from_slice(&default);
    let (mut values, mut sizes) = (Vec::new(), Vec::new());
    while parser.eat(TokenKind::Comma)? {
        values.push(parse_case_value(parser, state, width)?);
        parser.expect(TokenKind::Colon, "expected ':'")?;
        let (block, arguments) = parser.parse_successor_and_arguments(state)?;
        state.successors.push(block);
        sizes.push(arguments.len());
        state.operands.extend(arguments);
    }
    parser.expect(TokenKind::RightSquare, "expected ']'")?;
    parser.parse_attribute_dictionary(state)?;
    if let Some(values) = integer_vector(parser.context, ty, &values) {
        state.set_property(parser.context, "case_values", values);
    }
    set_segments(parser, state, "case_operand_segments", &sizes);
    set_segments(
        parser,
        state,
        OPERAND_SEGMENTS,
        &[1, default.len(), sizes.iter().sum()],
    );
    Ok(())
}

fn parse_case_value(
    parser: &mut Parser<'_>,
    state: &OperationState,
    width: u32,
) -> ParseResult<ApInt> {
    let place = parser.token();
    let negative = parser.eat(TokenKind::Minus)?;
    let digits = parser.current();
    if !parser.at(TokenKind::Integer) {
        return Err(parser.op_error_at(state, place, "expected integer value"));
    }
    let Ok(value) = ApInt::from_literal(width, digits, negative, IntegerRange::Signless) else {
        return Err(parser.op_error_at(state, place, "integer value too large"));
    };
    parser.advance()?;
    Ok(value)
}

/// The case values, each as unsigned decimal text.
fn case_texts(context: &Context, switch: Switch, count: usize) -> Vec<String> {
    let Some(values) = switch.case_values(context) else {
        return Vec::new();
    };
    let AttributeKind::DenseElements {
        ty,
        data: DenseData::Bytes { bytes, splat },
    } = values.kind(context)
    else {
        return Vec::new();
    };
    let width = ty.scalar(context).bit_width(context).unwrap_or(0);
    let size = width.div_ceil(8).max(1) as usize;
    let text = |chunk: &[u8]| {
        let words = chunk.chunks(8).map(|part| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(word)
        });
        ApInt::from_words(width, words.collect()).to_unsigned_decimal()
    };
    let mut texts: Vec<_> = bytes.chunks(size).map(text).collect();
    if *splat && let Some(first) = texts.first().cloned() {
        texts.resize(count, first);
    }
    texts
}

pub(super) fn print_switch(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let switch = Switch(op);
    let flag = switch.flag(context);
    printer.write(" ");
    printer.value(flag);
    printer.write(" : ");
    printer.ty(flag.ty(context));
    printer.write(", [");
    let edges = edges(context, op).unwrap_or_default();
    let cases = case_texts(context, switch, edges.len().saturating_sub(1));
    let labels = std::iter::once("default").chain(cases.iter().map(String::as_str));
    printer.indented(|printer| {
        for (number, (label, (block, values))) in labels.zip(&edges).enumerate() {
            if number > 0 {
                printer.write(",");
            }
            printer.new_line();
            printer.write(label);
            printer.write(": ");
            printer.successor_with_arguments(*block, values);
        }
    });
    if switch.case_values(context).is_some() {
        printer.new_line();
    }
    printer.write("]");
    printer.attribute_dictionary(
        op,
        &["case_operand_segments", "case_values", OPERAND_SEGMENTS],
    );
}
