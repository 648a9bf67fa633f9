//! Matrix products.
//!
//! The terms of an element are added one by one with K ascending, in the format of the accumulator,
//! starting with what is added. Hardware uses another order and more internal bits; the order here
//! is fixed, so that two programs that compute the same sums get the same bits.

use orison_ir::Operation;
use orison_ir::numbers::FloatKind;

use super::element::{ElementKind, sign_extend, zero_extend};
use super::values::{Tile, TileData, integers, require_defined};
use super::work::{Product, Source};
use crate::Trap;

/// Extents of a product.
#[derive(Clone, Copy, Debug)]
struct Extents {
    batch: usize,
    m: usize,
    n: usize,
    k: usize,
}

/// Computes a product; `operand` gives its operands.
///
/// # Errors
/// Undefined behaviour if an operand cannot be read or has undefined elements.
pub fn multiply(
    op: Operation,
    product: &Product,
    operand: impl Fn(&Source) -> Result<Tile, Trap>,
) -> Result<Tile, Trap> {
    let read = |source: &Source| {
        let tile = operand(source)?;
        require_defined(op, &tile)?;
        Ok(tile)
    };
    let (a, b) = (read(&product.a)?, read(&product.b)?);
    let c = product.c.as_ref().map(read).transpose()?;
    let scales = match &product.scales {
        Some([a, b]) => Some([read(a)?, read(b)?]),
        None => None,
    };
    let Some(extents) = extents(product, &a) else {
        return Err(Trap::malformed(
            op,
            "a product of operands that are not matrices",
        ));
    };
    let b = if product.transposed { turned(&b) } else { b };
    let data = match (product.kind, a.data.as_ref(), b.data.as_ref()) {
        (ElementKind::Float(kind), TileData::Floats(a), TileData::Floats(b)) => {
            let c = c.as_ref().and_then(floats);
            match (kind, &scales) {
                (FloatKind::F32, None) => TileData::Floats(narrow_sums(extents, a, b, c)),
                (_, None) => TileData::Floats(wide_sums(extents, a, b, c)),
                (_, Some([of_a, of_b])) => {
                    let (Some(of_a), Some(of_b)) = (floats(of_a), floats(of_b)) else {
                        return Err(Trap::malformed(op, "scales that are not floats"));
                    };
                    TileData::Floats(scaled_sums(extents, [a, b], [of_a, of_b], c))
                }
            }
        }
        (ElementKind::Integer(width), TileData::Integers(left), TileData::Integers(right)) => {
            let left = extended(left, a.kind, product.signed[0]);
            let right = extended(right, b.kind, product.signed[1]);
            let c = c.as_ref().and_then(integers);
            TileData::Integers(integer_sums(extents, width, &left, &right, c))
        }
        _ => return Err(Trap::malformed(op, "a product of these element types")),
    };
    Ok(Tile::new(&product.shape, product.kind, data))
}

fn floats(tile: &Tile) -> Option<&[f64]> {
    match tile.data.as_ref() {
        TileData::Floats(values) => Some(values),
        TileData::Integers(_) => None,
    }
}

fn extents(product: &Product, a: &Tile) -> Option<Extents> {
    let (batch, [m, n]) = product.shape.split_last_chunk::<2>()?;
    Some(Extents {
        batch: batch.iter().product(),
        m: *m,
        n: *n,
        k: *a.shape.last()?,
    })
}

/// The tile with the last two axes exchanged.
fn turned(tile: &Tile) -> Tile {
    let rank = tile.shape.len();
    let mut shape = tile.shape.to_vec();
    shape.swap(rank - 2, rank - 1);
    let mut strides = super::values::row_major(&tile.shape);
    strides.swap(rank - 2, rank - 1);
    tile.strided(&shape, 0, &strides)
}

/// Sums in `f32`, which is exact for products of formats with at most 12 bits of precision.
fn narrow_sums(extents: Extents, a: &[f64], b: &[f64], c: Option<&[f64]>) -> Vec<f64> {
    let narrow =
        |values: &[f64]| -> Vec<f32> { values.iter().map(|value| *value as f32).collect() };
    let (a, b) = (narrow(a), narrow(b));
    let Extents { batch, m, n, k } = extents;
    let mut sums = c.map_or_else(|| vec![0f32; batch * m * n], narrow);
    for group in 0..batch {
        for row in 0..m {
            let first = (group * m + row) * n;
            let line = &mut sums[first..first + n];
            for step in 0..k {
                let factor = a[(group * m + row) * k + step];
                let others = &b[(group * k + step) * n..][..n];
                for (sum, other) in line.iter_mut().zip(others) {
                    *sum += factor * other;
                }
            }
        }
    }
    sums.into_iter().map(f64::from).collect()
}

fn wide_sums(extents: Extents, a: &[f64], b: &[f64], c: Option<&[f64]>) -> Vec<f64> {
    sums(
        extents,
        c,
        |left, right| a[left] * b[right],
        |sum, term| sum + term,
    )
}

/// Terms scaled per block of K, added in `f32`.
fn scaled_sums(
    extents: Extents,
    factors: [&[f64]; 2],
    scales: [&[f64]; 2],
    c: Option<&[f64]>,
) -> Vec<f64> {
    let Extents { m, n, k, .. } = extents;
    let blocks = scales[0].len() / (extents.batch * m).max(1);
    let size = (k / blocks.max(1)).max(1);
    let term = |left: usize, right: usize| {
        let (line, step) = (left / k, left % k);
        let (group, column) = (line / m, right % n);
        let of_a = scales[0][line * blocks + step / size];
        let of_b = scales[1][(group * n + column) * blocks + step / size];
        (factors[0][left] * of_a) * (factors[1][right] * of_b)
    };
    let add = |sum: f64, term: f64| f64::from(sum as f32 + term as f32);
    sums(extents, c, term, add)
}

/// Adds the terms of each element, K ascending. A term is identified by the indices of its factors.
fn sums(
    extents: Extents,
    c: Option<&[f64]>,
    term: impl Fn(usize, usize) -> f64,
    add: impl Fn(f64, f64) -> f64,
) -> Vec<f64> {
    let Extents { batch, m, n, k } = extents;
    let mut sums = c.map_or_else(|| vec![0.0; batch * m * n], <[f64]>::to_vec);
    for line in 0..batch * m {
        for column in 0..n {
            let sum = &mut sums[line * n + column];
            for step in 0..k {
                let right = (line / m * k + step) * n + column;
                *sum = add(*sum, term(line * k + step, right));
            }
        }
    }
    sums
}

fn extended(values: &[i64], kind: ElementKind, signed: bool) -> Vec<i64> {
    let width = kind.bits() as u32;
    let read = |value: &i64| {
        if signed {
            *value
        } else {
            zero_extend(width, *value).cast_signed()
        }
    };
    values.iter().map(read).collect()
}

fn integer_sums(extents: Extents, width: u32, a: &[i64], b: &[i64], c: Option<&[i64]>) -> Vec<i64> {
    let Extents { batch, m, n, k } = extents;
    let mut sums = c.map_or_else(|| vec![0; batch * m * n], <[i64]>::to_vec);
    for line in 0..batch * m {
        for step in 0..k {
            let factor = a[line * k + step];
            for column in 0..n {
                let other = b[(line / m * k + step) * n + column];
                let sum = &mut sums[line * n + column];
                *sum = sum.wrapping_add(factor.wrapping_mul(other));
            }
        }
    }
    sums.into_iter()
        .map(|sum| sign_extend(width, sum))
        .collect()
}
