//! Matrix products.

use orison_ir::{Operation, Value};
use orison_tileas::nv_tileas;
use orison_tileas::views::memory_space;

use super::super::access::{later, required, state, tile_operand};
use super::super::element::ElementKind;
use super::super::handles::Handle;
use super::super::values::static_shape;
use super::super::work::{Product, Source, Work};
use super::loads::scalar;
use super::{Launch, Row, atom};
use crate::{Action, Datum, Execution, Step, Trap};

/// Matrix products.
pub(super) const OPERATIONS: &[Row] = &[
    (
        nv_tileas::Dot::DEFINITION,
        Execution::new(|step, op| dot(step, op, false)),
    ),
    (
        nv_tileas::AsyncDot::DEFINITION,
        Execution::new(|step, op| dot(step, op, true)),
    ),
    (
        nv_tileas::BlockScaledMma::DEFINITION,
        Execution::new(block_scaled),
    ),
];

/// Whether `b` is N by K. If both are possible, the atom decides (`b = "kn"` or `b = "nk"`);
/// without it `b` is N by K, as the operands of `wgmma` are.
fn transposed(
    step: &Step<'_, '_>,
    op: Operation,
    a: &[usize],
    b: &[usize],
    c: &[usize],
) -> Option<bool> {
    let context = step.context();
    let [k, n] = [a.last()?, c.last()?];
    let (rest, [rows, columns]) = b.split_last_chunk::<2>()?;
    let _ = rest;
    let (straight, turned) = ((rows, columns) == (k, n), (rows, columns) == (n, k));
    let said = atom(context, op).and_then(|atom| atom.details.get(context, "b"));
    let said = said.and_then(|said| said.as_str(context));
    match (straight, turned) {
        (true, true) => Some(said != Some("kn")),
        (true, false) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

/// The operands of a product that are common to all forms.
fn product(
    step: &Step<'_, '_>,
    op: Operation,
    asynchronous: bool,
    launch: &mut Launch,
) -> Result<Product, Trap> {
    let context = step.context();
    let ty = op.result(context, 0).ty(context);
    let extents = |name: &str| {
        let value: Option<Value> = op.operands_named(context, name).first().copied();
        value.and_then(|value| static_shape(context, value.ty(context)))
    };
    let (Some(shape), Some(kind)) = (static_shape(context, ty), ElementKind::of(context, ty))
    else {
        return Err(Trap::unsupported(op, "a product of this type"));
    };
    let (a, b) = (
        extents("a").unwrap_or_default(),
        extents("b").unwrap_or_default(),
    );
    let Some(transposed) = transposed(step, op, &a, &b, &shape) else {
        return Err(Trap::malformed(
            op,
            "a product of operands that are not matrices",
        ));
    };
    let signed = |key: &str| {
        let text = op
            .attribute(context, key)
            .and_then(|text| text.as_str(context));
        text != Some("unsigned")
    };
    let mut operand = |name: &str| -> Result<Source, Trap> {
        let datum = required(step, op, name)?;
        source(step, op, &datum, asynchronous, launch)
    };
    Ok(Product {
        a: operand("a")?,
        b: operand("b")?,
        c: None,
        transposed,
        signed: [signed("a_signedness"), signed("b_signedness")],
        scales: None,
        shape,
        kind,
    })
}

/// An operand: read now, or when the product runs if it remains in memory.
fn source(
    step: &Step<'_, '_>,
    op: Operation,
    datum: &Datum,
    asynchronous: bool,
    launch: &mut Launch,
) -> Result<Source, Trap> {
    if asynchronous {
        later(step, op, datum, &mut launch.after, &mut launch.reads)
    } else {
        Ok(Source::Tile(tile_operand(step, op, datum)?))
    }
}

/// `dot` and `async.dot`.
fn dot(step: &mut Step<'_, '_>, op: Operation, asynchronous: bool) -> Result<Action, Trap> {
    let mut launch = Launch::new(Work::Value(Datum::Poison));
    let mut product = product(step, op, asynchronous, &mut launch)?;
    let accumulate = scalar(step, op, "accumulate")?.is_none_or(|flag| flag != 0);
    let added = required(step, op, "c")?;
    let to = accumulator(step, op, &added)?;
    if let (true, Some(Handle::Memory(view))) = (asynchronous, Handle::of(&added)) {
        // Products into one accumulator are ordered.
        let state = state(step);
        let earlier = state.effects.iter().filter(|(name, effect)| {
            let product = matches!(effect.work, Work::Product { .. });
            name.task == state.task && product && effect.writes.contains(view)
        });
        launch.after.extend(earlier.map(|(name, _)| *name));
    }
    if accumulate {
        product.c = Some(source(step, op, &added, asynchronous, &mut launch)?);
    }
    launch.writes.extend(to.clone());
    launch.work = Work::Product {
        product: Box::new(product),
        to,
    };
    launch.run(step, op, asynchronous)
}

/// The memory that a product accumulates in; `None` if it is in registers.
fn accumulator(
    step: &Step<'_, '_>,
    op: Operation,
    added: &Datum,
) -> Result<Option<super::super::memory::View>, Trap> {
    let context = step.context();
    let space = memory_space(context, op.result(context, 0).ty(context));
    if space == Some(orison_tileas::MemorySpace::Register) {
        return Ok(None);
    }
    let (view, _) = super::super::access::memory_operand(step, op, added, false)?;
    Ok(Some(view))
}

/// `block_scaled_mma`.
fn block_scaled(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let mut launch = Launch::new(Work::Value(Datum::Poison));
    let mut product = product(step, op, false, &mut launch)?;
    let added = required(step, op, "c")?;
    let to = accumulator(step, op, &added)?;
    product.c = Some(source(step, op, &added, false, &mut launch)?);
    let (of_a, of_b) = (
        required(step, op, "scale_a")?,
        required(step, op, "scale_b")?,
    );
    product.scales = Some([
        source(step, op, &of_a, false, &mut launch)?,
        source(step, op, &of_b, false, &mut launch)?,
    ]);
    launch.writes.extend(to.clone());
    launch.work = Work::Product {
        product: Box::new(product),
        to,
    };
    launch.run(step, op, false)
}
