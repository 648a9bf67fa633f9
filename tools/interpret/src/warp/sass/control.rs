//! Control flow: branches, calls, convergence barriers, barriers of a CTA.

use orison_ori::keywords::{BarrierMode, BarrierReduction};
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;
use orison_sass::instruction::Operand as Part;

use super::super::action::{Action, Barrier, Code};
use super::decode::{Decoded, Decoder, Lanes, Line, plain};
use super::files;

impl Decoder<'_> {
    /// An instruction that directs control or waits for other lanes, if it is one.
    pub(super) fn control(&mut self, line: &Line<'_>) -> Option<Decoded> {
        Some(match line.text.mnemonic.base() {
            "BRA" => self.branch(line),
            "BRX" | "BRXU" => self.indexed(line),
            "CALL" => self.call(line),
            "RET" => self.give_back(line),
            "LEPC" => self.own_address(line),
            "EXIT" | "KILL" if line.text.operands.is_empty() => self.simple(line, Action::Exit),
            "EXIT" | "KILL" => self.exit_where(line),
            "BPT" if line.has("TRAP") => self.simple(line, Action::Trap),
            "YIELD" | "NANOSLEEP" => self.simple(line, Action::Pause),
            "BSSY" => self.begin_region(line),
            "BSYNC" => self.meet(line),
            "BREAK" => self.leave_region(line),
            "BMOV" => self.move_barrier(line),
            "WARPSYNC" => self.gather(line),
            "ENDCOLLECTIVE" => self.simple(line, Action::Nothing),
            "BAR" => self.barrier(line),
            "B2R" => self.barrier_result(line),
            _ => return None,
        })
    }

    pub(super) fn simple(&mut self, line: &Line<'_>, action: Action) -> Decoded {
        self.emit(line, action, &[], &[], Lanes::Path);
        Ok(())
    }

    fn exit_where(&mut self, line: &Line<'_>) -> Decoded {
        let condition = self.plain_source(line, 0, 1)?;
        self.emit(
            line,
            Action::ExitWhere { inverted: false },
            &[condition],
            &[],
            Lanes::Path,
        );
        Ok(())
    }

    fn code(&mut self, line: &Line<'_>, code: Code, operands: &[super::super::program::Operand]) {
        self.emit(line, Action::Code(code), operands, &[], Lanes::Path);
    }

    /// The address of the label that an operand names.
    fn target(&self, line: &Line<'_>, number: usize) -> Decoded<u64> {
        let Part::Label(label) = line.part(number)? else {
            return Err(format!("its operand {number} is not a label"));
        };
        let found = self.labels.address(line.function, label);
        found.ok_or_else(|| format!("the module has no label '{label}'"))
    }

    fn branch(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["U", "DIV", "CONV", "INC", "DEC", "ANY"])?;
        if line.has("ANY") {
            return Err("its modifier is not modelled".to_owned());
        }
        let last = line.text.operands.len().saturating_sub(1);
        let target = self.target(line, last)?;
        match (last, line.has("DIV") || line.has("CONV")) {
            (0, false) => self.code(
                line,
                Code::Branch {
                    target,
                    conditional: false,
                },
                &[],
            ),
            (1, false) => {
                let condition = self.plain_source(line, 0, 1)?;
                self.code(
                    line,
                    Code::Branch {
                        target,
                        conditional: true,
                    },
                    &[condition],
                );
            }
            (1, true) => {
                let (mut mask, modifiers) = self.source(line, 0, 1)?;
                if modifiers.contains(Modifier::Invert) {
                    // All bits minus those of the mask.
                    let ones = plain(self.pool.number(u64::from(u32::MAX), 1));
                    let inverted = files::slot_at(files::SCRATCH, 1);
                    self.compute(line, ori::Imad::NAME, &[], &[mask, ones, ones], inverted)?;
                    mask = plain(inverted);
                }
                let divergent = line.has("DIV");
                self.code(line, Code::BranchTogether { target, divergent }, &[mask]);
            }
            _ => return Err("its operands are not modelled".to_owned()),
        }
        Ok(())
    }

    /// A jump to the address in a register.
    fn jump_to(&mut self, line: &Line<'_>, number: usize, base: u64) -> Decoded {
        let register = line.register(number)?;
        let slot = files::source(register, 2).ok_or("its register is not modelled")?;
        self.code(line, Code::Indirect { base }, &[plain(slot)]);
        Ok(())
    }

    fn indexed(&mut self, line: &Line<'_>) -> Decoded {
        let last = line.text.operands.len().saturating_sub(1);
        let Part::Relative { register, target } = line.part(last)? else {
            return Err("its operand is not modelled".to_owned());
        };
        let Part::Immediate(offset) = &**target else {
            return Err("its operand is not modelled".to_owned());
        };
        let slot = files::source(*register, 2).ok_or("its register is not modelled")?;
        let offset = offset.integer().unwrap_or(0).cast_unsigned();
        let base = line.address.wrapping_add(16).wrapping_add(offset);
        self.code(line, Code::Indirect { base }, &[plain(slot)]);
        Ok(())
    }

    fn call(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["REL", "ABS", "NOINC"])?;
        match line.part(0)? {
            Part::Register(_) => self.jump_to(line, 0, 0),
            Part::Relative { register, target } if line.has("ABS") => {
                let slot = files::source(*register, 2).ok_or("its register is not modelled")?;
                let Part::Immediate(offset) = &**target else {
                    return Err("its operand is not modelled".to_owned());
                };
                let base = offset.integer().unwrap_or(0).cast_unsigned();
                self.code(line, Code::Indirect { base }, &[plain(slot)]);
                Ok(())
            }
            _ => {
                let target = self.target(line, 0)?;
                self.code(
                    line,
                    Code::Branch {
                        target,
                        conditional: false,
                    },
                    &[],
                );
                Ok(())
            }
        }
    }

    /// `RET`: the register holds an offset in a function, or an address.
    fn give_back(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["REL", "ABS", "NODEC"])?;
        if line.has("ABS") {
            return match line.part(0)? {
                Part::Relative { register, .. } => {
                    let slot = files::source(*register, 2).ok_or("its register is not modelled")?;
                    self.code(line, Code::Indirect { base: 0 }, &[plain(slot)]);
                    Ok(())
                }
                _ => self.jump_to(line, 0, 0),
            };
        }
        let Part::Relative { register, target } = line.part(0)? else {
            return Err("its operand is not modelled".to_owned());
        };
        let Part::Label(label) = &**target else {
            return Err("its operand is not modelled".to_owned());
        };
        let base = self.labels.address(line.function, label);
        let base = base.ok_or_else(|| format!("the module has no label '{label}'"))?;
        let slot = files::source(*register, 2).ok_or("its register is not modelled")?;
        self.code(line, Code::Indirect { base }, &[plain(slot)]);
        Ok(())
    }

    /// `LEPC`: the address of the instruction, or of a label.
    fn own_address(&mut self, line: &Line<'_>) -> Decoded {
        let result = self.result(line, 0, 2)?;
        let address = match line.text.operands.len() {
            1 => line.address,
            _ => self.target(line, 1)?,
        };
        self.emit(line, Action::Number(address), &[], &[result], Lanes::Path);
        Ok(())
    }

    fn begin_region(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["RECONVERGENT", "RELIABLE"])?;
        let barrier = self.result(line, 0, 1)?;
        self.emit(line, Action::BeginRegion, &[], &[barrier], Lanes::Path);
        Ok(())
    }

    fn meet(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["RECONVERGENT", "RELIABLE"])?;
        let barrier = self.plain_source(line, 0, 1)?;
        self.code(line, Code::Meet, &[barrier]);
        Ok(())
    }

    fn leave_region(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["RECONVERGENT", "RELIABLE"])?;
        let last = line.text.operands.len().saturating_sub(1);
        let mut operands = vec![self.plain_source(line, last, 1)?];
        if last > 0 {
            operands.push(self.plain_source(line, 0, 1)?);
        }
        let conditional = last > 0;
        self.code(line, Code::Leave { conditional }, &operands);
        Ok(())
    }

    /// `BMOV`: a barrier to a register, or back; `CLEAR` empties it.
    fn move_barrier(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["32", "CLEAR", "PQUAD"])?;
        let to = self.result(line, 0, 1)?;
        let from = self.plain_source(line, 1, 1)?;
        self.emit(line, Action::Concat, &[from], &[to], Lanes::Path);
        if line.has("CLEAR") {
            let none = plain(files::slot_at(files::ZEROS, 1));
            self.emit(line, Action::Concat, &[none], &[from.slot], Lanes::Path);
        }
        Ok(())
    }

    fn gather(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["ALL", "COLLECTIVE", "EXCLUSIVE"])?;
        let mut operands = Vec::new();
        if !line.has("ALL") {
            operands.push(self.plain_source(line, 0, 1)?);
        }
        let mask = (!operands.is_empty()).then_some(0);
        let action = Action::Gather {
            mask,
            barrier: false,
        };
        self.emit(line, action, &operands, &[], Lanes::Path);
        Ok(())
    }

    fn barrier(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["SYNC", "ARV", "RED", "DEFER_BLOCKING", "POPC", "AND", "OR"])?;
        let mode = match () {
            () if line.has("ARV") => BarrierMode::Arrive,
            () if line.has("RED") => BarrierMode::Reduce,
            () => BarrierMode::Sync,
        };
        let (reduction, result) = match () {
            () if line.has("POPC") => (
                Some(BarrierReduction::Popc),
                files::slot_at(files::BARRIER_COUNT, 1),
            ),
            () if line.has("AND") => (
                Some(BarrierReduction::And),
                files::bit_at(files::BARRIER_PREDICATE),
            ),
            () => (
                line.has("OR").then_some(BarrierReduction::Or),
                files::bit_at(files::BARRIER_PREDICATE),
            ),
        };
        // Registers have the barrier in the low bits and the number of threads in the high half.
        let in_register = |number: usize| matches!(line.part(number), Ok(Part::Register(_)));
        let mut index = self.plain_source(line, 0, 1)?;
        if in_register(0) {
            index = self.bits(line, index, 0, 4, 16)?;
        }
        let mut operands = vec![index];
        let (mut threads, mut predicate) = (None, None);
        for number in 1..line.text.operands.len() {
            let mut operand = self.plain_source(line, number, 1)?;
            if in_register(number) && operand.slot.bits != 1 {
                operand = self.bits(line, operand, 16, 16, 18)?;
            }
            let place = if operand.slot.bits == 1 {
                &mut predicate
            } else {
                &mut threads
            };
            *place = Some(operands.len());
            operands.push(operand);
        }
        let action = Action::Barrier(Barrier {
            mode,
            index: Err(0),
            threads,
            predicate,
            reduction,
        });
        let results: &[_] = if reduction.is_some() { &[result] } else { &[] };
        self.emit(line, action, &operands, results, Lanes::Path);
        Ok(())
    }

    /// `B2R.RESULT`: what the last reduction at a barrier gave.
    fn barrier_result(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["RESULT"])?;
        let count = plain(files::slot_at(files::BARRIER_COUNT, 1));
        let holds = plain(files::bit_at(files::BARRIER_PREDICATE));
        let register = self.result(line, 0, 1)?;
        if !line.register(0)?.is_constant() {
            self.emit(line, Action::Concat, &[count], &[register], Lanes::Path);
        }
        if line.text.operands.len() > 1 {
            let predicate = self.result(line, 1, 1)?;
            self.emit(line, Action::Concat, &[holds], &[predicate], Lanes::Path);
        }
        Ok(())
    }
}
