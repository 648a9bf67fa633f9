//! The table of instructions, parsed once from `instructions.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use orison_ori::opcodes::{self, Opcode};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::instruction::Mnemonic;

/// The operands an instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Destinations {
    /// None.
    None,
    /// The first one.
    One,
    /// The first two.
    Two,
    /// Predicates, a register, and the predicates after it.
    Leading,
    /// Predicates, and two registers: the components of a texture.
    Texels,
    /// The operands before the first address or constant-bank value.
    BeforeAddress,
    /// All but the last one.
    AllButLast,
}

/// The mechanism that signals that the result of an instruction is available.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Latency {
    /// After a fixed number of cycles.
    Fixed,
    /// By a scoreboard.
    Variable,
    /// Control flow and waits: not applicable.
    Control,
    /// By a wait for the group of the instruction.
    Asynchronous,
}

/// The number of registers of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// This many.
    Count(u8),
    /// The data size in the mnemonic.
    Data,
    /// Two for an operand that is a pair, otherwise one.
    Selected,
    /// The columns of the shape in the mnemonic, divided by this.
    Columns(u8),
    /// The repetitions of the mnemonic, multiplied by this.
    Repeat(u8),
    /// The dimensions of the mnemonic, plus this many.
    Dimensions(u8),
    /// The first components of a texture, or the rest of them.
    Texels {
        /// The rest.
        rest: bool,
    },
    /// The coordinates of a texture, or the values after them.
    Coordinates {
        /// The values after them.
        rest: bool,
    },
    /// The coordinates in a surface.
    Place,
}

/// The operands to which a width applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// Every destination.
    Destinations,
    /// The destination with this index.
    Destination(usize),
    /// Every source.
    Sources,
    /// The source with this index.
    Source(usize),
    /// The last general register among the sources.
    Last,
    /// The uniform register of the address with this index.
    Address(usize),
    /// The uniform register of a matrix descriptor.
    MatrixDescriptor,
}

/// Widths, and the modifiers under which they apply.
#[derive(Debug)]
pub(super) struct Widths {
    pub(super) has: Vec<String>,
    pub(super) of: Vec<(Slot, Width)>,
}

/// The properties of a mnemonic.
#[derive(Debug)]
pub struct Row {
    /// The text before the first dot.
    pub name: String,
    /// The kind of instruction: `integer`, `memory`.
    pub family: String,
    /// Its description.
    pub about: String,
    /// The operands it writes.
    pub destinations: Destinations,
    latency: Latency,
    variable_before: u16,
    variable_on: Vec<u16>,
    pub(super) widths: Vec<Widths>,
    /// The first bit of a descriptor that the text omits.
    pub hidden: Option<u32>,
}

impl Row {
    /// The mechanism that signals the result, on a machine (major * 10 + minor).
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
        let bad = || format!("'{key} = {value}' is not a valid width");
        let slot = slot(key).ok_or_else(bad)?;
        Ok((slot, width(value).ok_or_else(bad)?))
    };
    let mut of = text
        .of
        .iter()
        .map(entry)
        .collect::<Result<Vec<_>, String>>()?;
    // Widths of specific operands take precedence over those of all operands.
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
    /// Parses a table.
    ///
    /// # Errors
    /// The message of the TOML parser, or the row at fault and the reason.
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

    /// The row of the base of a mnemonic.
    pub fn named(&self, name: &str) -> Option<&Row> {
        self.by_name.get(name).map(|place| &self.rows[*place])
    }
}

/// The table of this crate.
///
/// # Panics
/// If the embedded file is malformed: a bug, which every test of the crate detects.
pub fn table() -> &'static InstructionTable {
    static TABLE: OnceLock<InstructionTable> = OnceLock::new();
    TABLE.get_or_init(
        || match InstructionTable::parse(include_str!("instructions.toml")) {
            Ok(table) => table,
            Err(message) => panic!("instructions.toml: {message}"),
        },
    )
}

/// The row of a mnemonic.
pub fn row(mnemonic: &Mnemonic) -> Option<&'static Row> {
    table().named(mnemonic.base())
}

/// The row of the opcode table of `ori` with the longest mnemonic that is a prefix of this one, or
/// otherwise one with the same base: a shape of `HMMA` not in the table is like those in it. The
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
