//! Matrix products of a warp, of a warp group, and from tensor memory.

use orison_ir::declare::{Effects, I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{CopyShape, CopyWarps, Format, ProductKind, Shape, TensorKind, TensorShape};
use crate::types::{
    ACC, DATA, DESCRIPTOR, FRAGMENT, FRAGMENT_OR_DESCRIPTOR, PREDICATE, SOURCE, UNIFORM,
    UNIFORM_ADDRESS, UNIFORM_PREDICATE, UNIFORM_WIDE, UNIFORM_WIDE_INTEGER, UP, UR,
};

use super::{matrix_rules, rules};

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    group product {
        operands {
            /// Fragments of the left matrix.
            a: one(FRAGMENT),
            /// Fragments of the right matrix.
            b: one(FRAGMENT),
            /// Fragments of the addend.
            c: one(FRAGMENT),
        }
        results {
            /// Fragments of the sum.
            d: one(DATA),
        }
        with { effects: Effects::None }
    }

    /// The product of two float matrices of a warp, plus a third.
    op Hmma = "ori.hmma": product {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// Format of the factors: `f16`, `bf16` or `tf32`.
            from = "from": required(Format),
            /// Format of addend and sum: `f16` or `f32`.
            accumulator = "accumulator": required(Format),
        }
        with { verify: Some(matrix_rules::hmma) }
    }

    /// The product of two integer matrices of a warp, plus a third of 32-bit elements.
    op Imma = "ori.imma": product {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// Format of the left factor.
            left_format = "left_format": required(Format),
            /// Format of the right factor.
            right_format = "right_format": required(Format),
            /// Sums saturate.
            saturate = "saturate": optional(UnitAttr),
        }
        with { verify: Some(matrix_rules::imma) }
    }

    /// The product of two 8-bit float matrices of a warp, plus a third.
    op Qmma = "ori.qmma": product {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// Format of the left factor.
            left_format = "left_format": required(Format),
            /// Format of the right factor.
            right_format = "right_format": required(Format),
            /// Format of addend and sum: `f16` or `f32`.
            accumulator = "accumulator": required(Format),
        }
        with { verify: Some(matrix_rules::qmma) }
    }

    /// The product of two bit matrices of a warp, plus a third of 32-bit elements.
    op Bmma = "ori.bmma": product {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
            /// `.XOR`: bits are multiplied by exclusive or; by and if absent.
            exclusive = "exclusive": optional(UnitAttr),
        }
        with { verify: Some(matrix_rules::bmma) }
    }

    /// The product of two matrices of doubles of a warp, plus a third.
    op Dmma = "ori.dmma": product {
        attributes {
            /// Extents of the product.
            shape = "shape": required(Shape),
        }
        with { verify: Some(matrix_rules::dmma) }
    }

    /// The asynchronous product of two matrices of a warp group, added to an accumulator.
    ///
    /// The resulting accumulator may be read after `ori.wgmma.wait` has returned it.
    op WgmmaMma = "ori.wgmma.mma" {
        operands {
            /// Rows of the left matrix in registers, or its descriptor.
            a: one(FRAGMENT_OR_DESCRIPTOR),
            /// Descriptor of the right matrix.
            b: one(DESCRIPTOR),
            /// The input accumulator; zero if absent.
            accumulator: optional(ACC),
            /// Whether the input accumulator is added; true if absent.
            scale: optional(PREDICATE),
            /// Metadata: positions of the nonzero elements of a sparse left matrix.
            metadata: optional(SOURCE),
        }
        results {
            /// The resulting accumulator.
            result: one(ACC),
        }
        attributes {
            /// Columns of the right matrix: a multiple of 8 from 8 to 256.
            columns = "columns": required(I32Attr),
            /// Number of elements of a row that are multiplied in one step.
            depth = "depth": required(I32Attr),
            /// Type of the elements.
            kind = "kind": required(ProductKind),
            /// Format of the left matrix.
            left_format = "left_format": required(Format),
            /// Format of the right matrix.
            right_format = "right_format": required(Format),
            /// Format of the accumulator: `f16`, `f32` or `s32`.
            sum_format = "accumulator": required(Format),
            /// The left matrix is column-major.
            transpose_left = "transpose_left": optional(UnitAttr),
            /// The right matrix is column-major.
            transpose_right = "transpose_right": optional(UnitAttr),
            /// Selects the threads that hold the metadata, from 0 to 3.
            selector = "selector": optional(I32Attr),
            /// Sums saturate.
            saturate = "saturate": optional(UnitAttr),
        }
        with { effects: Effects::Read, verify: Some(matrix_rules::wgmma) }
    }

    /// Orders earlier accesses to accumulators and shared memory before the following products.
    op WgmmaFence = "ori.wgmma.fence" {
        with { effects: Effects::ReadWrite }
    }

    /// Commits a group of products.
    op WgmmaCommit = "ori.wgmma.commit" {
        with { effects: Effects::ReadWrite }
    }

    /// Waits until at most `count` groups of products are pending, and returns the accumulators.
    op WgmmaWait = "ori.wgmma.wait" {
        operands {
            /// Accumulators completed by the wait.
            accumulators: variadic(ACC),
        }
        results {
            /// The completed values.
            complete: variadic(ACC),
        }
        attributes {
            /// Maximum number of groups left pending, from 0 to 7.
            count = "count": required(I32Attr),
        }
        with { effects: Effects::ReadWrite, verify: Some(matrix_rules::wait) }
    }

    /// A compiler-inserted fence before products.
    op WarpgroupArrive = "ori.warpgroup.arrive" {
        with { effects: Effects::ReadWrite }
    }

    /// A compiler-inserted group commit after products.
    op WarpgroupCommit = "ori.warpgroup.commit" {
        with { effects: Effects::ReadWrite }
    }

    /// A compiler-inserted wait after products.
    op WarpgroupWait = "ori.warpgroup.wait" {
        operands {
            /// Accumulators completed by the wait.
            accumulators: variadic(ACC),
        }
        results {
            /// The completed values.
            complete: variadic(ACC),
        }
        attributes {
            /// Maximum number of groups left pending, from 0 to 7.
            count = "count": required(I32Attr),
        }
        with { effects: Effects::ReadWrite, verify: Some(matrix_rules::wait) }
    }

    /// The asynchronous product of two matrices, added to tensor memory.
    op TensorMma = "ori.tcgen05.mma" {
        operands {
            /// Descriptor of the left matrix, or its address in tensor memory.
            a: one(UNIFORM_ADDRESS),
            /// Descriptor of the right matrix.
            b: one(UNIFORM_WIDE),
            /// Address of the accumulator in tensor memory.
            accumulator: one(UNIFORM),
            /// Descriptor of shapes and formats: a word, or after legalization the high half of a
            /// pair, as the instruction reads it.
            instruction: one(UNIFORM_ADDRESS),
            /// Whether the input accumulator is added; true if absent.
            scale: optional(UNIFORM_PREDICATE),
            /// Addresses of the scales of both matrices in tensor memory: none or two.
            scales: variadic(UNIFORM),
        }
        attributes {
            /// Type of the elements.
            tensor_kind = "tensor_kind": required(TensorKind),
            /// A pair of CTAs performs the product together.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(matrix_rules::tensor_product) }
    }

    /// Loads tensor memory into registers; complete after `ori.tcgen05.wait_ld`.
    op TensorLd = "ori.tcgen05.ld" {
        operands {
            /// Address in tensor memory.
            address: one(SOURCE),
        }
        results {
            /// The value loaded.
            value: one(DATA),
        }
        attributes {
            /// Shape of the part of tensor memory a warp reads.
            tensor_shape = "tensor_shape": required(TensorShape),
            /// Repeat count of the shape: a power of two from 1 to 128.
            repeat = "repeat": required(I32Attr),
            /// Pairs of 16-bit elements share a register.
            pack = "pack": optional(UnitAttr),
            /// Number of columns between the halves of `s16x32bx2`.
            half_distance = "half_distance": optional(I32Attr),
        }
        with { effects: Effects::Unknown, verify: Some(matrix_rules::tensor_load) }
    }

    /// Stores registers to tensor memory; complete after `ori.tcgen05.wait_st`.
    op TensorSt = "ori.tcgen05.st" {
        operands {
            /// Address in tensor memory.
            address: one(SOURCE),
            /// The value written.
            value: one(DATA),
        }
        attributes {
            /// Shape of the part of tensor memory a warp writes.
            tensor_shape = "tensor_shape": required(TensorShape),
            /// Repeat count of the shape: a power of two from 1 to 128.
            repeat = "repeat": required(I32Attr),
            /// Registers hold pairs of 16-bit elements.
            pack = "pack": optional(UnitAttr),
            /// Number of columns between the halves of `s16x32bx2`.
            half_distance = "half_distance": optional(I32Attr),
        }
        with { effects: Effects::Unknown, verify: Some(matrix_rules::tensor_store) }
    }

    /// Waits for the loads of tensor memory and returns their results.
    op TensorWaitLd = "ori.tcgen05.wait_ld" {
        operands {
            /// Results of the loads.
            values: variadic(DATA),
        }
        results {
            /// The completed values.
            complete: variadic(DATA),
        }
        with { effects: Effects::Unknown, verify: Some(matrix_rules::handed_on) }
    }

    /// Waits for the stores to tensor memory.
    op TensorWaitSt = "ori.tcgen05.wait_st" {
        with { effects: Effects::Unknown }
    }

    /// Copies from shared to tensor memory.
    op TensorCp = "ori.tcgen05.cp" {
        operands {
            /// Address in tensor memory.
            address: one(UNIFORM),
            /// Descriptor of shared memory.
            source: one(UNIFORM_WIDE_INTEGER),
        }
        attributes {
            /// Shape of the copy: rows and bits per row.
            copy_shape = "copy_shape": optional(CopyShape),
            /// Multicast of the data to the parts of tensor memory of several warps.
            copy_warps = "copy_warps": optional(CopyWarps),
            /// A pair of CTAs performs the copy together.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        with { effects: Effects::Unknown }
    }

    /// Shifts rows of tensor memory down by one.
    op TensorShift = "ori.tcgen05.shift" {
        operands {
            /// Address in tensor memory.
            address: one(UNIFORM),
        }
        attributes {
            /// A pair of CTAs performs the shift together.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        with { effects: Effects::Unknown }
    }

    /// Arrives at an mbarrier when all earlier products are complete.
    op TensorCommit = "ori.tcgen05.commit" {
        operands {
            /// Address of the mbarrier.
            barrier: one(UNIFORM_ADDRESS),
            /// Bit mask of the CTAs of the cluster whose mbarriers receive the arrival.
            multicast: optional(UNIFORM),
        }
        attributes {
            /// Applies to a pair of CTAs.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        with { effects: Effects::Unknown }
    }

    /// Allocates columns of tensor memory.
    op TensorAlloc = "ori.tcgen05.alloc" {
        operands {
            /// Number of columns.
            columns: one(UNIFORM),
        }
        results {
            /// The address.
            address: one(UR),
            /// Whether the allocation succeeded; at most one.
            done: variadic(UP),
        }
        with { effects: Effects::Unknown, verify: Some(rules::one_at_most) }
    }

    /// Frees columns of tensor memory.
    op TensorDealloc = "ori.tcgen05.dealloc" {
        operands {
            /// The address.
            address: one(UNIFORM),
            /// Number of columns.
            columns: optional(UNIFORM),
        }
        with { effects: Effects::Unknown }
    }

    /// Relinquishes the right to allocate tensor memory.
    op TensorPermit = "ori.tcgen05.permit" {
        with { effects: Effects::Unknown }
    }
}
