//! Parsing the custom form of machine operations.

use orison_ir::declare::{OperationDefinition, Variadicity};
use orison_ir::parser::{ParseResult, Parser, Token, TokenKind, UnresolvedOperand};
use orison_ir::{Attribute, OperationState, Type};

use super::{AddressNames, address_at, fields, is_uniform_part};
use crate::modifiers::{self, MODIFIERS, ModifierSet};
use crate::types::Register;

/// The parsed operands, grouped as in the declaration.
struct Groups {
    operands: Vec<Vec<(UnresolvedOperand, ModifierSet)>>,
}

/// Parses what follows the name of a machine operation.
pub(crate) fn parse(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let Some(definition) = state.name.definition(parser.context) else {
        return Err(parser.op_error(state, "is not registered"));
    };
    fields::parse(parser, state, definition)?;
    let place = parser.token();
    let groups = parse_operands(parser, state, definition)?;
    for _ in definition.successors {
        parser.eat(TokenKind::Comma)?;
        let block = parser.parse_successor()?;
        state.successors.push(block);
    }
    parser.parse_attribute_dictionary(state)?;
    let types = parse_types(parser, state, &groups)?;
    resolve(parser, state, definition, groups, place, &types)
}

fn parse_operands(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    definition: &'static OperationDefinition,
) -> ParseResult<Groups> {
    let mut groups = Groups {
        operands: definition.operands.iter().map(|_| Vec::new()).collect(),
    };
    let mut first = true;
    for (number, declared) in definition.operands.iter().enumerate() {
        if let Some(address) = address_at(declared.name) {
            separate(parser, &mut first)?;
            groups.operands[number] = parse_address(parser, state, address)?;
        } else if declared.variadicity == Variadicity::One {
            separate(parser, &mut first)?;
            groups.operands[number].push(parse_operand(parser)?);
        } else if !is_uniform_part(declared.name) {
            let keyword = match declared.name {
                "guard" => "if",
                "otherwise" => "else",
                name => name,
            };
            groups.operands[number] = parse_optional(parser, keyword, declared.name)?;
        }
    }
    Ok(groups)
}

/// Skips the comma after the previous operand.
fn separate(parser: &mut Parser<'_>, first: &mut bool) -> ParseResult<()> {
    if !std::mem::replace(first, false) {
        parser.expect(TokenKind::Comma, "expected ','")?;
    }
    Ok(())
}

fn parse_operand(parser: &mut Parser<'_>) -> ParseResult<(UnresolvedOperand, ModifierSet)> {
    let set = modifiers::parse_set(parser)?;
    Ok((parser.parse_operand()?, set))
}

/// Parses an optional `if %p`, `else %a, %b` or `name(%a, %b)`.
fn parse_optional(
    parser: &mut Parser<'_>,
    keyword: &str,
    name: &str,
) -> ParseResult<Vec<(UnresolvedOperand, ModifierSet)>> {
    let mut operands = Vec::new();
    if !parser.eat_keyword(keyword)? {
        return Ok(operands);
    }
    if keyword == name {
        parser.expect(TokenKind::LeftParen, "expected '('")?;
        parser.comma_list_until(TokenKind::RightParen, "expected ',' or ')'", |parser| {
            operands.push(parse_operand(parser)?);
            Ok(())
        })?;
        return Ok(operands);
    }
    operands.push(parse_operand(parser)?);
    while keyword == "else" && parser.eat(TokenKind::Comma)? {
        operands.push(parse_operand(parser)?);
    }
    Ok(operands)
}

/// Parses `[%base + %uniform + 16]`; each part is optional, but at least one is required.
fn parse_address(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    address: &AddressNames,
) -> ParseResult<Vec<(UnresolvedOperand, ModifierSet)>> {
    let mut operands = Vec::new();
    let mut offset = 0;
    parser.expect(TokenKind::LeftSquare, "expected '['")?;
    loop {
        if operands.len() < 2 && parser.at(TokenKind::PercentIdentifier) {
            operands.push(parse_operand(parser)?);
        } else {
            offset = parser.parse_i32("expected an address")?;
            break;
        }
        if !parser.eat(TokenKind::Plus)? && !parser.at(TokenKind::Minus) {
            break;
        }
    }
    parser.expect(TokenKind::RightSquare, "expected '+' or ']'")?;
    let offset = Attribute::i32(parser.context, offset);
    state.set_property(parser.context, address.offset, offset);
    Ok(operands)
}

/// Parses the types, sets those of the results, and returns those of the operands.
fn parse_types(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    groups: &Groups,
) -> ParseResult<Vec<Type>> {
    let any = groups.operands.iter().any(|group| !group.is_empty());
    if !any && !parser.at(TokenKind::Colon) {
        return Ok(Vec::new());
    }
    parser.expect(TokenKind::Colon, "expected ':'")?;
    if parser.at(TokenKind::LeftParen) {
        let (operands, results) = parser.parse_op_function_type(state)?;
        state.result_types.extend(results);
        return Ok(operands);
    }
    let results = parser.parse_type_list()?;
    state.result_types.extend(results);
    Ok(Vec::new())
}

/// Resolves the operands, and records the sizes of their groups and their modifiers.
fn resolve(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    definition: &'static OperationDefinition,
    mut groups: Groups,
    place: Token,
    types: &[Type],
) -> ParseResult<()> {
    let flat: Vec<_> = groups.operands.iter().flatten().copied().collect();
    let operands: Vec<_> = flat.iter().map(|(operand, _)| *operand).collect();
    let values = parser.resolve_op_operands(state, place, &operands, types)?;
    state.operands.extend(values);
    let mut start = 0;
    for (number, declared) in definition.operands.iter().enumerate() {
        let size = groups.operands[number].len();
        let uniform = address_at(declared.name).is_some() && size > 0 && {
            let register = Register::of(parser.context, types[start]);
            register.is_some_and(Register::is_uniform)
        };
        start += size;
        if uniform || (address_at(declared.name).is_some() && size == 2) {
            let keep = if uniform { 0 } else { 1 };
            let moved = groups.operands[number].split_off(keep);
            groups.operands[number + 1].extend(moved);
        }
    }
    let sizes: Vec<_> = groups
        .operands
        .iter()
        .map(|group| i32::try_from(group.len()).unwrap_or(i32::MAX))
        .collect();
    let context = &mut *parser.context;
    state.properties = definition.with_operand_sizes(context, state.properties, &sizes);
    let sets: Vec<_> = flat.iter().map(|(_, set)| *set).collect();
    if let Some(attribute) = modifiers::attribute(parser.context, &sets) {
        state.set_property(parser.context, MODIFIERS, attribute);
    }
    Ok(())
}
