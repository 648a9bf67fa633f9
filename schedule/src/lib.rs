//! Schedulers of orison: machine models, modulo scheduling, materialization and checkers.

pub mod buffers;
pub mod check;
pub mod dependences;
pub mod instructions;
pub mod joint;
pub mod machine;
pub mod modulo;
mod order;
pub mod ori;
pub mod report;
pub mod sass;
pub mod tileas;

use orison_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn passes(registry: &mut PassRegistry) {
    registry.register::<tileas::shapes_pass::VerifyShapes>();
    registry.register::<tileas::static_persistent::StaticPersistentPass>();
    registry.register::<tileas::dynamic_persistent::DynamicPersistent>();
    registry.register::<tileas::slice::Slice>();
    registry.register::<tileas::recompute::Recompute>();
    registry.register::<tileas::use_tensor_memory::UseTensorMemory>();
    registry.register::<tileas::split_m::SplitM>();
    registry.register::<tileas::generate_schedule::GenerateSchedule>();
    registry.register::<tileas::verify_schedule::VerifySchedule>();
    registry.register::<tileas::schedule_report::ScheduleReport>();
    registry.register::<tileas::assign_buffers::AssignBuffers>();
    registry.register::<tileas::materialize_schedule::MaterializeSchedule>();
    registry.register::<tileas::verify_pipelines::VerifyPipelines>();
    registry.register::<sass::passes::Simulate>();
    registry.register::<sass::passes::VerifySchedule>();
    registry.register::<sass::passes::ScheduleReport>();
    registry.register::<instructions::machine_code::ScheduleInstructions>();
    registry.register::<sass::passes::StripControlWords>();
    registry.register::<sass::passes::FixupTexDepbarAndSync>();
    registry.register::<sass::passes::AdvancedScoreboards>();
    registry.register::<sass::passes::ProcessO0Waits>();
    registry.register::<sass::passes::InsertWarHazards>();
    registry.register::<sass::passes::GenerateOpex>();
}
