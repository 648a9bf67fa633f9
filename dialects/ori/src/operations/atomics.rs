//! Atomic memory operations.

use orison_ir::declare::{I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{
    AtomicOperationAttr, AtomicTypeAttr, EvictionAttr, OrderAttr, RoundingAttr, ScopeAttr,
};
use crate::types::{ADDRESS, DATA, UNIFORM_ADDRESS};

use super::rules;

machine_operations! {
    /// Atomic read-modify-write of generic memory.
    op Atom = "ori.atom" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value combined with, or exchanged for, the one in memory.
            value: one(DATA),
            /// The value memory is compared with (`cas` only).
            expected: optional(DATA),
        }
        results {
            /// The value before the operation.
            old: one(DATA),
        }
        attributes {
            /// The operation.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// Type of the operands.
            kind = "type": required(AtomicTypeAttr),
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Memory ordering; strong if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope; the GPU if absent.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// Rounding mode of a float result.
            rounding = "rounding": optional(RoundingAttr),
        }
        effects: ReadWrite,
        verify: rules::atomic,
    }

    /// Atomic read-modify-write of global memory.
    op Atomg = "ori.atomg" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value combined with, or exchanged for, the one in memory.
            value: one(DATA),
            /// The value memory is compared with (`cas` only).
            expected: optional(DATA),
        }
        results {
            /// The value before the operation.
            old: one(DATA),
        }
        attributes {
            /// The operation.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// Type of the operands.
            kind = "type": required(AtomicTypeAttr),
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Memory ordering; strong if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope; the GPU if absent.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// Rounding mode of a float result.
            rounding = "rounding": optional(RoundingAttr),
        }
        effects: ReadWrite,
        verify: rules::atomic,
    }

    /// Atomic read-modify-write of shared memory.
    op Atoms = "ori.atoms" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value combined with, or exchanged for, the one in memory.
            value: one(DATA),
            /// The value memory is compared with (`cas` only).
            expected: optional(DATA),
        }
        results {
            /// The value before the operation.
            old: one(DATA),
        }
        attributes {
            /// The operation.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// Type of the operands.
            kind = "type": required(AtomicTypeAttr),
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
        }
        effects: ReadWrite,
        verify: rules::atomic,
    }

    /// Atomic reduction on generic memory; the old value is not returned.
    op Red = "ori.red" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value combined with, or exchanged for, the one in memory.
            value: one(DATA),
        }
        attributes {
            /// The operation.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// Type of the operands.
            kind = "type": required(AtomicTypeAttr),
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Memory ordering; strong if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope; the GPU if absent.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// Rounding mode of a float result.
            rounding = "rounding": optional(RoundingAttr),
        }
        effects: ReadWrite,
        verify: rules::reduction,
    }

    /// Atomic reduction on global memory; the old value is not returned.
    op Redg = "ori.redg" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value combined with, or exchanged for, the one in memory.
            value: one(DATA),
        }
        attributes {
            /// The operation.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// Type of the operands.
            kind = "type": required(AtomicTypeAttr),
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Memory ordering; strong if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope; the GPU if absent.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// Rounding mode of a float result.
            rounding = "rounding": optional(RoundingAttr),
        }
        effects: ReadWrite,
        verify: rules::reduction,
    }
}
