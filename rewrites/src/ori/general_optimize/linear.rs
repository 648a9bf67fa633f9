//! Linear forms: a sum of classes with numbers as factors, plus a number.
//!
//! What adds, subtracts, negates, shifts or multiplies by a number is taken apart down to classes that
//! do none of this, equal ones are put together, and the sum is written anew in the order of the
//! classes with the number last: sums that differ in their number share the rest.

use egg::Id;
use rustc_hash::FxHashMap;

use super::facts::{Graph, constant};
use super::term::{Operator, Sort, Term};

/// How many classes a form may have; a longer sum is taken as a whole by those above it.
const TERMS: usize = 6;
/// How often all classes are looked at. Operands mostly come before what they are operands of, so that
/// once is enough; what is deeper than the order of classes shows is found next time.
const ROUNDS: usize = 3;

/// A sum of classes with factors, and a number; modulo the width.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Form {
    /// By class, no factor zero.
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

    /// The sum of two forms, the second times a factor.
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

/// What an operator adds: operands with factors, and a number.
type Parts = (Vec<(Id, u64)>, u64);

/// A term as a sum of its operands; none when it is no sum.
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

/// Forms by class, as far as they are known: at first, each class stands for itself.
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

    /// Takes a class apart by its first term that does not lead back to it; whether that tells more
    /// than was known.
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

/// The operators of sums of a sort.
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
    /// A class times a factor, plus a sum; none when pairs would have to be multiplied.
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

    /// A form written as terms: classes taken once first, then those with factors, then the number.
    fn write(&self, graph: &mut Graph, form: &Form) -> Option<Id> {
        let mut sum = None;
        let is_once = |factor: u64| factor == 1;
        let once = form.terms.iter().filter(|(_, factor)| is_once(*factor));
        let mut once: Vec<Id> = once.map(|(class, _)| *class).collect();
        // Products come last: each can take what stands before it as its addend.
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

/// Whether a class is a product that takes an addend.
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

/// Writes the classes of a sort as linear forms; the classes where that was new.
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
