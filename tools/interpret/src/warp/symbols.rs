//! The memory symbols of a module, and its functions by name.

use orison_ir::Context;
use orison_ori::operations::structure::Memory;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Fault;
use super::action::Names;
use super::memory::{self, GlobalMemory};

/// A symbol of memory.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) address: u64,
    initial: Vec<u8>,
    pub(super) size: usize,
    /// Whether its initial value is unsupported, so that its bytes are undefined.
    pub(super) unknown: bool,
}

impl Symbol {
    /// Memory at an address with initial bytes.
    pub(super) fn new(address: u64, initial: Vec<u8>, size: usize) -> Self {
        Symbol {
            address,
            initial,
            size,
            unknown: false,
        }
    }

    /// Replaces initial bytes.
    pub(super) fn set(&mut self, offset: usize, bytes: &[u8]) {
        for (to, from) in self.initial.iter_mut().skip(offset).zip(bytes) {
            *to = *from;
        }
    }
}

/// The memory symbols of a module, by space, and its functions.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    addresses: FxHashMap<String, u64>,
    pub(super) functions: FxHashMap<String, usize>,
    shared_names: FxHashSet<String>,
    pub(super) shared: usize,
    /// Shared memory without a size, which is behind all that has one.
    dynamic: Vec<(String, usize)>,
    pub(super) constants: Vec<(String, Symbol)>,
    pub(super) globals: Vec<(String, Symbol)>,
    /// Memory whose initial bytes may contain addresses.
    with_addresses: Vec<Memory>,
}

impl Names for Symbols {
    fn address(&self, symbol: &str) -> Option<u64> {
        self.addresses.get(symbol).copied()
    }

    fn is_shared(&self, symbol: &str) -> bool {
        self.shared_names.contains(symbol)
    }

    fn function(&self, symbol: &str) -> Option<usize> {
        self.functions.get(symbol).copied()
    }
}

pub(super) fn zero_padded(symbol: &Symbol) -> Vec<u8> {
    let mut bytes = symbol.initial.clone();
    bytes.resize(symbol.size, 0);
    bytes
}

impl Symbols {
    /// The generic address of a symbol, for initial bytes of memory.
    fn generic_address(&self, symbol: &str, generic: bool) -> Option<u64> {
        if let Some(function) = self.functions.get(symbol) {
            return Some(memory::function_address(*function));
        }
        let constant = self.constants.iter().any(|(name, _)| name == symbol);
        let window = match generic {
            true if constant => memory::CONSTANT_WINDOW,
            _ => 0,
        };
        Some(window + self.addresses.get(symbol)?)
    }

    /// Writes the addresses in initial bytes, once all symbols have a location.
    ///
    /// # Errors
    /// An address of a symbol without a location.
    pub(super) fn write_addresses(&mut self, context: &Context) -> Result<(), Fault> {
        for memory in std::mem::take(&mut self.with_addresses) {
            let own = memory.sym_name(context).unwrap_or_default();
            let all = memory.addresses(context);
            let all = all
                .and_then(|all| all.as_array(context))
                .unwrap_or_default();
            for address in all {
                let number = |key: &str| address.get(context, key)?.as_i64(context);
                let symbol = address.get(context, "symbol");
                let symbol = symbol.and_then(|symbol| symbol.as_symbol(context));
                let symbol = symbol.unwrap_or_default();
                let generic = address.get(context, "generic").is_some();
                let Some(base) = self.generic_address(symbol, generic) else {
                    let message = format!("takes the address of '{symbol}', which has none");
                    return Err(Fault::at(context, memory.0, &message));
                };
                let addend = number("addend").unwrap_or(0);
                let mut value = base.wrapping_add(addend.cast_unsigned());
                if let Some(mask) = number("mask")
                    .map(i64::cast_unsigned)
                    .filter(|mask| *mask != 0)
                {
                    value = (value & mask) >> mask.trailing_zeros();
                }
                let at = |key| number(key).and_then(|number| usize::try_from(number).ok());
                let (offset, bytes) = (at("offset").unwrap_or(0), at("bytes").unwrap_or(0));
                let found = self.constants.iter_mut().chain(&mut self.globals);
                let mut found = found.filter(|(name, _)| name == own);
                if let Some((_, symbol)) = found.next() {
                    let initial = symbol.initial.iter_mut().skip(offset).take(bytes);
                    for (to, from) in initial.zip(value.to_le_bytes()) {
                        *to = from;
                    }
                }
            }
        }
        Ok(())
    }

    /// Places shared memory without a size behind the other one, where ptxas places it.
    pub(super) fn place_dynamic(&mut self) {
        const ALIGNMENT: usize = 16;
        if let Some(most) = self.dynamic.iter().map(|(_, alignment)| *alignment).max() {
            self.shared = self.shared.next_multiple_of(most.max(ALIGNMENT));
        }
        for (name, _) in self.dynamic.drain(..) {
            self.addresses.insert(name, self.shared as u64);
        }
    }

    pub(super) fn add(&mut self, context: &Context, memory: Memory) {
        use orison_ori::keywords::Space;
        let size = usize::try_from(memory.size(context).unwrap_or(0)).unwrap_or(0);
        let alignment = usize::try_from(memory.alignment(context).unwrap_or(1)).unwrap_or(1);
        let name = memory.sym_name(context).unwrap_or_default().to_owned();
        self.with_addresses.push(memory);
        let initial = memory.initial(context);
        let initial = initial.and_then(|initial| initial.as_integer_array(context));
        let initial = initial.map_or_else(Vec::new, |(_, bytes)| {
            bytes.iter().map(|byte| *byte as u8).collect()
        });
        let mut symbol = Symbol {
            address: 0,
            initial,
            size,
            unknown: memory.initial_text(context).is_some(),
        };
        let behind = |end: &mut usize| {
            let start = end.next_multiple_of(alignment.max(1));
            *end = start.saturating_add(size);
            start as u64
        };
        match memory.space(context) {
            Some(Space::Shared) if size == 0 => {
                self.dynamic.push((name.clone(), alignment));
                self.shared_names.insert(name.clone());
            }
            Some(Space::Shared) => {
                symbol.address = behind(&mut self.shared);
                self.shared_names.insert(name.clone());
            }
            Some(Space::Constant) => {
                let mut end = self
                    .constants
                    .last()
                    .map_or(0, |(_, last)| last.address as usize + last.size);
                symbol.address = behind(&mut end);
                self.constants.push((name.clone(), symbol.clone()));
            }
            _ => {
                symbol.address = GlobalMemory::symbol_address(self.globals.len());
                self.globals.push((name.clone(), symbol.clone()));
            }
        }
        self.addresses.insert(name, symbol.address);
    }
}
