//! The textual form of expressions, maps and sets.

use std::fmt;

use super::expression::{AffineBinaryOp, AffineExpr, AffineKind};
use super::fold::AffineLeaf;
use super::map::AffineMap;
use super::set::IntegerSet;

/// The binding strength of the surrounding operator: under a strong one, operators need
/// parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    Weak,
    Strong,
}

enum Piece<'a> {
    Expression(&'a AffineExpr, Binding),
    Text(&'static str),
    Number(i64),
}

impl AffineExpr {
    /// Writes the expression, with dimensions and symbols spelled by `leaf` (which is never called
    /// with a constant). Used by operations that print operands in place of `d0` and `s0`.
    pub fn write_with<W: fmt::Write + ?Sized>(
        &self,
        out: &mut W,
        mut leaf: impl FnMut(&mut W, AffineLeaf) -> fmt::Result,
    ) -> fmt::Result {
        let mut pieces = vec![Piece::Expression(self, Binding::Weak)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => out.write_str(text)?,
                Piece::Number(value) => write!(out, "{value}")?,
                Piece::Expression(expression, binding) => match expression.kind() {
                    AffineKind::Dim(position) => leaf(out, AffineLeaf::Dim(position))?,
                    AffineKind::Symbol(position) => leaf(out, AffineLeaf::Symbol(position))?,
                    AffineKind::Constant(value) => write!(out, "{value}")?,
                    AffineKind::Binary(operator, lhs, rhs) => {
                        if binding == Binding::Strong {
                            out.write_str("(")?;
                            pieces.push(Piece::Text(")"));
                        }
                        if operator == AffineBinaryOp::Add {
                            push_sum(&mut pieces, lhs, rhs);
                        } else {
                            push_tight(&mut pieces, operator, lhs, rhs);
                        }
                    }
                },
            }
        }
        Ok(())
    }
}

/// Pushes the pieces of a sum, last piece first: negative terms are printed as subtractions.
fn push_sum<'a>(pieces: &mut Vec<Piece<'a>>, lhs: &'a AffineExpr, rhs: &'a AffineExpr) {
    let scaled = rhs
        .operands_of(AffineBinaryOp::Mul)
        .and_then(|(base, factor)| factor.as_constant().map(|factor| (base, factor)));
    match (scaled, rhs.as_constant()) {
        (Some((base, -1)), _) => {
            let is_sum = base.operands_of(AffineBinaryOp::Add).is_some();
            let binding = if is_sum {
                Binding::Strong
            } else {
                Binding::Weak
            };
            pieces.push(Piece::Expression(base, binding));
            pieces.push(Piece::Text(" - "));
        }
        (Some((base, factor)), _) if factor < -1 => {
            pieces.push(Piece::Number(factor.wrapping_neg()));
            pieces.push(Piece::Text(" * "));
            pieces.push(Piece::Expression(base, Binding::Strong));
            pieces.push(Piece::Text(" - "));
        }
        (_, Some(value)) if value < 0 => {
            pieces.push(Piece::Number(value.wrapping_neg()));
            pieces.push(Piece::Text(" - "));
        }
        _ => {
            pieces.push(Piece::Expression(rhs, Binding::Weak));
            pieces.push(Piece::Text(" + "));
        }
    }
    pieces.push(Piece::Expression(lhs, Binding::Weak));
}

/// Pushes the pieces of a product, quotient or remainder, last piece first.
fn push_tight<'a>(
    pieces: &mut Vec<Piece<'a>>,
    operator: AffineBinaryOp,
    lhs: &'a AffineExpr,
    rhs: &'a AffineExpr,
) {
    if operator == AffineBinaryOp::Mul && rhs.as_constant() == Some(-1) {
        pieces.push(Piece::Expression(lhs, Binding::Strong));
        pieces.push(Piece::Text("-"));
        return;
    }
    pieces.push(Piece::Expression(rhs, Binding::Strong));
    pieces.push(Piece::Text(" "));
    pieces.push(Piece::Text(operator.spelling()));
    pieces.push(Piece::Text(" "));
    pieces.push(Piece::Expression(lhs, Binding::Strong));
}

impl fmt::Display for AffineExpr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_with(formatter, |out, leaf| match leaf {
            AffineLeaf::Dim(position) => write!(out, "d{position}"),
            AffineLeaf::Symbol(position) => write!(out, "s{position}"),
            AffineLeaf::Constant(value) => write!(out, "{value}"),
        })
    }
}

/// Writes `(d0, d1)[s0]`.
fn write_parameters(out: &mut fmt::Formatter<'_>, dims: u32, symbols: u32) -> fmt::Result {
    out.write_str("(")?;
    for position in 0..dims {
        let separator = if position == 0 { "" } else { ", " };
        write!(out, "{separator}d{position}")?;
    }
    out.write_str(")")?;
    if symbols == 0 {
        return Ok(());
    }
    out.write_str("[")?;
    for position in 0..symbols {
        let separator = if position == 0 { "" } else { ", " };
        write!(out, "{separator}s{position}")?;
    }
    out.write_str("]")
}

impl fmt::Display for AffineMap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_parameters(formatter, self.dims(), self.symbols())?;
        formatter.write_str(" -> (")?;
        for (index, result) in self.results().iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(formatter, "{separator}{result}")?;
        }
        formatter.write_str(")")
    }
}

impl fmt::Display for IntegerSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_parameters(formatter, self.dims(), self.symbols())?;
        formatter.write_str(" : (")?;
        for (index, constraint) in self.constraints().iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            let relation = if constraint.is_equality { "==" } else { ">=" };
            write!(
                formatter,
                "{separator}{} {relation} 0",
                constraint.expression
            )?;
        }
        formatter.write_str(")")
    }
}
