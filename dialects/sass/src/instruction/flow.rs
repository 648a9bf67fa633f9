//! Control flow after an instruction.

use super::{Instruction, Operand};

/// Where control continues after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To the next instruction, which starts a block: waiting threads continue there (`BSYNC`).
    Rejoin,
    /// To the labels it names and, if it is conditional, to the next instruction.
    Jump,
    /// To its callee, and from there to the next instruction.
    Call,
    /// Back to the caller.
    Return,
    /// Nowhere: the thread ends.
    Exit,
}

impl Flow {
    /// Whether the instruction is the last of its block.
    pub fn ends_block(self) -> bool {
        self != Flow::Next
    }
}

/// Where control continues after an instruction whose guard holds.
pub fn flow(instruction: &Instruction) -> Flow {
    match instruction.mnemonic.base() {
        "BRA" | "BRX" | "BRXU" | "JMP" | "JMX" | "JMXU" => Flow::Jump,
        "CALL" => Flow::Call,
        "RET" => Flow::Return,
        "EXIT" | "KILL" | "RTT" => Flow::Exit,
        "BSYNC" => Flow::Rejoin,
        _ => Flow::Next,
    }
}

/// Whether control may also continue after the instruction: it has a guard, or an operand that
/// decides (`BRA P1`, `BRA.U !UP0`, `BRA.DIV UR4`, `EXIT P1`), or is opaque.
pub(crate) fn is_conditional(instruction: &Instruction) -> bool {
    let guarded = instruction
        .guard
        .is_some_and(|guard| !guard.predicate.is_constant() || guard.negated);
    let decides = |operand: &Operand| {
        operand
            .as_register()
            .is_some_and(|found| !found.register.is_constant() || found.not || found.invert)
    };
    let asks = matches!(instruction.mnemonic.base(), "BRA" | "EXIT" | "KILL" | "JMP");
    guarded || instruction.is_opaque() || asks && instruction.operands.iter().any(decides)
}
