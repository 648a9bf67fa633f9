//! Which loops can be pipelined.

use orison_ir::declare::Trait;
use orison_ir::{Context, Operation, Value};
use orison_machine::{Category, Flag};
use orison_ori::Register;
use orison_ori::analyses::frequency::pragmas;
use orison_ori::analyses::memory;
use orison_ori::analyses::properties;
use orison_ori::knobs::Knobs;
use orison_ori::opcodes;
use rustc_hash::FxHashSet;

use super::body::Body;
use super::latency::{class, operand_class};
use crate::ori::counted_loop::CountedLoop;
use crate::ori::loops::{Loops, is_cold};

/// The class of barriers and branches.
const BARRIERS: u32 = 31;
/// The most operations of a loop: the scheduler compares all pairs.
const MOST: usize = 1000;

/// The loop, if it can be pipelined; otherwise why not.
pub(super) fn check(
    context: &Context,
    loops: &Loops,
    number: usize,
    knobs: &Knobs,
    follows_page: bool,
) -> Result<CountedLoop, String> {
    let around = loops.at(context, number);
    let natural = around.natural;
    if natural.irreducible {
        return Err("it has several entries".into());
    }
    if natural.blocks.len() != 1 {
        return Err("it is not a single block".into());
    }
    let block = loops.flow.block(natural.header);
    let inductions = loops.inductions.at(number);
    let candidate = CountedLoop::of(&around, inductions).map_err(|why| why.reason().to_owned())?;
    let is_suppressed = pragmas(context, candidate.branch).any(|hint| hint == "nounroll");
    if is_suppressed && knobs.integer("OkToPipelineNoUnroll") == 0 {
        return Err("a pragma forbids unrolling".into());
    }
    if is_cold(context, block) {
        return Err("a pragma calls it cold".into());
    }
    let Some(counter) = &candidate.counter else {
        return Err("the counter is not an integer".into());
    };
    if candidate.is_combined {
        return Err("another condition ends it too".into());
    }
    if !counter.compares_next {
        return Err("the value before the step is compared".into());
    }
    let mut operations: Vec<Operation> = block.operations(context).collect();
    operations.pop();
    if operations.len() > MOST {
        return Err(format!("it has more than {MOST} operations"));
    }
    for op in &operations {
        if let Some(reason) = excluded(context, *op, knobs, follows_page) {
            let name = op.name(context).text(context);
            return Err(format!("'{name}' {reason}"));
        }
    }
    check_ratio(context, &operations, knobs)?;
    check_conditions(context, &operations, knobs)?;
    Ok(candidate)
}

/// Why an operation excludes its loop.
fn excluded(
    context: &Context,
    op: Operation,
    knobs: &Knobs,
    follows_page: bool,
) -> Option<&'static str> {
    if properties::is_unmodelled(context, op) || op.regions(context).next().is_some() {
        return Some("is not modelled");
    }
    let is_barrier = class(context, op).is_some_and(|class| class.number == BARRIERS);
    if is_barrier || memory::orders_memory(context, op) || op.has_trait(context, Trait::Terminator)
    {
        return Some("orders memory or control");
    }
    let row = opcodes::of(context, op);
    if row.is_some_and(|row| row.has(Flag::Group) || row.has(Flag::Asynchronous)) {
        return Some("is asynchronous");
    }
    let is_texture = row.is_some_and(|row| row.category == Category::Texture);
    let is_wide = |value: Value| {
        let register = Register::of(context, value.ty(context));
        register.is_some_and(|register| register.words() != Some(1))
    };
    let has_several = op.results(context).any(is_wide) || op.result_count(context) > 1;
    if is_texture && has_several && knobs.integer("PipelineMultiOutputTex") == 0 {
        return Some("has several results, and PipelineMultiOutputTex is 0");
    }
    let classes = [0, 1].map(|number| operand_class(context, op, number));
    let differs = op.operand_count(context) > 1 && classes[0] != classes[1];
    if follows_page && class(context, op).is_some() && differs {
        return Some("has operands of different latency classes");
    }
    None
}

/// Limits the share of instructions that go through the queue of memory instructions.
fn check_ratio(context: &Context, operations: &[Operation], knobs: &Knobs) -> Result<(), String> {
    let limit = knobs.number("PipelineMIOVQToInstRatio");
    let classes = operations.iter().filter_map(|op| class(context, *op));
    let (mut all, mut queued) = (0.0, 0.0);
    for class in classes {
        all += 1.0;
        queued += f64::from(u8::from(class.is_queued()));
    }
    match limit >= 0.0 && queued > limit * all {
        true => Err(format!(
            "{queued} of {all} instructions are in the memory queue, and PipelineMIOVQToInstRatio is {limit}"
        )),
        false => Ok(()),
    }
}

/// Limits the predicates of which operations in the loop are guarded.
fn check_conditions(
    context: &Context,
    operations: &[Operation],
    knobs: &Knobs,
) -> Result<(), String> {
    let Some(limit) = knobs.budget("PipelineHoistCondLimit") else {
        return Ok(());
    };
    let guards = operations
        .iter()
        .filter_map(|op| properties::guard(context, *op));
    let conditions: FxHashSet<_> = guards.map(|guard| guard.predicate).collect();
    match conditions.len() as u64 > limit {
        true => Err(format!(
            "operations have {} conditions, and PipelineHoistCondLimit is {limit}",
            conditions.len()
        )),
        false => Ok(()),
    }
}

/// The operations of a body that read memory.
pub(super) fn loads(context: &Context, body: &Body) -> impl Iterator<Item = usize> {
    let all = body.operations.iter().enumerate();
    all.filter(|(_, op)| !memory::accesses(context, **op).is_empty())
        .filter(|(_, op)| properties::is_removable(context, **op))
        .map(|(number, _)| number)
}
