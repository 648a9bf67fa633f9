//! Rules of `scf.if`.

use orison_ir::{
    Attribute, Block, Context, Declined, InsertionPoint, Location, Operation, Region, Rewriter,
    RuleResult, Type, Use, Value, rule,
};

use super::{Step, block_and_end, inline, is_alone, is_inside, kept, rebuild};
use crate::arith::{AndI, Select, XOrI, constant, constant_of, is_never_poison};
use crate::scf::{If, Yield};

rule!(
    pub IF_CONSTANT, "scf-if-constant", "a conditional on a constant is replaced by the region it \
        executes",
    If::NAME, constant_condition
);
rule!(
    pub IF_EMPTY_ELSE, "scf-if-empty-else", "an empty else region is removed", If::NAME,
    empty_else
);
rule!(
    pub IF_NOT, "scf-if-not", "a conditional on not c becomes a conditional on c with its regions \
        swapped",
    If::NAME, negated
);
rule!(
    pub IF_UNUSED_RESULTS, "scf-if-unused-results", "unused results are removed", If::NAME,
    unused_results
);
rule!(
    pub IF_TO_SELECT, "scf-if-to-select",
    "results that yield values defined outside become selects", If::NAME, to_select
);
rule!(
    pub IF_YIELD_CONDITION, "scf-if-yield-condition",
    "a result known to be the condition, its negation or one value is replaced by it",
    If::NAME,
    yield_condition
);
rule!(
    pub IF_KNOWN_CONDITION, "scf-if-known-condition",
    "the condition becomes a constant inside the conditional's regions", If::NAME, known_condition
);
rule!(
    pub IF_COMBINE, "scf-if-combine", "consecutive conditionals on one condition are merged",
    If::NAME, combine
);
rule!(
    pub IF_NESTED, "scf-if-nested", "a conditional that holds only another conditional is merged \
        with it",
    If::NAME, nested
);

fn constant_condition(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let Some(holds) = constant_of(context, op.operand(context, 0)).and_then(Attribute::as_bool)
    else {
        return Declined::because("the condition is not constant");
    };
    match op.body_block(context, usize::from(!holds)) {
        Some(block) => inline(rewriter, op, block, &[]),
        None => rewriter.erase(op),
    }
    Ok(())
}

fn empty_else(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    if op.result_count(context) > 0 {
        return Declined::because("the region yields results");
    }
    let (block, end) = block_and_end(context, op, 1)?;
    if !is_alone(context, end) {
        return Declined::because("the else region is not empty");
    }
    block.erase(rewriter.context());
    rewriter.modified(op);
    Ok(())
}

/// The value of which a value is the negation.
fn negation(context: &Context, value: Value) -> Option<Value> {
    let not = XOrI::of(context, value.defining_op(context)?)?;
    let inverted = constant_of(context, not.rhs(context)) == Some(Attribute::TRUE);
    inverted.then(|| not.lhs(context))
}

fn negated(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let Some(condition) = negation(context, op.operand(context, 0)) else {
        return Declined::because("the condition is not a negation");
    };
    let (then_block, _) = block_and_end(context, op, 0)?;
    let (else_block, _) = block_and_end(context, op, 1)?;
    let (then_region, else_region) = (op.region(context, 0), op.region(context, 1));
    let context = rewriter.context();
    then_block.detach(context);
    else_block.detach(context);
    then_region.append_block(context, else_block);
    else_region.append_block(context, then_block);
    rewriter.set_operands(op, &[condition]);
    Ok(())
}

/// Keeps a subset of the values that the terminators of the regions yield.
fn keep_yielded(rewriter: &mut Rewriter<'_>, op: Operation, keep: &[bool]) {
    for region in 0..2 {
        let Ok((_, end)) = block_and_end(rewriter.ir(), op, region) else {
            continue;
        };
        let values: Vec<_> = end.operands(rewriter.ir()).collect();
        rewriter.set_operands(end, &kept(&values, keep));
    }
}

/// A conditional with a subset of the results, and the replacement of each old result: a new
/// result, or an element of `others`. The old conditional is replaced.
fn keep_results(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    keep: &[bool],
    others: impl Fn(usize) -> Value,
) {
    let context = rewriter.ir();
    let types = kept(&op.result_types(context), keep);
    let condition = op.operand(context, 0);
    let new = rebuild(rewriter, op, &[condition], &types);
    keep_yielded(rewriter, new, keep);
    let mut new_results = new.results(rewriter.ir());
    let mut values = Vec::new();
    for (number, keep) in keep.iter().enumerate() {
        match new_results.next_if_kept(*keep) {
            Some(value) => values.push(value),
            None => values.push(others(number)),
        }
    }
    drop(new_results);
    rewriter.replace(op, &values);
}

/// Advances the iterator only for kept results.
trait NextIfKept: Iterator {
    fn next_if_kept(&mut self, keep: bool) -> Option<Self::Item> {
        if keep { self.next() } else { None }
    }
}

impl<I: Iterator> NextIfKept for I {}

fn unused_results(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let results = op.results(context);
    let keep: Vec<bool> = results.map(|r| !r.is_unused(context)).collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("every result is used");
    }
    // A dropped result is unused, so its replacement does not matter.
    let condition = op.operand(context, 0);
    keep_results(rewriter, op, &keep, |_| condition);
    Ok(())
}

/// The values that both regions yield for each result.
fn yielded(context: &Context, op: Operation) -> Step<Vec<(Value, Value)>> {
    let (_, then_end) = block_and_end(context, op, 0)?;
    let (_, else_end) = block_and_end(context, op, 1)?;
    let pairs = then_end.operands(context).zip(else_end.operands(context));
    Ok(pairs.collect())
}

fn to_select(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let pairs = yielded(context, op)?;
    let regions = [op.region(context, 0), op.region(context, 1)];
    let keep: Vec<bool> = pairs
        .iter()
        .map(|(if_true, if_false)| {
            is_inside(context, *if_true, regions[0]) || is_inside(context, *if_false, regions[1])
        })
        .collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("no result yields values defined outside in both regions");
    }
    let (condition, location) = (op.operand(context, 0), op.location(context));
    let mut choices = Vec::new();
    for ((if_true, if_false), keep) in pairs.iter().zip(&keep) {
        if *keep || if_true == if_false {
            choices.push(*if_true);
            continue;
        }
        let ty = if_true.ty(rewriter.ir());
        let choice = Select::build(rewriter, location, condition, *if_true, *if_false, ty);
        choices.push(choice.result(rewriter.ir()));
    }
    keep_results(rewriter, op, &keep, |number| choices[number]);
    Ok(())
}

fn yield_condition(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let pairs = yielded(context, op)?;
    let (condition, location) = (op.operand(context, 0), op.location(context));
    let mut changed = false;
    for (number, (if_true, if_false)) in pairs.into_iter().enumerate() {
        let context = rewriter.ir();
        let result = op.result(context, number);
        if result.is_unused(context) {
            continue;
        }
        let known = |value| constant_of(context, value).and_then(Attribute::as_bool);
        let replacement = match (known(if_true), known(if_false)) {
            _ if if_true == if_false => if_true,
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => {
                let one = constant(rewriter, location, Attribute::TRUE);
                let not = XOrI::build(rewriter, location, condition, one);
                not.result(rewriter.ir())
            }
            _ => continue,
        };
        rewriter.replace_all_uses(result, replacement);
        changed = true;
    }
    if !changed {
        return Declined::because(
            "no result equals the condition, its negation or the same value in both regions",
        );
    }
    rewriter.modified(op);
    Ok(())
}

fn known_condition(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let condition = op.operand(context, 0);
    if constant_of(context, condition).is_some() {
        return Declined::because("the condition is constant already");
    }
    let regions = [op.region(context, 0), op.region(context, 1)];
    let holds = |usage: &Use| {
        let own = usage.owner.parent_region(context)?;
        let number = regions
            .iter()
            .position(|region| region.is_ancestor_of(context, own))?;
        Some((*usage, number == 0))
    };
    let uses: Vec<(Use, bool)> = condition
        .uses(context)
        .filter_map(|usage| holds(&usage))
        .collect();
    if uses.is_empty() {
        return Declined::because("the condition is not used inside the regions");
    }
    let location = op.location(context);
    let mut known: [Option<Value>; 2] = [None; 2];
    for (usage, holds) in uses {
        let value = *known[usize::from(holds)]
            .get_or_insert_with(|| constant(rewriter, location, Attribute::bool(holds)));
        rewriter.set_operand(usage.owner, usage.operand, value);
    }
    Ok(())
}

/// The regions of the second of two conditionals that are executed if the first condition is true,
/// and if it is false.
fn regions_under(context: &Context, first: Operation, second: Operation) -> Step<[Region; 2]> {
    let (a, b) = (first.operand(context, 0), second.operand(context, 0));
    let (then_region, else_region) = (second.region(context, 0), second.region(context, 1));
    if a == b {
        return Ok([then_region, else_region]);
    }
    if negation(context, a) == Some(b) || negation(context, b) == Some(a) {
        return Ok([else_region, then_region]);
    }
    Declined::because("the preceding conditional has a different condition")
}

fn combine(rewriter: &mut Rewriter<'_>, second: Operation) -> RuleResult {
    let context = rewriter.ir();
    let before = second.previous(context);
    let Some(first) = before.and_then(|before| If::of(context, before)) else {
        return Declined::because("the preceding operation is not a conditional");
    };
    let first = first.0;
    let regions = regions_under(context, first, second)?;
    // The yielded values of the first conditional are known inside the second one.
    for (number, region) in regions.into_iter().enumerate() {
        let Ok((_, end)) = block_and_end(rewriter.ir(), first, number) else {
            continue;
        };
        let context = rewriter.ir();
        let pairs: Vec<_> = first.results(context).zip(end.operands(context)).collect();
        for (result, value) in pairs {
            let context = rewriter.ir();
            let uses: Vec<_> = result.uses(context).collect();
            for usage in uses {
                let own = usage.owner.parent_region(rewriter.ir());
                if own.is_some_and(|own| region.is_ancestor_of(rewriter.ir(), own)) {
                    rewriter.set_operand(usage.owner, usage.operand, value);
                }
            }
        }
    }
    let context = rewriter.ir();
    let mut types = first.result_types(context);
    let count = types.len();
    types.extend(second.result_types(context));
    let (condition, location) = (first.operand(context, 0), second.location(context));
    rewriter.set_insertion_point(InsertionPoint::Before(second));
    let both = If::build(rewriter, location, condition, &types).0;
    for (number, region) in regions.into_iter().enumerate() {
        let target = both.region(rewriter.ir(), number);
        let own = first.region(rewriter.ir(), number);
        own.move_blocks_to(rewriter.context(), target);
        append_region(rewriter, target, region);
    }
    let results: Vec<_> = both.results(rewriter.ir()).collect();
    rewriter.replace(first, &results[..count]);
    rewriter.replace(second, &results[count..]);
    Ok(())
}

/// Appends the block of a region to that of another region; the terminators are merged.
fn append_region(rewriter: &mut Rewriter<'_>, target: Region, region: Region) {
    let context = rewriter.context();
    let Some(block) = region.first_block(context) else {
        return;
    };
    let Some(own) = target.first_block(context) else {
        region.move_blocks_to(context, target);
        return;
    };
    let Some(end) = own.last_op(context) else {
        return;
    };
    let mut values: Vec<_> = end.operands(context).collect();
    rewriter.erase(end);
    rewriter.set_insertion_point(InsertionPoint::End(own));
    rewriter.inline_block(block, &[]);
    if let Some(end) = own.last_op(rewriter.ir()) {
        values.extend(end.operands(rewriter.ir()));
        rewriter.set_operands(end, &values);
    }
}

/// The yielded values of a conditional whose only content is another one, after merging both.
struct Nested {
    inner: Operation,
    inner_block: Block,
    then_values: Vec<Value>,
    else_values: Vec<Value>,
    /// Results that depend only on the outer condition.
    choices: Vec<usize>,
}

impl Nested {
    fn of(context: &Context, op: Operation) -> Step<Nested> {
        let (_, end) = block_and_end(context, op, 0)?;
        let inner = end.previous(context);
        let inner = inner.filter(|inner| inner.previous(context).is_none());
        let Some(inner) = inner.and_then(|inner| If::of(context, inner)) else {
            return Declined::because("the then region holds other operations");
        };
        let inner = inner.0;
        let (inner_block, inner_end) = block_and_end(context, inner, 0)?;
        let else_values = only_yields(context, op)?;
        let inner_else = only_yields(context, inner)?;
        let mut then_values: Vec<_> = end.operands(context).collect();
        let mut choices = Vec::new();
        for (number, value) in then_values.iter_mut().enumerate() {
            if value.defining_op(context) == Some(inner) {
                let position = value.position(context);
                if inner_else.get(position) != else_values.get(number) {
                    return Declined::because("the else regions yield different values");
                }
                *value = inner_end.operand(context, position);
            } else {
                choices.push(number);
            }
        }
        Ok(Nested {
            inner,
            inner_block,
            then_values,
            else_values,
            choices,
        })
    }
}

/// The yielded values of the second region, if it contains only the terminator.
fn only_yields(context: &Context, op: Operation) -> Step<Vec<Value>> {
    let Ok((_, end)) = block_and_end(context, op, 1) else {
        return Ok(Vec::new());
    };
    if !is_alone(context, end) {
        return Declined::because("an else region is not empty");
    }
    Ok(end.operands(context).collect())
}

fn nested(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let parts = Nested::of(context, op)?;
    let (outer, inner) = (op.operand(context, 0), parts.inner.operand(context, 0));
    let (location, types) = (op.location(context), op.result_types(context));
    let condition = both_hold(rewriter, location, outer, inner);
    let new = If::build(rewriter, location, condition, &types).0;
    let mut results: Vec<_> = new.results(rewriter.ir()).collect();
    for &number in &parts.choices {
        let (if_true, if_false) = (parts.then_values[number], parts.else_values[number]);
        let ty = types[number];
        let choice = Select::build(rewriter, location, outer, if_true, if_false, ty);
        results[number] = choice.result(rewriter.ir());
    }
    let block = new_block(rewriter, new, 0);
    rewriter.inline_block(parts.inner_block, &[]);
    if let Some(end) = block.last_op(rewriter.ir()) {
        rewriter.set_operands(end, &parts.then_values);
    }
    if !parts.else_values.is_empty() {
        new_block(rewriter, new, 1);
        Yield::build(rewriter, location, &parts.else_values);
    }
    rewriter.replace(op, &results);
    Ok(())
}

/// Adds a block to a region and sets the insertion point there.
fn new_block(rewriter: &mut Rewriter<'_>, op: Operation, region: usize) -> Block {
    let block = Block::new(rewriter.context(), &[]);
    let region = op.region(rewriter.ir(), region);
    region.append_block(rewriter.context(), block);
    rewriter.set_insertion_point(InsertionPoint::End(block));
    block
}

/// The conjunction of two conditions. If the second one may be poison, a select ignores it when the
/// first one is false.
fn both_hold(
    rewriter: &mut Rewriter<'_>,
    location: Location,
    first: Value,
    second: Value,
) -> Value {
    if is_never_poison(rewriter.ir(), second) {
        let both = AndI::build(rewriter, location, first, second);
        return both.result(rewriter.ir());
    }
    let no = constant(rewriter, location, Attribute::FALSE);
    let both = Select::build(rewriter, location, first, second, no, Type::I1);
    both.result(rewriter.ir())
}
