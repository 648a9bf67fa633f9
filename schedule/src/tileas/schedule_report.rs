//! `tileas-schedule-report`: drawings of the schedules of all scheduled loops.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use orison_ir::declare::Trait;
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult};
use orison_ir::printer::location_to_string;
use orison_ir::{Attribute, Context, Diagnostic, Operation, Severity, source_position};

use super::analysis::ScheduleAnalysis;
use super::assign_buffers::AssignBuffersOptions;
use super::assign_buffers::function_buffers::FunctionBuffers;
use super::assign_buffers::planned_requests;
use super::attributes::{SUMMARY, WrittenSchedule, read_schedule};
use super::dependence::dependence_graph;
use super::loop_body::LoopBody;
use super::machine_choice::MachineChoice;
use super::materialize::Dual;
use super::solve::{MAX_RING_DEPTH, PipePlan, PlannedItem};
use crate::buffers::{Binding, Place};
use crate::machine::MachineModel;
use crate::modulo::DependenceGraph;
use crate::report::executed::TimedRun;
use crate::report::output::{self, OrFile, ReportFormat};
use crate::report::{Bound, Hold, LoopReport, ReportedOperation, ReportedRing, html, svg, text};

/// The description of each bound.
const MEANINGS: [(&str, &str); 5] = [
    ("resource", "cycles the busiest slot is held"),
    ("recurrence", "latency over distance of the worst cycle"),
    ("fine", "units requested of the busiest pool"),
    ("dependency", "longest chain over affordable stages"),
    ("self", "longest hold of one operation"),
];

orison_ir::pass_options! {
    /// Options of `tileas-schedule-report`.
    pub struct ScheduleReportOptions {
        /// Machine model.
        machine = "machine": MachineChoice = MachineChoice::Auto,
        /// Output: a file that ends in .html, .svg or .txt, or - for standard output.
        file = "file": String = "-".to_owned(),
        /// Output format; by default selected by the file extension.
        format = "format": ReportFormat = ReportFormat::Auto,
        /// File with the output of `orison-interpret --timed=json` for the materialized kernel.
        timed = "timed": String = String::new(),
        /// Width of text, in characters.
        width = "width": u32[20..=1000] = 100,
        /// Slots of each ring if buffers were not assigned, as far as memory permits.
        depth = "depth": u32[1..=MAX_RING_DEPTH] = 2,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct ScheduleReport {
    options: OrFile<ScheduleReportOptions>,
}

impl Pass for ScheduleReport {
    type Options = OrFile<ScheduleReportOptions>;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-schedule-report",
        "Draw the schedules of scheduled loops.\n\n\
         Shows the bounds of the interval, the reservation table, how iterations overlap, and \
         which iteration each slot of a ring holds. Changes nothing; runs between schedule \
         generation and materialization.",
        source_position!(),
    );

    fn create(options: OrFile<ScheduleReportOptions>) -> Self {
        ScheduleReport { options }
    }

    fn options(&self) -> &OrFile<ScheduleReportOptions> {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        let file = self.options.0.file.as_str();
        let format = self
            .options
            .0
            .format
            .of_file(file)
            .map_err(|message| root.op_error(pass.context, message))?;
        let mut reports = reports(pass.context, root, &self.options.0)?;
        let run = self.timed_run();
        let run = run.map_err(|message| root.op_error(pass.context, message))?;
        if let Some(run) = &run {
            for report in &mut reports {
                report.executed = run.clause(&report.place, report.interval);
            }
            if reports.iter().all(|report| report.executed.is_empty()) {
                let message = "no loop of the timed run is at the line and column of a scheduled loop; \
                               materialize with --mlir-print-debuginfo, and time enough iterations";
                let warning =
                    Diagnostic::new(Severity::Warning, root.location(pass.context), message);
                pass.context.diagnostics.emit(warning);
            }
        }
        if reports.is_empty() {
            let help = "run tileas-generate-schedule first";
            pass.nothing_to_do("no loop has a schedule", help);
        }
        if format == ReportFormat::Svg && reports.len() != 1 {
            let message = format!(
                "an SVG report shows one scheduled loop, but there are {}; use format=html",
                reports.len()
            );
            return Err(root.op_error(pass.context, message).into());
        }
        let width = usize::try_from(self.options.0.width).unwrap_or(usize::MAX);
        let rendered = match format {
            ReportFormat::Html => html::render(&reports, run.as_ref()),
            ReportFormat::Svg => reports.iter().map(svg::render).collect(),
            _ => {
                let texts: Vec<String> = reports.iter().map(|r| text::render(r, width)).collect();
                let run = run.map(|run| run.text(&reports)).unwrap_or_default();
                texts.join("\n") + &run
            }
        };
        output::write(file, &rendered).map_err(|message| root.op_error(pass.context, message))?;
        pass.preserve::<ScheduleAnalysis>();
        Ok(IRStatus::Unchanged)
    }
}

impl ScheduleReport {
    /// The timed run, if one is given.
    fn timed_run(&self) -> Result<Option<TimedRun>, String> {
        let file = self.options.0.timed.as_str();
        if file.is_empty() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| format!("cannot read timed run '{file}': {error}"))?;
        let run = TimedRun::read(&text);
        run.map(Some)
            .map_err(|error| format!("'{file}' is not a timed run: {error}"))
    }
}

/// The reports of all scheduled loops under an operation, in program order.
///
/// # Errors
/// A located error for malformed schedules and buffers.
pub fn reports(
    context: &Context,
    root: Operation,
    options: &ScheduleReportOptions,
) -> Result<Vec<LoopReport>, Box<Diagnostic>> {
    let mut reports = Vec::new();
    let mut rings: BTreeMap<Operation, Rings> = BTreeMap::new();
    for body in LoopBody::targets(context, root) {
        let Some(schedule) = read_schedule(context, body.op, &body.operations)? else {
            continue;
        };
        let machine = options.machine.model(context, body.op);
        let graph = dependence_graph(context, &body, machine)?;
        let mut report = loop_report(context, &body, &schedule, &graph);
        let function = function_of(context, body.op).unwrap_or(root);
        let found = match rings.entry(function) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(rings_of(context, function, machine, options.depth)),
        };
        report.rings = found.by_loop.get(&body.op).cloned().unwrap_or_default();
        report.memory = found.memory.filter(|_| !report.rings.is_empty());
        reports.push(report);
    }
    Ok(reports)
}

fn function_of(context: &Context, op: Operation) -> Option<Operation> {
    op.ancestors(context)
        .find(|op| op.has_trait(context, Trait::IsolatedFromAbove))
}

fn loop_report(
    context: &Context,
    body: &LoopBody,
    schedule: &WrittenSchedule,
    graph: &DependenceGraph,
) -> LoopReport {
    let mut numbers: Vec<u8> = graph
        .nodes()
        .iter()
        .flat_map(|node| node.uses.iter().map(|hold| hold.slot))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let operations = body.operations.iter().enumerate().map(|(at, op)| {
        let node = graph.node(at);
        let holds = node.uses.iter().filter_map(|hold| {
            let slot = numbers.binary_search(&hold.slot).ok()?;
            let duration = hold.duration;
            Some(Hold { slot, duration })
        });
        let name = op.name_text(context);
        ReportedOperation {
            name: name
                .split_once('.')
                .map_or(name, |(_, rest)| rest)
                .to_owned(),
            stage: schedule.stages[at],
            order: schedule.orders[at],
            start: schedule.starts[at],
            latency: node.latency,
            holds: holds.collect(),
        }
    });
    let summary = body.op.attribute(context, SUMMARY);
    let entry = |key: &str| summary.and_then(|summary| summary.get(context, key));
    let bounds = MEANINGS.iter().filter_map(|(name, meaning)| {
        let cycles = entry("mii")?.get(context, name)?.as_i32(context)?;
        Some(Bound {
            name: (*name).to_owned(),
            cycles: u32::try_from(cycles).ok()?,
            meaning: (*meaning).to_owned(),
        })
    });
    LoopReport {
        title: title(context, body.op),
        place: match body.op.location(context).position(context) {
            Some((_, line, column)) => format!("{line}:{column}"),
            None => String::new(),
        },
        executed: String::new(),
        interval: schedule.interval,
        stages: schedule.stage_count,
        generator: entry("generator")
            .and_then(|name| name.as_str(context))
            .unwrap_or("unknown")
            .to_owned(),
        proven: entry("proven").and_then(Attribute::as_bool) == Some(true),
        bounds: bounds.collect(),
        slots: numbers
            .iter()
            .map(|slot| graph.space().slot_name(*slot))
            .collect(),
        operations: operations.collect(),
        rings: Vec::new(),
        memory: None,
    }
}

/// `@function, loop at file:line:column`, the file without its directory, so that reports do not
/// depend on the location of the sources.
fn title(context: &Context, op: Operation) -> String {
    let symbol = function_of(context, op)
        .and_then(|function| function.attribute(context, "sym_name")?.as_str(context));
    let place = location_to_string(context, op.location(context));
    let place = place
        .trim_start_matches("loc(")
        .trim_end_matches(')')
        .replace('"', "");
    let place = place.rsplit('/').next().unwrap_or(&place);
    match symbol {
        Some(symbol) => format!("@{symbol}, loop at {place}"),
        None => format!("loop at {place}"),
    }
}

/// The rings of a function's scheduled loops.
#[derive(Clone, Debug, Default)]
struct Rings {
    by_loop: BTreeMap<Operation, Vec<ReportedRing>>,
    memory: Option<(u64, u64)>,
}

/// The rings of a function. Loops that cannot be split between agents, or whose rings do not fit,
/// are shown without rings.
fn rings_of(context: &Context, function: Operation, machine: &MachineModel, depth: u32) -> Rings {
    let options = AssignBuffersOptions {
        depth,
        ..AssignBuffersOptions::default()
    };
    let Ok(mut plans) = planned_requests::plans(context, function, machine) else {
        return Rings::default();
    };
    let buffers = FunctionBuffers::of(
        context,
        function,
        &mut plans,
        machine,
        (&options, Dual::NEVER),
    );
    let Ok((buffers, _)) = buffers else {
        return Rings::default();
    };
    let budget = options.budget(machine).shared_memory;
    let mut rings = Rings {
        memory: Some((buffers.smem_bytes(), budget)),
        ..Rings::default()
    };
    let mut number = 0;
    for (region, (plan, _)) in plans.iter().enumerate() {
        for (frame, place) in plan.partition.frames.iter().enumerate() {
            for (at, pipe) in plan.frames[frame].pipes.iter().enumerate() {
                let binding = buffers.planned(region, frame, PlannedItem::Pipe(at));
                let name = format!("Pipe_{number}");
                number += 1;
                if let (Some(binding), Some(owner), true) =
                    (binding, place.owner, place.is_scheduled)
                {
                    let ring = reported(name, binding, pipe);
                    rings.by_loop.entry(owner).or_default().push(ring);
                }
            }
        }
    }
    rings
}

fn reported(name: String, binding: &Binding, pipe: &PipePlan) -> ReportedRing {
    ReportedRing {
        name,
        slots: binding.depth,
        slot_bytes: binding.slot_stride,
        place: match binding.place {
            Place::Shared { offset, .. } => format!("smem {offset}"),
            Place::Tensor { column, .. } => format!("tmem column {column}"),
            Place::Barrier { number } => format!("barrier {number}"),
        },
        busy: (pipe.first_write, pipe.last_read_end),
    }
}
