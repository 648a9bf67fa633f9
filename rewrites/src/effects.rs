//! Memory effects of operations, including those of nested operations.

use orison_ir::declare::{Effects, Trait};
use orison_ir::{Context, Operation, OperationName};

/// The memory effects of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EffectSummary {
    /// It may read memory.
    pub reads: bool,
    /// It may write memory.
    pub writes: bool,
    /// It may allocate memory.
    pub allocates: bool,
    /// Its effects are unknown.
    pub unknown: bool,
}

impl EffectSummary {
    /// Whether it has no memory effects.
    pub fn is_none(self) -> bool {
        self == EffectSummary::default()
    }

    /// Whether it reads memory and has no other effects.
    pub fn only_reads(self) -> bool {
        let reads = EffectSummary {
            reads: true,
            ..EffectSummary::default()
        };
        self == reads
    }

    /// Whether values read before may have changed after it.
    pub fn may_write(self) -> bool {
        self.writes || self.unknown
    }

    /// Whether it can be erased if its results are not used.
    pub fn is_removable(self) -> bool {
        !self.may_write()
    }

    fn add(&mut self, effects: Effects) {
        match effects {
            Effects::Unknown => self.unknown = true,
            Effects::None | Effects::Recursive => {}
            Effects::Read => self.reads = true,
            Effects::Write => self.writes = true,
            Effects::ReadWrite => {
                self.reads = true;
                self.writes = true;
            }
            Effects::Allocate => self.allocates = true,
        }
    }
}

/// The memory effects of an operation.
pub fn effects_of(context: &Context, op: Operation) -> EffectSummary {
    let mut summary = EffectSummary::default();
    let declared = declared(context, op);
    summary.add(declared);
    if declared == Effects::Recursive {
        add_nested(context, op, &mut summary);
    }
    summary
}

fn declared(context: &Context, op: Operation) -> Effects {
    op.definition(context)
        .map_or(Effects::Unknown, |definition| definition.effects)
}

/// Adds the effects of nested operations, until they are unknown.
fn add_nested(context: &Context, op: Operation, summary: &mut EffectSummary) {
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        for region in op.regions(context) {
            for block in region.blocks(context) {
                for nested in block.operations(context) {
                    let declared = declared(context, nested);
                    summary.add(declared);
                    if summary.unknown {
                        return;
                    }
                    if declared == Effects::Recursive {
                        pending.push(nested);
                    }
                }
            }
        }
    }
}

/// Whether operations of this name could be erased if their results were unused, depending on the
/// operations nested in them.
pub fn may_be_removable(context: &Context, name: OperationName) -> bool {
    let Some(definition) = name.definition(context) else {
        return false;
    };
    let stays =
        name.has_trait(context, Trait::Terminator) || name.has_trait(context, Trait::Symbol);
    let effects = definition.effects;
    !stays
        && !matches!(
            effects,
            Effects::Unknown | Effects::Write | Effects::ReadWrite
        )
}

/// Whether an operation could be erased if its results were not used.
pub fn is_removable(context: &Context, op: Operation) -> bool {
    // Nested terminators are erased with it.
    may_be_removable(context, op.name(context))
        && (op.region_count(context) == 0 || effects_of(context, op).is_removable())
}

/// Whether an operation has no uses and no effects that would keep it.
pub fn is_trivially_dead(context: &Context, op: Operation) -> bool {
    op.is_unused(context) && is_removable(context, op)
}

/// Whether an operation may be executed speculatively: it cannot fail, and it terminates.
pub fn is_speculatable(context: &Context, op: Operation) -> bool {
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let Some(definition) = op.definition(context) else {
            return false;
        };
        let allowed = match definition.speculatable {
            Some(decide) => decide(context, op),
            None => {
                op.has_trait(context, Trait::AlwaysSpeculatable)
                    || op.has_trait(context, Trait::RecursivelySpeculatable)
            }
        };
        if !allowed {
            return false;
        }
        for region in op.regions(context) {
            for block in region.blocks(context) {
                pending.extend(block.operations(context));
            }
        }
    }
    true
}
