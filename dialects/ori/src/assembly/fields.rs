//! The attributes in angle brackets.

use orison_ir::declare::{
    AttributeForm, InherentAttribute, KeywordSet, OperationDefinition, UnitAttr,
};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Operation, OperationState, Type};

use super::is_written_elsewhere;

/// The attributes written in angle brackets, in declaration order.
fn fields(
    definition: &'static OperationDefinition,
) -> impl Iterator<Item = &'static InherentAttribute> {
    let all = definition.attributes.iter();
    all.filter(|attribute| !is_written_elsewhere(attribute.name))
}

/// The only attribute that accepts a keyword as its value; `None` if no attribute or several accept
/// it, or if the keyword is the key of another attribute.
fn owner_of(
    definition: &'static OperationDefinition,
    word: &str,
) -> Option<(&'static str, KeywordSet)> {
    let knows = |attribute: &&InherentAttribute| {
        let keywords = attribute.constraint.keywords;
        keywords.is_some_and(|set| set.number_of(word).is_some())
    };
    let mut owners = fields(definition).filter(knows);
    let owner = owners.next()?;
    let is_other_key = owner.name != word && definition.attribute(word).is_some();
    let is_only = owners.next().is_none() && !is_other_key;
    is_only.then_some((owner.name, owner.constraint.keywords?))
}

/// Parses an optional `<ge, u32, lut = 192>`.
pub(super) fn parse(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    definition: &'static OperationDefinition,
) -> ParseResult<()> {
    if !parser.eat(TokenKind::Less)? {
        return Ok(());
    }
    parser.comma_list_until(TokenKind::Greater, "expected ',' or '>'", |parser| {
        parse_field(parser, state, definition)
    })
}

fn parse_field(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    definition: &'static OperationDefinition,
) -> ParseResult<()> {
    let place = parser.token();
    if !parser.at(TokenKind::BareIdentifier) {
        return Err(parser.op_error(state, "expected a modifier"));
    }
    let word = parser.current().to_owned();
    parser.advance()?;
    let known = definition.attribute(&word);
    let (key, value) = if parser.eat(TokenKind::Equal)? {
        let Some(attribute) = known.filter(|known| !is_written_elsewhere(known.name)) else {
            let message = format!("has no modifier '{word}'");
            return Err(parser.op_error_at(state, place, &message));
        };
        (attribute.name, parse_value(parser, state, attribute)?)
    } else if let Some((key, value)) = owner_of(definition, &word)
        .and_then(|(key, keywords)| Some((key, keywords.parse(parser.context, &word)?)))
    {
        (key, value)
    } else if let Some(attribute) = known.filter(|known| is_flag(known)) {
        (attribute.name, Attribute::UNIT)
    } else {
        let message = format!("has no modifier '{word}'; a value is written 'key = {word}'");
        return Err(parser.op_error_at(state, place, &message));
    };
    if state.properties.get(parser.context, key).is_some() {
        let message = format!("has duplicate modifier '{key}'");
        return Err(parser.op_error_at(state, place, &message));
    }
    state.set_property(parser.context, key, value);
    Ok(())
}

/// Whether the attribute is a unit attribute.
fn is_flag(attribute: &InherentAttribute) -> bool {
    attribute.constraint.summary == UnitAttr::CONSTRAINT.summary
}

fn parse_value(
    parser: &mut Parser<'_>,
    state: &OperationState,
    attribute: &InherentAttribute,
) -> ParseResult<Attribute> {
    let Some(keywords) = attribute.constraint.keywords else {
        let number = parser.at(TokenKind::Integer) || parser.at(TokenKind::Minus);
        return parser.parse_attribute_of(number.then_some(Type::I32));
    };
    let word = parser.current().to_owned();
    let value = match parser.at(TokenKind::BareIdentifier) {
        true => keywords.parse(parser.context, &word),
        false => None,
    };
    let Some(value) = value else {
        let (words, key) = (keywords.words.join("', '"), attribute.name);
        return Err(parser.op_error(state, &format!("expected one of '{words}' for '{key}'")));
    };
    parser.advance()?;
    Ok(value)
}

/// Prints ` <…>`; prints nothing if no attribute is set.
pub(super) fn print(
    printer: &mut Printer<'_>,
    op: Operation,
    definition: &'static OperationDefinition,
) {
    let context = printer.context;
    let set: Vec<_> = fields(definition)
        .filter_map(|field| Some((field, op.properties(context).get(context, field.name)?)))
        .collect();
    if set.is_empty() {
        return;
    }
    printer.write(" <");
    printer.comma_separated(set, |printer, (field, value)| {
        print_field(printer, definition, field, value);
    });
    printer.write(">");
}

fn print_field(
    printer: &mut Printer<'_>,
    definition: &'static OperationDefinition,
    field: &'static InherentAttribute,
    value: Attribute,
) {
    let keywords = field.constraint.keywords;
    if let Some(word) = keywords.and_then(|keywords| keywords.word(printer.context, value)) {
        if owner_of(definition, word).is_none() {
            printer.write(field.name);
            printer.write(" = ");
        }
        printer.write(word);
        return;
    }
    printer.write(field.name);
    if value == Attribute::UNIT && is_flag(field) {
        return;
    }
    printer.write(" = ");
    match value.as_i32(printer.context) {
        Some(number) => printer.integer(number.into()),
        None => printer.attribute(value),
    }
}
