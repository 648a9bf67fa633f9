//! Truth tables: any nest of bitwise operations on up to three inputs is one LOP3 or PLOP3.
//!
//! A cut of a class is an equal bitwise function of at most three other classes. The cuts of an
//! operation are combined from those of its operands; a class keeps the few with the fewest inputs.
//! A table that is a constant, an input or its negation is simplified.

use egg::Id;
use orison_machine::words::{composed, depends, projection};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::facts::{Graph, constant};
use super::term::{Operator, Sort, Term};

/// The maximum number of cuts per class.
const CUTS: usize = 6;
/// How often all classes are visited: nests of this depth are found at once, deeper ones in the
/// next iteration.
const ROUNDS: usize = 4;

/// A function of up to three classes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Cut {
    inputs: SmallVec<[Id; 3]>,
    lut: u8,
}

impl Cut {
    fn number(lut: u8) -> Self {
        Cut {
            inputs: SmallVec::new(),
            lut,
        }
    }

    fn trivial(class: Id) -> Self {
        Cut {
            inputs: SmallVec::from_slice(&[class]),
            lut: projection(0),
        }
    }

    /// The same function without inputs it does not depend on.
    fn reduced(mut self) -> Self {
        while let Some(idle) = (0..self.inputs.len()).find(|input| !depends(self.lut, *input)) {
            let before = self.inputs.clone();
            self.inputs.remove(idle);
            let places = [0, 1, 2].map(|old| place_of(&self.inputs, before.get(old)));
            self.lut = composed(self.lut, places);
        }
        self
    }
}

/// The table of an input by its position among others; for absent inputs, the value is irrelevant.
fn place_of(inputs: &[Id], input: Option<&Id>) -> u8 {
    let place = input.and_then(|input| inputs.iter().position(|known| known == input));
    place.map_or(0, projection)
}

/// The table of a bitwise operator on its inputs, and how many operands precede these.
fn lut_of(graph: &Graph, term: &Term, sort: Sort) -> Option<(u8, usize)> {
    let operator = term.operator().filter(|operator| operator.sort() == sort)?;
    match operator {
        Operator::Table | Operator::PredicateTable => {
            let lut = constant(graph, *term.children.first()?)?;
            Some((u8::try_from(lut).ok()?, 1))
        }
        _ => Some((operator.truth_table()?, 0)),
    }
}

/// The cuts by class.
#[derive(Default)]
struct Cuts {
    of: FxHashMap<Id, Vec<Cut>>,
}

impl Cuts {
    fn operand(&self, graph: &Graph, class: Id) -> Vec<Cut> {
        let facts = graph[class].data;
        let all = facts.sort.mask(graph.analysis.word);
        match constant(graph, class) {
            Some(0) => return vec![Cut::number(0)],
            Some(value) if value == all => return vec![Cut::number(0xff)],
            _ => {}
        }
        let mut cuts = vec![Cut::trivial(class)];
        cuts.extend(self.of.get(&class).into_iter().flatten().cloned());
        cuts
    }

    /// Combines the cuts of the operands of an operation.
    fn combine(&self, graph: &Graph, class: Id, lut: u8, operands: &[Id], found: &mut Vec<Cut>) {
        let choices = [0, 1, 2].map(|number| {
            let operand = operands.get(number);
            operand.map_or_else(
                || vec![Cut::number(0)],
                |operand| self.operand(graph, graph.find(*operand)),
            )
        });
        for a in &choices[0] {
            for b in &choices[1] {
                // Adding a third cut cannot reduce four inputs.
                if inputs_of(&[a, b]).is_none() {
                    continue;
                }
                graph.analysis.work.spend(choices[2].len() as u64);
                for c in &choices[2] {
                    found.extend(together(lut, [a, b, c], class));
                }
            }
        }
    }
}

/// The distinct inputs of cuts; `None` if there are more than three.
fn inputs_of(cuts: &[&Cut]) -> Option<SmallVec<[Id; 3]>> {
    let mut inputs: SmallVec<[Id; 3]> = SmallVec::new();
    for input in cuts.iter().flat_map(|cut| &cut.inputs) {
        if !inputs.contains(input) {
            if inputs.len() == 3 {
                return None;
            }
            inputs.push(*input);
        }
    }
    Some(inputs)
}

/// A function of three cuts as a cut, unless it needs more than three inputs or the class itself.
fn together(lut: u8, cuts: [&Cut; 3], class: Id) -> Option<Cut> {
    let mut inputs = inputs_of(&cuts).filter(|inputs| !inputs.contains(&class))?;
    inputs.sort_unstable();
    let tables = cuts.map(|cut| {
        let places = [0, 1, 2].map(|old| place_of(&inputs, cut.inputs.get(old)));
        composed(cut.lut, places)
    });
    let lut = composed(lut, tables);
    Some(Cut { inputs, lut }.reduced())
}

/// The term of a cut; an unchanged input is returned as such.
fn term_of(graph: &mut Graph, cut: &Cut, sort: Sort) -> Id {
    let word = sort == Sort::Word;
    let not = if word {
        Operator::Not
    } else {
        Operator::PredicateNot
    };
    let zero = |graph: &mut Graph| graph.add(Term::number(0, sort));
    match (cut.inputs.as_slice(), cut.lut) {
        ([], 0) => zero(graph),
        ([], _) => {
            let ones = sort.mask(graph.analysis.word);
            graph.add(Term::number(ones, sort))
        }
        ([one], lut) if lut == projection(0) => *one,
        ([one], _) => graph.add(Term::new(not, &[*one])),
        ([a, b], lut @ (0xc0 | 0xfc | 0x3c)) => {
            let operator = match (lut, word) {
                (0xc0, true) => Operator::And,
                (0xfc, true) => Operator::Or,
                (_, true) => Operator::Xor,
                (0xc0, false) => Operator::PredicateAnd,
                (0xfc, false) => Operator::PredicateOr,
                (_, false) => Operator::PredicateXor,
            };
            graph.add(Term::new(operator, &[*a, *b]))
        }
        (inputs, lut) => {
            let table = graph.add(Term::number(lut.into(), Sort::Word));
            let operator = if word {
                Operator::Table
            } else {
                Operator::PredicateTable
            };
            let mut children = [table; 4];
            for place in 0..3 {
                children[place + 1] = match inputs.get(place) {
                    Some(input) => *input,
                    None => zero(graph),
                };
            }
            graph.add(Term::new(operator, &children))
        }
    }
}

/// Adds the terms of the cuts of all classes of a sort; returns the classes where that was new.
///
/// Words narrower than eight bits cannot hold a table and are skipped.
pub fn fuse(graph: &mut Graph, sort: Sort) -> Vec<Id> {
    if graph.analysis.word < 8 {
        return Vec::new();
    }
    let mut classes: Vec<Id> = graph
        .classes()
        .filter(|class| class.data.sort == sort)
        .filter(|class| {
            class
                .nodes
                .iter()
                .any(|term| lut_of(graph, term, sort).is_some())
        })
        .map(|class| class.id)
        .collect();
    classes.sort_unstable();
    let mut cuts = Cuts::default();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for class in &classes {
            let mut found = cuts.of.get(class).cloned().unwrap_or_default();
            let before = found.len();
            if graph.analysis.work.is_spent() {
                break;
            }
            for term in &graph[*class].nodes {
                graph.analysis.work.spend(1);
                if let Some((lut, first)) = lut_of(graph, term, sort) {
                    cuts.combine(graph, *class, lut, &term.children[first..], &mut found);
                }
            }
            found.sort_unstable_by(|a, b| (a.inputs.len(), a).cmp(&(b.inputs.len(), b)));
            found.dedup_by(|a, b| a.inputs == b.inputs);
            found.truncate(CUTS);
            changed |= found.len() != before;
            cuts.of.insert(*class, found);
        }
        if !changed {
            break;
        }
    }
    let mut new = Vec::new();
    for class in classes {
        for cut in cuts.of.remove(&class).unwrap_or_default() {
            let term = term_of(graph, &cut, sort);
            if graph.union(class, term) {
                new.push(class);
            }
        }
    }
    new
}
