//! Equality saturation, bounded and in deterministic order.
//!
//! Each iteration matches all rules against the unchanged graph, where it changed since they were
//! last matched, then applies the matches rule by rule, then restores congruence. Saturation ends when nothing is new, or at a limit: iterations,
//! terms, matches of a rule per iteration, work. Time is not a limit, so that the same input gives
//! the same output.

use std::ops::Range;

use egg::{Id, Language, Subst};
use rustc_hash::FxHashMap;

use super::changes::Changes;
use super::facts::{Graph, update};
use super::rules::PatternRule;
use super::term::{Sort, Term};
use super::{bytes, linear, tables};

/// The limits of a saturation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of terms of the graph.
    pub nodes: usize,
    /// Maximum number of iterations.
    pub iterations: usize,
    /// Maximum number of matches of one rule in an iteration.
    pub matches: usize,
}

/// A rule implemented in code: name without prefix, summary, and implementation.
pub struct CodeRule {
    /// The name.
    pub name: &'static str,
    /// A one-line description of the replacement.
    pub summary: &'static str,
    /// Applies it everywhere; returns the classes where that was new.
    pub apply: fn(&mut Graph) -> Vec<Id>,
}

/// The rules that are code, in order of application.
pub const CODE_RULES: [CodeRule; 5] = [
    CodeRule {
        name: "linear-form",
        summary: "normalizes linear combinations of 32-bit values and merges equal terms",
        apply: |graph| linear::normalise(graph, Sort::Word),
    },
    CodeRule {
        name: "linear-form-pair",
        summary: "normalizes linear combinations of 64-bit values and merges equal terms",
        apply: |graph| linear::normalise(graph, Sort::Pair),
    },
    CodeRule {
        name: "truth-table",
        summary: "combines bitwise operations on three 32-bit values into (lop3 t a b c)",
        apply: |graph| tables::fuse(graph, Sort::Word),
    },
    CodeRule {
        name: "truth-table-predicate",
        summary: "combines operations on three predicates into (plop3 t p q r)",
        apply: |graph| tables::fuse(graph, Sort::Predicate),
    },
    CodeRule {
        name: "byte-permutation",
        summary: "combines operations that move and clear bytes of two 32-bit values into (prmt a \
                  s c)",
        apply: bytes::permute,
    },
];

/// The history: which rule created each term and merged each class. Rules are indexed: patterns
/// first, then [`CODE_RULES`].
#[derive(Debug, Default)]
pub struct History {
    /// How often each rule made something new.
    pub fired: Vec<u64>,
    made: Vec<(Range<usize>, usize)>,
    merged: Vec<(Id, usize)>,
    /// The limit that ended it; `None` if nothing was new.
    pub bound: Option<Bound>,
}

/// The limit that ended a saturation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The iteration limit was reached.
    Iterations,
    /// The term limit was reached.
    Terms,
    /// The work of the graph is spent.
    Work,
}

/// Which rules may be used.
pub struct Permission<'p> {
    /// Whether a rule may be used at all, by index.
    pub allowed: &'p dyn Fn(usize) -> bool,
    /// Whether a single match of a pattern, or one application of a code rule, is admitted, by rule
    /// index.
    pub admits: &'p dyn Fn(usize) -> bool,
}

impl Permission<'_> {
    /// All rules, everywhere.
    pub const ALL: Permission<'static> = Permission {
        allowed: &|_| true,
        admits: &|_| true,
    };
}

impl History {
    /// The rule that created each term, by the term in its final form, restricted to rules that
    /// count.
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

    /// The last rule that found something equal to each class, restricted to rules that count.
    pub fn mergers(&self, graph: &Graph, counts: &dyn Fn(usize) -> bool) -> FxHashMap<Id, usize> {
        let merged = self.merged.iter().filter(|(_, rule)| counts(*rule));
        merged
            .map(|(class, rule)| (graph.find(*class), *rule))
            .collect()
    }
}

/// Applies rules until nothing is new or a bound is reached.
pub fn saturate(
    graph: &mut Graph,
    rules: &[PatternRule],
    limits: Limits,
    permission: &Permission<'_>,
) -> History {
    let mut history = History {
        fired: vec![0; rules.len() + CODE_RULES.len()],
        ..History::default()
    };
    let mut schedule = Schedule::new(rules, limits);
    update(graph);
    for iteration in 0..limits.iterations {
        let before: u64 = history.fired.iter().sum();
        apply_code(graph, rules.len(), permission, &mut history);
        let found = schedule.search(graph, rules, iteration, permission.allowed);
        for (number, matches) in found {
            let start = graph.nodes().len();
            let mut new = 0;
            for (class, substitution) in matches {
                if graph.nodes().len() >= limits.nodes || graph.analysis.work.is_spent() {
                    break;
                }
                if (permission.admits)(number) && rules[number].apply(graph, class, &substitution) {
                    new += 1;
                    history.merged.push((class, number));
                }
            }
            history.fired[number] += new;
            history.made.push((start..graph.nodes().len(), number));
            schedule.note(number, iteration, new);
        }
        update(graph);
        let work = graph.analysis.work.is_spent().then_some(Bound::Work);
        let terms = (graph.nodes().len() >= limits.nodes).then_some(Bound::Terms);
        history.bound = work.or(terms);
        if history.bound.is_some() {
            return history;
        }
        if history.fired.iter().sum::<u64>() == before && !schedule.resume(iteration) {
            return history;
        }
    }
    history.bound = Some(Bound::Iterations);
    history
}

/// Applies the code rules, each where possible.
fn apply_code(graph: &mut Graph, first: usize, permission: &Permission<'_>, history: &mut History) {
    for (place, rule) in CODE_RULES.iter().enumerate() {
        let number = first + place;
        let spent = graph.analysis.work.is_spent();
        if spent || !(permission.allowed)(number) || !(permission.admits)(number) {
            continue;
        }
        let start = graph.nodes().len();
        let new = (rule.apply)(graph);
        history.fired[number] += new.len() as u64;
        let merged = new.into_iter().map(|class| (class, number));
        history.merged.extend(merged);
        history.made.push((start..graph.nodes().len(), number));
        update(graph);
    }
}

/// The ratio of searched matches to new ones: others may be equal already, or by another rule.
const SEARCHED: usize = 16;

/// Backoff scheduling: a pattern that finds too many new matches in an iteration is suspended for
/// some iterations, longer each time, so that other patterns are applied.
struct Schedule {
    limit: usize,
    rests_until: Vec<usize>,
    rested: Vec<u32>,
    changes: Changes,
    /// The number of searches so far.
    searches: u32,
    /// By rule, the last search that found all of its matches; 0 if there was none.
    complete: Vec<u32>,
}

/// The matches of rules, by index.
type Found = Vec<(usize, Vec<(Id, Subst)>)>;

impl Schedule {
    fn new(rules: &[PatternRule], limits: Limits) -> Self {
        Schedule {
            limit: limits.matches,
            rests_until: vec![0; rules.len()],
            rested: vec![0; rules.len()],
            changes: Changes::new(rules.iter().map(|rule| rule.depth).max().unwrap_or(0)),
            searches: 0,
            complete: vec![0; rules.len()],
        }
    }

    /// The new matches of all rules that are allowed and not suspended.
    fn search(
        &mut self,
        graph: &mut Graph,
        rules: &[PatternRule],
        iteration: usize,
        allowed: &dyn Fn(usize) -> bool,
    ) -> Found {
        self.searches += 1;
        self.changes.record(graph, self.searches);
        let limit = self.limit * SEARCHED;
        let mut all = Vec::new();
        for (number, rule) in rules.iter().enumerate() {
            if self.rests_until[number] > iteration || !allowed(number) {
                continue;
            }
            let Some(root) = rule.root else { continue };
            let last = self.complete[number];
            let mut classes = self.changes.since(last, root, rule.depth).peekable();
            if classes.peek().is_none() {
                continue;
            }
            let (found, complete) = rule.matches(graph, limit, classes);
            if complete {
                self.complete[number] = self.searches;
            }
            if !found.is_empty() {
                all.push((number, found));
            }
        }
        all
    }

    /// Records how many new matches a rule found.
    fn note(&mut self, rule: usize, iteration: usize, new: u64) {
        let times = self.rested[rule].min(8);
        if new > (self.limit as u64) << times {
            self.rests_until[rule] = iteration + 1 + (1 << times);
            self.rested[rule] += 1;
        }
    }

    /// Ends all suspensions after an iteration; returns whether there were any.
    fn resume(&mut self, iteration: usize) -> bool {
        let mut any = false;
        for until in &mut self.rests_until {
            any |= *until > iteration + 1;
            *until = 0;
        }
        any
    }
}
