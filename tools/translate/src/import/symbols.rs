//! The names of a module: memory, functions, the target.

use std::collections::{HashMap, HashSet};

use orison_sass::assemble::parameter_start;

use super::registers::{Interface, interface};
use super::routines::Routines;
use crate::ptx::ast::{Declaration, Item, Module};
pub(super) use crate::ptx::ast::{bytes_of, lanes_of, size_of};
use crate::ptx::{Error, Place};

/// The symbols of a module.
#[derive(Debug, Default)]
pub(super) struct Symbols<'a> {
    /// The target, `sm_90a`.
    pub target: &'a str,
    /// Its number, 90.
    pub sm: u16,
    /// Whether an unsupported instruction is an error.
    pub is_strict: bool,
    /// Whether addresses of a symbol have 32 bits.
    narrow: HashMap<String, bool>,
    /// The interfaces of functions other than kernels that fit into registers.
    interfaces: HashMap<&'a str, Interface>,
    kernels: HashSet<&'a str>,
    /// Symbols of the module that need an `ori.memory`, in order.
    pub memory: Vec<(&'a Declaration<'a>, &'a str)>,
    /// The location of each.
    places: HashMap<&'a str, usize>,
    /// Aliases, and their functions.
    aliases: HashMap<&'a str, &'a str>,
    /// The functions that expansions call.
    pub routines: Routines,
}

impl<'a> Symbols<'a> {
    /// Collects the names of a module.
    ///
    /// # Errors
    /// A variable that is defined twice, or declared in two spaces; an alias of a name that is not
    /// a function, or whose name is taken.
    pub fn of(module: &'a Module<'a>) -> Result<Self, Error> {
        let mut symbols = Symbols::default();
        for item in &module.items {
            match item {
                Item::Target(names) => {
                    let name = names.first().copied().unwrap_or_default();
                    symbols.target = orison_machine::current_name(name);
                }
                Item::Variable(declaration) => symbols.declare(declaration)?,
                Item::Function(function) => {
                    symbols.narrow.insert(function.name.to_owned(), false);
                    // The definition determines what its declarations must match.
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
                Item::Alias(alias, target) => {
                    symbols.aliases.insert(alias, target);
                }
                _ => {}
            }
        }
        symbols.check_aliases(module)?;
        symbols.sm = orison_machine::sm_number(symbols.target).unwrap_or(0);
        Ok(symbols)
    }

    /// Checks that each alias names a function of the module with a body.
    fn check_aliases(&mut self, module: &'a Module<'a>) -> Result<(), Error> {
        let functions = module.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(function),
            _ => None,
        });
        let defined: HashMap<_, _> = functions
            .filter(|function| function.body.is_some())
            .map(|function| (function.name, function.is_kernel))
            .collect();
        // An alias has no location in the tree; the module's errors are reported at its start.
        let place = Place { line: 1, column: 1 };
        let mut aliases: Vec<_> = self.aliases.iter().collect();
        aliases.sort_unstable();
        for (alias, target) in aliases {
            let message = if defined.contains_key(alias) {
                format!("alias '{alias}' redefines a function")
            } else if defined.get(target) != Some(&false) {
                format!("alias '{alias}' refers to '{target}', which is not a function with a body")
            } else {
                continue;
            };
            return Err(Error { place, message });
        }
        for (alias, target) in &self.aliases {
            if let Some(interface) = self.interfaces.get(target).cloned() {
                self.interfaces.insert(alias, interface);
            }
            self.narrow.insert((*alias).to_owned(), false);
        }
        Ok(())
    }

    /// The function that a name is an alias of; otherwise the name itself.
    pub fn aliased<'n>(&'n self, name: &'n str) -> &'n str {
        self.alias(name).unwrap_or(name)
    }

    /// The function that a name is an alias of.
    pub fn alias(&self, name: &str) -> Option<&'a str> {
        self.aliases.get(name).copied()
    }

    fn declare(&mut self, declaration: &'a Declaration<'a>) -> Result<(), Error> {
        let Some(narrow) = narrow(declaration) else {
            return Ok(());
        };
        if declaration.space == ".local" {
            return Err(Error {
                place: declaration.place,
                message: "a '.local' variable must be declared in a function".to_owned(),
            });
        }
        for name in &declaration.names {
            if self.narrow.insert(name.name.to_owned(), narrow).is_none() {
                self.places.insert(name.name, self.memory.len());
                self.memory.push((declaration, name.name));
                continue;
            }
            let error = |message| {
                let place = name.place;
                Err(Error { place, message })
            };
            let Some(known) = self
                .places
                .get(name.name)
                .map(|place| &mut self.memory[*place])
            else {
                return error(format!("'{}' is also the name of a function", name.name));
            };
            if known.0.space != declaration.space {
                let spaces = [known.0.space, declaration.space];
                let [first, second] = spaces;
                let name = name.name;
                return error(format!("'{name}' is declared in {first} and in {second}"));
            }
            // A declaration states whether a variable is defined here or elsewhere.
            match (is_extern(known.0), is_extern(declaration)) {
                (true, false) => known.0 = declaration,
                (_, true) => {}
                (false, false) => return error(format!("'{}' is defined twice", name.name)),
            }
        }
        Ok(())
    }

    /// The symbol of memory that a function declares; whether it is new. Two functions may declare
    /// the same name.
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

    /// Whether addresses of a symbol have 32 bits; `None` if there is no such symbol.
    pub fn is_narrow(&self, name: &str) -> Option<bool> {
        self.narrow.get(name).copied()
    }

    /// The parameters and results of a function; `None` for kernels, and if they do not fit into
    /// registers.
    pub fn interface(&self, function: &str) -> Option<&Interface> {
        let interface = self.interfaces.get(function);
        interface.filter(|_| !self.kernels.contains(function))
    }

    /// The offset of kernel parameters in constant bank 0.
    pub fn parameter_place(&self) -> Option<i32> {
        let known = (self.sm >= 70).then(|| parameter_start(self.sm))?;
        i32::try_from(known).ok()
    }

    /// The offset of the extents of CTA and grid in constant bank 0.
    pub fn launch_place(&self) -> Option<i32> {
        match self.sm {
            70..=99 => Some(0),
            100.. => Some(0x360),
            _ => None,
        }
    }
}

/// Whether a variable is only declared.
fn is_extern(declaration: &Declaration<'_>) -> bool {
    declaration.linkage == Some(".extern")
}

/// Whether addresses of declared memory have 32 bits; `None` for anything but memory.
fn narrow(declaration: &Declaration<'_>) -> Option<bool> {
    match declaration.space {
        ".shared" | ".local" => Some(true),
        ".global" | ".const" => Some(false),
        _ => None,
    }
}
