//! Equality saturation, bounded and in a fixed order.
//!
//! Each iteration looks for all rules in the graph as it is, then applies what it found rule by rule,
//! then restores congruence. It ends when nothing is new, or at a bound: iterations, terms, matches a
//! rule has in an iteration. Time is no bound, so that the same input gives the same output.

use std::ops::Range;

use egg::{Id, Language};
use rustc_hash::FxHashMap;

use super::facts::Graph;
use super::rules::PatternRule;
use super::term::{Sort, Term};
use super::{bytes, linear, tables};

/// Bounds of a saturation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Terms of the graph.
    pub nodes: usize,
    /// Iterations.
    pub iterations: usize,
    /// Matches of one rule in an iteration.
    pub matches: usize,
}

/// Rules that are code: name without prefix, what they do, how they are applied.
pub struct CodeRule {
    /// The name.
    pub name: &'static str,
    /// What becomes what.
    pub summary: &'static str,
    /// Applies it everywhere; the classes where that was new.
    pub apply: fn(&mut Graph) -> Vec<Id>,
}

/// The rules that are code, in the order they are applied.
pub const CODE_RULES: [CodeRule; 5] = [
    CodeRule {
        name: "linear-form",
        summary: "sums of words with numbers as factors, equal parts put together",
        apply: |graph| linear::normalise(graph, Sort::Word),
    },
    CodeRule {
        name: "linear-form-pair",
        summary: "sums of pairs with numbers as factors, equal parts put together",
        apply: |graph| linear::normalise(graph, Sort::Pair),
    },
    CodeRule {
        name: "truth-table",
        summary: "any nest of bitwise operations on three words becomes (lop3 t a b c)",
        apply: |graph| tables::fuse(graph, Sort::Word),
    },
    CodeRule {
        name: "truth-table-predicate",
        summary: "any nest of operations on three predicates becomes (plop3 t p q r)",
        apply: |graph| tables::fuse(graph, Sort::Predicate),
    },
    CodeRule {
        name: "byte-permutation",
        summary: "what only moves and clears bytes of two words becomes (prmt a s c)",
        apply: bytes::permute,
    },
];

/// What happened: who made which term, who merged which classes. Rules are numbered: patterns first,
/// then [`CODE_RULES`].
#[derive(Debug, Default)]
pub struct History {
    /// How often each rule made something new.
    pub fired: Vec<u64>,
    made: Vec<(Range<usize>, usize)>,
    merged: Vec<(Id, usize)>,
    /// A bound ended it, not that nothing was new.
    pub bounded: bool,
}

impl History {
    /// The rule that made each term, by the term in its final form, of those rules that count.
    pub fn makers(&self, graph: &Graph, counts: &dyn Fn(usize) -> bool) -> FxHashMap<Term, usize> {
        let mut makers = FxHashMap::default();
        for (range, rule) in self.made.iter().filter(|(_, rule)| counts(*rule)) {
            for place in range.clone() {
                let term = graph.id_to_node(Id::from(place)).clone();
                let term = term.map_children(|child| graph.find(child));
                makers.entry(term).or_insert(*rule);
            }
        }
        makers
    }

    /// The last rule that found something equal to each class, of those rules that count.
    pub fn mergers(&self, graph: &Graph, counts: &dyn Fn(usize) -> bool) -> FxHashMap<Id, usize> {
        let merged = self.merged.iter().filter(|(_, rule)| counts(*rule));
        merged
            .map(|(class, rule)| (graph.find(*class), *rule))
            .collect()
    }
}

/// Applies rules until nothing is new or a bound is reached. `allowed` tells which rules, by number.
pub fn saturate(
    graph: &mut Graph,
    rules: &[PatternRule],
    limits: Limits,
    allowed: &dyn Fn(usize) -> bool,
) -> History {
    let mut history = History {
        fired: vec![0; rules.len() + CODE_RULES.len()],
        ..History::default()
    };
    graph.rebuild();
    for _ in 0..limits.iterations {
        let before: u64 = history.fired.iter().sum();
        for (place, rule) in CODE_RULES.iter().enumerate() {
            let number = rules.len() + place;
            if allowed(number) {
                let start = graph.nodes().len();
                let new = (rule.apply)(graph);
                history.fired[number] += new.len() as u64;
                history
                    .merged
                    .extend(new.into_iter().map(|class| (class, number)));
                history.made.push((start..graph.nodes().len(), number));
                graph.rebuild();
            }
        }
        let found: Vec<_> = rules
            .iter()
            .enumerate()
            .filter(|(number, _)| allowed(*number))
            .map(|(number, rule)| (number, rule.matches(graph, limits.matches)))
            .collect();
        for (number, matches) in found {
            apply(graph, &rules[number], number, matches, limits, &mut history);
        }
        graph.rebuild();
        if graph.nodes().len() >= limits.nodes {
            history.bounded = true;
            return history;
        }
        if history.fired.iter().sum::<u64>() == before {
            return history;
        }
    }
    history.bounded = true;
    history
}

fn apply(
    graph: &mut Graph,
    rule: &PatternRule,
    number: usize,
    matches: Vec<(Id, egg::Subst)>,
    limits: Limits,
    history: &mut History,
) {
    let start = graph.nodes().len();
    for (class, substitution) in matches {
        if graph.nodes().len() >= limits.nodes {
            break;
        }
        if rule.apply(graph, class, &substitution) {
            history.fired[number] += 1;
            history.merged.push((class, number));
        }
    }
    history.made.push((start..graph.nodes().len(), number));
}
