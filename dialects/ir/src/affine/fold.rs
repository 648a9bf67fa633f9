//! Non-recursive traversals of expressions.

use std::collections::{HashMap, HashSet};

use super::expression::{AffineBinaryOp, AffineExpr, AffineKind};

/// A leaf of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AffineLeaf {
    /// The dimension `d<N>`.
    Dim(u32),
    /// The symbol `s<N>`.
    Symbol(u32),
    /// An integer.
    Constant(i64),
}

enum Task<'a> {
    Visit(&'a AffineExpr),
    Combine(AffineBinaryOp, &'a AffineExpr),
}

impl AffineExpr {
    /// Computes a value bottom-up: `leaf` computes the value of each leaf, `combine` that of an
    /// operator from the values of its operands. A shared node may be computed once for all its
    /// uses.
    pub fn fold<T: Clone>(
        &self,
        mut leaf: impl FnMut(AffineLeaf) -> T,
        mut combine: impl FnMut(AffineBinaryOp, T, T) -> T,
    ) -> T {
        let mut leaf_of = |kind: AffineLeaf| leaf(kind);
        let mut tasks = vec![Task::Visit(self)];
        let mut values: Vec<T> = Vec::new();
        let mut known = HashMap::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(expression) => match expression.kind() {
                    AffineKind::Dim(position) => values.push(leaf_of(AffineLeaf::Dim(position))),
                    AffineKind::Symbol(position) => {
                        values.push(leaf_of(AffineLeaf::Symbol(position)));
                    }
                    AffineKind::Constant(value) => {
                        values.push(leaf_of(AffineLeaf::Constant(value)));
                    }
                    AffineKind::Binary(operator, lhs, rhs) => {
                        let address = expression.shared_address();
                        if let Some(value) = address.and_then(|address| known.get(&address)) {
                            values.push(T::clone(value));
                            continue;
                        }
                        tasks.push(Task::Combine(operator, expression));
                        tasks.push(Task::Visit(rhs));
                        tasks.push(Task::Visit(lhs));
                    }
                },
                Task::Combine(operator, expression) => {
                    if let (Some(rhs), Some(lhs)) = (values.pop(), values.pop()) {
                        let value = combine(operator, lhs, rhs);
                        if let Some(address) = expression.shared_address() {
                            known.insert(address, value.clone());
                        }
                        values.push(value);
                    }
                }
            }
        }
        values
            .pop()
            .unwrap_or_else(|| leaf_of(AffineLeaf::Constant(0)))
    }

    /// Calls `visit` on the expression and its subexpressions, each operator before its operands
    /// and the left operand before the right one. A shared node may be visited only once.
    pub fn walk(&self, mut visit: impl FnMut(&AffineExpr)) {
        let mut pending = vec![self];
        let mut seen = HashSet::new();
        while let Some(expression) = pending.pop() {
            if let Some(address) = expression.shared_address()
                && !seen.insert(address)
            {
                continue;
            }
            visit(expression);
            if let AffineKind::Binary(_, lhs, rhs) = expression.kind() {
                pending.push(rhs);
                pending.push(lhs);
            }
        }
    }

    /// The value at the given dimensions and symbols; `None` if an operand is missing, an operation
    /// is undefined, or a result does not fit.
    #[must_use]
    pub fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        self.fold(
            |leaf| match leaf {
                AffineLeaf::Dim(position) => dims.get(position as usize).copied(),
                AffineLeaf::Symbol(position) => symbols.get(position as usize).copied(),
                AffineLeaf::Constant(value) => Some(value),
            },
            |operator, lhs, rhs| operator.evaluate(lhs?, rhs?),
        )
    }

    /// Replaces the leaves and simplifies bottom-up.
    #[must_use]
    pub fn replace_leaves(&self, mut leaf: impl FnMut(AffineLeaf) -> AffineExpr) -> AffineExpr {
        self.fold(&mut leaf, |operator, lhs, rhs| {
            AffineExpr::binary(operator, &lhs, &rhs)
        })
    }

    /// Replaces `d<N>` by `dims[N]` and `s<N>` by `symbols[N]`, and simplifies. Positions without a
    /// replacement are unchanged.
    #[must_use]
    pub fn replace_dims_and_symbols(&self, dims: &[Self], symbols: &[Self]) -> Self {
        self.replace_leaves(|leaf| match leaf {
            AffineLeaf::Dim(position) => dims
                .get(position as usize)
                .cloned()
                .unwrap_or(Self::dim(position)),
            AffineLeaf::Symbol(position) => symbols
                .get(position as usize)
                .cloned()
                .unwrap_or(Self::symbol(position)),
            AffineLeaf::Constant(value) => Self::constant(value),
        })
    }

    /// Replaces dimensions only.
    #[must_use]
    pub fn replace_dims(&self, dims: &[Self]) -> Self {
        self.replace_dims_and_symbols(dims, &[])
    }

    /// Replaces symbols only.
    #[must_use]
    pub fn replace_symbols(&self, symbols: &[Self]) -> Self {
        self.replace_dims_and_symbols(&[], symbols)
    }

    /// Adds `shift` to every dimension position starting from `first`.
    #[must_use]
    pub fn shift_dims(&self, first: u32, shift: u32) -> Self {
        self.replace_leaves(|leaf| match leaf {
            AffineLeaf::Dim(position) if position >= first => {
                Self::dim(position.saturating_add(shift))
            }
            other => Self::from(other),
        })
    }

    /// Adds `shift` to every symbol position starting from `first`.
    #[must_use]
    pub fn shift_symbols(&self, first: u32, shift: u32) -> Self {
        self.replace_leaves(|leaf| match leaf {
            AffineLeaf::Symbol(position) if position >= first => {
                Self::symbol(position.saturating_add(shift))
            }
            other => Self::from(other),
        })
    }

    /// Whether `d<position>` occurs.
    #[must_use]
    pub fn uses_dim(&self, position: u32) -> bool {
        let mut found = false;
        self.walk(|expression| found |= expression.as_dim() == Some(position));
        found
    }

    /// Whether `s<position>` occurs.
    #[must_use]
    pub fn uses_symbol(&self, position: u32) -> bool {
        let mut found = false;
        self.walk(|expression| found |= expression.as_symbol() == Some(position));
        found
    }

    /// The minimum numbers of dimensions and symbols of a map in which the expression is valid.
    #[must_use]
    pub fn required_dims_and_symbols(&self) -> (u32, u32) {
        let (mut dims, mut symbols) = (0, 0);
        self.walk(|expression| match expression.kind() {
            AffineKind::Dim(position) => dims = dims.max(position.saturating_add(1)),
            AffineKind::Symbol(position) => symbols = symbols.max(position.saturating_add(1)),
            AffineKind::Constant(_) | AffineKind::Binary(..) => {}
        });
        (dims, symbols)
    }

    /// Whether the expression is affine in the strict sense: every product has a constant factor,
    /// and every divisor and modulus is a constant.
    #[must_use]
    pub fn is_pure_affine(&self) -> bool {
        let mut pure = true;
        self.walk(|expression| {
            if let AffineKind::Binary(operator, lhs, rhs) = expression.kind() {
                pure &= match operator {
                    AffineBinaryOp::Add => true,
                    AffineBinaryOp::Mul => {
                        lhs.as_constant().is_some() || rhs.as_constant().is_some()
                    }
                    AffineBinaryOp::Mod | AffineBinaryOp::FloorDiv | AffineBinaryOp::CeilDiv => {
                        rhs.as_constant().is_some()
                    }
                };
            }
        });
        pure
    }
}

impl From<AffineLeaf> for AffineExpr {
    fn from(leaf: AffineLeaf) -> Self {
        match leaf {
            AffineLeaf::Dim(position) => Self::dim(position),
            AffineLeaf::Symbol(position) => Self::symbol(position),
            AffineLeaf::Constant(value) => Self::constant(value),
        }
    }
}
