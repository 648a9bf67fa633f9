//! Asynchronous copies from global to shared memory (`cp.async`).
//!
//! Bytes arrive as late as permitted: when a thread waits for the group of the copy, or before an
//! arrival at an mbarrier that is ordered after it. Until then they are undefined, so that a
//! premature read is detected.

use super::Fault;
use super::action::Copy;
use super::copy_groups::{Copies, Pending};
use super::machine::{Machine, Turn};
use super::memory::{Space, bytes_of};
use super::registers::lanes;

impl Machine<'_, '_> {
    fn copies(&mut self, turn: &Turn<'_>, lane: usize) -> &mut Copies {
        let warp = &mut self.ctas[turn.cta].warps[turn.warp];
        &mut warp.copies[lane]
    }

    pub(super) fn copy(&mut self, turn: &Turn<'_>, copy: &Copy) -> Result<(), Fault> {
        let (count, _) = bytes_of(copy.width);
        for lane in lanes(turn.active) {
            let (_, to) = self.place(turn, Space::Shared, &copy.shared, lane, count)?;
            let aligned = if copy.zero_fill { 1 } else { count };
            let (_, from) = self.place(turn, Space::Global, &copy.global, lane, aligned)?;
            let left_out = from % count as u64;
            let from = from - left_out;
            let mut copied = match copy.size {
                Some(operand) => self.value(turn, operand, lane, "the number of bytes")? as usize,
                None => count - left_out as usize,
            };
            if let Some(predicate) = copy.copied
                && !self.predicate(turn, predicate, lane)?
            {
                copied = 0;
            }
            if copied > count {
                return self.fault(
                    turn,
                    &format!(
                        "the number of bytes to copy, {copied}, exceeds \
                                                  {count}"
                    ),
                );
            }
            for byte in 0..count as u64 {
                let (shared, global) = ((Space::Shared, to + byte), (Space::Global, from + byte));
                if self.write_bytes(turn, lane, shared, 1, None).is_none() {
                    return self.outside(turn, lane, shared, 1);
                }
                let read = byte < copied as u64;
                if read && self.read_bytes(turn, lane, global, 1).is_none() {
                    return self.outside(turn, lane, global, 1);
                }
            }
            let op = turn.instruction.op;
            let copies = self.copies(turn, lane);
            let number = copies.begun;
            copies.begun += 1;
            copies.open.push(Pending {
                op,
                to,
                from,
                copied,
                count,
                number,
            });
        }
        Ok(())
    }

    /// Closes a group of copies of each thread.
    pub(super) fn close_group(&mut self, turn: &Turn<'_>) {
        for lane in lanes(turn.active) {
            let copies = self.copies(turn, lane);
            let open = std::mem::take(&mut copies.open);
            copies.groups.push_back(open);
        }
    }

    /// Waits until at most this many groups are open.
    pub(super) fn wait_for_groups(&mut self, turn: &Turn<'_>, most: usize) -> Result<(), Fault> {
        for lane in lanes(turn.active) {
            while self.copies(turn, lane).groups.len() > most {
                let group = self.copies(turn, lane).groups.pop_front();
                for pending in group.unwrap_or_default() {
                    self.finish_copy(turn.cta, pending)?;
                }
            }
        }
        Ok(())
    }

    /// Completes the copies of a lane of a warp before an index.
    pub(super) fn finish_copies_before(
        &mut self,
        cta: usize,
        (warp, lane): (usize, usize),
        number: u64,
    ) -> Result<(), Fault> {
        let taken = self.ctas[cta].warps[warp].copies[lane].take_before(number);
        taken
            .into_iter()
            .try_for_each(|pending| self.finish_copy(cta, pending))
    }

    fn finish_copy(&mut self, cta: usize, pending: Pending) -> Result<(), Fault> {
        for byte in 0..pending.count {
            let place = byte as u64;
            let value = if byte < pending.copied {
                self.read_at(cta, (Space::Global, pending.from + place), 1)
            } else {
                Some(Some(0))
            };
            let to = (Space::Shared, pending.to + place);
            let written = value.and_then(|value| self.write_at(cta, to, 1, value));
            if written.is_none() {
                let message = "copies from or to memory of a CTA that has ended";
                return Err(Fault::at(self.kernel.context, pending.op, message));
            }
        }
        Ok(())
    }
}
