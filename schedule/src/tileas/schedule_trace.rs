//! The trace of scheduling in Chrome's JSON format (open it in `chrome://tracing` or Perfetto).
//!
//! Every loop is two processes. One shows the decisions in order, one thread per arm: the arm, the
//! operation it examined, the cycle, the cost vector, the rejecting gate, and whether the seat was
//! kept; attempts of whole generators are on a separate thread. The other shows the schedule, one
//! thread per stage: operations at their cycles, with dependences as arrows that carry the least
//! and the actual distance.
//!
//! Source: tileas reference 4.10.

use orison_ir::{Context, Operation};
use serde_json::{Value, json};

use super::classify;
use super::loop_body::LoopBody;
use crate::modulo::decisions::{Arm, Decision, Event};
use crate::modulo::{
    CostVector, DecisionLog, DependenceGraph, EdgeKind, NodeConstraints, Schedule,
};

/// The events of all loops that a pass has scheduled.
#[derive(Clone, Debug, Default)]
pub struct ScheduleTrace {
    events: Vec<Value>,
    loops: u64,
    dropped: u64,
}

impl ScheduleTrace {
    /// Adds a loop.
    pub fn add(
        &mut self,
        context: &Context,
        body: &LoopBody,
        graph: &DependenceGraph,
        schedule: &Schedule,
        log: &DecisionLog,
    ) {
        let place = match body.op.location(context).position(context) {
            Some((file, line, column)) => format!("{}:{line}:{column}", file.text(context)),
            None => "unknown location".to_owned(),
        };
        let decisions = 2 * self.loops;
        self.loops += 1;
        self.dropped += log.dropped();
        self.name_process(decisions, &format!("decisions for the loop at {place}"));
        for (number, arm) in Arm::ALL.iter().enumerate() {
            self.name_thread(decisions, number, arm.name());
        }
        self.name_thread(decisions, Arm::ALL.len(), "generators");
        for (time, event) in log.events().iter().enumerate() {
            self.events.push(self.event(decisions, time, event, graph));
        }
        let title = format!(
            "schedule of the loop at {place}: II {}, {} stages",
            schedule.interval, schedule.stage_count
        );
        self.name_process(decisions + 1, &title);
        for stage in 0..schedule.stage_count {
            self.name_thread(decisions + 1, stage as usize, &format!("stage {stage}"));
        }
        for (node, &op) in body.operations.iter().enumerate() {
            let event = operation(context, op, decisions + 1, (graph, schedule, node));
            self.events.push(event);
        }
        self.add_dependences(decisions + 1, graph, schedule);
    }

    /// The complete file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let trace = json!({
            "displayTimeUnit": "ns",
            "otherData": {
                "loops": self.loops,
                "dropped events": self.dropped,
                "unit of time": "cycles in schedules, one decision in decisions",
            },
            "traceEvents": self.events,
        });
        format!("{trace:#}\n")
    }

    fn name_process(&mut self, process: u64, name: &str) {
        self.events.push(json!({
            "ph": "M", "name": "process_name", "pid": process, "args": {"name": name},
        }));
    }

    fn name_thread(&mut self, process: u64, thread: usize, name: &str) {
        self.events.push(json!({
            "ph": "M", "name": "thread_name", "pid": process, "tid": thread,
            "args": {"name": name},
        }));
    }

    fn event(&self, process: u64, time: usize, event: &Event, graph: &DependenceGraph) -> Value {
        let generators = Arm::ALL.len();
        match event {
            Event::Decision(decision) => decision_event(process, time, decision, graph),
            Event::Attempt {
                generator,
                interval,
                outcome,
            } => json!({
                "ph": "X", "cat": "attempt", "pid": process, "tid": generators,
                "ts": time, "dur": 1,
                "name": format!("{} at II {interval}: {}", generator.name(), outcome.name()),
                "args": {
                    "generator": generator.name(), "ii": interval, "outcome": outcome.name(),
                },
            }),
            Event::Lifted {
                interval,
                round,
                structure,
            } => json!({
                "ph": "i", "s": "p", "cat": "refinement", "pid": process, "tid": generators,
                "ts": time, "name": "soft constraint lifted",
                "args": {
                    "ii": interval, "round": round,
                    "operations": graph.structures()[*structure].members,
                    "rationale": graph.structures()[*structure].rationale,
                },
            }),
            Event::Promoted {
                interval,
                round,
                node,
            } => json!({
                "ph": "i", "s": "p", "cat": "refinement", "pid": process, "tid": generators,
                "ts": time, "name": "placed first in the next round",
                "args": {"ii": interval, "round": round, "operation": node},
            }),
        }
    }

    fn add_dependences(&mut self, process: u64, graph: &DependenceGraph, schedule: &Schedule) {
        for (number, edge) in graph.edges().iter().enumerate() {
            let (from, to) = (schedule.starts[edge.from], schedule.starts[edge.to]);
            let shift = i64::from(schedule.interval) * i64::from(edge.distance);
            let kind = match edge.kind {
                EdgeKind::Data => "data",
                EdgeKind::Token => "token",
                EdgeKind::Memory => "memory",
                EdgeKind::LoopCarried => "loop-carried",
                EdgeKind::Constraint => "constraint",
            };
            let id = format!("{process}.{number}");
            self.events.push(json!({
                "ph": "s", "cat": "dependence", "name": kind, "id": id, "pid": process,
                "tid": schedule.stages[edge.from], "ts": from,
                "args": {
                    "from": edge.from, "to": edge.to, "distance": edge.distance,
                    "minimal latency": edge.latency, "actual latency": to + shift - from,
                },
            }));
            self.events.push(json!({
                "ph": "f", "bp": "e", "cat": "dependence", "name": kind, "id": id,
                "pid": process, "tid": schedule.stages[edge.to], "ts": to,
            }));
        }
    }
}

fn decision_event(
    process: u64,
    time: usize,
    decision: &Decision,
    graph: &DependenceGraph,
) -> Value {
    let arm = Arm::ALL.iter().position(|arm| *arm == decision.arm);
    json!({
        "ph": "X", "cat": "decision", "pid": process, "tid": arm, "ts": time, "dur": 1,
        "name": graph.node(decision.node).name,
        "args": {
            "ii": decision.interval,
            "round": decision.round,
            "arm": decision.arm.name(),
            "group of operation": decision.group,
            "operation": decision.node,
            "cycle": decision.cycle,
            "cost": cost(decision.cost),
            "gate": decision.gate.map(|gate| gate.describe(graph.space())),
            "committed": decision.committed,
        },
    })
}

/// The cost vector by field name; null for a rejected seat.
fn cost(cost: CostVector) -> Value {
    if cost.rejected {
        return Value::Null;
    }
    json!({
        "gate": 0,
        "pipe slot": cost.pipe_slot,
        "spill": cost.spill,
        "bank": cost.bank,
        "distance": cost.distance,
    })
}

fn operation(
    context: &Context,
    op: Operation,
    process: u64,
    (graph, schedule, node): (&DependenceGraph, &Schedule, usize),
) -> Value {
    let data = graph.node(node);
    let slots: Vec<Value> = data
        .uses
        .iter()
        .map(|triple| json!([graph.space().slot_name(triple.slot), triple.duration]))
        .collect();
    json!({
        "ph": "X", "cat": "operation", "pid": process, "tid": schedule.stages[node],
        "ts": schedule.starts[node], "dur": data.latency.max(1), "name": data.name,
        "args": {
            "operation": node,
            "cycle": schedule.starts[node],
            "stage": schedule.stages[node],
            "order": schedule.orders[node],
            "latency": data.latency,
            "slots": slots,
            "atom": classify::atom(context, op).map(|atom| &*atom.name),
            "constraints": constraints(&data.constraints),
        },
    })
}

/// The constraint record: only the fields that are set.
fn constraints(record: &NodeConstraints) -> Value {
    let hints = &record.recomputation;
    let numbers = [
        ("gid", record.group),
        ("leader_gid", record.leader),
        ("max_depth", record.max_depth),
        ("preferred_atom_size", hints.preferred_atom_size),
        ("max_num_slices_for_non_reduce_axis", hints.max_slices),
        ("max_num_of_recomputations", hints.max_recomputations),
    ];
    let flags = [
        ("force_serial_execution", record.force_serial),
        (
            "enable_defusion_if_fusion_extending_liveness",
            hints.enable_defusion,
        ),
        ("recomputable", hints.recomputable),
    ];
    let numbers = numbers
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), json!(value?))));
    let flags = flags
        .into_iter()
        .filter(|(_, set)| *set)
        .map(|(key, _)| (key.to_owned(), json!(true)));
    Value::Object(numbers.chain(flags).collect())
}
