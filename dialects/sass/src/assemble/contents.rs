//! The contents of sections that name symbols.

use std::collections::BTreeMap;

use super::information::{self, Bank};
use super::sections::Builder;
use crate::cubin::{information::bytes, relocation};

impl Builder<'_> {
    /// The contents that name symbols.
    pub(super) fn fill(&self) -> BTreeMap<String, Vec<u8>> {
        let number = |name: &str| self.numbers.get(name).copied().unwrap_or(0);
        let mut filled = BTreeMap::new();
        let functions = &self.program.functions;
        let all: Vec<_> = functions
            .iter()
            .map(|function| (number(&function.name), self.facts(&function.name)))
            .collect();
        let records = information::of_file(&all);
        let written = bytes(&records);
        filled.insert(".nv.info".to_owned(), written);
        let mut calls = Vec::new();
        for (function, code) in functions.iter().zip(&self.code) {
            let caller = number(&function.name);
            let mut callees: Vec<u32> = code
                .references
                .iter()
                .filter(|found| relocation::is_call(found.kind))
                .map(|found| number(&found.symbol))
                .collect();
            callees.sort_unstable();
            callees.dedup();
            let externals: Vec<u32> = callees
                .iter()
                .copied()
                .filter(|callee| self.is_undefined(*callee))
                .collect();
            calls.extend(callees.into_iter().map(|callee| [caller, callee]));
            let facts = self.facts(&function.name);
            let bank = facts.resources.kernel.then(|| Bank {
                symbol: number(&format!(".nv.constant0.{}", function.name)),
            });
            let records = information::of_function(
                function,
                code,
                facts,
                bank.as_ref(),
                &externals,
                self.machine,
            );
            let written = bytes(&records);
            filled.insert(format!(".nv.info.{}", function.name), written);
        }
        // Lists of calls: those known, and three kinds of others.
        let ends = (2..=4u32).map(|kind| [0, kind.wrapping_neg()]);
        let graph = [[0, u32::MAX]].into_iter().chain(calls).chain(ends);
        let graph = graph.flatten().flat_map(u32::to_le_bytes);
        filled.insert(".nv.callgraph".to_owned(), graph.collect());
        filled
    }
}
