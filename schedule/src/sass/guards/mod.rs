//! Relations between predicates, and with them which instructions no thread executes both of.
//!
//! `@P3 LDG R64` and `@!P3 MOV R64` write one register in different threads, so neither waits for
//! the other. The same holds for guards of which one implies the negation of the other: results of
//! one comparison, a comparison combined with a predicate (`ISETP.GE.AND P0, PT, R2, R3, P1` implies
//! `P1`), and `PLOP3`. A guarded result is the old value in other threads: after `@!P1 R2P PR, RZ, 0x8`
//! `P3` implies `P1`.
//!
//! [`Guards`] is what is known at a point of a walk: which literals imply which, and for each guarded
//! instruction before it the literals that are false in all threads that executed it. These are
//! followed when a predicate gets a new value. All sets only lose members at joins.
//!
//! Measured: 7,392 places of CUDA libraries have two writers of a register side by side whose guards
//! are complementary (nvJPEG, cuBLAS, fmha, deep-gemm).

#[cfg(test)]
mod tests;

use orison_sass::effects::Effects;
use orison_sass::instruction::{Guard, Immediate, Instruction, Operand};
use orison_sass::registers::{Register, RegisterFile};
use smallvec::SmallVec;

/// Predicates and uniform predicates, with their negations.
const COUNT: usize = 28;

/// A predicate register or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Literal(u8);

impl Literal {
    /// The literal of a guard or operand; `None` for the constant and for other files.
    pub fn new(register: Register, negated: bool) -> Option<Literal> {
        let first = match register.file {
            RegisterFile::Predicate => 0,
            RegisterFile::UniformPredicate => RegisterFile::Predicate.count(),
            _ => return None,
        };
        let known = register.index < register.file.count();
        known.then(|| Literal((first + register.index) * 2 + u8::from(negated)))
    }

    /// The literal of a guard.
    pub fn of_guard(guard: Guard) -> Option<Literal> {
        Literal::new(guard.predicate, guard.negated)
    }

    /// Whether it has one value in all threads of a warp.
    pub(in crate::sass) const fn is_uniform(self) -> bool {
        self.0 >= 2 * RegisterFile::Predicate.count()
    }

    /// Whether it is a predicate itself, not its negation.
    const fn is_true(self) -> bool {
        self.0 & 1 == 0
    }

    const fn negation(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    /// The literal, or its negation.
    pub(in crate::sass) const fn where_it_is(self, holds: bool) -> Literal {
        Literal(self.0 ^ !holds as u8)
    }
}

/// A set of literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Literals(u32);

impl Literals {
    /// No literal.
    const NONE: Literals = Literals(0);

    const fn of(literal: Literal) -> Literals {
        Literals(1 << literal.0)
    }

    /// Whether it has this literal.
    const fn contains(self, literal: Literal) -> bool {
        self.0 >> literal.0 & 1 == 1
    }

    /// The literals of both.
    const fn intersection(self, other: Literals) -> Literals {
        Literals(self.0 & other.0)
    }

    const fn union(self, other: Literals) -> Literals {
        Literals(self.0 | other.0)
    }

    const fn without(self, other: Literals) -> Literals {
        Literals(self.0 & !other.0)
    }

    fn iter(self) -> impl Iterator<Item = Literal> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lowest = u8::try_from(left.trailing_zeros()).ok()?;
            (left != 0).then(|| {
                left &= left - 1;
                Literal(lowest)
            })
        })
    }

    /// Of literals that are false where something holds, those that are still false there after
    /// predicates got new values.
    fn after(self, definitions: &Definitions) -> Literals {
        let mut kept = self.without(definitions.written);
        let is_false = |literals: Literals| literals.intersection(self) != Literals::NONE;
        for literal in definitions.written.iter() {
            let mut new = definitions.implied_by(literal);
            let mut was_false = true;
            if let Some(guard) = definitions.guard {
                new = new.union(Literals::of(guard));
                was_false = self.contains(literal) || self.contains(guard.negation());
            }
            if was_false && (is_false(new) || definitions.never.contains(literal)) {
                kept = kept.union(Literals::of(literal));
            }
        }
        for (literal, implied) in &definitions.of_new {
            if implied.intersection(kept) != Literals::NONE {
                kept = kept.union(Literals::of(*literal));
            }
        }
        kept
    }
}

/// The predicates that an instruction writes, and what their new values imply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Definitions {
    /// Both literals of each.
    written: Literals,
    /// What a new value implies about values before the instruction.
    of_old: SmallVec<[(Literal, Literals); 4]>,
    /// What a new value implies about the other result.
    of_new: SmallVec<[(Literal, Literals); 4]>,
    /// The threads in which the results are new; all without one.
    guard: Option<Literal>,
    /// Values that a new result never has.
    never: Literals,
}

/// What a result depends on.
#[derive(Clone, Copy)]
enum Input {
    /// A value that is not a predicate register: the outcome of a comparison.
    Unknown,
    /// A constant.
    Constant(bool),
    /// A predicate as it is read.
    Predicate(Literal),
}

impl Definitions {
    /// Those of an instruction with these effects; `None` if it writes no predicate.
    pub fn of(instruction: &Instruction, effects: &Effects) -> Option<Definitions> {
        let mut definitions = Definitions::default();
        for access in &effects.definitions {
            for register in access.range.registers() {
                for literal in [false, true].map(|negated| Literal::new(register, negated)) {
                    definitions.written = definitions
                        .written
                        .union(literal.map_or(Literals::NONE, Literals::of));
                }
            }
        }
        if definitions.written == Literals::NONE {
            return None;
        }
        definitions.guard = instruction.guard.and_then(Literal::of_guard);
        definitions.relate(instruction);
        if definitions.guard.is_some() {
            definitions.of_new.clear();
        }
        let zero = |operand: &Operand| {
            operand
                .as_register()
                .is_some_and(|found| found.register.is_constant())
        };
        if instruction.mnemonic.base() == "R2P" && instruction.operands.get(1).is_some_and(zero) {
            let values = definitions
                .written
                .iter()
                .filter(|literal| literal.is_true());
            definitions.never = values
                .map(Literals::of)
                .fold(Literals::NONE, Literals::union);
        }
        Some(definitions)
    }

    /// What a new value of a predicate implies about values before the instruction.
    fn implied_by(&self, literal: Literal) -> Literals {
        let found = self.of_old.iter().filter(|entry| entry.0 == literal);
        found.fold(Literals::NONE, |all, entry| all.union(entry.1))
    }

    fn relate(&mut self, instruction: &Instruction) {
        let tables = match instruction.mnemonic.base() {
            "ISETP" | "UISETP" | "FSETP" | "DSETP" => comparison(instruction),
            "PLOP3" | "UPLOP3" => truth_tables(instruction),
            _ => None,
        };
        let Some((tables, inputs)) = tables else {
            return;
        };
        let rows = possible(&inputs);
        let results = [0, 1].map(|number| written(instruction.operands.get(number)));
        for (result, table) in results.into_iter().zip(tables) {
            let Some(result) = result else { continue };
            for holds in [true, false] {
                let literal = result.where_it_is(holds);
                let found = rows & if holds { table } else { !table };
                let mut implied = Literals::NONE;
                for (input, ones) in inputs.into_iter().zip(ONES) {
                    let Input::Predicate(input) = input else {
                        continue;
                    };
                    for (value, where_it_is) in [(true, ones), (false, !ones)] {
                        if found & !where_it_is == 0 {
                            implied = implied.union(Literals::of(input.where_it_is(value)));
                        }
                    }
                }
                self.of_old.push((literal, implied));
                for (other, theirs) in results.into_iter().zip(tables) {
                    let Some(other) = other.filter(|other| *other != result) else {
                        continue;
                    };
                    for (value, where_it_is) in [(true, theirs), (false, !theirs)] {
                        if found & !where_it_is == 0 {
                            let implied = Literals::of(other.where_it_is(value));
                            self.of_new.push((literal, implied));
                        }
                    }
                }
            }
        }
    }
}

/// The rows of a truth table in which each of its inputs is one: row `4a + 2b + c`.
const ONES: [u8; 3] = [0xf0, 0xcc, 0xaa];

/// The rows of a truth table that occur.
fn possible(inputs: &[Input; 3]) -> u8 {
    let mut rows = u8::MAX;
    for (number, input) in inputs.iter().enumerate() {
        match *input {
            Input::Unknown => {}
            Input::Constant(true) => rows &= ONES[number],
            Input::Constant(false) => rows &= !ONES[number],
            Input::Predicate(literal) => {
                for (other, ones) in inputs.iter().zip(ONES).take(number) {
                    let different = ones ^ ONES[number];
                    match *other {
                        Input::Predicate(other) if other == literal => rows &= !different,
                        Input::Predicate(other) if other == literal.negation() => rows &= different,
                        _ => {}
                    }
                }
            }
        }
    }
    rows
}

/// The predicate that an operand writes.
fn written(operand: Option<&Operand>) -> Option<Literal> {
    let found = operand?.as_register()?;
    Literal::new(found.register, false)
}

fn input(operand: &Operand) -> Option<Input> {
    let found = operand.as_register()?;
    if !found.register.file.is_predicate() {
        return None;
    }
    let literal = Literal::new(found.register, found.not);
    Some(literal.map_or(Input::Constant(!found.not), Input::Predicate))
}

/// A comparison: its outcome and the complement of it, each combined with a predicate, the first
/// after the compared values.
fn comparison(instruction: &Instruction) -> Option<([u8; 2], [Input; 3])> {
    let modifiers = &instruction.mnemonic;
    let tables = if modifiers.has("AND") {
        [0xc0, 0x0c]
    } else if modifiers.has("OR") {
        [0xfc, 0xcf]
    } else if modifiers.has("XOR") {
        [0x3c, 0xc3]
    } else {
        return None;
    };
    let combined = instruction.operands.iter().skip(2).find_map(input)?;
    Some((tables, [Input::Unknown, combined, Input::Constant(false)]))
}

/// `PLOP3`: three predicates and a table for each result.
fn truth_tables(instruction: &Instruction) -> Option<([u8; 2], [Input; 3])> {
    let [_, _, a, b, c, tables @ ..] = &instruction.operands[..] else {
        return None;
    };
    let table = |operand: Option<&Operand>| match operand {
        Some(Operand::Immediate(Immediate::Integer { magnitude, .. })) => {
            u8::try_from(*magnitude).ok()
        }
        _ => None,
    };
    let tables = [table(tables.first())?, table(tables.get(1))?];
    Some((tables, [input(a)?, input(b)?, input(c)?]))
}

/// Which literals imply which.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Relations {
    implied: [Literals; COUNT],
}

impl Default for Relations {
    /// Nothing is known.
    fn default() -> Relations {
        Relations {
            implied: [Literals::NONE; COUNT],
        }
    }
}

impl Relations {
    /// The literals that are false in all threads that execute an instruction with this guard.
    fn excluded(&self, literal: Literal) -> Literals {
        let implied = self.implied[usize::from(literal.0)].union(Literals::of(literal));
        let negations = implied.iter().map(|found| Literals::of(found.negation()));
        negations.fold(Literals::NONE, Literals::union)
    }

    /// Predicates get new values.
    fn define(&mut self, definitions: &Definitions) {
        let old = self.implied;
        for row in &mut self.implied {
            *row = row.without(definitions.written);
        }
        for literal in definitions.written.iter() {
            self.implied[usize::from(literal.0)] = Literals::NONE;
        }
        let closed = |implied: Literals| {
            let further = implied.iter().map(|found| old[usize::from(found.0)]);
            further.fold(implied, Literals::union)
        };
        for literal in definitions.written.iter() {
            let mut implied = definitions.implied_by(literal);
            if let Some(guard) = definitions.guard {
                let before = Literals::of(literal).union(Literals::of(guard.negation()));
                implied = implied.union(Literals::of(guard));
                implied = match definitions.never.contains(literal) {
                    true => closed(before),
                    false => closed(implied).intersection(closed(before)),
                };
            }
            self.learn(literal, closed(implied).without(definitions.written));
        }
        for (literal, implied) in &definitions.of_new {
            self.learn(*literal, *implied);
        }
        for middle in definitions.written.iter() {
            let further = self.implied[usize::from(middle.0)];
            for row in &mut self.implied {
                if row.contains(middle) {
                    *row = row.union(further);
                }
            }
        }
    }

    /// A literal implies others, and their negations its negation.
    fn learn(&mut self, literal: Literal, implied: Literals) {
        let row = &mut self.implied[usize::from(literal.0)];
        *row = row.union(implied);
        for found in implied.iter() {
            let row = &mut self.implied[usize::from(found.negation().0)];
            *row = row.union(Literals::of(literal.negation()));
        }
    }

    /// Keeps what is known on another path, too; returns whether anything was lost.
    fn join(&mut self, other: &Relations) -> bool {
        let before = self.implied;
        for (mine, theirs) in self.implied.iter_mut().zip(other.implied) {
            *mine = mine.intersection(theirs);
        }
        before != self.implied
    }
}

/// What is known about predicates at a point, and about the guards of instructions before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Guards {
    relations: Relations,
    /// For each guarded instruction, in order, the literals that are false in its threads.
    excluded: Vec<(u32, Literals)>,
}

impl Guards {
    fn find(&self, instruction: u32) -> Result<usize, usize> {
        self.excluded
            .binary_search_by_key(&instruction, |entry| entry.0)
    }

    /// The literals that are false in the threads of an earlier instruction.
    fn excluded_by(&self, earlier: u32) -> Literals {
        let found = self.find(earlier);
        found.map_or(Literals::NONE, |at| self.excluded[at].1)
    }

    /// Whether no thread that executed an earlier instruction executes one with this guard.
    pub fn exclusive(&self, earlier: u32, guard: Option<Literal>) -> bool {
        guard.is_some_and(|guard| self.excluded_by(earlier).contains(guard))
    }

    /// Whether there is a guard that excludes an earlier instruction.
    pub fn excludes_any(&self, earlier: u32) -> bool {
        self.excluded_by(earlier) != Literals::NONE
    }

    /// Whether each guard that excludes an instruction also excludes an earlier one.
    pub fn covers(&self, instruction: u32, earlier: u32) -> bool {
        let both = self.excluded_by(earlier);
        self.excluded_by(instruction).without(both) == Literals::NONE
    }

    /// An instruction issues: later ones ask for it. An earlier execution of it is forgotten.
    pub fn issue(&mut self, instruction: u32, guard: Option<Literal>) {
        let Some(guard) = guard else { return };
        let entry = (instruction, self.relations.excluded(guard));
        match self.find(instruction) {
            Ok(at) => self.excluded[at] = entry,
            Err(at) => self.excluded.insert(at, entry),
        }
    }

    /// An instruction is asked for instead of another one, too: only what is known of both is kept.
    /// Returns whether anything was lost.
    pub fn stand_for(&mut self, instruction: u32, other: u32) -> bool {
        let Ok(at) = self.find(instruction) else {
            return false;
        };
        let common = self.excluded[at].1.intersection(self.excluded_by(other));
        std::mem::replace(&mut self.excluded[at].1, common) != common
    }

    /// An instruction issues again while an earlier execution of it is asked for.
    pub fn issue_again(&mut self, instruction: u32, guard: Option<Literal>) {
        let before = self.excluded_by(instruction);
        self.issue(instruction, guard);
        if let Ok(at) = self.find(instruction) {
            self.excluded[at].1 = self.excluded[at].1.intersection(before);
        }
    }

    /// The predicates that an instruction writes get their values.
    pub fn define(&mut self, definitions: Option<&Definitions>) {
        if let Some(definitions) = definitions {
            self.relations.define(definitions);
            for (_, excluded) in &mut self.excluded {
                *excluded = excluded.after(definitions);
            }
        }
    }

    /// Predicates may have got any values: after a call.
    pub fn forget(&mut self) {
        self.relations = Relations::default();
        for (_, excluded) in &mut self.excluded {
            *excluded = Literals::NONE;
        }
    }

    /// Keeps what is known of instructions that may still be asked for.
    pub fn retain(&mut self, wanted: impl Fn(u32) -> bool) {
        self.excluded.retain(|entry| wanted(entry.0));
    }

    /// Keeps what is also known on another path; returns whether anything changed. An instruction
    /// that is not asked for on one of the paths is known as on the other.
    pub fn join(&mut self, other: &Guards) -> bool {
        let mut changed = self.relations.join(&other.relations);
        for (instruction, theirs) in &other.excluded {
            match self.find(*instruction) {
                Ok(at) => {
                    let mine = &mut self.excluded[at].1;
                    let common = mine.intersection(*theirs);
                    changed |= common != *mine;
                    *mine = common;
                }
                Err(at) => {
                    self.excluded.insert(at, (*instruction, *theirs));
                    changed = true;
                }
            }
        }
        changed
    }
}
