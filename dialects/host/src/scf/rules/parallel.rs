//! Rules of `scf.parallel` and `scf.forall`.

use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::types::DYNAMIC;
use orison_ir::{
    Attribute, Context, Declined, InsertionPoint, Operation, Rewriter, RuleResult, Type, Value,
    Values, rule,
};

use super::{Step, block_and_end, erase_arguments, is_outside, kept, rebuild};
use crate::arith::{constant, constant_integer_of};
use crate::scf::{Forall, Parallel};

rule!(
    pub PARALLEL_FEW_TRIPS, "scf-parallel-few-trips",
    "dimensions with one iteration are removed; a nest without iterations becomes its initial \
     values",
    Parallel::NAME, parallel_few_trips
);
rule!(
    pub PARALLEL_MERGE, "scf-parallel-merge",
    "a parallel loop that holds only another parallel loop is merged with it", Parallel::NAME,
    parallel_merge
);
rule!(
    pub FORALL_CONSTANT, "scf-forall-constant", "constant bounds and steps become static",
    Forall::NAME, forall_constant
);
rule!(
    pub FORALL_FEW_TRIPS, "scf-forall-few-trips",
    "dimensions with one iteration are removed; a nest without iterations becomes its shared \
     tensors",
    Forall::NAME, forall_few_trips
);

/// The classification of a loop-nest dimension by its trip count.
enum Dimension {
    Stays,
    RunsOnce,
    NeverRuns,
}

impl Dimension {
    fn of(bounds: Option<(i64, i64, i64)>) -> Dimension {
        let Some((lower, upper, step)) = bounds.filter(|bounds| bounds.2 > 0) else {
            return Dimension::Stays;
        };
        match i128::from(upper) - i128::from(lower) {
            distance if distance <= 0 => Dimension::NeverRuns,
            distance if distance <= i128::from(step) => Dimension::RunsOnce,
            _ => Dimension::Stays,
        }
    }
}

fn integer(context: &Context, value: Value) -> Option<i64> {
    constant_integer_of(context, value)?.as_i64()
}

fn set_segments(rewriter: &mut Rewriter<'_>, op: Operation, sizes: [usize; 4]) {
    let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    let context = rewriter.context();
    let sizes = Attribute::i32_array(context, &sizes);
    let properties = op
        .properties(context)
        .with(context, OPERAND_SEGMENTS, sizes);
    op.set_properties(context, properties);
}

fn parallel_few_trips(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let nest = Parallel(op);
    let (lower, upper) = (nest.lower_bound(context), nest.upper_bound(context));
    let (step, inits) = (nest.step(context), nest.init_vals(context));
    let mut keep = Vec::new();
    for number in 0..lower.len() {
        let known = |values: &[Value]| integer(context, values[number]);
        let bounds = known(&lower).zip(known(&upper)).zip(known(&step));
        match Dimension::of(bounds.map(|((lower, upper), step)| (lower, upper, step))) {
            Dimension::NeverRuns => {
                rewriter.replace(op, &inits);
                return Ok(());
            }
            Dimension::RunsOnce => keep.push(false),
            Dimension::Stays => keep.push(true),
        }
    }
    if keep.iter().all(|keep| *keep) {
        return Declined::because("no dimension is known to have at most one iteration");
    }
    let (block, _) = block_and_end(context, op, 0)?;
    let variables: Vec<_> = block.arguments(context).collect();
    for (number, keep) in keep.iter().enumerate() {
        if !keep {
            rewriter.replace_all_uses(variables[number], lower[number]);
        }
    }
    if !keep.contains(&true) {
        return run_once(rewriter, op, &inits);
    }
    let groups = [
        kept(&lower, &keep),
        kept(&upper, &keep),
        kept(&step, &keep),
        inits.into_vec(),
    ];
    let types = op.result_types(rewriter.ir());
    let new = rebuild(rewriter, op, &groups.concat(), &types);
    set_segments(rewriter, new, groups.map(|group| group.len()));
    erase_arguments(rewriter.context(), block, &keep);
    let results: Vec<_> = new.results(rewriter.ir()).collect();
    rewriter.replace(op, &results);
    Ok(())
}

/// Inlines the body of a nest with a single iteration; each reduction combines once.
fn run_once(rewriter: &mut Rewriter<'_>, op: Operation, inits: &[Value]) -> RuleResult {
    let (block, reduce) = block_and_end(rewriter.ir(), op, 0)?;
    let keep = vec![false; block.argument_count(rewriter.ir())];
    erase_arguments(rewriter.context(), block, &keep);
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    rewriter.inline_block(block, &[]);
    let mut results = Vec::new();
    for (number, init) in inits.iter().enumerate() {
        let value = reduce.operand(rewriter.ir(), number);
        let (combine, _) = block_and_end(rewriter.ir(), reduce, number)?;
        rewriter.set_insertion_point(InsertionPoint::Before(op));
        rewriter.inline_block(combine, &[*init, value]);
        if let Some(end) = op.previous(rewriter.ir()) {
            results.push(end.operand(rewriter.ir(), 0));
            rewriter.erase(end);
        }
    }
    rewriter.erase(reduce);
    rewriter.replace(op, &results);
    Ok(())
}

fn parallel_merge(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (block, reduce) = block_and_end(context, op, 0)?;
    let inner = reduce.previous(context);
    let inner = inner.filter(|inner| inner.previous(context).is_none());
    let Some(inner) = inner.and_then(|inner| Parallel::of(context, inner)) else {
        return Declined::because("the body holds more than one parallel loop");
    };
    let outer = Parallel(op);
    if op.result_count(context) > 0 || inner.0.result_count(context) > 0 {
        return Declined::because("a loop has reductions");
    }
    let free = inner
        .0
        .operands(context)
        .all(|value| is_outside(context, value, op));
    if !free {
        return Declined::because("the operands of the inner loop are defined in the outer loop");
    }
    let (inner_block, _) = block_and_end(context, inner.0, 0)?;
    let joined = |outer: Values, inner: Values| [outer, inner].concat();
    let groups = [
        joined(outer.lower_bound(context), inner.lower_bound(context)),
        joined(outer.upper_bound(context), inner.upper_bound(context)),
        joined(outer.step(context), inner.step(context)),
    ];
    let dimensions = groups[0].len();
    let added: Vec<_> = (0..inner_block.argument_count(context))
        .map(|number| inner_block.argument_location(context, number))
        .collect();
    let new = rebuild(rewriter, op, &groups.concat(), &[]);
    set_segments(rewriter, new, [dimensions, dimensions, dimensions, 0]);
    let mut variables = Vec::new();
    for location in added {
        variables.push(block.add_argument(rewriter.context(), Type::INDEX, location));
    }
    rewriter.erase(reduce);
    rewriter.set_insertion_point(InsertionPoint::Before(inner.0));
    rewriter.inline_block(inner_block, &variables);
    rewriter.erase(inner.0);
    rewriter.replace(op, &[]);
    Ok(())
}

/// A bound or step of a dimension: an integer or a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Number(i64),
    Value(Value),
}

impl Extent {
    fn number(self) -> Option<i64> {
        match self {
            Extent::Number(number) => Some(number),
            Extent::Value(_) => None,
        }
    }
}

/// Lower bounds, upper bounds and steps.
type Extents = [Vec<Extent>; 3];

fn extents(numbers: Option<Vec<i64>>, values: Values) -> Step<Vec<Extent>> {
    let mut values = values.into_iter();
    let extent = |number| match number {
        DYNAMIC => values.next().map(Extent::Value),
        number => Some(Extent::Number(number)),
    };
    let all: Option<Vec<_>> = numbers
        .unwrap_or_default()
        .into_iter()
        .map(extent)
        .collect();
    match all {
        Some(all) => Ok(all),
        None => {
            Declined::because("the number of dynamic bounds does not match the number of operands")
        }
    }
}

fn forall_extents(context: &Context, op: Operation) -> Step<Extents> {
    let nest = Forall(op);
    Ok([
        extents(
            nest.static_lower_bound(context),
            nest.dynamic_lower_bound(context),
        )?,
        extents(
            nest.static_upper_bound(context),
            nest.dynamic_upper_bound(context),
        )?,
        extents(nest.static_step(context), nest.dynamic_step(context))?,
    ])
}

/// Creates a nest with other bounds before `op`; the caller replaces `op`.
fn with_extents(rewriter: &mut Rewriter<'_>, op: Operation, all: &Extents) -> Operation {
    let outputs = Forall(op).outputs(rewriter.ir());
    let mut operands = Vec::new();
    let mut sizes = [0, 0, 0, outputs.len()];
    for (group, extents) in all.iter().enumerate() {
        for extent in extents {
            if let Extent::Value(value) = extent {
                operands.push(*value);
                sizes[group] += 1;
            }
        }
    }
    operands.extend(outputs);
    let types = op.result_types(rewriter.ir());
    let new = rebuild(rewriter, op, &operands, &types);
    set_segments(rewriter, new, sizes);
    let keys = ["staticLowerBound", "staticUpperBound", "staticStep"];
    for (key, extents) in keys.into_iter().zip(all) {
        let numbers: Vec<i64> = extents
            .iter()
            .map(|extent| extent.number().unwrap_or(DYNAMIC))
            .collect();
        let context = rewriter.context();
        let numbers = Attribute::dense_array(context, Type::I64, &numbers);
        let properties = new.properties(context).with(context, key, numbers);
        new.set_properties(context, properties);
    }
    new
}

fn replace_by(rewriter: &mut Rewriter<'_>, op: Operation, new: Operation) -> RuleResult {
    let results: Vec<_> = new.results(rewriter.ir()).collect();
    rewriter.replace(op, &results);
    Ok(())
}

fn forall_constant(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let mut all = forall_extents(context, op)?;
    let mut changed = false;
    for extent in all.iter_mut().flatten() {
        if let Extent::Value(value) = *extent
            && let Some(number) = integer(context, value).filter(|number| *number != DYNAMIC)
        {
            *extent = Extent::Number(number);
            changed = true;
        }
    }
    if !changed {
        return Declined::because("no bound or step is a constant operand");
    }
    let new = with_extents(rewriter, op, &all);
    replace_by(rewriter, op, new)
}

fn forall_few_trips(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let nest = Forall(op);
    let all = forall_extents(context, op)?;
    let [lower, upper, step] = &all;
    if nest.mapping(context).is_some() {
        return Declined::because("the dimensions are mapped to hardware");
    }
    let mut keep = Vec::new();
    for ((lower, upper), step) in lower.iter().zip(upper).zip(step) {
        let bounds = lower.number().zip(upper.number()).zip(step.number());
        match Dimension::of(bounds.map(|((lower, upper), step)| (lower, upper, step))) {
            Dimension::NeverRuns => {
                let outputs = nest.outputs(context);
                rewriter.replace(op, &outputs);
                return Ok(());
            }
            Dimension::RunsOnce => keep.push(false),
            Dimension::Stays => keep.push(true),
        }
    }
    if keep.iter().all(|keep| *keep) {
        return Declined::because("no dimension is known to have at most one iteration");
    }
    let (block, end) = block_and_end(context, op, 0)?;
    let writes = end.body_block(context, 0);
    let has_writes = writes.is_some_and(|block| !block.is_empty(context));
    let inlined = !keep.contains(&true);
    if inlined && (has_writes || op.result_count(context) > 0) {
        return Declined::because("the nest writes to shared tensors");
    }
    let variables: Vec<_> = block.arguments(context).take(keep.len()).collect();
    let location = op.location(context);
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    for (number, variable) in variables.into_iter().enumerate() {
        if let (false, Extent::Number(lower)) = (keep[number], lower[number]) {
            let lower = Attribute::index(rewriter.context(), lower);
            let lower = constant(rewriter, location, lower);
            rewriter.replace_all_uses(variable, lower);
        }
    }
    if inlined {
        erase_arguments(rewriter.context(), block, &keep);
        rewriter.inline_block(block, &[]);
        rewriter.erase(end);
        rewriter.replace(op, &[]);
        return Ok(());
    }
    let all = all.map(|extents| kept(&extents, &keep));
    let new = with_extents(rewriter, op, &all);
    keep.resize(block.argument_count(rewriter.ir()), true);
    erase_arguments(rewriter.context(), block, &keep);
    replace_by(rewriter, op, new)
}
