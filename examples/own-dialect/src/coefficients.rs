//! The attribute `#poly.coefficients<1, 2, 3>`: 1 + 2x + 3x².

use orison_ir::declare::{AttributeDefinition, ParameterDefinition};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Parameter, Parameterized, Type};

/// The coefficients of a polynomial, from the constant term on: the value of the attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Coefficients(pub Vec<i64>);

/// The declaration.
pub static COEFFICIENTS: AttributeDefinition = AttributeDefinition::parameterized::<Coefficients>(
    "poly.coefficients",
    "The coefficients of a polynomial, from the constant term on.",
    &[ParameterDefinition {
        name: "values",
        documentation: "the coefficients, as `array<i64: …>`",
    }],
);

impl DialectValue for Coefficients {
    fn definition(&self) -> &'static AttributeDefinition {
        &COEFFICIENTS
    }

    fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<' and coefficients")?;
        let mut values = Vec::new();
        parser.comma_list_until(TokenKind::Greater, "expected ',' or '>'", |parser| {
            values.push(parser.parse_integer("expected a coefficient")?);
            Ok(())
        })?;
        Ok(Coefficients(values))
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.comma_separated(self.0.iter().copied(), Printer::integer);
        printer.write(">");
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Integers(Type::I64, &self.0));
    }
}

impl Parameterized for Coefficients {
    fn from_parameters(
        context: &Context,
        _: &'static AttributeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [values] = parameters else { return None };
        let (_, values) = values.as_integer_array(context)?;
        Some(Coefficients(values))
    }
}

orison_ir::attribute_form!(
    /// Coefficients, from the constant term on.
    CoefficientsAttr,
    "coefficients of a polynomial",
    Vec<i64>,
    |context, attribute| {
        let Coefficients(values) = attribute.downcast(context)?;
        Some(values.clone())
    },
    |context, values| Attribute::typed(context, Coefficients(values))
);
