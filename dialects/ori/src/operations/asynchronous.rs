//! Copies that continue after the instruction: `cp.async`, bulk copies, tensor copies, mbarriers.
//!
//! TMA instructions read a block of uniform registers; here each part is a named operand.

use orison_ir::declare::{Effects, I32Attr, UnitAttr, VerifyResult};

use orison_ir::{Context, Operation};

use crate::declare::machine_operations;
use crate::keywords::{
    AtomicOperation, AtomicType, BoxForm, Bypass, CacheAction, Eviction, Keyword, MbarrierAction,
    Prefetch, Width, keyword_of,
};
use crate::types::{
    ADDRESS, P, PREDICATE, R64, SOURCE, SOURCE_OR_WIDE, UNIFORM, UNIFORM_ADDRESS, UNIFORM_WIDE,
    WIDE,
};

use crate::verify::attribute_in_range;

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// Copies from global to shared memory without registers.
    op Ldgsts = "ori.ldgsts" {
        operands {
            /// The per-thread part of the shared address.
            shared_base: optional(ADDRESS),
            /// The uniform part of the shared address.
            shared_uniform: optional(UNIFORM_ADDRESS),
            /// The per-thread part of the global address.
            base: optional(ADDRESS),
            /// The uniform part of the global address.
            uniform: optional(UNIFORM_ADDRESS),
            /// Number of bytes copied, the rest being zero; all if absent.
            size: optional(SOURCE),
            /// The cache policy.
            policy: optional(WIDE),
            /// Whether bytes are copied: where it does not hold, zeros are written. `size` becomes
            /// it in legalization.
            copied: optional(PREDICATE),
            /// The descriptor of global memory; legalization adds it.
            descriptor: optional(UNIFORM_WIDE),
        }
        attributes {
            /// Byte offset added to the shared address.
            shared_offset = "shared_offset": default(I32Attr, 0),
            /// Byte offset added to the global address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes: 4, 8 or 16.
            width = "width": default(Width, Width::B32),
            /// `.ZFILL`: the low bits of the global address are the number of bytes that are not
            /// copied.
            zero_fill = "zero_fill": optional(UnitAttr),
            /// The caches the copy goes through; all if absent.
            bypass = "bypass": optional(Bypass),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(Eviction),
            /// Size of the prefetch into the second-level cache.
            prefetch = "prefetch": optional(Prefetch),
        }
        with { effects: Effects::Unknown, verify: Some(rules::copy_async) }
    }

    /// Commits a group of asynchronous copies.
    op Ldgdepbar = "ori.ldgdepbar" {
        with { effects: Effects::Unknown }
    }

    /// Waits until at most `count` groups of asynchronous copies are pending.
    op Depbar = "ori.depbar" {
        attributes {
            /// Maximum number of groups left pending, from 0 to 63.
            count = "count": required(I32Attr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::group_count) }
    }

    /// Waits until at most `count` groups of bulk copies are pending.
    op BulkWait = "ori.bulk_wait" {
        attributes {
            /// Maximum number of groups left pending, from 0 to 63.
            count = "count": required(I32Attr),
            /// Waits for the reads of the sources only.
            reads = "reads": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::group_count) }
    }

    /// Performs an operation on an mbarrier in shared memory.
    op Syncs = "ori.syncs": address {
        operands {
            /// Number of arriving threads, or number of bytes to expect.
            count: optional(SOURCE_OR_WIDE),
        }
        attributes {
            /// The operation.
            mbarrier = "mbarrier": required(MbarrierAction),
        }
        with { effects: Effects::Unknown, verify: Some(rules::mbarrier) }
    }

    /// Arrives at an mbarrier, here or in another CTA of the cluster.
    op SyncsArrive = "ori.syncs_arrive": address {
        operands {
            /// Number of arrivals; one if absent.
            count: optional(SOURCE),
            /// Number of additional bytes to expect.
            expect: optional(SOURCE),
        }
        results {
            /// The previous state; at most one.
            state: variadic(R64),
        }
        attributes {
            /// The mbarrier of another CTA.
            remote = "remote": optional(UnitAttr),
            /// `.OPTOUT`: later phases do not expect this thread.
            drops = "drops": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::one_at_most) }
    }

    /// Arrives at an mbarrier when all earlier asynchronous copies are complete.
    op Arrives = "ori.arrives": address {
        attributes {
            /// The arrival is part of the expected count; if absent, the expected count is
            /// increased.
            counted = "counted": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::address) }
    }

    /// Tests whether a phase of an mbarrier is complete; waits for a limited time.
    op SyncsTryWait = "ori.syncs_try_wait": address {
        operands {
            /// Parity of the phase, or the state returned by an arrival.
            phase: one(SOURCE_OR_WIDE),
        }
        results {
            /// Whether the phase is complete.
            complete: one(P),
        }
        attributes {
            /// Does not wait.
            test = "test": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::address) }
    }

    /// Performs a cache control operation.
    op Cctl = "ori.cctl": address {
        attributes {
            /// The cache control operation.
            action = "action": required(CacheAction),
        }
        with { effects: Effects::ReadWrite }
    }

    /// Performs a cache control operation on local memory.
    op Cctll = "ori.cctll": address {
        attributes {
            /// The cache control operation.
            action = "action": required(CacheAction),
        }
        with { effects: Effects::ReadWrite }
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
            /// Coordinates of the box, innermost first.
            coordinates: variadic(UNIFORM),
            /// Offsets added to the coordinates of a convolution; empty for other boxes.
            offsets: variadic(UNIFORM),
            /// Bit mask of the CTAs of the cluster that receive the box.
            multicast: optional(UNIFORM),
            /// The cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// Number of coordinates, from 1 to 5.
            dimensions = "dimensions": required(I32Attr),
            /// `.IM2COL`: the coordinates are those of a convolution.
            im2col = "im2col": optional(UnitAttr),
            /// Transfer mode if not a box.
            form = "form": optional(BoxForm),
            /// A pair of CTAs shares the mbarrier.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(tensor_copy) }
    }

    /// Stores a box of a tensor from shared memory.
    op Utmastg = "ori.utmastg" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
            /// Address in shared memory.
            source: one(UNIFORM),
            /// Coordinates of the box, innermost first.
            coordinates: variadic(UNIFORM),
            /// The cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// Number of coordinates, from 1 to 5.
            dimensions = "dimensions": required(I32Attr),
            /// `.IM2COL`: the coordinates are those of a convolution.
            im2col = "im2col": optional(UnitAttr),
            /// Transfer mode if not a box.
            form = "form": optional(BoxForm),
        }
        with { effects: Effects::Unknown, verify: Some(tensor_copy) }
    }

    /// Combines a box of a tensor with shared memory.
    op Utmaredg = "ori.utmaredg" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
            /// Address in shared memory.
            source: one(UNIFORM),
            /// Coordinates of the box, innermost first.
            coordinates: variadic(UNIFORM),
            /// The cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// Number of coordinates, from 1 to 5.
            dimensions = "dimensions": required(I32Attr),
            /// The combining operation.
            atomic_operation = "operation": required(AtomicOperation),
            /// `.IM2COL`: the coordinates are those of a convolution.
            im2col = "im2col": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(tensor_copy) }
    }

    /// Prefetches a box of a tensor into the second-level cache.
    op Utmapf = "ori.utmapf" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
            /// Coordinates of the box, innermost first.
            coordinates: variadic(UNIFORM),
            /// Offsets added to the coordinates of a convolution; empty for other boxes.
            offsets: variadic(UNIFORM),
            /// The cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// Number of dimensions of the tensor, from 1 to 5.
            dimensions = "dimensions": required(I32Attr),
            /// `.IM2COL`: the coordinates are those of a convolution.
            im2col = "im2col": optional(UnitAttr),
            /// Transfer mode if not a box.
            form = "form": optional(BoxForm),
        }
        with { effects: Effects::Unknown, verify: Some(tensor_copy) }
    }

    /// Performs a cache control operation on tensor maps.
    op Utmacctl = "ori.utmacctl" {
        operands {
            /// Address of the tensor map.
            descriptor: one(UNIFORM_WIDE),
        }
        attributes {
            /// The cache control operation.
            action = "action": required(CacheAction),
        }
        with { effects: Effects::Unknown }
    }

    /// Commits a group of bulk copies.
    op Utmacmdflush = "ori.utmacmdflush" {
        with { effects: Effects::Unknown }
    }

    /// Copies a block between global and shared memory.
    op Ublkcp = "ori.ublkcp" {
        operands {
            /// The destination address.
            destination: one(UNIFORM_ADDRESS),
            /// The source address.
            source: one(UNIFORM_ADDRESS),
            /// Number of bytes, a multiple of 16.
            size: one(UNIFORM),
            /// Address of the mbarrier that counts the bytes.
            barrier: optional(UNIFORM),
            /// Bit mask of the CTAs of the cluster that receive the block.
            multicast: optional(UNIFORM),
            /// The cache policy.
            policy: optional(UNIFORM_WIDE),
            /// Bit mask of the bytes written in each 16; all if absent.
            bytes: optional(UNIFORM),
        }
        with { effects: Effects::Unknown, verify: Some(rules::block_copy) }
    }

    /// Combines a block of global memory with shared memory.
    op Ublkred = "ori.ublkred" {
        operands {
            /// Address of the block to combine into.
            destination: one(UNIFORM_ADDRESS),
            /// Address of the block in shared memory.
            source: one(UNIFORM_ADDRESS),
            /// Number of bytes, a multiple of 16.
            size: one(UNIFORM),
            /// The cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        attributes {
            /// The combining operation.
            atomic_operation = "operation": required(AtomicOperation),
            /// Type of the elements.
            kind = "type": optional(AtomicType),
        }
        with { effects: Effects::Unknown }
    }

    /// Prefetches a block into the second-level cache.
    op Ublkpf = "ori.ublkpf" {
        operands {
            /// Address of the block.
            source: one(UNIFORM_WIDE),
            /// Number of bytes, a multiple of 16.
            size: one(UNIFORM),
            /// The cache policy.
            policy: optional(UNIFORM_WIDE),
        }
        with { effects: Effects::Unknown }
    }
}

fn tensor_copy(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "dimensions", 1..=5)?;
    let dimensions = op.attribute(context, "dimensions");
    let dimensions = dimensions.and_then(|n| n.as_i32(context)).unwrap_or(0);
    let found = op.operands_named(context, "coordinates").len();
    let form = keyword_of::<BoxForm>(context, op, "form");
    // Four rows are given by one column and four row indices.
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
            "has a form that is not defined for this number of dimensions",
        );
    }
    if i32::try_from(found) == Ok(wanted) {
        return Ok(());
    }
    let message = match form {
        None => format!("expects {wanted} coordinates for {dimensions} dimensions, found {found}"),
        Some(form) => format!(
            "expects {wanted} coordinates for form '{}', found {found}",
            form.keyword()
        ),
    };
    rules::fail(context, op, &message)
}
