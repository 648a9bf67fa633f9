//! The registers of a frame of a warp: 32-bit values of 32 lanes, and which of their bits are
//! defined.

use super::source_registers::SourceUses;

/// Lanes of a warp.
pub const LANES: usize = 32;

/// The location of the registers of an SSA value in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    /// The first register.
    pub(super) first: usize,
    /// The number of registers; one for predicates and barriers.
    pub(super) words: usize,
    /// Bits of the value: 1 for predicates.
    pub(super) bits: u32,
}

/// The lanes of a mask, lowest first.
pub(super) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        Some(lane as usize)
    })
}

/// A register of all lanes: its value and undefined bits in each, the group that it waits for, and
/// after which fence it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) words: [u32; LANES],
    pub(super) undefined: [u32; LANES],
    pub(super) pending: u32,
    /// The number of fences before the write; zero if no fence is needed before a product reads it.
    pub(super) fences: u32,
    /// The register of the source that it is in; zero if that is not known.
    pub(super) name: u32,
}

/// The registers of one call of a function by a warp.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    words: Vec<[u32; LANES]>,
    /// For each register, its undefined bits in each lane.
    undefined: Vec<[u32; LANES]>,
    /// For each register that is the result of an incomplete product, the index of its group; zero
    /// for others.
    pending: Vec<u32>,
    /// For each register, the number of fences before it was written; zero for constants, which
    /// have no place, and results of products.
    fences: Vec<u32>,
    /// The number of fences executed, plus one.
    fence: u32,
    /// For each register, the one of the source that it is in; zero if that is not known.
    names: Vec<u32>,
    source_uses: SourceUses,
}

impl Registers {
    pub(super) fn new(words: usize) -> Self {
        Registers {
            words: vec![[0; LANES]; words],
            undefined: vec![[u32::MAX; LANES]; words],
            pending: vec![0; words],
            fences: vec![0; words],
            fence: 1,
            names: vec![0; words],
            source_uses: SourceUses::default(),
        }
    }

    /// A register of a value in a lane; `None` if a bit is undefined.
    pub(super) fn word(&self, slot: Slot, number: usize, lane: usize) -> Option<u32> {
        let (word, undefined) = self.known_bits(slot, number, lane);
        (undefined == 0).then_some(word)
    }

    /// A register of a value in a lane, and its undefined bits.
    pub(super) fn known_bits(&self, slot: Slot, number: usize, lane: usize) -> (u32, u32) {
        let at = slot.first + number;
        (self.words[at][lane], self.undefined[at][lane])
    }

    /// The bits of a value of at most 128 bits in a lane; `None` if one is undefined.
    pub(super) fn bits(&self, slot: Slot, lane: usize) -> Option<u128> {
        if self.is_undefined(slot, lane) {
            return None;
        }
        Some(self.raw_bits(slot, lane))
    }

    /// Whether any bit of a value is undefined in a lane.
    pub(super) fn is_undefined(&self, slot: Slot, lane: usize) -> bool {
        let all = &self.undefined[slot.first..slot.first + slot.words];
        all.iter().any(|bits| bits[lane] != 0)
    }

    /// The undefined bits of a value of at most 128 bits in a lane.
    pub(super) fn undefined_bits(&self, slot: Slot, lane: usize) -> u128 {
        let all = &self.undefined[slot.first..slot.first + slot.words.min(4)];
        let words = all.iter().rev();
        words.fold(0, |bits, word| bits << 32 | u128::from(word[lane]))
    }

    /// The bits of a value; undefined ones are arbitrary.
    pub(super) fn raw_bits(&self, slot: Slot, lane: usize) -> u128 {
        let all = &self.words[slot.first..slot.first + slot.words.min(4)];
        let words = all.iter().rev();
        words.fold(0, |bits, word| bits << 32 | u128::from(word[lane]))
    }

    pub(super) fn set_word(&mut self, slot: Slot, number: usize, lane: usize, word: Option<u32>) {
        match word {
            Some(word) => self.set_known_bits(slot, number, lane, (word, 0)),
            None => self.undefined[slot.first + number][lane] = u32::MAX,
        }
    }

    /// Sets a register of a value in a lane, and its undefined bits.
    pub(super) fn set_known_bits(
        &mut self,
        slot: Slot,
        number: usize,
        lane: usize,
        (word, undefined): (u32, u32),
    ) {
        let at = slot.first + number;
        self.words[at][lane] = word;
        self.pending[at] = 0;
        self.fences[at] = self.fence;
        self.names[at] = 0;
        self.undefined[at][lane] = undefined;
    }

    /// Sets a value of at most 128 bits in a lane.
    pub(super) fn set_bits(&mut self, slot: Slot, lane: usize, bits: Option<u128>) {
        for number in 0..slot.words {
            let word = bits.map(|bits| bits.checked_shr(32 * number as u32).unwrap_or(0) as u32);
            self.set_word(slot, number, lane, word);
        }
    }

    /// Copies a value between slots in some lanes.
    pub(super) fn copy(&mut self, from: Slot, to: Slot, mask: u32) {
        for number in 0..from.words.min(to.words) {
            self.copy_word(from.first + number, to.first + number, mask);
        }
    }

    /// Copies a register to another in some lanes, with its undefined bits.
    pub(super) fn copy_word(&mut self, from: usize, to: usize, mask: u32) {
        let row = self.row(from);
        self.set_row(to, &row, mask);
    }

    /// Makes a value the result of a product of an incomplete group: only other products may read
    /// it.
    pub(super) fn make_pending(&mut self, slot: Slot, group: u32) {
        for at in slot.first..slot.first + slot.words {
            self.undefined[at] = [u32::MAX; LANES];
            self.pending[at] = group;
            self.fences[at] = 0;
        }
    }

    /// Whether a part of a value is the result of a product in flight.
    pub(super) fn is_pending(&self, slot: Slot) -> bool {
        let all = &self.pending[slot.first..slot.first + slot.words];
        all.iter().any(|group| *group != 0)
    }

    /// Whether a register is the result of a product in flight.
    pub(super) fn is_any_pending(&self) -> bool {
        self.pending.iter().any(|group| *group != 0)
    }

    /// A register of a value that may be pending.
    pub(super) fn pending_word(&self, slot: Slot, number: usize, lane: usize) -> Option<u32> {
        let at = slot.first + number;
        let known = self.undefined[at][lane] == 0 || self.pending[at] != 0;
        known.then(|| self.words[at][lane])
    }

    /// Completes the registers of a value that belong to a group up to an index.
    pub(super) fn complete(&mut self, slot: Slot, group: u32) {
        for at in slot.first..slot.first + slot.words {
            if (1..=group).contains(&self.pending[at]) {
                self.pending[at] = 0;
                self.undefined[at] = [0; LANES];
            }
        }
    }

    /// Completes all registers that belong to a group up to an index.
    pub(super) fn complete_all(&mut self, group: u32) {
        self.source_uses.complete(group);
        for at in 0..self.pending.len() {
            if (1..=group).contains(&self.pending[at]) {
                self.pending[at] = 0;
                self.undefined[at] = [0; LANES];
            }
        }
    }

    /// Orders all writes so far before the following products.
    pub(super) fn put_fence(&mut self) {
        self.fence += 1;
    }

    /// The number of fences executed, plus one.
    pub(super) fn fence(&self) -> u32 {
        self.fence
    }

    /// The registers of the source that a value is in, by number; zero where that is not known.
    pub(super) fn names(&self, slot: Slot) -> impl Iterator<Item = u32> + '_ {
        self.names[slot.first..slot.first + slot.words]
            .iter()
            .copied()
    }

    /// Notes the register of the source that a register is in.
    pub(super) fn set_name(&mut self, at: usize, number: u32) {
        self.names[at] = number;
    }

    /// What happened to registers of the source.
    pub(super) fn source_uses(&mut self) -> &mut SourceUses {
        &mut self.source_uses
    }

    /// Makes a value a constant: it has no place in the order of fences.
    pub(super) fn make_constant(&mut self, slot: Slot) {
        self.fences[slot.first..slot.first + slot.words].fill(0);
    }

    /// Whether a part of a value was written after the last fence.
    pub(super) fn is_unfenced(&self, slot: Slot) -> bool {
        let all = &self.fences[slot.first..slot.first + slot.words];
        all.contains(&self.fence)
    }

    /// A register of all lanes.
    pub(super) fn row(&self, at: usize) -> Row {
        Row {
            words: self.words[at],
            undefined: self.undefined[at],
            pending: self.pending[at],
            fences: self.fences[at],
            name: self.names[at],
        }
    }

    /// Writes a register in some lanes.
    pub(super) fn set_row(&mut self, at: usize, row: &Row, mask: u32) {
        for lane in lanes(mask) {
            self.words[at][lane] = row.words[lane];
            self.undefined[at][lane] = row.undefined[lane];
        }
        self.pending[at] = row.pending;
        self.fences[at] = row.fences;
        self.names[at] = row.name;
    }
}
