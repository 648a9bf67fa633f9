//! Requests of pipelines that do not exist yet: those of the plans of scheduled loops.
//!
//! Pipes between agents stage operands, so they are in shared memory. The agents run at their own
//! pace and each pipe has a separate handshake, so these pipes share no storage.

use orison_ir::printer::type_to_string;
use orison_ir::{Context, Diagnostic, Operation, Type};
use orison_tileas::views::shape_and_element;

use super::super::attributes::read_schedule;
use super::super::dependence::dependence_graph;
use super::super::loop_body::LoopBody;
use super::super::materialize::Planned;
use super::super::solve::loads::value_bytes;
use super::super::solve::{
    FillClass, LoadKind, PipePlan, PlannedItem, ScheduledLoop, plan_region, regions,
};
use super::requests::{FunctionRequests, Subject, alignment};
use crate::buffers::{Access, BufferRequest, RequestKind, Ring, Storage, Timing};
use crate::machine::MachineModel;

/// The plans of all scheduled loops of a function, without overlap of iterations inside agents.
///
/// # Errors
/// A located error for malformed schedules, and for values that cannot be split between agents.
pub fn plans(
    context: &Context,
    function: Operation,
    machine: &MachineModel,
) -> Result<Vec<Planned>, Box<Diagnostic>> {
    let mut loops = Vec::new();
    for body in LoopBody::targets(context, function) {
        if let Some(schedule) = read_schedule(context, body.op, &body.operations)? {
            let graph = dependence_graph(context, &body, machine)?;
            loops.push(ScheduledLoop {
                body,
                graph,
                schedule,
            });
        }
    }
    let mut plans = Vec::new();
    for region in regions(context, loops) {
        let shared_memory = machine.budget("smem").unwrap_or(u64::MAX);
        let plan = plan_region(context, &region, shared_memory)?;
        plans.extend(plan.map(|plan| (plan, region)));
    }
    Ok(plans)
}

/// Adds the requests of planned pipelines, with up to `depth` slots if the schedule needs fewer.
pub fn add(context: &Context, asked: &mut FunctionRequests, plans: &[Planned], depth: u32) {
    let frames = plans.iter().enumerate().flat_map(|(region, (plan, _))| {
        let frames = plan.partition.frames.iter().zip(&plan.frames).enumerate();
        frames.map(move |(number, (frame, frame_plan))| (region, number, frame, frame_plan))
    });
    for (region, number, frame, plan) in frames {
        let timing = Timing {
            region: u32::try_from(region << 16 | number).unwrap_or(u32::MAX),
            interval: plan.schedule.interval.max(1),
            stages: plan.schedule.stage_count,
        };
        let holder = frame.owner.unwrap_or(asked.function);
        let planned = |asked: &FunctionRequests, item| Subject::Planned {
            holder,
            position: asked.held_by(holder),
            region,
            frame: number,
            item,
        };
        // The pipe of a consumer without producers holds nothing.
        let filled = |(_, pipe): &(usize, &PipePlan)| pipe.route.is_some();
        for (at, pipe) in plan.pipes.iter().enumerate().filter(filled) {
            let mut request = pipe_request(context, pipe, depth);
            // A ring of the largest depth may be too short for the schedule: its agents wait then.
            let is_whole = pipe.depth <= pipe.flavour().depth_limit();
            request.timing = (frame.is_scheduled && is_whole).then_some(timing);
            let subject = planned(asked, PlannedItem::Pipe(at));
            asked.push(request, subject, false);
        }
        for at in 0..plan.mutexes.len() {
            let subject = planned(asked, PlannedItem::Mutex(at));
            asked.push(lock_request(), subject, true);
        }
    }
}

fn pipe_request(context: &Context, pipe: &PipePlan, depth: u32) -> BufferRequest {
    let write = Access {
        start: pipe.first_write,
        end: pipe.first_write.saturating_add(1),
    };
    let read = Access {
        start: pipe.first_write,
        end: pipe.last_read_end,
    };
    BufferRequest {
        kind: RequestKind::Ring(ring(context, pipe, depth)),
        producers: vec![write],
        consumers: vec![read],
        ..lock_request()
    }
}

fn lock_request() -> BufferRequest {
    let always = Access { start: 0, end: 1 };
    BufferRequest {
        id: 0,
        name: String::new(),
        kind: RequestKind::Lock,
        timing: None,
        producers: vec![always],
        consumers: vec![always],
        alias_of: None,
        has_waits: true,
    }
}

fn ring(context: &Context, pipe: &PipePlan, depth: u32) -> Ring {
    let payload = pipe.payload();
    let shapes: Vec<(Vec<i64>, Type)> = payload
        .iter()
        .map(|ty| shape_and_element(context, *ty).unwrap_or((Vec::new(), *ty)))
        .collect();
    let bits = shapes
        .iter()
        .map(|(_, element)| element.bit_width(context).unwrap_or(64));
    let element_bits = bits.min().unwrap_or(8);
    let element = shapes.first().map(|(_, element)| *element);
    let alike = shapes.iter().all(|(_, other)| Some(*other) == element);
    let by_tma = pipe.route.map(|route| route.fill) == Some(FillClass::Load(LoadKind::Tma));
    Ring {
        tiles: payload
            .iter()
            .filter_map(|ty| value_bytes(context, *ty))
            .collect(),
        element: element
            .filter(|_| alike)
            .map_or_else(|| "i8".to_owned(), |ty| type_to_string(context, ty)),
        element_bits,
        rank: shapes
            .iter()
            .filter_map(|(shape, _)| u32::try_from(shape.len()).ok())
            .min()
            .unwrap_or(0),
        needed: pipe.depth.min(pipe.flavour().depth_limit()),
        wanted: pipe.depth,
        requested: match pipe.once {
            true => 1,
            false => depth.min(pipe.flavour().depth_limit()),
        },
        alignment: alignment(&shapes, element_bits, by_tma),
        storage: Storage::Shared,
    }
}
