//! The time of operations: rows of the machine model, and how an operation relates to its agent.

use orison_host::arith;
use orison_ir::declare::Trait;
use orison_ir::{Context, Operation};
use orison_schedule::machine::MachineModel;
use orison_schedule::tileas::classify::node_cost;
use orison_tileas::nv_tileas::{Atom, AtomFamily};
use rustc_hash::FxHashMap;

use super::super::tasks::Failure;

/// How an operation relates to its agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// It takes no time: control flow, constants.
    Free,
    /// The agent continues; readers of its results wait.
    Pipelined,
    /// The agent continues when it is done.
    Blocking,
    /// It is queued for its units.
    Asynchronous,
}

/// The time of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cost {
    /// How it relates to its agent.
    pub form: Form,
    /// Cycles until its results are available.
    pub latency: u64,
    /// Slots, and for how many cycles they are held.
    pub slots: Vec<(u8, u64)>,
    /// Issue pools, and units taken of them.
    pub pools: Vec<(usize, u32)>,
}

impl Cost {
    /// No time at all.
    pub const NOTHING: Cost = Cost {
        form: Form::Free,
        latency: 0,
        slots: Vec::new(),
        pools: Vec::new(),
    };

    /// Cycles for which pools are held: those of the longest slot, at least one.
    pub fn hold(&self) -> u64 {
        let longest = self.slots.iter().map(|(_, cycles)| *cycles).max();
        longest.unwrap_or(1).max(1)
    }
}

/// The costs of operations, each computed once.
#[derive(Debug)]
pub(super) struct Costs<'m> {
    machine: &'m MachineModel,
    known: FxHashMap<Operation, Cost>,
}

impl<'m> Costs<'m> {
    pub fn new(machine: &'m MachineModel) -> Self {
        Costs {
            machine,
            known: FxHashMap::default(),
        }
    }

    /// The cost of an operation.
    ///
    /// # Errors
    /// If a cost attribute is malformed.
    pub fn of(&mut self, context: &Context, op: Operation) -> Result<&Cost, Failure> {
        if !self.known.contains_key(&op) {
            let cost = self.row(context, op)?;
            self.known.insert(op, cost);
        }
        Ok(&self.known[&op])
    }

    /// The only place that reads the model.
    fn row(&self, context: &Context, op: Operation) -> Result<Cost, Failure> {
        let form = form(context, op);
        if form == Form::Free {
            return Ok(Cost::NOTHING);
        }
        let row = node_cost(context, op, self.machine).map_err(|error| Failure {
            place: Some(op),
            message: error.message,
            notes: Vec::new(),
        })?;
        let mut slots: Vec<(u8, u64)> = Vec::new();
        for held in row.uses.iter().filter(|held| held.occupancy > 0) {
            let cycles = u64::from(held.duration);
            match slots.iter_mut().find(|(slot, _)| *slot == held.slot) {
                Some(known) => known.1 = known.1.max(cycles),
                None => slots.push((held.slot, cycles)),
            }
        }
        let pools = row.pools.iter().filter(|share| share.count > 0);
        Ok(Cost {
            form,
            latency: u64::from(row.latency),
            slots,
            pools: pools.map(|share| (share.pool, share.count)).collect(),
        })
    }
}

fn form(context: &Context, op: Operation) -> Form {
    let name = op.name_text(context);
    if op.has_trait(context, Trait::Terminator)
        || arith::Constant::matches(context, op)
        || matches!(name.split('.').next(), Some("scf" | "cf" | "func"))
    {
        return Form::Free;
    }
    let Some(name) = name.strip_prefix("nv_tileas.") else {
        return Form::Pipelined;
    };
    if let Some(name) = name.strip_prefix("async.") {
        let is_local = name.starts_with("pipeline.")
            || matches!(
                name,
                "wait" | "future_wait" | "to_async" | "token_to_async" | "view"
            );
        return if is_local {
            Form::Pipelined
        } else {
            Form::Asynchronous
        };
    }
    if name == "pragma" {
        return Form::Free;
    }
    if runs_asynchronously(context, op, name) {
        Form::Blocking
    } else {
        Form::Pipelined
    }
}

/// Whether the hardware performs a synchronous operation asynchronously, followed by a wait.
fn runs_asynchronously(context: &Context, op: Operation, name: &str) -> bool {
    let atom = op.attribute(context, "atom");
    let family = atom.and_then(|atom| Atom::of(context, atom));
    let family = family.map(Atom::family);
    let is_product = matches!(name, "dot" | "block_scaled_mma");
    match family {
        None | Some(AtomFamily::Unknown) => is_product,
        Some(family) => family.is_asynchronous(),
    }
}
