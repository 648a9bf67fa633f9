//! The registers of a PTX program, where the locations of operations name them (`--ptx-locations`).
//!
//! Values have registers of their own, and so no value can be written while a product uses it. PTX
//! registers can: with [`Launch::source_registers`](super::Launch::source_registers), a kernel is
//! checked against the rules of the PTX ISA for them. A register of an accumulator or of a left factor
//! may not be written until a wait has completed the product, and a fence must be between every access
//! to it and the product (sections "wgmma.mma_async" and "wgmma.fence"). Reads in flight are errors in
//! any case (`warp_group.rs`).
//!
//! The rules are for kernels before `ori-gmma`: afterwards, the names say where values come from, and
//! register allocation is yet to choose their registers.

use orison_ir::{Context, LocationKind, Operation};
use rustc_hash::FxHashMap;

/// The names of registers of a function; their numbers start at 1.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceNames {
    numbers: FxHashMap<String, u32>,
    names: Vec<String>,
}

impl SourceNames {
    /// The registers that an operation writes, one for each word of its results; none if its location
    /// does not name as many.
    pub(super) fn written(&mut self, context: &Context, op: Operation, words: usize) -> Vec<u32> {
        let location = op.location(context);
        let LocationKind::Name { name, .. } = location.kind(context) else {
            return Vec::new();
        };
        let text = name.text(context);
        let inner = text.trim_start_matches('{').trim_end_matches('}');
        let names: Vec<&str> = inner.split(", ").collect();
        if names.len() != words {
            return Vec::new();
        }
        let numbers = names.into_iter().map(|name| self.number(name));
        numbers.collect()
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.names.push(name.to_owned());
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The name of a register.
    pub(super) fn name(&self, number: u32) -> &str {
        let index = (number as usize).checked_sub(1);
        index.map_or("?", |index| &self.names[index])
    }
}

/// What happened to a register.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    /// The last group with a product that uses it, counted from 1.
    pub(super) group: u32,
    /// The fences, and one more, before the last access of another instruction.
    pub(super) accessed: u32,
}

/// What happened to the registers of a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceUses {
    /// By number.
    pub(super) of: FxHashMap<u32, Uses>,
    complete: u32,
}

impl SourceUses {
    /// Completes the groups up to a number.
    pub(super) fn complete(&mut self, group: u32) {
        self.complete = self.complete.max(group);
    }

    /// Whether a product in flight uses a register.
    pub(super) fn is_in_flight(&self, number: u32) -> bool {
        let uses = self.of.get(&number);
        uses.is_some_and(|uses| uses.group > self.complete)
    }
}
