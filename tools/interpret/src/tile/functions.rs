//! Functions on tiles for dialects that orison does not declare: one table row adds an operation.

use orison_ir::Operation;
use orison_ir::numbers::Float;

use super::access::tile_operand;
use super::element::ElementKind;
use super::values::{Tile, TileData, row_major, static_shape};
use crate::{Action, Datum, Semantics, Step, Trap};

/// Computes a tile of this shape and kind from operands, or returns why it cannot.
pub type TileFunction = fn(&[Tile], &[usize], ElementKind) -> Result<Tile, &'static str>;

/// Operations without attributes and regions, from tiles to one tile: name and function.
pub const FUNCTIONS: &[(&str, TileFunction)] = &[
    ("cuda_tile.broadcast", broadcast),
    ("cuda_tile.exp2", |operands, shape, kind| {
        as_math("exp2", operands, shape, kind)
    }),
    ("cuda_tile.rsqrt", |operands, shape, kind| {
        as_math("rsqrt", operands, shape, kind)
    }),
];

/// The semantics of a dialect with only functions in the table.
#[derive(Debug)]
pub(super) struct TileFunctions;

impl Semantics for TileFunctions {
    fn execute(&self, step: &mut Step<'_, '_>, operation: Operation) -> Result<Action, Trap> {
        let operands = step.operands(operation)?;
        apply(step, operation, &operands).map(|datum| Action::Results(vec![datum]))
    }
}

/// The result of a function of the table.
pub(super) fn apply(step: &Step<'_, '_>, op: Operation, operands: &[Datum]) -> Result<Datum, Trap> {
    let context = step.context();
    let name = op.name_text(context);
    let Some((_, function)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
        let message = format!("unknown function '{name}'");
        return Err(Trap::unsupported(op, &message));
    };
    if op.result_count(context) != 1 {
        return Err(Trap::malformed(op, "the function must have one result"));
    }
    let ty = op.result(context, 0).ty(context);
    let tiles: Result<Vec<Tile>, Trap> = operands
        .iter()
        .map(|datum| tile_operand(step, op, datum))
        .collect();
    let tiles = tiles?;
    let shape = static_shape(context, ty)
        .or_else(|| tiles.first().map(|tile| tile.shape.to_vec()))
        .unwrap_or_default();
    let Some(kind) = ElementKind::of(context, ty) else {
        return Err(Trap::unsupported(op, "a tile of this type"));
    };
    match function(&tiles, &shape, kind) {
        Ok(tile) => Ok(Datum::payload(tile)),
        Err(reason) => Err(Trap::malformed(op, reason)),
    }
}

/// The operation of `math` with this name.
fn as_math(
    name: &str,
    operands: &[Tile],
    shape: &[usize],
    kind: ElementKind,
) -> Result<Tile, &'static str> {
    let ([tile], ElementKind::Float(format)) = (operands, kind) else {
        return Err("the operand must be a tile of floats");
    };
    let TileData::Floats(values) = tile.data.as_ref() else {
        return Err("the operand must be a tile of floats");
    };
    if *tile.shape != *shape {
        return Err("the result must have the shape of the operand");
    }
    let results = values.iter().map(|value| {
        let result = orison_host::math::float(name, &[Float::from_f64(format, *value)])?;
        Some(result.to_f64())
    });
    let results: Option<Vec<f64>> = results.collect();
    let results = results.ok_or("elements of this type")?;
    let undefined = (0..tile.element_count())
        .map(|number| !tile.is_defined(number))
        .collect();
    Ok(Tile::new(shape, kind, TileData::Floats(results)).with_undefined(undefined))
}

/// Repeats a tile along axes of extent 1; the axes of a tile of lower rank come first.
fn broadcast(operands: &[Tile], shape: &[usize], kind: ElementKind) -> Result<Tile, &'static str> {
    let [tile] = operands else {
        return Err("requires one tile operand");
    };
    let mut extents = tile.shape.to_vec();
    if extents.len() > shape.len() || tile.kind != kind {
        return Err("the result must have at least the rank of the operand, and its element type");
    }
    extents.resize(shape.len(), 1);
    let fits = extents
        .iter()
        .zip(shape)
        .all(|(from, to)| from == to || *from == 1);
    if !fits {
        return Err("the extents must be equal or 1");
    }
    let mut strides = row_major(&extents);
    for (stride, extent) in strides.iter_mut().zip(&extents) {
        if *extent == 1 {
            *stride = 0;
        }
    }
    Ok(tile.strided(shape, 0, &strides))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_repeated_along_rows() {
        let kind = ElementKind::Integer(32);
        let column = Tile::new(&[2], kind, TileData::Integers(vec![7, 9]));
        let wide = broadcast(std::slice::from_ref(&column), &[2, 3], kind).expect("it fits");
        assert_eq!(*wide.data, TileData::Integers(vec![7, 7, 7, 9, 9, 9]));
        let row = column.reshaped(&[1, 2]);
        let high = broadcast(&[row], &[3, 2], kind).expect("it fits");
        assert_eq!(*high.data, TileData::Integers(vec![7, 9, 7, 9, 7, 9]));
        assert!(broadcast(&[column], &[3, 2], kind).is_err());
    }
}
