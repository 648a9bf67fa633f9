//! All values of narrow words, one column at a time: inner variables take all their values in a
//! column while the outer ones are fixed.

use std::collections::BTreeMap;

use egg::{ENodeOrVar, Id, PatternAst, Subst, Var};
use orison_rewrites::ori::general_optimize::evaluate::evaluate;
use orison_rewrites::ori::general_optimize::facts::{Graph, Knowledge};
use orison_rewrites::ori::general_optimize::rules::{PatternRule, RuleText};
use orison_rewrites::ori::general_optimize::term::{Head, Sort, Term};

/// Bits of a column: larger columns do not fit the cache.
const COLUMN: u32 = 16;
/// The maximum number of variable bits in one condition.
const CONDITION: u32 = 16;
/// No value.
const NONE: u64 = u64::MAX;

/// Variables with their sorts, outer ones first.
struct Variables {
    all: Vec<(Var, Sort)>,
    /// The number of outer variables.
    outer: usize,
    word: u32,
}

impl Variables {
    fn new(rule: &PatternRule, word: u32) -> Self {
        // Variables of conditions are outer ones, so that a whole column can be skipped.
        let asked = |variable: &Var| {
            let name = variable.to_string();
            let when = &rule.text.when;
            when.iter()
                .any(|text| text.split_whitespace().any(|part| part == name))
        };
        let mut all: Vec<(Var, Sort)> = rule.variables().into_iter().collect();
        all.sort_by_key(|(variable, sort)| (!asked(variable), sort.bits(word)));
        let mut outer = all.len();
        let mut bits = 0;
        while outer > 0 && (bits == 0 || bits + all[outer - 1].1.bits(word) <= COLUMN) {
            outer -= 1;
            bits += all[outer].1.bits(word);
        }
        Variables { all, outer, word }
    }

    fn bits_of(&self, part: &[(Var, Sort)]) -> u32 {
        part.iter().map(|(_, sort)| sort.bits(self.word)).sum()
    }

    /// The values of some variables for an assignment index.
    fn assigned(&self, part: &[(Var, Sort)], mut number: u64) -> Vec<u64> {
        let values = part.iter().map(|(_, sort)| {
            let value = number & sort.mask(self.word);
            number >>= sort.bits(self.word);
            value
        });
        values.collect()
    }
}

/// A node of a pattern with its column: one value if it does not depend on inner variables.
struct Column {
    values: Vec<u64>,
    on_inner: bool,
    on_outer: bool,
}

/// A side of a rule.
struct Side<'p> {
    nodes: &'p [ENodeOrVar<Term>],
    columns: Vec<Column>,
}

impl<'p> Side<'p> {
    fn new(pattern: &'p PatternAst<Term>, variables: &Variables) -> Self {
        let nodes = pattern.as_ref();
        let length = 1usize << variables.bits_of(&variables.all[variables.outer..]);
        let mut columns: Vec<Column> = Vec::new();
        for node in nodes {
            let (on_inner, on_outer) = match node {
                ENodeOrVar::Var(variable) => {
                    let place = variables
                        .all
                        .iter()
                        .position(|(known, _)| known == variable);
                    let inner = place.unwrap() >= variables.outer;
                    (inner, !inner)
                }
                ENodeOrVar::ENode(term) => {
                    let mut children = term
                        .children
                        .iter()
                        .map(|child| &columns[usize::from(*child)]);
                    let inner = children.clone().any(|child| child.on_inner);
                    (inner, children.any(|child| child.on_outer))
                }
            };
            let values = vec![NONE; if on_inner { length } else { 1 }];
            columns.push(Column {
                values,
                on_inner,
                on_outer,
            });
        }
        Side { nodes, columns }
    }

    /// Computes the columns; those that depend on no outer variable only once.
    fn compute(&mut self, variables: &Variables, outer: &[u64], first: bool) {
        for place in 0..self.nodes.len() {
            if !first && !self.columns[place].on_outer {
                continue;
            }
            let mut values = std::mem::take(&mut self.columns[place].values);
            match &self.nodes[place] {
                ENodeOrVar::Var(variable) => {
                    let known = variables
                        .all
                        .iter()
                        .position(|(known, _)| known == variable);
                    let number = known.unwrap();
                    if number < variables.outer {
                        values[0] = outer[number];
                    } else {
                        let inner = &variables.all[variables.outer..];
                        let before = &inner[..number - variables.outer];
                        let shift = variables.bits_of(before);
                        let mask = variables.all[number].1.mask(variables.word);
                        for (row, value) in (0u64..).zip(&mut values) {
                            *value = row >> shift & mask;
                        }
                    }
                }
                ENodeOrVar::ENode(term) => self.apply(term, variables.word, &mut values),
            }
            self.columns[place].values = values;
        }
    }

    fn apply(&self, term: &Term, word: u32, values: &mut [u64]) {
        let operator = match term.head {
            Head::Number(bits, _) => {
                values[0] = bits;
                return;
            }
            Head::Operator(operator) => operator,
            Head::Leaf(..) | Head::Machine(..) => panic!("no such term stands in a rule"),
        };
        let columns: Vec<&Column> = term
            .children
            .iter()
            .map(|child| &self.columns[usize::from(*child)])
            .collect();
        let mut operands = [0; 4];
        for (row, value) in values.iter_mut().enumerate() {
            for (operand, column) in operands.iter_mut().zip(&columns) {
                *operand = column.values[if column.on_inner { row } else { 0 }];
            }
            let operands = &operands[..columns.len()];
            *value = if operands.contains(&NONE) {
                NONE
            } else {
                evaluate(operator, word, operands).unwrap_or(NONE)
            };
        }
    }

    fn value(&self, row: usize) -> u64 {
        let root = self.columns.last().unwrap();
        root.values[if root.on_inner { row } else { 0 }]
    }
}

/// Whether one condition holds, for all values of its variables.
struct Answers {
    /// Positions of the variables.
    places: Vec<usize>,
    holds: Vec<bool>,
}

impl Answers {
    fn new(text: &RuleText, condition: &str, variables: &Variables) -> Option<Self> {
        let mut alone = text.clone();
        alone.when = vec![condition.to_owned()];
        let rule = PatternRule::new(&alone, variables.word).unwrap()?;
        let asked = |variable: &Var| {
            let name = variable.to_string();
            condition.split_whitespace().any(|part| part == name)
        };
        let places: Vec<usize> = (0..variables.all.len())
            .filter(|place| asked(&variables.all[*place].0))
            .collect();
        let part: Vec<(Var, Sort)> = places.iter().map(|place| variables.all[*place]).collect();
        let bits = variables.bits_of(&part);
        if bits > CONDITION {
            return None;
        }
        let mut graph = Graph::new(Knowledge::new(variables.word));
        let holds = (0..1u64 << bits).map(|number| {
            let mut substitution = Subst::default();
            for ((variable, sort), value) in part.iter().zip(variables.assigned(&part, number)) {
                let id: Id = graph.add(Term::number(value, *sort));
                substitution.insert(*variable, id);
            }
            rule.holds(&graph, &substitution)
        });
        Some(Answers {
            holds: holds.collect(),
            places,
        })
    }

    fn on_inner(&self, variables: &Variables) -> bool {
        self.places.iter().any(|place| *place >= variables.outer)
    }

    fn holds(&self, variables: &Variables, values: &dyn Fn(usize) -> u64) -> bool {
        let (mut number, mut shift) = (0, 0);
        for place in &self.places {
            number |= values(*place) << shift;
            shift += variables.all[*place].1.bits(variables.word);
        }
        self.holds[usize::try_from(number).unwrap()]
    }
}

/// A rule prepared for checking, with its conditions evaluated.
struct Prepared {
    rule: PatternRule,
    variables: Variables,
    /// Conditions that do not depend on inner variables, and those that do.
    outer: Vec<Answers>,
    inner: Vec<Answers>,
}

impl Prepared {
    fn new(text: &RuleText, word: u32) -> Option<Self> {
        let rule = PatternRule::new(text, word).unwrap()?;
        let variables = Variables::new(&rule, word);
        let answers = text
            .when
            .iter()
            .map(|when| Answers::new(text, when, &variables));
        let answers: Option<Vec<Answers>> = answers.collect();
        let (inner, outer) = answers?
            .into_iter()
            .partition(|answers| answers.on_inner(&variables));
        Some(Prepared {
            rule,
            variables,
            outer,
            inner,
        })
    }

    /// The assignments of the outer variables that the conditions allow.
    fn outer(&self) -> impl Iterator<Item = Vec<u64>> {
        let part = &self.variables.all[..self.variables.outer];
        let all = 0..1u64 << self.variables.bits_of(part);
        let assigned = all.map(|number| self.variables.assigned(part, number));
        assigned.filter(|values| {
            let holds = |answers: &Answers| answers.holds(&self.variables, &|place| values[place]);
            self.outer.iter().all(holds)
        })
    }
}

/// Whether a rule has at most `most` assignments to check: all values of its variables that its
/// conditions allow, as far as these are evaluated in advance. False if the rule does not hold for
/// words of that width.
pub fn fits(text: &RuleText, word: u32, most: u64) -> bool {
    let Some(prepared) = Prepared::new(text, word) else {
        return false;
    };
    let (outer, inner) = prepared.variables.all.split_at(prepared.variables.outer);
    let columns = most >> prepared.variables.bits_of(inner);
    // Finding the allowed outer assignments takes time as well.
    let bits = prepared.variables.bits_of(outer);
    let few = 1u64 << bits <= columns;
    few || bits <= 20 && !text.when.is_empty() && prepared.outer().count() as u64 <= columns
}

/// Checks a rule on integers for all values of its variables; returns how many its conditions
/// allow, or the error. `None` if a condition depends on too many bits.
pub fn check(text: &RuleText, word: u32) -> Option<Result<u64, String>> {
    let prepared = Prepared::new(text, word)?;
    let variables = &prepared.variables;
    let mut sides = [
        Side::new(prepared.rule.left(), variables),
        Side::new(prepared.rule.right(), variables),
    ];
    let inner_part = &variables.all[variables.outer..];
    let rows = 1usize << variables.bits_of(inner_part);
    let mut held = 0;
    let mut first = true;
    for values in prepared.outer() {
        for side in &mut sides {
            side.compute(variables, &values, first);
        }
        first = false;
        for row in 0..rows {
            let (left, right) = (sides[0].value(row), sides[1].value(row));
            let assigned = || {
                let mut all = values.clone();
                all.extend(variables.assigned(inner_part, row as u64));
                all
            };
            if left == NONE {
                continue;
            }
            if !prepared.inner.is_empty() {
                let all = assigned();
                let holds = |answers: &Answers| answers.holds(variables, &|place| all[place]);
                if !prepared.inner.iter().all(holds) {
                    continue;
                }
            }
            held += 1;
            if left != right {
                let names = variables.all.iter().map(|(variable, _)| *variable);
                let assigned: BTreeMap<Var, u64> = names.zip(assigned()).collect();
                return Some(Err(format!(
                    "rule '{}' is unsound for words of {word} bits: with {assigned:x?} the left \
                     side is {left:#x}, the right side {right:x?}",
                    text.name
                )));
            }
        }
    }
    Some(Ok(held))
}
