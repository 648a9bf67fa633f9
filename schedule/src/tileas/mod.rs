//! The tile-level schedulers: from an `scf.for` of tile operations to a software pipeline of
//! agents.
//!
//! | pass | file |
//! |---|---|
//! | `tileas-generate-schedule` | `generate_schedule.rs` |
//! | `tileas-verify-schedule` | `verify_schedule.rs` |
//! | `tileas-assign-buffers` | `assign_buffers/mod.rs` |
//! | `tileas-materialize-schedule` | `materialize_schedule.rs` |

pub mod analysis;
pub mod assign_buffers;
pub mod attributes;
pub mod classify;
pub mod dependence;
pub mod generate_schedule;
pub mod loop_body;
pub mod machine_choice;
pub mod materialize;
pub mod materialize_schedule;
pub mod recheck;
pub mod solve;
pub mod verify_schedule;
pub mod work_tile;
