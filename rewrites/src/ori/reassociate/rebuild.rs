//! Rebuilding the terms of chains.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::properties::immediate;
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};
use rustc_hash::FxHashMap;

use super::terms::{Kind, Term, read};
use super::{Chain, occurrences};
use crate::ori::functions::{create_before, immediate_before};

/// A term, or the constant among terms: constants with equal values are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Item {
    Term(Term),
    Constant(u32),
}

/// An operation identified by its combined items, sorted.
type Key = (Kind, Vec<Item>);

fn key(context: &Context, kind: Kind, terms: &[Term]) -> Key {
    let items = terms.iter().map(|term| item(context, *term));
    let mut items: Vec<Item> = items.collect();
    items.sort_unstable();
    (kind, items)
}

fn item(context: &Context, term: Term) -> Item {
    match immediate(context, term.value) {
        Some(number) if term.negated => Item::Constant((number as u32).wrapping_neg()),
        Some(number) => Item::Constant(number as u32),
        None => Item::Term(term),
    }
}

/// The replacement of a chain.
pub(super) struct Plan {
    /// The ordered terms, except products with a common factor.
    terms: Vec<Term>,
    constant: u32,
    /// A factor, and the terms of the sum multiplied by it.
    factored: Vec<(Value, Vec<Term>)>,
}

/// The result of rebuilding.
pub(super) struct Done {
    /// Reused partial results.
    pub shared: u64,
    /// Extracted factors.
    pub factored: u64,
}

/// Records what the visited operations of a block combine.
pub(super) struct Rebuilder {
    block: Block,
    window: Option<u64>,
    /// The number of visited operations.
    visited: u64,
    /// The index of the operation of the block that defines a value; other values are defined
    /// earlier.
    places: FxHashMap<Value, u64>,
    known: FxHashMap<Key, (Operation, u64)>,
}

impl Rebuilder {
    pub fn new(block: Block, window: Option<u64>) -> Self {
        Rebuilder {
            block,
            window,
            visited: 0,
            places: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// Counts an operation as visited.
    pub fn pass_by(&mut self, context: &Context, op: Operation) {
        self.visited += 1;
        self.place(context, op);
    }

    fn place(&mut self, context: &Context, op: Operation) {
        let place = self.visited;
        self.places
            .extend(op.results(context).map(|result| (result, place)));
    }

    /// Records what an operation combines.
    pub fn register(&mut self, context: &Context, kind: Kind, terms: &[Term], op: Operation) {
        let key = key(context, kind, terms);
        // The first one is reused by all operations within the window.
        if self.find(&key).is_none() {
            self.known.insert(key, (op, self.visited));
        }
    }

    /// An earlier operation with the same terms, within the window.
    fn find(&self, key: &Key) -> Option<Operation> {
        let (op, place) = self.known.get(key)?;
        let near = self
            .window
            .is_none_or(|window| self.visited - place <= window);
        near.then_some(*op)
    }

    /// Forgets an operation that will be erased.
    fn forget(&mut self, context: &Context, op: Operation) {
        if let Some((kind, terms)) = read(context, op) {
            let key = key(context, kind, &terms);
            if self.known.get(&key).is_some_and(|(known, _)| *known == op) {
                self.known.remove(&key);
            }
        }
    }

    /// The replacement of a chain: equal terms cancel out or are merged, common factors are
    /// extracted, the rest is in definition order.
    pub fn plan(&self, context: &Context, chain: &Chain, factors: &mut Option<u64>) -> Plan {
        let mut terms = without_duplicates(chain.kind, &chain.terms);
        let mut factored = Vec::new();
        if chain.kind == Kind::Sum {
            while *factors != Some(0)
                && let Some(found) = take_factor(context, self.block, &mut terms)
            {
                *factors = factors.map(|left| left - 1);
                factored.push(found);
            }
        }
        terms.sort_by_key(|term| (self.places.get(&term.value).copied().unwrap_or(0), *term));
        Plan {
            terms,
            constant: chain.constant,
            factored,
        }
    }

    /// The number of terms of the first operation, then of each that extends the previous one.
    fn steps(kind: Kind, mut count: usize) -> Vec<usize> {
        let mut steps = Vec::new();
        let most = kind.arity();
        // An even count starts with two, so that the others take the maximum.
        let first = if most == 3 && count.is_multiple_of(2) {
            2
        } else {
            most
        };
        let mut takes = first.min(count);
        while count > 0 {
            steps.push(takes);
            count -= takes;
            takes = (most - 1).min(count);
        }
        steps
    }

    /// Whether an operation already is the last one of a plan, and the others exist.
    pub fn is_as_planned(&self, context: &Context, kind: Kind, own: &[Term], plan: &Plan) -> bool {
        if !plan.factored.is_empty() {
            return false;
        }
        let mut items: Vec<Item> = plan.terms.iter().map(|term| Item::Term(*term)).collect();
        if plan.constant != kind.neutral() || items.is_empty() {
            items.push(Item::Constant(plan.constant));
        }
        let mut rest = items.iter().copied();
        let mut wanted: Vec<Item> = Vec::new();
        for (number, takes) in Self::steps(kind, items.len()).into_iter().enumerate() {
            if number > 0 {
                wanted.sort_unstable();
                let Some(op) = self.find(&(kind, wanted)) else {
                    return false;
                };
                wanted = vec![Item::Term(Term {
                    value: op.result(context, 0),
                    negated: false,
                })];
            }
            wanted.extend(rest.by_ref().take(takes));
        }
        wanted.sort_unstable();
        key(context, kind, own).1 == wanted
    }

    /// Rebuilds a chain as planned, before its root, and erases unused operations.
    pub fn rebuild(&mut self, context: &mut Context, chain: &Chain, plan: Plan) -> Done {
        let mut done = Done {
            shared: 0,
            factored: plan.factored.len() as u64,
        };
        let (root, kind) = (chain.root, chain.kind);
        let mut terms = plan.terms;
        for (factor, sum) in plan.factored {
            let sum = self.combine(context, root, Kind::Sum, sum, &mut done);
            let factors = [factor, sum].map(|value| Term {
                value,
                negated: false,
            });
            let value = self.combine(context, root, Kind::Product, factors.to_vec(), &mut done);
            terms.push(Term {
                value,
                negated: false,
            });
        }
        if plan.constant != kind.neutral() || terms.is_empty() {
            let number = i64::from(plan.constant.cast_signed());
            let value = immediate_before(context, root, Register::R, number);
            terms.push(Term {
                value,
                negated: false,
            });
        }
        let value = self.combine(context, root, kind, terms, &mut done);
        root.result(context, 0)
            .replace_all_uses_with(context, value);
        for op in chain.operations.iter().rev() {
            if op.is_unused(context) {
                self.forget(context, *op);
                op.erase(context);
            }
        }
        done
    }

    /// Combines terms, from the left.
    fn combine(
        &mut self,
        context: &mut Context,
        root: Operation,
        kind: Kind,
        terms: Vec<Term>,
        done: &mut Done,
    ) -> Value {
        if let [
            Term {
                value,
                negated: false,
            },
        ] = terms[..]
        {
            return value;
        }
        let steps = Self::steps(kind, terms.len());
        let mut rest = terms.into_iter();
        let mut before: Option<Value> = None;
        for takes in steps {
            let mut operands: Vec<Term> = before
                .into_iter()
                .map(|value| Term {
                    value,
                    negated: false,
                })
                .collect();
            operands.extend(rest.by_ref().take(takes));
            let key = key(context, kind, &operands);
            before = Some(match self.find(&key) {
                // The root itself will be erased.
                Some(known) if known != root => {
                    done.shared += 1;
                    known.result(context, 0)
                }
                _ => {
                    let op = create(context, root, kind, &operands);
                    self.place(context, op);
                    self.register(context, kind, &operands, op);
                    op.result(context, 0)
                }
            });
        }
        // There is at least one term.
        before.unwrap_or_else(|| root.result(context, 0))
    }
}

/// Terms without those that cancel out or are redundant duplicates.
fn without_duplicates(kind: Kind, terms: &[Term]) -> Vec<Term> {
    // The remaining count of each value; negative if it is subtracted.
    let mut left: FxHashMap<Value, i64> = FxHashMap::default();
    for term in terms {
        let count = left.entry(term.value).or_insert(0);
        *count = match kind {
            Kind::Sum => *count + if term.negated { -1 } else { 1 },
            Kind::Product => *count + 1,
            Kind::Xor => 1 - *count,
            Kind::And | Kind::Or => 1,
        };
    }
    let mut kept = Vec::with_capacity(terms.len());
    for Term { value, .. } in terms {
        let count = left.remove(value).unwrap_or(0);
        let negated = count < 0;
        let term = Term {
            value: *value,
            negated,
        };
        kept.extend((0..count.unsigned_abs()).map(|_| term));
    }
    kept
}

/// The factor common to most products among the terms of a sum, with their other factors; the
/// products are removed from the terms. Only products without other uses are considered.
fn take_factor(
    context: &Context,
    block: Block,
    terms: &mut Vec<Term>,
) -> Option<(Value, Vec<Term>)> {
    let factors = |term: &Term| {
        let op = term.value.defining_op(context)?;
        let mut users = term.value.users(context);
        let alone = users.next().is_some() && users.next().is_none();
        let (kind, parts) = read(context, op)?;
        let [a, b] = parts[..] else { return None };
        let fits = kind == Kind::Product && alone && op.block(context) == Some(block);
        // A product by a constant may become a shift.
        let variable = [a, b]
            .iter()
            .all(|part| immediate(context, part.value).is_none());
        (fits && variable && a != b).then_some([a.value, b.value])
    };
    let all: Vec<Option<[Value; 2]>> = terms.iter().map(factors).collect();
    let counts = occurrences(all.iter().flatten().flatten().copied());
    let (factor, count) = counts
        .into_iter()
        .max_by_key(|(value, count)| (*count, std::cmp::Reverse(*value)))?;
    if count < 2 {
        return None;
    }
    let (mut sum, mut kept) = (Vec::new(), Vec::new());
    for (term, factors) in terms.iter().zip(all) {
        match factors {
            Some([a, b]) if a == factor || b == factor => sum.push(Term {
                value: if a == factor { b } else { a },
                negated: term.negated,
            }),
            _ => kept.push(*term),
        }
    }
    *terms = kept;
    Some((factor, sum))
}

/// One operation on at most three terms.
fn create(context: &mut Context, root: Operation, kind: Kind, terms: &[Term]) -> Operation {
    let location = root.location(context);
    let name = match kind {
        Kind::Sum => ori::Iadd3::NAME,
        Kind::Product => ori::Imad::NAME,
        _ => ori::Lop3::NAME,
    };
    let mut op = MachineOperation::new(name);
    let neutral = if kind == Kind::Product { 1 } else { 0 };
    let groups = ["a", "b", "c"];
    for (number, group) in groups.into_iter().enumerate() {
        op = match terms.get(number) {
            Some(term) if term.negated => op.modified(group, term.value, &[Modifier::Negate]),
            Some(term) => op.operand(group, term.value),
            None => {
                // A product has no addend; a product needs two factors.
                let number = if number == 2 { 0 } else { neutral };
                let value = immediate_before(context, root, Register::R, number);
                op.operand(group, value)
            }
        };
    }
    if let Some(table) = kind.table(terms.len()) {
        op = op.number(context, "lut", table);
    }
    create_before(context, root, location, op.result(Register::R))
}
