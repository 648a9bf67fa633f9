//! Values of patterns, and when two are the same.

use std::collections::BTreeMap;

use egg::{ENodeOrVar, PatternAst, Var};
use orison_rewrites::ori::general_optimize::evaluate::evaluate;
use orison_rewrites::ori::general_optimize::term::{Head, Operator, Sort, Term};

/// The value of a pattern; none where an operator has none.
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
                Head::Leaf(..) => return None,
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

/// Equal bits; or, for what floats compute, both no number.
pub fn same(a: u64, b: u64, sort: Sort, float: bool) -> bool {
    let no_number = |value: u64| match sort {
        Sort::Word => value & 0x7fff_ffff > 0x7f80_0000,
        Sort::Pair => value << 1 > 0x7ff0_0000_0000_0000 << 1,
        Sort::Predicate => false,
    };
    a == b || float && no_number(a) && no_number(b)
}

/// The sort of a pattern.
pub fn sort_of(pattern: &PatternAst<Term>, variables: &BTreeMap<Var, Sort>) -> Sort {
    match pattern.as_ref().last().unwrap() {
        ENodeOrVar::ENode(term) => term.sort(),
        ENodeOrVar::Var(variable) => variables[variable],
    }
}

/// Whether an operator on floats is in a pattern.
pub fn has_floats(pattern: &PatternAst<Term>) -> bool {
    pattern.as_ref().iter().any(|node| match node {
        ENodeOrVar::ENode(term) => term.operator().is_some_and(Operator::is_float),
        ENodeOrVar::Var(_) => false,
    })
}
