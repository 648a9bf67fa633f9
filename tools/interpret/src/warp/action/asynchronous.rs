//! Asynchronous operations: copies, mbarriers, tensor memory.

use orison_ori::keywords::{CopyShape, Keyword, TensorKind, TensorShape, Width};
use orison_ori::operations as ori;

use super::super::change::Change;
use super::read::ReadAction::Attributes;
use super::read::{Reader, Row};
use super::{
    Action, Address, Arrival, ArrivalBehind, BulkCopy, Copy, OnMbarrier, TensorCopy,
    TensorCopyKind, TensorMemoryCopy, TensorMultiply, TensorTransfer,
};

/// Copies to shared memory, and mbarriers.
pub(super) const COPIES: &[Row] = &[
    (
        ori::Ldgsts::DEFINITION,
        Attributes(|reader| Some(Action::Copy(copy(reader)))),
    ),
    (
        ori::Ldgdepbar::DEFINITION,
        Attributes(|_| Some(Action::CloseGroup)),
    ),
    (
        ori::Depbar::DEFINITION,
        Attributes(|reader| {
            let count = usize::try_from(reader.number("count")?).ok()?;
            Some(Action::WaitForGroups(count))
        }),
    ),
    (
        ori::Syncs::DEFINITION,
        Attributes(|reader| {
            Some(Action::OnMbarrier(OnMbarrier {
                action: reader.word("mbarrier")?,
                address: reader.address(),
                count: reader.operand("count"),
            }))
        }),
    ),
    (
        ori::SyncsArrive::DEFINITION,
        Attributes(|reader| {
            Some(Action::Arrive(Arrival {
                address: reader.address(),
                count: reader.operand("count"),
                expect: reader.operand("expect"),
                drops: reader.flag("drops"),
                remote: reader.flag("remote"),
            }))
        }),
    ),
    (
        ori::Arrives::DEFINITION,
        Attributes(|reader| {
            Some(Action::ArriveBehind(ArrivalBehind {
                address: reader.address(),
                counted: reader.flag("counted"),
            }))
        }),
    ),
    (
        ori::SyncsTryWait::DEFINITION,
        Attributes(|reader| {
            Some(Action::WaitForPhase {
                address: reader.address(),
                phase: reader.operand("phase")?,
                test: reader.flag("test"),
            })
        }),
    ),
];

fn copy(reader: &Reader<'_>) -> Copy {
    Copy {
        shared: Address {
            base: reader.operand("shared_base"),
            uniform: reader.operand("shared_uniform"),
            offset: reader.number("shared_offset").unwrap_or(0),
        },
        global: reader.address(),
        width: reader.word("width").unwrap_or(Width::B32),
        size: reader.operand("size"),
        copied: reader.operand("copied"),
        zero_fill: reader.flag("zero_fill"),
    }
}

/// Bulk copies and tensor copies.
pub(super) const BULK_COPIES: &[Row] = &[
    (
        ori::Ublkcp::DEFINITION,
        Attributes(|reader| bulk_copy(reader, None)),
    ),
    (
        ori::Ublkred::DEFINITION,
        Attributes(|reader| bulk_copy(reader, Some(reader.change()?))),
    ),
    (
        ori::Utmaldg::DEFINITION,
        Attributes(|reader| {
            let kind = TensorCopyKind::Load {
                barrier: reader.operand("barrier")?,
                multicast: reader.operand("multicast"),
                two_ctas: reader.flag("two_ctas"),
            };
            tensor_copy(reader, "destination", kind)
        }),
    ),
    (
        ori::Utmastg::DEFINITION,
        Attributes(|reader| tensor_copy(reader, "source", TensorCopyKind::Store)),
    ),
    (
        ori::Utmaredg::DEFINITION,
        Attributes(|reader| {
            let kind = TensorCopyKind::Reduce(reader.word("operation")?);
            tensor_copy(reader, "source", kind)
        }),
    ),
    (
        ori::Utmacmdflush::DEFINITION,
        Attributes(|_| Some(Action::CloseBulks)),
    ),
    (
        ori::BulkWait::DEFINITION,
        Attributes(|reader| {
            Some(Action::WaitForBulks {
                most: u64::try_from(reader.number("count")?).ok()?,
                reads: reader.flag("reads"),
            })
        }),
    ),
];

fn bulk_copy(reader: &Reader<'_>, change: Option<Change>) -> Option<Action> {
    Some(Action::BulkCopy(BulkCopy {
        destination: reader.operand("destination")?,
        source: reader.operand("source")?,
        size: reader.operand("size")?,
        barrier: reader.operand("barrier"),
        multicast: reader.operand("multicast"),
        change,
    }))
}

/// The copy of a box of a tensor; `shared` is the operand group of the address in shared memory.
fn tensor_copy(reader: &Reader<'_>, shared: &str, kind: TensorCopyKind) -> Option<Action> {
    Some(Action::TensorCopy(TensorCopy {
        descriptor: reader.operand("descriptor")?,
        shared: reader.operand(shared)?,
        coordinates: (reader.group)("coordinates"),
        offsets: reader.flag("im2col").then(|| (reader.group)("offsets")),
        kind,
    }))
}

/// Tensor memory: allocation, copies, products.
pub(super) const TENSOR_MEMORY: &[Row] = &[
    (
        ori::TensorAlloc::DEFINITION,
        Attributes(|reader| Some(Action::Allocate(reader.operand("columns")?))),
    ),
    (
        ori::TensorDealloc::DEFINITION,
        Attributes(|reader| {
            Some(Action::Free {
                address: reader.operand("address")?,
                columns: reader.operand("columns"),
            })
        }),
    ),
    (
        ori::TensorPermit::DEFINITION,
        Attributes(|_| Some(Action::GivePermitUp)),
    ),
    (
        ori::TensorLd::DEFINITION,
        Attributes(|reader| {
            let address = reader.operand("address")?;
            Some(Action::LoadTensor(transfer(reader)?, address))
        }),
    ),
    (
        ori::TensorSt::DEFINITION,
        Attributes(|reader| {
            let operands = (reader.operand("address")?, reader.operand("value")?);
            Some(Action::StoreTensor(transfer(reader)?, operands))
        }),
    ),
    (
        ori::TensorWaitSt::DEFINITION,
        Attributes(|_| Some(Action::WaitForStores)),
    ),
    (
        ori::TensorWaitLd::DEFINITION,
        Attributes(|_| Some(Action::WaitForLoads)),
    ),
    (ori::TensorCp::DEFINITION, Attributes(copy_to_tensor)),
    (ori::TensorMma::DEFINITION, Attributes(multiply_tensor)),
    (
        ori::TensorCommit::DEFINITION,
        Attributes(|reader| {
            Some(Action::CommitTensor {
                barrier: reader.operand("barrier")?,
                multicast: reader.operand("multicast"),
            })
        }),
    ),
];

fn transfer(reader: &Reader<'_>) -> Option<TensorTransfer> {
    let shape: TensorShape = reader.word("tensor_shape")?;
    let distance = reader.number("half_distance").unwrap_or(0);
    Some(TensorTransfer {
        shape,
        distance: usize::try_from(distance).ok()?,
        packs: reader.flag("pack"),
        lanes: u32::MAX,
    })
}

fn copy_to_tensor(reader: &Reader<'_>) -> Option<Action> {
    let shape: CopyShape = reader.word("copy_shape")?;
    if shape == CopyShape::S4x256b {
        return Some(Action::Refused(
            "copies four rows to tensor memory, for which the lanes are undocumented".to_owned(),
        ));
    }
    Some(Action::CopyToTensor(TensorMemoryCopy {
        address: reader.operand("address")?,
        source: reader.operand("source")?,
        shape,
        warps: reader.word("copy_warps"),
        two_ctas: reader.flag("two_ctas"),
    }))
}

fn multiply_tensor(reader: &Reader<'_>) -> Option<Action> {
    let kind: TensorKind = reader.word("tensor_kind")?;
    let scaled = [TensorKind::Mxf8f6f4, TensorKind::Mxf4, TensorKind::Mxf4nvf4];
    if scaled.contains(&kind) {
        return Some(Action::Refused(format!(
            "multiplies with block scales ('{}'), which are not modelled",
            kind.keyword()
        )));
    }
    Some(Action::MultiplyTensor(TensorMultiply {
        left: reader.operand("a")?,
        right: reader.operand("b")?,
        accumulator: reader.operand("accumulator")?,
        instruction: reader.operand("instruction")?,
        scale: reader.operand("scale"),
        kind,
        two_ctas: reader.flag("two_ctas"),
    }))
}
