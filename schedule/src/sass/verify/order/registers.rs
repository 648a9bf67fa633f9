//! The order of accesses to registers.

use orison_sass::effects::Effects;
use orison_sass::instruction::{Guard, Instruction};
use orison_sass::registers::{Register, RegisterFile, RegisterRange};
use rustc_hash::FxHashMap;

use super::Passed;
use super::findings::Reason;
use crate::order::Placed;

/// The threads that a guard lets execute: those in which one value of a predicate is true, or false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Threads {
    guard: Guard,
    /// How often the predicate was written before.
    version: u32,
}

impl Threads {
    /// Whether no thread is in both, for a register.
    fn excludes(self, other: Threads, register: Register) -> bool {
        let guard = self.guard.predicate;
        // A value of the whole warp is accessed if any thread is left, unless the guard is also the warp's.
        let shared = matches!(
            register.file,
            RegisterFile::Uniform | RegisterFile::UniformPredicate
        );
        self.version == other.version
            && guard == other.guard.predicate
            && self.guard.negated != other.guard.negated
            && (!shared || guard.file == RegisterFile::UniformPredicate)
    }
}

/// The accesses to a register that equal threads made: of the reads and of the writes the last one in the
/// new order.
#[derive(Clone, Copy, Default, Debug)]
struct Made {
    threads: Option<Threads>,
    read: Option<Placed>,
    written: Option<Placed>,
}

/// The accesses to a register so far. There is an entry for all threads, and one for each guard whose
/// predicate still has its value, so there are few.
#[derive(Default)]
struct History {
    writes: u32,
    made: Vec<Made>,
}

/// The accesses to the registers of a block so far.
#[derive(Default)]
pub(super) struct Registers(FxHashMap<Register, History>);

impl Registers {
    /// How often a register was written so far.
    pub(super) fn version(&self, register: Register) -> u32 {
        self.0.get(&register).map_or(0, |history| history.writes)
    }

    /// Compares an instruction with those before it, and adds it. One without a place in the new order only
    /// changes values.
    pub(super) fn check(
        &mut self,
        instruction: &Instruction,
        effects: &Effects,
        placed: Option<Placed>,
        passed: &mut Vec<Passed>,
    ) {
        if instruction.guard.is_some_and(Guard::is_never) {
            return;
        }
        let threads = self.threads(instruction.guard);
        let read = effects.uses.iter().map(|access| access.range);
        let written = effects.definitions.iter().map(|access| access.range);
        let scoreboards = scoreboards(instruction);
        if let Some(placed) = placed {
            for register in read.flat_map(RegisterRange::registers) {
                self.access(register, threads, (placed, false), passed);
            }
            let all = written.clone().chain(scoreboards);
            for register in all.flat_map(RegisterRange::registers) {
                self.access(register, threads, (placed, true), passed);
            }
        }
        for register in written.flat_map(RegisterRange::registers) {
            self.0.entry(register).or_default().writes += 1;
        }
    }

    /// The threads of a guard; `None` for all.
    fn threads(&self, guard: Option<Guard>) -> Option<Threads> {
        let guard = guard.filter(|guard| !guard.predicate.is_constant())?;
        let version = self.version(guard.predicate);
        Some(Threads { guard, version })
    }

    fn access(
        &mut self,
        register: Register,
        threads: Option<Threads>,
        (placed, writes): (Placed, bool),
        passed: &mut Vec<Passed>,
    ) {
        self.forget_values(register);
        let history = self.0.entry(register).or_default();
        for made in &history.made {
            let both = made.threads.zip(threads);
            if both.is_some_and(|(one, other)| one.excludes(other, register)) {
                continue;
            }
            let mut compare = |earlier: Option<Placed>, reason| {
                let earlier = earlier.filter(|earlier| *earlier > placed);
                passed.extend(earlier.map(|earlier| (earlier.number, reason)));
            };
            match writes {
                true => {
                    compare(made.written, Reason::WriteAfterWrite(register));
                    compare(made.read, Reason::WriteAfterRead(register));
                }
                false => compare(made.written, Reason::ReadAfterWrite(register)),
            }
        }
        let equal = history.made.iter_mut().find(|made| made.threads == threads);
        let made = match equal {
            Some(made) => made,
            None => {
                history.made.push(Made {
                    threads,
                    ..Made::default()
                });
                history.made.last_mut().expect("just added")
            }
        };
        let side = if writes {
            &mut made.written
        } else {
            &mut made.read
        };
        placed.keep_last(side);
    }

    /// Counts accesses under guards whose predicates have other values now as accesses of all threads:
    /// nothing can be known to exclude them.
    fn forget_values(&mut self, register: Register) {
        let history = self.0.entry(register).or_default();
        let mut kept = std::mem::take(&mut history.made);
        let mut all = Made::default();
        kept.retain(|made| {
            let holds = made
                .threads
                .is_some_and(|threads| self.version(threads.guard.predicate) == threads.version);
            if !holds {
                all.read = all.read.max(made.read);
                all.written = all.written.max(made.written);
            }
            holds
        });
        kept.push(all);
        self.0.entry(register).or_default().made = kept;
    }
}

/// The scoreboards that an instruction names: whatever it does with one stays in order.
fn scoreboards(instruction: &Instruction) -> impl Iterator<Item = RegisterRange> + Clone {
    let registers = instruction.operands.iter().filter_map(|operand| {
        let register = operand.as_register()?.register;
        let counts = matches!(
            register.file,
            RegisterFile::Scoreboard | RegisterFile::GroupScoreboard
        );
        counts.then_some(register)
    });
    registers.filter_map(|register| RegisterRange::new(register, 1))
}
