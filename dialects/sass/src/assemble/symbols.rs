//! The symbols of a cubin.

use rustc_hash::FxHashSet;

use super::code::Reference;
use super::information::CLUSTERS;
use super::sections::{Builder, SHARED_OF_SYSTEM};
use crate::cubin::{Symbol, relocation, section_flags, section_kind};
use crate::function::Function;
use crate::listing::Note;

/// Types of symbols.
const OBJECT: u8 = 1;
const FUNCTION: u8 = 2;
const SECTION: u8 = 3;
/// Bindings of symbols.
const LOCAL: u8 = 0;
const GLOBAL: u8 = 1 << 4;
const WEAK: u8 = 2 << 4;
/// The property of symbols of kernels.
const ENTRY: u8 = 0x10;
/// The property of the symbol where shared memory of the system begins.
const RESERVED_SHARED: u8 = 0xa0;

impl Builder<'_> {
    /// All symbols: of sections, of functions and objects that only this file sees, and others. Returns how many come
    /// before those that other files see.
    pub(super) fn number_symbols(&mut self) -> u32 {
        self.symbols.push(Symbol::default());
        self.add_section_symbols();
        let mut seen = Vec::new();
        let functions = self.program.functions.iter().zip(&self.code);
        for (function, code) in functions {
            let is_kernel = self.facts(&function.name).resources.kernel;
            let binding = binding(function);
            let symbol = Symbol {
                name: function.name.clone(),
                info: FUNCTION | binding,
                other: if is_kernel { ENTRY } else { 0 },
                section: self.section_number(&function.section()),
                value: 0,
                size: u64::try_from(code.bytes.len()).unwrap_or(0),
            };
            seen.push(symbol);
        }
        for data in &self.data {
            let section = self.section_number(&data.name);
            let objects = data.objects.iter().filter(|_| section != 0);
            seen.extend(objects.map(|object| Symbol {
                name: object.name.clone(),
                info: OBJECT | if object.global { GLOBAL } else { LOCAL },
                other: 0,
                section,
                value: object.offset,
                size: object.size,
            }));
        }
        self.add_reserved(&mut seen);
        self.add_undefined(&mut seen);
        // Locals, weak ones, globals.
        seen.sort_by_key(|symbol| match symbol.info & 0xf0 {
            LOCAL => 0,
            WEAK => 1,
            _ => 2,
        });
        let locals = seen.iter().filter(|symbol| symbol.info & 0xf0 == LOCAL);
        let locals = self.symbols.len() + locals.count();
        for symbol in seen {
            let number = u32::try_from(self.symbols.len()).unwrap_or(0);
            self.numbers
                .entry(symbol.name.to_string())
                .or_insert(number);
            self.symbols.push(symbol);
        }
        u32::try_from(locals).unwrap_or(0)
    }

    fn section_number(&self, name: &str) -> u16 {
        self.index(name)
            .and_then(|index| u16::try_from(index).ok())
            .unwrap_or(0)
    }

    fn add_section_symbols(&mut self) {
        for index in 0..self.planned.len() {
            let planned = &self.planned[index];
            let named = [".debug_frame", ".nv.callgraph", ".nv.rel.action"];
            let is_loaded = planned.flags & section_flags::ALLOCATED != 0;
            let is_note = planned.kind == section_kind::NOTES;
            if !(is_loaded || is_note || named.contains(&&*planned.name)) {
                continue;
            }
            let symbol = Symbol {
                name: (&*planned.name).into(),
                info: SECTION | LOCAL,
                section: u16::try_from(index + 1).unwrap_or(0),
                ..Symbol::default()
            };
            let number = u32::try_from(self.symbols.len()).unwrap_or(0);
            self.numbers.insert(planned.name.clone(), number);
            self.symbols.push(symbol);
        }
    }

    /// Where the shared memory of the system is.
    fn add_reserved(&self, seen: &mut Vec<Symbol>) {
        if self.machine < CLUSTERS {
            return;
        }
        let value = self.reserved_shared();
        seen.push(Symbol {
            name: ".nv.reservedSmem.offset0".into(),
            info: OBJECT | WEAK,
            value,
            size: 4,
            ..Symbol::default()
        });
        seen.push(Symbol {
            name: "__nv_reservedSMEM_offset_0_alias".into(),
            info: WEAK,
            other: RESERVED_SHARED,
            section: self.section_number(".nv.shared.reserved.0"),
            value,
            size: 0,
        });
        if self.machine >= SHARED_OF_SYSTEM {
            seen.push(Symbol {
                name: ".nv.reservedSmem.cap".into(),
                info: OBJECT | WEAK,
                value: 0x400,
                size: 4,
                ..Symbol::default()
            });
        }
    }

    /// What is referred to and nowhere in the file.
    fn add_undefined(&self, seen: &mut Vec<Symbol>) {
        let mut known: FxHashSet<Box<str>> = seen.iter().map(|found| found.name.clone()).collect();
        let code = self.code.iter().flat_map(|code| &code.references);
        let data = self.data.iter().flat_map(|data| &data.references);
        for Reference { symbol, kind, .. } in code.chain(data) {
            if self.numbers.contains_key(&**symbol) || !known.insert(symbol.clone()) {
                continue;
            }
            let is_called = relocation::is_call(*kind);
            seen.push(Symbol {
                name: symbol.clone(),
                info: GLOBAL | if is_called { FUNCTION } else { OBJECT },
                ..Symbol::default()
            });
        }
    }
}

/// Who sees a function.
fn binding(function: &Function<'_>) -> u8 {
    let notes = function.blocks.first().map(|block| &block.notes);
    let directives = notes.into_iter().flatten().filter_map(|note| match note {
        Note::Directive(directive) if *directive.arguments == *function.name => {
            Some(&*directive.name)
        }
        _ => None,
    });
    let mut binding = LOCAL;
    for name in directives {
        match name {
            ".global" => binding = GLOBAL,
            ".weak" => binding = WEAK,
            _ => {}
        }
    }
    binding
}
