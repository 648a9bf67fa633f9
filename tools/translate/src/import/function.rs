//! A PTX function as `ori.func`: blocks, values in SSA form, instructions.
//!
//! A register that is written once is one value wherever it is read. The others become arguments of
//! the blocks where several paths meet, as far as they are read behind.

use std::collections::HashMap;

use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, OperationName, OperationState, Region,
    Value,
};
use orison_ori::MachineOperation;
use orison_ori::operations::control::{Bra, Brx, CondBra, Exit, Ret};
use orison_ori::operations::moves::Undef;

use super::body::{Body, End, cut};
use super::emitter::Emitter;
use super::registers::{Registers, live_in, names, reads_and_writes};
use super::select::{destinations, reads_its_destination, select};
use super::symbols::Symbols;
use super::{Counts, Source};
use crate::ptx::Error;
use crate::ptx::ast::{Function, Instruction};

/// What is known about a function before its blocks are filled.
struct Plan<'a> {
    body: Body<'a>,
    registers: Registers<'a>,
    live: Vec<Vec<usize>>,
    /// Reachable blocks, each behind one of its predecessors.
    order: Vec<usize>,
    predecessors: Vec<Vec<usize>>,
    /// Whether a register is one value in the whole function.
    single: Vec<bool>,
    /// The registers that are not.
    several: Vec<usize>,
}

impl<'a> Plan<'a> {
    fn of(function: &'a Function<'a>) -> Result<Self, Error> {
        let statements = function.body.as_deref().unwrap_or_default();
        let mut registers = Registers::of(statements)?;
        let body = cut(statements)?;
        let live = live_in(&mut registers, &body);
        let order = body.reverse_post_order();
        let mut predecessors = vec![Vec::new(); body.blocks.len()];
        for &block in &order {
            for next in body.blocks[block].end.successors() {
                predecessors[next].push(block);
            }
        }
        let mut writes = vec![0; registers.len()];
        for &block in &order {
            for (_, instruction) in &body.blocks[block].instructions {
                let (_, written) = reads_and_writes(&mut registers, instruction);
                // A guarded write, or an update, makes a second value out of a first.
                let twice = instruction.guard.is_some() || reads_its_destination(instruction);
                for number in written {
                    writes[number] += if twice { 2 } else { 1 };
                }
            }
        }
        let mut single: Vec<_> = writes.iter().map(|count| *count == 1).collect();
        for number in &live[0] {
            single[*number] = false;
        }
        let several = (0..single.len())
            .filter(|number| !single[*number])
            .collect();
        Ok(Plan {
            body,
            registers,
            live,
            order,
            predecessors,
            single,
            several,
        })
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

/// Imports the body of a function into a region.
///
/// # Errors
/// Branches to labels that are not there.
pub(super) fn import_body<'a>(
    context: &mut Context,
    source: Source,
    symbols: &Symbols<'a>,
    function: &'a Function<'a>,
    region: Region,
    counts: &mut Counts,
) -> Result<(), Error> {
    let mut plan = Plan::of(function)?;
    // The entry of a region has no predecessors.
    if !plan.predecessors[0].is_empty() {
        let entry = plan.body.blocks.len();
        plan.body.blocks.push(super::body::Block {
            end: End::Jump(0),
            end_place: function.place,
            ..Default::default()
        });
        plan.predecessors.push(Vec::new());
        plan.predecessors[0].push(entry);
        plan.live.push(plan.live[0].clone());
        plan.order.insert(0, entry);
    }
    let entry = plan.order[0];
    let parameters = super::parameter_places(symbols, function);
    let blocks = make_blocks(context, source, &plan, region);
    let mut filler = Filler {
        plan: &plan,
        blocks,
        ends: HashMap::new(),
        function,
    };
    let mut values = vec![None; plan.registers.len()];
    for &block in &plan.order {
        filler.enter(block, &mut values);
        let location = source.location(context, plan.body.blocks[block].end_place);
        let mut emitter = Emitter {
            builder: Builder::at(context, InsertionPoint::End(filler.blocks[&block])),
            location,
            registers: &plan.registers,
            symbols,
            parameters: &parameters,
            values: std::mem::take(&mut values),
            replaced: Vec::new(),
            guard: None,
            guarded: false,
        };
        if block == entry {
            define_unwritten(&mut emitter, &plan, entry);
        }
        for (number, argument) in plan.arguments(block).into_iter().zip(0..) {
            let value = filler.blocks[&block].argument(emitter.builder.ir(), argument);
            emitter.values[number] = Some(value);
        }
        for (place, instruction) in &plan.body.blocks[block].instructions {
            emitter.location = source.location(emitter.builder.context(), *place);
            counts.instructions += 1;
            import_instruction(&mut emitter, instruction, counts);
        }
        emitter.location = location;
        filler.end(&mut emitter, block);
        values = emitter.values;
        filler.leave(block, &values);
    }
    Ok(())
}

fn make_blocks<'a>(
    context: &mut Context,
    source: Source,
    plan: &Plan<'a>,
    region: Region,
) -> HashMap<usize, Block> {
    let mut blocks = HashMap::new();
    for &number in &plan.order {
        let block = &plan.body.blocks[number];
        let place = block
            .instructions
            .first()
            .map_or(block.end_place, |(place, _)| *place);
        let location = source.location(context, place);
        let arguments: Vec<_> = plan
            .arguments(number)
            .into_iter()
            .map(|register| (plan.registers.kind_of(register).ty(context), location))
            .collect();
        let made = Block::new(context, &arguments);
        region.append_block(context, made);
        blocks.insert(number, made);
    }
    blocks
}

/// Gives a value to registers that are read though no path has written them.
fn define_unwritten(emitter: &mut Emitter<'_, '_>, plan: &Plan<'_>, entry: usize) {
    for number in &plan.live[entry] {
        let ty = plan
            .registers
            .kind_of(*number)
            .ty(emitter.builder.context());
        let op = Undef::build(&mut emitter.builder, emitter.location, ty);
        emitter.values[*number] = Some(op.result(emitter.builder.ir()));
    }
}

struct Filler<'p, 'a> {
    plan: &'p Plan<'a>,
    blocks: HashMap<usize, Block>,
    /// The values that registers with several have at the ends of blocks, where they are read behind.
    ends: HashMap<usize, Vec<(usize, Value)>>,
    function: &'a Function<'a>,
}

impl Filler<'_, '_> {
    /// Sets the registers with several values to those where a block begins, but its arguments. A
    /// register with one value keeps it: its definition dominates whatever reads it.
    fn enter(&self, block: usize, values: &mut [Option<Value>]) {
        for number in &self.plan.several {
            values[*number] = None;
        }
        let from = match self.plan.predecessors[block].as_slice() {
            [one] => self.ends.get(one),
            _ => None,
        };
        for (number, value) in from.into_iter().flatten() {
            values[*number] = Some(*value);
        }
    }

    /// Keeps the values that the blocks behind may read.
    fn leave(&mut self, block: usize, values: &[Option<Value>]) {
        let mut kept = Vec::new();
        for next in self.plan.body.blocks[block].end.successors() {
            let live = self.plan.live[next].iter();
            let several = live.filter(|number| !self.plan.single[**number]);
            kept.extend(several.filter_map(|number| Some((*number, values[*number]?))));
        }
        self.ends.insert(block, kept);
    }

    /// The values that go along an edge.
    fn along(&self, emitter: &mut Emitter<'_, '_>, target: usize) -> Vec<Value> {
        let wanted = self.plan.arguments(target);
        let value = |number: usize| match emitter.values[number] {
            Some(value) => value,
            None => {
                let register = self.plan.registers.kind_of(number);
                let ty = register.ty(emitter.builder.context());
                let op = Undef::build(&mut emitter.builder, emitter.location, ty);
                op.result(emitter.builder.ir())
            }
        };
        wanted.into_iter().map(value).collect()
    }

    fn end(&self, emitter: &mut Emitter<'_, '_>, block: usize) {
        let end = &self.plan.body.blocks[block].end;
        let targets = end.successors();
        let edges: Vec<_> = targets.iter().map(|to| self.along(emitter, *to)).collect();
        let sizes: Vec<_> = edges
            .iter()
            .map(|edge| i32::try_from(edge.len()).unwrap_or(0))
            .collect();
        let chooser = match end {
            End::Branch(_, name, ..) | End::Indexed(name, _) => self.read(emitter, name),
            _ => None,
        };
        let name = match (end, chooser) {
            (End::Jump(_), _) => Bra::NAME,
            (End::Branch(..), Some(_)) => CondBra::NAME,
            (End::Indexed(..), Some(_)) => Brx::NAME,
            _ if self.function.is_kernel => Exit::NAME,
            _ => Ret::NAME,
        };
        let context = emitter.builder.context();
        let name = OperationName::new(context, name);
        let mut state = OperationState::new(name, emitter.location);
        match end {
            End::Branch(inverted, ..) if chooser.is_some() => {
                let sizes = [&[1], sizes.as_slice()].concat();
                let sizes = Attribute::i32_array(context, &sizes);
                state.set_property(context, OPERAND_SEGMENTS, sizes);
                if *inverted {
                    state.set_property(context, "inverted", Attribute::UNIT);
                }
            }
            End::Indexed(..) if chooser.is_some() => {
                let sizes = Attribute::i32_array(context, &sizes);
                state.set_property(context, "argument_counts", sizes);
            }
            End::Jump(_) => {}
            _ => {
                emitter.builder.create(&state);
                return;
            }
        }
        state.operands.extend(chooser);
        state.operands.extend(edges.concat());
        let blocks = targets.iter().map(|target| self.blocks[target]);
        state.successors.extend(blocks);
        emitter.builder.create(&state);
    }

    /// The value of a register that a branch reads; none when it is not declared.
    fn read(&self, emitter: &Emitter<'_, '_>, name: &str) -> Option<Value> {
        emitter.values[self.plan.registers.known(name)?]
    }
}

/// An instruction as the operations that are selected for it, else as `ori.inst`.
fn import_instruction<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &'a Instruction<'a>,
    counts: &mut Counts,
) {
    emitter.replaced.clear();
    let mark = emitter.mark();
    emitter.guarded = false;
    emitter.guard = None;
    let mut known = true;
    if let Some((inverted, name)) = instruction.guard {
        let number = emitter.registers.known(name);
        let value = number.and_then(|number| emitter.values[number]);
        emitter.guard = value.map(|value| (value, inverted));
        known = value.is_some();
    }
    if known && select(emitter, instruction).is_some() {
        return;
    }
    emitter.take_back(mark);
    counts.unmodelled += 1;
    keep(emitter, instruction);
}

/// An instruction as `ori.inst`, with its text, what it reads and what it writes.
fn keep<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &'a Instruction<'a>) {
    let mnemonic = format!("{}{}", instruction.name, instruction.modifiers.concat());
    let count = destinations(instruction);
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for (number, operand) in instruction.operands.iter().enumerate() {
        names(operand, &mut |name| {
            let Some(register) = emitter.registers.known(name) else {
                return;
            };
            if number < count {
                outputs.push(register);
            }
            if number >= count || reads_its_destination(instruction) {
                inputs.extend(emitter.values[register]);
            }
        });
    }
    let mut op = MachineOperation::new("ori.inst");
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
    let location = emitter.location;
    let text = format!("'{mnemonic}' is not modelled: kept as 'ori.inst'");
    emitter.context().remark(location, text);
    for (number, value) in outputs.into_iter().zip(emitter.emit_all(op)) {
        emitter.values[number] = Some(value);
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
