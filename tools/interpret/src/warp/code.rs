//! Control flow of machine code: every lane has its own place in the code, and lanes that leave one
//! another meet again only where an instruction makes them.

use orison_ir::numbers::FloatKind;
use orison_ori::modifiers::{Modifier, ModifierSet};
use orison_ori::semantics::arithmetic;

use super::Fault;
use super::action::Code;
use super::machine::{Flow, Machine, Turn};
use super::paths::{Path, Wait, Warp};
use super::registers::{LANES, lanes};
use super::tensor_memory::{COLUMNS, FEWEST};

impl Machine<'_, '_> {
    /// Executes an instruction that directs control.
    pub(super) fn code(&mut self, turn: &mut Turn<'_>, code: Code) -> Result<Flow, Fault> {
        match code {
            Code::Branch {
                target,
                conditional,
            } => {
                let taken = if conditional {
                    self.holding(turn, 0)?
                } else {
                    turn.active
                };
                self.go(turn, &[(target, taken)])
            }
            Code::BranchTogether { target, divergent } => {
                let lane = turn.active.trailing_zeros() as usize;
                let mask = self.value(turn, 0, lane, "the lane mask")? as u32;
                let ended = self.ctas[turn.cta].warps[turn.warp].ended;
                let together = mask & !ended & !turn.path.mask == 0;
                let taken = if together == divergent {
                    0
                } else {
                    turn.active
                };
                self.go(turn, &[(target, taken)])
            }
            Code::Indirect { base } => self.jump_to(turn, base),
            Code::Meet => self.meet_at(turn),
            Code::Allocate => self.allocate_columns(turn),
            Code::RequireZero => {
                let lane = turn.active.trailing_zeros() as usize;
                match self.value(turn, 0, lane, "the mask of lanes")? {
                    0 => Ok(Flow::Next),
                    _ => self.fault(turn, "keeps lanes of the sums, which is not modelled"),
                }
            }
            Code::Choose { smaller, modifiers } => self.choose_double(turn, smaller, modifiers),
            Code::Free => self.free_units(turn),
            Code::Leave { conditional } => {
                let barrier = turn.instruction.operands[0].slot;
                let active = if conditional {
                    self.holding(turn, 1)?
                } else {
                    turn.active
                };
                let registers = self.registers(turn)?;
                for lane in 0..LANES {
                    if let Some(mask) = registers.word(barrier, 0, lane) {
                        registers.set_word(barrier, 0, lane, Some(mask & !active));
                    }
                }
                // Others may have waited only for these lanes.
                Ok(Flow::Pause)
            }
        }
    }

    /// The active lanes in which a predicate holds.
    fn holding(&mut self, turn: &Turn<'_>, operand: usize) -> Result<u32, Fault> {
        let mut holding = turn.active;
        for lane in lanes(turn.active) {
            if !self.predicate(turn, operand, lane)? {
                holding &= !(1 << lane);
            }
        }
        Ok(holding)
    }

    /// Sends each lane to its own address.
    fn jump_to(&mut self, turn: &mut Turn<'_>, base: u64) -> Result<Flow, Fault> {
        let mut targets: Vec<(u64, u32)> = Vec::new();
        for lane in lanes(turn.active) {
            let address = self.value(turn, 0, lane, "the address of a jump")? as u64;
            let address = base.wrapping_add(address);
            match targets.iter_mut().find(|(known, _)| *known == address) {
                Some((_, mask)) => *mask |= 1 << lane,
                None => targets.push((address, 1 << lane)),
            }
        }
        self.go(turn, &targets)
    }

    fn meet_at(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        self.split_inactive(turn);
        let barrier = turn.instruction.operands[0].slot.first;
        let mut groups: Vec<(u32, u32)> = Vec::new();
        for lane in lanes(turn.active) {
            let mask = self.value(turn, 0, lane, "the convergence barrier")? as u32;
            if mask >> lane & 1 == 0 {
                let message = format!(
                    "lane {lane} waits at a convergence barrier for {mask:#010x}, without it"
                );
                return self.fault(turn, &message);
            }
            match groups.iter_mut().find(|(known, _)| *known == mask) {
                Some((_, group)) => *group |= 1 << lane,
                None => groups.push((mask, 1 << lane)),
            }
        }
        // Lanes that wait for different ones part.
        let mut groups = groups.into_iter().map(|(_, group)| group);
        turn.path.mask = groups.next().unwrap_or(0);
        let wait = Wait::Convergence(barrier);
        let others: Vec<Path> = groups
            .map(|mask| Path {
                mask,
                wait,
                ..turn.path.clone()
            })
            .collect();
        self.ctas[turn.cta].warps[turn.warp].paths.extend(others);
        Ok(Flow::Wait(wait))
    }

    fn choose_double(
        &mut self,
        turn: &Turn<'_>,
        smaller: bool,
        modifiers: [ModifierSet; 2],
    ) -> Result<Flow, Fault> {
        const SIGN: u128 = 1 << 63;
        let modified = |mut bits: u128, set: ModifierSet| {
            if set.contains(Modifier::Absolute) {
                bits &= !SIGN;
            }
            if set.contains(Modifier::Negate) {
                bits ^= SIGN;
            }
            bits
        };
        let [a, b] = [0, 1].map(|number| turn.instruction.operands[number].slot);
        let results = &turn.instruction.results;
        let active = turn.active;
        let registers = self.registers(turn)?;
        for lane in lanes(active) {
            let pair = registers.bits(a, lane).zip(registers.bits(b, lane));
            let found = pair.map(|(a, b)| {
                let (a, b) = (modified(a, modifiers[0]), modified(b, modifiers[1]));
                let number = |bits| arithmetic::compare(FloatKind::F64, [bits, bits]).is_some();
                let chosen = arithmetic::extremum(FloatKind::F64, [a, b], smaller, false);
                let neither = !number(a) && !number(b);
                [!neither && chosen == a, neither].map(u128::from)
            });
            for (number, slot) in results.iter().enumerate() {
                registers.set_bits(*slot, lane, found.map(|found| found[number]));
            }
        }
        Ok(Flow::Next)
    }

    /// Allocates columns of tensor memory at a multiple of their number.
    fn allocate_columns(&mut self, turn: &Turn<'_>) -> Result<Flow, Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        let count = self.value(turn, 0, lane, "the number of columns")? as usize;
        let count = count.clamp(1, COLUMNS / FEWEST) * FEWEST;
        let tensor = &mut self.ctas[turn.cta].tensor;
        let is_free = |first: &usize| {
            let mut columns = (*first..first + count).step_by(FEWEST);
            columns.all(|column| !tensor.owner(column))
        };
        let first = (0..=COLUMNS - count).step_by(count).find(is_free);
        if let Some(first) = first {
            tensor.allocate(first, count, turn.instruction.op);
        }
        let unit = first.unwrap_or(0) / FEWEST;
        self.write_same(turn, 0, unit as u128)?;
        self.write_same(turn, 1, first.is_some().into())?;
        // A warp that tries again must let others free theirs.
        Ok(if first.is_some() {
            Flow::Next
        } else {
            Flow::Pause
        })
    }

    fn free_units(&mut self, turn: &Turn<'_>) -> Result<Flow, Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        let kept = self.value(turn, 0, lane, "the mask of columns")? as u32;
        let tensor = &mut self.ctas[turn.cta].tensor;
        tensor
            .allocations
            .retain(|(first, _, _)| kept >> (first / FEWEST) & 1 == 1);
        Ok(Flow::Next)
    }

    /// Sends lanes to addresses; the others of the path continue after the instruction.
    fn go(&mut self, turn: &mut Turn<'_>, targets: &[(u64, u32)]) -> Result<Flow, Fault> {
        let mut parts = Vec::new();
        let mut rest = turn.path.mask;
        for (address, mask) in targets.iter().filter(|(_, mask)| *mask != 0) {
            let Some(pc) = self.kernel.place_of(*address) else {
                let message = format!("jumps to {address:#x}, where there is no instruction");
                return self.fault(turn, &message);
            };
            rest &= !mask;
            parts.push((pc, *mask));
        }
        if rest != 0 {
            parts.push((turn.path.pc + 1, rest));
        }
        self.statistics.divergent_branches += u64::from(parts.len() > 1);
        let mut parts = parts.into_iter();
        let Some((pc, mask)) = parts.next() else {
            return Ok(Flow::Next);
        };
        let others: Vec<Path> = parts
            .map(|(pc, mask)| Path {
                pc,
                mask,
                ..turn.path.clone()
            })
            .collect();
        self.ctas[turn.cta].warps[turn.warp].paths.extend(others);
        turn.path.mask = mask;
        Ok(Flow::Jump(pc))
    }
}

/// The lanes that a path waits for at a convergence barrier.
pub(super) fn awaited(warp: &Warp, path: &Path, barrier: usize) -> u32 {
    let frame = warp.frames.get(path.frame).and_then(Option::as_ref);
    let Some(frame) = frame else {
        return path.mask;
    };
    let row = frame.registers.row(barrier);
    lanes(path.mask).fold(0, |all, lane| all | row.words[lane])
}
