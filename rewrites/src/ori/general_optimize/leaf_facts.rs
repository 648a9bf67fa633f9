//! Facts about values that the graph reads as leaves.

use orison_ir::declare::OperationDefinition;
use orison_ir::{Context, Value};
use orison_ori::keywords::{Width, keyword_of};
use orison_ori::operations as ori;
use orison_ori::operations::stack::Frame;

use super::facts::Facts;
use super::term::{Sort, WORD};

/// The facts about a value derived from its definition.
pub(super) fn facts(context: &Context, value: Value, sort: Sort) -> Facts {
    let unknown = Facts::unknown(sort, WORD);
    let Some(op) = value.defining_op(context) else {
        return unknown;
    };
    let up_to = |most: u64| Facts::between(0, most, sort, WORD);
    let special = [ori::S2r::DEFINITION, ori::S2ur::DEFINITION];
    if op.is_one_of(context, &special) {
        let register = op.attribute(context, "register");
        let register = register.and_then(|register| register.as_str(context));
        return register
            .and_then(special_register_limit)
            .map_or(unknown, up_to);
    }
    if op.is_one_of(context, &LOADS) && sort == Sort::Word {
        // A load whose guard may be false implies nothing about the value.
        if op.has_operands_named(context, "guard") {
            return unknown;
        }
        return match keyword_of(context, op, "width") {
            Some(Width::U8) => up_to(0xff),
            Some(Width::U16) => up_to(0xffff),
            _ => unknown,
        };
    }
    // Shared memory addresses have 24 bits, and above them the rank of the CTA in a cluster of up
    // to 16.
    if ori::AddressOf::matches(context, op) && sort == Sort::Word {
        return up_to((1 << 28) - 1);
    }
    if ori::SlotAddress::matches(context, op) {
        return up_to(Frame::LOCAL_MEMORY.into());
    }
    unknown
}

/// Loads of a single word.
const LOADS: [&OperationDefinition; 5] = [
    ori::Ldg::DEFINITION,
    ori::Lds::DEFINITION,
    ori::Ldl::DEFINITION,
    ori::Ld::DEFINITION,
    ori::Ldc::DEFINITION,
];

/// The maximum of a special register: limits of CTAs and grids of all machines since sm_70.
fn special_register_limit(name: &str) -> Option<u64> {
    Some(match name {
        "SR_TID.X" | "SR_TID.Y" => 1023,
        "SR_TID.Z" => 63,
        "SR_CTAID.X" => (1 << 31) - 2,
        "SR_CTAID.Y" | "SR_CTAID.Z" => 65534,
        "SR_LANEID" => 31,
        _ => return None,
    })
}
