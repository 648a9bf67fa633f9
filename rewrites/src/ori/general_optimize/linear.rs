//! Linear forms: a sum of classes with constant factors, plus a constant.
//!
//! Additions, subtractions, negations, shifts and multiplications by a constant are flattened down
//! to other classes, equal classes are combined, and the sum is rebuilt in class order with the
//! constant last: sums that differ only in the constant share the rest.

use egg::Id;
use rustc_hash::FxHashMap;

use super::facts::{Graph, constant};
use super::term::{Operator, Sort, Term};

/// The maximum number of classes in a form; users of a longer sum treat it as one class.
const TERMS: usize = 6;
/// How often all classes are visited. Operands mostly precede their users, so that once is enough;
/// expressions nested deeper than the class order shows are found in the next iteration.
const ROUNDS: usize = 3;

/// A sum of classes with factors, and a constant; modulo the width.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Form {
    /// Nonzero factors by class.
    terms: Vec<(Id, u64)>,
    number: u64,
}

impl Form {
    fn class(class: Id) -> Self {
        Form {
            terms: vec![(class, 1)],
            number: 0,
        }
    }

    /// The first form plus the second one times a factor.
    fn plus(&self, other: &Form, factor: u64, mask: u64) -> Self {
        let mut terms = self.terms.clone();
        for (class, times) in &other.terms {
            let added = times.wrapping_mul(factor) & mask;
            match terms.binary_search_by_key(class, |(known, _)| *known) {
                Ok(place) => terms[place].1 = terms[place].1.wrapping_add(added) & mask,
                Err(place) => terms.insert(place, (*class, added)),
            }
        }
        terms.retain(|(_, times)| *times != 0);
        let number = self.number.wrapping_add(other.number.wrapping_mul(factor)) & mask;
        Form { terms, number }
    }
}

/// The summands of a term: operands with factors, and a constant.
type Parts = (Vec<(Id, u64)>, u64);

/// A term as a sum of its operands; `None` if it is not a sum.
fn parts_of(graph: &Graph, term: &Term) -> Option<Parts> {
    let at = |number: usize| term.children.get(number).copied();
    let number = |place: usize| constant(graph, at(place)?);
    let minus_one = u64::MAX;
    let power = |place: usize| {
        let n = u32::try_from(number(place)?).ok()?;
        1u64.checked_shl(n).filter(|_| n < 64)
    };
    let plain = |operands: &[Id]| operands.iter().map(|id| (*id, 1)).collect::<Vec<_>>();
    let product = |a: usize, b: usize| match (number(a), number(b)) {
        (_, Some(factor)) => Some((at(a)?, factor)),
        (Some(factor), None) => Some((at(b)?, factor)),
        _ => None,
    };
    Some(match term.operator()? {
        Operator::Add | Operator::Add3 | Operator::PairAdd => (plain(&term.children), 0),
        Operator::Negate | Operator::PairNegate => (vec![(at(0)?, minus_one)], 0),
        Operator::Not => (vec![(at(0)?, minus_one)], minus_one),
        Operator::PairSubtract => (vec![(at(0)?, 1), (at(1)?, minus_one)], 0),
        Operator::Multiply => (vec![product(0, 1)?], 0),
        Operator::MultiplyAdd => (vec![product(0, 1)?, (at(2)?, 1)], 0),
        Operator::ShiftLeft | Operator::PairShiftLeft => (vec![(at(0)?, power(1)?)], 0),
        Operator::Lea | Operator::PairLea => (vec![(at(0)?, power(2)?), (at(1)?, 1)], 0),
        _ => return None,
    })
}

/// The known forms of classes: initially, each class is its own form.
struct Forms<'g> {
    graph: &'g Graph,
    known: FxHashMap<Id, Form>,
}

impl Forms<'_> {
    fn of(&self, class: Id) -> Form {
        let class = self.graph.find(class);
        if let Some(known) = self.known.get(&class) {
            return known.clone();
        }
        match constant(self.graph, class) {
            Some(number) => Form {
                terms: Vec::new(),
                number,
            },
            None => Form::class(class),
        }
    }

    /// Flattens a class by its first term that does not refer back to it; returns whether anything
    /// new was found.
    fn look(&mut self, class: Id) -> bool {
        let mask = self.mask(class);
        let terms = &self.graph[class].nodes;
        let mut form = None;
        for term in terms {
            self.graph.analysis.work.spend(1);
            let Some((operands, number)) = parts_of(self.graph, term) else {
                continue;
            };
            let mut sum = Form {
                terms: Vec::new(),
                number: number & mask,
            };
            for (operand, factor) in operands {
                sum = sum.plus(&self.of(operand), factor, mask);
            }
            let loops = sum.terms.iter().any(|(id, _)| *id == class);
            if !loops && sum.terms.len() <= TERMS {
                form = Some(sum);
                break;
            }
        }
        let form = form.unwrap_or_else(|| Form::class(class));
        if self.known.get(&class) == Some(&form) {
            return false;
        }
        self.known.insert(class, form);
        true
    }

    fn mask(&self, class: Id) -> u64 {
        let sort = self.graph[class].data.sort;
        sort.mask(self.graph.analysis.word)
    }
}

/// The sum operators of a sort.
struct Sums {
    sort: Sort,
    add: Operator,
    negate: Operator,
    shift: Operator,
    lea: Operator,
}

const WORDS: Sums = Sums {
    sort: Sort::Word,
    add: Operator::Add,
    negate: Operator::Negate,
    shift: Operator::ShiftLeft,
    lea: Operator::Lea,
};
const PAIRS: Sums = Sums {
    sort: Sort::Pair,
    add: Operator::PairAdd,
    negate: Operator::PairNegate,
    shift: Operator::PairShiftLeft,
    lea: Operator::PairLea,
};

impl Sums {
    /// A class times a factor, plus a sum; `None` if that would multiply pairs.
    fn scaled(&self, graph: &mut Graph, class: Id, factor: u64, sum: Option<Id>) -> Option<Id> {
        let word = graph.analysis.word;
        let mask = self.sort.mask(word);
        let negative = factor.wrapping_neg() & mask;
        let (class, factor) = if negative.is_power_of_two() && !factor.is_power_of_two() {
            (graph.add(Term::new(self.negate, &[class])), negative)
        } else {
            (class, factor)
        };
        let amount = u64::from(factor.trailing_zeros());
        if factor == 1 {
            return Some(self.sum(graph, sum, class));
        }
        if factor.is_power_of_two() && amount < u64::from(word) {
            let amount = graph.add(Term::number(amount, Sort::Word));
            return Some(match sum {
                Some(sum) => graph.add(Term::new(self.lea, &[class, sum, amount])),
                None => graph.add(Term::new(self.shift, &[class, amount])),
            });
        }
        if self.sort == Sort::Pair {
            return None;
        }
        let factor = graph.add(Term::number(factor, self.sort));
        Some(match sum {
            Some(sum) => graph.add(Term::new(Operator::MultiplyAdd, &[class, factor, sum])),
            None => graph.add(Term::new(Operator::Multiply, &[class, factor])),
        })
    }

    fn sum(&self, graph: &mut Graph, sum: Option<Id>, class: Id) -> Id {
        match sum {
            Some(sum) => graph.add(Term::new(self.add, &[sum, class])),
            None => class,
        }
    }

    /// Builds a form as terms: classes with factor one first, then those with factors, then the
    /// constant.
    fn write(&self, graph: &mut Graph, form: &Form) -> Option<Id> {
        let mut sum = None;
        let is_once = |factor: u64| factor == 1;
        let once = form.terms.iter().filter(|(_, factor)| is_once(*factor));
        let mut once: Vec<Id> = once.map(|(class, _)| *class).collect();
        // Products come last: each can take the preceding sum as its addend.
        once.sort_by_key(|class| (is_product(graph, *class), *class));
        for class in once {
            sum = Some(self.sum(graph, sum, class));
        }
        let terms = form.terms.iter().filter(|(_, factor)| !is_once(*factor));
        for (class, factor) in terms {
            sum = Some(self.scaled(graph, *class, *factor, sum)?);
        }
        if form.number == 0
            && let Some(sum) = sum
        {
            return Some(sum);
        }
        let number = graph.add(Term::number(form.number, self.sort));
        Some(self.sum(graph, sum, number))
    }
}

/// Whether a class is a product that can take an addend.
fn is_product(graph: &Graph, class: Id) -> bool {
    graph[class].nodes.iter().any(|term| match term.operator() {
        Some(Operator::Multiply) => true,
        Some(
            Operator::MultiplyWideUnsigned
            | Operator::MultiplyWideSigned
            | Operator::MultiplyHighUnsigned
            | Operator::MultiplyHighSigned
            | Operator::DistanceUnsigned
            | Operator::DistanceSigned,
        ) => term
            .children
            .get(2)
            .is_some_and(|addend| constant(graph, *addend) == Some(0)),
        _ => false,
    })
}

/// Builds linear forms for the classes of a sort; returns the classes where that was new.
pub fn normalise(graph: &mut Graph, sort: Sort) -> Vec<Id> {
    let sums = match sort {
        Sort::Word => WORDS,
        Sort::Pair => PAIRS,
        Sort::Predicate => return Vec::new(),
    };
    let mut classes: Vec<Id> = graph
        .classes()
        .filter(|class| class.data.sort == sort && constant(graph, class.id).is_none())
        .filter(|class| {
            class
                .nodes
                .iter()
                .any(|term| parts_of(graph, term).is_some())
        })
        .map(|class| class.id)
        .collect();
    classes.sort_unstable();
    let mut forms = Forms {
        graph,
        known: FxHashMap::default(),
    };
    for _ in 0..ROUNDS {
        let mut changed = false;
        for class in &classes {
            changed |= forms.look(*class);
        }
        if !changed || graph.analysis.work.is_spent() {
            break;
        }
    }
    let found: Vec<(Id, Form)> = classes
        .iter()
        .map(|class| (*class, forms.of(*class)))
        .collect();
    let mut new = Vec::new();
    for (class, form) in found {
        if form == Form::class(class) {
            continue;
        }
        if let Some(sum) = sums.write(graph, &form)
            && graph.union(class, sum)
        {
            new.push(class);
        }
    }
    new
}
