//! `nv_tileaa`: the operations that surround `nv_tileas`.

pub mod function;
mod kernel_spec;
pub mod operations;
pub mod types;

use orison_ir::declare::{DialectDefinition, VerifyResult};
use orison_ir::{Attribute, Context, Operation};

pub use function::{Func, Return};
pub use kernel_spec::KernelSpec;
pub use operations::*;
pub use types::{MEM_TOKEN_TYPE, POINTER_TYPE, Pointer, pointee, pointer_to};

/// The dialect definition.
pub static NV_TILEAA: DialectDefinition = DialectDefinition {
    name: "nv_tileaa",
    documentation: "Functions, program ids and views of memory around `nv_tileas`.\n\n\
        Has only the operations that remain legal together with `nv_tileas`.",
    operations: &[
        Func::DEFINITION,
        Return::DEFINITION,
        GetProgramId::DEFINITION,
        IsValidProgramId::DEFINITION,
        CreateMemToken::DEFINITION,
        BlockTile::DEFINITION,
        MakeMemref::DEFINITION,
        AddPtr::DEFINITION,
    ],
    types: &[
        &MEM_TOKEN_TYPE,
        &POINTER_TYPE,
        &crate::views::TILEAA_VIEW_TYPE,
        &crate::views::MEMREF_TYPE,
    ],
    verify_attribute: Some(verify_attribute),
    ..DialectDefinition::DEFAULT
};

fn verify_attribute(context: &Context, op: Operation, key: &str, value: Attribute) -> VerifyResult {
    if key == crate::schedule_keys::KERNEL_SPEC {
        return kernel_spec::verify(context, op, value);
    }
    Ok(())
}
