//! The attribute `#poly.coefficients<1, 2, 3>`: 1 + 2x + 3x².

use orison_ir::declare::{AttributeDefinition, ParameterDefinition};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, Type};

const NAME: &str = "poly.coefficients";

/// The declaration. The parameters of an attribute or a type are attributes.
pub static COEFFICIENTS: AttributeDefinition = AttributeDefinition {
    name: NAME,
    documentation: "The coefficients of a polynomial, from the constant term on.",
    parameters: &[ParameterDefinition {
        name: "values",
        documentation: "the coefficients, as `array<i64: …>`",
    }],
    parse: Some(parse),
    print: Some(print),
    verify: None,
};

fn parse(parser: &mut Parser<'_>) -> ParseResult<Vec<Attribute>> {
    parser.expect(TokenKind::Less, "expected '<' and coefficients")?;
    let mut values = Vec::new();
    parser.comma_list_until(TokenKind::Greater, "expected ',' or '>'", |parser| {
        values.push(parser.parse_integer("expected a coefficient")?);
        Ok(())
    })?;
    let values = Attribute::dense_array(parser.context, Type::I64, &values);
    Ok(vec![values])
}

fn print(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    let values = values(printer.context, parameters).unwrap_or_default();
    printer.write("<");
    printer.comma_separated(values, Printer::integer);
    printer.write(">");
}

fn values(context: &Context, parameters: &[Attribute]) -> Option<Vec<i64>> {
    let (_, values) = parameters.first()?.as_integer_array(context)?;
    Some(values)
}

orison_ir::attribute_form!(
    /// Coefficients, from the constant term on.
    CoefficientsAttr,
    "coefficients of a polynomial",
    Vec<i64>,
    |context, attribute| match attribute.as_dialect(context)? {
        (NAME, parameters) => values(context, parameters),
        _ => None,
    },
    |context, coefficients| {
        let values = Attribute::dense_array(context, Type::I64, &coefficients);
        Attribute::dialect(context, NAME, &[values])
    }
);
