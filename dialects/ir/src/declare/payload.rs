//! The record of a dialect type or attribute.

use crate::parser::{ParseResult, Parser};
use crate::payload::{DialectValue, Parameter, Parameterized, Payload};
use crate::printer::Printer;
use crate::{Attribute, Context};

/// A named parameter of a dialect type or attribute.
#[derive(Debug)]
pub struct ParameterDefinition {
    /// The name.
    pub name: &'static str,
    /// Its purpose, with unit.
    pub documentation: &'static str,
}

/// The declaration of a dialect type or attribute. It must be a `static`: a declaration is
/// recognized by its address.
#[derive(Debug)]
pub struct PayloadDefinition {
    /// Full name, for example `nv_tileas.iter`.
    pub name: &'static str,
    /// Documentation in Markdown; the first line is the summary.
    pub documentation: &'static str,
    /// Parameters in order.
    pub parameters: &'static [ParameterDefinition],
    /// The strings that the only parameter may be, if this is an enumeration attribute.
    pub words: &'static [&'static str],
    /// Parses the text after the name, including `<` and `>`.
    pub parse: fn(&mut Parser<'_>, &'static PayloadDefinition) -> ParseResult<Payload>,
    /// Prints the text after the name.
    pub print: fn(&Payload, &mut Printer<'_>),
    /// Checks parsed contents; the error is the message.
    pub verify: fn(&Payload, &Context) -> Result<(), String>,
    /// Visits the parameters.
    pub visit: VisitParameters,
    /// What tools that know the dialect from IRDL read after the name.
    pub plain: PlainForm,
}

/// What tools that know the dialect from IRDL read after the name of a type or attribute
/// ([`PrintFlags::irdl`](crate::PrintFlags::irdl)).
#[derive(Clone, Copy, Debug)]
pub enum PlainForm {
    /// Nothing: there are no parameters.
    Nothing,
    /// One string: the text that [`PayloadDefinition::print`] prints.
    Text,
    /// The parameters as attributes; the function returns the contents with these parameters.
    Parameters(ReadParameters),
}

/// Visits the parameters of the contents.
pub type VisitParameters = fn(&Payload, &mut dyn FnMut(Parameter<'_>));
/// Returns the contents of a declaration with these parameters; `None` if there are none.
pub type ReadParameters = fn(&Context, &'static PayloadDefinition, &[Attribute]) -> Option<Payload>;

/// The declaration of a dialect type.
pub type TypeDefinition = PayloadDefinition;
/// The declaration of a dialect attribute.
pub type AttributeDefinition = PayloadDefinition;

impl PayloadDefinition {
    /// A type or attribute with values of a Rust type.
    pub const fn typed<T: DialectValue>(name: &'static str, documentation: &'static str) -> Self {
        PayloadDefinition {
            name,
            documentation,
            parameters: &[],
            words: &[],
            parse: |parser, definition| T::parse(parser, definition).map(Payload::new),
            print: |payload, printer| {
                if let Some(value) = payload.downcast::<T>() {
                    value.print(printer);
                }
            },
            verify: |payload, context| match payload.downcast::<T>() {
                Some(value) => value.verify(context),
                None => Ok(()),
            },
            visit: |payload, visit| {
                if let Some(value) = payload.downcast::<T>() {
                    value.parameters(visit);
                }
            },
            plain: PlainForm::Text,
        }
    }

    /// A type or attribute with values of a Rust type, which has these parameters.
    pub const fn parameterized<T: Parameterized>(
        name: &'static str,
        documentation: &'static str,
        parameters: &'static [ParameterDefinition],
    ) -> Self {
        PayloadDefinition {
            parameters,
            plain: PlainForm::Parameters(|context, definition, parameters| {
                T::from_parameters(context, definition, parameters).map(Payload::new)
            }),
            ..PayloadDefinition::typed::<T>(name, documentation)
        }
    }

    /// A type or attribute without parameters.
    pub const fn without_parameters(name: &'static str, documentation: &'static str) -> Self {
        PayloadDefinition {
            name,
            documentation,
            parameters: &[],
            words: &[],
            parse: |_, definition| Ok(Payload::without_parameters(definition)),
            print: |_, _| {},
            verify: |_, _| Ok(()),
            visit: |_, _| {},
            plain: PlainForm::Nothing,
        }
    }

    /// The namespace.
    pub fn dialect(&self) -> &'static str {
        self.name
            .split_once('.')
            .map_or(self.name, |(dialect, _)| dialect)
    }
}
