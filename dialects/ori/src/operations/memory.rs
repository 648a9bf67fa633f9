//! Loads and stores.
//!
//! The address is `[%base + %uniform + offset]`, at least one of them; the space follows from the
//! operation. `width` says how many bytes move; what is narrower than 32 bits fills a register.

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
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// A cache policy.
            policy: optional(WIDE),
        }
        results {
            /// What was there.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// How it is ordered with others; weak when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads, when it is strong.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// What else is brought into the cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Read,
        verify: rules::load,
    }

    /// Loads from generic memory.
    op Ld = "ori.ld" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// What was there.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// How it is ordered with others; weak when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads, when it is strong.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// What else is brought into the cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Read,
        verify: rules::load,
    }

    /// Loads from shared memory.
    op Lds = "ori.lds" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// What was there.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
        }
        effects: Read,
        verify: rules::load,
    }

    /// Loads from local memory.
    op Ldl = "ori.ldl" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// What was there.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// How it is ordered with others; weak when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads, when it is strong.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// What else is brought into the cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Read,
        verify: rules::load,
    }

    /// Loads from a constant bank, in any of its indexed modes.
    op Ldc = "ori.ldc" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// What was there.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Number of the bank, from 0 to 31.
            bank = "bank": default(I32Attr, 0),
        }
        effects: None,
        verify: rules::load,
    }

    /// Loads from a constant bank into uniform registers.
    op Uldc = "ori.uldc" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// What was there.
            value: one(UR_OR_UR64),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Number of the bank, from 0 to 31.
            bank = "bank": default(I32Attr, 0),
        }
        effects: None,
        verify: rules::load,
    }

    /// Loads from a constant bank into uniform registers, from sm_100 on.
    op Ldcu = "ori.ldcu" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// What was there.
            value: one(UR_OR_UR64),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// Number of the bank, from 0 to 31.
            bank = "bank": default(I32Attr, 0),
        }
        effects: None,
        verify: rules::load,
    }

    /// Stores to global memory.
    op Stg = "ori.stg" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What is written.
            value: one(DATA),
            /// A cache policy.
            policy: optional(WIDE),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// How it is ordered with others; weak when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads, when it is strong.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// What else is brought into the cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Write,
        verify: rules::store,
    }

    /// Stores to generic memory.
    op St = "ori.st" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What is written.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// How it is ordered with others; weak when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads, when it is strong.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// What else is brought into the cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Write,
        verify: rules::store,
    }

    /// Stores to shared memory.
    op Sts = "ori.sts" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What is written.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
        }
        effects: Write,
        verify: rules::store,
    }

    /// Stores to local memory.
    op Stl = "ori.stl" {
        operands {
            /// The part of the address that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// What is written.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many bytes.
            width = "width": default(WidthAttr, Width::B32),
            /// How it is ordered with others; weak when absent.
            order = "order": optional(OrderAttr),
            /// Among which threads, when it is strong.
            scope = "scope": optional(ScopeAttr),
            /// How soon the cache line may go.
            eviction = "eviction": optional(EvictionAttr),
            /// What else is brought into the cache.
            prefetch = "prefetch": optional(PrefetchAttr),
        }
        effects: Write,
        verify: rules::store,
    }

    /// Loads 8 by 8 matrices of 16-bit elements from shared memory, spread over the warp.
    op Ldsm = "ori.ldsm" {
        operands {
            /// The part of the address of a row that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
        }
        results {
            /// The fragments: a register a matrix.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many matrices.
            matrices = "matrices": required(MatrixCountAttr),
            /// `.MT88`: transposed.
            transposed = "transposed": optional(UnitAttr),
            /// Rows and columns of a matrix of bytes; 8 by 8 of 16 bits when absent.
            cells = "cells": optional(CellsAttr),
            /// What lies in memory in place of bytes.
            narrow = "narrow": optional(NarrowElementsAttr),
        }
        effects: Unknown,
        verify: rules::load_matrices,
    }

    /// Stores 8 by 8 matrices of 16-bit elements to shared memory, gathered from the warp.
    op Stsm = "ori.stsm" {
        operands {
            /// The part of the address of a row that each thread has.
            base: optional(ADDRESS),
            /// The part of the address that the warp has.
            uniform: optional(UNIFORM_ADDRESS),
            /// The fragments: a register a matrix.
            value: one(DATA),
        }
        attributes {
            /// Bytes added to the address.
            offset = "offset": default(I32Attr, 0),
            /// How many matrices.
            matrices = "matrices": required(MatrixCountAttr),
            /// `.MT88`: transposed.
            transposed = "transposed": optional(UnitAttr),
            /// Rows and columns of a matrix of bytes; 8 by 8 of 16 bits when absent.
            cells = "cells": optional(CellsAttr),
        }
        effects: Unknown,
        verify: rules::store_matrices,
    }

    /// Transposes an 8 by 8 matrix that is spread over the warp.
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
