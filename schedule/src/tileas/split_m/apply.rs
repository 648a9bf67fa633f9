//! Replaces divided operations by one for each part.

use orison_host::arith::{AddI, MulI, constant_index};
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Mapping, Operation, OperationState, Region,
    Value,
};
use orison_tileas::nv_tileas::with_box;
use orison_tileas::views::ShapedView;

use super::super::loop_body::LoopBody;
use super::axes::{Axes, divided};

/// Divides a loop and the operations around it; returns the loop that replaces it.
pub(super) fn apply(context: &mut Context, body: &LoopBody, axes: &Axes, parts: i64) -> Operation {
    let mut division = Division {
        axes,
        parts,
        maps: (0..parts).map(|_| Mapping::default()).collect(),
    };
    let (mut inside, outside): (Vec<Operation>, Vec<Operation>) = axes
        .operations
        .iter()
        .partition(|op| op.block(context) == Some(body.block));
    let is_after = |op: &Operation| {
        let around = op
            .block(context)
            .and_then(|block| body.op.ancestor_in_block(context, block));
        around.is_some_and(|around| around.is_before_in_block(context, *op))
    };
    let (mut after, mut before): (Vec<Operation>, Vec<Operation>) =
        outside.into_iter().partition(is_after);
    for list in [&mut before, &mut inside, &mut after] {
        in_program_order(context, list);
    }
    division.copy_all(context, &before);
    let new_loop = division.replace_loop(context, body);
    division.copy_all(context, &inside);
    division.replace_yield(context, body);
    division.copy_all(context, &after);
    let mut old = before;
    old.extend(inside);
    old.extend(after.iter().copied());
    body.op.set_operands(context, &[]);
    for op in old.into_iter().rev() {
        erase_unread(context, op);
    }
    body.op.erase(context);
    new_loop
}

/// Erases an operation that was replaced, and the view that only it accessed. Constants may have other
/// readers.
fn erase_unread(context: &mut Context, op: Operation) {
    if !op.is_unused(context) {
        return;
    }
    let views: Vec<Operation> = op
        .operands_named(context, "view")
        .into_iter()
        .filter_map(|view| view.defining_op(context))
        .collect();
    op.erase(context);
    for view in views {
        if view.is_unused(context) {
            view.erase(context);
        }
    }
}

/// Orders operations so that each is after those whose results it reads: by nesting of their blocks,
/// outermost first, and then by their order in the block.
fn in_program_order(context: &Context, list: &mut [Operation]) {
    let place = |op: &Operation| {
        let mut path: Vec<usize> = Vec::new();
        let mut current = Some(*op);
        while let Some(op) = current {
            let position = op.block(context).map_or(0, |block| {
                block
                    .operations(context)
                    .take_while(|other| *other != op)
                    .count()
            });
            path.push(position);
            current = op.parent_op(context);
        }
        path.reverse();
        path
    };
    list.sort_by_cached_key(place);
}

struct Division<'a> {
    axes: &'a Axes,
    parts: i64,
    /// For each part the values that replace those of the whole.
    maps: Vec<Mapping>,
}

impl Division<'_> {
    /// Inserts the parts of operations before them.
    fn copy_all(&mut self, context: &mut Context, ops: &[Operation]) {
        for &op in ops {
            for part in 0..self.parts {
                self.copy(context, op, part);
            }
        }
    }

    fn copy(&mut self, context: &mut Context, op: Operation, part: i64) {
        let Ok(index) = usize::try_from(part) else {
            return;
        };
        let mut mapping = std::mem::take(&mut self.maps[index]);
        let copy = op.clone_into(context, &mut mapping);
        self.maps[index] = mapping;
        if let Some(block) = op.block(context) {
            block.insert_before(context, Some(op), copy);
        }
        let pairs: Vec<(Value, Value)> = op.results(context).zip(copy.results(context)).collect();
        for (whole, own) in pairs {
            if let Some(&axis) = self.axes.of.get(&whole) {
                let ty = divided(context, own.ty(context), axis, self.parts);
                own.set_type(context, ty);
            }
        }
        match op.name_text(context) {
            "arith.constant" => shorten_constant(context, copy),
            "nv_tileas.generate" => self.shift_positions(context, op, copy, part),
            "nv_tileas.tiled_load" => {
                let axis = self.axes.of.get(&op.result(context, 0)).copied();
                self.shift_access(context, copy, axis, part);
            }
            "nv_tileas.tiled_store" => {
                let stored = op.operands_named(context, "value").first().copied();
                let axis = stored.and_then(|stored| self.axes.of.get(&stored).copied());
                self.shift_access(context, copy, axis, part);
            }
            _ => {}
        }
    }

    /// The positions of a part of a generated tile begin at its first row.
    fn shift_positions(&self, context: &mut Context, op: Operation, copy: Operation, part: i64) {
        let whole = op.result(context, 0);
        let Some(&axis) = self.axes.of.get(&whole) else {
            return;
        };
        let ty = whole.ty(context);
        let extent = ty.shape(context).and_then(|shape| shape.get(axis).copied());
        let (Some(extent), Some(block)) = (extent, copy.body_block(context, 0)) else {
            return;
        };
        if part == 0 {
            return;
        }
        let argument = block.argument(context, axis);
        let location = copy.location(context);
        let first = block.first_op(context);
        let point = first.map_or(InsertionPoint::End(block), InsertionPoint::Before);
        let mut builder = Builder::at(context, point);
        let offset = constant_index(&mut builder, location, extent / self.parts * part);
        let added = AddI::build(&mut builder, location, argument, offset).operation();
        let row = added.result(context, 0);
        argument.replace_uses_if(context, row, |_, usage| usage.owner != added);
    }

    /// A part of a tile in memory is a tile of a view with smaller tiles.
    fn shift_access(&self, context: &mut Context, copy: Operation, axis: Option<usize>, part: i64) {
        let view = copy.operands_named(context, "view").first().copied();
        let (Some(axis), Some(view)) = (axis, view) else {
            return;
        };
        let Some(blocks) = view.defining_op(context) else {
            return;
        };
        let Some(mut shaped) = ShapedView::of(context, view.ty(context)) else {
            return;
        };
        shaped.shape[axis] /= self.parts;
        let own = blocks.clone_into(context, &mut Mapping::default());
        let ty = shaped.ty(context);
        own.result(context, 0).set_type(context, ty);
        if let Some(block) = blocks.block(context) {
            block.insert_before(context, blocks.next(context), own);
        }
        let own = own.result(context, 0);
        copy.set_operand(context, 0, own);
        let coordinate = 1 + copy.operands_named(context, "value").len() + axis;
        let whole = copy.operand(context, coordinate);
        let location = copy.location(context);
        let mut builder = Builder::at(context, InsertionPoint::Before(copy));
        let scale = constant_index(&mut builder, location, self.parts);
        let mut index = MulI::build(&mut builder, location, whole, scale).result(builder.ir());
        if part > 0 {
            let offset = constant_index(&mut builder, location, part);
            index = AddI::build(&mut builder, location, index, offset).result(builder.ir());
        }
        copy.set_operand(context, coordinate, index);
        let atom = copy.attribute(context, "atom");
        if let Some(atom) = atom.and_then(|atom| with_box(context, atom, &shaped.shape)) {
            copy.set_attribute(context, "atom", atom);
        }
    }

    /// A loop that carries the parts of divided values, with the operations of the old one.
    fn replace_loop(&mut self, context: &mut Context, body: &LoopBody) -> Operation {
        let old = body.op;
        let mut state = OperationState::new(old.name(context), old.location(context));
        state.operands = body.bounds(context).into_iter().collect();
        state.properties = old.properties(context);
        state.attributes = old.attributes(context);
        let induction = body.induction_variable(context);
        let mut arguments = vec![(induction.ty(context), old.location(context))];
        let carried = body.carried(context);
        let initial = body.initial_values(context);
        for (&argument, &value) in carried.iter().zip(&initial) {
            let location = argument.location(context);
            match self.axes.of.get(&argument) {
                Some(&axis) => {
                    let ty = divided(context, argument.ty(context), axis, self.parts);
                    for map in &self.maps {
                        state.operands.push(map.lookup(value));
                        state.result_types.push(ty);
                        arguments.push((ty, location));
                    }
                }
                None => {
                    state.operands.push(value);
                    state.result_types.push(argument.ty(context));
                    arguments.push((argument.ty(context), location));
                }
            }
        }
        let region = Region::new(context);
        let block = Block::new(context, &arguments);
        region.append_block(context, block);
        state.regions.push(region);
        let made = Operation::create(context, &state);
        if let Some(home) = old.block(context) {
            home.insert_before(context, Some(old), made);
        }
        for op in body.operations.iter().chain([&body.terminator]).copied() {
            op.detach(context);
            block.append(context, op);
        }
        let own = block.argument(context, 0);
        induction.replace_all_uses_with(context, own);
        let mut next = 0;
        for (position, &argument) in carried.iter().enumerate() {
            let result = old.result(context, position);
            if self.axes.of.contains_key(&argument) {
                for map in &mut self.maps {
                    map.map(argument, block.argument(context, next + 1));
                    map.map(result, made.result(context, next));
                    next += 1;
                }
            } else {
                let own = block.argument(context, next + 1);
                argument.replace_all_uses_with(context, own);
                let own = made.result(context, next);
                result.replace_all_uses_with(context, own);
                next += 1;
            }
        }
        made
    }

    fn replace_yield(&self, context: &mut Context, body: &LoopBody) {
        let mut yielded = Vec::new();
        for value in body.terminator.operands(context).collect::<Vec<_>>() {
            if self.axes.of.contains_key(&value) {
                yielded.extend(self.maps.iter().map(|map| map.lookup(value)));
            } else {
                yielded.push(value);
            }
        }
        body.terminator.set_operands(context, &yielded);
    }
}

/// Gives a constant of equal elements the type of its result.
fn shorten_constant(context: &mut Context, op: Operation) {
    let value = op.attribute(context, "value");
    let bytes = value
        .and_then(|value| value.splat_bytes(context))
        .map(<[u8]>::to_vec);
    let ty = op.result(context, 0).ty(context);
    if let Some(bytes) = bytes
        && let Ok(value) = Attribute::dense(context, ty, &bytes)
    {
        op.set_attribute(context, "value", value);
    }
}
