//! Parts of tiles: slices that exist already, or extracted ones, and whole tiles made of slices.

use std::collections::BTreeMap;

use orison_host::arith::{constant, constant_of};
use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::{
    Attribute, Builder, Context, InsertionPoint, Operation, OperationName, OperationState, Type,
    Value,
};
use orison_tileas::nv_tileas::{Bound, ExtractSlice, InsertSlice, SliceBounds};

use super::iteration_space::tile;

/// The slices of a tile: a grid, in row-major order.
#[derive(Clone, Debug)]
pub struct Slices {
    /// Extents of a slice.
    pub sizes: Vec<i64>,
    /// Number of slices along each axis.
    pub counts: Vec<i64>,
    /// The slices.
    pub values: Vec<Value>,
}

impl Slices {
    /// The part of the whole that a slice is.
    pub fn part(&self, number: usize) -> Part {
        Part {
            offsets: self.offsets(number),
            sizes: self.sizes.clone(),
        }
    }

    fn offsets(&self, mut number: usize) -> Vec<i64> {
        let mut offsets = vec![0; self.sizes.len()];
        for axis in (0..self.sizes.len()).rev() {
            let count = usize::try_from(self.counts[axis]).unwrap_or(1).max(1);
            offsets[axis] = i64::try_from(number % count).unwrap_or(0) * self.sizes[axis];
            number /= count;
        }
        offsets
    }

    /// The slice that a part lies in, and the offsets of the part in it.
    pub fn containing(&self, part: &Part) -> Option<(Value, Vec<i64>)> {
        let (number, inside) = self.place(part)?;
        Some((*self.values.get(number)?, inside))
    }

    /// The number of the slice that a part lies in, and the offsets of the part in it.
    fn place(&self, part: &Part) -> Option<(usize, Vec<i64>)> {
        let mut number = 0;
        let mut inside = Vec::new();
        for axis in 0..self.sizes.len() {
            let (size, offset) = (self.sizes[axis], part.offsets[axis]);
            let at = offset / size;
            if (offset + part.sizes[axis] - 1) / size != at {
                return None;
            }
            number = number * self.counts[axis] + at;
            inside.push(offset % size);
        }
        Some((usize::try_from(number).ok()?, inside))
    }
}

/// A part of a tile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Offset along each axis, in elements.
    pub offsets: Vec<i64>,
    /// Extent along each axis, in elements.
    pub sizes: Vec<i64>,
}

/// What is known about the parts of values.
#[derive(Debug, Default)]
pub struct Parts {
    slices: BTreeMap<Value, Slices>,
    extracted: BTreeMap<(Value, Part), Value>,
    /// Operations that may have become dead, in order of creation.
    pub candidates: Vec<Operation>,
}

impl Parts {
    /// The slices that a value is made of.
    pub fn slices_of(&self, value: Value) -> Option<&Slices> {
        self.slices.get(&value)
    }

    /// A part of a value: the value itself, a slice that it was made of, a smaller constant, or an
    /// extracted slice, which stands directly after the definition.
    pub fn part(&mut self, context: &mut Context, value: Value, part: &Part) -> Value {
        let Some((shape, element)) = tile(context, value.ty(context)) else {
            return value;
        };
        if shape == part.sizes {
            return value;
        }
        if let Some((slice, offsets)) = self
            .slices
            .get(&value)
            .and_then(|slices| slices.containing(part))
        {
            let sizes = part.sizes.clone();
            return self.part(context, slice, &Part { offsets, sizes });
        }
        let splat = constant_of(context, value);
        let splat = splat.and_then(|constant| constant.splat_bytes(context).map(<[u8]>::to_vec));
        let mut key = (value, part.clone());
        if splat.is_some() {
            key.1.offsets.fill(0);
        }
        if let Some(known) = self.extracted.get(&key) {
            return *known;
        }
        let ty = Type::tensor(context, &part.sizes, element);
        let location = value.location(context);
        let point = after_definition(context, value);
        let mut builder = Builder::at(context, point);
        let smaller = splat.and_then(|bytes| Attribute::dense(builder.context(), ty, &bytes).ok());
        let made = match smaller {
            Some(smaller) => {
                self.candidates.extend(value.defining_op(builder.ir()));
                constant(&mut builder, location, smaller)
            }
            None => extract(&mut builder, value, part, ty),
        };
        self.candidates.extend(made.defining_op(context));
        self.extracted.insert(key, made);
        made
    }

    /// The tile that is made of slices, built at an insertion point.
    pub fn whole(&mut self, builder: &mut Builder<'_>, ty: Type, slices: Slices) -> Option<Value> {
        let location = slices.values.first()?.location(builder.ir());
        let bits = ty.scalar(builder.ir()).bit_width(builder.ir())?;
        let zero = vec![0; usize::try_from(bits.div_ceil(8)).ok()?];
        let zero = Attribute::dense(builder.context(), ty, &zero).ok()?;
        let mut whole = constant(builder, location, zero);
        self.candidates.extend(whole.defining_op(builder.ir()));
        for (number, slice) in slices.values.iter().enumerate() {
            whole = insert(builder, *slice, whole, &slices.part(number));
            self.candidates.extend(whole.defining_op(builder.ir()));
        }
        self.slices.insert(whole, slices);
        Some(whole)
    }

    /// Lets the slices that were extracted from a value be found in what it is made of now.
    pub fn resolve_extracted(&mut self, context: &mut Context, value: Value) {
        let users: Vec<Operation> = value.users(context).collect();
        for user in users {
            let Some(part) = extracted_part(context, user) else {
                continue;
            };
            let slices = self.slices.get(&value);
            if slices.is_none_or(|slices| slices.containing(&part).is_none()) {
                continue;
            }
            let found = self.part(context, value, &part);
            let result = user.result(context, 0);
            if found.ty(context) == result.ty(context) {
                result.replace_all_uses_with(context, found);
                self.forget(result);
                self.candidates.push(user);
            }
        }
    }

    /// Forgets what was extracted from and known of a value that goes away.
    pub fn forget(&mut self, value: Value) {
        self.slices.remove(&value);
        self.extracted
            .retain(|(of, _), known| *of != value && *known != value);
    }

    /// Erases what is not used.
    pub fn erase_dead(&mut self, context: &mut Context) {
        while let Some(op) = self.candidates.pop() {
            if op.is_live(context) && op.is_unused(context) {
                let makers: Vec<Operation> = op
                    .operands(context)
                    .filter_map(|value| value.defining_op(context))
                    .filter(|maker| {
                        ExtractSlice::of(context, *maker).is_some()
                            || InsertSlice::of(context, *maker).is_some()
                    })
                    .collect();
                op.erase(context);
                self.candidates.extend(makers);
            }
        }
    }
}

/// The static part that an `extract_slice` of unit strides takes.
pub fn extracted_part(context: &Context, op: Operation) -> Option<Part> {
    ExtractSlice::of(context, op)?;
    let bounds = SliceBounds::of(context, op)?;
    let fixed = |list: &[Bound]| -> Option<Vec<i64>> {
        list.iter()
            .map(|bound| match bound {
                Bound::Static(number) => Some(*number),
                Bound::Dynamic(_) => None,
            })
            .collect()
    };
    let strides = fixed(&bounds.strides)?;
    let part = Part {
        offsets: fixed(&bounds.offsets)?,
        sizes: fixed(&bounds.sizes)?,
    };
    strides.iter().all(|stride| *stride == 1).then_some(part)
}

/// After the definition of a value, and what is extracted from it there.
fn after_definition(context: &Context, value: Value) -> InsertionPoint {
    let mut next = match value.defining_op(context) {
        Some(op) => op.next(context),
        None => value
            .argument_owner(context)
            .and_then(|block| block.first_op(context)),
    };
    while let Some(extract) = next.and_then(|next| ExtractSlice::of(context, next))
        && extract.source(context) == value
    {
        next = extract.operation().next(context);
    }
    let end = value.parent_block(context);
    match (next, end) {
        (Some(next), _) => InsertionPoint::Before(next),
        (None, Some(block)) => InsertionPoint::End(block),
        (None, None) => InsertionPoint::Detached,
    }
}

fn extract(builder: &mut Builder<'_>, source: Value, part: &Part, ty: Type) -> Value {
    let operands = [source];
    slice_operation(builder, ExtractSlice::NAME, &operands, part, ty)
}

fn insert(builder: &mut Builder<'_>, slice: Value, whole: Value, part: &Part) -> Value {
    let ty = whole.ty(builder.ir());
    slice_operation(builder, InsertSlice::NAME, &[slice, whole], part, ty)
}

fn slice_operation(
    builder: &mut Builder<'_>,
    name: &str,
    operands: &[Value],
    part: &Part,
    ty: Type,
) -> Value {
    let fixed = |list: &[i64]| list.iter().copied().map(Bound::Static).collect();
    let bounds = SliceBounds {
        offsets: fixed(&part.offsets),
        sizes: fixed(&part.sizes),
        strides: vec![Bound::Static(1); part.sizes.len()],
    };
    let location = operands[0].location(builder.ir());
    let context = builder.context();
    let name = OperationName::new(context, name);
    let mut state = OperationState::new(name, location);
    bounds.write(context, &mut state);
    let mut segments = vec![1; operands.len()];
    segments.extend([0; 3]);
    let segments = Attribute::i32_array(context, &segments);
    state.set_property(context, OPERAND_SEGMENTS, segments);
    state.operands.extend(operands.iter().copied());
    state.result_types.push(ty);
    builder.create(&state).result(builder.ir(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices() -> Slices {
        Slices {
            sizes: vec![16, 8],
            counts: vec![2, 3],
            values: Vec::new(),
        }
    }

    #[test]
    fn a_part_is_in_one_slice_or_in_none() {
        let place = |offsets: [i64; 2], sizes: [i64; 2]| {
            slices().place(&Part {
                offsets: offsets.to_vec(),
                sizes: sizes.to_vec(),
            })
        };
        assert_eq!(place([16, 8], [16, 8]), Some((4, vec![0, 0])));
        assert_eq!(place([20, 18], [4, 2]), Some((5, vec![4, 2])));
        assert_eq!(place([8, 0], [16, 8]), None);
        assert_eq!(place([0, 0], [16, 16]), None);
    }

    #[test]
    fn offsets_are_row_major() {
        let slices = slices();
        let offsets: Vec<_> = (0..6).map(|number| slices.offsets(number)).collect();
        assert_eq!(
            offsets,
            [[0, 0], [0, 8], [0, 16], [16, 0], [16, 8], [16, 16]]
        );
    }
}
