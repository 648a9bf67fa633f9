//! `ori.func`: assembly and verification.

use orison_ir::declare::VerifyResult;
use orison_ir::parser::{EntryArgument, ParseResult, Parser, TokenKind};
use orison_ir::printer::{Printer, RegionStyle};
use orison_ir::{Attribute, Context, Operation, OperationState, Region, Type};

use super::structure::Func;
use crate::types::Register;

const ELIDED: [&str; 5] = [
    "sym_name",
    "sym_visibility",
    "function_type",
    "target",
    "kernel",
];

/// Parses `kernel private @name(%a: !ori.r) -> !ori.r target "sm_80" attributes {…} {…}`.
pub(super) fn parse(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    if parser.eat_keyword("kernel")? {
        state.set_property(parser.context, "kernel", Attribute::UNIT);
    }
    if parser.eat_keyword("private")? {
        let private = Attribute::string(parser.context, "private");
        state.set_property(parser.context, "sym_visibility", private);
    }
    let name = parser.parse_symbol_name()?;
    let name = Attribute::string(parser.context, &name);
    state.set_property(parser.context, "sym_name", name);
    let (arguments, types) = parse_arguments(parser)?;
    let mut results = Vec::new();
    if parser.eat(TokenKind::Arrow)? {
        results = parser.parse_function_results()?;
    }
    let ty = Type::function(parser.context, &types, &results);
    let ty = Attribute::ty(parser.context, ty);
    state.set_property(parser.context, "function_type", ty);
    parser.expect_op_keyword(state, "target")?;
    let target = parser.parse_string()?;
    let target = Attribute::string(parser.context, &target);
    state.set_property(parser.context, "target", target);
    parser.parse_attribute_dictionary_with_keyword(state)?;
    let place = parser.token();
    let region = if parser.at(TokenKind::LeftBrace) {
        if arguments.len() != types.len() {
            return Err(parser.error_at(place, "expected argument names in a function with a body"));
        }
        parser.parse_region(&arguments)?
    } else {
        Region::new(parser.context)
    };
    state.regions.push(region);
    Ok(())
}

fn parse_arguments(parser: &mut Parser<'_>) -> ParseResult<(Vec<EntryArgument>, Vec<Type>)> {
    let (mut arguments, mut types) = (Vec::new(), Vec::new());
    parser.expect(TokenKind::LeftParen, "expected '('")?;
    parser.comma_list_until(TokenKind::RightParen, "expected ',' or ')'", |parser| {
        if !parser.at(TokenKind::PercentIdentifier) {
            types.push(parser.parse_type()?);
            return Ok(());
        }
        let argument = parser.parse_entry_argument()?;
        parser.expect(TokenKind::Colon, "expected ':'")?;
        let ty = parser.parse_type()?;
        types.push(ty);
        arguments.push(parser.parse_argument_location(argument.with_type(ty))?);
        Ok(())
    })?;
    Ok((arguments, types))
}

pub(super) fn print(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let function = Func(op);
    if function.kernel(context).is_some() {
        printer.write(" kernel");
    }
    if function.sym_visibility(context) == Some("private") {
        printer.write(" private");
    }
    printer.write(" ");
    printer.symbol_name(function.sym_name(context).unwrap_or_default());
    let ty = function.function_type(context);
    let (inputs, results) = ty
        .and_then(|ty| ty.as_function(context))
        .unwrap_or_default();
    let body = op.regions(context).next();
    let entry = body.and_then(|body| body.first_block(context));
    printer.write("(");
    match entry {
        Some(entry) => printer.comma_separated(entry.arguments(context), |printer, argument| {
            printer.value(argument);
            printer.write(": ");
            printer.ty(argument.ty(context));
            printer.argument_location(argument);
        }),
        None => printer.types(inputs.iter().copied()),
    }
    printer.write(")");
    if !results.is_empty() {
        printer.write(" -> ");
        printer.function_results(results);
    }
    printer.write(" target ");
    printer.string(function.target(context).unwrap_or_default().as_bytes());
    printer.attribute_dictionary_with_keyword(op, &ELIDED);
    if let (Some(body), Some(_)) = (body, entry) {
        printer.write(" ");
        printer.region(body, RegionStyle::BODY);
    }
}

pub(super) fn verify(context: &Context, op: Operation) -> VerifyResult {
    let function = Func(op);
    let target = function.target(context).unwrap_or_default();
    if orison_machine::sm_number(target).is_none() {
        let message = format!(
            "invalid target '{target}': expected 'sm_', a number and an \
                               optional letter"
        );
        return Err(op.op_error(context, message));
    }
    let ty = function.function_type(context);
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(context)) else {
        return Ok(());
    };
    let mut types = inputs.iter().chain(results);
    if types.any(|ty| Register::of(context, *ty).is_none()) {
        return Err(op.op_error(context, "requires register types for arguments and results"));
    }
    if function.kernel(context).is_some() && !(inputs.is_empty() && results.is_empty()) {
        let message = "is a kernel: its parameters are in a constant bank, not in registers";
        return Err(op.op_error(context, message));
    }
    for key in ["max_threads", "required_threads", "cluster"] {
        let extents = op.attribute(context, key);
        let extents = extents.and_then(|extents| extents.as_i32_array(context));
        let Some(extents) = extents else { continue };
        if extents.is_empty() || extents.len() > 3 || extents.iter().any(|extent| *extent < 1) {
            let message = format!("attribute '{key}' must have one to three positive integers");
            return Err(op.op_error(context, message));
        }
    }
    verify_parameters(context, op)?;
    super::stack::verify_frame(context, op)?;
    verify_entry(context, op, inputs)
}

fn verify_parameters(context: &Context, op: Operation) -> VerifyResult {
    let Some(parameters) = Func(op).parameters(context) else {
        return Ok(());
    };
    let mut end = 0;
    for (number, parameter) in parameters
        .as_array(context)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let integer = |key| parameter.get(context, key)?.as_i32(context);
        let name = parameter.get(context, "name");
        let name = name.and_then(|name| name.as_str(context));
        let (Some(_), Some(offset), Some(size), Some(alignment)) = (
            name,
            integer("offset"),
            integer("size"),
            integer("alignment"),
        ) else {
            let message = format!(
                "parameter #{number} requires a name, an offset, a size and an \
                                   alignment"
            );
            return Err(op.op_error(context, message));
        };
        // Larger alignments are relative to the bank, whose first parameter is at a multiple of 16.
        let aligned = u32::try_from(alignment).is_ok_and(u32::is_power_of_two);
        if !aligned || offset < end || offset % alignment.min(16) != 0 || size < 0 {
            let message = format!(
                "parameter #{number} overlaps the previous parameter or is \
                                   misaligned"
            );
            return Err(op.op_error(context, message));
        }
        end = offset.saturating_add(size);
    }
    Ok(())
}

fn verify_entry(context: &Context, op: Operation, inputs: &[Type]) -> VerifyResult {
    let Some(entry) = Func(op).body(context).first_block(context) else {
        return Ok(());
    };
    let arguments = entry.arguments(context).map(|value| value.ty(context));
    if arguments.eq(inputs.iter().copied()) {
        return Ok(());
    }
    Err(op.op_error(
        context,
        "entry block arguments must match the function type",
    ))
}
