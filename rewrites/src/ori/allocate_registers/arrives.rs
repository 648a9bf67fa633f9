//! Arrives behind what writes the registers of products of warp groups: copies that allocation puts in
//! front of a product are behind the fence that the program has for them.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::{RegisterClass, properties};
use orison_ori::operations::WarpgroupArrive;
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::{MachineOperation, Physical, Register};

use super::register_set::RegisterSet;
use crate::ori::form_accumulators::has_products;
use crate::ori::functions::{Function, create_before};

/// Inserts an arrive in front of each product with a register that is written since the last one on some
/// path; returns how many. Registers must be assigned. Linear in the operations, and in the blocks as often
/// as sets of registers grow.
pub fn order_writes(context: &mut Context, function: Function) -> usize {
    if !has_products(context, function) {
        return 0;
    }
    let flow = ControlFlowGraph::of(context, function.body);
    let mut entries = vec![RegisterSet::default(); flow.block_count()];
    let mut changed = true;
    while changed {
        changed = false;
        for block in flow.reverse_post_order().iter().copied() {
            let mut written = entries[block as usize];
            for op in flow.block(block).operations(context) {
                pass(context, op, &mut written);
            }
            for next in flow.successors(block) {
                let entry = &mut entries[*next as usize];
                let all = entry.union(written);
                changed |= *entry != all;
                *entry = all;
            }
        }
    }
    let mut inserted = 0;
    for (block, mut written) in (0..).zip(entries) {
        for op in flow.block(block).body(context) {
            if needs_arrive(context, op, written) {
                let arrive = MachineOperation::new(WarpgroupArrive::NAME);
                create_before(context, op, op.location(context), arrive);
                written = RegisterSet::default();
                inserted += 1;
            }
            pass(context, op, &mut written);
        }
    }
    inserted
}

/// What is written since the last arrive behind an operation.
fn pass(context: &Context, op: Operation, written: &mut RegisterSet) {
    match role(context, op) {
        Some(Role::Arrive) => *written = RegisterSet::default(),
        None | Some(Role::Call) if properties::is_instruction(context, op) => {
            for result in op.results(context) {
                registers(context, result).for_each(|register| written.insert(register));
            }
        }
        // Products are in order among themselves; waits and parts write nothing.
        _ => {}
    }
}

fn needs_arrive(context: &Context, op: Operation, written: RegisterSet) -> bool {
    let Some(product) = WgmmaMma::of(context, op) else {
        return false;
    };
    let read = [Some(product.a(context)), product.accumulator(context)];
    let mut registers = read
        .into_iter()
        .flatten()
        .flat_map(|value| registers(context, value));
    registers.any(|register| written.contains(register))
}

/// The general registers of a value.
fn registers(context: &Context, value: Value) -> std::ops::Range<u32> {
    let ty = value.ty(context);
    let register = Register::of(context, ty);
    let words = register.and_then(|register| match RegisterClass::of(register) {
        (RegisterClass::General, words) => Some(words),
        _ => None,
    });
    match (words, Physical::of(context, ty)) {
        (Some(words), Some(found)) => {
            let first = u32::from(found.index);
            first..first + words
        }
        _ => 0..0,
    }
}
