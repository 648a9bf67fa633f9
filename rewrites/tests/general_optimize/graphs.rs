//! Saturated graphs are sound: for any values of the leaves, all terms of a class have the same
//! value, and the facts of the class allow it. This covers rules that are code.

use std::collections::HashMap;

use egg::{Id, Language};
use orison_rewrites::ori::general_optimize::evaluate::evaluate;
use orison_rewrites::ori::general_optimize::facts::{Facts, Graph, Knowledge};
use orison_rewrites::ori::general_optimize::machine::relation;
use orison_rewrites::ori::general_optimize::rules::{PatternRule, for_width};
use orison_rewrites::ori::general_optimize::saturate::{
    CODE_RULES, History, Limits, Permission, saturate,
};
use orison_rewrites::ori::general_optimize::term::{Head, Operator, Sort, Term};
use orison_rewrites::ori::general_optimize::{pattern_rules, rule_texts};

use crate::random::Random;
use crate::values::{Kind, same};

const LIMITS: Limits = Limits {
    nodes: 1500,
    iterations: 5,
    matches: 60,
};

/// A constant that rules are likely to match.
fn number(random: &mut Random, sort: Sort, word: u32) -> u64 {
    let small = random.next() % (u64::from(word) + 2);
    let value = if random.below(3) == 0 {
        random.value(sort.bits(word))
    } else {
        small
    };
    value & sort.mask(word)
}

/// A random graph: leaves, then operators on existing terms.
fn graph(random: &mut Random, word: u32, operators: &[Operator], size: usize) -> Graph {
    let mut knowledge = Knowledge::new(word);
    let sorts = [
        Sort::Word,
        Sort::Word,
        Sort::Word,
        Sort::Pair,
        Sort::Predicate,
        Sort::Predicate,
    ];
    knowledge.leaves = sorts
        .iter()
        .map(|sort| Facts::unknown(*sort, word))
        .collect();
    // One leaf is small, like an index.
    knowledge.leaves[2] = Facts::between(0, 3, Sort::Word, word);
    let mut graph = Graph::new(knowledge);
    let mut known: Vec<(Id, Sort)> = Vec::new();
    for (place, sort) in (0..).zip(sorts) {
        known.push((graph.add(Term::leaf(place, sort)), sort));
    }
    for _ in 0..size {
        let operator = operators[random.below(operators.len())];
        let mut children = Vec::new();
        for place in 0..operator.arity() {
            let sort = operator.operand_sort(place);
            let attribute = matches!(
                (operator, place),
                (Operator::Table | Operator::PredicateTable, 0)
                    | (Operator::Lea | Operator::PairLea, 2)
            );
            let relation = place == 0 && relation(operator).is_some();
            let usable: Vec<Id> = known
                .iter()
                .filter(|(_, s)| *s == sort)
                .map(|(id, _)| *id)
                .collect();
            let child = if relation {
                graph.add(Term::number(random.next() % 16, sort))
            } else if attribute {
                let lut = place == 0;
                let bits = if lut {
                    random.next() & 0xff
                } else {
                    1 + random.next() % u64::from(word - 1)
                };
                graph.add(Term::number(bits, sort))
            } else if random.below(4) == 0 {
                let bits = number(random, sort, word);
                graph.add(Term::number(bits, sort))
            } else {
                // Recent terms are used most, so that terms become deep.
                let last = usable.len().min(4);
                usable[usable.len() - 1 - random.below(last)]
            };
            children.push(child);
        }
        let id = graph.add(Term::new(operator, &children));
        known.push((id, operator.sort()));
    }
    graph.rebuild();
    graph
}

/// Compares all terms of all classes for random values of the leaves.
fn check(graph: &Graph, random: &mut Random, describe: &dyn Fn() -> String) {
    let word = graph.analysis.word;
    let leaves: Vec<u64> = graph
        .analysis
        .leaves
        .iter()
        .map(|facts| {
            let value = random.value(facts.sort.bits(word));
            if facts.allows(value) {
                value
            } else {
                value & 3
            }
        })
        .collect();
    let mut values: HashMap<Id, u64> = HashMap::new();
    let mut classes: Vec<Id> = graph.classes().map(|class| class.id).collect();
    classes.sort_unstable();
    loop {
        let before = values.len();
        for class in &classes {
            for term in &graph[*class].nodes {
                let Some(value) = value(graph, term, &leaves, &values) else {
                    continue;
                };
                let known = *values.entry(*class).or_insert(value);
                let kind = kind_of(graph, *class);
                assert!(
                    same(known, value, term.sort(), kind),
                    "class {class} is {known:#x} but {term} {:?} is {value:#x}; leaves {leaves:x?}\n\
                     class: {:?}\n{}",
                    term.children,
                    graph[*class].nodes,
                    describe()
                );
                let facts = graph[*class].data;
                // NaN has several encodings.
                let number = facts.constant(word);
                let is_same = |number| same(number, value, term.sort(), kind);
                assert!(
                    facts.allows(value) || number.is_some_and(is_same),
                    "{facts:?} but {value:#x}: {term}\n{}",
                    describe()
                );
            }
        }
        if values.len() == before {
            return;
        }
    }
}

fn kind_of(graph: &Graph, class: Id) -> Kind {
    Kind::of_operators(graph[class].nodes.iter().filter_map(Term::operator))
}

fn value(graph: &Graph, term: &Term, leaves: &[u64], values: &HashMap<Id, u64>) -> Option<u64> {
    match term.head {
        Head::Leaf(number, _) => leaves.get(usize::try_from(number).ok()?).copied(),
        Head::Number(bits, _) => Some(bits),
        Head::Operator(operator) => {
            let operands: Option<Vec<u64>> = term
                .children()
                .iter()
                .map(|child| values.get(&graph.find(*child)).copied())
                .collect();
            evaluate(operator, graph.analysis.word, &operands?)
        }
        Head::Machine(..) => panic!("no random graph has one"),
    }
}

fn rules_for(word: u32) -> Vec<PatternRule> {
    for_width(rule_texts(), word).unwrap()
}

/// Saturates random graphs of the given operators, with the allowed rules.
fn saturated(
    seeds: std::ops::Range<u64>,
    word: u32,
    operators: &[Operator],
    size: usize,
    allowed: &dyn Fn(usize) -> bool,
) -> Vec<u64> {
    let rules = if word == 32 {
        pattern_rules().to_vec()
    } else {
        rules_for(word)
    };
    let mut fired = vec![0; rules.len() + CODE_RULES.len()];
    for seed in seeds {
        let mut random = Random(seed);
        let before = graph(&mut random, word, operators, size);
        let mut after = before.clone();
        let permission = Permission {
            allowed,
            ..Permission::ALL
        };
        let history: History = saturate(&mut after, &rules, LIMITS, &permission);
        for (total, times) in fired.iter_mut().zip(&history.fired) {
            *total += times;
        }
        let describe = || {
            let names = rules.iter().map(|rule| rule.text.name.as_str());
            let names = names.chain(CODE_RULES.iter().map(|rule| rule.name));
            let used: Vec<&str> = names
                .zip(&history.fired)
                .filter(|(_, n)| **n > 0)
                .map(|(name, _)| name)
                .collect();
            format!(
                "seed {seed}, word {word}\n{before:#?}\nrules: {used:?}",
                before = before.dump()
            )
        };
        assert!(
            !after.analysis.contradiction,
            "contradiction\n{}",
            describe()
        );
        for _ in 0..12 {
            check(&after, &mut random, &describe);
        }
    }
    fired
}

fn operators(keep: impl Fn(Operator) -> bool) -> Vec<Operator> {
    Operator::ALL
        .iter()
        .copied()
        .filter(|operator| keep(*operator))
        .collect()
}

#[test]
fn all_rules_together_on_words_of_eight_bits() {
    let integer = operators(|operator| !operator.is_float() && operator != Operator::Permute);
    saturated(0..150, 8, &integer, 10, &|_| true);
}

#[test]
fn all_rules_together_on_words_of_32_bits() {
    let all = operators(|operator| {
        !matches!(
            operator,
            Operator::FloatAddFast | Operator::FloatMultiplyFast
        )
    });
    saturated(1000..1120, 32, &all, 10, &|_| true);
}

#[test]
fn floats_and_halves() {
    let floats = operators(|operator| {
        let fast = matches!(
            operator,
            Operator::FloatAddFast | Operator::FloatMultiplyFast
        );
        operator.is_float() && !fast
            || matches!(
                operator,
                Operator::PredicateNot | Operator::PredicateAnd | Operator::Select
            )
    });
    saturated(5000..5120, 32, &floats, 12, &|_| true);
}

#[test]
fn pairs() {
    let pairs = operators(|operator| {
        operator.sort() == Sort::Pair && !operator.is_float()
            || matches!(
                operator,
                Operator::Low | Operator::High | Operator::Carry | Operator::AddCarry
            )
            || matches!(operator, Operator::Add | Operator::Not | Operator::Negate)
            || matches!(
                operator,
                Operator::FunnelLeft | Operator::FunnelRight | Operator::ShiftLeft
            )
    });
    saturated(2000..2080, 8, &pairs, 12, &|_| true);
    saturated(2100..2160, 32, &pairs, 12, &|_| true);
}

/// Tests each code rule alone, on the operators it handles; each must find something.
#[test]
fn rules_that_are_code() {
    use Operator as O;
    let families: [(&str, u32, Vec<Operator>); 5] = [
        (
            "linear-form",
            8,
            vec![
                O::Add,
                O::Negate,
                O::Add3,
                O::Multiply,
                O::ShiftLeft,
                O::Lea,
                O::Not,
                O::MultiplyAdd,
            ],
        ),
        (
            "linear-form-pair",
            8,
            vec![
                O::PairAdd,
                O::PairNegate,
                O::PairSubtract,
                O::PairLea,
                O::PairShiftLeft,
            ],
        ),
        (
            "truth-table",
            8,
            vec![O::And, O::Or, O::Xor, O::Not, O::Table],
        ),
        (
            "truth-table-predicate",
            8,
            vec![
                O::PredicateAnd,
                O::PredicateOr,
                O::PredicateXor,
                O::PredicateNot,
                O::PredicateTable,
            ],
        ),
        (
            "byte-permutation",
            32,
            vec![
                O::And,
                O::Or,
                O::ShiftLeft,
                O::ShiftRight,
                O::Permute,
                O::Add,
            ],
        ),
    ];
    assert_eq!(
        families.len(),
        CODE_RULES.len(),
        "a rule that is code has no case"
    );
    for (name, word, operators) in families {
        let patterns = if word == 32 {
            pattern_rules().len()
        } else {
            rules_for(word).len()
        };
        let place = CODE_RULES
            .iter()
            .position(|rule| rule.name == name)
            .unwrap();
        let only = patterns + place;
        let seeds = if name == "byte-permutation" {
            3000..3600
        } else {
            3000..3150
        };
        let fired = saturated(seeds, word, &operators, 8, &|number| number == only);
        assert!(fired[only] > 20, "'{name}' found {} things", fired[only]);
    }
}
