//! Verifier of `block_scaled_mma`, in a fixed order of phases: machine, presence, equal scale types, C type,
//! equal K extents, catalog (TileAS reference 1.9).
//!
//! The catalog follows OCP and NVFP4, not the reference, which swaps two names: `mxf4` has blocks
//! of 32 with E8M0 scales, `nvf4` blocks of 16 with E4M3 scales. With two blocks of a cluster the
//! first and the third row are allowed: the reference's prose allows blocks of 16 and its code does
//! not (C68); the prose is followed.

use orison_ir::declare::VerifyResult;
use orison_ir::numbers::FloatKind;
use orison_ir::{Context, Operation, Type};

use super::super::verify::ensure;
use super::BlockScaledMma;
use super::dot::shapes_fit;
use crate::nv_tileaa::KernelSpec;
use crate::views::shape_and_element;

/// The lowest compute capability with block scales.
const BLOCK_SCALE_CAPABILITY: i32 = 100;

/// A row of the catalog: the configuration for given element and scale types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockScale {
    /// Name of the instruction kind.
    pub kind: &'static str,
    /// K extent of one instruction, in elements.
    pub atom_k: u32,
    /// Elements that share a scale.
    pub vector_size: u32,
}

impl BlockScale {
    /// The packed configuration, `(atom_k << 32) | vector_size`; never 0.
    pub fn packed(self) -> u64 {
        u64::from(self.atom_k) << 32 | u64::from(self.vector_size)
    }
}

/// The configuration for element types, scale type and block size, if one exists.
pub fn catalog(
    context: &Context,
    element: Type,
    scale: Type,
    vector_size: i64,
    two_cta: bool,
) -> Option<BlockScale> {
    let row = |kind, atom_k, vector_size| {
        Some(BlockScale {
            kind,
            atom_k,
            vector_size,
        })
    };
    let element = element.float_kind(context)?;
    let scale = scale.float_kind(context)?;
    match (element, scale, vector_size) {
        (FloatKind::F8E4M3FN | FloatKind::F8E5M2, FloatKind::F8E8M0FNU, 32) => {
            row("mxf8f6f4", 32, 32)
        }
        (FloatKind::F4E2M1FN, FloatKind::F8E8M0FNU, 32) if !two_cta => row("mxf4", 64, 32),
        (FloatKind::F4E2M1FN, FloatKind::F8E4M3FN, 16) => row("nvf4", 64, 16),
        _ => None,
    }
}

/// Elements of the last axis of a factor for each scale of its last axis. The factor may be
/// transposed, so the axis is identified by the other one.
fn vector_size(context: &Context, factor: Type, scales: Type, k: i64) -> Option<i64> {
    shape_and_element(context, factor)?;
    let (scales, _) = shape_and_element(context, scales)?;
    let blocks = *scales.last()?;
    (blocks > 0 && k > 0 && k % blocks == 0).then(|| k / blocks)
}

fn element(context: &Context, ty: Type) -> Type {
    shape_and_element(context, ty).map_or(ty, |(_, element)| element)
}

/// Runs all phases.
pub fn block_scaled_mma(context: &Context, op: Operation) -> VerifyResult {
    let mma = BlockScaledMma(op);
    let spec = KernelSpec::around(context, op);
    let capability = spec.and_then(|spec| spec.compute_capability);
    ensure(
        context,
        op,
        capability.is_none_or(|capability| capability >= BLOCK_SCALE_CAPABILITY),
        || "mma block scale is not supported by compute capability < sm100".to_owned(),
    )?;
    let (Some(scale_a), Some(scale_b)) = (mma.scale_a(context), mma.scale_b(context)) else {
        return Err(op.op_error(context, "fp4 mma should expect scaling factors"));
    };
    let (scale_a, scale_b) = (scale_a.ty(context), scale_b.ty(context));
    ensure(
        context,
        op,
        element(context, scale_a) == element(context, scale_b),
        || "sfa and sfb element type mismatch".to_owned(),
    )?;
    let [a, b, c] = [mma.a(context), mma.b(context), mma.c(context)].map(|v| v.ty(context));
    ensure(context, op, element(context, c) == Type::F32, || {
        "expects c type to be Float32".to_owned()
    })?;
    ensure(context, op, shapes_fit(context, a, b, c), || {
        "expects a of M x K, b of K x N or N x K, and c of M x N".to_owned()
    })?;
    let k = shape_and_element(context, a).and_then(|(shape, _)| shape.last().copied());
    let k = k.unwrap_or(0);
    let sizes = (
        vector_size(context, a, scale_a, k),
        vector_size(context, b, scale_b, k),
    );
    let (Some(size), true) = (sizes.0, sizes.0 == sizes.1) else {
        let message = format!(
            "Scale factor vector size mismatch: {}, {}",
            sizes.0.unwrap_or(0),
            sizes.1.unwrap_or(0)
        );
        return Err(op.op_error(context, message));
    };
    let two_cta = mma.two_cta(context).unwrap_or(false);
    let (element_a, element_b) = (element(context, a), element(context, b));
    let scale = element(context, scale_a);
    let rows = (
        catalog(context, element_a, scale, size, two_cta),
        catalog(context, element_b, scale, size, two_cta),
    );
    ensure(context, op, rows.0.is_some() && rows.0 == rows.1, || {
        "unsupported block-scaled mma configuration".to_owned()
    })?;
    ensure(context, op, mma.d(context).ty(context) == c, || {
        "expects a result of the type of c".to_owned()
    })
}
