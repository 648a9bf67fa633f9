//! The opcode table: what passes know about an operation without knowing the operation.
//!
//! [`opcodes.toml`](https://toml.io) has a row for every base entry of ptxas 13.0 and for what real
//! SASS shows beside them. It is parsed once.

mod page;

use std::sync::OnceLock;

use orison_ir::declare::Effects;
use orison_ir::{Attribute, Context, Operation};
use rustc_hash::FxHashMap;
use serde::Deserialize;

pub use page::page;

/// Number of base entries of ptxas 13.0.
pub const BASE_ENTRIES: u16 = 322;

/// What an instruction is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// 32-bit integers.
    Integer,
    /// 32-bit floats.
    Float,
    /// 64-bit floats.
    Double,
    /// 16-bit floats, in pairs.
    Half,
    /// From one number format to another.
    Conversion,
    /// Elementary functions.
    Transcendental,
    /// Moves and choices.
    Move,
    /// Predicates.
    Predicate,
    /// The uniform datapath.
    Uniform,
    /// Between the lanes of a warp.
    Warp,
    /// Memory.
    Memory,
    /// Bulk and tensor copies.
    Bulk,
    /// Matrix products.
    Matrix,
    /// Tensor memory.
    TensorMemory,
    /// Textures.
    Texture,
    /// Surfaces.
    Surface,
    /// The graphics pipeline.
    Graphics,
    /// Barriers, fences, waits.
    Synchronization,
    /// Branches, calls, convergence.
    Control,
    /// Anything else a machine does.
    Other,
    /// No instruction.
    Pseudo,
    /// Marks where the entries of a generation begin or end.
    Marker,
}

/// The hardware pipe an instruction is issued to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pipe {
    /// None.
    None,
    /// Integer and logic.
    Alu,
    /// Fused multiply-add.
    Fma,
    /// Multiply-add with a wide result.
    FmaWide,
    /// Half precision.
    Fp16,
    /// Half precision on the tensor pipe.
    HalfTensor,
    /// Double precision.
    Fp64,
    /// Double precision matrix products.
    Fp64Tensor,
    /// Elementary functions, conversions, bit counts.
    Transcendental,
    /// Loads, stores, atomics, shared-memory messages.
    Memory,
    /// Textures and surfaces.
    Texture,
    /// Barriers and addresses.
    Address,
    /// Branches and convergence barriers.
    Control,
    /// The uniform datapath.
    Uniform,
    /// From the vector datapath to the uniform one.
    AluToUniform,
    /// Matrix products of a warp.
    Tensor,
    /// Matrix products of a warp group.
    WarpgroupTensor,
    /// Matrix products from tensor memory.
    TensorCore,
    /// Loads and stores of tensor memory.
    TensorMemory,
    /// Tensor memory accelerator.
    Tma,
}

/// How the consumer of a result knows that it is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyKind {
    /// After a known number of cycles.
    Fixed,
    /// A scoreboard tells.
    Variable,
    /// Fixed in what ptxas emits; on some machines a scoreboard is needed.
    Either,
    /// Control flow: the question does not arise.
    Control,
    /// No instruction.
    None,
}

/// A memory space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Space {
    /// Any of the windows of the generic address space.
    Generic,
    /// Of a thread.
    Local,
    /// Of a CTA.
    Shared,
    /// Shared memory of another CTA of the cluster.
    SharedCluster,
    /// Constant banks.
    Constant,
    /// Global.
    Global,
    /// Surfaces.
    Surface,
    /// Textures.
    Texture,
    /// Tensor memory.
    Tensor,
}

/// A property that an instruction has or has not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Synchronises or orders.
    Barrier,
    /// Changes where execution goes on.
    Branch,
    /// Calls or returns.
    Call,
    /// Ends the thread.
    Exit,
    /// Writes a predicate.
    Predicate,
    /// Of the uniform datapath.
    Uniform,
    /// Goes on after the instruction: a barrier or group tells when it is done.
    Asynchronous,
    /// Means something only together with other threads of the warp.
    Convergent,
    /// May tell something else each time.
    Changing,
}

/// A row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opcode {
    /// Number of the base entry in ptxas; none for what is not in its table.
    pub number: Option<u16>,
    /// Name of the entry, unique.
    pub name: String,
    /// What SASS text shows; empty when no instruction is issued.
    pub mnemonic: String,
    /// What it is about.
    pub category: Category,
    /// Where it is issued to.
    pub pipe: Pipe,
    /// How its latency is handled.
    pub latency: LatencyKind,
    /// First SM that has it: major * 10 + minor.
    pub since: u16,
    /// Cycles in the scalar cost model of ptxas: a priority, not a stall count.
    pub cycles: Option<u16>,
    /// Scheduling classes that the classifier of ptxas may choose.
    #[serde(default)]
    pub classes: Vec<u16>,
    /// Memory spaces it reads.
    #[serde(default)]
    pub reads: Vec<Space>,
    /// Memory spaces it writes.
    #[serde(default)]
    pub writes: Vec<Space>,
    /// Its other properties.
    #[serde(default)]
    pub flags: Vec<Flag>,
    /// The operation of the dialect that stands for it.
    pub operation: Option<String>,
    /// The modifier (or word of one) with which that operation stands for it.
    pub when: Option<String>,
    /// Where the row is from; the head of the table explains the words.
    pub source: String,
}

impl Opcode {
    /// Whether it has a property.
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// What generic passes may assume. Anything that synchronises, goes on after the instruction, or
    /// exchanges values between threads is unknown to them; constant banks never change.
    pub fn effects(&self) -> Effects {
        let opaque = [
            Flag::Barrier,
            Flag::Asynchronous,
            Flag::Call,
            Flag::Exit,
            Flag::Changing,
        ];
        let exchanges = self.has(Flag::Convergent) && self.category != Category::Matrix;
        if exchanges || opaque.iter().any(|flag| self.has(*flag)) {
            return Effects::Unknown;
        }
        let reads = self.reads.iter().any(|space| *space != Space::Constant);
        match (reads, !self.writes.is_empty()) {
            (true, true) => Effects::ReadWrite,
            (true, false) => Effects::Read,
            (false, true) => Effects::Write,
            (false, false) => Effects::None,
        }
    }
}

/// The file.
#[derive(Deserialize)]
struct File {
    opcodes: Vec<Opcode>,
}

/// The table.
#[derive(Debug)]
pub struct OpcodeTable {
    rows: Vec<Opcode>,
    by_name: FxHashMap<String, usize>,
    by_operation: FxHashMap<String, Vec<usize>>,
}

impl OpcodeTable {
    /// All rows: base entries by number, then the others.
    pub fn rows(&self) -> &[Opcode] {
        &self.rows
    }

    /// The row of a name.
    pub fn named(&self, name: &str) -> Option<&Opcode> {
        self.by_name.get(name).map(|number| &self.rows[*number])
    }

    /// The base entry with a number.
    pub fn numbered(&self, number: u16) -> Option<&Opcode> {
        let row = self.rows.get(usize::from(number))?;
        (row.number == Some(number)).then_some(row)
    }

    /// The rows that an operation may stand for.
    pub fn of_operation(&self, operation: &str) -> impl Iterator<Item = &Opcode> {
        let rows = self.by_operation.get(operation).map(Vec::as_slice);
        rows.unwrap_or_default()
            .iter()
            .map(|number| &self.rows[*number])
    }

    /// Reads a table.
    ///
    /// # Errors
    /// The message of the TOML reader, or the row that is wrong and why.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut table = OpcodeTable {
            rows: Vec::new(),
            by_name: FxHashMap::default(),
            by_operation: FxHashMap::default(),
        };
        for row in file.opcodes {
            let place = table.rows.len();
            if row
                .number
                .is_some_and(|number| usize::from(number) != place)
            {
                return Err(format!("row '{}': numbers must count from 0", row.name));
            }
            if table.by_name.insert(row.name.clone(), place).is_some() {
                return Err(format!("row '{}' stands twice", row.name));
            }
            match (&row.operation, &row.when) {
                (Some(operation), _) => {
                    let rows = table.by_operation.entry(operation.clone()).or_default();
                    rows.push(place);
                }
                (None, Some(_)) => {
                    return Err(format!("row '{}': 'when' without 'operation'", row.name));
                }
                (None, None) => {}
            }
            table.rows.push(row);
        }
        Ok(table)
    }
}

/// The table of this crate.
///
/// # Panics
/// When the embedded file is malformed: a bug, which every test of the crate shows.
pub fn table() -> &'static OpcodeTable {
    static TABLE: OnceLock<OpcodeTable> = OnceLock::new();
    TABLE.get_or_init(|| match OpcodeTable::parse(include_str!("opcodes.toml")) {
        Ok(table) => table,
        Err(message) => panic!("opcodes.toml: {message}"),
    })
}

/// The row of an operation; none for operations of other dialects. Of several rows the first is
/// taken whose condition is met, else the one without a condition.
pub fn of(context: &Context, op: Operation) -> Option<&'static Opcode> {
    let rows = || table().of_operation(op.name_text(context));
    let met = |row: &&Opcode| {
        row.when
            .as_deref()
            .is_some_and(|when| says(context, op, when))
    };
    rows()
        .find(met)
        .or_else(|| rows().find(|row| row.when.is_none()))
}

/// Whether a modifier is set, or a modifier has a word.
fn says(context: &Context, op: Operation, when: &str) -> bool {
    let properties = op.properties(context);
    let mut entries = properties.entries(context).iter();
    entries.any(|(key, value)| {
        value.as_str(context) == Some(when)
            || (*value == Attribute::UNIT && key.text(context) == when)
    })
}

#[cfg(test)]
mod tests;
