//! Names of the discardable attributes that carry schedules and constraints (TileAS reference 2).
//!
//! They belong to no registered dialect (`tileas.`, `nv_tile.`), so every operation may have them.

/// `i32`: group of the operation.
pub const GROUP: &str = "tileas.schedule.constraint.gid";
/// `i32`: group into which this one is merged.
pub const LEADER_GROUP: &str = "tileas.schedule.constraint.leader_gid";
/// `i32`: maximum depth (number of stages) of the operation.
pub const MAX_DEPTH: &str = "tileas.schedule.constraint.max_depth";
/// Unit: placed sequentially; on a region it selects the serial generator.
pub const FORCE_SERIAL: &str = "tileas.schedule.constraint.force_serial_execution";
/// `i32`: slice atom size, in elements.
pub const PREFERRED_ATOM_SIZE: &str = "tileas.preferred_atom_size";
/// `i32`: maximum number of slices along an axis that is not reduced.
pub const MAX_SLICES: &str = "tileas.max_num_slices_for_non_reduce_axis";
/// `i32`: maximum number of recomputations.
pub const MAX_RECOMPUTATIONS: &str = "tileas.max_num_of_recomputations";
/// Unit: fusion may be undone if it lengthens live ranges.
pub const ENABLE_DEFUSION: &str = "tileas.enable_defusion_if_fusion_extending_liveness";
/// Unit: the operation may be recomputed.
pub const RECOMPUTABLE: &str = "tileas.recomputable";
/// `i32`: stage of a scheduled operation.
pub const STAGE: &str = "nv_tile.aws.stage";
/// `i32`: order inside the stage of a scheduled operation.
pub const ORDER: &str = "nv_tile.aws.order";
/// `i32`: start cycle of a scheduled operation.
pub const CYCLE: &str = "tileas.schedule.cycle";
/// `i32`: agent that executes the operation, as a position in [`AGENTS`].
pub const AGENT: &str = "nv_tile.aws.agent";
/// Array on a scheduled loop: for each agent a dictionary of its `role`, a string, and optionally
/// its `warps` and `registers`, both `i32`.
pub const AGENTS: &str = "nv_tile.aws.agents";
/// Dictionary on the loop: the summary of its schedule.
pub const SUMMARY: &str = "tileas.schedule";
/// `i32` on a loop of an agent: scheduled cycles from the start of an iteration to the next.
pub const INTERVAL: &str = "tileas.schedule.interval";
/// `i32`: latency in cycles that overrides the one of the machine model.
pub const LATENCY: &str = "tileas.schedule.latency";
/// Array of `array<i32: slot, duration, occupancy>` that overrides the row of the machine model.
pub const RESOURCES: &str = "tileas.schedule.resources";
/// String: the operation whose row of the machine model gives the cost.
pub const COST_OF: &str = "tileas.schedule.cost_of";
/// Dictionary on a function: warps, cluster, occupancy.
pub const KERNEL_SPEC: &str = "nv_tileaa.kernel_spec";
