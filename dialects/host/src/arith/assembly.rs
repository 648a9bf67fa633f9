//! Custom assembly shared by families of operations.

use orison_ir::ParseError;
use orison_ir::declare::constraints::{FLOAT_LIKE, SIGNLESS_INTEGER_LIKE};
use orison_ir::declare::{AttributeForm, TypeConstraint};
use orison_ir::parser::{ParseResult, Parser, TokenKind, UnresolvedOperand};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Operation, OperationState, Type};

use super::attributes::{
    FastMath, FastMathAttr, FloatPredicate, FloatPredicateAttr, IntegerPredicate,
    IntegerPredicateAttr, Overflow, OverflowAttr, RoundingMode, RoundingModeAttr,
};
use crate::types::quoted;

/// An optional element between the operands and the attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flag {
    /// `overflow<…>`, omitted if no flag is set.
    Overflow,
    /// `fastmath<…>`, omitted if no flag is set.
    FastMath,
    /// `fastmath<…>`, omitted if the attribute is absent.
    OptionalFastMath,
    /// `exact`.
    Exact,
    /// A rounding mode.
    Rounding,
}

impl Flag {
    fn key(self) -> &'static str {
        match self {
            Flag::Overflow => "overflowFlags",
            Flag::FastMath | Flag::OptionalFastMath => "fastmath",
            Flag::Exact => "isExact",
            Flag::Rounding => "roundingmode",
        }
    }

    fn parse(self, parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
        let value = match self {
            Flag::Overflow if parser.eat_keyword("overflow")? => {
                let flags = Overflow::parse_in(parser, state)?;
                OverflowAttr::write(parser.context, flags)
            }
            Flag::FastMath | Flag::OptionalFastMath if parser.eat_keyword("fastmath")? => {
                let flags = FastMath::parse_in(parser, state)?;
                FastMathAttr::write(parser.context, flags)
            }
            Flag::Exact if parser.eat_keyword("exact")? => Attribute::UNIT,
            Flag::Rounding if parser.at(TokenKind::BareIdentifier) => {
                let Some(mode) = RoundingMode::from_name(parser.current()) else {
                    return Ok(());
                };
                parser.advance()?;
                RoundingModeAttr::write(parser.context, mode)
            }
            _ => return Ok(()),
        };
        state.set_property(parser.context, self.key(), value);
        Ok(())
    }

    fn print(self, printer: &mut Printer<'_>, op: Operation) {
        let context = printer.context;
        let Some(value) = op.properties(context).get(context, self.key()) else {
            return;
        };
        match self {
            Flag::Overflow => {
                let flags = OverflowAttr::read(context, value).unwrap_or_default();
                if flags != Overflow::NONE {
                    printer.write(" overflow");
                    flags.print(printer);
                }
            }
            Flag::FastMath | Flag::OptionalFastMath => {
                let flags = FastMathAttr::read(context, value).unwrap_or_default();
                if self == Flag::OptionalFastMath || flags != FastMath::NONE {
                    printer.write(" fastmath");
                    flags.print(printer);
                }
            }
            Flag::Exact => printer.write(" exact"),
            Flag::Rounding => {
                if let Some(mode) = RoundingModeAttr::read(context, value) {
                    printer.write(" ");
                    printer.write(mode.name());
                }
            }
        }
    }
}

/// Parses `%a, %b, %c`: `count` operands, from 1 to 3.
pub(crate) fn parse_operands(
    parser: &mut Parser<'_>,
    count: usize,
) -> ParseResult<[UnresolvedOperand; 3]> {
    let mut operands = [parser.parse_operand()?; 3];
    for operand in &mut operands[1..count] {
        parser.expect(TokenKind::Comma, "expected ','")?;
        *operand = parser.parse_operand()?;
    }
    Ok(operands)
}

/// Parses the type of the operand `name`, from which that of the result is derived.
pub(crate) fn parse_operand_type(
    parser: &mut Parser<'_>,
    state: &OperationState,
    name: &str,
    constraint: &TypeConstraint,
) -> ParseResult<Type> {
    let ty = parser.parse_type()?;
    if (constraint.check)(parser.context, ty) {
        return Ok(ty);
    }
    let message = format!(
        "custom op '{}' '{name}' must be {}, but got {}",
        state.name.text(parser.context),
        constraint.summary,
        quoted(parser.context, ty)
    );
    parser.context.error(state.location, message);
    Err(ParseError)
}

/// Parses flags, attributes and the colon before the types.
pub(crate) fn parse_middle(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    flags: &[Flag],
) -> ParseResult<()> {
    for flag in flags {
        flag.parse(parser, state)?;
    }
    parser.parse_attribute_dictionary(state)?;
    parser.expect(TokenKind::Colon, "expected ':'")?;
    Ok(())
}

pub(crate) fn print_middle(
    printer: &mut Printer<'_>,
    op: Operation,
    flags: &[Flag],
    hidden: &[&str],
) {
    for flag in flags {
        flag.print(printer, op);
    }
    let mut elided: Vec<_> = flags.iter().map(|flag| flag.key()).collect();
    elided.extend(hidden);
    printer.attribute_dictionary(op, &elided);
    printer.write(" : ");
}

/// Parses `%a, %b flags {…} : type` with `count` operands, where all types are the same.
pub(crate) fn parse_same(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    count: usize,
    flags: &[Flag],
) -> ParseResult<()> {
    let operands = parse_operands(parser, count)?;
    parse_middle(parser, state, flags)?;
    let ty = parser.parse_type()?;
    for operand in &operands[..count] {
        state.operands.push(parser.resolve_operand(operand, ty)?);
    }
    state.result_types.push(ty);
    Ok(())
}

pub(crate) fn print_same(printer: &mut Printer<'_>, op: Operation, flags: &[Flag]) {
    printer.write(" ");
    printer.operands(op);
    print_middle(printer, op, flags, &[]);
    let ty = op.result(printer.context, 0).ty(printer.context);
    printer.ty(ty);
}

/// Parses `%a, %b flags {…} : types to type` with `count` operands.
pub(super) fn parse_cast(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    count: usize,
    flags: &[Flag],
) -> ParseResult<()> {
    let operands = parse_operands(parser, count)?;
    parse_middle(parser, state, flags)?;
    let mut types = Vec::with_capacity(count);
    for number in 0..count {
        if number > 0 {
            parser.expect(TokenKind::Comma, "expected ','")?;
        }
        types.push(parser.parse_type()?);
    }
    parser.expect_op_keyword(state, "to")?;
    state.result_types.push(parser.parse_type()?);
    for (operand, ty) in operands.iter().zip(types) {
        state.operands.push(parser.resolve_operand(operand, ty)?);
    }
    Ok(())
}

pub(super) fn print_cast(printer: &mut Printer<'_>, op: Operation, flags: &[Flag]) {
    let context = printer.context;
    printer.write(" ");
    printer.operands(op);
    print_middle(printer, op, flags, &[]);
    printer.types(op.operand_types(context));
    printer.write(" to ");
    printer.types(op.result_types(context));
}

/// Parses `%a, %b {…} : type` with two results; the second one has a separate type if `carries`.
pub(super) fn parse_extended(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    carries: bool,
) -> ParseResult<()> {
    let [lhs, rhs, _] = parse_operands(parser, 2)?;
    parse_middle(parser, state, &[])?;
    let ty = parser.parse_type()?;
    let second = if carries {
        parser.expect(TokenKind::Comma, "expected ','")?;
        parser.parse_type()?
    } else {
        ty
    };
    for operand in &[lhs, rhs] {
        state.operands.push(parser.resolve_operand(operand, ty)?);
    }
    state.result_types.extend([ty, second]);
    Ok(())
}

pub(super) fn print_extended(printer: &mut Printer<'_>, op: Operation, carries: bool) {
    let context = printer.context;
    printer.write(" ");
    printer.operands(op);
    print_middle(printer, op, &[], &[]);
    let shown = if carries { 2 } else { 1 };
    printer.types(
        op.results(context)
            .take(shown)
            .map(|value| value.ty(context)),
    );
}

/// Parses a predicate: a keyword or a string.
fn parse_predicate(
    parser: &mut Parser<'_>,
    state: &OperationState,
    names: &[&str],
) -> ParseResult<i64> {
    let token = parser.token();
    let text = match token.kind {
        TokenKind::String => parser.parse_string()?,
        TokenKind::BareIdentifier => {
            parser.advance()?;
            parser.spelling(token).to_owned()
        }
        _ => String::new(),
    };
    if let Some(number) = names.iter().position(|name| *name == text) {
        return Ok(i64::try_from(number).unwrap_or(0));
    }
    let message = format!(
        "expected string or keyword containing one of the following enum values for attribute \
         'predicate' [{}]",
        names.join(", ")
    );
    Err(parser.op_error_at(state, token, &message))
}

fn parse_compare(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    names: &[&str],
    constraint: &TypeConstraint,
    flags: &[Flag],
) -> ParseResult<()> {
    let number = parse_predicate(parser, state, names)?;
    let predicate = Attribute::i64(parser.context, number);
    state.set_property(parser.context, "predicate", predicate);
    parser.expect(TokenKind::Comma, "expected ','")?;
    let [lhs, rhs, _] = parse_operands(parser, 2)?;
    parse_middle(parser, state, flags)?;
    let ty = parse_operand_type(parser, state, "lhs", constraint)?;
    for operand in &[lhs, rhs] {
        state.operands.push(parser.resolve_operand(operand, ty)?);
    }
    let result = bool_like(parser.context, ty);
    state.result_types.push(result);
    Ok(())
}

fn print_compare(printer: &mut Printer<'_>, op: Operation, name: &str, flags: &[Flag]) {
    let context = printer.context;
    printer.write(" ");
    printer.write(name);
    printer.write(", ");
    printer.operands(op);
    print_middle(printer, op, flags, &["predicate"]);
    printer.ty(op.operand(context, 0).ty(context));
}

/// `i1` with the shape of `ty`.
pub(crate) fn bool_like(context: &mut Context, ty: Type) -> Type {
    ty.with_element(context, Type::I1).unwrap_or(Type::I1)
}

pub(super) fn parse_cmpi(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let names: Vec<_> = IntegerPredicate::ALL
        .iter()
        .map(|case| case.name())
        .collect();
    parse_compare(parser, state, &names, &SIGNLESS_INTEGER_LIKE, &[])
}

pub(super) fn print_cmpi(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let predicate = op.attribute(context, "predicate");
    let predicate = predicate.and_then(|value| IntegerPredicateAttr::read(context, value));
    print_compare(
        printer,
        op,
        predicate.map_or("", IntegerPredicate::name),
        &[],
    );
}

pub(super) fn parse_cmpf(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let names: Vec<_> = FloatPredicate::ALL.iter().map(|case| case.name()).collect();
    parse_compare(parser, state, &names, &FLOAT_LIKE, &[Flag::FastMath])
}

pub(super) fn print_cmpf(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let predicate = op.attribute(context, "predicate");
    let predicate = predicate.and_then(|value| FloatPredicateAttr::read(context, value));
    let name = predicate.map_or("", FloatPredicate::name);
    print_compare(printer, op, name, &[Flag::FastMath]);
}

/// Parses `%c, %a, %b {…} : type`, optionally with the condition type before it.
pub(super) fn parse_select(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let condition = parser.parse_operand()?;
    parser.expect(TokenKind::Comma, "expected ','")?;
    let [chosen, other, _] = parse_operands(parser, 2)?;
    parse_middle(parser, state, &[])?;
    let (mut condition_type, mut ty) = (Type::I1, parser.parse_type()?);
    if parser.eat(TokenKind::Comma)? {
        condition_type = std::mem::replace(&mut ty, parser.parse_type()?);
    }
    state
        .operands
        .push(parser.resolve_operand(&condition, condition_type)?);
    for value in &[chosen, other] {
        state.operands.push(parser.resolve_operand(value, ty)?);
    }
    state.result_types.push(ty);
    Ok(())
}

pub(super) fn print_select(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    printer.write(" ");
    printer.operands(op);
    print_middle(printer, op, &[], &[]);
    let condition = op.operand(context, 0).ty(context);
    if condition != Type::I1 {
        printer.ty(condition);
        printer.write(", ");
    }
    printer.ty(op.result(context, 0).ty(context));
}
