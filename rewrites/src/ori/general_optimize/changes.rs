//! The classes that changed since a rule was last matched.
//!
//! A match whose classes did not change since the last search was found by that search. Rules are
//! therefore searched only at classes for which a class within the depth of the pattern changed.

use egg::Id;

use super::facts::Graph;
use super::term::{Operator, Term};

/// When classes last changed, by distance: of a class, of its operands, of their operands, …
#[derive(Debug, Default)]
pub struct Changes {
    /// By distance, then by class: the latest search that saw a change; 0 if none did.
    seen: Vec<Vec<u32>>,
    /// By operator, the classes with a term of it.
    classes: Vec<Vec<Id>>,
}

impl Changes {
    /// For patterns with up to this many levels of operands.
    pub fn new(depth: usize) -> Self {
        Changes {
            seen: vec![Vec::new(); depth + 1],
            classes: vec![Vec::new(); Operator::ALL.len()],
        }
    }

    /// Records the changes since the last call as seen by a search; searches are numbered from 1.
    /// The graph is up to date.
    pub fn record(&mut self, graph: &mut Graph, search: u32) {
        let mut changed = std::mem::take(&mut graph.analysis.changed);
        for class in &mut changed {
            *class = graph.find(*class);
        }
        for distance in 0..self.seen.len() {
            let seen = &mut self.seen[distance];
            seen.resize(graph.nodes().len(), 0);
            changed.retain(|class| {
                std::mem::replace(&mut seen[usize::from(*class)], search) != search
            });
            // What is below a class is also below its users.
            for number in 0..changed.len() {
                let users = graph[changed[number]].parents();
                changed.extend(users.map(|user| graph.find(user)));
            }
        }
        self.classes.iter_mut().for_each(Vec::clear);
        for class in graph.classes() {
            for operator in class.nodes.iter().filter_map(Term::operator) {
                // The terms of a class are sorted by their heads.
                let classes = &mut self.classes[operator as usize];
                if classes.last() != Some(&class.id) {
                    classes.push(class.id);
                }
            }
        }
    }

    /// The classes with a term of an operator for which a class within `depth` levels changed after a
    /// search, in the order of the graph.
    pub fn since(&self, search: u32, operator: Operator, depth: usize) -> impl Iterator<Item = Id> {
        let classes = self.classes[operator as usize].iter().copied();
        classes.filter(move |class| self.seen[depth][usize::from(*class)] > search)
    }
}
