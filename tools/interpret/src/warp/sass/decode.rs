//! From instructions of machine code to those that the interpreter executes.
//!
//! Most become one; one whose operands need a preparation (a scaled address, a float that stands for a
//! pair) becomes a sequence, whose intermediate values are in registers that the machine does not have.

use orison_ir::Operation;
use orison_ori::modifiers::{Modifier, ModifierSet};
use orison_ori::operations as ori;
use orison_ori::operations::OPERATIONS;
use orison_ori::semantics::{Computation, Description, Given};
use orison_ori::types::Register as Kind;
use orison_sass::encoding::Encoding;
use orison_sass::instruction::{
    ConstantBank, ConstantOperand, Instruction as Text, Mnemonic, Operand as Part,
};
use orison_sass::registers::Register;

use super::super::action::Action;
use super::super::program::{Instruction, Operand};
use super::super::registers::Slot;
use super::constants::{Constant, DecimalFormat, Pool};
use super::files;
use super::labels::Labels;
use super::table::{Attributes, Row, Setting, Token, Words};

/// Why an instruction is not modelled, or another message.
pub(super) type Decoded<T = ()> = Result<T, String>;

/// The lanes for which an instruction is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lanes {
    /// Those of the path whose guard holds.
    Path,
    /// One of them: the uniform datapath executes once for a warp.
    First,
}

/// Decodes the instructions of a module, one after the other.
pub(super) struct Decoder<'a> {
    pub(super) context: &'a orison_ir::Context,
    pub(super) labels: &'a Labels,
    pub(super) pool: Pool,
    pub(super) instructions: Vec<Instruction>,
}

/// An instruction to decode.
pub(super) struct Line<'a> {
    pub(super) op: Operation,
    pub(super) text: &'a Text,
    pub(super) encoding: Option<Encoding>,
    /// The address of the instruction.
    pub(super) address: u64,
    /// The index of its function.
    pub(super) function: usize,
    pub(super) guard: Option<Operand>,
}

impl Line<'_> {
    pub(super) fn part(&self, number: usize) -> Decoded<&Part> {
        let part = self.text.operands.get(number);
        part.ok_or_else(|| format!("its operand {number} is missing"))
    }

    pub(super) fn has(&self, modifier: &str) -> bool {
        self.text.mnemonic.has(modifier)
    }

    /// The register of an operand.
    pub(super) fn register(&self, number: usize) -> Decoded<Register> {
        let part = self.part(number)?.as_register();
        let part = part.ok_or_else(|| format!("its operand {number} is not a register"))?;
        Ok(part.register)
    }

    /// The number that an operand is.
    pub(super) fn number(&self, number: usize) -> Decoded<i64> {
        match self.part(number)? {
            Part::Immediate(found) => found.integer(),
            Part::Register(found) if found.register.is_constant() => Some(0),
            _ => None,
        }
        .ok_or_else(|| format!("its operand {number} is not a number"))
    }

    /// Checks that all modifiers are among these.
    pub(super) fn only(&self, known: &[&str]) -> Decoded {
        match self
            .text
            .mnemonic
            .modifiers()
            .find(|found| !known.contains(found))
        {
            Some(found) => Err(format!("its modifier '{found}' is not modelled")),
            None => Ok(()),
        }
    }
}

/// An operand that is a slot.
pub(super) fn plain(slot: Slot) -> Operand {
    Operand {
        slot,
        inverted: false,
    }
}

impl Decoder<'_> {
    /// Decodes an instruction; one that is not modelled stops the run when it is reached.
    pub(super) fn line(&mut self, line: &mut Line<'_>) {
        let first = self.instructions.len();
        if let Err(why) = self.decode(line) {
            self.instructions.truncate(first);
            let name = line.text.mnemonic.text();
            let message = format!("'{name}' is not modelled by the interpreter: {why}");
            self.emit(line, Action::Refused(message), &[], &[], Lanes::Path);
        }
        if let Some(last) = self.instructions.last_mut() {
            last.is_issued = true;
        }
    }

    fn decode(&mut self, line: &mut Line<'_>) -> Decoded {
        if line.text.is_opaque() {
            return Err("its text is not understood".to_owned());
        }
        if let Some(guard) = line.text.guard {
            let slot = files::source(guard.predicate, 1).ok_or("its guard is no predicate")?;
            line.guard = Some(Operand {
                slot,
                inverted: guard.negated,
            });
        }
        let chooses = line.has("MIN") || line.has("MAX");
        match Row::find(line.text) {
            Some(row) if !(chooses && line.text.mnemonic.base() == "DSETP") => {
                self.computation(line, row)
            }
            _ => self.other(line),
        }
    }

    /// Appends an instruction.
    pub(super) fn emit(
        &mut self,
        line: &Line<'_>,
        action: Action,
        operands: &[Operand],
        results: &[Slot],
        lanes: Lanes,
    ) {
        let mut all = operands.to_vec();
        all.extend(line.guard);
        all.extend(results.iter().map(|slot| plain(*slot)));
        let is_speculatable = matches!(
            action,
            Action::Compute(_)
                | Action::ComputeBits(..)
                | Action::Choose(_)
                | Action::Compare { .. }
                | Action::Concat
        );
        self.instructions.push(Instruction {
            op: line.op,
            action,
            operands: all,
            results: results.to_vec(),
            guard: line.guard,
            // Lanes whose guard is false keep the registers.
            otherwise: results.to_vec(),
            is_issued: false,
            is_speculatable,
            edges: Vec::new(),
            registers: Vec::new(),
            once: lanes == Lanes::First,
            uniform_results: results
                .iter()
                .copied()
                .filter(|slot| files::is_uniform(*slot))
                .collect(),
        });
    }

    /// The slot of a result.
    pub(super) fn result(&self, line: &Line<'_>, number: usize, words: usize) -> Decoded<Slot> {
        let register = line.register(number)?;
        files::result(register, words).ok_or_else(|| format!("'{register}' is not modelled"))
    }

    /// The slot of a constant operand.
    fn constant(&mut self, constant: &ConstantOperand, words: usize) -> Decoded<Slot> {
        let ConstantBank::Number(bank) = constant.bank else {
            return Err("constants by descriptor are not modelled".to_owned());
        };
        let address = &constant.address;
        if !address
            .registers
            .iter()
            .all(|register| register.register.is_constant())
        {
            return Err("an operand in a constant bank has a register in its address".to_owned());
        }
        let place = |offset: Option<i64>| usize::try_from(offset.unwrap_or(0)).ok();
        let (Ok(bank), Some(offset)) = (usize::try_from(bank), place(address.offset)) else {
            return Err("an operand is outside of its constant bank".to_owned());
        };
        let word = |number: usize| Constant::Bank(bank, offset + 4 * number);
        Ok(self.pool.slot((0..words).map(word).collect()))
    }

    /// The slot of a source, and its modifiers; numbers in decimal are singles.
    pub(super) fn source(
        &mut self,
        line: &Line<'_>,
        number: usize,
        words: usize,
    ) -> Decoded<(Operand, ModifierSet)> {
        let (slot, modifiers, shift) =
            self.source_of(line, number, words, DecimalFormat::Single, &mut 0)?;
        match shift {
            0 => Ok((slot, modifiers)),
            _ => Err("a part of a register is not modelled here".to_owned()),
        }
    }

    /// A source without modifiers.
    pub(super) fn plain_source(
        &mut self,
        line: &Line<'_>,
        number: usize,
        words: usize,
    ) -> Decoded<Operand> {
        let (slot, modifiers) = self.source(line, number, words)?;
        match modifiers == ModifierSet::NONE || slot.slot.bits == 1 {
            true => Ok(slot),
            false => Err(format!(
                "a modifier of its operand {number} is not modelled"
            )),
        }
    }

    /// The slot of a source, its modifiers, and the bit at which it begins in the register. A pair of
    /// halves in decimal is two operands of the text: `taken` is how many more than one.
    fn source_of(
        &mut self,
        line: &Line<'_>,
        number: usize,
        words: usize,
        decimals: DecimalFormat,
        taken: &mut usize,
    ) -> Decoded<(Operand, ModifierSet, u32)> {
        let mut set = Vec::new();
        let mut shift = 0;
        let mut inverted = false;
        let mut marks = |negate: bool, absolute: bool, invert: bool| {
            let all = [
                (negate, Modifier::Negate),
                (absolute, Modifier::Absolute),
                (invert, Modifier::Invert),
            ];
            set.extend(
                all.into_iter()
                    .filter_map(|(given, modifier)| given.then_some(modifier)),
            );
        };
        let slot = match line.part(number)? {
            Part::Register(found) => {
                marks(found.negate, found.absolute, found.invert || found.not);
                inverted = found.not;
                match &*found.selector {
                    "" | "H1_H0" | "ROW" | "COL" | "F32x2.HI_LO" | "B0" => {}
                    "F32" if is_pair(line) => {}
                    "H0_H0" | "H0" => set.push(Modifier::LowHalf),
                    "H1_H1" | "H1" if decimals == DecimalFormat::Halves || is_mixed(line) => {
                        set.push(Modifier::HighHalf);
                    }
                    "SIGN" => shift = 31,
                    "B1" => shift = 8,
                    "B2" | "H1" => shift = 16,
                    "B3" => shift = 24,
                    other => {
                        return Err(format!("the part '{other}' of a register is not modelled"));
                    }
                }
                let register = found.register;
                let slot = files::source(register, words);
                slot.ok_or_else(|| format!("'{register}' is not modelled"))?
            }
            Part::Constant(found) => {
                marks(found.negate, found.absolute, found.invert);
                match &*found.selector {
                    "" | "H1_H0" => {}
                    "SIGN" => shift = 31,
                    "H0_H0" => set.push(Modifier::LowHalf),
                    "H1_H1" => set.push(Modifier::HighHalf),
                    other => {
                        return Err(format!("the part '{other}' of a constant is not modelled"));
                    }
                }
                let (found, words) = (found.clone(), words);
                self.constant(&found, words)?
            }
            Part::Immediate(found) => {
                let brain = line.has("BF16_V2");
                let bits = |found| decimals.bits(found, line.encoding, brain);
                let mut value = bits(found).ok_or("a number is not understood")?;
                if decimals == DecimalFormat::Halves && found.integer().is_none() {
                    let Part::Immediate(low) = line.part(number + 1)? else {
                        return Err("a pair of numbers has only one".to_owned());
                    };
                    value = value << 16 | bits(low).ok_or("a number is not understood")?;
                    *taken = 1;
                }
                self.pool.number(value, words)
            }
            Part::Relocation(text) => {
                let value = self.labels.value(text);
                let value = value.ok_or_else(|| format!("'{text}' has no value"))?;
                self.pool.number(value, words)
            }
            other => return Err(format!("an operand is not modelled: {other:?}")),
        };
        let set = set.into_iter().collect();
        Ok((Operand { slot, inverted }, set, shift))
    }

    /// An instruction that computes its results from its operands.
    fn computation(&mut self, line: &Line<'_>, row: &'static Row) -> Decoded {
        let mut found = Collected {
            attributes: row.attributes(line.text)?,
            ..Collected::default()
        };
        let mut number = 0;
        for token in &row.tokens {
            number += self.token(line, row, token, number, &mut found)?;
        }
        if number < line.text.operands.len() {
            return Err(format!("its operand {number} is not modelled"));
        }
        let mut operations = OPERATIONS.iter();
        let definition = operations.find(|definition| definition.name == row.operation);
        let definition = definition.ok_or("its operation does not exist")?;
        let data = definition.operands.len().saturating_sub(2);
        found.sources.sort_by_key(|source| source.group);
        let mut groups = vec![0; definition.operands.len()];
        let mut operands = Vec::new();
        let mut modifiers = Vec::new();
        for (group, count) in groups.iter_mut().enumerate().take(data) {
            let mut of_group: Vec<_> = found
                .sources
                .iter()
                .filter(|it| it.group == group)
                .collect();
            let absent = Source::new(group, plain(files::slot_at(files::ZEROS, 1)));
            let later = found.sources.iter().any(|source| source.group > group);
            if of_group.is_empty() && later && group < 3 {
                of_group.push(&absent);
            }
            *count = of_group.len();
            operands.extend(of_group.iter().map(|source| source.operand));
            modifiers.extend(of_group.iter().map(|source| source.modifiers));
        }
        found.results.sort_by_key(|(number, _)| *number);
        let results: Vec<Slot> = found.results.iter().map(|(_, slot)| *slot).collect();
        let kinds: Vec<Kind> = operands.iter().map(|it: &Operand| kind(it.slot)).collect();
        let result_kinds: Vec<Kind> = results.iter().map(|slot| kind(*slot)).collect();
        let description = Description {
            name: definition.name,
            attribute: &|key| given(&found.attributes, key),
            groups: &groups,
            modifiers: &modifiers,
            operands: &kinds,
            results: &result_kinds,
        };
        let computation = Computation::describe(self.context, &description);
        let computation = computation.ok_or("nothing computes it")?;
        let with = definition
            .operands
            .iter()
            .position(|operand| operand.name == "with");
        let with = with.filter(|group| groups[*group] > 0);
        let with = with.map(|group| groups[..group].iter().sum());
        let action = Action::of_computation(definition.name, computation, with);
        let lanes = lanes_of(&line.text.mnemonic);
        self.emit(line, action, &operands, &results, lanes);
        Ok(())
    }

    /// Reads an operand of the text; returns how many of them.
    fn token(
        &mut self,
        line: &Line<'_>,
        row: &Row,
        token: &Token,
        number: usize,
        found: &mut Collected,
    ) -> Decoded<usize> {
        let operands = &line.text.operands;
        let predicate = operands.get(number).and_then(Part::as_register);
        let is_predicate = predicate.is_some_and(|it| it.register.file.is_predicate());
        if token.may_be_absent(is_predicate, number < operands.len()) {
            return Ok(0);
        }
        Ok(match token {
            Token::Result {
                number: result,
                words,
                ..
            } => {
                let words = words_of(words, &found.attributes);
                found
                    .results
                    .push((*result, self.result(line, number, words)?));
                1
            }
            Token::Ignored { .. } => 1,
            Token::Predicates { group, all, .. } => {
                let count = if *all { operands.len() - number } else { 1 };
                for place in number..number + count {
                    let (mut operand, modifiers, shift) =
                        self.source_of(line, place, 1, row.decimals, &mut 0)?;
                    if shift > 0 {
                        // The sign of a register stands for a predicate.
                        let bit = self.part_of(line, operand, shift, found.scratch)?;
                        operand.slot = files::bit_at(bit.slot.first);
                        found.scratch += 1;
                    }
                    found.sources.push(Source {
                        group: *group,
                        operand,
                        modifiers,
                    });
                }
                count
            }
            Token::Number(key) => {
                let value = line.number(number)?;
                let value = Setting::Word(String::new(), value.to_string());
                found.attributes.insert(key.clone(), value);
                1
            }
            Token::Extremum(key) => {
                let part = line
                    .part(number)?
                    .as_register()
                    .filter(|it| it.register.is_constant());
                let part = part.ok_or("a choice at run time is not modelled")?;
                let word = if part.not { "max" } else { "min" };
                let word = Setting::Word(key.clone(), word.to_owned());
                found.attributes.insert(key.clone(), word);
                1
            }
            Token::Source { group, words } => {
                let pair = *words == Words::Pair;
                let count = match pair {
                    true => pair_words(line, number),
                    false => words_of(words, &found.attributes),
                };
                let mut taken = 0;
                let (mut operand, modifiers, shift) =
                    self.source_of(line, number, count, row.decimals, &mut taken)?;
                if shift > 0 {
                    operand = self.part_of(line, operand, shift, found.scratch)?;
                    found.scratch += 1;
                }
                if pair && count == 1 {
                    operand = self.both(line, operand, found.scratch);
                    found.scratch += 2;
                }
                found.sources.push(Source {
                    group: *group,
                    operand,
                    modifiers,
                });
                1 + taken
            }
        })
    }

    /// A float twice, in registers of the sequence.
    fn both(&mut self, line: &Line<'_>, operand: Operand, scratch: usize) -> Operand {
        let pair = files::slot_at(files::SCRATCH + scratch, 2);
        let lanes = lanes_of(&line.text.mnemonic);
        self.emit(line, Action::Concat, &[operand, operand], &[pair], lanes);
        plain(pair)
    }

    /// The bits of a register from one on, in a register of the sequence.
    fn part_of(
        &mut self,
        line: &Line<'_>,
        operand: Operand,
        shift: u32,
        scratch: usize,
    ) -> Decoded<Operand> {
        let to = files::slot_at(files::SCRATCH + scratch, 1);
        let words = [("direction", "right"), ("signedness", "u32")];
        let amount = plain(self.pool.number(u64::from(shift), 1));
        let zero = plain(files::slot_at(files::ZEROS, 1));
        self.compute(line, ori::Shf::NAME, &words, &[operand, amount, zero], to)?;
        Ok(plain(to))
    }

    /// Appends a computation of one result, each of whose operands is a group.
    pub(super) fn compute(
        &mut self,
        line: &Line<'_>,
        operation: &str,
        words: &[(&str, &str)],
        operands: &[Operand],
        result: Slot,
    ) -> Decoded {
        let kinds: Vec<Kind> = operands.iter().map(|it| kind(it.slot)).collect();
        let mut groups = vec![1; operands.len()];
        groups.extend([0, 0]);
        let invert = |it: &Operand| {
            if it.inverted {
                Some(Modifier::Invert)
            } else {
                None
            }
        };
        let modifiers: Vec<ModifierSet> = operands
            .iter()
            .map(|it| invert(it).into_iter().collect())
            .collect();
        let description = Description {
            name: operation,
            attribute: &|key| {
                let word = words.iter().find(|(known, _)| *known == key)?.1;
                Some(if word.is_empty() {
                    Given::Flag
                } else {
                    Given::Keyword(word)
                })
            },
            groups: &groups,
            modifiers: &modifiers,
            operands: &kinds,
            results: &[kind(result)],
        };
        let computation = Computation::describe(self.context, &description);
        let computation = computation.ok_or("nothing computes it")?;
        let action = Action::of_computation(operation, computation, None);
        let lanes = lanes_of(&line.text.mnemonic);
        self.emit(line, action, operands, &[result], lanes);
        Ok(())
    }
}

/// Whether halves are converted to floats (`FHFMA` and its kin), so that a part is a modifier.
fn is_mixed(line: &Line<'_>) -> bool {
    line.text.mnemonic.base().starts_with("FH")
}

/// Registers of an operand that is a pair of floats, or a float that stands for both.
fn pair_words(line: &Line<'_>, number: usize) -> usize {
    match line.text.operands.get(number) {
        Some(Part::Register(found)) if &*found.selector == "F32" => 1,
        Some(Part::Immediate(_)) => 1,
        Some(Part::Constant(found)) if &*found.selector == "F32" => 1,
        _ => 2,
    }
}

/// Whether operands are pairs of floats.
fn is_pair(line: &Line<'_>) -> bool {
    matches!(line.text.mnemonic.base(), "FADD2" | "FMUL2" | "FFMA2")
}

/// The lanes for which an instruction is executed, by its mnemonic.
pub(super) fn lanes_of(mnemonic: &Mnemonic) -> Lanes {
    let uniform = mnemonic.base().starts_with('U');
    if uniform { Lanes::First } else { Lanes::Path }
}

fn kind(slot: Slot) -> Kind {
    match (slot.bits, slot.words) {
        (1, _) => Kind::P,
        (_, 1) => Kind::R,
        (_, 2) => Kind::R64,
        _ => Kind::R128,
    }
}

fn given<'a>(attributes: &'a Attributes, key: &str) -> Option<Given<'a>> {
    Some(match attributes.get(key)? {
        Setting::Nothing => return None,
        Setting::Flag(_) => Given::Flag,
        Setting::Word(known, number) if known.is_empty() => Given::Number(number.parse().ok()?),
        Setting::Word(_, word) => Given::Keyword(word),
    })
}

fn words_of(words: &Words, attributes: &Attributes) -> usize {
    match words {
        Words::Count(count) => *count,
        Words::Pair => 2,
        Words::Of(key) => match attributes.get(key) {
            Some(Setting::Word(_, format)) if format.ends_with("64") => 2,
            _ => 1,
        },
    }
}

/// A source of a computation.
struct Source {
    group: usize,
    operand: Operand,
    modifiers: ModifierSet,
}

impl Source {
    fn new(group: usize, operand: Operand) -> Self {
        Source {
            group,
            operand,
            modifiers: ModifierSet::NONE,
        }
    }
}

/// What the text of a computation has.
#[derive(Default)]
struct Collected {
    attributes: Attributes,
    results: Vec<(usize, Slot)>,
    sources: Vec<Source>,
    /// Registers of the sequence in use.
    scratch: usize,
}
