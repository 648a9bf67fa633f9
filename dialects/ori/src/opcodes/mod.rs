//! The opcode table: properties of operations for passes.
//!
//! [`opcodes.toml`](https://toml.io) has a row for every base entry of ptxas 13.0 and for other
//! instructions of real SASS. It is parsed once.

mod page;

use std::sync::OnceLock;

use orison_ir::declare::Effects;
use orison_ir::{Attribute, Context, Operation};
use rustc_hash::FxHashMap;
use serde::Deserialize;

pub use page::page;

/// Number of base entries of ptxas 13.0.
pub const BASE_ENTRIES: u16 = 322;

/// The category of an instruction.
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
    /// Conversions between number formats.
    Conversion,
    /// Elementary functions.
    Transcendental,
    /// Moves and selections.
    Move,
    /// Predicates.
    Predicate,
    /// The uniform datapath.
    Uniform,
    /// Operations between the lanes of a warp.
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
    /// Other machine instructions.
    Other,
    /// Operations without an instruction.
    Pseudo,
    /// Markers of the first or last entry of a generation.
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
    /// Moves from the vector datapath to the uniform one.
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

/// How the consumer of a result synchronises with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyKind {
    /// Waits a known number of cycles.
    Fixed,
    /// Waits for a scoreboard.
    Variable,
    /// Fixed in ptxas output; on some machines a scoreboard is needed.
    Either,
    /// Control flow: not applicable.
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
    /// Per-thread memory.
    Local,
    /// Memory of a CTA.
    Shared,
    /// Shared memory of another CTA of the cluster.
    SharedCluster,
    /// Constant banks.
    Constant,
    /// Global memory.
    Global,
    /// Surfaces.
    Surface,
    /// Textures.
    Texture,
    /// Tensor memory.
    Tensor,
}

/// A boolean property of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Synchronises or orders.
    Barrier,
    /// Branches.
    Branch,
    /// Calls or returns.
    Call,
    /// Ends the thread.
    Exit,
    /// Writes a predicate.
    Predicate,
    /// Uses the uniform datapath.
    Uniform,
    /// Asynchronous: completion is signalled by a barrier or group.
    Asynchronous,
    /// Convergent: the effect depends on which threads of the warp execute it together.
    Convergent,
    /// The result may differ from one execution to the next (clocks, counters).
    Changing,
}

/// A row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opcode {
    /// Index of the base entry in ptxas; `None` for rows that are not in its table.
    pub number: Option<u16>,
    /// Unique name of the entry.
    pub name: String,
    /// SASS mnemonic; empty if no instruction is issued.
    pub mnemonic: String,
    /// The category.
    pub category: Category,
    /// The issue pipe.
    pub pipe: Pipe,
    /// The latency handling.
    pub latency: LatencyKind,
    /// First SM that has it: major * 10 + minor.
    pub since: u16,
    /// Cycles in the scalar cost model of ptxas: a priority, not a stall count.
    pub cycles: Option<u16>,
    /// Scheduling classes that the ptxas classifier may choose.
    #[serde(default)]
    pub classes: Vec<u16>,
    /// Memory spaces read.
    #[serde(default)]
    pub reads: Vec<Space>,
    /// Memory spaces written.
    #[serde(default)]
    pub writes: Vec<Space>,
    /// Other properties.
    #[serde(default)]
    pub flags: Vec<Flag>,
    /// The corresponding operation of the dialect.
    pub operation: Option<String>,
    /// The modifier (or keyword of one) that selects this row for the operation.
    pub when: Option<String>,
    /// The source of the row; the head of the table explains the names.
    pub source: String,
}

impl Opcode {
    /// Whether it has a property.
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// The effects that generic passes may assume. Operations that synchronise, are asynchronous,
    /// or exchange values between threads have unknown effects; constant banks never change.
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

/// The file format.
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
    /// All rows: base entries by index, then the others.
    pub fn rows(&self) -> &[Opcode] {
        &self.rows
    }

    /// The row with a name.
    pub fn named(&self, name: &str) -> Option<&Opcode> {
        self.by_name.get(name).map(|number| &self.rows[*number])
    }

    /// The base entry with an index.
    pub fn numbered(&self, number: u16) -> Option<&Opcode> {
        let row = self.rows.get(usize::from(number))?;
        (row.number == Some(number)).then_some(row)
    }

    /// The rows of an operation.
    pub fn of_operation(&self, operation: &str) -> impl Iterator<Item = &Opcode> {
        let rows = self.by_operation.get(operation).map(Vec::as_slice);
        rows.unwrap_or_default()
            .iter()
            .map(|number| &self.rows[*number])
    }

    /// Parses a table.
    ///
    /// # Errors
    /// Returns the message of the TOML reader, or the invalid row and the reason.
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
                return Err(format!(
                    "row '{}': the numbers must be consecutive and start at 0",
                    row.name
                ));
            }
            if table.by_name.insert(row.name.clone(), place).is_some() {
                return Err(format!("duplicate row '{}'", row.name));
            }
            match (&row.operation, &row.when) {
                (Some(operation), _) => {
                    let rows = table.by_operation.entry(operation.clone()).or_default();
                    rows.push(place);
                }
                (None, Some(_)) => {
                    return Err(format!("row '{}': 'when' requires 'operation'", row.name));
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
/// Panics if the embedded file is malformed: a bug, which every test of the crate shows.
pub fn table() -> &'static OpcodeTable {
    static TABLE: OnceLock<OpcodeTable> = OnceLock::new();
    TABLE.get_or_init(|| match OpcodeTable::parse(include_str!("opcodes.toml")) {
        Ok(table) => table,
        Err(message) => panic!("opcodes.toml: {message}"),
    })
}

/// The row of an operation; `None` for operations of other dialects. Of several rows, the first one
/// whose condition holds is taken, otherwise the one without a condition.
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

/// Whether a unit modifier is set, or a modifier has a keyword as its value.
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
