//! Control flow. Block arguments are where ptxas inserts MovPhi.

use orison_ir::declare::{
    Assembly, Effects, I32ArrayAttr, SymbolRefAttr, Trait, UnitAttr, VerifyResult,
};
use orison_ir::{Block, Context, Operation, Values};

use crate::operations as ori;
use crate::types::{P, PREDICATE, REGISTER, SOURCE_OR_WIDE};

use super::edges;
use super::structure;

orison_ir::operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// Branches to another block.
    op Bra = "ori.bra" {
        operands {
            /// The arguments of the block.
            arguments: variadic(REGISTER)
        }
        attributes {
            /// `.U`: all threads of the warp take the branch.
            uniform = "uniform": optional(UnitAttr)
        }
        successors {
            /// The target block.
            target: one
        }
        with {
            traits: &[Trait::Terminator, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom { parse: edges::parse_branch, print: edges::print_branch },
            branch: Some(edges::ALWAYS),
            verify: Some(edges::verify),
        }
    }

    /// Branches to one of two blocks: a guarded BRA and the block after it.
    op CondBra = "ori.cond_bra" {
        operands {
            /// The condition; the first block is taken where it holds.
            condition: one(PREDICATE),
            /// The arguments of the first block.
            then_arguments: variadic(REGISTER),
            /// The arguments of the second block.
            else_arguments: variadic(REGISTER)
        }
        attributes {
            /// The second block is taken where the condition holds.
            inverted = "inverted": optional(UnitAttr),
            /// `.U`: all threads of the warp take the same branch.
            uniform = "uniform": optional(UnitAttr)
        }
        successors {
            /// The block where the condition holds.
            then_target: one,
            /// The block where it does not.
            else_target: one
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::Terminator,
                Trait::AlwaysSpeculatable,
            ],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: edges::parse_conditional,
                print: edges::print_conditional,
            },
            branch: Some(edges::CONDITIONAL),
            verify: Some(edges::verify),
        }
    }

    /// Branches to the block with the given index; behaviour is undefined if out of range.
    ///
    /// After legalization the index is a pair: the distance in bytes of the block from the start of
    /// the function, loaded from a table.
    op Brx = "ori.brx" {
        operands {
            /// The index of the block, from 0.
            index: one(SOURCE_OR_WIDE),
            /// The concatenated arguments of the blocks.
            arguments: variadic(REGISTER)
        }
        attributes {
            /// Number of arguments of each block.
            argument_counts = "argument_counts": required(I32ArrayAttr),
            /// `.U`: all threads of the warp branch to the same block.
            uniform = "uniform": optional(UnitAttr)
        }
        successors {
            /// The blocks.
            targets: variadic
        }
        with {
            traits: &[Trait::Terminator, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom { parse: edges::parse_indexed, print: edges::print_indexed },
            branch: Some(edges::INDEXED),
            verify: Some(edges::verify_indexed),
        }
    }

    /// Ends the thread.
    op Exit = "ori.exit" {
        with {
            traits: &[Trait::Terminator],
            effects: Effects::Unknown,
            assembly: Assembly::Format("attr-dict"),
        }
    }

    /// Ends the thread of a fragment shader and discards its output.
    op Kill = "ori.kill" {
        with {
            traits: &[Trait::Terminator],
            effects: Effects::Unknown,
            assembly: Assembly::Format("attr-dict"),
        }
    }

    /// Returns from a function.
    op Ret = "ori.ret" {
        operands {
            /// The results of the function.
            values: variadic(REGISTER)
        }
        with {
            traits: &[Trait::Terminator, Trait::HasParent(&[ori::Func::NAME])],
            effects: Effects::Unknown,
            assembly: Assembly::Format("($values^ `:` type($values))? attr-dict"),
            verify: Some(structure::verify_return),
        }
    }

    /// Calls a function.
    op Call = "ori.call" {
        operands {
            /// The arguments.
            arguments: variadic(REGISTER)
        }
        results {
            /// The results.
            results: variadic(REGISTER)
        }
        attributes {
            /// The function.
            callee = "callee": required(SymbolRefAttr),
            /// The function only computes its results from its arguments: it terminates, has no
            /// effects, and reads no memory and nothing of other threads. An unused call may be
            /// removed, and memory accesses may move across it.
            pure = "pure": optional(UnitAttr)
        }
        with {
            effects: Effects::Unknown,
            assembly: Assembly::Format("$callee `(` $arguments `)` attr-dict `:` functional-type(operands, results)"),
            verify_symbols: Some(structure::verify_call),
        }
    }

    /// Calls the function at an address.
    op CallIndirect = "ori.call_indirect" {
        operands {
            /// The address.
            callee: one(SOURCE_OR_WIDE),
            /// The arguments.
            arguments: variadic(REGISTER)
        }
        results {
            /// The results.
            results: variadic(REGISTER)
        }
        with {
            effects: Effects::Unknown,
            assembly: Assembly::Format("$callee `(` $arguments `)` attr-dict `:` functional-type(operands, results)"),
        }
    }

    /// Ends the threads where a condition holds: a guarded EXIT.
    op ExitIf = "ori.exit_if" {
        operands {
            /// The condition.
            condition: one(P)
        }
        attributes {
            /// Threads end where the condition does not hold.
            inverted = "inverted": optional(UnitAttr)
        }
        with {
            effects: Effects::Unknown,
            assembly: Assembly::Custom { parse: edges::parse_exit, print: edges::print_exit },
        }
    }
}

/// The successors of a branch, each with the values of its arguments; `None` if the operation is
/// not a branch of this dialect, or is malformed.
pub fn branch_edges(context: &Context, op: Operation) -> Option<Vec<(Block, Values)>> {
    edges::of(context, op)
}

/// Checks that each edge passes as many values as its block has arguments, of the same types.
pub(super) fn verify_edges(
    context: &Context,
    op: Operation,
    edges: &[(Block, Values)],
) -> VerifyResult {
    for (block, values) in edges {
        let expected = block.argument_count(context);
        if values.len() != expected {
            let message = format!(
                "passes {} arguments to a block that expects {expected}",
                values.len()
            );
            return Err(op.op_error(context, message));
        }
        for (number, (value, argument)) in values.iter().zip(block.arguments(context)).enumerate() {
            if value.ty(context) != argument.ty(context) {
                let message = format!(
                    "the type of argument #{number} does not match the target \
                                       block"
                );
                return Err(op.op_error(context, message));
            }
        }
    }
    Ok(())
}
