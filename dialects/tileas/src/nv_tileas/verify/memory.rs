//! Verifiers of loads and stores (TileAS reference 1.7).

use orison_ir::declare::{OPERAND_SEGMENTS, VerifyResult};
use orison_ir::types::DYNAMIC;
use orison_ir::{AttributeKind, Context, Operation, Type, TypeKind, Value};

use super::ensure;
use crate::nv_tileaa::pointee;
use crate::nv_tileas::attributes::{Atom, AtomFamily};
use crate::views::{ShapedView, shape_and_element};

/// Exclusive upper bound of the number of elements of a tile.
const ELEMENT_LIMIT: u64 = 0x0100_0000;
const SCOPES: [&str; 5] = ["tl_blk", "cta", "cluster", "gpu", "sys"];

/// The view and the tile of a tiled operation.
fn view_and_tile(context: &Context, op: Operation) -> Option<(&ShapedView, Type)> {
    let view = op.operands_named(context, "view").first().copied()?;
    let view = ShapedView::of(context, view.ty(context))?;
    let tile = tile_of(context, op)?;
    Some((view, tile.ty(context)))
}

/// The tile that a memory operation moves: the stored one, otherwise the loaded one.
pub fn tile_of(context: &Context, op: Operation) -> Option<Value> {
    let stored = op.operands_named(context, "value").first().copied();
    let loaded = || op.results_named(context, "tile").first().copied();
    stored
        .or_else(loaded)
        .or_else(|| op.results_named(context, "old").first().copied())
}

/// Atom of an operation.
pub fn atom_of(context: &Context, op: Operation) -> Option<&Atom> {
    Atom::of(context, op.attribute(context, "atom")?)
}

/// Trait TiledLoadStoreOp: segments, coordinates.
pub fn tiled_load_store(context: &Context, op: Operation) -> VerifyResult {
    let segments = op.properties(context).get(context, OPERAND_SEGMENTS);
    let segments = segments.and_then(|segments| segments.as_i32_array(context));
    let declared = op
        .definition(context)
        .map_or(0, |definition| definition.operands.len());
    ensure(
        context,
        op,
        segments.is_some_and(|list| list.len() == declared),
        || "operandSegmentSizes does not match the op schema".to_owned(),
    )?;
    ensure(
        context,
        op,
        op.operands_named(context, "token").len() <= 1,
        || "tiled memop token segment must hold zero or one value".to_owned(),
    )?;
    let view = op.operands_named(context, "view").first().copied();
    let Some(view) = view.and_then(|view| ShapedView::of(context, view.ty(context))) else {
        return Ok(());
    };
    let leading = atom_of(context, op).is_some_and(|atom| atom.has_leading_offset(context));
    let expected = view.shape.len() + usize::from(leading);
    let coordinates = op.operands_named(context, "coordinates");
    ensure(context, op, coordinates.len() == expected, || {
        "tiled memop coordinate count does not match the view rank".to_owned()
    })?;
    let offsets = op.operands_named(context, "offsets");
    let mut all = coordinates.iter().chain(&offsets);
    ensure(
        context,
        op,
        all.all(|value| value.ty(context) == Type::INDEX),
        || "tiled memop coordinates must be index-typed".to_owned(),
    )?;
    ensure(
        context,
        op,
        offsets.is_empty() || offsets.len() == view.shape.len(),
        || {
            format!(
                "expects zero offsets or {}, one for each axis, but got {}",
                view.shape.len(),
                offsets.len()
            )
        },
    )
}

/// Trait SameTiledViewAndTensorShape.
pub fn same_view_and_tile_shape(context: &Context, op: Operation) -> VerifyResult {
    let Some((view, tile)) = view_and_tile(context, op) else {
        return Ok(());
    };
    let fits = tile.shape(context) == Some(&view.shape[..]);
    ensure(context, op, fits, || {
        "tile shape must match tensor shape".to_owned()
    })
}

/// Trait TiledLoadStoreOpSameElementType.
pub fn same_element_type(context: &Context, op: Operation) -> VerifyResult {
    let Some((view, tile)) = view_and_tile(context, op) else {
        return Ok(());
    };
    ensure(context, op, tile.scalar(context) == view.element, || {
        "tile element type must match view element type".to_owned()
    })
}

/// Trait TensorSize: for every tile among operands and results.
pub fn tensor_size(context: &Context, op: Operation) -> VerifyResult {
    for value in op.operands(context).chain(op.results(context)) {
        let TypeKind::Tensor { shape, .. } = value.ty(context).kind(context) else {
            continue;
        };
        let powers = shape
            .iter()
            .all(|extent| *extent > 0 && extent.count_ones() == 1);
        ensure(context, op, powers, || {
            "tile dimensions must be positive powers of two".to_owned()
        })?;
        let count = crate::views::element_count(shape);
        ensure(
            context,
            op,
            count.is_some_and(|count| count < ELEMENT_LIMIT),
            || "tile total element count exceeds the implementation limit".to_owned(),
        )?;
    }
    Ok(())
}

/// Trait TiledPaddingValue: of the element type, and consistent with `in_bounds`.
pub fn tiled_padding(context: &Context, op: Operation) -> VerifyResult {
    let Some((view, _)) = view_and_tile(context, op) else {
        return Ok(());
    };
    let padding = op.attribute(context, "padding_value");
    padding_type(context, op, view.element)?;
    let in_bounds = in_bounds(context, op);
    let all_inside = in_bounds
        .as_ref()
        .is_some_and(|list| list.iter().all(|inside| *inside));
    if padding.is_some() {
        let stores = op.has_operands_named(context, "value");
        // A load may pad individual axes; a store pads as a whole.
        let wrong = match &in_bounds {
            Some(list) if stores => list.iter().any(|inside| *inside),
            Some(list) => all_inside && !list.is_empty(),
            None => false,
        };
        return ensure(context, op, !wrong, || {
            "inbounds must be false when paddingValue is set".to_owned()
        });
    }
    let stores = op.has_operands_named(context, "value");
    ensure(
        context,
        op,
        !stores || in_bounds.is_none() || all_inside,
        || "inbounds must be true when paddingValue is not set".to_owned(),
    )
}

fn in_bounds(context: &Context, op: Operation) -> Option<Vec<bool>> {
    let (_, list) = op
        .attribute(context, "in_bounds")?
        .as_integer_array(context)?;
    Some(list.iter().map(|inside| *inside != 0).collect())
}

/// A padding value is a typed scalar of the element type.
pub fn padding_type(context: &Context, op: Operation, element: Type) -> VerifyResult {
    let Some(padding) = op.attribute(context, "padding_value") else {
        return Ok(());
    };
    let number = matches!(
        padding.kind(context),
        AttributeKind::Integer { .. } | AttributeKind::Float { .. }
    );
    ensure(
        context,
        op,
        number && padding.carried_type(context) == element,
        || "expects a padding value of the element type".to_owned(),
    )
}

/// `mem_semantic` is one of the allowed values, `mem_scope` is present if required.
fn ordering(context: &Context, op: Operation, allowed: &[&str]) -> VerifyResult {
    let text = |key: &str| {
        op.attribute(context, key)
            .and_then(|value| value.as_str(context))
    };
    let semantic = text("mem_semantic").unwrap_or("weak");
    ensure(context, op, allowed.contains(&semantic), || {
        format!("unsupported mem_semantic: {semantic}")
    })?;
    match (semantic, text("mem_scope")) {
        ("weak", Some(_)) => {
            Err(op.op_error(context, "mem_scope not supported when mem_semantic is weak"))
        }
        ("weak", None) => Ok(()),
        (_, None) => Err(op.op_error(context, "mem_scope required when mem_semantic is not weak")),
        (_, Some(scope)) => ensure(context, op, SCOPES.contains(&scope), || {
            format!("unsupported mem_scope: {scope}")
        }),
    }
}

/// Loads may be weak, relaxed or acquire (C65).
const LOAD_SEMANTICS: &[&str] = &["weak", "relaxed", "acquire"];
/// Stores may be weak, relaxed or release (C65).
const STORE_SEMANTICS: &[&str] = &["weak", "relaxed", "release"];
const RMW_SEMANTICS: &[&str] = &["weak", "relaxed", "acquire", "release", "acq_rel"];

fn check_in_bounds(context: &Context, op: Operation) -> VerifyResult {
    let Some((view, _)) = view_and_tile(context, op) else {
        return Ok(());
    };
    let (expected, found) = (
        view.shape.len(),
        in_bounds(context, op).map(|list| list.len()),
    );
    ensure(
        context,
        op,
        found.is_none_or(|found| found == expected),
        || {
            let found = found.unwrap_or(0);
            format!(
                "incorrect number of in_bounds elements: expected {expected}, but found {found}"
            )
        },
    )
}

/// The TMA atom is of the required family, and its box is the tile.
fn tma_atom(context: &Context, op: Operation, family: AtomFamily, message: &str) -> VerifyResult {
    let Some(atom) = atom_of(context, op).filter(|atom| atom.family().is_tma()) else {
        return Ok(());
    };
    ensure(context, op, atom.family() == family, || message.to_owned())?;
    let tile = tile_of(context, op).map(|tile| tile.ty(context));
    let extents = atom.box_extents(context);
    let shape = tile.and_then(|tile| tile.shape(context));
    match (extents, shape) {
        (Some(extents), Some(shape)) => ensure(context, op, extents == shape, || {
            "TMA box dimensions do not match atom box dimensions".to_owned()
        }),
        _ => Ok(()),
    }
}

/// The atom does not contradict a load. An unknown atom is accepted.
fn load_atom(context: &Context, op: Operation) -> VerifyResult {
    let family = atom_of(context, op).map(Atom::family);
    let wrong = family.is_some_and(|family| family.is_store() || family.is_matrix_product());
    ensure(context, op, !wrong, || "expected a load atom".to_owned())
}

/// The atom does not contradict a store. An unknown atom is accepted.
fn store_atom(context: &Context, op: Operation) -> VerifyResult {
    let family = atom_of(context, op).map(Atom::family);
    let wrong = family.is_some_and(|family| family.is_load() || family.is_matrix_product());
    ensure(context, op, !wrong, || "expected a store atom".to_owned())
}

/// `tiled_load` and its asynchronous form.
pub fn tiled_load(context: &Context, op: Operation) -> VerifyResult {
    check_in_bounds(context, op)?;
    ordering(context, op, LOAD_SEMANTICS)?;
    tma_atom(context, op, AtomFamily::TmaLoad, "expected a TMA load atom")?;
    load_atom(context, op)
}

/// `tiled_store`.
pub fn tiled_store(context: &Context, op: Operation) -> VerifyResult {
    check_in_bounds(context, op)?;
    ordering(context, op, STORE_SEMANTICS)?;
    tma_atom(
        context,
        op,
        AtomFamily::TmaStore,
        "expected a TMA store atom",
    )?;
    store_atom(context, op)
}

/// `tiled_atomic_rmw` and its asynchronous form.
pub fn tiled_atomic_rmw(context: &Context, op: Operation) -> VerifyResult {
    check_in_bounds(context, op)?;
    ordering(context, op, RMW_SEMANTICS)?;
    tma_atom(
        context,
        op,
        AtomFamily::TmaReduce,
        "expected a TMA reduce atom",
    )?;
    let mode = op
        .attribute(context, "rmw_mode")
        .and_then(|mode| mode.as_str(context));
    let mode = mode.unwrap_or_default();
    let values = op.operands_named(context, "value");
    let expected = if mode == "cmpxchg" { 2 } else { 1 };
    ensure(context, op, values.len() == expected, || {
        format!(
            "expects {expected} values for rmw_mode '{mode}', but got {}",
            values.len()
        )
    })?;
    let types: Vec<_> = values.iter().map(|value| value.ty(context)).collect();
    let old = op
        .results_named(context, "old")
        .first()
        .map(|old| old.ty(context));
    let same = types.iter().chain(&old).all(|ty| *ty == types[0]);
    ensure(context, op, same, || {
        "expects values and result of the same type".to_owned()
    })?;
    rmw_element(context, op, mode, types[0].scalar(context))
}

/// The modes allowed for an element type. `xchg`, `addf` and `fadd` are in the list of the
/// reference but rejected by its verifier (C66); `add` adds floats too.
fn rmw_element(context: &Context, op: Operation, mode: &str, element: Type) -> VerifyResult {
    let width = element.bit_width(context).unwrap_or(0);
    ensure(context, op, width != 8, || {
        "tiled_atomic_rmw not supported for 8-bit types".to_owned()
    })?;
    let float = element.is_float(context);
    ensure(context, op, width != 16 || float, || {
        "tiled_atomic_rmw not supported for 16-bit integer".to_owned()
    })?;
    let arithmetic = ["add", "max", "min"];
    ensure(
        context,
        op,
        width != 16 || arithmetic.contains(&mode),
        || "tiled_atomic_rmw for 16-bit float only supports add, max, min operations".to_owned(),
    )?;
    let integer_only = ["and", "or", "xor", "umin", "umax", "cmpxchg"];
    let supported = arithmetic.contains(&mode) || (integer_only.contains(&mode) && !float);
    ensure(context, op, supported, || {
        format!("unsupported rmw_mode: {mode}")
    })
}

/// The element type of addresses and of the moved value.
fn pointer_elements(context: &Context, op: Operation, value: Type) -> VerifyResult {
    let pointers = op.operand(context, 0).ty(context).scalar(context);
    ensure(
        context,
        op,
        pointee(context, pointers) == Some(value.scalar(context)),
        || "expects pointers to the element type of the tile".to_owned(),
    )
}

/// `load` and its asynchronous form.
pub fn load(context: &Context, op: Operation) -> VerifyResult {
    ordering(context, op, LOAD_SEMANTICS)?;
    let tile = op.result(context, 0).ty(context);
    pointer_elements(context, op, tile)?;
    let other = op.operands_named(context, "other").first().copied();
    let masked = op.has_operands_named(context, "mask");
    ensure(context, op, other.is_none() || masked, || {
        "expects a mask when there is another value".to_owned()
    })?;
    let fits = other.is_none_or(|other| other.ty(context).scalar(context) == tile.scalar(context));
    ensure(context, op, fits, || {
        "expects the other value to be of the element type of the tile".to_owned()
    })?;
    padding_type(context, op, tile.scalar(context))
}

/// `store` and its asynchronous form.
pub fn store(context: &Context, op: Operation) -> VerifyResult {
    ordering(context, op, STORE_SEMANTICS)?;
    pointer_elements(context, op, op.operand(context, 1).ty(context))
}

/// Positions of a gather or scatter: one tile for each axis, of the shape of the tile.
fn positions(context: &Context, op: Operation, memory: Type, tile: Type) -> VerifyResult {
    let Some((shape, element)) = shape_and_element(context, memory) else {
        return Ok(());
    };
    let indices = op.operands_named(context, "indices");
    ensure(context, op, indices.len() == shape.len(), || {
        format!(
            "expects {} index tiles, but got {}",
            shape.len(),
            indices.len()
        )
    })?;
    let mask = op.operands_named(context, "mask");
    let own = tile.shape(context);
    let same = indices.iter().chain(&mask).all(|value| {
        let shape = value.ty(context).shape(context);
        shape == own || shape.is_none()
    });
    ensure(context, op, same, || {
        "expects indices and mask of the shape of the tile".to_owned()
    })?;
    ensure(context, op, tile.scalar(context) == element, || {
        "tile element type must match view element type".to_owned()
    })
}

/// `gather_load`.
pub fn gather_load(context: &Context, op: Operation) -> VerifyResult {
    let memory = op.operand(context, 0).ty(context);
    let tile = op.result(context, 0).ty(context);
    positions(context, op, memory, tile)?;
    padding_type(context, op, tile.scalar(context))
}

/// `scatter_store`; it may not pad.
pub fn scatter_store(context: &Context, op: Operation) -> VerifyResult {
    let memory = op.operand(context, 0).ty(context);
    let tile = op.operand(context, 1).ty(context);
    ensure(
        context,
        op,
        op.attribute(context, "padding_value").is_none(),
        || "padding_value not supported for scatter".to_owned(),
    )?;
    positions(context, op, memory, tile)
}

/// Whether an extent is static.
pub fn is_known(extent: i64) -> bool {
    extent != DYNAMIC
}
