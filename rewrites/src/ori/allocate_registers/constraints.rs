//! What instructions require of the registers of their operands (reference 1.4, 6.4).

use orison_ir::{Context, Operation};
use orison_ori::Register;
use orison_ori::operations::matrix::{TensorWaitLd, WarpgroupWait, WgmmaMma, WgmmaWait};

/// The number of which the first register of a tuple of consecutive registers is a multiple.
pub fn alignment(context: &Context, op: Option<Operation>, register: Register) -> u32 {
    let _ = (context, op);
    match register {
        Register::Accumulator(1) => 1,
        Register::Accumulator(2) => 2,
        Register::Accumulator(3..=7) => 4,
        Register::Accumulator(_) => 8,
        other => other.alignment(),
    }
}

/// The operands and results that share registers: the value where the guard does not hold and the
/// result; an accumulator before and after a product of a warp group, and before and after the wait that
/// completes it.
pub fn in_place(context: &Context, op: Operation) -> Vec<(u32, u32)> {
    let Some(definition) = op.definition(context) else {
        return Vec::new();
    };
    let group = |name: &str| {
        let number = definition
            .operands
            .iter()
            .position(|group| group.name == name);
        let range = number.map(|number| definition.operand_range(context, op, number));
        let operands = range.unwrap_or_default();
        operands
            .filter_map(|operand| u32::try_from(operand).ok())
            .zip(0..)
    };
    if WgmmaMma::of(context, op).is_some() {
        return group("accumulator").collect();
    }
    if WgmmaWait::of(context, op).is_some() || WarpgroupWait::of(context, op).is_some() {
        return group("accumulators").collect();
    }
    if TensorWaitLd::of(context, op).is_some() {
        return group("values").collect();
    }
    group("otherwise").collect()
}

/// Whether the registers of the results hold their values only behind a later wait: until then they
/// must not be moved.
pub fn is_in_flight(context: &Context, op: Operation) -> bool {
    WgmmaMma::of(context, op).is_some() || op.is(context, "ori.tcgen05.ld")
}
