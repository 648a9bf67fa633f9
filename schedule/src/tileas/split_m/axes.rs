//! Which tiles of a kernel are divided along their rows, and along which of their axes.
//!
//! The sums of the products of a loop are divided along M. From there, the axis follows operands and
//! results, through the loop and to loads and stores, until everything that a divided tile is computed
//! from or used for is divided too. What cannot be divided is a refusal.

use std::collections::BTreeMap;

use orison_ir::{Attribute, Context, Operation, Type, TypeKind, Value, ValueOwner};
use orison_tileas::nv_tileas::Atom;
use orison_tileas::views::{ShapedView, shape_and_element};

use super::super::attributes::{self, LATENCY, RESOURCES};
use super::super::loop_body::LoopBody;

/// The reason that a loop is not divided, and the operation it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The operation.
    pub op: Operation,
    /// The reason.
    pub reason: String,
}

/// What is divided.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    /// The axis of each divided value.
    pub of: BTreeMap<Value, usize>,
    /// The operations of which each part has one, besides the loop.
    pub operations: Vec<Operation>,
}

/// Products: their left factor and sum have the rows of the tile.
const PRODUCTS: [&str; 2] = ["nv_tileas.dot", "nv_tileas.async.dot"];

/// Operations that name a tile of memory by coordinates.
const ACCESSES: [&str; 2] = ["nv_tileas.tiled_load", "nv_tileas.tiled_store"];

/// Determines what is divided if the sums of the products of a loop have `parts` parts.
///
/// # Errors
/// The first operation that cannot be divided.
pub(super) fn axes(context: &Context, body: &LoopBody, parts: i64) -> Result<Axes, Refusal> {
    let mut search = Search {
        context,
        body,
        parts,
        of: BTreeMap::new(),
        operations: Vec::new(),
        pending: Vec::new(),
    };
    let is_product = |op: &&Operation| PRODUCTS.contains(&op.name_text(context));
    let products: Vec<Operation> = body.operations.iter().filter(is_product).copied().collect();
    if products.is_empty() {
        return Err(Refusal {
            op: body.op,
            reason: "contains no product, whose rows could be divided".to_owned(),
        });
    }
    for product in products {
        search.visit(product)?;
    }
    while let Some(value) = search.pending.pop() {
        search.follow(value)?;
    }
    Ok(Axes {
        of: search.of,
        operations: search.operations,
    })
}

struct Search<'s> {
    context: &'s Context,
    body: &'s LoopBody,
    parts: i64,
    of: BTreeMap<Value, usize>,
    operations: Vec<Operation>,
    pending: Vec<Value>,
}

type Step = Result<(), Refusal>;

impl Search<'_> {
    fn refuse<T>(&self, op: Operation, reason: impl Into<String>) -> Result<T, Refusal> {
        let reason = reason.into();
        Err(Refusal { op, reason })
    }

    fn shape(&self, value: Value) -> Option<Vec<i64>> {
        shape_and_element(self.context, value.ty(self.context)).map(|(shape, _)| shape)
    }

    /// Divides a value along an axis.
    fn divide(&mut self, op: Operation, value: Value, axis: usize) -> Step {
        match self.of.get(&value) {
            Some(known) if *known == axis => return Ok(()),
            Some(known) => {
                let reason = format!(
                    "needs a tile divided along axis {axis}, which is divided along axis {known}"
                );
                return self.refuse(op, reason);
            }
            None => {}
        }
        let extent = self.shape(value).and_then(|shape| shape.get(axis).copied());
        if extent.is_none_or(|extent| extent < self.parts || extent % self.parts != 0) {
            let reason = format!(
                "has a tile whose axis {axis} cannot be divided by {}",
                self.parts
            );
            return self.refuse(op, reason);
        }
        self.of.insert(value, axis);
        self.pending.push(value);
        Ok(())
    }

    /// Divides what a divided value is computed from, and what reads it.
    fn follow(&mut self, value: Value) -> Step {
        let context = self.context;
        match value.owner(context) {
            ValueOwner::Result(op, position) if op == self.body.op => {
                self.carried(value, position)?;
            }
            ValueOwner::Argument(block, position) if block == self.body.block && position > 0 => {
                self.carried(value, position - 1)?;
            }
            ValueOwner::Result(op, _) => self.visit(op)?,
            ValueOwner::Argument(block, _) => {
                let owner = block.parent_op(context).unwrap_or(self.body.op);
                return self.refuse(owner, "passes a tile to be divided into its region");
            }
        }
        // Constants can have readers that are not divided: these keep the whole.
        let made_by = value.defining_op(context);
        if made_by.is_some_and(|op| op.is(context, "arith.constant")) {
            return Ok(());
        }
        let uses: Vec<(Operation, usize)> = value
            .uses(context)
            .map(|usage| (usage.owner, usage.operand))
            .collect();
        for (user, number) in uses {
            if user == self.body.terminator {
                self.carried(value, number)?;
            } else if user == self.body.op {
                if number < 3 {
                    return self.refuse(user, "has a divided value as a bound");
                }
                self.carried(value, number - 3)?;
            } else {
                self.visit(user)?;
            }
        }
        Ok(())
    }

    /// Divides a value that the loop carries: initial value, argument, yielded value, result.
    fn carried(&mut self, value: Value, position: usize) -> Step {
        let context = self.context;
        let Some(&axis) = self.of.get(&value) else {
            return Ok(());
        };
        let op = self.body.op;
        let all = [
            op.operand(context, position + 3),
            self.body.block.argument(context, position + 1),
            self.body.terminator.operand(context, position),
            op.result(context, position),
        ];
        all.into_iter()
            .try_for_each(|value| self.divide(op, value, axis))
    }

    /// Divides the tiles of an operation.
    fn visit(&mut self, op: Operation) -> Step {
        if !self.operations.contains(&op) {
            self.operations.push(op);
        }
        let context = self.context;
        if let Some(key) = [LATENCY, RESOURCES]
            .into_iter()
            .find(|key| op.attribute(context, key).is_some())
        {
            return self.refuse(op, format!("has the cost of the whole tile as '{key}'"));
        }
        let name = op.name_text(context);
        if PRODUCTS.contains(&name) {
            return self.product(op);
        }
        if ACCESSES.contains(&name) {
            return self.access(op);
        }
        match name {
            "arith.constant" => self.constant(op),
            "nv_tileas.reduce" => self.reduction(op),
            "nv_tileas.expand_dims" => self.expansion(op),
            "nv_tileas.generate" => Ok(()),
            _ => self.pointwise(op),
        }
    }

    fn product(&mut self, op: Operation) -> Step {
        let context = self.context;
        let (a, b, c) = (
            op.operand(context, 0),
            op.operand(context, 1),
            op.operand(context, 2),
        );
        let sum = op.result(context, 0);
        if self.of.contains_key(&b) {
            return self.refuse(op, "sums over the rows, or has them as columns");
        }
        let Some(rank) = self
            .shape(sum)
            .map(|shape| shape.len())
            .filter(|rank| *rank >= 2)
        else {
            return self.refuse(op, "is a product of unknown shape");
        };
        let rows = self.shape(sum).map_or(0, |shape| shape[rank - 2]) / self.parts;
        let atom = op
            .attribute(context, "atom")
            .and_then(|atom| Atom::of(context, atom));
        let least = atom
            .and_then(|atom| atom.instruction_extents().0)
            .unwrap_or(1);
        if u64::try_from(rows).unwrap_or(0) % least.max(1) != 0 || rows == 0 {
            let reason =
                format!("would have {rows} rows, not a multiple of the {least} of its atom");
            return self.refuse(op, reason);
        }
        for value in [a, c, sum] {
            self.divide(op, value, rank - 2)?;
        }
        Ok(())
    }

    fn constant(&mut self, op: Operation) -> Step {
        let value = op.attribute(self.context, "value");
        match value.and_then(|value| value.splat_bytes(self.context)) {
            Some(_) => Ok(()),
            None => self.refuse(op, "is a constant with different elements"),
        }
    }

    fn reduction(&mut self, op: Operation) -> Step {
        let context = self.context;
        let reduced = op
            .attribute(context, "axis")
            .and_then(|axis| axis.as_i64(context));
        let reduced = reduced
            .and_then(|axis| usize::try_from(axis).ok())
            .unwrap_or(0);
        let known = op
            .operands(context)
            .find_map(|value| self.of.get(&value).copied());
        let from_result = op
            .results(context)
            .find_map(|value| self.of.get(&value).copied());
        let from_result = from_result.map(|axis| axis + usize::from(axis >= reduced));
        let Some(axis) = known.or(from_result) else {
            return Ok(());
        };
        if axis == reduced {
            return self.refuse(op, "reduces the rows");
        }
        for value in op.operands(context).collect::<Vec<_>>() {
            self.divide(op, value, axis)?;
        }
        for value in op.results(context).collect::<Vec<_>>() {
            self.divide(op, value, axis - usize::from(axis > reduced))?;
        }
        Ok(())
    }

    fn expansion(&mut self, op: Operation) -> Step {
        let context = self.context;
        let added = op
            .attribute(context, "axis")
            .and_then(|axis| axis.as_i64(context));
        let added = added
            .and_then(|axis| usize::try_from(axis).ok())
            .unwrap_or(0);
        let (tile, wide) = (op.operand(context, 0), op.result(context, 0));
        let from = self
            .of
            .get(&tile)
            .map(|axis| axis + usize::from(*axis >= added));
        let Some(axis) = from.or(self.of.get(&wide).copied()) else {
            return Ok(());
        };
        if axis == added {
            return self.refuse(op, "adds the axis to be divided");
        }
        self.divide(op, wide, axis)?;
        self.divide(op, tile, axis - usize::from(axis > added))
    }

    /// An operation of which each element of the result depends on the elements at its position: all
    /// tiles have the same shape, or, for broadcasts, fewer axes at the end or extents of 1.
    fn pointwise(&mut self, op: Operation) -> Step {
        let context = self.context;
        let is_known = op.definition(context).is_some();
        let is_broadcast = matches!(
            op.name_text(context),
            "cuda_tile.broadcast" | "nv_tileas.broadcast"
        );
        let dialect = op.name(context).dialect(context);
        let is_arithmetic = matches!(dialect, "arith" | "math")
            || (!is_known && attributes::cost_of(context, op).is_ok_and(|row| row.is_some()));
        if !(is_arithmetic || is_broadcast || op.is(context, "nv_tileas.convert_layout"))
            || op.region_count(context) > 0
        {
            return self.refuse(
                op,
                "reads or computes a divided tile, and is not known to work on each row",
            );
        }
        let values: Vec<Value> = op.operands(context).chain(op.results(context)).collect();
        let Some(axis) = values.iter().find_map(|value| self.of.get(value).copied()) else {
            return Ok(());
        };
        let Some(shape) = op
            .results(context)
            .next()
            .and_then(|value| self.shape(value))
        else {
            return self.refuse(op, "has no tile as its result");
        };
        for value in values {
            let Some(own) = self.shape(value) else {
                continue;
            };
            let is_stretched =
                is_broadcast && own.get(axis).is_none_or(|extent| *extent == 1) && shape[axis] != 1;
            if is_stretched {
                continue;
            }
            if !is_broadcast && own != shape {
                return self.refuse(op, "has tiles of different shapes");
            }
            self.divide(op, value, axis)?;
        }
        Ok(())
    }

    /// A load or store of a tile at coordinates of a view of memory.
    fn access(&mut self, op: Operation) -> Step {
        let context = self.context;
        let view = op.operands_named(context, "view");
        let Some(blocks) = view.first().and_then(|view| view.defining_op(context)) else {
            return self.refuse(op, "accesses a view that is not made here");
        };
        let is_plain = blocks.is(context, "nv_tileaa.block_tile")
            && blocks.attributes(context) == Attribute::EMPTY_DICTIONARY
            && op.operands_named(context, "offsets").is_empty();
        let layout = ShapedView::of(context, view[0].ty(context)).and_then(|view| view.layout);
        let shape = self.shape(view[0]).unwrap_or_default();
        if !is_plain
            || layout.is_some()
            || op.operands_named(context, "coordinates").len() != shape.len()
        {
            return self.refuse(
                op,
                "accesses memory by other means than coordinates of a view in tiles",
            );
        }
        let token = op
            .results(context)
            .nth(usize::from(op.is(context, ACCESSES[0])));
        if token.is_some_and(|token| !token.is_unused(context)) {
            return self.refuse(op, "has a token that another operation waits for");
        }
        Ok(())
    }
}

/// A tensor type with an axis divided.
pub(super) fn divided(context: &mut Context, ty: Type, axis: usize, parts: i64) -> Type {
    let mut kind = ty.kind(context).clone();
    if let TypeKind::Tensor { shape, .. } = &mut kind
        && let Some(extent) = shape.get_mut(axis)
    {
        *extent /= parts;
    }
    Type::new(context, kind)
}
