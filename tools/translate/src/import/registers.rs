//! The names that a PTX function declares, by scope, and its registers by index.
//!
//! Parameters of functions and the `.param` variables of calls are memory whose address cannot be
//! taken: each is represented by registers, its cells.

use std::collections::{HashMap, HashSet};

use orison_ori::Register;

use super::symbols::{bytes_of, size_of};
use crate::ptx::Error;
pub(super) use crate::ptx::ast::names;
use crate::ptx::ast::{Declaration, Declarator, Function, Statement, StatementKind};

/// The maximum number of 32-bit registers of a parameter: those of a thread.
const MAX_WORDS: u64 = 255;

/// A part of a `.param` variable that is one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// The index of the register.
    pub number: usize,
    /// Its type.
    pub register: Register,
    /// Its offset in the variable, in bytes.
    pub offset: u32,
    /// Its size in bytes.
    pub bytes: u32,
}

/// A scope.
#[derive(Debug, Default)]
struct Scope<'a> {
    /// The parent scope; that of the function is its own parent.
    around: usize,
    exact: HashMap<&'a str, Register>,
    counted: HashMap<&'a str, (u64, Register)>,
    /// Names of registers, or their prefixes, of 16 bits.
    halves: HashSet<&'a str>,
    variables: HashMap<&'a str, Vec<Cell>>,
    /// Names of memory.
    memory: HashMap<&'a str, Memory>,
}

/// Memory that a function declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// A symbol of the module.
    Symbol(String),
    /// A slot of the frame of the function.
    Slot(String),
}

/// The entity of a name.
enum Meaning<'s> {
    Register(Register),
    Variable(&'s [Cell]),
    Memory(&'s Memory),
}

/// The declared names of a function; registers are numbered.
#[derive(Debug, Default)]
pub(super) struct Registers<'a> {
    /// In the order of their opening braces.
    scopes: Vec<Scope<'a>>,
    numbers: HashMap<(usize, &'a str), usize>,
    kinds: Vec<Register>,
    /// The registers of the parameters of a function other than a kernel, in order.
    pub arguments: Vec<usize>,
    /// The registers of its results.
    pub results: Vec<usize>,
    /// The carry flag, as a register, once used.
    carry: Option<usize>,
    /// Address-taken parameters: they are stored to the frame at the start of the function.
    pub spilled: Vec<Spilled>,
}

/// A parameter in the frame.
#[derive(Debug)]
pub(super) struct Spilled {
    /// The slot.
    pub slot: String,
    /// The registers in which it is passed.
    pub cells: Vec<Cell>,
}

impl<'a> Registers<'a> {
    /// The names that a function declares, including nested scopes. `home` gives the memory of a
    /// declared name.
    ///
    /// # Errors
    /// If one scope declares a register with two types, or those of `home`.
    pub fn of(
        function: &'a Function<'a>,
        home: &mut impl FnMut(&'a Declaration<'a>, &'a Declarator<'a>) -> Result<Memory, Error>,
    ) -> Result<Self, Error> {
        let mut registers = Registers::default();
        let statements = function.body.as_deref().unwrap_or_default();
        registers.scopes.push(Scope::default());
        if !function.is_kernel && interface(function).is_some() {
            let parameters = function.parameters.as_deref().unwrap_or_default();
            registers.arguments = registers.formals(parameters)?;
            registers.results = registers.formals(&function.results)?;
        }
        registers.declare_all(statements, 0, home)?;
        Ok(registers)
    }

    /// Declares parameters of the function; returns their registers.
    fn formals(&mut self, declarations: &'a [Declaration<'a>]) -> Result<Vec<usize>, Error> {
        let mut numbers = Vec::new();
        for declaration in declarations {
            for name in &declaration.names {
                if declaration.space == ".reg" {
                    self.declare_register(declaration, name, 0)?;
                    numbers.extend(self.number(0, name.name));
                } else {
                    self.declare_variable(declaration, name, 0);
                    let cells = self.variable(0, name.name).unwrap_or_default();
                    numbers.extend(cells.iter().map(|cell| cell.number));
                }
            }
        }
        Ok(numbers)
    }

    fn declare_all(
        &mut self,
        statements: &'a [Statement<'a>],
        scope: usize,
        home: &mut impl FnMut(&'a Declaration<'a>, &'a Declarator<'a>) -> Result<Memory, Error>,
    ) -> Result<(), Error> {
        for statement in statements {
            match &statement.kind {
                StatementKind::Declaration(declaration) => {
                    for name in &declaration.names {
                        match declaration.space {
                            ".reg" => self.declare_register(declaration, name, scope)?,
                            ".param" => self.declare_variable(declaration, name, scope),
                            ".shared" | ".local" | ".global" | ".const" => {
                                let memory = &mut self.scopes[scope].memory;
                                if !memory.contains_key(name.name) {
                                    memory.insert(name.name, home(declaration, name)?);
                                }
                            }
                            _ => {}
                        }
                    }
                }
                StatementKind::Block(inner) => {
                    let inside = self.scopes.len();
                    self.scopes.push(Scope {
                        around: scope,
                        ..Scope::default()
                    });
                    self.declare_all(inner, inside, home)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn declare_register(
        &mut self,
        declaration: &'a Declaration<'a>,
        name: &'a Declarator<'a>,
        scope: usize,
    ) -> Result<(), Error> {
        let register = register_of(declaration.ty);
        let scope = &mut self.scopes[scope];
        if declaration.ty.ends_with("16") {
            scope.halves.insert(name.name);
        }
        let before = match name.count {
            Some(count) => {
                let known = scope.counted.get(name.name).copied();
                let most = known.map_or(count, |(known, _)| known.max(count));
                scope.counted.insert(name.name, (most, register));
                known.map(|(_, register)| register)
            }
            None => scope.exact.insert(name.name, register),
        };
        if before.is_some_and(|before| before != register) {
            let message = format!("register '{}' is declared with two types", name.name);
            let place = name.place;
            return Err(Error { place, message });
        }
        Ok(())
    }

    fn declare_variable(
        &mut self,
        declaration: &Declaration<'_>,
        name: &'a Declarator<'a>,
        scope: usize,
    ) {
        let Some(shape) = shape(declaration, name) else {
            return;
        };
        let size = size_of(declaration, &name.extents).unwrap_or(0);
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        let mut cells = Vec::new();
        let mut offset = 0;
        for register in shape {
            let bytes = (4 * register.words().unwrap_or(1)).min(size - offset);
            cells.push(Cell {
                number: self.kinds.len(),
                register,
                offset,
                bytes,
            });
            self.kinds.push(register);
            offset += bytes;
        }
        self.scopes[scope].variables.insert(name.name, cells);
    }

    /// The innermost scope that declares a name, and its entity.
    fn find(&self, mut scope: usize, name: &str) -> Option<(usize, Meaning<'_>)> {
        loop {
            let here = &self.scopes[scope];
            if let Some(register) = here.register(name) {
                return Some((scope, Meaning::Register(register)));
            }
            if let Some(cells) = here.variables.get(name) {
                return Some((scope, Meaning::Variable(cells)));
            }
            if let Some(symbol) = here.memory.get(name) {
                return Some((scope, Meaning::Memory(symbol)));
            }
            if here.around == scope {
                return None;
            }
            scope = here.around;
        }
    }

    /// The type of a register, as visible from a scope; `None` for names that are not registers.
    pub fn kind(&self, scope: usize, name: &str) -> Option<Register> {
        match self.find(scope, name)? {
            (_, Meaning::Register(register)) => Some(register),
            _ => None,
        }
    }

    /// Whether a register has 16 bits, as visible from a scope.
    pub fn is_half(&self, scope: usize, name: &str) -> bool {
        let Some((scope, Meaning::Register(_))) = self.find(scope, name) else {
            return false;
        };
        let prefix = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let known = &self.scopes[scope];
        known.halves.contains(name)
            || !known.exact.contains_key(name) && known.halves.contains(prefix)
    }

    /// The cells of a `.param` variable, as visible from a scope.
    pub fn variable(&self, scope: usize, name: &str) -> Option<&[Cell]> {
        match self.find(scope, name)? {
            (_, Meaning::Variable(cells)) => Some(cells),
            _ => None,
        }
    }

    /// The memory that the function declares under a name, as visible from a scope.
    pub fn memory(&self, scope: usize, name: &str) -> Option<&Memory> {
        match self.find(scope, name)? {
            (_, Meaning::Memory(symbol)) => Some(symbol),
            _ => None,
        }
    }

    /// Removes address-taken variables: `(scope, name)` as visible from there.
    pub fn forget(&mut self, escaped: &HashSet<(usize, &'a str)>) {
        let found = escaped.iter().filter_map(|(scope, name)| {
            let (declared, _) = self.find(*scope, name)?;
            Some((declared, *name))
        });
        let found: Vec<_> = found.collect();
        for (scope, name) in found {
            self.scopes[scope].variables.remove(name);
        }
    }

    /// The index of a register, assigned on first use.
    pub fn number(&mut self, scope: usize, name: &'a str) -> Option<usize> {
        let (scope, Meaning::Register(kind)) = self.find(scope, name)? else {
            return None;
        };
        let next = self.kinds.len();
        let number = *self.numbers.entry((scope, name)).or_insert(next);
        if number == next {
            self.kinds.push(kind);
        }
        Some(number)
    }

    /// The index of a register, if already assigned.
    pub fn known(&self, scope: usize, name: &'a str) -> Option<usize> {
        let (scope, Meaning::Register(_)) = self.find(scope, name)? else {
            return None;
        };
        self.numbers.get(&(scope, name)).copied()
    }

    /// The index of the carry flag, assigned on first use.
    pub fn carry(&mut self) -> usize {
        *self.carry.get_or_insert_with(|| {
            self.kinds.push(Register::P);
            self.kinds.len() - 1
        })
    }

    /// The index of the carry flag, if already assigned.
    pub fn known_carry(&self) -> Option<usize> {
        self.carry
    }

    /// Moves a parameter of the function to a slot of the frame.
    pub fn spill(&mut self, name: &'a str, slot: String) {
        if let Some(cells) = self.scopes[0].variables.remove(name) {
            let memory = Memory::Slot(slot.clone());
            self.scopes[0].memory.insert(name, memory);
            self.spilled.push(Spilled { slot, cells });
        }
    }

    /// The type of the register with an index.
    pub fn kind_of(&self, number: usize) -> Register {
        self.kinds[number]
    }

    /// The number of indexed registers.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }
}

impl Scope<'_> {
    fn register(&self, name: &str) -> Option<Register> {
        if let Some(register) = self.exact.get(name) {
            return Some(*register);
        }
        if self.counted.is_empty() {
            return None;
        }
        let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let (count, register) = self.counted.get(stem)?;
        let number: u64 = name[stem.len()..].parse().ok()?;
        (number < *count).then_some(*register)
    }
}

/// The register that holds values of a PTX type.
pub(super) fn register_of(ty: &str) -> Register {
    match ty {
        ".pred" => Register::P,
        ".b64" | ".u64" | ".s64" | ".f64" | ".f32x2" => Register::R64,
        ".b128" => Register::R128,
        _ => Register::R,
    }
}

/// The registers in which a parameter is passed: one for a number, 32-bit registers for an array.
/// `None` if its size is open, not a number, or exceeds the registers of a thread.
fn shape(declaration: &Declaration<'_>, name: &Declarator<'_>) -> Option<Vec<Register>> {
    if declaration.space == ".reg" {
        return name
            .count
            .is_none()
            .then(|| vec![register_of(declaration.ty)]);
    }
    if name.extents.is_empty() && declaration.vector.is_none() {
        let words = u32::try_from(bytes_of(declaration.ty).div_ceil(4)).ok()?;
        return Some(vec![Register::general(words)]);
    }
    let size = size_of(declaration, &name.extents).filter(|size| *size > 0)?;
    let words = size.div_ceil(4);
    (words <= MAX_WORDS).then(|| vec![Register::R; usize::try_from(words).unwrap_or(0)])
}

/// The interface of a function: the registers of each parameter and result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Interface {
    /// Of the parameters.
    pub arguments: Vec<Vec<Register>>,
    /// Of the results.
    pub results: Vec<Vec<Register>>,
}

impl Interface {
    /// The registers of parameters and results; `None` if a parameter does not fit into registers.
    pub fn of(parameters: &[Declaration<'_>], results: &[Declaration<'_>]) -> Option<Self> {
        let of = |declarations: &[Declaration<'_>]| -> Option<Vec<Vec<Register>>> {
            let names = declarations.iter().flat_map(|declaration| {
                let names = declaration.names.iter();
                names.map(move |name| shape(declaration, name))
            });
            names.collect()
        };
        Some(Interface {
            arguments: of(parameters)?,
            results: of(results)?,
        })
    }
}

/// The interface of a function other than a kernel.
pub(super) fn interface(function: &Function<'_>) -> Option<Interface> {
    let parameters = function.parameters.as_deref().unwrap_or_default();
    Interface::of(parameters, &function.results)
}
