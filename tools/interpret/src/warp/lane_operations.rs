//! Warp-level operations: shuffles, votes, matches, reductions.

use orison_ori::keywords::{Format, MatchMode, Reduction, ShuffleMode, VoteMode};

use super::Fault;
use super::action::LaneExtremum;
use super::machine::{Machine, Turn};
use super::registers::lanes;

/// The lane that another reads from, and whether it is within its segment (PTX ISA, `shfl.sync`).
pub(super) fn source_lane(mode: ShuffleMode, lane: u32, other: u32, bounds: u32) -> (u32, bool) {
    let (other, clamp, segment) = (other & 31, bounds & 31, bounds >> 8 & 31);
    let last = lane & segment | clamp & !segment;
    let first = lane & segment;
    let (from, within) = match mode {
        ShuffleMode::Up => {
            let from = i64::from(lane) - i64::from(other);
            (from, from >= i64::from(last))
        }
        ShuffleMode::Down => {
            let from = i64::from(lane + other);
            (from, from <= i64::from(last))
        }
        ShuffleMode::Butterfly => (i64::from(lane ^ other), (lane ^ other) <= last),
        ShuffleMode::Index => {
            let from = first | other & !segment;
            (from.into(), from <= last)
        }
    };
    match u32::try_from(from) {
        Ok(from) if within => (from, true),
        _ => (lane, false),
    }
}

impl Machine<'_, '_> {
    /// Each lane reads the value of another.
    pub(super) fn shuffle(&mut self, turn: &Turn<'_>, mode: ShuffleMode) -> Result<(), Fault> {
        let slot = turn.instruction.operands[0].slot;
        let mut found = Vec::new();
        for lane in lanes(turn.active) {
            let other = self.value(turn, 1, lane, "the lane operand of the shuffle")? as u32;
            let bounds = self.value(turn, 2, lane, "the bounds operand of the shuffle")? as u32;
            let (from, within) = source_lane(mode, lane as u32, other, bounds);
            if turn.active >> from & 1 == 0 {
                let message = format!(
                    "lane {lane} reads inactive lane {from}: active lanes are {:#010x}",
                    turn.active
                );
                return self.fault(turn, &message);
            }
            let value = self.registers(turn)?.bits(slot, from as usize);
            found.push((lane, value, within));
        }
        let results = &turn.instruction.results;
        let registers = self.registers(turn)?;
        for (lane, value, within) in found {
            registers.set_bits(results[0], lane, value);
            if let Some(valid) = results.get(1) {
                registers.set_bits(*valid, lane, Some(within.into()));
            }
        }
        Ok(())
    }

    /// The lanes in which a predicate holds.
    fn ballot(&mut self, turn: &Turn<'_>, operand: usize) -> Result<u32, Fault> {
        let mut mask = 0;
        for lane in lanes(turn.active) {
            mask |= u32::from(self.predicate(turn, operand, lane)?) << lane;
        }
        Ok(mask)
    }

    pub(super) fn vote(&mut self, turn: &Turn<'_>, mode: VoteMode) -> Result<(), Fault> {
        let ballot = self.ballot(turn, 0)?;
        let answer = match mode {
            VoteMode::All => ballot == turn.active,
            VoteMode::Any => ballot != 0,
            VoteMode::Equal => ballot == turn.active || ballot == 0,
        };
        self.write_same(turn, 0, ballot.into())?;
        self.write_same(turn, 1, answer.into())
    }

    pub(super) fn matching(&mut self, turn: &Turn<'_>, mode: MatchMode) -> Result<(), Fault> {
        let mut values = Vec::new();
        for lane in lanes(turn.active) {
            values.push((lane, self.value(turn, 0, lane, "the matched value")?));
        }
        let all = values.iter().all(|(_, value)| *value == values[0].1);
        let results = &turn.instruction.results;
        for (lane, value) in &values {
            let same = values.iter().filter(|(_, other)| other == value);
            let same = same.fold(0_u32, |mask, (lane, _)| mask | 1 << lane);
            let mask = match mode {
                MatchMode::Any => same,
                MatchMode::All if all => turn.active,
                MatchMode::All => 0,
            };
            let registers = self.registers(turn)?;
            registers.set_bits(results[0], *lane, Some(mask.into()));
            if let Some(answer) = results.get(1) {
                registers.set_bits(*answer, *lane, Some(all.into()));
            }
        }
        Ok(())
    }

    pub(super) fn reduce(
        &mut self,
        turn: &Turn<'_>,
        reduction: Reduction,
        signed: bool,
    ) -> Result<(), Fault> {
        let mut sum: Option<u32> = None;
        for lane in lanes(turn.active) {
            let value = self.value(turn, 0, lane, "the reduced value")? as u32;
            sum = Some(match sum {
                None => value,
                Some(sum) => reduced(reduction, signed, sum, value),
            });
        }
        self.write_same(turn, 0, sum.unwrap_or(0).into())
    }

    /// The extremum of the values of all lanes.
    pub(super) fn extremum(
        &mut self,
        turn: &Turn<'_>,
        extremum: LaneExtremum,
    ) -> Result<(), Fault> {
        let mut found: Option<u32> = None;
        for lane in lanes(turn.active) {
            let value = self.value(turn, 0, lane, "the reduced value")? as u32;
            let value = extremum.prepared(value);
            found = Some(found.map_or(value, |found| extremum.of(found, value)));
        }
        self.write_same(turn, 0, found.unwrap_or(0).into())
    }

    /// The lowest lane, of a mask if given.
    pub(super) fn elect(&mut self, turn: &Turn<'_>, mask: Option<usize>) -> Result<(), Fault> {
        let mut among = turn.active;
        if let Some(operand) = mask {
            let lane = turn.active.trailing_zeros() as usize;
            among &= self.value(turn, operand, lane, "a mask")? as u32;
        }
        let elected = among.trailing_zeros();
        for lane in lanes(turn.active) {
            let result = turn.instruction.results[0];
            let chosen = lane as u32 == elected;
            self.registers(turn)?
                .set_bits(result, lane, Some(chosen.into()));
        }
        self.write_same(turn, 1, elected.into())
    }

    pub(super) fn first_lane(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        let slot = turn.instruction.operands[0].slot;
        let value = self.registers(turn)?.bits(slot, lane);
        let active = turn.active;
        let result = turn.instruction.results[0];
        let registers = self.registers(turn)?;
        for lane in lanes(active) {
            registers.set_bits(result, lane, value);
        }
        Ok(())
    }
}

/// The canonical NaN of the hardware.
const NO_NUMBER: u32 = 0x7FFF_FFFF;

impl LaneExtremum {
    /// A value prepared for comparison.
    fn prepared(self, value: u32) -> u32 {
        match self.from {
            Format::F32 if self.absolute => value & !(1 << 31),
            Format::S32 if self.absolute => value.cast_signed().unsigned_abs(),
            _ => value,
        }
    }

    /// The smaller or larger of two values.
    fn of(self, a: u32, b: u32) -> u32 {
        let first = match self.from {
            Format::F32 => {
                let (x, y) = (f32::from_bits(a), f32::from_bits(b));
                match (x.is_nan(), y.is_nan()) {
                    (true, true) => return NO_NUMBER,
                    (true, false) | (false, true) if self.nan_wins => return NO_NUMBER,
                    (true, false) => return b,
                    (false, true) => return a,
                    // Zeros are ordered by sign.
                    (false, false) => (x.total_cmp(&y).is_lt()) == self.smallest,
                }
            }
            Format::S32 => (a.cast_signed() < b.cast_signed()) == self.smallest,
            _ => (a < b) == self.smallest,
        };
        if first { a } else { b }
    }
}

fn reduced(reduction: Reduction, signed: bool, a: u32, b: u32) -> u32 {
    match reduction {
        Reduction::Sum => a.wrapping_add(b),
        Reduction::Min if signed => a.cast_signed().min(b.cast_signed()).cast_unsigned(),
        Reduction::Max if signed => a.cast_signed().max(b.cast_signed()).cast_unsigned(),
        Reduction::Min => a.min(b),
        Reduction::Max => a.max(b),
        Reduction::And => a & b,
        Reduction::Or => a | b,
        Reduction::Xor => a ^ b,
    }
}
