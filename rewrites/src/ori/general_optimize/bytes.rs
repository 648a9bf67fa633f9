//! Byte permutations: expressions that only move and clear bytes become one PRMT.
//!
//! A word is decomposed into its four bytes, each zero or a byte of another class. With at most two
//! classes (zero counts as one), it is a permutation of their eight bytes.

use egg::Id;
use rustc_hash::FxHashMap;

use super::facts::{Graph, constant};
use super::term::{Operator, Sort, Term};

/// The source of a byte: zero, or byte n of a class.
type Byte = Option<(Id, u8)>;
type Bytes = [Byte; 4];

/// How often all classes are visited. Operands mostly precede their users, so that once is enough;
/// expressions nested deeper than the class order shows are found in the next iteration.
const ROUNDS: usize = 3;

/// The known bytes of classes: initially, each class has its own bytes.
struct Sources<'g> {
    graph: &'g Graph,
    known: FxHashMap<Id, Bytes>,
}

fn itself(class: Id) -> Bytes {
    [0, 1, 2, 3].map(|byte| Some((class, byte)))
}

impl Sources<'_> {
    fn of(&self, class: Id) -> Bytes {
        let class = self.graph.find(class);
        let known = self.known.get(&class).copied();
        known.unwrap_or_else(|| self.without_zeros(class, itself(class)))
    }

    fn without_zeros(&self, class: Id, mut bytes: Bytes) -> Bytes {
        let zeros = self.graph[class].data.zeros;
        for (place, byte) in bytes.iter_mut().enumerate() {
            if zeros >> (8 * place) & 0xff == 0xff {
                *byte = None;
            }
        }
        bytes
    }

    /// Decomposes a class by its first term that does not refer back to it; returns whether
    /// anything new was found.
    fn look(&mut self, class: Id) -> bool {
        let terms = &self.graph[class].nodes;
        self.graph.analysis.work.spend(terms.len() as u64);
        let mut found = terms.iter().filter_map(|term| self.term(term));
        let bytes = found.find(|bytes| !bytes.iter().flatten().any(|(id, _)| *id == class));
        let bytes = self.without_zeros(class, bytes.unwrap_or_else(|| itself(class)));
        self.known.insert(class, bytes) != Some(bytes)
    }

    fn term(&self, term: &Term) -> Option<Bytes> {
        let at = |number: usize| term.children.get(number).copied();
        let number = |place: usize| constant(self.graph, at(place)?);
        match term.operator()? {
            Operator::And => {
                let mask = number(1)?;
                let kept = [0, 1, 2, 3].map(|place| mask >> (8 * place) & 0xff);
                if kept.iter().any(|byte| !matches!(byte, 0 | 0xff)) {
                    return None;
                }
                let bytes = self.of(at(0)?);
                Some([0, 1, 2, 3].map(|i| if kept[i] == 0 { None } else { bytes[i] }))
            }
            Operator::ShiftLeft | Operator::ShiftRight => {
                let amount = number(1)?;
                let bytes = usize::try_from(amount / 8).ok()?;
                if amount % 8 != 0 || amount >= 32 {
                    return None;
                }
                let from = self.of(at(0)?);
                let left = term.operator() == Some(Operator::ShiftLeft);
                Some([0usize, 1, 2, 3].map(|place| {
                    let source = if left {
                        place.checked_sub(bytes)
                    } else {
                        place.checked_add(bytes)
                    };
                    source.and_then(|source| from.get(source).copied().flatten())
                }))
            }
            Operator::Or | Operator::Add | Operator::Xor => {
                let (a, b) = (self.of(at(0)?), self.of(at(1)?));
                let apart = (0..4).all(|place| a[place].is_none() || b[place].is_none());
                apart.then(|| [0, 1, 2, 3].map(|place| a[place].or(b[place])))
            }
            Operator::Permute => {
                let selector = number(1)?;
                let (a, c) = (self.of(at(0)?), self.of(at(2)?));
                let mut bytes = [None; 4];
                for (place, byte) in bytes.iter_mut().enumerate() {
                    let choice = usize::try_from(selector >> (4 * place) & 15).ok()?;
                    if choice >= 8 {
                        return None;
                    }
                    *byte = if choice < 4 { a[choice] } else { c[choice - 4] };
                }
                Some(bytes)
            }
            _ => None,
        }
    }
}

/// The permutation of at most two classes that yields these bytes; the class itself if they are its
/// own bytes.
fn permutation(graph: &mut Graph, bytes: Bytes) -> Option<Id> {
    let mut sources: Vec<Option<Id>> = Vec::new();
    for byte in bytes {
        let source = byte.map(|(class, _)| class);
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    // Zero is read from the second source, which can be the zero register.
    sources.sort_by_key(|source| (source.is_none(), *source));
    if sources.len() > 2 {
        return None;
    }
    let first = sources.first().copied().flatten()?;
    if bytes == itself(first) {
        return Some(first);
    }
    let selector = bytes.iter().rev().fold(0, |selector, byte| {
        let second = byte.map(|(class, _)| class) != Some(first);
        let place = byte.map_or(0, |(_, place)| u64::from(place));
        selector << 4 | place | u64::from(second) << 2
    });
    let second = match sources.get(1) {
        Some(Some(class)) => *class,
        _ => graph.add(Term::number(0, Sort::Word)),
    };
    let selector = graph.add(Term::number(selector, Sort::Word));
    Some(graph.add(Term::new(Operator::Permute, &[first, selector, second])))
}

/// Adds the permutations equal to classes; returns the classes where that was new. Only for words
/// of four bytes.
pub fn permute(graph: &mut Graph) -> Vec<Id> {
    if graph.analysis.word != 32 {
        return Vec::new();
    }
    let mut classes: Vec<Id> = graph
        .classes()
        .filter(|class| class.data.sort == Sort::Word && constant(graph, class.id).is_none())
        .map(|class| class.id)
        .collect();
    classes.sort_unstable();
    let mut sources = Sources {
        graph,
        known: FxHashMap::default(),
    };
    for _ in 0..ROUNDS {
        let mut changed = false;
        for class in &classes {
            changed |= sources.look(*class);
        }
        if !changed || graph.analysis.work.is_spent() {
            break;
        }
    }
    let found: Vec<(Id, Bytes)> = classes
        .into_iter()
        .map(|class| (class, sources.of(class)))
        .filter(|(class, bytes)| *bytes != itself(*class))
        .collect();
    let mut new = Vec::new();
    for (class, bytes) in found {
        if let Some(term) = permutation(graph, bytes)
            && graph.union(class, term)
        {
            new.push(class);
        }
    }
    new
}
