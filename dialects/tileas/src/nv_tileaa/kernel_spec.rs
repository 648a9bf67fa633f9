//! `nv_tileaa.kernel_spec`: the launch configuration of a kernel.

use orison_ir::declare::VerifyResult;
use orison_ir::{Attribute, AttributeKind, Context, Operation};

use crate::schedule_keys::KERNEL_SPEC;

/// A decoded kernel specification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KernelSpec {
    /// Warps per block.
    pub num_warps: Option<i32>,
    /// Blocks per cluster along each axis.
    pub cluster_dim: Option<Vec<i32>>,
    /// Blocks that should be resident on a multiprocessor.
    pub occupancy: Option<i32>,
    /// Compute capability times ten (90, 100).
    pub compute_capability: Option<i32>,
}

impl KernelSpec {
    /// Decodes a dictionary.
    pub fn of(context: &Context, dictionary: Attribute) -> Self {
        let integer = |key: &str| dictionary.get(context, key)?.as_i32(context);
        KernelSpec {
            num_warps: integer("numWarps"),
            cluster_dim: dictionary
                .get(context, "clusterDim")
                .and_then(|dim| dim.as_i32_array(context)),
            occupancy: integer("occupancy"),
            compute_capability: integer("computeCapability"),
        }
    }

    /// The specification of the function around an operation, or of the operation itself.
    pub fn around(context: &Context, op: Operation) -> Option<Self> {
        std::iter::once(op)
            .chain(op.ancestors(context))
            .find_map(|op| op.attribute(context, KERNEL_SPEC))
            .map(|dictionary| KernelSpec::of(context, dictionary))
    }
}

pub(super) fn verify(context: &Context, op: Operation, value: Attribute) -> VerifyResult {
    let fail = |what: &str| {
        let message = format!("attribute '{KERNEL_SPEC}' {what}");
        Err(op.op_error(context, message))
    };
    if !matches!(value.kind(context), AttributeKind::Dictionary(_)) {
        return fail("must be a dictionary");
    }
    for key in ["numWarps", "occupancy", "computeCapability"] {
        let entry = value.get(context, key);
        if entry.is_some_and(|entry| entry.as_i32(context).is_none_or(|entry| entry < 1)) {
            return fail(&format!("must have a positive i32 as '{key}'"));
        }
    }
    if let Some(dim) = value.get(context, "clusterDim") {
        let extents = dim.as_i32_array(context).unwrap_or_default();
        if !(1..=3).contains(&extents.len()) || extents.iter().any(|extent| *extent < 1) {
            return fail("must have one to three positive i32 as 'clusterDim'");
        }
    }
    Ok(())
}
