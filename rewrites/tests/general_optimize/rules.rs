//! Every pattern rule preserves semantics: on all values of narrow words, and on many of 32 bits.
//!
//! Conditions are evaluated on facts that describe the values exactly; because they are monotone
//! (`facts::conditions_are_monotone`), less precise facts are covered.

use std::collections::BTreeMap;

use egg::{ENodeOrVar, Id, PatternAst, Subst, Var};
use orison_rewrites::ori::general_optimize::facts::{Graph, Knowledge};
use orison_rewrites::ori::general_optimize::machine::{Slot, slot};
use orison_rewrites::ori::general_optimize::pattern_rules;
use orison_rewrites::ori::general_optimize::rule_texts;
use orison_rewrites::ori::general_optimize::rules::{PatternRule, RuleText, parse};
use orison_rewrites::ori::general_optimize::term::{Sort, Term};

use crate::exhaustive;
use crate::random::Random;
use crate::values::{Kind, same, sort_of, value_of};

/// The maximum number of assignments checked exhaustively for a rule.
const EXHAUSTIVE: u64 = 1 << 26;
/// The number of random assignments for 32-bit words; more for floats, which narrower words do not
/// cover.
const DRAWN: usize = 4000;
const DRAWN_FLOATS: usize = 20_000;

/// A rule for 32-bit words.
struct Checker {
    rule: PatternRule,
    sorts: Vec<(Var, Sort)>,
    /// Which of them are float relations.
    relations: Vec<bool>,
    sort: Sort,
    kind: Kind,
    graph: Graph,
    held: u64,
}

const WORD: u32 = 32;

impl Checker {
    fn new(text: &RuleText) -> Option<Self> {
        let rule = PatternRule::new(text, WORD).unwrap()?;
        let sorts = rule.variables();
        let relations = sorts.keys().map(|variable| is_attribute(&rule, *variable));
        Some(Checker {
            relations: relations.collect(),
            sort: sort_of(rule.left(), &sorts),
            kind: Kind::of(&[rule.left(), rule.right()]),
            sorts: sorts.into_iter().collect(),
            rule,
            graph: Graph::new(Knowledge::new(WORD)),
            held: 0,
        })
    }

    /// Checks one assignment of values; the message describes the failure.
    fn check(&mut self, values: &[u64]) -> Result<(), String> {
        let assigned: BTreeMap<Var, u64> = self
            .sorts
            .iter()
            .zip(values)
            .map(|((v, _), value)| (*v, *value))
            .collect();
        if !self.rule.text.when.is_empty() {
            // Constants fill the graph: it is recreated from time to time.
            if self.graph.nodes().len() > 100_000 {
                self.graph = Graph::new(Knowledge::new(WORD));
            }
            let mut substitution = Subst::default();
            for ((variable, sort), value) in self.sorts.iter().zip(values) {
                let id: Id = self.graph.add(Term::number(*value, *sort));
                substitution.insert(*variable, id);
            }
            if !self.rule.holds(&self.graph, &substitution) {
                return Ok(());
            }
        }
        let Some(left) = value_of(self.rule.left(), WORD, &assigned) else {
            return Ok(());
        };
        self.held += 1;
        let right = value_of(self.rule.right(), WORD, &assigned);
        if right.is_some_and(|right| same(left, right, self.sort, self.kind)) {
            return Ok(());
        }
        Err(format!(
            "rule '{}' is unsound: with {assigned:x?} the left side is {left:#x}, the right side \
             {right:x?}",
            self.rule.text.name
        ))
    }

    fn drawn(&mut self) -> Result<(), String> {
        let mut random = Random(u64::from(WORD));
        let floats = !self.rule.text.words.is_empty();
        let count = if floats { DRAWN_FLOATS } else { DRAWN };
        for _ in 0..count {
            let mut values: Vec<u64> = self
                .sorts
                .iter()
                .map(|(_, sort)| random.value(sort.bits(WORD)))
                .collect();
            // Equal and related values are likely to expose errors.
            if values.len() > 1 && random.below(4) == 0 {
                let (from, to) = (random.below(values.len()), random.below(values.len()));
                values[to] = match random.below(3) {
                    0 => values[from],
                    1 => !values[from],
                    _ => u64::from(WORD).wrapping_sub(values[from]),
                } & self.sorts[to].1.mask(WORD);
            }
            for (value, is_relation) in values.iter_mut().zip(&self.relations) {
                *value = if *is_relation { *value % 16 } else { *value };
            }
            self.check(&values)?;
        }
        Ok(())
    }
}

/// Whether a variable is the attribute of a relation in an instruction.
fn is_attribute(rule: &PatternRule, variable: Var) -> bool {
    let nodes = rule.left().as_ref();
    nodes.iter().any(|node| {
        let ENodeOrVar::ENode(term) = node else {
            return false;
        };
        let first = term.children.first();
        let first = first.map(|child| &nodes[usize::from(*child)]);
        let operator = term.operator();
        let relation = operator.filter(|operator| operator.is_float());
        relation.is_some_and(|operator| slot(operator, 0) == Slot::Attribute)
            && first == Some(&ENodeOrVar::Var(variable))
    })
}

/// Checks a rule at all widths for which it holds; returns how often its conditions held.
///
/// All values are checked for words of 4 bits, with pairs of 8 bits, and for the widest words up to
/// 8 bits with at most 2^26 assignments.
pub fn check(text: &RuleText) -> Result<u64, String> {
    if text.contracts {
        // The rule is documented as inexact; functions have to permit it.
        return Ok(1);
    }
    let mut held = 0;
    for word in exhaustive_words(text) {
        if let Some(outcome) = exhaustive::check(text, word) {
            held += outcome?;
        }
    }
    if let Some(mut checker) = Checker::new(text) {
        checker.drawn()?;
        held += checker.held;
    }
    Ok(held)
}

/// Checks the rule with this name.
pub fn sound(name: &str) {
    let text = rule_texts().iter().find(|text| text.name == name);
    let text = text.unwrap_or_else(|| panic!("there is no rule '{name}'"));
    match check(text) {
        Ok(0) => panic!("rule '{name}' was never applied: it has no case"),
        Ok(_) => {}
        Err(message) => panic!("{message}"),
    }
}

/// The word widths that are checked exhaustively: 4 bits, and the widest up to 8.
fn exhaustive_words(text: &RuleText) -> Vec<u32> {
    let fits = |word: &u32| exhaustive::fits(text, *word, EXHAUSTIVE);
    let widest = (4..=8).rev().find(fits);
    let mut words: Vec<u32> = widest.into_iter().collect();
    if widest.is_some_and(|widest| widest > 4) {
        words.push(4);
    }
    words
}

/// Words of 8 bits, or pairs of 8 bits or more where a rule has pairs or four words.
#[test]
fn every_rule_on_integers_is_checked_on_all_values_of_eight_bits() {
    let mut narrow = Vec::new();
    for text in rule_texts().iter().filter(|text| text.words.is_empty()) {
        let words = exhaustive_words(text);
        let widest = words.first().copied().unwrap_or(0);
        assert!(widest >= 4, "'{}' is not checked on all values", text.name);
        if widest < 8 {
            let rule = PatternRule::new(text, 8).unwrap().unwrap();
            let mut sorts = rule.variables().into_values();
            let pairs = sorts.any(|sort| sort == Sort::Pair)
                || [rule.left(), rule.right()].into_iter().any(has_pairs);
            assert!(pairs, "'{}' is not checked on words of 8 bits", text.name);
            narrow.push(&text.name);
        }
    }
    assert!(narrow.len() * 6 < rule_texts().len(), "{narrow:?}");
}

fn has_pairs(pattern: &PatternAst<Term>) -> bool {
    pattern.as_ref().iter().any(|node| match node {
        ENodeOrVar::ENode(term) => term.sort() == Sort::Pair,
        ENodeOrVar::Var(_) => false,
    })
}

#[test]
fn a_wrong_rule_is_caught() {
    let wrong = [
        r#"{ name = "add-is-or", lhs = "(add ?a ?b)", rhs = "(or ?a ?b)" }"#,
        r#"{ name = "sar-is-shr", lhs = "(sar ?a ?n)", rhs = "(shr ?a ?n)" }"#,
        r#"{ name = "lt-is-le", lhs = "(lt-s ?a ?b)", rhs = "(le-s ?a ?b)" }"#,
        r#"{ name = "fadd-zero", lhs = "(fadd ?a 0)", rhs = "?a", words = [32] }"#,
        r#"{ name = "shl-shl", lhs = "(shl (shl ?a ?m) ?n)", rhs = "(shl ?a (add ?m ?n))" }"#,
        r#"{ name = "wide-signs", lhs = "(mad-wide-s ?a ?b ?c)", rhs = "(mad-wide-u ?a ?b ?c)", when = ["nonnegative ?a"] }"#,
        // Wrong for one assignment of 65,536.
        r#"{ name = "abs-diff", lhs = "(sar (add ?a ?a) 1)", rhs = "?a" }"#,
        // NaN and minus zero.
        r#"{ name = "not-less", lhs = "(not.p (fcmp 1 ?a ?b))", rhs = "(fcmp 6 ?a ?b)", words = [32] }"#,
        r#"{ name = "chosen", lhs = "(sel (fcmp 1 ?a ?b) ?a ?b)", rhs = "(fmin ?a ?b)", words = [32] }"#,
        r#"{ name = "fmin-infinity", lhs = "(fmin ?a 2139095040)", rhs = "?a", words = [32] }"#,
        r#"{ name = "flushed", lhs = "(fmin-ftz ?a ?a)", rhs = "?a", words = [32] }"#,
        r#"{ name = "hadd2-zero", lhs = "(hadd2 ?a 0)", rhs = "?a", words = [32] }"#,
        r#"{ name = "lanes", lhs = "(hlow (hadd2 ?a ?b))", rhs = "(hadd2 ?a ?b)", words = [32] }"#,
        r#"{ name = "f2i", lhs = "(f2i-s (i2f-s ?a))", rhs = "?a", words = [32] }"#,
    ];
    for text in wrong {
        let rules = parse(&format!("rules = [{text}]")).unwrap();
        let outcome = check(&rules[0]);
        assert!(outcome.is_err(), "{text} was not caught");
    }
}

#[test]
fn a_rule_is_none_for_words_that_it_does_not_name() {
    let text = r#"{ name = "zero", lhs = "(fadd ?a 2147483648)", rhs = "?a", words = [32] }"#;
    let rules = parse(&format!("rules = [{text}]")).unwrap();
    assert!(PatternRule::new(&rules[0], 32).unwrap().is_some());
    assert!(PatternRule::new(&rules[0], 16).unwrap().is_none());
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = rule_texts().iter().map(|text| text.name.as_str()).collect();
    names.sort_unstable();
    let before = names.len();
    names.dedup();
    assert_eq!(before, names.len(), "a name stands twice");
    assert_eq!(pattern_rules().len(), before);
}

#[test]
fn malformed_rules_are_told() {
    for (text, message) in [
        (
            r#"{ name = "x", lhs = "(ad ?a ?b)", rhs = "?a" }"#,
            "unknown operator 'ad'",
        ),
        (
            r#"{ name = "x", lhs = "(add ?a zero)", rhs = "?a" }"#,
            "invalid term 'zero'",
        ),
        (
            r#"{ name = "x", lhs = "(add ?a 0:q)", rhs = "?a" }"#,
            "unknown term '0:q'",
        ),
        (
            r#"{ name = "x", lhs = "(add ?a %first)", rhs = "?a" }"#,
            "invalid leaf '%first'",
        ),
        (
            r#"{ name = "x", lhs = "(add ?a)", rhs = "?a" }"#,
            "expects 2 operands",
        ),
        (
            r#"{ name = "x", lhs = "(add ?a ?b)", rhs = "?c" }"#,
            "not occur on the left",
        ),
        (
            r#"{ name = "x", lhs = "(neg ?a)", rhs = "?a", when = ["evne ?a"] }"#,
            "unknown condition 'evne'",
        ),
        (
            r#"{ name = "x", lhs = "(neg ?a)", rhs = "?a", when = ["less ?a"] }"#,
            "expects 2 arguments",
        ),
        (
            r#"{ name = "x", lhs = "(neg ?a)", rhs = "?a", when = ["less ? 3"] }"#,
            "invalid variable '?'",
        ),
        (
            r#"{ name = "x", lhs = "(neg ?a)", rhs = "?a", when = ["less ?a b"] }"#,
            "invalid number 'b'",
        ),
    ] {
        let rules = parse(&format!("rules = [{text}]")).unwrap();
        let error = PatternRule::new(&rules[0], 32).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}
