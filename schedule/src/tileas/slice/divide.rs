//! Replaces an operation by one for each slice.

use orison_host::arith::{AddI, MulI, constant_index};
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Mapping, Operation, OperationState, Type,
    Value,
};
use orison_tileas::nv_tileaa::BlockTile;
use orison_tileas::nv_tileas::{Atom, atom_of_dictionary, with_box};
use orison_tileas::views::ShapedView;

use super::super::attributes::{MAX_SLICES, PREFERRED_ATOM_SIZE};
use super::iteration_space::{Form, Space, tile};
use super::parts::{Part, Parts, Slices};

/// The division of an operation: its space, and the number of slices along each axis.
#[derive(Clone, Debug)]
pub struct Division {
    /// The axes of the operation.
    pub space: Space,
    /// Slices along each axis.
    pub counts: Vec<i64>,
}

impl Division {
    /// The division of one axis in `count` slices.
    ///
    /// # Errors
    /// Why the axis is not divided so.
    pub fn along(space: Space, axis: usize, count: i64) -> Result<Self, String> {
        let along = &space.axes[axis];
        if along.extent % count != 0 || !along.grain.allows(along.extent / count) {
            let reason = match along.grain.reason {
                "" => String::new(),
                reason => format!(": {reason}"),
            };
            let extent = along.extent;
            return Err(format!(
                "its {extent} elements along axis {axis} are not divided in {count}{reason}"
            ));
        }
        let mut counts = vec![1; space.axes.len()];
        counts[axis] = count;
        Ok(Division { space, counts })
    }

    /// Number of slices.
    pub fn len(&self) -> i64 {
        self.counts
            .iter()
            .fold(1, |all, count| all.saturating_mul(*count))
    }

    fn size(&self, axis: usize) -> i64 {
        self.space.axes[axis].extent / self.counts[axis]
    }

    /// The part of a tile whose axes are these, of the slice at a position.
    fn part(&self, shape: &[i64], axes: &[Option<usize>], position: &[i64]) -> Part {
        let mut part = Part {
            offsets: Vec::new(),
            sizes: Vec::new(),
        };
        for (extent, axis) in shape.iter().zip(axes) {
            let size = axis.map_or(*extent, |axis| self.size(axis));
            part.offsets
                .push(axis.map_or(0, |axis| position[axis] * size));
            part.sizes.push(size);
        }
        part
    }

    /// The positions of slices along the axes that are reduced, or those that are not, in row-major
    /// order.
    fn positions(&self, reduced: bool) -> Vec<Vec<i64>> {
        let mut all = vec![vec![0; self.counts.len()]];
        for (axis, count) in self.counts.iter().enumerate() {
            if self.space.axes[axis].is_reduced != reduced {
                continue;
            }
            let mut next = Vec::new();
            for position in &all {
                for at in 0..*count {
                    let mut position = position.clone();
                    position[axis] = at;
                    next.push(position);
                }
            }
            all = next;
        }
        all
    }
}

/// Replaces an operation by its slices. `parts` learns what the results are made of.
pub fn divide(context: &mut Context, parts: &mut Parts, op: Operation, division: &Division) {
    let mut slicer = Slicer {
        parts,
        op,
        division,
        previous: None,
    };
    let mut made: Vec<Vec<Value>> = vec![Vec::new(); op.result_count(context)];
    for outer in division.positions(false) {
        let values = slicer.slice(context, &outer);
        for (list, value) in made.iter_mut().zip(values) {
            list.push(value);
        }
    }
    for (number, values) in made.into_iter().enumerate() {
        let result = op.result(context, number);
        let replacement = match &division.space.results[number] {
            Some(axes) => slicer.assembled(context, result.ty(context), axes, values),
            // The last access of a chain signals for all.
            None => values.last().copied(),
        };
        if let Some(replacement) = replacement {
            result.replace_all_uses_with(context, replacement);
        }
    }
    op.erase(context);
}

struct Slicer<'s> {
    parts: &'s mut Parts,
    op: Operation,
    division: &'s Division,
    /// The token of the previous slice of a load or store.
    previous: Option<Value>,
}

impl Slicer<'_> {
    /// The results of the slice at a position of the axes that are not reduced.
    fn slice(&mut self, context: &mut Context, outer: &[i64]) -> Vec<Value> {
        let mut results: Vec<Value> = Vec::new();
        for inner in self.division.positions(true) {
            let position: Vec<i64> = outer.iter().zip(&inner).map(|(a, b)| a + b).collect();
            let partial = match self.division.space.form {
                Form::Copy | Form::Reduction => self.copy(context, &position),
                Form::Generated => self.generated(context, &position),
                Form::Memory { coordinates } => self.access(context, &position, coordinates),
                Form::Product { transposed } => {
                    let sum = results.first().copied();
                    self.product(context, &position, sum, transposed)
                }
            };
            results = match self.division.space.form {
                Form::Reduction if !results.is_empty() => {
                    self.combined(context, &results, &partial)
                }
                _ => partial,
            };
        }
        results
    }

    /// The parts of the operands that a slice reads.
    fn operands(&mut self, context: &mut Context, position: &[i64]) -> Vec<Value> {
        let operands: Vec<Value> = self.op.operands(context).collect();
        let mut read = Vec::new();
        for (operand, axes) in operands.into_iter().zip(&self.division.space.operands) {
            let shape = tile(context, operand.ty(context));
            let value = match (axes, shape) {
                (Some(axes), Some((shape, _))) => {
                    let part = self.division.part(&shape, axes, position);
                    self.parts.part(context, operand, &part)
                }
                _ => operand,
            };
            read.push(value);
        }
        read
    }

    /// The types of the results of a slice.
    fn types(&self, context: &mut Context) -> Vec<Type> {
        let types = self.op.result_types(context);
        let maps = types.into_iter().zip(&self.division.space.results);
        let mut sliced = Vec::new();
        for (ty, axes) in maps {
            sliced.push(match (axes, tile(context, ty)) {
                (Some(axes), Some((_, element))) => {
                    let sizes: Vec<i64> =
                        axes.iter().map(|axis| self.division.size(*axis)).collect();
                    Type::tensor(context, &sizes, element)
                }
                _ => ty,
            });
        }
        sliced
    }

    /// A copy of the operation with other operands, before it.
    fn create(
        &self,
        context: &mut Context,
        operands: &[Value],
        atom: Option<Attribute>,
    ) -> Vec<Value> {
        let mut state = OperationState::new(self.op.name(context), self.op.location(context));
        state.operands = operands.iter().copied().collect();
        state.result_types = self.types(context).into();
        state.properties = self.op.properties(context);
        let attributes = self.op.attributes(context);
        let attributes = attributes.without(context, PREFERRED_ATOM_SIZE);
        state.attributes = attributes.without(context, MAX_SLICES);
        if let Some(atom) = atom {
            state.set_property(context, "atom", atom);
        }
        let regions: Vec<_> = self.op.regions(context).collect();
        for region in regions {
            let copy = orison_ir::Region::new(context);
            region.clone_into(context, copy, &mut Mapping::default());
            state.regions.push(copy);
        }
        let mut builder = Builder::at(context, InsertionPoint::Before(self.op));
        let made = builder.create(&state);
        made.results(context).collect()
    }

    fn copy(&mut self, context: &mut Context, position: &[i64]) -> Vec<Value> {
        let operands = self.operands(context, position);
        self.create(context, &operands, None)
    }

    /// A generated tile: the positions of its elements begin at the first of the slice.
    fn generated(&mut self, context: &mut Context, position: &[i64]) -> Vec<Value> {
        let made = self.copy(context, position);
        let op = made.first().and_then(|tile| tile.defining_op(context));
        let Some(block) = op.and_then(|op| op.body_block(context, 0)) else {
            return made;
        };
        let first = block.first_op(context);
        let point = first.map_or(InsertionPoint::End(block), InsertionPoint::Before);
        let location = self.op.location(context);
        for (axis, at) in position.iter().enumerate().filter(|(_, at)| **at > 0) {
            let argument = block.argument(context, axis);
            let mut builder = Builder::at(context, point);
            let offset = constant_index(&mut builder, location, at * self.division.size(axis));
            let added = AddI::build(&mut builder, location, argument, offset);
            let (added, place) = (added.operation(), added.result(builder.ir()));
            argument.replace_uses_if(context, place, |_, usage| usage.owner != added);
        }
        made
    }

    /// The load or store of a slice: a view of smaller tiles, and the coordinates in it.
    fn access(&mut self, context: &mut Context, position: &[i64], first: usize) -> Vec<Value> {
        let mut operands = self.operands(context, position);
        let sizes: Vec<i64> = (0..position.len())
            .map(|axis| self.division.size(axis))
            .collect();
        operands[0] = self.view(context, operands[0], &sizes);
        let location = self.op.location(context);
        for (axis, at) in position.iter().enumerate() {
            let count = self.division.counts[axis];
            if count == 1 {
                continue;
            }
            let mut builder = Builder::at(context, InsertionPoint::Before(self.op));
            let count = constant_index(&mut builder, location, count);
            let at = constant_index(&mut builder, location, *at);
            let tiles = MulI::build(&mut builder, location, operands[first + axis], count);
            let tiles = tiles.result(builder.ir());
            let tile = AddI::build(&mut builder, location, tiles, at);
            operands[first + axis] = tile.result(builder.ir());
        }
        let signal = self
            .op
            .results_named(context, "result_token")
            .first()
            .copied();
        let is_read = signal.is_some_and(|token| !token.is_unused(context));
        // The token operand is the last one.
        if let (Some(previous), Some(token), true) = (self.previous, operands.last_mut(), is_read) {
            *token = previous;
        }
        let atom = self.op.attribute(context, "atom");
        let atom = atom.and_then(|atom| with_box(context, atom, &sizes));
        let made = self.create(context, &operands, atom);
        if is_read {
            self.previous = made.last().copied();
        }
        made
    }

    /// The view of smaller tiles of the same memory.
    fn view(&mut self, context: &mut Context, view: Value, sizes: &[i64]) -> Value {
        let Some(maker) = view.defining_op(context) else {
            return view;
        };
        let Some(shaped) = ShapedView::of(context, view.ty(context)) else {
            return view;
        };
        let shaped = ShapedView {
            shape: sizes.to_vec(),
            ..shaped.clone()
        };
        let ty = shaped.ty(context);
        self.parts.candidates.push(maker);
        let memory = BlockTile(maker).memory(context);
        // One that an earlier operation needed follows directly.
        let mut next = maker.next(context);
        while let Some(known) = next.and_then(|next| BlockTile::of(context, next)) {
            let made = known.view(context);
            if known.memory(context) == memory && made.ty(context) == ty {
                return made;
            }
            next = known.operation().next(context);
        }
        let point = match (maker.next(context), maker.block(context)) {
            (Some(next), _) => InsertionPoint::Before(next),
            (None, Some(block)) => InsertionPoint::End(block),
            (None, None) => return view,
        };
        let location = maker.location(context);
        let mut builder = Builder::at(context, point);
        let made = BlockTile::build(&mut builder, location, memory, ty);
        made.view(context)
    }

    /// A product of slices that adds to the sum of those before along K.
    fn product(
        &mut self,
        context: &mut Context,
        position: &[i64],
        sum: Option<Value>,
        transposed: bool,
    ) -> Vec<Value> {
        let mut operands = self.operands(context, position);
        if let Some(sum) = sum {
            operands[2] = sum;
            operands.truncate(3);
        }
        let [n, k] = [2, 1].map(|back| self.division.size(position.len() - back));
        let atom = self.op.attribute(context, "atom");
        let atom = atom.and_then(|atom| product_atom(context, atom, (n, k), transposed));
        self.create(context, &operands, atom)
    }

    /// The combination of two partial results by the region of a reduction.
    fn combined(&self, context: &mut Context, left: &[Value], right: &[Value]) -> Vec<Value> {
        let Some(block) = self.op.body_block(context, 0) else {
            return left.to_vec();
        };
        let mut values = Mapping::default();
        let arguments: Vec<Value> = block.arguments(context).collect();
        for (argument, value) in arguments.iter().zip(left.iter().chain(right)) {
            values.map(*argument, *value);
        }
        let shape = left
            .first()
            .and_then(|value| tile(context, value.ty(context)));
        let shape = shape.map(|(shape, _)| shape);
        self.on_tiles(context, block, values, shape.as_deref())
    }

    /// The operations of a block on elements, as operations on tiles of elements.
    fn on_tiles(
        &self,
        context: &mut Context,
        block: Block,
        mut values: Mapping,
        shape: Option<&[i64]>,
    ) -> Vec<Value> {
        let inner: Vec<Operation> = block.operations(context).collect();
        let Some((end, inner)) = inner.split_last() else {
            return Vec::new();
        };
        for op in inner {
            let copy = Operation::clone_into(*op, context, &mut values);
            let mut builder = Builder::at(context, InsertionPoint::Before(self.op));
            builder.insert(copy);
            let results: Vec<Value> = copy.results(context).collect();
            for result in results {
                if let Some(shape) = shape {
                    let ty = Type::tensor(context, shape, result.ty(context));
                    result.set_type(context, ty);
                }
            }
        }
        end.operands(context)
            .map(|value| values.lookup(value))
            .collect()
    }

    /// The whole result, if it has several slices.
    fn assembled(
        &mut self,
        context: &mut Context,
        ty: Type,
        axes: &[usize],
        values: Vec<Value>,
    ) -> Option<Value> {
        if values.len() == 1 {
            return values.first().copied();
        }
        let slices = Slices {
            sizes: axes.iter().map(|axis| self.division.size(*axis)).collect(),
            counts: axes
                .iter()
                .map(|axis| self.division.counts[*axis])
                .collect(),
            values,
        };
        let mut builder = Builder::at(context, InsertionPoint::Before(self.op));
        self.parts.whole(&mut builder, ty, slices)
    }
}

/// The atom of a smaller product: an instruction that is not wider than the slice, and the order of
/// `b` if its extents do not tell it.
fn product_atom(
    context: &mut Context,
    attribute: Attribute,
    (n, k): (i64, i64),
    transposed: bool,
) -> Option<Attribute> {
    let atom = Atom::of(context, attribute)?;
    let mut name = atom.name.to_string();
    if let Some([m, columns, depth]) = super::super::shapes::atom_shape(&name)
        && n < columns
    {
        let old = format!("m{m}n{columns}k{depth}");
        name = name.replace(&old, &format!("m{m}n{n}k{depth}"));
    }
    let mut details = atom.details;
    if n == k && details.get(context, "b").is_none() {
        let order = Attribute::string(context, if transposed { "nk" } else { "kn" });
        details = details.with(context, "b", order);
    }
    Some(atom_of_dictionary(context, &name, details))
}
