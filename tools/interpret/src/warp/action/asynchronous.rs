//! Reads asynchronous actions: copies, mbarriers, tensor memory.

use orison_ori::keywords::{CopyShape, TensorKind, TensorShape, Width};

use super::super::copies::Copy;
use super::super::mbarriers::{Arrival, ArrivalBehind, OnMbarrier};
use super::super::tensor_copies::{BulkCopy, TensorCopy, TensorCopyKind};
use super::super::tensor_memory::{TensorMemoryCopy, TensorTransfer};
use super::super::tensor_products::TensorMultiply;
use super::read::Reader;
use super::{Action, Address};

pub(super) fn copies(reader: &Reader<'_>, name: &str) -> Option<Action> {
    Some(match name {
        "ori.ldgsts" => Action::Copy(Copy {
            shared: Address {
                base: reader.operand("shared_base"),
                uniform: reader.operand("shared_uniform"),
                offset: reader.number("shared_offset").unwrap_or(0),
            },
            global: reader.address(),
            width: reader.word("width").unwrap_or(Width::B32),
            size: reader.operand("size"),
        }),
        "ori.ldgdepbar" => Action::CloseGroup,
        "ori.depbar" => Action::WaitForGroups(usize::try_from(reader.number("count")?).ok()?),
        "ori.syncs" => Action::OnMbarrier(OnMbarrier {
            action: reader.word("mbarrier")?,
            address: reader.address(),
            count: reader.operand("count"),
        }),
        "ori.syncs_arrive" => Action::Arrive(Arrival {
            address: reader.address(),
            count: reader.operand("count"),
            expect: reader.operand("expect"),
            drops: reader.flag("drops"),
            remote: reader.flag("remote"),
        }),
        "ori.arrives" => Action::ArriveBehind(ArrivalBehind {
            address: reader.address(),
            counted: reader.flag("counted"),
        }),
        "ori.syncs_try_wait" => Action::WaitForPhase {
            address: reader.address(),
            phase: reader.operand("phase")?,
            test: reader.flag("test"),
        },
        _ => return None,
    })
}

pub(super) fn bulks(reader: &Reader<'_>, name: &str) -> Option<Action> {
    let block = |change| {
        Some(Action::BulkCopy(BulkCopy {
            destination: reader.operand("destination")?,
            source: reader.operand("source")?,
            size: reader.operand("size")?,
            barrier: reader.operand("barrier"),
            multicast: reader.operand("multicast"),
            change,
        }))
    };
    let tensor = |shared: &str, kind| {
        Some(Action::TensorCopy(TensorCopy {
            descriptor: reader.operand("descriptor")?,
            shared: reader.operand(shared)?,
            coordinates: (reader.group)("coordinates"),
            offsets: reader.flag("im2col").then(|| (reader.group)("offsets")),
            kind,
        }))
    };
    match name {
        "ori.ublkcp" => block(None),
        "ori.ublkred" => block(Some(reader.change()?)),
        "ori.utmaldg" => tensor(
            "destination",
            TensorCopyKind::Load {
                barrier: reader.operand("barrier")?,
                multicast: reader.operand("multicast"),
                two_ctas: reader.flag("two_ctas"),
            },
        ),
        "ori.utmastg" => tensor("source", TensorCopyKind::Store),
        "ori.utmaredg" => tensor("source", TensorCopyKind::Reduce(reader.word("operation")?)),
        "ori.utmacmdflush" => Some(Action::CloseBulks),
        "ori.bulk_wait" => Some(Action::WaitForBulks {
            most: u64::try_from(reader.number("count")?).ok()?,
            reads: reader.flag("reads"),
        }),
        _ => None,
    }
}

fn transfer(reader: &Reader<'_>) -> Option<TensorTransfer> {
    let shape: TensorShape = reader.word("tensor_shape")?;
    let distance = reader.number("half_distance").unwrap_or(0);
    Some(TensorTransfer {
        shape,
        distance: usize::try_from(distance).ok()?,
        packs: reader.flag("pack"),
    })
}

pub(super) fn tensor_memory(reader: &Reader<'_>, name: &str) -> Option<Action> {
    let address = reader.operand("address");
    Some(match name {
        "ori.tcgen05.alloc" => Action::Allocate(reader.operand("columns")?),
        "ori.tcgen05.dealloc" => Action::Free {
            address: address?,
            columns: reader.operand("columns"),
        },
        "ori.tcgen05.permit" => Action::GivePermitUp,
        "ori.tcgen05.ld" => Action::LoadTensor(transfer(reader)?, address?),
        "ori.tcgen05.st" => {
            Action::StoreTensor(transfer(reader)?, (address?, reader.operand("value")?))
        }
        "ori.tcgen05.wait_st" => Action::WaitForStores,
        "ori.tcgen05.wait_ld" => Action::WaitForLoads,
        "ori.tcgen05.cp" => {
            let shape: CopyShape = reader.word("copy_shape")?;
            if shape == CopyShape::S4x256b {
                return Some(Action::Refused(
                    "copies four rows to tensor memory, for which the lanes are undocumented"
                        .to_owned(),
                ));
            }
            Action::CopyToTensor(TensorMemoryCopy {
                address: address?,
                source: reader.operand("source")?,
                shape,
                warps: reader.word("copy_warps"),
                two_ctas: reader.flag("two_ctas"),
            })
        }
        "ori.tcgen05.mma" => {
            let kind: TensorKind = reader.word("tensor_kind")?;
            let scaled = [TensorKind::Mxf8f6f4, TensorKind::Mxf4, TensorKind::Mxf4nvf4];
            if scaled.contains(&kind) {
                return Some(Action::Refused(format!(
                    "multiplies with block scales ('{}'), which are not modelled",
                    kind.keyword()
                )));
            }
            Action::MultiplyTensor(TensorMultiply {
                left: reader.operand("a")?,
                right: reader.operand("b")?,
                accumulator: reader.operand("accumulator")?,
                instruction: reader.operand("instruction")?,
                scale: reader.operand("scale"),
                kind,
                two_ctas: reader.flag("two_ctas"),
            })
        }
        "ori.tcgen05.commit" => Action::CommitTensor {
            barrier: reader.operand("barrier")?,
            multicast: reader.operand("multicast"),
        },
        _ => return None,
    })
}
