//! The facts about an operation that select its row and determine its cost: atom, memory spaces,
//! extents, element types.
//!
//! Source: TileAS reference 3.3 (classifier) and 3.8.

use orison_host::scf;
use orison_ir::{Context, Operation, Type, Value, ValueOwner};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::Atom;
use orison_tileas::nv_tileas::traits::is_slot;
use orison_tileas::schedule_keys::COST_OF;
use orison_tileas::views::{element_count, memory_space, shape_and_element};

use super::OperationQuery;
use super::formula::{Quantities, Variable};

/// The facts about an operation that an agent of `warps` warps executes.
pub(super) fn query(context: &Context, op: Operation, warps: u32) -> OperationQuery<'_> {
    OperationQuery {
        operation: named_row(context, op).unwrap_or(op.name_text(context)),
        atom: atom_name(context, op),
        from: op.operands(context).find_map(|value| space(context, value)),
        to: destination(context, op),
        body: combiner(context, op),
        quantities: quantities(context, op, warps),
    }
}

/// The operation whose row an attribute names.
fn named_row(context: &Context, op: Operation) -> Option<&str> {
    op.attribute(context, COST_OF)?.as_str(context)
}

fn atom_name(context: &Context, op: Operation) -> Option<&str> {
    Some(&Atom::of(context, op.attribute(context, "atom")?)?.name)
}

/// The operation that computes what the region of a reduction or scan yields.
fn combiner(context: &Context, op: Operation) -> Option<&str> {
    let block = op.regions(context).next()?.blocks(context).next()?;
    let end = block.operations(context).last()?;
    match end.operands(context).next()?.owner(context) {
        ValueOwner::Result(combines, _) => Some(combines.name_text(context)),
        ValueOwner::Argument(..) => None,
    }
}

/// The memory space of a view, by its machine-model name; a tensor is in registers.
fn space(context: &Context, value: Value) -> Option<&str> {
    let ty = value.ty(context);
    if ty.is_shaped(context) {
        return Some("reg");
    }
    let space = memory_space(context, ty)?;
    Some(if space == MemorySpace::Register {
        "reg"
    } else {
        space.keyword()
    })
}

fn destination(context: &Context, op: Operation) -> Option<&str> {
    // The slot of a pipe is a tile in the region that fills it.
    let target = op.operands(context).nth(1);
    if nv_tileas::Copy::matches(context, op) && target.is_some_and(|slot| is_slot(context, slot)) {
        return Some(MemorySpace::Shared.keyword());
    }
    let result = op.results(context).find_map(|value| space(context, value));
    result.or_else(|| {
        op.operands(context)
            .filter_map(|value| space(context, value))
            .nth(1)
    })
}

/// The size of a tile.
#[derive(Clone, Copy)]
struct Tile {
    elements: u64,
    bits: u64,
}

impl Tile {
    /// A tensor, view or memref of static shape. Bits of an element type without a width count as
    /// 32.
    fn of(context: &Context, ty: Type) -> Option<Self> {
        let (shape, element) = shape_and_element(context, ty)?;
        Some(Tile {
            elements: element_count(&shape)?,
            bits: element.bit_width(context).map_or(32, u64::from),
        })
    }

    fn bytes(self) -> u64 {
        self.elements.saturating_mul(self.bits).div_ceil(8)
    }
}

fn quantities(context: &Context, op: Operation, warps: u32) -> Quantities {
    let mut quantities = Quantities::default();
    quantities.set(Variable::Warps, u64::from(warps));
    let tile = |value: Value| Tile::of(context, value.ty(context));
    let read: Vec<Tile> = op.operands(context).filter_map(tile).collect();
    let made: Vec<Tile> = op.results(context).filter_map(tile).collect();
    let largest = |tiles: &[Tile]| tiles.iter().map(|tile| tile.elements).max();
    let elements = largest(&made).or_else(|| largest(&read)).unwrap_or(1);
    quantities.set(Variable::Elements, elements);
    quantities.set(
        Variable::Inputs,
        read.first().map_or(1, |tile| tile.elements),
    );
    let made_bytes = made.iter().map(|tile| tile.bytes());
    let bytes = match made.is_empty() {
        false => made_bytes.fold(0, u64::saturating_add),
        true => read.first().map_or(0, |tile| tile.bytes()),
    };
    quantities.set(Variable::Bytes, bytes);
    let scalar = op.operands(context).chain(op.results(context));
    let scalar = scalar.filter_map(|value| value.ty(context).bit_width(context));
    let first = read.first().or(made.first()).map(|tile| tile.bits);
    let bits = first.or_else(|| scalar.map(u64::from).next());
    quantities.set(Variable::Bits, bits.unwrap_or(32).max(1));
    quantities.set(Variable::Combined, combined(context, op).unwrap_or(1));
    product(context, op, &mut quantities);
    quantities
}

/// The number of elements a reduction or scan combines into one: the extent of its axis. For other
/// operations the size of their first tile.
fn combined(context: &Context, op: Operation) -> Option<u64> {
    let tile = op
        .operands(context)
        .map(|value| value.ty(context))
        .find(|ty| ty.is_shaped(context))?;
    let axis = op
        .attribute(context, "axis")
        .and_then(|axis| axis.as_i64(context));
    let extent = axis
        .and_then(|axis| usize::try_from(axis).ok())
        .and_then(|axis| tile.shape(context)?.get(axis).copied());
    match extent {
        Some(extent) => u64::try_from(extent).ok(),
        None => tile.element_count(context),
    }
}

/// The extents of a product: of `a`, M by K, and `c`, M by N, each possibly with a batch axis.
fn product(context: &Context, op: Operation, quantities: &mut Quantities) -> Option<()> {
    const PRODUCTS: [&str; 3] = [
        nv_tileas::Dot::NAME,
        nv_tileas::AsyncDot::NAME,
        nv_tileas::BlockScaledMma::NAME,
    ];
    if !PRODUCTS.contains(&op.name_text(context)) {
        return None;
    }
    let mut operands = op.operands(context);
    let (a, b, c) = (operands.next()?, operands.next()?, operands.next()?);
    let shape =
        |value: Value| shape_and_element(context, value.ty(context)).map(|(shape, _)| shape);
    let (left, sum) = (shape(a)?, shape(c)?);
    let [batch @ .., rows, columns] = sum.as_slice() else {
        return None;
    };
    let extent = |extent: i64| u64::try_from(extent).ok();
    let columns = extent(*columns)?;
    quantities.set(Variable::Batch, element_count(batch)?);
    quantities.set(Variable::M, extent(*rows)?);
    quantities.set(Variable::N, columns);
    quantities.set(Variable::K, extent(*left.last()?)?);
    let left_bytes = match reads_shared_memory(context, a) {
        true => Tile::of(context, a.ty(context))?.bytes(),
        false => 0,
    };
    quantities.set(Variable::LeftBytes, left_bytes);
    let right_bytes = Tile::of(context, b.ty(context))?.bytes();
    quantities.set(Variable::RightBytes, right_bytes);
    let atom = Atom::of(context, op.attribute(context, "atom")?)?;
    let (atom_rows, atom_columns) = atom.instruction_extents();
    quantities.set(Variable::AtomM, atom_rows.unwrap_or(1));
    let atom_columns = atom_columns.unwrap_or(columns.min(256));
    quantities.set(Variable::AtomN, atom_columns.max(1));
    Some(())
}

/// Whether a left factor is read from shared memory: unless it is computed, carried by a loop, or in tensor
/// memory.
fn reads_shared_memory(context: &Context, value: Value) -> bool {
    if memory_space(context, value.ty(context)) == Some(MemorySpace::Tensor) {
        return false;
    }
    let made_by = match value.owner(context) {
        ValueOwner::Result(made_by, _) => made_by,
        ValueOwner::Argument(block, _) => {
            let owner = block.parent_op(context);
            let loops = [scf::For::DEFINITION, scf::While::DEFINITION];
            return owner.is_none_or(|owner| !owner.is_one_of(context, &loops));
        }
    };
    let name = made_by.name_text(context);
    let computes = [
        "dot",
        "reduce",
        "scan",
        "generate",
        "shuffle",
        "convert_layout",
    ];
    match name.strip_prefix("nv_tileas.") {
        Some(own) => !computes.contains(&own.trim_start_matches("async.")),
        None => name.starts_with("nv_tileaa."),
    }
}
