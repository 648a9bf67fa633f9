//! The elements that an operation computes, as axes that can be divided, and the axes of its operands and
//! results among them.

use std::sync::LazyLock;

use orison_host::arith;
use orison_host::arith::{FastMath, FastMathAttr};
use orison_ir::declare::{AttributeForm, OperationDefinition, Trait};
use orison_ir::{Context, Operation, Type, TypeKind, Value};
use orison_tileas::nv_tileaa::BlockTile;
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::{AtomFamily, Reduce, Scan, TiledLoad, TiledStore};

use super::super::classify::atom;
use super::super::shapes::atom_shape;
use super::super::solve::memory_order::is_weak;

/// An axis of the elements that an operation computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Elements along the axis.
    pub extent: i64,
    /// The results do not have the axis: its elements are combined.
    pub is_reduced: bool,
    /// The extents that slices may have.
    pub grain: Grain,
}

/// The extents that the slices of an axis may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grain {
    /// Extents are multiples of this.
    pub multiple: i64,
    /// Extents below `multiple` are allowed if they are multiples of this.
    pub below: Option<i64>,
    /// Why, for messages.
    pub reason: &'static str,
}

impl Grain {
    const ANY: Grain = Grain::of(1, "");

    const fn of(multiple: i64, reason: &'static str) -> Self {
        Grain {
            multiple,
            below: None,
            reason,
        }
    }

    /// Whether slices may have this extent.
    pub fn allows(self, extent: i64) -> bool {
        extent % self.multiple == 0
            || (extent < self.multiple && self.below.is_some_and(|step| extent % step == 0))
    }
}

/// How slices of an operation are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The same operation on slices of the operands.
    Copy,
    /// A tile of a function of the positions of its elements.
    Generated,
    /// A load or store: the operand at this position is the first coordinate.
    Memory {
        /// Position of the first coordinate.
        coordinates: usize,
    },
    /// A product: slices along K add to each other.
    Product {
        /// `b` is N by K.
        transposed: bool,
    },
    /// A reduction: partial results are combined by its region.
    Reduction,
}

/// The axes of the elements that an operation computes.
#[derive(Clone, Debug)]
pub struct Space {
    /// The axes, those of the first result or of the stored value first.
    pub axes: Vec<Axis>,
    /// For each operand that is divided, the axis that each axis of its tile is; none for extents of 1
    /// that are repeated.
    pub operands: Vec<Option<Vec<Option<usize>>>>,
    /// For each result that is divided, the axes of its tile.
    pub results: Vec<Option<Vec<usize>>>,
    /// How slices are made.
    pub form: Form,
}

/// Extents and element of a tile without a layout; none for other types.
pub fn tile(context: &Context, ty: Type) -> Option<(Vec<i64>, Type)> {
    let TypeKind::Tensor {
        shape,
        element,
        encoding: None,
    } = ty.kind(context)
    else {
        return None;
    };
    shape
        .iter()
        .all(|extent| *extent > 0)
        .then(|| (shape.to_vec(), *element))
}

fn shape_of(context: &Context, value: Value) -> Result<Vec<i64>, String> {
    tile(context, value.ty(context))
        .map(|(shape, _)| shape)
        .ok_or_else(|| "a value is no tile, or has a layout".to_owned())
}

/// Names of operations of other dialects.
#[derive(serde::Deserialize, Default)]
struct Foreign {
    elementwise: Vec<String>,
    broadcast: Vec<String>,
}

static FOREIGN: LazyLock<Foreign> =
    LazyLock::new(|| toml::from_str(include_str!("foreign.toml")).unwrap_or_default());

/// Whether each element of the results depends on the same element of the operands only.
fn is_elementwise(context: &Context, op: Operation) -> bool {
    let name = op.name_text(context);
    let declared = op.definition(context).is_some_and(|definition| {
        let mut traits = definition.traits.iter();
        traits.any(|known| matches!(known, Trait::Custom(known) if known.name == "Elementwise"))
    });
    declared || FOREIGN.elementwise.iter().any(|known| known == name)
}

impl Space {
    /// The space of an operation.
    ///
    /// # Errors
    /// Why the operation cannot be divided.
    pub fn of(context: &Context, op: Operation) -> Result<Self, String> {
        let space = Self::by_operation(context, op)?;
        let numbers = op.results(context).all(|result| {
            let element = result.ty(context).scalar(context);
            tile(context, result.ty(context)).is_none()
                || element.is_float(context)
                || element.is_integer(context)
                || element == Type::INDEX
        });
        if numbers {
            Ok(space)
        } else {
            Err("its elements are no numbers".to_owned())
        }
    }

    /// The space of an operation, whatever its elements are.
    fn by_operation(context: &Context, op: Operation) -> Result<Self, String> {
        if let Some(load) = TiledLoad::of(context, op) {
            return Self::of_load(context, load);
        }
        if let Some(store) = TiledStore::of(context, op) {
            return Self::of_store(context, store);
        }
        if nv_tileas::Dot::matches(context, op) {
            return Self::of_product(context, op);
        }
        if let Some(reduction) = Reduce::of(context, op) {
            return Self::of_reduction(context, reduction);
        }
        if let Some(scan) = Scan::of(context, op) {
            return Self::of_scan(context, scan);
        }
        if nv_tileas::Generate::matches(context, op) {
            let space = Self::of_function(context, op, |place| place)?;
            let form = Form::Generated;
            return Ok(Space { form, ..space });
        }
        if let Some(wider) = nv_tileas::ExpandDims::of(context, op) {
            let axis = wider.operation().attribute(context, "axis");
            let axis = axis.and_then(|axis| axis.as_i64(context));
            let axis = axis.and_then(|axis| usize::try_from(axis).ok());
            let skips = |place: usize| place + usize::from(axis.is_some_and(|a| place >= a));
            return Self::of_function(context, op, skips);
        }
        let name = op.name_text(context);
        let same_place = nv_tileas::ConvertLayout::matches(context, op)
            || FOREIGN.broadcast.iter().any(|known| known == name)
            || is_elementwise(context, op) && op.region_count(context) == 0;
        if same_place {
            return Self::of_function(context, op, |place| place);
        }
        Err("it is no load, store, product, reduction or elementwise operation".to_owned())
    }

    /// The operands with tiles that have an axis, and the axis of each tile that it is.
    pub fn operands_along(
        &self,
        context: &Context,
        op: Operation,
        axis: usize,
    ) -> Vec<(Value, usize)> {
        along(op.operands(context), &self.operands, &Some(axis))
    }

    /// The results with tiles that have an axis, and the axis of each tile that it is.
    pub fn results_along(
        &self,
        context: &Context,
        op: Operation,
        axis: usize,
    ) -> Vec<(Value, usize)> {
        along(op.results(context), &self.results, &axis)
    }

    /// The axis of the rows of a product.
    pub fn rows(&self) -> Option<usize> {
        // M is before N and K.
        matches!(self.form, Form::Product { .. }).then(|| self.axes.len() - 3)
    }

    /// An operation whose operands have the axes of the result at `place`, or repeat an extent of 1.
    fn of_function(
        context: &Context,
        op: Operation,
        place: impl Fn(usize) -> usize,
    ) -> Result<Self, String> {
        let first = op.results(context).next().ok_or("it has no result")?;
        let shape = shape_of(context, first)?;
        let mut operands = Vec::new();
        for operand in op.operands(context) {
            if !operand.ty(context).is_shaped(context) {
                operands.push(None);
                continue;
            }
            let mut map = Vec::new();
            for (axis, extent) in shape_of(context, operand)?.into_iter().enumerate() {
                let axis = place(axis);
                match shape.get(axis) {
                    Some(whole) if *whole == extent => map.push(Some(axis)),
                    Some(_) if extent == 1 => map.push(None),
                    _ => return Err("an operand has other extents than the result".to_owned()),
                }
            }
            operands.push(Some(map));
        }
        let mut results = Vec::new();
        for result in op.results(context) {
            if shape_of(context, result)? != shape {
                return Err("its results have different extents".to_owned());
            }
            results.push(Some((0..shape.len()).collect()));
        }
        let axes = shape.iter().map(|extent| axis(*extent)).collect();
        Ok(Space {
            axes,
            operands,
            results,
            form: Form::Copy,
        })
    }

    fn of_load(context: &Context, load: TiledLoad) -> Result<Self, String> {
        let op = load.operation();
        let shape = shape_of(context, load.tile(context))?;
        let axes = memory_axes(context, op, load.view(context), &shape)?;
        let results = op.results(context).enumerate();
        let results = results
            .map(|(number, _)| (number == 0).then(|| (0..shape.len()).collect()))
            .collect();
        Ok(Space {
            axes,
            operands: vec![None; op.operand_count(context)],
            results,
            form: Form::Memory { coordinates: 1 },
        })
    }

    fn of_store(context: &Context, store: TiledStore) -> Result<Self, String> {
        let op = store.operation();
        let shape = shape_of(context, store.value(context))?;
        let axes = memory_axes(context, op, store.view(context), &shape)?;
        let mut operands = vec![None; op.operand_count(context)];
        operands[1] = Some((0..shape.len()).map(Some).collect());
        Ok(Space {
            axes,
            operands,
            results: vec![None; op.result_count(context)],
            form: Form::Memory { coordinates: 2 },
        })
    }

    /// Axes: batch, M, N, K.
    fn of_product(context: &Context, op: Operation) -> Result<Self, String> {
        let shapes: Result<Vec<_>, _> = op
            .operands(context)
            .take(3)
            .map(|value| shape_of(context, value))
            .collect();
        let shapes = shapes?;
        let ([a, b, c], Some(atom)) = (shapes.as_slice(), atom(context, op)) else {
            return Err("it is malformed".to_owned());
        };
        let ([batch @ .., m, k], Some(n)) = (a.as_slice(), c.last()) else {
            return Err("it is malformed".to_owned());
        };
        let straight = b.ends_with(&[*k, *n]);
        let said = atom.details.get(context, "b");
        let transposed = match (straight, b.ends_with(&[*n, *k])) {
            (true, true) => said.and_then(|said| said.as_str(context)) != Some("kn"),
            (straight, _) => !straight,
        };
        let [atom_m, atom_n, atom_k] = atom_shape(&atom.name).unwrap_or([1, 1, 1]);
        let columns = match atom.family() {
            AtomFamily::Wgmma => Some(8),
            AtomFamily::TensorMma => Some(16),
            _ => None,
        };
        let instruction = "the instruction is not smaller";
        let mut axes: Vec<Axis> = batch.iter().map(|extent| axis(*extent)).collect();
        for (extent, multiple, below) in [
            (*m, atom_m, None),
            (*n, atom_n, columns),
            (*k, atom_k, None),
        ] {
            // The name of an instruction that is larger than the tile says nothing about slices.
            let multiple = if extent % multiple == 0 {
                multiple
            } else {
                extent
            };
            let grain = Grain {
                below,
                ..Grain::of(multiple, instruction)
            };
            axes.push(Axis {
                grain,
                ..axis(extent)
            });
        }
        let leading = batch.len();
        let (of_m, of_n, of_k) = (leading, leading + 1, leading + 2);
        axes[of_k].is_reduced = true;
        let map = |last: [usize; 2]| -> Vec<usize> { (0..leading).chain(last).collect() };
        let operand = |last| Some(map(last).into_iter().map(Some).collect());
        let mut operands = vec![
            operand([of_m, of_k]),
            operand(if transposed {
                [of_n, of_k]
            } else {
                [of_k, of_n]
            }),
            operand([of_m, of_n]),
        ];
        operands.resize(op.operand_count(context), None);
        Ok(Space {
            axes,
            operands,
            results: vec![Some(map([of_m, of_n]))],
            form: Form::Product { transposed },
        })
    }

    fn of_reduction(context: &Context, reduce: Reduce) -> Result<Self, String> {
        let op = reduce.operation();
        let (mut space, along) = Self::along_axis(context, op, reduce.axis(context))?;
        space.axes[along].is_reduced = true;
        if !combines_exactly(context, op) {
            space.axes[along].grain = Grain::of(
                space.axes[along].extent,
                "its order of combination is rounded",
            );
        }
        let rest: Vec<usize> = (0..space.axes.len())
            .filter(|axis| *axis != along)
            .collect();
        space.results = vec![Some(rest); op.result_count(context)];
        space.form = Form::Reduction;
        Ok(space)
    }

    fn of_scan(context: &Context, scan: Scan) -> Result<Self, String> {
        let op = scan.operation();
        let (mut space, along) = Self::along_axis(context, op, scan.axis(context))?;
        space.axes[along].grain = Grain::of(
            space.axes[along].extent,
            "each element needs those before it",
        );
        let all: Vec<usize> = (0..space.axes.len()).collect();
        space.results = vec![Some(all); op.result_count(context)];
        Ok(space)
    }

    /// The space of an operation that goes along an axis of its operands, without results.
    fn along_axis(
        context: &Context,
        op: Operation,
        along: Option<i32>,
    ) -> Result<(Self, usize), String> {
        let first = op.operands(context).next().ok_or("it has no operand")?;
        let shape = shape_of(context, first)?;
        for operand in op.operands(context) {
            if shape_of(context, operand)? != shape {
                return Err("its operands have different extents".to_owned());
            }
        }
        let along = along.and_then(|along| usize::try_from(along).ok());
        let along = along.filter(|along| *along < shape.len());
        let identity: Vec<_> = (0..shape.len()).map(Some).collect();
        let space = Space {
            axes: shape.iter().map(|extent| axis(*extent)).collect(),
            operands: vec![Some(identity); op.operand_count(context)],
            results: Vec::new(),
            form: Form::Copy,
        };
        Ok((space, along.ok_or("its axis is malformed")?))
    }
}

/// The values of which an axis is at a place of the space, with this axis.
fn along<P: PartialEq>(
    values: impl Iterator<Item = Value>,
    maps: &[Option<Vec<P>>],
    wanted: &P,
) -> Vec<(Value, usize)> {
    let mut found = Vec::new();
    for (value, map) in values.zip(maps) {
        let places = map.iter().flatten().enumerate();
        let own = places.filter(|(_, place)| *place == wanted);
        found.extend(own.map(|(axis, _)| (value, axis)));
    }
    found
}

fn axis(extent: i64) -> Axis {
    Axis {
        extent,
        is_reduced: false,
        grain: Grain::ANY,
    }
}

/// The axes of a load or store of a tile of a view.
fn memory_axes(
    context: &Context,
    op: Operation,
    view: Value,
    shape: &[i64],
) -> Result<Vec<Axis>, String> {
    let maker = view.defining_op(context);
    if maker
        .and_then(|maker| BlockTile::of(context, maker))
        .is_none()
    {
        return Err("its view is not made by nv_tileaa.block_tile".to_owned());
    }
    if !is_weak(context, op) {
        return Err("it orders other memory accesses".to_owned());
    }
    let atom = atom(context, op);
    if atom.is_some_and(|atom| atom.has_leading_offset(context)) {
        return Err("its coordinates start with an offset of the descriptor".to_owned());
    }
    let signals = op.results_named(context, "result_token");
    let is_read = signals.iter().any(|token| !token.is_unused(context));
    if is_read && !op.has_operands_named(context, "token") {
        return Err("its token is used, and it has no token operand".to_owned());
    }
    let mut axes: Vec<Axis> = shape.iter().map(|extent| axis(*extent)).collect();
    let bits = view.ty(context);
    let bits = orison_tileas::views::ShapedView::of(context, bits)
        .and_then(|view| view.element.bit_width(context));
    // Bytes that a box or an access has along the innermost axis.
    let least = match atom {
        Some(atom) if atom.family().is_tma() => Some((128, "a box has rows of 16 bytes or more")),
        Some(atom) => atom
            .access_bits()
            .map(|bits| (bits, "an access is not smaller")),
        None => None,
    };
    if let (Some(last), Some((least, reason)), Some(bits)) = (axes.last_mut(), least, bits) {
        let multiple = i64::from(least.div_ceil(bits.max(1)));
        if last.extent % multiple == 0 {
            last.grain = Grain::of(multiple, reason);
        }
    }
    Ok(axes)
}

/// Whether the region of a reduction combines values exactly, in any grouping: one operation for each
/// result that is associative without rounding, or is allowed to be reassociated.
fn combines_exactly(context: &Context, op: Operation) -> bool {
    const EXACT: [&OperationDefinition; 11] = [
        arith::AddI::DEFINITION,
        arith::MulI::DEFINITION,
        arith::AndI::DEFINITION,
        arith::OrI::DEFINITION,
        arith::XOrI::DEFINITION,
        arith::MaxSI::DEFINITION,
        arith::MinSI::DEFINITION,
        arith::MaxUI::DEFINITION,
        arith::MinUI::DEFINITION,
        arith::MaximumF::DEFINITION,
        arith::MinimumF::DEFINITION,
    ];
    let Some(block) = op.body_block(context, 0) else {
        return false;
    };
    let Some(end) = block.terminator(context) else {
        return false;
    };
    let arguments: Vec<Value> = block.arguments(context).collect();
    let count = op.operand_count(context);
    let combined: Vec<Value> = end.operands(context).collect();
    combined.len() == count
        && combined.iter().enumerate().all(|(number, value)| {
            let Some(maker) = value.defining_op(context) else {
                return false;
            };
            let flags = maker.attribute(context, "fastmath");
            let flags = flags.and_then(|flags| FastMathAttr::read(context, flags));
            let reassociates = maker
                .is_one_of(context, &[arith::AddF::DEFINITION, arith::MulF::DEFINITION])
                && flags.is_some_and(|flags| flags.contains(FastMath::REASSOC));
            let pair = [arguments.get(number), arguments.get(number + count)];
            let mut operands = maker.operands(context);
            (reassociates || maker.is_one_of(context, &EXACT))
                && maker.operand_count(context) == 2
                && pair
                    .into_iter()
                    .all(|argument| operands.next().as_ref() == argument)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_have_whole_instructions_or_smaller_ones() {
        let columns = Grain {
            below: Some(8),
            ..Grain::of(128, "")
        };
        let allowed = |extent| columns.allows(extent);
        assert!(allowed(256) && allowed(128) && allowed(64) && allowed(8));
        assert!(!allowed(192) && !allowed(4));
        assert!(Grain::of(64, "").allows(128) && !Grain::of(64, "").allows(32));
    }

    #[test]
    fn the_lists_of_other_dialects_are_read() {
        assert!(
            FOREIGN
                .elementwise
                .iter()
                .any(|name| name == "cuda_tile.exp2")
        );
        assert_eq!(FOREIGN.broadcast, ["cuda_tile.broadcast"]);
    }
}
