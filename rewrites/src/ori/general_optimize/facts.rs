//! Facts about the value of a term: known bits and a range. An e-graph analysis.

use std::sync::LazyLock;

use egg::{Analysis, DidMerge, EGraph, Id};
use orison_ir::Operation;
use orison_ir::numbers::FloatKind;
use orison_ori::semantics::{Bits, Computation, MAX_RESULTS};
use smallvec::SmallVec;

use super::cost::PipeCost;
use super::evaluate::{evaluate, is_nan};
use super::term::{Head, Operator, Sort, Term};
use super::work_budget::Work;

/// The facts about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The sort of the value.
    pub sort: Sort,
    /// Bits that are zero.
    pub zeros: u64,
    /// Bits that are one.
    pub ones: u64,
    /// The unsigned minimum.
    pub min: u64,
    /// The unsigned maximum.
    pub max: u64,
}

impl Facts {
    /// Facts of an unknown value.
    pub const fn unknown(sort: Sort, word: u32) -> Self {
        Facts {
            sort,
            zeros: 0,
            ones: 0,
            min: 0,
            max: sort.mask(word),
        }
    }

    /// Facts of a known value.
    pub const fn exactly(value: u64, sort: Sort, word: u32) -> Self {
        let value = value & sort.mask(word);
        Facts {
            sort,
            zeros: !value & sort.mask(word),
            ones: value,
            min: value,
            max: value,
        }
    }

    /// Facts of a value in a range.
    pub fn between(min: u64, max: u64, sort: Sort, word: u32) -> Self {
        Facts {
            min,
            max,
            ..Facts::unknown(sort, word)
        }
        .tightened(word)
    }

    /// The value, if it is known.
    pub const fn constant(&self, word: u32) -> Option<u64> {
        if self.zeros | self.ones == self.sort.mask(word) {
            Some(self.ones)
        } else {
            None
        }
    }

    /// Whether the facts allow a value.
    pub const fn allows(&self, value: u64) -> bool {
        value & self.zeros == 0
            && value & self.ones == self.ones
            && value >= self.min
            && value <= self.max
    }

    /// Derives bits from the range and the range from bits. If no value is possible, as in
    /// unreachable code, nothing is derived.
    fn tightened(self, word: u32) -> Self {
        let unknown = Facts::unknown(self.sort, word);
        self.consistent(word).unwrap_or(unknown)
    }

    fn consistent(mut self, word: u32) -> Option<Self> {
        let mask = self.sort.mask(word);
        self.min = self.min.max(self.ones);
        self.max = self.max.min(mask & !self.zeros);
        if self.min > self.max {
            return None;
        }
        // The bits above the highest differing bit are common to both ends.
        let differ = self.min ^ self.max;
        let below = differ
            .checked_ilog2()
            .map_or(0, |top| u64::MAX >> (63 - top));
        let shared = mask & !below;
        self.zeros |= shared & !self.min;
        self.ones |= shared & self.min;
        self.min = self.min.max(self.ones);
        self.max = self.max.min(mask & !self.zeros);
        (self.zeros & self.ones == 0 && self.min <= self.max).then_some(self)
    }

    /// The conjunction of both facts; `None` if they contradict each other.
    pub fn and(self, other: Self, word: u32) -> Option<Self> {
        let zeros = self.zeros | other.zeros;
        let ones = self.ones | other.ones;
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        if zeros & ones != 0 || min > max {
            return None;
        }
        Facts {
            zeros,
            ones,
            min,
            max,
            ..self
        }
        .consistent(word)
    }

    /// The facts that hold in either case.
    pub fn or(self, other: Self) -> Self {
        Facts {
            sort: self.sort,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

/// The facts about the result of an operator, given those of its operands.
pub fn transfer(operator: Operator, word: u32, operands: &[Facts]) -> Facts {
    let sort = operator.sort();
    let unknown = Facts::unknown(sort, word);
    let constants: Option<SmallVec<[u64; 4]>> =
        operands.iter().map(|facts| facts.constant(word)).collect();
    if let Some(value) = constants.and_then(|values| fold(operator, word, &values)) {
        return Facts::exactly(value, sort, word);
    }
    let facts = bitwise(operator, word, operands)
        .or_else(|| arithmetic(operator, word, operands))
        .or_else(|| moves(operator, word, operands))
        .or_else(|| comparisons(operator, word, operands));
    facts.map_or(unknown, |facts| facts.tightened(word))
}

/// The value of an operator on constants, except NaN results, whose bits are not reliable, and
/// floats that may or may not be flushed.
fn fold(operator: Operator, word: u32, values: &[u64]) -> Option<u64> {
    let value = evaluate(operator, word, values)?;
    let no_number = |kind, place: u32| is_nan(kind, value >> place);
    let doubtful = match (operator.halves(), operator.makes_float(), operator.sort()) {
        (Some(kind), ..) => no_number(kind, 0) || no_number(kind, 16),
        (None, true, Sort::Word) => {
            no_number(FloatKind::F32, 0) || value & 0x7fff_ffff == 0x0080_0000
        }
        (None, true, Sort::Pair) => no_number(FloatKind::F64, 0),
        _ => false,
    };
    (!doubtful).then_some(value)
}

fn bits_of(sort: Sort, word: u32, zeros: u64, ones: u64) -> Facts {
    let mask = sort.mask(word);
    Facts {
        zeros: zeros & mask,
        ones: ones & mask,
        ..Facts::unknown(sort, word)
    }
}

fn bitwise(operator: Operator, word: u32, operands: &[Facts]) -> Option<Facts> {
    let sort = operator.sort();
    let lut = match operator {
        Operator::Table | Operator::PredicateTable => operands.first()?.constant(word)?,
        _ => operator.truth_table()?.into(),
    };
    let inputs = match operator {
        Operator::Table | Operator::PredicateTable => operands.get(1..)?,
        _ => operands,
    };
    // A bit of the result is known if it is the same for all possible inputs.
    let (mut may_be_one, mut may_be_zero) = (0, 0);
    for row in 0..8 {
        let mut possible = u64::MAX;
        for (number, input) in inputs.iter().enumerate() {
            let one = row >> (2 - number) & 1 == 1;
            possible &= if one { !input.zeros } else { !input.ones };
        }
        if lut >> row & 1 == 1 {
            may_be_one |= possible;
        } else {
            may_be_zero |= possible;
        }
    }
    Some(bits_of(sort, word, !may_be_one, !may_be_zero))
}

/// The number of known trailing zeros.
fn trailing_zeros(facts: &Facts) -> u32 {
    facts.zeros.trailing_ones()
}

/// Facts about a sum: the range unless it overflows, and the common trailing zeros.
fn sum(parts: &[Facts], sort: Sort, word: u32) -> Facts {
    let mask = u128::from(sort.mask(word));
    let min: u128 = parts.iter().map(|part| u128::from(part.min)).sum();
    let max: u128 = parts.iter().map(|part| u128::from(part.max)).sum();
    let zeros = parts.iter().map(trailing_zeros).min().unwrap_or(0);
    let low = bits_of(sort, word, low_mask(zeros), 0);
    let range = match (u64::try_from(min), u64::try_from(max)) {
        (Ok(min), Ok(max)) if u128::from(max) <= mask => Facts::between(min, max, sort, word),
        _ => Facts::unknown(sort, word),
    };
    range.and(low, word).unwrap_or(low)
}

fn low_mask(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits.min(64)).unwrap_or(0)
}

fn product(a: &Facts, b: &Facts, sort: Sort, word: u32) -> Facts {
    let zeros = (trailing_zeros(a) + trailing_zeros(b)).min(64);
    let low = bits_of(sort, word, low_mask(zeros), 0);
    let max = u128::from(a.max) * u128::from(b.max);
    match u64::try_from(max) {
        Ok(max) if max <= sort.mask(word) => {
            let range = Facts::between(a.min * b.min, max, sort, word);
            range.and(low, word).unwrap_or(low)
        }
        _ => low,
    }
}

fn is_nonnegative(facts: &Facts, word: u32) -> bool {
    facts.max < 1 << (facts.sort.bits(word) - 1)
}

fn arithmetic(operator: Operator, word: u32, operands: &[Facts]) -> Option<Facts> {
    let sort = operator.sort();
    let all = Facts::unknown(Sort::Word, word);
    let [a, b, c] = [0, 1, 2].map(|number| operands.get(number).copied().unwrap_or(all));
    let signed_is_unsigned = is_nonnegative(&a, word) && is_nonnegative(&b, word);
    Some(match operator {
        Operator::Add | Operator::Add3 | Operator::PairAdd | Operator::AddCarry => {
            sum(operands, sort, word)
        }
        Operator::Multiply => product(&a, &b, sort, word),
        Operator::MultiplyAdd | Operator::MultiplyWideUnsigned => {
            sum(&[product(&a, &b, sort, word), c], sort, word)
        }
        Operator::MultiplyWideSigned if signed_is_unsigned => {
            sum(&[product(&a, &b, sort, word), c], sort, word)
        }
        Operator::MultiplyHighUnsigned => {
            let pair = sum(&[product(&a, &b, Sort::Pair, word), c], Sort::Pair, word);
            moves(Operator::High, word, &[pair])?
        }
        Operator::Lea | Operator::PairLea => {
            let n = u32::try_from(c.constant(word)?).ok()?;
            let shifted = shifted_left(&a, n, sort, word);
            sum(&[shifted, b], sort, word)
        }
        Operator::MinUnsigned => Facts {
            min: a.min.min(b.min),
            max: a.max.min(b.max),
            ..Facts::unknown(sort, word)
        },
        Operator::MaxUnsigned => Facts {
            min: a.min.max(b.min),
            max: a.max.max(b.max),
            ..Facts::unknown(sort, word)
        },
        Operator::MinSigned if signed_is_unsigned => {
            return arithmetic(Operator::MinUnsigned, word, operands);
        }
        Operator::MaxSigned if signed_is_unsigned => {
            return arithmetic(Operator::MaxUnsigned, word, operands);
        }
        Operator::MinSigned | Operator::MaxSigned => a.or(b),
        Operator::Absolute => Facts::between(0, 1 << (word - 1), sort, word),
        _ => return None,
    })
}

fn shifted_left(a: &Facts, n: u32, sort: Sort, word: u32) -> Facts {
    if n >= sort.bits(word) {
        return Facts::exactly(0, sort, word);
    }
    let bits = bits_of(sort, word, a.zeros << n | low_mask(n), a.ones << n);
    if a.max.leading_zeros() < n || a.max << n > sort.mask(word) {
        return bits;
    }
    Facts {
        min: a.min << n,
        max: a.max << n,
        ..bits
    }
}

fn shifted_right(a: &Facts, n: u32, sort: Sort, word: u32) -> Facts {
    let width = sort.bits(word);
    if n >= width {
        return Facts::exactly(0, sort, word);
    }
    let above = low_mask(width) & !low_mask(width - n);
    Facts {
        zeros: a.zeros >> n | above,
        ones: a.ones >> n,
        min: a.min >> n,
        max: a.max >> n,
        sort,
    }
}

fn moves(operator: Operator, word: u32, operands: &[Facts]) -> Option<Facts> {
    let sort = operator.sort();
    let a = *operands.first()?;
    let second = || operands.get(1).copied();
    let amount = || u32::try_from(second()?.constant(word)?.min(64)).ok();
    Some(match operator {
        Operator::Select => second()?.or(*operands.get(2)?),
        Operator::Low => {
            let bits = bits_of(sort, word, a.zeros, a.ones);
            if a.max <= sort.mask(word) {
                Facts {
                    min: a.min,
                    max: a.max,
                    ..bits
                }
            } else {
                bits
            }
        }
        Operator::High => {
            let high = shifted_right(&a, word, Sort::Pair, word);
            let zeros = high.zeros & sort.mask(word);
            Facts {
                sort,
                zeros,
                ..high
            }
        }
        Operator::Concat => {
            let b = second()?;
            Facts {
                sort,
                zeros: a.zeros | b.zeros << word,
                ones: a.ones | b.ones << word,
                min: a.min + (b.min << word),
                max: a.max + (b.max << word),
            }
        }
        Operator::ShiftLeft | Operator::PairShiftLeft => shifted_left(&a, amount()?, sort, word),
        Operator::ShiftRight | Operator::PairShiftRight => match amount() {
            Some(n) => shifted_right(&a, n, sort, word),
            None => Facts {
                max: a.max,
                ..Facts::unknown(sort, word)
            },
        },
        Operator::ShiftRightSigned if is_nonnegative(&a, word) => {
            return moves(Operator::ShiftRight, word, operands);
        }
        Operator::PairShiftRightSigned if is_nonnegative(&a, word) => {
            return moves(Operator::PairShiftRight, word, operands);
        }
        Operator::PopulationCount => {
            let least = u64::from(a.ones.count_ones());
            let most = u64::from((!a.zeros & Sort::Word.mask(word)).count_ones());
            Facts::between(least, most, sort, word)
        }
        Operator::HighestBit | Operator::LeadingZeros if a.min > 0 => {
            Facts::between(0, u64::from(word - 1), sort, word)
        }
        Operator::ExtendUnsigned => {
            let n = amount()?.min(word);
            bits_of(sort, word, a.zeros | !low_mask(n), a.ones & low_mask(n))
        }
        Operator::ExtendSigned => {
            let n = amount()?.min(word);
            if n == 0 || a.zeros >> (n - 1) & 1 == 0 {
                return None;
            }
            bits_of(sort, word, a.zeros | !low_mask(n), a.ones & low_mask(n))
        }
        Operator::FloatAbsolute => bits_of(sort, word, 1 << (word - 1), 0),
        _ => return None,
    })
}

/// Comparisons decided by bits and ranges.
fn comparisons(operator: Operator, word: u32, operands: &[Facts]) -> Option<Facts> {
    let [a, b, ..] = operands else {
        return None;
    };
    let nonnegative = is_nonnegative(a, word) && is_nonnegative(b, word);
    let different = a.zeros & b.ones | a.ones & b.zeros;
    let apart = different != 0 || a.max < b.min || b.max < a.min;
    let outcome = match operator {
        Operator::Equal if apart => false,
        Operator::NotEqual if apart => true,
        Operator::LessUnsigned => less(a, b)?,
        Operator::LessEqualUnsigned => !less(b, a)?,
        Operator::LessSigned if nonnegative => less(a, b)?,
        Operator::LessEqualSigned if nonnegative => !less(b, a)?,
        Operator::Carry if a.max + b.max <= Sort::Word.mask(word) => false,
        _ => return None,
    };
    Some(Facts::exactly(u64::from(outcome), Sort::Predicate, word))
}

fn less(a: &Facts, b: &Facts) -> Option<bool> {
    if a.max < b.min {
        Some(true)
    } else if a.min >= b.max {
        Some(false)
    } else {
        None
    }
}

/// An operation without an operator, apart from its operands: its form.
#[derive(Clone, Debug)]
pub struct Machine {
    /// An example operation of this form.
    pub operation: Operation,
    /// Its computation; `None` for approximations, which are not folded.
    pub computation: Option<Computation>,
    /// Its cost without moves.
    pub cost: PipeCost,
}

impl Machine {
    /// A result of the form for constant operands.
    fn fold(&self, result: u8, operands: &[u64]) -> Option<u64> {
        let computation = self.computation.as_ref()?;
        let operands: Vec<Bits> = operands.iter().map(|value| Bits::from(*value)).collect();
        let mut results = [0; MAX_RESULTS];
        computation.apply(&operands, &mut results)?;
        u64::try_from(*results.get(usize::from(result))?).ok()
    }
}

/// The e-graph analysis: facts of classes and leaves.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// The width of a word in bits.
    pub word: u32,
    /// Facts about leaves, by index.
    pub leaves: Vec<Facts>,
    /// Forms of operations without an operator, by index.
    pub machines: Vec<Machine>,
    /// Two terms with contradictory facts were merged: unreachable code, or an unsound rule.
    pub contradiction: bool,
    /// Work done on the graph; unlimited unless replaced.
    pub work: Work,
    /// Classes that were created, merged, or got other facts.
    pub changed: Vec<Id>,
    /// Whether there were such changes since the graph was last up to date.
    pub stale: bool,
}

impl Knowledge {
    /// No facts about leaves.
    pub fn new(word: u32) -> Self {
        Knowledge {
            word,
            leaves: Vec::new(),
            machines: Vec::new(),
            contradiction: false,
            work: Work::limited(u64::MAX),
            changed: Vec::new(),
            stale: false,
        }
    }
}

/// Classes of equal terms with their facts.
pub type Graph = EGraph<Term, Knowledge>;

impl Analysis<Term> for Knowledge {
    type Data = Facts;

    fn make(graph: &mut Graph, term: &Term, _: Id) -> Facts {
        graph.analysis.work.spend(1);
        let word = graph.analysis.word;
        match term.head {
            Head::Leaf(number, sort) => {
                let known = usize::try_from(number).ok();
                let known = known.and_then(|number| graph.analysis.leaves.get(number));
                known.copied().unwrap_or(Facts::unknown(sort, word))
            }
            Head::Number(bits, sort) => Facts::exactly(bits, sort, word),
            Head::Operator(operator) => {
                let operands: SmallVec<[Facts; 4]> = term
                    .children
                    .iter()
                    .map(|child| graph[*child].data)
                    .collect();
                transfer(operator, word, &operands)
            }
            Head::Machine(form, result, sort) => {
                let operands = term.children.iter().map(|child| constant(graph, *child));
                let operands: Option<Vec<u64>> = operands.collect();
                let machine = usize::try_from(form).ok();
                let machine = machine.and_then(|form| graph.analysis.machines.get(form));
                let value = machine
                    .zip(operands)
                    .and_then(|(machine, operands)| machine.fold(result, &operands));
                value.map_or(Facts::unknown(sort, word), |value| {
                    Facts::exactly(value, sort, word)
                })
            }
        }
    }

    fn merge(&mut self, a: &mut Facts, b: Facts) -> DidMerge {
        let Some(both) = a.and(b, self.word) else {
            self.contradiction = true;
            return DidMerge(false, true);
        };
        let merged = DidMerge(*a != both, b != both);
        *a = both;
        merged
    }

    fn modify(graph: &mut Graph, id: Id) {
        graph.analysis.changed.push(id);
        graph.analysis.stale = true;
        let facts = graph[id].data;
        let Some(value) = facts.constant(graph.analysis.word) else {
            return;
        };
        let number = graph.add(Term::number(value, facts.sort));
        graph.union(id, number);
    }
}

/// Restores congruence after changes. Without changes nothing is done, which saves a visit of all
/// terms.
///
/// The graph measures how long this takes, for a log that is not kept. Its clock is stopped, because
/// the first look at a running one calibrates it, a busy wait of milliseconds.
pub fn update(graph: &mut Graph) {
    static STOPPED: LazyLock<quanta::Clock> = LazyLock::new(|| quanta::Clock::mock().0);
    if graph.analysis.stale {
        quanta::with_clock(&STOPPED, || graph.rebuild());
        graph.analysis.stale = false;
    }
}

/// The constant of a class, if it has one.
pub fn constant(graph: &Graph, id: Id) -> Option<u64> {
    graph[id].data.constant(graph.analysis.word)
}
