//! What knobs say about the order of operations, and what nothing is known of.

use orison_ir::declare::Effects;
use orison_ir::{Context, Operation};
use orison_machine::{Category, Flag, Space};
use orison_ori::analyses::memory;
use orison_ori::knobs::Knobs;
use orison_ori::opcodes;
use rustc_hash::FxHashMap;

use super::Scope;
use crate::ori::Reason;

/// Operations that nothing moves over, and operations with an order of their own.
pub(super) struct Fences<'a> {
    context: &'a Context,
    /// `FenceCode`: nothing moves over these.
    code: Vec<String>,
    /// `FenceInterference`: no access to memory moves over these.
    interference: Vec<String>,
    /// `PreserveSchedOrderSame`: of these, those with the same name stay in order.
    same: Vec<String>,
    /// `ScheduleKILs` is 0: nothing moves over exits.
    exits: bool,
    /// `SchedMemNoAlias`: accesses to memory are independent.
    no_alias: bool,
    /// `SchedAddDepFromGlobalMembarToCB`: reads of constant banks stay behind memory barriers.
    banks: bool,
}

/// The names in a knob, separated by commas or, in a list of knobs, by semicolons.
fn names(knobs: &Knobs, name: &str) -> Vec<String> {
    let text = knobs.text(name);
    let names = text.split([',', ';']).map(str::trim);
    let names = names.filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

impl<'a> Fences<'a> {
    pub fn of(scope: Scope<'a>) -> Self {
        let knobs = scope.knobs;
        Fences {
            context: scope.context,
            code: names(knobs, "FenceCode"),
            interference: names(knobs, "FenceInterference"),
            same: names(knobs, "PreserveSchedOrderSame"),
            exits: knobs.integer("ScheduleKILs") == 0,
            no_alias: knobs.flag("SchedMemNoAlias"),
            banks: knobs.integer("SchedAddDepFromGlobalMembarToCB") != 0,
        }
    }

    /// Which of some names is that of an operation, or of its instruction.
    fn named<'n>(&self, names: &'n [String], op: Operation) -> Option<&'n str> {
        if names.is_empty() {
            return None;
        }
        let own = op.name(self.context).text(self.context);
        let mnemonic = opcodes::of(self.context, op).map(|entry| entry.mnemonic);
        let base = mnemonic.map(|mnemonic| mnemonic.split('.').next().unwrap_or(mnemonic));
        let mut names = names.iter().map(String::as_str);
        names.find(|name| *name == own || Some(*name) == base || Some(*name) == mnemonic)
    }

    /// Whether nothing moves over an operation: a knob says so, or nothing is known of it.
    pub fn is_fence(&self, op: Operation) -> bool {
        let context = self.context;
        let row = opcodes::of(context, op);
        let declared = op.definition(context).map(|definition| definition.effects);
        let is_unknown = matches!(declared, None | Some(Effects::Unknown | Effects::Recursive));
        op.region_count(context) > 0
            || row.is_none() && is_unknown
            || self.exits && row.is_some_and(|row| row.has(Flag::Exit))
            || self.named(&self.code, op).is_some()
    }

    /// Whether a dependence between accesses to memory does not count.
    pub fn forgets(&self, reason: Reason, first: Operation, second: Operation) -> bool {
        self.no_alias
            && matches!(reason, Reason::Overwrite | Reason::ReadAfterWrite)
            && ![first, second]
                .iter()
                .any(|op| memory::orders_memory(self.context, *op))
    }

    /// The pairs of operations that knobs keep in order. Linear.
    pub fn orders(&self, operations: &[Operation]) -> impl Iterator<Item = (usize, usize)> {
        let context = self.context;
        let mut pairs = Vec::new();
        let mut last_of_name: FxHashMap<&str, usize> = FxHashMap::default();
        let mut barrier = None;
        let mut interferes: Option<usize> = None;
        let mut accesses: Vec<usize> = Vec::new();
        for (number, op) in operations.iter().enumerate() {
            if let Some(name) = self.named(&self.same, *op)
                && let Some(before) = last_of_name.insert(name, number)
            {
                pairs.push((before, number));
            }
            let row = opcodes::of(context, *op);
            let reads = row.map_or(&[][..], |row| row.reads);
            if row.is_some_and(|row| {
                row.category == Category::Synchronization && row.has(Flag::Barrier)
            }) {
                barrier = Some(number);
            } else if self.banks && reads.contains(&Space::Constant) {
                pairs.extend(barrier.map(|barrier| (barrier, number)));
            }
            if self.named(&self.interference, *op).is_some() {
                pairs.extend(interferes.map(|before| (before, number)));
                pairs.extend(accesses.drain(..).map(|before| (before, number)));
                interferes = Some(number);
            } else if !self.interference.is_empty() && !memory::accesses(context, *op).is_empty() {
                pairs.extend(interferes.map(|before| (before, number)));
                accesses.push(number);
            }
        }
        pairs.into_iter()
    }
}
