//! Addresses that differ by a constant.
//!
//! The sums, products and left shifts that an address is made of are computed for several random values of all other
//! values. Two addresses that change by the same amounts from one choice of values to the next differ by a
//! constant: the difference of the first. Both are polynomials of random words, so this is wrong with a
//! probability far below that of an error of the machine. What is not one (comparisons, right shifts, words of
//! bits) is a value of its own; the high word of a sum counts only in a pair with the low one.

use orison_ir::{Attribute, Context, Operation, Value};
use orison_ori::analyses::properties;
use orison_ori::keywords::{Direction, keyword_of};
use orison_ori::modifiers::{self, ModifierSet};
use orison_ori::operations as ori;
use orison_ori::semantics::{Bits, Computation, MAX_RESULTS};
use orison_ori::types::Register;
use rustc_hash::FxHashMap;

use crate::order::Window;

/// How many random values each value has.
const CHOICES: usize = 4;

/// Sums, products, and parts of words.
const ARITHMETIC: [&str; 13] = [
    ori::Iadd3::NAME,
    ori::Uiadd3::NAME,
    ori::Viadd::NAME,
    ori::Imad::NAME,
    ori::Uimad::NAME,
    ori::ImadWide::NAME,
    ori::UimadWide::NAME,
    ori::Lea::NAME,
    ori::Ulea::NAME,
    ori::Mov::NAME,
    ori::Umov::NAME,
    ori::Concat::NAME,
    ori::Extract::NAME,
];

/// What an address is compared by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    /// How it changes from one choice to the next, in a window. Generic addresses of global memory are those of
    /// other accesses, so both have none.
    Changes(Option<Window>, [i64; CHOICES - 1]),
    /// The symbol or slot that it is in: the properties of the operation that takes its address.
    Named(Attribute),
}

/// A value for each choice.
#[derive(Clone, Copy, Debug)]
struct Known {
    bits: [Bits; CHOICES],
    /// Whether it is a polynomial itself, not only the high part of one.
    whole: bool,
    /// The only symbol or slot in it, and its address.
    object: Option<(Attribute, [Bits; CHOICES])>,
}

/// The addresses of a function.
pub(super) struct Addresses<'c> {
    context: &'c Context,
    known: FxHashMap<Value, Known>,
    /// Addresses of symbols and slots, by the properties of their operations.
    objects: FxHashMap<Attribute, [Bits; CHOICES]>,
    /// Words of constant banks, by bank and offset.
    banks: FxHashMap<(i64, i64), [Bits; CHOICES]>,
    random: u64,
}

impl<'c> Addresses<'c> {
    pub(super) fn new(context: &'c Context) -> Addresses<'c> {
        Addresses {
            context,
            known: FxHashMap::default(),
            objects: FxHashMap::default(),
            banks: FxHashMap::default(),
            random: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// The base of the sum of some values and an offset, for an access to windows, and the distance of the sum from
    /// the base.
    pub(super) fn of(&mut self, windows: &[Window], parts: &[Value], offset: i64) -> (Base, i64) {
        let mut sums = [offset; CHOICES];
        let mut objects = Vec::new();
        for part in parts {
            let mut known = self.value(*part);
            if !known.whole {
                known = self.fresh(*part);
            }
            for (sum, bits) in sums.iter_mut().zip(known.bits) {
                *sum = sum.wrapping_add(low(bits));
            }
            objects.extend(known.object);
        }
        if let [(name, start)] = objects.as_slice() {
            let distances = sums.iter().zip(start);
            let mut distances = distances.map(|(sum, bits)| sum.wrapping_sub(low(*bits)));
            let first = distances.next().unwrap_or_default();
            if distances.all(|distance| distance == first) {
                return (Base::Named(*name), first);
            }
        }
        let changes = std::array::from_fn(|step| sums[step + 1].wrapping_sub(sums[step]));
        let window = match windows {
            [only] if *only != Window::Global => Some(*only),
            _ => None,
        };
        (Base::Changes(window, changes), sums[0])
    }

    /// The value for each choice.
    fn value(&mut self, value: Value) -> Known {
        let mut open = vec![value];
        while let Some(top) = open.pop() {
            if self.known.contains_key(&top) {
                continue;
            }
            let op = top.defining_op(self.context);
            let op = op.filter(|op| is_arithmetic(self.context, *op));
            let operands = op.map(|op| op.operands(self.context).collect::<Vec<_>>());
            let operands = operands.unwrap_or_default();
            let missing = operands
                .iter()
                .filter(|operand| !self.known.contains_key(operand));
            let missing: Vec<Value> = missing.copied().collect();
            if !missing.is_empty() {
                open.push(top);
                open.extend(missing);
            } else if op.is_none_or(|op| self.compute(op, &operands).is_none()) {
                let known = self.root(top);
                self.known.insert(top, known);
            }
        }
        self.known[&value]
    }

    /// Computes the results of an operation from those of its operands.
    fn compute(&mut self, op: Operation, operands: &[Value]) -> Option<()> {
        let context = self.context;
        let is_high = takes_high_part(context, op);
        let known: Vec<Known> = operands.iter().map(|operand| self.known[operand]).collect();
        // The low part of a pair decides, and a high part is of no use but in high parts.
        let deciding = if op.is(context, ori::Concat::NAME) {
            1
        } else {
            known.len()
        };
        let whole = known.iter().take(deciding).all(|operand| operand.whole);
        if !whole && !is_high {
            return None;
        }
        let mut results: Vec<[Bits; CHOICES]> = vec![[0; CHOICES]; op.result_count(context)];
        let computation = Computation::of(context, op)?;
        for choice in 0..CHOICES {
            let bits: Vec<Bits> = known.iter().map(|operand| operand.bits[choice]).collect();
            let mut computed = [0; MAX_RESULTS];
            computation.apply(&bits, &mut computed)?;
            for (result, bits) in results.iter_mut().zip(computed) {
                result[choice] = bits;
            }
        }
        let mut objects = known.iter().filter_map(|operand| operand.object);
        let object = objects.next();
        let object = object.filter(|first| objects.all(|other| other.0 == first.0));
        for (number, bits) in results.into_iter().enumerate() {
            let known = Known {
                bits,
                whole: !is_high && number == 0,
                object,
            };
            self.known.insert(op.result(context, number), known);
        }
        Some(())
    }

    /// A value that is not computed from others.
    fn root(&mut self, value: Value) -> Known {
        let context = self.context;
        if let Some(number) = properties::immediate(context, value) {
            let bits = u128::from(u64::from_ne_bytes(number.to_ne_bytes()));
            let bits = bits & mask(context, value);
            return Known {
                bits: [bits; CHOICES],
                whole: true,
                object: None,
            };
        }
        let Some(op) = value.defining_op(context) else {
            return self.fresh(value);
        };
        if op.is(context, ori::Cbank::NAME) {
            return self.bank(op, value);
        }
        if !op.is(context, ori::AddressOf::NAME) && !op.is(context, ori::SlotAddress::NAME) {
            return self.fresh(value);
        }
        let name = op.properties(context);
        let fresh = self.fresh(value).bits;
        let bits = *self.objects.entry(name).or_insert(fresh);
        Known {
            bits,
            whole: true,
            object: Some((name, bits)),
        }
    }

    /// The words of a constant bank.
    fn bank(&mut self, op: Operation, value: Value) -> Known {
        let number = |key| {
            let attribute = op.attribute(self.context, key);
            attribute.and_then(|number| number.as_i64(self.context))
        };
        let place = number("bank").zip(number("offset"));
        let (Some((bank, offset)), Some(words)) = (place, words(self.context, value)) else {
            return self.fresh(value);
        };
        let mut known = self.fresh(value);
        known.bits = [0; CHOICES];
        for word in 0..words {
            let fresh = std::array::from_fn(|_| Bits::from(self.next() >> 32));
            let key = (bank, offset.wrapping_add(i64::from(word) * 4));
            let part = *self.banks.entry(key).or_insert(fresh);
            for (bits, part) in known.bits.iter_mut().zip(part) {
                *bits |= part << (32 * word);
            }
        }
        known
    }

    /// Random values.
    fn fresh(&mut self, value: Value) -> Known {
        let mask = mask(self.context, value);
        Known {
            bits: std::array::from_fn(|_| Bits::from(self.next()) & mask),
            whole: true,
            object: None,
        }
    }

    /// The next random number (xorshift with a multiplication), the same in each run.
    fn next(&mut self) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        self.random.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// The words of a value, four at most: that is what is computed.
fn words(context: &Context, value: Value) -> Option<u32> {
    let register = Register::of(context, value.ty(context));
    register
        .and_then(Register::words)
        .filter(|words| *words <= 4)
}

/// The bits of a value; one of a predicate.
fn mask(context: &Context, value: Value) -> Bits {
    match words(context, value) {
        Some(count) => Bits::MAX >> (128 - 32 * count),
        None => 1,
    }
}

/// The low 64 bits.
fn low(bits: Bits) -> i64 {
    (bits & Bits::from(u64::MAX)) as i64
}

/// Whether an operation computes a polynomial of its operands, or a part of one, in all threads.
fn is_arithmetic(context: &Context, op: Operation) -> bool {
    let shift = op.is(context, ori::Shf::NAME) || op.is(context, ori::Ushf::NAME);
    let left = shift
        && keyword_of(context, op, "direction") == Some(Direction::Left)
        && properties::immediate(context, op.operand(context, 1)).is_some();
    let listed = ARITHMETIC.iter().any(|name| op.is(context, name));
    (listed || left) && properties::guard(context, op).is_none() && has_only_negations(context, op)
}

/// Whether no operand is read as anything but itself or its negation.
fn has_only_negations(context: &Context, op: Operation) -> bool {
    let mut operands = 0..op.operand_count(context);
    operands.all(|number| {
        let set = modifiers::of_operand(context, op, number);
        set == ModifierSet::NONE
            || set == ModifierSet::NONE.with(modifiers::Modifier::Negate)
            || op.attribute(context, "extended").is_some()
    })
}

/// Whether the results of an operation are high parts.
fn takes_high_part(context: &Context, op: Operation) -> bool {
    let has = |key| op.attribute(context, key).is_some();
    let upper = op.is(context, ori::Extract::NAME) && {
        let word = op.attribute(context, "word");
        word.and_then(|word| word.as_i64(context)) != Some(0)
    };
    has("high") || has("extended") || upper
}
