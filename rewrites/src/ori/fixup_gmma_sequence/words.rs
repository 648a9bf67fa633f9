//! Where the words of accumulators and factors come from.

use orison_ir::analyses::DefUse;
use orison_ir::{Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::matrix_groups::{Role, SharedSet, role};
use orison_ori::analyses::properties;
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::{Concat, Extract};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ori::matrix_registers::variables::words;

/// A word of a value.
pub(super) type Word = (Value, u32);

/// The word of a value, where it is defined: through extracts, concatenations and waits.
pub(super) fn word_of(context: &Context, mut value: Value, mut word: u32) -> Word {
    while let Some(op) = value.defining_op(context) {
        if let Some(extract) = Extract::of(context, op) {
            let first = extract
                .word(context)
                .and_then(|word| u32::try_from(word).ok());
            word += first.unwrap_or(0);
            value = extract.whole(context);
        } else if Concat::matches(context, op) {
            let parts = op.operands(context);
            let sizes = parts.map(|part| (part, words(context, part)));
            let mut at = 0;
            let mut found = None;
            for (part, size) in sizes {
                if found.is_none() && word < at + size {
                    found = Some((part, word - at));
                }
                at += size;
            }
            match found {
                Some((part, inner)) => (value, word) = (part, inner),
                None => return (value, word),
            }
        } else if matches!(role(context, op), Some(Role::Wait(_))) {
            let passed = op.operands_named(context, "accumulators");
            match passed.get(value.position(context)) {
                Some(before) => value = *before,
                None => return (value, word),
            }
        } else {
            break;
        }
    }
    (value, word)
}

/// The products that take a value which an operation defines in their accumulators, also through the
/// products before them, with the words of their accumulators. Linear in what holds the value.
pub(super) fn fed_by(context: &Context, definition: Operation) -> FxHashSet<(Operation, u32)> {
    let mut fed: FxHashSet<(Operation, u32)> = FxHashSet::default();
    let mut seen: FxHashSet<Word> = FxHashSet::default();
    let results = definition.results(context);
    let mut pending: Vec<Word> = results
        .flat_map(|value| (0..words(context, value)).map(move |word| (value, word)))
        .collect();
    while let Some((value, word)) = pending.pop() {
        if !seen.insert((value, word)) {
            continue;
        }
        for usage in value.uses(context) {
            let (op, operand) = (usage.owner, usage.operand);
            let product = WgmmaMma::of(context, op);
            if product.and_then(|product| product.accumulator(context)) == Some(value) {
                fed.insert((op, word));
            }
            pending.extend(passed_on(context, op, operand, word));
        }
    }
    fed
}

/// The words that a word of an operand becomes without another instruction: those of extracts,
/// concatenations, waits, accumulators of products, values that are kept, and block arguments.
fn passed_on(context: &Context, op: Operation, operand: usize, word: u32) -> Vec<Word> {
    let value = op.operand(context, operand);
    if let Some(extract) = Extract::of(context, op) {
        let first = extract
            .word(context)
            .and_then(|word| u32::try_from(word).ok());
        let (part, first) = (extract.part(context), first.unwrap_or(0));
        let inner = word.checked_sub(first);
        let inner = inner.filter(|inner| *inner < words(context, part));
        return inner.map(|inner| (part, inner)).into_iter().collect();
    }
    if let Some(concat) = Concat::of(context, op) {
        let before = op.operands(context).take(operand);
        let first: u32 = before.map(|part| words(context, part)).sum();
        return vec![(concat.whole(context), first + word)];
    }
    if matches!(role(context, op), Some(Role::Wait(_))) {
        return vec![(op.result(context, operand), word)];
    }
    let mut all = Vec::new();
    if let Some(product) = WgmmaMma::of(context, op)
        && product.accumulator(context) == Some(value)
    {
        all.push((product.result(context), word));
    }
    let kept = properties::otherwise(context, op).into_iter();
    let kept = kept
        .zip(op.results(context))
        .filter(|(kept, _)| *kept == value);
    all.extend(kept.map(|(_, result)| (result, word)));
    for (block, passed) in op.edges(context) {
        if let Some(passed) = passed.filter(|passed| passed.contains(&operand)) {
            all.push((block.argument(context, operand - passed.start), word));
        }
    }
    all
}

/// The left factors of products in registers.
///
/// Each definition of a factor has registers of its own, except for those that meet at a block
/// argument which is a factor itself: these share its register.
#[derive(Debug, Default)]
pub(super) struct Factors {
    /// The products that multiply each shared register, by number.
    readers: Vec<SharedSet>,
    /// The shared registers that each definition is passed to.
    passed: FxHashMap<Word, Vec<usize>>,
}

impl Factors {
    /// Collects the factors. Linear in their words and the branches that pass them.
    pub fn of(context: &Context, chains: &DefUse, products: &[Operation]) -> Self {
        let mut factors = Factors::default();
        let mut known: FxHashSet<Word> = FxHashSet::default();
        // The shared registers that each word is in.
        let mut shared: FxHashMap<Word, Vec<usize>> = FxHashMap::default();
        let own: Vec<(u32, Word)> = (0..)
            .zip(products)
            .filter_map(|(number, op)| {
                let value = WgmmaMma::of(context, *op)?.a(context);
                let is_factor = Register::of(context, value.ty(context)) == Some(Register::R128);
                is_factor.then_some((number, value))
            })
            .flat_map(|(number, value)| {
                (0..4).map(move |word| (number, word_of(context, value, word)))
            })
            .collect();
        for (_, (value, word)) in own.iter().copied() {
            let is_argument = value.defining_op(context).is_none();
            if !is_argument || !known.insert((value, word)) {
                continue;
            }
            let number = factors.readers.len();
            factors.readers.push(SharedSet::default());
            let incoming = chains.incoming(context, value).into_iter();
            let incoming = incoming.filter_map(|edge| edge.value);
            let incoming: FxHashSet<Word> = incoming
                .map(|value| word_of(context, value, word))
                .collect();
            for definition in incoming {
                factors.passed.entry(definition).or_default().push(number);
                if definition != (value, word) {
                    shared.entry(definition).or_default().push(number);
                }
            }
            shared.entry((value, word)).or_default().push(number);
        }
        for (product, word) in own {
            for number in shared.get(&word).into_iter().flatten() {
                factors.readers[*number].insert(product);
            }
        }
        factors
    }

    /// Whether a definition of a word is in a register that one of some products reads.
    pub fn is_read_by(&self, definition: Word, products: &SharedSet) -> bool {
        let mut passed = self.passed.get(&definition).into_iter().flatten();
        passed.any(|number| self.readers[*number].meets(products))
    }
}
