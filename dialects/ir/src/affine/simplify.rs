//! Constructors that bring expressions into the canonical form of the textual format.
//!
//! Constants move to the right, and symbolic operands move to the right of others; adjacent
//! constants are folded. If the sum of two constant operands does not fit 64 bits, the operation is
//! kept; constants combined inside a larger expression wrap around.

use std::ops::{Add, Mul, Neg, Sub};

use super::expression::{AffineBinaryOp, AffineExpr, AffineKind};

impl AffineExpr {
    /// Applies `operator` and simplifies.
    #[must_use]
    pub fn binary(operator: AffineBinaryOp, lhs: &Self, rhs: &Self) -> Self {
        match operator {
            AffineBinaryOp::Add => sum(lhs, rhs),
            AffineBinaryOp::Mul => product(lhs, rhs),
            AffineBinaryOp::Mod => remainder(lhs, rhs),
            AffineBinaryOp::FloorDiv => floor_quotient(lhs, rhs),
            AffineBinaryOp::CeilDiv => ceil_quotient(lhs, rhs),
        }
    }

    /// `self mod divisor`, simplified.
    #[must_use]
    pub fn modulo(&self, divisor: impl Into<Self>) -> Self {
        remainder(self, &divisor.into())
    }

    /// `self floordiv divisor`, simplified.
    #[must_use]
    pub fn floor_div(&self, divisor: impl Into<Self>) -> Self {
        floor_quotient(self, &divisor.into())
    }

    /// `self ceildiv divisor`, simplified.
    #[must_use]
    pub fn ceil_div(&self, divisor: impl Into<Self>) -> Self {
        ceil_quotient(self, &divisor.into())
    }

    /// Splits `base * constant`; any other expression has the factor one.
    pub(super) fn split_factor(&self) -> (&Self, i64) {
        self.operands_of(AffineBinaryOp::Mul)
            .and_then(|(base, factor)| factor.as_constant().map(|factor| (base, factor)))
            .unwrap_or((self, 1))
    }

    /// Splits an application of `operator` to an expression and a constant.
    fn with_constant(&self, operator: AffineBinaryOp) -> Option<(&Self, i64)> {
        let (base, constant) = self.operands_of(operator)?;
        Some((base, constant.as_constant()?))
    }
}

impl From<&AffineExpr> for AffineExpr {
    fn from(expression: &AffineExpr) -> Self {
        expression.clone()
    }
}

/// The remaining work once the sum with an inner operand is known.
enum Pending<'a> {
    /// Add the constant to the sum of this base.
    Constant(&'a AffineExpr, i64),
    /// If the sum was simplified, add it to this operand.
    Operand(&'a AffineExpr),
}

/// One step of simplifying a sum.
enum Step<'a> {
    Simplified(AffineExpr),
    Kept,
    /// Simplify the sum with an inner operand first.
    Inner(&'a AffineExpr, Pending<'a>),
}

fn sum(lhs: &AffineExpr, rhs: &AffineExpr) -> AffineExpr {
    simplified_sum(lhs, rhs)
        .unwrap_or_else(|| AffineExpr::node(AffineBinaryOp::Add, lhs.clone(), rhs.clone()))
}

/// The simplified sum; `None` if it is a plain node of both operands.
fn simplified_sum(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    let mut pending = Vec::new();
    let mut operand = lhs;
    let mut result = loop {
        match sum_step(operand, rhs) {
            Step::Simplified(result) => break Some(result),
            Step::Kept => break None,
            Step::Inner(inner, then) => {
                pending.push(then);
                operand = inner;
            }
        }
    };
    while let Some(then) = pending.pop() {
        result = match then {
            Pending::Operand(operand) => result.map(|inner| sum(operand, &inner)),
            Pending::Constant(base, constant) => {
                let inner = result.unwrap_or_else(|| {
                    AffineExpr::node(AffineBinaryOp::Add, base.clone(), rhs.clone())
                });
                Some(sum(&inner, &AffineExpr::constant(constant)))
            }
        };
    }
    result
}

fn sum_step<'a>(lhs: &'a AffineExpr, rhs: &AffineExpr) -> Step<'a> {
    if let (Some(left), Some(right)) = (lhs.as_constant(), rhs.as_constant()) {
        let exact = left.checked_add(right).map(AffineExpr::constant);
        return exact.map_or(Step::Kept, Step::Simplified);
    }
    let misplaced = lhs.is_symbolic_or_constant() && !rhs.is_symbolic_or_constant();
    if lhs.as_constant().is_some() || misplaced || is_later_leaf(lhs, rhs) {
        return Step::Simplified(sum(rhs, lhs));
    }
    let nested = lhs.with_constant(AffineBinaryOp::Add);
    if let Some(right) = rhs.as_constant() {
        if right == 0 {
            return Step::Simplified(lhs.clone());
        }
        if let Some((base, left)) = nested {
            let constant = AffineExpr::constant(left.wrapping_add(right));
            return Step::Simplified(sum(base, &constant));
        }
    }
    let (left_base, left_factor) = lhs.split_factor();
    let (right_base, right_factor) = rhs.split_factor();
    if left_base == right_base {
        let factor = AffineExpr::constant(left_factor.wrapping_add(right_factor));
        return Step::Simplified(product(left_base, &factor));
    }
    if let Some((base, constant)) = nested {
        return Step::Inner(base, Pending::Constant(base, constant));
    }
    if let Some(result) = recognized_remainder(lhs, rhs) {
        return Step::Simplified(result);
    }
    let scales_quotient = rhs
        .operands_of(AffineBinaryOp::Mul)
        .is_some_and(|(inner, _)| inner.operands_of(AffineBinaryOp::FloorDiv).is_some());
    match lhs.operands_of(AffineBinaryOp::Add) {
        // The right summand may be the one that the quotient belongs to.
        Some((left, right)) if scales_quotient => Step::Inner(right, Pending::Operand(left)),
        _ => Step::Kept,
    }
}

/// Whether both operands are dimensions or both are symbols, and the first has the larger position.
fn is_later_leaf(lhs: &AffineExpr, rhs: &AffineExpr) -> bool {
    match (lhs.kind(), rhs.kind()) {
        (AffineKind::Dim(left), AffineKind::Dim(right))
        | (AffineKind::Symbol(left), AffineKind::Symbol(right)) => left > right,
        _ => false,
    }
}

/// Matches `x - (x floordiv q) * q` as `x mod q`, for a positive constant or any symbolic `q`.
fn recognized_remainder(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    let (inner, factor) = rhs.operands_of(AffineBinaryOp::Mul)?;
    let factor = factor.as_constant()?;
    if factor == -1
        && let Some((quotient, divisor)) = inner.operands_of(AffineBinaryOp::Mul)
    {
        let (dividend, quotient_divisor) = quotient.operands_of(AffineBinaryOp::FloorDiv)?;
        return (quotient_divisor == divisor && lhs == dividend).then(|| remainder(lhs, divisor));
    }
    let (dividend, divisor) = inner.with_constant(AffineBinaryOp::FloorDiv)?;
    (divisor > 0 && factor == -divisor && lhs == dividend)
        .then(|| remainder(lhs, &AffineExpr::constant(divisor)))
}

fn product(lhs: &AffineExpr, rhs: &AffineExpr) -> AffineExpr {
    let operator = AffineBinaryOp::Mul;
    let keep = || AffineExpr::node(operator, lhs.clone(), rhs.clone());
    if let (Some(left), Some(right)) = (lhs.as_constant(), rhs.as_constant()) {
        return left
            .checked_mul(right)
            .map_or_else(keep, AffineExpr::constant);
    }
    if !lhs.is_symbolic_or_constant() && !rhs.is_symbolic_or_constant() {
        return keep();
    }
    let misplaced = !rhs.is_symbolic_or_constant() || lhs.as_constant().is_some();
    if misplaced || is_later_leaf(lhs, rhs) {
        return product(rhs, lhs);
    }
    match (lhs.with_constant(operator), rhs.as_constant()) {
        (_, Some(1)) => lhs.clone(),
        (_, Some(0)) => rhs.clone(),
        (Some((base, left)), Some(right)) => {
            product(base, &AffineExpr::constant(left.wrapping_mul(right)))
        }
        (Some((base, left)), None) => product(&product(base, rhs), &AffineExpr::constant(left)),
        (None, _) => keep(),
    }
}

fn floor_quotient(lhs: &AffineExpr, rhs: &AffineExpr) -> AffineExpr {
    let Some(divisor) = rhs.as_constant().filter(|divisor| *divisor != 0) else {
        return AffineExpr::node(AffineBinaryOp::FloorDiv, lhs.clone(), rhs.clone());
    };
    enum Task<'a> {
        Divide(&'a AffineExpr),
        Join,
    }
    // The division is distributed over a sum with a divisible summand: sums may nest deeply.
    let mut tasks = vec![Task::Divide(lhs)];
    let mut quotients: Vec<AffineExpr> = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Divide(expression) => {
                let split = divisible_sum(expression, divisor);
                if let Some((left, right)) = split {
                    tasks.extend([Task::Join, Task::Divide(right), Task::Divide(left)]);
                } else {
                    quotients.push(single_quotient(
                        AffineBinaryOp::FloorDiv,
                        expression,
                        divisor,
                    ));
                }
            }
            Task::Join => {
                if let (Some(right), Some(left)) = (quotients.pop(), quotients.pop()) {
                    quotients.push(sum(&left, &right));
                }
            }
        }
    }
    quotients.pop().unwrap_or_else(|| AffineExpr::constant(0))
}

/// The operands of a sum, if the divisor divides one of them.
fn divisible_sum(expression: &AffineExpr, divisor: i64) -> Option<(&AffineExpr, &AffineExpr)> {
    if divisor == 1 {
        return None;
    }
    let (left, right) = expression.operands_of(AffineBinaryOp::Add)?;
    let divides = |part: &AffineExpr| part.largest_known_divisor().wrapping_rem(divisor) == 0;
    (divides(left) || divides(right)).then_some((left, right))
}

fn ceil_quotient(lhs: &AffineExpr, rhs: &AffineExpr) -> AffineExpr {
    match rhs.as_constant() {
        Some(divisor) if divisor != 0 => single_quotient(AffineBinaryOp::CeilDiv, lhs, divisor),
        _ => AffineExpr::node(AffineBinaryOp::CeilDiv, lhs.clone(), rhs.clone()),
    }
}

/// A quotient by a nonzero constant, without distribution over sums.
fn single_quotient(operator: AffineBinaryOp, lhs: &AffineExpr, divisor: i64) -> AffineExpr {
    if let Some(quotient) = lhs
        .as_constant()
        .and_then(|left| operator.evaluate(left, divisor))
    {
        return AffineExpr::constant(quotient);
    }
    if divisor == 1 {
        return lhs.clone();
    }
    if let Some((base, factor)) = lhs.with_constant(AffineBinaryOp::Mul)
        && factor.wrapping_rem(divisor) == 0
    {
        return product(base, &AffineExpr::constant(factor.wrapping_div(divisor)));
    }
    AffineExpr::node(operator, lhs.clone(), AffineExpr::constant(divisor))
}

fn remainder(lhs: &AffineExpr, rhs: &AffineExpr) -> AffineExpr {
    let operator = AffineBinaryOp::Mod;
    let Some(modulus) = rhs.as_constant().filter(|modulus| *modulus >= 1) else {
        return AffineExpr::node(operator, lhs.clone(), rhs.clone());
    };
    let divides = |part: &AffineExpr| part.largest_known_divisor().wrapping_rem(modulus) == 0;
    let mut dividend = lhs;
    loop {
        if let Some(value) = dividend.as_constant() {
            return AffineExpr::constant(value.rem_euclid(modulus));
        }
        if divides(dividend) {
            return AffineExpr::constant(0);
        }
        if let Some((left, right)) = dividend.operands_of(AffineBinaryOp::Add) {
            if divides(left) {
                dividend = right;
                continue;
            }
            if divides(right) {
                dividend = left;
                continue;
            }
        }
        match dividend.with_constant(operator) {
            Some((base, inner)) if inner >= 1 && inner % modulus == 0 => dividend = base,
            _ => return AffineExpr::node(operator, dividend.clone(), rhs.clone()),
        }
    }
}

impl<T: Into<AffineExpr>> Add<T> for AffineExpr {
    type Output = Self;
    fn add(self, other: T) -> Self {
        sum(&self, &other.into())
    }
}

impl<T: Into<AffineExpr>> Sub<T> for AffineExpr {
    type Output = Self;
    fn sub(self, other: T) -> Self {
        sum(&self, &-other.into())
    }
}

impl<T: Into<AffineExpr>> Mul<T> for AffineExpr {
    type Output = Self;
    fn mul(self, other: T) -> Self {
        product(&self, &other.into())
    }
}

impl Neg for AffineExpr {
    type Output = Self;
    fn neg(self) -> Self {
        product(&self, &Self::constant(-1))
    }
}

impl<T: Into<AffineExpr>> Add<T> for &AffineExpr {
    type Output = AffineExpr;
    fn add(self, other: T) -> AffineExpr {
        sum(self, &other.into())
    }
}

impl<T: Into<AffineExpr>> Sub<T> for &AffineExpr {
    type Output = AffineExpr;
    fn sub(self, other: T) -> AffineExpr {
        sum(self, &-other.into())
    }
}

impl<T: Into<AffineExpr>> Mul<T> for &AffineExpr {
    type Output = AffineExpr;
    fn mul(self, other: T) -> AffineExpr {
        product(self, &other.into())
    }
}

impl Neg for &AffineExpr {
    type Output = AffineExpr;
    fn neg(self) -> AffineExpr {
        product(self, &AffineExpr::constant(-1))
    }
}
