//! The rules of the page (seed 002, "Detailed Trigger Conditions"), where ptxas 13.0 does otherwise.
//!
//! A stage is what is between a fence and a wait in a section. In it, the first of these is the
//! cause: a call; another instruction that writes a descriptor or a factor for a later product of
//! the stage, reads an accumulator in flight, or writes one; a product that nothing commits in its
//! section. `rules=page` selects them; the injections are the same.

use orison_ir::{Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{Role, SharedSet, role};
use orison_ori::analyses::properties;
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::{Concat, Extract};
use rustc_hash::FxHashSet;

use super::causes::Cause;
use super::events::Touched;
use super::sections::Section;
use crate::ori::matrix_registers::variables::Variables;

/// The first violation of the page's rules in a section.
pub(super) fn violation(
    context: &Context,
    groups: &MatrixGroups,
    variables: &mut Variables,
    section: &Section,
) -> Option<(Cause, Operation)> {
    let mut stage = Stage::default();
    for (number, op) in section.operations.iter().enumerate() {
        let later = &section.operations[number + 1..];
        let found = match role(context, *op) {
            Some(Role::Arrive) => {
                stage = Stage {
                    is_open: true,
                    ..Stage::default()
                };
                None
            }
            Some(Role::Product) => {
                groups
                    .number(*op)
                    .into_iter()
                    .for_each(|product| stage.products.insert(product));
                stage.uncommitted = Some(*op);
                None
            }
            Some(Role::Commit) => {
                stage.uncommitted = None;
                None
            }
            Some(Role::Wait(left)) => {
                if left == 0 {
                    stage.products = SharedSet::default();
                    stage.is_open = false;
                }
                None
            }
            Some(Role::Call) => stage.is_open.then_some(Cause::ExternCall),
            None => stage.breaks(context, groups, variables, *op, later),
        };
        if let Some(cause) = found {
            return Some((cause, *op));
        }
    }
    stage.uncommitted.map(|op| (Cause::IllFormed, op))
}

/// A stage so far.
#[derive(Default)]
struct Stage {
    /// Whether a fence began it and no wait ended it.
    is_open: bool,
    /// The products in flight.
    products: SharedSet,
    /// The last product that nothing has committed.
    uncommitted: Option<Operation>,
}

impl Stage {
    /// What another instruction in the stage breaks.
    fn breaks(
        &self,
        context: &Context,
        groups: &MatrixGroups,
        variables: &mut Variables,
        op: Operation,
        later: &[Operation],
    ) -> Option<Cause> {
        if !self.is_open || !properties::is_instruction(context, op) {
            return None;
        }
        if !self.products.is_empty() && writes_input(context, op, later) {
            return Some(Cause::InputDefined);
        }
        let touched = Touched::of(context, variables, op);
        let in_flight = |value: &Value| groups.origins.of_value(*value).meets(&self.products);
        if touched.reads.iter().any(in_flight) {
            return Some(Cause::AccumulatorRead);
        }
        let writes = !touched.accumulators.is_empty() || !touched.late.is_empty();
        writes.then_some(Cause::AccumulatorDefined)
    }
}

/// Whether an operation writes a descriptor or a left factor of a later product of the stage.
fn writes_input(context: &Context, op: Operation, later: &[Operation]) -> bool {
    let stage = later
        .iter()
        .take_while(|op| !matches!(role(context, **op), Some(Role::Arrive | Role::Wait(_))));
    let mut products = stage.filter_map(|op| WgmmaMma::of(context, *op));
    products.any(|product| {
        let inputs = [product.a(context), product.b(context)];
        inputs.into_iter().any(|value| holds(context, value, op))
    })
}

/// Whether a value is a result of an operation, or concatenated from one.
fn holds(context: &Context, value: Value, op: Operation) -> bool {
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        let Some(defined) = value.defining_op(context).filter(|_| seen.insert(value)) else {
            continue;
        };
        if defined == op {
            return true;
        }
        let passes = Concat::matches(context, defined) || Extract::matches(context, defined);
        if passes && Register::of(context, value.ty(context)).is_some() {
            pending.extend(defined.operands(context));
        }
    }
    false
}
