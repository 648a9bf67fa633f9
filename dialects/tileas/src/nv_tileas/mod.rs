//! `nv_tileas`: data movement and synchronisation of tile programs.

pub mod async_memory;
pub mod attributes;
pub mod builders;
pub mod compute;
pub mod control;
pub mod copies;
pub mod layout;
pub mod memory;
pub mod pipeline;
pub mod rules;
mod slice_assembly;
pub mod slices;
pub mod tma;
pub mod tokens;
pub mod traits;
pub mod types;
pub mod verify;

use orison_ir::declare::{DialectDefinition, OperationDefinition, VerifyResult};
use orison_ir::{Attribute, Context, Operation};

pub use async_memory::*;
pub use attributes::{Atom, AtomAttr, AtomFamily, atom, atom_of_dictionary, tma_atom, with_box};
pub use compute::*;
pub use control::*;
pub use layout::*;
pub use memory::*;
pub use pipeline::*;
pub use rules::NV_TILEAS_RULES;
pub use slice_assembly::{Bound, SliceBounds};
pub use slices::*;
pub use tma::*;
pub use tokens::*;
pub use traits::is_memory_consistent;
pub use types::{IteratorType, Role, unwrap_iterator};

/// The 16 pipeline operations.
const PIPELINE: &[&OperationDefinition] = &[
    CreatePipeline::DEFINITION,
    CreateIterator::DEFINITION,
    IncIter::DEFINITION,
    CreateNullToken::DEFINITION,
    ProduceOne::DEFINITION,
    ProduceOneAsync::DEFINITION,
    ConsumeOne::DEFINITION,
    ConsumeOneAsync::DEFINITION,
    ProducerAcquire::DEFINITION,
    ProducerWrite::DEFINITION,
    ProducerCommit::DEFINITION,
    ConsumerWait::DEFINITION,
    ConsumerRead::DEFINITION,
    ConsumerRelease::DEFINITION,
    AgentSwitch::DEFINITION,
    PipelineYield::DEFINITION,
];

const OTHERS: &[&OperationDefinition] = &[
    AsyncWait::DEFINITION,
    FutureWait::DEFINITION,
    ToAsync::DEFINITION,
    TokenToAsync::DEFINITION,
    CreateNone::DEFINITION,
    Load::DEFINITION,
    Store::DEFINITION,
    Copy::DEFINITION,
    GatherLoad::DEFINITION,
    ScatterStore::DEFINITION,
    TiledLoad::DEFINITION,
    TiledStore::DEFINITION,
    TiledAtomicRmw::DEFINITION,
    AsyncLoad::DEFINITION,
    AsyncStore::DEFINITION,
    AsyncCopy::DEFINITION,
    AsyncTiledLoad::DEFINITION,
    AsyncTiledAtomicRmw::DEFINITION,
    MakeTiledTmaDesc::DEFINITION,
    AsyncTiledTmaLoad::DEFINITION,
    AsyncTiledTmaStore::DEFINITION,
    AsyncGatherTmaLoad::DEFINITION,
    AsyncScatterTmaStore::DEFINITION,
    AllocTensor::DEFINITION,
    ExtractSlice::DEFINITION,
    InsertSlice::DEFINITION,
    AsyncExtractSlice::DEFINITION,
    AsyncInsertSlice::DEFINITION,
    ConvertLayout::DEFINITION,
    View::DEFINITION,
    ExpandDims::DEFINITION,
    Reinterpret::DEFINITION,
    Shuffle::DEFINITION,
    Generate::DEFINITION,
    Dot::DEFINITION,
    AsyncDot::DEFINITION,
    Reduce::DEFINITION,
    Scan::DEFINITION,
    Yield::DEFINITION,
    Pragma::DEFINITION,
    CancelNextProgramId::DEFINITION,
    AsyncCancelNextProgramId::DEFINITION,
    BlockScaledMma::DEFINITION,
];

const COUNT: usize = PIPELINE.len() + OTHERS.len();

/// Pipelines first, then the others.
const OPERATIONS: [&OperationDefinition; COUNT] = {
    let mut all = [PIPELINE[0]; COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number] = if number < PIPELINE.len() {
            PIPELINE[number]
        } else {
            OTHERS[number - PIPELINE.len()]
        };
        number += 1;
    }
    all
};

/// The dialect definition.
pub static NV_TILEAS: DialectDefinition = DialectDefinition {
    name: "nv_tileas",
    documentation: "Data movement and synchronisation of tile programs.\n\n\
        Tile values are tensors; memory is accessed through tiled views, descriptors and pointers. \
        Loads and stores have a synchronous and an asynchronous form. Pipelines are rings of \
        stages that agents fill and consume: producers acquire, write and commit; consumers wait, \
        read and release. The 58 registered operations of the TileAS reference, section 1.1, and \
        `block_scaled_mma`.",
    operations: &OPERATIONS,
    types: &[
        &types::PIPELINE_TYPE,
        &types::ITERATOR_TYPE,
        &types::PRODUCER_TOKEN_TYPE,
        &types::CONSUMER_TOKEN_TYPE,
        &types::ASYNC_TOKEN_TYPE,
        &types::TMA_DESC_TYPE,
        &crate::views::TILEAS_VIEW_TYPE,
        &crate::views::TILEAS_MEMREF_TYPE,
    ],
    attributes: &[&attributes::ATOM_ATTRIBUTE, &attributes::LAYOUT_ATTRIBUTE],
    verify_attribute: Some(verify_attribute),
    ..DialectDefinition::DEFAULT
};

/// Checks `nv_tileas.…` attributes on any operation (TileAS reference 1.3).
fn verify_attribute(context: &Context, op: Operation, key: &str, value: Attribute) -> VerifyResult {
    let form = match key {
        "nv_tileas.num-host-tmas" | "nv_tileas.num-device-tmas" => {
            (value.as_i32(context).is_none_or(|count| count < 0)).then_some("a non-negative i32")
        }
        "nv_tileas.root_reg_to_reg_copy_op" => {
            (value != Attribute::UNIT).then_some("a unit attribute")
        }
        _ => None,
    };
    match form {
        Some(form) => Err(op.op_error(context, format!("attribute '{key}' must be {form}"))),
        None => Ok(()),
    }
}
