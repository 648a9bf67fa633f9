//! Loads and stores.
//!
//! The address is `[%base + %uniform + offset]`, with at least one part; the space follows from the
//! operation. `width` gives the number of bytes; a value narrower than 32 bits is extended to a
//! register.

use orison_ir::declare::{I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{
    CellsAttr, EvictionAttr, MatrixCountAttr, NarrowElementsAttr, OrderAttr, PrefetchAttr,
    ScopeAttr, Width, WidthAttr,
};
use crate::types::{ADDRESS, DATA, R, SOURCE, UNIFORM_ADDRESS, UR_OR_UR64, WIDE};

use super::rules;

machine_operations! {
    /// Loads from global memory.
    op Ldg = "ori.ldg" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The cache policy.
            policy: optional(WIDE),
        }
        results {
            /// The value loaded.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Memory ordering; weak if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope of a strong operation.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Size of the prefetch into the second-level cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Read,
        verify: rules::load,
    }

    /// Loads from generic memory.
    op Ld = "ori.ld" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// The value loaded.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Memory ordering; weak if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope of a strong operation.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Size of the prefetch into the second-level cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Read,
        verify: rules::load,
    }

    /// Loads from shared memory.
    op Lds = "ori.lds" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// The value loaded.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
        }
        effects: Read,
        verify: rules::load,
    }

    /// Loads from local memory.
    op Ldl = "ori.ldl" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// The value loaded.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Memory ordering; weak if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope of a strong operation.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Size of the prefetch into the second-level cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Read,
        verify: rules::load,
    }

    /// Loads from a constant bank, in any indexing mode.
    op Ldc = "ori.ldc" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// The value loaded.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Index of the bank, from 0 to 31.
            bank = "bank": default(I32Attr, 0),
        }
        effects: None,
        verify: rules::load,
    }

    /// Loads from a constant bank into uniform registers.
    op Uldc = "ori.uldc" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// The value loaded.
            value: one(UR_OR_UR64),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Index of the bank, from 0 to 31.
            bank = "bank": default(I32Attr, 0),
        }
        effects: None,
        verify: rules::load,
    }

    /// Loads from a constant bank into uniform registers, from sm_100 on.
    op Ldcu = "ori.ldcu" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// The value loaded.
            value: one(UR_OR_UR64),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Index of the bank, from 0 to 31.
            bank = "bank": default(I32Attr, 0),
        }
        effects: None,
        verify: rules::load,
    }

    /// Stores to global memory.
    op Stg = "ori.stg" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value written.
            value: one(DATA),
            /// The cache policy.
            policy: optional(WIDE),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Memory ordering; weak if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope of a strong operation.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Size of the prefetch into the second-level cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Write,
        verify: rules::store,
    }

    /// Stores to generic memory.
    op St = "ori.st" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value written.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Memory ordering; weak if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope of a strong operation.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Size of the prefetch into the second-level cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Write,
        verify: rules::store,
    }

    /// Stores to shared memory.
    op Sts = "ori.sts" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value written.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
        }
        effects: Write,
        verify: rules::store,
    }

    /// Stores to local memory.
    op Stl = "ori.stl" {
        operands {
            /// The per-thread part of the address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The value written.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Memory ordering; weak if absent.
            order = "order": optional(OrderAttr),
            /// Memory scope of a strong operation.
            scope = "scope": optional(ScopeAttr),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(EvictionAttr),
            /// Size of the prefetch into the second-level cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Write,
        verify: rules::store,
    }

    /// Loads 8 by 8 matrices of 16-bit elements from shared memory, distributed over the warp.
    op Ldsm = "ori.ldsm" {
        operands {
            /// The per-thread part of a row's address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// The fragments: one register per matrix.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of matrices.
            matrices = "matrices": required(MatrixCountAttr),
            /// `.MT88`: the matrices are transposed.
            transposed = "transposed": optional(UnitAttr),
            /// Shape of a matrix of bytes; 8 by 8 of 16-bit elements if absent.
            cells = "cells": optional(CellsAttr),
            /// Element format in memory if not bytes.
            narrow = "narrow": optional(NarrowElementsAttr),
        }
        effects: Unknown,
        verify: rules::load_matrices,
    }

    /// Stores 8 by 8 matrices of 16-bit elements, distributed over the warp, to shared memory.
    op Stsm = "ori.stsm" {
        operands {
            /// The per-thread part of a row's address.
            base: optional(ADDRESS),
            /// The uniform part of the address.
            uniform: optional(UNIFORM_ADDRESS),
            /// The fragments: one register per matrix.
            value: one(DATA),
        }
        attributes {
            /// Byte offset added to the address.
            offset = "offset": default(I32Attr, 0),
            /// Number of matrices.
            matrices = "matrices": required(MatrixCountAttr),
            /// `.MT88`: the matrices are transposed.
            transposed = "transposed": optional(UnitAttr),
            /// Shape of a matrix of bytes; 8 by 8 of 16-bit elements if absent.
            cells = "cells": optional(CellsAttr),
        }
        effects: Unknown,
        verify: rules::store_matrices,
    }

    /// Transposes an 8 by 8 matrix distributed over the warp.
    op Movm = "ori.movm" {
        operands {
            /// The fragment.
            a: one(SOURCE),
        }
        results {
            /// The fragment of the transposed matrix.
            result: one(R),
        }
        effects: Unknown,
    }
}
