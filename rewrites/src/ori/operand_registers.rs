//! What instructions require of the registers of their operands (reference 1.4, 6.4).

use orison_ir::{Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::matrix::{TensorWaitLd, WarpgroupWait, WgmmaMma, WgmmaWait};

/// The number of which the first register of a tuple of consecutive registers is a multiple.
pub fn alignment(register: Register) -> u32 {
    match register {
        Register::Accumulator(1) => 1,
        Register::Accumulator(2) => 2,
        Register::Accumulator(3..=7) => 4,
        Register::Accumulator(_) => 8,
        other => other.alignment(),
    }
}

/// The operands and results that share registers though the values differ: the value where the guard
/// does not hold and the result; an accumulator before and after a product of a warp group.
pub fn in_place(context: &Context, op: Operation) -> Vec<(u32, u32)> {
    match WgmmaMma::of(context, op) {
        Some(_) => pairs(context, op, "accumulator"),
        None => pairs(context, op, "otherwise"),
    }
}

/// The operands and results that are the same values: what a wait completes.
pub fn renamed(context: &Context, op: Operation) -> Vec<(u32, u32)> {
    if WgmmaWait::of(context, op).is_some() || WarpgroupWait::of(context, op).is_some() {
        return pairs(context, op, "accumulators");
    }
    match TensorWaitLd::of(context, op) {
        Some(_) => pairs(context, op, "values"),
        None => Vec::new(),
    }
}

/// The operands of a group, and the results in the same order.
fn pairs(context: &Context, op: Operation, group: &str) -> Vec<(u32, u32)> {
    let definition = op.definition(context);
    let number = definition.and_then(|definition| {
        let mut groups = definition.operands.iter();
        Some((definition, groups.position(|found| found.name == group)?))
    });
    let range = number.map(|(definition, number)| definition.operand_range(context, op, number));
    let operands = range.unwrap_or_default();
    operands
        .filter_map(|operand| u32::try_from(operand).ok())
        .zip(0..)
        .collect()
}

/// The operand of an operation whose registers it reads until a later wait: the left matrix of a product of a warp
/// group, if it is in registers.
pub fn read_in_flight(context: &Context, op: Operation) -> Option<Value> {
    let product = WgmmaMma::of(context, op)?;
    let left = product.a(context);
    let register = Register::of(context, left.ty(context))?;
    let is_general = RegisterClass::of(register).0 == RegisterClass::General;
    is_general.then_some(left)
}

/// Whether the registers of the results hold their values only behind a later wait, and until then must
/// not be moved. What is loaded from tensor memory is protected by a scoreboard.
pub fn is_in_flight(context: &Context, op: Operation) -> bool {
    WgmmaMma::of(context, op).is_some()
}
