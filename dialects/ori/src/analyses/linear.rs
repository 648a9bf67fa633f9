//! Integers as sums of values with constant factors.
//!
//! Sums, differences, shifts and products by constants are followed, for 32 bits and for pairs of
//! words that carries connect. The result equals the value modulo the width, also where an
//! intermediate result wraps. A query follows a bounded number of operations; what is behind them
//! is one value of the sum.

use orison_ir::{Attribute, Context, Operation, Value};

use super::properties::{self, immediate};
use crate::Register;
use crate::keywords::{Direction, Signedness, keyword_of};
use crate::modifiers::{self, Modifier, ModifierSet};
use crate::operations::integer::{Iadd3, Imad, ImadWide, Lea, Shf, Viadd};
use crate::operations::moves::{AddressOf, Cbank, Concat, Extract};
use crate::operations::stack::SlotAddress;

/// The most operations that a query follows.
const STEPS: u32 = 64;
/// The most terms of a sum.
const TERMS: usize = 8;

const NEGATED: ModifierSet = ModifierSet::NONE.with(Modifier::Negate);

/// A value in a sum, without its factor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// A value as wide as the sum.
    Value(Value),
    /// The low and the high word of a pair.
    Pair(Value, Value),
    /// The sign extension of a word to 64 bits.
    Signed(Value),
    /// The zero extension of a word to 64 bits.
    Unsigned(Value),
    /// One or two words of a constant bank: bank and offset.
    Bank(i32, i32),
    /// A symbol of memory.
    Symbol(Attribute),
    /// A slot of the activation's frame, by name.
    Slot(Attribute),
}

impl Root {
    /// The values of the function that determine the root.
    pub fn values(self) -> impl Iterator<Item = Value> {
        let (first, second) = match self {
            Root::Value(value) | Root::Signed(value) | Root::Unsigned(value) => (Some(value), None),
            Root::Pair(low, high) => (Some(low), Some(high)),
            Root::Bank(..) | Root::Symbol(_) | Root::Slot(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// A sum of roots with nonzero constant factors, and a constant, modulo 2^32 or 2^64.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinearForm {
    terms: Vec<(Root, i64)>,
    constant: i64,
    is_wide: bool,
}

impl LinearForm {
    /// A constant of 32 bits, or of 64 if `is_wide`.
    pub fn constant(number: i64, is_wide: bool) -> Self {
        let mut form = LinearForm {
            terms: Vec::new(),
            constant: 0,
            is_wide,
        };
        form.constant = form.wrapped(number);
        form
    }

    /// A root, once.
    pub fn root(root: Root, is_wide: bool) -> Self {
        LinearForm {
            terms: vec![(root, 1)],
            ..LinearForm::constant(0, is_wide)
        }
    }

    /// The sum that an integer of one or two words is; the value itself if nothing is known about
    /// it.
    pub fn of(context: &Context, value: Value) -> Self {
        Reader::new(context).value(value)
    }

    /// The sum that the pair of a low and a high word is.
    pub fn of_pair(context: &Context, low: Value, high: Value) -> Self {
        Reader::new(context).pair(low, high)
    }

    /// The roots with their factors, in order.
    pub fn terms(&self) -> &[(Root, i64)] {
        &self.terms
    }

    /// The constant summand, sign-extended from the width.
    pub fn offset(&self) -> i64 {
        self.constant
    }

    /// Whether the sum has 64 bits; 32 otherwise.
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// The number, if there are no roots.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The factor of a root; 0 if it is not in the sum.
    pub fn factor(&self, root: Root) -> i64 {
        let place = self.terms.binary_search_by_key(&root, |(root, _)| *root);
        place.map_or(0, |place| self.terms[place].1)
    }

    /// A number modulo the width, as the one closest to zero.
    fn wrapped(&self, number: i64) -> i64 {
        match self.is_wide {
            true => number,
            false => (number << 32) >> 32,
        }
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, number: i64) {
        self.constant = self.wrapped(self.constant.wrapping_add(number));
    }

    /// Adds a root with a factor.
    pub fn add_root(&mut self, root: Root, factor: i64) {
        let place = self.terms.binary_search_by_key(&root, |(root, _)| *root);
        match place {
            Ok(place) => {
                let sum = self.wrapped(self.terms[place].1.wrapping_add(factor));
                self.terms[place].1 = sum;
                if sum == 0 {
                    self.terms.remove(place);
                }
            }
            Err(place) => {
                let factor = self.wrapped(factor);
                if factor != 0 {
                    self.terms.insert(place, (root, factor));
                }
            }
        }
    }

    /// Adds another sum of the same width with a factor.
    pub fn add(&mut self, other: &LinearForm, factor: i64) {
        debug_assert_eq!(self.is_wide, other.is_wide);
        for (root, times) in &other.terms {
            self.add_root(*root, times.wrapping_mul(factor));
        }
        self.add_constant(other.constant.wrapping_mul(factor));
    }

    /// The sum times a factor.
    #[must_use]
    pub fn times(&self, factor: i64) -> Self {
        let mut product = LinearForm::constant(0, self.is_wide);
        product.add(self, factor);
        product
    }
}

/// Whether a value has one word.
pub(super) fn is_word(context: &Context, value: Value) -> bool {
    let register = Register::of(context, value.ty(context));
    register.and_then(Register::words) == Some(1)
}

/// Follows definitions.
struct Reader<'c> {
    context: &'c Context,
    steps: u32,
}

/// An operand of a sum of words: negation is exact only together with the other word.
#[derive(Clone, Copy)]
struct Part {
    value: Value,
    set: ModifierSet,
}

impl<'c> Reader<'c> {
    fn new(context: &'c Context) -> Self {
        Reader {
            context,
            steps: STEPS,
        }
    }

    /// Counts an operation; false if there were too many.
    fn follow(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    fn value(&mut self, value: Value) -> LinearForm {
        let is_wide = !is_word(self.context, value);
        if let Some(number) = immediate(self.context, value) {
            return LinearForm::constant(number, is_wide);
        }
        let defining = value.defining_op(self.context).filter(|_| self.follow());
        let sum = defining.and_then(|op| match is_wide {
            true => self.wide(op),
            false => self.word(op, value),
        });
        let sum = sum.filter(|sum| sum.terms.len() <= TERMS);
        sum.unwrap_or_else(|| LinearForm::root(root_of(self.context, value), is_wide))
    }

    /// A result of one word.
    fn word(&mut self, op: Operation, value: Value) -> Option<LinearForm> {
        let context = self.context;
        if let Some(extract) = Extract::of(context, op) {
            let whole = op.operand(context, 0).defining_op(context)?;
            Concat::of(context, whole)?;
            let part = usize::try_from(extract.word(context)?).ok()?;
            let words = whole.operands(context).all(|one| is_word(context, one));
            let inside = words && part < whole.operand_count(context);
            return inside.then(|| self.value(whole.operand(context, part)));
        }
        if !is_plain(context, op) || op.result(context, 0) != value {
            return None;
        }
        if Iadd3::matches(context, op) || Viadd::matches(context, op) {
            let mut sum = LinearForm::constant(0, false);
            for number in 0..op.operand_count(context) {
                sum.add(&self.operand(op, number)?, 1);
            }
            return Some(sum);
        }
        if Imad::matches(context, op) {
            let [a, b, c] = self.three(op)?;
            return product(&a, &b, c);
        }
        let shift = i64::from(shift_of(context, op)?);
        let mut sum = self.operand(op, 0)?.times(1 << shift);
        if Lea::matches(context, op) {
            sum.add(&self.operand(op, 1)?, 1);
        }
        Some(sum)
    }

    fn three(&mut self, op: Operation) -> Option<[LinearForm; 3]> {
        Some([
            self.operand(op, 0)?,
            self.operand(op, 1)?,
            self.operand(op, 2)?,
        ])
    }

    /// An operand with its modifiers.
    fn operand(&mut self, op: Operation, number: usize) -> Option<LinearForm> {
        let sum = self.value(op.operand(self.context, number));
        let set = modifiers::of_operand(self.context, op, number);
        negated(&sum, set)
    }

    /// A result of two words.
    fn wide(&mut self, op: Operation) -> Option<LinearForm> {
        let context = self.context;
        if Concat::matches(context, op) && op.operand_count(context) == 2 {
            let [low, high] = [0, 1].map(|part| op.operand(context, part));
            return Some(self.pair(low, high));
        }
        let signedness = ImadWide::of(context, op)?.signedness(context);
        let set = |number| modifiers::of_operand(context, op, number);
        if !is_plain(context, op) || (0..3).any(|number| set(number) != ModifierSet::NONE) {
            return None;
        }
        let [a, b, addend] = [0, 1, 2].map(|number| op.operand(context, number));
        let is_signed = signedness == Some(Signedness::Signed);
        let read = |number: i64| match is_signed {
            true => number,
            false => number & i64::from(u32::MAX),
        };
        let mut sum = self.value(addend);
        let (factor, value) = match (immediate(context, a), immediate(context, b)) {
            (None, Some(factor)) => (factor, a),
            (Some(factor), None) => (factor, b),
            (Some(a), Some(b)) => {
                sum.add_constant(read(a).wrapping_mul(read(b)));
                return Some(sum);
            }
            (None, None) => return None,
        };
        let root = match is_signed {
            true => Root::Signed(value),
            false => Root::Unsigned(value),
        };
        sum.add_root(root, read(factor));
        Some(sum)
    }

    fn pair(&mut self, low: Value, high: Value) -> LinearForm {
        let sum = self.pair_sum(low, high);
        let sum = sum.filter(|sum| sum.terms.len() <= TERMS);
        sum.unwrap_or_else(|| LinearForm::root(Root::Pair(low, high), true))
    }

    fn pair_sum(&mut self, low: Value, high: Value) -> Option<LinearForm> {
        let context = self.context;
        match (immediate(context, low), immediate(context, high)) {
            (Some(low), Some(high)) => {
                let number = (high << 32) | (low & i64::from(u32::MAX));
                return Some(LinearForm::constant(number, true));
            }
            (None, Some(0)) => return Some(LinearForm::root(Root::Unsigned(low), true)),
            _ => {}
        }
        if !self.follow() {
            return None;
        }
        if let (Some(whole), Some(other)) = (part_of(context, low, 0), part_of(context, high, 1))
            && whole == other
        {
            return Some(self.value(whole));
        }
        let (first, second) = (low.defining_op(context), high.defining_op(context)?);
        if is_sign_of(context, second, low) {
            return Some(LinearForm::root(Root::Signed(low), true));
        }
        let first = first.filter(|op| op.result(context, 0) == low)?;
        if !is_unguarded(context, first) || !is_unguarded(context, second) {
            return None;
        }
        let shifted = shifted_pair(context, first, second);
        if let Some((high, shift)) = shifted {
            let whole = self.pair(first.operand(context, 0), high);
            return Some(whole.times(1 << shift));
        }
        if second.result(context, 0) != high || !carries_into(context, first, second) {
            return None;
        }
        match Lea::matches(context, first) && Lea::matches(context, second) {
            true => self.pair_lea(first, second),
            false => self.pair_add(first, second),
        }
    }

    /// Two additions connected by a carry. Operands belong together if they are the words of one
    /// value, otherwise in their order.
    fn pair_add(&mut self, first: Operation, second: Operation) -> Option<LinearForm> {
        let context = self.context;
        if !Iadd3::matches(context, first) || !Iadd3::matches(context, second) {
            return None;
        }
        let parts = |op: Operation| {
            [0, 1, 2].map(|number| Part {
                value: op.operand(context, number),
                set: modifiers::of_operand(context, op, number),
            })
        };
        let (lows, mut highs) = (parts(first), parts(second).to_vec());
        // One carry is enough for two summands, of which one may be negated.
        let is_zero =
            |low: &Part| low.set == ModifierSet::NONE && immediate(context, low.value) == Some(0);
        let negations = lows.iter().filter(|low| low.set == NEGATED).count();
        if negations > 1 || !lows.iter().any(is_zero) {
            return None;
        }
        let mut sum = LinearForm::constant(0, true);
        for low in lows {
            // The negation of a pair is that of the low word and the inversion of the high one.
            let (set, factor) = match low.set {
                ModifierSet::NONE => (ModifierSet::NONE, 1),
                NEGATED => (ModifierSet::NONE.with(Modifier::Invert), -1),
                _ => return None,
            };
            let like = |high: &Part| high.set == set;
            let belongs = |high: &Part| like(high) && belong(context, low.value, high.value);
            let place = highs.iter().position(belongs);
            let place = place.or_else(|| highs.iter().position(like))?;
            let high = highs.remove(place);
            sum.add(&self.pair(low.value, high.value), factor);
        }
        Some(sum)
    }

    /// Two shifted additions connected by a carry.
    fn pair_lea(&mut self, first: Operation, second: Operation) -> Option<LinearForm> {
        let context = self.context;
        let (low, high) = (Lea::of(context, first)?, Lea::of(context, second)?);
        let shift = low.shift(context)?;
        let plain = |op| {
            let mut numbers = 0..3;
            numbers.all(|number| modifiers::of_operand(context, op, number) == ModifierSet::NONE)
        };
        let [a, addend] = [0, 1].map(|number| first.operand(context, number));
        let [again, addend_high, a_high] = [0, 1, 2].map(|n| second.operand(context, n));
        let matching = again == a && high.shift(context) == Some(shift);
        if !matching || high.high(context).is_none() || !plain(first) || !plain(second) {
            return None;
        }
        let whole = match high.sign_extended(context).is_some() {
            true => LinearForm::root(Root::Signed(a), true),
            false => self.pair(a, a_high),
        };
        let mut sum = whole.times(1 << u32::try_from(shift).ok().filter(|shift| *shift < 32)?);
        sum.add(&self.pair(addend, addend_high), 1);
        Some(sum)
    }
}

/// A sum with the modifiers of an integer operand.
fn negated(sum: &LinearForm, set: ModifierSet) -> Option<LinearForm> {
    let mut keywords = set.iter();
    match (keywords.next(), keywords.next()) {
        (None, _) => Some(sum.clone()),
        (Some(Modifier::Negate), None) => Some(sum.times(-1)),
        (Some(Modifier::Invert), None) => {
            let mut inverted = sum.times(-1);
            inverted.add_constant(-1);
            Some(inverted)
        }
        _ => None,
    }
}

/// The product of two sums, one of them constant, plus a third.
fn product(a: &LinearForm, b: &LinearForm, mut addend: LinearForm) -> Option<LinearForm> {
    match (a.as_constant(), b.as_constant()) {
        (_, Some(factor)) => addend.add(a, factor),
        (Some(factor), None) => addend.add(b, factor),
        (None, None) => return None,
    }
    Some(addend)
}

fn is_unguarded(context: &Context, op: Operation) -> bool {
    properties::guard(context, op).is_none() && !properties::is_unmodelled(context, op)
}

/// Whether an operation has no guard and no carries in.
fn is_plain(context: &Context, op: Operation) -> bool {
    is_unguarded(context, op) && op.attribute(context, "extended").is_none()
}

/// The constant amount by which an operation shifts its first operand to the left, within a word.
fn shift_of(context: &Context, op: Operation) -> Option<u32> {
    // What a modifier changes is the shifted word.
    let plain = modifiers::of_operand(context, op, 0) == ModifierSet::NONE;
    let amount = if let Some(lea) = Lea::of(context, op) {
        let low = plain && lea.high(context).is_none();
        low.then(|| lea.shift(context).map(i64::from))??
    } else {
        let shift = Shf::of(context, op)?;
        let left = shift.direction(context) == Some(Direction::Left);
        let low = plain && left && shift.high(context).is_none();
        low.then(|| immediate(context, op.operand(context, 1)))??
    };
    u32::try_from(amount).ok().filter(|amount| *amount < 32)
}

/// The high word and the amount, if two shifts to the left are the words of one of a pair.
fn shifted_pair(context: &Context, low: Operation, high: Operation) -> Option<(Value, u32)> {
    Shf::of(context, low)?;
    let shift = shift_of(context, low)?;
    let upper = Shf::of(context, high)?;
    let wide = [Signedness::UnsignedWide, Signedness::SignedWide];
    let signedness = keyword_of(context, high, "signedness");
    let same = upper.direction(context) == Some(Direction::Left)
        && upper.high(context).is_some()
        && signedness.is_some_and(|one| wide.contains(&one))
        && high.operand(context, 0) == low.operand(context, 0)
        && immediate(context, high.operand(context, 1)) == Some(i64::from(shift));
    same.then(|| (high.operand(context, 2), shift))
}

/// Whether an operation is the sign of a word in all bits.
fn is_sign_of(context: &Context, op: Operation, word: Value) -> bool {
    let Some(shift) = Shf::of(context, op) else {
        return false;
    };
    is_unguarded(context, op)
        && modifiers::of_operand(context, op, 2) == ModifierSet::NONE
        && shift.direction(context) == Some(Direction::Right)
        && shift.signedness(context) == Some(Signedness::Signed)
        && shift.high(context).is_some()
        && op.operand(context, 2) == word
        && immediate(context, op.operand(context, 1)) == Some(31)
}

/// Whether the only carry into an operation, not inverted, is the first carry of another one that
/// has none.
fn carries_into(context: &Context, low: Operation, high: Operation) -> bool {
    let carries = high.operands_named(context, "carry");
    let [carry] = carries[..] else { return false };
    let first = low.results_named(context, "carries").first().copied();
    first == Some(carry)
        && low.attribute(context, "extended").is_none()
        && high.attribute(context, "extended").is_some()
        && modifiers::of_operand(context, high, 3) == ModifierSet::NONE
}

/// The whole that a value is a word of.
fn part_of(context: &Context, value: Value, word: i32) -> Option<Value> {
    let op = value.defining_op(context)?;
    let extract = Extract::of(context, op)?;
    let whole = op.operand(context, 0);
    let two = Register::of(context, whole.ty(context)).and_then(Register::words) == Some(2);
    (two && extract.word(context) == Some(word)).then_some(whole)
}

/// Whether two values are the words of one value of 64 bits.
fn belong(context: &Context, low: Value, high: Value) -> bool {
    match (part_of(context, low, 0), part_of(context, high, 1)) {
        (Some(whole), Some(other)) => whole == other,
        (None, None) => {
            let known = |value| immediate(context, value).is_some();
            let sign = high.defining_op(context);
            known(low) && known(high) || sign.is_some_and(|op| is_sign_of(context, op, low))
        }
        _ => false,
    }
}

fn root_of(context: &Context, value: Value) -> Root {
    let Some(op) = value.defining_op(context) else {
        return Root::Value(value);
    };
    if let Some(symbol) = AddressOf::of(context, op).and_then(|op| op.symbol(context)) {
        return Root::Symbol(symbol);
    }
    if SlotAddress::of(context, op).is_some()
        && let Some(slot) = op.attribute(context, "slot")
    {
        return Root::Slot(slot);
    }
    let bank = Cbank::of(context, op);
    let place = bank.and_then(|op| Some((op.bank(context)?, op.offset(context)?)));
    place.map_or(Root::Value(value), |(bank, offset)| {
        Root::Bank(bank, offset)
    })
}
