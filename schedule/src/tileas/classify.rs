//! The facts about an operation that select its machine-model row: its atom, the memory spaces it
//! moves data between, its size.
//!
//! Source: TileAS reference 3.3 (classifier) and 3.8.

use orison_ir::{Context, Diagnostic, Operation, Type};
use orison_tileas::nv_tileaa::KernelSpec;
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::{Atom, AtomFamily};

use super::attributes;
use crate::machine::{MachineModel, OperationCost};
use crate::modulo::{PoolUse, ResourceUse};

/// Latency, triples and pools of an operation: from its attributes, otherwise from the machine
/// model. One with regions costs the sum of its nested operations, in sequence.
///
/// # Errors
/// A located error for a malformed cost attribute, also of a nested operation.
pub fn node_cost(
    context: &Context,
    op: Operation,
    machine: &MachineModel,
) -> Result<OperationCost, Box<Diagnostic>> {
    if !is_structured(context, op) {
        attributes::cost_of(context, op)?;
        let model = model_cost(context, op, machine);
        let latency = attributes::latency(context, op)?;
        let uses = attributes::resources(context, op, machine)?;
        return Ok(OperationCost {
            latency: latency.unwrap_or(model.latency),
            pools: uses.as_ref().map_or(model.pools, |_| Vec::new()),
            uses: uses.unwrap_or(model.uses),
        });
    }
    let mut total = OperationCost {
        latency: 0,
        uses: Vec::new(),
        pools: Vec::new(),
    };
    // Each entry with what is still to be added for it: its latency, its resources.
    let mut pending = vec![(op, true, true)];
    while let Some((op, mut latency, mut resources)) = pending.pop() {
        if latency && let Some(cycles) = attributes::latency(context, op)? {
            total.latency = total.latency.saturating_add(cycles);
            latency = false;
        }
        if resources && let Some(uses) = attributes::resources(context, op, machine)? {
            add_uses(&mut total, uses);
            resources = false;
        }
        if is_structured(context, op) {
            let blocks = op
                .regions(context)
                .flat_map(|region| region.blocks(context));
            let nested = blocks.flat_map(|block| block.operations(context));
            pending.extend(nested.map(|nested| (nested, latency, resources)));
            continue;
        }
        let model = model_cost(context, op, machine);
        if latency {
            total.latency = total.latency.saturating_add(model.latency);
        }
        if resources {
            add_uses(&mut total, model.uses);
            add_pools(&mut total, model.pools);
        }
    }
    Ok(total)
}

/// Whether the cost of an operation is that of its nested operations. Operations of `nv_tileas`
/// with regions have separate rows.
fn is_structured(context: &Context, op: Operation) -> bool {
    op.region_count(context) > 0 && !op.name_text(context).starts_with("nv_tileas.")
}

fn add_uses(total: &mut OperationCost, uses: Vec<ResourceUse>) {
    for triple in uses.into_iter().filter(|triple| triple.occupancy > 0) {
        let mut known = total.uses.iter_mut();
        match known.find(|known| known.slot == triple.slot) {
            Some(known) => known.duration = known.duration.saturating_add(triple.duration),
            None => total.uses.push(triple),
        }
    }
}

fn add_pools(total: &mut OperationCost, pools: Vec<PoolUse>) {
    for pool in pools {
        match total.pools.iter_mut().find(|known| known.pool == pool.pool) {
            Some(known) => known.count = known.count.max(pool.count),
            None => total.pools.push(pool),
        }
    }
}

/// The machine-model cost of one operation, without its nested operations and attributes.
pub fn model_cost(context: &Context, op: Operation, machine: &MachineModel) -> OperationCost {
    machine.cost(context, op, kernel_warps(context, op))
}

/// The warps of the kernel around an operation; those of one warp group without a specification.
fn kernel_warps(context: &Context, op: Operation) -> u32 {
    let warps = KernelSpec::around(context, op).and_then(|spec| spec.num_warps);
    let warps = warps.and_then(|warps| u32::try_from(warps).ok());
    warps.filter(|warps| *warps > 0).unwrap_or(4)
}

/// The atom of an operation.
pub fn atom(context: &Context, op: Operation) -> Option<&Atom> {
    Atom::of(context, op.attribute(context, "atom")?)
}

/// Whether the operation is a load by TMA: one with a TMA atom, or one of the TMA loads.
pub fn is_tma_load(context: &Context, op: Operation) -> bool {
    let always = [
        nv_tileas::AsyncTiledTmaLoad::DEFINITION,
        nv_tileas::AsyncGatherTmaLoad::DEFINITION,
    ];
    let by_atom = [
        nv_tileas::TiledLoad::DEFINITION,
        nv_tileas::AsyncTiledLoad::DEFINITION,
    ];
    op.is_one_of(context, &always)
        || op.is_one_of(context, &by_atom)
            && atom(context, op).is_some_and(|atom| atom.family() == AtomFamily::TmaLoad)
}

/// Bytes of a tile of this type; `None` if its size is not known.
pub fn tile_bytes(context: &Context, ty: Type) -> Option<u64> {
    orison_tileas::views::byte_size(context, ty.shape(context)?, ty.element(context)?)
}

/// Bytes of ring storage of one in-flight copy of the operation's tile: the tiles of a load by TMA,
/// 0 for other operations.
pub fn staged_bytes(context: &Context, op: Operation) -> u64 {
    if !is_tma_load(context, op) {
        return 0;
    }
    let tiles = op
        .results(context)
        .filter_map(|value| tile_bytes(context, value.ty(context)));
    tiles.fold(0, u64::saturating_add)
}

/// Bytes that a register takes in all lanes of a warp.
pub const WARP_REGISTER_BYTES: u64 = 128;

/// Registers of a warp that one in-flight copy of the operation's tiles takes; the tiles of loads
/// by TMA stay in shared memory.
pub fn registers(context: &Context, op: Operation) -> u32 {
    if is_tma_load(context, op) {
        return 0;
    }
    let tiles = op
        .results(context)
        .filter_map(|value| tile_bytes(context, value.ty(context)));
    let bytes = tiles.fold(0, u64::saturating_add);
    u32::try_from(bytes.div_ceil(WARP_REGISTER_BYTES)).unwrap_or(u32::MAX)
}
