//! Loads and stores.
//!
//! The address is `[%base + %uniform + offset]`, with at least one part; the space follows from the
//! operation. `width` gives the number of bytes; a value narrower than 32 bits is extended to a
//! register.

use orison_ir::declare::{Effects, I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{
    Cells, Eviction, MatrixCount, NarrowElements, Order, Prefetch, Scope, Width,
};
use crate::types::{DATA, R, SOURCE, UNIFORM_WIDE, UR_OR_UR64, WIDE};

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    group width {
        attributes {
            /// Number of bytes.
            width = "width": default(Width, Width::B32),
        }
    }

    group cached {
        attributes {
            /// Memory ordering; weak if absent.
            order = "order": optional(Order),
            /// Memory scope of a strong operation.
            scope = "scope": optional(Scope),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(Eviction),
            /// Size of the prefetch into the second-level cache.
            prefetch = "prefetch": optional(Prefetch),
        }
    }

    group described {
        operands {
            /// The descriptor of global memory, from sm_80 on; legalization adds it. A cache policy
            /// takes its place.
            descriptor: optional(UNIFORM_WIDE),
        }
    }

    group bank {
        attributes {
            /// Index of the bank, from 0 to 31.
            bank = "bank": default(I32Attr, 0),
        }
    }

    group loaded(SET, EFFECTS) {
        results {
            /// The value loaded.
            value: one(SET),
        }
        with { effects: Effects::EFFECTS, verify: Some(rules::load) }
    }

    group stored {
        operands {
            /// The value written.
            value: one(DATA),
        }
        with { effects: Effects::Write, verify: Some(rules::store) }
    }

    group matrices {
        attributes {
            /// Number of matrices.
            matrices = "matrices": required(MatrixCount),
            /// `.MT88`: the matrices are transposed.
            transposed = "transposed": optional(UnitAttr),
            /// Shape of a matrix of bytes; 8 by 8 of 16-bit elements if absent.
            cells = "cells": optional(Cells),
        }
    }

    /// Loads from global memory.
    op Ldg = "ori.ldg": address + width + cached + described + loaded(DATA, Read) {
        operands {
            /// The cache policy.
            policy: optional(WIDE),
        }
    }

    /// Loads from generic memory.
    op Ld = "ori.ld": address + width + cached + described + loaded(DATA, Read);

    /// Loads from shared memory.
    op Lds = "ori.lds": address + width + loaded(DATA, Read);

    /// Loads from local memory.
    op Ldl = "ori.ldl": address + width + cached + loaded(DATA, Read);

    /// Loads from a constant bank, in any indexing mode.
    op Ldc = "ori.ldc": address + width + bank + loaded(DATA, None);

    /// Loads from a constant bank into uniform registers.
    op Uldc = "ori.uldc": address + width + bank + loaded(UR_OR_UR64, None);

    /// Loads from a constant bank into uniform registers, from sm_100 on.
    op Ldcu = "ori.ldcu": address + width + bank + loaded(UR_OR_UR64, None);

    /// Stores to global memory.
    op Stg = "ori.stg": address + width + cached + described + stored {
        operands {
            /// The cache policy.
            policy: optional(WIDE),
        }
    }

    /// Stores to generic memory.
    op St = "ori.st": address + width + cached + described + stored;

    /// Stores to shared memory.
    op Sts = "ori.sts": address + width + stored;

    /// Stores to local memory.
    op Stl = "ori.stl": address + width + cached + stored;

    group narrow {
        attributes {
            /// Element format in memory if not bytes.
            narrow = "narrow": optional(NarrowElements),
        }
    }

    /// Loads 8 by 8 matrices of 16-bit elements from shared memory, distributed over the warp.
    op Ldsm = "ori.ldsm": address + matrices + narrow {
        results {
            /// The fragments: one register per matrix.
            value: one(DATA),
        }
        with { effects: Effects::Unknown, verify: Some(rules::load_matrices) }
    }

    /// Stores 8 by 8 matrices of 16-bit elements, distributed over the warp, to shared memory.
    op Stsm = "ori.stsm": address + matrices {
        operands {
            /// The fragments: one register per matrix.
            value: one(DATA),
        }
        with { effects: Effects::Unknown, verify: Some(rules::store_matrices) }
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
        with { effects: Effects::Unknown }
    }
}
