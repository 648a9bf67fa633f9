//! Reads and checks the files of the table.

#[path = "relations.rs"]
mod relations;
#[path = "roles.rs"]
pub mod roles;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as ValueError;

use self::roles::Roles;
use crate::kinds::{
    BASE_ENTRIES, Category, Destinations, Flag, Lanes, Latency, Pipe, Slot, Space, Width,
};

/// The first machine of the table, and what rows have that name none.
const FIRST_MACHINE: u16 = 70;
/// What an entry computes that is no function of its operands, or has no function beside the table.
pub const UNKNOWN: &str = "unknown";
/// The file of entries without an instruction.
const PSEUDO: &str = "pseudo";

/// What an entry may say, and an instruction says for its entries.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Shared {
    pub pipe: Option<Pipe>,
    pub since: Option<u16>,
    pub reads: Option<Vec<Space>>,
    pub writes: Option<Vec<Space>>,
    pub flags: Option<Vec<Flag>>,
    pub commutes: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    instruction: Vec<RowText>,
    #[serde(default)]
    pseudo: Vec<EntryText>,
}

// `deny_unknown_fields` does not go together with `flatten`: what is left over is in `unknown`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct RowText {
    name: String,
    about: String,
    latency: Latency,
    #[serde(default)]
    variable_on: Vec<u16>,
    results: Option<Destinations>,
    operands: Option<String>,
    #[serde(default)]
    widths: Vec<WidthsText>,
    hidden: Option<u32>,
    slots: Option<String>,
    #[serde(default)]
    uniform_of: Vec<String>,
    #[serde(default)]
    entries: Vec<EntryText>,
    #[serde(flatten)]
    shared: Shared,
    #[serde(flatten)]
    unknown: BTreeMap<String, toml::Value>,
}

#[derive(Default, Deserialize)]
struct EntryText {
    ptxas: Option<u16>,
    name: Option<String>,
    #[serde(default)]
    modifiers: String,
    category: Option<Category>,
    cycles: Option<u16>,
    #[serde(default)]
    classes: Vec<u16>,
    operation: Option<String>,
    when: Option<String>,
    computes: Option<String>,
    lanes: Option<Lanes>,
    source: Option<String>,
    #[serde(flatten)]
    shared: Shared,
    #[serde(flatten)]
    unknown: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WidthsText {
    #[serde(default)]
    has: String,
    of: BTreeMap<String, String>,
}

/// Widths of operands under modifiers.
#[derive(Debug)]
pub struct Widths {
    pub has: Vec<String>,
    pub of: Vec<(Slot, Width)>,
}

/// An instruction.
#[derive(Debug)]
pub struct Row {
    pub name: String,
    pub about: String,
    pub category: Category,
    pub latency: Latency,
    pub variable_on: Vec<u16>,
    pub destinations: Option<Destinations>,
    pub roles: Option<Roles>,
    pub widths: Vec<Widths>,
    pub hidden: Option<u32>,
    pub slots: String,
    /// The instructions of the general datapath that compute the same.
    pub uniform_of: Vec<String>,
    /// The stem of the file, and the line of the name.
    pub place: (String, usize),
    /// Places in [`Model::entries`].
    pub entries: Vec<usize>,
}

/// A base entry of ptxas, or another form of an instruction.
#[derive(Debug)]
pub struct Entry {
    pub number: Option<u16>,
    pub name: String,
    pub mnemonic: String,
    /// The place of its instruction in [`Model::rows`].
    pub row: Option<usize>,
    pub category: Category,
    pub cycles: Option<u16>,
    pub classes: Vec<u16>,
    pub operation: Option<String>,
    pub when: Option<String>,
    pub lanes: Option<Lanes>,
    pub source: String,
    pub shared: Shared,
    /// The function that the operation computes, or [`UNKNOWN`].
    pub computes: Option<String>,
    /// The entry whose operation computes the same on the general datapath, and on the uniform one.
    pub general: Option<usize>,
    pub uniform: Option<usize>,
}

/// The table: rows in the order of the files, entries of ptxas by number, then the others.
#[derive(Debug)]
pub struct Model {
    pub rows: Vec<Row>,
    pub entries: Vec<Entry>,
}

/// What is known of special registers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registers {
    /// The prefixes of those that all threads of a warp read as the same value.
    pub uniform: Vec<String>,
    /// Parts of the names of those that change while a thread runs.
    pub changing: Vec<String>,
}

/// Reads the file of special registers.
///
/// # Errors
/// The message of the TOML reader.
pub fn registers(text: &str) -> Result<Registers, String> {
    toml::from_str(text).map_err(|error| error.to_string())
}

/// What a multiprocessor has room for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Multiprocessor {
    /// The first machine that it is so on.
    pub since: u16,
    /// Warps at once.
    pub warps: u32,
    /// CTAs at once.
    pub ctas: u32,
    /// KiB of shared memory.
    pub shared: u32,
    /// KiB of it that every CTA takes besides its own.
    pub reserved: u32,
}

/// Reads the file of multiprocessors.
///
/// # Errors
/// The message of the TOML reader, or that the machines are not in order.
pub fn multiprocessors(text: &str) -> Result<Vec<Multiprocessor>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        multiprocessor: Vec<Multiprocessor>,
    }
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let all = file.multiprocessor;
    if all.is_empty() || !all.is_sorted_by(|one, two| one.since < two.since) {
        return Err("machines are not in order".to_owned());
    }
    Ok(all)
}

/// The name of an instruction in Rust: `CgabarArv` for `CGABAR_ARV`.
pub fn variant(name: &str) -> String {
    let part = |part: &str| {
        let (first, rest) = part.split_at(1);
        first.to_owned() + &rest.to_ascii_lowercase()
    };
    name.split('_').map(part).collect()
}

impl Model {
    /// Reads the files: the stem of each, which is the category of its rows, and its text.
    ///
    /// # Errors
    /// The file and the row, and what is wrong with it.
    pub fn read(files: &[(String, String)]) -> Result<Model, String> {
        let mut model = Model {
            rows: Vec::new(),
            entries: Vec::new(),
        };
        for (stem, text) in files {
            let wrong = |message: String| format!("instructions/{stem}.toml: {message}");
            let file: File = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
            let known: Result<Category, ValueError> =
                Category::deserialize(stem.as_str().into_deserializer());
            let category = known.map_err(|error| wrong(error.to_string()))?;
            for row in file.instruction {
                let name = row.name.clone();
                let line = text
                    .lines()
                    .position(|line| line == format!("name = {name:?}"));
                let place = (stem.clone(), line.map_or(0, |line| line + 1));
                let done = model.add_row(row, category, place);
                done.map_err(|message| wrong(format!("'{name}' {message}")))?;
            }
            for entry in file.pseudo {
                let name = entry.name.clone().unwrap_or_default();
                let done = model.add_pseudo(entry, stem);
                done.map_err(|message| wrong(format!("'{name}' {message}")))?;
            }
        }
        model.sort()?;
        model.check()?;
        model.pair_datapaths()?;
        model.check_computations()?;
        Ok(model)
    }

    fn add_row(
        &mut self,
        row: RowText,
        category: Category,
        place: (String, usize),
    ) -> Result<(), String> {
        known(&row.unknown)?;
        let letter = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        let is_name = |part: &str| !part.is_empty() && part.bytes().all(letter);
        if !row.name.split('_').all(is_name) || row.name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err("is not a mnemonic without modifiers".to_owned());
        }
        if self.rows.iter().any(|other| other.name == row.name) {
            return Err("has two rows".to_owned());
        }
        if !row.variable_on.is_empty() && row.latency != Latency::Fixed {
            return Err("is variable on some machines, but its latency is not fixed".to_owned());
        }
        let roles = row.operands.as_deref().map(Roles::parse).transpose()?;
        let destinations = match &roles {
            Some(_) if row.results.is_some() => {
                return Err("has 'results', which follow from 'operands'".to_owned());
            }
            Some(roles) => Some(roles.rule()?),
            None => row.results,
        };
        if destinations.is_none() && !(row.widths.is_empty() && row.hidden.is_none()) {
            return Err("has widths, but not what it writes: 'results'".to_owned());
        }
        let mut flags = row.shared.flags.iter().flatten();
        let leaves = flags.any(|flag| matches!(flag, Flag::Branch | Flag::Call | Flag::Exit));
        if leaves && destinations.is_none() {
            // Only an instruction with an operation of its own can end a block.
            return Err("may end a block, but does not say what it writes: 'results'".to_owned());
        }
        let number = self.rows.len();
        let mut texts = row.entries;
        if texts.is_empty() {
            texts.push(EntryText::default());
        }
        for text in texts {
            if text.category.is_some() {
                return Err("has an entry with a category, which is that of the file".to_owned());
            }
            let dot = if text.modifiers.is_empty() { "" } else { "." };
            let mnemonic = format!("{}{dot}{}", row.name, text.modifiers);
            let entry = entry(text, (mnemonic, Some(number)), category, &row.shared)?;
            self.entries.push(entry);
        }
        self.rows.push(Row {
            widths: row.widths.iter().map(widths).collect::<Result<_, _>>()?,
            name: row.name,
            about: row.about,
            category,
            latency: row.latency,
            variable_on: row.variable_on,
            destinations,
            roles,
            hidden: row.hidden,
            slots: row.slots.unwrap_or_else(|| "abc".to_owned()),
            uniform_of: row.uniform_of,
            place,
            entries: Vec::new(),
        });
        Ok(())
    }

    fn add_pseudo(&mut self, text: EntryText, stem: &str) -> Result<(), String> {
        if stem != PSEUDO || text.name.is_none() || !text.modifiers.is_empty() {
            return Err(format!(
                "is an entry without instruction: {PSEUDO}.toml has these, by name"
            ));
        }
        let category = text.category.ok_or("has no category")?;
        let none = (String::new(), None);
        self.entries
            .push(entry(text, none, category, &Shared::default())?);
        Ok(())
    }

    /// The functions that operations compute, by operation.
    pub fn computations(&self) -> BTreeMap<&str, &str> {
        let known = self.entries.iter().filter_map(|entry| {
            let function = entry.computes.as_deref()?;
            Some((entry.operation.as_deref()?, function))
        });
        known.filter(|(_, function)| *function != UNKNOWN).collect()
    }

    /// Puts entries in the order of their numbers, and tells rows which ones are theirs.
    fn sort(&mut self) -> Result<(), String> {
        self.entries
            .sort_by_key(|entry| entry.number.unwrap_or(u16::MAX));
        for (place, entry) in self.entries.iter().enumerate() {
            let number = entry.number.map(usize::from);
            let expected = Some(place).filter(|place| *place < usize::from(BASE_ENTRIES));
            if number != expected {
                let name = &entry.name;
                return Err(format!(
                    "'{name}' is entry {place}: each number from 0 to 321 is that of one base entry"
                ));
            }
            if let Some(row) = entry.row {
                self.rows[row].entries.push(place);
            }
        }
        Ok(())
    }

    /// What no row says alone.
    fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        let mut forms = BTreeSet::new();
        let mut plain = BTreeSet::new();
        for entry in &self.entries {
            let name = &entry.name;
            if !names.insert(name) {
                return Err(format!("two entries have the name '{name}'"));
            }
            if let Some(operation) = &entry.operation {
                if !forms.insert((operation, &entry.when)) {
                    return Err(format!(
                        "'{name}' is the same form of '{operation}' as another entry: 'when'"
                    ));
                }
                if entry.when.is_none() {
                    plain.insert(operation);
                }
            } else if entry.when.is_some() || entry.lanes.is_some() {
                return Err(format!("'{name}' has 'when' or 'lanes', but no operation"));
            }
        }
        match forms
            .iter()
            .find(|(operation, _)| !plain.contains(operation))
        {
            Some((operation, _)) => Err(format!("'{operation}' has no entry without 'when'")),
            None => Ok(()),
        }
    }
}

/// An entry with what its instruction says.
fn entry(
    text: EntryText,
    (mnemonic, row): (String, Option<usize>),
    category: Category,
    base: &Shared,
) -> Result<Entry, String> {
    known(&text.unknown)?;
    let said = text.shared;
    let repeats = [
        ("pipe", said.pipe.is_some() && said.pipe == base.pipe),
        ("since", said.since.is_some() && said.since == base.since),
        ("reads", said.reads.is_some() && said.reads == base.reads),
        (
            "writes",
            said.writes.is_some() && said.writes == base.writes,
        ),
        ("flags", said.flags.is_some() && said.flags == base.flags),
        (
            "commutes",
            said.commutes.is_some() && said.commutes == base.commutes,
        ),
    ];
    if let Some((key, _)) = repeats.iter().find(|(_, repeats)| *repeats) {
        return Err(format!(
            "has an entry that repeats '{key}' of the instruction"
        ));
    }
    if text.ptxas.is_some() && text.cycles.is_none() {
        return Err("is a base entry of ptxas without 'cycles'".to_owned());
    }
    let source = match (text.source, text.ptxas) {
        (Some(source), None) if ["gmma", "ori"].contains(&source.as_str()) => source,
        (Some(source), _) => return Err(format!("has source '{source}', not 'gmma' or 'ori'")),
        (None, Some(_)) => "instructions".to_owned(),
        (None, None) => "sass".to_owned(),
    };
    Ok(Entry {
        number: text.ptxas,
        name: text.name.unwrap_or_else(|| mnemonic.replace('.', "_")),
        mnemonic,
        row,
        category,
        cycles: text.cycles,
        classes: text.classes,
        operation: text.operation,
        when: text.when,
        lanes: text.lanes,
        source,
        shared: Shared {
            pipe: Some(said.pipe.or(base.pipe).unwrap_or_default()),
            since: Some(said.since.or(base.since).unwrap_or(FIRST_MACHINE)),
            reads: said.reads.or_else(|| base.reads.clone()),
            writes: said.writes.or_else(|| base.writes.clone()),
            flags: said.flags.or_else(|| base.flags.clone()),
            commutes: said.commutes.or_else(|| base.commutes.clone()),
        },
        computes: text.computes,
        general: None,
        uniform: None,
    })
}

fn known(unknown: &BTreeMap<String, toml::Value>) -> Result<(), String> {
    match unknown.keys().next() {
        Some(key) => Err(format!("has an unknown key '{key}'")),
        None => Ok(()),
    }
}

fn widths(text: &WidthsText) -> Result<Widths, String> {
    let modifiers = text.has.split('.').filter(|modifier| !modifier.is_empty());
    let width = |(key, value): (&String, &String)| {
        let pair = Slot::parse(key).zip(Width::parse(value));
        pair.ok_or_else(|| format!("has a width '{key} = {value}' that is not valid"))
    };
    let mut of = text
        .of
        .iter()
        .map(width)
        .collect::<Result<Vec<_>, String>>()?;
    // Widths of specific operands take precedence over those of all operands.
    of.sort_by_key(|(slot, _)| !matches!(slot, Slot::Destinations | Slot::Sources));
    Ok(Widths {
        has: modifiers.map(str::to_owned).collect(),
        of,
    })
}
