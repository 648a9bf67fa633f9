//! Parsing of the parameters of dialect types and attributes.

use super::{ParseResult, Parser, Source, Token, TokenKind};
use crate::declare::{ParseParameters, PrintParameters, VerifyParameters};
use crate::{Attribute, PrintFlags, printer};

/// The declaration of the parameters of a type or attribute.
pub(super) struct ParameterForm {
    /// The full name.
    pub name: &'static str,
    /// Parses the part after the name; `None` if there are no parameters.
    pub parse: Option<ParseParameters>,
    /// Prints the parameters.
    pub print: Option<PrintParameters>,
    /// Verifies the parameters.
    pub verify: Option<VerifyParameters>,
}

impl Parser<'_> {
    /// Parses the parameters of the type or attribute whose name was at `token`.
    pub(super) fn parse_parameters(
        &mut self,
        token: Token,
        form: &ParameterForm,
    ) -> ParseResult<Vec<Attribute>> {
        let parameters = match form.parse {
            None => Vec::new(),
            Some(_) if self.context.writes_plain_parameters(form.name) => {
                self.nested(|parser| parser.parse_plain_parameters(token, form))?
            }
            Some(parse) => self.nested(parse)?,
        };
        if let Some(verify) = form.verify {
            verify(self.context, &parameters).map_err(|message| self.error_at(token, &message))?;
        }
        Ok(parameters)
    }

    /// Parses `<attribute, …>`.
    fn parse_plain_parameters(
        &mut self,
        token: Token,
        form: &ParameterForm,
    ) -> ParseResult<Vec<Attribute>> {
        let mut parameters = Vec::new();
        if self.eat(TokenKind::Less)? {
            self.comma_list_until(TokenKind::Greater, "expected '>'", |parser| {
                parameters.push(parser.parse_attribute()?);
                Ok(())
            })?;
        }
        if !self.is_form_of(&parameters, form) {
            let message = format!("invalid parameters of '{}'", form.name);
            return Err(self.error_at(token, &message));
        }
        Ok(parameters)
    }

    /// Whether the parameters equal the result of parsing their printed form: only then do they
    /// satisfy the invariants of the dialect.
    fn is_form_of(&mut self, parameters: &[Attribute], form: &ParameterForm) -> bool {
        let (Some(parse), Some(print)) = (form.parse, form.print) else {
            return parameters.is_empty();
        };
        let text = printer::parameters_to_string(self.context, &PrintFlags::default(), |printer| {
            print(printer, parameters);
        });
        let plain = std::mem::replace(&mut self.context.plain_parameters, false);
        let diagnostics = std::mem::take(&mut self.context.diagnostics);
        let source = Source {
            name: "<parameters>",
            text: &text,
            first_line: 1,
        };
        let read = Parser::new(self.context, source).and_then(|mut inner| {
            inner.depth = self.depth;
            parse(&mut inner)
        });
        self.context.diagnostics = diagnostics;
        self.context.plain_parameters = plain;
        read.is_ok_and(|read| read == parameters)
    }
}
