//! The knobs of the scheduler (reference section 4.8), read from the registry of `ori`.

use orison_ori::knobs::Knobs;

/// What the priority function and the register budget read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PriorityKnobs {
    /// `SchedReadAvailTarget`: candidates that would stall and are compared, too.
    pub read_available: usize,
    /// `SchedTexBatchTargetSelectRegisterTarget`: operations of variable latency that are issued together, at most
    /// [`LONGEST_BATCH`].
    pub batch: usize,
    /// `SchedTexBatchTargetTexReadTogether`: whether only texture reads form batches.
    pub batches_textures: bool,
    /// `SchedLDGBatchDelayBias`: cycles by which loads of global memory wait for others of their batch.
    pub load_delay: i64,
    /// `SchedPrefFurthestDep`: whether the longest chain of dependences decides before the byte does.
    pub furthest: bool,
    /// `SchedForceReverseOrder`: whether orders are made from the last instruction to the first one.
    pub reverse: bool,
}

/// The most operations of a batch (reference section 4.1).
pub const LONGEST_BATCH: usize = 16;

impl PriorityKnobs {
    /// Those of a function.
    pub fn of(knobs: &Knobs) -> Self {
        let count = |name: &str| usize::try_from(knobs.integer(name)).unwrap_or(0);
        PriorityKnobs {
            read_available: count("SchedReadAvailTarget"),
            batch: count("SchedTexBatchTargetSelectRegisterTarget").min(LONGEST_BATCH),
            batches_textures: knobs.integer("SchedTexBatchTargetTexReadTogether") != 0,
            load_delay: knobs.integer("SchedLDGBatchDelayBias"),
            furthest: knobs.flag("SchedPrefFurthestDep"),
            reverse: knobs.integer("SchedForceReverseOrder") != 0,
        }
    }
}

impl Default for PriorityKnobs {
    fn default() -> Self {
        PriorityKnobs::of(&Knobs::default())
    }
}
