//! Values of patterns, and their equality.

use std::collections::BTreeMap;

use egg::{ENodeOrVar, PatternAst, Var};
use orison_ir::numbers::FloatKind;
use orison_rewrites::ori::general_optimize::evaluate::{evaluate, is_nan};
use orison_rewrites::ori::general_optimize::term::{Head, Operator, Sort, Term};

/// The value of a pattern; `None` if an operator is undefined.
pub fn value_of(
    pattern: &PatternAst<Term>,
    word: u32,
    variables: &BTreeMap<Var, u64>,
) -> Option<u64> {
    let mut values: Vec<u64> = Vec::new();
    for node in pattern.as_ref() {
        let value = match node {
            ENodeOrVar::Var(variable) => *variables.get(variable)?,
            ENodeOrVar::ENode(term) => match term.head {
                Head::Number(bits, _) => bits,
                Head::Leaf(..) | Head::Machine(..) => return None,
                Head::Operator(operator) => {
                    let operands: Vec<u64> = term
                        .children
                        .iter()
                        .map(|child| values[usize::from(*child)])
                        .collect();
                    evaluate(operator, word, &operands)?
                }
            },
        };
        values.push(value);
    }
    values.last().copied()
}

/// How equal values may differ: NaNs of a format have many encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kind {
    float: bool,
    half: bool,
    brain: bool,
}

impl Kind {
    /// The kind of the values of equal patterns, given by their root operators.
    pub fn of(patterns: &[&PatternAst<Term>]) -> Self {
        let roots = patterns.iter().map(|pattern| pattern.as_ref().last());
        let operators = roots.filter_map(|root| match root {
            Some(ENodeOrVar::ENode(term)) => term.operator(),
            _ => None,
        });
        Kind::of_operators(operators)
    }

    /// The kind of the values of a class with these operators.
    pub fn of_operators(operators: impl Iterator<Item = Operator>) -> Self {
        let mut kind = Kind::default();
        for operator in operators {
            kind.float |= operator.makes_float();
            kind.half |= operator.halves() == Some(FloatKind::F16);
            kind.brain |= operator.halves() == Some(FloatKind::BF16);
        }
        kind
    }
}

/// Whether bits are equal or, for floats, both values are NaN.
pub fn same(a: u64, b: u64, sort: Sort, kind: Kind) -> bool {
    let no_number = |value: u64| match sort {
        Sort::Word => is_nan(FloatKind::F32, value),
        Sort::Pair => is_nan(FloatKind::F64, value),
        Sort::Predicate => false,
    };
    let same_half = |place: u32| {
        let (a, b) = (a >> place & 0xffff, b >> place & 0xffff);
        let both = |kind| is_nan(kind, a) && is_nan(kind, b);
        a == b || kind.half && both(FloatKind::F16) || kind.brain && both(FloatKind::BF16)
    };
    let halves = kind.half || kind.brain;
    a == b || kind.float && no_number(a) && no_number(b) || halves && same_half(0) && same_half(16)
}

/// The sort of a pattern.
pub fn sort_of(pattern: &PatternAst<Term>, variables: &BTreeMap<Var, Sort>) -> Sort {
    match pattern.as_ref().last().unwrap() {
        ENodeOrVar::ENode(term) => term.sort(),
        ENodeOrVar::Var(variable) => variables[variable],
    }
}

#[test]
fn shifts_by_the_width_leave_nothing() {
    for (operator, width) in [
        (Operator::ShiftLeft, 32),
        (Operator::ShiftRight, 32),
        (Operator::PairShiftLeft, 64),
        (Operator::PairShiftRight, 64),
    ] {
        let ones = u64::MAX >> (64 - width);
        let by = |amount| evaluate(operator, 32, &[ones, amount]);
        assert_eq!(by(width), Some(0), "{operator:?}");
        assert_ne!(by(width - 1), Some(0), "{operator:?}");
    }
}
