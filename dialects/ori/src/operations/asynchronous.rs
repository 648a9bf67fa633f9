//! Copies that go on after the instruction: `cp.async`, bulk copies, tensor copies, mbarriers.
//!
//! TMA instructions read a block of uniform registers; here its parts are operands by name.

use orison_ir::declare::{I32Attr, UnitAttr, VerifyResult};

use orison_ir::{Context, Operation};

use crate::declare::machine_operations;
use crate::keywords::{
    AtomicOperationAttr, AtomicTypeAttr, BoxForm, BoxFormAttr, BypassAttr, CacheActionAttr,
    EvictionAttr, MbarrierActionAttr, PrefetchAttr, Width, WidthAttr,
};
use crate::types::{
    ADDRESS, P, R64, SOURCE, SOURCE_OR_WIDE, UNIFORM, UNIFORM_ADDRESS, UNIFORM_WIDE, WIDE,
};

use crate::verify::attribute_in_range;

use super::rules;

machine_operations! {
    /// Copies from global to shared memory without registers.
    op Ldgsts = "ori.ldgsts" {
        operands {
            /// The part of the shared address that each thread has.
            shared_base: optional(ADDRESS),
            /// The part of the shared address that the warp has.
            shared_uniform: optional(UNIFORM_ADDRESS),
            /// The part of the global address that each thread has.
            base: optional(ADDRESS),
            /// The part of the global address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// Bytes that are copied, the rest being zero; all when absent.
            size: optional(SOURCE),
            /// A cache policy.
            policy: optional(WIDE),
        }
        attributes {
            /// Bytes added to the shared address.
            shared_offset = "shared_offset": default(I32Attr, 0),
            /// Bytes added to the global address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes: 4, 8 or 16.
            width = "width": default(WidthAttr, Width::B32),
            /// Which caches it goes through; all when absent.
            bypass = "bypass": optional(BypassAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// What else is brought into the cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Unknown,
        verify: rules::copy_async,
    }

    /// Closes a group of asynchronous copies.
    op Ldgdepbar = "ori.ldgdepbar" {
        effects: Unknown,
    }

    /// Waits until at most `count` groups of asynchronous copies are open.
    op Depbar = "ori.depbar" {
        attributes {
            /// How many groups may stay open, from 0 to 63.
            count = "count": required(I32Attr),
        }
        effects: Unknown,
        verify: rules::group_count,
    }

    /// Waits until at most `count` groups of bulk copies are open.
    op BulkWait = "ori.bulk_wait" {
        attributes {
            /// How many groups may stay open, from 0 to 63.
            count = "count": required(I32Attr),
            /// Waits for the reads of the sources only.
            reads = "reads": optional(UnitAttr),
        }
        effects: Unknown,
        verify: rules::group_count,
    }

    /// Acts on an mbarrier in shared memory.
    op Syncs = "ori.syncs" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// Threads that will arrive, or bytes to expect.
            count: optional(SOURCE_OR_WIDE),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// What happens.
            mbarrier = "mbarrier": required(MbarrierActionAttr),
        }
        effects: Unknown,
        verify: rules::mbarrier,
    }

    /// Arrives at an mbarrier, here or in another CTA of the cluster.
    op SyncsArrive = "ori.syncs_arrive" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// How many arrivals; one when absent.
            count: optional(SOURCE),
            /// How many bytes are expected besides.
            expect: optional(SOURCE),
        }
        results {
            /// The state before; at most one.
            state: variadic(R64),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// The mbarrier of another CTA.
            remote = "remote": optional(UnitAttr),
            /// `.OPTOUT`: the thread is not waited for in later phases.
            drops = "drops": optional(UnitAttr),
        }
        effects: Unknown,
        verify: rules::one_at_most,
    }

    /// Arrives at an mbarrier when the asynchronous copies before it are complete.
    op Arrives = "ori.arrives" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// The arrival is one of those that the mbarrier counts on; one more is expected when
            /// absent.
            counted = "counted": optional(UnitAttr),
        }
        effects: Unknown,
        verify: rules::address,
    }

    /// Whether a phase of an mbarrier is complete; waits for a while.
    op SyncsTryWait = "ori.syncs_try_wait" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// Parity of the phase, or the state of an arrival.
            phase: one(SOURCE_OR_WIDE),
        }
        results {
            /// Whether it is.
            complete: one(P),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Does not wait.
            test = "test": optional(UnitAttr),
        }
        effects: Unknown,
        verify: rules::address,
    }

    /// Acts on caches.
    op Cctl = "ori.cctl" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// What they are told.
            action = "action": required(CacheActionAttr),
        }
        effects: ReadWrite,
    }

    /// Acts on the cache of local memory.
    op Cctll = "ori.cctll" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// What it is told.
            action = "action": required(CacheActionAttr),
        }
        effects: ReadWrite,
    }

    /// Loads a box of a tensor into shared memory.
    op Utmaldg = "ori.utmaldg" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
            /// Address in shared memory.
            destination: one(UNIFORM),
            /// Address of the mbarrier that counts the bytes.
            barrier: one(UNIFORM),
            /// Where the box begins, innermost first.
            coordinates: variadic(UNIFORM),
            /// What is added to the coordinates of a convolution; none of other boxes.
            offsets: variadic(UNIFORM),
            /// CTAs of the cluster that receive the box, as bits.
            multicast: optional(UNIFORM),
            /// A cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// How many coordinates, from 1 to 5.
            dimensions = "dimensions": required(I32Attr),
            /// `.IM2COL`: coordinates as of a convolution.
            im2col = "im2col": optional(UnitAttr),
            /// What else than a box it is.
            form = "form": optional(BoxFormAttr),
            /// A pair of CTAs shares the mbarrier.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        effects: Unknown,
        verify: tensor_copy,
    }

    /// Stores a box of a tensor from shared memory.
    op Utmastg = "ori.utmastg" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
            /// Address in shared memory.
            source: one(UNIFORM),
            /// Where the box begins, innermost first.
            coordinates: variadic(UNIFORM),
            /// A cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// How many coordinates, from 1 to 5.
            dimensions = "dimensions": required(I32Attr),
            /// `.IM2COL`: coordinates as of a convolution.
            im2col = "im2col": optional(UnitAttr),
            /// What else than a box it is.
            form = "form": optional(BoxFormAttr),
        }
        effects: Unknown,
        verify: tensor_copy,
    }

    /// Combines a box of a tensor with shared memory.
    op Utmaredg = "ori.utmaredg" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
            /// Address in shared memory.
            source: one(UNIFORM),
            /// Where the box begins, innermost first.
            coordinates: variadic(UNIFORM),
            /// A cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// How many coordinates, from 1 to 5.
            dimensions = "dimensions": required(I32Attr),
            /// How they are combined.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// `.IM2COL`: coordinates as of a convolution.
            im2col = "im2col": optional(UnitAttr),
        }
        effects: Unknown,
        verify: tensor_copy,
    }

    /// Brings a box of a tensor into the second-level cache.
    op Utmapf = "ori.utmapf" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
            /// Where the box begins, innermost first.
            coordinates: variadic(UNIFORM),
            /// What is added to the coordinates of a convolution; none of other boxes.
            offsets: variadic(UNIFORM),
            /// A cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// How many dimensions the tensor has, from 1 to 5.
            dimensions = "dimensions": required(I32Attr),
            /// `.IM2COL`: coordinates as of a convolution.
            im2col = "im2col": optional(UnitAttr),
            /// What else than a box it is.
            form = "form": optional(BoxFormAttr),
        }
        effects: Unknown,
        verify: tensor_copy,
    }

    /// Acts on the cache of tensor maps.
    op Utmacctl = "ori.utmacctl" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
        }
        attributes {
            /// What it is told.
            action = "action": required(CacheActionAttr),
        }
        effects: Unknown,
    }

    /// Closes a group of bulk copies.
    op Utmacmdflush = "ori.utmacmdflush" {
        effects: Unknown,
    }

    /// Copies a block between global and shared memory.
    op Ublkcp = "ori.ublkcp" {
        operands {
            /// Where it goes.
            destination: one(UNIFORM_ADDRESS),
            /// Where it comes from.
            source: one(UNIFORM_ADDRESS),
            /// How many bytes, a multiple of 16.
            size: one(UNIFORM),
            /// Address of the mbarrier that counts the bytes.
            barrier: optional(UNIFORM),
            /// CTAs of the cluster that receive it, as bits.
            multicast: optional(UNIFORM),
            /// A cache policy.
            policy: optional(UNIFORM_WIDE),
            /// Which bytes of each 16 are written, as bits; all when absent.
            bytes: optional(UNIFORM),
        }
        effects: Unknown,
        verify: rules::block_copy,
    }

    /// Combines a block of global memory with shared memory.
    op Ublkred = "ori.ublkred" {
        operands {
            /// What is combined.
            destination: one(UNIFORM_ADDRESS),
            /// With what.
            source: one(UNIFORM_ADDRESS),
            /// How many bytes, a multiple of 16.
            size: one(UNIFORM),
            /// A cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// How they are combined.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// What they are.
            kind = "type": optional(AtomicTypeAttr),
        }
        effects: Unknown,
    }

    /// Brings a block into the second-level cache.
    op Ublkpf = "ori.ublkpf" {
        operands {
            /// Where it is.
            source: one(UNIFORM_WIDE),
            /// How many bytes, a multiple of 16.
            size: one(UNIFORM),
            /// A cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        effects: Unknown,
    }
}

fn tensor_copy(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "dimensions", 1..=5)?;
    let dimensions = op.attribute(context, "dimensions");
    let dimensions = dimensions.and_then(|n| n.as_i32(context)).unwrap_or(0);
    let found = op.operands_named(context, "coordinates").len();
    let form = rules::word::<BoxForm>(context, op, "form");
    // Four rows are a column and four numbers of rows.
    let wanted = match form {
        Some(BoxForm::Gather | BoxForm::Scatter) => 5,
        _ => dimensions,
    };
    let mismatched = match form {
        Some(BoxForm::Gather | BoxForm::Scatter) => dimensions != 2,
        Some(BoxForm::Wide | BoxForm::Wide128) => dimensions < 3,
        None => false,
    };
    if mismatched {
        return rules::fail(
            context,
            op,
            "has another form than tensors of these dimensions",
        );
    }
    if i32::try_from(found) == Ok(wanted) {
        return Ok(());
    }
    let message = match form {
        None => format!("has {found} coordinates for {dimensions} dimensions"),
        Some(form) => format!("has {found} coordinates of form '{}'", form.keyword()),
    };
    rules::fail(context, op, &message)
}
