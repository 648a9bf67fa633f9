//! Matching of a pattern against the classes of a graph.

use egg::{ENodeOrVar, Id, Language, PatternAst, Subst, Var};
use smallvec::SmallVec;

use super::facts::Graph;
use super::term::Term;

/// A search for a pattern in an up-to-date graph.
pub(super) struct Matcher<'m> {
    graph: &'m Graph,
    pattern: &'m [ENodeOrVar<Term>],
    /// The variables bound so far.
    bound: SmallVec<[(Var, Id); 8]>,
    found: usize,
    limit: usize,
}

/// The operands that are still to be matched: those of a term, then the rest.
struct Rest<'r> {
    /// Positions in the pattern.
    wanted: &'r [Id],
    classes: &'r [Id],
    rest: Option<&'r Rest<'r>>,
}

impl<'m> Matcher<'m> {
    /// A search that ends after `limit` matches.
    pub(super) fn new(graph: &'m Graph, pattern: &'m PatternAst<Term>, limit: usize) -> Self {
        Matcher {
            graph,
            pattern: pattern.as_ref(),
            bound: SmallVec::new(),
            found: 0,
            limit,
        }
    }

    /// Whether the search ended at its limit, or because the work of the graph is spent.
    pub(super) fn is_done(&self) -> bool {
        self.found >= self.limit || self.graph.analysis.work.is_spent()
    }

    /// Passes the matches at a class on, in an order that depends only on the graph.
    pub(super) fn search(&mut self, class: Id, found: &mut dyn FnMut(Subst)) {
        if !self.is_done() {
            self.class(self.pattern.len() - 1, class, None, found);
        }
    }

    /// Matches a class and then the rest.
    fn class(
        &mut self,
        wanted: usize,
        class: Id,
        rest: Option<&Rest<'_>>,
        found: &mut dyn FnMut(Subst),
    ) {
        let graph = self.graph;
        let wanted = match &self.pattern[wanted] {
            ENodeOrVar::ENode(wanted) => wanted,
            ENodeOrVar::Var(variable) => {
                let known = self.bound.iter().find(|(known, _)| known == variable);
                match known.map(|(_, known)| *known == class) {
                    Some(true) => self.rest(rest, found),
                    Some(false) => {}
                    None => {
                        self.bound.push((*variable, class));
                        self.rest(rest, found);
                        self.bound.pop();
                    }
                }
                return;
            }
        };
        graph.analysis.work.spend(1);
        // The terms of a class are sorted by their heads.
        let terms = &graph[class].nodes;
        let first = terms.partition_point(|term| term.head < wanted.head);
        for term in terms[first..]
            .iter()
            .take_while(|term| wanted.matches(term))
        {
            graph.analysis.work.spend(1);
            if self.is_done() {
                return;
            }
            let operands = Rest {
                wanted: &wanted.children,
                classes: &term.children,
                rest,
            };
            self.rest(Some(&operands), found);
        }
    }

    fn rest(&mut self, rest: Option<&Rest<'_>>, found: &mut dyn FnMut(Subst)) {
        let Some(Rest {
            wanted,
            classes,
            rest,
        }) = rest
        else {
            self.found += 1;
            let mut substitution = Subst::with_capacity(self.bound.len());
            for (variable, class) in &self.bound {
                substitution.insert(*variable, *class);
            }
            return found(substitution);
        };
        let (Some((first, wanted)), Some((class, classes))) =
            (wanted.split_first(), classes.split_first())
        else {
            return self.rest(*rest, found);
        };
        let others = Rest {
            wanted,
            classes,
            rest: *rest,
        };
        self.class(
            (*first).into(),
            self.graph.find(*class),
            Some(&others),
            found,
        );
    }
}
