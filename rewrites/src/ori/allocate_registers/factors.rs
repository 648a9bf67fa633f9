//! Left factors in registers: a product of a warp group reads them until a wait completes it, so that
//! they stay where they are until then.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::MachineOperation;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::{WarpgroupCommit, WarpgroupWait};

use crate::ori::functions::{Function, create_before};
use crate::ori::operand_registers::read_in_flight;

/// The factors in flight in a block.
#[derive(Debug, Default)]
pub struct InFlight {
    /// Of the open group.
    open: Vec<Value>,
    /// Of the closed groups, the oldest first.
    closed: Vec<Vec<Value>>,
}

impl InFlight {
    /// Executes an operation; returns the factors that are not read any more behind it.
    pub fn execute(&mut self, context: &Context, op: Operation) -> Vec<Value> {
        match role(context, op) {
            Some(Role::Product) => self.open.extend(read_in_flight(context, op)),
            Some(Role::Commit) => self.closed.push(std::mem::take(&mut self.open)),
            Some(Role::Wait(left)) => {
                let oldest = self.closed.len().saturating_sub(left as usize);
                return self.closed.drain(..oldest).flatten().collect();
            }
            _ => {}
        }
        Vec::new()
    }

    fn is_empty(&self) -> bool {
        self.open.is_empty() && self.closed.iter().all(Vec::is_empty)
    }
}

/// Waits at the end of blocks where products with factors in registers are in flight: in another block, a
/// wait need not be behind what it waits for. Linear.
pub fn complete_at_ends(context: &mut Context, function: Function) {
    let blocks: Vec<Block> = function.body.blocks(context).collect();
    for block in blocks {
        let mut flight = InFlight::default();
        for op in block.body(context) {
            flight.execute(context, op);
        }
        let Some(end) = block.terminator(context).filter(|_| !flight.is_empty()) else {
            continue;
        };
        let location = end.location(context);
        if !flight.open.is_empty() {
            let commit = MachineOperation::new(WarpgroupCommit::NAME);
            create_before(context, end, location, commit);
        }
        let wait = MachineOperation::new(WarpgroupWait::NAME).number(context, "count", 0);
        create_before(context, end, location, wait);
    }
}
