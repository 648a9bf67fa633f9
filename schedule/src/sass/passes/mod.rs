//! The passes: what the analyses say about `sass.func` operations, as diagnostics and remarks.

mod functions;
mod simulate;
mod target;
mod verify;

pub use simulate::{Simulate, SimulateOptions};
pub use target::TargetChoice;
pub use verify::{LayoutChoice, VerifySchedule, VerifyScheduleOptions};
