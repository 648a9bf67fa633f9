//! Products with the same registers, which the demand for registers does not tell apart.

use orison_ir::Context;
use orison_ir::analyses::ControlFlowGraph;
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::FlightFlow;
use rustc_hash::FxHashMap;

use super::variables::{Variable, Variables};

/// The registers of products.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::ori) struct Kind {
    /// The accumulator.
    pub tuple: Vec<Variable>,
    /// The left factor; empty if it is in shared memory.
    pub factor: Vec<Variable>,
}

impl Kind {
    /// All registers.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.tuple.iter().chain(&self.factor).copied()
    }
}

/// The kinds of products of a function.
pub(in crate::ori) struct Kinds {
    /// The kinds, in the order of the text.
    pub all: Vec<Kind>,
    /// Where products of each kind are in flight.
    pub flights: FlightFlow,
}

impl Kinds {
    /// Computes them. Close to linear.
    pub fn of(
        context: &Context,
        flow: &ControlFlowGraph,
        groups: &MatrixGroups,
        variables: &Variables,
    ) -> Self {
        let mut all: Vec<Kind> = Vec::new();
        let mut known: FxHashMap<Kind, u32> = FxHashMap::default();
        let numbers = groups.products().iter().map(|op| {
            let kind = Kind {
                tuple: variables.tuple(*op).to_vec(),
                factor: variables.factor(*op),
            };
            let next = u32::try_from(all.len()).unwrap_or(u32::MAX);
            let number = *known.entry(kind.clone()).or_insert(next);
            if number == next {
                all.push(kind);
            }
            (*op, number)
        });
        let numbers = numbers.collect();
        let flights = FlightFlow::of(context, flow, numbers);
        Kinds { all, flights }
    }
}
