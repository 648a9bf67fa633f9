//! Knobs: named parameters of passes, with the known defaults of ptxas.
//!
//! `knobs.toml` is the registry. A knob is set for all functions (`--knob Name=value`, the option
//! `knobs` of passes) or for one (`ori.knobs = {Name = value}` on it, which wins).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use orison_ir::{AttributeKind, Context, Operation};
use serde::Deserialize;

/// The attribute of functions that sets knobs.
pub const ATTRIBUTE: &str = "ori.knobs";

/// The type of a knob's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnobType {
    /// `true` or `false`.
    Flag,
    /// An integer, decimal or `0x` hexadecimal.
    Integer,
    /// An integer that limits how often a transformation is applied; negative means no limit.
    Budget,
    /// A floating-point number.
    Number,
    /// Any text.
    Text,
}

/// The value of a knob.
#[derive(Clone, PartialEq, Debug)]
pub enum KnobValue {
    /// The value of a flag.
    Flag(bool),
    /// The value of an integer or a budget.
    Integer(i64),
    /// The value of a number.
    Number(f64),
    /// The value of a text.
    Text(String),
}

impl KnobType {
    /// Parses a value.
    ///
    /// # Errors
    /// Returns a description of the expected text.
    pub fn parse(self, text: &str) -> Result<KnobValue, String> {
        let integer = || match text.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let value = match self {
            KnobType::Flag => match text {
                "true" | "1" => Some(KnobValue::Flag(true)),
                "false" | "0" => Some(KnobValue::Flag(false)),
                _ => None,
            },
            KnobType::Integer | KnobType::Budget => integer().map(KnobValue::Integer),
            KnobType::Number => text.parse().ok().map(KnobValue::Number),
            KnobType::Text => Some(KnobValue::Text(text.to_owned())),
        };
        value.ok_or_else(|| format!("expected {}, found '{text}'", self.wanted()))
    }

    const fn wanted(self) -> &'static str {
        match self {
            KnobType::Flag => "'true' or 'false'",
            KnobType::Integer | KnobType::Budget => "an integer",
            KnobType::Number => "a number",
            KnobType::Text => "a string",
        }
    }
}

/// A row of the registry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knob {
    /// The index in ptxas; `None` for knobs of this project.
    pub id: Option<u16>,
    /// The unique name.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: KnobType,
    /// The default value as text.
    pub default: String,
    /// The effect.
    pub meaning: String,
    /// The source: a section of the page, or `orison`.
    pub page: String,
}

#[derive(Deserialize)]
struct File {
    knobs: Vec<Knob>,
}

/// The registry.
#[derive(Debug)]
pub struct Registry {
    rows: Vec<Knob>,
    by_name: BTreeMap<String, usize>,
}

impl Registry {
    /// Parses a registry.
    ///
    /// # Errors
    /// Returns the message of the TOML reader, or the invalid row and the reason.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut by_name = BTreeMap::new();
        for (place, row) in file.knobs.iter().enumerate() {
            if let Err(message) = row.kind.parse(&row.default) {
                return Err(format!("knob '{}': default: {message}", row.name));
            }
            if by_name.insert(row.name.clone(), place).is_some() {
                return Err(format!("duplicate knob '{}'", row.name));
            }
        }
        Ok(Registry {
            rows: file.knobs,
            by_name,
        })
    }

    /// All knobs, in file order.
    pub fn rows(&self) -> &[Knob] {
        &self.rows
    }

    /// The knob with the given name.
    pub fn named(&self, name: &str) -> Option<&Knob> {
        self.by_name.get(name).map(|place| &self.rows[*place])
    }
}

/// The registry of this crate.
///
/// # Panics
/// Panics if the embedded file is malformed: a bug, which every test of the crate shows.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| match Registry::parse(include_str!("knobs.toml")) {
        Ok(registry) => registry,
        Err(message) => panic!("knobs.toml: {message}"),
    })
}

/// A set of knob values.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Knobs(BTreeMap<String, KnobValue>);

impl Knobs {
    /// Sets a knob, given as `Name=value`. The value of a flag may be omitted.
    ///
    /// # Errors
    /// Fails if there is no such knob, or it does not accept the value; the error names the closest
    /// knob.
    pub fn set(&mut self, setting: &str) -> Result<(), String> {
        let (name, value) = setting.split_once('=').unwrap_or((setting, "true"));
        let Some(knob) = registry().named(name) else {
            let names = registry().by_name.keys();
            let near = names.min_by_key(|known| distance(known, name));
            let hint = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            return Err(format!("unknown knob '{name}'{hint}"));
        };
        let value = knob.kind.parse(value);
        let value = value.map_err(|message| format!("knob '{name}': {message}"))?;
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    /// Sets several knobs.
    ///
    /// # Errors
    /// As [`Self::set`], for the first one that cannot be set.
    pub fn of<S: AsRef<str>>(settings: &[S]) -> Result<Self, String> {
        let mut knobs = Knobs::default();
        for setting in settings {
            knobs.set(setting.as_ref())?;
        }
        Ok(knobs)
    }

    /// These values with those set by a function added.
    ///
    /// # Errors
    /// As [`Self::set`], or if the attribute is not a dictionary of numbers, flags and texts.
    pub fn for_function(&self, context: &Context, function: Operation) -> Result<Self, String> {
        let mut knobs = self.clone();
        let Some(attribute) = function.attribute(context, ATTRIBUTE) else {
            return Ok(knobs);
        };
        let AttributeKind::Dictionary(_) = attribute.kind(context) else {
            return Err(format!("attribute '{ATTRIBUTE}' must be a dictionary"));
        };
        for (name, value) in attribute.entries(context) {
            let name = name.text(context);
            let text = if let Some(text) = value.as_str(context) {
                text.to_owned()
            } else if let Some(flag) = value.as_bool() {
                flag.to_string()
            } else if let Some(number) = value.as_i64(context) {
                number.to_string()
            } else {
                return Err(format!(
                    "attribute '{ATTRIBUTE}': '{name}' must be a number, 'true', 'false' or a string"
                ));
            };
            knobs.set(&format!("{name}={text}"))?;
        }
        Ok(knobs)
    }

    fn value(&self, name: &str) -> Option<KnobValue> {
        let set = self.0.get(name).cloned();
        set.or_else(|| {
            let knob = registry().named(name)?;
            knob.kind.parse(&knob.default).ok()
        })
    }

    /// The value of a text; empty if there is no such knob.
    pub fn text(&self, name: &str) -> String {
        match self.value(name) {
            Some(KnobValue::Text(text)) => text,
            _ => String::new(),
        }
    }

    /// The value of a flag; false if there is no such flag.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(KnobValue::Flag(true)))
    }

    /// The value of an integer or a budget; 0 if there is no such knob.
    pub fn integer(&self, name: &str) -> i64 {
        match self.value(name) {
            Some(KnobValue::Integer(value)) => value,
            _ => 0,
        }
    }

    /// The value of a number; 0 if there is no such knob.
    pub fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(KnobValue::Number(value)) => value,
            _ => 0.0,
        }
    }

    /// The limit of a budget; `None` if there is no limit.
    pub fn budget(&self, name: &str) -> Option<u64> {
        u64::try_from(self.integer(name)).ok()
    }
}

/// The edit distance of two names: insertions, deletions and replacements. Quadratic in their
/// length.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, left) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = line + 1;
        for (column, right) in b.iter().enumerate() {
            let changed = corner + usize::from(left != *right);
            corner = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_are_set_by_name_and_checked() {
        let mut knobs = Knobs::default();
        assert_eq!(knobs.integer("BranchOptDepth"), 8);
        knobs.set("BranchOptDepth=0x10").expect("a number");
        assert_eq!(knobs.integer("BranchOptDepth"), 16);
        knobs.set("DisablePredication").expect("a flag");
        assert!(knobs.flag("DisablePredication"));
        assert_eq!(knobs.budget("ReassociateCSEBudget"), None);
        assert_eq!(
            knobs.set("BranchOptDeep=1"),
            Err("unknown knob 'BranchOptDeep'; did you mean 'BranchOptDepth'?".to_owned())
        );
        assert_eq!(
            knobs.set("BranchOptDepth=deep"),
            Err("knob 'BranchOptDepth': expected an integer, found 'deep'".to_owned())
        );
    }

    #[test]
    fn broken_registries_are_refused() {
        let row = |name: &str, default: &str| {
            format!(
                "{{ name = \"{name}\", type = \"integer\", default = \"{default}\", \
                 meaning = \"\", page = \"\" }}"
            )
        };
        let twice = format!("knobs = [{}, {}]", row("A", "1"), row("A", "2"));
        assert_eq!(
            Registry::parse(&twice).expect_err("twice"),
            "duplicate knob 'A'"
        );
        let wrong = format!("knobs = [{}]", row("A", "x"));
        assert_eq!(
            Registry::parse(&wrong).expect_err("no number"),
            "knob 'A': default: expected an integer, found 'x'"
        );
    }
}
