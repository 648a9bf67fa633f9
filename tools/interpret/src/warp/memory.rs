//! Bytes, and which of them are defined.

use std::fmt;

use orison_ori::keywords::Width;

/// Bytes of one space or buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bytes {
    data: Vec<u8>,
    /// Whether each byte is defined.
    known: Vec<bool>,
}

impl Bytes {
    /// Undefined bytes.
    pub fn undefined(size: usize) -> Self {
        Bytes {
            data: vec![0; size],
            known: vec![false; size],
        }
    }

    /// Defined bytes.
    pub fn defined(data: Vec<u8>) -> Self {
        let known = vec![true; data.len()];
        Bytes { data, known }
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// All bytes; zero if undefined.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Whether each byte is defined.
    pub fn known(&self) -> &[bool] {
        &self.known
    }

    /// Initializes the first bytes.
    pub fn initialize(&mut self, initial: &[u8]) {
        for ((byte, known), value) in self.data.iter_mut().zip(&mut self.known).zip(initial) {
            (*byte, *known) = (*value, true);
        }
    }

    /// Prepends undefined bytes up to this size.
    pub(super) fn extend_below(&mut self, size: usize) {
        let more = size.saturating_sub(self.len());
        self.data.splice(0..0, std::iter::repeat_n(0, more));
        self.known.splice(0..0, std::iter::repeat_n(false, more));
    }

    /// Makes bytes undefined.
    pub(super) fn forget(&mut self, range: std::ops::Range<usize>) {
        if let Some(known) = self.known.get_mut(range) {
            known.fill(false);
        }
    }

    /// The index range of bytes; `None` if out of bounds.
    fn range(&self, start: usize, count: usize) -> Option<std::ops::Range<usize>> {
        let end = start.checked_add(count)?;
        (end <= self.data.len()).then_some(start..end)
    }

    /// A little-endian number of at most 4 bytes; inner `None` if a byte is undefined.
    pub fn read(&self, start: usize, count: usize) -> Option<Option<u32>> {
        let range = self.range(start, count)?;
        if self.known[range.clone()].iter().any(|known| !known) {
            return Some(None);
        }
        let bytes = self.data[range].iter().rev();
        Some(Some(bytes.fold(0, |word, byte| {
            word.wrapping_shl(8) | u32::from(*byte)
        })))
    }

    /// Writes the low bytes of a value, or makes them undefined.
    pub fn write(&mut self, start: usize, count: usize, word: Option<u32>) -> Option<()> {
        let range = self.range(start, count)?;
        self.known[range.clone()].fill(word.is_some());
        let bytes = word.unwrap_or(0).to_le_bytes();
        let all = bytes.iter().copied().chain(std::iter::repeat(0));
        for (to, from) in self.data[range].iter_mut().zip(all) {
            *to = from;
        }
        Some(())
    }
}

/// The address of the first global buffer: each buffer has a separate window, so that an address
/// beyond its buffer is in no other one.
const FIRST_BUFFER: u64 = 0x7_0000_0000;
/// Bytes from the start of one buffer to the next.
const WINDOW: u64 = 1 << 34;
/// The generic addresses of shared memory: the low 32 bits are the address in the cluster.
pub(super) const SHARED_WINDOW: u64 = 1 << 32;
/// The generic addresses of local memory.
pub(super) const LOCAL_WINDOW: u64 = 2 << 32;
/// The generic addresses of constant bank 3, which holds `.const` memory.
pub(super) const CONSTANT_WINDOW: u64 = 3 << 32;
/// The generic addresses of constant bank 0, which holds the parameters.
pub(super) const PARAMETER_WINDOW: u64 = 4 << 32;

/// The addresses of functions.
const FUNCTION_WINDOW: u64 = 5 << 32;
/// Bytes from one function to the next.
const FUNCTION_DISTANCE: u64 = 1 << 8;

/// The address of the function with an index.
pub(super) fn function_address(number: usize) -> u64 {
    FUNCTION_WINDOW + FUNCTION_DISTANCE * number as u64
}

/// The index of the function at an address.
pub(super) fn function_at(address: u64) -> Option<usize> {
    let distance = address.checked_sub(FUNCTION_WINDOW)?;
    let exact = distance % FUNCTION_DISTANCE == 0;
    usize::try_from(distance / FUNCTION_DISTANCE)
        .ok()
        .filter(|_| exact)
}

/// An address in shared memory has the rank of the CTA in its cluster above this bit (observed in
/// the output of ptxas 13.0 for `mapa`).
const RANK_BIT: u32 = 24;

/// The cluster address of an offset in the shared memory of a CTA.
pub(super) fn with_rank(rank: u32, place: u64) -> u64 {
    u64::from(rank) << RANK_BIT | place & ((1 << RANK_BIT) - 1)
}

/// The rank in an address of shared memory, and the offset in the memory of that CTA.
pub(super) fn split_rank(address: u64) -> (u32, u64) {
    let low = address as u32;
    (low >> RANK_BIT, u64::from(low) & ((1 << RANK_BIT) - 1))
}

/// The first buffer index of a module symbol, beyond all buffers of a launch.
const FIRST_SYMBOL: usize = 1 << 12;

/// Global memory: buffers with names, and the symbols of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GlobalMemory {
    buffers: Vec<(String, Bytes)>,
    symbols: Vec<(String, Bytes)>,
}

impl GlobalMemory {
    /// Adds a buffer; returns its address.
    pub fn add(&mut self, name: &str, bytes: Bytes) -> u64 {
        self.buffers.push((name.to_owned(), bytes));
        Self::address_of(self.buffers.len() - 1)
    }

    /// The address of a buffer.
    pub fn address_of(number: usize) -> u64 {
        FIRST_BUFFER + WINDOW * number as u64
    }

    /// The address of a symbol of a module.
    pub(super) fn symbol_address(number: usize) -> u64 {
        Self::address_of(FIRST_SYMBOL + number)
    }

    /// Adds memory of a symbol, unless an earlier run did.
    pub(super) fn add_symbol(&mut self, number: usize, name: &str, bytes: Bytes) {
        if self.symbols.len() <= number {
            self.symbols.push((name.to_owned(), bytes));
        }
    }

    /// All buffers.
    pub fn buffers(&self) -> &[(String, Bytes)] {
        &self.buffers
    }

    /// The buffer with a name.
    pub fn buffer(&self, name: &str) -> Option<&Bytes> {
        let mut all = self.buffers.iter().chain(&self.symbols);
        all.find(|(known, _)| known == name).map(|(_, bytes)| bytes)
    }

    /// The index of the window of an address, and the offset in it.
    fn place(address: u64) -> Option<(usize, usize)> {
        let from_start = address.checked_sub(FIRST_BUFFER)?;
        let number = usize::try_from(from_start / WINDOW).ok()?;
        Some((number, (from_start % WINDOW) as usize))
    }

    fn at(&self, number: usize) -> Option<&(String, Bytes)> {
        match number.checked_sub(FIRST_SYMBOL) {
            Some(symbol) => self.symbols.get(symbol),
            None => self.buffers.get(number),
        }
    }

    /// Reads a value of at most 4 bytes; the outer `None` if outside all buffers.
    pub fn read(&self, address: u64, count: usize) -> Option<Option<u32>> {
        let (number, offset) = Self::place(address)?;
        self.at(number)?.1.read(offset, count)
    }

    /// Writes the low bytes of a value; `None` if outside all buffers.
    pub fn write(&mut self, address: u64, count: usize, word: Option<u32>) -> Option<()> {
        let (number, offset) = Self::place(address)?;
        let buffer = match number.checked_sub(FIRST_SYMBOL) {
            Some(symbol) => self.symbols.get_mut(symbol)?,
            None => self.buffers.get_mut(number)?,
        };
        buffer.1.write(offset, count, word)
    }

    /// A description of the neighbourhood of an address, for a message.
    pub fn describe(&self, address: u64) -> String {
        let place = Self::place(address);
        match place.and_then(|(number, offset)| Some((self.at(number)?, offset))) {
            Some(((name, bytes), offset)) => {
                let size = bytes.len();
                format!("byte {offset} of buffer '{name}', which has {size} bytes")
            }
            None => format!("address {address:#x}, which is not in a buffer"),
        }
    }
}

/// The spaces a thread accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    Global,
    /// Shared memory of the current CTA.
    Shared,
    /// Shared memory of the CTA with a rank in the current cluster.
    Cluster(u32),
    Local,
    Constant(usize),
    Generic,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Space::Global => f.write_str("global"),
            Space::Shared => f.write_str("shared"),
            Space::Cluster(rank) => write!(f, "the shared memory of CTA {rank} of the cluster"),
            Space::Local => f.write_str("local"),
            Space::Constant(bank) => write!(f, "constant bank {bank}"),
            Space::Generic => f.write_str("generic"),
        }
    }
}

/// The space and address that a generic address refers to.
pub(super) fn resolve(space: Space, address: u64) -> (Space, u64) {
    if space != Space::Generic {
        return (space, address);
    }
    let (window, place) = (address >> 32 << 32, address & u64::from(u32::MAX));
    match window {
        SHARED_WINDOW => {
            let (rank, place) = split_rank(place);
            (Space::Cluster(rank), place)
        }
        LOCAL_WINDOW => (Space::Local, place),
        CONSTANT_WINDOW => (Space::Constant(3), place),
        PARAMETER_WINDOW => (Space::Constant(0), place),
        _ => (Space::Global, address),
    }
}

/// Bytes of a width, and whether fewer than four are extended with their sign.
pub(super) fn bytes_of(width: Width) -> (usize, bool) {
    match width {
        Width::U8 => (1, false),
        Width::S8 => (1, true),
        Width::U16 => (2, false),
        Width::S16 => (2, true),
        Width::B32 => (4, false),
        Width::B64 => (8, false),
        Width::B128 => (16, false),
        Width::B256 => (32, false),
    }
}
