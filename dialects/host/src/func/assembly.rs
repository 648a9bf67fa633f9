//! Custom assembly of functions.

use orison_ir::parser::{EntryArgument, ParseResult, Parser, TokenKind};
use orison_ir::printer::{Printer, RegionStyle};
use orison_ir::{Attribute, Operation, OperationState, Region, Type};

use super::{CallIndirect, Func, dictionary_at};

/// A partially parsed signature.
#[derive(Default)]
struct Signature {
    arguments: Vec<EntryArgument>,
    /// Whether the arguments have names; `None` until the first argument.
    named: Option<bool>,
    argument_attributes: Vec<Attribute>,
    results: Vec<Type>,
    result_attributes: Vec<Attribute>,
}

pub(super) fn parse_function(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    if parser.at(TokenKind::BareIdentifier)
        && matches!(parser.current(), "public" | "private" | "nested")
    {
        let visibility = parser.current().to_owned();
        parser.advance()?;
        let visibility = Attribute::string(parser.context, &visibility);
        state.set_property(parser.context, "sym_visibility", visibility);
    }
    if !parser.at(TokenKind::AtIdentifier) {
        let message = "expected valid '@'-identifier for symbol name";
        return Err(parser.op_error(state, message));
    }
    let name = parser.parse_symbol_name()?;
    let name = Attribute::string(parser.context, &name);
    state.set_property(parser.context, "sym_name", name);
    let mut signature = Signature::default();
    parse_arguments(parser, state, &mut signature)?;
    parse_results(parser, &mut signature)?;
    set_signature(parser, state, &signature);
    parse_function_attributes(parser, state)?;
    let region = parse_body(parser, state, &signature)?;
    state.regions.push(region);
    Ok(())
}

fn parse_arguments(
    parser: &mut Parser<'_>,
    state: &OperationState,
    signature: &mut Signature,
) -> ParseResult<()> {
    parser.expect(TokenKind::LeftParen, "expected '('")?;
    parser.comma_list_until(TokenKind::RightParen, "expected ')'", |parser| {
        let place = parser.token();
        let named = place.kind == TokenKind::PercentIdentifier;
        match (signature.named, named) {
            (Some(true), false) => {
                return Err(parser.op_error(state, "expected SSA identifier"));
            }
            (Some(false), true) => {
                return Err(parser.op_error(state, "expected type instead of SSA identifier"));
            }
            _ => signature.named = Some(named),
        }
        let argument = if named {
            let argument = parser.parse_entry_argument()?;
            argument.with_type(parser.parse_colon_type()?)
        } else {
            let ty = parser.parse_type()?;
            parser.anonymous_argument(ty, place)
        };
        signature
            .argument_attributes
            .push(parse_dictionary(parser)?);
        signature
            .arguments
            .push(parser.parse_argument_location(argument)?);
        Ok(())
    })
}

fn parse_dictionary(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let entries = parser.parse_optional_dictionary()?;
    Ok(Attribute::dictionary(parser.context, &entries))
}

fn parse_results(parser: &mut Parser<'_>, signature: &mut Signature) -> ParseResult<()> {
    if !parser.eat(TokenKind::Arrow)? {
        return Ok(());
    }
    if !parser.eat(TokenKind::LeftParen)? {
        signature.results.push(parser.parse_type()?);
        signature
            .result_attributes
            .push(Attribute::EMPTY_DICTIONARY);
        return Ok(());
    }
    parser.comma_list_until(TokenKind::RightParen, "expected ')'", |parser| {
        signature.results.push(parser.parse_type()?);
        signature.result_attributes.push(parse_dictionary(parser)?);
        Ok(())
    })
}

fn set_signature(parser: &mut Parser<'_>, state: &mut OperationState, signature: &Signature) {
    let inputs: Vec<_> = signature
        .arguments
        .iter()
        .map(|argument| argument.ty)
        .collect();
    let ty = Type::function(parser.context, &inputs, &signature.results);
    let ty = Attribute::ty(parser.context, ty);
    state.set_property(parser.context, "function_type", ty);
    for (key, dictionaries) in [
        ("arg_attrs", &signature.argument_attributes),
        ("res_attrs", &signature.result_attributes),
    ] {
        if dictionaries
            .iter()
            .any(|d| *d != Attribute::EMPTY_DICTIONARY)
        {
            let dictionaries = Attribute::array(parser.context, dictionaries);
            state.set_property(parser.context, key, dictionaries);
        }
    }
}

fn parse_function_attributes(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let place = parser.token();
    parser.parse_attribute_dictionary_with_keyword(state)?;
    for key in ["sym_visibility", "sym_name", "function_type"] {
        if state.attributes.get(parser.context, key).is_some() {
            let message = format!(
                "'{key}' is an inferred attribute and should not be specified in the explicit \
                 attribute dictionary"
            );
            return Err(parser.op_error_at(state, place, &message));
        }
    }
    Ok(())
}

fn parse_body(
    parser: &mut Parser<'_>,
    state: &OperationState,
    signature: &Signature,
) -> ParseResult<Region> {
    let place = parser.token();
    if !parser.at(TokenKind::LeftBrace) {
        return Ok(Region::new(parser.context));
    }
    let arguments = match signature.named {
        Some(true) => signature.arguments.as_slice(),
        _ => &[],
    };
    let region = parser.parse_region(arguments)?;
    if region.is_empty(parser.context) {
        return Err(parser.op_error_at(state, place, "expected non-empty function body"));
    }
    Ok(region)
}

pub(super) fn print_function(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let func = Func(op);
    printer.write(" ");
    if let Some(visibility) = func.sym_visibility(context) {
        printer.write(visibility);
        printer.write(" ");
    }
    printer.symbol_name(func.sym_name(context).unwrap_or_default());
    print_parameters(printer, func);
    print_outputs(printer, func);
    printer.attribute_dictionary_with_keyword(
        op,
        &[
            "sym_visibility",
            "function_type",
            "arg_attrs",
            "res_attrs",
            "sym_name",
        ],
    );
    if func.entry(context).is_some() {
        printer.write(" ");
        printer.region(func.body(context), RegionStyle::BODY);
    }
}

fn print_parameters(printer: &mut Printer<'_>, func: Func) {
    let context = printer.context;
    let entry = func.entry(context);
    printer.write("(");
    for (number, ty) in func.inputs(context).iter().enumerate() {
        if number > 0 {
            printer.write(", ");
        }
        let argument = entry.and_then(|entry| entry.arguments(context).nth(number));
        if let Some(argument) = argument {
            printer.value(argument);
            printer.write(": ");
        }
        printer.ty(*ty);
        if let Some(dictionary) = dictionary_at(context, func.0, "arg_attrs", number) {
            match argument {
                Some(_) => printer.argument_dictionary(dictionary),
                None => printer.dictionary_after_space(dictionary),
            }
        }
        if let Some(argument) = argument {
            printer.argument_location(argument);
        }
    }
    printer.write(")");
}

fn print_outputs(printer: &mut Printer<'_>, func: Func) {
    let context = printer.context;
    let outputs = func.outputs(context);
    if outputs.is_empty() {
        return;
    }
    printer.write(" -> ");
    let dictionary = |number| dictionary_at(context, func.0, "res_attrs", number);
    if let [only] = outputs
        && only.as_function(context).is_none()
        && dictionary(0).is_none()
    {
        printer.ty(*only);
        return;
    }
    printer.write("(");
    printer.comma_separated(outputs.iter().enumerate(), |printer, (number, ty)| {
        printer.ty(*ty);
        if let Some(dictionary) = dictionary(number) {
            printer.dictionary_after_space(dictionary);
        }
    });
    printer.write(")");
}

pub(super) fn parse_call_indirect(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let callee = parser.parse_operand()?;
    let place = parser.token();
    let arguments = parser.parse_operand_list_parens()?;
    parser.parse_attribute_dictionary(state)?;
    parser.expect(TokenKind::Colon, "expected ':'")?;
    let (inputs, results) = parser.parse_op_function_type(state)?;
    let ty = Type::function(parser.context, &inputs, &results);
    state.operands.push(parser.resolve_operand(&callee, ty)?);
    let arguments = parser.resolve_op_operands(state, place, &arguments, &inputs)?;
    state.operands.extend(arguments);
    state.result_types = results.into();
    Ok(())
}

pub(super) fn print_call_indirect(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let call = CallIndirect(op);
    let callee = call.callee(context);
    printer.write(" ");
    printer.value(callee);
    printer.write("(");
    printer.comma_separated(call.arguments(context), Printer::value);
    printer.write(")");
    printer.attribute_dictionary(op, &[]);
    printer.write(" : ");
    printer.ty(callee.ty(context));
}
