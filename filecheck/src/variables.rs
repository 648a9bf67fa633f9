//! Variables and their values.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::number::Number;
use crate::number_format::Format;

/// A numeric variable, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumericId(usize);

#[derive(Debug)]
struct StringVariable {
    value: Rc<[u8]>,
    /// The position in the input where it was captured; `None` for definitions on the command line.
    range: Option<(usize, usize)>,
    scope: u64,
}

#[derive(Debug)]
struct NumericVariable {
    is_global: bool,
    format: Format,
    /// The line of its first definition.
    line: Option<usize>,
    value: Option<Number>,
    range: Option<(usize, usize)>,
    scope: u64,
}

/// The variables of a run.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    strings: HashMap<Rc<str>, StringVariable>,
    /// Names that a pattern read so far defines as a string.
    string_names: HashSet<Rc<str>>,
    numerics: Vec<NumericVariable>,
    numeric_names: HashMap<Rc<str>, NumericId>,
    /// The value of `@LINE`: the line of the pattern matched last.
    line: Option<usize>,
    /// Values of variables without `$` count only if they are from this scope. This makes
    /// forgetting them all take constant time.
    scope: u64,
}

fn is_global(name: &str) -> bool {
    name.starts_with('$')
}

impl Variables {
    pub(crate) fn declare_string(&mut self, name: &Rc<str>) {
        self.string_names.insert(Rc::clone(name));
    }

    pub(crate) fn is_string(&self, name: &str) -> bool {
        self.string_names.contains(name)
    }

    pub(crate) fn is_numeric(&self, name: &str) -> bool {
        self.numeric_names.contains_key(name)
    }

    pub(crate) fn numeric(&self, name: &str) -> Option<NumericId> {
        self.numeric_names.get(name).copied()
    }

    pub(crate) fn declare_numeric(
        &mut self,
        name: &Rc<str>,
        format: Format,
        line: Option<usize>,
    ) -> NumericId {
        let id = NumericId(self.numerics.len());
        self.numerics.push(NumericVariable {
            is_global: is_global(name),
            format,
            line,
            value: None,
            range: None,
            scope: self.scope,
        });
        id
    }

    pub(crate) fn bind_numeric(&mut self, name: &Rc<str>, id: NumericId) {
        self.numeric_names.insert(Rc::clone(name), id);
    }

    pub(crate) fn numeric_format(&self, id: NumericId) -> Format {
        self.numerics[id.0].format
    }

    pub(crate) fn numeric_line(&self, id: NumericId) -> Option<usize> {
        self.numerics[id.0].line
    }

    pub(crate) fn set_string(
        &mut self,
        name: &Rc<str>,
        value: &[u8],
        range: Option<(usize, usize)>,
    ) {
        let variable = StringVariable {
            value: value.into(),
            range,
            scope: self.scope,
        };
        self.strings.insert(Rc::clone(name), variable);
    }

    pub(crate) fn has_string_value(&self, name: &str) -> bool {
        self.string_value(name).is_some()
    }

    pub(crate) fn string_value(&self, name: &str) -> Option<&[u8]> {
        let variable = self.strings.get(name)?;
        (variable.scope == self.scope || is_global(name)).then_some(&*variable.value)
    }

    pub(crate) fn string_range(&self, name: &str) -> Option<(usize, usize)> {
        self.strings.get(name)?.range
    }

    pub(crate) fn set_numeric(
        &mut self,
        id: NumericId,
        value: Number,
        range: Option<(usize, usize)>,
    ) {
        let variable = &mut self.numerics[id.0];
        variable.value = Some(value);
        variable.range = range;
        variable.scope = self.scope;
    }

    pub(crate) fn numeric_value(&self, id: NumericId) -> Option<&Number> {
        let variable = &self.numerics[id.0];
        let value = variable.value.as_ref()?;
        (variable.scope == self.scope || variable.is_global).then_some(value)
    }

    pub(crate) fn numeric_range(&self, id: NumericId) -> Option<(usize, usize)> {
        self.numerics[id.0].range
    }

    pub(crate) fn set_line(&mut self, line: usize) {
        self.line = Some(line);
    }

    pub(crate) fn line(&self) -> Option<usize> {
        self.line
    }

    /// Forgets the values of all variables that are not global.
    pub(crate) fn clear_local(&mut self) {
        self.scope += 1;
        self.line = None;
    }
}
