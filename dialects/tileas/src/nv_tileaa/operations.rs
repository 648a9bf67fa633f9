//! The operations of `nv_tileaa` but the function and its end.

use orison_ir::declare::constraints::{BOOL, INDEX};
use orison_ir::declare::{
    Assembly, Effects, I32Attr, Trait, TypeBound, TypeConstraint, VerifyResult,
};
use orison_ir::printer::type_to_string;
use orison_ir::types::DYNAMIC;
use orison_ir::{Context, Operation, TypeKind};

use super::types::{A_MEM_TOKEN, POINTERS, pointee};
use crate::views::{MEMREF_TYPE, ShapedKind, ShapedView, TILEAA_VIEW_TYPE};

static A_MEMREF: TypeConstraint = TypeConstraint {
    summary: "nv_tileaa memref",
    check: |context, ty| {
        ShapedView::of(context, ty).is_some_and(|view| view.kind == ShapedKind::TileaaMemref)
    },
    build: None,
    base: Some(MEMREF_TYPE.name),
    bounds: &[TypeBound::Named(MEMREF_TYPE.name)],
};
static A_TILEAA_VIEW: TypeConstraint = TypeConstraint {
    summary: "nv_tileaa tiled view",
    check: |context, ty| {
        ShapedView::of(context, ty).is_some_and(|view| view.kind == ShapedKind::TileaaView)
    },
    build: None,
    base: Some(TILEAA_VIEW_TYPE.name),
    bounds: &[TypeBound::Named(TILEAA_VIEW_TYPE.name)],
};
static OFFSETS: TypeConstraint =
    TypeConstraint::new("integer, index or tile of them", |context, ty| {
        matches!(
            ty.scalar(context).kind(context),
            TypeKind::Integer(..) | TypeKind::Index
        )
    });

orison_ir::operations! {
    /// Coordinate of this program in the grid.
    op GetProgramId = "nv_tileaa.get_program_id" {
        results {
            /// The coordinate.
            id: one(INDEX),
        }
        attributes {
            /// Axis of the grid: 0, 1 or 2.
            axis = "axis": required(I32Attr),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("`axis` $axis attr-dict"),
            verify: Some(verify_get_program_id),
        }
    }

    /// Whether coordinates are valid in the grid.
    ///
    /// If no program is left, `nv_tileas.cancel_next_program_id` returns -1 for each coordinate,
    /// which is not valid.
    op IsValidProgramId = "nv_tileaa.is_valid_program_id" {
        operands {
            /// Coordinates of a program, one to three.
            ids: variadic(INDEX),
        }
        results {
            /// Whether the program exists.
            valid: one(BOOL),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("`(` $ids `)` attr-dict"),
            verify: Some(verify_is_valid_program_id),
        }
    }

    /// Creates a memory-order token without dependencies.
    op CreateMemToken = "nv_tileaa.create_mem_token" {
        results {
            /// The token.
            token: one(A_MEM_TOKEN),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict"),
        }
    }

    /// Partitions memory into tiles.
    ///
    /// The shape of the view is the shape of a tile.
    op BlockTile = "nv_tileaa.block_tile" {
        operands {
            /// The memory.
            memory: one(A_MEMREF),
        }
        results {
            /// The tiled view.
            view: one(A_TILEAA_VIEW),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$memory attr-dict `:` type($memory) `->` type($view)"),
            verify: Some(verify_block_tile),
        }
    }

    /// Gives the memory at a pointer a shape.
    op MakeMemref = "nv_tileaa.make_memref" {
        operands {
            /// Pointer to the first element.
            base: one(POINTERS),
            /// Dynamic extents, in elements.
            sizes: variadic(INDEX),
            /// Strides, in elements; either one for each axis, or none for row-major.
            strides: variadic(INDEX),
        }
        results {
            /// The shaped memory.
            memory: one(A_MEMREF),
        }
        with {
            traits: &[Trait::AttrSizedOperandSegments],
            effects: Effects::None,
            assembly: Assembly::Format("$base (`sizes` `[` $sizes^ `]`)? (`strides` `[` $strides^ `]`)? attr-dict `:` type($base) `->` type($memory)"),
            verify: Some(verify_make_memref),
        }
    }

    /// Offsets a pointer, or each pointer of a tile, by a number of elements.
    op AddPtr = "nv_tileaa.addptr" {
        operands {
            /// The pointer or tile of pointers.
            base: one(POINTERS),
            /// Offset in elements.
            offset: one(OFFSETS),
        }
        results {
            /// The resulting pointers; of the type of the base.
            moved: one(POINTERS),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$base `,` $offset attr-dict `:` type($base) `,` type($offset) `->` type($moved)"),
            verify: Some(verify_addptr),
        }
    }
}

fn verify_get_program_id(context: &Context, op: Operation) -> VerifyResult {
    let axis = GetProgramId(op).axis(context).unwrap_or(-1);
    if (0..3).contains(&axis) {
        Ok(())
    } else {
        Err(op.op_error(
            context,
            format!("expects an axis from 0 to 2, but got {axis}"),
        ))
    }
}

fn verify_is_valid_program_id(context: &Context, op: Operation) -> VerifyResult {
    let count = op.operand_count(context);
    if (1..=3).contains(&count) {
        Ok(())
    } else {
        let message = format!("expects one to three coordinates, but got {count}");
        Err(op.op_error(context, message))
    }
}

fn verify_block_tile(context: &Context, op: Operation) -> VerifyResult {
    let memory = op.operand(context, 0).ty(context);
    let view = op.result(context, 0).ty(context);
    let (Some(memory), Some(view)) = (
        ShapedView::of(context, memory),
        ShapedView::of(context, view),
    ) else {
        return Ok(());
    };
    if memory.shape.len() != view.shape.len() {
        return Err(op.op_error(
            context,
            format!(
                "expects a view of the rank of the memory ({}), but got rank {}",
                memory.shape.len(),
                view.shape.len()
            ),
        ));
    }
    if memory.element != view.element {
        return Err(op.op_error(context, "tile element type must match view element type"));
    }
    if view.shape.contains(&DYNAMIC) {
        return Err(op.op_error(context, "expects a view of static shape"));
    }
    let space = memory.space.unwrap_or(crate::MemorySpace::Global);
    if view.space != Some(space) {
        return Err(op.op_error(
            context,
            format!("expects a view in {space}, like the memory"),
        ));
    }
    Ok(())
}

fn verify_make_memref(context: &Context, op: Operation) -> VerifyResult {
    let make = MakeMemref(op);
    let base = make.base(context).ty(context);
    let Some(memory) = ShapedView::of(context, make.memory(context).ty(context)) else {
        return Ok(());
    };
    if pointee(context, base) != Some(memory.element) {
        let base = type_to_string(context, base);
        let message =
            format!("expects a pointer to the element type of the memory, but got '{base}'");
        return Err(op.op_error(context, message));
    }
    let dynamic = memory
        .shape
        .iter()
        .filter(|extent| **extent == DYNAMIC)
        .count();
    let sizes = make.sizes(context).len();
    if sizes != dynamic {
        let message =
            format!("expects {dynamic} sizes, one for each dynamic extent, but got {sizes}");
        return Err(op.op_error(context, message));
    }
    let (strides, rank) = (make.strides(context).len(), memory.shape.len());
    if strides != 0 && strides != rank {
        let message =
            format!("expects zero strides or {rank}, one for each axis, but got {strides}");
        return Err(op.op_error(context, message));
    }
    Ok(())
}

fn verify_addptr(context: &Context, op: Operation) -> VerifyResult {
    let add = AddPtr(op);
    let base = add.base(context).ty(context);
    if base != add.moved(context).ty(context) {
        return Err(op.op_error(context, "expects a result of the type of the base"));
    }
    let offset = add.offset(context).ty(context);
    if base.shape(context) != offset.shape(context) {
        return Err(op.op_error(context, "expects an offset of the shape of the base"));
    }
    Ok(())
}
