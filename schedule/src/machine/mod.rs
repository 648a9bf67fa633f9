//! Machine models as data: slots, latency families, pools, byte budgets, and a resource row for
//! every operation.
//!
//! A model is a TOML file. `blackwell.toml` and `hopper.toml` are embedded and parsed once; a
//! user's file goes through [`MachineModel::parse`], which reports every malformation with file,
//! line and column. Every row names its `source`.
//!
//! Every operation has a row: an exact name with the most matching selectors takes precedence, then
//! the longest `prefix*` row, then the row `*` (one issue cycle, arithmetic latency), which every
//! model must have.
//!
//! Source: tileas reference section 3.

mod facts;
mod parse;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub use parse::ModelError;
pub(crate) use parse::position;

use orison_ir::{Context, Operation};

use crate::modulo::{Pool, PoolUse, ResourceSpace, ResourceUse};

/// The pool capacities that the pages quote by index. Indices 0 and 3 are table sizes and never
/// admission pools; 1 and 6 are the TMEM and named-barrier caps of seed 004. Admission uses the
/// named pools of a model instead (register entry C1).
pub const POOL_CAPACITY_VECTOR: [u32; 9] = [37, 4, 7, 37, 5, 1, 3, 6, 2];

/// The kind of resource of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotKind {
    /// A whole unit, such as `alu`.
    Coarse,
    /// A part of a unit or a transport, such as `tp_smem_wr`.
    Fine,
    /// A slot for tests of the scheduler.
    Test,
}

/// One of the named slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Number from 1; bit `number - 1` of a reservation row.
    pub number: u8,
    /// Name, such as `tp_smem_wr`.
    pub name: String,
    /// Kind.
    pub kind: SlotKind,
    /// Cost weight in cycles; never a lower bound on a start.
    pub anchor: u32,
    /// The source of the row.
    pub source: String,
}

/// Cycles that operations of one family take unless their row overrides them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatencyFamily {
    /// Name.
    pub name: String,
    /// Cycles.
    pub cycles: u32,
    /// Slot numbers of the family.
    pub slots: Vec<u8>,
    /// The source of the row.
    pub source: String,
}

/// Caps of the bank-pressure evaluator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatorCaps {
    /// Units in the table of the current iteration (TMEM).
    pub tmem_in_iteration: u32,
    /// Units in the table of older iterations (named barriers).
    pub named_barrier_carry: u32,
    /// The source of the caps.
    pub source: String,
}

/// A hard limit besides the slots, in bytes or in units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Name, such as `smem`.
    pub name: String,
    /// The limit.
    pub limit: u64,
    /// `bytes` or `units`.
    pub unit: String,
    /// The source of the row.
    pub source: String,
}

/// A latency that is used as a cost weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleAnchor {
    /// Name, such as `far_memory`.
    pub name: String,
    /// Cycles.
    pub cycles: u32,
    /// The source of the row.
    pub source: String,
}

/// How the cost of a row scales with the operation's size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scale {
    /// Constant.
    #[default]
    Fixed,
    /// Durations and latency are multiplied by `ceil(log2(elements))`, at least 1.
    LogarithmOfElements,
}

/// The resource row of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationRow {
    /// Operation name, or a prefix that ends in `*`.
    pub operation: String,
    /// Matches if the operation's atom contains this text.
    pub atom: Option<String>,
    /// Matches if the source is this memory space (`gmem`, `smem`, `tmem`, `reg`).
    pub from: Option<String>,
    /// Matches if the destination is this memory space.
    pub to: Option<String>,
    /// Resource triples.
    pub uses: Vec<ResourceUse>,
    /// Cycles until the result can be read.
    pub latency: u32,
    /// Shares of issue pools; indices into [`MachineModel::pools`].
    pub pools: Vec<PoolUse>,
    /// Scaling with size.
    pub scale: Scale,
    /// The source of the row.
    pub source: String,
}

/// The facts about an operation by which its row is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationQuery<'q> {
    /// Full name, such as `nv_tileas.tiled_load`.
    pub operation: &'q str,
    /// Atom name, such as `tma_load_2d`.
    pub atom: Option<&'q str>,
    /// Memory space that is read.
    pub from: Option<&'q str>,
    /// Memory space that is written.
    pub to: Option<&'q str>,
    /// Elements along the axis that determines the cost of reductions and scans.
    pub elements: Option<u64>,
}

/// Latency, triples and pools of one operation, as used by a dependence-graph node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationCost {
    /// Cycles until the result can be read.
    pub latency: u32,
    /// Resource triples.
    pub uses: Vec<ResourceUse>,
    /// Shares of issue pools.
    pub pools: Vec<PoolUse>,
}

/// A machine model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineModel {
    name: String,
    compute_capability: u32,
    source: String,
    slots: Vec<Slot>,
    families: Vec<LatencyFamily>,
    pools: Vec<Pool>,
    evaluator: EvaluatorCaps,
    budgets: Vec<Budget>,
    anchors: Vec<CycleAnchor>,
    rows: Vec<OperationRow>,
    /// Rows by operation name, in file order.
    by_name: BTreeMap<String, Vec<usize>>,
    /// The row `*`.
    default_row: usize,
    unlimited_smem: bool,
}

static BLACKWELL: LazyLock<MachineModel> = LazyLock::new(|| embedded("blackwell"));
static HOPPER: LazyLock<MachineModel> = LazyLock::new(|| embedded("hopper"));

fn embedded(name: &str) -> MachineModel {
    let text = MachineModel::embedded_text(name).unwrap_or_default();
    // A test parses both files, so this cannot fail in a build that passes its tests.
    MachineModel::parse(&format!("{name}.toml"), text)
        .expect("the embedded machine model is well-formed")
}

impl MachineModel {
    /// The embedded Blackwell model.
    #[must_use]
    pub fn blackwell() -> &'static Self {
        &BLACKWELL
    }

    /// The embedded Hopper model.
    #[must_use]
    pub fn hopper() -> &'static Self {
        &HOPPER
    }

    /// An embedded model by name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        [Self::blackwell(), Self::hopper()]
            .into_iter()
            .find(|model| model.name == name)
    }

    /// The embedded model for a compute capability such as 90 or 100: the newest one not newer than
    /// the device. `None` before Hopper.
    #[must_use]
    pub fn for_compute_capability(capability: u32) -> Option<&'static Self> {
        [Self::blackwell(), Self::hopper()]
            .into_iter()
            .find(|model| model.compute_capability <= capability)
    }

    /// The text of an embedded model by name, as a template for a custom model file.
    #[must_use]
    pub fn embedded_text(name: &str) -> Option<&'static str> {
        match name {
            "blackwell" => Some(include_str!("blackwell.toml")),
            "hopper" => Some(include_str!("hopper.toml")),
            _ => None,
        }
    }

    /// The names of the embedded models.
    pub const EMBEDDED: [&'static str; 2] = ["blackwell", "hopper"];

    /// Parses a model; `file` is used only in errors.
    ///
    /// # Errors
    /// The first malformation with its position: syntax, unknown or missing keys, wrong types,
    /// unknown slots or pools, numbers out of range, duplicate rows, a missing `*` row.
    pub fn parse(file: &str, text: &str) -> Result<Self, ModelError> {
        parse::parse(file, text)
    }

    /// The model with the shared-memory budget lifted, as requested by
    /// `TILE_AS_DEBUG_UNLIMITED_SMEM=1`. Passes read the environment when they choose a model; this
    /// module does not.
    #[must_use]
    pub fn with_unlimited_smem(mut self, unlimited: bool) -> Self {
        self.unlimited_smem = unlimited;
        self
    }

    /// Name of the model.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Least compute capability, such as 90.
    #[must_use]
    pub const fn compute_capability(&self) -> u32 {
        self.compute_capability
    }

    /// The source of the model.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The slots, ordered by number.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// A slot by name.
    #[must_use]
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }

    /// The latency families.
    #[must_use]
    pub fn families(&self) -> &[LatencyFamily] {
        &self.families
    }

    /// The issue pools; [`PoolUse::pool`] indexes them.
    #[must_use]
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// Caps of the bank-pressure evaluator.
    #[must_use]
    pub const fn evaluator_caps(&self) -> &EvaluatorCaps {
        &self.evaluator
    }

    /// The hard budgets.
    #[must_use]
    pub fn budgets(&self) -> &[Budget] {
        &self.budgets
    }

    /// The limit of a budget by name; `None` if the model has no such budget, and `u64::MAX` for
    /// `smem` if it is unlimited.
    #[must_use]
    pub fn budget(&self, name: &str) -> Option<u64> {
        let budget = self.budgets.iter().find(|budget| budget.name == name)?;
        let lifted = self.unlimited_smem && name == "smem";
        Some(if lifted { u64::MAX } else { budget.limit })
    }

    /// The latencies used as cost weights.
    #[must_use]
    pub fn anchors(&self) -> &[CycleAnchor] {
        &self.anchors
    }

    /// All operation rows in file order.
    #[must_use]
    pub fn rows(&self) -> &[OperationRow] {
        &self.rows
    }

    /// Slot names and pools, for a dependence graph.
    #[must_use]
    pub fn resource_space(&self) -> ResourceSpace {
        ResourceSpace {
            slot_names: self
                .slots
                .iter()
                .map(|slot| (slot.number, slot.name.clone()))
                .collect(),
            pools: self.pools.clone(),
            slot_weights: self
                .slots
                .iter()
                .map(|slot| (slot.number, slot.anchor))
                .collect(),
        }
    }

    /// Whether the atom selector of any row matches the name of an atom.
    #[must_use]
    pub fn knows_atom(&self, name: &str) -> bool {
        let mut selectors = self.rows.iter().filter_map(|row| row.atom.as_deref());
        selectors.any(|selector| name.contains(selector))
    }

    /// The row of an operation; always present, see the module documentation.
    #[must_use]
    pub fn row(&self, query: &OperationQuery<'_>) -> &OperationRow {
        let mut best: Option<(usize, usize)> = None;
        for &index in self.by_name.get(query.operation).into_iter().flatten() {
            if let Some(matched) = self.rows[index].matches(query)
                && best.is_none_or(|(most, _)| matched > most)
            {
                best = Some((matched, index));
            }
        }
        if let Some((_, index)) = best {
            return &self.rows[index];
        }
        let prefixes = self.rows.iter().filter(|row| {
            row.prefix()
                .is_some_and(|prefix| query.operation.starts_with(prefix))
                && row.matches(query).is_some()
        });
        prefixes
            .max_by_key(|row| row.operation.len())
            .unwrap_or(&self.rows[self.default_row])
    }

    /// Latency, triples and pools of one operation when an agent of `warps` warps executes it: the
    /// cost of its row, without operations nested in it and without scheduling attributes, which
    /// `tileas::classify::node_cost` adds.
    #[must_use]
    pub fn cost(&self, context: &Context, op: Operation, warps: u32) -> OperationCost {
        self.cost_of(&facts::query(context, op, warps))
    }

    /// Latency, triples and pools of the operation that a query describes.
    #[must_use]
    pub fn cost_of(&self, query: &OperationQuery<'_>) -> OperationCost {
        self.row(query).cost(query.elements)
    }
}

impl OperationRow {
    /// The number of selectors that match; `None` if one does not match.
    fn matches(&self, query: &OperationQuery<'_>) -> Option<usize> {
        let equal = |wanted: &Option<String>, found: Option<&str>| match (wanted, found) {
            (None, _) => Some(0),
            (Some(wanted), Some(found)) if wanted == found => Some(1),
            _ => None,
        };
        let atom = match (&self.atom, query.atom) {
            (None, _) => 0,
            (Some(wanted), Some(found)) if found.contains(wanted.as_str()) => 1,
            _ => return None,
        };
        Some(atom + equal(&self.from, query.from)? + equal(&self.to, query.to)?)
    }

    fn prefix(&self) -> Option<&str> {
        self.operation.strip_suffix('*')
    }

    /// The cost of the row for an operation of a given size.
    #[must_use]
    pub fn cost(&self, elements: Option<u64>) -> OperationCost {
        let factor = match self.scale {
            Scale::Fixed => 1,
            Scale::LogarithmOfElements => elements
                .unwrap_or(1)
                .max(2)
                .checked_next_power_of_two()
                .map_or(64, u64::ilog2),
        };
        OperationCost {
            latency: self.latency * factor,
            uses: self
                .uses
                .iter()
                .map(|triple| ResourceUse {
                    duration: triple.duration * factor,
                    ..*triple
                })
                .collect(),
            pools: self.pools.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
