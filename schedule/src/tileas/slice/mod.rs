//! `tileas-slice`: divides tile operations into slices, which a schedule can interleave.
//!
//! `plan.rs` decides which operations are divided, by attributes of the operation or of the loop around
//! it; `iteration_space.rs` knows the axes along which an operation can be divided; `divide.rs` replaces
//! it by its slices; `parts.rs` gives each slice its operands; `carried_tiles.rs` carries tiles of loops
//! as slices.

mod carried_tiles;
mod divide;
mod iteration_space;
mod parts;
mod plan;

use orison_host::scf;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::walk::collect;
use orison_ir::{Context, Operation, source_position};

pub(super) use divide::Division;
pub(super) use iteration_space::Space;
use parts::Parts;
pub(super) use plan::{Plan, divisible};
use plan::{RULE, SLICE_COUNT};

orison_ir::pass_options! {
    /// Options of `tileas-slice`.
    pub struct SliceOptions {}
}

/// The pass.
#[derive(Clone, Debug)]
pub struct Slice {
    options: SliceOptions,
}

impl Pass for Slice {
    type Options = SliceOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-slice",
        "Divide tile operations into slices.\n\n\
         An operation with `tileas.preferred_atom_size` is divided along each axis into slices of at \
         least that extent, along axes that are not reduced into at most \
         `tileas.max_num_slices_for_non_reduce_axis`. `sliceCount` on a loop divides what it stores \
         and carries along the first axis, with all that it is computed from. Slices of products \
         along K add to each other in order; slices of reductions along the reduced axis are \
         combined if that is exact. Tiles that a loop carries become slices where it reads and \
         makes them in slices.\n\n\
         Source: TileAS reference sections 1.3, 2.1 and 9.1.",
        source_position!(),
    );

    fn create(options: SliceOptions) -> Self {
        Slice { options }
    }

    fn options(&self) -> &SliceOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let (plan, loops) = plan::plan(pass)?;
        for op in &loops {
            op.remove_attribute(pass.context, SLICE_COUNT);
        }
        for op in collect(pass.context, pass.op()) {
            if let Some(division) = plan.get(&op) {
                explain(pass, op, division.len());
            }
        }
        let root = pass.op();
        divide(pass.context, root, &plan);
        Ok(IRStatus::changed_if(!plan.is_empty() || !loops.is_empty()))
    }
}

/// Divides the planned operations in an operation, in order, and then the tiles that its loops carry;
/// returns the loops, each with the one that replaces it.
pub(super) fn divide(
    context: &mut Context,
    root: Operation,
    plan: &Plan,
) -> Vec<(Operation, Operation)> {
    let mut parts = Parts::default();
    // Operations before the loops around them, which are replaced.
    let mut order: Vec<Operation> = collect(context, root);
    order.retain(|op| plan.contains_key(op) || scf::For::matches(context, *op));
    let mut open: Vec<Operation> = Vec::new();
    let mut replaced = Vec::new();
    for op in order {
        while let Some(around) = open.last().copied()
            && !around.is_ancestor_of(context, op)
        {
            let new = carried_tiles::carry_slices(context, &mut parts, around);
            replaced.push((around, new));
            open.pop();
        }
        match plan.get(&op) {
            None => open.push(op),
            Some(division) => divide::divide(context, &mut parts, op, division),
        }
    }
    for around in open.into_iter().rev() {
        let new = carried_tiles::carry_slices(context, &mut parts, around);
        replaced.push((around, new));
    }
    parts.erase_dead(context);
    replaced
}

fn explain(pass: &mut PassContext<'_>, op: Operation, slices: i64) {
    if pass.wants_remarks() {
        let remark = Remark::new(RemarkKind::Passed, RULE, "divided");
        pass.remark(op, &remark.with_value("slices", slices));
    }
}
