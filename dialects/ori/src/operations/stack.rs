//! Memory of a thread that is taken while it runs.
//!
//! The stack grows down; ptxas keeps its end in R1, which no operation names: code generation has
//! to.

use orison_ir::declare::{I32Attr, VerifyResult};
use orison_ir::{Context, Operation};

use crate::declare::machine_operations;
use crate::types::{R, SOURCE};

machine_operations! {
    /// Takes local memory until the function returns or the stack is put back.
    op Alloca = "ori.alloca" {
        operands {
            /// How many bytes.
            size: one(SOURCE),
        }
        results {
            /// Its address in local memory.
            address: one(R),
        }
        attributes {
            /// What the address is a multiple of: a power of two in bytes.
            alignment = "alignment": required(I32Attr),
        }
        effects: Unknown,
        verify: alignment,
    }

    /// The end of the stack.
    op StackSave = "ori.stack_save" {
        results {
            /// Its address in local memory.
            place: one(R),
        }
        effects: Unknown,
    }

    /// Puts the end of the stack back to where it was.
    op StackRestore = "ori.stack_restore" {
        operands {
            /// Where it was.
            place: one(SOURCE),
        }
        effects: Unknown,
    }
}

fn alignment(context: &Context, op: Operation) -> VerifyResult {
    let alignment = op.attribute(context, "alignment");
    let alignment = alignment.and_then(|alignment| alignment.as_i32(context));
    let alignment = alignment.unwrap_or(0);
    if u32::try_from(alignment).is_ok_and(u32::is_power_of_two) {
        return Ok(());
    }
    let message = format!("alignment must be a power of two, but is {alignment}");
    Err(op.op_error(context, message))
}
