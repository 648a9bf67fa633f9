//! A PTX function as `ori.func`: blocks, values in SSA form, instructions.
//!
//! A register that is written once is a single value at all its uses. The others become arguments
//! of the blocks at which several paths join, if they are live there.

use std::collections::{HashMap, HashSet};

use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, OperationName, OperationState,
    Region, Value,
};
use orison_ori::operations as ori;
use orison_ori::operations::control::{Bra, Brx, CondBra, Exit, Ret};
use orison_ori::operations::moves::Undef;
use orison_ori::{MachineOperation, Register};

use super::Counts;
use super::body::{Body, End, Step, Tables, cut};
use super::calls::call;
use super::emitter::Emitter;
use super::liveness::{escaped, live_in, operands, reads_and_writes};
use super::locations::Source;
use super::registers::{Registers, names};
use super::select::{
    carries, reads_its_destination, select, unfinished_destination, with_types_last,
};
use super::symbols::Symbols;
use super::variables::transfer;
use crate::ptx::ast::Function;
use crate::ptx::{Error, Place};

/// Properties of a function computed before its blocks are filled.
struct Plan<'a> {
    body: Body<'a>,
    registers: Registers<'a>,
    live: Vec<Vec<usize>>,
    /// Reachable blocks, each after one of its predecessors.
    order: Vec<usize>,
    predecessors: Vec<Vec<usize>>,
    /// Whether a register is a single value in the whole function.
    single: Vec<bool>,
    /// Destinations that are complete after a wait, without duplicates: the instruction and its
    /// registers.
    unfinished: Vec<(&'a str, Vec<&'a str>)>,
    /// The registers of these destinations. A wait reads all registers of a destination if one of
    /// them is read later, so they are passed between blocks even where they are not live.
    handed_on: Vec<usize>,
}

impl<'a> Plan<'a> {
    fn of(function: &'a Function<'a>, mut registers: Registers<'a>) -> Result<Self, Error> {
        let statements = function.body.as_deref().unwrap_or_default();
        let body = cut(statements)?;
        check_choosers(&registers, &body)?;
        let escaped = escaped(&registers, &body);
        registers.forget(&escaped);
        let live = live_in(&mut registers, &body);
        let order = body.reverse_post_order();
        let mut predecessors = vec![Vec::new(); body.blocks.len()];
        for &block in &order {
            for next in body.blocks[block].end.successors() {
                predecessors[next].push(block);
            }
        }
        let mut single = single(&mut registers, &body, &order, &live[0]);
        // A wait rewrites them.
        let mut handed_on = Vec::new();
        let unfinished = unfinished(&registers, &body, &order, |number| {
            single[number] = false;
            handed_on.push(number);
        });
        handed_on.sort_unstable();
        handed_on.dedup();
        Ok(Plan {
            body,
            registers,
            live,
            order,
            predecessors,
            single,
            unfinished,
            handed_on,
        })
    }

    /// The entry of a region has no predecessors: an empty block is inserted before it if the code
    /// branches back to its first block.
    fn open_entry(&mut self, function: &Function<'_>) {
        if self.predecessors[0].is_empty() {
            return;
        }
        let entry = self.body.blocks.len();
        self.body.blocks.push(super::body::Block {
            end: End::Jump(0),
            end_place: function.place,
            ..Default::default()
        });
        self.predecessors.push(Vec::new());
        self.predecessors[0].push(entry);
        self.live.push(self.live[0].clone());
        self.order.insert(0, entry);
    }

    /// Whether a register is live out of a block.
    fn is_read_behind(&self, block: usize, register: usize) -> bool {
        let next = self.body.blocks[block].end.successors();
        next.iter().any(|next| self.live[*next].contains(&register))
    }

    /// The registers that a block takes as arguments.
    fn arguments(&self, block: usize) -> Vec<usize> {
        if self.predecessors[block].len() < 2 {
            return Vec::new();
        }
        let live = self.live[block].iter().copied();
        live.filter(|number| !self.single[*number]).collect()
    }
}

/// Checks that guards are predicates, and that the index of `brx` is a 32-bit value. Undeclared
/// registers are reported where they are read.
fn check_choosers(registers: &Registers<'_>, body: &Body<'_>) -> Result<(), Error> {
    let check = |place, scope, name, wanted, what| {
        let found = registers.kind(scope, name);
        if found.is_none_or(|found| found == wanted) {
            return Ok(());
        }
        let message = format!("'{name}' is not a {what}");
        Err(Error { place, message })
    };
    for block in &body.blocks {
        for step in &block.steps {
            if let Some((_, name)) = step.instruction.guard {
                check(step.place, step.scope, name, Register::P, "predicate")?;
            }
        }
        let (name, wanted, what) = match &block.end {
            End::Branch(_, name, ..) => (name, Register::P, "predicate"),
            End::Indexed(name, _) => (name, Register::R, "32-bit register"),
            _ => continue,
        };
        check(block.end_place, block.end_scope, name, wanted, what)?;
    }
    Ok(())
}

/// Whether each register is a single value at all its uses. Parameters of the function are written
/// at its start.
fn single<'a>(
    registers: &mut Registers<'a>,
    body: &Body<'a>,
    order: &[usize],
    live_at_entry: &[usize],
) -> Vec<bool> {
    let mut writes = vec![0u32; registers.len()];
    for &block in order {
        for step in &body.blocks[block].steps {
            let (_, written) = reads_and_writes(registers, step);
            // A guarded write, or an update, creates a second value from the first.
            let twice = step.guard().is_some() || reads_its_destination(step.instruction);
            for number in written {
                writes[number] = writes[number].saturating_add(if twice { 2 } else { 1 });
            }
        }
    }
    // A register that is never written has one value too, an undefined one.
    let formals: HashSet<_> = registers.arguments.iter().collect();
    let unknown = live_at_entry.iter().filter(|one| !formals.contains(one));
    for number in unknown.chain(&registers.arguments) {
        writes[*number] = writes[*number].saturating_add(1);
    }
    writes.iter().map(|count| *count <= 1).collect()
}

/// The destinations of asynchronous operations, without duplicates, in order; `each` is called with
/// the indices of their registers.
fn unfinished<'a>(
    registers: &Registers<'a>,
    body: &Body<'a>,
    order: &[usize],
    mut each: impl FnMut(usize),
) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut met = HashSet::new();
    let mut all = Vec::new();
    for step in order.iter().flat_map(|block| &body.blocks[*block].steps) {
        let Some(destination) = unfinished_destination(step.instruction) else {
            continue;
        };
        let mut parts = Vec::new();
        names(destination, &mut |name| {
            parts.push(name);
            if let Some(number) = registers.known(step.scope, name) {
                each(number);
            }
        });
        if met.insert((step.instruction.name, parts.clone())) {
            all.push((step.instruction.name, parts));
        }
    }
    all
}

/// Imports the body of a function into a region.
///
/// # Errors
/// Branches to undefined labels.
pub(super) fn import_body<'a>(
    context: &mut Context,
    source: &Source<'a>,
    symbols: &Symbols<'a>,
    function: &'a Function<'a>,
    registers: Registers<'a>,
    region: Region,
    counts: &mut Counts,
) -> Result<(), Error> {
    let mut plan = Plan::of(function, registers)?;
    plan.open_entry(function);
    let parameters = super::parameter_places(symbols, function);
    let lines = source.lines(context, &plan.body.lines);
    let places = Places { source, lines };
    let blocks = make_blocks(context, &places, &plan, region);
    let mut filler = Filler {
        plan: &plan,
        blocks,
        ends: HashMap::new(),
        function,
    };
    let mut values = vec![None; plan.registers.len()];
    let mut touched = Vec::new();
    for &block in &plan.order {
        filler.enter(block, &mut values, &mut touched);
        let begins = &plan.body.blocks[block];
        let mut emitter = Emitter {
            builder: Builder::at(context, InsertionPoint::End(filler.blocks[&block])),
            location: Location::UNKNOWN,
            place: Location::UNKNOWN,
            registers: &plan.registers,
            scope: begins.end_scope,
            symbols,
            is_kernel: function.is_kernel,
            parameters: &parameters,
            values: std::mem::take(&mut values),
            replaced: Vec::new(),
            touched: std::mem::take(&mut touched),
            guard: None,
            guarded: false,
            carry: None,
            unfinished: &plan.unfinished,
            names: source.is_ptx(),
        };
        places.go(&mut emitter, begins.end_place, begins.end_line);
        filler.begin(&mut emitter, block);
        let flag = plan.registers.known_carry();
        emitter.carry = flag.and_then(|flag| Some((emitter.values[flag]?, false)));
        for step in &begins.steps {
            places.go(&mut emitter, step.told, step.line);
            emitter.place = source.place(emitter.context(), step.place);
            emitter.scope = step.scope;
            counts.instructions += 1;
            import_instruction(&mut emitter, step, &plan.body.tables, counts);
        }
        places.go(&mut emitter, begins.end_place, begins.end_line);
        emitter.scope = begins.end_scope;
        if flag.is_some_and(|flag| plan.is_read_behind(block, flag)) {
            emitter.settle_carry();
        }
        filler.end(&mut emitter, block);
        (values, touched) = (emitter.values, emitter.touched);
        filler.leave(block, &values);
    }
    Ok(())
}

/// The locations of a function's instructions.
struct Places<'s, 'a> {
    source: &'s Source<'a>,
    /// The locations of its `.loc` lines.
    lines: Vec<Option<Location>>,
}

impl Places<'_, '_> {
    /// The location of a statement after a `.loc`.
    fn location(&self, context: &mut Context, place: Place, line: Option<usize>) -> Location {
        let told = line.and_then(|line| *self.lines.get(line)?);
        told.unwrap_or_else(|| self.source.place(context, place))
    }

    /// Sets the location of the following operations.
    fn go(&self, emitter: &mut Emitter<'_, '_>, place: Place, line: Option<usize>) {
        emitter.location = self.location(emitter.context(), place, line);
        emitter.place = self.source.place(emitter.context(), place);
    }
}

fn make_blocks<'a>(
    context: &mut Context,
    places: &Places<'_, 'a>,
    plan: &Plan<'a>,
    region: Region,
) -> HashMap<usize, Block> {
    let mut blocks = HashMap::new();
    for &number in &plan.order {
        let block = &plan.body.blocks[number];
        let location = match block.steps.first() {
            Some(step) => places.location(context, step.told, step.line),
            None => places.location(context, block.end_place, block.end_line),
        };
        let registers = if number == plan.order[0] {
            plan.registers.arguments.clone()
        } else {
            plan.arguments(number)
        };
        let arguments: Vec<_> = registers
            .into_iter()
            .map(|register| (plan.registers.kind_of(register).ty(context), location))
            .collect();
        let made = Block::new(context, &arguments);
        region.append_block(context, made);
        blocks.insert(number, made);
    }
    blocks
}

struct Filler<'p, 'a> {
    plan: &'p Plan<'a>,
    blocks: HashMap<usize, Block>,
    /// The values of multi-value registers at the ends of blocks, where they are live out.
    ends: HashMap<usize, HashMap<usize, Value>>,
    function: &'a Function<'a>,
}

impl Filler<'_, '_> {
    /// Sets multi-value registers to their values at the start of a block, except its arguments. A
    /// single-value register keeps its value: its definition dominates its uses.
    fn enter(&self, block: usize, values: &mut [Option<Value>], touched: &mut Vec<usize>) {
        for number in touched.drain(..) {
            if !self.plan.single[number] {
                values[number] = None;
            }
        }
        let from = match self.plan.predecessors[block].as_slice() {
            [one] => self.ends.get(one),
            _ => None,
        };
        let Some(from) = from else { return };
        for number in self.plan.live[block].iter().chain(&self.plan.handed_on) {
            if let Some(value) = from.get(number) {
                values[*number] = Some(*value);
                touched.push(*number);
            }
        }
    }

    /// Gives values to the arguments of a block, and at the entry to registers read without a prior
    /// write.
    fn begin(&self, emitter: &mut Emitter<'_, '_>, block: usize) {
        let mut arguments = self.plan.arguments(block);
        if block == self.plan.order[0] {
            arguments.clone_from(&self.plan.registers.arguments);
            let formals: HashSet<_> = arguments.iter().collect();
            for number in &self.plan.live[block] {
                if !formals.contains(number) {
                    let value = self.undefined(emitter, *number);
                    emitter.values[*number] = Some(value);
                    emitter.touched.push(*number);
                }
            }
        }
        for (number, argument) in arguments.into_iter().zip(0..) {
            let value = self.blocks[&block].argument(emitter.builder.ir(), argument);
            emitter.values[number] = Some(value);
            emitter.touched.push(number);
        }
        if block == self.plan.order[0] {
            self.spill(emitter);
        }
    }

    /// Stores the address-taken parameters.
    fn spill(&self, emitter: &mut Emitter<'_, '_>) {
        for spilled in &self.plan.registers.spilled {
            let base = emitter.slot_address(&spilled.slot);
            for cell in &spilled.cells {
                let (width, Some(value)) = (
                    match cell.register.words() {
                        Some(4) => "b128",
                        Some(2) => "b64",
                        _ => "b32",
                    },
                    emitter.values[cell.number],
                ) else {
                    continue;
                };
                let offset = i32::try_from(cell.offset).unwrap_or(i32::MAX);
                let op = MachineOperation::new(ori::Stl::NAME).operand("base", base);
                let op = op.number(emitter.context(), "offset", offset);
                let op = op.word(emitter.context(), "width", width);
                emitter.emit_all(op.operand("value", value));
            }
        }
    }

    /// The value of an unwritten register.
    fn undefined(&self, emitter: &mut Emitter<'_, '_>, number: usize) -> Value {
        let register = self.plan.registers.kind_of(number);
        let ty = register.ty(emitter.builder.context());
        let op = Undef::build(&mut emitter.builder, emitter.location, ty);
        op.result(emitter.builder.ir())
    }

    /// Saves the values that the following blocks may read.
    fn leave(&mut self, block: usize, values: &[Option<Value>]) {
        let handed_on = self.plan.handed_on.iter();
        let mut kept: HashMap<usize, Value> = handed_on
            .filter_map(|number| Some((*number, values[*number]?)))
            .collect();
        for next in self.plan.body.blocks[block].end.successors() {
            let live = self.plan.live[next].iter();
            let several = live.filter(|number| !self.plan.single[**number]);
            kept.extend(several.filter_map(|number| Some((*number, values[*number]?))));
        }
        self.ends.insert(block, kept);
    }

    /// The values passed along an edge.
    fn along(&self, emitter: &mut Emitter<'_, '_>, target: usize) -> Vec<Value> {
        let wanted = self.plan.arguments(target);
        self.values(emitter, &wanted)
    }

    /// The values of registers.
    fn values(&self, emitter: &mut Emitter<'_, '_>, numbers: &[usize]) -> Vec<Value> {
        let value = |number: &usize| match emitter.values[*number] {
            Some(value) => value,
            None => self.undefined(emitter, *number),
        };
        numbers.iter().map(value).collect()
    }

    fn end(&self, emitter: &mut Emitter<'_, '_>, block: usize) {
        let end = &self.plan.body.blocks[block].end;
        let chooser = match end {
            End::Branch(_, name, ..) | End::Indexed(name, _) => self.read(emitter, name),
            _ => None,
        };
        let targets = end.successors();
        if targets.is_empty() || (chooser.is_none() && !matches!(end, End::Jump(_))) {
            self.leave_function(emitter, end);
            return;
        }
        let edges: Vec<_> = targets.iter().map(|to| self.along(emitter, *to)).collect();
        let sizes: Vec<_> = edges
            .iter()
            .map(|edge| i32::try_from(edge.len()).unwrap_or(0))
            .collect();
        let name = match end {
            End::Branch(..) => CondBra::NAME,
            End::Indexed(..) => Brx::NAME,
            _ => Bra::NAME,
        };
        let context = emitter.builder.context();
        let name = OperationName::new(context, name);
        let mut state = OperationState::new(name, emitter.location);
        match end {
            End::Branch(inverted, ..) => {
                let sizes = [&[1], sizes.as_slice()].concat();
                let sizes = Attribute::i32_array(context, &sizes);
                state.set_property(context, OPERAND_SEGMENTS, sizes);
                if *inverted {
                    state.set_property(context, "inverted", Attribute::UNIT);
                }
            }
            End::Indexed(..) => {
                let sizes = Attribute::i32_array(context, &sizes);
                state.set_property(context, "argument_counts", sizes);
            }
            _ => {}
        }
        if self.plan.body.blocks[block].is_uniform && targets.len() > 1 {
            state.set_property(context, "uniform", Attribute::UNIT);
        }
        let pragmas = &self.plan.body.blocks[block].pragmas;
        super::pragmas::keep(context, &mut state, pragmas);
        state.operands.extend(chooser);
        state.operands.extend(edges.concat());
        let blocks = targets.iter().map(|target| self.blocks[target]);
        state.successors.extend(blocks);
        emitter.builder.create(&state);
    }

    /// `ori.ret` with the results, or `ori.exit`.
    fn leave_function(&self, emitter: &mut Emitter<'_, '_>, end: &End<'_>) {
        if matches!(end, End::Trap) {
            let op = MachineOperation::new(ori::Bpt::NAME);
            let op = op.word(emitter.context(), "trap", "trap");
            emitter.emit_all(op);
        }
        let returns = !self.function.is_kernel && !matches!(end, End::Exit | End::Trap);
        let mut results = Vec::new();
        if returns {
            results = self.values(emitter, &self.plan.registers.results);
        }
        let context = emitter.builder.context();
        let name = if returns { Ret::NAME } else { Exit::NAME };
        let name = OperationName::new(context, name);
        let mut state = OperationState::new(name, emitter.location);
        state.operands.extend(results);
        emitter.builder.create(&state);
    }

    /// The value of a register that a branch reads; `None` if undeclared.
    fn read(&self, emitter: &Emitter<'_, '_>, name: &str) -> Option<Value> {
        emitter.values[self.plan.registers.known(emitter.scope, name)?]
    }
}

/// Imports an instruction as the operations selected for it, else as `ori.inst`.
fn import_instruction<'a>(
    emitter: &mut Emitter<'_, 'a>,
    step: &Step<'a>,
    tables: &Tables<'a>,
    counts: &mut Counts,
) {
    emitter.replaced.clear();
    let mark = emitter.mark();
    emitter.guarded = false;
    emitter.guard = None;
    let mut known = true;
    if let Some((inverted, name)) = step.guard() {
        let number = emitter.registers.known(step.scope, name);
        let value = number.and_then(|number| emitter.values[number]);
        emitter.guard = value.map(|value| (value, inverted));
        known = value.is_some();
    }
    if known {
        if transfer(emitter, step).is_some() {
            return;
        }
        emitter.take_back(mark);
        if call(emitter, step, tables).is_some() {
            return;
        }
        emitter.take_back(mark);
        let ordered = with_types_last(step.instruction);
        if select(emitter, ordered.as_ref().unwrap_or(step.instruction)).is_some() {
            return;
        }
    }
    emitter.take_back(mark);
    counts.unmodelled += 1;
    keep(emitter, step);
}

/// Imports an instruction as `ori.inst`, with its text and the registers it reads and writes.
fn keep<'a>(emitter: &mut Emitter<'_, 'a>, step: &Step<'a>) {
    let instruction = step.instruction;
    if carries(instruction).0 {
        emitter.settle_carry();
    }
    let mnemonic = format!("{}{}", instruction.name, instruction.modifiers.concat());
    let (reads, outputs) = operands(emitter.registers, step);
    let inputs = reads.iter().filter_map(|number| emitter.values[*number]);
    let inputs: Vec<_> = inputs.collect();
    let mut op = MachineOperation::new(ori::Inst::NAME);
    op = op.word(emitter.context(), "mnemonic", &mnemonic);
    op = op.word(emitter.context(), "text", &instruction.to_string());
    for value in inputs {
        op = op.operand("inputs", value);
    }
    for number in &outputs {
        op = op.result(emitter.registers.kind_of(*number));
    }
    if let Some((predicate, inverted)) = emitter.guard {
        let modifiers: &[_] = if inverted {
            &[orison_ori::modifiers::Modifier::Invert]
        } else {
            &[]
        };
        op = op.modified("guard", predicate, modifiers);
        let old: Option<Vec<_>> = outputs
            .iter()
            .map(|number| emitter.values[*number])
            .collect();
        for value in old.unwrap_or_default() {
            op = op.operand("otherwise", value);
        }
    }
    let location = emitter.place;
    if emitter.symbols.is_strict {
        let text = format!("'{mnemonic}' is not modelled");
        emitter.context().error(location, text);
    } else {
        let text = format!("'{mnemonic}' is not modelled; kept as 'ori.inst'");
        emitter.context().remark(location, text);
    }
    for (number, value) in outputs.into_iter().zip(emitter.emit_all(op)) {
        emitter.values[number] = Some(value);
        emitter.touched.push(number);
        if emitter.registers.known_carry() == Some(number) {
            emitter.carry = Some((value, false));
        }
    }
}

/// The dictionary of a kernel's parameter.
pub(super) fn parameter_attribute(
    context: &mut Context,
    name: &str,
    [offset, size, alignment]: [i32; 3],
) -> Attribute {
    let mut dictionary = Attribute::EMPTY_DICTIONARY;
    let name = Attribute::string(context, name);
    dictionary = dictionary.with(context, "name", name);
    for (key, value) in [("offset", offset), ("size", size), ("alignment", alignment)] {
        let value = Attribute::i32(context, value);
        dictionary = dictionary.with(context, key, value);
    }
    dictionary
}
