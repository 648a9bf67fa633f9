//! The passes: analyses of `sass.func` operations, reported as diagnostics and remarks, and passes
//! that compute control words.

pub(crate) mod functions;
mod repair;
mod report;
mod scoreboards;
mod simulate;
mod target;
mod verify;

pub use repair::{
    FixupTexDepbarAndSync, FixupTexDepbarAndSyncOptions, GenerateOpex, GenerateOpexOptions,
    InsertWarHazards, InsertWarHazardsOptions,
};
pub(crate) use report::ReportFile;
pub use report::{ScheduleReport, ScheduleReportOptions};
pub use scoreboards::{
    AdvancedScoreboards, AdvancedScoreboardsOptions, ProcessO0Waits, ProcessO0WaitsOptions,
    StripControlWords,
};
pub use simulate::{Simulate, SimulateOptions};
pub use target::TargetChoice;
pub use verify::{LayoutChoice, VerifySchedule, VerifyScheduleOptions};
