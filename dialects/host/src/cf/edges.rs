//! Edges of branches: their successors and the values passed to them.

use orison_ir::declare::{Branch as BranchDeclaration, OPERAND_SEGMENTS, PassedRanges};
use orison_ir::numbers::ApInt;
use orison_ir::{
    Attribute, AttributeKind, Block, Context, Location, Operation, OperationState, Rewriter, Value,
    Values,
};

use super::{Branch, CondBranch, Switch};
use crate::arith::{integer_vector, integers};

/// A successor and the values passed to it.
pub(super) type Edge = (Block, Values);

/// The edges of `cf.br`.
pub(super) const BRANCH: BranchDeclaration = BranchDeclaration {
    passed: |context, op| Some(std::iter::once(0..op.operand_count(context)).collect()),
    record: |_, _, _| {},
    taken: |_, _, _| Some(0),
};

/// The edges of `cf.cond_br`.
pub(super) const COND_BRANCH: BranchDeclaration = BranchDeclaration {
    passed: |context, op| {
        let groups = [1, 2].into_iter();
        Some(
            groups
                .map(|group| CondBranch::DEFINITION.operand_range(context, op, group))
                .collect(),
        )
    },
    record: |context, op, sizes| {
        let sizes: Vec<i32> = [1].iter().chain(sizes).map(|size| number(*size)).collect();
        set_property(context, op, OPERAND_SEGMENTS, &sizes);
    },
    taken: |_, _, constants| match constants.first()?.as_ref()?.as_bool()? {
        true => Some(0),
        false => Some(1),
    },
};

/// The edges of `cf.switch`.
pub(super) const SWITCH: BranchDeclaration = BranchDeclaration {
    passed: |context, op| Some(switch_ranges(context, Switch(op))),
    record: |context, op, sizes| {
        let sizes: Vec<i32> = sizes.iter().map(|size| number(*size)).collect();
        let Some((default, cases)) = sizes.split_first() else {
            return;
        };
        set_property(
            context,
            op,
            OPERAND_SEGMENTS,
            &[1, *default, cases.iter().sum()],
        );
        set_property(context, op, "case_operand_segments", cases);
    },
    taken: |context, op, constants| {
        let AttributeKind::Integer { value, .. } = constants.first()?.as_ref()?.kind(context)
        else {
            return None;
        };
        let cases = Switch(op).case_numbers(context)?;
        let case = cases.iter().position(|case| case == value);
        Some(case.map_or(0, |case| case + 1))
    },
};

fn switch_ranges(context: &Context, switch: Switch) -> PassedRanges {
    let default = Switch::DEFINITION.operand_range(context, switch.0, 1);
    let mut end = default.end;
    let mut ranges = PassedRanges::new();
    ranges.push(default);
    for size in switch.case_operand_segments(context).unwrap_or_default() {
        let start = end;
        end = (start + usize::try_from(size).unwrap_or(0)).min(switch.0.operand_count(context));
        ranges.push(start..end);
    }
    ranges
}

fn number(size: usize) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}

fn set_property(context: &mut Context, op: Operation, key: &str, sizes: &[i32]) {
    let sizes = Attribute::i32_array(context, sizes);
    let properties = op.properties(context).with(context, key, sizes);
    op.set_properties(context, properties);
}

impl Switch {
    /// The case values; `None` if their form is unknown.
    pub fn case_numbers(self, context: &Context) -> Option<Vec<ApInt>> {
        match self.case_values(context) {
            Some(values) => integers(context, values),
            None => Some(Vec::new()),
        }
    }
}

/// Creates `cf.br` at the insertion point.
pub(super) fn build_branch(rewriter: &mut Rewriter<'_>, location: Location, edge: &Edge) {
    let mut state = rewriter.state(Branch::NAME, location);
    push_edges(&mut state, std::slice::from_ref(edge));
    rewriter.create(&state);
}

/// Creates `cf.switch` at the insertion point: the first edge is the default edge.
pub(super) fn build_switch(
    rewriter: &mut Rewriter<'_>,
    location: Location,
    flag: Value,
    edges: &[Edge],
    cases: &[ApInt],
) {
    let mut state = rewriter.state(Switch::NAME, location);
    state.operands.push(flag);
    push_edges(&mut state, edges);
    let ty = flag.ty(rewriter.ir());
    let context = rewriter.context();
    let number = |size| i32::try_from(size).unwrap_or(i32::MAX);
    let sizes: Vec<i32> = edges.iter().map(|edge| number(edge.1.len())).collect();
    let segments = Attribute::i32_array(context, &[1, sizes[0], sizes[1..].iter().sum()]);
    state.set_property(context, OPERAND_SEGMENTS, segments);
    let segments = Attribute::i32_array(context, &sizes[1..]);
    state.set_property(context, "case_operand_segments", segments);
    if let Some(values) = integer_vector(context, ty, cases) {
        state.set_property(context, "case_values", values);
    }
    rewriter.create(&state);
}

fn push_edges(state: &mut OperationState, edges: &[Edge]) {
    for (block, values) in edges {
        state.successors.push(*block);
        state.operands.extend(values.iter().copied());
    }
}
