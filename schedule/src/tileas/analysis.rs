//! The schedule as an analysis, passed from generation to materialization.

use std::collections::BTreeMap;

use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation};

use super::attributes::{WrittenSchedule, read_schedule};
use super::loop_body::LoopBody;

/// The schedules of the loops of an operation. Generation provides it; if the IR was parsed from
/// text, it is rebuilt from the attributes.
#[derive(Clone, Debug, Default)]
pub struct ScheduleAnalysis {
    schedules: BTreeMap<Operation, Scheduled>,
}

/// The schedule of one loop and its operations.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The operations of the body when the schedule was made.
    pub operations: Vec<Operation>,
    /// The schedule; entry i belongs to operation i.
    pub schedule: WrittenSchedule,
}

impl ScheduleAnalysis {
    /// Adds the schedule of a loop.
    pub fn insert(&mut self, body: &LoopBody, schedule: WrittenSchedule) {
        let scheduled = Scheduled {
            operations: body.operations.clone(),
            schedule,
        };
        self.schedules.insert(body.op, scheduled);
    }

    /// The schedule of a loop, if the body is unchanged since it was scheduled.
    pub fn get(&self, body: &LoopBody) -> Option<&WrittenSchedule> {
        let scheduled = self.schedules.get(&body.op)?;
        (scheduled.operations == body.operations).then_some(&scheduled.schedule)
    }
}

impl Analysis for ScheduleAnalysis {
    const NAME: &'static str = "ScheduleAnalysis";

    /// Reads the attributes. Loops with malformed attributes are left out; users of their schedule
    /// read the attributes again and report the error.
    fn compute(context: &mut Context, op: Operation, _: &mut AnalysisManager) -> Self {
        let mut analysis = ScheduleAnalysis::default();
        for body in LoopBody::targets(context, op) {
            if let Ok(Some(schedule)) = read_schedule(context, body.op, &body.operations) {
                analysis.insert(&body, schedule);
            }
        }
        analysis
    }
}
