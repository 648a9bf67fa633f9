//! Pure operations, per lane.

use orison_ori::semantics::{Bits, Computation, MAX_RESULTS};

use super::Fault;
use super::action::{LOP3_TEST, Special};
use super::machine::{Machine, Turn};
use super::registers::{LANES, Row, Slot, lanes};

/// The maximum number of operands of a pure operation.
const MAX_OPERANDS: usize = 16;

/// The set of results that are equal.
fn same_results(a: &[Bits; MAX_RESULTS], b: &[Bits; MAX_RESULTS]) -> u32 {
    let pairs = a.iter().zip(b).enumerate();
    pairs.fold(0, |same, (number, (a, b))| {
        same | u32::from(a == b) << number
    })
}

impl Machine<'_, '_> {
    /// The number of operands of the computation: those before the guard.
    fn sources(turn: &Turn<'_>) -> usize {
        let instruction = turn.instruction;
        let behind = usize::from(instruction.guard.is_some()) + instruction.otherwise.len();
        instruction.operands.len() - behind
    }

    /// The bits of all operands in a lane, arbitrary for undefined ones; and the set of undefined
    /// operands.
    fn gather_operands(
        &mut self,
        turn: &Turn<'_>,
        lane: usize,
        operands: &mut [Bits; MAX_OPERANDS],
    ) -> Result<u32, Fault> {
        let sources = Self::sources(turn);
        let registers = self.registers(turn)?;
        let mut undefined = 0;
        for (number, operand) in turn.instruction.operands.iter().enumerate() {
            let Some(bits) = operands.get_mut(number) else {
                break;
            };
            *bits = registers.raw_bits(operand.slot, lane);
            if number < sources && registers.is_undefined(operand.slot, lane) {
                undefined |= 1 << number;
            }
        }
        Ok(undefined)
    }

    fn write_results(
        &mut self,
        turn: &Turn<'_>,
        lane: usize,
        results: Option<&[Bits; MAX_RESULTS]>,
    ) -> Result<(), Fault> {
        let registers = self.registers(turn)?;
        for (number, slot) in turn.instruction.results.iter().enumerate() {
            registers.set_bits(*slot, lane, results.map(|results| results[number]));
        }
        Ok(())
    }

    /// Writes the results in the set, and makes the others undefined.
    fn write_known(
        &mut self,
        turn: &Turn<'_>,
        lane: usize,
        results: &[Bits; MAX_RESULTS],
        known: u32,
    ) -> Result<(), Fault> {
        let registers = self.registers(turn)?;
        for (number, slot) in turn.instruction.results.iter().enumerate() {
            let value = (known >> number & 1 == 1).then_some(results[number]);
            registers.set_bits(*slot, lane, value);
        }
        Ok(())
    }

    /// Computes in all active lanes; an undefined operand makes the results undefined.
    pub(super) fn compute(
        &mut self,
        turn: &Turn<'_>,
        computation: &Computation,
    ) -> Result<(), Fault> {
        let mut operands = [0; MAX_OPERANDS];
        let count = turn.instruction.operands.len().min(MAX_OPERANDS);
        for lane in lanes(turn.active) {
            let undefined = self.gather_operands(turn, lane, &mut operands)?;
            if undefined != 0
                && self.compute_partly(turn, computation, lane, &operands[..count], undefined)?
            {
                continue;
            }
            let mut results = [0; MAX_RESULTS];
            let known = undefined == 0
                && computation
                    .apply(&operands[..count], &mut results)
                    .is_some();
            self.write_results(turn, lane, known.then_some(&results))?;
        }
        Ok(())
    }

    /// Compares in all active lanes, and combines the outcome with a predicate. The compared
    /// operands may be undefined if the predicate determines the result (false with `and`, true
    /// with `or`), and the predicate may be if the outcome does.
    pub(super) fn compare(
        &mut self,
        turn: &Turn<'_>,
        computation: &Computation,
        with: usize,
    ) -> Result<(), Fault> {
        let mut operands = [0; MAX_OPERANDS];
        let count = turn.instruction.operands.len().min(MAX_OPERANDS);
        for lane in lanes(turn.active) {
            let undefined = self.gather_operands(turn, lane, &mut operands)?;
            if undefined != 0
                && self.compute_partly(turn, computation, lane, &operands[..count], undefined)?
            {
                continue;
            }
            let holds = (operands[with] & 1 == 1) != turn.instruction.operands[with].inverted;
            let mut results = [0; MAX_RESULTS];
            let mut known = computation
                .apply(&operands[..count], &mut results)
                .map_or(0, |()| u32::MAX);
            if undefined == 1 << with {
                operands[with] ^= 1;
                let mut other = [0; MAX_RESULTS];
                let _ = computation.apply(&operands[..count], &mut other);
                known &= same_results(&results, &other);
            } else if undefined >> with & 1 == 1 || undefined != 0 && !computation.decided_by(holds)
            {
                known = 0;
            }
            self.write_known(turn, lane, &results, known)?;
        }
        Ok(())
    }

    /// Computes in a lane of machine code, whose registers may hold less than they have bits for (a half
    /// beside another that nothing wrote): undefined bits are evaluated as zeros and as ones, and the
    /// bits of the results that do not differ are defined. Returns whether it did so: not if a whole
    /// operand is undefined.
    fn compute_partly(
        &mut self,
        turn: &Turn<'_>,
        computation: &Computation,
        lane: usize,
        operands: &[Bits],
        undefined: u32,
    ) -> Result<bool, Fault> {
        if self.kernel.code.is_none() {
            return Ok(false);
        }
        let mut choices = [[0; MAX_OPERANDS]; 2];
        for choice in &mut choices {
            choice[..operands.len()].copy_from_slice(operands);
        }
        for number in (0..operands.len()).filter(|number| undefined >> number & 1 == 1) {
            let slot = turn.instruction.operands[number].slot;
            let unknown = self.registers(turn)?.undefined_bits(slot, lane);
            let all = if slot.bits >= 128 {
                u128::MAX
            } else {
                (1 << slot.bits) - 1
            };
            if unknown & all == all {
                return Ok(false);
            }
            choices[0][number] &= !unknown;
            choices[1][number] |= unknown;
        }
        let mut results = [[0; MAX_RESULTS]; 2];
        for (choice, results) in choices.iter().zip(&mut results) {
            if computation
                .apply(&choice[..operands.len()], results)
                .is_none()
            {
                return Ok(false);
            }
        }
        let mut differing = results[0];
        for (one, other) in differing.iter_mut().zip(&results[1]) {
            *one ^= other;
        }
        self.write_bits(turn, lane, &results[0], &differing)?;
        Ok(true)
    }

    /// Computes bitwise: undefined bits are evaluated as zeros and as ones, and a result bit is
    /// defined if all evaluations agree. The operands in `needed` must be defined.
    pub(super) fn compute_bits(
        &mut self,
        turn: &Turn<'_>,
        computation: &Computation,
        needed: u32,
    ) -> Result<(), Fault> {
        let mut operands = [0; MAX_OPERANDS];
        let count = turn.instruction.operands.len().min(MAX_OPERANDS);
        for lane in lanes(turn.active) {
            let undefined = self.gather_operands(turn, lane, &mut operands)?;
            let mut unknown = [0; 3];
            for (number, bits) in unknown.iter_mut().enumerate() {
                if undefined >> number & 1 == 1 {
                    let slot = turn.instruction.operands[number].slot;
                    *bits = self.registers(turn)?.undefined_bits(slot, lane);
                }
            }
            let mut results = [0; MAX_RESULTS];
            // Bits that differ from the result with zeros.
            let mut differing = [0; MAX_RESULTS];
            let mut known = undefined & needed == 0;
            for choice in (0..8_u32).filter(|choice| choice & !undefined == 0) {
                for (number, unknown) in unknown.iter().enumerate() {
                    let ones = choice >> number & 1 == 1;
                    operands[number] &= !unknown;
                    operands[number] |= if ones { *unknown } else { 0 };
                }
                let mut found = [0; MAX_RESULTS];
                known &= computation.apply(&operands[..count], &mut found).is_some();
                if choice == 0 {
                    results = found;
                }
                for (differing, (a, b)) in differing.iter_mut().zip(results.iter().zip(found)) {
                    *differing |= a ^ b;
                }
            }
            if needed == LOP3_TEST && differing[0] != 0 {
                // A nonzero result is known if any of its defined bits is one.
                let one = results[0] & !differing[0] != 0;
                (results[1], differing[1]) = (1, u128::from(!one));
            }
            if !known {
                differing = [u128::MAX; MAX_RESULTS];
            }
            self.write_bits(turn, lane, &results, &differing)?;
        }
        Ok(())
    }

    /// Writes results and their undefined bits.
    fn write_bits(
        &mut self,
        turn: &Turn<'_>,
        lane: usize,
        results: &[Bits; MAX_RESULTS],
        undefined: &[Bits; MAX_RESULTS],
    ) -> Result<(), Fault> {
        let registers = self.registers(turn)?;
        for (number, slot) in turn.instruction.results.iter().enumerate() {
            for word in 0..slot.words {
                let part = |bits: Bits| bits.checked_shr(32 * word as u32).unwrap_or(0) as u32;
                let bits = (part(results[number]), part(undefined[number]));
                registers.set_known_bits(*slot, word, lane, bits);
            }
        }
        Ok(())
    }

    /// Selects one of two values: the other may be undefined.
    pub(super) fn select(
        &mut self,
        turn: &Turn<'_>,
        computation: &Computation,
    ) -> Result<(), Fault> {
        let mut operands = [0; MAX_OPERANDS];
        let count = turn.instruction.operands.len().min(MAX_OPERANDS);
        for lane in lanes(turn.active) {
            let undefined = self.gather_operands(turn, lane, &mut operands)?;
            let [choice, a, b] = [2, 0, 1].map(|number| turn.instruction.operands[number]);
            let chosen = match (operands[2] & 1 == 1) != choice.inverted {
                true => a,
                false => b,
            };
            let mut results = [0; MAX_RESULTS];
            let applied = computation.apply(&operands[..count], &mut results);
            let mut unknown = [u128::MAX; MAX_RESULTS];
            if undefined & 0b100 == 0 && applied.is_some() {
                unknown[0] = self.registers(turn)?.undefined_bits(chosen.slot, lane);
            }
            self.write_bits(turn, lane, &results, &unknown)?;
        }
        Ok(())
    }

    fn copy_words(&mut self, turn: &Turn<'_>, from: Slot, to: Slot) -> Result<(), Fault> {
        let active = turn.active;
        let registers = self.registers(turn)?;
        for word in 0..from.words.min(to.words) {
            registers.copy_word(from.first + word, to.first + word, active);
        }
        Ok(())
    }

    pub(super) fn concat(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let mut to = turn.instruction.results[0];
        for operand in &turn.instruction.operands {
            self.copy_words(turn, operand.slot, to)?;
            to.first += operand.slot.words;
            to.words -= operand.slot.words.min(to.words);
        }
        Ok(())
    }

    pub(super) fn extract(&mut self, turn: &Turn<'_>, word: usize) -> Result<(), Fault> {
        let mut from = turn.instruction.operands[0].slot;
        from.first += word;
        from.words -= word.min(from.words);
        self.copy_words(turn, from, turn.instruction.results[0])
    }

    pub(super) fn undefine(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        for lane in lanes(turn.active) {
            self.write_results(turn, lane, None)?;
        }
        Ok(())
    }

    /// Writes one value in all active lanes of a result.
    pub(super) fn write_same(
        &mut self,
        turn: &Turn<'_>,
        result: usize,
        bits: u128,
    ) -> Result<(), Fault> {
        let Some(slot) = turn.instruction.results.get(result).copied() else {
            return Ok(());
        };
        let active = turn.active;
        let registers = self.registers(turn)?;
        for lane in lanes(active) {
            registers.set_bits(slot, lane, Some(bits));
        }
        Ok(())
    }

    pub(super) fn constant_word(
        &mut self,
        turn: &Turn<'_>,
        bank: usize,
        offset: usize,
    ) -> Result<(), Fault> {
        let slot = turn.instruction.results[0];
        for word in 0..slot.words {
            let read = self.banks.get(bank);
            let read = read.and_then(|bank| bank.read(offset + 4 * word, 4));
            let Some(value) = read else {
                let message = format!("reads constant bank {bank}, which has no byte {offset}");
                return self.fault(turn, &message);
            };
            let active = turn.active;
            let registers = self.registers(turn)?;
            let undefined = if value.is_some() { 0 } else { u32::MAX };
            let row = Row {
                words: [value.unwrap_or(0); LANES],
                undefined: [undefined; LANES],
                pending: 0,
                // A constant-bank operand, as an immediate, has no place.
                fences: 0,
                name: 0,
            };
            registers.set_row(slot.first + word, &row, active);
        }
        Ok(())
    }

    pub(super) fn special(&mut self, turn: &Turn<'_>, special: Special) -> Result<(), Fault> {
        let cta = &self.ctas[turn.cta];
        let (id, warp, rank) = (cta.id, turn.warp, cta.rank);
        let (warps, shared) = (cta.warps.len(), cta.shared.len());
        let [x, y, _] = self.launch.block.map(|extent| extent as usize);
        let steps = self.statistics.instructions;
        let slot = turn.instruction.results[0];
        for lane in lanes(turn.active) {
            let thread = LANES * warp + lane;
            let value = match special {
                Special::Thread(0) => thread % x,
                Special::Thread(1) => thread / x % y,
                Special::Thread(_) => thread / (x * y),
                Special::Block(dimension) => id[dimension.min(2)] as usize,
                Special::Lane => lane,
                Special::Warp(bit) => warp << bit,
                Special::Warps(bit) => warps << bit,
                Special::Rank => rank as usize,
                Special::SharedSize => shared,
                Special::LaneMask(mask) => mask(lane as u32) as usize,
                Special::Constant(value) => value as usize,
                Special::Clock if slot.words > 1 => steps as usize,
                Special::Clock => steps as u32 as usize,
                Special::ClockHigh => (steps >> 32) as usize,
            };
            let registers = self.registers(turn)?;
            registers.set_bits(slot, lane, Some(value as u128));
        }
        Ok(())
    }
}
