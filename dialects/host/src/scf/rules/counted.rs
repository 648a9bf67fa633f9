//! Rules of `scf.for`.

use orison_ir::numbers::ApInt;
use orison_ir::{
    Block, Context, Declined, Operation, Rewriter, RuleResult, Value, ValueOwner, rule,
};

use super::{Step, block_and_end, erase_arguments, inline, is_alone, is_outside, kept, rebuild};
use crate::arith::constant_integer_of;
use crate::scf::For;

rule!(
    pub FOR_FEW_TRIPS, "scf-for-few-trips",
    "a loop with zero or one iteration becomes its initial values or its body", For::NAME, few_trips
);
rule!(
    pub FOR_NOTHING_DONE, "scf-for-nothing-done",
    "a loop with an empty body that yields values defined outside becomes these values", For::NAME,
    nothing_done
);
rule!(
    pub FOR_CARRIED, "scf-for-carried",
    "iter_args that are invariant, unused or duplicates are removed", For::NAME,
    carried
);

/// The trip count of a loop, as far as rules need it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trips {
    Never,
    Once,
    Often,
}

fn trips(context: &Context, op: Operation) -> Step<Trips> {
    let looped = For(op);
    let (lower, upper) = (looped.lower_bound(context), looped.upper_bound(context));
    if lower == upper {
        return Ok(Trips::Never);
    }
    let known = |value| constant_integer_of(context, value);
    let Some((lower, upper)) = known(lower).zip(known(upper)) else {
        return Declined::because("the bounds are not constant");
    };
    let unsigned = looped.unsigned_cmp(context).is_some();
    let order = if unsigned {
        lower.compare_unsigned(upper)
    } else {
        lower.compare_signed(upper)
    };
    match order {
        None => return Declined::because("the bounds are of different widths"),
        Some(order) if order.is_ge() => return Ok(Trips::Never),
        Some(_) => {}
    }
    let Some(step) = known(looped.step(context)) else {
        return Declined::because("the step is not constant");
    };
    if step.is_zero() || (!unsigned && step.is_negative()) {
        return Declined::because("the step is not positive");
    }
    // As an unsigned integer, the distance is also correct if the signed difference overflows.
    let distance: ApInt = upper.wrapping_sub(lower);
    let once = distance
        .compare_unsigned(step)
        .is_some_and(std::cmp::Ordering::is_le);
    Ok(if once { Trips::Once } else { Trips::Often })
}

fn few_trips(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let inits = For(op).init_args(context);
    match trips(context, op)? {
        Trips::Never => rewriter.replace(op, &inits),
        Trips::Once => {
            let (block, _) = block_and_end(context, op, 0)?;
            let mut values = vec![For(op).lower_bound(context)];
            values.extend(inits);
            inline(rewriter, op, block, &values);
        }
        Trips::Often => return Declined::because("the loop has more than one iteration"),
    }
    Ok(())
}

fn nothing_done(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (_, end) = block_and_end(context, op, 0)?;
    if !is_alone(context, end) {
        return Declined::because("the body is not empty");
    }
    let values: Vec<_> = end.operands(context).collect();
    if !values.iter().all(|value| is_outside(context, *value, op)) {
        return Declined::because("the body yields values that it defines");
    }
    if trips(context, op)? == Trips::Never {
        return Declined::because("the loop has no iterations");
    }
    rewriter.replace(op, &values);
    Ok(())
}

/// The simplified form of a carried value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    /// It always equals this value.
    Is(Value),
    /// It always equals this other carried value.
    Like(usize),
}

/// The carried values of a loop: initial value, argument, yielded value, result.
struct Carried {
    init: Value,
    argument: Value,
    yielded: Value,
    result: Value,
}

/// Which carried values only permute in a cycle and have the same initial value, so
/// that they never change.
fn rotates(context: &Context, block: Block, carried: &[Carried]) -> Vec<bool> {
    let next = |number: usize| match carried[number].yielded.owner(context) {
        // The first argument is the induction variable.
        ValueOwner::Argument(owner, position) if owner == block => position.checked_sub(1),
        _ => None,
    };
    let mut rotates = vec![false; carried.len()];
    let mut walks = vec![None; carried.len()];
    for start in 0..carried.len() {
        let mut at = Some(start);
        while let Some(number) = at.filter(|number| walks[*number].is_none()) {
            walks[number] = Some(start);
            at = next(number);
        }
        let Some(first) = at.filter(|number| walks[*number] == Some(start)) else {
            continue;
        };
        // The walk returned to its start.
        let after = |number: &usize| next(*number).filter(|next| *next != first);
        let cycle: Vec<usize> = std::iter::successors(Some(first), after).collect();
        let same = |number: &usize| carried[*number].init == carried[first].init;
        if cycle.iter().all(same) {
            cycle.iter().for_each(|number| rotates[*number] = true);
        }
    }
    rotates
}

fn fates(context: &Context, block: Block, carried: &[Carried]) -> Vec<Fate> {
    let rotates = rotates(context, block, carried);
    let mut fates: Vec<Fate> = Vec::new();
    for (number, own) in carried.iter().enumerate() {
        let unused = own.argument.is_unused(context) && own.result.is_unused(context);
        let constant = rotates[number] || own.yielded == own.init;
        let twin = carried[..number]
            .iter()
            .position(|other| other.init == own.init && other.yielded == own.yielded);
        fates.push(match twin {
            _ if unused || constant => Fate::Is(own.init),
            Some(twin) if fates[twin] == Fate::Kept => Fate::Like(twin),
            _ => Fate::Kept,
        });
    }
    fates
}

fn carried(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (block, end) = block_and_end(context, op, 0)?;
    let inits = For(op).init_args(context);
    let arguments: Vec<_> = block.arguments(context).collect();
    let carried: Vec<_> = inits
        .iter()
        .enumerate()
        .map(|(number, init)| Carried {
            init: *init,
            argument: arguments[number + 1],
            yielded: end.operand(context, number),
            result: op.result(context, number),
        })
        .collect();
    let fates = fates(context, block, &carried);
    let keep: Vec<bool> = fates.iter().map(|fate| *fate == Fate::Kept).collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("no iter_arg is invariant, unused or a duplicate");
    }
    let mut operands: Vec<_> = op.operands(context).take(3).collect();
    operands.extend(kept(&inits, &keep));
    let types = kept(&op.result_types(context), &keep);
    for (fate, own) in fates.iter().zip(&carried) {
        match *fate {
            Fate::Kept => {}
            Fate::Is(value) => rewriter.replace_all_uses(own.argument, value),
            Fate::Like(twin) => {
                rewriter.replace_all_uses(own.argument, carried[twin].argument);
            }
        }
    }
    // Replacing an argument may have changed the yielded values.
    let yielded: Vec<_> = end.operands(rewriter.ir()).collect();
    rewriter.set_operands(end, &kept(&yielded, &keep));
    let new = rebuild(rewriter, op, &operands, &types);
    let mut keep_arguments = vec![true];
    keep_arguments.extend(&keep);
    erase_arguments(rewriter.context(), block, &keep_arguments);
    let mut results = vec![None; fates.len()];
    let mut new_results = new.results(rewriter.ir());
    for (number, fate) in fates.iter().enumerate() {
        results[number] = match *fate {
            Fate::Kept => new_results.next(),
            Fate::Is(value) => Some(value),
            Fate::Like(twin) => results[twin],
        };
    }
    drop(new_results);
    let results: Vec<Value> = results.into_iter().flatten().collect();
    rewriter.replace(op, &results);
    Ok(())
}
