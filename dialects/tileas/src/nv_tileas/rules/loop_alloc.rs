//! Rule 2: storage that a loop carries but never reads across iterations is allocated inside it.
//!
//! The reference's rule drops the insertions of earlier iterations (C69). So it is applied only if
//! that is not observable: the result of the loop is unused, and inside the loop the storage is
//! read only after an insertion that overwrites all of it, or not at all.

use orison_host::scf;
use orison_ir::{
    Context, Declined, InsertionPoint, Mapping, Operation, OperationState, Region, Rewriter,
    RuleResult, Value,
};

use super::{insert_chain, scf_arm};
use crate::nv_tileas::{AllocTensor, Bound, InsertSlice, SliceBounds, is_memory_consistent};
use crate::views::shape_and_element;

orison_ir::rule!(
    pub LOOP_ALLOC, "nv-tileas-for-private-alloc",
    "storage that scf.for carries but overwrites in each iteration is allocated in the body",
    scf::For::NAME, apply
);

/// Bounds and step precede the initial values.
const BOUNDS: usize = 3;

/// A removable carried value: its index, the allocation, and the insertions before the
/// loop in order.
struct Candidate {
    number: usize,
    alloc: AllocTensor,
    inserts: Vec<Operation>,
}

fn apply(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let Some((_, end)) = scf_arm(context, op, 0) else {
        return Declined::because("the loop does not end with a yield");
    };
    let mut reason = "the loop has no iter_args";
    let mut found = None;
    for number in 0..op.result_count(context) {
        match candidate(context, op, end, number) {
            Ok(candidate) => {
                found = Some(candidate);
                break;
            }
            Err(declined) => reason = declined,
        }
    }
    match found {
        Some(candidate) => rewrite(rewriter, op, end, &candidate),
        None => Declined::because(reason),
    }
}

fn candidate(
    context: &Context,
    op: Operation,
    end: Operation,
    number: usize,
) -> Result<Candidate, &'static str> {
    let initial = op.operands(context).nth(BOUNDS + number);
    let carried = op
        .body_block(context, 0)
        .and_then(|b| b.arguments(context).nth(number + 1));
    let yielded = end.operands(context).nth(number);
    let (Some(initial), Some(carried), Some(yielded)) = (initial, carried, yielded) else {
        return Err("the loop is malformed");
    };
    let (mut inserts, root) = insert_chain(context, initial);
    inserts.reverse();
    let alloc = root
        .defining_op(context)
        .and_then(|def| AllocTensor::of(context, def));
    let alloc = alloc.ok_or("a carried value does not start from allocated storage")?;
    let (mut chain, start) = insert_chain(context, yielded);
    chain.reverse();
    if start != carried
        || !chain
            .iter()
            .all(|insert| op.is_ancestor_of(context, *insert))
    {
        return Err("a carried value is not yielded through insertions only");
    }
    if !op.result(context, number).is_unused(context) {
        return Err("the carried storage is used after the loop");
    }
    is_filled_before_read(context, carried, &chain, (end, number))?;
    Ok(Candidate {
        number,
        alloc,
        inserts,
    })
}

/// Every value of the chain up to the first insertion that overwrites all of it is used only by the
/// next insertion; no ordered operation uses any of them.
fn is_filled_before_read(
    context: &Context,
    carried: Value,
    chain: &[Operation],
    (end, number): (Operation, usize),
) -> Result<(), &'static str> {
    let mut filled = false;
    let mut value = carried;
    for (position, next) in chain.iter().map(Some).chain([None]).enumerate() {
        if position > 0 {
            filled |= overwrites_all(context, chain[position - 1]);
        }
        for usage in value.uses(context) {
            if is_memory_consistent(context, usage.owner) {
                return Err("an ordered operation uses the carried storage");
            }
            let links = next == Some(&usage.owner) && usage.operand == 1;
            // If it were yielded at another position, the storage would be visible after the loop.
            let yields = usage.owner == end && usage.operand == number;
            if !filled && !links && !yields {
                return Err("the storage is read before all of it is overwritten");
            }
        }
        if let Some(next) = next {
            value = next.result(context, 0);
        }
    }
    Ok(())
}

fn overwrites_all(context: &Context, insert: Operation) -> bool {
    let destination = InsertSlice(insert).destination(context).ty(context);
    let shape = shape_and_element(context, destination).map(|(shape, _)| shape);
    let (Some(bounds), Some(shape)) = (SliceBounds::of(context, insert), shape) else {
        return false;
    };
    let all = |list: &[Bound], number: i64| list.iter().all(|b| *b == Bound::Static(number));
    all(&bounds.offsets, 0) && all(&bounds.strides, 1) && bounds.shape() == shape
}

fn rewrite(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    end: Operation,
    candidate: &Candidate,
) -> RuleResult {
    let number = candidate.number;
    let Some(body) = op.body_block(rewriter.ir(), 0) else {
        return Declined::because("the loop is malformed");
    };
    let first = body.first_op(rewriter.ir());
    rewriter.set_insertion_point(first.map_or(InsertionPoint::End(body), InsertionPoint::Before));
    let mut mapping = Mapping::default();
    let mut storage = body.argument(rewriter.ir(), number + 1);
    let carried = storage;
    let parts = std::iter::once(&candidate.alloc.0).chain(&candidate.inserts);
    for part in parts {
        let copy = Operation::clone_into(*part, rewriter.context(), &mut mapping);
        rewriter.insert(copy);
        storage = copy.result(rewriter.ir(), 0);
    }
    rewriter.replace_all_uses(carried, storage);
    let rest: Vec<_> = end
        .operands(rewriter.ir())
        .enumerate()
        .filter(|(position, _)| *position != number)
        .map(|(_, value)| value)
        .collect();
    end.set_operands(rewriter.context(), &rest);
    rewriter.modified(end);
    body.erase_argument(rewriter.context(), number + 1);
    replace_loop(rewriter, op, number);
    Ok(())
}

/// The loop without one carried value; takes the body.
fn replace_loop(rewriter: &mut Rewriter<'_>, op: Operation, number: usize) {
    let context = rewriter.context();
    let mut state = OperationState::new(op.name(context), op.location(context));
    state.operands = op.operands(context).collect();
    state.operands.remove(BOUNDS + number);
    state.result_types = op.result_types(context).into();
    state.result_types.remove(number);
    state.properties = op.properties(context);
    state.attributes = op.attributes(context);
    let target = Region::new(context);
    op.region(context, 0).move_blocks_to(context, target);
    state.regions.push(target);
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    let new = rewriter.create(&state);
    let mut results = new.results(rewriter.ir()).collect::<Vec<_>>().into_iter();
    for position in (0..op.result_count(rewriter.ir())).filter(|position| *position != number) {
        let old = op.result(rewriter.ir(), position);
        if let Some(result) = results.next() {
            rewriter.replace_all_uses(old, result);
        }
    }
    rewriter.erase(op);
}
