//! `nv_tileaa.func` and `nv_tileaa.return`: the declarations, assembly like that of `func.func`, and
//! verifiers.

use orison_ir::declare::constraints::ANY_TYPE;
use orison_ir::declare::{
    Assembly, DictionaryArrayAttr, Effects, FunctionTypeAttr, RegionConstraint, StrAttr, Trait,
    VerifyResult,
};
use orison_ir::parser::{EntryArgument, ParseResult, Parser, TokenKind};
use orison_ir::printer::{Printer, RegionStyle, type_to_string};
use orison_ir::{Attribute, Block, Context, Operation, OperationState, Region, Type};

orison_ir::operations! {
    /// A tile function.
    ///
    /// Refers to outer values only by symbol. `nv_tileaa.kernel_spec` gives the launch
    /// configuration: `{numWarps = 8 : i32, clusterDim = array<i32: 1, 1, 1>}`.
    op Func = "nv_tileaa.func" {
        attributes {
            /// Symbol name of the function.
            sym_name = "sym_name": required(StrAttr),
            /// Types of arguments and results.
            function_type = "function_type": required(FunctionTypeAttr),
            /// `public` (default), `private` or `nested`.
            sym_visibility = "sym_visibility": optional(StrAttr),
            /// Attributes of the arguments.
            arg_attrs = "arg_attrs": optional(DictionaryArrayAttr),
            /// Attributes of the results.
            res_attrs = "res_attrs": optional(DictionaryArrayAttr),
        }
        regions {
            /// The body; empty for a declaration.
            body: one(RegionConstraint::Any),
        }
        with {
            traits: &[Trait::IsolatedFromAbove, Trait::Symbol],
            assembly: Assembly::Custom {
                parse,
                print,
            },
            verify: Some(verify),
        }
    }

    /// Terminates a tile function.
    op Return = "nv_tileaa.return" {
        operands {
            /// Results of the function.
            values: variadic(ANY_TYPE),
        }
        with {
            traits: &[
                Trait::Terminator,
                Trait::ReturnLike,
                Trait::HasParent(&[Func::NAME]),
            ],
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict ($values^ `:` type($values))?"),
            verify: Some(verify_return),
        }
    }
}

const ELIDED: [&str; 5] = [
    "sym_name",
    "function_type",
    "sym_visibility",
    "arg_attrs",
    "res_attrs",
];

/// Arguments or results of a signature: types, attributes, and the names of arguments.
#[derive(Default)]
struct Signature {
    names: Vec<EntryArgument>,
    types: Vec<Type>,
    attributes: Vec<Attribute>,
}

impl Signature {
    /// The attributes as an array; `None` if all are empty.
    fn attribute_array(&self, context: &mut Context) -> Option<Attribute> {
        let empty = |entry: &Attribute| *entry == Attribute::EMPTY_DICTIONARY;
        if self.attributes.iter().all(empty) {
            return None;
        }
        Some(Attribute::array(context, &self.attributes))
    }
}

fn parse(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    for visibility in ["public", "private", "nested"] {
        if parser.eat_keyword(visibility)? {
            let value = Attribute::string(parser.context, visibility);
            state.set_property(parser.context, "sym_visibility", value);
        }
    }
    let name = parser.parse_symbol_name()?;
    let name = Attribute::string(parser.context, &name);
    state.set_property(parser.context, "sym_name", name);
    let arguments = parse_arguments(parser)?;
    let results = parse_results(parser)?;
    let ty = Type::function(parser.context, &arguments.types, &results.types);
    let ty = Attribute::ty(parser.context, ty);
    state.set_property(parser.context, "function_type", ty);
    for (key, signature) in [("arg_attrs", &arguments), ("res_attrs", &results)] {
        if let Some(value) = signature.attribute_array(parser.context) {
            state.set_property(parser.context, key, value);
        }
    }
    parser.parse_attribute_dictionary_with_keyword(state)?;
    let region = parse_body(parser, &arguments)?;
    state.regions.push(region);
    Ok(())
}

fn parse_body(parser: &mut Parser<'_>, arguments: &Signature) -> ParseResult<Region> {
    let place = parser.token();
    if !parser.at(TokenKind::LeftBrace) {
        return Ok(Region::new(parser.context));
    }
    if arguments.names.len() != arguments.types.len() {
        return Err(parser.error_at(place, "expected names for the arguments of a function body"));
    }
    let region = parser.parse_region(&arguments.names)?;
    if region.is_empty(parser.context) {
        return Err(parser.error_at(place, "expected non-empty function body"));
    }
    Ok(region)
}

fn parse_arguments(parser: &mut Parser<'_>) -> ParseResult<Signature> {
    let mut signature = Signature::default();
    parser.expect(TokenKind::LeftParen, "expected '('")?;
    if parser.eat(TokenKind::RightParen)? {
        return Ok(signature);
    }
    loop {
        let named = parser.at(TokenKind::PercentIdentifier);
        if !signature.types.is_empty() && named != (signature.names.len() == signature.types.len())
        {
            return Err(parser.error("expected names for all arguments or for none"));
        }
        let argument = if named {
            let argument = parser.parse_entry_argument()?;
            parser.expect(TokenKind::Colon, "expected ':'")?;
            Some(argument)
        } else {
            None
        };
        let ty = parser.parse_type()?;
        signature.types.push(ty);
        signature.attributes.push(parse_dictionary(parser)?);
        if let Some(argument) = argument {
            let argument = parser.parse_argument_location(argument.with_type(ty))?;
            signature.names.push(argument);
        }
        if !parser.eat(TokenKind::Comma)? {
            parser.expect(TokenKind::RightParen, "expected ')'")?;
            return Ok(signature);
        }
    }
}

fn parse_dictionary(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let entries = parser.parse_optional_dictionary()?;
    Ok(Attribute::dictionary(parser.context, &entries))
}

fn parse_results(parser: &mut Parser<'_>) -> ParseResult<Signature> {
    let mut signature = Signature::default();
    if !parser.eat(TokenKind::Arrow)? {
        return Ok(signature);
    }
    if !parser.at(TokenKind::LeftParen) {
        signature.types.push(parser.parse_type()?);
        return Ok(signature);
    }
    parser.advance()?;
    parser.comma_list_until(TokenKind::RightParen, "expected ')'", |parser| {
        signature.types.push(parser.parse_type()?);
        signature.attributes.push(parse_dictionary(parser)?);
        Ok(())
    })?;
    Ok(signature)
}

fn print(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let function = Func(op);
    if let Some(visibility) = function.sym_visibility(context) {
        printer.write(" ");
        printer.write(visibility);
    }
    printer.write(" ");
    printer.symbol_name(function.sym_name(context).unwrap_or_default());
    let ty = function.function_type(context);
    let (inputs, results) = ty
        .and_then(|ty| ty.as_function(context))
        .unwrap_or_default();
    let body = op.regions(context).next();
    let entry = body.and_then(|body| body.first_block(context));
    print_arguments(printer, entry, inputs, function.arg_attrs(context));
    print_results(printer, results, function.res_attrs(context));
    printer.attribute_dictionary_with_keyword(op, &ELIDED);
    if let (Some(body), Some(_)) = (body, entry) {
        printer.write(" ");
        printer.region(body, RegionStyle::BODY);
    }
}

fn print_arguments(
    printer: &mut Printer<'_>,
    entry: Option<Block>,
    inputs: &[Type],
    attributes: Option<Attribute>,
) {
    let context = printer.context;
    printer.write("(");
    match entry {
        Some(entry) => {
            let arguments = entry.arguments(context).enumerate();
            printer.comma_separated(arguments, |printer, (number, argument)| {
                printer.value(argument);
                printer.write(": ");
                printer.ty(argument.ty(context));
                print_dictionary(printer, attributes, number);
                printer.argument_location(argument);
            });
        }
        None => printer.comma_separated(inputs.iter().enumerate(), |printer, (number, ty)| {
            printer.ty(*ty);
            print_dictionary(printer, attributes, number);
        }),
    }
    printer.write(")");
}

fn print_results(printer: &mut Printer<'_>, results: &[Type], attributes: Option<Attribute>) {
    if results.is_empty() {
        return;
    }
    printer.write(" -> ");
    if attributes.is_none() {
        printer.function_results(results);
        return;
    }
    printer.write("(");
    printer.comma_separated(results.iter().enumerate(), |printer, (number, ty)| {
        printer.ty(*ty);
        print_dictionary(printer, attributes, number);
    });
    printer.write(")");
}

fn print_dictionary(printer: &mut Printer<'_>, attributes: Option<Attribute>, number: usize) {
    let context = printer.context;
    let all = attributes.and_then(|attributes| attributes.as_array(context));
    if let Some(dictionary) = all.and_then(|all| all.get(number)) {
        printer.dictionary_after_space(*dictionary);
    }
}

fn verify(context: &Context, op: Operation) -> VerifyResult {
    let function = Func(op);
    let ty = function.function_type(context);
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(context)) else {
        return Ok(());
    };
    for (key, attributes, expected) in [
        ("arg_attrs", function.arg_attrs(context), inputs.len()),
        ("res_attrs", function.res_attrs(context), results.len()),
    ] {
        let found = attributes.and_then(|attributes| attributes.as_array(context));
        if found.is_some_and(|found| found.len() != expected) {
            let message = format!("expects '{key}' to have {expected} entries");
            return Err(op.op_error(context, message));
        }
    }
    let Some(entry) = function.body(context).first_block(context) else {
        return Ok(());
    };
    let found = entry.argument_count(context);
    if found != inputs.len() {
        let message = format!(
            "entry block must have {} arguments to match function signature",
            inputs.len()
        );
        return Err(op.op_error(context, message));
    }
    for (number, (argument, input)) in entry.arguments(context).zip(inputs).enumerate() {
        let ty = argument.ty(context);
        if ty != *input {
            let (ty, input) = (type_to_string(context, ty), type_to_string(context, *input));
            let message = format!(
                "type of entry block argument #{number}('{ty}') must match the type of the \
                 corresponding argument in function signature('{input}')"
            );
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}

fn verify_return(context: &Context, op: Operation) -> VerifyResult {
    let Some(function) = op
        .parent_op(context)
        .and_then(|parent| Func::of(context, parent))
    else {
        return Ok(());
    };
    let ty = function.function_type(context);
    let Some((_, results)) = ty.and_then(|ty| ty.as_function(context)) else {
        return Ok(());
    };
    let values = Return(op).values(context);
    if values.len() != results.len() {
        let name = function.sym_name(context).unwrap_or_default();
        let message = format!(
            "has {} operands, but enclosing function (@{name}) returns {}",
            values.len(),
            results.len()
        );
        return Err(op.op_error(context, message));
    }
    for (number, (value, result)) in values.iter().zip(results).enumerate() {
        let ty = value.ty(context);
        if ty != *result {
            let name = function.sym_name(context).unwrap_or_default();
            let (ty, result) = (
                type_to_string(context, ty),
                type_to_string(context, *result),
            );
            let message = format!(
                "type of return operand {number} ('{ty}') doesn't match function result type \
                 ('{result}') in function @{name}"
            );
            return Err(op.error(context, message));
        }
    }
    Ok(())
}
