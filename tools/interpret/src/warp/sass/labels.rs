//! The addresses of functions, labels and data of a module.

use orison_sass::function::Function;
use rustc_hash::FxHashMap;

/// The address of the first instruction of a module.
pub(super) const FIRST: u64 = 5 << 32;
/// Bytes of an instruction.
pub(super) const BYTES: u64 = 16;

/// The addresses of functions, labels and data.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// Of labels and functions, by function.
    local: Vec<FxHashMap<String, u64>>,
    global: FxHashMap<String, u64>,
}

impl Labels {
    /// The address of a label that an instruction of a function names.
    pub(super) fn address(&self, function: usize, label: &str) -> Option<u64> {
        let local = self.local.get(function).and_then(|local| local.get(label));
        local.or_else(|| self.global.get(label)).copied()
    }

    /// The value of an expression of the linker: `32@lo(symbol)`, `32@hi((function + label@srel))`.
    pub(super) fn value(&self, text: &str) -> Option<u64> {
        let (part, inside) = text.split_once('(')?;
        let inside = inside.strip_suffix(')')?.trim_matches(['(', ')']);
        let mut sum = 0_u64;
        // The distance of a label from the start of its function, with the function: the label.
        let inside = match inside.split_once(" + ") {
            Some((_, label)) if label.ends_with("@srel") => label,
            _ => inside,
        };
        for name in inside.split(" + ") {
            let name = name.strip_suffix("@srel").unwrap_or(name);
            let found = self.global.get(name).copied();
            let found =
                found.or_else(|| self.local.iter().find_map(|local| local.get(name).copied()));
            sum = sum.wrapping_add(found?);
        }
        match part {
            "32@lo" => Some(sum & u64::from(u32::MAX)),
            "32@hi" => Some(sum >> 32),
            _ => None,
        }
    }

    /// Notes the addresses of a function and of its labels; returns how many instructions it has.
    pub(super) fn add(&mut self, function: &Function<'_>, start: usize) -> usize {
        let address = |number: usize| FIRST + BYTES * number as u64;
        let mut local = FxHashMap::default();
        self.insert(&function.name, address(start));
        let mut count = 0;
        for block in &function.blocks {
            for label in block.labels() {
                local.insert(label.to_owned(), address(start + count));
                if !label.starts_with(".L") && !label.starts_with(".text") {
                    self.insert(label, address(start + count));
                }
            }
            count += block.instructions.len();
        }
        self.local.push(local);
        count
    }

    /// Notes the address of a symbol.
    pub(super) fn insert(&mut self, symbol: &str, address: u64) {
        self.global.insert(symbol.to_owned(), address);
    }

    /// The address of a symbol.
    pub(super) fn symbol(&self, symbol: &str) -> Option<u64> {
        self.global.get(symbol).copied()
    }
}
