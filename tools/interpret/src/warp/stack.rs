//! Local memory: the stack of a thread.

use orison_ori::operations::stack::Frame as Layout;

use super::memory::Bytes;
use super::program::Function;
use super::registers::LANES;

/// The local memory of a thread. It is allocated from the highest address down and freed in the
/// opposite order; addresses below the end belong to no activation.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    /// The bytes at the highest addresses, as far down as the thread has ever allocated.
    bytes: Bytes,
    pub(super) end: u64,
    /// Whether it grows to what is accessed: machine code moves its stack pointer itself.
    grows: bool,
}

impl Stack {
    pub(super) const TOP: u64 = Layout::LOCAL_MEMORY as u64;

    pub(super) fn new() -> Self {
        Stack {
            bytes: Bytes::default(),
            end: Self::TOP,
            grows: false,
        }
    }

    /// All local memory, as far down as it is written.
    pub(super) fn growing() -> Self {
        Stack {
            end: 0,
            grows: true,
            ..Stack::new()
        }
    }

    /// The lowest address in use.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Allocates undefined bytes; returns their address, or `None` if there is no room.
    pub(super) fn take(&mut self, size: u64, alignment: u64) -> Option<u64> {
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
        let at = self.index(address).filter(|_| address >= self.end);
        if at.is_none() && self.grows && address + count as u64 <= Self::TOP {
            return Some(None);
        }
        self.bytes.read(at?, count)
    }

    /// Writes the low bytes of a value; `None` if outside the allocated part.
    pub(super) fn write(&mut self, address: u64, count: usize, word: Option<u32>) -> Option<()> {
        if self.grows && self.index(address).is_none() {
            let needed = usize::try_from(Self::TOP - address).ok()?;
            self.bytes.extend_below(needed.next_multiple_of(256));
        }
        let at = self.index(address).filter(|_| address >= self.end)?;
        self.bytes.write(at, count, word)
    }
}

/// The frame address of an activation in the local memory of each lane, and the previous end of the
/// stack.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    pub(super) start: [u64; LANES],
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
