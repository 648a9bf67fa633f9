//! The expression handle, its nodes, equality, hashing and dropping.

use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem;
use std::sync::Arc;

/// A binary affine operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AffineBinaryOp {
    /// `lhs + rhs`.
    Add,
    /// `lhs * rhs`.
    Mul,
    /// `lhs mod rhs`: the nonnegative remainder, for a positive right operand.
    Mod,
    /// `lhs floordiv rhs`: the quotient rounded toward negative infinity.
    FloorDiv,
    /// `lhs ceildiv rhs`: the quotient rounded toward positive infinity.
    CeilDiv,
}

impl AffineBinaryOp {
    /// The spelling of the operator.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Mul => "*",
            Self::Mod => "mod",
            Self::FloorDiv => "floordiv",
            Self::CeilDiv => "ceildiv",
        }
    }

    /// Applies the operator to two integers; `None` if the result is undefined (a modulus below
    /// one, a zero divisor) or does not fit.
    #[must_use]
    pub fn evaluate(self, lhs: i64, rhs: i64) -> Option<i64> {
        match self {
            Self::Add => lhs.checked_add(rhs),
            Self::Mul => lhs.checked_mul(rhs),
            Self::Mod => (rhs >= 1).then(|| lhs.rem_euclid(rhs)),
            Self::FloorDiv => {
                let quotient = lhs.checked_div(rhs)?;
                let inexact = lhs % rhs != 0;
                Some(if inexact && (lhs < 0) != (rhs < 0) {
                    quotient - 1
                } else {
                    quotient
                })
            }
            Self::CeilDiv => {
                let quotient = lhs.checked_div(rhs)?;
                let inexact = lhs % rhs != 0;
                Some(if inexact && (lhs < 0) == (rhs < 0) {
                    quotient + 1
                } else {
                    quotient
                })
            }
        }
    }
}

/// An affine (or semi-affine) expression in canonical form.
///
/// Cloning is cheap: leaves are copied and inner nodes are shared.
#[derive(Clone)]
pub struct AffineExpr(Shape);

#[derive(Clone)]
enum Shape {
    Dim(u32),
    Symbol(u32),
    Constant(i64),
    Binary(Arc<Node>),
}

/// An inner node, with cached facts that the constructors need often.
pub(super) struct Node {
    operator: AffineBinaryOp,
    lhs: AffineExpr,
    rhs: AffineExpr,
    /// Whether the subexpressions contain no dimension.
    symbolic: bool,
    /// The largest known divisor of every value of the expression.
    divisor: i64,
    hash: u64,
}

/// The root of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AffineKind<'a> {
    /// The dimension `d<N>`.
    Dim(u32),
    /// The symbol `s<N>`.
    Symbol(u32),
    /// An integer.
    Constant(i64),
    /// An operator with its two operands.
    Binary(AffineBinaryOp, &'a AffineExpr, &'a AffineExpr),
}

impl AffineExpr {
    /// The dimension `d<position>`.
    #[must_use]
    pub const fn dim(position: u32) -> Self {
        Self(Shape::Dim(position))
    }

    /// The symbol `s<position>`.
    #[must_use]
    pub const fn symbol(position: u32) -> Self {
        Self(Shape::Symbol(position))
    }

    /// The constant `value`.
    #[must_use]
    pub const fn constant(value: i64) -> Self {
        Self(Shape::Constant(value))
    }

    /// Joins two expressions without simplification.
    pub(super) fn node(operator: AffineBinaryOp, lhs: Self, rhs: Self) -> Self {
        let symbolic = lhs.is_symbolic_or_constant() && rhs.is_symbolic_or_constant();
        let divisor = combined_divisor(operator, &lhs, &rhs);
        let hash = mix(
            mix(
                mix(operator as u64 + 11, lhs.quick_hash()),
                rhs.quick_hash(),
            ),
            7,
        );
        Self(Shape::Binary(Arc::new(Node {
            operator,
            lhs,
            rhs,
            symbolic,
            divisor,
            hash,
        })))
    }

    /// The root of the expression.
    #[must_use]
    pub fn kind(&self) -> AffineKind<'_> {
        match &self.0 {
            Shape::Dim(position) => AffineKind::Dim(*position),
            Shape::Symbol(position) => AffineKind::Symbol(*position),
            Shape::Constant(value) => AffineKind::Constant(*value),
            Shape::Binary(node) => AffineKind::Binary(node.operator, &node.lhs, &node.rhs),
        }
    }

    /// The integer, if the expression is a constant.
    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        match self.0 {
            Shape::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The dimension's position, if the expression is a dimension.
    #[must_use]
    pub fn as_dim(&self) -> Option<u32> {
        match self.0 {
            Shape::Dim(position) => Some(position),
            _ => None,
        }
    }

    /// The symbol's position, if the expression is a symbol.
    #[must_use]
    pub fn as_symbol(&self) -> Option<u32> {
        match self.0 {
            Shape::Symbol(position) => Some(position),
            _ => None,
        }
    }

    /// The operands, if the expression is an application of `operator`.
    #[must_use]
    pub fn operands_of(&self, operator: AffineBinaryOp) -> Option<(&Self, &Self)> {
        match &self.0 {
            Shape::Binary(node) if node.operator == operator => Some((&node.lhs, &node.rhs)),
            _ => None,
        }
    }

    /// Whether the expression contains no dimension.
    #[must_use]
    pub fn is_symbolic_or_constant(&self) -> bool {
        match &self.0 {
            Shape::Dim(_) => false,
            Shape::Symbol(_) | Shape::Constant(_) => true,
            Shape::Binary(node) => node.symbolic,
        }
    }

    /// The largest integer known to divide every value of the expression; 0 for the constant 0.
    #[must_use]
    pub fn largest_known_divisor(&self) -> i64 {
        match &self.0 {
            Shape::Dim(_) | Shape::Symbol(_) => 1,
            Shape::Constant(value) => value.wrapping_abs(),
            Shape::Binary(node) => node.divisor,
        }
    }

    /// Whether `divisor` is known to divide every value of the expression.
    #[must_use]
    pub fn is_multiple_of(&self, divisor: i64) -> bool {
        let known = self.largest_known_divisor();
        known == 0 || known.checked_rem(divisor).is_some_and(|rest| rest == 0)
    }

    /// Whether two handles share one node or are equal leaves.
    pub(super) fn is_same_handle(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Shape::Dim(left), Shape::Dim(right)) | (Shape::Symbol(left), Shape::Symbol(right)) => {
                left == right
            }
            (Shape::Constant(left), Shape::Constant(right)) => left == right,
            (Shape::Binary(left), Shape::Binary(right)) => Arc::ptr_eq(left, right),
            _ => false,
        }
    }

    /// The address of the node, if it is shared by other handles.
    pub(super) fn shared_address(&self) -> Option<*const Node> {
        match &self.0 {
            Shape::Binary(node) if Arc::strong_count(node) > 1 => Some(Arc::as_ptr(node)),
            _ => None,
        }
    }

    fn quick_hash(&self) -> u64 {
        match &self.0 {
            Shape::Dim(position) => mix(1, u64::from(*position)),
            Shape::Symbol(position) => mix(2, u64::from(*position)),
            Shape::Constant(value) => mix(3, value.cast_unsigned()),
            Shape::Binary(node) => node.hash,
        }
    }
}

/// One step of a 64-bit multiplicative hash that depends on the order of its inputs.
fn mix(state: u64, value: u64) -> u64 {
    let folded = u128::from(state.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ value.rotate_left(29))
        * 0xD6E8_FEB8_6659_FD93_u128;
    (folded as u64) ^ ((folded >> 64) as u64)
}

fn combined_divisor(operator: AffineBinaryOp, lhs: &AffineExpr, rhs: &AffineExpr) -> i64 {
    let left = lhs.largest_known_divisor();
    match operator {
        AffineBinaryOp::Add | AffineBinaryOp::Mod => {
            let common = gcd(
                left.unsigned_abs(),
                rhs.largest_known_divisor().unsigned_abs(),
            );
            i64::try_from(common).unwrap_or(i64::MIN)
        }
        AffineBinaryOp::Mul => left.wrapping_mul(rhs.largest_known_divisor()),
        AffineBinaryOp::FloorDiv | AffineBinaryOp::CeilDiv => match rhs.as_constant() {
            Some(value) if left.checked_rem(value) == Some(0) => (left / value).wrapping_abs(),
            _ => 1,
        },
    }
}

fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

impl PartialEq for AffineExpr {
    fn eq(&self, other: &Self) -> bool {
        if self.is_same_handle(other) {
            return true;
        }
        if self.quick_hash() != other.quick_hash() {
            return false;
        }
        let mut pending = vec![(self, other)];
        let mut seen = HashSet::new();
        while let Some((left, right)) = pending.pop() {
            if left.is_same_handle(right) {
                continue;
            }
            let (Shape::Binary(left), Shape::Binary(right)) = (&left.0, &right.0) else {
                return false;
            };
            if left.hash != right.hash || left.operator != right.operator {
                return false;
            }
            let shared = Arc::strong_count(left) > 1 && Arc::strong_count(right) > 1;
            if shared && !seen.insert((Arc::as_ptr(left), Arc::as_ptr(right))) {
                continue;
            }
            pending.push((&left.rhs, &right.rhs));
            pending.push((&left.lhs, &right.lhs));
        }
        true
    }
}

impl Eq for AffineExpr {}

impl Hash for AffineExpr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.quick_hash());
    }
}

impl fmt::Debug for AffineExpr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "AffineExpr({self})")
    }
}

impl From<i64> for AffineExpr {
    fn from(value: i64) -> Self {
        Self::constant(value)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.detach_operands(&mut pending);
        while let Some(node) = pending.pop() {
            if let Some(mut last) = Arc::into_inner(node) {
                last.detach_operands(&mut pending);
            }
        }
    }
}

impl Node {
    /// Moves the operands that are nodes out, so that dropping this node does not recurse.
    fn detach_operands(&mut self, pending: &mut Vec<Arc<Node>>) {
        for operand in [&mut self.lhs, &mut self.rhs] {
            if matches!(operand.0, Shape::Binary(_))
                && let Shape::Binary(node) = mem::replace(&mut operand.0, Shape::Constant(0))
            {
                pending.push(node);
            }
        }
    }
}
