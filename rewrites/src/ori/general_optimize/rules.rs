//! Pattern rules, read from `rules.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use egg::{ENodeOrVar, Id, PatternAst, RecExpr, Subst, Var};

use super::conditions::Condition;
use super::facts::Graph;
use super::matching::Matcher;
pub use super::rule_text::{RuleText, parse};
use super::term::{Head, Operator, Sort, Term};

/// The prefix of rule names.
pub const PREFIX: &str = "ori-general-";

/// A rule of `rules.toml`, as the build script writes it: `each` is written out.
struct Row {
    name: &'static str,
    lhs: &'static str,
    rhs: &'static str,
    when: &'static [&'static str],
    words: &'static [u32],
    contracts: bool,
}

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The rules of this pass.
pub fn texts() -> Vec<RuleText> {
    let rows = ROWS.iter().map(|row| RuleText {
        name: row.name.to_owned(),
        lhs: row.lhs.to_owned(),
        rhs: row.rhs.to_owned(),
        when: row.when.iter().map(|&when| when.to_owned()).collect(),
        each: Vec::new(),
        words: row.words.to_vec(),
        contracts: row.contracts,
    });
    rows.collect()
}

/// A rule for a fixed word width.
#[derive(Clone, Debug)]
pub struct PatternRule {
    /// The text.
    pub text: RuleText,
    /// The levels of operands of the left side.
    pub depth: usize,
    /// The operator of the left side.
    pub root: Option<Operator>,
    word: u32,
    /// The text as terms, read on first use.
    body: OnceLock<Body>,
}

/// The text of a rule as terms.
#[derive(Clone, Debug)]
struct Body {
    /// Whether both sides consist of the same tokens.
    only_moves: bool,
    lhs: PatternAst<Term>,
    rhs: PatternAst<Term>,
    conditions: Vec<Condition>,
}

impl Body {
    fn read(text: &RuleText, word: u32) -> Result<Self, String> {
        let in_rule = |message: String| format!("rule '{}': {message}", text.name);
        let lhs = side(&text.lhs, word).map_err(in_rule)?;
        let rhs = side(&text.rhs, word).map_err(in_rule)?;
        let conditions: Result<Vec<_>, _> = text
            .when
            .iter()
            .map(|condition| Condition::parse(&at_width(condition, word)))
            .collect();
        let conditions = conditions.map_err(in_rule)?;
        let known: Vec<Var> = variables_of(&lhs).collect();
        if let Some(stray) = variables_of(&rhs).find(|variable| !known.contains(variable)) {
            return Err(in_rule(format!("{stray} does not occur on the left side")));
        }
        Ok(Body {
            only_moves: text.only_moves(),
            lhs,
            rhs,
            conditions,
        })
    }
}

impl PatternRule {
    /// A rule for words of `word` bits; `None` if it does not hold for that width.
    ///
    /// # Errors
    /// Fails if a side is not a term, a condition is invalid, or a variable of the right side does
    /// not occur on the left.
    pub fn new(text: &RuleText, word: u32) -> Result<Option<Self>, String> {
        let Some(rule) = PatternRule::unread(text, word) else {
            return Ok(None);
        };
        let body = OnceLock::from(Body::read(text, word)?);
        Ok(Some(PatternRule { body, ..rule }))
    }

    /// The same, but the text is read on first use: a program has the operators of some rules only,
    /// and to read all of them takes as long as to rewrite a small one.
    pub fn unread(text: &RuleText, word: u32) -> Option<Self> {
        let root = text.lhs.trim_start_matches('(').split(' ').next();
        text.holds_for(word).then(|| PatternRule {
            text: text.clone(),
            depth: nesting(&text.lhs),
            word,
            root: root.and_then(Operator::named),
            body: OnceLock::new(),
        })
    }

    /// The text as terms.
    ///
    /// # Panics
    /// Panics if the text is malformed: rules of users are read by [`PatternRule::new`].
    fn body(&self) -> &Body {
        self.body
            .get_or_init(|| match Body::read(&self.text, self.word) {
                Ok(body) => body,
                Err(message) => panic!("rules.toml: {message}"),
            })
    }

    /// Whether both sides consist of the same tokens.
    pub fn only_moves(&self) -> bool {
        self.body().only_moves
    }

    /// The matches at some classes, at most `limit` before conditions are checked, in an order that
    /// depends only on the graph; and whether these are all. Stops when the work of the graph is
    /// spent.
    pub fn matches(
        &self,
        graph: &Graph,
        limit: usize,
        classes: impl Iterator<Item = Id>,
    ) -> (Vec<(Id, Subst)>, bool) {
        let mut all = Vec::new();
        let mut matcher = Matcher::new(graph, &self.body().lhs, limit);
        for class in classes {
            matcher.search(class, &mut |substitution| {
                if self.holds(graph, &substitution) {
                    all.push((class, substitution));
                }
            });
            if matcher.is_done() {
                return (all, false);
            }
        }
        (all, true)
    }

    /// Whether the conditions hold for a match.
    pub fn holds(&self, graph: &Graph, substitution: &Subst) -> bool {
        let mut conditions = self.body().conditions.iter();
        conditions.all(|condition| condition.holds(graph, substitution))
    }

    /// Adds the right side and merges it with the class; returns whether that was new.
    pub fn apply(&self, graph: &mut Graph, class: egg::Id, substitution: &Subst) -> bool {
        let right = graph.add_instantiation(&self.body().rhs, substitution);
        graph.union(class, right)
    }

    /// The left side.
    pub fn left(&self) -> &PatternAst<Term> {
        &self.body().lhs
    }

    /// The right side.
    pub fn right(&self) -> &PatternAst<Term> {
        &self.body().rhs
    }

    /// The variables and their sorts, by name.
    pub fn variables(&self) -> BTreeMap<Var, Sort> {
        let mut sorts = BTreeMap::new();
        let nodes = self.body().lhs.as_ref();
        for node in nodes {
            let ENodeOrVar::ENode(term) = node else {
                continue;
            };
            for (number, child) in term.children.iter().enumerate() {
                if let ENodeOrVar::Var(variable) = &nodes[usize::from(*child)] {
                    let sort = term.operator().map(|op| op.operand_sort(number));
                    sorts.insert(*variable, sort.unwrap_or(Sort::Word));
                }
            }
        }
        sorts
    }
}

/// The variables of a side, in the order in which they occur.
fn variables_of(side: &PatternAst<Term>) -> impl Iterator<Item = Var> {
    side.as_ref().iter().filter_map(|node| match node {
        ENodeOrVar::Var(variable) => Some(*variable),
        ENodeOrVar::ENode(_) => None,
    })
}

/// How deep the parentheses of a term are nested.
fn nesting(text: &str) -> usize {
    let mut most = 0;
    text.chars().fold(0usize, |depth, letter| {
        let depth = match letter {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        most = most.max(depth);
        depth
    });
    most
}

/// The rules for a word width, in file order.
///
/// # Errors
/// Reports the first malformed rule.
pub fn for_width(texts: &[RuleText], word: u32) -> Result<Vec<PatternRule>, String> {
    let rules = texts.iter().map(|text| PatternRule::new(text, word));
    rules.filter_map(Result::transpose).collect()
}

fn at_width(text: &str, word: u32) -> String {
    text.replace("$w-1", &(word - 1).to_string())
        .replace("$w", &word.to_string())
}

/// Parses a side of a rule and truncates its constants to their sort.
fn side(text: &str, word: u32) -> Result<PatternAst<Term>, String> {
    let pattern: PatternAst<Term> = at_width(text, word)
        .parse()
        .map_err(|error| format!("'{text}': {error}"))?;
    let mut result = RecExpr::default();
    for node in pattern.as_ref() {
        let mut node = node.clone();
        if let ENodeOrVar::ENode(term) = &mut node
            && let Head::Number(bits, sort) = term.head
        {
            term.head = Head::Number(bits & sort.mask(word), sort);
        }
        result.add(node);
    }
    Ok(result)
}
