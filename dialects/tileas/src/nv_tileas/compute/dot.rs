//! Verifiers of matrix products (TileAS reference 1.9).

use orison_ir::declare::VerifyResult;
use orison_ir::numbers::FloatKind;
use orison_ir::{Context, Operation, Type};

use super::super::verify::ensure;
use crate::nv_tileas::attributes::{Atom, AtomFamily};
use crate::views::{shape_and_element, shapes_compatible};

/// A matrix operand: batch axes, rows, columns.
struct Matrix {
    batch: Vec<i64>,
    rows: i64,
    columns: i64,
}

impl Matrix {
    fn of(context: &Context, ty: Type) -> Option<Self> {
        let (shape, _) = shape_and_element(context, ty)?;
        match shape.as_slice() {
            [batch @ .., rows, columns] if batch.len() <= 1 => Some(Matrix {
                batch: batch.to_vec(),
                rows: *rows,
                columns: *columns,
            }),
            _ => None,
        }
    }
}

/// Whether the shapes of a product match: `a` M by K, `b` K by N or N by K, `c` M by N.
pub(super) fn shapes_fit(context: &Context, a: Type, b: Type, c: Type) -> bool {
    let matrices = (
        Matrix::of(context, a),
        Matrix::of(context, b),
        Matrix::of(context, c),
    );
    let (Some(a), Some(b), Some(c)) = matrices else {
        return false;
    };
    let fits = |x: i64, y: i64| shapes_compatible(&[x], &[y]);
    let straight = fits(b.rows, a.columns) && fits(b.columns, c.columns);
    let transposed = fits(b.columns, a.columns) && fits(b.rows, c.columns);
    fits(a.rows, c.rows) && (straight || transposed) && a.batch == b.batch && a.batch == c.batch
}

/// Atom, shapes, element types, signedness and accumulator of `dot` and `async.dot`.
pub fn dot(context: &Context, op: Operation) -> VerifyResult {
    let types = op.operand_types(context);
    let [a, b, c, ..] = types.as_slice() else {
        return Ok(());
    };
    let atom = op
        .attribute(context, "atom")
        .and_then(|atom| Atom::of(context, atom));
    let family = atom.map_or(AtomFamily::Unknown, Atom::family);
    let product = family.is_matrix_product() || family == AtomFamily::Simt;
    ensure(
        context,
        op,
        product || family == AtomFamily::Unknown,
        || "expected an MMA atom".to_owned(),
    )?;
    let columns = atom.and_then(|atom| atom.instruction_extents().1);
    let is_wgmma = family == AtomFamily::Wgmma;
    let has_columns = |columns: u64| columns.is_multiple_of(8) && (8..=256).contains(&columns);
    ensure(
        context,
        op,
        !is_wgmma || columns.is_none_or(has_columns),
        || "WGMMA N must be a multiple of 8, up to 256".to_owned(),
    )?;
    ensure(context, op, shapes_fit(context, *a, *b, *c), || {
        "expects a of M x K, b of K x N or N x K, and c of M x N".to_owned()
    })?;
    let result = op.result(context, 0).ty(context);
    ensure(context, op, result == *c, || {
        "expects a result of the type of c".to_owned()
    })?;
    let element = |ty: Type| shape_and_element(context, ty).map(|(_, element)| element);
    match (element(*a), element(*b), element(*c)) {
        (Some(a), Some(b), Some(c)) => element_types(context, op, a, b, c),
        _ => Ok(()),
    }
}

fn element_types(context: &Context, op: Operation, a: Type, b: Type, c: Type) -> VerifyResult {
    let both_narrow = is_narrow(context, a) && is_narrow(context, b);
    if a.is_integer(context) && b.is_integer(context) {
        ensure(
            context,
            op,
            a.integer_width(context) == b.integer_width(context),
            || "expects a and b of the same element width".to_owned(),
        )?;
        for key in ["a_signedness", "b_signedness"] {
            let value = op
                .attribute(context, key)
                .and_then(|value| value.as_str(context));
            ensure(
                context,
                op,
                matches!(value, Some("signed" | "unsigned")),
                || format!("requires attribute '{key}' to be 'signed' or 'unsigned' for integers"),
            )?;
        }
        return ensure(context, op, c == Type::I32, || {
            "expects c type to be 32-bit integer".to_owned()
        });
    }
    ensure(
        context,
        op,
        a.is_float(context) && (a == b || both_narrow),
        || "expects a and b of the same element type".to_owned(),
    )?;
    for key in ["a_signedness", "b_signedness"] {
        ensure(context, op, op.attribute(context, key).is_none(), || {
            format!("expects '{key}' for integers only")
        })?;
    }
    let double = a == Type::F64 && c == Type::F64;
    ensure(context, op, c == Type::F32 || double, || {
        "expects c type to be Float32".to_owned()
    })
}

/// Eight-bit floats may be mixed.
fn is_narrow(context: &Context, ty: Type) -> bool {
    matches!(
        ty.float_kind(context),
        Some(FloatKind::F8E4M3FN | FloatKind::F8E5M2)
    )
}
