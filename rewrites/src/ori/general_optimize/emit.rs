//! Converting extracted terms back to operations.

use egg::Id;
use orison_ir::{Block, Builder, Context, InsertionPoint, Location, Mapping, Operation, Value};
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;
use orison_ori::operations::moves::Imm;
use orison_ori::{MachineOperation, Register};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::cost::{Source, source};
use super::extract::{Choice, Extraction, Operand};
use super::facts::Graph;
use super::facts::constant;
use super::locations::Created;
use super::machine::{compared_with, operations, relation, uniform_name, uniform_register};
use super::read::sort_of;
use super::term::{Head, Operator, Sort, WORD};

/// A value is not available where it is needed: the region is left unchanged.
#[derive(Debug)]
pub struct Unavailable;

pub(super) type Emitted<T> = Result<T, Unavailable>;

/// The state that is constant while a region is emitted.
pub struct Setting<'g> {
    /// The graph.
    pub graph: &'g Graph,
    /// Its extraction.
    pub extraction: &'g Extraction<'g>,
    /// The chosen terms.
    pub choice: &'g Choice,
    /// The values of leaves.
    pub leaves: &'g [Value],
    /// Earlier replacements of values.
    pub replaced: &'g FxHashMap<Value, Value>,
    /// The positions of the definitions of values of the block, as operation indices.
    pub places: &'g FxHashMap<Value, usize>,
    /// The values that operations of the block read.
    pub reads: &'g FxHashSet<Value>,
    /// The block.
    pub block: Block,
    /// The target version, `90`.
    pub target: u32,
    /// Classes of values that are in uniform registers in the program.
    pub uniform: &'g FxHashSet<Id>,
}

/// Emits operations.
pub struct Emitter<'e, 'g> {
    /// The IR.
    pub context: &'e mut Context,
    pub(super) setting: &'e Setting<'g>,
    /// The values of classes, and whether they are in uniform registers.
    values: FxHashMap<(Id, bool), Value>,
    /// Emit for the uniform datapath.
    pub(super) uniform: bool,
    /// Whether classes can be computed on the uniform datapath.
    pub(super) can_be_uniform: FxHashMap<Id, bool>,
    pub(super) known: FxHashMap<Instruction, Operation>,
    /// Sums whose carry is needed as well, by operands.
    carried: FxHashSet<[Id; 2]>,
    numbers: FxHashMap<(u64, Sort, bool), Value>,
    /// Operations without an operator, by form and operands.
    machines: FxHashMap<(u32, Vec<Value>), Operation>,
    /// The created operations, in order.
    pub(super) created: Vec<Created>,
    /// The classes of created values.
    pub(super) classes: FxHashMap<Value, Id>,
    pub(super) point: Operation,
    place: usize,
    /// The location of the value that is replaced.
    pub(super) location: Location,
    /// The class that operations are created for.
    class: Id,
}

/// An instruction before the operation is created; equal ones are shared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Instruction {
    name: &'static str,
    operands: Vec<(&'static str, Value, SmallVec<[Modifier; 2]>)>,
    words: Vec<(&'static str, &'static str)>,
    numbers: Vec<(&'static str, i32)>,
    flags: Vec<&'static str>,
    results: SmallVec<[Register; 2]>,
}

impl Instruction {
    pub(super) fn new(name: &'static str) -> Self {
        Instruction {
            name,
            operands: Vec::new(),
            words: Vec::new(),
            numbers: Vec::new(),
            flags: Vec::new(),
            results: SmallVec::new(),
        }
    }

    pub(super) fn operand(mut self, group: &'static str, value: Value) -> Self {
        self.operands.push((group, value, SmallVec::new()));
        self
    }

    pub(super) fn modified(
        mut self,
        group: &'static str,
        value: Value,
        modifier: Modifier,
    ) -> Self {
        let modifiers = SmallVec::from_slice(&[modifier]);
        self.operands.push((group, value, modifiers));
        self
    }

    pub(super) fn read(mut self, group: &'static str, read: &Read) -> Self {
        self.operands
            .push((group, read.value, read.modifiers.clone()));
        self
    }

    pub(super) fn word(mut self, key: &'static str, word: &'static str) -> Self {
        self.words.push((key, word));
        self
    }

    pub(super) fn number(mut self, key: &'static str, number: i32) -> Self {
        self.numbers.push((key, number));
        self
    }

    pub(super) fn flag(mut self, flag: &'static str) -> Self {
        self.flags.push(flag);
        self
    }

    pub(super) fn result(mut self, register: Register) -> Self {
        self.results.push(register);
        self
    }
}

/// An operand: a value and its modifiers.
#[derive(Clone)]
pub(super) struct Read {
    pub(super) value: Value,
    pub(super) modifiers: SmallVec<[Modifier; 2]>,
}

pub(super) const R: Register = Register::R;

impl<'e, 'g> Emitter<'e, 'g> {
    /// An emitter that inserts before an operation.
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
            uniform: false,
            can_be_uniform: FxHashMap::default(),
            machines: FxHashMap::default(),
            known: FxHashMap::default(),
            carried,
            numbers: FxHashMap::default(),
            created: Vec::new(),
            classes: FxHashMap::default(),
            point,
            place: 0,
            location,
            class: Id::from(0),
        }
    }

    /// Moves the insertion point before another operation, given with its index in the block.
    pub fn move_to(&mut self, point: Operation, place: usize) {
        self.point = point;
        self.place = place;
    }

    /// The value of a class in a register of the type of `like`, which it replaces.
    ///
    /// # Errors
    /// Fails if the value is not available at this point, or only in another kind of register.
    pub fn value_like(&mut self, class: Id, like: Value) -> Emitted<Value> {
        self.location = like.location(self.context);
        self.class = self.setting.graph.find(class);
        let wanted = Register::of(self.context, like.ty(self.context)).ok_or(Unavailable)?;
        let value = self.value_for(class, wanted)?;
        if value.ty(self.context) == like.ty(self.context) {
            return Ok(self.for_others(value, like));
        }
        match wanted {
            R => Ok(self.in_register(value)),
            Register::R64 => {
                let [low, high] = self.parts(value);
                Ok(self.concat(low, high))
            }
            _ => Err(Unavailable),
        }
    }

    /// The value of a class for an operand or result in such a register: a uniform one only if
    /// required.
    pub(super) fn value_for(&mut self, class: Id, wanted: Register) -> Emitted<Value> {
        let class = self.setting.graph.find(class);
        let uniform = wanted.is_uniform();
        if uniform && !self.is_uniform(class) {
            return Err(Unavailable);
        }
        let before = std::mem::replace(&mut self.uniform, uniform);
        let value = self.value(class);
        self.uniform = before;
        value.and_then(|value| {
            let kind = Register::of(self.context, value.ty(self.context));
            let fits = !uniform || kind == Some(wanted);
            fits.then_some(value).ok_or(Unavailable)
        })
    }

    /// The replacement of a value in other blocks: in a register if the value was, because
    /// instructions there may have no slot for a constant.
    fn for_others(&mut self, value: Value, like: Value) -> Value {
        let context = &*self.context;
        let is_elsewhere = |user: Operation| user.block(context) != Some(self.setting.block);
        let elsewhere = like.users(context).any(is_elsewhere);
        // Concatenating registers also needs a move of the zero register.
        let fills = match source(context, value) {
            Source::Slot | Source::WideNumber => true,
            Source::Free => sort_of(context, value) != Some(Sort::Predicate),
            Source::Register => false,
        };
        if self.uniform || !(elsewhere && fills && source(context, like) == Source::Register) {
            return value;
        }
        let mov = |word| {
            Instruction::new(ori::Mov::NAME)
                .operand("a", word)
                .result(R)
        };
        if Register::of(context, value.ty(context)) == Some(R) {
            return self.emit(mov(value));
        }
        let [low, high] = self.parts(value);
        let (low, high) = (self.emit(mov(low)), self.emit(mov(high)));
        self.concat(low, high)
    }

    /// The value of a class at this point.
    pub(super) fn value(&mut self, class: Id) -> Emitted<Value> {
        let class = self.setting.graph.find(class);
        // Values in uniform registers of the program stay in uniform registers.
        let keeps = !self.uniform && self.setting.uniform.contains(&class);
        if keeps && self.is_uniform(class) {
            self.uniform = true;
            let value = self.value(class);
            self.uniform = false;
            return value;
        }
        if let Some(known) = self.values.get(&(class, self.uniform)) {
            return Ok(*known);
        }
        let chosen = self.setting.extraction.chosen(self.setting.choice, class);
        let (term, operands) = chosen.ok_or(Unavailable)?;
        let around = std::mem::replace(&mut self.class, class);
        let value = match term.head {
            // A leaf may become available later: it is not cached.
            Head::Leaf(number, _) => {
                self.class = around;
                return self.leaf(number);
            }
            Head::Number(bits, sort) => self.number(bits, sort),
            Head::Machine(form, result, _) => self.machine(form, result, &operands)?,
            Head::Operator(operator) => {
                let children = term.children.clone();
                self.operator(operator, &children, &operands)?
            }
        };
        self.class = around;
        self.classes.entry(value).or_insert(class);
        self.values.insert((class, self.uniform), value);
        Ok(value)
    }

    /// Notes a created operation.
    pub(super) fn note(&mut self, op: Operation) {
        let class = self.class;
        self.created.push(Created { op, class });
    }

    /// A result of an operation without an operator: the same operation on other operands.
    fn machine(&mut self, form: u32, result: u8, operands: &[Operand]) -> Emitted<Value> {
        let machines = &self.setting.graph.analysis.machines;
        let number = usize::try_from(form).map_err(|_| Unavailable)?;
        let model = machines.get(number).ok_or(Unavailable)?.operation;
        let mut values = Vec::new();
        for (number, operand) in operands.iter().enumerate() {
            let ty = model.operand(self.context, number).ty(self.context);
            let wanted = Register::of(self.context, ty).ok_or(Unavailable)?;
            values.push(self.value_for(operand.class, wanted)?);
        }
        let known = self.machines.get(&(form, values.clone())).copied();
        let op = known.unwrap_or_else(|| {
            let op = model.clone_without_regions(self.context, &mut Mapping::default());
            op.set_operands(self.context, &values);
            op.set_location(self.context, self.location);
            op.move_before(self.context, self.point);
            self.note(op);
            self.machines.insert((form, values), op);
            op
        });
        Ok(op.result(self.context, usize::from(result)))
    }

    pub(super) fn leaf(&self, number: u32) -> Emitted<Value> {
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

    /// Whether a value of another block is already in a register here, or needs none.
    pub(super) fn enters(&self, value: Value) -> bool {
        let context = &*self.context;
        source(context, value) != Source::Register || self.setting.reads.contains(&value)
    }

    /// Whether a value is defined in this block.
    pub(super) fn is_here(&self, value: Value) -> bool {
        let op = value.defining_op(self.context);
        op.and_then(|op| op.block(self.context)) == Some(self.setting.block)
    }

    /// A constant; words and pairs are signed, as in `ori.imm`.
    pub(super) fn number(&mut self, bits: u64, sort: Sort) -> Value {
        let key = (bits, sort, self.uniform);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let (value, register) = match sort {
            Sort::Predicate => (i64::from(bits != 0), Register::P),
            Sort::Word => (orison_machine::words::signed(WORD, bits), R),
            Sort::Pair => (bits.cast_signed(), Register::R64),
        };
        let ty = self.register(register).ty(self.context);
        let mut builder = Builder::at(self.context, InsertionPoint::Before(self.point));
        let op = Imm::build(&mut builder, self.location, value, ty).0;
        self.note(op);
        let value = op.result(self.context, 0);
        self.numbers.insert(key, value);
        value
    }

    pub(super) fn zero(&mut self, sort: Sort) -> Value {
        self.number(0, sort)
    }

    /// The register kind of a result.
    pub(super) fn register(&self, register: Register) -> Register {
        if self.uniform {
            uniform_register(register)
        } else {
            register
        }
    }

    /// An operand with its modifiers.
    pub(super) fn read(&mut self, operand: &Operand) -> Emitted<Read> {
        let value = self.value(operand.class)?;
        let modifiers = operand.wrappers.iter().map(|wrapper| match wrapper {
            Operator::Not | Operator::PredicateNot => Modifier::Invert,
            Operator::FloatAbsolute | Operator::DoubleAbsolute | Operator::HalfAbsolute => {
                Modifier::Absolute
            }
            Operator::HalfLow => Modifier::LowHalf,
            Operator::HalfHigh => Modifier::HighHalf,
            _ => Modifier::Negate,
        });
        let modifiers = modifiers.collect();
        Ok(Read { value, modifiers })
    }

    /// The operation for an instruction, with all its results.
    pub(super) fn operation(&mut self, mut instruction: Instruction) -> Operation {
        if self.uniform {
            // Its existence was checked before.
            let name = uniform_name(instruction.name, self.setting.target);
            instruction.name = name.unwrap_or(instruction.name);
            for register in &mut instruction.results {
                *register = uniform_register(*register);
            }
        }
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
        self.note(op);
        self.known.insert(instruction, op);
        op
    }

    pub(super) fn emit(&mut self, instruction: Instruction) -> Value {
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
        if let Some(relation) = relation(operator) {
            return self.relation(relation, children, operands);
        }
        if let Some(value) = self.float_operation(operator, operands)? {
            return Ok(value);
        }
        if let Some(table) = operator.truth_table() {
            return self.table(operator, table.into(), operands);
        }
        match operator {
            Operator::Table | Operator::PredicateTable => {
                let table = constant(self.setting.graph, children[0]).ok_or(Unavailable)?;
                self.table(operator, table, &operands[1..])
            }
            Operator::Add | Operator::Carry => self.sum(operator, children, operands),
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

    /// Operators that are one instruction with the same operands.
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

    /// A sum of two operands, with its carry if that is needed as well; or the carry.
    fn sum(&mut self, operator: Operator, children: &[Id], operands: &[Operand]) -> Emitted<Value> {
        let mut pair = [children[0], children[1]].map(|id| self.setting.graph.find(id));
        pair.sort_unstable();
        let plain = operands.iter().all(|operand| operand.wrappers.is_empty());
        let zero = self.zero(Sort::Word);
        let instruction = Instruction::new(ori::Iadd3::NAME);
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

    /// Negation or absolute value of a float, as bit operations, so that every bit pattern is
    /// preserved.
    fn sign(&mut self, turned: bool, a: Value) -> Value {
        let (bits, lut) = if turned {
            (1 << 31, 0x3c)
        } else {
            (i64::from(i32::MAX), 0xc0)
        };
        let bits = self.number(bits.cast_unsigned(), Sort::Word);
        let zero = self.zero(Sort::Word);
        let table = Instruction::new(ori::Lop3::NAME)
            .operand("a", a)
            .operand("b", bits);
        self.emit(table.operand("c", zero).number("lut", lut).result(R))
    }

    fn extremum(&mut self, operator: Operator, reads: &[Read]) -> Value {
        let name = if self.setting.target >= 90 {
            ori::Vimnmx::NAME
        } else {
            ori::Imnmx::NAME
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
    pub(super) fn shift(&mut self, operator: Operator, values: &[Value]) -> Value {
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
        let shift = Instruction::new(ori::Shf::NAME)
            .operand("a", a)
            .operand("b", b);
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
        let instruction = Instruction::new(ori::Isetp::NAME)
            .read("a", &a)
            .read("b", &b);
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
}

/// The keyword attributes and flags of operators that are one instruction.
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

/// Erases the created operations, users first.
pub fn take_back(context: &mut Context, created: impl DoubleEndedIterator<Item = Operation>) {
    for op in created.rev() {
        op.erase(context);
    }
}
