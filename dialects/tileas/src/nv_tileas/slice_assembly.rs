//! Custom assembly of the slice operations, and decoding of their offsets, sizes and strides.

use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::parser::{ParseResult, Parser, TokenKind, UnresolvedOperand};
use orison_ir::printer::Printer;
use orison_ir::types::DYNAMIC;
use orison_ir::{Attribute, Context, Operation, OperationState, Type, Value};

/// An offset, size or stride.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// A constant.
    Static(i64),
    /// A value of type `index`.
    Dynamic(Value),
}

/// Offsets, sizes and strides of a slice operation, one entry for each axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SliceBounds {
    /// Start of the slice.
    pub offsets: Vec<Bound>,
    /// Size of the slice.
    pub sizes: Vec<Bound>,
    /// Distance between elements.
    pub strides: Vec<Bound>,
}

const STATIC_KEYS: [&str; 3] = ["static_offsets", "static_sizes", "static_strides"];
const DYNAMIC_NAMES: [&str; 3] = ["offsets", "sizes", "strides"];

impl SliceBounds {
    /// The bounds of a slice operation; `None` if the static arrays do not match the operands.
    pub fn of(context: &Context, op: Operation) -> Option<Self> {
        let list = |number: usize| {
            let fixed = op.attribute(context, STATIC_KEYS[number])?;
            let (_, fixed) = fixed.as_integer_array(context)?;
            let values = op.operands_named(context, DYNAMIC_NAMES[number]);
            let mut values = values.into_iter();
            let bounds: Option<Vec<_>> = fixed
                .iter()
                .map(|entry| match *entry {
                    DYNAMIC => values.next().map(Bound::Dynamic),
                    entry => Some(Bound::Static(entry)),
                })
                .collect();
            bounds.filter(|_| values.next().is_none())
        };
        Some(SliceBounds {
            offsets: list(0)?,
            sizes: list(1)?,
            strides: list(2)?,
        })
    }

    /// The three lists.
    pub fn lists(&self) -> [&[Bound]; 3] {
        [&self.offsets, &self.sizes, &self.strides]
    }

    /// The shape of the slice; `?` for dynamic sizes.
    pub fn shape(&self) -> Vec<i64> {
        let extent = |bound: &Bound| match bound {
            Bound::Static(extent) => *extent,
            Bound::Dynamic(_) => DYNAMIC,
        };
        self.sizes.iter().map(extent).collect()
    }

    /// Sets the static arrays of an operation under construction, and returns the dynamic values of
    /// each list in order.
    pub fn write(&self, context: &mut Context, state: &mut OperationState) -> [Vec<Value>; 3] {
        let mut dynamic = [const { Vec::new() }; 3];
        for (number, list) in self.lists().into_iter().enumerate() {
            let mut fixed = Vec::with_capacity(list.len());
            for bound in list {
                match bound {
                    Bound::Static(value) => fixed.push(*value),
                    Bound::Dynamic(value) => {
                        fixed.push(DYNAMIC);
                        dynamic[number].push(*value);
                    }
                }
            }
            let fixed = Attribute::dense_array(context, Type::I64, &fixed);
            state.set_property(context, STATIC_KEYS[number], fixed);
        }
        dynamic
    }
}

/// The optional parts of the assembly around the bounds.
#[derive(Clone, Copy)]
struct Shape {
    inserts: bool,
    token: bool,
}

const EXTRACT: Shape = Shape {
    inserts: false,
    token: false,
};
const INSERT: Shape = Shape {
    inserts: true,
    token: false,
};
const ASYNC_EXTRACT: Shape = Shape {
    inserts: false,
    token: true,
};
const ASYNC_INSERT: Shape = Shape {
    inserts: true,
    token: true,
};

pub(super) fn parse_extract(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    parse(parser, state, EXTRACT)
}

pub(super) fn parse_insert(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse(parser, state, INSERT)
}

pub(super) fn parse_async_extract(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    parse(parser, state, ASYNC_EXTRACT)
}

pub(super) fn parse_async_insert(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    parse(parser, state, ASYNC_INSERT)
}

pub(super) fn print_extract(printer: &mut Printer<'_>, op: Operation) {
    print(printer, op, EXTRACT);
}

pub(super) fn print_insert(printer: &mut Printer<'_>, op: Operation) {
    print(printer, op, INSERT);
}

pub(super) fn print_async_extract(printer: &mut Printer<'_>, op: Operation) {
    print(printer, op, ASYNC_EXTRACT);
}

pub(super) fn print_async_insert(printer: &mut Printer<'_>, op: Operation) {
    print(printer, op, ASYNC_INSERT);
}

fn parse(parser: &mut Parser<'_>, state: &mut OperationState, shape: Shape) -> ParseResult<()> {
    let place = parser.token();
    let mut tiles = vec![parser.parse_operand()?];
    if shape.inserts {
        parser.expect_keyword("into")?;
        tiles.push(parser.parse_operand()?);
    }
    let mut dynamic = Vec::new();
    let mut sizes = vec![1; tiles.len()];
    for key in STATIC_KEYS {
        let before = dynamic.len();
        let fixed = parse_bounds(parser, &mut dynamic)?;
        let fixed = Attribute::dense_array(parser.context, Type::I64, &fixed);
        state.set_property(parser.context, key, fixed);
        sizes.push(i32::try_from(dynamic.len() - before).unwrap_or(i32::MAX));
    }
    let token = if shape.token {
        parser.expect_keyword("token")?;
        sizes.push(1);
        Some(parser.parse_operand()?)
    } else {
        None
    };
    parser.parse_attribute_dictionary(state)?;
    let source = parser.parse_colon_type()?;
    parser.expect_keyword(if shape.inserts { "into" } else { "to" })?;
    let target = parser.parse_type()?;
    let types = [source, target];
    let types = if shape.inserts {
        &types[..]
    } else {
        &types[..1]
    };
    let mut operands = parser.resolve_operands(place, &tiles, types)?;
    let indices = vec![Type::INDEX; dynamic.len()];
    operands.extend(parser.resolve_operands(place, &dynamic, &indices)?);
    state.result_types.push(target);
    if let Some(token) = token {
        let ty = Type::without_parameters(parser.context, &super::types::ASYNC_TOKEN_TYPE);
        operands.push(parser.resolve_operand(&token, ty)?);
        state.result_types.push(ty);
    }
    state.operands = operands.into();
    let sizes = Attribute::i32_array(parser.context, &sizes);
    state.set_property(parser.context, OPERAND_SEGMENTS, sizes);
    Ok(())
}

/// Parses `[0, %i]`: integers, and dynamic markers for the values that are added to `dynamic`.
fn parse_bounds(
    parser: &mut Parser<'_>,
    dynamic: &mut Vec<UnresolvedOperand>,
) -> ParseResult<Vec<i64>> {
    let mut fixed = Vec::new();
    parser.expect(TokenKind::LeftSquare, "expected '['")?;
    if parser.eat(TokenKind::RightSquare)? {
        return Ok(fixed);
    }
    loop {
        if parser.at(TokenKind::PercentIdentifier) {
            dynamic.push(parser.parse_operand()?);
            fixed.push(DYNAMIC);
        } else {
            fixed.push(parser.parse_integer("expected an integer or SSA operand")?);
        }
        if !parser.eat(TokenKind::Comma)? {
            parser.expect(TokenKind::RightSquare, "expected ',' or ']'")?;
            return Ok(fixed);
        }
    }
}

fn print(printer: &mut Printer<'_>, op: Operation, shape: Shape) {
    let context = printer.context;
    let tiles = if shape.inserts { 2 } else { 1 };
    for (number, tile) in op.operands(context).take(tiles).enumerate() {
        printer.write(if number == 0 { " " } else { " into " });
        printer.value(tile);
    }
    for (key, name) in STATIC_KEYS.into_iter().zip(DYNAMIC_NAMES) {
        // The first list directly follows the tile, the others are separated by a space.
        printer.write(if key == STATIC_KEYS[0] { "[" } else { " [" });
        print_bounds(printer, op, key, name);
        printer.write("]");
    }
    if shape.token {
        printer.write(" token ");
        let token = op.operands_named(context, "token");
        printer.comma_separated(token, Printer::value);
    }
    let mut elided = STATIC_KEYS.to_vec();
    elided.push(OPERAND_SEGMENTS);
    printer.attribute_dictionary(op, &elided);
    printer.write(" : ");
    printer.types(op.operands(context).take(1).map(|value| value.ty(context)));
    printer.write(if shape.inserts { " into " } else { " to " });
    printer.types(op.results(context).take(1).map(|value| value.ty(context)));
}

fn print_bounds(printer: &mut Printer<'_>, op: Operation, key: &str, name: &str) {
    let context = printer.context;
    let fixed = op.attribute(context, key);
    let fixed = fixed.and_then(|fixed| fixed.as_integer_array(context));
    let mut values = op.operands_named(context, name).into_iter();
    printer.comma_separated(
        fixed.unwrap_or((Type::I64, vec![])).1,
        |printer, entry| match (entry, values.next_if_dynamic(entry)) {
            (_, Some(value)) => printer.value(value),
            (DYNAMIC, None) => printer.write("?"),
            (entry, None) => printer.integer(entry),
        },
    );
}

/// Consumes a value only for a dynamic entry.
trait NextIfDynamic {
    fn next_if_dynamic(&mut self, entry: i64) -> Option<Value>;
}

impl<I: Iterator<Item = Value>> NextIfDynamic for I {
    fn next_if_dynamic(&mut self, entry: i64) -> Option<Value> {
        if entry == DYNAMIC { self.next() } else { None }
    }
}
