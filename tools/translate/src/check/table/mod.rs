//! The instructions of PTX: their modifiers and operands, and their requirements.

mod form;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

pub(super) use form::{Count, Form, Pattern, Presence, Role, Shape, Slot, Wanted};

/// The files of the table.
const FILES: [(&str, &str); 6] = [
    ("arithmetic.toml", include_str!("arithmetic.toml")),
    ("memory.toml", include_str!("memory.toml")),
    ("control.toml", include_str!("control.toml")),
    ("copies.toml", include_str!("copies.toml")),
    ("matrix.toml", include_str!("matrix.toml")),
    ("graphics.toml", include_str!("graphics.toml")),
];

static TABLE: LazyLock<Table> = LazyLock::new(|| match Table::parse(&FILES) {
    Ok(table) => table,
    Err(message) => panic!("{message}"),
});

/// All instructions.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Forms by name, which may have several parts: `cp.async.bulk`.
    forms: HashMap<String, Forms>,
    /// The first parts of the names.
    heads: HashSet<String>,
    /// All modifiers of all instructions, for messages.
    modifiers: OnceLock<HashSet<String>>,
}

/// The forms of an instruction, read when they are first asked for: a file has few of all instructions.
#[derive(Debug)]
struct Forms {
    lines: Vec<String>,
    read: OnceLock<Vec<Form>>,
}

impl Forms {
    fn new(lines: Vec<String>) -> Self {
        Forms {
            lines,
            read: OnceLock::new(),
        }
    }

    fn parse(&self) -> Result<Vec<Form>, String> {
        self.lines.iter().map(|line| Form::parse(line)).collect()
    }

    fn get(&self) -> &[Form] {
        self.read.get_or_init(|| match self.parse() {
            Ok(forms) => forms,
            Err(message) => panic!("{message}"),
        })
    }
}

/// An instruction of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Its forms.
    pub forms: &'static [Form],
    /// How many modifiers belong to its name.
    pub parts: usize,
}

impl Table {
    /// The built-in table.
    pub fn get() -> &'static Table {
        &TABLE
    }

    fn parse(files: &[(&str, &str)]) -> Result<Self, String> {
        let mut table = Table::default();
        for (file, text) in files {
            let error = |name: &str, what: &str| format!("{file}: {name}: {what}");
            let entries: BTreeMap<String, Vec<String>> =
                toml::from_str(text).map_err(|found| error("", &found.to_string()))?;
            for (name, lines) in entries {
                let head = name.split('.').next().unwrap_or_default();
                table.heads.insert(head.to_owned());
                table.forms.insert(name, Forms::new(lines));
            }
        }
        Ok(table)
    }

    fn modifiers(&self) -> &HashSet<String> {
        self.modifiers.get_or_init(|| {
            let mut all = HashSet::new();
            for (name, forms) in &self.forms {
                all.extend(name.split('.').skip(1).map(|part| format!(".{part}")));
                let forms = forms.get().iter();
                let slots = forms.flat_map(|form| form.types.iter().chain(&form.slots));
                let choices = slots.flat_map(|slot| &slot.choices);
                all.extend(choices.map(|(choice, _)| choice.clone()));
            }
            all
        })
    }

    /// The instruction with the longest name that is a prefix of `name` and the modifiers.
    pub fn find(&'static self, name: &str, modifiers: &[&str]) -> Option<Entry> {
        let mut text = name.to_owned();
        let mut found = self.forms.get(&text).map(|forms| (forms, 0));
        for (number, modifier) in modifiers.iter().take(6).enumerate() {
            text.push_str(modifier);
            if let Some(forms) = self.forms.get(&text) {
                found = Some((forms, number + 1));
            }
        }
        found.map(|(forms, parts)| Entry {
            forms: forms.get(),
            parts,
        })
    }

    /// Whether any instruction name starts with this name.
    pub fn has(&self, name: &str) -> bool {
        self.heads.contains(name)
    }

    /// Whether any instruction has a modifier.
    pub fn has_modifier(&self, modifier: &str) -> bool {
        let modifiers = self.modifiers();
        let mut patterns = modifiers.iter().filter(|known| known.contains('*'));
        modifiers.contains(modifier) || patterns.any(|known| is_choice(known, modifier))
    }
}

/// Whether a modifier matches a choice of the table, in which `*` stands for a number of columns.
pub(super) fn is_choice(choice: &str, modifier: &str) -> bool {
    let Some((before, after)) = choice.split_once('*') else {
        return choice == modifier;
    };
    let number = modifier
        .strip_prefix(before)
        .and_then(|rest| rest.strip_suffix(after));
    let number: Option<u32> = number.and_then(|digits| digits.parse().ok());
    number.is_some_and(|columns| (8..=256).contains(&columns) && columns % 8 == 0)
}

#[cfg(test)]
mod tests {
    use super::{FILES, Table};

    #[test]
    fn the_table_is_well_formed() {
        let table = Table::parse(&FILES).expect("TOML");
        for (name, forms) in &table.forms {
            assert_eq!(forms.parse().err(), None, "{name}");
        }
    }
}
