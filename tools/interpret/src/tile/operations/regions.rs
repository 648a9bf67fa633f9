//! `reduce`, `scan` and `generate`.
//!
//! Their regions compute an element from elements. They are evaluated on whole tiles: an operation
//! on elements becomes the same operation on tiles, elementwise. So a region may contain arithmetic
//! and registered functions, and no control flow. Elements are combined in order of position.

use orison_host::arith;
use orison_ir::{Block, Operation, Value};
use orison_tileas::nv_tileas;
use rustc_hash::FxHashMap;

use super::super::access::tile_operand;
use super::super::arithmetic::elementwise;
use super::super::element::ElementKind;
use super::super::functions;
use super::super::values::{
    Tile, TileData, count, require_defined, row_major, scalar, static_shape,
};
use super::{Row, leave};
use crate::{Action, Datum, Execution, Step, Trap};

/// `reduce`, `scan`, `generate`, and their terminator.
pub(super) const OPERATIONS: &[Row] = &[
    (
        nv_tileas::Reduce::DEFINITION,
        Execution::new(|step, op| combined(step, op, true)),
    ),
    (
        nv_tileas::Scan::DEFINITION,
        Execution::new(|step, op| combined(step, op, false)),
    ),
    (
        nv_tileas::Generate::DEFINITION,
        Execution::new(|step, op| generate(step, op, body(step, op)?)),
    ),
    (nv_tileas::Yield::DEFINITION, Execution::new(leave)),
    (
        nv_tileas::Pragma::DEFINITION,
        Execution::with_regions(
            |step, op| {
                Ok(Action::Enter {
                    region: op.region(step.context(), 0),
                    arguments: Vec::new(),
                    saved: Vec::new(),
                })
            },
            |_, _, ended| Ok(Action::Results(ended.values)),
        ),
    ),
];

fn body(step: &Step<'_, '_>, op: Operation) -> Result<Block, Trap> {
    let block = op.body_block(step.context(), 0);
    block.ok_or_else(|| Trap::malformed(op, "a region without blocks"))
}

/// Combines the elements along an axis: the last outcome if it `reduces`, or all of them.
fn combined(step: &mut Step<'_, '_>, op: Operation, reduces: bool) -> Result<Action, Trap> {
    let context = step.context();
    let block = body(step, op)?;
    let axis = op
        .attribute(context, "axis")
        .and_then(|axis| axis.as_i64(context));
    let data = step.operands(op)?;
    let inputs: Result<Vec<Tile>, Trap> = data
        .iter()
        .map(|datum| tile_operand(step, op, datum))
        .collect();
    let inputs = inputs?;
    for input in &inputs {
        require_defined(op, input)?;
    }
    let shape = inputs
        .first()
        .map(|input| input.shape.clone())
        .unwrap_or_default();
    let axis = axis.and_then(|axis| usize::try_from(axis).ok());
    let Some(axis) = axis.filter(|axis| *axis < shape.len()) else {
        return Err(Trap::malformed(op, "an axis out of range for the tiles"));
    };
    let reverse = op
        .attribute(context, "reverse")
        .and_then(orison_ir::Attribute::as_bool);
    let mut order: Vec<usize> = (0..shape[axis]).collect();
    if reverse == Some(true) {
        order.reverse();
    }
    let running = combine(step, op, block, &inputs, axis, &order)?;
    let results = if reduces {
        let last = running.into_iter().next_back().unwrap_or_default();
        last.into_iter().map(|tile| reduced(&tile)).collect()
    } else {
        scanned(&inputs, axis, &order, &running)
    };
    Ok(Action::Results(results))
}

fn reduced(tile: &Tile) -> Datum {
    if tile.shape.is_empty() {
        return scalar(tile.kind, tile.data.get(0));
    }
    Datum::payload(tile.clone())
}

/// The running combination of elements at each position along the axis, in this order.
fn combine(
    step: &Step<'_, '_>,
    op: Operation,
    block: Block,
    inputs: &[Tile],
    axis: usize,
    order: &[usize],
) -> Result<Vec<Vec<Tile>>, Trap> {
    let mut running: Vec<Vec<Tile>> = Vec::new();
    for &number in order {
        let next: Vec<Tile> = inputs
            .iter()
            .map(|input| cut(input, axis, number))
            .collect();
        let combined = match running.last() {
            None => next,
            Some(previous) => {
                let shape = next
                    .first()
                    .map(|tile| tile.shape.to_vec())
                    .unwrap_or_default();
                let arguments = previous.iter().chain(&next).cloned().collect();
                evaluate(step, op, block, arguments, &shape)?
            }
        };
        running.push(combined);
    }
    Ok(running)
}

/// The elements at one position along an axis, without the axis.
fn cut(tile: &Tile, axis: usize, number: usize) -> Tile {
    let mut shape = tile.shape.to_vec();
    shape.remove(axis);
    let mut strides = row_major(&tile.shape);
    let start = number * strides.remove(axis);
    tile.strided(&shape, start, &strides)
}

/// Concatenates tiles along an axis.
fn scanned(inputs: &[Tile], axis: usize, order: &[usize], running: &[Vec<Tile>]) -> Vec<Datum> {
    let results = inputs.iter().enumerate().map(|(number, input)| {
        let strides = row_major(&input.shape);
        let mut data = TileData::zeros(input.kind, input.element_count());
        for (place, tiles) in order.iter().zip(running) {
            let tile = &tiles[number];
            for element in 0..tile.element_count() {
                let mut position = tile.position_of(element);
                position.insert(axis, *place);
                let pairs = position.iter().zip(&strides);
                let flat: usize = pairs.map(|(at, stride)| at * stride).sum();
                data.set(flat, tile.data.get(element));
            }
        }
        Datum::payload(Tile::new(&input.shape, input.kind, data))
    });
    results.collect()
}

fn generate(step: &Step<'_, '_>, op: Operation, block: Block) -> Result<Action, Trap> {
    let context = step.context();
    let ty = op.result(context, 0).ty(context);
    let Some(shape) = static_shape(context, ty) else {
        return Err(Trap::unsupported(op, "a tile with dynamic extents"));
    };
    let strides = row_major(&shape);
    let arguments = (0..shape.len()).map(|axis| {
        let at = |number: usize| (number / strides[axis] % shape[axis]) as i64;
        let data = TileData::Integers((0..count(&shape)).map(at).collect());
        Tile::new(&shape, ElementKind::Integer(64), data)
    });
    let values = evaluate(step, op, block, arguments.collect(), &shape)?;
    Ok(Action::Results(
        values.into_iter().map(Datum::payload).collect(),
    ))
}

/// The values a region yields for these arguments, elementwise over a shape.
fn evaluate(
    step: &Step<'_, '_>,
    op: Operation,
    block: Block,
    arguments: Vec<Tile>,
    shape: &[usize],
) -> Result<Vec<Tile>, Trap> {
    let context = step.context();
    let mut known: FxHashMap<Value, Datum> = FxHashMap::default();
    let data = arguments.into_iter().map(Datum::payload);
    known.extend(block.arguments(context).zip(data));
    for inner in block.operations(context) {
        let operands: Result<Vec<Datum>, Trap> = inner
            .operands(context)
            .map(|value| match known.get(&value) {
                Some(datum) => Ok(datum.clone()),
                None => spread(step, op, &step.value(value)?, shape),
            })
            .collect();
        let operands = operands?;
        if nv_tileas::Yield::matches(context, inner) {
            let tiles = operands.iter().map(|datum| tile_operand(step, op, datum));
            return tiles.collect();
        }
        let result = if let Some(constant) = arith::Constant::of(context, inner) {
            let value = constant.value(context);
            let datum = value.and_then(|value| crate::host::datum_of_attribute(context, value));
            spread(step, inner, &datum.unwrap_or(Datum::Poison), shape)?
        } else if inner.name(context).dialect(context) == arith::DIALECT.name {
            elementwise(step, inner, &operands)?
        } else {
            functions::apply(step, inner, &operands)?
        };
        known.insert(inner.result(context, 0), result);
    }
    Err(Trap::malformed(op, "a region without a yield"))
}

/// Splats a value from outside the region.
fn spread(
    step: &Step<'_, '_>,
    op: Operation,
    datum: &Datum,
    shape: &[usize],
) -> Result<Datum, Trap> {
    let tile = tile_operand(step, op, datum)?;
    if tile.element_count() != 1 {
        return Err(Trap::malformed(op, "a tile in an elementwise region"));
    }
    Ok(Datum::payload(tile.gathered(shape, |_| 0)))
}
