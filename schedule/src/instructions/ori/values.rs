//! The values of a part of a block as registers.

use orison_ir::{Context, Operation, Value as IrValue};
use orison_ori::Register;
use orison_ori::analyses::pressure::{self, needed};
use orison_ori::knobs::Knobs;
use orison_ori::operations::moves::{Concat, Extract};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::instructions::registers::{RegisterClass, Registers, Value};

/// How registers are counted.
#[derive(Clone, Copy, Debug)]
struct Counting {
    /// `LivenessCountRegComp`: a value counts for each of its words; else as one.
    words: bool,
    /// `LivenessUseHiLo`: the words of a value are live by themselves, so that what puts words together or takes them
    /// apart needs no registers.
    halves: bool,
    /// `SchedMultiRefMinRefs`: a value with so many uses, 0: none, counts for more.
    min_references: usize,
    /// `SchedMultiRefDeltaLive`: by so many registers.
    more: u16,
}

/// The numbers of the words of a value, the lowest first.
type Words = SmallVec<[u32; 4]>;

/// The values of a part, being collected in the order of its operations.
pub(super) struct Values<'a> {
    context: &'a Context,
    counting: Counting,
    registers: Registers,
    words: FxHashMap<IrValue, Words>,
}

impl<'a> Values<'a> {
    /// None yet, of a part with so many operations.
    pub fn new(context: &'a Context, knobs: &Knobs, operations: usize) -> Self {
        let count = |name: &str| usize::try_from(knobs.integer(name)).unwrap_or(0);
        Values {
            context,
            counting: Counting {
                words: knobs.integer("LivenessCountRegComp") != 0,
                halves: knobs.integer("LivenessUseHiLo") != 0,
                min_references: count("SchedMultiRefMinRefs"),
                more: u16::try_from(count("SchedMultiRefDeltaLive")).unwrap_or(u16::MAX),
            },
            registers: Registers::new(operations),
            words: FxHashMap::default(),
        }
    }

    /// Adds an operation.
    pub fn add(&mut self, node: usize, op: Operation) {
        let context = self.context;
        for operand in op.operands(context) {
            for word in self.of(operand) {
                self.registers.read(node, word);
            }
        }
        for result in op.results(context) {
            let Some(register) = needed(context, result) else {
                continue;
            };
            let words = self.parts(op, register).unwrap_or_else(|| {
                let words = self.new_words(result, register, false);
                for word in &words {
                    self.registers.define(node, *word);
                }
                words
            });
            self.words.insert(result, words);
        }
    }

    /// A value is used behind the part.
    pub fn keep(&mut self, value: IrValue) {
        for word in self.of(value) {
            self.registers.keep(word);
        }
    }

    /// What was collected.
    pub fn finish(self) -> Registers {
        self.registers
    }

    /// The words of a value; one that no operation of the part defines is live in front of it.
    fn of(&mut self, value: IrValue) -> Words {
        if let Some(words) = self.words.get(&value) {
            return words.clone();
        }
        let words = match needed(self.context, value) {
            Some(register) => self.new_words(value, register, true),
            None => Words::new(),
        };
        self.words.insert(value, words.clone());
        words
    }

    /// The words that the result of an operation has in common with its operands.
    fn parts(&self, op: Operation, register: Register) -> Option<Words> {
        let context = self.context;
        let width = pressure::RegisterClass::of(register).1 as usize;
        if !self.counting.halves || matches!(register, Register::Accumulator(_)) {
            return None;
        }
        let of = |value: IrValue| self.words.get(&value);
        let words: Words = if Concat::of(context, op).is_some() {
            op.operands(context)
                .filter_map(of)
                .flatten()
                .copied()
                .collect()
        } else {
            let word = Extract::of(context, op)?.word(context)?;
            let whole = of(op.operand(context, 0))?;
            let from = usize::try_from(word).ok()?;
            whole.iter().skip(from).take(width).copied().collect()
        };
        // Immediates and undefined parts have no words.
        (words.len() == width).then_some(words)
    }

    fn new_words(&mut self, value: IrValue, register: Register, live_in: bool) -> Words {
        let (class, width) = class(register);
        let mut add = |class, width| {
            self.registers.add(Value {
                class,
                width,
                live_in,
                live_out: false,
            })
        };
        let Counting {
            words,
            halves,
            min_references,
            more,
        } = self.counting;
        if let Register::Accumulator(_) = register {
            let mut users = value.users(self.context);
            if halves && users.any(|op| Extract::of(self.context, op).is_some()) {
                // Its words die one by one.
                return (0..width).map(|_| add(class, 1)).collect();
            }
            // They are general registers, too.
            return smallvec![add(class, width), add(RegisterClass::Accumulator, width)];
        }
        let uses = || value.users(self.context).take(min_references).count();
        let more = if min_references > 0 && uses() == min_references {
            more
        } else {
            0
        };
        if halves {
            let each = (0..width).map(|word| add(class, if word == 0 { 1 + more } else { 1 }));
            return each.collect();
        }
        smallvec![add(class, more + if words { width } else { 1 })]
    }
}

/// The class of a register, and the number of registers of that class.
pub(super) fn class(register: Register) -> (RegisterClass, u16) {
    let (class, width) = pressure::RegisterClass::of(register);
    let class = match class {
        pressure::RegisterClass::General => RegisterClass::General,
        pressure::RegisterClass::Uniform => RegisterClass::Uniform,
        pressure::RegisterClass::Predicate => RegisterClass::Predicate,
        pressure::RegisterClass::UniformPredicate => RegisterClass::UniformPredicate,
        pressure::RegisterClass::Barrier => RegisterClass::Barrier,
    };
    (class, u16::try_from(width).unwrap_or(u16::MAX))
}
