//! Strided layouts as affine maps.

use super::expression::{AffineBinaryOp, AffineExpr, AffineKind};
use super::map::AffineMap;

/// An offset and one stride per dimension; `None` is a value known only at run time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StridedLayout {
    /// The position of the first element.
    pub offset: Option<i64>,
    /// The distance between neighbours in each dimension.
    pub strides: Vec<Option<i64>>,
}

impl StridedLayout {
    /// The layout of a dense array, last dimension fastest. A stride is unknown if it depends on an
    /// unknown extent or on a product that does not fit.
    #[must_use]
    pub fn row_major(extents: &[Option<i64>]) -> Self {
        let mut strides = vec![None; extents.len()];
        let mut running = Some(1_i64);
        for (stride, extent) in strides.iter_mut().zip(extents).rev() {
            *stride = running;
            running = running
                .zip(*extent)
                .and_then(|(left, right)| left.checked_mul(right));
        }
        Self {
            offset: Some(0),
            strides,
        }
    }

    /// The map that computes the position of an element: the offset plus the sum of dimension times
    /// stride, with one symbol for each unknown value, the offset first.
    #[must_use]
    pub fn to_map(&self) -> AffineMap {
        let mut symbols = 0;
        let mut number = |value: Option<i64>| match value {
            Some(value) => AffineExpr::constant(value),
            None => {
                symbols += 1;
                AffineExpr::symbol(symbols - 1)
            }
        };
        let mut position = number(self.offset);
        let mut dims = 0;
        for stride in &self.strides {
            position = position + AffineExpr::dim(dims) * number(*stride);
            dims += 1;
        }
        AffineMap::new(dims, symbols, [position])
    }
}

impl AffineMap {
    /// Matches the map as an offset plus one stride per dimension; `None` if the map does not have
    /// exactly one result of that form.
    #[must_use]
    pub fn strided_layout(&self) -> Option<StridedLayout> {
        let [position] = self.results() else {
            return None;
        };
        let zero = AffineExpr::constant(0);
        let mut strides = vec![zero.clone(); self.dims() as usize];
        let mut offset = zero;
        // Each summand is paired with the product of the factors above it.
        let mut pending = vec![(position.clone(), AffineExpr::constant(1))];
        while let Some((term, factor)) = pending.pop() {
            match term.kind() {
                AffineKind::Dim(dim) => {
                    let stride = strides.get_mut(dim as usize)?;
                    *stride = &*stride + factor;
                }
                _ if term.is_symbolic_or_constant() => offset = offset + term * factor,
                AffineKind::Binary(AffineBinaryOp::Add, lhs, rhs) => {
                    pending.push((rhs.clone(), factor.clone()));
                    pending.push((lhs.clone(), factor));
                }
                AffineKind::Binary(AffineBinaryOp::Mul, lhs, rhs)
                    if rhs.is_symbolic_or_constant() =>
                {
                    pending.push((lhs.clone(), factor * rhs));
                }
                _ => return None,
            }
        }
        let strides = strides.iter().map(AffineExpr::as_constant).collect();
        Some(StridedLayout {
            offset: offset.as_constant(),
            strides,
        })
    }
}
