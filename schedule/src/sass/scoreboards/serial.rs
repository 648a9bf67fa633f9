//! Phase 116: control words without analysis.

use orison_sass::control::{Barrier, BarrierSet, ControlWord, ReuseSet, Stall};
use orison_sass::program::Function;

use super::{drains, has_scoreboard, keep_registers};
use crate::sass::latency::LatencyModel;

orison_ir::option_enum! {
    /// How code without optimization is protected.
    pub enum SerialScheme {
        /// What ptxas -O0 makes (measured): every operation of variable latency arms scoreboard 0 for
        /// its results and 1 for its operands, and everyone waits for both.
        Safe = "safe",
        /// What the page says: everyone waits for all six, and nobody arms any (C04). It is not safe.
        Page = "page",
    }
}

/// Replaces all control words by those of a scheme: stall 15, yield, and its scoreboards.
///
/// Nothing is inserted: fixed latencies over 15 cycles with nothing in between stay short, as ptxas
/// has them behind scoreboards or never at -O0; the simulator tells.
pub fn assign_serial(function: &mut Function, model: &LatencyModel, scheme: SerialScheme) {
    let [first, second, ..] = Barrier::ALL;
    for instruction in function
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.instructions)
    {
        let arms = scheme == SerialScheme::Safe && has_scoreboard(model, instruction);
        instruction.control = ControlWord {
            stall: if scheme == SerialScheme::Safe && drains(instruction) {
                Stall::at_most(0)
            } else {
                Stall::MAXIMUM
            },
            yields: true,
            write_barrier: arms.then_some(first),
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
