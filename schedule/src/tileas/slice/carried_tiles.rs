//! Tiles that loops carry, carried as slices.

use orison_ir::{
    Block, Builder, Context, InsertionPoint, Operation, OperationState, Region, Type, Value,
};

use super::parts::{Parts, Slices, extracted_part};

/// Operands of `scf.for` before the initial values.
const BOUNDS: usize = 3;

/// Carries those tiles of a loop as slices that the body makes of slices and reads in slices, or does
/// not read. Returns the loop, a new one if it changed.
pub fn carry_slices(context: &mut Context, parts: &mut Parts, op: Operation) -> Operation {
    let Some((body, end)) = body_and_end(context, op) else {
        return op;
    };
    let grids: Vec<Option<Slices>> = (0..op.result_count(context))
        .map(|number| grid(context, parts, body, end, number))
        .collect();
    if grids.iter().all(Option::is_none) {
        return op;
    }
    let bounds: Vec<Value> = op.operands(context).take(BOUNDS).collect();
    let mut operands = bounds;
    let mut types = Vec::new();
    let mut yielded = Vec::new();
    for (number, grid) in grids.iter().enumerate() {
        let initial = op.operand(context, BOUNDS + number);
        let Some(grid) = grid else {
            operands.push(initial);
            types.push(initial.ty(context));
            yielded.push(end.operand(context, number));
            continue;
        };
        for number in 0..grid.values.len() {
            operands.push(parts.part(context, initial, &grid.part(number)));
        }
        types.extend(grid.values.iter().map(|value| value.ty(context)));
        yielded.extend(grid.values.iter().copied());
    }
    end.set_operands(context, &yielded);
    replace_arguments(context, parts, body, &grids);
    replace_loop(context, parts, op, (operands, types), &grids)
}

fn body_and_end(context: &Context, op: Operation) -> Option<(Block, Operation)> {
    let body = op.body_block(context, 0)?;
    Some((body, body.terminator(context)?))
}

/// The slices of a yielded tile, if the body reads the carried one in slices of this grid.
fn grid(
    context: &Context,
    parts: &Parts,
    body: Block,
    end: Operation,
    number: usize,
) -> Option<Slices> {
    let slices = parts.slices_of(end.operand(context, number))?;
    let argument = body.arguments(context).nth(number + 1)?;
    let is_unused = argument.is_unused(context);
    let mut users = argument.users(context);
    let is_read = users.any(|user| {
        extracted_part(context, user).is_some_and(|part| slices.containing(&part).is_some())
    });
    (is_unused || is_read).then(|| slices.clone())
}

/// Replaces arguments of the body by their slices.
fn replace_arguments(
    context: &mut Context,
    parts: &mut Parts,
    body: Block,
    grids: &[Option<Slices>],
) {
    for (number, grid) in grids.iter().enumerate().rev() {
        let Some(grid) = grid else {
            continue;
        };
        let argument = body.argument(context, number + 1);
        let (ty, location) = (argument.ty(context), argument.location(context));
        let types: Vec<Type> = grid.values.iter().map(|value| value.ty(context)).collect();
        let mut values = Vec::new();
        for (offset, ty) in types.into_iter().enumerate() {
            values.push(body.insert_argument(context, number + 2 + offset, ty, location));
        }
        let first = body.first_op(context);
        let point = first.map_or(InsertionPoint::End(body), InsertionPoint::Before);
        let slices = Slices {
            values,
            ..grid.clone()
        };
        let mut builder = Builder::at(context, point);
        if let Some(whole) = parts.whole(&mut builder, ty, slices) {
            argument.replace_all_uses_with(context, whole);
            parts.forget(argument);
            parts.resolve_extracted(context, whole);
        }
        body.erase_argument(context, number + 1);
    }
}

/// Creates the loop with other carried values; takes the body.
fn replace_loop(
    context: &mut Context,
    parts: &mut Parts,
    op: Operation,
    (operands, types): (Vec<Value>, Vec<Type>),
    grids: &[Option<Slices>],
) -> Operation {
    let mut state = OperationState::new(op.name(context), op.location(context));
    state.operands = operands.into();
    state.result_types = types.into();
    state.properties = op.properties(context);
    state.attributes = op.attributes(context);
    let target = Region::new(context);
    op.region(context, 0).move_blocks_to(context, target);
    state.regions.push(target);
    let mut builder = Builder::at(context, InsertionPoint::Before(op));
    let new = builder.create(&state);
    let mut results = new.results(builder.ir()).collect::<Vec<_>>().into_iter();
    for (number, grid) in grids.iter().enumerate() {
        let old = op.result(builder.ir(), number);
        let replacement = match grid {
            None => results.next(),
            Some(grid) => {
                let values = results.by_ref().take(grid.values.len()).collect();
                let ty = old.ty(builder.ir());
                let slices = Slices {
                    values,
                    ..grid.clone()
                };
                parts.whole(&mut builder, ty, slices)
            }
        };
        if let Some(replacement) = replacement {
            old.replace_all_uses_with(builder.context(), replacement);
            parts.resolve_extracted(builder.context(), replacement);
        }
    }
    op.erase(context);
    new
}
