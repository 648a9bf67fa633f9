//! Affine maps.

use super::expression::AffineExpr;

/// A map from dimensions and symbols to a list of affine expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AffineMap {
    dims: u32,
    symbols: u32,
    results: Box<[AffineExpr]>,
}

impl AffineMap {
    /// A map with the given results.
    #[must_use]
    pub fn new(dims: u32, symbols: u32, results: impl IntoIterator<Item = AffineExpr>) -> Self {
        Self {
            dims,
            symbols,
            results: results.into_iter().collect(),
        }
    }

    /// A map without dimensions and symbols, with one constant result.
    #[must_use]
    pub fn constant(value: i64) -> Self {
        Self::new(0, 0, [AffineExpr::constant(value)])
    }

    /// `(d0, …) -> (d0, …)`.
    #[must_use]
    pub fn identity(dims: u32) -> Self {
        Self::new(dims, 0, (0..dims).map(AffineExpr::dim))
    }

    /// The map from `dims` dimensions to the last `results` of them; `None` if there are fewer.
    #[must_use]
    pub fn minor_identity(dims: u32, results: u32) -> Option<Self> {
        let first = dims.checked_sub(results)?;
        Some(Self::new(dims, 0, (first..dims).map(AffineExpr::dim)))
    }

    /// The map whose result `i` is dimension `order[i]`; `None` if `order` is not a permutation.
    #[must_use]
    pub fn permutation(order: &[u32]) -> Option<Self> {
        let dims = u32::try_from(order.len()).ok()?;
        let map = Self::new(dims, 0, order.iter().copied().map(AffineExpr::dim));
        map.is_permutation().then_some(map)
    }

    /// The number of dimensions.
    #[must_use]
    pub fn dims(&self) -> u32 {
        self.dims
    }

    /// The number of symbols.
    #[must_use]
    pub fn symbols(&self) -> u32 {
        self.symbols
    }

    /// The number of dimensions and symbols.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.dims as usize + self.symbols as usize
    }

    /// The results, in order.
    #[must_use]
    pub fn results(&self) -> &[AffineExpr] {
        &self.results
    }

    /// Whether the map has no results.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Whether the results are the dimensions, in order; symbols may be declared, as in the
    /// identity check of the textual format.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.dims as usize == self.results.len()
            && (0..self.dims)
                .zip(&self.results)
                .all(|(dim, result)| result.as_dim() == Some(dim))
    }

    /// Whether the results are the last dimensions, in order.
    #[must_use]
    pub fn is_minor_identity(&self) -> bool {
        u32::try_from(self.results.len())
            .ok()
            .and_then(|results| self.dims.checked_sub(results))
            .is_some_and(|first| {
                (first..self.dims)
                    .zip(&self.results)
                    .all(|(dim, result)| result.as_dim() == Some(dim))
            })
    }

    /// Whether the results are distinct dimensions and the map has no symbols.
    #[must_use]
    pub fn is_projected_permutation(&self) -> bool {
        if self.symbols > 0 || self.results.len() > self.dims as usize {
            return false;
        }
        let mut seen = std::collections::HashSet::new();
        self.results.iter().all(|result| {
            result
                .as_dim()
                .is_some_and(|dim| dim < self.dims && seen.insert(dim))
        })
    }

    /// Whether the results are a permutation of the dimensions and the map has no symbols.
    #[must_use]
    pub fn is_permutation(&self) -> bool {
        self.results.len() == self.dims as usize && self.is_projected_permutation()
    }

    /// The dimensions of the results, if every result is a dimension.
    #[must_use]
    pub fn result_dims(&self) -> Option<Vec<u32>> {
        self.results.iter().map(AffineExpr::as_dim).collect()
    }

    /// The constant, if the map has a single result and it is a constant.
    #[must_use]
    pub fn single_constant(&self) -> Option<i64> {
        match &*self.results {
            [only] => only.as_constant(),
            _ => None,
        }
    }

    /// The constants, if every result is a constant.
    #[must_use]
    pub fn constants(&self) -> Option<Vec<i64>> {
        self.results.iter().map(AffineExpr::as_constant).collect()
    }

    /// Whether each leaf of the results is a declared dimension or symbol.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.results.iter().all(|result| {
            let (dims, symbols) = result.required_dims_and_symbols();
            dims <= self.dims && symbols <= self.symbols
        })
    }

    /// The results at a point; `None` if one cannot be evaluated.
    #[must_use]
    pub fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<Vec<i64>> {
        self.results
            .iter()
            .map(|result| result.evaluate(dims, symbols))
            .collect()
    }

    /// Replaces dimensions and symbols in every result; the new map has `new_dims` dimensions and
    /// `new_symbols` symbols.
    #[must_use]
    pub fn replace_dims_and_symbols(
        &self,
        dims: &[AffineExpr],
        symbols: &[AffineExpr],
        new_dims: u32,
        new_symbols: u32,
    ) -> Self {
        let rewritten = self
            .results
            .iter()
            .map(|result| result.replace_dims_and_symbols(dims, symbols));
        Self::new(new_dims, new_symbols, rewritten)
    }

    /// The map `x -> self(inner(x))`, with the dimensions of `inner`, and the symbols of `self`
    /// followed by those of `inner`. `None` unless `inner` has as many results as `self` has
    /// dimensions.
    #[must_use]
    pub fn compose(&self, inner: &Self) -> Option<Self> {
        if inner.results.len() != self.dims as usize {
            return None;
        }
        let symbols = self.symbols.checked_add(inner.symbols)?;
        let arguments: Vec<_> = inner
            .results
            .iter()
            .map(|result| result.shift_symbols(0, self.symbols))
            .collect();
        let results = self
            .results
            .iter()
            .map(|result| result.replace_dims(&arguments));
        Some(Self::new(inner.dims, symbols, results))
    }

    /// The map with the results at `positions`, in that order; `None` if one is out of range.
    #[must_use]
    pub fn select_results(&self, positions: &[usize]) -> Option<Self> {
        let results: Option<Vec<_>> = positions
            .iter()
            .map(|position| self.results.get(*position).cloned())
            .collect();
        Some(Self::new(self.dims, self.symbols, results?))
    }

    /// The inverse of a map in which every dimension is a result at least once (the first such
    /// result is used); `None` for other maps, and for maps with symbols.
    #[must_use]
    pub fn inverse_permutation(&self) -> Option<Self> {
        if self.symbols > 0 {
            return None;
        }
        let result_count = u32::try_from(self.results.len()).ok()?;
        let mut positions = vec![None; self.dims as usize];
        for (index, result) in (0..result_count).zip(&self.results) {
            if let Some(dim) = result.as_dim() {
                positions.get_mut(dim as usize)?.get_or_insert(index);
            }
        }
        let inverse: Option<Vec<_>> = positions
            .into_iter()
            .map(|index| index.map(AffineExpr::dim))
            .collect();
        Some(Self::new(result_count, 0, inverse?))
    }
}
