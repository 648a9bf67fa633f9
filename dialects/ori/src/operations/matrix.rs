//! Matrix products of a warp, of a warp group, and from tensor memory.

use orison_ir::declare::{I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{
    CopyShapeAttr, CopyWarpsAttr, FormatAttr, ProductKindAttr, ShapeAttr, TensorKindAttr,
    TensorShapeAttr,
};
use crate::types::{
    ACC, DATA, DESCRIPTOR, FRAGMENT, FRAGMENT_OR_DESCRIPTOR, PREDICATE, SOURCE, UNIFORM,
    UNIFORM_ADDRESS, UNIFORM_PREDICATE, UNIFORM_WIDE, UNIFORM_WIDE_INTEGER, UP, UR,
};

use super::{matrix_rules, rules};

machine_operations! {
    /// The product of two float matrices of a warp, plus a third.
    op Hmma = "ori.hmma" {
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
        attributes {
            /// Extents of the product.
            shape = "shape": required(ShapeAttr),
            /// Format of the factors: `f16`, `bf16` or `tf32`.
            from = "from": required(FormatAttr),
            /// Format of addend and sum: `f16` or `f32`.
            accumulator = "accumulator": required(FormatAttr),
        }
        effects: None,
        verify: matrix_rules::hmma,
    }

    /// The product of two integer matrices of a warp, plus a third of 32-bit elements.
    op Imma = "ori.imma" {
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
        attributes {
            /// Extents of the product.
            shape = "shape": required(ShapeAttr),
            /// Format of the left factor.
            left_format = "left_format": required(FormatAttr),
            /// Format of the right factor.
            right_format = "right_format": required(FormatAttr),
            /// Sums saturate.
            saturate = "saturate": optional(UnitAttr),
        }
        effects: None,
        verify: matrix_rules::imma,
    }

    /// The product of two 8-bit float matrices of a warp, plus a third.
    op Qmma = "ori.qmma" {
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
        attributes {
            /// Extents of the product.
            shape = "shape": required(ShapeAttr),
            /// Format of the left factor.
            left_format = "left_format": required(FormatAttr),
            /// Format of the right factor.
            right_format = "right_format": required(FormatAttr),
            /// Format of addend and sum: `f16` or `f32`.
            accumulator = "accumulator": required(FormatAttr),
        }
        effects: None,
        verify: matrix_rules::qmma,
    }

    /// The product of two matrices of bits of a warp, plus a third of 32-bit elements.
    op Bmma = "ori.bmma" {
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
        attributes {
            /// Extents of the product.
            shape = "shape": required(ShapeAttr),
            /// `.XOR`: bits are multiplied by exclusive or, by and when absent.
            exclusive = "exclusive": optional(UnitAttr),
        }
        effects: None,
        verify: matrix_rules::bmma,
    }

    /// The product of two matrices of doubles of a warp, plus a third.
    op Dmma = "ori.dmma" {
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
        attributes {
            /// Extents of the product.
            shape = "shape": required(ShapeAttr),
        }
        effects: None,
        verify: matrix_rules::dmma,
    }

    /// The product of two matrices of a warp group, added to an accumulator; goes on after it.
    ///
    /// The accumulator that comes out may be read when `ori.wgmma.wait` has handed it on.
    op WgmmaMma = "ori.wgmma.mma" {
        operands {
            /// Rows of the left matrix in registers, or its descriptor.
            a: one(FRAGMENT_OR_DESCRIPTOR),
            /// Descriptor of the right matrix.
            b: one(DESCRIPTOR),
            /// The accumulator before; zero when absent.
            accumulator: optional(ACC),
            /// Whether the accumulator before counts; it does when absent.
            scale: optional(PREDICATE),
            /// Which elements of a sparse left matrix there are.
            metadata: optional(SOURCE),
        }
        results {
            /// The accumulator behind.
            result: one(ACC),
        }
        attributes {
            /// Columns of the right matrix: a multiple of 8 from 8 to 256.
            columns = "columns": required(I32Attr),
            /// Elements of a row that are multiplied in one step.
            depth = "depth": required(I32Attr),
            /// What the elements are.
            kind = "kind": required(ProductKindAttr),
            /// Format of the left matrix.
            left_format = "left_format": required(FormatAttr),
            /// Format of the right matrix.
            right_format = "right_format": required(FormatAttr),
            /// Format of the accumulator: `f16`, `f32` or `s32`.
            sum_format = "accumulator": required(FormatAttr),
            /// The left matrix lies column by column.
            transpose_left = "transpose_left": optional(UnitAttr),
            /// The right matrix lies column by column.
            transpose_right = "transpose_right": optional(UnitAttr),
            /// Which threads hold the metadata, from 0 to 3.
            selector = "selector": optional(I32Attr),
            /// Sums saturate.
            saturate = "saturate": optional(UnitAttr),
        }
        effects: Unknown,
        verify: matrix_rules::wgmma,
    }

    /// Orders earlier accesses to accumulators and shared memory before the products that follow.
    op WgmmaFence = "ori.wgmma.fence" {
        effects: Unknown,
    }

    /// Closes a group of products.
    op WgmmaCommit = "ori.wgmma.commit" {
        effects: Unknown,
    }

    /// Waits until at most `count` groups of products are open, and hands accumulators on.
    op WgmmaWait = "ori.wgmma.wait" {
        operands {
            /// Accumulators that are complete behind it.
            accumulators: variadic(ACC),
        }
        results {
            /// The same, complete.
            complete: variadic(ACC),
        }
        attributes {
            /// How many groups may stay open, from 0 to 7.
            count = "count": required(I32Attr),
        }
        effects: Unknown,
        verify: matrix_rules::wait,
    }

    /// A fence that the compiler put before products.
    op WarpgroupArrive = "ori.warpgroup.arrive" {
        effects: Unknown,
    }

    /// A group end that the compiler put behind products.
    op WarpgroupCommit = "ori.warpgroup.commit" {
        effects: Unknown,
    }

    /// A wait that the compiler put behind products.
    op WarpgroupWait = "ori.warpgroup.wait" {
        operands {
            /// Accumulators that are complete behind it.
            accumulators: variadic(ACC),
        }
        results {
            /// The same, complete.
            complete: variadic(ACC),
        }
        attributes {
            /// How many groups may stay open, from 0 to 7.
            count = "count": required(I32Attr),
        }
        effects: Unknown,
        verify: matrix_rules::wait,
    }
}

machine_operations! {
    /// The product of two matrices, added to tensor memory; goes on after it.
    op TensorMma = "ori.tcgen05.mma" {
        operands {
            /// Descriptor of the left matrix, or its address in tensor memory.
            a: one(UNIFORM_ADDRESS),
            /// Descriptor of the right matrix.
            b: one(UNIFORM_WIDE),
            /// Address of the accumulator in tensor memory.
            accumulator: one(UNIFORM),
            /// Descriptor of shapes and formats.
            instruction: one(UNIFORM),
            /// Whether the accumulator before counts; it does when absent.
            scale: optional(UNIFORM_PREDICATE),
            /// Addresses of the scales of both matrices in tensor memory: none or two.
            scales: variadic(UNIFORM),
        }
        attributes {
            /// What the elements are.
            tensor_kind = "tensor_kind": required(TensorKindAttr),
            /// A pair of CTAs multiplies together.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        effects: Unknown,
        verify: matrix_rules::tensor_product,
    }

    /// Loads tensor memory into registers; complete behind `ori.tcgen05.wait_ld`.
    op TensorLd = "ori.tcgen05.ld" {
        operands {
            /// Address in tensor memory.
            address: one(SOURCE),
        }
        results {
            /// What was there.
            value: one(DATA),
        }
        attributes {
            /// Which part of tensor memory a warp reads.
            tensor_shape = "tensor_shape": required(TensorShapeAttr),
            /// How often the shape is repeated: a power of two from 1 to 128.
            repeat = "repeat": required(I32Attr),
            /// Pairs of 16-bit elements share a register.
            pack = "pack": optional(UnitAttr),
            /// Columns between the halves of `s16x32bx2`.
            half_distance = "half_distance": optional(I32Attr),
        }
        effects: Unknown,
        verify: matrix_rules::tensor_load,
    }

    /// Stores registers to tensor memory; complete behind `ori.tcgen05.wait_st`.
    op TensorSt = "ori.tcgen05.st" {
        operands {
            /// Address in tensor memory.
            address: one(SOURCE),
            /// What is written.
            value: one(DATA),
        }
        attributes {
            /// Which part of tensor memory a warp writes.
            tensor_shape = "tensor_shape": required(TensorShapeAttr),
            /// How often the shape is repeated: a power of two from 1 to 128.
            repeat = "repeat": required(I32Attr),
            /// Registers hold pairs of 16-bit elements.
            pack = "pack": optional(UnitAttr),
            /// Columns between the halves of `s16x32bx2`.
            half_distance = "half_distance": optional(I32Attr),
        }
        effects: Unknown,
        verify: matrix_rules::tensor_store,
    }

    /// Waits for the loads of tensor memory, and hands their results on.
    op TensorWaitLd = "ori.tcgen05.wait_ld" {
        operands {
            /// Results of loads.
            values: variadic(DATA),
        }
        results {
            /// The same, complete.
            complete: variadic(DATA),
        }
        effects: Unknown,
        verify: matrix_rules::handed_on,
    }

    /// Waits for the stores to tensor memory.
    op TensorWaitSt = "ori.tcgen05.wait_st" {
        effects: Unknown,
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
            /// What is copied: rows and bits of a row.
            copy_shape = "copy_shape": optional(CopyShapeAttr),
            /// Which warps' parts of tensor memory get the same.
            copy_warps = "copy_warps": optional(CopyWarpsAttr),
            /// A pair of CTAs copies together.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        effects: Unknown,
    }

    /// Moves rows of tensor memory down by one.
    op TensorShift = "ori.tcgen05.shift" {
        operands {
            /// Address in tensor memory.
            address: one(UNIFORM),
        }
        attributes {
            /// A pair of CTAs shifts together.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        effects: Unknown,
    }

    /// Arrives at an mbarrier when the products before it are complete.
    op TensorCommit = "ori.tcgen05.commit" {
        operands {
            /// Address of the mbarrier.
            barrier: one(UNIFORM_ADDRESS),
            /// CTAs of the cluster whose mbarriers are told, as bits.
            multicast: optional(UNIFORM),
        }
        attributes {
            /// A pair of CTAs.
            two_ctas = "two_ctas": optional(UnitAttr),
        }
        effects: Unknown,
    }

    /// Allocates columns of tensor memory.
    op TensorAlloc = "ori.tcgen05.alloc" {
        operands {
            /// How many columns.
            columns: one(UNIFORM),
        }
        results {
            /// The address.
            address: one(UR),
            /// Whether there were enough; at most one.
            done: variadic(UP),
        }
        effects: Unknown,
        verify: rules::one_at_most,
    }

    /// Frees columns of tensor memory.
    op TensorDealloc = "ori.tcgen05.dealloc" {
        operands {
            /// The address.
            address: one(UNIFORM),
            /// How many columns.
            columns: optional(UNIFORM),
        }
        effects: Unknown,
    }

    /// Gives the right to allocate tensor memory up.
    op TensorPermit = "ori.tcgen05.permit" {
        effects: Unknown,
    }
}
