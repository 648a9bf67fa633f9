//! What it costs to hand a value over to another agent.

use orison_ir::{Context, Operation};
use orison_tileas::nv_tileas;

use super::classify::tile_bytes;
use crate::joint::Passing;
use crate::machine::{MachineModel, OperationCost, OperationQuery, Quantities, Variable};

/// Cycles from the signal of one agent until another one has seen it.
pub fn signal(machine: &MachineModel) -> u32 {
    let wait = OperationQuery {
        operation: nv_tileas::ConsumerWait::NAME,
        ..OperationQuery::default()
    };
    machine.cost_of(&wait).latency
}

/// The cost of a copy of this many bytes from registers into a slot, by an agent of four warps or more.
pub fn copy_into_slot(machine: &MachineModel, bytes: u64) -> OperationCost {
    let mut quantities = Quantities::default();
    quantities.set(Variable::Bytes, bytes);
    quantities.set(Variable::Warps, 4);
    machine.cost_of(&OperationQuery {
        operation: nv_tileas::Copy::NAME,
        from: Some("reg"),
        to: Some("smem"),
        quantities,
        ..OperationQuery::default()
    })
}

/// The cost of passing the tile of an operation to other agents: a copy into shared memory.
pub(super) fn passing(context: &Context, op: Operation, machine: &MachineModel) -> Option<Passing> {
    let mut bytes = 0_u64;
    for value in op.results(context) {
        let ty = value.ty(context);
        bytes += match ty.is_shaped(context) {
            true => tile_bytes(context, ty)?,
            false => ty
                .bit_width(context)
                .map_or(0, |bits| u64::from(bits.div_ceil(8))),
        };
    }
    let cost = copy_into_slot(machine, bytes);
    Some(Passing {
        uses: cost.uses,
        latency: cost.latency,
        bytes,
    })
}
