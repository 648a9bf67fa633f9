//! The registers of stages.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation};
use orison_ori::analyses::matrix_groups::{Role, SharedSet, role};
use rustc_hash::FxHashSet;

use super::kinds::Kinds;
use super::variables::Variable;
use super::{KEPT_FREE, MOST, RegisterLimit, size};

/// The registers of a stage: of the products that follow a fence in its block, or that a wait completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StageRegisters {
    /// The fence, arrive or wait; the first product where its block has no fence before it.
    pub op: Operation,
    /// The registers of the accumulators and left factors. Where they are more than a thread can have,
    /// it is not told by how much.
    pub registers: u32,
}

impl StageRegisters {
    /// Whether they fit. The registers below the first accumulator are not kept free (measured).
    pub fn fits(&self, limit: RegisterLimit) -> bool {
        self.registers + KEPT_FREE <= limit.registers
    }
}

/// The stages, in the order of the text. Close to linear.
pub(super) fn stages(
    context: &Context,
    flow: &ControlFlowGraph,
    kinds: &Kinds,
) -> Vec<StageRegisters> {
    let mut stages = Vec::new();
    let mut push = |op: Option<Operation>, list: &SharedSet| {
        let registers = needed(kinds, list);
        let op = op.filter(|_| registers > 0);
        stages.extend(op.map(|op| StageRegisters { op, registers }));
    };
    for block in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
        let mut first = None;
        let mut fenced = SharedSet::default();
        kinds.flights.walk(context, flow, block, |op, flights| {
            match op.and_then(|op| role(context, op)) {
                Some(Role::Product) => {
                    first = first.or(op);
                    let own = op.and_then(|op| kinds.flights.number(op));
                    own.into_iter().for_each(|own| fenced.insert(own));
                }
                Some(Role::Wait(left)) => push(op, &flights.reached(left)),
                Some(Role::Arrive) => {
                    push(first, &std::mem::take(&mut fenced));
                    first = op;
                }
                _ => {}
            }
        });
        push(first, &fenced);
    }
    stages
}

/// The registers of products of some kinds.
fn needed(kinds: &Kinds, list: &SharedSet) -> u32 {
    let mut tuples: FxHashSet<&[Variable]> = FxHashSet::default();
    let mut sum = 0;
    for number in list.iter() {
        let kind = &kinds.all[number as usize];
        for tuple in [&kind.tuple, &kind.factor] {
            sum += if tuples.insert(tuple) { size(tuple) } else { 0 };
        }
        if sum > MOST {
            break;
        }
    }
    sum
}
