//! From chosen terms back to operations.

use egg::Id;
use orison_ir::{Block, Builder, Context, InsertionPoint, Location, Operation, Value};
use orison_ori::modifiers::Modifier;
use orison_ori::operations::moves::{Concat, Extract, Imm};
use orison_ori::{MachineOperation, Register};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::cost::{Source, source};
use super::extract::{Choice, Extraction, Operand};
use super::facts::Graph;
use super::facts::constant;
use super::machine::{compared_with, operations};
use super::read::WORD;
use super::term::{Head, Operator, Sort};

/// A value cannot be computed where it is needed: the region stays as it was.
#[derive(Debug)]
pub struct Unavailable;

type Emitted<T> = Result<T, Unavailable>;

/// What does not change while a region is written.
pub struct Setting<'g> {
    /// The graph.
    pub graph: &'g Graph,
    /// Its extraction.
    pub extraction: &'g Extraction<'g>,
    /// The chosen terms.
    pub choice: &'g Choice,
    /// What leaves stand for.
    pub leaves: &'g [Value],
    /// What took the place of values before.
    pub replaced: &'g FxHashMap<Value, Value>,
    /// Where values of the block are defined, by number of the operation.
    pub places: &'g FxHashMap<Value, usize>,
    /// What operations of the block read.
    pub reads: &'g FxHashSet<Value>,
    /// The block.
    pub block: Block,
    /// The version of the machine, `90`.
    pub target: u32,
}

/// Writes operations.
pub struct Emitter<'e, 'g> {
    /// The IR.
    pub context: &'e mut Context,
    setting: &'e Setting<'g>,
    values: FxHashMap<Id, Value>,
    known: FxHashMap<Instruction, Operation>,
    /// Sums whose carry is needed too, by their operands.
    carried: FxHashSet<[Id; 2]>,
    numbers: FxHashMap<(u64, Sort), Value>,
    /// What was created, in order.
    pub created: Vec<Operation>,
    point: Operation,
    place: usize,
    location: Location,
}

/// An instruction before it is an operation; equal ones become one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Instruction {
    name: &'static str,
    operands: Vec<(&'static str, Value, SmallVec<[Modifier; 2]>)>,
    words: Vec<(&'static str, &'static str)>,
    numbers: Vec<(&'static str, i32)>,
    flags: Vec<&'static str>,
    results: SmallVec<[Register; 2]>,
}

impl Instruction {
    fn new(name: &'static str) -> Self {
        Instruction {
            name,
            operands: Vec::new(),
            words: Vec::new(),
            numbers: Vec::new(),
            flags: Vec::new(),
            results: SmallVec::new(),
        }
    }

    fn operand(mut self, group: &'static str, value: Value) -> Self {
        self.operands.push((group, value, SmallVec::new()));
        self
    }

    fn modified(mut self, group: &'static str, value: Value, modifier: Modifier) -> Self {
        let modifiers = SmallVec::from_slice(&[modifier]);
        self.operands.push((group, value, modifiers));
        self
    }

    fn read(mut self, group: &'static str, read: &Read) -> Self {
        self.operands
            .push((group, read.value, read.modifiers.clone()));
        self
    }

    fn word(mut self, key: &'static str, word: &'static str) -> Self {
        self.words.push((key, word));
        self
    }

    fn number(mut self, key: &'static str, number: i32) -> Self {
        self.numbers.push((key, number));
        self
    }

    fn flag(mut self, flag: &'static str) -> Self {
        self.flags.push(flag);
        self
    }

    fn result(mut self, register: Register) -> Self {
        self.results.push(register);
        self
    }
}

/// An operand: a value and its modifiers.
#[derive(Clone)]
struct Read {
    value: Value,
    modifiers: SmallVec<[Modifier; 2]>,
}

const R: Register = Register::R;

impl<'e, 'g> Emitter<'e, 'g> {
    /// An emitter that writes before an operation.
    pub fn new(
        context: &'e mut Context,
        setting: &'e Setting<'g>,
        point: Operation,
        needed: &[(Id, &super::term::Term)],
    ) -> Self {
        let mut carried = FxHashSet::default();
        for (_, term) in needed {
            if term.operator() == Some(Operator::Carry) {
                let mut pair =
                    [term.children[0], term.children[1]].map(|id| setting.graph.find(id));
                pair.sort_unstable();
                carried.insert(pair);
            }
        }
        let location = point.location(context);
        Emitter {
            context,
            setting,
            values: FxHashMap::default(),
            known: FxHashMap::default(),
            carried,
            numbers: FxHashMap::default(),
            created: Vec::new(),
            point,
            place: 0,
            location,
        }
    }

    /// Goes on before another operation, the one with that number in its block.
    pub fn move_to(&mut self, point: Operation, place: usize) {
        self.point = point;
        self.place = place;
    }

    /// The value of a class in a register of the type of `like`, which it takes the place of.
    ///
    /// # Errors
    /// When the value is not there yet at this place, or only in registers of another kind.
    pub fn value_like(&mut self, class: Id, like: Value) -> Emitted<Value> {
        self.location = like.location(self.context);
        let value = self.value(class)?;
        if value.ty(self.context) == like.ty(self.context) {
            return Ok(self.for_others(value, like));
        }
        let register = |value: Value| Register::of(self.context, value.ty(self.context));
        match (register(value), register(like)) {
            (Some(Register::Ur), Some(R)) => {
                let mov = Instruction::new("ori.mov").operand("a", value).result(R);
                Ok(self.emit(mov))
            }
            _ => Err(Unavailable),
        }
    }

    /// What takes the place of a value in other blocks: a register where it was one, as instructions
    /// there may have no room for a number.
    fn for_others(&mut self, value: Value, like: Value) -> Value {
        let context = &*self.context;
        let is_elsewhere = |user: Operation| user.block(context) != Some(self.setting.block);
        let elsewhere = like.users(context).any(is_elsewhere);
        let fills = matches!(source(context, value), Source::Slot | Source::WideNumber);
        if !(elsewhere && fills && source(context, like) == Source::Register) {
            return value;
        }
        let mov = |word| Instruction::new("ori.mov").operand("a", word).result(R);
        if Register::of(context, value.ty(context)) == Some(R) {
            return self.emit(mov(value));
        }
        let [low, high] = self.parts(value);
        let (low, high) = (self.emit(mov(low)), self.emit(mov(high)));
        self.concat(low, high)
    }

    /// The value of a class at this place.
    fn value(&mut self, class: Id) -> Emitted<Value> {
        let class = self.setting.graph.find(class);
        if let Some(known) = self.values.get(&class) {
            return Ok(*known);
        }
        let chosen = self.setting.extraction.chosen(self.setting.choice, class);
        let (term, operands) = chosen.ok_or(Unavailable)?;
        let value = match term.head {
            Head::Leaf(number, _) => {
                // A leaf may be there later on, when it is asked for again: it is not remembered.
                return self.leaf(number);
            }
            Head::Number(bits, sort) => self.number(bits, sort),
            Head::Operator(operator) => {
                let children = term.children.clone();
                self.operator(operator, &children, &operands)?
            }
        };
        self.values.insert(class, value);
        Ok(value)
    }

    fn leaf(&self, number: u32) -> Emitted<Value> {
        let number = usize::try_from(number).map_err(|_| Unavailable)?;
        let value = *self.setting.leaves.get(number).ok_or(Unavailable)?;
        let place = self.setting.places.get(&value);
        if place.is_none() && !self.enters(value) {
            return Err(Unavailable);
        }
        if place.is_some_and(|place| *place >= self.place) {
            return Err(Unavailable);
        }
        Ok(self.setting.replaced.get(&value).copied().unwrap_or(value))
    }

    /// Whether a value of another block is in a register here anyway, or needs none.
    fn enters(&self, value: Value) -> bool {
        let context = &*self.context;
        source(context, value) != Source::Register || self.setting.reads.contains(&value)
    }

    /// A number; those of words and pairs with sign, as `ori.imm` has them.
    fn number(&mut self, bits: u64, sort: Sort) -> Value {
        if let Some(known) = self.numbers.get(&(bits, sort)) {
            return *known;
        }
        let (value, register) = match sort {
            Sort::Predicate => (i64::from(bits != 0), Register::P),
            Sort::Word => (super::evaluate::signed(bits, WORD), R),
            Sort::Pair => (bits.cast_signed(), Register::R64),
        };
        let ty = register.ty(self.context);
        let mut builder = Builder::at(self.context, InsertionPoint::Before(self.point));
        let op = Imm::build(&mut builder, self.location, value, ty).0;
        self.created.push(op);
        let value = op.result(self.context, 0);
        self.numbers.insert((bits, sort), value);
        value
    }

    fn zero(&mut self, sort: Sort) -> Value {
        self.number(0, sort)
    }

    /// An operand with its modifiers.
    fn read(&mut self, operand: &Operand) -> Emitted<Read> {
        let value = self.value(operand.class)?;
        let modifiers = operand.wrappers.iter().map(|wrapper| match wrapper {
            Operator::Not | Operator::PredicateNot => Modifier::Invert,
            Operator::FloatAbsolute | Operator::DoubleAbsolute => Modifier::Absolute,
            _ => Modifier::Negate,
        });
        let modifiers = modifiers.collect();
        Ok(Read { value, modifiers })
    }

    /// The operation of an instruction, with all its results.
    fn operation(&mut self, instruction: Instruction) -> Operation {
        if let Some(known) = self.known.get(&instruction) {
            return *known;
        }
        let mut op = MachineOperation::new(instruction.name);
        for (group, value, modifiers) in &instruction.operands {
            op = op.modified(group, *value, modifiers);
        }
        for (key, word) in &instruction.words {
            op = op.word(self.context, key, word);
        }
        for (key, number) in &instruction.numbers {
            op = op.number(self.context, key, *number);
        }
        for flag in &instruction.flags {
            op = op.flag(flag);
        }
        for register in &instruction.results {
            op = op.result(*register);
        }
        let mut builder = Builder::at(self.context, InsertionPoint::Before(self.point));
        let op = op.build(&mut builder, self.location);
        self.created.push(op);
        self.known.insert(instruction, op);
        op
    }

    fn emit(&mut self, instruction: Instruction) -> Value {
        let op = self.operation(instruction);
        op.result(self.context, 0)
    }

    /// The value of an operator on operands.
    fn operator(
        &mut self,
        operator: Operator,
        children: &[Id],
        operands: &[Operand],
    ) -> Emitted<Value> {
        if let Some(compared) = compared_with(operator) {
            return self.comparison(compared, operands);
        }
        match operator {
            Operator::Add | Operator::Carry => self.sum(operator, children, operands),
            Operator::Table | Operator::PredicateTable => {
                let table = constant(self.setting.graph, children[0]).ok_or(Unavailable)?;
                self.table(operator, table, &operands[1..])
            }
            Operator::Not | Operator::PredicateNot => self.table(operator, 0x0f, operands),
            Operator::And | Operator::PredicateAnd => self.table(operator, 0xc0, operands),
            Operator::Or | Operator::PredicateOr => self.table(operator, 0xfc, operands),
            Operator::Xor | Operator::PredicateXor => self.table(operator, 0x3c, operands),
            Operator::FloatNegate | Operator::FloatAbsolute => {
                let a = self.value(operands[0].class)?;
                Ok(self.sign(operator == Operator::FloatNegate, a))
            }
            Operator::DoubleNegate | Operator::DoubleAbsolute => {
                let whole = self.value(operands[0].class)?;
                let [low, high] = self.parts(whole);
                let high = self.sign(operator == Operator::DoubleNegate, high);
                Ok(self.concat(low, high))
            }
            Operator::Lea | Operator::PairLea => {
                let amount = constant(self.setting.graph, children[2]).ok_or(Unavailable)?;
                let amount = i32::try_from(amount).map_err(|_| Unavailable)?;
                self.lea(operator, amount, operands)
            }
            Operator::Low | Operator::High | Operator::Concat => self.part(operator, operands),
            Operator::PairAdd | Operator::PairSubtract | Operator::PairNegate => {
                self.pair_sum(operator, operands)
            }
            Operator::PairShiftLeft | Operator::PairShiftRight | Operator::PairShiftRightSigned => {
                self.pair_shift(operator, operands)
            }
            _ => self.simple(operator, operands),
        }
    }

    /// Operators that are one instruction, whose operands are those of the operator.
    fn simple(&mut self, operator: Operator, operands: &[Operand]) -> Emitted<Value> {
        let mut reads = Vec::new();
        for operand in operands {
            reads.push(self.read(operand)?);
        }
        let name = *operations(operator).first().ok_or(Unavailable)?;
        let instruction = Instruction::new(name);
        let all = |instruction: Instruction, groups: &[&'static str]| {
            let reads = groups.iter().zip(&reads);
            reads.fold(instruction, |instruction, (group, read)| {
                instruction.read(group, read)
            })
        };
        let abc = |instruction| all(instruction, &["a", "b", "c"]);
        let zero = |emitter: &mut Self| emitter.zero(Sort::Word);
        let instruction = match operator {
            Operator::Negate => {
                let zero = zero(self);
                let sum = instruction.operand("a", zero);
                let sum = sum.modified("b", reads[0].value, Modifier::Negate);
                sum.operand("c", zero).result(R)
            }
            Operator::AddCarry => {
                let zero = zero(self);
                let sum = instruction.read("a", &reads[0]).read("b", &reads[1]);
                let sum = sum.operand("c", zero).read("carry", &reads[2]);
                sum.flag("extended").result(R)
            }
            Operator::Multiply => {
                let zero = zero(self);
                abc(instruction).operand("c", zero).result(R)
            }
            Operator::Select => all(instruction, &["choice", "a", "b"]).result(R),
            Operator::MinUnsigned
            | Operator::MaxUnsigned
            | Operator::MinSigned
            | Operator::MaxSigned => return Ok(self.extremum(operator, &reads)),
            Operator::ShiftLeft
            | Operator::ShiftRight
            | Operator::ShiftRightSigned
            | Operator::FunnelLeft
            | Operator::FunnelRight
            | Operator::FunnelRightSigned
            | Operator::FunnelLeftWrap
            | Operator::FunnelRightWrap => {
                let values: Vec<Value> = reads.iter().map(|read| read.value).collect();
                return Ok(self.shift(operator, &values));
            }
            _ => {
                let wide = operator.sort() == Sort::Pair;
                let register = if wide { Register::R64 } else { R };
                words(abc(instruction), operator).result(register)
            }
        };
        Ok(self.emit(instruction))
    }

    /// A sum of two, with its carry when that is needed too; or the carry.
    fn sum(&mut self, operator: Operator, children: &[Id], operands: &[Operand]) -> Emitted<Value> {
        let mut pair = [children[0], children[1]].map(|id| self.setting.graph.find(id));
        pair.sort_unstable();
        let plain = operands.iter().all(|operand| operand.wrappers.is_empty());
        let zero = self.zero(Sort::Word);
        let instruction = Instruction::new("ori.iadd3");
        if operator == Operator::Carry || plain && self.carried.contains(&pair) {
            let a = self.value(pair[0])?;
            let b = self.value(pair[1])?;
            let sum = instruction.operand("a", a).operand("b", b);
            let sum = sum.operand("c", zero).result(R).result(Register::P);
            let op = self.operation(sum);
            let number = usize::from(operator == Operator::Carry);
            return Ok(op.result(self.context, number));
        }
        let (a, b) = (self.read(&operands[0])?, self.read(&operands[1])?);
        let sum = instruction.read("a", &a).read("b", &b);
        Ok(self.emit(sum.operand("c", zero).result(R)))
    }

    fn table(&mut self, operator: Operator, lut: u64, operands: &[Operand]) -> Emitted<Value> {
        let sort = operator.sort();
        let name = *operations(operator).first().ok_or(Unavailable)?;
        let mut instruction = Instruction::new(name);
        for (number, group) in ["a", "b", "c"].into_iter().enumerate() {
            instruction = match operands.get(number) {
                Some(operand) => {
                    let read = self.read(operand)?;
                    instruction.read(group, &read)
                }
                None => {
                    let zero = self.zero(sort);
                    instruction.operand(group, zero)
                }
            };
        }
        let lut = i32::try_from(lut).map_err(|_| Unavailable)?;
        let register = if sort == Sort::Word { R } else { Register::P };
        Ok(self.emit(instruction.number("lut", lut).result(register)))
    }

    /// A float with its sign turned, or without it: bits, so that every pattern stays what it is.
    fn sign(&mut self, turned: bool, a: Value) -> Value {
        let (bits, lut) = if turned {
            (1 << 31, 0x3c)
        } else {
            (i64::from(i32::MAX), 0xc0)
        };
        let bits = self.number(bits.cast_unsigned(), Sort::Word);
        let zero = self.zero(Sort::Word);
        let table = Instruction::new("ori.lop3")
            .operand("a", a)
            .operand("b", bits);
        self.emit(table.operand("c", zero).number("lut", lut).result(R))
    }

    fn extremum(&mut self, operator: Operator, reads: &[Read]) -> Value {
        let name = if self.setting.target >= 90 {
            "ori.vimnmx"
        } else {
            "ori.imnmx"
        };
        let smaller = matches!(operator, Operator::MinUnsigned | Operator::MinSigned);
        let signed = matches!(operator, Operator::MinSigned | Operator::MaxSigned);
        let choice = self.number(u64::from(smaller), Sort::Predicate);
        let instruction = Instruction::new(name)
            .read("a", &reads[0])
            .read("b", &reads[1]);
        let signedness = if signed { "s32" } else { "u32" };
        let instruction = instruction
            .operand("choice", choice)
            .word("signedness", signedness);
        self.emit(instruction.result(R))
    }

    /// A shift of a word, or of a pair to one of its words.
    fn shift(&mut self, operator: Operator, values: &[Value]) -> Value {
        let zero = self.zero(Sort::Word);
        let at = |number: usize| values.get(number).copied().unwrap_or(zero);
        let (direction, signedness, high, wrap, [a, b, c]) = match operator {
            Operator::ShiftLeft => ("left", "u32", false, false, [at(0), at(1), zero]),
            Operator::ShiftRight => ("right", "u32", true, false, [zero, at(1), at(0)]),
            Operator::ShiftRightSigned => ("right", "s32", true, false, [zero, at(1), at(0)]),
            Operator::FunnelLeft => ("left", "u64", true, false, [at(0), at(1), at(2)]),
            Operator::FunnelRight => ("right", "u64", false, false, [at(0), at(1), at(2)]),
            Operator::FunnelRightSigned => ("right", "s64", false, false, [at(0), at(1), at(2)]),
            Operator::FunnelLeftWrap => ("left", "u32", true, true, [at(0), at(1), at(2)]),
            _ => ("right", "u32", false, true, [at(0), at(1), at(2)]),
        };
        let shift = Instruction::new("ori.shf").operand("a", a).operand("b", b);
        let mut shift = shift.operand("c", c).result(R);
        shift = shift
            .word("direction", direction)
            .word("signedness", signedness);
        if high {
            shift = shift.flag("high");
        }
        if wrap {
            shift = shift.flag("wrap");
        }
        self.emit(shift)
    }

    fn comparison(
        &mut self,
        compared: super::machine::ComparedWith,
        operands: &[Operand],
    ) -> Emitted<Value> {
        let a = self.read(&operands[0])?;
        let b = self.read(&operands[1])?;
        let instruction = Instruction::new("ori.isetp").read("a", &a).read("b", &b);
        let instruction = instruction.word("compare", compared.compare);
        let mut instruction = instruction.word("signedness", compared.signedness);
        instruction = instruction.word("combine", compared.combine.unwrap_or("and"));
        if let Some(predicate) = operands.get(2) {
            let predicate = self.read(predicate)?;
            let group = if compared.extended { "low" } else { "with" };
            instruction = instruction.read(group, &predicate);
        }
        if compared.extended {
            instruction = instruction.flag("extended");
        }
        Ok(self.emit(instruction.result(Register::P)))
    }

    /// The words of a pair.
    fn parts(&mut self, whole: Value) -> [Value; 2] {
        [0, 1].map(|word| self.word_of(whole, word))
    }

    fn word_of(&mut self, whole: Value, word: i32) -> Value {
        if let Some(concat) = whole
            .defining_op(self.context)
            .and_then(|op| Concat::of(self.context, op))
        {
            let parts = concat.parts(self.context);
            if let ([low, high], true) = (&parts[..], parts.len() == 2) {
                return if word == 0 { *low } else { *high };
            }
        }
        let register = Register::of(self.context, whole.ty(self.context));
        let part = match register {
            Some(Register::Ur64) => Register::Ur,
            _ => R,
        };
        let key = Instruction::new("ori.extract")
            .operand("whole", whole)
            .number("word", word);
        if let Some(known) = self.known.get(&key) {
            return known.result(self.context, 0);
        }
        let ty = part.ty(self.context);
        let mut builder = Builder::at(self.context, InsertionPoint::Before(self.point));
        let op = Extract::build(&mut builder, self.location, whole, word, ty).0;
        self.created.push(op);
        self.known.insert(key, op);
        op.result(self.context, 0)
    }

    fn concat(&mut self, low: Value, high: Value) -> Value {
        let parts = [low, high].map(|part| self.in_register(part));
        let key = Instruction::new("ori.concat")
            .operand("parts", parts[0])
            .operand("parts", parts[1]);
        if let Some(known) = self.known.get(&key) {
            return known.result(self.context, 0);
        }
        let ty = Register::R64.ty(self.context);
        let mut builder = Builder::at(self.context, InsertionPoint::Before(self.point));
        let op = Concat::build(&mut builder, self.location, &parts, ty).0;
        self.created.push(op);
        self.known.insert(key, op);
        op.result(self.context, 0)
    }

    /// A word in a general register.
    fn in_register(&mut self, value: Value) -> Value {
        if Register::of(self.context, value.ty(self.context)) == Some(Register::Ur) {
            let mov = Instruction::new("ori.mov").operand("a", value).result(R);
            return self.emit(mov);
        }
        value
    }

    fn part(&mut self, operator: Operator, operands: &[Operand]) -> Emitted<Value> {
        let first = self.value(operands[0].class)?;
        Ok(match operator {
            Operator::Low => self.word_of(first, 0),
            Operator::High => self.word_of(first, 1),
            _ => {
                let second = self.value(operands[1].class)?;
                self.concat(first, second)
            }
        })
    }

    /// Low words with a carry out, high words with that carry in.
    fn pair_sum(&mut self, operator: Operator, operands: &[Operand]) -> Emitted<Value> {
        let first = self.value(operands[0].class)?;
        let (a, b) = match operands.get(1) {
            Some(second) => {
                let second = self.value(second.class)?;
                (self.parts(first), self.parts(second))
            }
            None => {
                let zero = self.zero(Sort::Word);
                ([zero, zero], self.parts(first))
            }
        };
        let zero = self.zero(Sort::Word);
        let subtract = operator != Operator::PairAdd;
        let second = |sum: Instruction, value, modifier| {
            if subtract {
                sum.modified("b", value, modifier)
            } else {
                sum.operand("b", value)
            }
        };
        let low = second(
            Instruction::new("ori.iadd3").operand("a", a[0]),
            b[0],
            Modifier::Negate,
        );
        let low = low.operand("c", zero).result(R).result(Register::P);
        let low = self.operation(low);
        let [sum, carry] = [0, 1].map(|number| low.result(self.context, number));
        let high = second(
            Instruction::new("ori.iadd3").operand("a", a[1]),
            b[1],
            Modifier::Invert,
        );
        let high = high.operand("c", zero).operand("carry", carry);
        let high = self.emit(high.flag("extended").result(R));
        Ok(self.concat(sum, high))
    }

    fn pair_shift(&mut self, operator: Operator, operands: &[Operand]) -> Emitted<Value> {
        let whole = self.value(operands[0].class)?;
        let amount = self.value(operands[1].class)?;
        let [low, high] = self.parts(whole);
        let (funnel, word) = match operator {
            Operator::PairShiftLeft => (Operator::FunnelLeft, Operator::ShiftLeft),
            Operator::PairShiftRight => (Operator::FunnelRight, Operator::ShiftRight),
            _ => (Operator::FunnelRightSigned, Operator::ShiftRightSigned),
        };
        let between = self.shift(funnel, &[low, amount, high]);
        if operator == Operator::PairShiftLeft {
            let low = self.shift(word, &[low, amount]);
            return Ok(self.concat(low, between));
        }
        let high = self.shift(word, &[high, amount]);
        Ok(self.concat(between, high))
    }

    /// `(a << n) + b` on words, or on pairs by way of the carry.
    fn lea(&mut self, operator: Operator, amount: i32, operands: &[Operand]) -> Emitted<Value> {
        let zero = self.zero(Sort::Word);
        let lea = Instruction::new("ori.lea").number("shift", amount);
        if operator == Operator::Lea {
            let a = self.read(&operands[0])?;
            let b = self.read(&operands[1])?;
            let lea = lea.read("a", &a).read("b", &b).operand("c", zero);
            return Ok(self.emit(lea.result(R)));
        }
        let shifted = self.value(operands[0].class)?;
        let added = self.value(operands[1].class)?;
        let (a, b) = (self.parts(shifted), self.parts(added));
        let low = lea
            .clone()
            .operand("a", a[0])
            .operand("b", b[0])
            .operand("c", zero);
        let low = self.operation(low.result(R).result(Register::P));
        let [sum, carry] = [0, 1].map(|number| low.result(self.context, number));
        let high = lea.operand("a", a[0]).operand("b", b[1]).operand("c", a[1]);
        let high = high.operand("carry", carry).flag("high").flag("extended");
        let high = self.emit(high.result(R));
        Ok(self.concat(sum, high))
    }
}

/// The words and flags of operators that are one instruction.
fn words(instruction: Instruction, operator: Operator) -> Instruction {
    match operator {
        Operator::MultiplyHighUnsigned
        | Operator::MultiplyWideUnsigned
        | Operator::HighestBit
        | Operator::ExtendUnsigned => instruction.word("signedness", "u32"),
        Operator::MultiplyHighSigned
        | Operator::MultiplyWideSigned
        | Operator::HighestBitSigned
        | Operator::ExtendSigned => instruction.word("signedness", "s32"),
        Operator::LeadingZeros => instruction.word("signedness", "u32").flag("shift_amount"),
        Operator::LeadingSigns => instruction.word("signedness", "s32").flag("shift_amount"),
        Operator::Permute => instruction.word("permutation", "idx"),
        Operator::FloatAddFlush
        | Operator::FloatMultiplyFlush
        | Operator::FloatMultiplyAddFlush => instruction.flag("ftz"),
        Operator::FloatFromSigned => instruction.word("to", "f32").word("from", "s32"),
        Operator::FloatFromUnsigned => instruction.word("to", "f32").word("from", "u32"),
        _ => instruction,
    }
}

/// Erases what was created, users first.
pub fn take_back(context: &mut Context, created: Vec<Operation>) {
    for op in created.into_iter().rev() {
        op.erase(context);
    }
}
