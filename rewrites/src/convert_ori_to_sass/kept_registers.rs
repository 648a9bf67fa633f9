//! Registers that a function keeps for its callers: in its frame, from its start to its returns.

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation, Value, walk};
use orison_ori::Physical;
use orison_ori::analyses::RegisterClass;
use orison_ori::operations as ori;
use orison_ori::operations::structure::Func;
use orison_sass::instruction::{Instruction, Operand, parse_operand};
use orison_sass::registers::{Register, RegisterFile};
use std::collections::BTreeSet;

use super::Code;
use crate::ori::calling_convention::{is_call, is_kept};

/// The register through which barriers get to memory and back: neither an argument nor a result.
const SCRATCH: Register = Register::general(0);
/// The bytes of a register in the frame.
const WORD: u32 = 4;

impl Code {
    /// Extends the frame by places for the registers that the function changes and keeps.
    pub(super) fn keep_registers(
        &mut self,
        context: &Context,
        function: Operation,
    ) -> VerifyResult {
        let all = walk::collect(context, function);
        if !self.kernel {
            for register in self.changed_and_kept(context, function, &all) {
                self.kept.push((register, self.frame));
                self.frame += WORD;
            }
            self.frame = self.frame.next_multiple_of(super::frame::FRAME_ALIGNMENT);
        }
        self.check_allocas(context, &all)
    }

    /// An error if the stack pointer moves in the function, and something depends on where it was.
    fn check_allocas(&self, context: &Context, all: &[Operation]) -> VerifyResult {
        let is_alloca = |op: &&Operation| ori::Alloca::of(context, **op).is_some();
        let Some(op) = all.iter().find(is_alloca) else {
            return Ok(());
        };
        let is_relative = |op: &Operation| {
            let slot = ori::SlotAddress::of(context, *op);
            slot.is_some_and(|slot| {
                Physical::of(context, slot.result(context).ty(context)).is_none()
            })
        };
        let restores = |op: &Operation| ori::StackRestore::of(context, *op).is_some();
        let why = if !self.kept.is_empty() {
            "in a function that keeps registers in its frame"
        } else if all.iter().any(is_relative) {
            "in a function with accesses relative to the stack pointer"
        } else if !self.kernel && !all.iter().any(restores) {
            "in a function that returns without 'ori.stack_restore'"
        } else {
            return Ok(());
        };
        Err(op.op_error(context, format!("is not supported {why}")))
    }

    fn changed_and_kept(
        &self,
        context: &Context,
        function: Operation,
        all: &[Operation],
    ) -> Vec<Register> {
        let name = Func(function).sym_name(context);
        let mut kept = BTreeSet::new();
        let is_internal = self.convention.is_internal(name);
        let mut note = |value: Value| {
            let Some(Physical { register, index }) = Physical::of(context, value.ty(context))
            else {
                return;
            };
            let (class, count) = RegisterClass::of(register);
            let file = match class {
                RegisterClass::General => RegisterFile::General,
                RegisterClass::Barrier => RegisterFile::Convergence,
                _ => return,
            };
            let first = u32::from(index);
            for at in (first..first + count).filter(|at| is_kept(class, *at)) {
                kept.insert((file, u8::try_from(at).unwrap_or(u8::MAX)));
            }
        };
        if !is_internal {
            let internal = self.convention.internal_callees(context, function);
            let inner = internal
                .into_iter()
                .flat_map(|callee| walk::collect(context, callee));
            for op in all.iter().copied().chain(inner) {
                op.results(context).for_each(&mut note);
                let regions = op.regions(context);
                let blocks = regions.flat_map(|region| region.blocks(context));
                blocks.for_each(|block| block.arguments(context).for_each(&mut note));
            }
        }
        if all.iter().any(|op| is_call(context, *op)) {
            let address = self.convention.return_address(name);
            let address = address.map(|at| u8::try_from(at).unwrap_or(u8::MAX));
            kept.extend(address.map(|at| (RegisterFile::General, at)));
        }
        let kept = kept.into_iter();
        kept.map(|(file, index)| Register { file, index }).collect()
    }

    /// Stores the kept registers, behind the start of the function.
    pub(super) fn store_kept(&mut self) {
        for (register, offset) in self.kept.clone() {
            let stored = match register.file {
                RegisterFile::General => register,
                _ => {
                    self.plain("BMOV.32.CLEAR", [SCRATCH, register].map(Operand::register));
                    SCRATCH
                }
            };
            let place = Self::place(offset);
            self.plain("STL", place.into_iter().chain([Operand::register(stored)]));
        }
    }

    /// Loads the kept registers, in front of a return.
    pub(super) fn load_kept(&mut self) {
        for (register, offset) in self.kept.clone() {
            let place = Self::place(offset);
            let is_general = register.file == RegisterFile::General;
            let loaded = if is_general { register } else { SCRATCH };
            self.plain("LDL", [Operand::register(loaded)].into_iter().chain(place));
            if !is_general {
                self.plain("BMOV.32", [register, SCRATCH].map(Operand::register));
            }
        }
    }

    /// A place in the frame.
    fn place(offset: u32) -> Option<Operand> {
        let text = match offset {
            0 => "[R1]".to_owned(),
            _ => format!("[R1+{offset:#x}]"),
        };
        parse_operand(&text).ok()
    }

    fn plain(&mut self, mnemonic: &str, operands: impl IntoIterator<Item = Operand>) {
        let mut instruction = Instruction::new(mnemonic);
        instruction.operands.extend(operands);
        self.push(instruction);
    }
}
