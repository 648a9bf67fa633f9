//! What the names of a module stand for, by the braces they are declared in.

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

/// Whether a variable is a parameter of the function that it is seen from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Formal {
    /// No.
    No,
    /// It is handed over: read only.
    Input,
    /// It is given back: written only.
    Output,
}

/// Memory with a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable<'a> {
    /// The space, with its dot.
    pub space: &'a str,
    /// The type of its elements.
    pub ty: Type,
    /// Bytes, none where the extent is open.
    pub size: Option<u64>,
    /// Whether it is a parameter of the function.
    pub role: Formal,
    /// Whether it is declared only.
    pub is_extern: bool,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity<'a> {
    /// A register and how many elements it has.
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
    /// The types that it can be read with.
    pub types: Vec<Type>,
    /// How many elements it has.
    pub elements: usize,
    /// What it needs.
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

/// The special register with a name; `%envreg0` to `%envreg31` too.
fn special(name: &str) -> Option<&'static Special> {
    if let Some(number) = name.strip_prefix("%envreg") {
        let number: u32 = number.parse().ok()?;
        return (number < 32).then(|| SPECIAL.get("%laneid"))?;
    }
    SPECIAL.get(name)
}

/// What stands between two braces.
#[derive(Debug, Default)]
struct Scope<'a> {
    names: HashMap<&'a str, Entity<'a>>,
    /// Registers `%r<10>`, by what stands before the number.
    counted: HashMap<&'a str, (u64, Entity<'a>)>,
    /// The least number that a name ends in, by what stands before it.
    numbered: HashMap<&'a str, u64>,
}

/// A name and the number it ends in.
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

/// The names that are seen from a place.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    /// That of the module first, the innermost last.
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

    /// What a name stands for.
    pub fn find(&self, name: &str) -> Option<Entity<'a>> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.find(name));
        found.or_else(|| special(name).map(Entity::Special))
    }

    /// What a name stands for in the innermost scope.
    pub fn find_here(&self, name: &str) -> Option<Entity<'a>> {
        self.scopes.last()?.find(name)
    }

    /// Gives a name of the innermost scope a meaning, and whether it had none.
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

    /// Gives names of the innermost scope, `%r0` to `%r9` of `%r<10>`, a meaning, and whether none of
    /// them had one.
    pub fn declare_counted(&mut self, stem: &'a str, count: u64, entity: Entity<'a>) -> bool {
        let Some(scope) = self.scopes.last_mut() else {
            return true;
        };
        let is_free = scope.numbered.get(stem).is_none_or(|least| *least >= count);
        is_free & scope.counted.insert(stem, (count, entity)).is_none()
    }
}
