//! Atomic memory operations.

use orison_ir::declare::{Effects, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{AtomicOperation, AtomicType, Eviction, Order, Rounding, Scope};
use crate::types::{DATA, UNIFORM_WIDE};

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    group atomic {
        operands {
            /// The value combined with, or exchanged for, the one in memory.
            value: one(DATA),
        }
        attributes {
            /// The operation.
            atomic_operation = "operation": required(AtomicOperation),
            /// Type of the operands.
            kind = "type": required(AtomicType),
        }
        with { effects: Effects::ReadWrite }
    }

    group ordered {
        operands {
            /// The descriptor of global memory, from sm_80 on; legalization adds it.
            descriptor: optional(UNIFORM_WIDE),
        }
        attributes {
            /// Memory ordering; strong if absent.
            order = "order": optional(Order),
            /// Memory scope; the GPU if absent.
            scope = "scope": optional(Scope),
            /// Eviction priority of the cache line.
            eviction = "eviction": optional(Eviction),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// Rounding mode of a float result.
            rounding = "rounding": optional(Rounding),
        }
    }

    group exchange {
        operands {
            /// The value memory is compared with (`cas` only).
            expected: optional(DATA),
        }
        results {
            /// The value before the operation.
            old: one(DATA),
        }
        with { verify: Some(rules::atomic) }
    }

    group reduction {
        with { verify: Some(rules::reduction) }
    }

    /// Atomic read-modify-write of generic memory.
    op Atom = "ori.atom": address + atomic + ordered + exchange;

    /// Atomic read-modify-write of global memory.
    op Atomg = "ori.atomg": address + atomic + ordered + exchange;

    /// Atomic read-modify-write of shared memory.
    op Atoms = "ori.atoms": address + atomic + exchange;

    /// Atomic reduction on generic memory; the old value is not returned.
    op Red = "ori.red": address + atomic + ordered + reduction;

    /// Atomic reduction on global memory; the old value is not returned.
    op Redg = "ori.redg": address + atomic + ordered + reduction;
}
