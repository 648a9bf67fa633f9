//! What materialization asks: the binding of each pipeline it is about to make.

use orison_ir::pass::PassContext;
use orison_ir::{Context, Diagnostic, Operation};

use super::planned;
use super::requests::{FunctionRequests, PlannedItem, Subject, of_pipelines};
use super::{located, stamps};
use crate::buffers::{Assignment, Binding, Budget, assign};
use crate::machine::MachineModel;
use crate::tileas::solve::RegionPlan;

/// The buffers of a function: of the pipelines it has and of those that were planned.
#[derive(Clone, Debug)]
pub struct FunctionBuffers {
    asked: FunctionRequests,
    assignment: Assignment,
    is_written: bool,
}

impl FunctionBuffers {
    /// The buffers that `tileas-assign-buffers` wrote down, judged against the plans; assigned now
    /// when it did not run, with at least `depth` slots a pipe as far as memory goes. `plans` are
    /// those of all scheduled loops of the function, in their order.
    ///
    /// # Errors
    /// A located error for attributes that do not fit the plans, or when something does not fit
    /// the budget.
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

    /// Remarks about planned rings whose number of slots is not the one that was asked for, unless
    /// it was decided before.
    pub fn explain_depths(&self, pass: &mut PassContext<'_>, depth: u32) {
        if !self.is_written {
            super::explain_depths(pass, &self.asked, &self.assignment, depth);
        }
    }

    /// Bytes of shared memory in use.
    pub const fn smem_bytes(&self) -> u64 {
        self.assignment.smem_bytes
    }

    /// Whether the bindings were read from attributes. Pipelines that are made then carry theirs
    /// on.
    pub const fn is_written(&self) -> bool {
        self.is_written
    }

    /// Removes what was written for planned pipelines, which materialization has made now; the
    /// totals of the function stay.
    pub fn forget_planned(&self, context: &mut Context) {
        stamps::forget_planned(context, &self.asked);
    }
}
