//! The cf dialect: branches between blocks, assertions.

use orison_ir::declare::constraints::{ANY_TYPE, BOOL};
use orison_ir::declare::{
    AnyAttr, Assembly, DialectDefinition, Effects, I32ArrayAttr, StrAttr, Trait, VerifyResult,
};
use orison_ir::{Block, Context, Operation, Values};

use crate::types::{ANY_INTEGER, quoted};

mod assembly;
mod edges;
mod rules;

/// The dialect definition.
pub static DIALECT: DialectDefinition = DialectDefinition {
    name: "cf",
    documentation: "Branches between the blocks of a region, and assertions.",
    operations: &[
        Assert::DEFINITION,
        Branch::DEFINITION,
        CondBranch::DEFINITION,
        Switch::DEFINITION,
    ],
    upstream: true,
    ..DialectDefinition::DEFAULT
};

orison_ir::operations! {
    /// Aborts the program with a message if the condition is false.
    op Assert = "cf.assert" {
        operands {
            /// The condition.
            arg: one(BOOL),
        }
        attributes {
            /// The message.
            msg = "msg": required(StrAttr),
        }
        with {
            effects: Effects::Write,
            assembly: Assembly::Format("$arg `,` $msg attr-dict"),
            rules: &[&rules::ASSERT_TRUE],
        }
    }

    /// Branches to a block.
    op Branch = "cf.br" {
        operands {
            /// The arguments of the block.
            dest_operands: variadic(ANY_TYPE),
        }
        successors {
            /// The block.
            dest: one
        }
        with {
            traits: &[Trait::Terminator, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_branch,
                print: assembly::print_branch,
            },
            verify: Some(verify_edges),
            branch: Some(edges::BRANCH),
            rules: &[&rules::BRANCH_MERGE, &rules::BRANCH_PASS_THROUGH],
        }
    }

    /// Branches to one of two blocks.
    op CondBranch = "cf.cond_br" {
        operands {
            /// The condition; true selects the first block.
            condition: one(BOOL),
            /// The arguments of the first block.
            true_dest_operands: variadic(ANY_TYPE),
            /// The arguments of the second block.
            false_dest_operands: variadic(ANY_TYPE),
        }
        attributes {
            /// The relative frequencies of the two blocks.
            branch_weights = "branch_weights": optional(I32ArrayAttr),
        }
        successors {
            /// The block if the condition is true.
            true_dest: one,
            /// The block if the condition is false.
            false_dest: one
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Terminator,
                Trait::AlwaysSpeculatable,
            ],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_cond_branch,
                print: assembly::print_cond_branch,
            },
            verify: Some(verify_cond_branch),
            branch: Some(edges::COND_BRANCH),
            rules: &[
                &rules::COND_BRANCH_CONSTANT,
                &rules::COND_BRANCH_PASS_THROUGH,
                &rules::COND_BRANCH_SAME_CONDITION,
                &rules::COND_BRANCH_SAME_TARGET,
                &rules::COND_BRANCH_TRUTH,
            ],
        }
    }

    /// Branches to the block of the case that equals an integer.
    op Switch = "cf.switch" {
        operands {
            /// The flag, which is compared with the cases.
            flag: one(ANY_INTEGER),
            /// The arguments of the default block.
            default_operands: variadic(ANY_TYPE),
            /// The arguments of the case blocks, concatenated in case order.
            case_operands: variadic(ANY_TYPE),
        }
        attributes {
            /// The case values, a vector of the flag's type.
            case_values = "case_values": optional(AnyAttr),
            /// The number of arguments of each case.
            case_operand_segments = "case_operand_segments": required(I32ArrayAttr),
        }
        successors {
            /// The default block.
            default_destination: one,
            /// The case blocks.
            case_destinations: variadic
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Terminator,
                Trait::AlwaysSpeculatable,
            ],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_switch,
                print: assembly::print_switch,
            },
            verify: Some(verify_switch),
            branch: Some(edges::SWITCH),
            rules: &[
                &rules::SWITCH_CONSTANT,
                &rules::SWITCH_LIKE_DEFAULT,
                &rules::SWITCH_ONLY_DEFAULT,
                &rules::SWITCH_PASS_THROUGH,
                &rules::SWITCH_SAME_FLAG,
                &rules::SWITCH_SAME_FLAG_DEFAULT,
            ],
        }
    }
}

impl Switch {
    /// The arguments of each case block.
    pub fn case_arguments(self, context: &Context) -> Vec<Values> {
        let mut rest = self.case_operands(context).into_iter();
        let sizes = self.case_operand_segments(context).unwrap_or_default();
        let sizes = sizes
            .into_iter()
            .map(|size| usize::try_from(size).unwrap_or(0));
        sizes
            .map(|size| rest.by_ref().take(size).collect())
            .collect()
    }
}

/// The successors of a branch of this dialect with the values passed to each; `None` for
/// operations of other dialects.
pub fn edges(context: &Context, op: Operation) -> Option<Vec<(Block, Values)>> {
    let mut arguments = if let Some(branch) = Branch::of(context, op) {
        vec![branch.dest_operands(context)]
    } else if let Some(branch) = CondBranch::of(context, op) {
        vec![
            branch.true_dest_operands(context),
            branch.false_dest_operands(context),
        ]
    } else if let Some(switch) = Switch::of(context, op) {
        let mut arguments = vec![switch.default_operands(context)];
        arguments.extend(switch.case_arguments(context));
        arguments
    } else {
        return None;
    };
    arguments.resize(op.successor_count(context), Values::new());
    Some(op.successors(context).zip(arguments).collect())
}

/// The values passed to each block must match its arguments.
fn verify_edges(context: &Context, op: Operation) -> VerifyResult {
    for (number, (block, values)) in edges(context, op).into_iter().flatten().enumerate() {
        if values.len() != block.argument_count(context) {
            let message = format!(
                "branch has {} operands for successor #{number}, but target block has {}",
                values.len(),
                block.argument_count(context)
            );
            return Err(op.error(context, message));
        }
        let mut pairs = values.iter().zip(block.arguments(context));
        if let Some(position) = pairs.position(|(value, arg)| value.ty(context) != arg.ty(context))
        {
            let message =
                format!("type mismatch for bb argument #{position} of successor #{number}");
            return Err(op.error(context, message));
        }
    }
    Ok(())
}

fn verify_cond_branch(context: &Context, op: Operation) -> VerifyResult {
    if let Some(weights) = CondBranch(op).branch_weights(context) {
        if weights.len() != op.successor_count(context) {
            let message = format!(
                "expects number of branch weights to match number of successors: {} vs {}",
                weights.len(),
                op.successor_count(context)
            );
            return Err(op.error(context, message));
        }
        if weights.iter().all(|weight| *weight == 0) {
            return Err(op.error(context, "branch weights cannot all be zero"));
        }
    }
    verify_edges(context, op)
}

fn verify_switch(context: &Context, op: Operation) -> VerifyResult {
    let switch = Switch(op);
    let sizes = switch.case_operand_segments(context).unwrap_or_default();
    let total: i64 = sizes.iter().map(|size| i64::from(*size)).sum();
    let operands = switch.case_operands(context).len();
    if usize::try_from(total) != Ok(operands) {
        let message = format!(
            "caseOperands count ({operands}) does not match with the total size ({total}) \
             specified in attribute 'case_operand_segments'"
        );
        return Err(op.op_error(context, message));
    }
    let destinations = op.successor_count(context).saturating_sub(1);
    let (mut count, flag) = (0, switch.flag(context).ty(context));
    if let Some(values) = switch.case_values(context) {
        let ty = values.carried_type(context);
        let element = ty.element(context).unwrap_or(ty);
        if element != flag {
            let message = format!(
                "'flag' type ({}) should match case value type ({})",
                quoted(context, flag),
                quoted(context, element)
            );
            return Err(op.op_error(context, message));
        }
        count = ty.element_count(context).unwrap_or(0);
    }
    if usize::try_from(count) != Ok(destinations) {
        let message = format!(
            "number of case values ({count}) should match number of case destinations \
             ({destinations})"
        );
        return Err(op.op_error(context, message));
    }
    verify_edges(context, op)
}
