//! Machine models as data: slots, latency families, pools, byte budgets, and a resource row for
//! every operation.
//!
//! A model is a TOML file. Four are embedded and parsed once; a user's file goes through
//! [`MachineModel::parse`], which reports every malformation with file, line and column. Every row
//! and rate names its `source`.
//!
//! The rows of `hopper` and `blackwell` are [`Formula`]s over extents, element types and the rates of
//! the machine. `page-hopper` and `page-blackwell` have the abstract cycles of the reference, equal
//! for tiles of all sizes. A file with a `base` contains what differs from another model.
//!
//! Every operation has a row: an exact name with the most matching selectors takes precedence, then
//! the longest `prefix*` row, then the row `*` (one issue cycle, arithmetic latency), which every
//! model must have.
//!
//! Source: tileas reference section 3.

mod facts;
mod formula;
mod parse;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub use formula::{Formula, Function, MAX_CYCLES, Quantities, Variable};
pub use parse::ModelError;
pub(crate) use parse::{override_by, position};

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

/// A quantity of the machine that formulas use by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// Name, such as `fma`.
    pub name: String,
    /// What it is per cycle, or the cycles of a latency.
    pub value: f64,
    /// The source of the value.
    pub source: String,
}

/// A slot that a row holds from the start of the operation.
#[derive(Clone, Debug, PartialEq)]
pub struct RowUse {
    /// Slot number.
    pub slot: u8,
    /// Cycles; no use if a formula yields 0.
    pub duration: Formula,
    /// Units held: 0 or 1.
    pub occupancy: u32,
}

/// The resource row of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationRow {
    /// Operation name, or a prefix that ends in `*`.
    pub operation: String,
    /// Matches if the operation's atom contains one of these texts; any atom if empty.
    pub atoms: Vec<String>,
    /// Matches if the source is this memory space (`gmem`, `smem`, `tmem`, `reg`).
    pub from: Option<String>,
    /// Matches if the destination is this memory space.
    pub to: Option<String>,
    /// Matches if the region of the reduction or scan combines with one of these operations; any if
    /// empty.
    pub body: Vec<String>,
    /// Slots held.
    pub uses: Vec<RowUse>,
    /// Cycles until the result can be read.
    pub latency: Formula,
    /// Shares of issue pools; indices into [`MachineModel::pools`].
    pub pools: Vec<PoolUse>,
    /// The source of the row.
    pub source: String,
}

/// The facts about an operation by which its row is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OperationQuery<'q> {
    /// Full name, such as `nv_tileas.tiled_load`.
    pub operation: &'q str,
    /// Atom name, such as `tma_load_2d`.
    pub atom: Option<&'q str>,
    /// Memory space that is read.
    pub from: Option<&'q str>,
    /// Memory space that is written.
    pub to: Option<&'q str>,
    /// The operation by which a reduction or scan combines two values.
    pub body: Option<&'q str>,
    /// Extents and sizes.
    pub quantities: Quantities,
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
#[derive(Clone, Debug, PartialEq)]
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
    rates: Vec<Rate>,
    rows: Vec<OperationRow>,
    /// Rows by operation name, in file order.
    by_name: BTreeMap<String, Vec<usize>>,
    /// The row `*`.
    default_row: usize,
    unlimited_smem: bool,
}

// One static for each, as a model reads its base while it is parsed.
static BLACKWELL: LazyLock<MachineModel> = LazyLock::new(|| embedded("blackwell"));
static HOPPER: LazyLock<MachineModel> = LazyLock::new(|| embedded("hopper"));
static PAGE_BLACKWELL: LazyLock<MachineModel> = LazyLock::new(|| embedded("page-blackwell"));
static PAGE_HOPPER: LazyLock<MachineModel> = LazyLock::new(|| embedded("page-hopper"));

fn embedded(name: &str) -> MachineModel {
    let text = MachineModel::embedded_text(name).unwrap_or_default();
    // A test parses all files, so this cannot fail in a build that passes its tests.
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
        match name {
            "blackwell" => Some(&BLACKWELL),
            "hopper" => Some(&HOPPER),
            "page-blackwell" => Some(&PAGE_BLACKWELL),
            "page-hopper" => Some(&PAGE_HOPPER),
            _ => None,
        }
    }

    /// The embedded model for a compute capability such as 90 or 100: the newest one not newer than
    /// the device. `None` before Hopper.
    #[must_use]
    pub fn for_compute_capability(capability: u32) -> Option<&'static Self> {
        [Self::blackwell(), Self::hopper()]
            .into_iter()
            .find(|model| model.compute_capability <= capability)
    }

    /// The model of the same machine with the abstract cycles of the reference, which do not depend
    /// on the size of a tile: `page-hopper` for `hopper`.
    #[must_use]
    pub fn page(&self) -> &Self {
        Self::by_name(&format!("page-{}", self.name)).unwrap_or(self)
    }

    /// The text of an embedded model by name, as a template for a custom model file.
    #[must_use]
    pub fn embedded_text(name: &str) -> Option<&'static str> {
        match name {
            "blackwell" => Some(include_str!("blackwell.toml")),
            "hopper" => Some(include_str!("hopper.toml")),
            "page-blackwell" => Some(include_str!("page-blackwell.toml")),
            "page-hopper" => Some(include_str!("page-hopper.toml")),
            _ => None,
        }
    }

    /// The names of the embedded models.
    pub const EMBEDDED: [&'static str; 4] =
        ["blackwell", "hopper", "page-blackwell", "page-hopper"];

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

    /// The rates that formulas use.
    #[must_use]
    pub fn rates(&self) -> &[Rate] {
        &self.rates
    }

    /// The value of a rate by name.
    #[must_use]
    pub fn rate(&self, name: &str) -> Option<f64> {
        let rate = self.rates.iter().find(|rate| rate.name == name)?;
        Some(rate.value)
    }

    /// All operation rows, those of the file before those of its base.
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
        let mut selectors = self.rows.iter().flat_map(|row| &row.atoms);
        selectors.any(|selector| name.contains(selector.as_str()))
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
        self.row(query).cost(&query.quantities)
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
        let listed = |wanted: &[String], is_met: &dyn Fn(&str) -> bool| match wanted {
            [] => Some(0),
            _ => wanted.iter().any(|wanted| is_met(wanted)).then_some(1),
        };
        let atom = listed(&self.atoms, &|wanted| {
            query.atom.is_some_and(|found| found.contains(wanted))
        })?;
        let body = listed(&self.body, &|wanted| query.body == Some(wanted))?;
        Some(atom + body + equal(&self.from, query.from)? + equal(&self.to, query.to)?)
    }

    /// The number of selectors.
    fn selectors(&self) -> usize {
        let listed = [&self.atoms, &self.body];
        let listed = listed.into_iter().filter(|texts| !texts.is_empty()).count();
        let spaces = [&self.from, &self.to];
        listed + spaces.into_iter().flatten().count()
    }

    fn prefix(&self) -> Option<&str> {
        self.operation.strip_suffix('*')
    }

    /// The cost of the row for an operation of these extents.
    #[must_use]
    pub fn cost(&self, quantities: &Quantities) -> OperationCost {
        let uses: Vec<ResourceUse> = self
            .uses
            .iter()
            .map(|held| ResourceUse {
                slot: held.slot,
                duration: held.duration.cycles(quantities),
                occupancy: held.occupancy,
            })
            .filter(|held| held.duration > 0)
            .collect();
        let mut quantities = *quantities;
        let busy = uses.iter().map(|held| held.duration).max().unwrap_or(0);
        quantities.set(Variable::Busy, u64::from(busy));
        OperationCost {
            latency: self.latency.cycles(&quantities),
            uses,
            pools: self.pools.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
