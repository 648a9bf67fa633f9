//! The frames of activations in local memory, and what is allocated besides.

use orison_ori::operations::stack::Frame as Layout;

use super::Fault;
use super::machine::{Machine, Turn};
use super::paths::Frame;
use super::registers::{LANES, lanes};
use super::stack::Stack;

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
