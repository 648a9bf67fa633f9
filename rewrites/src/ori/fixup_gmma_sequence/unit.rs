//! A unit: a kernel, or a function that others may call, and all functions that it calls.
//!
//! ptxas decides for a unit: if the products of one of its functions are serialized, all are
//! (measured). What is known of calls is known of the whole unit.

use orison_ir::{Context, Operation};
use orison_ori::analyses::matrix_groups::{Role, role};

use super::calls::{Callee, is_kernel};
use super::causes::Cause;
use super::inputs::Inputs;
use super::plan::Plan;
use super::{consistency, late, secondary, structure};
use crate::ori::form_accumulators::operations;

/// Why the products of a unit are serialized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    /// The cause.
    pub cause: Cause,
    /// The function that the message names.
    pub function: usize,
    /// The operation that it is about.
    pub op: Option<Operation>,
    /// Why the PTX ISA does not call the program wrong, where the cause says otherwise.
    pub excuse: Option<&'static str>,
}

/// A unit with what is to be done.
#[derive(Debug, Default)]
pub(super) struct Unit {
    /// Its functions with products, fences, commits or waits, in the order of the text.
    pub plans: Vec<Plan>,
    /// Why its products are serialized, if they are.
    pub verdict: Option<Verdict>,
}

impl Unit {
    /// Plans a unit.
    pub fn of(context: &Context, inputs: &Inputs<'_>, root: usize) -> Self {
        let reached = inputs.calls.reached(root);
        let mut unit = Unit::default();
        for number in &reached {
            let kernel = is_kernel(context, inputs.functions[root].op);
            let apart = inputs.calls.is_entered_apart(*number, &reached);
            let plain = inputs.analyses[*number].1.products().is_empty();
            let starts_together = (*number != root || kernel || plain) && !apart;
            unit.plans
                .extend(Plan::of(context, inputs, *number, starts_together));
        }
        unit.verdict = unit.judge(context, inputs, &reached);
        unit
    }

    /// The first cause by ptxas's order of precedence.
    fn judge(&self, context: &Context, inputs: &Inputs<'_>, reached: &[usize]) -> Option<Verdict> {
        let products = |plan: &Plan| {
            let mut all = operations(context, inputs.functions[plan.function]).into_iter();
            all.any(|op| matches!(role(context, op), Some(Role::Product | Role::Commit)))
        };
        if !self.plans.iter().any(products) {
            return None;
        }
        let arrive = self.plans.iter().rev().find_map(|plan| {
            let mut all = plan.arrives.iter().rev();
            let found = all.find(|arrive| plan.divergent[arrive.section])?;
            Some(verdict(Cause::DivergentArrive, plan, Some(found.before)))
        });
        let called = || {
            if inputs.page {
                None
            } else {
                call_verdict(inputs, reached)
            }
        };
        let violation = || {
            self.plans.iter().find_map(|plan| {
                let (cause, op) = plan.violation?;
                Some(verdict(cause, plan, Some(op)))
            })
        };
        let wait = || {
            self.plans.iter().find_map(|plan| {
                let mut all = plan.waits.iter();
                let found = all.find(|wait| plan.divergent[wait.section])?;
                Some(verdict(Cause::DivergentWait, plan, found.about))
            })
        };
        let copies = || self.first(|plan| consistency::validate(&plan.registers));
        let stage = || self.first(|plan| structure::validate(&plan.registers, plan.limit));
        let conflict = || {
            if inputs.page {
                return None;
            }
            self.plans.iter().find_map(|plan| {
                let conflict = late::validate(&plan.conflicts).err()?;
                let verdict = verdict(conflict.cause, plan, conflict.op);
                Some(Verdict {
                    excuse: conflict.excuse,
                    ..verdict
                })
            })
        };
        let function = || self.first(|plan| secondary::validate(&plan.registers, plan.limit));
        arrive
            .or_else(called)
            .or_else(violation)
            .or_else(wait)
            .or_else(copies)
            .or_else(stage)
            .or_else(conflict)
            .or_else(function)
    }

    fn first(&self, validate: impl Fn(&Plan) -> Result<(), Cause>) -> Option<Verdict> {
        self.plans.iter().find_map(|plan| {
            let cause = validate(plan).err()?;
            let largest = plan.registers.largest();
            Some(verdict(cause, plan, largest.map(|product| product.op)))
        })
    }
}

fn verdict(cause: Cause, plan: &Plan, op: Option<Operation>) -> Verdict {
    Verdict {
        cause,
        function: plan.function,
        op,
        excuse: None,
    }
}

/// Serializes a unit with a function that has products and calls one that is not known, or has
/// products too. ptxas reports an external call only where the function called may be in another
/// module, or may be called through a register and has no products (measured).
fn call_verdict(inputs: &Inputs<'_>, reached: &[usize]) -> Option<Verdict> {
    let calls = inputs.calls;
    for number in reached.iter().copied() {
        if !calls.has_products[number] {
            continue;
        }
        for (op, callee) in &calls.calls[number] {
            let cause = match callee {
                Callee::External => Cause::ExternCall,
                Callee::Taken(callee) if !calls.has_products[*callee] => Cause::ExternCall,
                Callee::Known(callee) if !calls.crosses(*callee) => continue,
                _ => Cause::Call,
            };
            return Some(Verdict {
                cause,
                function: number,
                op: Some(*op),
                excuse: None,
            });
        }
    }
    None
}
