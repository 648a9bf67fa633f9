//! Rules of `scf.while`.

use orison_ir::declare::AttributeForm;
use orison_ir::{
    Attribute, Block, Context, Declined, InsertionPoint, Operation, Rewriter, RuleResult, Value,
    ValueOwner, rule,
};

use super::{Step, block_and_end, erase_arguments, is_outside, kept, rebuild};
use crate::arith::{CmpI, IntegerPredicateAttr, constant};
use crate::scf;

rule!(
    pub WHILE_CONDITION_HOLDS, "scf-while-condition-holds",
    "the condition becomes true in the 'after' region", scf::While::NAME, condition_holds
);
rule!(
    pub WHILE_COMPARISON_HOLDS, "scf-while-comparison-holds",
    "a comparison equal to the condition becomes a constant in the 'after' region", scf::While::NAME,
    comparison_holds
);
rule!(
    pub WHILE_UNUSED_RESULT, "scf-while-unused-results",
    "unused operands of the condition are removed", scf::While::NAME, unused_results
);
rule!(
    pub WHILE_SAME_RESULT, "scf-while-same-results",
    "duplicate operands of the condition are removed", scf::While::NAME, same_results
);
rule!(
    pub WHILE_RESULT_FROM_OUTSIDE, "scf-while-results-from-outside",
    "operands of the condition that are defined outside are used directly", scf::While::NAME,
    results_from_outside
);
rule!(
    pub WHILE_UNUSED_ARGUMENT, "scf-while-unused-arguments",
    "unused arguments of the 'before' region are removed", scf::While::NAME, unused_arguments
);
rule!(
    pub WHILE_INVARIANT_ARGUMENT, "scf-while-invariant-arguments",
    "invariant arguments of the 'before' region are replaced by their initial values", scf::While::NAME,
    invariant_arguments
);
rule!(
    pub WHILE_ALIGN, "scf-while-align",
    "operands of the condition that permute the arguments are put into argument order", scf::While::NAME,
    align
);

/// The blocks of a loop with their terminators.
struct Loop {
    op: Operation,
    before: Block,
    condition: Operation,
    after: Block,
    yielding: Operation,
}

impl Loop {
    fn of(context: &Context, op: Operation) -> Step<Loop> {
        let (before, condition) = block_and_end(context, op, 0)?;
        let (after, yielding) = block_and_end(context, op, 1)?;
        Ok(Loop {
            op,
            before,
            condition,
            after,
            yielding,
        })
    }

    /// The values that the condition passes.
    fn handed(&self, context: &Context) -> Vec<Value> {
        self.condition.operands(context).skip(1).collect()
    }

    /// Drops results, together with the values passed by the condition and the unused arguments of
    /// the second region. `others` replace the results.
    fn keep_results(&self, rewriter: &mut Rewriter<'_>, keep: &[bool], others: &[Value]) {
        let context = rewriter.ir();
        let handed = self.handed(context);
        let mut operands = vec![self.condition.operand(context, 0)];
        operands.extend(kept(&handed, keep));
        let types = kept(&self.op.result_types(context), keep);
        let inits: Vec<_> = self.op.operands(context).collect();
        rewriter.set_operands(self.condition, &operands);
        let new = rebuild(rewriter, self.op, &inits, &types);
        erase_arguments(rewriter.context(), self.after, keep);
        let mut new_results = new.results(rewriter.ir());
        let results: Vec<Value> = keep
            .iter()
            .zip(others)
            .map(|(keep, other)| if *keep { new_results.next() } else { None }.unwrap_or(*other))
            .collect();
        drop(new_results);
        rewriter.replace(self.op, &results);
    }

    /// Drops unused arguments of the first region and the values passed to them.
    fn keep_arguments(&self, rewriter: &mut Rewriter<'_>, keep: &[bool]) {
        let context = rewriter.ir();
        let inits: Vec<_> = self.op.operands(context).collect();
        let yielded: Vec<_> = self.yielding.operands(context).collect();
        let types = self.op.result_types(context);
        rewriter.set_operands(self.yielding, &kept(&yielded, keep));
        let new = rebuild(rewriter, self.op, &kept(&inits, keep), &types);
        erase_arguments(rewriter.context(), self.before, keep);
        let results: Vec<_> = new.results(rewriter.ir()).collect();
        rewriter.replace(self.op, &results);
    }
}

fn condition_holds(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let looped = Loop::of(context, op)?;
    let condition = looped.condition.operand(context, 0);
    let handed = looped.handed(context).into_iter();
    let known: Vec<_> = handed
        .zip(looped.after.arguments(context))
        .filter(|(value, argument)| *value == condition && !argument.is_unused(context))
        .map(|(_, argument)| argument)
        .collect();
    if known.is_empty() {
        return Declined::because(
            "the condition is not passed to the 'after' region, or not used there",
        );
    }
    let location = op.location(context);
    let holds = constant(rewriter, location, Attribute::TRUE);
    for argument in known {
        rewriter.replace_all_uses(argument, holds);
    }
    Ok(())
}

/// Comparisons in the second region that repeat those of the condition, and their known results.
fn known_comparisons(context: &Context, looped: &Loop) -> Step<Vec<(Operation, bool)>> {
    let condition = looped.condition.operand(context, 0).defining_op(context);
    let Some(comparison) = condition.and_then(|op| CmpI::of(context, op)) else {
        return Declined::because("the condition is not an integer comparison");
    };
    let predicate = |op: Operation| {
        let predicate = op.attribute(context, "predicate")?;
        IntegerPredicateAttr::read(context, predicate)
    };
    let Some(holds) = predicate(comparison.0) else {
        return Declined::because("the comparison has no valid predicate");
    };
    let mut known = Vec::new();
    let handed = looped.handed(context).into_iter();
    for (value, argument) in handed.zip(looped.after.arguments(context)) {
        for side in 0..2 {
            let other = comparison.0.operand(context, 1 - side);
            if value != comparison.0.operand(context, side)
                || !is_outside(context, other, looped.op)
            {
                continue;
            }
            for usage in argument.uses(context) {
                let same_form = usage.operand == side
                    && CmpI::of(context, usage.owner).is_some()
                    && usage.owner.operand(context, 1 - side) == other;
                match predicate(usage.owner) {
                    Some(own) if same_form && own == holds => known.push((usage.owner, true)),
                    Some(own) if same_form && own == holds.inverted() => {
                        known.push((usage.owner, false));
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(known)
}

fn comparison_holds(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let looped = Loop::of(context, op)?;
    let known = known_comparisons(context, &looped)?;
    if known.is_empty() {
        return Declined::because("the 'after' region does not repeat the comparison");
    }
    for (comparison, value) in known {
        // An operation that compares a value with itself may be found twice.
        if !comparison.is_live(rewriter.ir()) {
            continue;
        }
        let location = comparison.location(rewriter.ir());
        rewriter.set_insertion_point(InsertionPoint::Before(comparison));
        let value = constant(rewriter, location, Attribute::bool(value));
        rewriter.replace(comparison, &[value]);
    }
    Ok(())
}

fn unused_results(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let looped = Loop::of(context, op)?;
    let arguments = looped.after.arguments(context);
    let keep: Vec<bool> = op
        .results(context)
        .zip(arguments)
        .map(|(result, argument)| !result.is_unused(context) || !argument.is_unused(context))
        .collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("every operand of the condition is used");
    }
    // The result is unused, so any replacement is valid.
    let others = looped.handed(context);
    looped.keep_results(rewriter, &keep, &others);
    Ok(())
}

fn same_results(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let looped = Loop::of(context, op)?;
    let handed = looped.handed(context);
    let first = |number: usize| {
        let same = handed.iter().position(|value| *value == handed[number]);
        same.unwrap_or(number)
    };
    let firsts: Vec<usize> = (0..handed.len()).map(first).collect();
    let keep: Vec<bool> = firsts
        .iter()
        .enumerate()
        .map(|(own, first)| own == *first)
        .collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("the condition has no duplicate operands");
    }
    let arguments: Vec<_> = looped.after.arguments(context).collect();
    for (number, &first) in firsts
        .iter()
        .enumerate()
        .filter(|(own, first)| own != *first)
    {
        rewriter.replace_all_uses(arguments[number], arguments[first]);
        let (twin, result) = (
            op.result(rewriter.ir(), first),
            op.result(rewriter.ir(), number),
        );
        rewriter.replace_all_uses(result, twin);
    }
    let others = looped.handed(rewriter.ir());
    looped.keep_results(rewriter, &keep, &others);
    Ok(())
}

fn results_from_outside(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let looped = Loop::of(context, op)?;
    let handed = looped.handed(context);
    let keep: Vec<bool> = handed
        .iter()
        .map(|value| !is_outside(context, *value, op))
        .collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("no operand of the condition is defined outside");
    }
    let arguments: Vec<_> = looped.after.arguments(context).collect();
    for ((argument, value), keep) in arguments.into_iter().zip(&handed).zip(&keep) {
        if !keep {
            rewriter.replace_all_uses(argument, *value);
        }
    }
    looped.keep_results(rewriter, &keep, &handed);
    Ok(())
}

fn unused_arguments(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let looped = Loop::of(context, op)?;
    let arguments = looped.before.arguments(context);
    let keep: Vec<bool> = arguments.map(|a| !a.is_unused(context)).collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("every argument of the 'before' region is used");
    }
    looped.keep_arguments(rewriter, &keep);
    Ok(())
}

/// Whether the value yielded for an argument of the first region is the initial value or the
/// argument itself, passed through the condition.
fn is_invariant(context: &Context, looped: &Loop, number: usize) -> bool {
    let yielded = looped.yielding.operand(context, number);
    if yielded == looped.op.operand(context, number) {
        return true;
    }
    match yielded.owner(context) {
        ValueOwner::Argument(block, position) if block == looped.after => {
            looped.condition.operand(context, position + 1)
                == looped.before.argument(context, number)
        }
        _ => false,
    }
}

fn invariant_arguments(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let looped = Loop::of(context, op)?;
    let count = looped.before.argument_count(context);
    let keep: Vec<bool> = (0..count)
        .map(|n| !is_invariant(context, &looped, n))
        .collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("no argument of the 'before' region is invariant");
    }
    let arguments: Vec<_> = looped.before.arguments(context).collect();
    let inits: Vec<_> = op.operands(context).collect();
    for ((argument, init), keep) in arguments.into_iter().zip(inits).zip(&keep) {
        if !keep {
            rewriter.replace_all_uses(argument, init);
        }
    }
    looped.keep_arguments(rewriter, &keep);
    Ok(())
}

fn align(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let looped = Loop::of(context, op)?;
    let handed = looped.handed(context);
    let arguments: Vec<_> = looped.before.arguments(context).collect();
    if handed == arguments {
        return Declined::because("the operands are in argument order already");
    }
    // For each argument, the position at which the condition passes it.
    let places: Option<Vec<usize>> = arguments
        .iter()
        .map(|argument| handed.iter().position(|value| value == argument))
        .collect();
    let Some(places) = places.filter(|_| handed.len() == arguments.len()) else {
        return Declined::because(
            "the operands of the condition are not a permutation of the arguments",
        );
    };
    let old = looped.after;
    let context = rewriter.ir();
    let types: Vec<_> = arguments
        .iter()
        .zip(&places)
        .map(|(argument, place)| (argument.ty(context), old.argument_location(context, *place)))
        .collect();
    let mut operands = vec![looped.condition.operand(context, 0)];
    operands.extend(&arguments);
    let inits: Vec<_> = op.operands(context).collect();
    let result_types: Vec<_> = types.iter().map(|(ty, _)| *ty).collect();
    rewriter.set_operands(looped.condition, &operands);
    let new = rebuild(rewriter, op, &inits, &result_types);
    let block = Block::new(rewriter.context(), &types);
    let region = new.region(rewriter.ir(), 1);
    region.append_block(rewriter.context(), block);
    let mut values = vec![None; places.len()];
    let mut results = vec![None; places.len()];
    for (number, &place) in places.iter().enumerate() {
        values[place] = Some(block.argument(rewriter.ir(), number));
        results[place] = Some(new.result(rewriter.ir(), number));
    }
    let values: Vec<_> = values.into_iter().flatten().collect();
    let results: Vec<_> = results.into_iter().flatten().collect();
    rewriter.set_insertion_point(InsertionPoint::End(block));
    rewriter.inline_block(old, &values);
    rewriter.replace(op, &results);
    Ok(())
}
