//! The instructions that compute, as data: [`Row`]s of `computations.toml`.

use std::sync::OnceLock;

use orison_sass::instruction::{Instruction, Operand};
use rustc_hash::FxHashMap;

use super::constants::DecimalFormat;

/// The table file.
const FILE: &str = include_str!("computations.toml");

/// What a modifier does to the attributes of a computation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Setting {
    /// Nothing that affects results.
    Nothing,
    /// It sets a flag.
    Flag(String),
    /// It gives an attribute a keyword.
    Word(String, String),
}

/// The number of registers of an operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Words {
    Count(usize),
    /// As many as the format of an attribute takes.
    Of(String),
    /// A pair of floats, or one that stands for both.
    Pair,
}

/// An operand in the text, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A result of the operation, by index.
    Result {
        number: usize,
        words: Words,
        predicate: bool,
        optional: bool,
    },
    /// A source, of an operand group of the operation.
    Source { group: usize, words: Words },
    /// Predicates of a group: one, at most one, or all that follow.
    Predicates {
        group: usize,
        optional: bool,
        all: bool,
    },
    /// Not used.
    Ignored { predicate: bool, optional: bool },
    /// A number that is an attribute.
    Number(String),
    /// A constant predicate that is the attribute `extremum`.
    Extremum(String),
}

impl Token {
    /// Whether the text has none of these, as its next operand is a predicate or not, or there is none.
    pub(super) fn may_be_absent(&self, is_predicate: bool, is_there: bool) -> bool {
        match *self {
            Token::Result {
                optional,
                predicate,
                ..
            } => optional && predicate && !is_predicate,
            Token::Predicates { optional, .. } => optional && !is_predicate,
            Token::Ignored {
                predicate,
                optional,
            } => optional && (!is_there || predicate && !is_predicate),
            Token::Source { .. } | Token::Number(_) | Token::Extremum(_) => false,
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Row {
    when: Vec<String>,
    first_predicate: bool,
    pub(super) operation: String,
    pub(super) tokens: Vec<Token>,
    settings: FxHashMap<String, Setting>,
    formats: Vec<String>,
    integer: Option<String>,
    float: Option<String>,
    defaults: Vec<Setting>,
    pub(super) decimals: DecimalFormat,
}

/// The attributes of a computation, by key.
pub(super) type Attributes = FxHashMap<String, Setting>;

fn texts(value: Option<&toml::Value>) -> Vec<String> {
    let all = value.and_then(toml::Value::as_array).into_iter().flatten();
    all.filter_map(|one| Some(one.as_str()?.to_owned()))
        .collect()
}

fn text(row: &toml::Table, key: &str) -> Option<String> {
    Some(row.get(key)?.as_str()?.to_owned())
}

fn setting(text: &str) -> Setting {
    match text.split_once('=') {
        Some((key, word)) => Setting::Word(key.to_owned(), word.to_owned()),
        None if text.is_empty() => Setting::Nothing,
        None => Setting::Flag(text.to_owned()),
    }
}

fn settings(value: Option<&toml::Value>) -> impl Iterator<Item = (String, Setting)> {
    let all = value.and_then(toml::Value::as_table).into_iter().flatten();
    all.filter_map(|(key, value)| Some((key.clone(), setting(value.as_str()?))))
}

/// Reads the pattern of operands; `None` if a word is malformed.
fn tokens(pattern: &str) -> Option<Vec<Token>> {
    let (results, sources) = pattern.split_once('=')?;
    let mut tokens = Vec::new();
    let mut next = 0;
    for word in results.split_whitespace() {
        tokens.push(result(word, &mut next).or_else(|| ignored(word))?);
    }
    for word in sources.split_whitespace() {
        tokens.push(source(word).or_else(|| ignored(word))?);
    }
    Some(tokens)
}

fn ignored(word: &str) -> Option<Token> {
    let rest = word.strip_prefix('_')?;
    Some(Token::Ignored {
        predicate: rest.starts_with('p'),
        optional: rest.ends_with('?'),
    })
}

fn words(text: &str) -> Words {
    match text.parse() {
        Ok(count) => Words::Count(count),
        Err(_) => Words::Of(text.to_owned()),
    }
}

fn result(word: &str, next: &mut usize) -> Option<Token> {
    let (number, rest) = match word.split_once(':') {
        Some((number, rest)) => (number.parse().ok()?, rest),
        None => (*next, word),
    };
    let (kind, width) = rest.split_once('/').unwrap_or((rest, "1"));
    let optional = kind.ends_with('?');
    let predicate = match kind.trim_end_matches('?') {
        "R" => false,
        "P" => true,
        _ => return None,
    };
    *next = number + 1;
    Some(Token::Result {
        number,
        words: words(width),
        predicate,
        optional,
    })
}

fn source(word: &str) -> Option<Token> {
    if let Some(key) = word.strip_prefix('#') {
        return Some(Token::Number(key.to_owned()));
    }
    if let Some(key) = word.strip_prefix('^') {
        return Some(Token::Extremum(key.to_owned()));
    }
    let end = word
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(word.len());
    let group = word[..end].parse().ok()?;
    Some(match &word[end..] {
        "x" => Token::Source {
            group,
            words: Words::Pair,
        },
        "p" => Token::Predicates {
            group,
            optional: false,
            all: false,
        },
        "p?" => Token::Predicates {
            group,
            optional: true,
            all: false,
        },
        "p*" => Token::Predicates {
            group,
            optional: true,
            all: true,
        },
        rest => Token::Source {
            group,
            words: words(rest.strip_prefix('/').unwrap_or("1")),
        },
    })
}

impl Row {
    fn parse(row: &toml::Table, sets: &toml::Table) -> Option<Self> {
        let mut known: FxHashMap<String, Setting> = settings(row.get("modifiers")).collect();
        for set in texts(row.get("sets")) {
            known.extend(settings(Some(sets.get(&set)?)));
        }
        let word = |key: &String, value: &toml::Value| {
            Some(Setting::Word(key.clone(), value.as_str()?.to_owned()))
        };
        let defaults = row.get("defaults").and_then(toml::Value::as_table);
        let defaults = defaults
            .into_iter()
            .flatten()
            .map(|(key, value)| word(key, value));
        Some(Row {
            when: texts(row.get("when")),
            first_predicate: text(row, "first").is_some(),
            operation: text(row, "operation")?,
            tokens: tokens(&text(row, "operands")?)?,
            settings: known,
            formats: texts(row.get("formats")),
            integer: text(row, "integer"),
            float: text(row, "float"),
            defaults: defaults.collect::<Option<_>>()?,
            decimals: DecimalFormat::parse(text(row, "immediate").as_deref()),
        })
    }

    /// The row of an instruction.
    pub(super) fn find(found: &Instruction) -> Option<&'static Row> {
        let base = found.mnemonic.base();
        let table = table();
        let rows = table
            .get(base)
            .or_else(|| table.get(base.strip_prefix('U')?))?;
        let applies = |row: &&Row| {
            let first = found.operands.first().and_then(Operand::as_register);
            let predicate = first.is_some_and(|first| first.register.file.is_predicate());
            row.when.iter().all(|modifier| found.mnemonic.has(modifier))
                && (predicate || !row.first_predicate)
        };
        rows.iter()
            .filter(applies)
            .max_by_key(|row| (row.first_predicate, row.when.len()))
    }

    /// The attributes that the modifiers of an instruction give.
    ///
    /// # Errors
    /// The first modifier that the row does not name.
    pub(super) fn attributes(&self, found: &Instruction) -> Result<Attributes, String> {
        let mut attributes = Attributes::default();
        let mut given = |setting: &Setting| {
            let key = match setting {
                Setting::Nothing => return,
                Setting::Flag(key) | Setting::Word(key, _) => key,
            };
            attributes.insert(key.clone(), setting.clone());
        };
        self.defaults.iter().for_each(&mut given);
        let mut formats = self.formats.iter();
        for modifier in found.mnemonic.modifiers() {
            if let Some(setting) = self.settings.get(modifier) {
                given(setting);
                continue;
            }
            if self.when.iter().any(|known| known == modifier) {
                continue;
            }
            let key = is_float(modifier).and_then(|float| {
                let class = if float { &self.float } else { &self.integer };
                class.as_ref().or_else(|| formats.next())
            });
            match key {
                Some(key) => given(&Setting::Word(key.clone(), modifier.to_lowercase())),
                None => return Err(format!("its modifier '{modifier}' is not modelled")),
            }
        }
        Ok(attributes)
    }
}

/// Whether a modifier is a float format, or an integer format; `None` for others.
fn is_float(modifier: &str) -> Option<bool> {
    Some(match modifier {
        "F16" | "BF16" | "F32" | "F64" | "TF32" | "E4M3" | "E5M2" | "E3M2" | "E2M3" | "E2M1"
        | "UE8M0" => true,
        "U8" | "S8" | "U16" | "S16" | "U32" | "S32" | "U64" | "S64" | "U4" | "S4" => false,
        _ => return None,
    })
}

fn table() -> &'static FxHashMap<String, Vec<Row>> {
    static TABLE: OnceLock<FxHashMap<String, Vec<Row>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // An unreadable row is left out, so that its instruction is refused; a test reads all.
        let file: toml::Table = FILE.parse().unwrap_or_default();
        let sets = file
            .get("sets")
            .and_then(toml::Value::as_table)
            .cloned()
            .unwrap_or_default();
        let rows = file.get("instruction").and_then(toml::Value::as_array);
        let mut table: FxHashMap<String, Vec<Row>> = FxHashMap::default();
        for row in rows.into_iter().flatten().filter_map(toml::Value::as_table) {
            if let (Some(name), Some(row)) = (text(row, "name"), Row::parse(row, &sets)) {
                table.entry(name).or_default().push(row);
            }
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use orison_machine::Opcode;
    use orison_ori::operations::OPERATIONS;

    use super::*;

    #[test]
    fn every_row_is_read_and_names_an_instruction_and_an_operation() {
        let file: toml::Table = FILE.parse().unwrap();
        let rows = file["instruction"].as_array().unwrap();
        assert_eq!(table().values().map(Vec::len).sum::<usize>(), rows.len());
        for (name, rows) in table() {
            assert!(Opcode::named(name).is_some(), "{name} is no instruction");
            for row in rows {
                let mut all = OPERATIONS.iter();
                let operation = all.find(|operation| operation.name == row.operation);
                let operation = operation.unwrap_or_else(|| panic!("{}", row.operation));
                let known = |key: &str| operation.attributes.iter().any(|one| one.name == key);
                let keys = row
                    .settings
                    .values()
                    .chain(&row.defaults)
                    .filter_map(|it| match it {
                        Setting::Nothing => None,
                        Setting::Flag(key) | Setting::Word(key, _) => Some(key),
                    });
                for key in keys
                    .chain(&row.formats)
                    .chain(&row.integer)
                    .chain(&row.float)
                {
                    // Some formats and flags are those of a family.
                    let shared = ["ftz", "saturate", "relu", "rounding", "integer_rounding"];
                    assert!(
                        known(key) || shared.contains(&key.as_str()),
                        "{name}: {key}"
                    );
                }
            }
        }
    }
}
