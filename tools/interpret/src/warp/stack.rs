//! Local memory: the stack of a thread, with the frames of its activations.

use orison_ori::operations::stack::Frame as Layout;

use super::Fault;
use super::machine::{Machine, Turn};
use super::memory::Bytes;
use super::paths::Frame;
use super::program::Function;
use super::registers::{LANES, lanes};

/// The local memory of a thread. It is allocated from the highest address down and freed in the
/// opposite order; addresses below the end belong to no activation.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    /// The bytes at the highest addresses, as far down as the thread has ever allocated.
    bytes: Bytes,
    end: u64,
}

impl Stack {
    const TOP: u64 = Layout::LOCAL_MEMORY as u64;

    pub(super) fn new() -> Self {
        Stack {
            bytes: Bytes::default(),
            end: Self::TOP,
        }
    }

    /// The lowest address in use.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Allocates undefined bytes; returns their address, or `None` if there is no room.
    fn take(&mut self, size: u64, alignment: u64) -> Option<u64> {
        let start = self.end.checked_sub(size)?;
        let start = start - start % alignment.max(1);
        let needed = usize::try_from(Self::TOP - start).ok()?;
        if needed > self.bytes.len() {
            let most = Layout::LOCAL_MEMORY as usize;
            self.bytes
                .extend_below(needed.max(2 * self.bytes.len()).min(most));
        }
        let [first, last] = [start, self.end].map(|address| self.index(address));
        self.bytes.forget(first?..last?);
        self.end = start;
        Some(start)
    }

    /// The index of an address in the bytes.
    fn index(&self, address: u64) -> Option<usize> {
        let low = Self::TOP - self.bytes.len() as u64;
        usize::try_from(address.checked_sub(low)?).ok()
    }

    /// Reads a value of at most 4 bytes; the outer `None` if outside the allocated part.
    pub(super) fn read(&self, address: u64, count: usize) -> Option<Option<u32>> {
        let at = self.index(address).filter(|_| address >= self.end)?;
        self.bytes.read(at, count)
    }

    /// Writes the low bytes of a value; `None` if outside the allocated part.
    pub(super) fn write(&mut self, address: u64, count: usize, word: Option<u32>) -> Option<()> {
        let at = self.index(address).filter(|_| address >= self.end)?;
        self.bytes.write(at, count, word)
    }
}

/// The frame address of an activation in the local memory of each lane, and the previous end of the
/// stack.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    start: [u64; LANES],
    before: [u64; LANES],
}

impl Places {
    /// Allocates the frame of a function in the local memory of a lane; `None` if there is no room.
    pub(super) fn enter(
        &mut self,
        function: &Function,
        stack: &mut Stack,
        lane: usize,
    ) -> Option<()> {
        self.before[lane] = stack.end();
        self.start[lane] = stack.take(function.frame_size, function.frame_alignment)?;
        Some(())
    }

    /// Frees the frame of a lane, with all later allocations.
    pub(super) fn leave(&self, stack: &mut Stack, lane: usize) {
        stack.end = self.before[lane];
    }
}

impl Machine<'_, '_> {
    /// The local memory of a lane.
    fn stack(&mut self, turn: &Turn<'_>, lane: usize) -> Result<&mut Stack, Fault> {
        let context = self.kernel.context;
        let stacks = &mut self.ctas[turn.cta].stacks;
        let found = stacks.get_mut(LANES * turn.warp + lane);
        found.ok_or_else(|| Fault::at(context, turn.instruction.op, "is executed without a thread"))
    }

    /// Allocates the frames of an activation for some lanes.
    pub(super) fn enter_frame(
        &mut self,
        turn: &Turn<'_>,
        frame: &mut Frame,
        mask: u32,
    ) -> Result<(), Fault> {
        let function = &self.kernel.functions[frame.function];
        for lane in lanes(mask) {
            let stack = self.stack(turn, lane)?;
            if frame.places.enter(function, stack, lane).is_none() {
                return self.no_room(turn, lane, function.frame_size);
            }
        }
        Ok(())
    }

    fn no_room<T>(&self, turn: &Turn<'_>, lane: usize, size: u64) -> Result<T, Fault> {
        let message = format!(
            "allocates {size} bytes of local memory in lane {lane}, but a thread has {} bytes",
            Layout::LOCAL_MEMORY
        );
        self.fault(turn, &message)
    }

    /// Frees the frames of an activation for the lanes of a path.
    pub(super) fn leave_frame(&mut self, turn: &Turn<'_>) {
        let cta = &mut self.ctas[turn.cta];
        let Some(frame) = cta.warps[turn.warp].frame(turn.path.frame) else {
            return;
        };
        for lane in lanes(turn.path.mask) {
            if let Some(stack) = cta.stacks.get_mut(LANES * turn.warp + lane) {
                frame.places.leave(stack, lane);
            }
        }
    }

    /// The frame address of the current activation in each lane.
    fn frame_starts(&mut self, turn: &Turn<'_>) -> Result<[u64; LANES], Fault> {
        let context = self.kernel.context;
        let frame = self.ctas[turn.cta].warps[turn.warp].frame(turn.path.frame);
        let frame = frame.map(|frame| frame.places.start);
        frame.ok_or_else(|| {
            Fault::at(
                context,
                turn.instruction.op,
                "is executed without a call \
                                                                     frame",
            )
        })
    }

    pub(super) fn slot_address(&mut self, turn: &Turn<'_>, offset: u64) -> Result<(), Fault> {
        let starts = self.frame_starts(turn)?;
        let result = turn.instruction.results[0];
        let registers = self.registers(turn)?;
        for lane in lanes(turn.active) {
            registers.set_bits(result, lane, Some((starts[lane] + offset).into()));
        }
        Ok(())
    }

    /// Allocates local memory in addition to the frame.
    pub(super) fn take_stack(&mut self, turn: &Turn<'_>, alignment: u64) -> Result<(), Fault> {
        let result = turn.instruction.results[0];
        for lane in lanes(turn.active) {
            let size = self.value(turn, 0, lane, "the size of the allocation")? as u64;
            let taken = self.stack(turn, lane)?.take(size, alignment);
            let Some(address) = taken else {
                return self.no_room(turn, lane, size);
            };
            let registers = self.registers(turn)?;
            registers.set_bits(result, lane, Some(address.into()));
        }
        Ok(())
    }

    pub(super) fn stack_end(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let result = turn.instruction.results[0];
        for lane in lanes(turn.active) {
            let end = self.stack(turn, lane)?.end();
            let registers = self.registers(turn)?;
            registers.set_bits(result, lane, Some(end.into()));
        }
        Ok(())
    }

    /// Frees the memory allocated in addition to the frame, down to an address.
    pub(super) fn put_stack_back(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let starts = self.frame_starts(turn)?;
        for lane in lanes(turn.active) {
            let place = self.value(turn, 0, lane, "the end of the stack")? as u64;
            let stack = self.stack(turn, lane)?;
            let taken = stack.end..=starts[lane];
            if !taken.contains(&place) {
                let message = format!(
                    "sets the end of the stack to {place:#x} in lane {lane}, which is not between \
                     the current end {:#x} and the frame at {:#x}",
                    taken.start(),
                    taken.end()
                );
                return self.fault(turn, &message);
            }
            stack.end = place;
        }
        Ok(())
    }
}
