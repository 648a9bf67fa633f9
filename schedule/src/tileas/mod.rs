//! The tile-level schedulers: from an `scf.for` of tile operations to a software pipeline of
//! agents.
//!
//! | pass | file |
//! |---|---|
//! | `tileas-verify-shapes` | `shapes_pass.rs` |
//! | `tileas-static-persistent` | `static_persistent.rs` |
//! | `tileas-dynamic-persistent` | `dynamic_persistent.rs` |
//! | `tileas-slice` | `slice/mod.rs` |
//! | `tileas-recompute` | `recompute.rs` |
//! | `tileas-split-m` | `split_m.rs` |
//! | `tileas-use-tensor-memory` | `use_tensor_memory.rs` |
//! | `tileas-generate-schedule` | `generate_schedule.rs`, `joint.rs`, `joint_forms.rs` |
//! | `tileas-verify-schedule` | `verify_schedule.rs` |
//! | `tileas-schedule-report` | `schedule_report.rs` |
//! | `tileas-assign-buffers` | `assign_buffers/mod.rs` |
//! | `tileas-materialize-schedule` | `materialize_schedule.rs` |
//! | `tileas-verify-pipelines` | `verify_pipelines/mod.rs` |

pub mod agent_dependences;
pub mod analysis;
pub mod assign_buffers;
pub mod attributes;
pub mod binding_attribute;
pub mod check_loop;
pub mod classify;
pub mod dependence;
pub mod dynamic_persistent;
pub mod generate_schedule;
pub mod hand_over;
pub mod input_check;
mod joint;
mod joint_forms;
pub mod loop_body;
pub mod machine_choice;
pub mod materialize;
pub mod materialize_schedule;
pub mod persistent_loop;
pub mod recompute;
pub mod schedule_report;
pub mod schedule_trace;
pub mod shapes;
pub mod shapes_pass;
pub mod slice;
pub mod solve;
pub mod split_m;
pub mod static_persistent;
pub mod tensor_memory;
pub mod tokens;
pub mod use_tensor_memory;
pub mod verify_pipelines;
pub mod verify_schedule;
pub mod work_tile;
