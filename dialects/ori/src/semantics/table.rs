//! The functions of operations: the instruction table names them, and this module finds them.

use crate::operations as ori;

use super::Function;
use super::{bits, compare, convert, float, half, integer, transcendental};

macro_rules! functions {
    ($($name:literal => $function:path,)*) => {
        /// The evaluation function for a full operation name; `None` if it is not a pure function
        /// of operands.
        pub(super) fn function_of(name: &str) -> Option<Function> {
            Some(match name {
                $($name => $function,)*
                _ => return None,
            })
        }
    };
}

orison_machine::computations!(functions);

/// Whether an operation has a guard: all except those without an instruction.
pub(super) fn has_guard(name: &str) -> bool {
    !matches!(
        name,
        ori::Imm::NAME | ori::Concat::NAME | ori::Extract::NAME
    )
}
