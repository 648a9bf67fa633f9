//! Integer sets: conjunctions of affine constraints.

use super::expression::AffineExpr;

/// `expression == 0` or `expression >= 0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AffineConstraint {
    /// The left side; the right side is zero.
    pub expression: AffineExpr,
    /// Whether the relation is `==` rather than `>=`.
    pub is_equality: bool,
}

impl AffineConstraint {
    /// `lhs == rhs`.
    #[must_use]
    pub fn equal(lhs: &AffineExpr, rhs: &AffineExpr) -> Self {
        Self {
            expression: lhs - rhs,
            is_equality: true,
        }
    }

    /// `lhs >= rhs`.
    #[must_use]
    pub fn at_least(lhs: &AffineExpr, rhs: &AffineExpr) -> Self {
        Self {
            expression: lhs - rhs,
            is_equality: false,
        }
    }

    /// `lhs <= rhs`.
    #[must_use]
    pub fn at_most(lhs: &AffineExpr, rhs: &AffineExpr) -> Self {
        Self::at_least(rhs, lhs)
    }
}

/// The set of integer points that satisfy every constraint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntegerSet {
    dims: u32,
    symbols: u32,
    constraints: Box<[AffineConstraint]>,
}

impl IntegerSet {
    /// A set over `dims` dimensions and `symbols` symbols. Without constraints the set is the whole
    /// space, which the textual format writes with the constraint `0 == 0`.
    #[must_use]
    pub fn new(
        dims: u32,
        symbols: u32,
        constraints: impl IntoIterator<Item = AffineConstraint>,
    ) -> Self {
        let mut constraints: Vec<_> = constraints.into_iter().collect();
        if constraints.is_empty() {
            let expression = AffineExpr::constant(0);
            constraints.push(AffineConstraint {
                expression,
                is_equality: true,
            });
        }
        Self {
            dims,
            symbols,
            constraints: constraints.into_boxed_slice(),
        }
    }

    /// The empty set: its constraint is `1 == 0`.
    #[must_use]
    pub fn empty(dims: u32, symbols: u32) -> Self {
        let expression = AffineExpr::constant(1);
        Self::new(
            dims,
            symbols,
            [AffineConstraint {
                expression,
                is_equality: true,
            }],
        )
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

    /// The constraints, in order.
    #[must_use]
    pub fn constraints(&self) -> &[AffineConstraint] {
        &self.constraints
    }

    /// The number of dimensions and symbols.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.dims as usize + self.symbols as usize
    }

    /// Whether this is the set created by [`IntegerSet::empty`]. Other sets may be empty too.
    #[must_use]
    pub fn is_empty_set(&self) -> bool {
        matches!(&*self.constraints, [only]
            if only.is_equality && only.expression.as_constant() == Some(1))
    }

    /// Whether the set contains a point; `None` if a constraint cannot be evaluated.
    #[must_use]
    pub fn contains(&self, dims: &[i64], symbols: &[i64]) -> Option<bool> {
        let mut inside = true;
        for constraint in &self.constraints {
            let value = constraint.expression.evaluate(dims, symbols)?;
            inside &= if constraint.is_equality {
                value == 0
            } else {
                value >= 0
            };
        }
        Some(inside)
    }

    /// Replaces dimensions and symbols in every constraint; the result has `new_dims` dimensions
    /// and `new_symbols` symbols.
    #[must_use]
    pub fn replace_dims_and_symbols(
        &self,
        dims: &[AffineExpr],
        symbols: &[AffineExpr],
        new_dims: u32,
        new_symbols: u32,
    ) -> Self {
        let rewritten = self.constraints.iter().map(|constraint| AffineConstraint {
            expression: constraint
                .expression
                .replace_dims_and_symbols(dims, symbols),
            is_equality: constraint.is_equality,
        });
        Self::new(new_dims, new_symbols, rewritten)
    }
}
