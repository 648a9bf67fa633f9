//! Custom assembly of loops and conditionals.

use orison_ir::parser::{EntryArgument, ParseResult, Parser, TokenKind, UnresolvedOperand};
use orison_ir::printer::{Printer, RegionStyle};
use orison_ir::{Attribute, Block, Operation, OperationState, Region, Type, Value};

use crate::scf;

use super::{ExecuteRegion, For, If, IndexSwitch, While};

/// Parses `%a = %b, %c = %d` up to the closing parenthesis, after the opening one.
pub(super) fn parse_assignments(
    parser: &mut Parser<'_>,
) -> ParseResult<(Vec<EntryArgument>, Vec<UnresolvedOperand>)> {
    let (mut arguments, mut operands) = (Vec::new(), Vec::new());
    parser.comma_list_until(TokenKind::RightParen, "expected ')'", |parser| {
        arguments.push(parser.parse_entry_argument()?);
        parser.expect(TokenKind::Equal, "expected '='")?;
        operands.push(parser.parse_operand()?);
        Ok(())
    })?;
    Ok((arguments, operands))
}

/// Writes `keyword(%a = %b, %c = %d)`, or nothing if the list is empty.
pub(super) fn print_assignments(
    printer: &mut Printer<'_>,
    keyword: &str,
    arguments: &[Value],
    values: &[Value],
) {
    if values.is_empty() {
        return;
    }
    printer.write(keyword);
    printer.write("(");
    printer.comma_separated(
        arguments.iter().zip(values),
        |printer, (argument, value)| {
            printer.value(*argument);
            printer.write(" = ");
            printer.value(*value);
        },
    );
    printer.write(")");
}

/// Parses ` -> types` if the next token is an arrow.
pub(super) fn parse_optional_results(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    if parser.eat(TokenKind::Arrow)? {
        state.result_types = parser.parse_function_results()?.into();
    }
    Ok(())
}

/// Parses a region with an explicit or implicit `scf.yield` terminator.
pub(super) fn parse_yielding_region(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    arguments: &[EntryArgument],
) -> ParseResult<()> {
    let region = parser.parse_region(arguments)?;
    parser.ensure_terminator(region, scf::Yield::NAME, state.location);
    state.regions.push(region);
    Ok(())
}

/// Prints a body, without its terminator if that yields nothing.
fn body_style(yields: bool) -> RegionStyle {
    if yields {
        RegionStyle::BODY
    } else {
        RegionStyle::WITHOUT_TERMINATOR
    }
}

pub(super) fn parse_for(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let name = parser.token();
    if parser.eat_keyword("unsigned")? {
        state.set_property(parser.context, "unsignedCmp", Attribute::UNIT);
    }
    let induction_variable = parser.parse_entry_argument()?;
    parser.expect(TokenKind::Equal, "expected '='")?;
    let lower = parser.parse_operand()?;
    parser.expect_op_keyword(state, "to")?;
    let upper = parser.parse_operand()?;
    parser.expect_op_keyword(state, "step")?;
    let step = parser.parse_operand()?;
    let (mut arguments, mut inits) = (Vec::new(), Vec::new());
    if parser.eat_keyword("iter_args")? {
        parser.expect(TokenKind::LeftParen, "expected '('")?;
        (arguments, inits) = parse_assignments(parser)?;
        parser.expect(TokenKind::Arrow, "expected '->'")?;
        state.result_types = parser.parse_function_results()?.into();
    }
    if arguments.len() != state.result_types.len() {
        let message = "mismatch in number of loop-carried values and defined values";
        return Err(parser.op_error_at(state, name, message));
    }
    let ty = if parser.eat(TokenKind::Colon)? {
        parser.parse_type()?
    } else {
        Type::INDEX
    };
    for bound in [&lower, &upper, &step] {
        state.operands.push(parser.resolve_operand(bound, ty)?);
    }
    for (init, ty) in inits.iter().zip(state.result_types.clone()) {
        state.operands.push(parser.resolve_operand(init, ty)?);
    }
    let carried = arguments.iter().zip(&state.result_types);
    let carried = carried.map(|(argument, ty)| argument.with_type(*ty));
    let all: Vec<_> = std::iter::once(induction_variable.with_type(ty))
        .chain(carried)
        .collect();
    parse_yielding_region(parser, state, &all)?;
    parser.parse_attribute_dictionary(state)
}

pub(super) fn print_for(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let loop_op = For(op);
    printer.write(if loop_op.unsigned_cmp(context).is_some() {
        " unsigned "
    } else {
        " "
    });
    if let Some(variable) = loop_op.induction_variable(context) {
        printer.value(variable);
    }
    printer.write(" = ");
    printer.value(loop_op.lower_bound(context));
    printer.write(" to ");
    printer.value(loop_op.upper_bound(context));
    printer.write(" step ");
    printer.value(loop_op.step(context));
    let inits = loop_op.init_args(context);
    print_assignments(
        printer,
        " iter_args",
        &loop_op.iteration_arguments(context),
        &inits,
    );
    if !inits.is_empty() {
        printer.write(" -> (");
        printer.types(op.result_types(context));
        printer.write(")");
    }
    printer.write(" ");
    let ty = loop_op.lower_bound(context).ty(context);
    if ty != Type::INDEX {
        printer.write(" : ");
        printer.ty(ty);
        printer.write(" ");
    }
    printer.region(loop_op.region(context), body_style(!inits.is_empty()));
    printer.attribute_dictionary(op, &["unsignedCmp"]);
}

pub(super) fn parse_if(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let condition = parser.parse_operand()?;
    state
        .operands
        .push(parser.resolve_operand(&condition, Type::I1)?);
    parse_optional_results(parser, state)?;
    parse_yielding_region(parser, state, &[])?;
    if parser.eat_keyword("else")? {
        parse_yielding_region(parser, state, &[])?;
    } else {
        state.regions.push(Region::new(parser.context));
    }
    parser.parse_attribute_dictionary(state)
}

pub(super) fn print_if(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let conditional = If(op);
    printer.write(" ");
    printer.value(conditional.condition(context));
    let results = op.result_types(context);
    if !results.is_empty() {
        printer.write(" -> (");
        printer.types(results.iter().copied());
        printer.write(")");
    }
    printer.write(" ");
    let style = body_style(!results.is_empty());
    printer.region(conditional.then_region(context), style);
    let otherwise = conditional.else_region(context);
    if !otherwise.is_empty(context) {
        printer.write(" else ");
        printer.region(otherwise, style);
    }
    printer.attribute_dictionary(op, &[]);
}

pub(super) fn parse_while(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (mut arguments, mut inits) = (Vec::new(), Vec::new());
    if parser.eat(TokenKind::LeftParen)? {
        (arguments, inits) = parse_assignments(parser)?;
    }
    parser.expect(TokenKind::Colon, "expected ':'")?;
    let place = parser.token();
    let (inputs, results) = parser.parse_op_function_type(state)?;
    state.result_types = results.into();
    if inputs.len() != inits.len() {
        let message = format!(
            "expected as many input types as operands (expected {} got {})",
            inits.len(),
            inputs.len()
        );
        return Err(parser.op_error_at(state, place, &message));
    }
    let values = parser.resolve_op_operands(state, place, &inits, &inputs)?;
    state.operands.extend(values);
    let arguments = arguments.iter().zip(&inputs);
    let arguments: Vec<_> = arguments
        .map(|(argument, ty)| argument.with_type(*ty))
        .collect();
    let before = parser.parse_region(&arguments)?;
    state.regions.push(before);
    parser.expect_op_keyword(state, "do")?;
    let after = parser.parse_region(&[])?;
    state.regions.push(after);
    parser.parse_attribute_dictionary_with_keyword(state)
}

pub(super) fn print_while(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let loop_op = While(op);
    let arguments: Vec<_> = op
        .body_block(context, 0)
        .into_iter()
        .flat_map(|block| block.arguments(context))
        .collect();
    print_assignments(printer, " ", &arguments, &loop_op.inits(context));
    printer.write(" : ");
    printer.function_type(&op.operand_types(context), &op.result_types(context));
    printer.write(" ");
    printer.region(loop_op.before(context), RegionStyle::BODY);
    printer.write(" do ");
    printer.region(loop_op.after(context), RegionStyle::FULL);
    printer.attribute_dictionary_with_keyword(op, &[]);
}

pub(super) fn parse_execute_region(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    parse_optional_results(parser, state)?;
    if parser.eat_keyword("no_inline")? {
        state.set_property(parser.context, "no_inline", Attribute::UNIT);
    }
    let region = parser.parse_region(&[])?;
    state.regions.push(region);
    parser.parse_attribute_dictionary(state)
}

pub(super) fn print_execute_region(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let results = op.result_types(context);
    if !results.is_empty() {
        printer.write(" -> ");
        printer.function_results(&results);
    }
    printer.write(" ");
    if ExecuteRegion(op).no_inline(context).is_some() {
        printer.write("no_inline ");
    }
    printer.region(ExecuteRegion(op).region(context), RegionStyle::BODY);
    printer.attribute_dictionary(op, &["no_inline"]);
}

pub(super) fn parse_index_switch(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let argument = parser.parse_operand()?;
    parser.parse_attribute_dictionary(state)?;
    if parser.eat(TokenKind::Arrow)? {
        state.result_types = parser.parse_type_list()?.into();
    }
    let (mut cases, mut regions) = (Vec::new(), Vec::new());
    while parser.eat_keyword("case")? {
        cases.push(parser.parse_integer("expected integer value")?);
        regions.push(parser.parse_region(&[])?);
    }
    parser.expect_op_keyword(state, "default")?;
    parse_yielding_region(parser, state, &[])?;
    state.regions.extend(regions);
    let cases = Attribute::dense_array(parser.context, Type::I64, &cases);
    state.set_property(parser.context, "cases", cases);
    state
        .operands
        .push(parser.resolve_operand(&argument, Type::INDEX)?);
    Ok(())
}

pub(super) fn print_index_switch(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let switch = IndexSwitch(op);
    printer.write(" ");
    printer.value(switch.arg(context));
    printer.attribute_dictionary(op, &["cases"]);
    let results = op.result_types(context);
    if !results.is_empty() {
        printer.write(" -> ");
        printer.types(results);
    }
    printer.write(" ");
    let cases = switch.cases(context).unwrap_or_default();
    for (case, region) in cases.into_iter().zip(switch.case_regions(context)) {
        printer.new_line();
        printer.write("case ");
        printer.integer(case);
        printer.write(" ");
        printer.region(region, RegionStyle::BODY);
    }
    printer.new_line();
    printer.write("default ");
    let says_something = op
        .body_block(context, 0)
        .and_then(|block: Block| block.last_op(context))
        .is_some_and(|last| {
            last.operand_count(context) > 0
                || last.attributes(context) != Attribute::EMPTY_DICTIONARY
        });
    printer.region(switch.default_region(context), body_style(says_something));
}
