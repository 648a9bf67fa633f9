//! Blocks, branches, calls, the stack pointer, and what surrounds the code of a function.

use orison_ir::declare::VerifyResult;
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::operations as ori;
use orison_ori::operations::structure::Func;
use orison_sass::instruction::{Guard, Immediate, Instruction, Operand, RegisterOperand};
use orison_sass::listing::{Directive, Note};
use orison_sass::registers::{Register, RegisterFile};
use rustc_hash::{FxHashMap, FxHashSet};

use super::frame::STACK;
use super::operands::{Operands, has, register};
use super::{Code, INSTRUCTION, guarded};
use crate::ori::instruction_forms::Source;

/// The number of instructions to a multiple of which functions are padded: 128 bytes.
const PADDING: usize = 8;

/// Which way a conditional branch or exit goes.
enum Choice {
    Always,
    Never,
    If(Guard),
}

impl Choice {
    fn of(
        context: &Context,
        op: Operation,
        condition: Value,
        inverted: bool,
    ) -> Result<Choice, Box<orison_ir::Diagnostic>> {
        if let Source::Number(bits) = Source::of(context, condition) {
            let holds = (bits & 1 != 0) != inverted;
            return Ok(if holds { Choice::Always } else { Choice::Never });
        }
        match register(context, condition) {
            Some(predicate) => Ok(Choice::If(Guard {
                predicate,
                negated: inverted,
            })),
            None => Err(op.op_error(context, "the condition has no physical register")),
        }
    }
}

impl Code {
    /// Writes a function: its blocks in order, then the loop and the padding after them.
    pub(super) fn write(&mut self, context: &Context, function: Operation) -> VerifyResult {
        let body = function.region(context, 0);
        self.head(context, Func(function));
        let labels = self.labels_of(context, body.blocks(context));
        let blocks: Vec<Block> = body.blocks(context).collect();
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 || labels.contains_key(block) {
                self.start_block(labels.get(block).map(String::as_str));
            }
            let next = blocks.get(number + 1).copied();
            for op in block.operations(context) {
                self.location = op.location(context);
                if block.last_op(context) == Some(op) {
                    self.terminator(context, op, next, &labels)?;
                } else {
                    self.operation(context, op)?;
                }
            }
        }
        self.tail();
        Ok(())
    }

    /// The lines before the code, and the stack pointer.
    fn head(&mut self, context: &Context, function: Func) {
        let name = self.function.name.clone();
        let directive = |name: &str, arguments: String| {
            Note::Directive(Directive {
                name: name.into(),
                arguments: arguments.into(),
            })
        };
        let other = if self.kernel {
            "STO_CUDA_ENTRY STV_DEFAULT"
        } else {
            "STO_CUDA_FUNC STV_DEFAULT"
        };
        let visible = function.sym_visibility(context) != Some("private");
        let mut notes = vec![directive(".align", "128".to_owned())];
        if visible {
            notes.push(directive(".global", name.to_string()));
        }
        notes.push(directive(".type", format!("{name},@function")));
        notes.push(directive(".other", format!("{name},@\"{other}\"")));
        notes.push(Note::Label(name.clone()));
        notes.push(Note::Label(format!(".text.{name}").into()));
        self.block().notes.extend(notes);
        if self.kernel {
            self.stack_pointer();
        }
        if self.frame > 0 {
            self.move_stack(-i64::from(self.frame));
        }
        self.store_kept();
    }

    /// The labels of the blocks that are branched to.
    fn labels_of(
        &mut self,
        context: &Context,
        blocks: impl Iterator<Item = Block>,
    ) -> FxHashMap<Block, String> {
        let blocks: Vec<Block> = blocks.collect();
        let mut targets = FxHashSet::default();
        for (number, block) in blocks.iter().enumerate() {
            let next = blocks.get(number + 1);
            let indexed = block
                .last_op(context)
                .and_then(|op| ori::Brx::of(context, op))
                .is_some();
            targets.extend(
                block
                    .successors(context)
                    .filter(|to| indexed || Some(to) != next),
            );
        }
        let targets = blocks.into_iter().filter(|block| targets.contains(block));
        targets.map(|block| (block, self.new_label())).collect()
    }

    fn terminator(
        &mut self,
        context: &Context,
        op: Operation,
        next: Option<Block>,
        labels: &FxHashMap<Block, String>,
    ) -> VerifyResult {
        let label = |block: Block| labels.get(&block).map_or("", String::as_str);
        if let Some(target) = ori::Bra::of(context, op).and_then(|_| op.successor(context, 0)) {
            if Some(target) != next {
                self.branch(None, label(target));
            }
            return Ok(());
        }
        if let Some(branch) = ori::CondBra::of(context, op) {
            let condition = branch.condition(context);
            let inverted = has(context, op, "inverted");
            let ways = [op.successor(context, 0), op.successor(context, 1)];
            let [Some(then), Some(otherwise)] = ways else {
                return Err(op.op_error(context, "has no two successors"));
            };
            let (taken, other, guard) = match Choice::of(context, op, condition, inverted)? {
                Choice::Always => (then, then, None),
                Choice::Never => (otherwise, otherwise, None),
                Choice::If(guard) if Some(then) == next => (
                    otherwise,
                    then,
                    Some(Guard {
                        negated: !guard.negated,
                        ..guard
                    }),
                ),
                Choice::If(guard) => (then, otherwise, Some(guard)),
            };
            match guard {
                Some(guard) => self.conditional(guard, label(taken)),
                None if Some(taken) != next => self.branch(None, label(taken)),
                None => {}
            }
            if guard.is_some() && Some(other) != next {
                self.branch(None, label(other));
            }
            return Ok(());
        }
        if let Some(branch) = ori::Brx::of(context, op) {
            return self.indexed(context, op, branch, labels);
        }
        if ori::Ret::of(context, op).is_some() {
            self.load_kept();
            if self.frame > 0 {
                self.move_stack(i64::from(self.frame));
            }
            let target = Operand::Relative {
                register: general(self.convention.return_address(Some(&self.function.name))[0]),
                target: Box::new(Operand::integer(0)),
            };
            let mut instruction = Instruction::new("RET.ABS.NODEC");
            instruction.operands.push(target);
            self.push(instruction);
            return Ok(());
        }
        let exits = [ori::Exit::DEFINITION, ori::Kill::DEFINITION];
        if op.is_one_of(context, &exits) {
            let kill = ori::Kill::of(context, op).is_some();
            self.push(Instruction::new(if kill { "KILL" } else { "EXIT" }));
            return Ok(());
        }
        Err(op.op_error(context, "has no instruction"))
    }

    fn branch(&mut self, guard: Option<Guard>, label: &str) {
        let mut instruction = Instruction::new("BRA");
        instruction.guard = guard;
        instruction.operands.push(Operand::Label(label.into()));
        self.push(instruction);
    }

    /// `@P0 BRA`, or `BRA.U UP0` from sm_100 on, and `BRA UP0` before.
    fn conditional(&mut self, guard: Guard, label: &str) {
        if guard.predicate.file == RegisterFile::Predicate {
            return self.branch(Some(guard), label);
        }
        let mut condition = RegisterOperand::new(guard.predicate);
        condition.not = guard.negated;
        let name = if self.machine >= 100 { "BRA.U" } else { "BRA" };
        let mut instruction = Instruction::new(name);
        instruction.operands.push(Operand::Register(condition));
        instruction.operands.push(Operand::Label(label.into()));
        self.push(instruction);
    }

    /// `BRX R2 -0x150`: to the place that a register pair is away from the start of the function, which
    /// is that far away from the next instruction.
    fn indexed(
        &mut self,
        context: &Context,
        op: Operation,
        branch: ori::Brx,
        labels: &FxHashMap<Block, String>,
    ) -> VerifyResult {
        let index = branch.index(context);
        let class = orison_ori::Register::of(context, index.ty(context));
        let pair = class.and_then(orison_ori::Register::words) == Some(2);
        let Some(register) = register(context, index).filter(|_| pair) else {
            let message = "requires the distance of the target in a register pair";
            return Err(op.op_error(context, message));
        };
        let next = INSTRUCTION * (self.locations.len() + 1);
        let start = Immediate::Integer {
            negative: true,
            magnitude: u64::try_from(next).unwrap_or(u64::MAX),
        };
        let mut instruction = guarded(context, op)?;
        instruction.mnemonic = orison_sass::instruction::Mnemonic::new("BRX");
        instruction.operands.push(Operand::Relative {
            register,
            target: Box::new(Operand::Immediate(start)),
        });
        // The entries of the table, in order.
        let targets = op
            .successors(context)
            .filter_map(|block| labels.get(&block));
        instruction.targets = targets.map(|label| label.as_str().into()).collect();
        self.push(instruction);
        Ok(())
    }

    /// A guarded `EXIT` in the middle of a block.
    pub(super) fn exit_if(&mut self, context: &Context, op: ori::ExitIf) -> VerifyResult {
        let inverted = has(context, op.operation(), "inverted");
        let choice = Choice::of(context, op.operation(), op.condition(context), inverted)?;
        let mut instruction = Instruction::new("EXIT");
        match choice {
            Choice::Always => {}
            Choice::Never => return Ok(()),
            Choice::If(guard) => instruction.guard = Some(guard),
        }
        self.push(instruction);
        Ok(())
    }

    /// Loads the stack pointer, which the driver stores in constant bank 0.
    fn stack_pointer(&mut self) {
        let offset = if self.machine >= 100 { 0x37c } else { 0x28 };
        let name = if self.machine >= 90 { "LDC" } else { "MOV" };
        let text = format!("c[0x0][{offset:#x}]");
        let mut instruction = Instruction::new(name);
        instruction.operands.push(Operand::register(STACK));
        instruction
            .operands
            .extend(orison_sass::instruction::parse_operand(&text).ok());
        self.push(instruction);
    }

    /// Adds a number of bytes to the stack pointer.
    fn move_stack(&mut self, bytes: i64) {
        let mut operands = vec![Operand::register(STACK)];
        if self.machine >= 100 {
            operands.extend([
                Operand::register(Register::PT),
                Operand::register(Register::PT),
            ]);
        }
        operands.push(Operand::register(STACK));
        operands.push(Operand::integer(bytes));
        operands.push(Operand::register(Register::RZ));
        let mut instruction = Instruction::new("IADD3");
        instruction.operands = operands;
        self.push(instruction);
    }

    /// `CALL.ABS.NOINC`, with the return address in its registers.
    pub(super) fn call(&mut self, context: &Context, op: Operation) -> VerifyResult {
        let label = self.new_label();
        let name = self.function.name.clone();
        let callee = ori::Call::of(context, op).and_then(|call| call.callee(context));
        let callee = callee.and_then(|callee| callee.as_symbol(context));
        let address = self.convention.return_address(callee);
        for (index, half) in address.into_iter().zip(["lo", "hi"]) {
            let register = general(index);
            let place = format!("32@{half}(({name} + {label}@srel))");
            let operands = vec![
                Operand::register(register),
                Operand::Relocation(place.into()),
            ];
            self.emit(context, op, "MOV", operands)?;
        }
        let target = match callee {
            Some(callee) => Operand::Label(callee.into()),
            None => {
                let operands = Operands {
                    context,
                    op,
                    machine: self.machine,
                };
                Operand::Relative {
                    register: operands.named("callee")?,
                    target: Box::new(Operand::integer(0)),
                }
            }
        };
        self.emit(context, op, "CALL.ABS.NOINC", vec![target])?;
        self.start_block(Some(&label));
        Ok(())
    }

    /// The loop after the code, in which a processor that fetches ahead stays, and the padding.
    fn tail(&mut self) {
        let label = self.new_label();
        self.start_block(Some(&label));
        self.branch(None, &label);
        while !self.locations.len().is_multiple_of(PADDING) {
            self.push(Instruction::new("NOP"));
        }
        if self.block().instructions.is_empty() {
            self.function.blocks.pop();
        }
        let end = self.new_label();
        self.function.trailing.push(Note::Label(end.clone().into()));
        let name = self.function.name.clone();
        let size = Directive {
            name: ".size".into(),
            arguments: format!("{name},({end} - {name})").into(),
        };
        if let Some(first) = self.function.blocks.first_mut() {
            let place = first.notes.len().saturating_sub(3);
            first.notes.insert(place, Note::Directive(size));
        }
    }
}

/// A general register.
fn general(index: u32) -> Register {
    Register::general(u8::try_from(index).unwrap_or(Register::CONSTANT))
}
