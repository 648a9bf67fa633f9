//! Branches: their assembly, and the values passed along an edge.

use orison_ir::declare::{Branch, OPERAND_SEGMENTS, PassedRanges, VerifyResult};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Block, Context, Operation, OperationState, Values};
use smallvec::smallvec;

use super::control::{Bra, Brx, CondBra, ExitIf, verify_edges};

/// The edges of `ori.bra`.
pub(super) const ALWAYS: Branch = Branch {
    passed: |context, op| Some(smallvec![0..op.operand_count(context)]),
    record: |_, _, _| {},
    taken: |_, _, _| Some(0),
};

/// The edges of `ori.cond_bra`.
pub(super) const CONDITIONAL: Branch = Branch {
    passed: |context, op| {
        let group = |group| CondBra::DEFINITION.operand_range(context, op, group);
        Some(smallvec![group(1), group(2)])
    },
    record: |context, op, sizes| {
        let sizes: Vec<i32> = [1].iter().chain(sizes).map(|size| number(*size)).collect();
        let sizes = Attribute::i32_array(context, &sizes);
        let properties = op.properties(context);
        let properties = properties.with(context, OPERAND_SEGMENTS, sizes);
        op.set_properties(context, properties);
    },
    taken: |context, op, constants| {
        let holds = constants.first()?.as_ref()?.as_i64(context)? != 0;
        let inverted = op.attribute(context, "inverted").is_some();
        Some(usize::from(holds == inverted))
    },
};

/// The edges of `ori.brx`.
pub(super) const INDEXED: Branch = Branch {
    passed: indexed_ranges,
    record: |context, op, sizes| {
        let counts: Vec<i32> = sizes.iter().map(|size| number(*size)).collect();
        let counts = Attribute::i32_array(context, &counts);
        op.set_attribute(context, "argument_counts", counts);
    },
    taken: |context, op, constants| {
        let index = constants.first()?.as_ref()?.as_i64(context)?;
        let index = usize::try_from(index).ok()?;
        (index < op.successor_count(context)).then_some(index)
    },
};

fn number(size: usize) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}

/// The operands of `ori.brx` passed to each of its blocks; `None` if the counts do not match the
/// operands.
fn indexed_ranges(context: &Context, op: Operation) -> Option<PassedRanges> {
    let mut start = 1_usize;
    let counts = Brx(op).argument_counts(context)?;
    let ranges = counts.iter().map(|count| {
        let first = start;
        start = start.saturating_add(usize::try_from(*count).unwrap_or(0));
        first..start
    });
    let all: PassedRanges = ranges.collect();
    (start <= op.operand_count(context)).then_some(all)
}

/// The edges of a branch.
pub(super) fn of(context: &Context, op: Operation) -> Option<Vec<(Block, Values)>> {
    let mut blocks = op.successors(context);
    if Bra::of(context, op).is_some() {
        return Some(vec![(blocks.next()?, Bra(op).arguments(context))]);
    }
    if CondBra::of(context, op).is_some() {
        let branch = CondBra(op);
        return Some(vec![
            (blocks.next()?, branch.then_arguments(context)),
            (blocks.next()?, branch.else_arguments(context)),
        ]);
    }
    Brx::of(context, op)?;
    let mut values = Brx(op).arguments(context).into_iter();
    let counts = Brx(op).argument_counts(context)?;
    let edges = blocks.zip(counts).map(|(block, count)| {
        let count = usize::try_from(count).unwrap_or(0);
        (block, values.by_ref().take(count).collect())
    });
    Some(edges.collect())
}

pub(super) fn verify(context: &Context, op: Operation) -> VerifyResult {
    verify_edges(context, op, &of(context, op).unwrap_or_default())
}

pub(super) fn verify_indexed(context: &Context, op: Operation) -> VerifyResult {
    let counts = Brx(op).argument_counts(context).unwrap_or_default();
    if counts.is_empty() {
        return Err(op.op_error(context, "requires at least one target"));
    }
    let total: i64 = counts.iter().copied().map(i64::from).sum();
    let found = Brx(op).arguments(context).len();
    let fits = i64::try_from(found).is_ok_and(|found| found == total);
    if counts.len() != op.successor_count(context) || counts.iter().any(|n| *n < 0) || !fits {
        let message = "attribute 'argument_counts' must have one entry per target, and the \
                       entries must add up to the number of arguments";
        return Err(op.op_error(context, message));
    }
    verify(context, op)
}

/// Parses an optional `<uniform>`.
fn parse_uniform(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    if parser.eat(TokenKind::Less)? {
        parser.expect_op_keyword(state, "uniform")?;
        parser.expect(TokenKind::Greater, "expected '>'")?;
        state.set_property(parser.context, "uniform", Attribute::UNIT);
    }
    Ok(())
}

fn print_uniform(printer: &mut Printer<'_>, op: Operation) {
    if op.attribute(printer.context, "uniform").is_some() {
        printer.write(" <uniform>");
    }
    printer.write(" ");
}

pub(super) fn parse_branch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_uniform(parser, state)?;
    let (block, values) = parser.parse_successor_and_arguments(state)?;
    state.successors.push(block);
    state.operands.extend(values);
    parser.parse_attribute_dictionary(state)
}

pub(super) fn print_branch(printer: &mut Printer<'_>, op: Operation) {
    print_uniform(printer, op);
    print_edges(printer, op);
    printer.attribute_dictionary(op, &["uniform"]);
}

fn print_edges(printer: &mut Printer<'_>, op: Operation) {
    let edges = of(printer.context, op).unwrap_or_default();
    printer.comma_separated(edges, |printer, (block, values)| {
        printer.successor_with_arguments(block, &values);
    });
}

pub(super) fn parse_conditional(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    parse_uniform(parser, state)?;
    if parser.eat_keyword("not")? {
        state.set_property(parser.context, "inverted", Attribute::UNIT);
    }
    let condition = parser.parse_operand()?;
    parser.expect(TokenKind::Comma, "expected ','")?;
    let (then_target, then_values) = parser.parse_successor_and_arguments(state)?;
    parser.expect(TokenKind::Comma, "expected ','")?;
    let (else_target, else_values) = parser.parse_successor_and_arguments(state)?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    state.operands.push(parser.resolve_operand(&condition, ty)?);
    let sizes = [1, then_values.len(), else_values.len()];
    let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    let sizes = Attribute::i32_array(parser.context, &sizes);
    state.set_property(parser.context, OPERAND_SEGMENTS, sizes);
    state.operands.extend(then_values);
    state.operands.extend(else_values);
    state.successors.extend([then_target, else_target]);
    Ok(())
}

pub(super) fn print_conditional(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let condition = CondBra(op).condition(context);
    print_uniform(printer, op);
    if op.attribute(context, "inverted").is_some() {
        printer.write("not ");
    }
    printer.value(condition);
    printer.write(", ");
    print_edges(printer, op);
    printer.attribute_dictionary(op, &["uniform", "inverted", OPERAND_SEGMENTS]);
    printer.write(" : ");
    printer.ty(condition.ty(context));
}

pub(super) fn parse_indexed(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    parse_uniform(parser, state)?;
    let index = parser.parse_operand()?;
    let mut arguments = Vec::new();
    let mut counts = Vec::new();
    parser.expect(TokenKind::Comma, "expected ','")?;
    parser.expect(TokenKind::LeftSquare, "expected '['")?;
    parser.comma_list_until(TokenKind::RightSquare, "expected ',' or ']'", |parser| {
        let (block, values) = parser.parse_successor_and_arguments(state)?;
        counts.push(i32::try_from(values.len()).unwrap_or(i32::MAX));
        arguments.extend(values);
        state.successors.push(block);
        Ok(())
    })?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    state.operands.push(parser.resolve_operand(&index, ty)?);
    state.operands.extend(arguments);
    let counts = Attribute::i32_array(parser.context, &counts);
    state.set_property(parser.context, "argument_counts", counts);
    Ok(())
}

pub(super) fn print_indexed(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let index = Brx(op).index(context);
    print_uniform(printer, op);
    printer.value(index);
    printer.write(", [");
    print_edges(printer, op);
    printer.write("]");
    printer.attribute_dictionary(op, &["uniform", "argument_counts"]);
    printer.write(" : ");
    printer.ty(index.ty(context));
}

pub(super) fn parse_exit(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    if parser.eat_keyword("not")? {
        state.set_property(parser.context, "inverted", Attribute::UNIT);
    }
    let condition = parser.parse_operand()?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    state.operands.push(parser.resolve_operand(&condition, ty)?);
    Ok(())
}

pub(super) fn print_exit(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let condition = ExitIf(op).condition(context);
    let inverted = op.attribute(context, "inverted").is_some();
    printer.write(if inverted { " not " } else { " " });
    printer.value(condition);
    printer.attribute_dictionary(op, &["inverted"]);
    printer.write(" : ");
    printer.ty(condition.ty(context));
}
