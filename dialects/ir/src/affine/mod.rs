//! Affine expressions, maps and integer sets.
//!
//! These are plain values: no context, no interning. An expression is a small handle (16 bytes)
//! whose inner nodes are shared. Every constructor brings the expression into the canonical form of
//! the textual format, so spellings that the format considers equivalent compare equal and print
//! alike.
//!
//! No function recurses over an expression: expressions nested 100,000 levels deep can be built,
//! compared, hashed, printed, rewritten and dropped on a small stack.

mod expression;
mod fold;
mod layout;
mod map;
mod print;
mod set;
mod simplify;

pub use expression::{AffineBinaryOp, AffineExpr, AffineKind};
pub use fold::AffineLeaf;
pub use layout::StridedLayout;
pub use map::AffineMap;
pub use set::{AffineConstraint, IntegerSet};

#[cfg(test)]
mod tests;
