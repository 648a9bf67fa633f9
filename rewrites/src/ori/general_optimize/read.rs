//! Converting operations to terms.

use egg::Id;
use orison_ir::declare::{AttributeForm, OperationDefinition};
use orison_ir::{Attribute, Context, Interface, Operation, OperationName, Value};
use orison_ori::Register;
use orison_ori::keywords::{
    Combine, Compare, Direction, Format, Keyword, Permutation, Rounding, Signedness, keyword_of,
};
use orison_ori::modifiers::{MODIFIERS, Modifier, ModifierSet, ModifiersAttr};
use orison_ori::operations as ori;
use orison_ori::semantics::{Computation, MAX_RESULTS};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::cost::of_instruction;
use super::facts::{Graph, Knowledge, Machine};
use super::term::{Operator, Sort, Term, WORD};

/// How deeply definitions outside the region are followed.
const DEPTH: u32 = 4;
/// How many operations outside the region are read for one graph.
const OUTSIDE: usize = 48;

/// The results of an operation expressed with operators, given how deep definitions are followed;
/// fewer classes than results if only the first ones can be expressed.
pub(super) type Read = fn(&mut Reader<'_>, &Source<'_>, u32) -> Option<Classes>;

/// How an operation becomes a term: the interface that the pass attaches. Other operations that
/// compute are terms of their own.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    /// The operation; for one of the uniform datapath, its general counterpart.
    pub(super) general: &'static OperationDefinition,
    /// Its results with operators.
    pub(super) read: Read,
    /// Whether it may correspond to several operators, so that the operation itself is an
    /// alternative.
    pub(super) several: bool,
}

/// Adds operations to a graph.
pub struct Reader<'c> {
    context: &'c Context,
    readings: Interface<'c, Reading>,
    /// The classes.
    pub graph: Graph,
    classes: FxHashMap<Value, Id>,
    /// Indices of the forms of operations without an operator.
    forms: FxHashMap<Form, u32>,
    /// The values of leaves, by index.
    pub leaves: Vec<Value>,
    outside: usize,
    /// Whether a value defined outside the region can be used here.
    usable: &'c dyn Fn(Value) -> bool,
    /// Products and sums of floats may be contracted.
    contracts: bool,
}

/// The sort of a value; `None` if terms cannot represent it.
pub fn sort_of(context: &Context, value: Value) -> Option<Sort> {
    match Register::of(context, value.ty(context))? {
        Register::R | Register::Ur => Some(Sort::Word),
        Register::R64 | Register::Ur64 => Some(Sort::Pair),
        Register::P | Register::Up => Some(Sort::Predicate),
        _ => None,
    }
}

/// What operations that differ only in operands have in common: name, inherent and other
/// attributes, registers.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Form {
    name: OperationName,
    attributes: [Attribute; 2],
    registers: Vec<Register>,
}

/// The attributes and operands of an operation being read.
pub(super) struct Source<'c> {
    context: &'c Context,
    op: Operation,
    modifiers: Vec<ModifierSet>,
}

impl<'c> Source<'c> {
    fn new(context: &'c Context, op: Operation) -> Self {
        let modifiers = op.attribute(context, MODIFIERS);
        let modifiers = modifiers.and_then(|all| ModifiersAttr::read(context, all));
        Source {
            context,
            op,
            modifiers: modifiers.unwrap_or_default(),
        }
    }

    fn attribute(&self, key: &str) -> Option<Attribute> {
        self.op.attribute(self.context, key)
    }

    pub(super) fn word<K: Keyword>(&self, key: &str) -> Option<K> {
        keyword_of(self.context, self.op, key)
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        let value = self.attribute(key)?.as_i32(self.context)?;
        u64::try_from(value).ok()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.attribute(key).is_some()
    }

    pub(super) fn is_signed(&self) -> bool {
        matches!(
            self.word::<Signedness>("signedness"),
            Some(Signedness::Signed | Signedness::SignedWide)
        )
    }

    /// An operand by position, with its modifiers.
    pub(super) fn operand(&self, number: usize) -> (Value, ModifierSet) {
        let value = self.op.operand(self.context, number);
        let set = self.modifiers.get(number).copied().unwrap_or_default();
        (value, set)
    }

    /// The index of the only member of an operand group.
    pub(super) fn in_group(&self, group: &str) -> Option<usize> {
        let definition = self.op.definition(self.context)?;
        let place = definition
            .operands
            .iter()
            .position(|known| known.name == group)?;
        let range = definition.operand_range(self.context, self.op, place);
        (range.len() == 1).then_some(range.start)
    }

    pub(super) fn group_size(&self, group: &str) -> usize {
        self.op.operand_range_named(self.context, group).len()
    }

    pub(super) fn results(&self) -> usize {
        self.op.result_count(self.context)
    }

    pub(super) fn is_plain(&self, number: usize) -> bool {
        self.modifiers.get(number).copied().unwrap_or_default() == ModifierSet::NONE
    }

    /// Whether it rounds to nearest, without clamping.
    pub(super) fn is_nearest(&self) -> bool {
        let rounding = self
            .word::<Rounding>("rounding")
            .unwrap_or(Rounding::Nearest);
        rounding == Rounding::Nearest && !self.has("saturate")
    }
}

/// The results of an operation, one class each.
pub(super) type Classes = SmallVec<[Id; 2]>;

impl<'c> Reader<'c> {
    /// A reader with an empty graph.
    pub fn new(context: &'c Context, contracts: bool, usable: &'c dyn Fn(Value) -> bool) -> Self {
        Reader {
            context,
            readings: context.interface(),
            graph: Graph::new(Knowledge::new(WORD)),
            classes: FxHashMap::default(),
            forms: FxHashMap::default(),
            leaves: Vec::new(),
            outside: 0,
            usable,
            contracts,
        }
    }

    /// The class of a value that has been read.
    pub fn class(&self, value: Value) -> Option<Id> {
        self.classes.get(&value).copied()
    }

    /// Whether an operation may be a term: pure, unguarded, and every result has a sort.
    pub fn is_candidate(context: &Context, op: Operation) -> bool {
        let machine = op.name_text(context).starts_with("ori.");
        machine
            && op.result_count(context) > 0
            && !op.has_operands_named(context, "guard")
            && crate::effects::is_removable(context, op)
            && op
                .results(context)
                .all(|result| sort_of(context, result).is_some())
            && op
                .operands(context)
                .all(|value| sort_of(context, value).is_some())
    }

    /// Reads an operation of the rewritten region; returns whether it is a term now.
    pub fn absorb(&mut self, op: Operation) -> bool {
        if !Reader::is_candidate(self.context, op) {
            return false;
        }
        let Some(classes) = self.read(op, 0) else {
            return false;
        };
        for (result, class) in op.results(self.context).zip(classes) {
            self.classes.insert(result, class);
        }
        true
    }

    /// The class of a value: an earlier class, a constant, or a leaf merged with its definition.
    pub(super) fn value(&mut self, value: Value, depth: u32) -> Option<Id> {
        if let Some(known) = self.classes.get(&value) {
            return Some(*known);
        }
        let sort = sort_of(self.context, value)?;
        let definition = value.defining_op(self.context);
        if let Some(number) = definition.and_then(|op| ori::Imm::of(self.context, op)) {
            let bits = number.value(self.context)?.cast_unsigned() & sort.mask(WORD);
            let class = self.graph.add(Term::number(bits, sort));
            self.classes.insert(value, class);
            return Some(class);
        }
        if depth > 0 && !(self.usable)(value) {
            return self.only_definition(value, depth);
        }
        let number = u32::try_from(self.leaves.len()).ok()?;
        self.leaves.push(value);
        let facts = super::leaf_facts::facts(self.context, value, sort);
        self.graph.analysis.leaves.push(facts);
        let leaf = self.graph.add(Term::leaf(number, sort));
        self.classes.insert(value, leaf);
        if let Some(class) = self.definition(value, depth) {
            self.graph.union(leaf, class);
        }
        Some(leaf)
    }

    /// The class of a value that cannot be used itself: that of its definition.
    fn only_definition(&mut self, value: Value, depth: u32) -> Option<Id> {
        let class = self.definition(value, depth)?;
        self.classes.insert(value, class);
        Some(class)
    }

    /// The class that the definition of a value computes, if it is followed.
    fn definition(&mut self, value: Value, depth: u32) -> Option<Id> {
        let op = value.defining_op(self.context)?;
        if depth >= DEPTH || self.outside >= OUTSIDE || !Reader::is_candidate(self.context, op) {
            return None;
        }
        self.outside += 1;
        let classes = self.read(op, depth + 1)?;
        classes.get(value.position(self.context)).copied()
    }

    pub(super) fn add(&mut self, operator: Operator, children: &[Id]) -> Id {
        self.graph.add(Term::new(operator, children))
    }

    pub(super) fn number(&mut self, bits: u64, sort: Sort) -> Id {
        self.graph.add(Term::number(bits, sort))
    }

    /// An operand as an integer, pair or predicate.
    pub(super) fn operand(&mut self, source: &Source<'_>, number: usize, depth: u32) -> Option<Id> {
        let (value, modifiers) = source.operand(number);
        let mut class = self.value(value, depth)?;
        let sort = sort_of(self.context, value)?;
        for modifier in modifiers.iter() {
            let operator = match (modifier, sort) {
                (Modifier::Negate, Sort::Word) => Operator::Negate,
                (Modifier::Negate, Sort::Pair) => Operator::PairNegate,
                (Modifier::Invert, Sort::Word) => Operator::Not,
                (Modifier::Invert, Sort::Predicate) => Operator::PredicateNot,
                _ => return None,
            };
            class = self.add(operator, &[class]);
        }
        Some(class)
    }

    /// An operand as a float.
    pub(super) fn float(&mut self, source: &Source<'_>, number: usize, depth: u32) -> Option<Id> {
        let (value, modifiers) = source.operand(number);
        let mut class = self.value(value, depth)?;
        let (absolute, negate) = match sort_of(self.context, value)? {
            Sort::Word => (Operator::FloatAbsolute, Operator::FloatNegate),
            Sort::Pair => (Operator::DoubleAbsolute, Operator::DoubleNegate),
            Sort::Predicate => return None,
        };
        if modifiers.contains(Modifier::LowHalf) || modifiers.contains(Modifier::HighHalf) {
            return None;
        }
        if modifiers.contains(Modifier::Absolute) {
            class = self.add(absolute, &[class]);
        }
        if modifiers.contains(Modifier::Negate) {
            class = self.add(negate, &[class]);
        }
        Some(class)
    }

    /// The results of an operation as classes; `None` if it cannot be a term.
    ///
    /// The machine operation itself is added as an alternative if its operators may be more
    /// expensive: it has several results, is of the uniform datapath, or corresponds to several
    /// operators.
    fn read(&mut self, op: Operation, depth: u32) -> Option<Classes> {
        let source = Source::new(self.context, op);
        let reading = self.readings.of(op);
        let classes = reading.and_then(|reading| (reading.read)(self, &source, depth));
        let sum_with_carry = classes.is_some()
            && reading.is_some_and(|reading| std::ptr::eq(reading.general, ori::Iadd3::DEFINITION));
        let as_it_is = classes.is_none()
            || source.results() > 1 && !sum_with_carry
            || reading.is_some_and(|reading| {
                reading.several || !reading.general.matches(self.context, op)
            });
        if !as_it_is {
            return classes;
        }
        let Some(whole) = self.machine(&source, depth) else {
            return classes;
        };
        for (class, known) in whole.iter().zip(classes.into_iter().flatten()) {
            self.graph.union(*class, known);
        }
        Some(whole)
    }

    /// An operation as a machine term, one for each result; `None` if it is not a function of its
    /// operands.
    fn machine(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let (context, op) = (self.context, source.op);
        let computation = Computation::of(context, op)?;
        let register = |value: Value| Register::of(context, value.ty(context));
        let registers: Option<Vec<Register>> = op
            .operands(context)
            .chain(op.results(context))
            .map(register)
            .collect();
        let form = Form {
            name: op.name(context),
            attributes: [op.properties(context), op.attributes(context)],
            registers: registers?,
        };
        let operands: Option<Vec<Id>> = (0..op.operand_count(context))
            .map(|number| self.value(op.operand(context, number), depth))
            .collect();
        let operands = operands?;
        let number = match self.forms.get(&form) {
            Some(known) => *known,
            None => {
                let number = u32::try_from(self.graph.analysis.machines.len()).ok()?;
                let approximate = ori::Mufu::matches(context, op);
                self.graph.analysis.machines.push(Machine {
                    operation: op,
                    computation: (!approximate).then_some(computation),
                    cost: of_instruction(context, op),
                });
                self.forms.insert(form, number);
                number
            }
        };
        debug_assert!(op.result_count(context) <= MAX_RESULTS);
        let results = (0u8..).zip(op.results(context));
        let classes = results.map(|(result, value)| {
            let sort = sort_of(context, value)?;
            Some(
                self.graph
                    .add(Term::machine(number, result, sort, &operands)),
            )
        });
        classes.collect()
    }

    /// Operands as integers, pairs or predicates, of a single operator.
    pub(super) fn operator(
        &mut self,
        source: &Source<'_>,
        depth: u32,
        operator: Operator,
    ) -> Option<Classes> {
        let operands: Option<Vec<Id>> = (0..operator.arity())
            .map(|number| self.operand(source, number, depth))
            .collect();
        Some(smallvec![self.add(operator, &operands?)])
    }

    pub(super) fn selection(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let a = self.operand(source, 0, depth)?;
        let b = self.operand(source, 1, depth)?;
        let p = self.operand(source, 2, depth)?;
        Some(smallvec![self.add(Operator::Select, &[p, a, b])])
    }

    /// The bits of a mask, lowest first, are predicates; the others are those of the background.
    pub(super) fn packed_predicates(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let mask = source.number("mask")?;
        let bits = (0..WORD).filter(|bit| mask >> bit & 1 == 1);
        let bits: SmallVec<[u32; 8]> = bits.collect();
        (bits.len() == source.group_size("predicates")).then_some(())?;
        let background = self.operand(source, 0, depth)?;
        let others = self.number(!mask & Sort::Word.mask(WORD), Sort::Word);
        let zero = self.number(0, Sort::Word);
        let mut word = self.add(Operator::And, &[background, others]);
        for (number, bit) in (1..).zip(bits) {
            let predicate = self.operand(source, number, depth)?;
            let bit = self.number(1 << bit, Sort::Word);
            let bit = self.add(Operator::Select, &[predicate, bit, zero]);
            word = self.add(Operator::Or, &[word, bit]);
        }
        Some(smallvec![word])
    }

    pub(super) fn highest_bit(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let operator = match (source.is_signed(), source.has("shift_amount")) {
            (false, false) => Operator::HighestBit,
            (true, false) => Operator::HighestBitSigned,
            (false, true) => Operator::LeadingZeros,
            (true, true) => Operator::LeadingSigns,
        };
        self.operator(source, depth, operator)
    }

    pub(super) fn permutation(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let mode = source.word("permutation").unwrap_or(Permutation::Index);
        (mode == Permutation::Index).then_some(())?;
        self.operator(source, depth, Operator::Permute)
    }

    pub(super) fn mask(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        (!source.has("wrap")).then_some(())?;
        self.operator(source, depth, Operator::BitMask)
    }

    pub(super) fn extension(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        (!source.has("wrap")).then_some(())?;
        let operator = match source.is_signed() {
            true => Operator::ExtendSigned,
            false => Operator::ExtendUnsigned,
        };
        self.operator(source, depth, operator)
    }

    /// `ori.i2fp` has floats of 32 bits only, and does not name the format.
    pub(super) fn float_of_integer(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let is_float = source.word("to").unwrap_or(Format::F32) == Format::F32;
        (source.is_nearest() && is_float && source.is_plain(0)).then_some(())?;
        let operator = match source.word("from")? {
            Format::S32 => Operator::FloatFromSigned,
            Format::U32 => Operator::FloatFromUnsigned,
            _ => return None,
        };
        self.operator(source, depth, operator)
    }

    pub(super) fn copied(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let context = self.context;
        let from = source.op.operand(context, 0);
        // A copy between register classes is an instruction that has to stay.
        if from.ty(context) != source.op.result(context, 0).ty(context) {
            return None;
        }
        Some(smallvec![self.value(from, depth)?])
    }

    pub(super) fn immediate(&mut self, source: &Source<'_>, _: u32) -> Option<Classes> {
        let context = self.context;
        let sort = sort_of(context, source.op.result(context, 0))?;
        let value = ori::Imm::of(context, source.op)?.value(context)?;
        Some(smallvec![
            self.number(value.cast_unsigned() & sort.mask(WORD), sort)
        ])
    }

    pub(super) fn concatenation(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        if source.op.operand_count(self.context) != 2 {
            return None;
        }
        let low = self.operand(source, 0, depth)?;
        let high = self.operand(source, 1, depth)?;
        Some(smallvec![self.add(Operator::Concat, &[low, high])])
    }

    pub(super) fn part(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let context = self.context;
        let whole = source.op.operand(context, 0);
        let result = source.op.result(context, 0);
        let parts = (sort_of(context, whole)?, sort_of(context, result)?);
        if parts != (Sort::Pair, Sort::Word) {
            return None;
        }
        let whole = self.value(whole, depth)?;
        let part = match source.number("word")? {
            0 => Operator::Low,
            _ => Operator::High,
        };
        Some(smallvec![self.add(part, &[whole])])
    }

    /// Sums of three, of two with a carry out, of two with a carry in.
    pub(super) fn sum(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let a = self.operand(source, 0, depth)?;
        let b = self.operand(source, 1, depth)?;
        let c = self.operand(source, 2, depth)?;
        let no_third = super::facts::constant(&self.graph, c) == Some(0);
        if source.has("extended") {
            if source.results() > 1 || !no_third {
                return None;
            }
            let carry = self.operand(source, source.in_group("carry")?, depth)?;
            return Some(smallvec![self.add(Operator::AddCarry, &[a, b, carry])]);
        }
        match source.results() {
            1 if no_third => Some(smallvec![self.add(Operator::Add, &[a, b])]),
            1 => Some(smallvec![self.add(Operator::Add3, &[a, b, c])]),
            2 if no_third && source.is_plain(0) => {
                let sum = self.add(Operator::Add, &[a, b]);
                let (second, modifiers) = source.operand(1);
                let carry = if modifiers == ModifierSet::NONE {
                    self.add(Operator::Carry, &[a, b])
                } else if modifiers == ModifierSet::NONE.with(Modifier::Negate) {
                    // No borrow: the subtrahend is not greater.
                    let second = self.value(second, depth)?;
                    self.add(Operator::LessEqualUnsigned, &[second, a])
                } else {
                    return None;
                };
                Some(smallvec![sum, carry])
            }
            _ => None,
        }
    }

    /// Low words of products, added.
    pub(super) fn product(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let [a, b, c] = self.factors(source, depth)?;
        if super::facts::constant(&self.graph, c) == Some(0) {
            return Some(smallvec![self.add(Operator::Multiply, &[a, b])]);
        }
        Some(smallvec![self.add(Operator::MultiplyAdd, &[a, b, c])])
    }

    /// Products of which more than the low word is used; the operators for unsigned and signed
    /// factors.
    pub(super) fn wide_product(
        &mut self,
        source: &Source<'_>,
        depth: u32,
        [unsigned, signed]: [Operator; 2],
    ) -> Option<Classes> {
        if !source.is_plain(0) {
            return None;
        }
        let operands = self.factors(source, depth)?;
        let operator = if source.is_signed() { signed } else { unsigned };
        Some(smallvec![self.add(operator, &operands)])
    }

    fn factors(&mut self, source: &Source<'_>, depth: u32) -> Option<[Id; 3]> {
        if source.results() > 1 || source.has("extended") {
            return None;
        }
        let a = self.operand(source, 0, depth)?;
        let b = self.operand(source, 1, depth)?;
        let c = self.operand(source, 2, depth)?;
        Some([a, b, c])
    }

    /// One or two functions of three predicates.
    pub(super) fn predicates(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let mut results = self.table(source, "lut", Sort::Predicate, depth)?;
        if source.results() > 1 {
            let second = source.number("second_lut").unwrap_or(0);
            if second == 0 {
                results.push(self.number(0, Sort::Predicate));
            } else {
                results.extend(self.table(source, "second_lut", Sort::Predicate, depth)?);
            }
        }
        Some(results)
    }

    /// Truth tables; those of two inputs become the corresponding operators.
    pub(super) fn table(
        &mut self,
        source: &Source<'_>,
        key: &str,
        sort: Sort,
        depth: u32,
    ) -> Option<Classes> {
        let lut = source.number(key)?;
        let inputs: Option<Vec<Id>> = (0..3)
            .map(|number| self.operand(source, number, depth))
            .collect();
        let inputs = inputs?;
        let word = sort == Sort::Word;
        let pick = |of_word, of_predicate| if word { of_word } else { of_predicate };
        let operator = match lut {
            0xc0 => pick(Operator::And, Operator::PredicateAnd),
            0xfc => pick(Operator::Or, Operator::PredicateOr),
            0x3c => pick(Operator::Xor, Operator::PredicateXor),
            0x0f => {
                let not = pick(Operator::Not, Operator::PredicateNot);
                return Some(smallvec![self.add(not, &inputs[..1])]);
            }
            _ => {
                let table = self.number(lut, Sort::Word);
                let operator = pick(Operator::Table, Operator::PredicateTable);
                let children = [table, inputs[0], inputs[1], inputs[2]];
                return Some(smallvec![self.add(operator, &children)]);
            }
        };
        Some(smallvec![self.add(operator, &inputs[..2])])
    }

    pub(super) fn lea(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        if source.has("high") || source.has("extended") || source.results() > 1 {
            return None;
        }
        let amount = self.number(source.number("shift")?, Sort::Word);
        let (shifted, modifiers) = source.operand(0);
        if modifiers.contains(Modifier::Invert) {
            // `not` inverts the result of the shift, not its operand.
            let only = modifiers.iter().count() == 1;
            let a = self.value(shifted, depth).filter(|_| only)?;
            let b = self.operand(source, 1, depth)?;
            let shifted = self.add(Operator::ShiftLeft, &[a, amount]);
            let inverted = self.add(Operator::Not, &[shifted]);
            return Some(smallvec![self.add(Operator::Add, &[inverted, b])]);
        }
        let a = self.operand(source, 0, depth)?;
        let b = self.operand(source, 1, depth)?;
        Some(smallvec![self.add(Operator::Lea, &[a, b, amount])])
    }

    pub(super) fn shift(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let direction: Direction = source.word("direction")?;
        let signedness: Signedness = source.word("signedness")?;
        let (high, wrap) = (source.has("high"), source.has("wrap"));
        let a = self.operand(source, 0, depth)?;
        let n = self.operand(source, 1, depth)?;
        let c = self.operand(source, 2, depth)?;
        let left = direction == Direction::Left;
        let class = match (left, signedness, high, wrap) {
            (true, Signedness::Unsigned | Signedness::Signed, false, false) => {
                self.add(Operator::ShiftLeft, &[a, n])
            }
            (false, Signedness::Unsigned, true, false) => self.add(Operator::ShiftRight, &[c, n]),
            (false, Signedness::Signed, true, false) => {
                self.add(Operator::ShiftRightSigned, &[c, n])
            }
            (true, Signedness::UnsignedWide, true, false) => {
                self.add(Operator::FunnelLeft, &[a, n, c])
            }
            (false, Signedness::UnsignedWide, false, false) => {
                self.add(Operator::FunnelRight, &[a, n, c])
            }
            (false, Signedness::SignedWide, false, false) => {
                self.add(Operator::FunnelRightSigned, &[a, n, c])
            }
            (true, Signedness::Unsigned, true, true) => {
                self.add(Operator::FunnelLeftWrap, &[a, n, c])
            }
            (false, Signedness::Unsigned, false, true) => {
                self.add(Operator::FunnelRightWrap, &[a, n, c])
            }
            _ => return None,
        };
        Some(smallvec![class])
    }

    /// The minimum or maximum, if the choice is constant.
    pub(super) fn extremum(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let a = self.operand(source, 0, depth)?;
        let b = self.operand(source, 1, depth)?;
        let choice = self.operand(source, 2, depth)?;
        let smaller = super::facts::constant(&self.graph, choice)? == 1;
        let operator = match (smaller, source.is_signed()) {
            (true, true) => Operator::MinSigned,
            (true, false) => Operator::MinUnsigned,
            (false, true) => Operator::MaxSigned,
            (false, false) => Operator::MaxUnsigned,
        };
        Some(smallvec![self.add(operator, &[a, b])])
    }

    pub(super) fn comparison(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let compare: Compare = source.word("compare")?;
        let signed = source.is_signed();
        let a = self.operand(source, 0, depth)?;
        let b = self.operand(source, 1, depth)?;
        let outcome = if source.has("extended") {
            let low = self.operand(source, source.in_group("low")?, depth)?;
            self.extended(compare, signed, [a, b], low)?
        } else {
            self.compared(compare, signed, [a, b])
        };
        // Without a predicate, it is combined with one that is always true.
        let with = match source.group_size("with") {
            0 => self.number(1, Sort::Predicate),
            _ => self.operand(source, source.in_group("with")?, depth)?,
        };
        let combine = match source.word("combine").unwrap_or(Combine::And) {
            Combine::And => Operator::PredicateAnd,
            Combine::Or => Operator::PredicateOr,
            Combine::Xor => Operator::PredicateXor,
        };
        let mut results: Classes = smallvec![outcome];
        if source.results() > 1 {
            results.push(self.add(Operator::PredicateNot, &[outcome]));
        }
        if source.group_size("with") > 0 || combine != Operator::PredicateAnd {
            for result in &mut results {
                *result = self.add(combine, &[*result, with]);
            }
        }
        Some(results)
    }

    fn compared(&mut self, compare: Compare, signed: bool, [a, b]: [Id; 2]) -> Id {
        let pick = |of_signed, of_unsigned| if signed { of_signed } else { of_unsigned };
        let less = pick(Operator::LessSigned, Operator::LessUnsigned);
        let less_equal = pick(Operator::LessEqualSigned, Operator::LessEqualUnsigned);
        match compare {
            Compare::False => self.number(0, Sort::Predicate),
            Compare::True => self.number(1, Sort::Predicate),
            Compare::Eq => self.add(Operator::Equal, &[a, b]),
            Compare::Ne => self.add(Operator::NotEqual, &[a, b]),
            Compare::Lt => self.add(less, &[a, b]),
            Compare::Le => self.add(less_equal, &[a, b]),
            Compare::Gt => self.add(less, &[b, a]),
            Compare::Ge => self.add(less_equal, &[b, a]),
        }
    }

    fn extended(&mut self, compare: Compare, signed: bool, ab: [Id; 2], low: Id) -> Option<Id> {
        let [a, b] = ab;
        let less = if signed {
            Operator::LessExtendedSigned
        } else {
            Operator::LessExtendedUnsigned
        };
        Some(match compare {
            Compare::Eq => self.add(Operator::EqualExtended, &[a, b, low]),
            Compare::Ne => self.add(Operator::NotEqualExtended, &[a, b, low]),
            Compare::Lt | Compare::Le => self.add(less, &[a, b, low]),
            Compare::Gt | Compare::Ge => self.add(less, &[b, a, low]),
            Compare::False | Compare::True => return None,
        })
    }

    /// Sums and products of floats: the operator, that which flushes denormals, and that which may
    /// be contracted.
    pub(super) fn arithmetic(
        &mut self,
        source: &Source<'_>,
        depth: u32,
        [exact, flushed, contracted]: [Operator; 3],
    ) -> Option<Classes> {
        if !source.is_nearest() {
            return None;
        }
        let operator = match source.has("ftz") {
            true => flushed,
            false if self.contracts => contracted,
            false => exact,
        };
        let operands: Option<Vec<Id>> = (0..operator.arity())
            .map(|number| self.float(source, number, depth))
            .collect();
        Some(smallvec![self.add(operator, &operands?)])
    }
}
