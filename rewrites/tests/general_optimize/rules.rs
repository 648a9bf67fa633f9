//! Every pattern rule keeps the meaning: on all values of narrow words, and on many of 32 bits.
//!
//! Conditions are asked with facts that say exactly what the values are; they are monotone
//! (`facts::conditions_are_monotone`), so that what they hold for vaguer facts is covered.

use std::collections::BTreeMap;

use egg::{Id, Subst, Var};
use orison_rewrites::ori::general_optimize::facts::{Graph, Knowledge};
use orison_rewrites::ori::general_optimize::rules::{PatternRule, RuleText, parse};
use orison_rewrites::ori::general_optimize::term::{Sort, Term};
use orison_rewrites::ori::general_optimize::{pattern_rules, rule_texts};

use crate::random::Random;
use crate::values::{has_floats, same, sort_of, value_of};

/// Most assignments that are gone through one by one in a quick run.
const EXHAUSTIVE: u32 = 16;
/// Assignments that are drawn for words of 32 bits, and of 8 where there are too many.
const DRAWN: usize = 3000;

/// A rule that was checked, and with how many assignments its conditions held.
struct Checker {
    rule: PatternRule,
    word: u32,
    sorts: Vec<(Var, Sort)>,
    sort: Sort,
    float: bool,
    graph: Graph,
    held: usize,
}

impl Checker {
    fn new(text: &RuleText, word: u32) -> Option<Self> {
        let rule = PatternRule::new(text, word).unwrap()?;
        let sorts = rule.variables();
        Some(Checker {
            word,
            sort: sort_of(rule.left(), &sorts),
            float: has_floats(rule.left()) || has_floats(rule.right()),
            sorts: sorts.into_iter().collect(),
            rule,
            graph: Graph::new(Knowledge::new(word)),
            held: 0,
        })
    }

    fn bits(&self) -> u32 {
        self.sorts
            .iter()
            .map(|(_, sort)| sort.bits(self.word))
            .sum()
    }

    /// Checks one assignment of values; the message says what went wrong.
    fn check(&mut self, values: &[u64]) -> Result<(), String> {
        let assigned: BTreeMap<Var, u64> = self
            .sorts
            .iter()
            .zip(values)
            .map(|((v, _), value)| (*v, *value))
            .collect();
        if !self.rule.text.when.is_empty() {
            // Numbers fill the graph up: it is begun anew now and then.
            if self.graph.nodes().len() > 100_000 {
                self.graph = Graph::new(Knowledge::new(self.word));
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
        let Some(left) = value_of(self.rule.left(), self.word, &assigned) else {
            return Ok(());
        };
        self.held += 1;
        let right = value_of(self.rule.right(), self.word, &assigned);
        if right.is_some_and(|right| same(left, right, self.sort, self.float)) {
            return Ok(());
        }
        Err(format!(
            "rule '{}' is unsound for words of {} bits: with {assigned:x?} the left side is \
             {left:#x}, the right side {right:x?}",
            self.rule.text.name, self.word
        ))
    }

    fn exhaustively(&mut self) -> Result<(), String> {
        let bits = self.bits();
        for number in 0..1u64 << bits {
            let mut rest = number;
            let values: Vec<u64> = self
                .sorts
                .iter()
                .map(|(_, sort)| {
                    let value = rest & sort.mask(self.word);
                    rest >>= sort.bits(self.word);
                    value
                })
                .collect();
            self.check(&values)?;
        }
        Ok(())
    }

    fn drawn(&mut self, count: usize) -> Result<(), String> {
        let mut random = Random(u64::from(self.word));
        for _ in 0..count {
            let mut values: Vec<u64> = self
                .sorts
                .iter()
                .map(|(_, sort)| random.value(sort.bits(self.word)))
                .collect();
            // Equal and related values are where rules go wrong.
            if values.len() > 1 && random.below(4) == 0 {
                values[1] = match random.below(3) {
                    0 => values[0],
                    1 => !values[0],
                    _ => u64::from(self.word).wrapping_sub(values[0]),
                } & self.sorts[1].1.mask(self.word);
            }
            self.check(&values)?;
        }
        Ok(())
    }
}

/// Checks a rule at all widths it holds for; how often its conditions held.
fn check(text: &RuleText, limit: u32) -> Result<usize, String> {
    if text.contracts {
        // Not exact, and said so; what it may do is in the name of the functions it is for.
        return Ok(1);
    }
    let mut held = 0;
    for word in [4, 5, 8] {
        let Some(mut checker) = Checker::new(text, word) else {
            continue;
        };
        if checker.bits() <= limit {
            checker.exhaustively()?;
        } else if word == 8 {
            checker.drawn(DRAWN)?;
        }
        held += checker.held;
    }
    if let Some(mut checker) = Checker::new(text, 32) {
        checker.drawn(DRAWN)?;
        held += checker.held;
    }
    Ok(held)
}

fn check_all(limit: u32) {
    let failures: Vec<String> = rule_texts()
        .iter()
        .filter_map(|text| match check(text, limit) {
            Ok(0) => Some(format!(
                "rule '{}' was never applied: it has no case",
                text.name
            )),
            Ok(_) => None,
            Err(message) => Some(message),
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_rule_is_sound() {
    check_all(EXHAUSTIVE);
}

/// All values of three words of 8 bits: minutes.
#[test]
#[ignore = "takes minutes: cargo test --release -p orison-rewrites --test general_optimize -- --ignored"]
fn every_rule_is_sound_for_all_words_of_eight_bits() {
    check_all(25);
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
    ];
    for text in wrong {
        let rules = parse(&format!("rules = [{text}]")).unwrap();
        let outcome = check(&rules[0], EXHAUSTIVE);
        assert!(outcome.is_err(), "{text} was not caught");
    }
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
            "unknown",
        ),
        (
            r#"{ name = "x", lhs = "(add ?a)", rhs = "?a" }"#,
            "takes 2 operands",
        ),
        (
            r#"{ name = "x", lhs = "(add ?a ?b)", rhs = "?c" }"#,
            "not on the left",
        ),
        (
            r#"{ name = "x", lhs = "(neg ?a)", rhs = "?a", when = ["evne ?a"] }"#,
            "no condition",
        ),
        (
            r#"{ name = "x", lhs = "(neg ?a)", rhs = "?a", when = ["less ?a"] }"#,
            "asks about 2",
        ),
    ] {
        let rules = parse(&format!("rules = [{text}]")).unwrap();
        let error = PatternRule::new(&rules[0], 32).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}
