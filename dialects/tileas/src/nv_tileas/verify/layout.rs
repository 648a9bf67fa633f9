//! Verifiers of layout operations (TileAS reference 1.9).

use orison_ir::declare::VerifyResult;
use orison_ir::types::DYNAMIC;
use orison_ir::{Attribute, Context, Operation, Type, TypeKind};

use super::ensure;
use crate::nv_tileas::ExpandDims;
use crate::nv_tileas::attributes::Layout;
use crate::views::{byte_size, element_count, is_static, memory_space, shape_and_element};

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
pub fn convert_layout(context: &Context, op: Operation) -> VerifyResult {
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
pub fn view(context: &Context, op: Operation) -> VerifyResult {
    same_elements(context, op)?;
    let (source, target) = ends(context, op);
    let (from, to) = (memory_space(context, source), memory_space(context, target));
    ensure(context, op, from == to, || {
        "expects source and result in the same memory space".to_owned()
    })
}

/// One additional axis of extent 1.
pub fn expand_dims(context: &Context, op: Operation) -> VerifyResult {
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
pub fn reinterpret(context: &Context, op: Operation) -> VerifyResult {
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
