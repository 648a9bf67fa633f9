//! The table of instructions, read once from `instructions.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use orison_ori::opcodes::{self, Opcode};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::instruction::Mnemonic;

/// Which operands an instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Destinations {
    /// None.
    None,
    /// The first one.
    One,
    /// The first two.
    Two,
    /// Predicates, a register, and the predicates behind it.
    Leading,
    /// Predicates, and two registers: the components of a texture.
    Texels,
    /// What is before the first address or word of a constant bank.
    BeforeAddress,
    /// All but the last one.
    AllButLast,
}

/// How a consumer knows that the result of an instruction is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Latency {
    /// After a known number of cycles.
    Fixed,
    /// A scoreboard tells.
    Variable,
    /// Control flow and waits: the question does not arise.
    Control,
    /// A wait for the group of the instruction tells.
    Asynchronous,
}

/// How many registers an operand has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// So many.
    Count(u8),
    /// As many as the size in the mnemonic says.
    Data,
    /// Two for an operand that is a pair, else one.
    Selected,
    /// The columns of the shape in the mnemonic, divided.
    Columns(u8),
    /// The repetitions of the mnemonic, multiplied.
    Repeat(u8),
    /// The dimensions of the mnemonic, and so many more.
    Dimensions(u8),
    /// The first components of a texture, or the rest of them.
    Texels {
        /// The rest.
        rest: bool,
    },
    /// The coordinates of a texture, or what follows them.
    Coordinates {
        /// What follows.
        rest: bool,
    },
    /// The place in a surface.
    Place,
}

/// An operand that a width is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// Every destination.
    Destinations,
    /// The destination with a number.
    Destination(usize),
    /// Every source.
    Sources,
    /// The source with a number.
    Source(usize),
    /// The last general register among the sources.
    Last,
    /// The uniform register of the address with a number.
    Address(usize),
    /// The uniform register of a matrix descriptor.
    MatrixDescriptor,
}

/// Widths, and the modifiers with which they hold.
#[derive(Debug)]
pub(super) struct Widths {
    pub(super) has: Vec<String>,
    pub(super) of: Vec<(Slot, Width)>,
}

/// What the dialect knows about a mnemonic.
#[derive(Debug)]
pub struct Row {
    /// What is before the first dot.
    pub name: String,
    /// The kind of instruction: `integer`, `memory`.
    pub family: String,
    /// What it does.
    pub about: String,
    /// Which operands it writes.
    pub destinations: Destinations,
    latency: Latency,
    variable_before: u16,
    variable_on: Vec<u16>,
    pub(super) widths: Vec<Widths>,
    /// Where the bits of a descriptor start that the text does not show.
    pub hidden: Option<u32>,
}

impl Row {
    /// How a consumer knows that the result is there, on a machine (major * 10 + minor).
    pub fn latency(&self, sm: u16) -> Latency {
        let variable = sm < self.variable_before || self.variable_on.contains(&sm);
        if self.latency == Latency::Fixed && variable {
            return Latency::Variable;
        }
        self.latency
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RowText {
    name: String,
    family: String,
    about: String,
    destinations: Destinations,
    latency: Latency,
    #[serde(default)]
    variable_before: u16,
    #[serde(default)]
    variable_on: Vec<u16>,
    #[serde(default)]
    widths: Vec<WidthsText>,
    hidden: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WidthsText {
    #[serde(default)]
    has: String,
    of: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct File {
    instructions: Vec<RowText>,
}

fn width(text: &str) -> Option<Width> {
    let number = |text: &str| text.parse::<u8>().ok().filter(|number| *number > 0);
    Some(match text.split_once(['/', '*', '+']) {
        Some(("columns", divisor)) => Width::Columns(number(divisor)?),
        Some(("repeat", factor)) => Width::Repeat(number(factor)?),
        Some(("dimensions", more)) => Width::Dimensions(more.parse().ok()?),
        Some(_) => return None,
        None => match text {
            "data" => Width::Data,
            "selected" => Width::Selected,
            "repeat" => Width::Repeat(1),
            "texels" => Width::Texels { rest: false },
            "texels-rest" => Width::Texels { rest: true },
            "coordinates" => Width::Coordinates { rest: false },
            "coordinates-rest" => Width::Coordinates { rest: true },
            "place" => Width::Place,
            _ => Width::Count(number(text)?),
        },
    })
}

fn slot(text: &str) -> Option<Slot> {
    Some(match text {
        "d" => Slot::Destinations,
        "s" => Slot::Sources,
        "last" => Slot::Last,
        "gdesc" => Slot::MatrixDescriptor,
        _ => {
            let number = text.get(1..)?.parse().ok()?;
            match text.as_bytes().first()? {
                b'd' => Slot::Destination(number),
                b's' => Slot::Source(number),
                b'm' => Slot::Address(number),
                _ => return None,
            }
        }
    })
}

fn widths(text: &WidthsText) -> Result<Widths, String> {
    let modifiers = text.has.split('.').filter(|modifier| !modifier.is_empty());
    let entry = |(key, value): (&String, &String)| {
        let bad = || format!("'{key} = {value}' is no width");
        let slot = slot(key).ok_or_else(bad)?;
        Ok((slot, width(value).ok_or_else(bad)?))
    };
    let mut of = text
        .of
        .iter()
        .map(entry)
        .collect::<Result<Vec<_>, String>>()?;
    // What is said about one operand wins over what is said about all.
    of.sort_by_key(|(slot, _)| !matches!(slot, Slot::Destinations | Slot::Sources));
    Ok(Widths {
        has: modifiers.map(str::to_owned).collect(),
        of,
    })
}

/// The table.
#[derive(Debug)]
pub struct InstructionTable {
    rows: Vec<Row>,
    by_name: FxHashMap<String, usize>,
}

impl InstructionTable {
    /// Reads a table.
    ///
    /// # Errors
    /// The message of the TOML reader, or the row that is wrong and why.
    pub fn parse(text: &str) -> Result<InstructionTable, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut table = InstructionTable {
            rows: Vec::new(),
            by_name: FxHashMap::default(),
        };
        for row in file.instructions {
            let wrong = |why: String| format!("row '{}': {why}", row.name);
            let place = table.rows.len();
            if table.by_name.insert(row.name.clone(), place).is_some() {
                return Err(wrong("stands twice".to_owned()));
            }
            let widths = row.widths.iter().map(widths).collect::<Result<_, _>>();
            table.rows.push(Row {
                widths: widths.map_err(wrong)?,
                name: row.name,
                family: row.family,
                about: row.about,
                destinations: row.destinations,
                latency: row.latency,
                variable_before: row.variable_before,
                variable_on: row.variable_on,
                hidden: row.hidden,
            });
        }
        Ok(table)
    }

    /// The rows in order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of what is before the first dot of a mnemonic.
    pub fn named(&self, name: &str) -> Option<&Row> {
        self.by_name.get(name).map(|place| &self.rows[*place])
    }
}

/// The table of this crate.
///
/// # Panics
/// When the embedded file is malformed: a bug, which every test of the crate shows.
pub fn table() -> &'static InstructionTable {
    static TABLE: OnceLock<InstructionTable> = OnceLock::new();
    TABLE.get_or_init(
        || match InstructionTable::parse(include_str!("instructions.toml")) {
            Ok(table) => table,
            Err(message) => panic!("instructions.toml: {message}"),
        },
    )
}

/// What the dialect knows about a mnemonic.
pub fn row(mnemonic: &Mnemonic) -> Option<&'static Row> {
    table().named(mnemonic.base())
}

/// The row of the opcode table of `ori` with the longest mnemonic that this one starts with, or else
/// one with the same base: a shape of `HMMA` that the table does not have is like those it has. The
/// table has some instructions of the uniform datapath without their `U`.
pub fn opcode(mnemonic: &Mnemonic) -> Option<&'static Opcode> {
    let text = mnemonic.text();
    longest(text).or_else(|| longest(text.strip_prefix('U')?))
}

fn longest(mnemonic: &str) -> Option<&'static Opcode> {
    static BY_MNEMONIC: OnceLock<FxHashMap<&'static str, &'static Opcode>> = OnceLock::new();
    let known = BY_MNEMONIC.get_or_init(|| {
        let rows = || opcodes::table().rows().iter();
        let mut known = FxHashMap::default();
        for row in rows().filter(|row| !row.mnemonic.is_empty()) {
            known.entry(row.mnemonic.as_str()).or_insert(row);
        }
        for row in rows() {
            if let Some((base, _)) = row.mnemonic.split_once('.') {
                known.entry(base).or_insert(row);
            }
        }
        known
    });
    let mut text = mnemonic;
    loop {
        if let Some(row) = known.get(text) {
            return Some(row);
        }
        text = &text[..text.rfind('.')?];
    }
}
