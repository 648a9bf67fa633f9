//! Lookup for materialization: the binding of each pipeline it creates.

use orison_ir::pass::PassContext;
use orison_ir::{Context, Diagnostic, Operation};

use super::planned;
use super::requests::{FunctionRequests, PlannedItem, Subject, of_pipelines};
use super::{located, stamps};
use crate::buffers::{Assignment, Binding, Budget, assign};
use crate::machine::MachineModel;
use crate::tileas::solve::RegionPlan;

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
    /// `plans` are those of all scheduled loops of the function, in their order.
    ///
    /// # Errors
    /// A located error if attributes do not match the plans or the buffers exceed the budget.
    pub fn of(
        context: &Context,
        function: Operation,
        plans: &[RegionPlan],
        machine: &MachineModel,
        depth: u32,
        budget: &Budget,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut asked = of_pipelines(context, function, machine)?;
        planned::add(context, &mut asked, plans, depth);
        let written = stamps::read(context, &asked, budget)?;
        let is_written = written.is_some();
        let assignment = match written {
            Some(assignment) => assignment,
            None => {
                assign(&asked.requests, budget).map_err(|error| located(context, &asked, &error))?
            }
        };
        Ok(FunctionBuffers {
            asked,
            assignment,
            is_written,
        })
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

    /// Remarks about planned rings whose number of slots differs from the requested one, unless the
    /// assignment was read from attributes.
    pub fn explain_depths(&self, pass: &mut PassContext<'_>, depth: u32) {
        if !self.is_written {
            super::explain_depths(pass, &self.asked, &self.assignment, depth);
        }
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
        stamps::forget_planned(context, &self.asked);
    }
}
