//! A function whose blocks are walked, and the accesses to registers that are met.

use orison_sass::scheduled::Scheduled;
use rustc_hash::FxHashMap;

use super::instance::Instance;
use crate::sass::facts::{FunctionFacts, RegisterNumber, Write};
use crate::sass::guards::Guards;
use crate::sass::latency::LatencyModel;

/// An access that later instructions depend on.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) instruction: usize,
    /// The cycle of its issue, from the start of the block.
    pub(super) at: u32,
    pub(super) write: Option<Write>,
}

/// The accesses to each register.
pub(super) type Accesses = FxHashMap<RegisterNumber, Vec<Access>>;

/// A function whose blocks are walked.
pub(super) struct Walk<'a> {
    pub(super) model: &'a LatencyModel,
    pub(super) facts: &'a FunctionFacts,
    pub(super) code: &'a [&'a Scheduled<'a>],
    pub(super) file: &'a str,
    pub(super) name: &'a str,
}

impl Walk<'_> {
    /// Two instructions with their place; `how` begins it.
    pub(super) fn instance(&self, from: usize, to: usize, how: &str) -> Instance {
        let (from, to) = (self.code[from], self.code[to]);
        let file = self.file;
        // Names of templates have thousands of characters.
        let mut name: String = self.name.chars().take(60).collect();
        if name.len() < self.name.len() {
            name.push('…');
        }
        Instance {
            from: from.to_string(),
            to: to.to_string(),
            place: format!("{how}{file} {name} {:04x}", to.address),
        }
    }

    /// The accesses to a register of instructions that a thread may have executed.
    pub(super) fn met<'s>(
        &self,
        guards: &'s Guards,
        accesses: &'s Accesses,
        register: RegisterNumber,
        number: usize,
    ) -> impl Iterator<Item = Access> + use<'s> {
        let guard = self.facts.fact(number).guard;
        let exclusive = move |access: &Access| {
            let earlier = u32::try_from(access.instruction).unwrap_or(u32::MAX);
            guards.exclusive(earlier, guard)
        };
        let accesses = accesses.get(&register).into_iter().flatten().copied();
        accesses.filter(move |access| !exclusive(access))
    }

    /// An access by an instruction, at no particular time.
    pub(super) fn access(number: usize) -> Access {
        Access {
            instruction: number,
            at: 0,
            write: None,
        }
    }
}
