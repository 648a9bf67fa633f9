//! The buffers of a function's pipelines, those that exist and those that materialization will create.

use orison_ir::pass::PassContext;
use orison_ir::{Context, Diagnostic, Operation};

use super::planned_requests;
use super::requests::{FunctionRequests, Subject, of_pipelines};
use super::{AssignBuffersOptions, assignment_attributes, located};
use crate::buffers::{Assignment, Binding, assign};
use crate::machine::MachineModel;
use crate::tileas::materialize::{Dual, Planned, Reduced, Storage, overlap};
use crate::tileas::solve::{PlannedItem, RegionPlan};

/// The buffers of a function: of its existing pipelines and of the planned ones.
#[derive(Clone, Debug)]
pub struct FunctionBuffers {
    asked: FunctionRequests,
    assignment: Assignment,
    is_written: bool,
}

impl FunctionBuffers {
    /// The buffers written by `tileas-assign-buffers`, checked against the plans; assigned here if
    /// that pass did not run, with at least `depth` slots per pipe as far as memory permits.
    /// `regions` are those of all scheduled loops of the function, in their order. If the options say
    /// so, iterations overlap inside agents, of which two may take turns; returns the loops that overlap
    /// less than scheduled.
    ///
    /// # Errors
    /// A located error if attributes do not match the plans or the buffers exceed the budget.
    pub fn of(
        context: &Context,
        function: Operation,
        regions: &mut [Planned],
        machine: &MachineModel,
        (options, dual): (&AssignBuffersOptions, Dual),
    ) -> Result<(Self, Vec<Reduced>), Box<Diagnostic>> {
        FunctionBuffers::decide(context, function, regions, machine, (options, dual, true))
    }

    /// The same without the buffers of an earlier assignment.
    ///
    /// # Errors
    /// A located error if the buffers exceed the budget.
    pub(super) fn assigned(
        context: &Context,
        function: Operation,
        regions: &mut [Planned],
        machine: &MachineModel,
        options: &AssignBuffersOptions,
    ) -> Result<Self, Box<Diagnostic>> {
        let decided = FunctionBuffers::decide(
            context,
            function,
            regions,
            machine,
            (options, Dual::NEVER, false),
        );
        decided.map(|(buffers, _)| buffers)
    }

    fn decide(
        context: &Context,
        function: Operation,
        regions: &mut [Planned],
        machine: &MachineModel,
        (options, dual, is_read): (&AssignBuffersOptions, Dual, bool),
    ) -> Result<(Self, Vec<Reduced>), Box<Diagnostic>> {
        let written = assignment_attributes::shared_memory(context, function).filter(|_| is_read);
        let budget = options.budget(machine);
        let memory = written.unwrap_or(budget.shared_memory);
        let existing = of_pipelines(context, function, machine)?;
        let asked = |regions: &[Planned], depth| {
            let mut asked = existing.clone();
            planned_requests::add(context, &mut asked, regions, depth);
            asked
        };
        let assigned = |asked: &FunctionRequests| {
            assign(&asked.requests, &budget).map_err(|error| located(context, asked, &error))
        };
        let buffers = |regions: &[Planned]| {
            let asked = asked(regions, options.depth);
            let written = match is_read {
                true => assignment_attributes::read(context, &asked, &budget)?,
                false => None,
            };
            let is_written = written.is_some();
            let assignment = match written {
                Some(assignment) => assignment,
                None => assigned(&asked)?,
            };
            Ok(FunctionBuffers {
                asked,
                assignment,
                is_written,
            })
        };
        if !options.rotate {
            return Ok((buffers(regions)?, Vec::new()));
        }
        let least = assigned(&asked(regions, 1))?;
        let rings = regions.iter().map(|(plan, _)| plan.ring_bytes());
        let others = least.smem_bytes.saturating_sub(rings.sum());
        let memory = memory.saturating_sub(others);
        // Storage that was assigned earlier is for one compute agent.
        let dual = if written.is_some() { Dual::NEVER } else { dual };
        overlap(context, regions, machine, (memory, dual), buffers)
    }

    /// The binding of a planned pipeline: the n-th pipe or mutex of a frame of a region.
    pub fn planned(&self, region: usize, frame: usize, item: PlannedItem) -> Option<&Binding> {
        let is_it = |subject: &Subject| {
            matches!(subject, Subject::Planned { region: r, frame: f, item: i, .. }
                if (*r, *f, *i) == (region, frame, item))
        };
        let at = self.asked.subjects.iter().position(is_it)?;
        self.assignment.bindings.get(at)
    }

    /// The storage of the pipelines that materialization makes for a region.
    pub fn storage(&self, region: usize, plan: &RegionPlan) -> Storage {
        let binding_of = |frame, item| self.planned(region, frame, item);
        Storage::of(plan, binding_of, self.is_written)
    }

    /// Remarks about planned rings whose number of slots differs from the requested one, unless the
    /// assignment was read from attributes.
    pub fn explain_depths(&self, pass: &mut PassContext<'_>, depth: u32) {
        if !self.is_written {
            super::explain_depths(pass, &self.asked, &self.assignment, depth);
        }
    }

    /// Writes them as attributes, instead of those of an earlier assignment, with remarks; returns
    /// whether there are any.
    pub(super) fn write(&self, pass: &mut PassContext<'_>, options: &AssignBuffersOptions) -> bool {
        let (asked, assignment) = (&self.asked, &self.assignment);
        assignment_attributes::erase(pass.context, asked);
        if !asked.requests.is_empty() {
            assignment_attributes::stamp(pass.context, asked, assignment);
        }
        super::explain(pass, asked, assignment, options.share);
        super::explain_depths(pass, asked, assignment, options.depth);
        !asked.requests.is_empty()
    }

    /// Bytes of shared memory in use.
    pub const fn smem_bytes(&self) -> u64 {
        self.assignment.smem_bytes
    }

    /// Whether the bindings were read from attributes. New pipelines then carry theirs as
    /// attributes.
    pub const fn is_written(&self) -> bool {
        self.is_written
    }

    /// Removes the attributes of planned pipelines, which materialization has now created; the
    /// totals of the function are kept.
    pub fn forget_planned(&self, context: &mut Context) {
        assignment_attributes::forget_planned(context, &self.asked);
    }
}
