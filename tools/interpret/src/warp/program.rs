//! Functions as lists of instructions: operands are register locations, branch targets are block
//! indices, and actions have been read from attributes.

use orison_ir::analyses::{ControlFlowGraph, PostDominatorTree};
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::properties;
use orison_ori::modifiers::{self, Modifier};
use orison_ori::operations::control::{Bra, branch_edges};
use orison_ori::operations::stack::{Frame, SlotAddress};
use orison_ori::operations::structure::Func;
use rustc_hash::FxHashMap;

use super::Fault;
use super::action::{Action, Names};
use super::registers::Slot;
use super::source_registers::SourceNames;

/// An operand: its location, and whether a predicate is inverted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) slot: Slot,
    pub(super) inverted: bool,
}

/// Registers that are copied along an edge: from, to.
pub(super) type EdgeCopies = Vec<(usize, usize)>;

/// A branch target: the block, and its arguments.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) block: usize,
    pub(super) copies: EdgeCopies,
}

/// One operation, prepared to run.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub(super) op: Operation,
    pub(super) action: Action,
    /// All operands, including the guard.
    pub(super) operands: Vec<Operand>,
    pub(super) results: Vec<Slot>,
    pub(super) guard: Option<Operand>,
    /// The results if the guard is false.
    pub(super) otherwise: Vec<Slot>,
    /// Whether it becomes a machine instruction.
    pub(super) is_issued: bool,
    /// Whether lanes with a false guard may execute it.
    pub(super) is_speculatable: bool,
    pub(super) edges: Vec<Edge>,
    /// The registers of the source that it writes, one for each word of its results; none if its
    /// location does not name them.
    pub(super) registers: Vec<u32>,
    /// Whether one lane executes it for the warp.
    pub(super) once: bool,
    /// Results that all lanes of the warp share.
    pub(super) uniform_results: Vec<Slot>,
}

impl Instruction {
    /// What stops the run, for a reason.
    pub(super) fn stop(op: Operation, why: String) -> Self {
        Instruction {
            op,
            action: Action::Refused(why),
            operands: Vec::new(),
            results: Vec::new(),
            guard: None,
            otherwise: Vec::new(),
            is_issued: false,
            is_speculatable: false,
            edges: Vec::new(),
            registers: Vec::new(),
            once: false,
            uniform_results: Vec::new(),
        }
    }
}

/// A block: its first instruction, and where lanes that diverge at its end reconverge.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockPlan {
    pub(super) start: usize,
    pub(super) meeting: Option<usize>,
}

/// A function, prepared to run.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) instructions: Vec<Instruction>,
    pub(super) blocks: Vec<BlockPlan>,
    /// 32-bit registers of a call.
    pub(super) words: usize,
    pub(super) arguments: Vec<Slot>,
    /// Bits of the results.
    pub(super) results: Vec<u32>,
    /// The block of each instruction.
    pub(super) block_of: Vec<usize>,
    /// Size of the frame of an activation in local memory, and its alignment.
    pub(super) frame_size: u64,
    pub(super) frame_alignment: u64,
    /// The registers of the source.
    pub(super) source: SourceNames,
}

#[derive(Default)]
struct Slots {
    of: FxHashMap<Value, Slot>,
    words: usize,
}

impl Slots {
    fn add(&mut self, context: &Context, value: Value) -> Option<Slot> {
        let register = Register::of(context, value.ty(context))?;
        let bits = bits_of(register);
        let words = register.words().unwrap_or(1) as usize;
        let slot = Slot {
            first: self.words,
            words,
            bits,
        };
        self.words += words;
        self.of.insert(value, slot);
        Some(slot)
    }
}

struct Compiler<'c> {
    context: &'c Context,
    slots: Slots,
    numbers: FxHashMap<Block, usize>,
    /// Offsets of the variables in the frame.
    variables: FxHashMap<&'c str, u64>,
    source: SourceNames,
}

impl Function {
    /// Machine code: it has neither blocks nor values.
    pub(super) fn of_code(instructions: Vec<Instruction>) -> Self {
        Function {
            instructions,
            blocks: Vec::new(),
            words: 0,
            arguments: Vec::new(),
            results: Vec::new(),
            block_of: Vec::new(),
            frame_size: 0,
            frame_alignment: 1,
            source: SourceNames::default(),
        }
    }

    /// Prepares a function.
    ///
    /// # Errors
    /// Values that are not registers, operations of other dialects.
    pub(super) fn new(
        context: &Context,
        op: Operation,
        names: &dyn Names,
    ) -> Result<Function, Fault> {
        let region = op.region(context, 0);
        let flow = ControlFlowGraph::of(context, region);
        let meetings = PostDominatorTree::of(&flow);
        let frame = Frame::of(context, Func(op));
        let variables = frame.slots.iter();
        let mut compiler = Compiler {
            context,
            slots: Slots::default(),
            numbers: FxHashMap::default(),
            variables: variables
                .map(|slot| (slot.name, slot.offset.into()))
                .collect(),
            source: SourceNames::default(),
        };
        for (number, block) in flow.blocks().iter().enumerate() {
            compiler.numbers.insert(*block, number);
            compiler.define(*block)?;
        }
        let mut function = Function {
            instructions: Vec::new(),
            blocks: Vec::new(),
            words: compiler.slots.words,
            arguments: Vec::new(),
            results: Vec::new(),
            block_of: Vec::new(),
            frame_size: frame.size().into(),
            frame_alignment: frame.alignment().into(),
            source: SourceNames::default(),
        };
        for (number, block) in flow.blocks().iter().enumerate() {
            let meeting = u32::try_from(number).ok();
            let meeting = meeting.and_then(|number| meetings.immediate(number));
            function.blocks.push(BlockPlan {
                start: function.instructions.len(),
                meeting: meeting.map(|block| block as usize),
            });
            for op in block.operations(context) {
                let instruction = compiler.instruction(op, names)?;
                function.instructions.push(instruction);
                function.block_of.push(number);
            }
        }
        function.source = std::mem::take(&mut compiler.source);
        function.results = result_bits(context, op);
        if let Some(entry) = flow.blocks().first() {
            let arguments = entry.arguments(context);
            function.arguments = arguments.map(|value| compiler.slots.of[&value]).collect();
        }
        Ok(function)
    }
}

/// Bits of the results of a function.
fn result_bits(context: &Context, op: Operation) -> Vec<u32> {
    let ty = Func(op).function_type(context);
    let results = ty.and_then(|ty| ty.as_function(context));
    let results = results.map_or(&[][..], |(_, results)| results);
    let registers = results.iter().map(|ty| Register::of(context, *ty));
    registers
        .map(|register| register.map_or(0, bits_of))
        .collect()
}

/// Bits of a register; predicates have one.
fn bits_of(register: Register) -> u32 {
    match register {
        Register::P | Register::Up => 1,
        register => 32 * register.words().unwrap_or(1),
    }
}

impl Compiler<'_> {
    fn define(&mut self, block: Block) -> Result<(), Fault> {
        let context = self.context;
        let arguments = block.arguments(context).map(|value| (value, None));
        let results = block.operations(context).flat_map(|op| {
            let all: Vec<_> = op.results(context).collect();
            all.into_iter().map(move |value| (value, Some(op)))
        });
        for (value, op) in arguments.chain(results) {
            if self.slots.add(context, value).is_some() {
                continue;
            }
            let op = op.or_else(|| block.parent_op(context));
            let at = op.or_else(|| block.first_op(context));
            return Err(match at {
                Some(op) => Fault::at(context, op, "has a value that is not a register"),
                None => Fault::plain("a value is not a register"),
            });
        }
        Ok(())
    }

    fn operand(&self, op: Operation, number: usize) -> Result<Operand, Fault> {
        let value = op.operand(self.context, number);
        let Some(slot) = self.slots.of.get(&value) else {
            let message = format!("operand {number} is defined outside of the function");
            return Err(Fault::at(self.context, op, &message));
        };
        let set = modifiers::of_operand(self.context, op, number);
        Ok(Operand {
            slot: *slot,
            inverted: set.contains(Modifier::Invert),
        })
    }

    fn instruction(&mut self, op: Operation, names: &dyn Names) -> Result<Instruction, Fault> {
        let context = self.context;
        let results: Vec<Slot> = op
            .results(context)
            .map(|value| self.slots.of[&value])
            .collect();
        let words = results.iter().map(|slot| slot.words).sum();
        let registers = self.source.written(context, op, words);
        let count = op.operand_count(context);
        let operands: Result<Vec<_>, _> =
            (0..count).map(|number| self.operand(op, number)).collect();
        let operands = operands?;
        let group = |name: &str| -> std::ops::Range<usize> {
            let Some(definition) = op.definition(context) else {
                return 0..0;
            };
            let at = definition.operands.iter().position(|one| one.name == name);
            at.map_or(0..0, |at| definition.operand_range(context, op, at))
        };
        let guard = group("guard").next().map(|number| operands[number]);
        let otherwise = operands[group("otherwise")].iter();
        Ok(Instruction {
            op,
            action: match SlotAddress::of(context, op) {
                Some(address) => self.slot_address(address)?,
                None => Action::of(context, op, &group, names)?,
            },
            is_issued: is_issued(context, op),
            is_speculatable: properties::is_speculatable(context, op),
            guard,
            otherwise: otherwise.map(|operand| operand.slot).collect(),
            results,
            edges: self.edges(op),
            operands,
            registers,
            once: false,
            uniform_results: Vec::new(),
        })
    }

    fn slot_address(&self, op: SlotAddress) -> Result<Action, Fault> {
        let name = op.slot(self.context).unwrap_or_default();
        match self.variables.get(name) {
            Some(offset) => Ok(Action::SlotAddress(*offset)),
            None => Err(Fault::at(
                self.context,
                op.0,
                "does not refer to a slot of the frame",
            )),
        }
    }

    fn edges(&self, op: Operation) -> Vec<Edge> {
        let edges = branch_edges(self.context, op)
            .unwrap_or_default()
            .into_iter();
        edges
            .filter_map(|(block, values)| {
                let arguments = block.arguments(self.context);
                let pairs = values.iter().zip(arguments);
                let copies = pairs.flat_map(|(from, to)| {
                    let (from, to) = (self.slots.of[from], self.slots.of[&to]);
                    (0..from.words).map(move |word| (from.first + word, to.first + word))
                });
                Some(Edge {
                    block: *self.numbers.get(&block)?,
                    copies: copies.collect(),
                })
            })
            .collect()
    }
}

/// Whether an operation becomes a machine instruction, with the blocks in the order of the text.
fn is_issued(context: &Context, op: Operation) -> bool {
    let behind = op.block(context).and_then(|block| block.next(context));
    let falls_through = Bra::of(context, op).is_some() && op.successor(context, 0) == behind;
    properties::is_instruction(context, op) && !falls_through
}
