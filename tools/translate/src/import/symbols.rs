//! The names of a module: memory, functions, the target.

use std::collections::{HashMap, HashSet};

use super::registers::{Interface, interface};
use crate::ptx::ast::{Declaration, Expression, Item, Module};

/// What the names of a module stand for.
#[derive(Debug, Default)]
pub(super) struct Symbols<'a> {
    /// The target, `sm_90a`.
    pub target: &'a str,
    /// Its number, 90.
    pub sm: u16,
    /// Whether addresses of a symbol have 32 bits.
    narrow: HashMap<String, bool>,
    /// What functions that are no kernels take and return, as far as it fits into registers.
    interfaces: HashMap<&'a str, Interface>,
    kernels: HashSet<&'a str>,
    /// Symbols of the module that need an `ori.memory`, in order.
    pub memory: Vec<(&'a Declaration<'a>, &'a str)>,
}

impl<'a> Symbols<'a> {
    /// The names of a module.
    pub fn of(module: &'a Module<'a>) -> Self {
        let mut symbols = Symbols::default();
        for item in &module.items {
            match item {
                Item::Target(names) => symbols.target = names.first().copied().unwrap_or_default(),
                Item::Variable(declaration) => symbols.declare(declaration),
                Item::Function(function) => {
                    symbols.narrow.insert(function.name.to_owned(), false);
                    // What a definition says is what its declarations should say.
                    if function.is_kernel {
                        symbols.kernels.insert(function.name);
                    }
                    let known = symbols.interfaces.contains_key(function.name);
                    if function.is_kernel || (known && function.body.is_none()) {
                        continue;
                    }
                    if let Some(interface) = interface(function) {
                        symbols.interfaces.insert(function.name, interface);
                    }
                }
                _ => {}
            }
        }
        symbols.sm = orison_ori::operations::sm_number(symbols.target).unwrap_or(0);
        symbols
    }

    fn declare(&mut self, declaration: &'a Declaration<'a>) {
        let Some(narrow) = narrow(declaration) else {
            return;
        };
        for name in &declaration.names {
            if self.narrow.insert(name.name.to_owned(), narrow).is_none() {
                self.memory.push((declaration, name.name));
            }
        }
    }

    /// The symbol of memory that a function declares; whether it is a new one. Two functions may
    /// declare the same name.
    pub fn declare_in(
        &mut self,
        function: &str,
        declaration: &Declaration<'_>,
        name: &str,
    ) -> (String, bool) {
        let narrow = narrow(declaration).unwrap_or(false);
        let known = self.narrow.contains_key(name);
        if known && declaration.linkage == Some(".extern") {
            return (name.to_owned(), false);
        }
        let mut symbol = name.to_owned();
        let mut number = 0;
        while self.narrow.contains_key(&symbol) {
            symbol = match number {
                0 => format!("{function}.{name}"),
                number => format!("{function}.{name}.{number}"),
            };
            number += 1;
        }
        self.narrow.insert(symbol.clone(), narrow);
        (symbol, true)
    }

    /// Whether addresses of a symbol have 32 bits; none when there is no such symbol.
    pub fn is_narrow(&self, name: &str) -> Option<bool> {
        self.narrow.get(name).copied()
    }

    /// What a function takes and returns; none of kernels, and where it does not fit into registers.
    pub fn interface(&self, function: &str) -> Option<&Interface> {
        let interface = self.interfaces.get(function);
        interface.filter(|_| !self.kernels.contains(function))
    }

    /// Where the parameters of kernels begin in constant bank 0 (seen in what ptxas 13.0 emits).
    pub fn parameter_place(&self) -> Option<i32> {
        match self.sm {
            70..=89 => Some(0x160),
            90..=99 => Some(0x210),
            100.. => Some(0x380),
            _ => None,
        }
    }

    /// Where the extents of CTA and grid begin in constant bank 0.
    pub fn launch_place(&self) -> Option<i32> {
        match self.sm {
            70..=99 => Some(0),
            100.. => Some(0x360),
            _ => None,
        }
    }
}

/// Whether addresses of declared memory have 32 bits; none for anything but memory.
fn narrow(declaration: &Declaration<'_>) -> Option<bool> {
    match declaration.space {
        ".shared" | ".local" => Some(true),
        ".global" | ".const" => Some(false),
        _ => None,
    }
}

/// Bytes of an element of a PTX type.
pub(super) fn bytes_of(ty: &str) -> u64 {
    match ty {
        ".b8" | ".u8" | ".s8" => 1,
        ".b16" | ".u16" | ".s16" | ".f16" | ".bf16" => 2,
        ".b64" | ".u64" | ".s64" | ".f64" | ".f32x2" | ".texref" | ".samplerref" | ".surfref" => 8,
        ".b128" => 16,
        _ => 4,
    }
}

/// How many elements a declared type has: `.v4`.
pub(super) fn lanes_of(declaration: &Declaration<'_>) -> u64 {
    match declaration.vector {
        Some(".v2") => 2,
        Some(".v4") => 4,
        Some(".v8") => 8,
        _ => 1,
    }
}

/// Bytes of a declared name, 0 for an open extent; none when an extent is no number.
pub(super) fn size_of(
    declaration: &Declaration<'_>,
    extents: &[Option<Expression<'_>>],
) -> Option<u64> {
    let mut size = bytes_of(declaration.ty) * lanes_of(declaration);
    for extent in extents {
        let extent = match extent {
            Some(extent) => u64::try_from(extent.as_integer()?).ok()?,
            None => 0,
        };
        size = size.checked_mul(extent)?;
    }
    Some(size)
}
