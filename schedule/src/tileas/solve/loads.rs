//! Determines which operations the load agent can execute ahead of time, and how.

use orison_ir::{Context, Operation, Type};
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::tma::is_representable;
use orison_tileas::views::{byte_size, shape_and_element};

use super::super::classify::is_tma_load;
use super::super::tokens::async_tokens;
use super::memory_order::is_weak;

/// How the load agent fills a slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum LoadKind {
    /// By TMA, which writes the slot and signals its barrier.
    Tma,
    /// By a load into registers and a copy to the slot.
    Plain,
}

/// How the load agent would execute an operation of a scheduled loop; `None` for operations that
/// are not loads of one tile of known size, and for loads that order memory.
pub fn kind(context: &Context, op: Operation) -> Option<LoadKind> {
    let loads = [
        nv_tileas::TiledLoad::DEFINITION,
        nv_tileas::Load::DEFINITION,
        nv_tileas::GatherLoad::DEFINITION,
    ];
    if !op.is_one_of(context, &loads) {
        return None;
    }
    let tile = op.results(context).next()?;
    let ty = tile.ty(context);
    if !is_weak(context, op) || !ty.is_shaped(context) || value_bytes(context, ty).is_none() {
        return None;
    }
    if outlives_iteration(context, op) {
        return None;
    }
    let by_tma = nv_tileas::TiledLoad::matches(context, op)
        && is_tma_load(context, op)
        && !op.has_operands_named(context, "offsets")
        && is_representable(context, &op.operands_named(context, "view"));
    Some(if by_tma {
        LoadKind::Tma
    } else {
        LoadKind::Plain
    })
}

/// Whether an asynchronous operation that reads the tile passes its token to the next iteration and
/// is not waited for in this one: no slot can be released at the end of the iteration.
fn outlives_iteration(context: &Context, load: Operation) -> bool {
    let Some(block) = load.block(context) else {
        return false;
    };
    let readers = load.result(context, 0).users(context);
    let items = readers.filter_map(|user| user.ancestor_in_block(context, block));
    let tokens = items.flat_map(|item| async_tokens(context, item));
    let end = block.terminator(context);
    tokens
        .into_iter()
        .any(|token| token.users(context).any(|user| Some(user) == end))
}

/// Bytes of a value of this type in a slot; `None` if not known. An index and a pointer take 8
/// bytes.
pub fn value_bytes(context: &Context, ty: Type) -> Option<u64> {
    if ty.is_shaped(context) {
        let (shape, element) = shape_and_element(context, ty)?;
        return byte_size(context, &shape, element);
    }
    if ty == Type::INDEX {
        return Some(8);
    }
    let bits = ty.bit_width(context)?;
    Some(u64::from(bits.div_ceil(8)))
}
