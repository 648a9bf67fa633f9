//! Rule 6: a loop nest whose outer body contains only the inner loop becomes one loop.

use orison_host::arith;
use orison_host::scf;
use orison_ir::{
    Attribute, Block, Context, Declined, InsertionPoint, Operation, Rewriter, RuleResult, Type,
    Value,
};

use super::{constant, create, create_constant, scf_arm};

orison_ir::rule!(
    pub FLATTEN_LOOPS, "nv-tileas-for-flatten",
    "perfectly nested scf.for loops without iter_args become one loop, whose counter is divided",
    scf::For::NAME, apply
);

/// Lower bound, upper bound, step.
type Range = [Value; 3];

fn apply(rewriter: &mut Rewriter<'_>, outer: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (inner, trips) = match nest(context, outer) {
        Ok(found) => found,
        Err(reason) => return Declined::because(reason),
    };
    let Some(outer_range) = range(context, outer) else {
        return Declined::because("the loop is malformed");
    };
    let Some(inner_range) = range(context, inner) else {
        return Declined::because("the loop is malformed");
    };
    let total = total(context, outer_range, trips);
    let index = outer_range[0].ty(context);
    if total.is_none() && index != Type::INDEX {
        return Declined::because("the number of iterations may overflow the counter");
    }
    if total.is_some_and(|total| !fits(context, index, total)) {
        return Declined::because("the number of iterations overflows the counter");
    }
    rewrite(
        rewriter,
        outer,
        inner,
        outer_range,
        inner_range,
        trips,
        total,
    );
    Ok(())
}

fn range(context: &Context, op: Operation) -> Option<Range> {
    let operands: Vec<_> = op.operands(context).collect();
    operands.try_into().ok()
}

/// The inner loop and its trip count, if the nest may be flattened.
fn nest(context: &Context, outer: Operation) -> Result<(Operation, i64), &'static str> {
    let (body, end) = scf_arm(context, outer, 0).ok_or("the loop does not end with a yield")?;
    let inner = body
        .first_op(context)
        .filter(|inner| inner.next(context) == Some(end));
    let inner = inner.filter(|inner| scf::For::matches(context, *inner));
    let inner = inner.ok_or("the body holds more than a loop and its terminator")?;
    scf_arm(context, inner, 0).ok_or("the inner loop does not end with a yield")?;
    for op in [outer, inner] {
        if op.result_count(context) > 0 || op.operand_count(context) != 3 {
            return Err("a loop carries values");
        }
        if op.attributes(context) != Attribute::EMPTY_DICTIONARY {
            return Err("a loop has attributes that the merged loop cannot keep");
        }
        if op.attribute(context, "unsignedCmp").is_some() {
            return Err("a loop counts unsigned");
        }
    }
    let range = range(context, inner).ok_or("the loop is malformed")?;
    if range[0].ty(context) != outer.operand(context, 0).ty(context) {
        return Err("the loops count in different types");
    }
    let trips =
        trip_count(context, range).ok_or("bounds and step of the inner loop are not constants")?;
    if trips < 1 {
        return Err("the inner loop has no iterations");
    }
    Ok((inner, trips))
}

/// The trip count of a loop with constant bounds and step.
fn trip_count(context: &Context, range: Range) -> Option<i64> {
    let [Some(low), Some(high), Some(step)] = range.map(|value| constant(context, value)) else {
        return None;
    };
    if step < 1 {
        return None;
    }
    let span = high.checked_sub(low)?.max(0);
    Some(span / step + i64::from(span % step != 0))
}

/// The trip count of the nest, if known.
fn total(context: &Context, outer: Range, trips: i64) -> Option<i64> {
    trip_count(context, outer)?.checked_mul(trips)
}

fn fits(context: &Context, ty: Type, number: i64) -> bool {
    let width = ty.bit_width(context).unwrap_or(64);
    width >= 64 || number < 1i64 << (width - 1)
}

fn rewrite(
    rewriter: &mut Rewriter<'_>,
    outer: Operation,
    inner: Operation,
    outer_range: Range,
    inner_range: Range,
    trips: i64,
    total: Option<i64>,
) {
    let location = outer.location(rewriter.ir());
    let index = outer_range[0].ty(rewriter.ir());
    rewriter.set_insertion_point(InsertionPoint::Before(outer));
    let zero = create_constant(rewriter, location, index, 0);
    let one = create_constant(rewriter, location, index, 1);
    let count = create_constant(rewriter, location, index, trips);
    let end = match total {
        Some(total) => create_constant(rewriter, location, index, total),
        None => {
            let [low, high, step] = outer_range;
            let span = create(rewriter, arith::SubI::NAME, location, &[high, low], index);
            let outer_trips = create(
                rewriter,
                arith::CeilDivSI::NAME,
                location,
                &[span, step],
                index,
            );
            create(
                rewriter,
                arith::MulI::NAME,
                location,
                &[outer_trips, count],
                index,
            )
        }
    };
    let Some(body) = outer.body_block(rewriter.ir(), 0) else {
        return;
    };
    // The bounds of the inner loop are constants; they are recreated where the body needs them.
    let low = constant(rewriter.ir(), inner_range[0]).unwrap_or(0);
    let step = constant(rewriter.ir(), inner_range[2]).unwrap_or(1);
    let inner_low = create_constant(rewriter, location, index, low);
    let inner_step = create_constant(rewriter, location, index, step);
    let counter = body.argument(rewriter.ir(), 0);
    rewriter.set_insertion_point(InsertionPoint::Before(inner));
    let quotient = create(
        rewriter,
        arith::DivSI::NAME,
        location,
        &[counter, count],
        index,
    );
    let remainder = create(
        rewriter,
        arith::RemSI::NAME,
        location,
        &[counter, count],
        index,
    );
    let outer_value = scaled(rewriter, outer, quotient, outer_range[2], outer_range[0]);
    let inner_value = scaled(rewriter, outer, remainder, inner_step, inner_low);
    redirect(rewriter, counter, outer_value, [quotient, remainder]);
    inline(rewriter, inner, body, inner_value);
    for (number, bound) in [zero, end, one].into_iter().enumerate() {
        outer.set_operand(rewriter.context(), number, bound);
    }
    rewriter.modified(outer);
}

/// `value * step + low`.
fn scaled(
    rewriter: &mut Rewriter<'_>,
    outer: Operation,
    value: Value,
    step: Value,
    low: Value,
) -> Value {
    let location = outer.location(rewriter.ir());
    let index = value.ty(rewriter.ir());
    let product = create(rewriter, arith::MulI::NAME, location, &[value, step], index);
    create(
        rewriter,
        arith::AddI::NAME,
        location,
        &[product, low],
        index,
    )
}

/// Redirects the uses of the induction variable, except those that compute the new values.
fn redirect(rewriter: &mut Rewriter<'_>, counter: Value, new: Value, keep: [Value; 2]) {
    let mut users = Vec::new();
    counter.replace_uses_if(rewriter.context(), new, |context, usage| {
        let kept = keep
            .iter()
            .any(|value| value.defining_op(context) == Some(usage.owner));
        if !kept {
            users.push(usage.owner);
        }
        !kept
    });
    for user in users {
        rewriter.modified(user);
    }
}

/// Moves the body of the inner loop before it and erases it.
fn inline(rewriter: &mut Rewriter<'_>, inner: Operation, body: Block, value: Value) {
    let Some((block, end)) = scf_arm(rewriter.ir(), inner, 0) else {
        return;
    };
    debug_assert_eq!(
        inner.block(rewriter.ir()),
        Some(body),
        "the inner loop is in the body"
    );
    let counter = block.argument(rewriter.ir(), 0);
    rewriter.replace_all_uses(counter, value);
    for op in block.body(rewriter.ir()) {
        if op != end {
            op.move_before(rewriter.context(), inner);
        }
    }
    rewriter.erase(inner);
}
