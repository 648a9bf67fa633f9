//! Loads, stores, and atomic operations.

use orison_ori::keywords::AtomicOperation;

use super::Fault;
use super::action::{Address, Atomic, Transfer};
use super::machine::{Machine, Turn};
use super::memory::{Space, bytes_of, resolve, split_rank};
use super::registers::{LANES, lanes};
use super::stack::Stack;

fn extended(word: u32, count: usize, signed: bool) -> u32 {
    if !signed || count >= 4 {
        return word;
    }
    let shift = 32 - 8 * count as u32;
    ((word << shift).cast_signed() >> shift).cast_unsigned()
}

impl Machine<'_, '_> {
    /// The address of an access in a lane.
    pub(super) fn address(
        &mut self,
        turn: &Turn<'_>,
        address: &Address,
        lane: usize,
    ) -> Result<u64, Fault> {
        let mut sum = address.offset.cast_unsigned();
        for part in [address.base, address.uniform].into_iter().flatten() {
            let bits = self.value(turn, part, lane, "an address")?;
            sum = sum.wrapping_add(bits as u64);
        }
        Ok(sum)
    }

    /// The space and offset of an access; 32-bit addresses wrap.
    pub(super) fn place(
        &mut self,
        turn: &Turn<'_>,
        space: Space,
        address: &Address,
        lane: usize,
        count: usize,
    ) -> Result<(Space, u64), Fault> {
        let sum = self.address(turn, address, lane)?;
        let (space, place) = resolve(space, sum);
        let (space, place) = match space {
            Space::Global | Space::Generic => (space, place),
            Space::Shared => (space, self.own_place(turn, place, lane)?),
            Space::Cluster(rank) => (self.space_of_rank(turn.cta, rank), place),
            _ => (space, place & u64::from(u32::MAX)),
        };
        self.check_alignment(turn, (space, place), lane, count)?;
        Ok((space, place))
    }

    /// The offset, in the shared memory of the current CTA, of an address that may contain its
    /// rank.
    fn own_place(&self, turn: &Turn<'_>, address: u64, lane: usize) -> Result<u64, Fault> {
        let (rank, place) = split_rank(address);
        if rank == 0 || rank == self.ctas[turn.cta].rank {
            return Ok(place);
        }
        let message = format!(
            "accesses shared memory of its own CTA in lane {lane}, but address {address:#x} \
             belongs to CTA {rank} of the cluster"
        );
        self.fault(turn, &message)
    }

    /// Reports an error if an access is not aligned to its size.
    pub(super) fn check_alignment(
        &self,
        turn: &Turn<'_>,
        (space, place): (Space, u64),
        lane: usize,
        count: usize,
    ) -> Result<(), Fault> {
        if place % count as u64 == 0 {
            return Ok(());
        }
        let message = format!(
            "accesses {count} bytes of {space} memory at misaligned address {place:#x} in lane \
             {lane}"
        );
        self.fault(turn, &message)
    }

    /// Reads at most four bytes; the outer `None` if out of bounds.
    pub(super) fn read_bytes(
        &self,
        turn: &Turn<'_>,
        lane: usize,
        (space, place): (Space, u64),
        count: usize,
    ) -> Option<Option<u32>> {
        if space == Space::Local {
            let stack = self.ctas[turn.cta].stacks.get(LANES * turn.warp + lane)?;
            return stack.read(place, count);
        }
        self.read_at(turn.cta, (space, place), count)
    }

    /// As [`Self::read_bytes`], for memory that is not thread-local.
    pub(super) fn read_at(
        &self,
        cta: usize,
        (space, place): (Space, u64),
        count: usize,
    ) -> Option<Option<u32>> {
        let at = usize::try_from(place).ok()?;
        match space {
            Space::Global | Space::Generic => self.memory.read(place, count),
            Space::Shared | Space::Cluster(_) => self.ctas[self.shared_of(cta, space)?]
                .shared
                .read(at, count),
            Space::Local => None,
            Space::Constant(bank) => self.banks.get(bank)?.read(at, count),
        }
    }

    /// Writes at most four bytes; `None` if out of bounds.
    pub(super) fn write_bytes(
        &mut self,
        turn: &Turn<'_>,
        lane: usize,
        (space, place): (Space, u64),
        count: usize,
        word: Option<u32>,
    ) -> Option<()> {
        if space == Space::Local {
            let stacks = &mut self.ctas[turn.cta].stacks;
            let stack = stacks.get_mut(LANES * turn.warp + lane)?;
            return stack.write(place, count, word);
        }
        self.write_at(turn.cta, (space, place), count, word)
    }

    /// As [`Self::write_bytes`], for memory that is not thread-local.
    pub(super) fn write_at(
        &mut self,
        cta: usize,
        (space, place): (Space, u64),
        count: usize,
        word: Option<u32>,
    ) -> Option<()> {
        let at = usize::try_from(place).ok()?;
        match space {
            Space::Global | Space::Generic => self.memory.write(place, count, word),
            Space::Shared | Space::Cluster(_) => {
                let found = self.shared_of(cta, space)?;
                self.ctas[found].shared.write(at, count, word)
            }
            Space::Local | Space::Constant(_) => None,
        }
    }

    /// The error of an out-of-bounds access.
    pub(super) fn outside<T>(
        &self,
        turn: &Turn<'_>,
        lane: usize,
        (space, place): (Space, u64),
        count: usize,
    ) -> Result<T, Fault> {
        let what = match space {
            Space::Global | Space::Generic => self.memory.describe(place),
            Space::Shared | Space::Cluster(_) => match self.shared_of(turn.cta, space) {
                Some(cta) => {
                    let size = self.ctas[cta].shared.len();
                    format!("byte {place} of shared memory, which has {size} bytes")
                }
                None => return self.fault(turn, &self.no_shared_memory(turn.cta, space)),
            },
            Space::Local => {
                let stack = self.ctas[turn.cta].stacks.get(LANES * turn.warp + lane);
                let end = stack.map_or(0, Stack::end);
                format!("byte {place:#x} of local memory, whose stack ends at {end:#x}")
            }
            Space::Constant(_) => format!("byte {place} of {space} memory, which is smaller"),
        };
        let message = format!("accesses {count} bytes out of bounds in lane {lane}: at {what}");
        self.fault(turn, &message)
    }

    pub(super) fn load(&mut self, turn: &Turn<'_>, transfer: &Transfer) -> Result<(), Fault> {
        let (count, signed) = bytes_of(transfer.width);
        let slot = turn.instruction.results[0];
        for lane in lanes(turn.active) {
            let at = self.place(turn, transfer.space, &transfer.address, lane, count)?;
            for number in 0..slot.words {
                let place = (at.0, at.1 + 4 * number as u64);
                let read = self.read_partly(turn, lane, place, count.min(4));
                let Some((word, undefined)) = read else {
                    return self.outside(turn, lane, at, count);
                };
                // The sign-extension bits are undefined if the sign is.
                let bits = [word, undefined].map(|bits| extended(bits, count, signed));
                let registers = self.registers(turn)?;
                registers.set_known_bits(slot, number, lane, (bits[0], bits[1]));
            }
        }
        Ok(())
    }

    /// Reads at most four bytes, and their undefined bits; `None` if out of bounds.
    fn read_partly(
        &self,
        turn: &Turn<'_>,
        lane: usize,
        (space, place): (Space, u64),
        count: usize,
    ) -> Option<(u32, u32)> {
        if let Some(word) = self.read_bytes(turn, lane, (space, place), count)? {
            return Some((word, 0));
        }
        let (mut word, mut undefined) = (0, 0);
        for number in 0..count {
            let byte = self.read_bytes(turn, lane, (space, place + number as u64), 1)?;
            word |= byte.unwrap_or(0) << (8 * number);
            undefined |= if byte.is_none() {
                0xff << (8 * number)
            } else {
                0
            };
        }
        Some((word, undefined))
    }

    /// Writes at most four bytes; bytes with an undefined bit become undefined. `None` if out of
    /// bounds.
    fn write_partly(
        &mut self,
        turn: &Turn<'_>,
        lane: usize,
        (space, place): (Space, u64),
        count: usize,
        (word, undefined): (u32, u32),
    ) -> Option<()> {
        if undefined == 0 {
            return self.write_bytes(turn, lane, (space, place), count, Some(word));
        }
        for number in 0..count {
            let byte = |bits: u32| bits >> (8 * number) & 0xff;
            let value = (byte(undefined) == 0).then(|| byte(word));
            self.write_bytes(turn, lane, (space, place + number as u64), 1, value)?;
        }
        Some(())
    }

    pub(super) fn store(&mut self, turn: &Turn<'_>, transfer: &Transfer) -> Result<(), Fault> {
        let (count, _) = bytes_of(transfer.width);
        let slot = turn.instruction.operands[transfer.value].slot;
        for lane in lanes(turn.active) {
            let at = self.place(turn, transfer.space, &transfer.address, lane, count)?;
            for number in 0..slot.words {
                let bits = self.registers(turn)?.known_bits(slot, number, lane);
                let place = (at.0, at.1 + 4 * number as u64);
                let written = self.write_partly(turn, lane, place, count.min(4), bits);
                if written.is_none() {
                    return self.outside(turn, lane, at, count);
                }
            }
        }
        Ok(())
    }

    /// Makes the 128 bytes at an address undefined.
    pub(super) fn discard(&mut self, turn: &Turn<'_>, address: &Address) -> Result<(), Fault> {
        for lane in lanes(turn.active) {
            let (space, place) = self.place(turn, Space::Generic, address, lane, 128)?;
            for word in 0..32 {
                let at = (space, place + 4 * word);
                if self.write_bytes(turn, lane, at, 4, None).is_none() {
                    return self.outside(turn, lane, at, 4);
                }
            }
        }
        Ok(())
    }

    /// Per lane, in order: read, combine, write.
    pub(super) fn atomic(&mut self, turn: &Turn<'_>, atomic: &Atomic) -> Result<(), Fault> {
        let transfer = &atomic.transfer;
        let slot = turn.instruction.operands[transfer.value].slot;
        let count = 4 * slot.words;
        for lane in lanes(turn.active) {
            let at = self.place(turn, transfer.space, &transfer.address, lane, count)?;
            let mut old = Some(0_u128);
            for number in 0..slot.words {
                let place = (at.0, at.1 + 4 * number as u64);
                let Some(word) = self.read_bytes(turn, lane, place, 4) else {
                    return self.outside(turn, lane, at, count);
                };
                let word = word.map(|word| u128::from(word) << (32 * number));
                old = old.zip(word).map(|(old, word)| old | word);
            }
            let value = self.registers(turn)?.bits(slot, lane);
            let expected = match atomic.expected {
                Some(operand) => {
                    let slot = turn.instruction.operands[operand].slot;
                    self.registers(turn)?.bits(slot, lane)
                }
                None => Some(0),
            };
            let exchange = atomic.change.operation == AtomicOperation::Exchange;
            let new = match (old, value, expected) {
                (_, value, _) if exchange => value,
                (Some(old), Some(value), Some(expected)) => {
                    Some(atomic.change.apply(old, value, expected))
                }
                _ => None,
            };
            for number in 0..slot.words {
                let word = new.map(|new| (new >> (32 * number)) as u32);
                let place = (at.0, at.1 + 4 * number as u64);
                if self.write_bytes(turn, lane, place, 4, word).is_none() {
                    return self.outside(turn, lane, at, count);
                }
            }
            if let Some(result) = turn.instruction.results.first().copied() {
                self.registers(turn)?.set_bits(result, lane, old);
            }
        }
        Ok(())
    }

    /// Whether addresses are in a window of the generic space, and the offset in it.
    pub(super) fn in_window(&mut self, turn: &Turn<'_>, window: Space) -> Result<(), Fault> {
        let results = &turn.instruction.results;
        for lane in lanes(turn.active) {
            let address = self.value(turn, 0, lane, "an address")? as u64;
            let (space, place) = match resolve(Space::Generic, address) {
                (Space::Cluster(_), _) => (Space::Shared, address & u64::from(u32::MAX)),
                found => found,
            };
            let registers = self.registers(turn)?;
            registers.set_bits(results[0], lane, Some((space == window).into()));
            if let Some(offset) = results.get(1) {
                registers.set_bits(*offset, lane, Some(place.into()));
            }
        }
        Ok(())
    }
}
