//! Phase 116: control words without analysis.

use orison_sass::control::{Barrier, BarrierSet, ControlWord, ReuseSet, Stall};
use orison_sass::function::Function;
use orison_sass::instruction::Instruction;

use super::keep_registers;
use crate::sass::latency::LatencyModel;
use crate::sass::roles::{self, Role};

orison_ir::option_enum! {
    /// The protection of code without optimization.
    pub enum SerialScheme {
        /// The output of ptxas -O0 (measured): every operation of variable latency arms scoreboard
        /// 0 for its results, if it has any, and 1 for its operands, and every instruction waits for both.
        Safe = "safe",
        /// As in the page: every instruction waits for all six, and none arms any (C04). Not safe.
        Page = "page",
    }
}

/// Replaces all control words by those of a scheme: stall 15, yield, and its scoreboards.
///
/// The safe scheme sets a draining stall of zero on operations whose results take longer than any
/// stall, as ptxas -O0 does (measured: `HMMA` on all machines).
pub fn assign_serial(function: &mut Function<'_>, model: &LatencyModel, scheme: SerialScheme) {
    let [first, second, ..] = Barrier::ALL;
    for instruction in function.instructions_mut() {
        let safe = scheme == SerialScheme::Safe;
        let class = model.class_of(instruction.mnemonic.text());
        let arms = safe && model.class(class).is_variable();
        let outlasts = !arms && outlasts_stalls(model, instruction);
        instruction.control = ControlWord {
            stall: match safe && (outlasts || roles::has(&instruction.mnemonic, Role::Drains)) {
                true => Stall::at_most(0),
                false => Stall::MAXIMUM,
            },
            yields: true,
            write_barrier: (arms && signals_results(model, instruction)).then_some(first),
            read_barrier: arms.then_some(second),
            wait: match scheme {
                SerialScheme::Safe => BarrierSet::from_iter([first, second]),
                SerialScheme::Page => BarrierSet::FULL,
            },
            reuse: ReuseSet::EMPTY,
        };
        keep_registers(instruction, ReuseSet::EMPTY, &[]);
    }
}

/// Whether a scoreboard signals results of an operation, or the arrival of a group of copies.
fn signals_results(model: &LatencyModel, instruction: &Instruction) -> bool {
    let class = model.class(model.class_of(instruction.mnemonic.text()));
    !class.delivers_nothing() || instruction.mnemonic.base() == "LDGDEPBAR"
}

/// Whether the result of an operation of fixed latency takes longer than the longest stall.
fn outlasts_stalls(model: &LatencyModel, instruction: &Instruction) -> bool {
    let class = model.class_of(instruction.mnemonic.text());
    model.result_cycles(class) > u32::from(Stall::MAXIMUM.cycles())
}
