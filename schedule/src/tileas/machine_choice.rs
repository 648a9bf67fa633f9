//! Which machine model a pass works with.

use orison_ir::{Context, Operation};
use orison_tileas::nv_tileaa::KernelSpec;

use crate::machine::MachineModel;

orison_ir::option_enum! {
    /// The machine model, by name or by the kernel.
    pub enum MachineChoice {
        /// That of `computeCapability` in the function's `nv_tileaa.kernel_spec`; Blackwell when
        /// it does not say.
        Auto = "auto",
        /// sm_100 and later.
        Blackwell = "blackwell",
        /// sm_90.
        Hopper = "hopper",
    }
}

impl MachineChoice {
    /// The model for an operation of a kernel.
    pub fn model(self, context: &Context, op: Operation) -> &'static MachineModel {
        match self {
            MachineChoice::Blackwell => MachineModel::blackwell(),
            MachineChoice::Hopper => MachineModel::hopper(),
            MachineChoice::Auto => {
                let spec = KernelSpec::around(context, op);
                spec.and_then(|spec| spec.compute_capability)
                    .and_then(|capability| u32::try_from(capability).ok())
                    .and_then(MachineModel::for_compute_capability)
                    .unwrap_or_else(MachineModel::blackwell)
            }
        }
    }
}
