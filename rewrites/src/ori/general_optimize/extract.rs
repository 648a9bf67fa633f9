//! Extraction: choosing a term for each class.
//!
//! First, the cheapest tree for each class is found, counting shared parts each time. Then single
//! choices are changed as long as that makes the whole cheaper, counting shared parts once. Both
//! start from the same graph; the second also starts from the terms of the program. Everything is
//! done in class order, which is program order.

use std::cell::RefCell;

use egg::Id;
use orison_machine::Pipe;
use orison_ori::operations as ori;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::cost::{Source, Weights, costs, moves_for};
use super::facts::{Graph, constant};
use super::machine::{Prices, Slot, slot};
use super::term::{Head, Operator, Sort, Term};

/// A fraction of a cycle added for every term when trees are compared, so that the choice is
/// well-founded.
const TERM: u64 = 1;
/// How often all classes are visited when single choices are changed.
const PASSES: usize = 2;
/// How many single changes are tried per graph, which bounds the time by this number times the size
/// of the result.
const TRIALS: usize = 1500;

/// A candidate term.
#[derive(Clone, Debug)]
struct Candidate {
    term: Term,
    /// Positions of the operand classes.
    children: SmallVec<[usize; 4]>,
    /// The operands that are read, without attributes.
    read: SmallVec<[(Slot, usize); 4]>,
    /// Positions of the classes below free operand modifiers of these.
    inner: SmallVec<[usize; 4]>,
    issue: u32,
    latency: u32,
}

/// An operand: a class and its free modifiers, outermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// The class.
    pub class: Id,
    /// Operators that are free here.
    pub wrappers: SmallVec<[Operator; 2]>,
}

/// The chosen terms, by class position.
pub type Choice = Vec<Option<usize>>;

/// A graph prepared for extraction.
pub struct Extraction<'g> {
    graph: &'g Graph,
    classes: Vec<Id>,
    places: FxHashMap<Id, usize>,
    candidates: Vec<Vec<Candidate>>,
    /// How an instruction reads each leaf.
    leaves: &'g [Source],
    trees: Vec<u64>,
    walk: RefCell<Walk>,
    weights: Weights,
    /// Pipe cycles of a move.
    move_issue: u32,
    /// Pipe cycles of a sum of integers.
    sum_issue: u32,
}

const UNKNOWN: u64 = u64::MAX;
/// A class whose operands are being visited.
const OPEN: u64 = u64::MAX - 1;

impl<'g> Extraction<'g> {
    /// Prepares a graph: keeps the terms that have a price.
    pub fn new(graph: &'g Graph, leaves: &'g [Source], prices: &Prices) -> Self {
        let mut classes: Vec<Id> = graph.classes().map(|class| class.id).collect();
        classes.sort_unstable();
        let places: FxHashMap<Id, usize> = classes
            .iter()
            .enumerate()
            .map(|(place, class)| (*class, place))
            .collect();
        let candidates = classes
            .iter()
            .map(|class| candidates(graph, &places, *class, prices))
            .collect();
        Extraction {
            graph,
            trees: vec![UNKNOWN; classes.len()],
            classes,
            places,
            candidates,
            leaves,
            walk: RefCell::default(),
            weights: costs().weights,
            move_issue: costs().of(Pipe::Alu).issue,
            sum_issue: costs().of_operation(ori::Iadd3::NAME).issue,
        }
    }

    /// The cheapest tree of each class, by repeated relaxation. Constants and leaves are free.
    pub fn cheapest_trees(&mut self) -> Choice {
        let mut choice: Choice = vec![None; self.classes.len()];
        loop {
            let mut changed = false;
            let terms: usize = self.candidates.iter().map(Vec::len).sum();
            self.graph.analysis.work.spend(terms as u64);
            for place in 0..self.classes.len() {
                for number in 0..self.candidates[place].len() {
                    let cost = self.tree(&choice, &self.candidates[place][number]);
                    if cost < self.trees[place] {
                        self.trees[place] = cost;
                        choice[place] = Some(number);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        self.look_behind_wrappers();
        choice
    }

    /// Records the classes that instructions read once the trees are known.
    fn look_behind_wrappers(&mut self) {
        for place in 0..self.candidates.len() {
            for number in 0..self.candidates[place].len() {
                let candidate = &self.candidates[place][number];
                let read = candidate.read.iter();
                let inner = read.map(|(slot, child)| self.unwrapped(*child, *slot).0);
                self.candidates[place][number].inner = inner.collect();
            }
        }
    }

    fn tree(&self, choice: &Choice, candidate: &Candidate) -> u64 {
        if candidate.term.is_atom() {
            return 0;
        }
        let own = self.weights.issue * u64::from(self.issue(choice, candidate))
            + self.weights.latency * u64::from(candidate.latency);
        let mut sum = own * 4 + TERM;
        for (slot, child) in &candidate.read {
            let (inner, _) = self.unwrapped(*child, *slot);
            sum = sum.saturating_add(self.trees[inner]);
        }
        sum
    }

    /// The class below free operand modifiers, if that is cheaper.
    fn unwrapped(&self, place: usize, slot: Slot) -> (usize, SmallVec<[Operator; 2]>) {
        let mut wrappers = SmallVec::new();
        let mut place = place;
        for wrapper in slot.wrappers() {
            // At most one lane is selected.
            if *wrapper == Operator::HalfHigh && wrappers.contains(&Operator::HalfLow) {
                continue;
            }
            let found = self.candidates[place].iter().find(|candidate| {
                candidate.term.operator() == Some(*wrapper)
                    && self.trees[candidate.children[0]] < self.trees[place]
            });
            if let Some(found) = found {
                wrappers.push(*wrapper);
                place = found.children[0];
            }
        }
        (place, wrappers)
    }

    /// How an instruction reads the value of a class.
    fn source(&self, choice: &Choice, place: usize, depth: u32) -> Source {
        let Some(candidate) = choice[place].map(|number| &self.candidates[place][number]) else {
            return Source::Register;
        };
        match candidate.term.head {
            Head::Number(0, _) | Head::Number(_, Sort::Predicate) => Source::Free,
            Head::Number(_, Sort::Pair) => Source::WideNumber,
            Head::Number(_, Sort::Word) => Source::Slot,
            Head::Leaf(number, _) => {
                let known = usize::try_from(number).ok();
                let known = known.and_then(|number| self.leaves.get(number));
                known.copied().unwrap_or(Source::Register)
            }
            Head::Operator(Operator::Low | Operator::High) if depth == 0 => {
                match self.source(choice, candidate.children[0], 1) {
                    Source::WideNumber => Source::Slot,
                    other => other,
                }
            }
            Head::Operator(_) | Head::Machine(..) => Source::Register,
        }
    }

    /// Pipe cycles of one term, including moves for operands that do not fit a slot.
    fn issue(&self, choice: &Choice, candidate: &Candidate) -> u32 {
        if candidate.term.is_atom() {
            return 0;
        }
        let read = candidate.read.iter();
        let sources = read.map(|(_, child)| self.source(choice, *child, 0));
        match candidate.term.operator() {
            Some(Operator::Concat) => {
                let moved = sources.filter(|source| *source != Source::Register).count();
                self.move_issue * u32::try_from(moved).unwrap_or(u32::MAX)
            }
            Some(Operator::Low | Operator::High) => 0,
            _ => candidate.issue + self.move_issue * moves_for(sources),
        }
    }

    /// The cost of computing several classes together, shared parts once; `None` if the choice is
    /// cyclic or a class has no term.
    pub fn together(&self, choice: &Choice, roots: &[Id]) -> Option<u64> {
        let mut walk = self.walk.borrow_mut();
        walk.restart(self.classes.len());
        for root in roots {
            let place = *self.places.get(&self.graph.find(*root))?;
            let end = self.visit(choice, place, &mut walk)?;
            walk.depth = walk.depth.max(end);
        }
        let alone = walk.carries.iter();
        let alone = alone.filter(|pair| !walk.sums.contains(*pair));
        let issue = walk.issue + u64::from(self.sum_issue) * alone.count() as u64;
        Some(self.weights.issue * issue + self.weights.latency * walk.depth)
    }

    /// The positions of the classes computed for these, in order.
    fn computed(&self, choice: &Choice, roots: &[Id]) -> Option<Vec<usize>> {
        self.together(choice, roots)?;
        let mut computed = self.walk.borrow().marked.clone();
        computed.sort_unstable();
        Some(computed)
    }

    fn visit(&self, choice: &Choice, place: usize, walk: &mut Walk) -> Option<u64> {
        match walk.ready[place] {
            UNKNOWN => {}
            // The choice is cyclic.
            OPEN => return None,
            known => return Some(known),
        }
        self.graph.analysis.work.spend(1);
        let candidate = &self.candidates[place][choice[place]?];
        if candidate.term.is_atom() {
            walk.mark(place, 0);
            return Some(0);
        }
        walk.mark(place, OPEN);
        let mut start = 0;
        for inner in &candidate.inner {
            start = start.max(self.visit(choice, *inner, walk)?);
        }
        let mut pair = [0, 0];
        for (to, from) in pair.iter_mut().zip(&candidate.children) {
            *to = *from;
        }
        pair.sort_unstable();
        match candidate.term.head {
            Head::Operator(Operator::Carry) => walk.carries.push(pair),
            Head::Operator(Operator::Add) => {
                walk.sums.insert(pair);
                walk.issue += u64::from(self.issue(choice, candidate));
            }
            // One instruction computes all results.
            Head::Machine(form, ..)
                if !walk.machines.insert((form, candidate.children.clone())) => {}
            _ => walk.issue += u64::from(self.issue(choice, candidate)),
        }
        let end = start + u64::from(candidate.latency);
        walk.ready[place] = end;
        Some(end)
    }

    /// The choice with the terms of the program where it has one, else the cheapest trees; and whether the program is
    /// just that: each of its terms can be chosen, and no two of them are equal.
    pub fn from_program(&self, cheapest: &Choice, program: &[(Id, Term)]) -> (Choice, bool) {
        let mut choice = cheapest.clone();
        let mut is_whole = true;
        let mut terms: FxHashMap<usize, usize> = FxHashMap::default();
        for (class, term) in program {
            let class = self.graph.find(*class);
            let term = egg::Language::map_children(term.clone(), |child| self.graph.find(child));
            let place = self.places.get(&class);
            let candidate = place.and_then(|place| {
                let mut all = self.candidates[*place].iter();
                all.position(|candidate| candidate.term == term)
            });
            let (Some(place), Some(candidate)) = (place, candidate) else {
                is_whole = false;
                continue;
            };
            choice[*place] = Some(candidate);
            is_whole &= terms.insert(*place, candidate).is_none();
        }
        (choice, is_whole)
    }

    /// Changes single choices while the total cost decreases.
    pub fn improve(&self, mut choice: Choice, roots: &[Id]) -> Option<(u64, Choice)> {
        let mut best = self.together(&choice, roots)?;
        let mut trials = TRIALS;
        for _ in 0..PASSES {
            let before = best;
            for place in self.computed(&choice, roots)? {
                if self.candidates[place].len() < 2 {
                    continue;
                }
                let mut kept = choice[place];
                for number in 0..self.candidates[place].len() {
                    let spent = trials == 0 || self.graph.analysis.work.is_spent();
                    if Some(number) == kept || spent {
                        continue;
                    }
                    trials -= 1;
                    choice[place] = Some(number);
                    match self.together(&choice, roots) {
                        Some(cost) if cost < best => {
                            best = cost;
                            kept = Some(number);
                        }
                        _ => choice[place] = kept,
                    }
                }
                choice[place] = kept;
            }
            if best == before {
                break;
            }
        }
        Some((best, choice))
    }

    /// The best choice found for the given classes, with its cost; `None` if the program, which has no term twice then, is as
    /// good.
    pub fn best(
        &mut self,
        roots: &[Id],
        program: &[(Id, Term)],
        has_twice: bool,
    ) -> Option<(u64, Choice)> {
        let cheapest = self.cheapest_trees();
        let (as_it_was, is_whole) = self.from_program(&cheapest, program);
        let before = self
            .together(&as_it_was, roots)
            .filter(|_| is_whole && !has_twice);
        let starts = [as_it_was, cheapest];
        let found = starts
            .into_iter()
            .filter_map(|start| self.improve(start, roots));
        let best = found.min_by_key(|(cost, _)| *cost)?;
        before.is_none_or(|before| best.0 < before).then_some(best)
    }

    /// The chosen term of a class and its operands.
    pub fn chosen(&self, choice: &Choice, class: Id) -> Option<(&Term, Vec<Operand>)> {
        let place = *self.places.get(&self.graph.find(class))?;
        let candidate = &self.candidates[place][choice[place]?];
        if candidate.term.is_atom() {
            return Some((&candidate.term, Vec::new()));
        }
        let operands = candidate
            .children
            .iter()
            .enumerate()
            .map(|(number, child)| {
                let (inner, wrappers) = self.unwrapped(*child, slot_of(&candidate.term, number));
                Operand {
                    class: self.classes[inner],
                    wrappers,
                }
            });
        Some((&candidate.term, operands.collect()))
    }

    /// The chosen terms needed for the given classes, with their classes, operands first.
    pub fn needed(&self, choice: &Choice, roots: &[Id]) -> Vec<(Id, &Term)> {
        let mut done: FxHashSet<Id> = FxHashSet::default();
        let mut order = Vec::new();
        let mut pending: Vec<(Id, bool)> = roots.iter().rev().map(|id| (*id, false)).collect();
        while let Some((class, operands_done)) = pending.pop() {
            let class = self.graph.find(class);
            let Some((term, operands)) = self.chosen(choice, class) else {
                continue;
            };
            if operands_done {
                order.push((class, term));
            } else if done.insert(class) {
                pending.push((class, true));
                pending.extend(operands.iter().rev().map(|operand| (operand.class, false)));
            }
        }
        order
    }
}

/// A walk over the classes that a choice needs. Thousands of choices are compared, so that its storage
/// is kept.
#[derive(Default)]
struct Walk {
    /// When the value of a class is available, in cycles; by position.
    ready: Vec<u64>,
    /// The positions of the computed classes.
    marked: Vec<usize>,
    issue: u64,
    depth: u64,
    /// Computed two-operand sums and carries: one instruction computes both.
    sums: FxHashSet<[usize; 2]>,
    carries: Vec<[usize; 2]>,
    /// Operations without an operator, by form and operands.
    machines: FxHashSet<(u32, SmallVec<[usize; 4]>)>,
}

impl Walk {
    fn restart(&mut self, classes: usize) {
        self.ready.resize(classes, UNKNOWN);
        for place in self.marked.drain(..) {
            self.ready[place] = UNKNOWN;
        }
        (self.issue, self.depth) = (0, 0);
        self.sums.clear();
        self.carries.clear();
        self.machines.clear();
    }

    fn mark(&mut self, place: usize, ready: u64) {
        self.ready[place] = ready;
        self.marked.push(place);
    }
}

/// How an operand of a term is read.
fn slot_of(term: &Term, number: usize) -> Slot {
    term.operator()
        .map_or(Slot::Plain, |operator| slot(operator, number))
}

/// The computable terms of a class, constants and leaves first.
fn candidates(
    graph: &Graph,
    places: &FxHashMap<Id, usize>,
    class: Id,
    prices: &Prices,
) -> Vec<Candidate> {
    let mut terms: Vec<&Term> = graph[class].nodes.iter().collect();
    terms.sort_unstable();
    let prepared = terms.into_iter().filter_map(|term| {
        let (issue, latency) = match term.head {
            Head::Leaf(..) | Head::Number(..) => (0, 0),
            Head::Operator(operator) => own_cost(graph, operator, term, prices)?,
            Head::Machine(form, ..) => {
                let machine = graph.analysis.machines.get(usize::try_from(form).ok()?)?;
                (machine.cost.issue, machine.cost.latency)
            }
        };
        let children: Option<SmallVec<[usize; 4]>> = term
            .children
            .iter()
            .map(|child| places.get(&graph.find(*child)).copied())
            .collect();
        let children = children?;
        let slots = children.iter().enumerate();
        let slots = slots.map(|(number, child)| (slot_of(term, number), *child));
        Some(Candidate {
            term: term.clone(),
            read: slots.filter(|(slot, _)| *slot != Slot::Attribute).collect(),
            children,
            inner: SmallVec::new(),
            issue,
            latency,
        })
    });
    let mut all: Vec<Candidate> = prepared.collect();
    // A constant is better than a register that holds it, and goes into the second slot of an
    // instruction if possible.
    let is_number = |id: &Id| constant(graph, *id).is_some();
    all.sort_by_key(|candidate| {
        let operator = candidate.term.operator();
        let first = operator.is_some_and(|operator| slot(operator, 0) != Slot::Attribute)
            && candidate.term.children.first().is_some_and(is_number);
        (!matches!(candidate.term.head, Head::Number(..)), first)
    });
    all
}

/// Issue and latency of the instructions of an operator; `None` if it cannot be an instruction.
fn own_cost(graph: &Graph, operator: Operator, term: &Term, prices: &Prices) -> Option<(u32, u32)> {
    let price = prices.of(operator)?;
    for (number, child) in term.children.iter().enumerate() {
        if slot(operator, number) == Slot::Attribute {
            constant(graph, *child)?;
        }
    }
    Some((price.issue, price.latency))
}
