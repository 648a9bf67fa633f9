//! Layouts and elements of tiles (TileAS reference 1.9).

use orison_ir::declare::constraints::ANY_TYPE;
use orison_ir::declare::{
    AnyAttr, Assembly, Effects, I32Attr, RegionConstraint, Trait, VerifyResult,
};
use orison_ir::types::DYNAMIC;
use orison_ir::{Attribute, Context, Operation, Type, TypeKind};

use super::attributes::Layout;
use super::control::{expect_arguments, expect_yield};
use super::traits::{SAME_OPERANDS_AND_RESULT_ENCODING, TENSOR_SIZE, TENSOR_TYPE_HAVING_LAYOUT};
use super::types::{A_TILE, TILE_OR_VIEW};
use super::verify::ensure;
use crate::views::{byte_size, element_count, is_static, memory_space, shape_and_element};

orison_ir::operations! {
    /// Converts a tile to another layout.
    ///
    /// Pairs of conversions are removed only by the layout pass, never by a local fold.
    op ConvertLayout = "nv_tileas.convert_layout" {
        operands {
            /// The tile.
            source: one(A_TILE),
        }
        results {
            /// The same elements in another layout.
            converted: one(A_TILE),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$source attr-dict `:` type($source) `->` type($converted)"),
            verify: Some(convert_layout),
        }
    }

    /// Reinterprets a tile or buffer with another shape, without a copy.
    ///
    /// Element type and number of elements are preserved.
    op View = "nv_tileas.view" {
        operands {
            /// The tile or buffer.
            source: one(ANY_TYPE),
        }
        results {
            /// The same elements with another shape or layout.
            view: one(TILE_OR_VIEW),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$source attr-dict `:` type($source) `->` type($view)"),
            verify: Some(view),
        }
    }

    /// Inserts an axis of extent 1.
    op ExpandDims = "nv_tileas.expand_dims" {
        operands {
            /// The tile.
            source: one(A_TILE),
        }
        results {
            /// The tile with one more axis.
            expanded: one(A_TILE),
        }
        attributes {
            /// Position of the new axis in the result.
            axis = "axis": required(I32Attr),
        }
        with {
            traits: &[Trait::SameOperandsAndResultElementType],
            effects: Effects::None,
            assembly: Assembly::Format("$source `axis` $axis attr-dict `:` type($source) `->` type($expanded)"),
            verify: Some(expand_dims),
        }
    }

    /// Reinterprets the bits of a tile or buffer as another element type.
    ///
    /// The number of bits is preserved.
    op Reinterpret = "nv_tileas.reinterpret" {
        operands {
            /// The tile or buffer.
            source: one(TILE_OR_VIEW),
        }
        results {
            /// The same bits.
            bits: one(TILE_OR_VIEW),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$source attr-dict `:` type($source) `->` type($bits)"),
            verify: Some(reinterpret),
        }
    }

    /// Exchanges elements of a tile between lanes.
    op Shuffle = "nv_tileas.shuffle" {
        operands {
            /// The tile.
            source: one(A_TILE),
        }
        results {
            /// The permuted tile; of the same type.
            shuffled: one(A_TILE),
        }
        attributes {
            /// The permutation.
            pattern = "pattern": optional(AnyAttr),
        }
        with {
            traits: &[
                Trait::SameOperandsAndResultType,
                Trait::Custom(&SAME_OPERANDS_AND_RESULT_ENCODING),
                Trait::Custom(&TENSOR_TYPE_HAVING_LAYOUT),
            ],
            effects: Effects::None,
            assembly: Assembly::Format("$source attr-dict `:` type($source)"),
        }
    }

    /// Computes each element of a tile from its position.
    op Generate = "nv_tileas.generate" {
        results {
            /// The tile.
            tile: one(A_TILE),
        }
        regions {
            /// Computes one element; its arguments are the position, one index for each axis.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[Trait::SingleBlock, Trait::Custom(&TENSOR_SIZE)],
            effects: Effects::Recursive,
            assembly: Assembly::Format("attr-dict-with-keyword `:` type($tile) $body"),
            verify_regions: Some(generate),
        }
    }
}

fn ends(context: &Context, op: Operation) -> (Type, Type) {
    (
        op.operand(context, 0).ty(context),
        op.result(context, 0).ty(context),
    )
}

/// The element type and the number of elements are preserved.
fn same_elements(context: &Context, op: Operation) -> VerifyResult {
    let (source, target) = ends(context, op);
    let parts = shape_and_element(context, source).zip(shape_and_element(context, target));
    let Some(((from_shape, from), (to_shape, to))) = parts else {
        return Err(op.op_error(context, "expects a tile or buffer as source"));
    };
    ensure(context, op, from == to, || {
        "expects source and result of the same element type".to_owned()
    })?;
    let count = |shape: &[i64]| is_static(shape).then(|| element_count(shape));
    let (from, to) = (count(&from_shape), count(&to_shape));
    ensure(
        context,
        op,
        from.is_none() || to.is_none() || from == to,
        || "expects source and result with the same number of elements".to_owned(),
    )
}

/// A layout can be decoded: its literal is a shape and strides, and optionally swizzle and element.
fn is_decomposable(context: &Context, encoding: Attribute) -> bool {
    let Some(Layout(literal)) = encoding.downcast(context) else {
        // Layouts of other dialects are not checked.
        return true;
    };
    let mut depth = 0i32;
    let mut parts = 1;
    for c in literal.chars() {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            ',' if depth == 0 => parts += 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && (2..=4).contains(&parts) && !literal.is_empty()
}

/// Element type and count are preserved, layouts can be decoded.
fn convert_layout(context: &Context, op: Operation) -> VerifyResult {
    same_elements(context, op)?;
    for ty in [ends(context, op).0, ends(context, op).1] {
        if let TypeKind::Tensor {
            encoding: Some(encoding),
            ..
        } = ty.kind(context)
        {
            ensure(context, op, is_decomposable(context, *encoding), || {
                "expects layouts that can be decomposed".to_owned()
            })?;
        }
    }
    Ok(())
}

/// Elements and memory space are preserved.
fn view(context: &Context, op: Operation) -> VerifyResult {
    same_elements(context, op)?;
    let (source, target) = ends(context, op);
    let (from, to) = (memory_space(context, source), memory_space(context, target));
    ensure(context, op, from == to, || {
        "expects source and result in the same memory space".to_owned()
    })
}

/// One additional axis of extent 1.
fn expand_dims(context: &Context, op: Operation) -> VerifyResult {
    let (source, target) = ends(context, op);
    let axis = ExpandDims(op).axis(context).unwrap_or(-1);
    let mut shape = source.shape(context).unwrap_or_default().to_vec();
    let Some(number) = usize::try_from(axis)
        .ok()
        .filter(|axis| *axis <= shape.len())
    else {
        let message = format!(
            "expects an axis up to the rank {}, but got {axis}",
            shape.len()
        );
        return Err(op.op_error(context, message));
    };
    shape.insert(number, 1);
    ensure(context, op, target.shape(context) == Some(&shape), || {
        "expects the shape of the source with one more axis of extent 1".to_owned()
    })
}

/// Bits and memory space are preserved.
fn reinterpret(context: &Context, op: Operation) -> VerifyResult {
    let (source, target) = ends(context, op);
    let (from, to) = (memory_space(context, source), memory_space(context, target));
    ensure(context, op, from == to, || {
        "expects source and result in the same memory space".to_owned()
    })?;
    let size = |ty: Type| {
        let (shape, element) = shape_and_element(context, ty)?;
        (!shape.contains(&DYNAMIC))
            .then(|| byte_size(context, &shape, element))
            .flatten()
    };
    let (from, to) = (size(source), size(target));
    ensure(
        context,
        op,
        from.is_none() || to.is_none() || from == to,
        || "expects source and result with the same number of bits".to_owned(),
    )
}

/// `generate` computes an element from one index for each axis.
fn generate(context: &Context, op: Operation) -> VerifyResult {
    let tile = op.result(context, 0).ty(context);
    let rank = tile.shape(context).map_or(0, <[i64]>::len);
    expect_arguments(context, op, &vec![Type::INDEX; rank])?;
    expect_yield(context, op, &[tile.scalar(context)])
}
