//! The names of a module and their scopes.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use super::target::Need;
use super::types::Type;
use crate::ptx::ast::{Function, Prototype};

/// A label of a body.
#[derive(Clone, Copy, Debug)]
pub(super) enum Label<'a> {
    /// Of an instruction.
    Code,
    /// Of `.branchtargets`.
    Branches,
    /// Of `.calltargets`.
    Calls(&'a [&'a str]),
    /// Of `.callprototype`.
    Prototype(&'a Prototype<'a>),
}

/// Whether a variable is a parameter of the current function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Formal {
    /// No.
    No,
    /// An input parameter: read only.
    Input,
    /// An output parameter: write only.
    Output,
}

/// A named memory variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable<'a> {
    /// The space, with its dot.
    pub space: &'a str,
    /// The type of its elements.
    pub ty: Type,
    /// Size in bytes; `None` if the extent is open.
    pub size: Option<u64>,
    /// Whether it is a parameter of the function.
    pub role: Formal,
    /// Whether it is only declared.
    pub is_extern: bool,
}

/// The entity of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity<'a> {
    /// A register and its number of elements.
    Register(Type, usize),
    /// Memory.
    Variable(Variable<'a>),
    /// A kernel or function.
    Function(&'a Function<'a>),
    /// A label.
    Label(Label<'a>),
    /// A special register.
    Special(&'static Special),
}

/// A special register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Special {
    /// The types it can be read with.
    pub types: Vec<Type>,
    /// Its number of elements.
    pub elements: usize,
    /// Its target requirements.
    pub need: Option<Need>,
}

static SPECIAL: LazyLock<HashMap<String, Special>> = LazyLock::new(|| {
    let lines: BTreeMap<String, String> =
        toml::from_str(include_str!("special.toml")).unwrap_or_default();
    let entries = lines.into_iter().filter_map(|(name, line)| {
        let (ty, need) = match line.split_once('@') {
            Some((ty, need)) => (ty, Some(Need::parse(need).ok()?)),
            None => (line.as_str(), None),
        };
        let (elements, ty) = match ty.strip_prefix("v4.") {
            Some(ty) => (4, ty),
            None => (1, ty),
        };
        let types = ty.split('/').map(Type::named).collect::<Option<_>>()?;
        let special = Special {
            types,
            elements,
            need,
        };
        Some((name, special))
    });
    entries.collect()
});

/// The special register with this name; `%envreg0` to `%envreg31` too.
fn special(name: &str) -> Option<&'static Special> {
    if let Some(number) = name.strip_prefix("%envreg") {
        let number: u32 = number.parse().ok()?;
        return (number < 32).then(|| SPECIAL.get("%laneid"))?;
    }
    SPECIAL.get(name)
}

/// A scope.
#[derive(Debug, Default)]
struct Scope<'a> {
    names: HashMap<&'a str, Entity<'a>>,
    /// Registers `%r<10>`, by the prefix before the number.
    counted: HashMap<&'a str, (u64, Entity<'a>)>,
    /// The smallest number suffix of a name, by prefix.
    numbered: HashMap<&'a str, u64>,
}

/// A name and its number suffix.
fn numbered(name: &str) -> Option<(&str, u64)> {
    let stem = name.trim_end_matches(|last: char| last.is_ascii_digit());
    Some((stem, name[stem.len()..].parse().ok()?))
}

impl<'a> Scope<'a> {
    fn find(&self, name: &str) -> Option<Entity<'a>> {
        if let Some(entity) = self.names.get(name) {
            return Some(*entity);
        }
        if self.counted.is_empty() {
            return None;
        }
        let (stem, number) = numbered(name)?;
        let (count, entity) = self.counted.get(stem)?;
        (number < *count).then_some(*entity)
    }
}

/// The names visible at a location.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    /// The scope of the module first, the innermost last.
    scopes: Vec<Scope<'a>>,
}

impl<'a> Names<'a> {
    /// Opens a scope.
    pub fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        self.scopes.pop();
    }

    /// The entity of a name.
    pub fn find(&self, name: &str) -> Option<Entity<'a>> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.find(name));
        found.or_else(|| special(name).map(Entity::Special))
    }

    /// The entity of a name in the innermost scope.
    pub fn find_here(&self, name: &str) -> Option<Entity<'a>> {
        self.scopes.last()?.find(name)
    }

    /// Declares a name in the innermost scope; returns whether it was new.
    pub fn declare(&mut self, name: &'a str, entity: Entity<'a>) -> bool {
        let Some(scope) = self.scopes.last_mut() else {
            return true;
        };
        let is_new = scope.find(name).is_none();
        scope.names.insert(name, entity);
        if let Some((stem, number)) = numbered(name) {
            let least = scope.numbered.entry(stem).or_insert(number);
            *least = number.min(*least);
        }
        is_new
    }

    /// Declares names in the innermost scope, `%r0` to `%r9` of `%r<10>`; returns whether all were
    /// new.
    pub fn declare_counted(&mut self, stem: &'a str, count: u64, entity: Entity<'a>) -> bool {
        let Some(scope) = self.scopes.last_mut() else {
            return true;
        };
        let is_free = scope.numbered.get(stem).is_none_or(|least| *least >= count);
        is_free & scope.counted.insert(stem, (count, entity)).is_none()
    }
}
