//! Where the words of accumulators and factors come from.

use orison_ir::analyses::DefUse;
use orison_ir::{Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::properties;
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::{Concat, Extract};
use rustc_hash::{FxHashMap, FxHashSet};

use super::registers::{Variables, words};

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

/// Whether the value that another operation defines is what a product takes in a word of its
/// accumulator, also through the products before it. Linear in what flows to the word.
pub(super) fn feeds(
    context: &Context,
    chains: &DefUse,
    variables: &Variables,
    (product, word): (WgmmaMma, u32),
    definition: Operation,
) -> bool {
    let Some(accumulator) = product.accumulator(context) else {
        return variables.takes_constant(product.operation(), definition);
    };
    let mut seen: FxHashSet<Word> = FxHashSet::default();
    let mut pending = vec![(accumulator, word)];
    while let Some((value, word)) = pending.pop() {
        let (value, word) = word_of(context, value, word);
        if !seen.insert((value, word)) {
            continue;
        }
        let Some(op) = value.defining_op(context) else {
            let incoming = chains.incoming(context, value).into_iter();
            pending.extend(incoming.filter_map(|edge| Some((edge.value?, word))));
            continue;
        };
        if op == definition {
            return true;
        }
        let before = WgmmaMma::of(context, op).and_then(|before| before.accumulator(context));
        pending.extend(before.map(|before| (before, word)));
        let kept = properties::otherwise(context, op);
        let kept = kept.get(value.position(context));
        pending.extend(kept.map(|kept| (*kept, word)));
    }
    false
}

/// The left factors of products in registers.
///
/// Each definition of a factor has registers of its own, except for those that meet at a block
/// argument which is a factor itself: these share its register.
#[derive(Debug, Default)]
pub(super) struct Factors {
    /// The words of each product's factor.
    words: FxHashMap<Operation, Vec<Word>>,
    /// The block arguments that are words of factors, with what is passed to them.
    shared: Vec<FxHashSet<Word>>,
    /// The entries of `shared` that each definition is passed to.
    passed: FxHashMap<Word, Vec<usize>>,
}

impl Factors {
    /// Collects the factors. Linear in their words and the branches that pass them.
    pub fn of(context: &Context, chains: &DefUse, products: &[Operation]) -> Self {
        let mut factors = Factors::default();
        let mut known: FxHashSet<Word> = FxHashSet::default();
        for op in products {
            let Some(product) = WgmmaMma::of(context, *op) else {
                continue;
            };
            let value = product.a(context);
            if Register::of(context, value.ty(context)) != Some(Register::R128) {
                continue;
            }
            let own: Vec<Word> = (0..4).map(|word| word_of(context, value, word)).collect();
            for (value, word) in own.iter().copied() {
                let is_argument = value.defining_op(context).is_none();
                if !is_argument || !known.insert((value, word)) {
                    continue;
                }
                let incoming = chains.incoming(context, value).into_iter();
                let incoming = incoming.filter_map(|edge| edge.value);
                let mut shared: FxHashSet<Word> = incoming
                    .map(|value| word_of(context, value, word))
                    .collect();
                for definition in &shared {
                    let passed = factors.passed.entry(*definition).or_default();
                    passed.push(factors.shared.len());
                }
                shared.insert((value, word));
                factors.shared.push(shared);
            }
            factors.words.insert(*op, own);
        }
        factors
    }

    /// Whether a definition of a word is in a register that a product reads.
    pub fn writes_factor(&self, definition: Word, product: Operation) -> bool {
        let passed = self.passed.get(&definition).into_iter().flatten();
        let own = self.words.get(&product).map_or(&[][..], Vec::as_slice);
        let mut passed = passed.map(|number| &self.shared[*number]);
        passed.any(|shared| own.iter().any(|word| shared.contains(word)))
    }
}
