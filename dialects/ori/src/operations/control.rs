//! Where execution goes on. Arguments of blocks stand where ptxas inserts MovPhi.

use orison_ir::declare::{
    Assembly, Effects, I32ArrayAttr, SymbolRefAttr, Trait, UnitAttr, VerifyResult,
};
use orison_ir::{Block, Context, Operation, Value};

use crate::types::{P, PREDICATE, REGISTER, SOURCE, SOURCE_OR_WIDE};

use super::edges;
use super::structure;

orison_ir::operations! {
    /// Goes on at another block.
    op Bra = "ori.bra" {
        operands {
            /// The arguments of the block.
            arguments: variadic(REGISTER)
        }
        attributes {
            /// `.U`: all threads of the warp go there.
            uniform = "uniform": optional(UnitAttr)
        }
        successors {
            /// The block.
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

    /// Goes on at one of two blocks: a guarded BRA and the block behind it.
    op CondBra = "ori.cond_bra" {
        operands {
            /// Which block: the first one where it holds.
            condition: one(PREDICATE),
            /// The arguments of the first block.
            then_arguments: variadic(REGISTER),
            /// The arguments of the second block.
            else_arguments: variadic(REGISTER)
        }
        attributes {
            /// The second block is chosen where the condition holds.
            inverted = "inverted": optional(UnitAttr),
            /// `.U`: all threads of the warp choose the same.
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

    /// Goes on at the block with a number; at none of them, behaviour is undefined.
    op Brx = "ori.brx" {
        operands {
            /// The number of the block, from 0.
            index: one(SOURCE),
            /// The arguments of the blocks, one block after the other.
            arguments: variadic(REGISTER)
        }
        attributes {
            /// How many arguments each block has.
            argument_counts = "argument_counts": required(I32ArrayAttr),
            /// `.U`: all threads of the warp go to one block.
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

    /// Ends the thread of a fragment shader and drops what it would write.
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
            traits: &[Trait::Terminator, Trait::HasParent(&["ori.func"])],
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
            /// The function does nothing but compute its results from its arguments: it ends, has no
            /// effects, looks at no memory and at no other thread. A call whose results are not used
            /// may be dropped, and memory accesses may move across it.
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
            /// Which threads end.
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

/// The blocks an operation may go on at, each with the values of its arguments; none when the
/// operation is no branch of this dialect, or is malformed.
pub fn branch_edges(context: &Context, op: Operation) -> Option<Vec<(Block, Vec<Value>)>> {
    edges::of(context, op)
}

/// Checks that edges have as many values as their blocks have arguments, of the same types.
pub(super) fn verify_edges(
    context: &Context,
    op: Operation,
    edges: &[(Block, Vec<Value>)],
) -> VerifyResult {
    for (block, values) in edges {
        let expected = block.argument_count(context);
        if values.len() != expected {
            let message = format!(
                "has {} arguments for a block that takes {expected}",
                values.len()
            );
            return Err(op.op_error(context, message));
        }
        for (number, (value, argument)) in values.iter().zip(block.arguments(context)).enumerate() {
            if value.ty(context) != argument.ty(context) {
                let message = format!("argument #{number} has another type than the block takes");
                return Err(op.op_error(context, message));
            }
        }
    }
    Ok(())
}
