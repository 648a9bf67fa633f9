//! From a scheduled loop to agents that talk through pipelines.
//!
//! `plan.rs` decides everything and may refuse; `solve.rs` groups loads into pipes; `emit.rs` and
//! `agents.rs` write the new form. Nothing changes before the plan is complete.

mod agents;
mod emit;
mod plan;
mod solve;

use std::collections::BTreeMap;

use orison_ir::{Builder, Context, Diagnostic, Operation};

use orison_tileas::nv_tileaa::KernelSpec;

use super::attributes::WrittenSchedule;
use super::loop_body::LoopBody;
use crate::modulo::DependenceGraph;
use emit::Emitter;
pub use emit::Warps;
use plan::AgentPlan;
pub use plan::Limits;

/// Registers of one warp's threads together: 65,536 a multiprocessor, 32 threads a warp.
const REGISTERS_A_LANE: i32 = 2_048;
/// Registers a producer thread needs: addresses and loop counters.
const PRODUCER_REGISTERS: i32 = 40;
/// The most registers a consumer thread is given.
const CONSUMER_REGISTERS: i32 = 232;
/// Warps of a group: registers are given to groups of four.
const WARP_GROUP: i32 = 4;

/// A loop for which everything is decided, and nothing changed yet.
#[derive(Clone, Debug)]
pub struct Materialization {
    body: LoopBody,
    plan: AgentPlan,
    warps: Warps,
}

impl Materialization {
    /// Decides how a scheduled loop becomes agents.
    ///
    /// # Errors
    /// A located error that names what cannot be materialized.
    pub fn prepare(
        context: &Context,
        body: &LoopBody,
        graph: &DependenceGraph,
        schedule: &WrittenSchedule,
        limits: Limits,
    ) -> Result<Self, Box<Diagnostic>> {
        let warps = divide_warps(context, body.op)?;
        let plan = plan::plan(context, body, graph, schedule, limits)?;
        Ok(Materialization {
            body: body.clone(),
            plan,
            warps,
        })
    }

    /// Replaces the loop by agents.
    pub fn emit(&self, context: &mut Context) {
        let location = self.body.op.location(context);
        let mut emitter = Emitter {
            builder: Builder::new(context),
            body: &self.body,
            plan: &self.plan,
            location,
            pipes: Vec::new(),
            mutexes: Vec::new(),
            descriptors: BTreeMap::new(),
        };
        emitter.prologue();
        let switch = emitter.agent_switch(self.warps);
        emitter.producer(switch);
        emitter.consumer(switch);
        for op in self.plan.tail.iter().rev() {
            op.erase(context);
        }
        self.body.op.erase(context);
        for op in self.plan.sunk.iter().rev() {
            op.erase(context);
        }
    }
}

/// Divides the warps of the kernel: the agents of a switch have equally many (TileAS reference
/// 1.4), in whole warp groups.
fn divide_warps(context: &Context, op: Operation) -> Result<Warps, Box<Diagnostic>> {
    let kernel = KernelSpec::around(context, op).and_then(|spec| spec.num_warps);
    let total = kernel.unwrap_or(2 * WARP_GROUP);
    if total < 2 * WARP_GROUP {
        let message = format!(
            "cannot be split into agents: a producer and a consumer need {} warps, the kernel has \
             {total}",
            2 * WARP_GROUP
        );
        return Err(op.op_error(context, message));
    }
    let share = total / 2 / WARP_GROUP * WARP_GROUP;
    let left = REGISTERS_A_LANE / share - PRODUCER_REGISTERS;
    // Budgets come in steps of eight registers.
    let consumer_registers = (left / 8 * 8).clamp(PRODUCER_REGISTERS, CONSUMER_REGISTERS);
    Ok(Warps {
        each: share,
        producer_registers: PRODUCER_REGISTERS,
        consumer_registers,
    })
}
