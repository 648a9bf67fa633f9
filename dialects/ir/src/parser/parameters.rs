//! Parsing of the contents of dialect types and attributes.

use super::{ParseError, ParseResult, Parser, Source, Token, TokenKind};
use crate::declare::{PayloadDefinition, PlainForm, ReadParameters};
use crate::{Payload, printer};

impl Parser<'_> {
    /// Parses the contents of the type or attribute whose name was at `token`.
    pub(super) fn parse_payload(
        &mut self,
        token: Token,
        definition: &'static PayloadDefinition,
    ) -> ParseResult<Payload> {
        let plain = self.context.writes_plain_parameters(definition.name);
        let payload = self.nested(|parser| match definition.plain {
            PlainForm::Text if plain => parser.parse_plain_text(token, definition),
            PlainForm::Parameters(read) if plain => {
                parser.parse_plain_parameters(token, definition, read)
            }
            _ => (definition.parse)(parser, definition),
        })?;
        payload
            .verify(self.context)
            .map_err(|message| self.error_at(token, &message))?;
        Ok(payload)
    }

    /// Parses `<attribute, …>`. The contents must equal the result of parsing their printed form:
    /// only then do they satisfy the invariants of the dialect.
    fn parse_plain_parameters(
        &mut self,
        token: Token,
        definition: &'static PayloadDefinition,
        read: ReadParameters,
    ) -> ParseResult<Payload> {
        let mut parameters = Vec::new();
        if self.eat(TokenKind::Less)? {
            self.comma_list_until(TokenKind::Greater, "expected '>'", |parser| {
                parameters.push(parser.parse_attribute()?);
                Ok(())
            })?;
        }
        let payload = read(self.context, definition, &parameters).filter(|payload| {
            let text = printer::payload_to_string(self.context, payload);
            self.parse_text(&text, definition).as_ref() == Some(payload)
        });
        payload.ok_or_else(|| self.invalid_parameters(token, definition))
    }

    /// Parses `<"text after the name">`.
    fn parse_plain_text(
        &mut self,
        token: Token,
        definition: &'static PayloadDefinition,
    ) -> ParseResult<Payload> {
        self.expect(TokenKind::Less, "expected '<' and a string")?;
        let text = self.parse_string()?;
        self.expect(TokenKind::Greater, "expected '>'")?;
        let payload = self.parse_text(&text, definition);
        payload.ok_or_else(|| self.invalid_parameters(token, definition))
    }

    fn invalid_parameters(
        &mut self,
        token: Token,
        definition: &'static PayloadDefinition,
    ) -> ParseError {
        let message = format!("invalid parameters of '{}'", definition.name);
        self.error_at(token, &message)
    }

    /// Parses the text after a name, without diagnostics.
    fn parse_text(
        &mut self,
        text: &str,
        definition: &'static PayloadDefinition,
    ) -> Option<Payload> {
        let plain = std::mem::replace(&mut self.context.plain_parameters, false);
        let diagnostics = std::mem::take(&mut self.context.diagnostics);
        let source = Source {
            name: "<parameters>",
            text,
            first_line: 1,
        };
        let read = Parser::new(self.context, source).and_then(|mut inner| {
            inner.depth = self.depth;
            let payload = (definition.parse)(&mut inner, definition)?;
            inner.expect(TokenKind::End, "expected the end")?;
            Ok(payload)
        });
        self.context.diagnostics = diagnostics;
        self.context.plain_parameters = plain;
        read.ok()
    }
}
