//! Rules of `cf.switch`.

use orison_ir::numbers::ApInt;
use orison_ir::{Context, Declined, Operation, Rewriter, RuleResult, rule};

use super::{always_take, edges, shorten, single_predecessor};
use crate::arith::constant_integer_of;
use crate::cf::Switch;
use crate::cf::edges::{Edge, build_switch};

rule!(
    pub SWITCH_ONLY_DEFAULT, "cf-switch-only-default",
    "a switch without cases becomes a branch", Switch::NAME,
    |rewriter, op| {
        let parts = Parts::of(rewriter.ir(), op)?;
        if !parts.cases.is_empty() {
            return Declined::because("the switch has cases");
        }
        always_take(rewriter, op, &parts.edges[0]);
        Ok(())
    }
);
rule!(
    pub SWITCH_LIKE_DEFAULT, "cf-switch-like-default",
    "cases with the default's destination and operands are removed", Switch::NAME,
    |rewriter, op| {
        let parts = Parts::of(rewriter.ir(), op)?;
        let default = parts.edges[0].clone();
        // Of equal cases the first one takes precedence.
        let mut cases = parts.cases.clone();
        cases.sort_unstable_by(|a, b| a.words().cmp(b.words()));
        if cases.windows(2).any(|pair| pair[0] == pair[1]) {
            return Declined::because("a case value occurs twice");
        }
        keep_cases(rewriter, op, parts, |_, edge| *edge != default)
    }
);
rule!(
    pub SWITCH_CONSTANT, "cf-switch-constant", "a switch on a constant becomes a branch",
    Switch::NAME,
    |rewriter, op| {
        let context = rewriter.ir();
        let parts = Parts::of(context, op)?;
        let Some(flag) = constant_integer_of(context, op.operand(context, 0)).cloned() else {
            return Declined::because("the flag is not constant");
        };
        always_take(rewriter, op, parts.edge_for(&flag));
        Ok(())
    }
);
rule!(
    pub SWITCH_PASS_THROUGH, "cf-switch-pass-through",
    "a case whose block only branches is redirected to that block's successor", Switch::NAME,
    pass_through_cases
);
rule!(
    pub SWITCH_SAME_FLAG, "cf-switch-same-flag",
    "a switch in a case block of a switch on the same flag becomes a branch", Switch::NAME, same_flag
);
rule!(
    pub SWITCH_SAME_FLAG_DEFAULT, "cf-switch-same-flag-default",
    "cases already handled by the predecessor's switch on the same flag are removed", Switch::NAME,
    same_flag_default
);

/// The default edge and the edges of the cases, with the values of the cases.
struct Parts {
    edges: Vec<Edge>,
    cases: Vec<ApInt>,
}

impl Parts {
    fn of(context: &Context, op: Operation) -> Result<Parts, Declined> {
        let edges = edges(context, op);
        match Switch(op).case_numbers(context) {
            Some(cases) if cases.len() + 1 == edges.len() => Ok(Parts { edges, cases }),
            _ => Declined::because("the case values do not match the successors"),
        }
    }

    fn edge_for(&self, flag: &ApInt) -> &Edge {
        let case = self.cases.iter().position(|case| case == flag);
        &self.edges[case.map_or(0, |case| case + 1)]
    }
}

/// Replaces a switch by one with only the cases for which `keep` is true; declines if that is all.
fn keep_cases(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    parts: Parts,
    keep: impl Fn(&ApInt, &Edge) -> bool,
) -> RuleResult {
    let before = parts.cases.len();
    let mut edges = parts.edges.into_iter();
    let mut kept_edges: Vec<Edge> = edges.next().into_iter().collect();
    let mut kept_cases = Vec::new();
    for (case, edge) in parts.cases.into_iter().zip(edges) {
        if keep(&case, &edge) {
            kept_cases.push(case);
            kept_edges.push(edge);
        }
    }
    if kept_cases.len() == before {
        return Declined::because("no case can be removed");
    }
    let (location, flag) = (op.location(rewriter.ir()), op.operand(rewriter.ir(), 0));
    build_switch(rewriter, location, flag, &kept_edges, &kept_cases);
    rewriter.erase(op);
    Ok(())
}

fn pass_through_cases(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let parts = Parts::of(context, op)?;
    let Some(own) = op.block(context) else {
        return Declined::because("the switch is not in a block");
    };
    let edges = shorten(context, &parts.edges, own)?;
    let (location, flag) = (op.location(context), op.operand(context, 0));
    build_switch(rewriter, location, flag, &edges, &parts.cases);
    rewriter.erase(op);
    Ok(())
}

/// The switch on the same flag that is the only predecessor of this one's block, and the index
/// of the edge.
fn switch_before(context: &Context, op: Operation) -> Result<(Parts, usize), Declined> {
    let own = op.block(context);
    let before = own.and_then(|own| single_predecessor(context, own));
    let Some(before) = before.and_then(|before| Switch::of(context, before)) else {
        return Declined::because("the block's only predecessor does not end with a switch");
    };
    if before.0 == op || before.flag(context) != Switch(op).flag(context) {
        return Declined::because("the predecessor's switch has a different flag");
    }
    let parts = Parts::of(context, before.0)?;
    let edge = parts.edges.iter().position(|edge| Some(edge.0) == own);
    match edge {
        Some(edge) => Ok((parts, edge)),
        None => Declined::because("the block is not a successor of the switch"),
    }
}

fn same_flag(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (before, edge) = switch_before(context, op)?;
    let Some(case) = edge.checked_sub(1) else {
        return Declined::because(
            "the block is the default destination of the predecessor's switch",
        );
    };
    let parts = Parts::of(context, op)?;
    always_take(rewriter, op, parts.edge_for(&before.cases[case]));
    Ok(())
}

fn same_flag_default(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (before, edge) = switch_before(context, op)?;
    if edge != 0 {
        return Declined::because("the block is a case destination of the predecessor's switch");
    }
    let parts = Parts::of(context, op)?;
    keep_cases(rewriter, op, parts, |case, _| !before.cases.contains(case))
}
