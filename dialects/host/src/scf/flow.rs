//! Control flow into and out of the regions of loops and conditionals.

use orison_ir::declare::{RegionEdge, RegionFlow, RegionTarget};
use orison_ir::{Attribute, Context, Operation};

use super::{For, IndexSwitch};
use crate::arith::{constant_integer_of, is_never_poison};

/// Control enters a region with the operands from an index on; the first argument gets the first.
fn enter(region: usize, first_operand: usize) -> RegionEdge {
    RegionEdge {
        target: RegionTarget::Region(region),
        first_operand,
        first_received: 0,
    }
}

/// Control leaves the operation; the first result gets the first value.
fn leave(first_operand: usize) -> RegionEdge {
    RegionEdge {
        target: RegionTarget::Results,
        first_operand,
        first_received: 0,
    }
}

/// The body arguments of carried values follow the induction variable.
fn into_body(first_operand: usize) -> RegionEdge {
    RegionEdge {
        first_received: 1,
        ..enter(0, first_operand)
    }
}

/// `scf.for`.
pub(super) const FOR: RegionFlow = RegionFlow {
    enter: |_, _, _| vec![into_body(3), leave(3)],
    leave: |_, _, _, _| vec![into_body(0), leave(0)],
};

/// Whether a loop terminates for all bounds and its bounds are not poison: then the loop itself can
/// be speculated.
pub(super) fn terminates(context: &Context, op: Operation) -> bool {
    let looped = For(op);
    let step = constant_integer_of(context, looped.step(context));
    step.is_some_and(|step| step.is_one() && step.width() > 1)
        && is_never_poison(context, looped.lower_bound(context))
        && is_never_poison(context, looped.upper_bound(context))
}

/// Whether the value that selects the region is not poison: branching on poison is undefined.
pub(super) fn decides(context: &Context, op: Operation) -> bool {
    is_never_poison(context, op.operand(context, 0))
}

/// `scf.if`.
pub(super) const IF: RegionFlow = RegionFlow {
    enter: |context, op, constants| {
        let known = constants.first().copied().flatten();
        let known = known.and_then(Attribute::as_bool);
        let mut edges = Vec::new();
        if known != Some(false) {
            edges.push(enter(0, 1));
        }
        if known != Some(true) {
            let has_else = op.body_block(context, 1).is_some();
            edges.push(if has_else { enter(1, 1) } else { leave(1) });
        }
        edges
    },
    leave: |_, _, _, _| vec![leave(0)],
};

/// `scf.index_switch`.
pub(super) const INDEX_SWITCH: RegionFlow = RegionFlow {
    enter: |context, op, constants| {
        let flag = constants.first().copied().flatten();
        let flag = flag.and_then(|flag| flag.as_i64(context));
        let cases = IndexSwitch(op).cases(context).unwrap_or_default();
        match flag {
            Some(flag) => {
                let case = cases.iter().position(|case| *case == flag);
                vec![enter(case.map_or(0, |case| case + 1), 1)]
            }
            None => (0..=cases.len()).map(|region| enter(region, 1)).collect(),
        }
    },
    leave: |_, _, _, _| vec![leave(0)],
};

/// `scf.while`.
pub(super) const WHILE: RegionFlow = RegionFlow {
    enter: |_, _, _| vec![enter(0, 0)],
    leave: |_, _, region, constants| {
        if region == 1 {
            return vec![enter(0, 0)];
        }
        let known = constants.first().copied().flatten();
        match known.and_then(Attribute::as_bool) {
            Some(true) => vec![enter(1, 1)],
            Some(false) => vec![leave(1)],
            None => vec![enter(1, 1), leave(1)],
        }
    },
};

/// `scf.execute_region`.
pub(super) const EXECUTE_REGION: RegionFlow = RegionFlow {
    enter: |_, _, _| vec![enter(0, 0)],
    leave: |_, _, _, _| vec![leave(0)],
};
