//! Operations on memory that no other thread comes between.

use orison_ir::declare::{I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{
    AtomicOperationAttr, AtomicTypeAttr, EvictionAttr, OrderAttr, RoundingAttr, ScopeAttr,
};
use crate::types::{ADDRESS, DATA, UNIFORM_ADDRESS};

use super::rules;

machine_operations! {
    /// Reads, combines and writes generic memory.
    op Atom = "ori.atom" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What memory is combined with, or exchanged for.
            value: one(DATA),
            /// What memory is compared with (`cas` only).
            expected: optional(DATA),
        }
        results {
            /// What was there before.
            old: one(DATA),
        }
        attributes {
            /// What it does.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// What it works on.
            kind = "type": required(AtomicTypeAttr),
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How it is ordered with others; strong when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads; the GPU when absent.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// Denormals are zero.
            ftz = "ftz": optional(UnitAttr),
            /// How a float result is rounded.
            rounding = "rounding": optional(RoundingAttr),
        }
        effects: ReadWrite,
        verify: rules::atomic,
    }

    /// Reads, combines and writes global memory.
    op Atomg = "ori.atomg" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What memory is combined with, or exchanged for.
            value: one(DATA),
            /// What memory is compared with (`cas` only).
            expected: optional(DATA),
        }
        results {
            /// What was there before.
            old: one(DATA),
        }
        attributes {
            /// What it does.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// What it works on.
            kind = "type": required(AtomicTypeAttr),
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How it is ordered with others; strong when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads; the GPU when absent.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// Denormals are zero.
            ftz = "ftz": optional(UnitAttr),
            /// How a float result is rounded.
            rounding = "rounding": optional(RoundingAttr),
        }
        effects: ReadWrite,
        verify: rules::atomic,
    }

    /// Reads, combines and writes shared memory.
    op Atoms = "ori.atoms" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What memory is combined with, or exchanged for.
            value: one(DATA),
            /// What memory is compared with (`cas` only).
            expected: optional(DATA),
        }
        results {
            /// What was there before.
            old: one(DATA),
        }
        attributes {
            /// What it does.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// What it works on.
            kind = "type": required(AtomicTypeAttr),
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
        }
        effects: ReadWrite,
        verify: rules::atomic,
    }

    /// Combines generic memory with a value, without telling what was there.
    op Red = "ori.red" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What memory is combined with, or exchanged for.
            value: one(DATA),
        }
        attributes {
            /// What it does.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// What it works on.
            kind = "type": required(AtomicTypeAttr),
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How it is ordered with others; strong when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads; the GPU when absent.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// Denormals are zero.
            ftz = "ftz": optional(UnitAttr),
            /// How a float result is rounded.
            rounding = "rounding": optional(RoundingAttr),
        }
        effects: ReadWrite,
        verify: rules::reduction,
    }

    /// Combines global memory with a value, without telling what was there.
    op Redg = "ori.redg" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What memory is combined with, or exchanged for.
            value: one(DATA),
        }
        attributes {
            /// What it does.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// What it works on.
            kind = "type": required(AtomicTypeAttr),
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How it is ordered with others; strong when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads; the GPU when absent.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// Denormals are zero.
            ftz = "ftz": optional(UnitAttr),
            /// How a float result is rounded.
            rounding = "rounding": optional(RoundingAttr),
        }
        effects: ReadWrite,
        verify: rules::reduction,
    }
}
